"""Shorter texts of longer ones, cut so that no secret is cut in two: a stump of one matches no rule of the guard."""

from __future__ import annotations

from mnemic.adapters.importers.texts import as_text
from mnemic.text.secret_rules import find_secrets, redact

LOOKED_PAST = 4_000
"""Characters behind the cut that are searched too: a secret that begins before the cut ends within them."""


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters of `text`, and `…` for the rest.

    A secret that the cut would go through is kept to its end, for the guard to find. What the guard would no longer
    find in the shorter text, for want of what stood around it, is taken out here.
    """
    return _cut(text[: limit + LOOKED_PAST], limit, cut_off=len(text) > limit)


def first_line(text: str, limit: int) -> str:
    """The first line of `text` that is not blank, `shortened`; a secret that goes on in the next line is kept whole."""
    looked = text.strip()[: limit + LOOKED_PAST]
    length = len(looked.splitlines()[0].rstrip()) if looked else 0
    return _cut(looked, min(length, limit), cut_off=length > limit)


def label(text: str, limit: int) -> str:
    """`text` for a report, which no guard looks at: `shortened`, without secrets."""
    short = shortened(as_text(text), limit)
    return redact(short, find_secrets(short))


def _cut(looked: str, end: int, *, cut_off: bool) -> str:
    if end >= len(looked):
        return looked
    found = [finding for finding in find_secrets(looked) if finding.start < end]
    end = max([end, *(finding.end for finding in found)])
    mark = "…" if cut_off and end < len(looked) else ""
    short = f"{looked[:end].rstrip()}{mark}"
    left = [(finding.start, finding.end) for finding in find_secrets(short)]
    if left == [(finding.start, finding.end) for finding in found]:
        return short
    return f"{redact(looked[:end], found).rstrip()}{mark}"
