"""What an importer hands over, and what it has to say about the lines it did not take."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from mnemic.domain.session import SessionHead, Turn

SHOWN_REMARKS = 50


class ImportedTurn(NamedTuple):
    """A turn and the line of the source it stands in, from 1; 0 where the source has no lines worth naming."""

    turn: Turn
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Imported:
    """A session found in a source.

    `turns` reads on in the source: it is used up once, and before the next session is asked for. A session may come
    in several parts (a conversation that two files hold); a turn that comes again is known by its name. Nothing in it
    has been looked at for secrets or length: title, project, conversation, speakers, texts and attachments pass the
    guards before they are kept.
    """

    head: SessionHead
    turns: Iterator[ImportedTurn]


class Importer(Protocol):
    """Reads conversations of one format."""

    @property
    def name(self) -> str:
        """What `mnemic import NAME` calls it, and the `source` of its sessions."""
        ...

    def read(self, path: Path, notes: ImportNotes) -> Iterator[Imported]:
        """The sessions in a file or folder, one after the other; at most one is in memory.

        Raises:
            ImportSourceError: There is no such file, it cannot be read, or it is no text of this format at all.
        """
        ...


@dataclass(frozen=True, slots=True, order=True)
class Remark:
    """A line of a source that was refused, or not taken as it stood. Lines count from 1; 0 is the whole file.

    `code` is one of the reasons in docs/reference/chat-format.md, or `order`.
    """

    path: str
    line: int
    code: str
    why: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.why}" if self.line else f"{self.path}: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an importer read. `refused` and `mended` hold the first 50 remarks by line, the counts are of all.

    `counts` says, by name, how often something else was met: what was left out on purpose, record types and fields
    nobody knows, moments without an offset.
    """

    sessions: int
    turns: int
    refused: tuple[Remark, ...] = ()
    refused_count: int = 0
    mended: tuple[Remark, ...] = ()
    mended_count: int = 0
    counts: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


class ImportNotes:
    """Collects what an importer meets on its way; each import gets a new one."""

    def __init__(self) -> None:
        self._sessions: set[str] = set()
        self._turns = 0
        self._refused = _Remarks()
        self._mended = _Remarks()
        self._counts: Counter[str] = Counter()

    def took(self, turn: Turn) -> None:
        """A turn was handed over."""
        self._sessions.add(turn.session)
        self._turns += 1

    def refuse(self, path: str, line: int, code: str, why: str) -> None:
        """A line was left out because it could not be understood or may not be kept."""
        self._refused.add(Remark(path, line, code, why))

    def mend(self, path: str, line: int, code: str, why: str) -> None:
        """A line was taken, but not as it stood, or although it looks odd."""
        self._mended.add(Remark(path, line, code, why))

    def count(self, what: str, number: int = 1) -> None:
        """Something was met that is worth a number, not a line each."""
        self._counts[what] += number

    def report(self) -> ImportReport:
        """Everything so far."""
        return ImportReport(
            sessions=len(self._sessions),
            turns=self._turns,
            refused=self._refused.shown(),
            refused_count=self._refused.count,
            mended=self._mended.shown(),
            mended_count=self._mended.count,
            counts=MappingProxyType(dict(sorted(self._counts.items()))),
        )


class _Remarks:
    """The first few of possibly very many remarks, and how many there were."""

    def __init__(self) -> None:
        self.count = 0
        self._kept: list[Remark] = []

    def add(self, remark: Remark) -> None:
        self.count += 1
        if len(self._kept) < SHOWN_REMARKS:
            self._kept.append(remark)

    def shown(self) -> tuple[Remark, ...]:
        return tuple(sorted(self._kept))
