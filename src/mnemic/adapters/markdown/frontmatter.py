"""Where the front matter of a Markdown text begins and ends, and what is wrong with it.

Pure over text. A front matter begins with `---` on the first line and ends with the next line that is `---` or `...`.
What stands between two thematic breaks but is no mapping is text, and stays in the body.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemic.adapters.markdown.yaml_read import Header, NotYamlError, read_header

if TYPE_CHECKING:
    from mnemic.domain.memory import Yaml

MAX_HEADER_CHARS = 262_144
BOM = "\ufeff"
_ENCODINGS = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_OPENING = re.compile(r"---[ \t]*(?:\r\n|\n|\r)")
_CLOSING = re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)")
_KEY_LINE = re.compile(r"(?:\A|(?<=[\r\n]))[ \t]*(?:\"[^\"\r\n]+\"|'[^'\r\n]+'|\w[^:\r\n]{0,60}):(?=[ \t\r\n]|\Z)")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in a text, without the path: line (from 1, 0: the whole file), code, sentence."""

    line: int
    code: str
    message: str
    repairable: bool = False


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file. `encoding` is `utf-8`, or the one a byte order mark named; `bom` is kept for writing."""

    text: str
    bom: str = ""
    encoding: str = "utf-8"


def decode(data: bytes) -> Decoded | Fault:
    """The text in `data`, or why it is none: not UTF-8 (nor UTF-16 or UTF-32 with their mark), or binary."""
    for mark, encoding in _ENCODINGS:
        if data.startswith(mark):
            try:
                text = data.decode(encoding)
            except UnicodeDecodeError as error:
                return Fault(0, "not_utf8", f"It begins like {encoding.upper()} and is not: {error.reason}.")
            return _without_nul(Decoded(text, encoding=encoding))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if b"\0" in data[:8192]:
            return _binary(data[:8192].count(b"\n", 0, data.index(b"\0")) + 1)
        line = data.count(b"\n", 0, error.start) + 1
        return Fault(line, "not_utf8", f"The byte 0x{data[error.start]:02X} is no UTF-8: {error.reason}.")
    if text.startswith(BOM):
        return _without_nul(Decoded(text[1:], bom=BOM))
    return _without_nul(Decoded(text))


def _without_nul(decoded: Decoded) -> Decoded | Fault:
    place = decoded.text.find("\0")
    return decoded if place < 0 else _binary(line_at(decoded.text, place))


def _binary(line: int) -> Fault:
    return Fault(line, "binary", "It holds NUL bytes, so it is no text.")


def line_at(text: str, index: int) -> int:
    """The line of a character, from 1; a lone carriage return ends a line too."""
    before = text[:index]
    return before.count("\n") + before.count("\r") - before.count("\r\n") + 1


@dataclass(frozen=True, slots=True)
class Parts:
    """A text cut in four: `opening + header + closing + body` is the text again; `header` None: no front matter."""

    opening: str
    header: str | None
    closing: str
    body: str


def split(text: str) -> Parts | None:
    """The parts of a text; None when it opens a front matter that is never closed."""
    opening = _OPENING.match(text)
    if opening is None:
        return Parts("", None, "", text)
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        return None
    return Parts(opening[0], text[opening.end() : closing.start()], closing[0], text[closing.end() :])


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """A text read: its parts, its top-level keys, its faults.

    `malformed`: the header is there and cannot be edited safely; `values` is then what could be made out line by line.
    """

    parts: Parts
    values: dict[str, Yaml] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    malformed: bool = False

    def line_of(self, key: str) -> int:
        """The line a top-level key stands on, from 1; 1 when it is absent."""
        place = self.places.get(key)
        return 1 if place is None or self.parts.header is None else line_at(self.parts.header, place) + 1


def read_front_matter(text: str) -> FrontMatter:
    """The front matter of a text without its byte order mark. Never raises: faults are values."""
    parts = split(text)
    if parts is None:
        return _unclosed(text)
    if parts.header is None:
        return _without(text)
    if len(parts.header) > MAX_HEADER_CHARS:
        size = f"{len(parts.header):,} characters; the limit is {MAX_HEADER_CHARS:,}"
        fault = Fault(1, "frontmatter_too_long", f"The front matter has {size}.")
        return FrontMatter(parts, faults=(fault,), malformed=True)
    try:
        header = read_header(parts.header)
    except NotYamlError as error:
        return _broken(text, parts, parts.header, error)
    return _no_mapping(text, parts.header) if header is None else _with(parts, header)


def _broken(text: str, parts: Parts, header: str, error: NotYamlError) -> FrontMatter:
    """No YAML; and no front matter at all, but text between two breaks, when no line of it looks like a key."""
    from mnemic.adapters.markdown.salvage import salvage

    if not _KEY_LINE.search(header):
        return _without(text)
    fault = Fault(error.line + 2, "invalid_yaml", f"The front matter is no YAML: {error.reason}.", repairable=True)
    return FrontMatter(parts, values=salvage(header).values, faults=(fault,), malformed=True)


def _with(parts: Parts, header: Header) -> FrontMatter:
    faults = tuple(
        Fault(
            line_at(parts.header or "", place) + 1,
            "duplicate_key",
            f"The key {key!r} stands here a second time; the last one is read.",
            repairable=top,
        )
        for key, place, top in header.duplicates
    )
    twice = any(top for _, _, top in header.duplicates)
    return FrontMatter(parts, values=header.values, places=header.places, faults=faults, malformed=twice)


def _without(text: str) -> FrontMatter:
    if text.strip():
        fault = Fault(0, "no_frontmatter", "It has no front matter.", repairable=True)
    else:
        fault = Fault(0, "empty_document", "The file is empty.", repairable=True)
    return FrontMatter(Parts("", None, "", text), faults=(fault,))


def _no_mapping(text: str, header: str) -> FrontMatter:
    if header.lstrip().startswith(("-", "[")):
        fault = Fault(
            2,
            "frontmatter_not_mapping",
            "The front matter is a list, not keys with values; it is read as part of the text.",
            repairable=True,
        )
        return FrontMatter(Parts("", None, "", text), faults=(fault,))
    return _without(text)


def _unclosed(text: str) -> FrontMatter:
    whole = Parts("", None, "", text)
    rest = text.split("\n", 1)[-1] if "\n" in text else text.split("\r", 1)[-1]
    first = _KEY_LINE.match(rest.lstrip())
    if first is None:
        return _without(text)
    fault = Fault(
        1,
        "unclosed_frontmatter",
        "The front matter is opened by --- and never closed; everything is read as text.",
        repairable=True,
    )
    return FrontMatter(whole, faults=(fault,))
