"""MemoryBank: one JSON file of users, each with days, each day a list of what the user said and was answered.

Summaries and personalities in it are somebody else's derivations and are not read.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import TYPE_CHECKING, ClassVar

from mnemic.adapters.importers.names import session_name
from mnemic.adapters.importers.sources import read_json
from mnemic.adapters.importers.texts import as_text, is_text
from mnemic.domain.imports import Imported, ImportedTurn
from mnemic.domain.instants import parse_instant
from mnemic.domain.session import Role, SessionHead, Turn
from mnemic.errors import ImportSourceError, InvalidTimeError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime, tzinfo
    from pathlib import Path

    from mnemic.domain.imports import ImportNotes

_SPEAKERS = (("query", Role.USER), ("response", Role.ASSISTANT))


@dataclass(frozen=True, slots=True)
class MemoryBankImporter:
    """`Importer` of MemoryBank's shape: a session is a user's day, a conversation a user.

    A day has no hours: its turns begin at midnight in `zone` and are spaced by a second each. Session ids are
    `<user>-<day>`.
    """

    zone: tzinfo = UTC
    name: ClassVar[str] = "memorybank"

    def read(self, path: Path, notes: ImportNotes) -> Iterator[Imported]:
        """The days of one user after the other."""
        value = read_json(path)
        if not looks_like(value):
            hint = "It is an object of users that have `history`: days, each a list of `query` and `response`."
            raise ImportSourceError(str(path), "it does not have the shape of MemoryBank", hint=hint)
        for user, days in _users(value):
            for day, exchanges in days.items():
                try:
                    midnight = parse_instant(day, zone=self.zone)
                except InvalidTimeError as error:
                    notes.refuse(str(path), 0, "time", f"{user}: {error.message.removesuffix('.')}")
                    continue
                head = SessionHead(id=f"{session_name(user)}-{midnight.date()}", conversation=user, source=self.name)
                yield Imported(head, _turns(head, midnight, exchanges, str(path), notes))


def looks_like(value: object) -> bool:
    """Whether a JSON value has this shape."""
    return bool(_users(value))


def _users(value: object) -> list[tuple[str, dict[str, object]]]:
    if not isinstance(value, dict):
        return []
    histories = (
        (as_text(user).strip(), fields.get("history")) for user, fields in value.items() if isinstance(fields, dict)
    )
    return [(user, days) for user, days in histories if isinstance(days, dict)]


def _turns(
    head: SessionHead, midnight: datetime, exchanges: object, path: str, notes: ImportNotes
) -> Iterator[ImportedTurn]:
    number = 0
    for exchange in exchanges if isinstance(exchanges, list) else []:
        for key, role in _SPEAKERS:
            number += 1  # also for one that is not taken: the numbers of the others must not depend on it
            text = exchange.get(key) if isinstance(exchange, dict) else None
            if not isinstance(text, str):
                notes.refuse(path, 0, "type", f"{head.conversation}, {midnight.date()}: an exchange has no {key}")
                continue
            if not text.strip():
                notes.count("turns without words")
                continue
            if not is_text(text):
                notes.mend(path, 0, "encoding", f"{head.id}, turn {number}: U+FFFD replaces what is no text")
            turn = Turn(
                session=head.id,
                number=number,
                at=midnight + timedelta(seconds=number - 1),
                speaker=head.conversation if role is Role.USER else str(role),
                role=role,
                text=as_text(text),
            )
            notes.took(turn)
            yield ImportedTurn(turn, path, 0)
