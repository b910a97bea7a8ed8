"""Finding what somebody wants forgotten, and everything it concerns."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.domain.ids import collision_key, id_of_path, memory_id, parse_turn_id
from mnemic.domain.sealing import is_hidden
from mnemic.domain.versions import from_bytes
from mnemic.errors import InvalidIdError, MemoryNotFoundError, MnemicError, SessionNotFoundError
from mnemic.services.chronicle.history import uid_of
from mnemic.services.erasing.footprint import Footprint, derived_from, quotes_of, texts_of
from mnemic.services.upkeep.erase import PASSING
from mnemic.services.upkeep.kept import locked, versions_of
from mnemic.services.upkeep.references import holding
from mnemic.text.remains import normal, pieces, sentences, spellings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mnemic.domain.documents import Located
    from mnemic.domain.erasure import Wishes
    from mnemic.domain.memory import Memory
    from mnemic.domain.session import Session
    from mnemic.services.bundle import Bundle


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What an id leads to: a memory, one whose document is gone and of which versions are kept, or turns.

    `name` is how it is confirmed. Of a memory `located`, of a lost one `uid` and its last id, else `turns`.
    """

    name: str
    located: Located | None = None
    uid: str = ""
    turns: tuple[str, int | None] | None = None

    def is_confirmed_by(self, text: str) -> bool:
        """Whether this is its name, in any case and normalization; of turns exactly."""
        if text == self.name or (self.uid and text == self.uid):
            return True
        with suppress(InvalidIdError):
            return self.turns is None and memory_id(text) == self.name
        return False


def target(bundle: Bundle, given: str) -> Target:
    """What is to be forgotten.

    Raises:
        MemoryNotFoundError, SessionNotFoundError: There is no such thing, and nothing is kept of it.
    """
    turn = parse_turn_id(given)
    if turn is not None:
        return Target(name=given, turns=turn)
    try:
        return Target(name=(located := bundle.store.find(given)).memory.id, located=located)
    except (MemoryNotFoundError, InvalidIdError) as error:
        lost = _lost(bundle, given)
        if lost is not None:
            return lost
        if isinstance(error, MemoryNotFoundError) and (now := _called_now(bundle, given)):
            error.hint = f"A memory that was called so is {now} now."
        elif isinstance(error, MemoryNotFoundError):
            kept = "" if error.near else "Nothing of it is left here: no document, and no version that is kept. "
            error.hint = f"{kept}{error.hint}"
        raise


def _lost(bundle: Bundle, given: str) -> Target | None:
    """A memory whose document is gone and of which versions are kept, by its uid or its last id."""
    history = bundle.past()
    if history is None:
        return None
    wanted = collision_key(id_of_path(given.strip()))
    with suppress(MnemicError, ValueError):
        vault = history.vault
        known = [given.strip()] if vault.versions(given.strip()) else [*vault.standing()]
        for uid in known:
            memory = None
            with suppress(MnemicError, ValueError):  # without the key only its uid leads to it
                memory = _last(bundle, uid)
            if uid == given.strip() or (memory is not None and collision_key(memory.id) == wanted):
                there = None
                if memory is not None:
                    with suppress(MnemicError):
                        there = bundle.store.find(memory.id)
                if there is not None and there.memory.uid == uid:
                    return Target(name=there.memory.id, located=there)
                return Target(name=memory.id if memory is not None else uid, uid=uid)
    return None


def _called_now(bundle: Bundle, given: str) -> str:
    """The last id of a memory that once had this one; empty where there is none."""
    with suppress(MnemicError, ValueError):
        if memory := _last(bundle, uid_of(bundle, given)):
            return memory.id
    return ""


def _last(bundle: Bundle, uid: str) -> Memory | None:
    history = bundle.past()
    assert history is not None
    for version in reversed(history.vault.versions(uid)):
        if (memory := from_bytes(history.vault.get(uid, version.number))) is not None:
            return memory
    return None


def traced(bundle: Bundle, wanted: Target, wishes: Wishes) -> Footprint:
    """Everything that the erasure of a target concerns; the index must be up to date.

    Raises:
        SessionNotFoundError: There is no such session or turn.
    """
    if wanted.turns is not None:
        session, number = wanted.turns
        numbers = None if number is None else (number,)
        return gathered(bundle, (), turns={session: numbers}, said=(wanted.name,))
    if wishes.past and wanted.located is not None:
        return gathered(bundle, (), staying=(wanted.located,))
    if wanted.located is not None:
        return gathered(bundle, (wanted.located,))
    return gathered(bundle, (), lost=(wanted.uid,))


def gathered(  # noqa: PLR0913 - what can go, a parameter each
    bundle: Bundle,
    memories: Sequence[Located],
    *,
    turns: Mapping[str, tuple[int, ...] | None] | None = None,
    said: Sequence[str] = (),
    lost: Sequence[str] = (),
    staying: Sequence[Located] = (),
    unread: Mapping[str, int] | None = None,
) -> Footprint:
    """Everything that goes with these memories and turns, and what is to be offered besides.

    Args:
        bundle: Where they are.
        memories: Those that go with their documents.
        turns: Numbers of turns by session; None for the whole.
        said: References of sessions and turns that something may be made from.
        lost: Uids of memories whose documents were deleted by hand.
        staying: Memories of which what they said earlier goes.
        unread: How many versions of other memories could not be read, by uid.
    """
    found = Footprint(memories=tuple(memories), staying=tuple(staying), unread=dict(unread or {}))
    found.uids = (*(one.memory.uid for one in memories), *lost)
    texts: list[str] = []
    origins = [one.memory for one in memories]
    for one in memories:
        texts += [text for memory in (one.memory, *_kept(bundle, found, one.memory.uid)) for text in texts_of(memory)]
    for uid in lost:
        versions = _kept(bundle, found, uid)
        texts += [text for memory in versions for text in texts_of(memory)]
        for last in versions[-1:]:
            found.lost += ((f"{last.id}.md", uid),)
            found.titles[uid] = "" if is_hidden(last) else last.title
            origins.append(last)
    for one in staying:
        before = found.versions
        texts += _said_earlier(one.memory, _kept(bundle, found, one.memory.uid))
        found.versions = max(before, found.versions - 1)  # the newest stays
    for session, numbers in (turns or {}).items():
        there = _session(bundle, session, numbers)
        kept = [turn for turn in there.turns if numbers is None or turn.number in numbers]
        found.turns[session] = tuple(turn.number for turn in kept)
        texts += [text for turn in kept for text in (turn.text, *turn.attachments)]
        if numbers is None:
            texts.append(there.head.title)
            found.whole |= {session}
    return _completed(bundle, found, texts, origins, said)


def _completed(
    bundle: Bundle, found: Footprint, texts: Iterable[str], origins: Sequence[Memory], said: Sequence[str] = ()
) -> Footprint:
    found.texts = tuple(dict.fromkeys(filter(None, texts)))
    going = {memory.uid for memory in origins}
    found.derived = tuple(one for one in derived_from(bundle, origins, said) if one.memory.uid not in going)
    quotes = quotes_of(bundle, origins, found.texts)
    found.quotes = {
        session: left
        for session, numbers in quotes.items()
        if (left := tuple(number for number in numbers if number not in found.turns.get(session, ())))
    }
    found.files = holders(bundle, found.texts)
    named = [*origins, *(one.memory for one in found.staying)]
    found.proposals = len(found.files) + _naming_proposals(bundle, named, found.files)
    found.elsewhere = _elsewhere(bundle, found)
    found.notes += _unread(bundle, found)
    return found


def _unread(bundle: Bundle, found: Footprint) -> tuple[str, ...]:
    if not found.unread:
        return ()
    if why := locked(bundle):
        return (f"what the kept versions say cannot be read, and is not looked for: {why}",)
    return ("what some kept versions say was not read, and is not looked for",)


def _kept(bundle: Bundle, found: Footprint, uid: str) -> tuple[Memory, ...]:
    """The versions of a memory that can be read; they are counted."""
    kept = versions_of(bundle, uid)
    found.versions += kept.number
    found.note_unread(uid, kept)
    return kept.memories


def _said_earlier(memory: Memory, versions: Iterable[Memory]) -> list[str]:
    """Lines of earlier versions that a memory does not say any more."""
    now = set(sentences(texts_of(memory)))
    lines = (line for version in versions for text in texts_of(version) for line in text.splitlines())
    return [line for line in lines if not now.issuperset(sentences([line]))]


def with_derived(bundle: Bundle, found: Footprint) -> None:
    """Add what the memories that were made from these say, too: they go as well."""
    made = [one.memory for one in found.derived]
    texts: list[str] = []
    for one in made:
        kept = versions_of(bundle, one.uid)
        found.note_unread(one.uid, kept)
        texts += [text for memory in (one, *kept.memories) for text in texts_of(memory)]
    found.texts = tuple(dict.fromkeys((*found.texts, *filter(None, texts))))
    for session, numbers in quotes_of(bundle, made, texts).items():
        more = {*found.quotes.get(session, ()), *numbers}.difference(found.turns.get(session, ()))
        found.quotes[session] = tuple(sorted(more))
    found.quotes = {session: numbers for session, numbers in found.quotes.items() if numbers}
    found.files = holders(bundle, found.texts)


def _session(bundle: Bundle, session: str, numbers: tuple[int, ...] | None) -> Session:
    found = bundle.sessions.read(session)
    if numbers is not None and not {turn.number for turn in found.turns}.intersection(numbers):
        raise SessionNotFoundError(f"session:{session}#{numbers[0]}")
    return found


def holders(bundle: Bundle, texts: Sequence[str]) -> tuple[str, ...]:
    """Proposals and staged files in which a whole sentence of these texts stands."""
    remains, wanted = bundle.remains(), sentences(texts)
    if remains is None or not wanted:
        return ()
    only = [path for folder in PASSING for path in remains.paths(folder.rstrip("/"))]
    needles = [needle for piece in pieces(texts) for needle in spellings(piece)]
    hit = dict.fromkeys(found.path for found in remains.search(needles, only).hits) if only else ()
    return tuple(path for path in hit if _holds(remains.read(path), wanted))


def _holds(data: bytes, wanted: Sequence[str]) -> bool:
    text = normal(data.decode("utf-8", "replace"))
    return any(sentence in text for sentence in wanted)


def _naming_proposals(bundle: Bundle, memories: Sequence[Memory], counted: Sequence[str]) -> int:
    remains = bundle.remains()
    if remains is None or not memories:
        return 0
    only = [path for path in remains.paths("_proposals") if path not in counted]
    needles = [needle for memory in memories for text in (memory.id, memory.uid) for needle in spellings(text)]
    return len({hit.path for hit in remains.search(needles, only).hits}) if only else 0


def _elsewhere(bundle: Bundle, found: Footprint) -> tuple[str, ...]:
    """Memories that stay and say one of its sentences whole."""
    wanted = sentences(found.texts)
    going = {one.memory.uid for one in (*found.memories, *found.derived, *found.staying)} | set(found.uids)
    return tuple(
        one.memory.id
        for one in (holding(bundle, pieces(found.texts)) if wanted else ())
        if one.memory.uid not in going
        and any(sentence in said for said in map(normal, texts_of(one.memory)) for sentence in wanted)
    )
