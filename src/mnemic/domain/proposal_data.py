"""A proposal as data, and from data: JSON that a person can read along, and that gives the same proposal again."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from mnemic.domain.instants import format_instant
from mnemic.domain.proposals import Aim, Evidence, Proposal, Step, Support, Verdict
from mnemic.domain.versions import from_bytes, to_bytes

if TYPE_CHECKING:
    from mnemic.domain.memory import Memory

_TEXTS = ("id", "title", "why", "made_by", "decided_by", "decision")


def to_json(proposal: Proposal) -> str:
    """The whole proposal; signs that nobody sees are written as escapes, so that each stands on its line."""
    told = {
        **{name: getattr(proposal, name) for name in _TEXTS},
        "aim": proposal.aim,
        "verdict": proposal.verdict,
        "made_at": format_instant(proposal.made_at),
        "decided_at": None if proposal.decided_at is None else format_instant(proposal.decided_at),
        "evidence": [{"id": each.id, "text": each.text} for each in proposal.evidence],
        "support": None if proposal.support is None else asdict(proposal.support),
        "steps": [_step(each) for each in proposal.steps],
    }
    text = json.dumps(told, ensure_ascii=False, indent=1)
    return "\n".join(_escaped(line) for line in text.split("\n"))


def from_json(text: str) -> Proposal:
    """The proposal again.

    Raises:
        ValueError: It is nothing that `to_json` gives.
    """
    try:
        told = json.loads(text)
        texts = {name: _text(told[name]) for name in _TEXTS}
        return Proposal(
            **texts,
            aim=Aim(told["aim"]),
            verdict=Verdict(told["verdict"]),
            made_at=datetime.fromisoformat(told["made_at"]),
            decided_at=None if told["decided_at"] is None else datetime.fromisoformat(told["decided_at"]),
            evidence=tuple(Evidence(id=_text(each["id"]), text=_text(each["text"])) for each in told["evidence"]),
            support=None if told["support"] is None else _supported(told["support"]),
            steps=tuple(_stepped(each) for each in told["steps"]),
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(f"no proposal: {error}") from error


def _escaped(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in line)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is missing")
    return value


def _memory(memory: Memory) -> Any:  # noqa: ANN401 - what JSON holds
    return json.loads(to_bytes(memory).decode("utf-8", "surrogatepass"))


def _remembered(told: Any) -> Memory:  # noqa: ANN401
    memory = from_bytes(json.dumps(told).encode("ascii"))
    assert memory is not None, "JSON is never empty"
    return memory


def _step(step: Step) -> dict[str, object]:
    before = None if step.before is None else _memory(step.before)
    return {"revision": step.revision, "applied": step.applied, "before": before, "after": _memory(step.after)}


def _stepped(told: Any) -> Step:  # noqa: ANN401
    return Step(
        after=_remembered(told["after"]),
        before=None if told["before"] is None else _remembered(told["before"]),
        revision=_text(told["revision"]),
        applied=_text(told["applied"]),
    )


def _supported(told: Any) -> Support:  # noqa: ANN401
    return Support(
        **{
            **told,
            "support": tuple(told["support"]),
            "conflicting_values": tuple(told["conflicting_values"]),
        }
    )
