"""Fit and judge the weights of `mnemic.text.tokens.count_tokens_safely` against two published vocabularies.

    python -m venv /tmp/tokens && /tmp/tokens/bin/pip install bpe-openai==0.1.4 scipy
    PYTHONPATH=src /tmp/tokens/bin/python benchmarks/fit_tokens.py [FOLDER ...]

Texts are cut at blank lines into pieces of 20 tokens and more: this repository's own (code, Markdown, tests and data in
many scripts) and those of the folders given (`.md`, `.txt`, `.py`, `.json`). Weights are a quantile regression of the
greater of the two counts on every second piece; the figures are of the other half, with the weights that are shipped.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpe_openai
import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, hstack, identity

from mnemic.text.tokens import COUNTED, count_tokens, count_tokens_safely

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
LEAST_TOKENS = 20
PIECE = 1_200
MOST_PIECES = 1_500
"""Of one kind of text, so that none outweighs the others."""
QUANTILE = 0.99


def main(folders: list[str]) -> None:
    """Fit, then judge what is shipped."""
    counters = [bpe_openai.get_encoding(name).encode_ordinary for name in ("o200k_base", "cl100k_base")]
    rows: list[tuple[str, str, int]] = []
    for kind, pieces in by_kind([ROOT, *map(Path, folders)]).items():
        step = max(len(pieces) // MOST_PIECES, 1)
        counted = [(kind, text, max(len(counter(text)) for counter in counters)) for text in pieces[::step]]
        rows += [row for row in counted if row[2] >= LEAST_TOKENS]
    fitted = fit(rows[::2])
    for (pattern, usual, safe), weight in zip(COUNTED, fitted, strict=True):
        print(f"usual {usual:4} shipped {safe:4} fitted {weight * 100:6.0f}  {pattern.pattern[:60]!r}")
    judge(rows[1::2])


def fit(rows: list[tuple[str, str, int]]) -> Any:  # noqa: ANN401 - scipy has no types
    """Weights, one a counted class, of which the `QUANTILE` of texts is estimated at no less than its count."""
    counts = np.array([[len(pattern.findall(text)) for pattern, _, _ in COUNTED] for _, text, _ in rows], float)
    true = np.array([count for _, _, count in rows], float)
    shares = counts / true[:, None]
    sizes = Counter(kind for kind, _, _ in rows)
    weight = np.array([1 / sizes[kind] ** 0.5 for kind, _, _ in rows])
    features, number = shares.shape[1], len(rows)
    costs = np.concatenate([(shares * weight[:, None]).sum(axis=0) * (1 - QUANTILE), weight])
    matrix = hstack([csr_matrix(-shares), -identity(number)]).tocsr()
    bounds = [(usual / 100, None) for _, usual, _ in COUNTED] + [(0, None)] * number
    return linprog(costs, A_ub=matrix, b_ub=-np.ones(number), bounds=bounds, method="highs").x[:features]


def judge(rows: list[tuple[str, str, int]]) -> None:
    """The ratio of estimate and count, by kind of text."""
    ratios: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for kind, text, count in rows:
        both = (count_tokens_safely(text) / count, count_tokens(text) / count)
        ratios[kind].append(both)
        ratios["all"].append(both)
    print(f"{'kind':14} texts  too few   least  median     95 %     most | usual: least median most")
    for kind, pairs in sorted(ratios.items()):
        safe, usual = np.array(pairs).T
        least, middle, most = usual.min(), np.median(usual), usual.max()
        print(
            f"{kind:14} {len(safe):5}  {(safe < 1).mean():7.2%}  {safe.min():6.2f}  {np.median(safe):6.2f}"
            f"  {np.quantile(safe, 0.95):7.2f}  {safe.max():7.2f} | {least:.2f} {middle:.2f} {most:.2f}"
        )


def by_kind(folders: list[Path]) -> dict[str, list[str]]:
    """Pieces of text, each once, by kind: code, Markdown and data as files, what people said by its script."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            suffix = path.suffix.removeprefix(".")
            if suffix not in {"md", "txt", "py", "json"} or any(part.startswith(".") for part in path.parts[1:]):
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            for piece in pieces_of(text):
                found[f"{script_of(piece)} {suffix}"][piece] = None
            for said in strings(json.loads(text)) if suffix == "json" else ():
                for piece in pieces_of(said):
                    found[script_of(piece)][piece] = None
    return {kind: list(pieces) for kind, pieces in found.items()}


def script_of(text: str) -> str:
    """The script of most of its letters; Latin with a letter in thirty beyond ASCII is told apart from plain."""
    counts = Counter(unicodedata.name(char, "?").split()[0] for char in text if char.isalpha())
    if not counts:
        return "signs"
    script, number = counts.most_common(1)[0]
    if counts["HIRAGANA"] * 5 > number:
        return "japanese"
    if script == "LATIN":
        beyond = sum(char.isalpha() and not char.isascii() for char in text)
        return "latin+" if beyond * 30 > number else "latin"
    return script.lower()


def strings(value: object) -> Iterator[str]:
    """Every string of a JSON value; lists of short ones joined, since people write more than a line."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        if value and all(isinstance(one, str) for one in value):
            yield " ".join(value)
        for one in value:
            yield from strings(one)


def pieces_of(text: str) -> Iterator[str]:
    """Runs of paragraphs up to `PIECE` characters."""
    piece = ""
    for paragraph in text.split("\n\n"):
        if piece and len(piece) + len(paragraph) > PIECE:
            yield piece
            piece = ""
        piece = f"{piece}\n\n{paragraph}" if piece else paragraph
    yield from (piece[start : start + PIECE] for start in range(0, len(piece), PIECE))


if __name__ == "__main__":
    main(sys.argv[1:])
