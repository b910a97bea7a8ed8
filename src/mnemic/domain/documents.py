"""Files of a bundle as values: what was seen of them, what stands in them, what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mnemic.domain.memory import Memory


class Stamp(NamedTuple):
    """What a directory scan sees of one file; enough to notice most changes without reading it.

    `path` is relative to the bundle, with `/`. A tuple, since every recall compares thousands of them.
    """

    path: str
    size: int
    mtime_ns: int
    inode: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A mistake in somebody's file: a value to collect and show, not an exception.

    `line` counts from 1; 0 when it concerns the whole file. `repairable`: `check --repair` mends it.
    """

    path: str
    line: int
    code: str
    message: str
    repairable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A memory and where it stands: document, first line of its text (from 1), revision."""

    memory: Memory
    path: str
    line: int
    revision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One file, read: its memories and its problems. `sha256` is of its bytes."""

    path: str
    sha256: str
    memories: tuple[Located, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What a check found and, if asked to, mended."""

    documents: int
    problems: tuple[Problem, ...] = ()
    repaired: tuple[Problem, ...] = ()
    recovered_copies: tuple[str, ...] = ()

    @property
    def healthy(self) -> bool:
        """Nothing is wrong any more."""
        return not self.problems
