"""Taking out of a model's vectors what all of them share, and what only tells languages apart.

Raw cosines of these models crowd together (e5: 0.7 to 0.9 for anything), questions sit elsewhere than statements, and
texts of one language sit near each other whatever they say. So a question becomes `norm(P(q - mean_q))` and a text
`norm(P(v - mean_v))`: the means of questions and of statements are taken off, and `P` removes the leading directions
in which the means of the languages differ. The constants come from notes and questions in five languages
(benchmarks/data/pairs-dev.json) by `benchmarks/fit_centring.py`; docs/explanation/recall.md has the figures.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mnemic.domain.spaces import Space
    from mnemic.ports import Embedder

VERSION = "c1"
"""Part of the space's id: vectors centred by other constants cannot be compared."""
_FOLDER = Path(__file__).parent / "constants"


def centred(embedder: Embedder) -> Embedder:
    """The same embedder with centred vectors, if we have constants for its model; else as it is."""
    path = constants_file(embedder.space.model)
    return Centred(embedder, path) if path.is_file() else embedder


def constants_file(model: str) -> Path:
    """Where the constants of a model are: float32 rows `mean_q, mean_v, direction, ...`."""
    return _FOLDER / f"{model}.f32"


class Centred:
    """`Embedder` whose vectors are moved and projected; rows of zeros stay zeros."""

    def __init__(self, inner: Embedder, constants: Path) -> None:
        self._inner = inner
        rows = np.fromfile(constants, np.float32).reshape(-1, inner.space.dim)
        self._query_mean, self._passage_mean, self._directions = rows[0], rows[1], rows[2:]

    @cached_property
    def space(self) -> Space:
        """The inner space under another build."""
        inner = self._inner.space
        return replace(inner, build=f"{inner.build}-{VERSION}")

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the inner embedder, centred as questions."""
        return self._moved(self._inner.embed_queries(texts), self._query_mean)

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the inner embedder, centred as statements."""
        return self._moved(self._inner.embed_passages(texts), self._passage_mean)

    def _moved(self, rows: NDArray[np.float32], mean: NDArray[np.float32]) -> NDArray[np.float32]:
        moved = rows - mean
        moved -= (moved @ self._directions.T) @ self._directions
        length = np.linalg.norm(moved, axis=1, keepdims=True)
        length[~rows.any(axis=1)] = np.inf  # an empty text has no place to be moved from
        return np.asarray(moved / np.maximum(length, np.finfo(np.float32).tiny), np.float32)
