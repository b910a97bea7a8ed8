"""Whether what is kept of the past is whole: ledger and vault in themselves, and both against the documents."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.domain.sealing import is_sealed
from mnemic.domain.versions import GONE, from_bytes, to_bytes
from mnemic.errors import MnemicError, VaultDamagedError, VaultError
from mnemic.services.judging.sealed import orphans
from mnemic.services.upkeep.commitments import unfitting
from mnemic.services.upkeep.refresh import refresh

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mnemic.domain.ledger import LedgerReport
    from mnemic.domain.memory import Memory
    from mnemic.ports import Progress
    from mnemic.services.bundle import Bundle, History


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """What an audit found, in sentences.

    Attributes:
        ledger: What the verification of the chain found.
        vault: What is wrong with the vault itself.
        apart: Where documents, vault and ledger do not agree.
        unkept: What the history of the bundle did not have before, and cannot have now.
        versions: Read and decrypted; 0 where the vault could not be opened.
        made_up_for: Whether the next command keeps what is found lacking.
    """

    ledger: LedgerReport
    vault: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    unkept: tuple[str, ...] = ()
    versions: int = 0
    made_up_for: bool = False

    @property
    def sound(self) -> bool:
        """Nothing is wrong."""
        return self.ledger.sound and not (self.vault or self.apart or self.unkept)


def audit(bundle: Bundle, progress: Progress | None = None) -> Audited | None:
    """Read ledger, vault and documents from the disk, and compare them; None where nothing is or was kept.

    Ledger and vault are looked at as they stand; only then what changed meanwhile is kept, as with every command.
    """
    history = bundle.past()
    if history is None:
        return None
    if progress is not None:
        progress(0, None, "reading the ledger")
    report = history.ledger.verify()
    try:
        wrong = (*history.vault.check(), *unfitting(history))
        facts = history.vault.facts()
    except VaultError as error:
        return Audited(ledger=report, vault=(f"{error.message} {error.hint}".strip(),))
    done = refresh(bundle)
    unkept = (*done.behind, *done.unkept)
    kept = bundle.history() is not None
    unspoken = orphans(bundle, history) if kept else []
    apart = tuple(_apart(bundle, history, unspoken, progress)) if kept and not unkept else ()
    if apart:
        with bundle.lock():  # somebody may have written while we compared
            refresh(bundle)
            apart = tuple(_apart(bundle, history, unspoken, progress))
    if apart:
        bundle.owed.note()
    return Audited(
        ledger=report,
        vault=wrong,
        apart=(*apart, *map(_unspoken, unspoken)),
        unkept=unkept,
        versions=0 if facts is None else facts.versions,
        made_up_for=bool(apart),
    )


def _unspoken(uid: str) -> str:
    return f"the vault holds {uid}, whose writer was cut off: mnemic check --repair takes it away"


def _apart(bundle: Bundle, history: History, unspoken: Sequence[str], progress: Progress | None) -> Iterator[str]:
    standing = {uid: number for uid, number in history.vault.standing().items() if uid not in unspoken}
    told: dict[str, int] = {}
    for event in history.ledger.events():
        told[event.act.uid] = event.act.version  # the last: what was forgotten and came back begins anew
    found: set[str] = set()
    stamps = bundle.store.stamps()
    whole = True
    for number, stamp in enumerate(stamps, 1):
        if progress is not None:
            progress(number, len(stamps), "comparing documents")
        memories, readable = _read(bundle, stamp.path)
        whole = whole and readable
        for memory in memories:
            if memory.uid not in found:
                yield from _against_document(history, memory, standing)
            found.add(memory.uid)
    for uid in sorted(standing.keys() - found) if whole else ():
        yield from _without_document(history, uid)
    for uid, number in sorted(standing.items()):
        yield from _against_ledger(uid, number, told)


def _read(bundle: Bundle, path: str) -> tuple[Sequence[Memory], bool]:
    with suppress(MnemicError):
        document = bundle.store.read(path)
        return [located.memory for located in document.memories], not document.problems
    return (), False


def _against_document(history: History, memory: Memory, standing: Mapping[str, int]) -> Iterator[str]:
    if memory.uid not in standing:
        yield f"what {memory.id} says is not in the vault"
        return
    try:
        newest = history.vault.newest(memory.uid)
    except VaultDamagedError:
        return  # the vault's own check has told it
    if newest is None or is_sealed(memory):
        return
    kept = _memory(newest[1])
    if kept is not None and kept.id != memory.id:
        return  # a copy: its history is that of the one it was copied from
    if newest[1] != to_bytes(memory):
        yield f"{memory.id} does not say what the newest version in the vault says"


def _without_document(history: History, uid: str) -> Iterator[str]:
    with suppress(VaultDamagedError):
        newest = history.vault.newest(uid)
        if newest is not None and newest[1] != GONE:
            memory = _memory(newest[1])
            yield f"the vault holds {uid if memory is None else memory.id}, of which there is no document"


def _against_ledger(uid: str, number: int, told: Mapping[str, int]) -> Iterator[str]:
    if told.get(uid, 0) < number:
        yield f"the ledger does not tell of version {number} of {uid}"
    elif told[uid] > number:
        yield f"the ledger tells of version {told[uid]} of {uid}, and the vault holds none after {number}"


def _memory(content: bytes) -> Memory | None:
    with suppress(ValueError):
        return from_bytes(content)
    return None
