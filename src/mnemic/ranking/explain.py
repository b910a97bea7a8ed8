"""The weights of a profile in words, for `--explain`."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from mnemic.ranking import resonance
from mnemic.ranking.fields import FIELDS

if TYPE_CHECKING:
    from mnemic.ranking.weights import Weights


def weight_lines(profile: str, weights: Weights) -> list[str]:
    """The table a score was made with, a few constants a line, at most 80 columns."""
    if profile == "resonance":
        pairs = [(name, value) for name, value in resonance.WEIGHTS.items()]
    elif profile == "fields":
        pairs = list(FIELDS._asdict().items())
    else:
        pairs = [(entry.name, getattr(weights, entry.name)) for entry in fields(weights)]
    lines = [f"weights ({profile}):"]
    for name, value in pairs:
        item = f" {name} {value:g}"
        if len(lines[-1]) + len(item) > 79:  # noqa: PLR2004 - a terminal
            lines.append(" ")
        lines[-1] += item
    return lines
