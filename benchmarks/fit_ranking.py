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
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from mnemic.adapters.importers.locomo import questions
from mnemic.bench.bundles import Workshop, default_cache
from mnemic.bench.locomo import prepared
from mnemic.bench.notes import remembered
from mnemic.bench.pairs import POOLED, read_pairs
from mnemic.bench.xquad import read_passages
from mnemic.domain.entries import Source, Where
from mnemic.ranking import fuse as ranking_fuse
from mnemic.ranking.abstain import asked_for
from mnemic.ranking.fuse import channel_of
from mnemic.ranking.weights import BACKGROUNDS, COVER, LONG_TURN, REFUSALS, Weights
from mnemic.services.recalling.gather import Search, Vector, collect
from mnemic.services.recalling.query import understand, without_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from mnemic.app import App
    from mnemic.ranking.evidence import Evidence

PAIRS = Path(__file__).parent / "data" / "pairs-dev.json"
CHANNELS = ("words", "group", "name", "length", "asks", "day", "e5", "use")
LONGEST = 80
SPACES = ("e5", "use")
CATEGORIES = (1, 2, 3, 4)
CONFIGURATIONS = {
    "all channels": list(range(8)),
    "without vectors": list(range(6)),
    "e5 alone": [0, 1, 2, 3, 4, 5, 6],
    "use alone": [0, 1, 2, 3, 4, 5, 7],
}
WEIGHT = {"locomo": 1.0, "pairs": 1.0, "xquad": 0.3}


@dataclass
class Question:
    """A question and its candidates.

    `channels` is `(n, channels)`, `cosine` `(n, spaces)`; `right` are the rows that answer, of `rights` that exist.
    """

    kind: str
    part: str
    number: int
    channels: NDArray[np.float32]
    cosine: NDArray[np.float32]
    groups: NDArray[np.int64]
    ids: list[str]
    entries: int
    right: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    rights: int = 0
    right_groups: int = 1
    category: int = 0

    def answered_by(self, ids: Sequence[str]) -> None:
        """Note which entries are right."""
        self.right, self.rights = np.flatnonzero(np.isin(self.ids, ids)), len(ids)


def evidence(  # noqa: PLR0913 - what is asked, where
    kind: str, part: str, number: int, *, app: App, text: str, now: datetime, where: Where
) -> Question:
    """A question with every candidate's channels; which are right is for the caller to say, by `ids`."""
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
        entries = index.entries(list(found))
        total = index.statistics().entries
    spaces = {channel_of(vector.space.id): vector.space.id for vector in vectors}

    def channel(one: Evidence, name: str) -> float:
        return one.meaning.get(spaces.get(name, ""), 0.0) if name in SPACES else float(getattr(one, name))

    rows = [[channel(one, name) for name in CHANNELS] for one in found.values()]
    cosines = [[one.cosine.get(spaces.get(name, ""), 0.0) for name in SPACES] for one in found.values()]
    return Question(
        kind=kind,
        part=part,
        number=number,
        channels=np.array(rows, np.float32).reshape(-1, len(CHANNELS)),
        cosine=np.array(cosines, np.float32).reshape(-1, len(SPACES)),
        groups=np.array([entries[row].group for row in found]),
        ids=[entries[row].id for row in found],
        entries=total,
    )


def collected(arguments: argparse.Namespace) -> list[Question]:
    """Every question with its evidence."""
    ranking_fuse.LONG_TURN = LONGEST  # the cap is tried out below
    cache = default_cache()
    cache.parent.mkdir(parents=True, exist_ok=True)
    workshop = Workshop(cache=cache)
    with TemporaryDirectory() as name:
        return [
            *_of_conversations(arguments.locomo, workshop, Path(name)),
            *_of_pairs(workshop, Path(name)),
            *_of_paragraphs(arguments.xquad, workshop, Path(name)),
        ]


def _of_conversations(path: Path, workshop: Workshop, folder: Path) -> Iterator[Question]:
    conversations = prepared(path, workshop, folder, None)
    turns = Where(sources=(Source.TURN,))
    for one in questions(path).questions:
        right = conversations[one.conversation]
        others = [other for other in conversations if other != one.conversation]
        wrong = conversations[others[one.number % len(others)]]
        for kind, home in (("locomo", right), ("wrong", wrong)):
            question = evidence(
                kind, one.conversation, one.number, app=home.app, text=one.text, now=home.now, where=turns
            )
            question.category = one.category
            if kind == "locomo":
                question.answered_by(one.turns)
                question.right_groups = len({turn.rpartition("#")[0] for turn in one.turns})
            yield question


def _of_pairs(workshop: Workshop, folder: Path) -> Iterator[Question]:
    pairs = read_pairs(PAIRS)
    notes = {language: [pair.note for pair in pairs[language]] for language in pairs}
    whole = {lang: remembered(workshop.new(folder / f"p-{lang}"), texts, what="") for lang, texts in notes.items()}
    halves = {
        (lang, half): remembered(workshop.new(folder / f"p-{lang}-{half}"), texts[half::2], what="")
        for lang, texts in notes.items()
        for half in (0, 1)
    }
    for setting in POOLED:
        asks, _, holds = setting.partition(">")
        for place, pair in enumerate(pairs[asks]):
            app = whole[holds].app
            now = app.bundle.clock.now()
            right = evidence("pairs", setting, place, app=app, text=pair.question, now=now, where=Where())
            right.answered_by([whole[holds].ids[place]])
            yield right
            app = halves[holds, 1 - place % 2].app  # the notes of the other half: none of them answers
            yield evidence("wrong-pairs", setting, place, app=app, text=pair.question, now=now, where=Where())


def _of_paragraphs(paths: Sequence[Path], workshop: Workshop, folder: Path) -> Iterator[Question]:
    for path in paths:
        file = read_passages(path)
        notes = remembered(workshop.new(folder / f"x-{file.language}"), file.paragraphs, what="")
        now = notes.app.bundle.clock.now()
        for number, ask in enumerate(file.questions[::2]):
            right = evidence("xquad", file.language, number, app=notes.app, text=ask.text, now=now, where=Where())
            right.answered_by([notes.ids[ask.paragraph]])
            yield right


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


def report(asked: list[Question], weights_of: Callable[[Question], NDArray[np.float64]], label: str) -> None:
    """One line of figures, in percent."""
    main = [one for one in asked if one.kind == "locomo" and one.category in CATEGORIES]
    turns = np.mean([recalls(one, weights_of(one), (5, 10, 20)) for one in main], axis=0) * 100
    by = [_first(main, weights_of, 10, category=category) for category in CATEGORIES]
    sessions = np.mean([session_recall(one, weights_of(one), 5) for one in main]) * 100
    pairs = _first([one for one in asked if one.kind == "pairs"], weights_of, 1)
    paragraphs = [one for one in asked if one.kind == "xquad"]
    parts = [_first([one for one in paragraphs if one.part == part], weights_of, 1) for part in _parts(paragraphs)]
    print(
        f"{label:34s} locomo {turns.round(1)} by category @10 {by} session@5 {sessions:.1f} "
        f"pairs {pairs} xquad {parts}",
        flush=True,
    )


def _first(
    asked: list[Question], weights_of: Callable[[Question], NDArray[np.float64]], k: int, *, category: int = 0
) -> float:
    chosen = [one for one in asked if category in (0, one.category)]
    found = [recalls(one, weights_of(one), (k,))[0] for one in chosen]
    return round(float(np.mean(found)) * 100, 1) if found else 0.0


def _parts(asked: list[Question]) -> list[str]:
    return list(dict.fromkeys(one.part for one in asked))


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


def calibration(asked: list[Question], weights: Weights) -> None:
    """Fit how likely a result is right, from its share of the candidates and the surplus; print it."""
    linear = np.array([getattr(weights, name) for name in CHANNELS])
    refusal_ = REFUSALS[frozenset({"e5", "use"})]
    share = {"locomo": 1.0, "wrong": 0.3, "pairs": 1.5, "wrong-pairs": 0.3, "xquad": 0.3}
    rows, right, weight = [], [], []
    for one in asked:
        if one.category == 5 or not len(one.channels):
            continue
        score = one.channels @ linear
        order = np.argsort(-score)[:10]
        cover = one.channels[:, :2] @ np.array(COVER)
        evidence = refusal_.cover * (cover[order[0]] + cover.max()) / 2
        for number, (name, model) in enumerate((("e5", "e5-small-q4"), ("use", "use-m3"))):
            mean = (one.cosine[order[0], number] + one.cosine[:, number].max()) / 2
            background = BACKGROUNDS[model]
            evidence += getattr(refusal_, name) * (mean - background.mean) / background.variance**0.5
        more = evidence - asked_for(refusal_, one.entries)
        if more < 0:
            continue
        chance = np.exp(score - score.max())
        chance /= chance.sum()
        for place in order:
            rows.append([more, np.log(chance[place] + 1e-12), 1.0])
            right.append(place in one.right)
            weight.append(share[one.kind])
    found = logistic(np.array(rows), np.array(right), np.array(weight))
    print(f"calibration: surplus {found[0]:.3f}, share {found[1]:.3f}, base {found[2]:.2f}")


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


def fit_all(asked: list[Question]) -> None:
    """Every configuration: weights, figures, refusal; for the full one also with each part left out of its own fit."""
    fit_on = [one for one in asked if one.kind != "locomo" or one.category in CATEGORIES]
    for label, use in CONFIGURATIONS.items():
        kept = [one for one in fit_on if one.kind != "pairs" or label != "without vectors"]
        weights = fitted(kept, use)
        report(asked, always(weights), label)
        print("   ", {name: round(float(value), 3) for name, value in zip(CHANNELS, weights, strict=True)})
        spaces = tuple(name for name in SPACES if CHANNELS.index(name) in use)
        refusal(asked, weights, spaces, ("locomo", "pairs") if spaces else ("locomo", "xquad"))
        if len(spaces) == len(SPACES):
            report(asked, left_out(kept, use, weights), "  each part left out of its fit")


def always(weights: NDArray[np.float64]) -> Callable[[Question], NDArray[np.float64]]:
    """The same weights for every question."""

    def of(_: Question) -> NDArray[np.float64]:
        return weights

    return of


def left_out(
    asked: list[Question], use: list[int], others: NDArray[np.float64]
) -> Callable[[Question], NDArray[np.float64]]:
    """Weights that have not seen the question's conversation, or its half of the notes."""
    parts = {
        part: fitted([one for one in asked if one.part != part], use)
        for part in _parts([one for one in asked if one.kind == "locomo"])
    }
    halves = [fitted([one for one in asked if one.kind != "pairs" or one.number % 2 != half], use) for half in (0, 1)]

    def of(one: Question) -> NDArray[np.float64]:
        if one.kind == "locomo":
            return parts[one.part]
        return halves[one.number % 2] if one.kind == "pairs" else others

    return of


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
    length = CHANNELS.index("length")
    for one in asked:
        if one.kind in ("locomo", "wrong"):
            terms = one.channels[:, length] * LONGEST
            one.channels[:, length] = np.minimum(terms, arguments.long_turn) / arguments.long_turn
    fit_all(asked)
    calibration(asked, Weights())


if __name__ == "__main__":
    main()
