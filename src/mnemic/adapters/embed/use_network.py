"""The forward pass of the multilingual Universal Sentence Encoder.

Source:
    Yang et al., "Multilingual Universal Sentence Encoder for Semantic Retrieval", ACL 2020 system
    demonstrations: n-gram convolutions over piece embeddings, summed, then a small residual network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

USE_DIM = 512
_WIDTH = 256  # of one n-gram branch
_ORDERS = ((2, 0), (3, 1), (5, 2))  # n-gram order, and how many of its pieces stand before the centre
_REACH = 2  # the most pieces any order looks to either side
_CHUNKS = 17  # the embedding table is quantized in this many interleaved parts


class UseNetwork:
    """The forward pass. Sentences of a batch stand in one matrix with `_REACH` zero rows between them.

    A window that leaves its sentence therefore meets zeros, as it would at the end of a sentence alone.
    """

    def __init__(self, weights: Mapping[str, NDArray[Any]]) -> None:
        self._weights = weights
        self._table = weights["table"]
        self._epsilon = float(self._weights["eps"][0])

    def run(self, batch: list[list[int]]) -> Floats:
        """(sentences, 512) for lists of piece ids."""
        lengths = np.array([len(ids) for ids in batch])
        starts = np.cumsum(lengths) - lengths
        pieces = np.concatenate([np.array(ids) for ids in batch])
        # Where each piece stands in the matrix with gaps.
        rows = np.arange(len(pieces)) + np.repeat(np.arange(1, len(batch) + 1) * _REACH, lengths)
        features = self._features(pieces, rows)
        return self._head(np.add.reduceat(features, starts, axis=0), lengths.astype(np.float32)[:, None])

    def _features(self, pieces: NDArray[Any], rows: NDArray[Any]) -> Floats:
        """(pieces, 512 + 3 * 256): each piece's embedding and the n-grams around it, normalized."""
        w = self._weights
        chunk = pieces % _CHUNKS
        features = np.empty((len(pieces), USE_DIM + len(_ORDERS) * _WIDTH), dtype=np.float32)
        embedded = features[:, :USE_DIM]
        np.multiply(self._table[pieces], w["scale"][chunk, None], out=embedded)
        embedded += w["lo"][chunk, None]
        projected = _normalize(embedded @ w["proj"] + w["proj_b"], w["ln_g_all"], w["ln_b_all"], self._epsilon)
        gapped = np.zeros((int(rows[-1]) + 1 + _REACH, _WIDTH), dtype=np.float32)
        for place, (order, before) in enumerate(_ORDERS):
            gapped[rows] = projected[:, place * _WIDTH : (place + 1) * _WIDTH]
            for layer in ("w1", "w2"):
                weight, bias = w[f"{layer}_{order}"], w[f"{layer.replace('w', 'b')}_{order}"]
                convolved = _windows(gapped, rows, order, before) @ weight + bias
                gapped[rows] += np.maximum(convolved, 0.0)
            features[:, USE_DIM + place * _WIDTH : USE_DIM + (place + 1) * _WIDTH] = gapped[rows]
        return _normalize(features, w["ln_g"], w["ln_b"], self._epsilon)

    def _head(self, summed: Floats, lengths: Floats) -> Floats:
        w = self._weights
        # Projecting the sum equals summing the projections, with one row a sentence instead of one a piece.
        sentence = (summed @ w["cnn_W"] + lengths * w["cnn_b"]) / np.sqrt(lengths)
        first = np.maximum(sentence @ w["d0"], 0.0)
        second = np.maximum(sentence @ w["p1"] + first @ w["d1"], 0.0)
        third = np.maximum(second @ w["d2"], 0.0)
        vectors = np.tanh(second @ w["p3"] + third @ w["d3"])
        norms = np.sqrt(np.maximum(np.einsum("ij,ij->i", vectors, vectors), self._epsilon))
        return np.asarray(vectors / norms[:, None], dtype=np.float32)


def _windows(gapped: Floats, rows: NDArray[Any], order: int, before: int) -> Floats:
    """(pieces, order * 256): for each piece, the rows around it, one after the other."""
    return gapped[rows[:, None] + np.arange(-before, order - before)].reshape(len(rows), order * _WIDTH)


def _normalize(rows: Floats, gain: Floats, bias: Floats, epsilon: float) -> Floats:
    """Each row with mean 0 and variance 1, then scaled and shifted."""
    rows -= rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows) / rows.shape[1]
    rows *= (1.0 / np.sqrt(variance + epsilon))[:, None]
    rows *= gain
    rows += bias
    return rows


def read_weights(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of the package's `weights.npz`, joined as `UseNetwork` wants them.

    Raises:
        KeyError: The file lacks an array; `OSError`, `ValueError` and `zipfile.BadZipFile` as `np.load` does.
    """
    with np.load(path, allow_pickle=False) as packed:
        table = np.empty((_CHUNKS * packed["q1"].shape[0], USE_DIM), dtype=np.uint8)
        for chunk in range(_CHUNKS):
            table[chunk::_CHUNKS] = packed[f"q{chunk + 1}"]
        orders = [order for order, _ in _ORDERS]
        joined = {
            "proj": np.concatenate([packed[f"proj{order}"] for order in orders], axis=1),
            "proj_b": np.concatenate([packed[f"proj_b{order}"] for order in orders]),
            "ln_g_all": np.concatenate([packed[f"ln_g{order}"] for order in orders]),
            "ln_b_all": np.concatenate([packed[f"ln_b{order}"] for order in orders]),
            "eps": np.array([packed["eps"]], dtype=np.float64),
        }
        layers = [f"{layer}_{order}" for layer in ("w1", "b1", "w2", "b2") for order in orders]
        plain = ("scale", "lo", "ln_g", "ln_b", "cnn_W", "cnn_b", "d0", "d1", "d2", "d3", "p1", "p3", *layers)
        return {"table": table, **joined, **{name: packed[name] for name in plain}}
