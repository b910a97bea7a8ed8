from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.testing.embedder import FakeEmbedder


def test_texts_with_words_in_common_are_nearer() -> None:
    key, keys, soup = FakeEmbedder().embed_passages(["the spare key", "spare keys", "borscht with beans"])

    assert key @ keys > key @ soup + 0.3


@given(st.lists(st.text()))
def test_every_row_has_length_one_or_is_zero_for_an_empty_text(texts: list[str]) -> None:
    rows = FakeEmbedder().embed_queries(texts)

    assert rows.shape == (len(texts), 64)
    for row, text in zip(rows, texts, strict=True):
        assert np.linalg.norm(row) == pytest.approx(1.0 if text.strip() else 0.0, abs=1e-5)


def test_the_vectors_are_the_same_in_every_process() -> None:
    """Written down once: Python's own hash differs from run to run."""
    (row,) = FakeEmbedder().embed_queries(["key"])

    assert np.flatnonzero(row).tolist() == [8, 15, 30, 34, 37, 39, 40, 42, 43]


def test_embedders_of_other_names_have_other_spaces_and_vectors() -> None:
    one, other = FakeEmbedder(name="one"), FakeEmbedder(name="other")

    assert one.space.id != other.space.id
    assert not np.allclose(one.embed_queries(["key"]), other.embed_queries(["key"]))
