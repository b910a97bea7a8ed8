"""Keeping what was said in an agent's turn: in the session of its conversation, through the guards of an import."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from mnemic.domain.imports import Imported, ImportedTurn
from mnemic.domain.session import SessionHead, Turn
from mnemic.services.writing.ingest import ingest
from mnemic.text.secret_rules import find_secrets, redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from mnemic.domain.imports import ImportNotes
    from mnemic.domain.session import Role
    from mnemic.services.bundle import Bundle

SOURCE = "agent"
_LONGEST = 80
_HASH_DIGITS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One utterance; `name` tells it from all others of its conversation, so that it is never kept twice."""

    speaker: str
    role: Role
    text: str
    at: datetime
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """What was kept: the session, how many utterances were new, secrets taken out by name, and why others were not."""

    session: str
    added: int = 0
    redacted: Mapping[str, int] = field(default_factory=dict)
    refused: tuple[str, ...] = ()


def log_turn(bundle: Bundle, conversation: str, said: Sequence[Said]) -> Logged:
    """Add utterances to the session of a conversation; those that are there already are not added again.

    Secrets are taken out, or the utterance is left out, as the bundle's rules say, before anything touches a disk.

    Raises:
        ReadOnlyBundleError, BundleBusyError, WriteFailedError: The bundle cannot be written.
    """
    session = session_of(conversation)
    head = SessionHead(id=session, conversation=unicode_of(conversation), source=SOURCE)
    done = ingest(bundle, _Heard(head, said), Path(SOURCE))
    return Logged(
        session=session,
        added=done.added,
        redacted=done.redacted,
        refused=tuple(remark.why for remark in done.report.refused),
    )


def session_of(conversation: str) -> str:
    """The id of the session that a conversation is kept in, the same every time.

    A name that is not plain enough for a file keeps a hash of itself behind what could be kept of it. A secret in it
    is replaced before anything is cut.
    """
    from slugify import slugify

    conversation = unicode_of(conversation)
    clean = redact(conversation, find_secrets(conversation))
    plain = slugify(clean, max_length=_LONGEST)
    if plain == conversation:
        return f"{SOURCE}-{plain}"
    hashed = sha256(conversation.encode()).hexdigest()[:_HASH_DIGITS]
    return "-".join(part for part in (SOURCE, plain, hashed) if part)


def unicode_of(text: str) -> str:
    """The text with a replacement character for each half of a surrogate pair, which no file takes."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@dataclass(frozen=True, slots=True)
class _Heard:
    """What was said, as a source that an import reads."""

    head: SessionHead
    said: Sequence[Said]
    name: str = SOURCE

    def read(self, path: Path, notes: ImportNotes) -> Iterator[Imported]:
        yield Imported(self.head, self._turns(str(path), notes))

    def _turns(self, path: str, notes: ImportNotes) -> Iterator[ImportedTurn]:
        for line, each in enumerate(self.said, 1):
            turn = Turn(
                session=self.head.id,
                number=0,
                at=each.at,
                speaker=unicode_of(each.speaker),
                role=each.role,
                text=unicode_of(each.text),
                source_id=each.name,
            )
            notes.took(turn)
            yield ImportedTurn(turn, path, line)
