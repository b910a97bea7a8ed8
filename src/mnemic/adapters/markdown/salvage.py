"""What can be made out of a header that YAML refuses, key by key. Nothing of it is thrown away."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.adapters.markdown.frontmatter import Parts
from mnemic.adapters.markdown.yaml_read import NotYamlError, read_header

if TYPE_CHECKING:
    from mnemic.domain.memory import Yaml

_KEY = re.compile(r"(\s*)(\"[^\"]+\"|'[^']+'|\w[^:]{0,60}):(?:[ \t]+(.*))?\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Salvage:
    """The readable keys, and a header that says the same in valid YAML: lines it cannot hold became comments."""

    values: dict[str, Yaml]
    header: str


def salvage(header: str) -> Salvage:
    """Read a broken header key by key; of a key that stands twice, the last counts."""
    values: dict[str, Yaml] = {}
    blocks: list[tuple[str | None, str]] = []
    for chunk in _chunks(header):
        for text in _readable(chunk):
            read = _alone(text) if _KEY.match(text.split("\n", 1)[0]) else None
            if not read:
                blocks.append((None, _commented(text)))
                continue
            blocks = [(None, _commented(old)) if name in read else (name, old) for name, old in blocks]
            values.update(read)
            blocks.append((next(iter(read)), text))
    mended = "".join(text for _, text in blocks)
    return Salvage(values, mended if _alone(mended) == values else _anew(header, values))


def mended_header(header: str) -> str:
    """The header itself where it is sound, else what `salvage` makes of it; every line ends with a line feed."""
    plain = header.replace("\r\n", "\n").replace("\r", "\n")
    plain = plain if not plain or plain.endswith("\n") else plain + "\n"
    try:
        read = read_header(plain)
    except NotYamlError:
        read = None
    sound = read is not None and not any(top for _, _, top in read.duplicates)
    return plain if sound else salvage(plain).header


def _anew(header: str, values: dict[str, Yaml]) -> str:
    """The values written by us, below the whole old header as comments."""
    from mnemic.adapters.markdown.yaml_write import emit_entry

    return _commented(header) + "".join(emit_entry(key, value, typed=True) for key, value in values.items())


def _readable(chunk: str) -> list[str]:
    """The lines of a key in pieces, the first of them readable if anything is."""
    from mnemic.adapters.markdown.yaml_write import emit_entry

    spaced = chunk.replace("\t", "  ")
    if _alone(spaced) is not None:
        return [spaced]
    first, rest = chunk.split("\n", 1)
    if not rest:
        rough = _rough(first)
        return [emit_entry(*rough) if rough else chunk]
    return [*_readable(first + "\n"), rest]


def _chunks(header: str) -> list[str]:
    """Lines of one key together: a key's own line and the indented, listed or commented ones below it."""
    chunks: list[str] = []
    lines = header.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    indent = next((len(line) - len(line.lstrip()) for line in lines if _KEY.match(line)), 0)
    for line in lines:
        begins = _KEY.match(line) and len(line) - len(line.lstrip()) <= indent
        if begins or not chunks:
            chunks.append(line[min(indent, len(line) - len(line.lstrip())) :] + "\n")
        elif line.strip():
            chunks[-1] += line[min(indent, len(line) - len(line.lstrip())) :] + "\n"
    return [chunk for chunk in chunks if chunk.strip()]


def _alone(text: str) -> dict[str, Yaml] | None:
    try:
        header = read_header(text)
    except NotYamlError:
        return None
    return None if header is None or header.duplicates else header.values


def _rough(line: str) -> tuple[str, str] | None:
    """`key: anything` on one line, taken as the text it looks like."""
    found = _KEY.match(line)
    if found is None:
        return None
    value = (found[3] or "").strip()
    for quote in "\"'":
        value = value.removeprefix(quote).removesuffix(quote)
    return found[2].strip("\"'"), value


def _commented(text: str) -> str:
    """The lines as comments; characters that not even a comment may hold are written as escapes."""
    from mnemic.adapters.markdown.yaml_write import escaped

    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
    return "".join(f"{line if line.startswith('#') else f'# {line}'}\n" for line in map(escaped, lines))


def close_header(text: str) -> Parts:
    """The parts of a text whose front matter was never closed: it ends where its lines stop looking like keys."""
    lines = text.splitlines(keepends=True)
    last = 1
    while last < len(lines) and (_KEY.match(lines[last].rstrip("\r\n")) or lines[last][:1] in (" ", "\t", "-", "#")):
        if lines[last].lstrip().startswith("# ") and not lines[last][:1].isspace():
            break  # a heading, or a comment: better too much in the text than too little
        last += 1
    return Parts(lines[0], "".join(lines[1:last]), "", "".join(lines[last:]))
