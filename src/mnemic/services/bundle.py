"""One bundle, opened: the ports that every service works through."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemic.domain.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import tzinfo

    from mnemic.ports import (
        Clock,
        Embedder,
        Ids,
        Ledger,
        MemoryStore,
        Owed,
        SearchIndex,
        SessionStore,
        TurnStore,
        Vault,
    )


@dataclass(frozen=True, slots=True)
class Engines:
    """The embedders at hand, and in words what is missing and why."""

    embedders: Sequence[Embedder] = ()
    missing: tuple[str, ...] = ()


def no_engines() -> Engines:
    """Words only."""
    return Engines()


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What happened to memories, and what they said before; `owed` notes that something is not in it yet."""

    ledger: Ledger
    vault: Vault
    owed: Owed


def no_history() -> None:
    """None is kept: of a folder that is only read, or where the settings say so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """Everything a service needs of one bundle.

    `engines` loads models on its first call only; `history` loads what encrypts, and is None where none is kept.
    """

    name: str
    store: MemoryStore
    sessions: SessionStore
    index: SearchIndex
    turns: TurnStore
    clock: Clock
    ids: Ids
    zone: tzinfo
    policy: Policy = field(default_factory=Policy)
    engines: Callable[[], Engines] = no_engines
    history: Callable[[], History | None] = no_history


def named(bundles: Sequence[Bundle]) -> Iterator[tuple[str, Bundle]]:
    """Each bundle with the name that references give it: the first one, which is the usual place, has none."""
    return ((bundle.name if number else "", bundle) for number, bundle in enumerate(bundles))
