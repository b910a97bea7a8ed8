r"""Where a statement was taken from, so exactly that it can be looked up: turns of a session, or lines of a file.

A citation is kept in a memory's provenance: `session` and `turns`, or a `locator` of the form `file:PATH:10-14`; and
`sha256`, the digest of the cited text in its canonical form (UTF-8 of what `canonical_lines` or `canonical_turns`
give). docs/explanation/trust-provenance.md is the contract.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from mnemic.domain.ids import SESSION_PREFIX
from mnemic.errors import InvalidCitationError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.domain.provenance import Provenance
    from mnemic.domain.session import Turn

FILE_PREFIX: Final = "file:"
MOST_LINES: Final = 200
MOST_TURNS: Final = 50
_NUMBERS: Final = re.compile(r"([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?\Z")
_FORMS: Final = "Write session:ID#3, session:ID#3-5, notes/plan.md:10 or notes/plan.md:10-14."


class Standing(StrEnum):
    """Whether the source still says what was cited."""

    INTACT = "intact"
    MOVED = "moved"
    """It does, at other lines of the file."""
    CHANGED = "changed"
    """It is there, and says something else."""
    MISSING = "missing"
    """It is there no more."""


STALE: Final = frozenset({Standing.CHANGED, Standing.MISSING})


@dataclass(frozen=True, slots=True)
class TurnsCited:
    """Turns of a session, by their first and last number."""

    session: str
    first: int
    last: int

    @property
    def told(self) -> str:
        """As it is written."""
        return f"{SESSION_PREFIX}{self.session}#{_span(self.first, self.last)}"


@dataclass(frozen=True, slots=True)
class LinesCited:
    """Lines of a file, from 1. `path` is relative to the bundle's folder, with `/`; it may begin with `../`."""

    path: str
    first: int
    last: int

    @property
    def told(self) -> str:
        """As it is written."""
        return f"{self.path}:{_span(self.first, self.last)}"


@dataclass(frozen=True, slots=True)
class Citation:
    """What a memory cites, and whether that stands. `now` says where it is found today, when it moved."""

    cited: TurnsCited | LinesCited
    standing: Standing
    now: str = ""

    @property
    def stale(self) -> bool:
        """Whether the source does not say so any more."""
        return self.standing in STALE

    @property
    def told(self) -> str:
        """`session:kitchen#3-5, intact`."""
        return f"{self.cited.told}, {self.standing}{f' to {self.now}' if self.now else ''}"


def parse_citation(text: str) -> TurnsCited | LinesCited:
    """What `--cites` names.

    Raises:
        InvalidCitationError: It is neither of the two forms, or names too much.
    """
    given = text.strip()
    is_session = given.startswith(SESSION_PREFIX)
    place, _, numbers = given.rpartition("#" if is_session else ":")
    found = _NUMBERS.match(numbers)
    place = place.removeprefix(SESSION_PREFIX) if is_session else place
    if not found or not place:
        raise InvalidCitationError(given, "it names no turns and no lines", hint=_FORMS)
    first, last = int(found[1]), int(found[2] or found[1])
    most = MOST_TURNS if is_session else MOST_LINES
    if last < first:
        raise InvalidCitationError(given, "it ends before it begins", hint=_FORMS)
    if last - first >= most:
        what = "turns" if is_session else "lines"
        raise InvalidCitationError(
            given, f"it names {last - first + 1:,} {what}", hint=f"Cite at most {most}: those that say it."
        )
    return TurnsCited(place, first, last) if is_session else LinesCited(place.replace("\\", "/"), first, last)


def citation_in(source: Provenance) -> TurnsCited | LinesCited | None:
    """What a provenance cites; None when it cites nothing that can be looked up."""
    if not source.sha256:
        return None
    if source.session and source.turns:
        return TurnsCited(source.session, min(source.turns), max(source.turns))
    if not source.locator.startswith(FILE_PREFIX):
        return None
    try:
        found = parse_citation(source.locator.removeprefix(FILE_PREFIX))
    except InvalidCitationError:
        return None
    return found if isinstance(found, LinesCited) else None


def canonical_lines(lines: Sequence[str]) -> str:
    """Lines as they are compared: composed (NFC), without blanks at their ends, joined by line feeds."""
    return "\n".join(_plain(line) for line in lines)


def canonical_turns(turns: Sequence[Turn]) -> str:
    """Turns as they are compared: `speaker: text`, below it a `[text]` for what was shown; a blank line between."""
    return "\n\n".join(
        "\n".join(
            (_plain_text(f"{turn.speaker}: {turn.text}"), *(f"[{_plain_text(each)}]" for each in turn.attachments))
        )
        for turn in turns
    )


def digest_of(canonical: str) -> str:
    """The SHA-256 of a canonical text, in hex digits."""
    from hashlib import sha256  # takes 2 ms to load

    return sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def lines_of(text: str) -> list[str]:
    r"""The lines of a file, whether it ends them with `\n`, `\r\n` or `\r`."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines and not lines[-1] else lines


def _plain(line: str) -> str:
    return unicodedata.normalize("NFC", line).rstrip()


def _plain_text(text: str) -> str:
    return "\n".join(_plain(line) for line in lines_of(text))


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
