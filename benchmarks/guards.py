"""What the guards find and what they cost, as one JSON object: `python benchmarks/guards.py`.

Shares are those of the labelled corpora of the tests, each half apart. Milliseconds are the median for a note of 1,024
characters: the rules for secrets, for signs of injection and for personal data, and all guards of a write together.
Growth is the time of a text twice as long over that of the text, 2.0 where the rules are linear.
"""

from __future__ import annotations

import json
import platform
import sys
import timeit
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent))

from mnemic.domain.memory import Memory
from mnemic.domain.policy import Policy
from mnemic.domain.provenance import Origin, Provenance
from mnemic.services.judging.guards import guarded
from mnemic.text.injection_signs import injection_signs, split_sign
from mnemic.text.personal_data import labels
from mnemic.text.secret_rules import find_secrets
from secret_rules import NOTES  # type: ignore[import-not-found]

if TYPE_CHECKING:
    from collections.abc import Callable

CORPORA = Path(__file__).parents[1] / "tests" / "text"
REPEATS = 200
LONG = 200_000
HOSTILE = ("ignore all the ", "whenever the user ", "<!--", "![", "a ", "%41", "`", "\u202e")


def main() -> None:
    """Print the figures."""
    notes = {kind: (text * 20)[:1024] for kind, text in NOTES.items()}
    figures = {
        "injection": {half: _injection(half) for half in ("dev", "held_out")},
        "personal_data": {half: _personal(half) for half in ("dev", "held_out")},
        "ms_per_kB": {kind: _costs(note) for kind, note in notes.items()},
        "growth": {unit: _growth(unit) for unit in HOSTILE},
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
    }
    print(json.dumps(figures, indent=2, ensure_ascii=False))


def _injection(half: str) -> dict[str, object]:
    attacks = _read(f"injection_attacks_{half}")
    ordinary = _read(f"injection_ordinary_{half}")
    blocked = sum(map(_blocked, (attack["text"] for attack in attacks)))
    alarms = sum(1 for note in ordinary if injection_signs(note["text"]))
    return {
        "attacks": len(attacks),
        "blocked": round(blocked / len(attacks), 4),
        "ordinary": len(ordinary),
        "false_alarms": round(alarms / len(ordinary), 4),
    }


def _blocked(text: str | list[str]) -> bool:
    texts = [text] if isinstance(text, str) else text
    return any(map(injection_signs, texts)) or any(split_sign(texts[:at], texts[at]) for at in range(1, len(texts)))


def _personal(half: str) -> dict[str, object]:
    pairs = [(set(row["labels"]), set(map(str, labels(row["text"])))) for row in _read(f"personal_data_{half}")]
    right = sum(len(wanted & found) for wanted, found in pairs)
    return {
        "texts": len(pairs),
        "recall": round(right / sum(len(wanted) for wanted, _ in pairs), 4),
        "precision": round(right / sum(len(found) for _, found in pairs), 4),
    }


def _costs(note: str) -> dict[str, float]:
    now = datetime(2026, 5, 3, tzinfo=UTC)
    memory = Memory(
        uid="0190c2e4-7f3a-7c11-9d2e-3b5a1c9f8e70",  # type: ignore[arg-type]
        id="notes/a",  # type: ignore[arg-type]
        kind="note",
        title="A note",
        body=note,
        recorded_at=now,
        changed_at=now,
        provenance=Provenance.of(Origin.WEB),
    )
    policy = Policy()
    return {
        "secrets": _milliseconds(lambda: find_secrets(note)),
        "injection": _milliseconds(lambda: injection_signs(note)),
        "personal_data": _milliseconds(lambda: labels(note)),
        "together": _milliseconds(lambda: guarded(memory, policy)),
    }


def _growth(unit: str) -> float:
    short, long = ((unit * (size // len(unit))) for size in (LONG, 2 * LONG))
    one, two = (min(timeit.repeat(lambda: injection_signs(text), number=1, repeat=3)) for text in (short, long))  # noqa: B023
    return round(two / one, 2)


def _milliseconds(call: Callable[[], object]) -> float:
    return round(median(timeit.repeat(call, number=1, repeat=REPEATS)) * 1000, 3)


def _read(name: str) -> list[dict[str, object]]:  # the corpora are ours
    return list(json.loads((CORPORA / f"{name}.json").read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
