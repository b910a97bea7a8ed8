"""What keeping the history costs: one write beside its floor, and the first indexing of a bundle, with and without.

python benchmarks/history.py [MEMORIES] [FOLDER]
"""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING

from mnemic.app import App, create_bundle
from mnemic.bench import floors
from mnemic.bench.corpus import Corpus, write_memories
from mnemic.domain.changes import ChangeSet, Put
from mnemic.domain.memory import Memory
from mnemic.services.upkeep.keeping import Noticed
from mnemic.services.upkeep.record import record

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 80


def main(memories: int, place: str | None) -> None:
    """Print the figures as JSON."""
    with tempfile.TemporaryDirectory(dir=place) as folder:
        os.environ["MNEMIC_DATA_DIR"], os.environ["MNEMIC_CONFIG_DIR"] = f"{folder}/data", f"{folder}/config"
        figures: dict[str, object] = {"memories": memories}
        _indexing(Path(folder, "warm"), memories, keep=True)  # words met before are cut faster
        for keep in (True, False):
            figures |= _indexing(Path(folder, f"kept-{keep}"), memories, keep=keep)
        figures |= _writing(Path(folder, "kept-True"))
    figures |= {"python": platform.python_version(), "machine": f"{platform.system()} {platform.machine()}"}
    print(json.dumps(figures, indent=2))


def _indexing(root: Path, memories: int, *, keep: bool) -> dict[str, object]:
    create_bundle(root)
    for _ in write_memories(root, memories, 7):
        pass
    figures: dict[str, object] = {}
    for what in ("first", "again"):
        app = App.start(root, overrides=("bundle.zone=UTC", f"history.keep={str(keep).lower()}"), embedders=())
        begin = time.process_time()
        app.reindex(rebuild=what == "again", embed=False)
        figures[f"index_{what}_{'with' if keep else 'without'}_history_cpu_s"] = round(time.process_time() - begin, 2)
    return figures


def _writing(root: Path) -> dict[str, object]:
    bundle = App.start(root, overrides=("bundle.zone=UTC",), embedders=()).bundle
    corpus, aside = Corpus(99), root / ".mnemic" / "bench"
    aside.mkdir()

    def written() -> list[Noticed]:
        body, now = corpus.body(), bundle.clock.now()
        memory = Memory(
            uid=bundle.ids.new(),
            id=bundle.store.propose_id("note", body[:60]),
            kind="note",
            title=body[:60],
            body=body,
            recorded_at=now,
            changed_at=now,
        )
        return [
            Noticed(one.memory, 0, one.revision) for one in bundle.store.apply(ChangeSet(puts=(Put(memory),))).written
        ]

    actions: dict[str, Callable[[], object]] = {
        "floor": lambda: floors.durable_write(aside / f"{time.perf_counter_ns()}.md", corpus.body()),
        "write": written,
        "write_with_history": lambda: record(bundle, written()),
    }
    taken: dict[str, list[float]] = {name: [] for name in actions}
    lot = Random(7)
    for action in actions.values():
        action()
    for _ in range(ROUNDS):
        for name in lot.sample(list(actions), len(actions)):
            begin = time.perf_counter()
            actions[name]()
            taken[name].append((time.perf_counter() - begin) * 1e3)
    middle = {name: median(times) for name, times in taken.items()}
    figures: dict[str, object] = {f"{name}_ms": round(value, 2) for name, value in middle.items()}
    figures |= {
        f"{name}_by_floor": round(middle[name] / middle["floor"], 2) for name in ("write", "write_with_history")
    }
    return figures


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000, sys.argv[2] if len(sys.argv) > 2 else None)
