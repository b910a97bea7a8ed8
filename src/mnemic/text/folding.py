"""Letters made comparable, and words made safe for a full-text column.

Two spellings of one word fold to the same letters (`fold`), and any term becomes a string of letters and digits that
SQLite's `unicode61` tokenizer and PostgreSQL take as one word and leave as it is (`armoured`).
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

# A letter that no living text uses (archaic Roman M, category Lo since Unicode 5.1), so an escape is never mistaken
# for a word: marker and six hexadecimal digits stand for one character.
ESCAPE = "\ua7ff"
_ESCAPE_LENGTH = 7

# Letters that carry no combining mark yet are written without their stroke or ligature by many people.
_PLAIN = str.maketrans(
    {
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ħ": "h",
        "ı": "i",
        "ŀ": "l",
        "ŋ": "n",
        "ŧ": "t",
        "ё": "е",
        "\u0640": "",  # Arabic tatweel stretches a word and means nothing
        "\u200c": "",  # the two invisible joiners only shape the letters around them
        "\u200d": "",
        "ى": "ي",
        "ة": "ه",
        "ک": "ك",
        "ی": "ي",
    }
)


# Accents of Latin, Greek and Cyrillic, points of Hebrew, vowel marks of Arabic: a word is the same word without them.
# In Indic and South-East Asian scripts, and in kana, marks are half of the letters; those stay.
_LOOSE_MARKS = "[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]"


@cache
def _loose_marks() -> re.Pattern[str]:
    import re  # by other letters than ASCII's alone: it takes as long to load as half an interpreter

    return re.compile(_LOOSE_MARKS)


def _is_loose_mark(char: str) -> bool:
    return bool(_loose_marks().match(char)) and unicodedata.combining(char) != 0


@lru_cache(maxsize=4096)
def _folded_char(char: str) -> str:
    """One casefolded character without its loose marks."""
    if char in "йїў":  # letters of their own in Cyrillic, although Unicode builds them with marks
        return char
    digit = unicodedata.decimal(char, None)
    if digit is not None:
        return str(digit)
    if _is_loose_mark(char):
        return ""
    decomposed = unicodedata.normalize("NFD", char)
    if len(decomposed) == 1 or not _is_loose_mark(decomposed[-1]):
        return char.translate(_PLAIN)
    return "".join(part for part in decomposed if not _is_loose_mark(part)).translate(_PLAIN)


def fold(word: str) -> str:
    """The letters of a word as they are compared: casefolded, without marks, digits as 0-9.

    Args:
        word: Text in NFKC, of any script.

    Returns:
        The folded letters; `ё` is `е`, `ß` is `ss`, `é` is `e`, `ø` is `o`; `й` stays, and so do the vowel signs of
        Indic and South-East Asian scripts and the voicing marks of kana. May be empty (a word of loose marks only).
        Folding twice changes nothing.
    """
    folded = word.casefold()
    if folded.isascii():
        return folded
    return "".join(map(_folded_char, unicodedata.normalize("NFC", folded)))


@lru_cache(maxsize=4096)
def _is_safe(char: str) -> bool:
    # Full-text tables know the letters of old Unicode versions only; Python carries the tables of 3.2, older than any.
    return unicodedata.ucd_3_2_0.category(char)[0] in "LN"


def armoured(word: str) -> str:
    """The word with every character that a full-text tokenizer would drop or split at written as an escape.

    Letters and digits known since Unicode 3.2 stay; vowel signs, emoji and newer letters become the marker letter and
    six hexadecimal digits. `shown` undoes it.
    """
    if word.isascii() or all(map(_is_safe, word)):
        return word
    return "".join(char if _is_safe(char) else f"{ESCAPE}{ord(char):06x}" for char in word)


def shown(term: str) -> str:
    """A term as people read it: escapes turned back into their characters. Other terms come back as they are."""
    if ESCAPE not in term:
        return term
    head, *rest = term.split(ESCAPE)
    return head + "".join(_unescaped(piece) for piece in rest)


def _unescaped(piece: str) -> str:
    try:
        return chr(int(piece[: _ESCAPE_LENGTH - 1], 16)) + piece[_ESCAPE_LENGTH - 1 :]
    except ValueError:
        return piece
