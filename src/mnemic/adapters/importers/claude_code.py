"""Transcripts of Claude Code: one JSON Lines file a session, in a folder a project.

Kept is what was said: the user's own words and the assistant's text. Tools are mentioned in a word, their results in a
line, both as attachments of the words that came out of them. Everything else is counted.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC
from typing import IO, TYPE_CHECKING, ClassVar, NamedTuple

from mnemic.adapters.importers.claude_messages import Message, Tool, attachments_of, message_of
from mnemic.adapters.importers.names import session_name
from mnemic.adapters.importers.shortening import first_line, label
from mnemic.adapters.importers.sources import STDIN, RefusedLineError, Runs, open_source
from mnemic.adapters.importers.texts import as_text, is_text
from mnemic.adapters.jsonlines import Line, lines_of
from mnemic.domain.imports import Imported, ImportedTurn
from mnemic.domain.instants import parse_instant
from mnemic.domain.session import Role, SessionHead, Turn
from mnemic.errors import ImportSourceError, InvalidTimeError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime, tzinfo
    from pathlib import Path

    from mnemic.domain.imports import ImportNotes

MAX_LINE_BYTES = 16 * 1024 * 1024  # pictures stand in the line as base64
MAX_TITLE = 80
_SAID = {"user": Role.USER, "assistant": Role.ASSISTANT}
_NOT_SAID = {  # flags of records that a program wrote in the user's or the assistant's name
    "isMeta": "records of the program about itself",
    "isCompactSummary": "summaries of a compacted conversation",
    "isVisibleInTranscriptOnly": "records of the program about itself",
    "isApiErrorMessage": "failures of the model's service",
}


class _Head(NamedTuple):
    title: str = ""
    project: str = ""


class _Reading(NamedTuple):
    """The file that is read, and who is told about it. `stem` stands for what a record does not name itself."""

    path: str
    stem: str
    notes: ImportNotes


class _Said(NamedTuple):
    line: int
    record: dict[str, object]
    message: Message


@dataclass(frozen=True, slots=True)
class ClaudeCodeImporter:
    """`Importer` of one transcript, or of all in a folder and its folders.

    `sidechains`: take the conversations of sub-agents too. Moments without an offset are read in `zone`.
    """

    zone: tzinfo = UTC
    sidechains: bool = False
    name: ClassVar[str] = "claude-code"

    def read(self, path: Path, notes: ImportNotes) -> Iterator[Imported]:
        """The sessions of one file after the other, in the order of their names."""
        if not path.is_dir():
            yield from self._read_file(path, notes)
            return
        for file in sorted(path.rglob("*.jsonl")):
            try:
                yield from self._read_file(file, notes)
            except ImportSourceError as error:
                notes.refuse(str(file), 0, "file", error.why)

    def _read_file(self, path: Path, notes: ImportNotes) -> Iterator[Imported]:
        reading = _Reading(str(path), "transcript" if str(path) == STDIN else path.stem, notes)
        with open_source(path) as file:
            heads, runs = self._survey(file, reading)
            for session, named in heads.items():
                head = SessionHead(id=session_name(session), title=named.title, source=self.name, project=named.project)
                lines = runs.lines(file, session, limit=MAX_LINE_BYTES)
                yield Imported(head, self._turns(head.id, self._said(lines, session, reading), reading))

    def _survey(self, file: IO[bytes], reading: _Reading) -> tuple[dict[str, _Head], Runs]:
        """The sessions of a file, and where the lines stand that were said in each."""
        heads: dict[str, _Head] = {}
        runs = Runs()
        for line in lines_of(file, limit=MAX_LINE_BYTES, offset=file.tell()):
            try:
                record = _record(line)
                if record is None or not self._is_said(record, reading.notes):
                    continue
                message = _message(record)
            except RefusedLineError as error:
                reading.notes.refuse(reading.path, line.number, error.code, error.why)
                continue
            for what, number in message.left_out.items():
                reading.notes.count(what, number)
            session = _session(record, reading.stem)
            known = heads.get(session, _Head())
            project = known.project or as_text(_string(record, "cwd"))
            heads[session] = _Head(known.title or _title(message), project)
            runs.add(session, line)
        return heads, runs

    def _is_said(self, record: dict[str, object], notes: ImportNotes | None = None) -> bool:
        """Whether a record holds what somebody said; tells `notes` what it holds otherwise."""
        kind = record.get("type")
        if not isinstance(kind, str):
            raise RefusedLineError("type", "it has no type")
        if kind not in _SAID:
            what = f"records of type {label(kind, 60)}"
        elif record.get("isSidechain") is True and not self.sidechains:
            what = "turns of sub-agents"
        else:
            what = next((why for flag, why in _NOT_SAID.items() if record.get(flag) is True), "")
        if what and notes is not None:
            notes.count(what)
        return not what

    def _said(self, lines: Iterator[Line], session: str, reading: _Reading) -> Iterator[_Said]:
        """What was said in a session, tools included; everything else was noted in the survey."""
        for line in lines:
            try:
                record = _record(line)
                if record is None or not self._is_said(record) or _session(record, reading.stem) != session:
                    continue
                yield _Said(line.number, record, _message(record))
            except RefusedLineError:
                continue

    def _turns(self, session: str, said: Iterator[_Said], reading: _Reading) -> Iterator[ImportedTurn]:
        tools: list[Tool] = []
        before: datetime | None = None
        for line, record, message in said:
            if not message.is_said:
                tools += message.tools
                continue
            if tools and message.role is Role.USER:
                tools.clear()
                reading.notes.count("uses of tools that no words followed")
            at = self._moment(record, before, line, reading)
            if at is None:
                continue
            before = at
            turn = Turn(
                session=session,
                number=0,  # which records count may change with the options and the version; the source id does not
                at=at,
                speaker=str(message.role),
                role=message.role,
                text=_mended(message.text, line, reading),
                attachments=attachments_of(tools, message),
                source_id=as_text(_string(record, "uuid")) or f"{reading.stem}:{line}",
            )
            tools.clear()
            reading.notes.took(turn)
            yield ImportedTurn(turn, reading.path, line)

    def _moment(
        self, record: dict[str, object], before: datetime | None, line: int, reading: _Reading
    ) -> datetime | None:
        try:
            return parse_instant(_string(record, "timestamp"), zone=self.zone)
        except InvalidTimeError:
            pass
        if before is None:
            reading.notes.refuse(reading.path, line, "time", "it has no timestamp that can be read")
        else:
            why = "it has no timestamp that can be read and takes that of the turn before it"
            reading.notes.mend(reading.path, line, "time", why)
        return before


def _record(line: Line) -> dict[str, object] | None:
    if line.data is None:
        raise RefusedLineError("limit", f"the line is longer than {MAX_LINE_BYTES:,} bytes")
    if not line.data.strip():
        return None
    try:
        value = json.loads(line.data.decode())
    except UnicodeDecodeError:
        raise RefusedLineError("encoding", "it is not UTF-8") from None
    except (ValueError, RecursionError):
        why = "it is not JSON" if line.ended else "it is not JSON: the file ends in the middle of it"
        raise RefusedLineError("json", why) from None
    if type(value) is not dict:
        raise RefusedLineError("json", "it is no JSON object")
    return value


def _message(record: dict[str, object]) -> Message:
    return message_of(record, _SAID[_string(record, "type")])


def _session(record: dict[str, object], stem: str) -> str:
    return _string(record, "sessionId") or stem


def _string(record: dict[str, object], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""


def _title(message: Message) -> str:
    """The first line that the user said."""
    return first_line(as_text(message.text), MAX_TITLE - 1) if message.role is Role.USER else ""


def _mended(text: str, line: int, reading: _Reading) -> str:
    if is_text(text):
        return text
    why = "a NUL or half of a surrogate pair was replaced by U+FFFD"
    reading.notes.mend(reading.path, line, "encoding", why)
    return as_text(text)
