"""An event as a line of bytes: JSON in one only form, so that equal events are equal bytes.

Keys in order, no blanks, no fractions, UTF-8 as given. The hash is SHA-256 of the line without its own member `hash`
and without the line feed; anybody can check a ledger with ten lines of any language.
"""

from __future__ import annotations

import json
import re
from datetime import UTC
from hashlib import sha256
from typing import NamedTuple

from mnemic.domain.instants import format_instant, parse_instant
from mnemic.domain.ledger import Act, Deed, Event
from mnemic.errors import InvalidTimeError

LONGEST_LINE = 4096
"""Bytes of a line; an event has some 350."""
_FORM = re.compile(
    rb'\{"at":"([0-9T:.-]{19,26}Z)","commitment":"((?:[0-9a-f]{64})?)","deed":"([a-z]+)",'
    rb'"hash":"([0-9a-f]{64})",(?:"prev":"([0-9a-f]{64})","seq":([1-9][0-9]{0,17}),'
    rb'"uid":"((?:[^"\\\x00-\x1f]|\\["\\])*)","version":(0|[1-9][0-9]{0,17})\})'
)
_BEFORE_HASH = len(',"hash":"')


class Link(NamedTuple):
    """What a chain needs of a line: its place, its own hash as stated and as computed, the hash before it."""

    seq: int
    stated: str
    computed: str
    prev: str


def line_of(act: Act, seq: int, prev: str) -> tuple[bytes, str]:
    """The line of an event, with its line feed, and its hash."""
    head = f'{{"at":"{format_instant(act.at)}","commitment":"{act.commitment}","deed":"{act.deed}"'
    uid = json.dumps(act.uid, ensure_ascii=False)
    rest = f'"prev":"{prev}","seq":{seq},"uid":{uid},"version":{act.version}}}'
    digest = sha256(f"{head},{rest}".encode()).hexdigest()
    return f'{head},"hash":"{digest}",{rest}\n'.encode(), digest


def link_of(line: bytes) -> Link | None:
    """The link that a line (without its line feed) is; None when it has not the form of an event."""
    match = _FORM.fullmatch(line)
    if match is None:
        return None
    begin, end = match.span(4)
    computed = sha256(line[: begin - _BEFORE_HASH] + line[end + 1 :]).hexdigest()
    return Link(int(match[6]), match[4].decode(), computed, match[5].decode())


def event_of(line: bytes) -> Event | None:
    """The event of a line (without its line feed); None when it is none that we could have written."""
    match = _FORM.fullmatch(line)
    if match is None:
        return None
    try:
        act = Act(
            at=parse_instant(match[1].decode()).astimezone(UTC),
            deed=Deed(match[3].decode()),
            uid=json.loads(b'"' + match[7] + b'"'),
            version=int(match[8]),
            commitment=match[2].decode(),
        )
    except (ValueError, InvalidTimeError):
        return None
    return Event(act=act, seq=int(match[6]), prev=match[5].decode(), hash=match[4].decode())


def uid_member(uid: str) -> bytes:
    """The bytes by which a line names this memory."""
    return f'"uid":{json.dumps(uid, ensure_ascii=False)},"version":'.encode()
