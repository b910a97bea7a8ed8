"""Fit the weights of recall on questions with known answers, with the product's own evidence.

    python benchmarks/fit_ranking.py --locomo FILE --xquad FILE... [--features FILE]

A question gives a softmax over its candidates; the fit raises the likelihood of the right ones. Questions of all kinds
are fitted together: conversations (LoCoMo, categories 1 to 4), notes in five languages and across languages (ours,
benchmarks/data/pairs-dev.json) and paragraphs (XQuAD, which count a third: their questions repeat the paragraph's
words). Figures are printed as fitted, and with each conversation (each half of the notes) left out of its own fit.
"""

from __future__ import annotations

import argparse
import pickle
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from mnemic.app import App
from mnemic.bench.bundles import Workshop, default_cache
from mnemic.bench.locomo import _prepared
from mnemic.bench.notes import remembered
from mnemic.bench.pairs import POOLED, read_pairs
from mnemic.bench.xquad import read_passages
from mnemic.adapters.importers.locomo import questions
from mnemic.domain.entries import Source, Where
from mnemic.ranking.fuse import channel_of
from mnemic.services.gather import Search, Vector, collect
from mnemic.ranking import fuse as ranking_fuse
from mnemic.ranking.weights import BACKGROUNDS, COVER, LONG_TURN, Weights
from mnemic.services.query import understand, without_names

PAIRS = Path(__file__).parent / "data" / "pairs-dev.json"
CHANNELS = ("words", "group", "name", "length", "asks", "day", "e5", "use")
LONGEST = 80
WEIGHT = {"locomo": 1.0, "pairs": 1.0, "xquad": 0.3}


@dataclass
class Question:
    """Evidence of every candidate `(n, channels)`, its entry, which are right, and how many entries there are."""

    kind: str
    part: str
    number: int
    channels: NDArray[np.float32]
    cosine: NDArray[np.float32]
    groups: NDArray[np.int64]
    right: NDArray[np.int64]
    rights: int
    entries: int
    right_groups: int = 0
    category: int = 0


def evidence(app: App, text: str, now, where: Where):
    """Candidates of a question as rows of channels."""
    bundle = app.bundle
    asked = understand(text, now=now, zone=bundle.zone)
    with bundle.index.reading() as index:
        nameless = without_names(text, index.named(asked.names).speakers)
    vectors = [
        Vector(engine.space, engine.embed_queries([text if engine.space.window else nameless])[0])
        for engine in bundle.engines().embedders
    ]
    with bundle.index.reading() as index:
        found, _ = collect(Search(index, asked, where, lambda: vectors, now, Weights()))
        rows = list(found)
        entries = index.entries(rows)
        total = index.statistics().entries
    spaces = {channel_of(vector.space.id): vector.space.id for vector in vectors}

    def channel(one, name):
        return one.meaning.get(spaces.get(name, ""), 0.0) if name in ("e5", "use") else getattr(one, name)

    matrix = np.array([[channel(found[row], name) for name in CHANNELS] for row in rows], np.float32).reshape(
        -1, len(CHANNELS)
    )
    cosine = np.array(
        [[found[row].cosine.get(spaces.get(name, ""), 0.0) for name in ("e5", "use")] for row in rows], np.float32
    ).reshape(-1, 2)
    return matrix, cosine, np.array([entries[row].group for row in rows]), [entries[row].id for row in rows], total


def collected(arguments: argparse.Namespace) -> list[Question]:
    """Every question with its evidence."""
    ranking_fuse.LONG_TURN = LONGEST  # the cap is tried out below
    workshop = Workshop(cache=default_cache())
    workshop.cache.parent.mkdir(parents=True, exist_ok=True)
    out: list[Question] = []
    with TemporaryDirectory() as name:
        folder = Path(name)
        listed = questions(arguments.locomo)
        conversations = _prepared(arguments.locomo, workshop, folder, None)
        for one in listed.questions:
            conversation = conversations[one.conversation]
            matrix, cosine, groups, ids, total = evidence(
                conversation.app, one.text, conversation.now, Where(sources=(Source.TURN,))
            )
            right = np.flatnonzero(np.isin(ids, one.turns))
            sessions = {turn.rpartition("#")[0] for turn in one.turns}
            out.append(
                Question(
                    "locomo",
                    one.conversation,
                    one.number,
                    matrix,
                    cosine,
                    groups,
                    right,
                    len(one.turns),
                    total,
                    len(sessions),
                    one.category,
                )
            )
            others = [other for other in conversations if other != one.conversation]
            wrong = conversations[others[one.number % len(others)]]
            matrix, cosine, groups, ids, total = evidence(wrong.app, one.text, wrong.now, Where(sources=(Source.TURN,)))
            out.append(
                Question(
                    "wrong",
                    one.conversation,
                    one.number,
                    matrix,
                    cosine,
                    groups,
                    np.zeros(0, np.int64),
                    0,
                    total,
                    0,
                    one.category,
                )
            )
        pairs = read_pairs(PAIRS)
        made = {
            language: remembered(
                workshop.new(folder / f"p-{language}"), [pair.note for pair in pairs[language]], what=""
            )
            for language in pairs
        }
        halves = {
            language: [
                remembered(
                    workshop.new(folder / f"h{half}-{language}"),
                    [pair.note for pair in pairs[language]][half::2],
                    what="",
                )
                for half in (0, 1)
            ]
            for language in pairs
        }
        for setting in POOLED:
            asks, _, holds = setting.partition(">")
            for place, pair in enumerate(pairs[asks]):
                app = made[holds].app
                matrix, cosine, groups, ids, total = evidence(app, pair.question, app.bundle.clock.now(), Where())
                out.append(
                    Question(
                        "pairs",
                        setting,
                        place,
                        matrix,
                        cosine,
                        groups,
                        np.flatnonzero(np.array(ids) == made[holds].ids[place]),
                        1,
                        total,
                        1,
                    )
                )
                app = halves[holds][1 - place % 2].app  # the notes of the other half: none of them answers
                matrix, cosine, groups, ids, total = evidence(app, pair.question, app.bundle.clock.now(), Where())
                out.append(
                    Question("wrong-pairs", setting, place, matrix, cosine, groups, np.zeros(0, np.int64), 0, total)
                )
        for path in arguments.xquad:
            file = read_passages(path)
            notes = remembered(workshop.new(folder / f"x-{file.language}"), file.paragraphs, what="")
            for number, ask in enumerate(file.questions[::2]):
                matrix, cosine, groups, ids, total = evidence(
                    notes.app, ask.text, notes.app.bundle.clock.now(), Where()
                )
                out.append(
                    Question(
                        "xquad",
                        file.language,
                        number,
                        matrix,
                        cosine,
                        groups,
                        np.flatnonzero(np.array(ids) == notes.ids[ask.paragraph]),
                        1,
                        total,
                        1,
                    )
                )
    return out


def fitted(asked: list[Question], use: list[int], *, ridge: float = 1e-3, steps: int = 300) -> NDArray[np.float64]:
    """Weights of the channels `use` by maximum likelihood (Adam on all questions at once), the others 0."""
    asked = [one for one in asked if len(one.right) and one.kind in WEIGHT]
    sizes = np.array([len(one.channels) for one in asked])
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    matrix = np.concatenate([one.channels[:, use] for one in asked]).astype(np.float32)
    scale = matrix.std(axis=0) + 1e-6
    matrix = matrix / scale
    target = np.zeros(len(matrix), np.float32)
    for start, one in zip(starts, asked, strict=True):
        target[start + one.right] = 1 / len(one.right)
    share = np.repeat([WEIGHT[one.kind] for one in asked], sizes).astype(np.float32)
    total = sum(WEIGHT[one.kind] for one in asked)
    weights, first, second = np.zeros(len(use)), np.zeros(len(use)), np.zeros(len(use))
    wanted = matrix.T @ (target * share) / total
    for step in range(1, steps + 1):
        scores = matrix @ weights.astype(np.float32)
        scores = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
        chance = scores / np.repeat(np.add.reduceat(scores, starts), sizes)
        slope = matrix.T @ (chance * share) / total - wanted + ridge * weights
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        rate = 0.05 if step < 0.6 * steps else 0.015
        weights -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    full = np.zeros(len(CHANNELS))
    full[use] = weights / scale
    return full


def recalls(one: Question, weights: NDArray[np.float64], ks: tuple[int, ...]) -> list[float]:
    """Share of the right ones among the first k."""
    order = np.argsort(-(one.channels @ weights), kind="stable")
    return [len(set(order[:k].tolist()) & set(one.right.tolist())) / max(one.rights, 1) for k in ks]


def session_recall(one: Question, weights: NDArray[np.float64], k: int) -> float:
    """Share of the right sessions among the first k."""
    order = np.argsort(-(one.channels @ weights), kind="stable")
    groups = list(dict.fromkeys(one.groups[order].tolist()))[:k]
    right = set(one.groups[one.right].tolist())
    return len(right & set(groups)) / max(one.right_groups, 1)


def report(asked: list[Question], weights_of, label: str) -> None:
    """One line of figures."""
    main = [one for one in asked if one.kind == "locomo" and one.category in (1, 2, 3, 4)]
    turns = np.mean([recalls(one, weights_of(one), (5, 10, 20)) for one in main], axis=0) * 100
    by = [
        np.mean([recalls(one, weights_of(one), (10,))[0] for one in main if one.category == c]) * 100
        for c in (1, 2, 3, 4)
    ]
    sessions = np.mean([session_recall(one, weights_of(one), 5) for one in main]) * 100
    pairs = np.mean([recalls(one, weights_of(one), (1,))[0] for one in asked if one.kind == "pairs"]) * 100
    xquad = {
        part: np.mean(
            [recalls(one, weights_of(one), (1,))[0] for one in asked if one.kind == "xquad" and one.part == part]
        )
        * 100
        for part in dict.fromkeys(one.part for one in asked if one.kind == "xquad")
    }
    print(
        f"{label:34s} locomo {turns.round(1)} by category @10 {np.round(by).astype(int).tolist()} session@5 {sessions:.1f} pairs {pairs:.1f} xquad {[round(v, 1) for v in xquad.values()]}",
        flush=True,
    )


KEPT = {"locomo": 0.98, "pairs": 0.98, "xquad": 0.99}
"""Share of answerable questions that must be answered, by kind; what is asked for follows from it."""
WRONG = {"wrong": "locomo", "wrong-pairs": "pairs"}


def refusal(
    asked: list[Question], weights: NDArray[np.float64], spaces: tuple[str, ...], kinds: tuple[str, ...]
) -> None:
    """Fit what tells an answerable question from one put to the wrong bundle; print weights and thresholds."""
    rows, answerable, kind, part = [], [], [], []
    for one in asked:
        family = WRONG.get(one.kind, one.kind)
        if family not in kinds or one.category == 5 or not len(one.channels):
            continue
        place = np.argmax(one.channels @ weights)
        cover = one.channels[:, :2] @ np.array(COVER)
        near = [
            ((one.cosine[place, number] + one.cosine[:, number].max()) / 2 - BACKGROUNDS[model].mean)
            / BACKGROUNDS[model].variance ** 0.5
            for number, (name, model) in enumerate((("e5", "e5-small-q4"), ("use", "use-m3")))
            if name in spaces
        ]
        rows.append([(cover[place] + cover.max()) / 2, *near])
        answerable.append(one.kind == family)
        kind.append(family)
        part.append(one.part)
    matrix, truth, kind, part = np.array(rows), np.array(answerable), np.array(kind), np.array(part)
    count = matrix.shape[1]
    flags = np.stack([(kind == name).astype(float) for name in kinds], axis=1)
    share = np.zeros(len(truth))
    for name in kinds:
        for value in (True, False):
            chosen = (kind == name) & (truth == value)
            share[chosen] = 1 / max(chosen.sum(), 1)
    wide = np.concatenate([matrix, flags], axis=1)
    coefficients = logistic(wide, truth, share)[:count]
    score = matrix @ coefficients
    for name in set(part[kind == "locomo"]):
        inside = part == name
        score[inside] = matrix[inside] @ logistic(wide[~inside], truth[~inside], share[~inside])[:count]
    print(f"refusal with {spaces or 'no space'}: weights {coefficients.round(2).tolist()}")
    for name in kinds:
        limit = np.quantile(score[(kind == name) & truth], 1 - KEPT[name])
        away = score[(kind == name) & ~truth]
        refused = f"refused {np.mean(away < limit) * 100:.0f} %" if len(away) else ""
        size = np.mean([one.entries for one in asked if WRONG.get(one.kind, one.kind) == name])
        print(f"    {name}: about {size:.0f} entries, kept {KEPT[name]:.1%} at {limit:.2f} {refused}")


def logistic(matrix: NDArray[np.float64], truth: NDArray[np.bool_], share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coefficients by Newton's method, slightly ridged."""
    scale = matrix.std(axis=0) + 1e-9
    scaled = matrix / scale
    found = np.zeros(matrix.shape[1])
    for _ in range(60):
        chance = 1 / (1 + np.exp(-scaled @ found))
        slope = scaled.T @ (share * (chance - truth)) / share.sum() + 1e-3 * found
        curve = (scaled * (share * chance * (1 - chance))[:, None]).T @ scaled / share.sum()
        found -= np.linalg.solve(curve + 1e-3 * np.eye(len(found)), slope)
    return found / scale


def main() -> None:
    """Collect, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locomo", type=Path, required=True)
    parser.add_argument("--xquad", type=Path, nargs="*", default=[])
    parser.add_argument("--features", type=Path, help="keep the evidence here, or take it from here")
    parser.add_argument("--long-turn", type=float, default=LONG_TURN)
    arguments = parser.parse_args()
    if arguments.features and arguments.features.exists():
        asked = pickle.loads(arguments.features.read_bytes())
    else:
        asked = collected(arguments)
        if arguments.features:
            arguments.features.write_bytes(pickle.dumps(asked))
    for one in asked:
        turns = one.kind in ("locomo", "wrong")
        if turns:
            one.channels[:, 3] = np.minimum(one.channels[:, 3] * LONGEST, arguments.long_turn) / arguments.long_turn
    fit_on = [one for one in asked if one.kind != "locomo" or one.category in (1, 2, 3, 4)]
    for label, use in (
        ("all channels", range(8)),
        ("without vectors", range(6)),
        ("e5 alone", [0, 1, 2, 3, 4, 5, 6]),
        ("use alone", [0, 1, 2, 3, 4, 5, 7]),
    ):
        kept = [one for one in fit_on if one.kind != "pairs" or label != "without vectors"]
        weights = fitted(kept, list(use))
        report(asked, lambda one, weights=weights: weights, label)
        print("   ", {name: round(float(value), 3) for name, value in zip(CHANNELS, weights, strict=True)})
        spaces = tuple(name for number, name in ((6, "e5"), (7, "use")) if number in use)
        refusal(asked, weights, spaces, ("locomo", "pairs") if spaces else ("locomo", "xquad"))
        if label == "all channels":
            left_out = {
                part: fitted([one for one in kept if one.part != part], list(use))
                for part in {one.part for one in kept if one.kind == "locomo"}
            }
            halves = [
                fitted([one for one in kept if one.kind != "pairs" or one.number % 2 != half], list(use))
                for half in (0, 1)
            ]
            report(
                asked,
                lambda one: (
                    left_out[one.part]
                    if one.kind == "locomo"
                    else halves[one.number % 2]
                    if one.kind == "pairs"
                    else weights
                ),
                "  each part left out of its fit",
            )


if __name__ == "__main__":
    main()
