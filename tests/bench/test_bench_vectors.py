"""Vectors kept between runs: the same bits, and no model asked twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from mnemic.bench.vectors import KeptVectors
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

TEXTS = ["Mira's ferry", "", "Паром", "a lone \ud800 surrogate", "Mira's ferry"]


class CountingEmbedder(FakeEmbedder):
    """Notes every text it is asked for; passages differ from queries."""

    def __init__(self, name: str = "fake") -> None:
        super().__init__(name=name)
        self.asked: list[str] = []

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return super().embed_queries(texts)

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return -self.embed_queries(texts)


def test_a_second_run_gets_the_same_bits_without_a_model(tmp_path: Path) -> None:
    file = tmp_path / "new folder" / "vectors.db"
    first = KeptVectors(FakeEmbedder(), file).embed_passages(TEXTS)
    inner = CountingEmbedder()

    again = KeptVectors(inner, file).embed_passages(TEXTS)

    assert inner.asked == []
    assert again.tobytes() == first.tobytes() == FakeEmbedder().embed_passages(TEXTS).tobytes()


def test_only_what_is_new_is_asked_for(tmp_path: Path) -> None:
    inner = CountingEmbedder()
    kept = KeptVectors(inner, tmp_path / "vectors.db")
    kept.embed_queries(["a", "b"])
    inner.asked.clear()

    rows = kept.embed_queries(["b", "c"])

    assert inner.asked == ["c"]
    assert rows == pytest.approx(FakeEmbedder().embed_queries(["b", "c"]))


def test_queries_passages_and_spaces_do_not_mix(tmp_path: Path) -> None:
    """An embedder may treat a question and a passage differently, and another one knows nothing of either."""
    file = tmp_path / "vectors.db"
    kept, other = KeptVectors(CountingEmbedder(), file), KeptVectors(CountingEmbedder("other"), file)

    query, passage, foreign = kept.embed_queries(["a"]), kept.embed_passages(["a"]), other.embed_queries(["a"])

    assert np.array_equal(query, -passage)
    assert not np.array_equal(query, foreign)
    assert np.array_equal(foreign, FakeEmbedder(name="other").embed_queries(["a"]))


def test_no_text_is_kept(tmp_path: Path) -> None:
    """The texts of a benchmark may be private; numbers and hashes stay, words do not."""
    KeptVectors(FakeEmbedder(), tmp_path / "vectors.db").embed_passages(["a very private sentence"])

    assert b"private" not in (tmp_path / "vectors.db").read_bytes()
