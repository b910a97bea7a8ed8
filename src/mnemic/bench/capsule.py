"""Whether the evidence of a question is inside the context that an agent would be given for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic.adapters.importers.locomo import questions
from mnemic.bench import metrics
from mnemic.bench.locomo import ANSWERABLE, prepared
from mnemic.bench.protocol import Protocol, Report, counted, data_file
from mnemic.domain.capsule import Slot
from mnemic.domain.entries import Source, Where
from mnemic.errors import ImportSourceError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mnemic.bench.bundles import Workshop
    from mnemic.domain.capsule import Capsule
    from mnemic.domain.questions import Question
    from mnemic.ports import Progress

BUDGET = 2_000
FILLED = 60
"""Facts asked for when the budget alone is to decide: more than it holds."""
_TURNS = Where(sources=(Source.TURN,))


def measure(path: Path, workshop: Workshop, *, budget: int = BUDGET, progress: Progress | None = None) -> Report:
    """Assemble a capsule for every question of a file in the shape of LoCoMo, categories 1 to 4.

    Each question is asked twice: with as many facts as the setting `limits.prefetch` says, and with as many as fit.

    Raises:
        ImportSourceError: The file cannot be read as this format, or asks nothing.
    """
    data = data_file(path)
    listed = questions(path)
    asked = [question for question in listed.questions if question.category in ANSWERABLE]
    if not asked:
        raise ImportSourceError(str(path), "it asks no question of category 1 to 4")
    usual: list[Capsule] = []
    filled: list[Capsule] = []
    with workshop.folder() as folder:
        conversations = prepared(path, workshop, folder, progress)
        for number, question in enumerate(asked, 1):
            conversation = conversations[question.conversation]
            for facts, into in ((None, usual), (FILLED, filled)):
                capsule = conversation.app.context(
                    question.text, budget=budget, facts=facts, where=_TURNS, now=conversation.now, record=False
                )
                into.append(capsule)
            if progress is not None:
                progress(number, len(asked), "questions")
        prefetch = next(iter(conversations.values())).app.loaded.settings.limits.prefetch
    return Report(
        {f"{prefetch} facts": _figures(asked, usual), "as many as fit": _figures(asked, filled)},
        Protocol(
            command="capsule",
            units={
                "any, all": "percent of questions with at least one, with all of their evidence turns in the capsule",
                "tokens": "of the whole capsule, as the settings count them; the budget is an upper bound",
            },
            n=len(asked),
            left_out=counted(f"category {left.category}: {left.why}" for left in listed.left_out),
            data=(data,),
            spaces=workshop.spaces,
            missing=workshop.engines.missing,
            settings=workshop.settings,
            notes=(f"budget {budget} tokens for all three slots", "one bundle a conversation; the bare question"),
        ),
    )


def _figures(asked: Sequence[Question], capsules: Sequence[Capsule]) -> dict[str, object]:
    inside = [[item.id for item in capsule.items if item.slot is Slot.PREFIX] for capsule in capsules]
    pairs = list(zip(asked, inside, strict=True))
    tokens = [float(capsule.tokens) for capsule in capsules]
    return {
        "any": metrics.percent(metrics.mean(metrics.any_at(found, one.turns, len(found) or 1) for one, found in pairs)),
        "all": metrics.percent(metrics.mean(metrics.all_at(found, one.turns, len(found) or 1) for one, found in pairs)),
        "facts": round(sum(map(len, inside)) / len(inside), 1),
        "tokens": round(sum(tokens) / len(tokens)),
        "most tokens": int(max(tokens)),
    }
