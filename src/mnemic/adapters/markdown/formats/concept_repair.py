"""Repairing OKF concepts without losing a word of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mnemic.adapters.markdown.formats.concept_read import missing, read_concept
from mnemic.adapters.markdown.formats.concept_write import TEXT_KEYS, newline_of
from mnemic.adapters.markdown.formats.fields import RECOVERED_KIND
from mnemic.adapters.markdown.formats.values import ORDER
from mnemic.adapters.markdown.frontmatter import Decoded, Fault, decode, read_front_matter

if TYPE_CHECKING:
    from mnemic.domain.documents import Problem
    from mnemic.domain.memory import Yaml

REVIEW_KEY = "needs_review"


@dataclass(frozen=True, slots=True)
class Repaired:
    """A document after repair: its bytes (None: it cannot be repaired), what was mended and what is left."""

    data: bytes | None
    fixed: tuple[Problem, ...] = ()
    left: tuple[Problem, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that was found, mended or not."""
        return self.fixed + self.left


def repair_concept(path: str, data: bytes, stamp_time: datetime) -> Repaired:
    """Mend what can be mended without losing a word; a document that needs nothing comes back byte for byte.

    A missing type becomes `Recovered Concept`, a missing timestamp the file's time; lines of a broken front matter that
    cannot be understood stay as comments. What was mended is named under `needs_review` for a person to look at.
    """
    before = read_concept(path, data, stamp_time, zone=UTC).problems
    fixable = tuple(problem for problem in before if problem.repairable)
    text = decode(data)
    if isinstance(text, Fault):
        return Repaired(None, left=before)
    if not fixable:
        return Repaired(data, left=before)
    mended = _mended(text, stamp_time, sorted({problem.code for problem in fixable}))
    after = read_concept(path, mended, stamp_time, zone=UTC).problems
    remaining = {problem.code for problem in after}
    fixed = tuple(problem for problem in fixable if problem.code not in remaining)
    return Repaired(mended if fixed else data, fixed=fixed, left=after if fixed else before)


def _mended(text: Decoded, stamp: datetime, codes: list[str]) -> bytes:
    from mnemic.adapters.markdown.salvage import close_header, mended_header
    from mnemic.adapters.markdown.yaml_edit import CannotEditError, Style, edit_header
    from mnemic.domain.instants import format_instant

    parts = close_header(text.text) if "unclosed_frontmatter" in codes else read_front_matter(text.text).parts
    newline = newline_of(text.text)
    header = mended_header(parts.header or "").replace("\n", newline)
    pins: dict[str, Yaml | None] = {REVIEW_KEY: ", ".join(codes)}
    absent = {fault.code for fault in missing(read_front_matter(f"---\n{header}---\n").values, set())}
    if "missing_type" in absent:
        pins["type"] = RECOVERED_KIND
    if "missing_timestamp" in absent:
        pins["timestamp"] = format_instant(stamp)
    try:
        header = edit_header(header, pins, Style(order=ORDER, text_keys=TEXT_KEYS, newline=newline))
    except CannotEditError:
        return (text.bom + text.text).encode()
    gap = newline if parts.header is None and parts.body.strip() else ""
    return f"{text.bom}---{newline}{header}{parts.closing or '---' + newline}{gap}{parts.body}".encode()
