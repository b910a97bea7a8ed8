"""The lines of a session file: the head, a turn, the trace of an erased turn."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from mnemic.domain.session import Role, SessionHead, Turn
from mnemic.errors import InvalidSessionError

FORMAT = "mnemic-session/1"
MAX_LINE_BYTES = 8 * 1024 * 1024  # a turn of 200,000 characters, the usual limit, needs 1.2 MB at most
MAX_HEAD_BYTES = 64 * 1024
_HEAD_TEXTS = ("title", "conversation", "source", "project")
_MINUTE = timedelta(minutes=1)


class Erased(NamedTuple):
    """What is left of an erased turn, so that its number is not given again and an import does not bring it back."""

    number: int
    source_id: str


class BadLineError(Exception):
    """A line that is not what it should be; says why."""


def head_line(head: SessionHead) -> bytes:
    """The first line of a file.

    Raises:
        InvalidSessionError: A text that is no Unicode, or far too long.
    """
    fields = {"format": FORMAT, "id": head.id, **{name: getattr(head, name) for name in _HEAD_TEXTS}}
    return _line(fields, f"The head of session {head.id}", limit=MAX_HEAD_BYTES)


def turn_line(turn: Turn) -> bytes:
    """The line of one turn.

    Raises:
        InvalidSessionError: A text that is no Unicode (half of a surrogate pair), or far too long.
    """
    fields: dict[str, object] = {
        "n": turn.number,
        "at": _moment(turn.at),
        "speaker": turn.speaker,
        "role": str(turn.role),
        "text": turn.text,
    }
    if turn.attachments:
        fields["attachments"] = turn.attachments
    if turn.source_id:
        fields["source_id"] = turn.source_id
    return _line(fields, f"Turn {turn.id}")


def erased_line(erased: Erased) -> bytes:
    """The line that takes the place of an erased turn."""
    fields: dict[str, object] = {"n": erased.number, "erased": True}
    if erased.source_id:
        fields["source_id"] = erased.source_id
    return _line(fields, "An erased turn")


def parse_head(data: bytes, session_id: str) -> SessionHead:
    """The head of the session `session_id` from the first line of its file.

    Raises:
        BadLineError: It is none, or another session's.
    """
    fields = _object(data.removeprefix(b"\xef\xbb\xbf"))
    if fields.get("format") != FORMAT:
        raise BadLineError(f"the first line does not say that the format is {FORMAT}")
    if fields.get("id") != session_id:
        raise BadLineError("the first line names another session than the file")
    return SessionHead(id=session_id, **{name: _text(fields, name) for name in _HEAD_TEXTS})


def parse_turn(data: bytes, session_id: str) -> Turn | Erased:
    """The turn of a line, or the trace of one.

    Raises:
        BadLineError: It holds neither.
    """
    fields = _object(data)
    number = fields.get("n")
    if type(number) is not int or number < 1:
        raise BadLineError("it has no turn number")
    source_id = _text(fields, "source_id")
    if fields.get("erased") is True:
        return Erased(number, source_id)
    attachments = fields.get("attachments", [])
    if type(attachments) is not list or not all(type(item) is str for item in attachments):
        raise BadLineError("its attachments are no list of texts")
    return Turn(
        session=session_id,
        number=number,
        at=_parse_moment(fields.get("at")),
        speaker=_text(fields, "speaker"),
        role=_role(fields.get("role")),
        text=_text(fields, "text", required=True),
        attachments=tuple(attachments),
        source_id=source_id,
    )


def _line(fields: dict[str, object], what: str, *, limit: int = MAX_LINE_BYTES) -> bytes:
    from json import dumps

    try:
        line = dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError:
        raise InvalidSessionError(f"{what} holds half of a surrogate pair, which is no text.") from None
    if len(line) > limit:
        raise InvalidSessionError(f"{what} needs {len(line):,} bytes; the limit is {limit:,}.")
    return line


def _moment(at: datetime) -> str:
    """RFC 3339 with the offset it came with: the speaker's own day tells what "yesterday" was."""
    offset = at.utcoffset()
    if offset is None or offset % _MINUTE:  # local mean time, for example: RFC 3339 has no seconds in an offset
        at = at.astimezone(UTC)
    text = at.isoformat(timespec="auto" if at.microsecond else "seconds")
    return f"{text[:-6]}Z" if text.endswith("+00:00") else text


def _object(data: bytes) -> dict[str, object]:
    from json import loads  # a recall that only looks at stamps does without

    try:
        value = loads(data.decode())
    except UnicodeDecodeError:
        raise BadLineError("it is not UTF-8") from None
    except (ValueError, RecursionError):
        raise BadLineError("it is not JSON") from None
    if type(value) is not dict:
        raise BadLineError("it is no JSON object")
    return value


def _text(fields: dict[str, object], name: str, *, required: bool = False) -> str:
    value = fields.get(name, None if required else "")
    if type(value) is not str:
        raise BadLineError(f"{name} is no text")
    return value


def _parse_moment(value: object) -> datetime:
    try:
        at = datetime.fromisoformat(value)  # type: ignore[arg-type]  # a TypeError is the answer we want
    except (TypeError, ValueError):
        raise BadLineError("at is no moment") from None
    if at.tzinfo is None:
        raise BadLineError("at has no offset from UTC")
    return at


def _role(value: object) -> Role:
    try:
        return Role(value)  # type: ignore[arg-type]  # any other value is refused by the enumeration
    except ValueError:
        raise BadLineError("role is none of user, assistant, tool, system") from None
