"""Bodies and chat turns cut into passages: the pieces that are matched against a query and embedded.

A passage is one to three sentences, some list items, some table rows or a code fence, about 40 to 400 columns wide (a
CJK character counts as two), and knows its exact place: ``body[passage.start:passage.end] == passage.text``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mnemic.text.blocks import Block, BlockKind, blocks
from mnemic.text.boundaries import sentence_spans, trimmed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mnemic.text.boundaries import Span

MOST_SENTENCES: Final = 3
# Columns. A passage is filled up to ENOUGH where sentences allow, and never wider than LIMIT (code: CODE_LIMIT).
TOO_SHORT: Final = 40
ENOUGH: Final = 240
LIMIT: Final = 400
CODE_LIMIT: Final = 1600
# In chat, "Wow!" alone says nothing: it stays with the sentence beside it.
FRAGMENT: Final = 16
# Where a sentence has to be cut, in order of preference; then at white space, then anywhere.
_CUT_AFTER: Final = "\n;；:：。，,、—"
_WIDE: Final = "\u2e80"  # CJK and all that follows: a character says about twice as much


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a text and where it stands.

    `start` and `end` are character offsets into the whole text, `line` is the 1-based line of `start`, `heading` holds
    the titles of the enclosing Markdown headings, outermost first. The text has no white space around it and is never
    empty.
    """

    text: str
    start: int
    end: int
    line: int
    heading: tuple[str, ...] = ()


def passages(markdown: str) -> tuple[Passage, ...]:
    """The passages of a Markdown body, in order, without overlap.

    What is in none of them is white space or markup: rules, list and quotation marks, the line under a table's head,
    HTML comments, and headings that have text below them (they stand in `Passage.heading`; others are passages).
    """
    found: list[Passage] = []
    group: list[Block] = []
    for block in blocks(markdown):
        if group and not _belongs(group, block, markdown):
            found.extend(_of_group(group, markdown))
            group = []
        group.append(block)
    found.extend(_of_group(group, markdown))
    return tuple(found)


def sentences(text: str) -> tuple[Passage, ...]:
    """The sentences of a chat turn, in order; a line break ends one too.

    A fragment under 16 columns joins its neighbour on the same line; a sentence over 400 columns is cut. Nothing but
    white space is left out.
    """
    found: list[Passage] = []
    start = 0
    for number, line in enumerate(text.split("\n"), start=1):
        spans = _with_fragments_joined(text, list(sentence_spans(text, start, start + len(line))))
        for span in spans:
            found.extend(Passage(text[a:b], a, b, number) for a, b in _cut(text, span, LIMIT))
        start += len(line) + 1
    return tuple(found)


def _with_fragments_joined(text: str, spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end in spans:
        fragment = joined and (_fits(text, *joined[-1], FRAGMENT) or _fits(text, start, end, FRAGMENT))
        if fragment and _fits(text, joined[-1][0], end, LIMIT):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _belongs(group: list[Block], block: Block, markdown: str) -> bool:
    """Whether a list item or a table row shares the passage of those before it."""
    first, last = group[0], group[-1]
    if block.kind is not last.kind or block.heading != last.heading:
        return False
    if block.kind is BlockKind.ROW:
        return _fits(markdown, first.start, block.end, LIMIT)
    short = _fits(markdown, first.start, last.end, TOO_SHORT) or _fits(markdown, block.start, block.end, TOO_SHORT)
    return block.kind is BlockKind.ITEM and short and _fits(markdown, first.start, block.end, ENOUGH)


def _of_group(group: list[Block], markdown: str) -> Iterator[Passage]:
    if not group:
        return
    first, whole = group[0], (group[0].start, group[-1].end)
    if len(group) > 1 or first.kind in (BlockKind.ROW, BlockKind.HEADING):
        spans: Iterable[Span] = _cut(markdown, whole, LIMIT)
    elif first.kind is BlockKind.CODE:
        spans = _cut(markdown, whole, CODE_LIMIT)
    else:
        spans = _packed(markdown, whole)
    line, place = first.line, first.start
    for start, end in spans:
        line += _line_breaks(markdown, place, start)
        place = start
        yield Passage(markdown[start:end], start, end, line, first.heading)


def _line_breaks(text: str, start: int, end: int) -> int:
    carriage_only = text.count("\r", start, end) - text.count("\r\n", start, end) if "\r" in text else 0
    return text.count("\n", start, end) + carriage_only


def _packed(text: str, whole: Span) -> Iterator[Span]:
    """Sentences put together while they stay few and short."""
    group: list[Span] = []
    for start, end in sentence_spans(text, *whole):
        if group and not _joins(text, group, start, end):
            yield from _cut(text, (group[0][0], group[-1][1]), LIMIT)
            group = []
        group.append((start, end))
    if group:
        yield from _cut(text, (group[0][0], group[-1][1]), LIMIT)


def _joins(text: str, group: list[Span], start: int, end: int) -> bool:
    begin = group[0][0]
    if len(group) < MOST_SENTENCES and _fits(text, begin, end, ENOUGH):
        return True
    return _fits(text, start, end, TOO_SHORT) and _fits(text, begin, end, LIMIT)


def _cut(text: str, span: Span, limit: int) -> Iterator[Span]:
    """The span in pieces of at most `limit` columns, trimmed, cut where it hurts least."""
    start, end = span
    while not _fits(text, start, end, limit):
        cut = _place_to_cut(text, start, _furthest(text, start, end, limit))
        yield from trimmed(text, start, cut)
        start = cut
    yield from trimmed(text, start, end)


def _furthest(text: str, start: int, end: int, limit: int) -> int:
    """The last offset up to which the text keeps within the limit."""
    columns = 0
    for place in range(start, end):
        columns += 2 if text[place] >= _WIDE else 1
        if columns > limit:
            return place
    return end


def _place_to_cut(text: str, start: int, furthest: int) -> int:
    half = start + (furthest - start) // 2
    for mark in _CUT_AFTER:
        place = text.rfind(mark, half, furthest)
        if place > 0 and (mark not in ",:" or text[place + 1 : place + 2].isspace()):
            return place + 1
    for place in range(furthest, half, -1):
        if text[place - 1].isspace():
            return place
    return furthest


def _fits(text: str, start: int, end: int, columns: int) -> bool:
    if end - start > columns:
        return False
    piece = text[start:end]
    return piece.isascii() or len(piece) + sum(1 for char in piece if char >= _WIDE) <= columns
