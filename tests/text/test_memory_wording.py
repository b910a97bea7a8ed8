"""Speaking to an agent about its memory is told from ordinary sentences with the same words, in seven languages.

The sentences of `memory_wording_dev.json` shaped the rules; those of `memory_wording_held_out.json` were written before
them and changed nothing.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.text.memory_wording import MEMORY_WORDING, MOST_CHARACTERS, speaks_of_memory

HERE = Path(__file__).parent
DOCUMENT = HERE.parent.parent / "docs" / "explanation" / "turn-wording.md"
PADDING = "The weather was fine. " * MOST_CHARACTERS


def sentences(part: str) -> dict[str, dict[str, list[str]]]:
    """Labelled sentences by language."""
    return dict(json.loads((HERE / f"memory_wording_{part}.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("part", ["dev", "held_out"])
def test_ordinary_sentences_reveal_nothing(part: str) -> None:
    ordinary = [sentence for language in sentences(part).values() for sentence in language["ordinary"]]

    revealed = [sentence for sentence in ordinary if speaks_of_memory(sentence)]

    assert len(revealed) <= 0.01 * len(ordinary), revealed


@pytest.mark.parametrize("part", ["dev", "held_out"])
@pytest.mark.parametrize("language", MEMORY_WORDING)
def test_what_is_said_about_the_memory_is_heard_in_each_language(part: str, language: str) -> None:
    explicit = sentences(part)[language]["explicit"]

    missed = [sentence for sentence in explicit if not speaks_of_memory(sentence)]

    assert len(missed) <= 0.05 * len(explicit), missed


def test_the_corpus_is_as_large_as_its_figures_need() -> None:
    both = [sentences(part) for part in ("dev", "held_out")]

    for language in MEMORY_WORDING:
        assert sum(len(part[language]["ordinary"]) for part in both) >= 40
        assert sum(len(part[language]["explicit"]) for part in both) >= 20


@pytest.mark.parametrize(
    "text",
    [
        "REMEMBER THAT I MOVED",
        "Ｒｅｍｅｍｂｅｒ　ｔｈａｔ　Ｉ　ｍｏｖｅｄ",
        "  please,\nremember   that\ti moved",
        "Don’t forget that I'm left-handed",
        "donʼt forget that i`m left-handed",
        "n＇oublie pas que je suis gaucher",
        "Te acuerdas de mi rodilla",
        "WEISST DU NOCH, WO ICH WOHNE",
        "ЗАПОМНИ МОЙ АДРЕС",
        "Ты ещe помнишь?".replace("e", "е"),
        "覚えてる?",
    ],
)
def test_case_width_blanks_apostrophes_and_accents_do_not_matter(text: str) -> None:
    assert speaks_of_memory(text)


@pytest.mark.parametrize(
    "text",
    [
        "Fix this:\n```\n# remember that i is zero-based\n```",
        "What does `remember(this)` do? It is `memory_search` in the old code.",
        "> Do you remember my tea?\n\nAnswer this mail politely.",
        "Translate «ты помнишь меня?» and „erinnerst du dich?“ and 「覚えてる？」",
        "",
    ],
)
def test_code_and_quotations_are_not_said_to_the_agent(text: str) -> None:
    assert not speaks_of_memory(text)


def test_of_a_long_text_the_beginning_and_the_end_are_read() -> None:
    said = "Remember that I moved."

    assert speaks_of_memory(f"{said} {PADDING}")
    assert speaks_of_memory(f"{PADDING} {said}")
    assert not speaks_of_memory(f"{PADDING} {said} {PADDING}")


@given(st.text(max_size=300))
def test_any_text_has_an_answer(text: str) -> None:
    assert speaks_of_memory(text) in {True, False}


RULES = [rule for rules in MEMORY_WORDING.values() for rule in rules]


def sentences_of(rule: str) -> st.SearchStrategy[str]:
    """What a rule describes, with a plain letter where any may stand."""
    plain = rule.removeprefix("^ ").replace("~", "").replace(r"\w", "x")
    return st.from_regex(plain, fullmatch=True, alphabet=st.characters(exclude_characters="\n"))


@given(st.sampled_from(RULES).flatmap(sentences_of))
def test_whatever_fits_a_rule_is_heard(sentence: str) -> None:
    """So no rule waits for a word that the quick look beforehand does not know."""
    assert speaks_of_memory(sentence)


def test_every_rule_is_documented() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")

    assert [rule for rules in MEMORY_WORDING.values() for rule in rules if f"\n{rule}\n" not in document] == []
