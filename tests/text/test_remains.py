"""What a text is known by: every longer part of it holds a piece, in whatever spelling it stands in a file."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.text.remains import CHARACTERS, WORDS, names, normal, pieces, sentences, spellings

WORD = st.text(st.characters(categories=["L", "Nd"]), min_size=3, max_size=9)
CJK = st.text(st.sampled_from("的一是不了人我在有他这为之大来以个中上们"), min_size=4 * CHARACTERS, max_size=90)
LINES = st.lists(st.lists(WORD, min_size=3 * WORDS, max_size=30).map(" ".join), min_size=1, max_size=4)


@given(LINES, st.data())
def test_whatever_is_left_of_a_line_holds_a_piece_when_it_is_twice_as_long(
    lines: list[str], data: st.DataObject
) -> None:
    line = data.draw(st.sampled_from(lines))
    words = line.split()
    start = data.draw(st.integers(0, len(words) - 3 * WORDS))
    left = " ".join(words[start : start + 3 * WORDS])

    assert any(piece in left for piece in pieces(["\n".join(lines)]))


@given(CJK, st.data())
def test_of_a_script_without_blanks_too(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 3 * CHARACTERS))

    assert any(piece in text[start : start + 3 * CHARACTERS] for piece in pieces([text]))


@given(LINES)
def test_every_piece_is_of_the_text_and_long_enough(lines: list[str]) -> None:
    for piece in pieces(lines):
        assert any(piece in line for line in lines)
        assert len(piece) >= CHARACTERS


@pytest.mark.parametrize("text", ["", "Green tea", "   ", "---", "yes\nno\nmaybe", "a b c d", "茶"])
def test_what_anybody_may_have_written_is_no_piece(text: str) -> None:
    assert pieces([text]) == ()
    assert sentences([text]) == ()


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40))
def test_a_text_is_found_in_every_form_that_files_have(text: str) -> None:
    known = spellings(text)

    for form in ("NFC", "NFD"):
        one = unicodedata.normalize(form, text)
        assert one.encode().lower() in known
        assert one.encode("utf-16-le").lower() in known
        assert json.dumps(one)[1:-1].encode().lower() in known
    assert text.encode().lower() in known


def test_a_sentence_is_known_without_its_end_and_in_any_case() -> None:
    assert sentences(["**Anna  keeps cloves.** She drinks tea! No."]) == ("anna keeps cloves", "she drinks tea")
    assert sentences(["安娜每天早上都在厨房里喝绿茶。不。"]) == ("安娜每天早上都在厨房里喝绿茶",)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Anna drinks tea.", "anna"),
        ("They met ANNA-Lena.", "Anna"),
        ("Die Straße ist nass.", "STRASSE"),
        ("Zoe\u0308 called.", "Zo\u00eb"),
        ("Это знает Анна.", "анна"),
        ("安娜喜欢绿茶", "安娜"),
        ("แอนนาชอบชา", "แอนนา"),
        ("Anna Berg came, with Anna\u00a0 Berg.", "anna  berg"),
        ("anna_is_here", "anna"),
    ],
)
def test_a_subject_is_named_in_any_case_normalization_and_script(text: str, subject: str) -> None:
    assert names(text, subject)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Susanna drinks.", "Anna"),
        ("Annabel", "Anna"),
        ("Это Анната", "Анна"),
        ("", "Anna"),
        ("Anna", ""),
        ("An na", "Anna"),
    ],
)
def test_a_part_of_a_word_is_no_name(text: str, subject: str) -> None:
    assert not names(text, subject)


@given(st.text(max_size=30))
def test_the_one_spelling_of_a_text_is_its_own(text: str) -> None:
    assert normal(normal(text)) == normal(text)
