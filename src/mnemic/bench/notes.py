"""What the benchmarks of notes share: texts remembered one by one, and questions put to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemic.bench.metrics import Ranking
from mnemic.domain.drafts import Draft
from mnemic.domain.entries import Source, Where
from mnemic.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.app import App
    from mnemic.ports import Progress


@dataclass(frozen=True, slots=True)
class Notes:
    """Texts in a bundle: the memory that holds each, by its place in the list; `refused` says why one is not in it."""

    app: App
    ids: dict[int, str] = field(default_factory=dict)
    refused: dict[int, str] = field(default_factory=dict)

    @property
    def units(self) -> int:
        """How many memories there are: equal texts are one."""
        return len(set(self.ids.values()))


def remembered(app: App, texts: Sequence[str], *, what: str, progress: Progress | None = None) -> Notes:
    """Remember each text through the product's one write path, then make the vectors that wait.

    A text longer than a note may be is knowledge. Texts that a guard refuses are no failure of the benchmark.
    """
    notes = Notes(app)
    longest = app.bundle.policy.limits.body_characters
    for place, text in enumerate(texts):
        try:
            done = app.remember(Draft(body=text, kind="knowledge" if len(text) > longest else "note"))
        except RefusedError as error:
            notes.refused[place] = error.code
            continue
        notes.ids[place] = done.memory.id
        if progress is not None:
            progress(place + 1, len(texts), what)
    app.reindex(progress=progress)
    return notes


def asked(notes: Notes, query: str, place: int, *, k: int) -> Ranking | None:
    """Put a question that the text at `place` answers; None when that text was refused."""
    if place not in notes.ids:
        return None
    answer = notes.app.recall(query, k=k, where=Where(sources=(Source.MEMORY,)))
    return Ranking(
        found=tuple(hit.id for hit in answer.hits),
        wanted=frozenset((notes.ids[place],)),
        units=notes.units,
        abstained=answer.abstained,
    )
