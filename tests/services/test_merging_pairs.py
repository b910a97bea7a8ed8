"""Of pairs that were judged by hand, replay proposes to merge those that say the same, and hardly any other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from merge_pairs import PAIRS
from rooms import an_app

from mnemic.services.writing.remember import title_of

if TYPE_CHECKING:
    from pathlib import Path

    from merge_pairs import Pair

LEAST_PRECISION = 0.9
LEAST_RECALL = 0.7


def merged(root: Path, pairs: list[Pair]) -> set[int]:
    """Numbers of the pairs that replay would merge; each pair is a project of its own, and only told once."""
    found: set[int] = set()
    for start in range(0, len(pairs), 40):  # fewer than wait for a person at a time
        app = an_app(root / str(start))
        folder = app.root / "notes"
        folder.mkdir()
        for number, pair in enumerate(pairs[start : start + 40], start):
            for name, text in (("one", pair.one), ("other", pair.other)):
                head = f"type: note\ntitle: {json.dumps(title_of(text))}\ntimestamp: 2026-05-01T00:00:00Z"
                document = f"---\n{head}\nscope:\n  project: p{number}\n---\n\n{text}\n"
                (folder / f"{number}-{name}.md").write_text(document, encoding="utf-8")
        for proposal in app.replay(dry_run=True).proposals:
            numbers = {int(step.after.id.removeprefix("notes/").partition("-")[0]) for step in proposal.steps}
            assert len(numbers) == 1
            found |= numbers
    return found


@pytest.mark.parametrize("held_out", [False, True])
def test_nine_of_ten_proposed_merges_are_right_and_most_of_the_right_ones_are_proposed(
    in_memory: Path, *, held_out: bool
) -> None:
    pairs = [pair for pair in PAIRS if pair.held_out is held_out]
    found = merged(in_memory, pairs)

    right = {number for number, pair in enumerate(pairs) if pair.same}
    wrong = [(pairs[number].one, pairs[number].other) for number in sorted(found - right)]
    assert len(found & right) >= LEAST_PRECISION * len(found), wrong
    assert len(found & right) >= LEAST_RECALL * len(right)
