"""Observations and relations as lines of a text that people may have written."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from mnemic.entry.mcp.graph.facts import (
    facts_in,
    normal,
    normal_name,
    observation_line,
    relation_line,
    with_lines,
    without_facts,
)

SIGNS = st.text(st.sampled_from("ab []\\|#^%25CBD\n-*1. `~\t\r\u2028é"), max_size=14)
TEXTS = SIGNS | st.text(max_size=12)

FOREIGN = """\
# Anna

She lives in Oslo. Her cat is called Møns,
and it is old.

- likes tea
  with milk
* knows [[Ove Berg|Ove]]
1. works at [[places/harbour]]
- met [[Runa]] in May

```
- no [[fact]]
```

[[Bergen]] was her home.
"""


def seen(body: str) -> list[tuple[str, str | None]]:
    return [(fact.text, fact.target) for fact in facts_in(body)]


def test_a_document_of_another_hand_shows_what_it_says() -> None:
    assert seen(FOREIGN) == [
        ("She lives in Oslo.", None),
        ("Her cat is called Møns,\nand it is old.", None),
        ("likes tea\nwith milk", None),
        ("knows", "Ove Berg"),
        ("works at", "places/harbour"),
        ("met [[Runa]] in May", None),
        ("[[Bergen]] was her home.", None),
    ]


def test_what_is_added_and_taken_away_leaves_the_rest_as_it_was() -> None:
    longer = with_lines(FOREIGN, [observation_line("has a boat"), relation_line("rows to", "Bergen")])

    assert longer == f"{FOREIGN}\n- has a boat\n- rows to [[Bergen]]\n"
    assert without_facts(longer, lambda fact: fact.text == "She lives in Oslo.") == longer.replace(
        "She lives in Oslo. ", ""
    )
    assert without_facts(longer, lambda fact: fact.text == "likes tea\nwith milk") == longer.replace(
        "- likes tea\n  with milk\n", ""
    )


def test_windows_line_ends_stay() -> None:
    body = with_lines("- one\r\n- two\r\n", [observation_line("three")])

    assert body == "- one\r\n- two\r\n- three\r\n"
    assert without_facts(body, lambda fact: fact.text == "two") == "- one\r\n- three\r\n"


def test_lines_behind_code_that_is_never_closed_are_no_code() -> None:
    body = with_lines("A story.\n\n```\ncode", [observation_line("a fact")])

    assert ("a fact", None) in seen(body)


@given(st.lists(st.tuples(st.booleans(), TEXTS, TEXTS), max_size=5))
@example([(True, "is fond of", "C#"), (False, "uses [[C%23]]", ""), (False, "a \\[[b]]", "")])
@example([(False, "--", ""), (False, "# no heading", ""), (False, "```", ""), (True, "", "x")])
def test_any_facts_come_back_as_they_were_written(items: list[tuple[bool, str, str]]) -> None:
    """But for blanks at the ends of lines, and around names."""
    body, wanted = "", []
    for is_relation, text, target in items:
        if is_relation and normal_name(target):
            body = with_lines(body, [relation_line(text, target)])
            wanted.append((normal_name(text), normal_name(target)))
        elif not is_relation and normal(text):
            body = with_lines(body, [observation_line(text)])
            wanted.append((normal(text), None))

    assert seen(body) == wanted


@given(st.lists(TEXTS, max_size=6).map("\n".join))
def test_every_fact_stands_where_it_says_and_taking_none_changes_nothing(body: str) -> None:
    facts = facts_in(body)

    assert all(0 <= fact.start < fact.end <= len(body) for fact in facts)
    assert all(one.end <= other.start for one, other in pairwise(facts))
    assert without_facts(body, lambda _: False) == body


@given(st.lists(TEXTS, max_size=6).map("\n".join))
def test_a_fact_that_is_added_and_taken_away_leaves_the_document(body: str) -> None:
    longer = with_lines(body, ["- 0123456789"])
    shorter = without_facts(longer, lambda fact: fact.text == "0123456789")

    assert shorter.strip() == body.strip()
