"""What else of a bundle names a memory: fields, which lose the name when it is forgotten, and texts, which keep it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.domain.entries import Source, Where
from mnemic.domain.ids import collision_key
from mnemic.domain.kinds import kind_key, kind_named
from mnemic.domain.link_targets import LinkTargets
from mnemic.domain.links import links_in, links_in_properties, names_of
from mnemic.domain.memory import State
from mnemic.domain.naming import renamed
from mnemic.errors import MnemicError, StorageError
from mnemic.text.remains import spellings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mnemic.domain.documents import Located
    from mnemic.domain.memory import Memory
    from mnemic.services.bundle import Bundle

_MOST_SUPERSEDED = 2_000
"""So many superseded memories are read for one that names its successor without being named by it."""
_MOST_NAMED = 10
_CALLED = frozenset({"knowledge", "workflow"})


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """Memories that name another one in their fields, and ids of those that link to it in their text."""

    fields: tuple[Located, ...] = ()
    texts: tuple[str, ...] = ()


def references_to(
    bundle: Bundle, named: Located, *, former: Sequence[str] = (), near: Iterable[Located] = ()
) -> References:
    """What names a memory, without itself. The index must be up to date; without one only its own fields lead on.

    Args:
        bundle: Where to look.
        named: The memory.
        former: Ids that it once had.
        near: Memories in whose documents one of its names stands, as `holding` finds them.
    """
    candidates = {one.memory.id: one for one in (*_candidates(bundle, named), *near)}
    found = [one for one in candidates.values() if one.memory.id != named.memory.id]
    aliases = [*names_of(named.memory.extra.get("aliases")), *names_of(named.memory.extra.get("alias"))]
    targets = LinkTargets([named.path], {named.path: [named.memory.title, *aliases]})
    return References(
        fields=tuple(one for one in found if without(one.memory, named.memory, former)),
        texts=tuple(one.memory.id for one in found if _links(one, targets)),
    )


def without(memory: Memory, gone: Memory, former: Sequence[str] = (), new: str = "") -> dict[str, object]:
    """The fields of a memory that name another one, without that name and those it had, or with its new one."""
    called = kind_key(gone.kind) in _CALLED
    return renamed(memory, (gone.id, gone.uid, *former), new, called=called)


def names_in_files(memory: Memory, former: Sequence[str] = ()) -> set[str]:
    """What a memory may be called in the documents of others."""
    short = {memory.id.rpartition("/")[2]} if kind_key(memory.kind) in _CALLED else set[str]()
    return {memory.id, memory.uid, *former, *short}


def holding(bundle: Bundle, texts: Iterable[str]) -> list[Located]:
    """Memories in whose documents one of these texts stands, in any usual spelling."""
    remains, wanted = bundle.remains(), sorted(filter(None, texts))
    if remains is None or not wanted:
        return []
    needles = [needle for text in wanted for needle in spellings(text)]
    swept = remains.search(needles, [stamp.path for stamp in bundle.store.stamps()])
    found: list[Located] = []
    for path in dict.fromkeys(hit.path for hit in swept.hits):
        with suppress(MnemicError):  # gone since, or it cannot be read
            found += bundle.store.read(path).memories
    return found


def told(memory: Memory, gone: str, prefix: str) -> Iterator[str]:
    """What it means for a memory, as it was, that one it names is gone.

    Args:
        memory: With the name in it.
        gone: The id that it names.
        prefix: What its id begins with in references.
    """
    named = f"{prefix}{memory.id}"
    others = [f"{prefix}{each}" for each in memory.superseded_by if not _same(each, gone)]
    if len(others) < len(memory.superseded_by):
        if memory.state is not State.SUPERSEDED:
            yield f"{named} no longer says that it was replaced by it"
        elif others:
            yield f"{named} was replaced by it and by {_listed(others)}, and stays superseded"
        else:
            yield (
                f"{named} was replaced by it and stays superseded; to bring it back: mnemic edit {named} --state active"
            )
    if any(_same(each, gone) for each in memory.supersedes):
        left = len(memory.supersedes) > 1
        yield f"{named} had replaced it and no longer says so{'' if left else _needed(memory, named, 'supersedes')}"
    if _same(memory.outcome_of, gone):
        yield f"{named} tells what came of it and no longer says so{_needed(memory, named, 'outcome_of')}"


def told_of_texts(ids: Sequence[str], prefix: str) -> Iterator[str]:
    """That texts still link to it."""
    if ids:
        yield f"still linked to in the text of {_listed([f'{prefix}{each}' for each in ids])}, which is left as it was"


def _needed(memory: Memory, named: str, field: str) -> str:
    """What must be done before such a memory can be changed again, if its kind demands the field."""
    if field not in kind_named(memory.kind).required:
        return ""
    return f"; its kind must name one, so give it another before it is changed: mnemic edit {named} --kind note"


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _candidates(bundle: Bundle, named: Located) -> Iterator[Located]:
    """Memories that may name it and can be read, each once."""
    memory = named.memory
    for each in dict.fromkeys((*memory.supersedes, *memory.superseded_by, *_known(bundle, memory.id))):
        with suppress(MnemicError):  # of another bundle, gone, or broken: nothing can be written there
            yield bundle.store.find(each)


def _known(bundle: Bundle, named: str) -> list[str]:
    """What the index knows to be linked with it, and every superseded memory: the index has no successors."""
    past = Where(sources=(Source.MEMORY,), states=(State.SUPERSEDED,))
    try:
        with bundle.index.reading() as index:
            rows = list(index.find([named]).values())
            near = [row for found in index.linked(rows).values() for row in found]
            entries = index.entries([*near, *index.by_prior(past, _MOST_SUPERSEDED)]).values()
    except StorageError:
        return []
    return sorted(entry.id for entry in entries if entry.source is Source.MEMORY)


def names(memory: Memory, gone: str, *, successors: bool = True) -> bool:
    """Whether a memory names this id in a field; those that replaced it count only with `successors`."""
    others = memory.superseded_by if successors else ()
    return any(_same(each, gone) for each in (*memory.supersedes, *others, memory.outcome_of))


def _same(given: str, other: str) -> bool:
    return collision_key(given.strip().removesuffix(".md")) == collision_key(other)


def _links(one: Located, targets: LinkTargets) -> bool:
    found = links_in(one.memory.body)
    wiki = (*found.wiki, *links_in_properties(one.memory.extra))
    return any(targets.of_wiki(link.target, one.path) for link in wiki if link.target) or any(
        targets.of_markdown(link.target, one.path) for link in found.markdown if link.target
    )
