"""What a Markdown text links to: wiki links, Markdown links, tags, block ids.

A scanner, not a parser: code, comments and URLs are blanked out, then each kind of link has one pattern. Its time grows
with the length of the text alone. Give it a body, without front matter; `links_in_properties` reads the latter.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mnemic.domain.memory import Yaml


@dataclass(frozen=True, slots=True, kw_only=True)
class WikiLink:
    """`[[target#heading|alias]]`; `![[…]]` when `embed`. A link within its own document has no target.

    `heading` may be a path of headings joined by `#`; `block` is the id of `#^block`. `start` and `end` count
    characters from 0, `line` from 1 (0: in a property).
    """

    target: str
    heading: str = ""
    block: str = ""
    alias: str = ""
    embed: bool = False
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownLink:
    """`[text](target "title")`, `![text](target)` when `embed`, or the definition `[text]: target`.

    `target` stands as written, without its angle brackets. Positions as in `WikiLink`.
    """

    text: str
    target: str
    embed: bool = False
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """`#name`, without the sign; nested ones keep their `/`. Positions as in `WikiLink`."""

    name: str
    line: int
    start: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """`^id` at the end of a line, by which that line's block can be linked to."""

    id: str
    line: int
    start: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Everything found, each kind in the order of the text."""

    wiki: tuple[WikiLink, ...] = ()
    markdown: tuple[MarkdownLink, ...] = ()
    tags: tuple[Tag, ...] = ()
    blocks: tuple[Block, ...] = ()


_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)")
_SPAN_TOKEN = re.compile(r"`+|<!--|-->|%%|\n[ \t\r>]*(?=\n)")
_WIKI = re.compile(r"(?<!\\)(!)?\[\[([^\[\]\n]+)\]\]")
_MARKDOWN = re.compile(
    r"(?<!\\)(!)?\[((?:[^\[\]\\\n]|\\.|\[[^\[\]\n]*\])*)\]"
    r"\([ \t]*(<[^<>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)"
    r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*\)",
)
_DEFINITION = re.compile(r"^ {0,3}\[([^\[\]^\n][^\[\]\n]*)\]:[ \t]+(<[^<>\n]*>|[^\s<]\S*)", re.MULTILINE)
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,30}://[^\s<>]+", re.IGNORECASE)
# Signs of no tag: blanks, ASCII punctuation but - / _, and the punctuation of other scripts; emoji are allowed.
_TAG = re.compile(
    r"(?<!\S)#([^\s\0-,.:-@\[-^`{-\x7f\u2000-\u200c\u200e-\u206f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40]+)",
)
_BLOCK = re.compile(r"(?:^|(?<=[ \t]))\^([A-Za-z0-9-]+)[ \t\r]*$", re.MULTILINE)
_NOT_NEW_LINE = re.compile(r"[^\n]")
_TAG_JOINTS = frozenset("-/_")


def links_in(markdown: str) -> Links:
    """Every link, tag and block id outside of code (fenced and inline), comments (`<!-- -->`, `%% %%`) and URLs."""
    lines = _Lines(markdown)
    text = _without_code(markdown)
    wiki = [link for match in _WIKI.finditer(text) if (link := _wiki_link(match, lines)) is not None]
    text = _blanked(text, [(link.start, link.end) for link in wiki])
    inline = [_markdown_link(match, lines) for match in _MARKDOWN.finditer(text)]
    defined = [_markdown_link(match, lines) for match in _DEFINITION.finditer(text)]
    text = _blanked(text, [(link.start, link.end) for link in inline])
    blocks = [Block(id=match[1], line=lines.at(match.start()), start=match.start()) for match in _BLOCK.finditer(text)]
    text = _URL.sub(lambda match: " " * len(match[0]), text)
    return Links(
        wiki=tuple(wiki),
        markdown=tuple(sorted(inline + defined, key=lambda link: link.start)),
        tags=tuple(_tags(text, lines)),
        blocks=tuple(blocks),
    )


def links_in_properties(properties: Mapping[str, Yaml]) -> tuple[WikiLink, ...]:
    """The wiki links in the values of a front matter, lists and mappings within it included."""
    found: list[WikiLink] = []
    waiting: list[Yaml] = list(properties.values())[::-1]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            found += (_in_property(link) for link in links_in(value).wiki)
        else:
            waiting += (list(value.values()) if isinstance(value, dict) else value)[::-1]
    return tuple(found)


def names_of(value: Yaml | None) -> tuple[str, ...]:
    """A property such as `aliases`: a list of names, or one text of names between commas. Each once, as written."""
    texts = value if isinstance(value, list) else value.split(",") if isinstance(value, str) else []
    return tuple(dict.fromkeys(name.strip() for name in texts if isinstance(name, str) and name.strip()))


def tags_of(value: Yaml | None) -> tuple[str, ...]:
    """A property `tags`: as `names_of`, blanks divide too, and a `#` before a tag is left out."""
    names = (part.lstrip("#").strip("/") for name in names_of(value) for part in name.split())
    return tuple(dict.fromkeys(name for name in names if name))


class _Lines:
    """Line numbers of character offsets."""

    def __init__(self, text: str) -> None:
        self._ends = [match.start() for match in re.finditer("\n", text)]

    def at(self, offset: int) -> int:
        return bisect_right(self._ends, offset - 1) + 1


def _without_code(markdown: str) -> str:
    """The text with blanks where code and comments stand; every other character keeps its place."""
    text = _blanked(markdown, list(_fences(markdown)))
    return _blanked(text, list(_spans(text)))


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """Fenced code, from fence to fence; one that is never closed goes to the end."""
    offset, begun, fence = 0, 0, ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if match and not fence and not (match[1][0] == "`" and "`" in match[2]):
            begun, fence = offset, match[1]
        elif match and fence and match[1].startswith(fence) and not match[2].strip():
            yield begun, offset + len(line)
            fence = ""
        offset += len(line) + 1
    if fence:
        yield begun, len(text)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Inline code and comments, whichever begins first."""
    tokens = list(_SPAN_TOKEN.finditer(text))
    partners = _partners(tokens)
    end = 0
    for number, token in enumerate(tokens):
        escaped = token.start() > 0 and text[token.start() - 1] == "\\"
        if token.start() < end or escaped:
            continue
        partner = partners[number]
        if partner is not None:
            end = tokens[partner].end()
            yield token.start(), end
        elif token[0] == "<!--":
            end = len(text)
            yield token.start(), end


def _partners(tokens: list[re.Match[str]]) -> list[int | None]:
    """For each token the next one that closes what it opens: equal backticks within the paragraph, `-->`, `%%`."""
    partners: list[int | None] = [None] * len(tokens)
    coming: dict[str, int] = {}
    for number in range(len(tokens) - 1, -1, -1):
        sign = tokens[number][0]
        if sign.startswith("\n"):
            coming = {other: at for other, at in coming.items() if not other.startswith("`")}
            continue
        partners[number] = coming.get("-->") if sign == "<!--" else None if sign == "-->" else coming.get(sign)
        coming[sign] = number
    return partners


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    if not spans:
        return text
    parts: list[str] = []
    place = 0
    for start, end in spans:
        parts += (text[place:start], _NOT_NEW_LINE.sub(" ", text[start:end]))
        place = end
    return "".join((*parts, text[place:]))


def _wiki_link(match: re.Match[str], lines: _Lines) -> WikiLink | None:
    # In a table the bar of an alias is written \|.
    inner, _, alias = match[2].replace("\\|", "|").partition("|")
    target, _, fragment = inner.partition("#")
    fragment = fragment.strip()
    is_block = fragment.startswith("^")
    if not (target.strip() or fragment):
        return None
    return WikiLink(
        target=target.strip(),
        heading="" if is_block else fragment,
        block=fragment[1:] if is_block else "",
        alias=alias.strip(),
        embed=match[1] is not None,
        line=lines.at(match.start()),
        start=match.start(),
        end=match.end(),
    )


def _in_property(link: WikiLink) -> WikiLink:
    return WikiLink(
        target=link.target, heading=link.heading, block=link.block, alias=link.alias, line=0, start=0, end=0
    )


def _markdown_link(match: re.Match[str], lines: _Lines) -> MarkdownLink:
    *embed, text, target = match.groups()
    return MarkdownLink(
        text=text,
        target=target.removeprefix("<").removesuffix(">"),
        embed=bool(embed and embed[0]),
        line=lines.at(match.start()),
        start=match.start(),
        end=match.end(),
    )


def _tags(text: str, lines: _Lines) -> Iterator[Tag]:
    for match in _TAG.finditer(text):
        name = match[1].strip("/")
        if any(not char.isdigit() and char not in _TAG_JOINTS for char in name):
            yield Tag(name=name, line=lines.at(match.start()), start=match.start())
