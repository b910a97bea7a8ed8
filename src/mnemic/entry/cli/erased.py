"""What `mnemic forget` says: what would go, what went, and where was looked for more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic.entry.cli.columns import counted
from mnemic.entry.cli.session import WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mnemic.domain.erasure import Named, Preview, Receipt, Repository

_MOST = 200
"""So many of one kind are listed by name."""
_NAMES = {
    "documents": ("document", "documents"),
    "versions": ("kept version, with its key", "kept versions, with their keys"),
    "copies": ("copy that a repair had kept", "copies that repairs had kept"),
    "proposals": ("proposal or staged file", "proposals or staged files"),
    "turns": ("turn of a session", "turns of sessions"),
    "entries": ("entry of the index", "entries of the index"),
    "vectors": ("vector", "vectors"),
}


def preview_json(preview: Preview) -> dict[str, object]:
    """A preview as a value."""
    return {
        "memories": [one._asdict() for one in preview.memories],
        "deleted": [one._asdict() for one in preview.deleted],
        "earlier": [one._asdict() for one in preview.earlier],
        "turns": preview.turns,
        "said": list(preview.said),
        "derived": [one._asdict() for one in preview.derived],
        "quotes": list(preview.quotes),
        "versions": preview.versions,
        "proposals": preview.proposals,
        "elsewhere": list(preview.elsewhere),
        "notes": list(preview.notes),
    }


def preview_lines(preview: Preview, *, derived: bool, quotes: bool) -> Iterator[str]:
    """What would go, a line each.

    Args:
        preview: Of an erasure.
        derived: What was made from it goes too.
        quotes: Turns that are quoted or say the same go too.
    """
    going = [*preview.memories, *(preview.derived if derived else ())]
    if going:
        yield f"{counted(len(going), 'memory', 'memories')} would go for good:"
        yield from _listed(going)
    if preview.deleted:
        many = counted(len(preview.deleted), "memory", "memories")
        yield f"What is kept of {many} would go, deleted by hand:"
        yield from _listed(preview.deleted)
    if preview.earlier:
        yield "What was said earlier would go, and the memory stays:"
        yield from _listed(preview.earlier)
    if preview.versions:
        yield f"with {counted(preview.versions, 'kept version')}, key and all"
    turns = preview.turns + (len(preview.quotes) if quotes else 0)
    if turns:
        yield f"{counted(turns, 'turn')} of sessions would go for good:"
        yield from _ids([*preview.said, *(preview.quotes if quotes else ())])
    if preview.proposals:
        yield f"{counted(preview.proposals, 'proposal')} that hold it would go"
    yield from offered_lines(preview, derived=derived, quotes=quotes)


def offered_lines(preview: Preview, *, derived: bool, quotes: bool) -> Iterator[str]:
    """What stays unless it is asked for, and what says the same and stays in any case."""
    if preview.derived and not derived:
        yield "Made from it, and stays (to remove it too: --derived):"
        yield from _listed(preview.derived)
    if preview.quotes and not quotes:
        yield "Said in sessions, and stays (to remove it too: --with-session-quotes):"
        yield from _ids(preview.quotes)
    if preview.elsewhere:
        yield "Memories that say the same words, and stay:"
        yield from _ids(preview.elsewhere)


def receipt_lines(receipt: Receipt) -> Iterator[str]:
    """A receipt for a person."""
    from mnemic.entry.cli.columns import plain, wrapped

    if receipt.removed:
        yield from wrapped(f"Removed: {', '.join(_removed(*each) for each in receipt.removed)}.", WIDTH)
    searched = receipt.searched
    if searched is not None and not searched.pieces:
        yield from wrapped(
            "Nothing was searched for: its text is too short to be told from others, or cannot be read.", WIDTH
        )
    elif searched is not None:
        seen = f"{counted(searched.files, 'file')}, {searched.bytes:,} bytes"
        if searched.repository is not None:
            seen += _objects(searched.repository)
        yield from wrapped(f"Searched: {seen}.", WIDTH)
        left = len(receipt.found)
        yield f"Found: {counted(left, 'place')} with something of it." if left else "Found: nothing of it."
        yield from (f"  {plain(trace.path)} at byte {trace.offset:,}" for trace in receipt.found[:_MOST])
        for path in searched.unread[:_MOST]:
            yield f"  {plain(path)} could not be read"
    if receipt.unread_versions:
        many = counted(receipt.unread_versions, "kept version")
        yield from wrapped(
            f"Not looked for: what {many} said. That could not be read, so something may be left.", WIDTH
        )
    if receipt.elsewhere:
        yield "The same words stand, and stay, in:"
        yield from _ids(receipt.elsewhere)
    yield f"Event in the ledger: {receipt.number[:16]}…"
    yield "Beyond reach:"
    for place, remedy in receipt.beyond:
        head, *commands = remedy.splitlines()
        if commands:
            yield from (f"  {line}" for line in wrapped(f"{place}. To rewrite it:", WIDTH - 2))
            yield from (f"    {plain(line)}" for line in (head, *commands))
        else:
            yield from (f"  {line}" for line in wrapped(f"{place}. {remedy}", WIDTH - 2))


def _removed(kind: str, count: int) -> str:
    one, many = _NAMES.get(kind, (kind, kind))
    return f"{count:,} {one if count == 1 else many}"


def _objects(repository: Repository) -> str:
    whole = "" if repository.whole else " (not all: time ran out)"
    return f"; {counted(repository.objects, 'object')} of git{whole}, {repository.hits:,} with something of it"


def _listed(memories: Sequence[Named]) -> Iterator[str]:
    from mnemic.entry.cli.columns import hanging, plain

    for each in memories[:_MOST]:
        yield from hanging(f"  {plain(each.id)}  ", each.title, max(WIDTH, len(each.id) + 20))
    yield from _more(len(memories))


def _ids(ids: Sequence[str]) -> Iterator[str]:
    from mnemic.entry.cli.columns import plain

    yield from (f"  {plain(each)}" for each in ids[:_MOST])
    yield from _more(len(ids))


def _more(number: int) -> Iterator[str]:
    if number > _MOST:
        yield f"  and {number - _MOST:,} more"
