"""Bringing in conversations: every turn passes the guards before it touches the disk, secrets never do."""

from __future__ import annotations

from collections import Counter, deque
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mnemic.domain.imports import ImportNotes, ImportReport
from mnemic.domain.policy import OnSecret
from mnemic.domain.turns import KnownTurns
from mnemic.errors import (
    DocumentMalformedError,
    DocumentUnreadableError,
    ReadOnlyBundleError,
    SessionNotFoundError,
)
from mnemic.text.secret_rules import find_secrets, redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from mnemic.domain.imports import Imported, ImportedTurn, Importer
    from mnemic.domain.session import Appended, SessionHead, Turn
    from mnemic.ports import Progress
    from mnemic.services.bundle import Bundle


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What an import did. `added` and `known` count turns; `redacted` counts secrets taken out, by their name."""

    report: ImportReport
    added: int = 0
    known: int = 0
    conflicts: int = 0
    redacted: Mapping[str, int] = field(default_factory=dict)
    dry_run: bool = False


def ingest(
    bundle: Bundle, importer: Importer, path: Path, *, dry_run: bool = False, progress: Progress | None = None
) -> Ingested:
    """Read a source and append what is new of it to the bundle's sessions.

    A session whose own file in the bundle cannot be read is reported and left out; the others are brought in.

    A second import of the same source adds nothing, so one that was stopped goes on where it stopped when it is
    called again.

    Args:
        bundle: Where it goes.
        importer: Reads the source's format.
        path: The file or folder.
        dry_run: Read and guard everything, write nothing.
        progress: Told after every session.

    Raises:
        ImportSourceError: The source cannot be read as this format.
        ReadOnlyBundleError: The bundle cannot be written.
    """
    if bundle.store.read_only and not dry_run:
        raise ReadOnlyBundleError(bundle.store.location)
    notes = ImportNotes()
    guard = _TurnGuard(bundle, notes)
    added = known = conflicts = 0
    with nullcontext() if dry_run else bundle.sessions.grouped():
        for number, imported in enumerate(importer.read(path, notes), 1):
            head = guard.clean_head(imported.head)
            places: list[tuple[str, int]] = []
            turns = guard.clean_turns(imported, head, places)
            try:
                done = _would_append(bundle, head, turns) if dry_run else bundle.sessions.append(head, turns)
            except (DocumentMalformedError, DocumentUnreadableError) as error:
                # One broken file must not keep the other sessions out.
                line = error.line or 0 if isinstance(error, DocumentMalformedError) else 0
                notes.refuse(error.path, line, "file", f"{error.why}; session {head.id} was left as it is")
                deque(turns, maxlen=0)  # what is wrong with its lines in the source is told all the same
                continue
            added, known, conflicts = added + done.added, known + done.known, conflicts + len(done.conflicts)
            for conflict in done.conflicts:
                why = f"turn {conflict.number} of {head.id} is stored with other words; the stored one stands"
                notes.refuse(*places[conflict.position], "conflict", why)
            if progress is not None:
                progress(number, None, "sessions")
    return Ingested(
        report=notes.report(),
        added=added,
        known=known,
        conflicts=conflicts,
        redacted=dict(guard.redacted),
        dry_run=dry_run,
    )


def _would_append(bundle: Bundle, head: SessionHead, turns: Iterator[Turn]) -> Appended:
    """What an append would do, without doing it."""
    known = KnownTurns(head.id)
    with suppress(SessionNotFoundError):
        for stored in bundle.sessions.read(head.id).turns:
            known.learn(stored)
    for turn in turns:
        known.admit(turn)
    return known.appended()


class _TurnGuard:
    """Sizes and secrets of turns, by the bundle's policy."""

    def __init__(self, bundle: Bundle, notes: ImportNotes) -> None:
        self._limit = bundle.policy.limits.turn_characters
        self._refuse = bundle.policy.rules.secrets_in_sessions is OnSecret.REFUSE
        self._notes = notes
        self.redacted: Counter[str] = Counter()

    def clean_head(self, head: SessionHead) -> SessionHead:
        """The head without secrets; it has no line of its own to refuse, so they are always taken out."""
        return replace(
            head,
            title=self._redacted(head.title),
            conversation=self._redacted(head.conversation),
            project=self._redacted(head.project),
        )

    def clean_turns(self, imported: Imported, head: SessionHead, places: list[tuple[str, int]]) -> Iterator[Turn]:
        """The turns that may be kept, as they may be kept; `places` gets the file and line of each."""
        for item in imported.turns:
            turn = self._clean(item)
            if turn is not None:
                places.append((item.path, item.line))
                yield replace(turn, session=head.id)

    def _clean(self, item: ImportedTurn) -> Turn | None:
        turn = item.turn
        size = len(turn.text) + sum(map(len, turn.attachments))
        if size > self._limit:
            why = f"the turn has {size:,} characters; the limit is {self._limit:,} (limits.turn_characters)"
            self._notes.refuse(item.path, item.line, "limit", why)
            return None
        if self._refuse and any(find_secrets(text) for text in (turn.text, turn.speaker, *turn.attachments)):
            self._notes.refuse(item.path, item.line, "secret", "the turn holds what looks like a secret")
            return None
        return replace(
            turn,
            text=self._redacted(turn.text),
            speaker=self._redacted(turn.speaker),
            attachments=tuple(map(self._redacted, turn.attachments)),
        )

    def _redacted(self, text: str) -> str:
        findings = find_secrets(text) if text else ()
        if not findings:
            return text
        self.redacted.update(finding.name for finding in findings)
        return redact(text, findings)
