"""Text files that memories cite: in the bundle's folder, and in the project that it lies in."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from stat import S_ISREG
from threading import Lock
from typing import TYPE_CHECKING, Final

from mnemic.adapters.markdown.files import Fs
from mnemic.errors import CitationRefusedError, SourceNotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterator

_KEPT: Final = 8
_WHERE: Final = "Cite a text file of the bundle or of the project that it lies in."


@dataclass(slots=True, eq=False, repr=False)
class CitedFiles:
    """Reads files below `around` and nothing else; safe to use from several threads.

    Attributes:
        root: The bundle's folder: paths are relative to it.
        around: The folder that files must lie in: the bundle's, or the project's around it.
        most_bytes: Larger files are not read.
    """

    root: Path
    around: Path
    most_bytes: int
    _known: OrderedDict[Path, tuple[tuple[int, int, int], tuple[str, ...]]] = field(
        default_factory=OrderedDict, repr=False
    )
    _guard: Lock = field(default_factory=Lock, repr=False)

    def placed(self, given: str) -> str:
        """Where a file that a person names lies, from the bundle's folder.

        Args:
            given: Relative to the working folder or, where there is no such file, to the bundle's; or absolute.

        Raises:
            SourceNotFoundError, CitationRefusedError: As `lines`.
        """
        try:
            here, within = Path(given), self.root / given
            chosen = here if here.exists() else within
            real, _ = self._checked(chosen, given)
            return PurePosixPath(*_way(real, self.root.resolve())).as_posix()
        except ValueError as error:  # another drive
            raise CitationRefusedError(given, "it lies elsewhere", hint=_WHERE) from error

    def lines(self, path: str) -> tuple[str, ...]:
        """The lines of a file, without their ends.

        Args:
            path: From the bundle's folder, with `/`.

        Raises:
            SourceNotFoundError: There is no such file.
            CitationRefusedError: It lies elsewhere, is hidden, no text or too large.
        """
        real, stamp = self._checked(self.root.joinpath(*path.split("/")), path)
        with self._guard:
            known = self._known.get(real)
        if known is not None and known[0] == stamp:
            return known[1]
        read = self._read(real, path)
        with self._guard:
            self._known[real] = (stamp, read)
            self._known.move_to_end(real)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return read

    def _checked(self, place: Path, given: str) -> tuple[Path, tuple[int, int, int]]:
        """The real path of a file that may be read, and what tells whether it changed."""
        try:
            real = place.resolve()
            inside = real.relative_to(self.around.resolve()).parts
        except (ValueError, RuntimeError, OSError) as error:  # elsewhere, a NUL, links in a circle
            raise CitationRefusedError(given, "it lies elsewhere", hint=_WHERE) from error
        if any(name.startswith(".") for name in inside):
            raise CitationRefusedError(given, "it is hidden", hint=_WHERE)
        try:
            facts = real.stat()
        except OSError as error:
            raise SourceNotFoundError(given, (error.strerror or str(error)).lower()) from error
        if not S_ISREG(facts.st_mode):
            raise CitationRefusedError(given, "it is no file", hint=_WHERE)
        if facts.st_size > self.most_bytes:
            raise CitationRefusedError(given, f"it has {facts.st_size:,} bytes, the limit is {self.most_bytes:,}")
        return real, (facts.st_size, facts.st_mtime_ns, facts.st_ino)

    @staticmethod
    def _read(real: Path, given: str) -> tuple[str, ...]:
        try:
            data = Fs().see(str(real)).data
        except OSError as error:
            raise SourceNotFoundError(given, (error.strerror or str(error)).lower()) from error
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise CitationRefusedError(given, "it is no text", hint=_WHERE) from error
        if "\0" in text:
            raise CitationRefusedError(given, "it is no text", hint=_WHERE)
        from mnemic.domain.citations import lines_of  # few bundles cite files

        return tuple(lines_of(text))


def _way(to: Path, start: Path) -> Iterator[str]:
    """The names that lead from a folder to a file that has a folder above in common with it."""
    below = start
    while not to.is_relative_to(below):
        yield ".."
        below = below.parent
    yield from to.relative_to(below).parts
