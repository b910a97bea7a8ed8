"""The chat format: one turn a line, as docs/reference/chat-format.md defines it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC
from typing import IO, TYPE_CHECKING, ClassVar, NamedTuple

from mnemic.adapters.importers.shortening import label
from mnemic.adapters.importers.sources import RefusedLineError, Runs, open_source
from mnemic.adapters.importers.texts import is_text, strings_in
from mnemic.adapters.jsonlines import Line, lines_of
from mnemic.domain.imports import Imported, ImportedTurn
from mnemic.domain.instants import parse_instant
from mnemic.domain.session import MAX_TURN_NUMBER, Role, SessionHead, Turn, is_session_id
from mnemic.errors import InvalidTimeError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime, tzinfo
    from pathlib import Path

    from mnemic.domain.imports import ImportNotes

MAX_LINE_BYTES = 4 * 1024 * 1024
_ROLES = {str(role): role for role in Role}
_FIELDS = frozenset(
    {"session", "turn", "at", "role", "text", "speaker", "title", "conversation", "attachments", "lang"}
)
_OFFSET = re.compile(r"[Tt ].*(?:[Zz]|[+-]\d{2}:?\d{2})\s*\Z")


class _Title(NamedTuple):
    title: str = ""
    conversation: str = ""


@dataclass(frozen=True, slots=True)
class ChatImporter:
    """`Importer` of the chat format. Moments without an offset are read in `zone`."""

    zone: tzinfo = UTC
    name: ClassVar[str] = "chat"

    def read(self, path: Path, notes: ImportNotes) -> Iterator[Imported]:
        """The sessions in a file, in the order in which they begin; their lines may stand in any order."""
        with open_source(path) as file:
            heads, runs = _survey(file, str(path), notes)
            for session, named in heads.items():
                head = SessionHead(id=session, title=named.title, conversation=named.conversation, source=self.name)
                lines = runs.lines(file, session, limit=MAX_LINE_BYTES)
                yield Imported(head, self._turns(session, lines, str(path), notes))

    def _turns(self, session: str, lines: Iterator[Line], path: str, notes: ImportNotes) -> Iterator[ImportedTurn]:
        last: Turn | None = None
        for line in lines:
            try:
                fields = _fields(line)
                if fields is None or _named(fields)[0] != session:
                    continue
            except RefusedLineError:
                continue  # noted in the survey
            try:
                turn = self._turn(session, fields, notes)
            except RefusedLineError as error:
                notes.refuse(path, line.number, error.code, error.why)
                continue
            if not (turn.text.strip() or turn.attachments):
                notes.count("turns without words")
                continue
            if last is not None and turn.number > last.number and turn.at < last.at:
                notes.mend(path, line.number, "order", f"turn {turn.number} is earlier than turn {last.number}")
            last = turn
            notes.took(turn)
            yield ImportedTurn(turn, path, line.number)

    def _turn(self, session: str, fields: dict[str, object], notes: ImportNotes) -> Turn:
        _text(fields, "lang")  # checked like every field, and not stored
        role, speaker = _role(fields), _text(fields, "speaker")
        turn = Turn(
            session=session,
            number=_number(fields),
            at=self._moment(fields, notes),
            speaker=speaker if speaker.strip() else str(role),
            role=role,
            text=_required_text(fields, "text"),
            attachments=_attachments(fields),
        )
        for name in fields.keys() - _FIELDS:
            notes.count(f"unknown field {label(name, 60)}")
        return turn

    def _moment(self, fields: dict[str, object], notes: ImportNotes) -> datetime:
        given = _required_text(fields, "at")
        try:
            at = parse_instant(given, zone=self.zone)
        except InvalidTimeError as error:
            raise RefusedLineError("time", error.message.removesuffix(".")) from None
        if not _OFFSET.search(given):
            notes.count(f"moments without an offset, read in {self.zone}")
        return at


def _survey(file: IO[bytes], path: str, notes: ImportNotes) -> tuple[dict[str, _Title], Runs]:
    """The sessions of a file with the first title and conversation each one has, and where their lines stand."""
    heads: dict[str, _Title] = {}
    runs = Runs()
    for line in lines_of(file, limit=MAX_LINE_BYTES, offset=file.tell()):
        try:
            fields = _fields(line)
            if fields is None:
                continue
            session, (title, conversation) = _named(fields)
        except RefusedLineError as error:
            notes.refuse(path, line.number, error.code, error.why)
            continue
        known = heads.get(session, _Title())
        heads[session] = _Title(known.title or title, known.conversation or conversation)
        runs.add(session, line)
    return heads, runs


def _fields(line: Line) -> dict[str, object] | None:
    """The object of a line; None for a blank one."""
    if line.data is None:
        raise RefusedLineError("limit", f"the line is longer than {MAX_LINE_BYTES:,} bytes")
    if b"\0" in line.data:
        raise RefusedLineError("encoding", "it holds a NUL")
    try:
        text = line.data.decode()
    except UnicodeDecodeError as error:
        raise RefusedLineError("encoding", f"byte {error.start + 1} of the line is not UTF-8") from None
    if not text.strip():
        return None
    try:
        value = json.loads(text, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError):
        raise RefusedLineError("json", "it is not JSON") from None
    if type(value) is not dict:
        raise RefusedLineError("json", "it is no JSON object")
    if "\\u" in text and not all(map(is_text, strings_in(value))):
        raise RefusedLineError("encoding", "a string holds a NUL or half of a surrogate pair")
    return value


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise RefusedLineError("json", "a key stands in it twice")
    return fields


def _named(fields: dict[str, object]) -> tuple[str, _Title]:
    """The session of a line, and what the line says of the session as a whole."""
    session = _required_text(fields, "session")
    if not is_session_id(session):
        raise RefusedLineError("session", f"{label(session, 80)!r} is no session id")
    return session, _Title(_text(fields, "title"), _text(fields, "conversation"))


def _number(fields: dict[str, object]) -> int:
    number = _required(fields, "turn")
    if type(number) is not int:
        raise RefusedLineError("type", "turn is not an integer")
    if number < 1:
        raise RefusedLineError("type", "turns are numbered from 1")
    if number > MAX_TURN_NUMBER:
        raise RefusedLineError("limit", f"turn is above {MAX_TURN_NUMBER:,}")
    return number


def _role(fields: dict[str, object]) -> Role:
    given = _required_text(fields, "role")
    role = _ROLES.get(given)
    if role is None:
        raise RefusedLineError("role", f"{label(given, 40)!r} is none of {', '.join(_ROLES)}")
    return role


def _attachments(fields: dict[str, object]) -> tuple[str, ...]:
    given = fields.get("attachments")
    if given is None:
        return ()
    if type(given) is not list or not all(type(item) is str for item in given):
        raise RefusedLineError("type", "attachments is not a list of strings")
    return tuple(given)


def _required(fields: dict[str, object], name: str) -> object:
    if name not in fields:
        raise RefusedLineError("missing", f"{name} is missing")
    return fields[name]


def _required_text(fields: dict[str, object], name: str) -> str:
    value = _required(fields, name)
    if type(value) is not str:
        raise RefusedLineError("type", f"{name} is not a string")
    return value


def _text(fields: dict[str, object], name: str) -> str:
    return "" if fields.get(name) is None else _required_text(fields, name)
