"""The parts of `index.md` and `log.md` that mnemic writes, between two marker lines. Pure functions on bytes.

Everything outside the markers belongs to people and is kept byte for byte. A file that has no markers is theirs as a
whole. Line ends follow the file's own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.domain.ids import id_of_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BEGIN = b"<!-- mnemic:begin -->"
END = b"<!-- mnemic:end -->"
LOG_HEAD = b"# Log\n\n"
ROOT_HEAD = b'---\nokf_version: "0.1"\n---\n\n'
FOLDERS_HEADING = b"# Folders"
MEMORIES_HEADING = b"# Memories"
LOG_BYTES = 262_144
"""Size at which the oldest days leave the log: it is for people, not a journal."""

_DESCRIPTION_CHARACTERS = 200
_DAY = re.compile(rb"## (\d{4}-\d{2}-\d{2})\s*\Z")
_LINE = re.compile(rb"\* \[(?:[^\]\\]|\\.)*\]\(([^()\s]*)\)")
_VERB = re.compile(rb"\* \*\*\w+\*\*: ")
_SPACES = re.compile(r"\s+")
# Characters that end or change a Markdown link target; letters of any script stay readable.
_UNSAFE_IN_TARGET = re.compile(r"[\x00-\x20\x7f()<>\[\]\\%#?\"]")


@dataclass(frozen=True, slots=True)
class Framed:
    """A file cut at its markers: `before` ends with the begin line, `after` begins with the end line."""

    before: bytes
    block: tuple[bytes, ...]
    after: bytes
    newline: bytes

    def with_block(self, block: Sequence[bytes]) -> bytes:
        """The whole file with another generated part."""
        return self.newline.join((self.before.removesuffix(self.newline), *block, self.after))

    @property
    def has_human_text(self) -> bool:
        """Whether anything stands outside the markers that we would not write again by ourselves."""
        return self.with_block(()) not in {fresh(), fresh(LOG_HEAD), fresh(ROOT_HEAD)}


def framed(data: bytes) -> Framed | None:
    """The file cut at its markers; None when it does not hold exactly one pair, each alone on its line."""
    begins, ends = _marker_lines(data, BEGIN), _marker_lines(data, END)
    if len(begins) != 1 or len(ends) != 1 or begins[0][1] > ends[0][0]:
        return None
    start, stop = begins[0][1], ends[0][0]
    newline = b"\r\n" if data[:start].endswith(b"\r\n") else b"\n"
    inner = data[start:stop]
    if b"\r" in inner:
        inner = inner.replace(b"\r\n", b"\n")
    lines = inner.split(b"\n")[:-1] if inner else []
    return Framed(data[:start], tuple(lines), data[stop:], newline)


def _marker_lines(data: bytes, marker: bytes) -> list[tuple[int, int]]:
    found, at = [], data.find(marker)
    while at >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        stop = data.find(b"\n", at) + 1 or len(data)
        if data[start:stop].strip() == marker:
            found.append((start, stop))
        at = data.find(marker, at + 1)
    return found


def has_markers(data: bytes) -> bool:
    """Whether anything in the file looks like one of our markers, well placed or not."""
    return BEGIN in data or END in data


def fresh(head: bytes = b"") -> bytes:
    """A new file with an empty generated part."""
    return head + BEGIN + b"\n" + END + b"\n"


def link_target(path: str) -> str:
    """`path` as the target of a Markdown link: percent-encoded where it must be, readable where it can be."""
    return _UNSAFE_IN_TARGET.sub(lambda match: f"%{ord(match[0]):02X}", path)


def link_text(text: str) -> str:
    """`text` on one line, with nothing in it that would end the link or open a comment."""
    flat = _SPACES.sub(" ", text).strip()
    return re.sub(r"([\\\[\]])", r"\\\1", flat).replace("<", "&lt;")


def index_line(target: str, title: str, description: str) -> bytes:
    """One entry of an index: `* [Title](target) - description`."""
    flat = _SPACES.sub(" ", description).strip()
    if len(flat) > _DESCRIPTION_CHARACTERS:
        flat = flat[: _DESCRIPTION_CHARACTERS - 1].rstrip() + "…"
    tail = f" - {flat.replace('<', '&lt;')}" if flat else ""
    return f"* [{link_text(title)}]({link_target(target)}){tail}".encode("utf-8", "replace")


def index_block(folders: Iterable[bytes], memories: Iterable[bytes]) -> list[bytes]:
    """The generated part of an index, whole: its sections in order, each sorted by target; no section is empty."""
    block: list[bytes] = []
    for heading, lines in ((FOLDERS_HEADING, folders), (MEMORIES_HEADING, memories)):
        entries = sorted(lines, key=_target)
        if entries:
            block += [*([b""] if block else []), heading, b"", *entries]
    return block


def with_entry(block: Sequence[bytes], line: bytes) -> list[bytes]:
    """The block with this entry put in or replaced. Costs a look at a dozen lines, however long the block is."""
    heading = _heading_of(line)
    section = _section(block, heading)
    if section is None:
        folders, memories = _sections(block)
        return index_block([*folders, *([line] if heading == FOLDERS_HEADING else [])],
                           [*memories, *([line] if heading == MEMORIES_HEADING else [])])  # fmt: skip
    start, stop = section
    at = bisect_left(block, _target(line), start, stop, key=_target)
    known = at < stop and _target(block[at]) == _target(line)
    return [*block[:at], line, *block[at + known :]]


def without_entry(block: Sequence[bytes], target: str) -> list[bytes]:
    """The block without the entry of this target, and without its section when that was the last one."""
    wanted = link_target(target).encode("utf-8", "replace")
    kept = [line for line in block if not (wanted in line and _target(line) == wanted)]
    return kept if len(kept) == len(block) else _tidy(kept)


def _tidy(block: list[bytes]) -> list[bytes]:
    folders, memories = _sections(block)
    return block if folders and memories else index_block(folders, memories)


def _sections(block: Sequence[bytes]) -> tuple[list[bytes], list[bytes]]:
    entries = [line for line in block if line.startswith(b"* ")]
    folders = [line for line in entries if _heading_of(line) == FOLDERS_HEADING]
    return folders, [line for line in entries if _heading_of(line) == MEMORIES_HEADING]


def _section(block: Sequence[bytes], heading: bytes) -> tuple[int, int] | None:
    try:
        start = block.index(heading) + 2
    except ValueError:
        return None
    if heading == MEMORIES_HEADING:
        return start, len(block)
    stop = start
    while stop < len(block) and block[stop]:
        stop += 1
    return start, stop


def _heading_of(line: bytes) -> bytes:
    return FOLDERS_HEADING if _target(line).endswith(b"/") else MEMORIES_HEADING


def _target(line: bytes) -> bytes:
    match = _LINE.match(line)
    return match[1] if match else line


def with_bullets(block: Sequence[bytes], day: str, bullets: Sequence[str]) -> list[bytes]:
    """The log's block with these bullets on top, newest first, under `day` (`YYYY-MM-DD`).

    A clock that went backwards does not disturb the order: nothing is dated before the newest day that is there.
    Beyond `LOG_BYTES` the oldest whole days are dropped.
    """
    new = [bullet.encode("utf-8", "replace") for bullet in reversed(bullets)]
    first = next((index for index, line in enumerate(block) if _DAY.match(line)), 0)
    newest = _DAY.match(block[first]) if block else None
    if newest is not None and newest[1].decode() >= day:
        rest = block[first + 1 :]
        while rest and not rest[0]:
            rest = rest[1:]
        return _capped([*block[: first + 1], b"", *new, *rest])
    return _capped([f"## {day}".encode(), b"", *new, *([b"", *block] if block else [])])


def _capped(block: list[bytes]) -> list[bytes]:
    size = sum(map(len, block)) + len(block)
    if size <= LOG_BYTES:
        return block
    days = [index for index, line in enumerate(block) if _DAY.match(line)]
    while len(days) > 1 and size > LOG_BYTES:
        cut = days.pop()
        size -= sum(map(len, block[cut:])) + len(block) - cut
        del block[cut:]
    while block and not block[-1]:
        block.pop()
    if size > LOG_BYTES:  # one day alone is too long: its oldest lines go
        while size > LOG_BYTES // 2 and len(block) > 3:  # noqa: PLR2004 - heading, blank, newest bullet
            size -= len(block.pop()) + 1
    return block


def bullet(verb: str, path: str, title: str, note: str = "") -> str:
    """One line of the log: `* **Creation**: [Title](/path.md)`, with a note where there is one."""
    flat = _SPACES.sub(" ", note).strip().replace("<", "&lt;")
    return f"* **{verb}**: [{link_text(title)}](/{link_target(path)}){f' - {flat}' if flat else ''}"


def redacted(data: bytes, path: str) -> bytes:
    """A log without any link to `path`, or mention of it, in the whole file.

    The link's text goes too, since it is a title: `[Anna](/people/anna.md)` becomes `(forgotten)`. Of a line of ours
    nothing but its first word stays, and a note that names its id (`Remember people/anna`) goes; what people wrote
    around a link is theirs.
    """
    spellings = {path, link_target(path), path.replace(" ", "%20")}
    paths = b"|".join(re.escape(text.encode("utf-8", "replace")) for text in sorted(spellings, key=len, reverse=True))
    target = rb"<?(?:\./|/)?(?:" + paths + rb")>?(?:#[^)\s]*)?(?:\s+\"[^\"\n]*\")?"
    link = re.compile(rb"!?\[(?:[^\]\\\n]|\\.)*\]\(\s*" + target + rb"\s*\)")
    mention = re.compile(rb"(?<![\w/.-])(?:\./|/)?(?:" + paths + rb")(?![\w-])")
    framed_log = framed(data)
    if framed_log is not None:
        named = _SPACES.sub(" ", id_of_path(path)).encode("utf-8", "replace")
        note = re.compile(rb"(\]\([^()\s]*\)) - \w+ " + re.escape(named) + rb"\Z")
        ours = [_redacted_bullet(line) if link.search(line) else note.sub(rb"\1", line) for line in framed_log.block]
        data = framed_log.with_block(ours)
    return mention.sub(b"(forgotten)", link.sub(b"(forgotten)", data))


def _redacted_bullet(line: bytes) -> bytes:
    verb = _VERB.match(line)
    return (verb[0] if verb else b"* ") + b"(forgotten)"
