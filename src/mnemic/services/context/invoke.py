"""Knowledge and workflows called by name: `#name` and `/name` in a message, with everything that they require."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.entries import Source, Where
from mnemic.errors import NotFoundError, StorageError
from mnemic.text.invocations import invoked, plain_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mnemic.domain.documents import Located
    from mnemic.services.bundle import Bundle

KNOWLEDGE = "knowledge"
WORKFLOW = "workflow"
_ALL = 100_000


class Called(NamedTuple):
    """Something called, read: in which bundle (its name empty for the first), and whether only as a requirement."""

    bundle: str
    located: Located
    required: bool


class Calls(NamedTuple):
    """What a message calls, requirements before what requires them; names that nothing has, or that may not be."""

    found: tuple[Called, ...]
    unknown: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()


def calls(bundles: Sequence[Bundle], message: str) -> Calls:
    """Read what a message calls by name.

    Names are flat: the file's name, in whatever folder of its kind. The first bundle that has one wins. A memory with
    `user_invocable: false` is not given to a user who calls it; as a requirement of another one it is.
    """
    names = invoked(message)
    wanted = [(KNOWLEDGE, name) for name in names.knowledge]
    if names.workflow:
        wanted.append((WORKFLOW, names.workflow))
    if not wanted:
        return Calls(())
    book = _Book(bundles)
    unknown: list[str] = []
    closed: list[str] = []
    for kind, name in wanted:
        shown = f"{'/' if kind == WORKFLOW else '#'}{name}"
        located = book.find(kind, name)
        if located is None:
            unknown.append(shown)
        elif located[1].memory.user_invocable is False:
            closed.append(shown)
        else:
            unknown += book.open(located, required=False)
    return Calls(tuple(book.opened.values()), tuple(dict.fromkeys(unknown)), tuple(closed))


class _Book:
    """Finds documents by their short names, and opens each once."""

    def __init__(self, bundles: Sequence[Bundle]) -> None:
        self._bundles = bundles
        self._names: dict[str, dict[str, tuple[Bundle, str]]] = {}
        self._visiting: set[str] = set()
        self.opened: dict[str, Called] = {}

    def find(self, kind: str, name: str) -> tuple[str, Located] | None:
        """The document of this kind and name, with its bundle's name."""
        if kind not in self._names:
            self._names[kind] = dict(reversed([*self._list(kind)]))
        bundle, memory_id = self._names[kind].get(plain_name(name), (None, ""))
        if bundle is None:
            return None
        try:
            return "" if bundle is self._bundles[0] else bundle.name, bundle.store.find(memory_id)
        except (NotFoundError, StorageError):
            return None

    def _list(self, kind: str) -> Iterable[tuple[str, tuple[Bundle, str]]]:
        for bundle in self._bundles:
            # What has come to its end is called by nobody any more, as what was superseded.
            where = Where(sources=(Source.MEMORY,), kinds=(kind,), current_at=bundle.clock.now())
            with bundle.index.reading() as index:
                ids = sorted(entry.id for entry in index.entries(index.by_prior(where, _ALL)).values())
            yield from ((plain_name(found.rpartition("/")[2]), (bundle, found)) for found in ids)

    def open(self, found: tuple[str, Located], *, required: bool) -> list[str]:
        """Open it after what it requires; says which requirements are missing. A circle is gone round once."""
        bundle, located = found
        key = f"{bundle}:{located.memory.id}"
        if key in self.opened or key in self._visiting:
            return []
        self._visiting.add(key)
        missing: list[str] = []
        for name in located.memory.requires:
            plain = name.lstrip("#/")
            needed = self.find(KNOWLEDGE, plain) or self.find(WORKFLOW, plain)
            if needed is None:
                missing.append(f"#{plain_name(plain)}")
            else:
                missing += self.open(needed, required=True)
        self.opened[key] = Called(bundle, located, required)
        return missing
