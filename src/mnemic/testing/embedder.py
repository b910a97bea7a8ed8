"""An embedder for tests: no model, no file, the same vectors on every machine."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

from mnemic.domain.spaces import Space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_DIM = 64
_LENGTHS = (2, 3, 4)


class FakeEmbedder:
    """`Embedder` by hashed character n-grams: texts that share parts of words are near each other.

    It stands in for a model where only the plumbing matters; it understands nothing.
    """

    def __init__(self, *, name: str = "fake") -> None:
        """Embedders of different `name` have different spaces and unrelated vectors."""
        self.space = Space(model=name, version="1", build="ngrams", dim=_DIM, languages="any")
        self._seed = zlib.crc32(name.encode())

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One L2-normalized row a text, shape (n, 64); a zero row for an empty text."""
        rows = np.zeros((len(texts), _DIM), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for gram in _grams(text):
                digest = zlib.crc32(gram.encode("utf-8", "replace"), self._seed)
                row[digest % _DIM] += 1.0 if digest >> 16 & 1 else -1.0
            if text.strip() and not row.any():  # grams of opposite sign met in one place
                row[0] = 1.0
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        rows /= np.where(norms > 0, norms, 1.0)
        return rows

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As `embed_queries`."""
        return self.embed_queries(texts)


def _grams(text: str) -> list[str]:
    words = [f" {word} " for word in text.casefold().split()]
    return [word[at : at + n] for word in words for n in _LENGTHS for at in range(len(word) - n + 1)]
