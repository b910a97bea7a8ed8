"""Sensitive memories: their content goes into the vault alone, and a stub of it into the document.

The order is content, document, ledger, index. The vault's newest version is what such a memory says; so a writer that
dies in between has either changed it whole, or leaves a content that no document speaks of, which the next write takes
away.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.changes import Applied, ChangeSet, Put, Removal
from mnemic.domain.drafts import Warned
from mnemic.domain.memory import Privacy
from mnemic.domain.sealing import is_sealed, resealed, stub_of, unsealed, veiled, written_into
from mnemic.domain.versions import from_bytes, to_bytes
from mnemic.errors import (
    MemoryChangedError,
    MemoryNotFoundError,
    MnemicError,
    PrivacyRefusedError,
    ReadOnlyBundleError,
    SealedContentLostError,
    StorageError,
    VaultDamagedError,
)
from mnemic.services.upkeep.keeping import last_content
from mnemic.services.upkeep.kept import former_names
from mnemic.services.upkeep.references import holding, names_in_files, references_to, told_of_texts, without
from mnemic.services.upkeep.refresh import refresh

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemic.domain.documents import Located
    from mnemic.domain.ids import MemoryId
    from mnemic.domain.memory import Memory
    from mnemic.services.bundle import Bundle, History

_TICK = timedelta(microseconds=1)
_QUOTED = 12
"""Shorter lines are too common to be looked for in conversations."""


class Sealed(NamedTuple):
    """What was written in the place of a sensitive memory, and what its writer should know."""

    located: Located
    applied: Applied
    warnings: tuple[Warned, ...] = ()


def neutral_id(bundle: Bundle) -> MemoryId:
    """A free id that says nothing of what the memory is about: `notes/sensitive-4f0c2a91`."""
    return bundle.store.propose_id("note", f"sensitive {bundle.ids.new()[-8:]}")


def opened(bundle: Bundle, located: Located) -> Memory:
    """A memory with its content: of a sealed one that is taken out of the vault.

    Raises:
        SealedContentLostError: The vault has nothing of it.
        PrivacyRefusedError: The bundle keeps no history, so it has no vault.
        VaultLockedError, VaultDamagedError: It cannot be read.
    """
    if not is_sealed(located.memory):
        return located.memory
    try:
        content = last_content(_history(bundle), located.memory.uid)
    except ValueError as error:
        raise VaultDamagedError(located.memory.id, str(error)) from error
    if content is None:
        raise SealedContentLostError(located.memory.id)
    return unsealed(content, located.memory)


def shown(bundle: Bundle, located: Located, *, reveal: bool) -> Located:
    """A memory as it is shown: of a sensitive one the stub, or with `reveal` what it says; raises as `opened`."""
    return replace(located, memory=opened(bundle, located) if reveal else veiled(located.memory))


def written(bundle: Bundle, change: ChangeSet, before: Located | None) -> Sealed:
    """Apply a change set whose first memory is sensitive; its content goes into the vault before.

    Args:
        bundle: Where it goes.
        change: The memory with its content, then others that change with it.
        before: The memory as it was read, a stub or a plain one; None for a new one.

    Raises:
        PrivacyRefusedError, ReadOnlyBundleError: There is no vault here.
        VaultLockedError, VaultDamagedError, VaultError: It takes nothing; nothing was written.
        MnemicError: All that `MemoryStore.apply` raises; the content is what it was then.
    """
    history = _history(bundle)
    with bundle.lock():
        sweep(bundle)
        _check_there(bundle, change.puts[0], before)
        if before is not None and not is_sealed(before.memory):
            return _sealed_now(bundle, history, change, before)
        memory = change.puts[0].memory
        with _kept(history, memory) as number:
            stub = stub_of(memory, number) if before is None else resealed(before.memory, memory, number)
            applied = bundle.store.apply(replace(change, puts=(Put(stub, change.puts[0].expected), *change.puts[1:])))
    return Sealed(_located(applied, stub), applied)


def _sealed_now(bundle: Bundle, history: History, change: ChangeSet, before: Located) -> Sealed:
    """A memory that stood in plain text until now: it gets another name, and the old text goes from everywhere."""
    old, now = before.memory.id, bundle.clock.now()
    memory = replace(change.puts[0].memory, id=neutral_id(bundle))
    was = former_names(bundle, before.memory.uid, old)
    near = holding(bundle, names_in_files(before.memory, was))
    references = references_to(bundle, before, former=was, near=near)
    naming = {one.memory.id: Put(one.memory, one.revision) for one in references.fields}
    naming |= {put.memory.id: put for put in change.puts[1:]}
    renamed = tuple(
        replace(put, memory=put.memory.changed(now, **without(put.memory, before.memory, was, memory.id)))
        for put in naming.values()
    )
    with bundle.index.erasing():
        bundle.turns.erase((old,))
        bundle.proposals.erase((old, before.memory.uid))
        if was and (remains := bundle.remains()) is not None:
            remains.clear([(f"{name}.md", before.memory.uid) for name in was], told=False)
        with _kept(history, memory) as number:
            stub = stub_of(memory, number)
            applied = bundle.store.apply(
                ChangeSet(
                    puts=(Put(stub, None), *renamed),
                    removals=(Removal(old, before.revision),),
                    summary=f"Remember {memory.id}",
                )
            )
        behind = refresh(bundle).behind
        left = behind if bundle.index.erasure_owed() else ()
        with suppress(StorageError):  # what an agent did with it since the first time
            bundle.turns.erase((old,))
    told = (
        f"{old} is called {memory.id} now; its old name and text are gone from documents, index and backups",
        *told_of_texts(references.texts, ""),
        *_said_in(bundle, before.memory),
        *(f"sealed, but {why}; the next command tries again" for why in left),
        "copies outside the bundle (your own backups, git history) still say it",
    )
    return Sealed(_located(applied, stub), applied, tuple(Warned(code="sealed", message=note) for note in told))


def unsealed_over(before: Located, memory: Memory) -> tuple[Memory, tuple[Warned, ...]]:
    """A memory that is sensitive no more, as its document will hold it; what somebody wrote into the stub stays."""
    if not is_sealed(before.memory):
        return memory, ()
    warning = Warned(code="unsealed", message="it stands in plain text again, in its document and in the index")
    added = written_into(before.memory)
    return (replace(memory, body=f"{memory.body.rstrip()}\n\n{added}") if added else memory), (warning,)


def sweep(bundle: Bundle) -> tuple[str, ...]:
    """Destroy contents that no document came to speak of, since their writer died; the uids of those."""
    gone = []
    history = _history(bundle)
    with bundle.lock():
        for uid in orphans(bundle, history):
            history.vault.destroy(uid)
            gone.append(uid)
    return tuple(gone)


def orphans(bundle: Bundle, history: History) -> list[str]:
    """Uids of sensitive contents that neither the ledger nor a document knows: their writer died.

    Every memory whose document was ever seen is in the ledger. Of one that lacks events nothing can be concluded.

    Raises:
        VaultError: They cannot be read.
    """
    unknown = set() if history.owed else set(history.vault.standing())
    if unknown:
        unknown.difference_update(event.act.uid for event in history.ledger.events())
    if unknown:
        unknown.difference_update(located.memory.uid for located in memories_of(bundle))
    unspoken = [uid for uid in sorted(unknown) if _is_unspoken(history, uid)]
    return unspoken if unspoken and history.ledger.verify().sound else []


def _is_unspoken(history: History, uid: str) -> bool:
    """Whether what is kept last is sensitive: all else comes into the vault after its document was there."""
    with suppress(ValueError, VaultDamagedError):
        newest = history.vault.newest(uid)
        memory = None if newest is None else from_bytes(newest[1])
        return memory is not None and memory.privacy is Privacy.SENSITIVE
    return False


def memories_of(bundle: Bundle) -> Iterator[Located]:
    """Every memory of a bundle, read anew; what cannot be read is passed over."""
    for stamp in bundle.store.stamps():
        with suppress(MnemicError):
            yield from bundle.store.read(stamp.path).memories


def _history(bundle: Bundle) -> History:
    if bundle.store.read_only:
        raise ReadOnlyBundleError(bundle.store.location)
    history = bundle.history()
    if history is None:
        raise PrivacyRefusedError(
            "Sensitive content lives in the vault alone, and this bundle keeps none.",
            hint="Let it keep its history: mnemic config set history.keep true",
        )
    return history


def _check_there(bundle: Bundle, put: Put, before: Located | None) -> None:
    """Before the vault has it: what is refused now must not be what the memory says from then on."""
    if before is None:
        return
    try:
        found = bundle.store.find(before.memory.id).revision
    except MemoryNotFoundError:
        found = None
    if found != before.revision:
        raise MemoryChangedError(before.memory.id, expected=put.expected or before.revision, found=found)


@contextmanager
def _kept(history: History, memory: Memory) -> Iterator[int]:
    """Within it the vault has the content, under this number; when the document is refused, what was there before."""
    vault, uid = history.vault, memory.uid
    versions = vault.versions(uid)
    before = vault.get(uid, versions[-1].number) if versions else None
    at = max(memory.changed_at, versions[-1].at + _TICK) if versions else memory.changed_at
    number = vault.put(uid, to_bytes(memory), at)
    try:
        vault.settle()  # the document will hold a stub only: no power cut may take what that stands for
        if vault.get(uid, number) != to_bytes(memory):
            raise VaultDamagedError(memory.id, "what was read back is not what was put there")
        yield number
    except MnemicError as error:
        if type(error) is not StorageError:  # of that alone the document's change stands, or will
            with suppress(MnemicError):
                if before is None:
                    vault.destroy(uid)
                elif before != to_bytes(memory):
                    vault.put(uid, before, at + _TICK)
        raise


def _located(applied: Applied, stub: Memory) -> Located:
    return next(each for each in (*applied.written, *applied.unchanged) if each.memory.id == stub.id)


def _said_in(bundle: Bundle, memory: Memory) -> Iterator[str]:
    """That conversations still hold lines of it, word by word."""
    lines = [line for text in (memory.title, *memory.body.splitlines()) if len(line := _plain(text)) >= _QUOTED]
    found: list[str] = []
    for head in bundle.sessions.heads() if lines else ():
        with suppress(MnemicError):
            said = [_plain(turn.text) for turn in bundle.sessions.read(head.id).turns]
            if any(line in text for text in said for line in lines):
                found.append(f"session:{head.id}")
    if found:
        more = f" and {len(found) - 5} more" if len(found) > 5 else ""  # noqa: PLR2004 - as many as fit a line or two
        yield f"it was said in {', '.join(found[:5])}{more}, which still has the words"


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().strip("#>*-+. ")
