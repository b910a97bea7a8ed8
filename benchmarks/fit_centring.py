"""Fit the constants of `mnemic.adapters.embed.centring` on notes and questions in five languages.

    python benchmarks/fit_centring.py

Writes one file a model into src/mnemic/adapters/embed/constants/. How many directions are taken out was chosen by
recall on LoCoMo and on these pairs (docs/explanation/recall.md): four for e5, none for USE.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from mnemic.adapters.embed.centring import constants_file
from mnemic.adapters.embed.local import load_local

PAIRS = Path(__file__).parent / "data" / "pairs-dev.json"
DIRECTIONS = {"e5-small-q4": 4, "use-m3": 0}


def main() -> None:
    """Fit and write."""
    pairs = json.loads(PAIRS.read_text(encoding="utf-8"))
    for embedder in load_local(centre=False).embedders:
        questions = [embedder.embed_queries([pair["question"] for pair in pairs[language]]) for language in pairs]
        notes = [embedder.embed_passages([pair["note"] for pair in pairs[language]]) for language in pairs]
        question_means = np.array([rows.mean(axis=0) for rows in questions])
        note_means = np.array([rows.mean(axis=0) for rows in notes])
        query_mean, passage_mean = question_means.mean(axis=0), note_means.mean(axis=0)
        apart = np.concatenate([question_means - query_mean, note_means - passage_mean])
        directions = np.linalg.svd(apart, full_matrices=False)[2][: DIRECTIONS[embedder.space.model]]
        constants = np.vstack([query_mean, passage_mean, directions]).astype(np.float32)
        path = constants_file(embedder.space.model)
        path.parent.mkdir(exist_ok=True)
        constants.tofile(path)
        print(f"{path.name}: {constants.shape[0]} rows of {constants.shape[1]}")


if __name__ == "__main__":
    main()
