"""Conversations and questions in the shape of LoCoMo: one JSON file, sessions by number, a date a session.

Read are what was said and the captions of pictures that were shown. Never read are `query` (what an annotator searched
a picture with: it holds answers nobody said), `event_summary`, `observation` and `session_summary`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from mnemic.adapters.importers.names import session_name
from mnemic.adapters.importers.sources import read_json
from mnemic.adapters.importers.texts import as_text, is_text
from mnemic.domain.imports import Imported, ImportedTurn, ImportNotes
from mnemic.domain.instants import pinned
from mnemic.domain.questions import LeftOut, Question, QuestionSet
from mnemic.domain.session import Role, SessionHead, Turn
from mnemic.errors import ImportSourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import tzinfo
    from pathlib import Path

_SESSION = re.compile(r"session_([1-9]\d{0,5})\Z")
_DATE = re.compile(r"\s*(\d{1,2}):(\d{2})\s*([ap])\.?m\.?\s+on\s+(\d{1,2})\s+([a-z]+),?\s+(\d{4})\s*\Z", re.IGNORECASE)
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_EVIDENCE = re.compile(r"D:?\s*(\d+)\s*:\s*(\d+)", re.IGNORECASE)
_BETWEEN_EVIDENCE = re.compile(r"[\s;,]+")
_HALF_DAY = 12
_FIRST_YEAR, _LAST_YEAR = 2, 9998  # turns and zones move a moment a little, and must not leave the calendar


class _Session(NamedTuple):
    number: int
    key: str
    turns: list[object]


@dataclass(frozen=True, slots=True)
class LocomoImporter:
    """`Importer` of LoCoMo's shape.

    A session has one date, read in `zone`; its turns are spaced by a second each, so that their order shows in their
    times. Session ids are `<sample_id>-s01`, `-s02`, …; the source id of a turn is its `dia_id`.
    """

    zone: tzinfo = UTC
    name: ClassVar[str] = "locomo"

    def read(self, path: Path, notes: ImportNotes) -> Iterator[Imported]:
        """The sessions of one conversation after the other, by number."""
        for sample, conversation in samples(path):
            for session in _sessions(conversation):
                at = self._date(conversation, session, path, notes)
                if at is None:
                    continue
                head = SessionHead(id=_session_id(sample, session.number), conversation=sample, source=self.name)
                yield Imported(head, _turns(head.id, session, at, str(path), notes))

    def _date(
        self, conversation: Mapping[str, object], session: _Session, path: Path, notes: ImportNotes
    ) -> datetime | None:
        at = _parse_date(conversation.get(f"{session.key}_date_time"), self.zone)
        if at is None:
            notes.refuse(str(path), 0, "time", f"{session.key} has no date that can be read")
        return at


def samples(path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The conversations of a file, each under its name.

    Raises:
        ImportSourceError: As `LocomoImporter.read`.
    """
    for sample, conversation, _ in _samples_with_questions(path):
        yield sample, conversation


def questions(path: Path) -> QuestionSet:
    """The questions of a file, with the turns that hold their answers.

    Evidence is repaired where its meaning is plain: ids glued together, a zero or a colon too many. Names of no turn
    are dropped; a question that is left without evidence is left out, and told.

    Raises:
        ImportSourceError: As `LocomoImporter.read`.
    """
    asked: list[Question] = []
    left_out: list[LeftOut] = []
    repaired: list[str] = []
    dropped: list[str] = []
    for sample, conversation, listed in _samples_with_questions(path):
        turns = {
            turn.source_id: turn.id
            for session in _sessions(conversation)
            for turn, _, _ in _turns(
                _session_id(sample, session.number), session, datetime.min.replace(tzinfo=UTC), "", ImportNotes()
            )
        }
        for number, item in enumerate(listed):
            evidence = _evidence(item, turns, repaired, dropped)
            read = _question(sample, number, item, evidence, turns)
            if isinstance(read, LeftOut):
                left_out.append(read)
            else:
                asked.append(read)
    return QuestionSet(
        questions=tuple(asked), left_out=tuple(left_out), repaired=tuple(repaired), dropped=tuple(dropped)
    )


def looks_like(value: object) -> bool:
    """Whether a JSON value has this shape."""
    first = value[0] if isinstance(value, list) and value else value
    conversation = first.get("conversation") if isinstance(first, dict) else None
    return isinstance(conversation, dict) and any(_SESSION.match(key) for key in conversation)


def _samples_with_questions(path: Path) -> Iterator[tuple[str, Mapping[str, object], list[object]]]:
    value = read_json(path)
    if not looks_like(value):
        hint = "It is a list of objects that have `conversation` with `session_1`, `session_1_date_time` and so on."
        raise ImportSourceError(str(path), "it does not have the shape of LoCoMo", hint=hint)
    for number, item in enumerate(value if isinstance(value, list) else [value], start=1):
        fields = item if isinstance(item, dict) else {}
        conversation, asked = fields.get("conversation"), fields.get("qa")
        if isinstance(conversation, dict):
            sample = as_text(str(fields.get("sample_id") or f"conversation-{number}"))
            yield sample, conversation, asked if isinstance(asked, list) else []


def _sessions(conversation: Mapping[str, object]) -> list[_Session]:
    """By number: as strings, 10 would come before 2. Dates without a session stand in some conversations."""
    found = [
        _Session(int(match[1]), key, value)
        for key, value in conversation.items()
        if (match := _SESSION.match(key)) and isinstance(value, list) and value
    ]
    return sorted(found)


def _session_id(sample: str, number: int) -> str:
    return f"{session_name(sample)}-s{number:02}"


def _turns(session_id: str, session: _Session, at: datetime, path: str, notes: ImportNotes) -> Iterator[ImportedTurn]:
    for number, item in enumerate(session.turns, start=1):
        fields = item if isinstance(item, dict) else {}
        text, caption = fields.get("text"), fields.get("blip_caption")
        if not isinstance(text, str):
            notes.refuse(path, 0, "type", f"{session.key}, turn {number} has no text")
            continue
        attachments = (as_text(caption),) if isinstance(caption, str) and caption.strip() else ()
        if not is_text(text):
            notes.mend(path, 0, "encoding", f"{session.key}, turn {number}: U+FFFD replaces what is no text")
        turn = Turn(
            session=session_id,
            number=number,
            at=at + timedelta(seconds=number - 1),
            speaker=as_text(_string(fields, "speaker")),
            role=Role.USER,  # two people talk; neither of them is an assistant
            text=as_text(text),
            attachments=attachments,
            source_id=as_text(_string(fields, "dia_id")),
        )
        notes.took(turn)
        yield ImportedTurn(turn, path, 0)


def _parse_date(given: object, zone: tzinfo) -> datetime | None:
    match = _DATE.match(given) if isinstance(given, str) else None
    if match is None or match[5].lower() not in _MONTHS or not _FIRST_YEAR <= int(match[6]) <= _LAST_YEAR:
        return None
    hour = int(match[1]) % _HALF_DAY + (_HALF_DAY if match[3].lower() == "p" else 0)
    month = _MONTHS.index(match[5].lower()) + 1
    try:
        return pinned(datetime(int(match[6]), month, int(match[4]), hour, int(match[2]), tzinfo=zone))
    except ValueError:
        return None


def _question(
    sample: str, number: int, item: object, evidence: tuple[str, ...], turns: Mapping[str, str]
) -> Question | LeftOut:
    fields = item if isinstance(item, dict) else {}
    text, category, answer = fields.get("question"), fields.get("category"), fields.get("answer")
    known_category = category if type(category) is int else 0
    listed = fields.get("evidence")
    given = tuple(as_text(str(name)) for name in listed) if isinstance(listed, list) else ()
    if not isinstance(text, str) or not text.strip():
        return LeftOut(conversation=sample, number=number, category=known_category, why="it asks nothing", given=given)
    if not evidence:
        why = "its evidence names no turn" if fields.get("evidence") else "it names no evidence"
        return LeftOut(conversation=sample, number=number, category=known_category, why=why, given=given)
    return Question(
        conversation=sample,
        number=number,
        text=text,
        answer="" if answer is None else str(answer),
        category=known_category,
        evidence=evidence,
        turns=tuple(turns[name] for name in evidence),
        given=given,
    )


def _evidence(item: object, turns: Mapping[str, str], repaired: list[str], dropped: list[str]) -> tuple[str, ...]:
    """The names of turns in a question's evidence, each once, in order."""
    given = item.get("evidence") if isinstance(item, dict) else None
    names: dict[str, None] = {}
    for entry in given if isinstance(given, list) else []:
        if isinstance(entry, str) and entry in turns:
            names[entry] = None
            continue
        for part in filter(None, _BETWEEN_EVIDENCE.split(str(entry))):
            match = _EVIDENCE.fullmatch(part)
            name = f"D{int(match[1])}:{int(match[2])}" if match else part
            if name in turns:
                names[name] = None
                repaired.append(f"{entry} → {name}")
            else:
                dropped.append(part)
    return tuple(names)


def _string(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""
