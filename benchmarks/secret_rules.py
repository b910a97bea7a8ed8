"""Recall, precision and speed of the secret rules, as one JSON object: `python benchmarks/secret_rules.py [SEED]`.

Recall and precision are those of the labelled corpus of the tests, drawn anew with the given seed, ten secrets from
each template. Speed is the median time for a note of 1,024 characters, in five kinds of ordinary text
and one with a key.
"""

from __future__ import annotations

import json
import platform
import sys
import timeit
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "text"))

from secrets_corpus import ordinary_notes, planted_notes, sample  # type: ignore[import-not-found]

from mnemic.text.secret_rules import RULES, find_secrets

NOTES: dict[str, str] = {
    "English": "We met Boris at the lake house and talked about the autumn, the budget and the new office. ",
    "Russian": "Вчера встретили Аню в кафе и обсудили поездку, бюджет и новый пароль от сейфа. ",
    "Japanese": "昨日、田中さんと会議をして、新しいパスワード管理と来月の旅行について話しました。楽しかったです。",
    "hashes": "Bisected to 3f2a9c1de07b45d8a6c1f09be2d47a6c8f3b1e20, 0190c2e4-7f3a-7c11-9d2e-3b5a1c9f8e70 ran. ",
    "code": "token = tokens[i]\npassword = environ['DB_PASSWORD']\nurl = f'pg://{user}:{password}@{host}/db'\n",
}
REPEATS = 200


def main(seed: int) -> None:
    """Print the figures."""
    planted, ordinary = planted_notes(seed, rounds=10), ordinary_notes(seed)
    found = [(note, find_secrets(note.text)) for note in planted]
    hit = sum(all(any(f.start <= a and b <= f.end for f in fs) for a, b in note.spans) for note, fs in found)
    stray = sum(not any(f.start < b and a < f.end for a, b in note.spans) for note, fs in found for f in fs)
    alarms = sum(len(find_secrets(note)) for note in ordinary)
    figures = {
        "rules": len(RULES),
        "planted": len(planted),
        "ordinary": len(ordinary),
        "recall": round(hit / len(planted), 5),
        "precision": round(hit / (hit + stray + alarms), 5),
        "false_alarms": alarms,
        "ms_per_kB": {kind: _milliseconds((text * 20)[:1024]) for kind, text in NOTES.items()},
        "ms_per_kB_with_a_key": _milliseconds(
            (NOTES["English"] * 20)[:980] + " " + sample("npm-token", "npm_{b62:36}", Random(seed)).text
        ),
        "seed": seed,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
    }
    print(json.dumps(figures, indent=2, ensure_ascii=False))


def _milliseconds(note: str) -> float:
    return round(median(timeit.repeat(lambda: find_secrets(note), number=1, repeat=REPEATS)) * 1000, 3)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
