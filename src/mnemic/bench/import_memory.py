"""A process that imports conversations and says how much memory that took: `python -m … BUNDLE FILE [DIM …]`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from mnemic.app import App
from mnemic.domain.spaces import Space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.services.bundle import Bundle

_CHUNK = 1_000
_SEED = 7


def main(arguments: Sequence[str]) -> None:
    """Import FILE into BUNDLE, then store vectors of the given dimensions for it; prints peaks in MB as JSON.

    The vectors are random and no model is loaded: what is measured comes on top of the models.
    """
    bundle, source, *dims = arguments
    app = App.start(bundle, overrides=("bundle.zone=UTC",), embedders=())
    app.recall("warm up")  # whatever any use of the program loads is no cost of the import
    import numpy as np  # the same

    np.zeros(1)
    start, before = time.perf_counter(), _peak_mb()
    done = app.import_sessions(Path(source), format_="chat", embed=False)
    seconds, words = time.perf_counter() - start, _peak_mb()
    for number, dim in enumerate(dims):
        fill_with_random_vectors(app.bundle, Space(model=f"random-{number}", version="1", build="lot", dim=int(dim)))
    print(  # noqa: T201 - a program's output
        json.dumps(
            {
                "turns": done.added,
                "seconds": round(seconds, 1),
                "before_mb": before,
                "words_mb": round(words - before, 1),
                "words_and_vectors_mb": round(_peak_mb() - before, 1),
            }
        )
    )


def fill_with_random_vectors(bundle: Bundle, space: Space, seed: int = _SEED) -> int:
    """Give every text that waits a random vector of length 1; says how many there were."""
    import numpy as np

    lot = np.random.default_rng(seed)
    made = 0
    while texts := bundle.index.pending(space, _CHUNK):
        rows = lot.standard_normal((len(texts), space.dim), dtype=np.float32)
        bundle.index.put_vectors(space, texts, rows / np.linalg.norm(rows, axis=1, keepdims=True))
        made += len(texts)
    return made


def _peak_mb() -> float:
    """The most memory this process ever held."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1e6 if sys.platform == "darwin" else 1e6 / 1024), 1)  # bytes there, KiB elsewhere


if __name__ == "__main__":
    main(sys.argv[1:])
