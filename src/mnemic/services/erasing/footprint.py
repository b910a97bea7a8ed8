"""What an erasure concerns: the memory and its versions, what was made from it, and who says the same words."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemic.domain.erasure import Named, Preview
from mnemic.domain.ids import collision_key, parse_turn_id, turn_id
from mnemic.domain.links import names_of
from mnemic.domain.naming import DERIVED_FROM
from mnemic.domain.sealing import TITLE as SEALED_TITLE
from mnemic.domain.sealing import is_sealed, written_into
from mnemic.errors import MnemicError
from mnemic.services.upkeep.references import holding, names
from mnemic.text.remains import normal, pieces, sentences, spellings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mnemic.domain.documents import Located
    from mnemic.domain.memory import Memory
    from mnemic.domain.session import Turn
    from mnemic.services.bundle import Bundle
    from mnemic.services.upkeep.kept import Kept

_MOST_DERIVED = 1_000


@dataclass(slots=True, kw_only=True)
class Footprint:
    """Everything that an erasure concerns.

    Attributes:
        memories: Those that go with their documents.
        uids: Of memories whose kept versions go; more than `memories` where a document was deleted by hand.
        turns: Turns that go, by session.
        derived: Memories made from these; they go where that is wished.
        quotes: Turns that are quoted or say the same sentences, by session; likewise.
        versions: How many kept versions go.
        unread: How many kept versions of a uid could not be read, so that nobody knows what they say; without 0.
        texts: What was said, now and earlier.
        staying: Memories that stay, and whose earlier versions go.
        lost: Path of each document that was deleted by hand, with the uid.
        titles: The titles that these had last, by uid.
        whole: Sessions of `turns` that go as a whole.
        files: Proposals and staged files that hold a sentence of it.
        proposals: How many proposals go, those that only name it included.
        elsewhere: Ids of memories that say one of its sentences and stay.
        notes: In words, what could not be read, so that nobody knows what it says.
    """

    memories: tuple[Located, ...] = ()
    uids: tuple[str, ...] = ()
    turns: dict[str, tuple[int, ...]] = field(default_factory=dict)
    derived: tuple[Located, ...] = ()
    quotes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    versions: int = 0
    unread: dict[str, int] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    staying: tuple[Located, ...] = ()
    lost: tuple[tuple[str, str], ...] = ()
    titles: dict[str, str] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    files: tuple[str, ...] = ()
    proposals: int = 0
    elsewhere: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def note_unread(self, uid: str, kept: Kept) -> None:
        """That versions of a memory could not be read, if so."""
        if kept.unread:
            self.unread[uid] = kept.unread

    def called(self, turns: Mapping[str, Iterable[int]]) -> Iterator[str]:
        """What turns are called that go; a session that goes whole by its own id."""
        for session, numbers in turns.items():
            yield from (f"session:{session}",) if session in self.whole else (turn_id(session, n) for n in numbers)

    def preview(self, prefix: str) -> Preview:
        """It for a person, with references as they are written beside other bundles."""
        return Preview(
            memories=tuple(_named(one, prefix) for one in self.memories),
            turns=sum(map(len, self.turns.values())),
            said=tuple(self.called(dict(sorted(self.turns.items())))),
            derived=tuple(_named(one, prefix) for one in self.derived),
            quotes=tuple(turn_id(session, number) for session, of in sorted(self.quotes.items()) for number in of),
            versions=self.versions,
            proposals=self.proposals,
            elsewhere=tuple(f"{prefix}{each}" for each in self.elsewhere),
            earlier=tuple(_named(one, prefix) for one in self.staying),
            deleted=tuple(
                Named(f"{prefix}{path.removesuffix('.md')}", self.titles.get(uid, "")) for path, uid in self.lost
            ),
            notes=self.notes,
        )


def _named(one: Located, prefix: str) -> Named:
    return Named(f"{prefix}{one.memory.id}", one.memory.title)


def texts_of(memory: Memory) -> Iterator[str]:
    """Everything that a memory says in words; of a stub without what every stub says."""
    claim, title, body = memory.claim, memory.title, memory.body
    if is_sealed(memory):
        title, body = "" if title == SEALED_TITLE else title, written_into(memory)
    yield from (title, body, memory.description, memory.resource, memory.provenance.locator)
    yield from (claim.key, claim.value) if claim else ()
    yield from memory.tags
    for value in memory.extra.values():
        yield from _strings(value)


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _strings(item)
        case dict():
            for item in value.values():
                yield from _strings(item)
        case _:
            pass


def derived_from(bundle: Bundle, origins: Iterable[Memory], turns: Iterable[str] = ()) -> tuple[Located, ...]:
    """Memories that were made from these, and from memories that were made from these, and so on.

    Args:
        bundle: Where to look.
        origins: The memories they may be made from.
        turns: References of sessions and turns they may be made from.
    """
    known = {memory.uid: memory for memory in origins}
    found: dict[str, Located] = {}
    fresh, said = list(known.values()), [one for each in turns if (one := parse_turn_id(each))]
    while (fresh or said) and len(found) < _MOST_DERIVED:
        new = [
            one
            for one in _naming(bundle, fresh, said)
            if one.memory.uid not in known and _is_made_from(one.memory, fresh, said)
        ]
        known |= {one.memory.uid: one.memory for one in new}
        found |= {one.memory.uid: one for one in new}
        fresh, said = [one.memory for one in new], []
    return tuple(sorted(found.values(), key=lambda one: one.memory.id))


def _naming(bundle: Bundle, memories: Sequence[Memory], said: Sequence[tuple[str, int | None]]) -> list[Located]:
    """Memories in whose documents one of these names stands anywhere."""
    needles = {memory.provenance.session for memory in memories} | {session for session, _ in said}
    for memory in memories:
        needles |= {memory.id, memory.uid, *memory.superseded_by}
    return holding(bundle, needles)


def _is_made_from(memory: Memory, origins: Sequence[Memory], said: Sequence[tuple[str, int | None]]) -> bool:
    source = memory.provenance
    if any(source.session == session and (number is None or number in source.turns) for session, number in said):
        return True
    return any(
        names(memory, origin.id, successors=False)
        or any(_is_name_of(name, memory) for name in origin.superseded_by)
        or _is_name_of(source.locator, origin)
        or any(_is_name_of(name, origin) for key in DERIVED_FROM for name in names_of(memory.extra.get(key)))
        or (
            bool(source.session)
            and source.session == origin.provenance.session
            and not set(source.turns).isdisjoint(origin.provenance.turns)
        )
        for origin in origins
    )


def _is_name_of(text: str, memory: Memory) -> bool:
    name = text.strip().removeprefix("[[").removesuffix("]]").removeprefix("/").partition("#")[0].removesuffix(".md")
    return bool(name) and (name == memory.uid or collision_key(name) == collision_key(memory.id))


def quotes_of(bundle: Bundle, memories: Iterable[Memory], texts: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Turns that these memories cite, and those in which one of the sentences of `texts` stands whole."""
    found: dict[str, set[int]] = defaultdict(set)
    for memory in memories:
        if memory.provenance.session and memory.provenance.turns:
            there = {turn.number for turn in _turns(bundle, memory.provenance.session)}
            found[memory.provenance.session] |= there.intersection(memory.provenance.turns)
    wanted = sentences(texts)
    for turn in turns_holding(bundle, pieces(texts)) if wanted else ():
        said = normal(turn.text)
        if any(sentence in said for sentence in wanted):
            found[turn.session].add(turn.number)
    return {session: tuple(sorted(numbers)) for session, numbers in found.items() if numbers}


def turns_holding(bundle: Bundle, wanted: Sequence[str]) -> Iterator[Turn]:
    """Turns of the sessions in whose files one of these pieces stands."""
    remains = bundle.remains()
    if remains is None or not wanted:
        return
    needles = [needle for piece in wanted for needle in spellings(piece)]
    swept = remains.search(needles, [stamp.path for stamp in bundle.sessions.stamps()])
    for path in dict.fromkeys(hit.path for hit in swept.hits):
        with suppress(MnemicError):
            yield from bundle.sessions.read_path(path).turns


def _turns(bundle: Bundle, session: str) -> tuple[Turn, ...]:
    with suppress(MnemicError):
        return bundle.sessions.read(session).turns
    return ()
