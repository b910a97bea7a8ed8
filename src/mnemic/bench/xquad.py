"""Recall of paragraphs by questions about them, within a language and across languages (files in SQuAD's shape)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.adapters.importers.sources import read_json
from mnemic.bench import metrics
from mnemic.bench.notes import asked, remembered
from mnemic.bench.protocol import Protocol, Report, counted, data_file
from mnemic.errors import ImportSourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from mnemic.bench.bundles import Workshop
    from mnemic.bench.metrics import Ranking
    from mnemic.ports import Progress

KS = (1, 5)


@dataclass(frozen=True, slots=True)
class Asking:
    """A question: its id, its words, and the place of the paragraph that answers it."""

    id: str
    text: str
    paragraph: int


@dataclass(frozen=True, slots=True)
class Passages:
    """One file: its paragraphs in order, and the questions about them."""

    language: str
    paragraphs: tuple[str, ...]
    questions: tuple[Asking, ...]


def measure(paths: Sequence[Path], workshop: Workshop, *, progress: Progress | None = None) -> Report:
    """Ask each file's questions of each file's paragraphs.

    Args:
        paths: Files in SQuAD's shape, one a language, with the same paragraphs and question ids in the same order;
            the language is the last part of the name before `.json` (`xquad-dev.ru.json`).
        workshop: Makes the bundles, one a file.
        progress: Told after every paragraph and question.

    Raises:
        ImportSourceError: A file cannot be read as this format, or is not aligned with the first.
    """
    data = tuple(data_file(path) for path in paths)
    files = [read_passages(path) for path in paths]
    for path, file in zip(paths[1:], files[1:], strict=True):
        _check_aligned(path, file, files[0])
    rankings: dict[str, list[Ranking]] = {}
    reasons: list[str] = []
    with workshop.folder() as folder:
        for number, into in enumerate(files):
            app = workshop.new(folder / str(number))
            notes = remembered(app, into.paragraphs, what=f"paragraphs ({into.language})", progress=progress)
            for file in files:
                setting = f"{file.language}>{into.language}"
                rankings[setting] = []
                for count, question in enumerate(file.questions, 1):
                    ranking = asked(notes, question.text, question.paragraph, k=max(KS))
                    if ranking is None:
                        reasons.append(f"{setting}: the paragraph was refused ({notes.refused[question.paragraph]})")
                        continue
                    rankings[setting].append(ranking)
                    if progress is not None:
                        progress(count, len(file.questions), f"questions ({setting})")
    return Report(
        {setting: _row(found) for setting, found in sorted(rankings.items(), key=_own_language_first)},
        Protocol(
            command="xquad",
            units={
                "recall@k": "percent of questions with their paragraph among the first k results",
                "unanswered": "percent of questions answered by nothing",
            },
            k={"recall": KS},
            n=sum(map(len, rankings.values())),
            left_out=counted((*reasons, *_saturated(rankings))),
            data=data,
            spaces=workshop.spaces,
            missing=workshop.engines.missing,
            settings=workshop.settings,
            notes=(
                "settings are language of the question > language of the paragraphs; one bundle a file",
                "recall as users get it: an answer withheld for want of evidence counts as nothing found",
            ),
        ),
    )


def read_passages(path: Path) -> Passages:
    """Paragraphs and questions of a file in SQuAD's shape.

    Raises:
        ImportSourceError: It has another shape.
    """
    value = read_json(path)
    articles = value.get("data") if isinstance(value, dict) else None
    paragraphs: list[str] = []
    questions: list[Asking] = []
    for paragraph in _rows(articles, "paragraphs"):
        context = paragraph.get("context")
        if isinstance(context, str) and context.strip():
            questions += _questions(paragraph.get("qas"), len(paragraphs))
            paragraphs.append(context)
    if not questions:
        hint = 'Write {"data": [{"paragraphs": [{"context": "…", "qas": [{"id": "…", "question": "…"}]}]}]}.'
        raise ImportSourceError(str(path), "it does not have the shape of SQuAD", hint=hint)
    language = path.name.removesuffix(".json").rpartition(".")[2]
    return Passages(language, tuple(paragraphs), tuple(questions))


def _rows(listed: object, inner: str) -> Iterator[dict[str, object]]:
    for outer in listed if isinstance(listed, list) else []:
        rows = outer.get(inner) if isinstance(outer, dict) else None
        yield from (row for row in (rows if isinstance(rows, list) else []) if isinstance(row, dict))


def _questions(listed: object, paragraph: int) -> Iterator[Asking]:
    for row in listed if isinstance(listed, list) else []:
        text = row.get("question") if isinstance(row, dict) else None
        if isinstance(text, str) and text.strip():
            yield Asking(str(row.get("id", "")), text, paragraph)


def _check_aligned(path: Path, file: Passages, first: Passages) -> None:
    same = [(question.id, question.paragraph) for question in file.questions]
    if same != [(question.id, question.paragraph) for question in first.questions]:
        hint = "Give files with the same paragraphs and question ids in the same order."
        raise ImportSourceError(str(path), f"it is not aligned with {first.language}", hint=hint)
    if file.language == first.language:
        raise ImportSourceError(str(path), f"there are two files for {file.language}", hint="Name them x.en.json, …")


def _own_language_first(item: tuple[str, object]) -> tuple[bool, str]:
    question, _, paragraph = item[0].partition(">")
    return question != paragraph, item[0]


def _row(rankings: Sequence[Ranking]) -> Mapping[str, object]:
    scores = metrics.scores(rankings, KS)
    return {
        **{f"recall@{k}": scores[f"recall@{k}"] for k in KS},
        "unanswered": metrics.percent(metrics.mean(float(not ranking.found) for ranking in rankings)),
        "n": len(rankings),
    }


def _saturated(rankings: Mapping[str, Sequence[Ranking]]) -> Iterator[str]:
    for setting, listed in rankings.items():
        for k, count in metrics.saturated(listed, KS).items():
            yield from [f"{setting} at k = {k}: there are no more than {k} paragraphs"] * count
