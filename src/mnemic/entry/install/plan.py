"""What an installation would change, as values: nothing is written before all of it is known."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING, Final, Protocol

from mnemic.errors import ConfigError, DocumentUnreadableError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mnemic.entry.install.marks import Programs

_LONGEST_SHOWN: Final = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where to install: the home folder, or the project when one is named, and the variables that clients look at."""

    home: Path
    project: Path | None = None
    environment: dict[str, str]
    programs: Programs

    def folder(self, variable: str, *otherwise: str) -> Path:
        """The folder that a variable names, or one in the home folder."""
        from pathlib import Path

        named = self.environment.get(variable, "").strip()
        return Path(named).expanduser() if named else self.home.joinpath(*otherwise)


class Piece(Protocol):
    """One file that belongs to an installation. Both methods raise `ConfigError` for a file that they cannot edit."""

    @property
    def path(self) -> Path:
        """The file."""
        ...

    @property
    def what(self) -> str:
        """What of ours is in it, in a few words."""
        ...

    def installed(self, before: bytes | None) -> bytes | None:
        """The file with ours in it; None stands for no file."""
        ...

    def removed(self, before: bytes | None) -> bytes | None:
        """The file without ours."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client's part: its files, and what a person has to do afterwards."""

    name: str
    title: str
    pieces: tuple[Piece, ...]
    next_steps: tuple[str, ...]
    folder: Path  # of what we write in it, empty folders go at the end


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One file, before and after; None where there is none."""

    path: Path
    what: str
    before: bytes | None
    after: bytes | None

    @property
    def action(self) -> str:
        """`create`, `change`, `remove` or `none`."""
        if self.before == self.after:
            return "none"
        if self.before is None:
            return "create"
        return "remove" if self.after is None else "change"

    def diff(self, *, longest: int = 0) -> str:
        """A unified diff; lines over `longest` characters are cut, where that is given."""
        before, after = _lines(self.before or b"", longest), _lines(self.after or b"", longest)
        names = [str(self.path) if side is not None else "/dev/null" for side in (self.before, self.after)]
        lines = unified_diff(before, after, names[0], names[1])
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything an installation, or its removal, would do."""

    client: Client
    changes: tuple[Change, ...]
    removes: bool

    @property
    def changed(self) -> tuple[Change, ...]:
        """The files that would be another afterwards."""
        return tuple(change for change in self.changes if change.action != "none")


def plan(client: Client, *, remove: bool) -> Plan:
    """Read all files and work out what becomes of them; writes nothing.

    Raises:
        ConfigError: Files that cannot be edited, all of them named.
        DocumentUnreadableError: A file that the system does not let us read.
    """
    changes, mistakes = [], []
    for piece in client.pieces:
        try:
            before = _content(piece.path)
            after = piece.removed(before) if remove else piece.installed(before)
            changes.append(Change(path=piece.path, what=piece.what, before=before, after=after))
        except ConfigError as error:
            mistakes.append(error)
    if mistakes:
        _refuse(mistakes)
    return Plan(client=client, changes=tuple(changes), removes=remove)


def _refuse(mistakes: Sequence[ConfigError]) -> None:
    said = " ".join(mistake.message for mistake in mistakes)
    raise ConfigError(f"{said} Nothing was changed.", hint=mistakes[0].hint)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DocumentUnreadableError(str(path), (error.strerror or str(error)).lower()) from None


def _lines(data: bytes, longest: int) -> list[str]:
    lines = data.decode("utf-8", "replace").splitlines(keepends=True)
    if not longest:
        return lines
    return [line if len(line) <= longest else f"{line[:longest]}… ({len(line):,} characters)\n" for line in lines]


def shown_diff(change: Change) -> str:
    """The diff for a terminal, where one line of a file may be a megabyte."""
    return change.diff(longest=_LONGEST_SHOWN)
