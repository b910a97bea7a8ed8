"""What a text is known by when one looks for remains of it: sentences, runs of words, and how these are spelled.

A run is four words or more, or twelve characters of a script without blanks: shorter ones are anybody's. Runs lie one
after the other, the last ends with its line; so whatever is left of a line, if it is twice as long as a run, holds one.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WORDS = 4
SENTENCE_WORDS = 3
"""A sentence is known by fewer: it must stand there whole."""
CHARACTERS = 12
MOST_PIECES = 4_000
"""So many runs of one text are looked for; of a longer text evenly spread ones."""
_WITHOUT_BLANKS = (
    ("\u2e80", "\ua4cf"),  # Chinese, kana, Yi
    ("\uf900", "\ufaff"),
    ("\U00020000", "\U0003ffff"),
    ("\u0e00", "\u0eff"),  # Thai, Lao
    ("\u1000", "\u109f"),  # Burmese
    ("\u1780", "\u17ff"),  # Khmer
)
_SENTENCE_END = re.compile(r"(?<=[.!?…])[*_\"'”’»)\]]*\s+|(?<=[。！？])\s*")
_WORD = re.compile(r"\S+")
_EDGES = " \t\"'“”‘’«»„*_`#>-–—.,;:!?…。！？、，；：()[]（）「」"


def pieces(texts: Iterable[str]) -> tuple[str, ...]:
    """The runs of all lines of some texts, each once; those that are too short to be told from others are left out."""
    found = dict.fromkeys(run for text in texts for line in text.splitlines() for run in _runs(line))
    every = list(found)
    if len(every) <= MOST_PIECES:
        return tuple(every)
    return tuple(every[at * len(every) // MOST_PIECES] for at in range(MOST_PIECES))


def sentences(texts: Iterable[str]) -> tuple[str, ...]:
    """Sentences and lines as `normal` has them, each once; those of fewer than three words are left out."""
    parts = (part for text in texts for line in text.splitlines() for part in _SENTENCE_END.split(line))
    whole = (normal(part).strip(_EDGES) for part in parts)
    return tuple(dict.fromkeys(one for one in whole if _is_long(one, SENTENCE_WORDS)))


def normal(text: str) -> str:
    """The text in one spelling: composed, case-folded, every white space one blank."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold()).split())


def spellings(text: str) -> tuple[bytes, ...]:
    """The bytes by which a text may stand in a file, with ASCII letters in lowercase.

    As it is, composed, decomposed and case-folded; each as UTF-8, as UTF-16, and escaped as JSON does it.
    """
    composed = unicodedata.normalize("NFC", text)
    forms = (text, composed, unicodedata.normalize("NFD", text), unicodedata.normalize("NFC", composed.casefold()))
    return tuple(dict.fromkeys(data.lower() for form in dict.fromkeys(forms) for data in _encoded(form)))


def _encoded(text: str) -> Iterator[bytes]:
    yield text.encode("utf-8", "surrogatepass")
    for plain in (False, True):
        yield json.dumps(text, ensure_ascii=plain)[1:-1].encode("utf-8", "surrogatepass")
    yield text.encode("utf-16-le", "surrogatepass")
    yield text.encode("utf-16-be", "surrogatepass")


def names(text: str, subject: str) -> bool:
    """Whether a text names a subject as whole words, in any case, normalization and script.

    Where a script writes without blanks, a word has no edges, and being in the text is enough.
    """
    wanted, whole = normal(subject), normal(text)
    if not wanted:
        return False
    at = whole.find(wanted)
    while at >= 0:
        if _is_edge(whole, at, -1) and _is_edge(whole, at + len(wanted), 1):
            return True
        at = whole.find(wanted, at + 1)
    return False


def _is_edge(text: str, at: int, side: int) -> bool:
    """Whether a word ends between the characters `at - 1` and `at`."""
    if not 0 < at < len(text):
        return True
    inner, outer = (text[at - 1], text[at]) if side > 0 else (text[at], text[at - 1])
    if _without_blanks(inner) or _without_blanks(outer):
        return True
    return not _is_of_word(outer)


def _is_of_word(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char).startswith("M")


def _without_blanks(char: str) -> bool:
    """Whether it is of a script that writes words without blanks: Chinese, Japanese, Thai, Lao, Khmer, Burmese."""
    return any(first <= char <= last for first, last in _WITHOUT_BLANKS)


def _is_long(text: str, words: int = WORDS) -> bool:
    if text.count(" ") >= words - 1 and len(text) >= CHARACTERS:
        return True
    return sum(map(_without_blanks, text)) >= CHARACTERS


def _runs(line: str) -> Iterator[str]:
    words = [part for match in _WORD.finditer(line) for part in _cut(*match.span(), line)]
    if not words:
        return
    start, last, held = words[0][0], len(words) - 1, 0
    for number, (_, end) in enumerate(words):
        held += 1
        run = line[start:end]
        if len(run) >= CHARACTERS and (held >= WORDS or _is_long(run)):
            yield run
            start, held = words[number + 1][0] if number < last else end, 0
    if held:  # what is over at the end, together with what is before it
        tail = line[words[max(0, len(words) - WORDS)][0] : words[-1][1]]
        if len(tail) >= CHARACTERS:
            yield tail


def _cut(start: int, end: int, line: str) -> Iterator[tuple[int, int]]:
    """A word as it is; a run of a script without blanks in pieces."""
    if end - start < 2 * CHARACTERS or not any(map(_without_blanks, line[start:end])):
        yield start, end
        return
    for at in range(start, end, CHARACTERS):
        if end - at < CHARACTERS:
            yield max(start, end - CHARACTERS), end
        else:
            yield at, at + CHARACTERS
