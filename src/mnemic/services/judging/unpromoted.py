"""Beliefs that nobody may hold: what a model said, made a belief in a document by hand or by another program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mnemic.domain.documents import Problem
from mnemic.domain.entries import Source, Where
from mnemic.domain.provenance import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemic.services.bundle import Bundle

_ALL: Final = 100_000
_BELIEFS: Final = Where(sources=(Source.MEMORY,), kinds=("belief",))


def unpromoted(bundle: Bundle) -> Iterator[Problem]:
    """A problem for each active belief of a model that no person vouched for. The index is up to date.

    None where the policy lets a model's words be beliefs.
    """
    if bundle.policy.rules.model_beliefs:
        return
    with bundle.index.reading() as index:
        found = sorted(index.entries(index.by_prior(_BELIEFS, _ALL)).values(), key=lambda entry: entry.id)
    for entry in found:
        if entry.origin == Origin.MODEL and not entry.verified:
            message = (
                "It is a belief that a model said and nobody vouches for. "
                f"Do it, or make it a note: mnemic edit {entry.id} --verified, or --kind note"
            )
            yield Problem(path=entry.path, line=entry.line, code="unpromoted_belief", message=message)
