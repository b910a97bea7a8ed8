"""What the ledger vouches for, against what the vault holds: a version that another one was put in the place of."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from mnemic.domain.ledger import Act
from mnemic.domain.revision import revision
from mnemic.domain.versions import from_bytes
from mnemic.errors import VaultDamagedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from mnemic.services.bundle import History


def unfitting(history: History) -> Iterator[str]:
    """In sentences, each version that is not what the ledger told of it last. Needs the key.

    Of versions that are not there, and of damaged ones, others tell.
    """
    told = {
        (event.act.uid, event.act.version): event.act.commitment
        for event in history.ledger.events()
        if event.act.uid and event.act.commitment
    }
    numbers = {
        uid: {version.number for version in history.vault.versions(uid)}
        for uid in history.vault.standing().keys() & {uid for uid, _ in told}
    }
    for (uid, number), commitment in told.items():
        if number not in numbers.get(uid, ()):
            continue
        with suppress(VaultDamagedError, ValueError):
            memory = from_bytes(history.vault.get(uid, number))
            if memory is not None and history.vault.commit(uid, revision(memory)) != commitment:
                yield f"version {number} of {memory.id} is not what the ledger tells of: another was put in its place"


def told_anew(history: History, uids: Sequence[str], at: datetime) -> list[Act]:
    """What to tell of memories whose newest version has another key by now, under which it is committed to anew."""
    acts = []
    for uid in uids:
        newest = history.vault.newest(uid)
        memory = None if newest is None else from_bytes(newest[1])
        deeds = [event.act.deed for event in history.ledger.events(uid=uid)]
        if newest is not None and memory is not None and deeds:
            commitment = history.vault.commit(uid, revision(memory))
            acts.append(Act(at=at, deed=deeds[-1], uid=uid, version=newest[0].number, commitment=commitment))
    return acts
