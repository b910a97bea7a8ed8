"""The blocks of a Markdown body, line by line: what is one piece of content, and under which headings it stands.

A scanner of its own instead of a parser, because every block needs its exact place in the text, in every odd document.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_FENCE: Final = re.compile(r"[ \t>]*(`{3,}(?=[^`]*\Z)|~{3,})")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(?=\S)|(?=[ \t]*\Z))")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-+)[ \t]*\Z")
_RULE: Final = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\Z")
_QUOTE: Final = re.compile(r" {0,3}>(?:[ \t]?>)*[ \t]?")
_CALLOUT: Final = re.compile(r"\[![\w-]+\][+-]?[ \t]*")
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)")
_TABLE_RULE: Final = re.compile(r"[ \t]*+\|?+[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+\Z")
_COMMENT, _COMMENT_END = "<!--", "-->"


class BlockKind(Enum):
    """How the text of a block may be divided."""

    PROSE = "at sentences"
    ITEM = "at sentences, and short neighbours belong together"
    ROW = "not at all, and neighbours belong together"
    CODE = "at lines, if it is long"
    HEADING = "not at all"


@dataclass(frozen=True, slots=True)
class Block:
    """One block: its place in the body, the 1-based line it begins on, the headings above it, outermost first."""

    kind: BlockKind
    start: int
    end: int
    line: int
    heading: tuple[str, ...]


def blocks(markdown: str) -> Iterator[Block]:
    """The blocks of a body, in order; none of them is empty.

    Headings are no blocks but stand with the blocks below them; one with nothing below it is a block itself. Rules,
    list and quotation marks, the line under a table's head and HTML comments are markup and in no block (a mark inside
    a block of several lines stays in its text). A fence that is never closed goes on to the end, as in CommonMark; a
    comment that is never closed is text.
    """
    return _Scanner(markdown).blocks()


@dataclass(frozen=True, slots=True)
class _Line:
    text: str  # without its line break
    start: int
    number: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def _without_closing(title: str) -> str:
    """The title of a heading without the number signs that may close it."""
    bare = title.rstrip(" \t")
    without = bare.rstrip("#")
    return without.rstrip(" \t") if without[-1:] in ("", " ", "\t") else bare


class _Scanner:
    """Walks the lines once; `_at` is the line that comes next."""

    def __init__(self, markdown: str) -> None:
        found = (match for match in _LINE.finditer(markdown) if match[0])
        self._lines = [_Line(match[0].rstrip("\r\n"), match.start(), n) for n, match in enumerate(found, start=1)]
        self._at = 0
        self._headings: list[tuple[int, str]] = []
        self._unshown: Block | None = None  # the last heading, until something stands under it
        self._has_comments = _COMMENT_END in markdown

    def blocks(self) -> Iterator[Block]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line.text.strip() or _RULE.match(line.text):
                self._at += 1
            elif self._opens_comment(line):
                yield from self._comment()
            elif fence := _FENCE.match(line.text):
                yield self._fenced(fence[1])
            elif title := _HEADING.match(line.text):
                text = _without_closing(line.text[title.end() :])
                yield from self._section(len(title[1]), line.start + title.end(), text, line)
                self._at += 1
            elif self._opens_table(self._at):
                yield from self._table()
            else:
                yield from self._text()
        yield from self._heading_alone()

    def _block(self, kind: BlockKind, start: int, end: int, line: _Line) -> Block:
        self._unshown = None
        return Block(kind, start, end, line.number, tuple(title for _, title in self._headings))

    def _heading_alone(self) -> Iterator[Block]:
        if self._unshown is not None:
            yield self._unshown
        self._unshown = None

    def _section(self, level: int, start: int, title: str, line: _Line) -> Iterator[Block]:
        above = [entry for entry in self._headings if entry[0] < level]
        if len(above) < len(self._headings):
            yield from self._heading_alone()
        self._headings = above
        if title:
            parents = tuple(name for _, name in above)
            self._unshown = Block(BlockKind.HEADING, start, start + len(title), line.number, parents)
            self._headings = [*above, (level, " ".join(title.split()))]

    def _opens_comment(self, line: _Line) -> bool:
        return self._has_comments and line.text.lstrip().startswith(_COMMENT) and self._comment_end() is not None

    def _comment_end(self) -> int | None:
        for number in range(self._at, len(self._lines)):
            if _COMMENT_END in self._lines[number].text:
                return number
        self._has_comments = False  # none further down either: do not look again
        return None

    def _comment(self) -> Iterator[Block]:
        last = self._lines[self._comment_end() or self._at]
        after = last.text.index(_COMMENT_END) + len(_COMMENT_END)
        self._at = last.number
        if last.text[after:].strip():
            yield self._block(BlockKind.PROSE, last.start + after, last.end, last)

    def _fenced(self, mark: str) -> Block:
        first = last = self._lines[self._at]
        closing = re.compile(rf"[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*\Z")
        for number in range(self._at + 1, len(self._lines)):
            last = self._lines[number]
            if closing.match(last.text):
                break
        self._at = last.number
        return self._block(BlockKind.CODE, first.start, last.end, first)

    def _opens_table(self, at: int) -> bool:
        if at + 1 >= len(self._lines) or "|" not in self._lines[at].text:
            return False
        rule = self._lines[at + 1].text
        return "-" in rule and _TABLE_RULE.match(rule) is not None

    def _table(self) -> Iterator[Block]:
        head = self._lines[self._at]
        yield self._block(BlockKind.ROW, head.start, head.end, head)
        self._at += 2
        while self._at < len(self._lines) and "|" in (line := self._lines[self._at]).text:
            yield self._block(BlockKind.ROW, line.start, line.end, line)
            self._at += 1

    def _text(self) -> Iterator[Block]:
        """A paragraph, a list item or a quotation, with the lines that go on with it."""
        first = last = self._lines[self._at]
        quote = _QUOTE.match(first.text)
        begin = quote.end() if quote else 0
        if quote and (callout := _CALLOUT.match(first.text, begin)):
            begin = callout.end()
        item = _ITEM.match(first.text, begin)
        begin = item.end() if item else begin
        self._at += 1
        while self._at < len(self._lines):
            line = self._lines[self._at]
            underline = _UNDERLINE.match(line.text)
            if underline and not item and not quote:
                title = first.text.strip() if first is last else f"{first.text} {last.text}".strip()
                yield from self._underlined(first, last, title, 1 if underline[1][0] == "=" else 2)
                return
            if self._interrupts(line, quoted=quote is not None):
                break
            last = line
            self._at += 1
        if last is not first or first.text[begin:].strip():
            kind = BlockKind.ITEM if item else BlockKind.PROSE
            yield self._block(kind, first.start + begin, last.end, first)

    def _underlined(self, first: _Line, last: _Line, title: str, level: int) -> Iterator[Block]:
        self._at += 1
        if first is not last and last.number - first.number > 1:
            # A heading of three lines and more is a paragraph somebody drew a line under.
            yield self._block(BlockKind.PROSE, first.start, last.end, first)
            return
        yield from self._section(level, first.start, title, first)
        if self._unshown is not None:
            self._unshown = Block(BlockKind.HEADING, first.start, last.end, first.number, self._unshown.heading)

    def _interrupts(self, line: _Line, *, quoted: bool) -> bool:
        text = line.text
        inner = text[quote.end() :] if quoted and (quote := _QUOTE.match(text)) else text
        return (
            not inner.strip()
            or bool(_RULE.match(text) or _HEADING.match(text) or _FENCE.match(text) or _ITEM.match(inner))
            or (not quoted and _QUOTE.match(text) is not None)
            or self._opens_table(self._at)
            or (self._has_comments and text.lstrip().startswith(_COMMENT))
        )
