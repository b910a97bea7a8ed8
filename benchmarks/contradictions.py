"""How long contradictions take to find, as one JSON object: `python benchmarks/contradictions.py [MEMORIES]`.

Half of the bundle are notes made by lot, of a few paragraphs each; half are single sentences about two hundred people,
many of which contradict each other, with claims. `one_note_ms` is the look before a note of six sentences is written,
`all_s` the list of all pairs.
"""

from __future__ import annotations

import json
import platform
import sys
import timeit
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from mnemic.app import App, create_bundle
from mnemic.bench.corpus import write_memories
from mnemic.domain.drafts import Draft
from mnemic.services.judging.contradict import may_contradict

SENTENCES = (
    "{name} lives in {place}.",
    "The port of {name}'s server is {number}.",
    "{name} met {other} in {place} on {number} May.",
    "We use tool{number} for {name}.",
    "{name} likes {place} and tool{number}.",
)
NOTE = (
    "Anna7 lives in Bergen. She says that the port of Omar9's server is 12. We use tool3 for Karim5. It is late. "
    "They met in Rome. The rest is silence."
)
PLACES = ("Oslo", "Bergen", "Rome", "Bonn", "Kiel", "Lyon")
PEOPLE = [f"{name}{number}" for name in ("Anna", "Omar", "Karim", "Lena") for number in range(50)]


def main() -> None:
    """Measure and print."""
    memories = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with TemporaryDirectory() as folder:
        app = _an_app(Path(folder) / "memory", memories)
        found = app.contradictions()
        draft = app.bundle.store.find(app.remember(Draft(body="The last note.", title="Last")).memory.id).memory
        note = draft.changed(draft.changed_at, body=NOTE)
        figures = {
            "memories": memories,
            "found": len(found),
            "all_s": round(min(timeit.repeat(app.contradictions, number=1, repeat=3)), 2),
            "one_note_ms": round(
                min(timeit.repeat(lambda: may_contradict(app.bundle, note), number=1, repeat=20)) * 1e3, 2
            ),
            "python": platform.python_version(),
        }
    print(json.dumps(figures))


def _an_app(root: Path, memories: int) -> App:
    create_bundle(root)
    lot = Random(2026)
    for _ in write_memories(root, memories // 2, 2026):
        pass
    notes = root / "sentences"
    notes.mkdir()
    for place in range(memories - memories // 2):
        said = lot.choice(SENTENCES).format(
            name=lot.choice(PEOPLE), other=lot.choice(PEOPLE), place=lot.choice(PLACES), number=lot.randrange(28)
        )
        claim = f"{{key: thing {lot.randrange(memories)}, value: {lot.randrange(3)}}}"
        (notes / f"{place}.md").write_text(f"---\ntype: note\nclaim: {claim}\n---\n{said}\n", encoding="utf-8")
    app = App.start(root, overrides=("bundle.zone=UTC",), embedders=())
    app.reindex(embed=False)
    return app


if __name__ == "__main__":
    main()
