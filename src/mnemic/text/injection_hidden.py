"""Text that the eye does not see: tag characters, variation selectors, runs of zero width, turned-round writing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Found(NamedTuple):
    """A sign as its finder gives it: what it is called, where it stands, and in words what it does."""

    name: str
    start: int
    end: int
    why: str


_SUSPECT: Final = re.compile(r"[\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]")
_TAGS: Final = re.compile(r"(\U0001f3f4?)([\U000e0000-\U000e007f]+)")
_FLAG: Final = re.compile(r"[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_SELECTORS: Final = re.compile(r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}")
_RUN: Final = re.compile(r"[\u180e\u200b-\u200f\u2060-\u2064\ufeff]{5,}")
_LACED: Final = re.compile(r"(?:[A-Za-z][\u180e\u200b-\u200d\u2060-\u2064\ufeff]{1,3}){5,}[A-Za-z]")
_TURNED: Final = re.compile(r"[\u202d\u202e]([^\u202c\n]{0,300})")
_BIDI: Final = re.compile(r"[\u202a-\u202e\u2066-\u2069]")
_RIGHT_TO_LEFT: Final = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LATIN: Final = re.compile(r"[A-Za-z]")
_A_WORD: Final = 4


def hidden_in(text: str) -> Iterator[Found]:
    """Signs of hidden writing.

    Joiners of Persian and of Indian scripts, marks of right-to-left text, emoji sequences, flags, soft hyphens and the
    zero-width spaces between Thai or Khmer words are ordinary: none of them comes in such numbers or in such places.
    """
    if text.isascii() or not _SUSPECT.search(text):
        return
    for match in _TAGS.finditer(text):
        flag = _FLAG.match(match[2]) if match[1] else None
        if flag is None or flag.end() < len(match[2]):
            yield Found("hidden-text", *match.span(2), "writes in tag characters, which nobody sees")
    for match in _SELECTORS.finditer(text):
        yield Found("hidden-text", *match.span(), "hides bytes in variation selectors")
    for match in _RUN.finditer(text):
        yield Found("hidden-text", *match.span(), "hides bits in a run of zero-width characters")
    for match in _LACED.finditer(text):
        yield Found("hidden-text", *match.span(), "breaks words up with zero-width characters")
    yield from _turned(text)


def _turned(text: str) -> Iterator[Found]:
    for match in _TURNED.finditer(text):
        if len(_LATIN.findall(match[1])) >= _A_WORD and not _RIGHT_TO_LEFT.search(match[1]):
            yield Found("hidden-text", *match.span(), "turns letters round, so that they are read otherwise than seen")
    controls = [match.start() for match in _BIDI.finditer(text)]
    if len(controls) > 1 and not _RIGHT_TO_LEFT.search(text):
        yield Found("hidden-text", controls[0], controls[-1] + 1, "reorders what is seen, without right-to-left text")
