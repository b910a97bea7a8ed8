"""The sessions of a folder, read and written: one JSON Lines file each, appended to and never edited, erasure excepted.

Apart from the store in `jsonl.py`, since a recall looks at stamps alone and need not load any of this.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import chain
from typing import IO, TYPE_CHECKING

from mnemic.adapters.jsonlines import Line, lines_of
from mnemic.adapters.sessions import files
from mnemic.adapters.sessions.files import SUFFIX
from mnemic.adapters.sessions.lines import (
    MAX_HEAD_BYTES,
    MAX_LINE_BYTES,
    BadLineError,
    Erased,
    erased_line,
    head_line,
    parse_head,
    parse_turn,
    turn_line,
)
from mnemic.domain.documents import Problem
from mnemic.domain.session import Session, SessionHead, Turn, is_session_id
from mnemic.domain.turns import KnownTurns
from mnemic.errors import DocumentMalformedError, DocumentUnreadableError, SessionNotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from mnemic.domain.documents import Stamp
    from mnemic.domain.session import Appended

_MEND = "Mend the line by hand, or move the file out of the folder and import its source again."


class SessionLog:
    """What `JsonlSessions` does to the files themselves; `stamps` lists those that are there."""

    def __init__(
        self,
        folder: Path,
        *,
        lock: Callable[[], AbstractContextManager[object]],
        prefix: str,
        stamps: Callable[[], list[Stamp]],
    ) -> None:
        self._folder, self._lock, self._prefix, self._stamps = folder, lock, prefix, stamps
        self._grouped = False

    def heads(self) -> Iterator[SessionHead]:
        """Every session, by id; reads first lines only. Files without a head are left to `check`."""
        for session_id in self._ids():
            try:
                with self._opened(session_id) as file:
                    head = self._head(file, session_id)
            except (SessionNotFoundError, DocumentMalformedError, DocumentUnreadableError):
                continue  # erased meanwhile, or broken
            yield head

    def read(self, session_id: str) -> Session:
        """One session whole.

        Raises:
            SessionNotFoundError: There is none of this id.
            DocumentMalformedError: Its file has no head.
        """
        turns: dict[int, tuple[Turn, int]] = {}
        problems: list[Problem] = []
        with self._opened(session_id) as file:
            head = self._head(file, session_id)
            for line, found in _records(file, session_id):
                match found:
                    case Turn():
                        turns[found.number] = found, line.number
                    case Erased():
                        turns.pop(found.number, None)
                    case BadLineError():
                        problems.append(self._problem(session_id, line.number, str(found)))
        ordered = [turns[number] for number in sorted(turns)]
        return Session(
            head=head,
            turns=tuple(turn for turn, _ in ordered),
            path=self._shown(session_id),
            lines=tuple(line for _, line in ordered),
            problems=tuple(problems),
        )

    def read_path(self, path: str) -> Session:
        """The session in the file at this stamp's path. Raises as `read`."""
        folder, _, name = path.rpartition("/")
        if folder != self._prefix or not name.endswith(SUFFIX):
            raise SessionNotFoundError(path)
        return self.read(name.removesuffix(SUFFIX))

    def append(self, head: SessionHead, turns: Iterable[Turn]) -> Appended:
        """Add turns that are not there yet (`domain/turns.py` says which those are); durable on return.

        All of them or none. The head is written with the first turn and stands from then on. A last line that a crash
        has torn is cut off before anything is added.

        Raises:
            InvalidSessionError: A turn that cannot be kept.
            DocumentMalformedError: There is a file of this name that is no session.
            WriteFailedError: The disk refused; the old state stands.
        """
        with self._lock():
            try:
                file = self._opened(head.id, writing=True)
            except SessionNotFoundError:
                return self._create(head, turns)
            with file:
                return self._extend(file, head.id, turns)

    def erase(self, session_id: str, numbers: Sequence[int] | None = None) -> int:
        """Take away a session, or some of its turns; how many turns went.

        The file is written anew without them; a torn last line and an unfinished copy go too. A turn taken from a
        session that stays leaves its number and source id, nothing else. Lines that hold no turn are kept as they are:
        `check` names them.

        Raises:
            SessionNotFoundError: There is no such session.
            WriteFailedError: The disk refused; nothing was erased.
        """
        with self._lock():
            path = self._path(session_id)
            files.remove(self._unfinished(session_id), shown=self._shown(session_id))
            with self._opened(session_id) as file:
                if numbers is not None:
                    return self._erase_turns(file, session_id, frozenset(numbers))
                file.readline()
                gone = {found.number for _, found in _records(file, session_id) if isinstance(found, Turn)}
            files.remove(path, shown=self._shown(session_id))
            files.sync_folder(self._folder)
            return len(gone)

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """Within it, new sessions are sure to survive a power cut only at its end; about three times faster.

        The folder is synchronized once, not once a session. The content of a file is durable before it gets its name,
        inside a group as well.
        """
        self._grouped = True
        try:
            yield
        finally:
            self._grouped = False
            if self._folder.is_dir():
                files.sync_folder(self._folder)

    def check(self) -> list[Problem]:
        """Everything that is wrong with the files, by path and line."""
        problems: list[Problem] = []
        for session_id in self._ids():
            try:
                problems += self.read(session_id).problems
            except SessionNotFoundError:
                continue
            except DocumentMalformedError as error:
                problems.append(self._problem(session_id, error.line or 0, error.why))
            except DocumentUnreadableError as error:
                problems.append(self._problem(session_id, 0, error.why))
        return problems

    def _create(self, head: SessionHead, turns: Iterable[Turn]) -> Appended:
        known = KnownTurns(head.id)
        new = (turn for turn in map(known.admit, turns) if turn is not None)
        first = next(new, None)
        if first is None:
            return known.appended()
        files.make_folder(self._folder, shown=self._prefix)
        with self._replacing(head.id) as out:
            out.write(head_line(head))
            out.writelines(turn_line(turn) for turn in chain((first,), new))
        return known.appended()

    def _extend(self, file: IO[bytes], session_id: str, turns: Iterable[Turn]) -> Appended:
        self._head(file, session_id)
        known = KnownTurns(session_id)
        end = file.tell()
        ended = _ends_with_line_feed(file, end)
        for line, found in _records(file, session_id):
            end, ended = line.end, line.ended
            match found:
                case Turn():
                    known.learn(found)
                case Erased():
                    known.learn_erased(found.number, found.source_id)
                case BadLineError():
                    pass  # not ours to mend here; `check` names it
        new = (turn_line(turn) for turn in map(known.admit, turns) if turn is not None)
        lines = new if ended else _beginning_with_line_feed(new)
        files.append_lines(file, end, lines, shown=self._shown(session_id))
        return known.appended()

    def _erase_turns(self, file: IO[bytes], session_id: str, numbers: frozenset[int]) -> int:
        self._head(file, session_id)
        start = file.tell()
        gone = {
            found.number
            for _, found in _records(file, session_id)
            if isinstance(found, Turn) and found.number in numbers
        }
        if not gone:
            return 0
        file.seek(0)
        with self._replacing(session_id) as out:
            out.write(file.read(start))
            for line, found in _records(file, session_id):
                if isinstance(found, Turn) and found.number in gone:
                    out.write(erased_line(Erased(found.number, found.source_id)))
                else:
                    _copy(file, line, out)
        return len(gone)

    @contextmanager
    def _replacing(self, session_id: str) -> Iterator[IO[bytes]]:
        shown = self._shown(session_id)
        with files.replacing(self._path(session_id), self._unfinished(session_id), shown=shown) as out:
            yield out
        if not self._grouped:
            files.sync_folder(self._folder)

    def _opened(self, session_id: str, *, writing: bool = False) -> IO[bytes]:
        path, shown = self._path(session_id), self._shown(session_id)
        return files.opened(path, session_id=session_id, shown=shown, writing=writing)

    def _head(self, file: IO[bytes], session_id: str) -> SessionHead:
        try:
            return parse_head(file.readline(MAX_HEAD_BYTES), session_id)
        except BadLineError as error:
            raise DocumentMalformedError(self._shown(session_id), str(error), line=1, hint=_MEND) from None

    def _ids(self) -> list[str]:
        return sorted(stamp.path.removeprefix(f"{self._prefix}/").removesuffix(SUFFIX) for stamp in self._stamps())

    def _path(self, session_id: str) -> Path:
        if not is_session_id(session_id):
            raise SessionNotFoundError(session_id)
        return self._folder / f"{session_id}{SUFFIX}"

    def _unfinished(self, session_id: str) -> Path:
        # One name a session: writers hold the lock, so whatever lies there was left by a crash.
        return self._folder / f".{session_id}{SUFFIX}.tmp"

    def _shown(self, session_id: str) -> str:
        return f"{self._prefix}/{session_id}{SUFFIX}"

    def _problem(self, session_id: str, line: int, why: str) -> Problem:
        return Problem(path=self._shown(session_id), line=line, code="session_line", message=why)


def _records(file: IO[bytes], session_id: str) -> Iterator[tuple[Line, Turn | Erased | BadLineError]]:
    """The lines after the head and what each holds. A last line without an end that holds nothing is left out."""
    for line in lines_of(file, limit=MAX_LINE_BYTES, offset=file.tell(), number=2):
        if line.data is not None and not line.data.strip():
            continue
        found = _record(line, session_id)
        if isinstance(found, BadLineError) and not line.ended:
            return  # torn by a crash, and never acknowledged: a whole object ends in }, so no part of one is whole
        yield line, found


def _record(line: Line, session_id: str) -> Turn | Erased | BadLineError:
    if line.data is None:
        return BadLineError(f"it is longer than {MAX_LINE_BYTES:,} bytes")
    try:
        return parse_turn(line.data, session_id)
    except BadLineError as error:
        return error


def _ends_with_line_feed(file: IO[bytes], end: int) -> bool:
    file.seek(end - 1)
    return file.read(1) == b"\n"


def _beginning_with_line_feed(lines: Iterable[bytes]) -> Iterator[bytes]:
    """For a last line that is whole but for its end, as some editors leave it."""
    for number, line in enumerate(lines):
        yield line if number else b"\n" + line


def _copy(file: IO[bytes], line: Line, out: IO[bytes]) -> None:
    if line.data is not None:
        out.write(line.data + b"\n")
        return
    place = file.tell()
    file.seek(line.offset)
    left = line.end - line.offset
    while left and (part := file.read(min(left, MAX_LINE_BYTES))):
        out.write(part)
        left -= len(part)
    file.seek(place)
