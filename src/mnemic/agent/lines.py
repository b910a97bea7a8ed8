"""How results read to a model: our lines, and what memories say only as quotations in them.

A remembered text can say anything, "receipt: s-…" too. So it never begins a line of ours: one line of it stands in
quotation marks, a longer text has `> ` before each of its lines, and breaks and invisible signs are gone.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from mnemic.domain.instants import local
from mnemic.text.quoting import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime, tzinfo

    from mnemic.domain.access import Budget

_PLAIN: Final = re.compile(r"[\w./:#@+-]+")
"""What an id or a kind is made of when it was not made up to be read as something else."""


def quoted(text: str) -> str:
    """A text of a memory on one line, in quotation marks."""
    return json.dumps(one_line(text), ensure_ascii=False)


def name(text: str) -> str:
    """An id, a kind or another name: as it is where it is plain, else in quotation marks."""
    return text if _PLAIN.fullmatch(text) else quoted(text)


def block(text: str) -> Iterator[str]:
    """A text of several lines, each behind `> `."""
    return (f"> {visible(line)}" for line in text.splitlines() or [""])


def day(when: datetime, zone: tzinfo) -> str:
    """A day as `2026-05-03`."""
    return local(when, zone).date().isoformat()


def left(budget: Budget) -> str:
    """What may still be read."""
    return f"left in this turn: {budget.reads} reads, {budget.characters:,} characters"


def facts(*parts: str) -> str:
    """What is there of these, side by side."""
    return " · ".join(filter(None, parts))


def joined(lines: Iterable[str]) -> str:
    """Those of the lines that say something."""
    return "\n".join(filter(None, lines))
