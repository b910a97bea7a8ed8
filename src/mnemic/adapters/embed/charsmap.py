"""The character rules of a SentencePiece model: longest match first, straight from its double array.

Source:
    The double array of darts-clone, in which SentencePiece keeps its normalization rules: a unit holds its
    label in the low byte, the way to its children in the upper bits, and whether a key ends there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_LABEL_MASK = 0x8000_00FF  # the top bit marks a value, which no label equals
_VALUE_MASK = 0x7FFF_FFFF
_HAS_VALUE = 0x100
# Pairs of neighbouring characters that are kept with their outcome; a text in one script has some hundreds.
_KEPT_PAIRS = 50_000


class Charsmap:
    """Replaces characters and sequences of characters by fixed rules.

    Args:
        units: The double array, 32-bit units.
        replacements: UTF-8 texts, each ended by a zero byte; a rule's value is the place where its begins.
    """

    def __init__(self, units: Sequence[int], replacements: bytes) -> None:
        self._units = units
        self._replacements = replacements
        self._pairs: dict[str, str | None] = {}

    def apply(self, text: str) -> str:
        """`text` with, at each place, the longest rule that matches applied; other characters stay."""
        pairs = self._pairs
        if len(pairs) > _KEPT_PAIRS:
            pairs.clear()
        written = []
        place = 0
        while place < len(text):
            pair = text[place : place + 2]
            if pair not in pairs:
                pairs[pair] = self._outcome(pair)
            new, taken = pairs[pair], 1
            if new is None:
                _, taken, new = self._walk(text, place)
            written.append(new)
            place += taken
        return "".join(written)

    def _outcome(self, pair: str) -> str | None:
        """What the first character becomes when this one follows; None when rules go on past both."""
        read, _, new = self._walk(pair, 0)
        return None if read > 1 else new

    def _walk(self, text: str, start: int) -> tuple[int, int, str]:
        """(characters that keys go on through, how many of them the longest match takes, what they become).

        Where no rule matches, the first character is taken and stays as it is.
        """
        units = self._units
        place = _offset(units[0])
        value, taken, read = -1, 1, 0
        for at in range(start, len(text)):
            unit = 0
            for byte in text[at].encode():
                place ^= byte
                unit = units[place] if place < len(units) else 0
                if unit & _LABEL_MASK != byte:
                    return read, taken, self._replacement(value, text[start])
                place ^= _offset(unit)
            read += 1
            if unit & _HAS_VALUE:
                value, taken = units[place] & _VALUE_MASK, read
        return read, taken, self._replacement(value, text[start])

    def _replacement(self, value: int, unchanged: str) -> str:
        if value < 0:
            return unchanged
        return self._replacements[value : self._replacements.index(b"\0", value)].decode()


def _offset(unit: int) -> int:
    return unit >> 10 << ((unit & 0x200) >> 6)
