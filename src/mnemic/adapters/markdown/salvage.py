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
    from mnemic.adapters.markdown.yaml_write import emit_entry

    values: dict[str, Yaml] = {}
    blocks: list[tuple[str | None, str]] = []
    for chunk in _chunks(header):
        text = chunk.replace("\t", "  ")
        read = _alone(text)
        if read is None:
            rough = _rough(chunk)
            if rough is None:
                blocks.append((None, _commented(chunk)))
                continue
            read = dict([rough])
            text = emit_entry(*rough)
        for key in read:
            blocks = [(None, _commented(old)) if name == key else (name, old) for name, old in blocks]
        values.update(read)
        blocks.append((next(iter(read), None), text if text.endswith("\n") else text + "\n"))
    return Salvage(values, "".join(text for _, text in blocks))


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


def _rough(chunk: str) -> tuple[str, str] | None:
    """`key: anything` on one line, taken as the text it looks like."""
    found = _KEY.match(chunk.rstrip("\n"))
    if found is None or "\n" in chunk.rstrip("\n"):
        return None
    value = (found[3] or "").strip()
    for quote in "\"'":
        value = value.removeprefix(quote).removesuffix(quote)
    return found[2].strip("\"'"), value


def _commented(text: str) -> str:
    return "".join(line if line.startswith("#") else f"# {line}" for line in text.splitlines(keepends=True))


def close_header(text: str) -> Parts:
    """The parts of a text whose front matter was never closed: it ends where its lines stop looking like keys."""
    lines = text.splitlines(keepends=True)
    last = 1
    while last < len(lines) and (_KEY.match(lines[last].rstrip("\r\n")) or lines[last][:1] in (" ", "\t", "-", "#")):
        if lines[last].lstrip().startswith("# ") and not lines[last][:1].isspace():
            break  # a heading, or a comment: better too much in the text than too little
        last += 1
    return Parts(lines[0], "".join(lines[1:last]), "", "".join(lines[last:]))
