"""Where one sentence ends and the next begins, in any script, by rules alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int]
"""Start and end of a piece of text, as character offsets; the end is exclusive."""

# Full stops that end a sentence only before white space, and those of scripts that write none after them.
_END: Final = re.compile(
    r"(?P<stop>\.)(?P<close>[\"'”’»)\]*_]*)(?=\s)"
    r"|(?:[!?؟۔।॥։።။។]|\.{2,}|…)+[!?.…]*(?P<closed>[\"'”’»)\]*_]*)(?=\s|\Z)"
    r"|[。！？｡]+[」』”’）)\]》…。！？]*"
    r"|(?<=[\u3040-\u30ff\u4e00-\u9fff])[!?…]+[」』”’）)]*"
)
_WORD_BEFORE: Final = re.compile(r"[^\s(\[\"'“«„]+\Z")
# Titles and shorthand: Latin and English, German, French, Spanish with Portuguese and Italian, Russian with Ukrainian.
_SHORTHAND: Final = """
    mr mrs ms dr prof sr jr st mt rev hon gen col capt lt sgt inc ltd co corp dept est vs etc al cf ca approx appt apt
    ave blvd rd nos vol pp fig figs ed eds eg ie jan feb mar apr jun jul aug sep sept oct nov dec
    bzw usw evtl ggf bspw inkl exkl zzgl geb gest nr str tel bd hrsg vgl sog bes etwa mind max stk std
    mme mlle mm env chap sra srta dra ud uds pag dto dott sig avv ing
    г гг др пр тыс млн млрд руб коп ул стр рис см ср им проф акад напр обл
"""
_ABBREVIATIONS: Final = frozenset(_SHORTHAND.split())
_INITIALS_LONGEST: Final = 6
_ORDINAL: Final = re.compile(r"\d{1,2}")
_LOOK_BACK: Final = 24


def sentence_spans(text: str, start: int, end: int) -> Iterator[Span]:
    """The sentences of ``text[start:end]``, in order, each without the white space around it.

    A stop after an abbreviation, an initial or a number of one or two digits (`7. Mai`) ends nothing; neither does one
    inside a decimal, a URL or a file name. Between two spans there is white space only.
    """
    begin = start
    for match in _END.finditer(text, start, end):
        if match.end() < end and _goes_on(text, begin, match):
            continue
        yield from trimmed(text, begin, match.end())
        begin = match.end()
    yield from trimmed(text, begin, end)


def trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    """The span without the white space around it; nothing if nothing is left."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    if left < len(piece):
        yield start + left, start + len(piece.rstrip())


def _goes_on(text: str, begin: int, match: re.Match[str]) -> bool:
    following = text[match.end() : match.end() + 3].lstrip()[:1]
    if match["closed"] and following.islower():
        return True  # "Really?" she said
    if not match["stop"]:
        return False
    before = _WORD_BEFORE.search(text[max(begin, match.start() - _LOOK_BACK) : match.start()])
    if before is None:
        return False
    word = before[0].lower()
    letters = word.split(".")
    initials = len(word) <= _INITIALS_LONGEST and all(len(part) == 1 and part.isalpha() for part in letters)
    return letters[-1] in _ABBREVIATIONS or (initials and word != "i") or _ORDINAL.fullmatch(word) is not None
