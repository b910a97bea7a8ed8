"""Taking documents away, and their names and what was cited of them out of others, in one change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.changes import ChangeSet, Put, Removal
from mnemic.domain.naming import uncited
from mnemic.errors import DocumentMalformedError, LimitExceededError, WriteFailedError
from mnemic.services.judging.citations import verified
from mnemic.services.upkeep.references import holding, names_in_files, references_to, told, told_of_texts, without

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from mnemic.domain.documents import Located
    from mnemic.domain.memory import Memory
    from mnemic.services.bundle import Bundle
    from mnemic.services.upkeep.references import References


class Withdrawal(NamedTuple):
    """What is withdrawn.

    Attributes:
        documents: Those that go.
        former: Ids that they once had, by uid.
        turns: Turns that go, by session: their numbers, or None for the whole.
        staying: Memories of which only what they said earlier goes.
    """

    documents: tuple[Located, ...] = ()
    former: Mapping[str, Sequence[str]] = {}
    turns: Mapping[str, Collection[int] | None] = {}
    staying: Sequence[Located] = ()


def withdrawn(bundle: Bundle, what: Withdrawal, prefix: str) -> list[str]:
    """Take documents away, and their names out of others, all in one; what there is to say of these.

    One that cannot be written as it is does not keep what is to be forgotten.
    """
    gone: dict[str, Located] = {one.memory.id: one for one in what.documents}
    now = bundle.clock.now()
    near = _near(bundle, what)
    references = {
        name: references_to(bundle, one, former=what.former.get(one.memory.uid, ()), near=near)
        for name, one in gone.items()
    }
    known = (*(each for found in references.values() for each in found.fields), *near)
    writable: list[Located] = []
    fields: dict[str, dict[str, object]] = {}
    for one in {each.memory.id: each for each in known if each.memory.id not in gone}.values():
        if lost := _lost(bundle, one.memory, what):
            writable.append(one)
            fields[one.memory.id] = lost
    if not (gone or writable):
        return []
    while True:
        puts = tuple(Put(one.memory.changed(now, **fields[one.memory.id]), one.revision) for one in writable)
        removals = tuple(Removal(one.memory.id, one.revision) for one in what.documents)
        try:
            bundle.store.apply(ChangeSet(puts=puts, removals=removals))
            break
        except (DocumentMalformedError, LimitExceededError, WriteFailedError) as error:
            if not writable or error.__cause__ is not None:  # the disk's fault, which another try may find mended
                raise
            refused = error.what if isinstance(error, LimitExceededError) else error.path
            fewer = [one for one in writable if one.path != refused]
            writable = fewer if len(fewer) < len(writable) else []
    return list(_notes(references, fields, writable, prefix))


def _near(bundle: Bundle, what: Withdrawal) -> list[Located]:
    """Memories in whose documents a name stands of something that goes."""
    wanted = set(what.turns)
    for one in what.documents:
        wanted |= names_in_files(one.memory, what.former.get(one.memory.uid, ()))
    wanted.update(one.path for one in what.staying)
    return holding(bundle, wanted)


def _lost(bundle: Bundle, memory: Memory, what: Withdrawal) -> dict[str, object]:
    """The fields that a memory keeps of none of it."""
    fields: dict[str, object] = {}
    for one in what.documents:
        found = without(replace(memory, **fields), one.memory, what.former.get(one.memory.uid, ()))  # type: ignore[arg-type]
        fields |= found
    fields |= uncited(replace(memory, **fields), what.turns)  # type: ignore[arg-type]
    source = memory.provenance
    if any(f":{one.path}:" in source.locator for one in what.staying):
        citation = verified(bundle, source)
        if citation is not None and citation.stale:  # the digest is of what it said earlier
            fields["provenance"] = replace(source, locator="", sha256="")
    return fields


def _notes(
    references: Mapping[str, References],
    fields: Mapping[str, Mapping[str, object]],
    written: Sequence[Located],
    prefix: str,
) -> Iterator[str]:
    for one in written:
        for name in references:
            yield from told(one.memory, name, prefix)
        lost = fields[one.memory.id]
        if "provenance" in lost:
            yield f"{prefix}{one.memory.id} cited it, and says no longer where it is from"
        elif lost.keys() & {"extra", "requires"}:
            yield f"{prefix}{one.memory.id} named it beside its text, and no longer does"
    unwritten = fields.keys() - {one.memory.id for one in written}
    yield from (f"{prefix}{each} still names it: its document cannot be written" for each in sorted(unwritten))
    linking = {each for found in references.values() for each in found.texts if each not in references}
    yield from told_of_texts(sorted(linking), prefix)
