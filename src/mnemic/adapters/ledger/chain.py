"""The ledger as one file of JSON Lines, appended to and never edited."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC
from stat import S_ISDIR, S_ISREG
from typing import IO, TYPE_CHECKING

from mnemic.adapters.ledger.anchor import Anchor, AnchorFile, Gap, noted
from mnemic.adapters.ledger.canonical import LONGEST_LINE, event_of, line_of, uid_member
from mnemic.adapters.ledger.checking import check, lines_from, sealed
from mnemic.adapters.ledger.seals import NO_SEAL, add_seal, is_due, last_seal, may_be_due, seals_at
from mnemic.adapters.ledger.tail import Tail, tail_of
from mnemic.adapters.sessions.files import reason, sync_folder
from mnemic.domain.ledger import BEGINNING, Deed, Event, Flaw
from mnemic.errors import LedgerError, VaultError, WriteFailedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from mnemic.domain.ledger import Act, LedgerReport

NAME = "ledger.jsonl"
ANCHOR = "ledger.anchor"
SEALS = "ledger.seals"


class JsonlLedger:
    """`Ledger` in a folder; passes `testing/contracts/`, as every ledger does.

    Args:
        folder: Where `ledger.jsonl`, `ledger.anchor` and `ledger.seals` are; made at the first append.
        lock: Gives the bundle's lock, held while something is appended. Readers never take it.
        key: What the anchor is signed with; None where there is none. A VaultError from it counts as none: then events
            are recorded all the same, and the anchor catches up when the key is back.
    """

    def __init__(
        self,
        folder: Path,
        *,
        lock: Callable[[], AbstractContextManager[object]],
        key: Callable[[], bytes | None],
    ) -> None:
        self.path, self._seals = folder / NAME, folder / SEALS
        self._anchor = AnchorFile(folder / ANCHOR)
        self._lock = lock
        self._given_key = key
        self._known: Tail | None = None

    def append(self, acts: Sequence[Act], *, durable: bool = False) -> tuple[Event, ...]:
        """Record acts in order; the events they became, or, for what the last events tell already, those.

        A last line that a crash has torn is completed or cut off before. What is found missing at the end is noted in
        the anchor, so that going on does not hide it.

        Args:
            acts: What was done.
            durable: Wait for the disk. Without, a power cut may take the last events (a killed process takes none).

        Raises:
            WriteFailedError: The disk refused; nothing was recorded.
            LedgerError: Something else is in its place.
        """
        if not acts:
            return ()
        with self._lock():
            try:
                with self._made() as file:
                    return self._append(file, acts, durable=durable)
            except OSError as error:
                raise WriteFailedError(str(self.path), reason(error)) from error

    def events(self, *, uid: str | None = None, after: int = 0) -> Iterator[Event]:
        """Events in order, those of one memory, or those after a number; lines that are none are left to `verify`."""
        wanted = None if uid is None else uid_member(uid)
        with suppress(FileNotFoundError), self._reading() as file:
            for line, whole in lines_from(file):
                if not whole or (wanted is not None and wanted not in line):
                    continue
                event = event_of(line)
                if event is not None and event.seq > after:
                    yield event

    def lines(self) -> Iterator[tuple[bytes, Event | None]]:
        """Every whole line as it stands, damaged ones too."""
        with suppress(FileNotFoundError), self._reading() as file:
            for line, whole in lines_from(file):
                if whole:
                    yield line, event_of(line)

    def head(self) -> tuple[int, str]:
        """Number and hash of the last event; 0 and zeros before the first. Whoever notes it elsewhere can compare."""
        known = self._known
        if known is not None and known.still_stands(self.path):
            return known.seq, known.last
        try:
            with self._reading() as file:
                tail = self._tail(file)
        except FileNotFoundError:
            return 0, BEGINNING
        return tail.seq, tail.last

    def verify(self) -> LedgerReport:
        """Read the whole ledger from the disk and tell everything that is wrong with it. Raises LedgerError."""
        key, why = self._key()
        try:
            signed = self._anchor.read(key)  # first: what is appended meanwhile is beyond it, not missing
            seals = seals_at(self._seals, key)
            try:
                with self._reading() as file:
                    return check(file, signed, seals, keyless=why)
            except FileNotFoundError:
                return check(None, signed, (), keyless=why)
        except OSError as error:
            raise LedgerError(str(self.path), reason(error)) from error

    def _append(self, file: IO[bytes], acts: Sequence[Act], *, durable: bool) -> tuple[Event, ...]:
        tail = self._tail(file)
        key, _ = self._key()
        founded = any(act.deed is Deed.FOUND for act in acts)
        before = None if key is None else self._anchored(file, tail, key, founded=founded)
        if before is not None and key is not None and not (tail.end or before.turn):
            self._anchor.write(before, key, durable=durable)  # so that a missing one always means something
            before = replace(before, turn=1)
        seq, last, lines, events = tail.seq, tail.last, bytearray(), []
        window, latest = tail.window + tail.heal, dict[str, Event]()
        for act in acts:
            known = latest.get(act.uid)
            if known is not None:
                event = known if known.act.is_repeated_by(act) else None
            else:
                event = _recorded(act, window if act.uid else window + lines)
            if event is None:
                line, digest = line_of(act, seq + 1, last)
                event = Event(act=replace(act, at=act.at.astimezone(UTC)), seq=seq + 1, prev=last, hash=digest)
                seq, last = seq + 1, digest
                lines += line
                if act.uid:
                    latest[act.uid] = event
            events.append(event)
        if lines or tail.heal:
            _write(file, tail, tail.heal + lines, durable=durable)
            tail = tail.grown(file, seq, last, tail.heal + lines)
        self._known = tail
        if key is not None and before is not None and (seq, last) != (before.seq, before.hash):
            self._anchor.write(replace(before, seq=seq, hash=last), key, durable=durable)
            if may_be_due(tail.end - len(lines), tail.end):
                self._seal(file, tail.end, key)
        if durable and tail.end == len(lines):
            sync_folder(self.path.parent)
        return tuple(events)

    def _anchored(self, file: IO[bytes], tail: Tail, key: bytes, *, founded: bool) -> Anchor:
        """The anchor as it is, or one that tells what is wrong with it; its turn is that of the one to be written."""
        signed = self._anchor.read(key)
        if signed is None:
            if founded or not tail.end:  # without a key there never was an anchor
                return Anchor() if not tail.end else Anchor(seq=0, hash="")
            return Anchor(gaps=(Gap(Flaw.ANCHOR_MISSING, 0, tail.seq),), seq=0, hash="")
        anchor = signed.anchor
        if anchor is None or not signed.good:
            return Anchor(gaps=(Gap(Flaw.ANCHOR_FORGED, anchor.seq if anchor else 0, tail.seq),))
        if anchor.seq > tail.seq:
            gap = Gap(Flaw.CUT, anchor.seq, tail.seq)
        elif not self._holds(file, anchor, tail, key):
            gap = Gap(Flaw.REWRITTEN, anchor.seq, tail.seq)
        else:
            return replace(anchor, turn=anchor.turn + 1)
        self._seals.unlink(missing_ok=True)
        return Anchor(seq=0, hash="", gaps=noted(anchor.gaps, gap), turn=anchor.turn + 1)

    def _holds(self, file: IO[bytes], anchor: Anchor, tail: Tail, key: bytes) -> bool:
        """Whether the event that the anchor vouches for is in the ledger, at the end of the sealed part or after it."""
        if anchor.seq == tail.seq:
            return anchor.hash == tail.last
        if not anchor.seq:
            return True
        begin = (last_seal(self._seals, key) or NO_SEAL).end
        file.seek(max(0, begin - LONGEST_LINE))  # it may be the last that was sealed
        return any(f'"hash":"{anchor.hash}"'.encode() in line for line, _ in lines_from(file))

    def _seal(self, file: IO[bytes], end: int, key: bytes) -> None:
        """Seal what is not yet, when it is enough and nothing is wrong with it."""
        last = last_seal(self._seals, key)
        if last is None or last.end > end:  # spoilt: begun anew, from the first line
            self._seals.unlink(missing_ok=True)
            last = NO_SEAL
        if is_due(end, last) and (seal := sealed(file, last)) is not None:
            add_seal(self._seals, seal, key)

    def _tail(self, file: IO[bytes]) -> Tail:
        """How the file ends; taken from memory where nobody else has touched it."""
        known = self._known
        if known is not None and known.still_is(file):
            return known
        return tail_of(file)

    def _key(self) -> tuple[bytes | None, str]:
        """The key, or why there is none."""
        try:
            key = self._given_key()
        except VaultError as error:
            return None, error.message
        return key, "" if key is not None else "this bundle has no key"

    @contextmanager
    def _reading(self) -> Iterator[IO[bytes]]:
        """The file, while it is read; raises FileNotFoundError where there is none, LedgerError for all else."""
        try:
            with self._opened(writing=False) as file:
                yield file
        except FileNotFoundError:
            raise
        except OSError as error:
            raise LedgerError(str(self.path), reason(error)) from error

    def _made(self) -> IO[bytes]:
        """The file, for an append; made where there is none, as is its folder."""
        with suppress(FileNotFoundError):
            return self._opened(writing=True)
        self.path.parent.mkdir(exist_ok=True, mode=0o700)  # a bundle that went away stays away
        return self._opened(writing=True)

    def _opened(self, *, writing: bool) -> IO[bytes]:
        def carefully(path: str, flags: int) -> int:
            # A link may lead anywhere, and a named pipe would hold us for ever.
            flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | (os.O_CREAT if writing else 0)
            descriptor = os.open(path, flags, 0o600)
            mode = os.fstat(descriptor).st_mode
            if not S_ISREG(mode):
                os.close(descriptor)
                raise LedgerError(path, "it is a folder" if S_ISDIR(mode) else "it is not a file")
            return descriptor

        try:
            return open(self.path, "r+b" if writing else "rb", buffering=0, opener=carefully)
        except OSError as error:
            if self.path.is_dir():
                raise LedgerError(str(self.path), "it is a folder") from error
            if self.path.is_symlink():
                raise LedgerError(str(self.path), "it is a symbolic link") from error
            raise


def _recorded(act: Act, window: bytes) -> Event | None:
    """The event that tells of this act already: the last of its memory, if there is one among the last events."""
    end = len(window)
    needle = uid_member(act.uid)
    if needle not in window:  # faster than looking from the end, and so for nearly all
        return None
    while (at := window.rfind(needle, 0, end)) >= 0:
        begin = window.rfind(b"\n", 0, at) + 1
        event = event_of(window[begin : window.find(b"\n", at)])
        if event is not None and (act.uid or event.act.deed is act.deed):
            if event.act.is_repeated_by(act):
                return event
            if act.uid:
                return None
        end = begin
    return None


def _write(file: IO[bytes], tail: Tail, data: bytes, *, durable: bool) -> None:
    """Put `data` in the place of a torn line; all of it or nothing."""
    try:
        if tail.size != tail.end:
            file.truncate(tail.end)
        file.seek(tail.end)
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) :]
        if durable:
            os.fsync(file.fileno())
    except BaseException:
        with suppress(OSError):
            file.truncate(tail.end)
        raise
