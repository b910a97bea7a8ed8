"""The revision changes with what a memory means, and with nothing else."""

from __future__ import annotations

import unicodedata
from dataclasses import fields, replace
from datetime import timedelta, timezone
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_samples import NOON, a_memory

from mnemic.domain.memory import Claim, Loading, Memory, Privacy, Scope, State
from mnemic.domain.outcomes import Result
from mnemic.domain.provenance import Origin, Provenance
from mnemic.domain.revision import normal_body, revision

OTHER: dict[str, object] = {
    "uid": "0190a1b2-0000-7000-8000-000000000002",
    "kind": "belief",
    "title": "Another title",
    "body": "Another body.",
    "recorded_at": NOON + timedelta(seconds=1),
    "description": "x",
    "tags": ("x",),
    "resource": "x",
    "valid_from": NOON,
    "valid_until": NOON,
    "due": NOON,
    "on_event": "release",
    "snoozed_until": NOON,
    "state": State.ARCHIVED,
    "supersedes": ("x",),
    "superseded_by": ("x",),
    "salience": 0.6,
    "confidence": 0.6,
    "privacy": Privacy.PUBLIC,
    "provenance": Provenance(origin=Origin.WEB),
    "claim": Claim("city", "Oslo"),
    "scope": Scope(user="anna"),
    "loading": Loading.ALWAYS,
    "auto_invoke": True,
    "user_invocable": False,
    "requires": ("x",),
    "outcome_of": "x",
    "result": Result.FAILED,
    "extra": {"x": "y"},
}
PARTS: list[tuple[str, object, dict[str, object]]] = [
    (
        "provenance",
        Provenance(),
        {
            "origin": Origin.MODEL,
            "locator": "x",
            "authority": 0.6,
            "verified": True,
            "actor": "x",
            "session": "x",
            "turns": (1,),
            "sha256": "x",
        },
    ),
    ("claim", Claim("a", "b"), {"key": "x", "value": "x"}),
    ("scope", Scope(), {"user": "x", "agent": "x", "project": "x", "conversation": "x"}),
]


def test_a_revision_is_the_same_on_every_machine_and_release() -> None:
    """Revisions are told to others: whoever changes the rule changes this line, and the major version."""
    assert revision(a_memory()) == "b3c06333331cc9dc7001b53d92db2d51a1bfb1b8efcfed9049bc8d5fdb70be4a"


@pytest.mark.parametrize("field", [field.name for field in fields(Memory) if field.name not in {"id", "changed_at"}])
def test_every_field_of_a_memory_counts(field: str) -> None:
    """A field that is added has to be added above, with another value."""
    assert revision(a_memory(**{field: OTHER[field]})) != revision(a_memory())


@pytest.mark.parametrize(("field", "value", "others"), PARTS, ids=[part[0] for part in PARTS])
def test_every_field_of_its_parts_counts(field: str, value: object, others: dict[str, object]) -> None:
    assert set(others) == {part.name for part in fields(value)}  # type: ignore[arg-type]
    seen = {revision(a_memory(**{field: value}))}
    seen |= {revision(a_memory(**{field: replace(value, **{name: other})})) for name, other in others.items()}  # type: ignore[type-var]

    assert len(seen) == len(others) + 1


def test_all_these_changes_give_different_revisions() -> None:
    assert len({revision(a_memory(**{field: value})) for field, value in OTHER.items()}) == len(OTHER)


@pytest.mark.parametrize("change", [{"id": "notes/b"}, {"changed_at": NOON + timedelta(days=1)}])
def test_moving_it_and_the_time_of_the_last_change_do_not_count(change: dict[str, object]) -> None:
    assert revision(a_memory(**change)) == revision(a_memory())


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
yaml = st.recursive(
    texts, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)
extras = st.dictionaries(texts, yaml, max_size=4)


def turned(value: object) -> object:
    """The same value with the keys of every mapping in another order."""
    if isinstance(value, dict):
        return {key: turned(item) for key, item in reversed(value.items())}
    return [turned(item) for item in value] if isinstance(value, list) else value


@given(extras)
def test_the_order_of_keys_does_not_count(extra: dict[str, object]) -> None:
    first = revision(a_memory(extra=extra))

    assert revision(a_memory(extra=turned(extra))) == first
    assert revision(a_memory(extra=MappingProxyType(extra))) == first


def test_the_order_of_a_list_counts() -> None:
    assert revision(a_memory(tags=("a", "b"))) != revision(a_memory(tags=("b", "a")))


lines = st.lists(
    st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029"), max_size=12), max_size=5
)


@given(lines, st.sampled_from(["\r\n", "\r"]), st.sampled_from(["", "\n", "  \n\n", "\r\n\t "]))
def test_line_ends_and_white_space_around_the_body_do_not_count(parts: list[str], end: str, around: str) -> None:
    plain = "\n".join(parts)

    assert revision(a_memory(body=around + end.join(parts) + around)) == revision(a_memory(body=plain))
    assert normal_body(normal_body(plain)) == normal_body(plain)


@given(texts, texts)
def test_normalization_does_not_count_and_other_text_does(title: str, body: str) -> None:
    memory = a_memory(title=title, body=body)
    decomposed = a_memory(title=unicodedata.normalize("NFD", title), body=unicodedata.normalize("NFD", body))

    assert revision(decomposed) == revision(memory)
    assert revision(a_memory(title=title + "x", body=body)) != revision(memory)
    assert revision(a_memory(title=title, body=body + "x")) != revision(memory)


@pytest.mark.parametrize("hours", [-11, 2, 5.5])
def test_the_zone_of_a_moment_does_not_count(hours: float) -> None:
    moved = NOON.astimezone(timezone(timedelta(hours=hours)))

    assert revision(a_memory(due=moved, recorded_at=moved)) == revision(a_memory(due=NOON))


def test_a_number_is_the_same_number_however_it_is_written() -> None:
    assert revision(a_memory(salience=1)) == revision(a_memory(salience=1.0))
    assert revision(a_memory(salience=0)) == revision(a_memory(salience=-0.0))
    assert revision(a_memory(salience=0.5)) == revision(a_memory(salience=float("0.50")))


def test_text_that_is_no_unicode_has_a_revision_too() -> None:
    assert revision(a_memory(title="\ud800")) != revision(a_memory(title="\ud801"))
