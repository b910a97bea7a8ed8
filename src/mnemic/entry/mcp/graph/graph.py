"""A bundle as a graph: an entity is a memory, its name the title, its type the kind, its facts lines of the text.

Everything is written as any memory is, so the guards apply and nothing else in a document changes.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from mnemic.domain.drafts import Draft
from mnemic.domain.memory import State
from mnemic.domain.provenance import Origin, Provenance
from mnemic.domain.sealing import is_hidden
from mnemic.entry.mcp.graph.facts import facts_in, normal, observation_line, relation_line, with_lines, without_facts
from mnemic.errors import IdTakenError, NotFoundError, StorageError
from mnemic.services.judging.guards import check_not_standing
from mnemic.services.upkeep.refresh import COARSE_NS, FINE_NS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mnemic.app import App
    from mnemic.domain.documents import Located, Stamp
    from mnemic.domain.memory import Memory
    from mnemic.entry.mcp.graph.facts import Fact

ACTOR: Final = "memory-server"
_OWN: Final = Provenance.of(Origin.MODEL, actor=ACTOR)
_TRIES: Final = 10
_TICK_NS: Final = 10_000_000


class UnknownEntityError(LookupError):
    """No entity has this name; the words are those that clients of this profile know."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Entity with name {name} not found")


class Entity(NamedTuple):
    """A thing, with what was observed of it."""

    name: str
    entity_type: str
    observations: tuple[str, ...]


class Relation(NamedTuple):
    """A statement about two things: `source` does something to `target`."""

    source: str
    target: str
    relation_type: str


class View(NamedTuple):
    """A part of the graph, or all of it."""

    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]


class _Node(NamedTuple):
    name: str
    memory: Memory
    facts: tuple[Fact, ...]

    @property
    def entity(self) -> Entity:
        texts = dict.fromkeys(fact.text for fact in self.facts if fact.target is None)
        return Entity(self.name, self.memory.kind, tuple(texts))


class _Nodes:
    """Every entity at one moment, by name, oldest first; and what a link's target is called."""

    def __init__(self, located: Iterable[tuple[Located, tuple[Fact, ...]]]) -> None:
        self.by_name: dict[str, _Node] = {}
        self._names: dict[str, str] = {}
        for found, facts in sorted(located, key=lambda item: (item[0].memory.recorded_at, item[0].memory.id)):
            memory = found.memory
            name = _named(memory.title) or memory.id
            if name in self.by_name:
                name = f"{name} ({memory.id})"
            self.by_name[name] = _Node(name, memory, facts)
            self._names.setdefault(memory.id, name)
            self._names.setdefault(memory.id.rpartition("/")[2], name)

    def get(self, name: str) -> _Node | None:
        return self.by_name.get(_named(name))

    def target(self, fact: Fact) -> str:
        """The name of what a relation leads to: an entity by its name or its file, else as it is written."""
        written = _named(fact.target or "")
        return written if written in self.by_name else self._names.get(written.lower().removesuffix(".md"), written)

    def relations(self) -> tuple[Relation, ...]:
        found = (
            Relation(node.name, self.target(fact), fact.text)
            for node in self.by_name.values()
            for fact in node.facts
            if fact.target is not None
        )
        return tuple(dict.fromkeys(found))

    def around(self, wanted: Sequence[_Node]) -> View:
        """These entities, and every relation that touches one of them."""
        names = {node.name for node in wanted}
        touching = tuple(each for each in self.relations() if each.source in names or each.target in names)
        return View(tuple(node.entity for node in wanted), touching)


@dataclass(slots=True)
class KnowledgeGraph:
    """The graph that the first bundle of an application holds; safe to use from several threads and processes."""

    app: App
    _read: dict[str, tuple[Stamp, list[tuple[Located, tuple[Fact, ...]]]]] = field(default_factory=dict, repr=False)
    _guard: Lock = field(default_factory=Lock, repr=False)

    # -- reading -------------------------------------------------------------------------------------------------

    def whole(self) -> View:
        """Everything."""
        nodes = self._nodes()
        return View(tuple(node.entity for node in nodes.by_name.values()), nodes.relations())

    def search(self, query: str) -> View:
        """Entities whose name, type or an observation holds the query, whatever the case of its letters."""
        wanted = query.casefold()
        nodes = self._nodes()
        return nodes.around([node for node in nodes.by_name.values() if _holds(node.entity, wanted)])

    def open(self, names: Iterable[str]) -> View:
        """The entities of these names."""
        nodes = self._nodes()
        wanted = set(map(_named, names))
        return nodes.around([node for node in nodes.by_name.values() if node.name in wanted])

    def _nodes(self) -> _Nodes:
        """Reads only documents that may have changed since the last time."""
        known, fresh = self._read, {}
        now = time.time_ns()
        for stamp in self.app.bundle.store.stamps():
            entry = known.get(stamp.path)
            if entry is None or entry[0] != stamp:
                try:
                    document = self.app.bundle.store.read(stamp.path)
                except (NotFoundError, StorageError):
                    continue
                entry = (
                    stamp,
                    [
                        (located, tuple(facts_in(located.memory.body)))
                        for located in document.memories
                        if located.memory.state is State.ACTIVE and not is_hidden(located.memory)
                    ],
                )
            fresh[stamp.path] = entry
        self._read = {path: entry for path, entry in fresh.items() if _settled(entry[0], now)}
        return _Nodes(item for _, found in fresh.values() for item in found)

    # -- writing -------------------------------------------------------------------------------------------------

    def create_entities(self, entities: Iterable[Entity]) -> list[Entity]:
        """Those that are new; of a name that exists nothing is written."""
        with self._guard:
            return [entity for entity in entities if self._create(entity)]

    def _create(self, entity: Entity) -> bool:
        kind = _named(entity.entity_type) or "note"
        name = _named(entity.name)
        lines = dict.fromkeys(observation_line(text) for text in entity.observations if normal(text))
        for left in reversed(range(_TRIES)):
            # Before looking: who makes the same entity meanwhile has this id, or is seen.
            chosen = self.app.bundle.store.propose_id(kind, name)
            if self._nodes().get(name) is not None:
                return False
            draft = Draft(
                id=chosen,
                title=name,
                kind=kind,
                body=with_lines("", lines),
                provenance=_OWN,
                by_agent=True,
            )
            try:
                return self.app.remember(draft).created
            except IdTakenError:
                if not left:
                    raise
        raise AssertionError("the last try returns or raises")

    def create_relations(self, relations: Iterable[Relation]) -> list[Relation]:
        """Those that are new. What one leads to need not exist.

        Raises:
            UnknownEntityError: What it starts from does not exist; nothing was written.
        """
        with self._guard:
            nodes = self._nodes()
            wanted = dict.fromkeys(relations)
            starts = {relation: self._found(nodes, relation.source) for relation in wanted}
            known = set(nodes.relations())
            new = [relation for relation in wanted if _named_relation(relation) not in known]
            for node in {starts[relation].name: starts[relation] for relation in new}.values():
                mine = [relation for relation in new if starts[relation] is node]
                self._append(node, [relation_line(each.relation_type, _named(each.target)) for each in mine])
            return new

    def add_observations(self, added: Iterable[tuple[str, Sequence[str]]]) -> list[tuple[str, list[str]]]:
        """For each entity those of the texts that it did not have.

        Raises:
            UnknownEntityError: One does not exist; nothing was written.
        """
        with self._guard:
            nodes = self._nodes()
            wanted = [(name, self._found(nodes, name), texts) for name, texts in added]
            return [(name, self._observe(node, texts)) for name, node, texts in wanted]

    def _observe(self, node: _Node, texts: Sequence[str]) -> list[str]:
        new: dict[str, str] = {}

        def change(memory: Memory) -> dict[str, object]:
            there = {fact.text for fact in facts_in(memory.body) if fact.target is None}
            new.clear()
            new.update({normal(text): text for text in reversed(texts) if normal(text) and normal(text) not in there})
            lines = [observation_line(text) for text in reversed(new)]
            return _rewritten(memory, with_lines(memory.body, lines))

        self.app.edit(node.memory.id, change)
        return list(reversed(new.values()))

    def delete_entities(self, names: Iterable[str]) -> None:
        """Remove them for good, and every relation that leads to one of them; unknown names are passed over.

        Raises:
            OriginRefusedError: One stands before every conversation; nothing was removed.
        """
        with self._guard:
            nodes = self._nodes()
            gone = {node.name: node for name in names if (node := nodes.get(name)) is not None}
            for node in gone.values():
                check_not_standing(node.memory)
            for node in nodes.by_name.values():
                if node.name not in gone:
                    self._remove(node, lambda fact: fact.target is not None and nodes.target(fact) in gone)
            for node in gone.values():
                self.app.forget(node.memory.id, confirm=node.memory.id)

    def delete_observations(self, deletions: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Take these texts out; what is not there is passed over."""
        with self._guard:
            nodes = self._nodes()
            for name, texts in deletions:
                node, unwanted = nodes.get(name), set(map(normal, texts))
                if node is not None:
                    self._remove(node, lambda fact, gone=unwanted: fact.target is None and fact.text in gone)  # type: ignore[misc]

    def delete_relations(self, relations: Iterable[Relation]) -> None:
        """Take these relations out; what is not there is passed over."""
        with self._guard:
            nodes = self._nodes()
            unwanted = set(map(_named_relation, relations))
            for node in nodes.by_name.values():
                if any(relation.source == node.name for relation in unwanted):
                    self._remove(
                        node,
                        lambda fact, name=node.name: (  # type: ignore[misc]
                            fact.target is not None and Relation(name, nodes.target(fact), fact.text) in unwanted
                        ),
                    )

    @staticmethod
    def _found(nodes: _Nodes, name: str) -> _Node:
        node = nodes.get(name)
        if node is None:
            raise UnknownEntityError(name)
        return node

    def _append(self, node: _Node, lines: Sequence[str]) -> None:
        self.app.edit(node.memory.id, lambda memory: _rewritten(memory, with_lines(memory.body, lines)))

    def _remove(self, node: _Node, unwanted: Callable[[Fact], bool]) -> None:
        if any(map(unwanted, node.facts)):
            self.app.edit(
                node.memory.id,
                lambda memory: _rewritten(memory, without_facts(memory.body, unwanted)),
                may_empty=True,
            )


def _rewritten(memory: Memory, body: str) -> dict[str, object]:
    """A body as a model made it: whoever said what stood there before has not said this."""
    return {} if body == memory.body else {"body": body, "provenance": _OWN}


def _settled(stamp: Stamp, now_ns: int) -> bool:
    """Whether a file that changed again would have another stamp; see `services/upkeep/refresh.py`."""
    return now_ns - stamp.mtime_ns > (FINE_NS if stamp.mtime_ns % _TICK_NS else COARSE_NS)


def _named(name: str) -> str:
    """A name as a title keeps it."""
    return " ".join(name.split())


def _named_relation(relation: Relation) -> Relation:
    return Relation(_named(relation.source), _named(relation.target), relation.relation_type.strip())


def _holds(entity: Entity, wanted: str) -> bool:
    return any(wanted in text.casefold() for text in (entity.name, entity.entity_type, *entity.observations))
