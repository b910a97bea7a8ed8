"""Replay: how long a look over a bundle takes, and how many of the merges that it proposes are right.

python benchmarks/replay.py [MEMORIES]

Every second note has a claim, so that a thousand keys have values that agree and that do not. Seconds are of the
processor, the least of three. The pairs are those of the tests, judged by hand, each half apart.
"""

from __future__ import annotations

import json
import platform
import sys
import tempfile
import time
from pathlib import Path

from mnemic.app import App, create_bundle
from mnemic.bench.corpus import Corpus
from mnemic.domain.proposals import Aim

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "services"))

from merge_pairs import PAIRS  # type: ignore[import-not-found]

KEYS = 1_000
VALUES = 3
TOGETHER = 40
"""Pairs in one bundle: fewer than wait for a person at a time."""


def main(memories: int) -> None:
    """Print the figures as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        figures = {"memories": memories, **_looked_over(Path(folder, "many"), memories)}
        figures |= {
            half: _merged(Path(folder, half), [pair for pair in PAIRS if pair.held_out is held_out])
            for half, held_out in (("merges_dev", False), ("merges_held_out", True))
        }
    figures |= {"python": platform.python_version(), "machine": f"{platform.system()} {platform.machine()}"}
    print(json.dumps(figures, indent=2))


def _looked_over(root: Path, memories: int) -> dict[str, object]:
    corpus = Corpus(7)
    app = _started(root)
    for number in range(memories):
        claim = f"claim:\n  key: k{number % KEYS}.x\n  value: v{number % VALUES}\n" if number % 2 else ""
        _write(root, f"{number}", f"Note {number}", corpus.body(), claim)
    app.reindex(embed=False)
    taken = []
    for _ in range(3):
        begin = time.process_time()
        done = app.replay(dry_run=True)
        taken.append(time.process_time() - begin)
    return {"replay_cpu_s": round(min(taken), 2), "keys": len(done.supports), "proposals": len(done.proposals)}


def _merged(root: Path, pairs: list[object]) -> dict[str, object]:
    found: set[int] = set()
    for start in range(0, len(pairs), TOGETHER):
        place = root / str(start)
        app = _started(place)
        for number, pair in enumerate(pairs[start : start + TOGETHER], start):
            for name, text in (("one", pair.one), ("other", pair.other)):  # type: ignore[attr-defined]
                _write(place, f"{number}-{name}", text[:60], text, f"scope:\n  project: p{number}\n")
        for proposal in app.replay(dry_run=True).proposals:
            if proposal.aim is Aim.MERGE:
                found |= {int(step.after.id.removeprefix("notes/").partition("-")[0]) for step in proposal.steps}
    same = {number for number, pair in enumerate(pairs) if pair.same}  # type: ignore[attr-defined]
    return {"pairs": len(pairs), "same": len(same), "proposed": len(found), "right": len(found & same)}


def _started(root: Path) -> App:
    create_bundle(root)
    (root / "notes").mkdir(exist_ok=True)
    return App.start(root, overrides=("bundle.zone=UTC", "history.keep=false"), embedders=())


def _write(root: Path, name: str, title: str, body: str, more: str) -> None:
    head = f"type: note\ntitle: {json.dumps(title)}\ntimestamp: 2026-05-01T00:00:00Z\n{more}"
    (root / "notes" / f"{name}.md").write_text(f"---\n{head}---\n\n{body}\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000)
