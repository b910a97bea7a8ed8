"""What came of a plan, a decision, a way of doing things: told beside it wherever it is recalled.

The newest outcome that says how it turned out decides. What failed is found as before, for that it failed is worth
knowing; it comes behind its like, and never without the word.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from mnemic.domain.entries import Source, Where
from mnemic.domain.instants import moment_of
from mnemic.domain.outcomes import Outcome, Result, deciding

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mnemic.domain.entries import IndexedEntry, OutcomeRow
    from mnemic.ports import IndexReader
    from mnemic.ranking.evidence import Evidence
    from mnemic.services.bundle import Bundle

COUNTS: Final = MappingProxyType({Result.FAILED: -1.0, Result.MIXED: -0.5})
"""What the newest result adds to the channel `outcome`. That something went well is no reason to be found."""


def weigh_outcomes(index: IndexReader, full: Sequence[tuple[IndexedEntry, Evidence]], where: Where) -> None:
    """Let candidates whose newest outcome is a failure stand behind their like."""
    memories = {entry.id: evidence for entry, evidence in full if entry.source is Source.MEMORY}
    for of, outcome in newest_outcomes(index, [*memories], where).items():
        assert outcome.result is not None
        memories[of].outcome = COUNTS.get(outcome.result, 0.0)


def newest_outcomes(index: IndexReader, ids: Sequence[str], where: Where) -> Mapping[str, Outcome]:
    """By memory, the newest outcome that says how it turned out: as trusted, and told by then, as `where` asks."""
    found = {of: deciding(list(map(_outcome, rows))) for of, rows in index.outcomes(ids, where).items()}
    return {of: outcome for of, outcome in found.items() if outcome is not None}


def outcomes_of(bundle: Bundle, memory_id: str) -> tuple[Outcome, ...]:
    """Every active outcome of one memory, newest first. The index must be up to date."""
    with bundle.index.reading() as index:
        return tuple(map(_outcome, index.outcomes([memory_id], Where()).get(memory_id, ())))


def _outcome(row: OutcomeRow) -> Outcome:
    return Outcome(row.id, Result(row.result) if row.result else None, moment_of(row.recorded_at))
