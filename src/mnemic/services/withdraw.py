"""Taking documents away, and their names out of others, in one change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic.domain.changes import ChangeSet, Put, Removal
from mnemic.errors import DocumentMalformedError, LimitExceededError, WriteFailedError
from mnemic.services.references import references_to, told, told_of_texts, without

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mnemic.domain.documents import Located
    from mnemic.services.bundle import Bundle
    from mnemic.services.references import References


def withdrawn(bundle: Bundle, documents: Sequence[Located], prefix: str) -> list[str]:
    """Take documents away, and their names out of others, all in one; what there is to say of these.

    One that cannot be written as it is does not keep what is to be forgotten.
    """
    gone: dict[str, Located] = {one.memory.id: one for one in documents}
    now = bundle.clock.now()
    references = {name: references_to(bundle, one) for name, one in gone.items()}
    naming: dict[str, Located] = {
        each.memory.id: each for found in references.values() for each in found.fields if each.memory.id not in gone
    }
    writable = list(naming.values())
    while True:
        puts = []
        for one in writable:
            memory = one.memory
            for name in gone:
                memory = without(memory, name, now)
            puts.append(Put(memory, one.revision))
        removals = tuple(Removal(one.memory.id, one.revision) for one in documents)
        try:
            bundle.store.apply(ChangeSet(puts=tuple(puts), removals=removals))
            break
        except (DocumentMalformedError, LimitExceededError, WriteFailedError) as error:
            if not writable or error.__cause__ is not None:  # the disk's fault, which another try may find mended
                raise
            refused = error.what if isinstance(error, LimitExceededError) else error.path
            fewer = [one for one in writable if one.path != refused]
            writable = fewer if len(fewer) < len(writable) else []
    return list(_notes(gone, references, naming, writable, prefix))


def _notes(
    gone: Mapping[str, Located],
    references: Mapping[str, References],
    naming: Mapping[str, Located],
    written: Sequence[Located],
    prefix: str,
) -> list[str]:
    notes = [note for one in written for name in gone for note in told(one.memory, name, prefix)]
    unwritten = [name for name, one in naming.items() if one not in written]
    notes += [f"{prefix}{each} still names it: its document cannot be written" for each in unwritten]
    linking = {each for found in references.values() for each in found.texts if each not in gone}
    return notes + list(told_of_texts(sorted(linking), prefix))
