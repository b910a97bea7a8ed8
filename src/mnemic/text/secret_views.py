"""Readings of one text, in which a secret can no longer hide, with the way back to the offsets of the text.

A key cut in two by a zero-width space, written in full-width letters or wrapped by a terminal is still a key.
Each reading undoes one such disguise; `View.span` tells where a match in the reading stands in the text itself.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import cache
from typing import NamedTuple

# Zero-width and joining characters, soft hyphen, bidi controls, variation selectors, tag characters, byte order mark.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
_MARKS = "\u0300-\u034e\u0350-\u036f\u3099\u309a"
_REMOVED = f"[{_INVISIBLE}]{{1,64}}"
_COMPOSED = f"[^\\W\\d_{_MARKS}][{_MARKS}]{{1,4}}"

# Letters of other scripts drawn like the ASCII letter below them.
_LOOKALIKES = dict(
    zip(
        map(ord, "АВЕКМНОРСТУХавеіјкмнорсԛѕтухԝԁԌՏΑΒΕΖΗΙΚΜΝΟΡΤΥΧοικνρυχ"),
        "ABEKMHOPCTYXabeijkmhopcqstyxwdGSABEZHIKMNOPTYXoiknpux",
        strict=True,
    )
)
_ALIKE = "".join(map(chr, _LOOKALIKES))


class Hit(NamedTuple):
    """A match of one rule: offsets in whatever text was scanned, and how sure the rule is (0..1)."""

    start: int
    end: int
    rule: str
    certainty: float


class View:
    """A reading of a text, made of segments that each stand for a stretch of it."""

    __slots__ = ("_ends", "_starts", "_view_starts", "text")

    def __init__(self, text: str, segments: list[tuple[int, int, int]] | None = None) -> None:
        """Take the reading and its segments `(start in the reading, start, end in the text)`; none: same offsets."""
        self.text = text
        self._view_starts = [segment[0] for segment in segments or ()]
        self._starts = [segment[1] for segment in segments or ()]
        self._ends = [segment[2] for segment in segments or ()]

    def back(self, hit: Hit) -> Hit:
        """The same hit with offsets in the text that was read."""
        if not self._view_starts:
            return hit
        last = bisect_right(self._view_starts, hit.end - 1) - 1
        following = self._view_starts[last + 1] if last + 1 < len(self._view_starts) else len(self.text)
        whole = hit.end == following
        end = self._ends[last] if whole else self._starts[last] + hit.end - self._view_starts[last]
        first = bisect_right(self._view_starts, hit.start) - 1
        start = self._starts[first] + hit.start - self._view_starts[first]
        return hit._replace(start=start, end=end)


@cache
def _one_letter_forms() -> dict[int, int]:
    """Full-width, mathematical and circled letters and signs whose compatibility form is one ASCII character."""
    forms = {0x00A0: 0x20, 0x3000: 0x20, 0x2010: 0x2D, 0x2011: 0x2D, 0x2212: 0x2D}
    for block in (range(0xFF01, 0xFF5F), range(0x1D400, 0x1D800), range(0x2460, 0x2500), range(0x2100, 0x2150)):
        for code in block:
            plain = unicodedata.normalize("NFKC", chr(code))
            if len(plain) == 1 and plain.isascii():
                forms[code] = ord(plain)
    return forms


def plain_view(text: str) -> View:
    """The text with every dressed-up ASCII character undressed, one for one."""
    return View(text if text.isascii() else text.translate(_one_letter_forms()))


def seen_view(plain: View) -> View | None:
    """The text without what the eye does not see, accents joined to their letters; None if nothing changes."""
    if plain.text.isascii():
        return None
    return _rewritten(plain.text, f"{_REMOVED}|{_COMPOSED}")


def unwrapped_view(plain: View) -> View | None:
    """The text with long tokens joined that were broken at a line end; None if there are none.

    The second half has to look like the rest of a key (a letter and a digit, six characters or more, alone in its
    line), or an ordinary word below a key would be taken for a part of it.
    """
    if "\n" not in plain.text:
        return None
    rest = r"(?=[\w+/=.-]{0,200}\d)(?=[\d+/=._-]{0,200}[A-Za-z])[\w+/=.-]{6,200}[ \t]{0,8}(?:\r?\n|$)"
    return _rewritten(plain.text, rf"(?<=[\w+/=.-]{{8}})\r?\n[ \t>|]{{0,16}}(?={rest})")


def lookalike_view(plain: View) -> View | None:
    """The text with Cyrillic and Greek look-alikes read as Latin; None if no word mixes them with Latin."""
    if plain.text.isascii() or not _compiled(f"[A-Za-z0-9_-][{_ALIKE}]|[{_ALIKE}][A-Za-z0-9_-]").search(plain.text):
        return None
    return View(plain.text.translate(_LOOKALIKES))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _rewritten(text: str, pattern: str) -> View | None:
    """Apply NFC to each match of `pattern`, dropping what is invisible or a line end, and keep account of it."""
    pieces: list[str] = []
    segments: list[tuple[int, int, int]] = []
    done = length = 0
    for match in _compiled(pattern).finditer(text):
        composed = unicodedata.normalize("NFC", match[0]) if match[0][0].isalpha() else ""
        if match[0][0].isalpha() and composed == match[0]:
            continue
        for piece, start, end in ((text[done : match.start()], done, match.start()), (composed, *match.span())):
            if piece:
                pieces.append(piece)
                segments.append((length, start, end))
                length += len(piece)
        done = match.end()
    if not done:
        return None
    if done < len(text):
        pieces.append(text[done:])
        segments.append((length, done, len(text)))
    return View("".join(pieces), segments)
