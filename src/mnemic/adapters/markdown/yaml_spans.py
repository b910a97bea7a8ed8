"""Which characters of a header belong to which key, from the nodes' places in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

_GAP = re.compile(r"[ \t]*(?:#[^\r\n]*)?\Z")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")


class CannotEditError(Exception):
    """No way was found to make the edit and keep the rest."""


@dataclass(frozen=True, slots=True)
class Patch:
    """Characters `start` to `stop` become `text`."""

    start: int
    stop: int
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of a block mapping: its nodes and its whole lines, without the blank and comment lines behind them."""

    key: str
    key_node: Any
    node: Any
    start: int
    stop: int


def patched(text: str, patches: list[Patch]) -> str:
    """The text with all patches made; those at one place in their order. Raises CannotEditError when they overlap."""
    ordered = sorted(enumerate(patches), key=lambda item: (item[1].start, item[1].stop, item[0]))
    pieces: list[str] = []
    place = 0
    for _, patch in ordered:
        if patch.start < place:
            raise CannotEditError
        pieces += [text[place : patch.start], patch.text]
        place = patch.stop
    return "".join([*pieces, text[place:]])


def entries(text: str, node: Any, stop: int) -> list[Entry]:  # noqa: ANN401 - PyYAML's nodes have no useful types
    """The keys of a block mapping that ends at `stop`. Raises CannotEditError when one is not alone on its line."""
    starts = [line_start(text, key.start_mark.index) for key, _ in node.value]
    if not ascending(starts):
        raise CannotEditError
    found = []
    for (key, value), start, end in zip(node.value, starts, [*starts[1:], stop], strict=True):
        if text[start : key.start_mark.index].strip(" "):
            raise CannotEditError  # "? key" or "- key:": something else stands on the key's line
        found.append(Entry(str(key.value), key, value, start, value_end(text, start, end, value)))
    return found


def ascending(numbers: list[int]) -> bool:
    """Whether each number is greater than the one before."""
    return all(one < other for one, other in pairwise(numbers))


def line_start(text: str, index: int) -> int:
    """Where the line of a character begins."""
    return max(text.rfind("\n", 0, index), text.rfind("\r", 0, index)) + 1


def lines_of(text: str) -> list[str]:
    r"""The lines of a text with their ends: `\n`, `\r\n` or `\r`, nothing else."""
    return _LINE.findall(text)


def value_end(text: str, start: int, end: int, node: Any) -> int:  # noqa: ANN401
    """Where the last line of a value ends: blank and comment lines before the next key are nobody's."""
    lines = lines_of(text[start:end])
    block = ends_in_block_scalar(node)
    while len(lines) > 1:
        last = lines[-1].rstrip("\r\n")
        comment = last.startswith("#") if block else bool(_GAP.match(last))
        if last.strip() and not comment:
            break
        lines.pop()
    return start + sum(map(len, lines))


def ends_in_block_scalar(node: Any) -> bool:  # noqa: ANN401
    """Whether the last text in it is of the `|` or `>` form, where indented lines that begin with # are content."""
    while node.id != "scalar":
        if node.flow_style or not node.value:
            return False
        last = node.value[-1]
        node = last[1] if node.id == "mapping" else last
    return node.style in {"|", ">"}


def plain_value(node: Any) -> Any:  # noqa: ANN401
    """The value of a node: text, list or mapping. Only for headers that were read within their limits before."""
    if node.id == "scalar":
        return str(node.value)
    if node.id == "sequence":
        return [plain_value(item) for item in node.value]
    return {str(key.value): plain_value(item) for key, item in node.value}
