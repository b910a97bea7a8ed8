"""An erasure that has begun is finished: what it owes is noted before anything goes, and whoever comes next does it.

What decides is the documents, which go in one change, all or none. While one of them is still there, nothing has
happened, and nothing will. Once they are gone, all else follows, and each step may be repeated: sessions, proposals,
what lies around the documents, the vault's keys, and one event of the ledger, which carries a random number of the
note, so that it is recorded once however often this is done.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from mnemic.domain.ledger import Act, Deed
from mnemic.errors import MnemicError, NotFoundError, SessionNotFoundError
from mnemic.services.upkeep.commitments import told_anew
from mnemic.services.upkeep.references import holding

if TYPE_CHECKING:
    from mnemic.services.bundle import Bundle

PASSING = ("_proposals/", "_staging/")
"""Folders whose files go whole where they hold something of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What an erasure owes, as one line; ids and uids, no text.

    Attributes:
        at: When it began, ISO 8601.
        number: The random number of its event.
        documents: Id and uid of each whose document goes first; until all are gone nothing has happened.
        uids: Memories whose key and versions are destroyed.
        past: Uids of memories that stay, and of which only the newest version does.
        around: Path and uid of documents whose copies and mentions go, other than those that go with `documents`;
            also the paths that these had earlier.
        turns: Sessions, each with the numbers of the turns that go; with None the whole.
        names: What proposals and the record of what agents did must not name any more.
        files: Proposals, and files of a staging area, that hold the text without naming it.
    """

    at: str
    number: str
    documents: tuple[tuple[str, str], ...] = ()
    uids: tuple[str, ...] = ()
    past: tuple[str, ...] = ()
    around: tuple[tuple[str, str], ...] = ()
    turns: tuple[tuple[str, tuple[int, ...] | None], ...] = ()
    names: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    @classmethod
    def new(cls, at: datetime, **what: object) -> Intent:
        """One with a number of its own."""
        return cls(at=at.isoformat(), number=token_hex(32), **what)  # type: ignore[arg-type]

    def line(self) -> str:
        """It as a line of JSON."""
        return json.dumps({name: value for name, value in asdict(self).items() if value}, ensure_ascii=True)

    @classmethod
    def of(cls, line: str) -> Intent | None:
        """What a line says; None when it is none of ours, or torn."""
        try:
            told = json.loads(line)
            return cls(
                at=datetime.fromisoformat(told["at"]).isoformat(),
                number=str(told["number"]),
                documents=_pairs(told.get("documents", ())),
                uids=tuple(map(str, told.get("uids", ()))),
                past=tuple(map(str, told.get("past", ()))),
                around=_pairs(told.get("around", ())),
                turns=tuple((str(name), _numbers(numbers)) for name, numbers in told.get("turns", ())),
                names=tuple(map(str, told.get("names", ()))),
                files=tuple(path for path in map(str, told.get("files", ())) if _may_go(path)),
            )
        except (ValueError, TypeError, KeyError, AttributeError):
            return None


@dataclass(slots=True)
class Done:
    """How much of each kind went."""

    turns: int = 0
    proposals: int = 0
    versions: int = 0


def settle(bundle: Bundle) -> tuple[str, ...]:
    """Finish what erasures have noted, those of dead processes too; in words, what cannot be finished yet."""
    try:
        with bundle.index.settling() as lines:
            if lines and (remains := bundle.remains()) is not None:
                remains.complete()
            for line in lines:
                if (intent := Intent.of(line)) is not None:
                    finish(bundle, intent)
    except MnemicError as error:
        return (f"something may still hold what was forgotten: {error.message}",)
    return ()


def finish(bundle: Bundle, intent: Intent) -> Done:
    """Do what follows once the documents of an erasure are gone; nothing where one is still there.

    May be repeated. The bundle's lock must be held, and no change be pending.
    """
    done = Done()
    if any(_is_there(bundle, *document) for document in intent.documents):
        return done
    failure: MnemicError | None = None
    for step in (_from_history, _from_sessions, _from_proposals, _from_around, _from_account):
        try:
            step(bundle, intent, done)
        except MnemicError as error:  # what one place refuses must not keep the text in another
            failure = failure or error
    if failure is not None:
        raise failure
    return done


def _from_history(bundle: Bundle, intent: Intent, done: Done) -> None:
    history = bundle.past()
    if history is None:
        return
    done.versions += sum(map(history.vault.destroy, intent.uids)) + sum(map(history.vault.renew, intent.past))
    at = datetime.fromisoformat(intent.at)
    acts = told_anew(history, intent.past, at)
    history.ledger.append([*acts, Act(at=at, deed=Deed.ERASE, commitment=intent.number)], durable=True)
    if any(one.memory.uid in intent.uids for one in holding(bundle, intent.uids)):
        bundle.owed.note()  # a copy of it stays, and its history was this one's


def _from_sessions(bundle: Bundle, intent: Intent, done: Done) -> None:
    for session, numbers in intent.turns:
        with suppress(SessionNotFoundError):
            done.turns += bundle.sessions.erase(session, numbers)


def _from_proposals(bundle: Bundle, intent: Intent, done: Done) -> None:
    if intent.names:
        done.proposals += bundle.proposals.erase(intent.names)
    if intent.files and (remains := bundle.remains()) is not None:
        done.proposals += remains.remove(intent.files)


def _from_around(bundle: Bundle, intent: Intent, done: Done) -> None:
    del done
    if intent.around and (remains := bundle.remains()) is not None:
        remains.clear(intent.around, told=not (intent.past or intent.documents))  # what takes documents away tells it


def _from_account(bundle: Bundle, intent: Intent, done: Done) -> None:
    del done
    if intent.names:
        bundle.turns.erase(intent.names)


def _is_there(bundle: Bundle, memory_id: str, uid: str) -> bool:
    try:
        return bundle.store.find(memory_id).memory.uid == uid
    except NotFoundError:
        return False
    except MnemicError:  # it is there, and cannot be read
        return True


def _may_go(path: str) -> bool:
    """A note is a file that anybody may have written: it leads to no other place."""
    return path.startswith(PASSING) and ".." not in path.split("/")


def _pairs(told: object) -> tuple[tuple[str, str], ...]:
    return tuple((str(first), str(second)) for first, second in told)  # type: ignore[attr-defined]


def _numbers(told: object) -> tuple[int, ...] | None:
    return None if told is None else tuple(map(int, told))  # type: ignore[call-overload]
