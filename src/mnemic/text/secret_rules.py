"""Finds secrets in a text and takes them out: what stands between a pasted key and the disk.

The rules stand in `secret_formats` (vendors), `secret_shapes` (key blocks, tokens, URLs) and `secret_pairs` (values
that a word names); `docs/reference/secrets.md` lists them. All is pure, offline and linear in the length of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.text.secret_formats import CUED_FORMATS, FORMATS, formats_in
from mnemic.text.secret_pairs import PAIRS, pairs_in
from mnemic.text.secret_shapes import SHAPES, shapes_in
from mnemic.text.secret_views import Hit, View, lookalike_view, plain_view, seen_view, unwrapped_view

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_BY_VENDOR = {form.rule: form.name for form in FORMATS} | {form.rule: form.name for form in CUED_FORMATS}
RULES: dict[str, str] = _BY_VENDOR | SHAPES | PAIRS
"""Every rule: its id and what it finds, in words."""

_DEEPEST = 20  # rounds of uncovering secrets glued to secrets; more are no accident, and each costs a scan
_MARKER = re.compile(r"\[redacted: [a-z0-9-]{1,40}\]")


@dataclass(frozen=True, slots=True)
class SecretFinding:
    """Where a secret stands in a text, never the secret itself.

    `rule` is the id of the rule, `name` says in words what was found, `start` and `end` are offsets in characters,
    `certainty` is how sure the rule is, in (0, 1]: from 0.9 on the form alone proves it, below it is a judgement.
    """

    rule: str
    name: str
    start: int
    end: int
    certainty: float


def find_secrets(text: str) -> tuple[SecretFinding, ...]:
    """Every secret in `text`, in order, none overlapping another.

    Keys hidden by invisible characters, dressed-up letters or line ends are found as well. Where rules overlap, the
    finding covers them all and bears the name of the surest. What remains after `redact` holds no secret: taking one
    out can uncover a second one that was glued to it, and that one is in the result too (up to 20 in a row).
    """
    spans = _joined(_scan(text))
    for _ in range(_DEEPEST if spans else 0):
        hidden = _Hidden(text, spans)
        more = _joined([*spans, *map(hidden.back, _scan(hidden.text))])
        if [span[:2] for span in more] == [span[:2] for span in spans]:
            break
        spans = more
    return tuple(SecretFinding(hit.rule, RULES[hit.rule], hit.start, hit.end, hit.certainty) for hit in spans)


def redact(text: str, findings: Iterable[SecretFinding]) -> str:
    """`text` with each finding replaced by `[redacted: <rule>]`.

    Args:
        text: The text the findings were made in.
        findings: What to take out, in any order, none overlapping.

    Raises:
        ValueError: A finding lies outside the text, or two overlap.
    """
    pieces, done = [], 0
    for finding in sorted(findings, key=lambda f: f.start):
        if not done <= finding.start < finding.end <= len(text):
            raise ValueError(f"The finding {finding.start}..{finding.end} overlaps another or is not in the text.")
        pieces += [text[done : finding.start], _marker(finding.rule)]
        done = finding.end
    return "".join([*pieces, text[done:]])


def _marker(rule: str) -> str:
    return f"[redacted: {rule}]"


def _scan(text: str) -> list[Hit]:
    """The hits of all rules in all readings of the text, markers left alone; unsorted, overlapping."""
    plain = plain_view(text)
    hits = list(_all_rules(plain))
    if seen := seen_view(plain):
        hits += map(seen.back, _all_rules(seen))
    if alike := lookalike_view(plain):
        hits += formats_in(alike.text, _lowered(alike.text))
    if unwrapped := unwrapped_view(plain):
        hits += map(unwrapped.back, _all_formats(unwrapped))
    if hits and "[redacted: " in text:
        markers = [found.span() for found in _MARKER.finditer(text)]
        starts = [start for start, _ in markers]
        hits = [hit for hit in hits if not _within(hit, markers, starts)]
    return hits


def _within(hit: Hit, markers: list[tuple[int, int]], starts: list[int]) -> bool:
    at = bisect_right(starts, hit.start) - 1
    return at >= 0 and hit.end <= markers[at][1]


def _all_rules(view: View) -> Iterator[Hit]:
    low = _lowered(view.text)
    yield from formats_in(view.text, low)
    yield from shapes_in(view.text, low)
    yield from pairs_in(view.text, low)


def _all_formats(view: View) -> Iterator[Hit]:
    yield from formats_in(view.text, _lowered(view.text))
    if "eyJ" in view.text:
        yield from (hit for hit in shapes_in(view.text, "") if hit.rule == "jwt")


def _lowered(text: str) -> str:
    """Lower case of the same length: the few letters that would become two (`İ`) stay as they are."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(c if len(c.lower()) > 1 else c.lower() for c in text)


def _joined(hits: Iterable[Hit]) -> list[Hit]:
    """Overlapping hits as one that covers them, with the rule of the surest (ties: the longest, then by rule id)."""
    joined: list[Hit] = []
    best: list[tuple[float, int, str]] = []
    for hit in sorted(hits):
        rank = (hit.certainty, hit.end - hit.start, hit.rule)
        if joined and hit.start < joined[-1].end:
            best[-1] = max(best[-1], rank)
            joined[-1] = joined[-1]._replace(end=max(joined[-1].end, hit.end), rule=best[-1][2], certainty=best[-1][0])
        else:
            joined.append(hit)
            best.append(rank)
    return joined


class _Hidden:
    """A text with spans replaced by their markers, and the way back for what is found in the rest."""

    def __init__(self, text: str, spans: Sequence[Hit]) -> None:
        pieces: list[str] = []
        self._moves: list[tuple[int, int, int, int]] = []
        done = length = 0
        for span in spans:
            marker = _marker(span.rule)
            pieces += [text[done : span.start], marker]
            length += span.start - done
            self._moves.append((length, length + len(marker), span.start, span.end))
            length += len(marker)
            done = span.end
        self._firsts = [move[0] for move in self._moves]
        self.text = "".join([*pieces, text[done:]])

    def back(self, hit: Hit) -> Hit:
        return hit._replace(start=self._place(hit.start, end=False), end=self._place(hit.end, end=True))

    def _place(self, offset: int, *, end: bool) -> int:
        """The offset in the original text; inside a marker, the start or the end of what it replaced."""
        edges = self._firsts
        at = (bisect_left(edges, offset) if end else bisect_right(edges, offset)) - 1
        if at < 0:
            return offset
        _, last, start, stop = self._moves[at]
        if offset < last or (end and offset == last):
            return stop if end else start
        return offset + stop - last
