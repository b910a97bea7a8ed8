"""Remembers the vectors of the last queries: the same words are asked again within one turn."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mnemic.domain.spaces import Space
    from mnemic.ports import Embedder

_KEPT = 64


class CachedQueries:
    """`Embedder` that asks another one only for queries it has not seen lately. Thread-safe."""

    def __init__(self, inner: Embedder, *, kept: int = _KEPT) -> None:
        self._inner = inner
        self._kept = kept
        self._rows: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def space(self) -> Space:
        """The space of the inner embedder."""
        return self._inner.space

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the inner embedder; the rows are the caller's own."""
        with self._lock:
            known = {text: self._rows[text] for text in texts if text in self._rows}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known.update(zip(new, self._inner.embed_queries(new), strict=True))
        with self._lock:
            for text in texts:
                self._rows[text] = known[text]
                self._rows.move_to_end(text)
            while len(self._rows) > self._kept:
                self._rows.popitem(last=False)
        if not texts:
            return np.zeros((0, self.space.dim), dtype=np.float32)
        return np.stack([known[text] for text in texts])

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the inner embedder; passages are stored by the index and not kept here."""
        return self._inner.embed_passages(texts)
