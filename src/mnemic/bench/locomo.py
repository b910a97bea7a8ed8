"""Recall of dated turns and sessions from questions with known evidence, in the shape of LoCoMo.

One bundle a conversation, as the official scorer has one database a conversation; the query is the bare question.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

from mnemic.adapters.importers.locomo import questions, samples
from mnemic.bench import metrics
from mnemic.bench.metrics import Ranking
from mnemic.bench.protocol import Protocol, Report, counted, data_file
from mnemic.domain.entries import Source, Where
from mnemic.errors import ImportSourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from mnemic.app import App
    from mnemic.bench.bundles import Workshop
    from mnemic.domain.questions import Question, QuestionSet
    from mnemic.ports import Progress

TURN_KS = (5, 10, 20)
SESSION_KS = (1, 5, 10)
ANSWERABLE = (1, 2, 3, 4)
_TURNS = Where(sources=(Source.TURN,))
ADVERSARIAL = 5
"""Questions with a false premise: that the premise's source is found is no answer, so they are told apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One conversation in its bundle; `names` are the source's names of turns, by turn id."""

    app: App
    names: Mapping[str, str]
    sessions: int
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question, answered. `names`: the found turns as the source names them."""

    question: Question
    turns: Ranking
    sessions: Ranking
    names: tuple[str, ...]
    refused_elsewhere: bool | None = None


def measure(
    path: Path,
    workshop: Workshop,
    *,
    elsewhere: int | None = None,
    details: Path | None = None,
    progress: Progress | None = None,
) -> Report:
    """Ask every question of a file.

    Args:
        path: A file in the shape of LoCoMo.
        workshop: Makes the bundles.
        elsewhere: Seed of the lot by which each question is also put to one other conversation, where the right
            answer is none; None: it is not.
        details: Where to write a JSON line a question, to compare two runs question by question.
        progress: Told after every question.

    Raises:
        ImportSourceError: The file cannot be read as this format, or asks nothing.
    """
    data = data_file(path)
    listed = questions(path)
    asked = [question for question in listed.questions if question.category in (*ANSWERABLE, ADVERSARIAL)]
    if not asked:
        raise ImportSourceError(str(path), "it asks no question of category 1 to 5")
    with workshop.folder() as folder:
        conversations = prepared(path, workshop, folder, progress)
        answers = list(_answers(asked, conversations, None if elsewhere is None else Random(elsewhere), progress))  # noqa: S311
    if details is not None:
        details.write_text("".join(map(_line, answers)), encoding="utf-8")
    main = [answer for answer in answers if answer.question.category in ANSWERABLE]
    return Report(
        _figures(main, answers, listed),
        Protocol(
            command="locomo",
            units=_UNITS,
            k={"turn": TURN_KS, "session": SESSION_KS},
            n=len(main),
            left_out=counted(_reasons(listed, main)),
            data=(data,),
            spaces=workshop.spaces,
            missing=workshop.engines.missing,
            settings=workshop.settings,
            seed=elsewhere,
            notes=(*_NOTES, *_repairs(listed)),
        ),
    )


_UNITS = {
    "recall@k": "percent; mean over questions of the share of their evidence among the first k results",
    "any@k, all@k": "percent of questions with at least one, with all of their evidence among the first k",
    "turn": "a turn with its photo's caption",
    "session": "a whole session; evidence sessions are those of the evidence turns",
    "official": "percent; evidence names as written, each occurrence counted, no evidence counts as found",
    "abstention": "percent; refused: asked of another conversation and answered by nothing; "
    "kept: asked of the right one and answered",
}
_NOTES = (
    "main figures are over categories 1 to 4; category 5 is apart",
    "turn figures are the first k of one recall with k = 20, session figures of one with k = 10",
    "recall as users get it: an answer withheld for want of evidence counts as nothing found",
    "dates in questions are read from the day after the conversation's last session",
    "one bundle a conversation; query, event_summary, observation and session_summary are never read",
)


def prepared(path: Path, workshop: Workshop, folder: Path, progress: Progress | None) -> dict[str, Conversation]:
    """One bundle a conversation, imported through the product's own path; by the conversation's name."""
    apps: dict[str, App] = {}
    for number, (sample, conversation) in enumerate(samples(path)):
        if sample not in apps:
            apps[sample] = workshop.new(folder / f"bundle-{number}")
        source = folder / f"source-{number}.json"
        source.write_text(json.dumps([{"sample_id": sample, "conversation": conversation}]), encoding="utf-8")
        apps[sample].import_sessions(source, format_="locomo", progress=progress)
    return {sample: _conversation(app) for sample, app in apps.items()}


def _conversation(app: App) -> Conversation:
    sessions = [app.bundle.sessions.read(head.id) for head in app.bundle.sessions.heads()]
    turns = [turn for session in sessions for turn in session.turns]
    return Conversation(
        app=app,
        names={turn.id: turn.source_id or turn.id for turn in turns},
        sessions=len(sessions),
        now=max((turn.at for turn in turns), default=app.bundle.clock.now()) + timedelta(days=1),
    )


def _answers(
    asked: Sequence[Question], conversations: Mapping[str, Conversation], lot: Random | None, progress: Progress | None
) -> Iterator[Asked]:
    for number, question in enumerate(asked, 1):
        yield _answer(question, conversations, lot)
        if progress is not None:
            progress(number, len(asked), "questions")


def _answer(question: Question, conversations: Mapping[str, Conversation], lot: Random | None) -> Asked:
    right = conversations[question.conversation]
    turns = right.app.recall(question.text, k=max(TURN_KS), where=_TURNS, now=right.now)
    sessions = right.app.recall(question.text, k=max(SESSION_KS), where=_TURNS, unit="session", now=right.now)
    others = [name for name in conversations if name != question.conversation]
    refused = None
    if lot is not None and others:
        other = conversations[lot.choice(others)]
        refused = not other.app.recall(question.text, k=max(TURN_KS), where=_TURNS, now=other.now).hits
    return Asked(
        question=question,
        turns=Ranking(
            found=tuple(hit.id for hit in turns.hits),
            wanted=frozenset(question.turns),
            units=len(right.names),
            abstained=turns.abstained,
        ),
        sessions=Ranking(
            found=tuple(hit.id for hit in sessions.hits),
            wanted=frozenset(turn.rpartition("#")[0] for turn in question.turns),
            units=right.sessions,
            abstained=sessions.abstained,
        ),
        names=tuple(right.names.get(hit.id, hit.id) for hit in turns.hits),
        refused_elsewhere=refused,
    )


# -- figures -----------------------------------------------------------------------------------------------------


def _figures(main: Sequence[Asked], answers: Sequence[Asked], listed: QuestionSet) -> dict[str, object]:
    figures: dict[str, object] = {
        **_levels(main),
        "by_category": {
            str(category): _levels([answer for answer in main if answer.question.category == category])
            for category in ANSWERABLE
        },
        "category_5": _levels([answer for answer in answers if answer.question.category == ADVERSARIAL]),
        "official": _official(main, listed),
    }
    refused = [answer.refused_elsewhere for answer in main if answer.refused_elsewhere is not None]
    if refused:
        figures["abstention"] = {
            "refused": metrics.percent(metrics.mean(map(float, refused))),
            "kept": metrics.percent(metrics.mean(float(bool(answer.turns.found)) for answer in main)),
            "n": len(refused),
        }
    return figures


def _levels(answers: Sequence[Asked]) -> dict[str, object]:
    return {
        "turn": metrics.scores([answer.turns for answer in answers], TURN_KS),
        "session": metrics.scores([answer.sessions for answer in answers], SESSION_KS),
        "unanswered": metrics.percent(metrics.mean(float(not answer.turns.found) for answer in answers)),
        "n": len(answers),
    }


def _official(main: Sequence[Asked], listed: QuestionSet) -> dict[str, object]:
    """As LoCoMo's own scorer counts, which asks the questions that we leave out, too: what they score is known."""
    others = [left for left in listed.left_out if left.category in ANSWERABLE]
    rows: dict[str, object] = {}
    for k in TURN_KS:
        values = [metrics.verbatim_recall_at(answer.names, answer.question.given, k) for answer in main]
        values += [metrics.verbatim_recall_at((), left.given, k) for left in others]
        rows[f"recall@{k}"] = metrics.percent(metrics.mean(values))
    return {"turn": rows, "n": len(main) + len(others)}


def _reasons(listed: QuestionSet, main: Sequence[Asked]) -> Iterator[str]:
    for left in listed.left_out:
        yield f"category {left.category}: {left.why}"
    for question in listed.questions:
        if question.category not in (*ANSWERABLE, ADVERSARIAL):
            yield f"category {question.category} is not one of 1 to 5"
    for level, rankings, ks in (
        ("turns", [answer.turns for answer in main], TURN_KS),
        ("sessions", [answer.sessions for answer in main], SESSION_KS),
    ):
        for k, count in metrics.saturated(rankings, ks).items():
            yield from [f"at k = {k}: the conversation has no more than {k} {level}"] * count


def _repairs(listed: QuestionSet) -> tuple[str, ...]:
    told = []
    if listed.repaired:
        told.append(f"evidence names repaired (main figures only): {'; '.join(listed.repaired)}")
    if listed.dropped:
        told.append(f"evidence names of no turn, dropped (main figures only): {'; '.join(listed.dropped)}")
    return tuple(told)


def _line(answer: Asked) -> str:
    question = answer.question
    row = {
        "conversation": question.conversation,
        "number": question.number,
        "category": question.category,
        "query": question.text,
        "evidence": list(question.turns),
        "turns": list(answer.turns.found),
        "sessions": list(answer.sessions.found),
    }
    return json.dumps(row, ensure_ascii=False) + "\n"
