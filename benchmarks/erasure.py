"""What forgetting leaves, and what it costs: many random erasures, each followed by a look into every byte.

python benchmarks/erasure.py [ERASURES] [MEMORIES] [FOLDER]

The words that are looked for, the places and the way of looking are the benchmark's own; the search that the product
does for its receipt has no part in that. The second figure is the time of one erasure, search included, in a bundle of
so many memories.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from random import Random
from statistics import median

from mnemic.app import App, create_bundle
from mnemic.bench.erasure import World, measured
from mnemic.domain.drafts import Draft
from mnemic.domain.erasure import Wishes
from mnemic.testing.embedder import FakeEmbedder

SEED = 20260503
REFILL = 30
TIMED = 11


def main(erasures: int, memories: int, place: str | None) -> None:
    """Print the figures as JSON."""
    figures: dict[str, object] = {"seed": SEED}
    with tempfile.TemporaryDirectory(dir=place) as folder:
        root = Path(folder)
        os.environ["MNEMIC_DATA_DIR"] = str(root / "data")
        if erasures:
            app = _app(root / "memory")
            places = [root / "memory", root / "data"]
            done = measured(World(app, Random(SEED)), erasures, refill=REFILL, places=places)
            figures["erasures"] = {**asdict(done), "bytes_found": sum(done.found.values())}
        if memories:
            figures["large"] = _timed(_app(root / "large"), memories)
    figures |= {"python": platform.python_version(), "machine": f"{platform.system()} {platform.machine()}"}
    print(json.dumps(figures, indent=2, ensure_ascii=False))


def _app(root: Path) -> App:
    create_bundle(root)
    return App.start(root, embedders=[FakeEmbedder(name="one"), FakeEmbedder(name="two")])


def _timed(app: App, memories: int) -> dict[str, object]:
    world = World(app, Random(SEED))
    for number in range(memories):
        # By hand: how long remembering takes is measured elsewhere.
        text = " ".join(world.word() for _ in range(40))
        path = app.root / "notes" / f"m{number}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"---\ntype: note\ntitle: Memory {number} {world.word()}\n---\n\n{text}\n", encoding="utf-8")
    app.reindex()
    size = sum(path.stat().st_size for path in app.root.rglob("*") if path.is_file())
    rows = {}
    for scan in (True, False):
        seconds, work = [], []
        for number in range(TIMED):
            name = app.remember(Draft(body=f"{world.word()} {world.word()} says that {world.word()}.")).memory.id
            app.reindex()
            begin, worked = time.perf_counter(), time.process_time()
            done = app.forget(name, confirm=name, wishes=Wishes(scan=scan, with_session_quotes=True))
            seconds.append(time.perf_counter() - begin)
            work.append(time.process_time() - worked)
            assert done.receipt.clean, number
        name = "with_search" if scan else "without_search"
        rows |= {f"{name}_s": round(median(seconds), 3), f"{name}_cpu_s": round(median(work), 3)}
    return {"memories": memories, "bytes": size, **rows}


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(given[0]) if given else 1000, int(given[1]) if given[1:] else 5000, given[2] if given[2:] else None)
