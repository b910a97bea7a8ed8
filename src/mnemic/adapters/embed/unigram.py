"""Cuts text into the pieces of a unigram vocabulary: the most likely cut, as SentencePiece makes it.

Source:
    Kudo, "Subword Regularization", ACL 2018 (unigram segmentation by the Viterbi algorithm).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.adapters.embed.charsmap import Charsmap
    from mnemic.adapters.embed.trie import CharTrie

_SPACE = "\u2581"  # how a vocabulary writes the space before a word
_UNKNOWN = 0
_BEGIN, _END = 1, 2
_UNKNOWN_PENALTY = 10.0
_KEPT_WORDS = 20_000
_KEPT_WORD_LENGTH = 32


class UnigramTokenizer:
    """Text to piece ids. No piece may hold a space mark behind its first character (checked at build).

    Then words are cut independently of each other, and a word that was cut once need not be cut again.
    Scores are sums of 32-bit floats held in 64 bits, hence exact: the cut of a word does not depend on
    what stands before it, ties included.
    """

    def __init__(self, trie: CharTrie, scores: Sequence[float], charsmap: Charsmap) -> None:
        self._trie = trie
        self._scores = scores
        self._charsmap = charsmap
        self._unknown_score = min(scores) - _UNKNOWN_PENALTY
        self._words: dict[str, tuple[int, ...]] = {}

    def ids(self, text: str) -> list[int]:
        """Piece ids between the marks of beginning and end; an unknown piece for what has no letters."""
        words = self._normalized(text).split(_SPACE)[1:]
        ids = [_BEGIN]
        for word in words:
            ids.extend(self._cut_once(_SPACE + word))
        if not words:
            ids.append(_UNKNOWN)
        ids.append(_END)
        return ids

    def _normalized(self, text: str) -> str:
        words = [word for word in self._charsmap.apply(text).split(" ") if word]
        return "".join(_SPACE + word for word in words).rstrip(_SPACE)

    def _cut_once(self, word: str) -> tuple[int, ...]:
        known = self._words.get(word)
        if known is None:
            known = self._cut(word)
            if len(self._words) >= _KEPT_WORDS:
                self._words.clear()
            if len(word) <= _KEPT_WORD_LENGTH:
                self._words[word] = known
        return known

    def _cut(self, word: str) -> tuple[int, ...]:
        """The cut with the highest sum of scores; of equal ones, that whose last piece begins first."""
        matches, scores = self._trie.matches, self._scores
        best = [0.0] + [float("-inf")] * len(word)
        came_by = [(0, _UNKNOWN)] * (len(word) + 1)
        for start in range(len(word)):
            base = best[start]
            pieces = matches(word, start)
            for end, piece in pieces:
                score = base + scores[piece]
                if score > best[end]:
                    best[end], came_by[end] = score, (start, piece)
            after = start + 1
            # A character that is no piece itself may still be passed, at the price of an unknown one.
            if (not pieces or pieces[0][0] != after) and base + self._unknown_score > best[after]:
                best[after], came_by[after] = base + self._unknown_score, (start, _UNKNOWN)
        cut, end = [], len(word)
        while end:
            end, piece = came_by[end]
            cut.append(piece)
        return tuple(reversed(cut))
