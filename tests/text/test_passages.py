"""Passages of Markdown bodies and sentences of chat turns: exact places, nothing lost, sensible pieces."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.text.passages import CODE_LIMIT, LIMIT, Passage, passages, sentences

LINES = [
    "",
    "# Title",
    "## Sub ##",
    "#not a heading",
    "####### seven",
    "Under",
    "===",
    "---",
    "- item one",
    "  - [ ] nested",
    "1. first",
    "> quoted words",
    "> [!note] callout",
    "```python",
    "~~~",
    "code = 1",
    "| a | b |",
    "|---|:--|",
    "<!-- hidden -->",
    "<!-- begin",
    "end --> after",
    "A sentence. Another one! 日本語です。次。",
    "x" * 500,
    "слово " * 90,
    "字" * 450,
    "\t indented",
]
markdown = st.lists(st.sampled_from(LINES), max_size=25).flatmap(
    lambda lines: st.sampled_from(["\n", "\r\n", "\r"]).map(lambda end: end.join(lines))
)
any_text = st.text(st.characters(codec=None), max_size=200)


def gaps(text: str, found: tuple[Passage, ...]) -> str:
    """The text that is in no passage."""
    ends = [0, *(passage.end for passage in found)]
    starts = [*(passage.start for passage in found), len(text)]
    return "\n".join(text[end:start] for end, start in zip(ends, starts, strict=True))


@given(st.one_of(markdown, any_text))
def test_every_passage_stands_where_it_says(body: str) -> None:
    place = 0
    for passage in passages(body):
        assert body[passage.start : passage.end] == passage.text == passage.text.strip() != ""
        assert passage.start >= place
        assert passage.line == 1 + len(re.findall(r"\r\n|\r|\n", body[: passage.start]))
        place = passage.end


@given(st.one_of(markdown, any_text))
def test_no_word_of_a_body_is_lost(body: str) -> None:
    found = passages(body)
    rest = re.sub(r"<!--.*?-->", " ", gaps(body, found), flags=re.DOTALL).replace("\r", "\n")
    shown = " ".join(title for passage in found for title in passage.heading)
    lost = re.sub(r"(?m)^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\])?|\[![\w-]+\]", " ", rest)

    assert [word for word in re.findall(r"\w+", lost) if word.strip("_") and word not in shown] == []


@given(st.one_of(markdown, any_text))
def test_no_passage_is_over_the_limit(body: str) -> None:
    limit = CODE_LIMIT if "```" in body or "~~~" in body else LIMIT

    assert all(len(passage.text) <= limit for passage in passages(body))


@given(any_text)
def test_sentences_leave_out_nothing_but_white_space(text: str) -> None:
    found = sentences(text)

    assert gaps(text, found).strip() == ""
    for sentence in found:
        assert text[sentence.start : sentence.end] == sentence.text != ""
        assert sentence.line == 1 + text.count("\n", 0, sentence.start)


def test_a_note_is_cut_along_its_structure() -> None:
    body = """# Trip

We fly on Monday. Dr. Weber comes along. The hotel is booked for 3.5 days. Breakfast is included on every day but one.

## Packing

- passport and the two boarding passes that were printed
- socks
- umbrella

```sh
pack --all

ship
```

| what | who |
|------|-----|
| tent | Ada |

<!-- generated -->
### Nothing yet

## Людям

> Позвони бабушке
> в среду.
"""

    assert [(passage.text, passage.line, passage.heading) for passage in passages(body)] == [
        ("We fly on Monday. Dr. Weber comes along. The hotel is booked for 3.5 days.", 3, ("Trip",)),
        ("Breakfast is included on every day but one.", 3, ("Trip",)),
        (
            "passport and the two boarding passes that were printed\n- socks\n- umbrella",
            7,
            ("Trip", "Packing"),
        ),
        ("```sh\npack --all\n\nship\n```", 11, ("Trip", "Packing")),
        ("| what | who |\n|------|-----|\n| tent | Ada |", 17, ("Trip", "Packing")),
        ("Nothing yet", 22, ("Trip", "Packing")),
        ("Позвони бабушке\n> в среду.", 26, ("Trip", "Людям")),
    ]


def test_a_long_fence_is_cut_at_lines() -> None:
    body = "```\n" + "\n".join(f"line {number}" for number in range(1000)) + "\n```"

    pieces = passages(body)

    assert len(pieces) > 3
    assert all(re.fullmatch(r"line \d+|```", piece.text.split("\n")[-1]) for piece in pieces)


@pytest.mark.parametrize(
    ("body", "heading"),
    [
        ("Title\n=====\ntext", ("Title",)),
        ("# A\n## B\n# C\ntext", ("C",)),
        ("# A #\ntext", ("A",)),
        ("# C#\ntext", ("C#",)),
        ("# A\n### B\n## C\ntext", ("A", "C")),
        ("#tag text", ()),
        ("```\n# code\n```", ()),
        ("- a\n---\ntext", ()),
        ("# A\r\ntext\r\n", ("A",)),
    ],
)
def test_headings_are_those_a_reader_sees(body: str, heading: tuple[str, ...]) -> None:
    assert passages(body)[-1].heading == heading


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved to Oslo in 2022. It rains a lot there!", ["I moved to Oslo in 2022.", "It rains a lot there!"]),
        ("Mr. Smith paid $3.50 at 5 p.m. yesterday.", ["Mr. Smith paid $3.50 at 5 p.m. yesterday."]),
        ("Look at https://a.example/b.html for more. The file is notes.md, too.",
         ["Look at https://a.example/b.html for more.", "The file is notes.md, too."]),
        ('"Are you really sure?" she asked me. Yes, I am quite sure.',
         ['"Are you really sure?" she asked me.', "Yes, I am quite sure."]),
        ("i stayed home all day. it was really nice", ["i stayed home all day.", "it was really nice"]),
        ("Wow! I did not know that you play the drums.", ["Wow! I did not know that you play the drums."]),
        ("Am 7. Mai ziehen wir um, z. B. mit Dr. Kern. Danach feiern wir.",
         ["Am 7. Mai ziehen wir um, z. B. mit Dr. Kern.", "Danach feiern wir."]),
        ("Я живу на ул. Ленина. А раньше жил в г. Омск, т.е. далеко.",
         ["Я живу на ул. Ленина.", "А раньше жил в г. Омск, т.е. далеко."]),
        ("昨日は東京へ行きました。「とても楽しかった！」と言った。",
         ["昨日は東京へ行きました。", "「とても楽しかった！」と言った。"]),
        ("我昨天去了北京的故宫。你想什么时候一起再去呢？", ["我昨天去了北京的故宫。", "你想什么时候一起再去呢？"]),
        ("मैं कल दिल्ली गया था। वहाँ बहुत गर्मी थी।", ["मैं कल दिल्ली गया था।", "वहाँ बहुत गर्मी थी।"]),
        ("first line without a stop\nsecond line of it", ["first line without a stop", "second line of it"]),
        ("", []),
        (" \n\t ", []),
    ],
)  # fmt: skip
def test_a_turn_is_cut_at_its_sentences(text: str, expected: list[str]) -> None:
    assert [sentence.text for sentence in sentences(text)] == expected


def test_a_sentence_without_end_is_cut_at_words() -> None:
    text = "word " * 300

    assert all(re.fullmatch(r"word(?: word)*", sentence.text) for sentence in sentences(text))


def test_hostile_bodies_take_time_in_proportion_to_their_length() -> None:
    """A megabyte of what makes careless rules quadratic."""
    started = time.perf_counter()
    parts = [
        "# #  ",
        "a. ",
        "字",
        "<!-- ",
        "> ",
        "```\n",
        "- \n",
        "x\n",
        "  ",
        "é",
        "---\n",
        "1. a\n",
        "# a\n",
        'a!"* ',
    ]
    for part in (*parts, "|-", "|\n|-\n"):
        passages(part * (200_000 // len(part)))
        sentences(part * (200_000 // len(part)))

    assert time.perf_counter() - started < 30
