"""A user's own questions, put to the user's own bundle: is found what should be, and nothing where nothing is?"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.adapters.importers.sources import open_source
from mnemic.bench import metrics
from mnemic.bench.bundles import differing
from mnemic.bench.metrics import Ranking
from mnemic.bench.protocol import Protocol, Report, counted, data_file
from mnemic.domain.instants import parse_instant
from mnemic.errors import ImportSourceError, InvalidTimeError
from mnemic.services.upkeep.refresh import refresh

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime, tzinfo
    from pathlib import Path

    from mnemic.app import App
    from mnemic.ports import Progress
    from mnemic.services.bundle import Bundle

TITLE_PREFIX = "note:"
SHAPE = 'A JSON list, or a line each, of {"query": "…", "expect": ["people/anna", "session:2026-05-03#2"]}.'


@dataclass(frozen=True, slots=True, kw_only=True)
class Golden:
    """One question of the file. `expect` holds ids, `note:<title>` or nothing: then the right answer is none."""

    query: str
    expect: tuple[str, ...]
    now: datetime | None = None
    lang: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question and what was found for it."""

    golden: Golden
    ranking: Ranking


def measure(path: Path, app: App, *, k: int | None = None, progress: Progress | None = None) -> Report:
    """Ask every question of the opened bundles.

    Args:
        path: The file; see `SHAPE`. `now` (a date) and `lang` may be added to a question.
        app: Where to ask.
        k: How many results count; the bundle's own `recall.k` when left out.
        progress: Told after every question.

    Raises:
        ImportSourceError: The file cannot be read as this format.
    """
    data = data_file(path)
    listed = read_golden(path, app.bundle.zone)
    refresh(app.bundle)
    names = _Names(app)
    with app.bundle.index.reading() as index:
        units = index.counts().entries
    chosen = min(k or app.loaded.settings.recall.k, max(1, units - 1))
    outcomes = []
    for number, golden in enumerate(listed, 1):
        wanted = frozenset(names.resolved(expected) for expected in golden.expect)
        answer = app.recall(golden.query, k=chosen, now=golden.now)
        found = tuple(hit.reference for hit in answer.hits)
        ranking = Ranking(found=found, wanted=wanted, units=units, abstained=answer.abstained)
        outcomes.append(Outcome(golden, ranking))
        if progress is not None:
            progress(number, len(listed), "questions")
    return Report(
        _figures(outcomes, chosen),
        Protocol(
            command="golden",
            units={
                "recall@k": "percent; mean over questions of the share of what is expected among the first k results",
                "any@k": "percent of questions with at least one expected result among the first k",
                "mrr": "0 to 1; mean of 1 / rank of the first expected result, 0 when there is none",
                "abstention": "percent; refused: nothing is expected and nothing was answered; "
                "kept: something is expected and something was answered",
            },
            k={"recall": (1, chosen)},
            n=len(listed),
            left_out=counted(()),
            data=(data,),
            spaces=tuple(embedder.space.id for embedder in app.engines().embedders),
            missing=app.engines().missing,
            settings=differing(app.loaded),
            notes=tuple(f"{name} names nothing in the bundle, and counts as not found" for name in names.unknown),
        ),
    )


def headline(report: Report) -> str:
    """The name of the figure that `--min` is about: `any@k`. Often several places answer, and one is enough."""
    return f"any@{max(report.protocol.k['recall'])}"


def read_golden(path: Path, zone: tzinfo) -> list[Golden]:
    """The questions of a file; `now` without an offset is read in `zone`.

    Raises:
        ImportSourceError: Not this shape; names the line where there is one.
    """
    text = _text(path)
    if text.lstrip().startswith("["):
        listed = _parsed(path, text, None)
        numbered: list[tuple[int | None, object]] = [(None, row) for row in listed] if isinstance(listed, list) else []
    else:
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        numbered = [(number, _parsed(path, line, number)) for number, line in lines]
    if not numbered:
        raise ImportSourceError(str(path), "it asks nothing", hint=SHAPE)
    return [_golden(path, line, place, row, zone) for place, (line, row) in enumerate(numbered, 1)]


def _text(path: Path) -> str:
    with open_source(path) as file:
        data = file.read()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ImportSourceError(str(path), "it is not UTF-8", line=line) from None


def _parsed(path: Path, text: str, line: int | None) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = error.lineno if line is None else line
        raise ImportSourceError(str(path), f"it is not JSON: {error.msg.lower()}", line=where, hint=SHAPE) from None


def _golden(path: Path, line: int | None, place: int, row: object, zone: tzinfo) -> Golden:
    fields = row if isinstance(row, dict) else {}
    query, expect, now = fields.get("query"), fields.get("expect"), fields.get("now")
    if not isinstance(query, str) or not query.strip():
        raise ImportSourceError(str(path), f"question {place} has no query", line=line, hint=SHAPE)
    if not isinstance(expect, list) or not all(isinstance(name, str) and name for name in expect):
        raise ImportSourceError(str(path), f"question {place} has no list of ids in expect", line=line, hint=SHAPE)
    try:
        moment = None if now is None else parse_instant(str(now), zone=zone)
    except InvalidTimeError as error:
        raise ImportSourceError(str(path), f"question {place}: {error.message}", line=line, hint=error.hint) from None
    return Golden(query=query, expect=tuple(expect), now=moment, lang=str(fields.get("lang") or ""))


class _Names:
    """Ids by what a file may call them, and what it names that is not there."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._titles: Mapping[str, str] | None = None
        self.unknown: dict[str, None] = {}

    def resolved(self, name: str) -> str:
        """The id as results give it."""
        if name.startswith(TITLE_PREFIX):
            if self._titles is None:
                self._titles = _titles(self._app.bundle)
            found = self._titles.get(name.removeprefix(TITLE_PREFIX).strip().casefold())
            known = found is not None
        else:
            bundle, inside = self._app.locate(name)
            with bundle.index.reading() as index:
                known = bool(index.find([inside]))
            found = name
        if not known:
            self.unknown[name] = None
        return found or name


def _titles(bundle: Bundle) -> dict[str, str]:
    located = (located for stamp in bundle.store.stamps() for located in bundle.store.read(stamp.path).memories)
    return {item.memory.title.strip().casefold(): item.memory.id for item in located}


def _figures(outcomes: Sequence[Outcome], k: int) -> dict[str, object]:
    languages = sorted({outcome.golden.lang for outcome in outcomes if outcome.golden.lang})
    figures = _row(outcomes, k)
    if languages:
        figures["by_language"] = {
            language: _row([outcome for outcome in outcomes if outcome.golden.lang == language], k)
            for language in languages
        }
    figures["missed"] = [
        {"query": outcome.golden.query, "expect": list(outcome.golden.expect), "found": list(outcome.ranking.found)}
        for outcome in outcomes
        if not _right(outcome)
    ]
    return figures


def _right(outcome: Outcome) -> bool:
    ranking = outcome.ranking
    return bool(ranking.wanted.intersection(ranking.found)) if ranking.wanted else not ranking.found


def _row(outcomes: Sequence[Outcome], k: int) -> dict[str, object]:
    asked = [outcome.ranking for outcome in outcomes if outcome.ranking.wanted]
    unanswerable = [outcome.ranking for outcome in outcomes if not outcome.ranking.wanted]
    scores = metrics.scores(asked, (1, k))
    return {
        f"any@{k}": scores[f"any@{k}"],
        f"recall@{k}": scores[f"recall@{k}"],
        "recall@1": scores["recall@1"],
        "mrr": metrics.three_digits(
            metrics.mean(metrics.reciprocal_rank(ranking.found, ranking.wanted) for ranking in asked)
        ),
        "abstention": {
            "refused": metrics.percent(metrics.mean(float(not ranking.found) for ranking in unanswerable)),
            "kept": metrics.percent(metrics.mean(float(bool(ranking.found)) for ranking in asked)),
        },
        "n": len(asked),
        "n_unanswerable": len(unanswerable),
    }
