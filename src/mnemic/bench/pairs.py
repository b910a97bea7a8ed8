"""Recall of notes by questions that share few words with them, within a language and across languages."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.adapters.importers.sources import read_json
from mnemic.bench import metrics
from mnemic.bench.notes import asked, remembered
from mnemic.bench.protocol import Protocol, Report, counted, data_file
from mnemic.errors import ImportSourceError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from mnemic.bench.bundles import Workshop
    from mnemic.bench.metrics import Ranking
    from mnemic.bench.notes import Notes
    from mnemic.ports import Progress

POOLED = ("en>en", "ru>ru", "ja>ja", "zh>zh", "de>de", "en>ru", "en>ja")
"""Language of the question > language of the notes."""
DEEPEST = 20
"""How far down a ranking is looked; less where there are no more notes."""
RECALL_KS = (1, 5)


@dataclass(frozen=True, slots=True)
class Pair:
    """A note and a question that it answers."""

    note: str
    question: str


def measure(path: Path, workshop: Workshop, *, details: Path | None = None, progress: Progress | None = None) -> Report:
    """Ask every question in every setting whose languages the file has.

    Args:
        path: A JSON object: language to a list of `{"note", "question"}`, aligned over the languages.
        workshop: Makes the bundles, one a language of notes.
        details: Where to write a JSON line a question.
        progress: Told after every note and question.

    Raises:
        ImportSourceError: The file cannot be read as this format, or serves none of the settings.
    """
    data = data_file(path)
    pairs = read_pairs(path)
    settings = [setting for setting in POOLED if all(language in pairs for language in setting.split(">"))]
    if not settings:
        raise ImportSourceError(str(path), f"it serves none of the settings {', '.join(POOLED)}")
    rankings: dict[str, list[Ranking]] = {}
    reasons = [f"{setting}: the file lacks a language of it" for setting in POOLED if setting not in settings]
    lines: list[str] = []
    with workshop.folder() as folder:
        notes = {
            language: remembered(
                workshop.new(folder / language),
                [pair.note for pair in pairs[language]],
                what="notes",
                progress=progress,
            )
            for language in dict.fromkeys(setting.partition(">")[2] for setting in settings)
        }
        for number, setting in enumerate(settings):
            rankings[setting] = []
            queries = [pair.question for pair in pairs[setting.partition(">")[0]]]
            into = notes[setting.partition(">")[2]]
            for place, query in enumerate(queries):
                ranking = asked(into, query, place, k=_deepest(into))
                if ranking is None:
                    reasons.append(f"{setting}: the note was refused ({into.refused[place]})")
                    continue
                rankings[setting].append(ranking)
                lines.append(_line(setting, place, query, ranking))
            if progress is not None:
                progress(number + 1, len(settings), "settings")
    if details is not None:
        details.write_text("".join(lines), encoding="utf-8")
    pooled = [ranking for setting in settings for ranking in rankings[setting]]
    return Report(
        {"pooled": _row(pooled), **{setting: _row(found) for setting, found in rankings.items()}},
        Protocol(
            command="pairs",
            units=_UNITS,
            k={"recall": RECALL_KS, "mrr": (max(map(_deepest, notes.values())),)},
            n=len(pooled),
            left_out=counted(reasons),
            data=(data,),
            spaces=workshop.spaces,
            missing=workshop.engines.missing,
            settings=workshop.settings,
            notes=(
                "settings are language of the question > language of the notes; pooled is over all their questions",
                "one bundle a language of notes; each note is remembered as it is, without title or tags",
                "recall as users get it: an answer withheld for want of evidence counts as nothing found",
            ),
        ),
    )


_UNITS = {
    "recall@k": "percent of questions with their note among the first k results",
    "mrr": "0 to 1; mean of 1 / rank of the note, 0 when it is not among the results",
    "unanswered": "percent of questions answered by nothing",
}


def read_pairs(path: Path) -> dict[str, list[Pair]]:
    """Pairs by language.

    Raises:
        ImportSourceError: It has another shape, or its languages have different numbers of pairs.
    """
    value = read_json(path)
    if not isinstance(value, dict) or not value:
        raise ImportSourceError(str(path), "it is no object of languages", hint=_SHAPE)
    pairs = {str(language): _pairs(path, language, listed) for language, listed in value.items()}
    if len({len(listed) for listed in pairs.values()}) > 1:
        counts = ", ".join(f"{language} {len(listed)}" for language, listed in pairs.items())
        raise ImportSourceError(str(path), f"its languages are not aligned ({counts})", hint=_SHAPE)
    return pairs


_SHAPE = 'Write {"en": [{"note": "…", "question": "…"}, …], "ru": …}, the same pairs in the same order.'


def _pairs(path: Path, language: object, listed: object) -> list[Pair]:
    rows = listed if isinstance(listed, list) else []
    pairs = [
        Pair(row["note"], row["question"])
        for row in rows
        if isinstance(row, dict) and isinstance(row.get("note"), str) and isinstance(row.get("question"), str)
    ]
    if not pairs or len(pairs) != len(rows):
        raise ImportSourceError(str(path), f"{language} is no list of notes with questions", hint=_SHAPE)
    return pairs


def _deepest(notes: Notes) -> int:
    return max(1, min(DEEPEST, notes.units - 1))


def _row(rankings: Sequence[Ranking]) -> Mapping[str, object]:
    scores = metrics.scores(rankings, RECALL_KS)
    ranks = (metrics.reciprocal_rank(ranking.found, ranking.wanted) for ranking in rankings)
    return {
        **{f"recall@{k}": scores[f"recall@{k}"] for k in RECALL_KS},
        "mrr": metrics.three_digits(metrics.mean(ranks)),
        "unanswered": metrics.percent(metrics.mean(float(not ranking.found) for ranking in rankings)),
        "n": len(rankings),
    }


def _line(setting: str, place: int, query: str, ranking: Ranking) -> str:
    row = {"setting": setting, "number": place, "query": query, "expect": sorted(ranking.wanted),
           "found": list(ranking.found)}  # fmt: skip
    return json.dumps(row, ensure_ascii=False) + "\n"
