"""What a person is shown of a change: all that matters, and nothing that is not seen."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from mnemic.domain.ids import memory_id, uuid7
from mnemic.domain.memory import Memory, State
from mnemic.domain.proposals import Step
from mnemic.domain.provenance import Origin, Provenance
from mnemic.domain.step_diff import diff_of, visible_signs

NOW = datetime(2026, 5, 3, tzinfo=UTC)
LINES = [f"Line {number} of it." for number in range(40)]
BEFORE = Memory(
    uid=uuid7(0, bytes(10)),
    id=memory_id("notes/tea"),
    kind="note",
    title="Tea",
    body="\n".join(LINES),
    recorded_at=NOW,
    changed_at=NOW,
    provenance=Provenance.of(Origin.WEB),
)


@pytest.mark.parametrize(
    "sign",
    [
        *"\u200b\u2060\u202e\u00ad\u3164\u115f\u1160\uffa0\u2800\u034f\ufe00\ufe0f\u180b\U000e0041\U000e0101\u00a0\u2028\x1b"
    ],
)
def test_a_sign_that_nobody_sees_is_written_as_an_escape(sign: str) -> None:
    assert visible_signs(f"tea{sign}time") == f"tea{ascii(sign)[1:-1]}time"


@pytest.mark.parametrize("text", ["Tea at four.", "Tee für Ärzte", "お茶", "чай", "❤️ 1️⃣ ☕", "e\u0301te"])
def test_what_is_seen_stays_as_it_is(text: str) -> None:
    assert visible_signs(text) == text


def test_a_run_of_selectors_behind_a_sign_is_shown_but_for_the_first() -> None:
    assert visible_signs("❤\ufe0f\ufe0f\ufe0e") == "❤\ufe0f\\ufe0f\\ufe0e"


def test_of_a_change_the_lines_around_it_are_shown() -> None:
    after = replace(BEFORE, body="\n".join([*LINES, "One more."]))

    told = diff_of(Step(before=BEFORE, after=after))

    assert "+One more." in told
    assert " Line 38 of it." in told
    assert " Line 5 of it." not in told


def test_of_what_is_to_be_recalled_every_line_is_shown() -> None:
    held = replace(BEFORE, state=State.QUARANTINED)

    told = diff_of(Step(before=held, after=replace(BEFORE, state=State.ACTIVE)))

    assert {f" {line}" for line in LINES} <= set(told)


@pytest.mark.parametrize(
    "fields",
    [
        {"provenance": replace(BEFORE.provenance, verified=True)},
        {"provenance": replace(BEFORE.provenance, authority=0.9)},
        {"kind": "belief"},
    ],
)
def test_of_what_is_to_be_believed_more_every_line_is_shown(fields: dict[str, object]) -> None:
    told = diff_of(Step(before=BEFORE, after=replace(BEFORE, **fields)))  # type: ignore[arg-type]

    assert {f" {line}" for line in LINES} <= set(told)
