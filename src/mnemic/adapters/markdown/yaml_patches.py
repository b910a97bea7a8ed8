"""The smallest patches that turn one value into another."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from mnemic.adapters.markdown.yaml_spans import (
    CannotEditError,
    Entry,
    Patch,
    ascending,
    ends_in_block_scalar,
    entries,
    line_start,
    lines_of,
    plain_value,
    value_end,
)
from mnemic.adapters.markdown.yaml_write import emit_after_key, emit_entry, emit_flow, emit_scalar

if TYPE_CHECKING:
    from mnemic.domain.memory import Yaml

_COMMENT = re.compile(r"[ \t]+#[^\r\n]*\Z")
_INNER_COMMENT = re.compile(r"\s#")
_DECORATIONS = "&*!"


def changed_entry(text: str, entry: Entry, value: Yaml | None, *, typed: bool) -> list[Patch]:
    """Give an entry of a block mapping another value; None takes its lines away."""
    if value is None:
        return [Patch(entry.start, entry.stop, "")]
    begin = entry.node.start_mark.index
    # An alias is the node it stands for, which is elsewhere; an anchor or a tag begins the node's own text.
    if entry.key_node.end_mark.index < begin < entry.stop and text[begin] not in _DECORATIONS:
        patches = value_patches(text, entry.node, value, typed=typed, stop=entry.stop)
        if patches is not None:
            return patches
    return [_anew(text, entry, value, typed=typed)]


def value_patches(
    text: str,
    node: Any,  # noqa: ANN401 - PyYAML's nodes have no useful types
    value: Yaml,
    *,
    typed: bool,
    stop: int | None = None,
) -> list[Patch] | None:
    """Exchange a value within its own characters, or None when it must be written anew.

    `stop` is where the lines of a block value end; a node's own end lies behind the comments that follow.
    """
    if node.id == "scalar":
        patch = _scalar(text, node, value, nested=False, typed=typed)
        return None if patch is None else [patch]
    if not node.value or not value:
        return None
    end = node.end_mark.index if stop is None else stop
    if node.id == "mapping" and isinstance(value, dict):
        return (
            _flow_mapping(text, node, value, typed=typed)
            if node.flow_style
            else _block_mapping(text, node, value, end, typed=typed)
        )
    if node.id == "sequence" and isinstance(value, list):
        if node.flow_style:
            return _flow_list(text, node, value, typed=typed)
        return _block_list(text, node, value, end, typed=typed)
    return None


def _scalar(text: str, node: Any, value: Yaml, *, nested: bool, typed: bool) -> Patch | None:  # noqa: ANN401
    start, stop = node.start_mark.index, node.end_mark.index
    if node.id != "scalar" or not isinstance(value, str) or stop <= start or node.style in {"|", ">"}:
        return None
    if text[start] in _DECORATIONS:
        return None
    style = node.style if node.style in {"'", '"'} else None
    return Patch(start, stop, emit_scalar(value, typed=typed, nested=nested, style=style))


def _block_mapping(text: str, node: Any, value: dict[str, Yaml], stop: int, *, typed: bool) -> list[Patch]:  # noqa: ANN401
    found = entries(text, node, stop)
    patches: list[Patch] = []
    for entry in found:
        if plain_value(entry.node) != value.get(entry.key):
            patches += changed_entry(text, entry, value.get(entry.key), typed=typed)
    indent = " " * found[0].key_node.start_mark.column
    known = {entry.key for entry in found}
    new = "".join(emit_entry(key, value[key], indent=indent, typed=typed) for key in value if key not in known)
    return [*patches, _behind(text, found[-1].stop, new)] if new else patches


def _behind(text: str, place: int, lines: str) -> Patch:
    if place and text[place - 1] not in "\r\n":
        return Patch(place, place, "\n" + lines.removesuffix("\n"))
    return Patch(place, place, lines)


def _flow_mapping(text: str, node: Any, value: dict[str, Yaml], *, typed: bool) -> list[Patch]:  # noqa: ANN401
    """Scalars of `{ a: b }` are exchanged and keys added in place; anything else writes the braces anew."""
    known = {str(key.value): item for key, item in node.value}
    patches: list[Patch] = []
    for key, item in known.items():
        new = value.get(key)
        if plain_value(item) == new:
            continue
        patch = None if new is None else _scalar(text, item, new, nested=True, typed=typed)
        if patch is None or not node.start_mark.index < patch.start < patch.stop < node.end_mark.index:
            return [_flow_anew(text, node, value, typed=typed)]
        patches.append(patch)
    added = {key: item for key, item in value.items() if key not in known}
    if added:
        last = node.value[-1][1].end_mark.index
        if not node.start_mark.index < last < node.end_mark.index:
            return [_flow_anew(text, node, value, typed=typed)]
        inside = "".join(
            f", {emit_scalar(key, nested=True)}: {emit_flow(item, typed=typed)}" for key, item in added.items()
        )
        patches.append(Patch(last, last, inside))
    return patches


def _flow_list(text: str, node: Any, value: list[Yaml], *, typed: bool) -> list[Patch]:  # noqa: ANN401
    """Items of `[a, b]` that stay are kept as written; where that cannot be, the brackets are written anew."""
    marks = [(item.start_mark.index, item.end_mark.index) for item in node.value]
    edges = [node.start_mark.index, *(edge for mark in marks for edge in mark), node.end_mark.index]
    steps = _steps([plain_value(item) for item in node.value], value)
    if not ascending(edges) or not any(tag == "equal" for tag, *_ in steps):
        return [_flow_anew(text, node, value, typed=typed)]
    patches: list[Patch] = []
    for tag, old_from, old_to, new_from, new_to in steps:
        if tag == "equal":
            continue
        new = [emit_flow(item, typed=typed) for item in value[new_from:new_to]]
        if new and old_from:
            patches.append(Patch(marks[old_from - 1][1], marks[old_from - 1][1], "".join(f", {item}" for item in new)))
        elif new:
            patches.append(Patch(marks[0][0], marks[0][0], "".join(f"{item}, " for item in new)))
        if old_from == old_to:
            continue
        if old_to < len(marks):
            patches.append(Patch(marks[old_from][0], marks[old_to][0], ""))
            continue
        before = marks[old_from - 1][1]
        comma = text.find(",", before)
        if text[before:comma].strip():
            return [_flow_anew(text, node, value, typed=typed)]
        gone = marks[old_from][0]
        # With the comma go the blanks behind it, but not a comment or a line end.
        stop = comma + 1 if text[comma + 1 : gone].strip(" ") else gone
        patches += [Patch(before, stop, ""), Patch(gone, marks[-1][1], "")]
    return patches


def _steps(old: list[Yaml], new: list[Yaml]) -> list[tuple[str, int, int, int, int]]:
    matcher = SequenceMatcher(None, [repr(item) for item in old], [repr(item) for item in new], autojunk=False)
    return matcher.get_opcodes()  # type: ignore[return-value]


def _flow_anew(text: str, node: Any, value: Yaml, *, typed: bool) -> Patch:  # noqa: ANN401
    start, stop = node.start_mark.index, node.end_mark.index
    if _INNER_COMMENT.search(text, start, stop) or text[start] in _DECORATIONS:
        raise CannotEditError  # a comment or an anchor; the round trip knows how to keep it
    return Patch(start, stop, emit_flow(value, typed=typed))


def _block_list(text: str, node: Any, value: list[Yaml], stop: int, *, typed: bool) -> list[Patch]:  # noqa: ANN401
    """Lines of items that stay are kept with their comments; others go, new ones come in their order."""
    starts = [line_start(text, item.start_mark.index) for item in node.value]
    dashes = [text[start : item.start_mark.index] for start, item in zip(starts, node.value, strict=True)]
    if not ascending(starts) or any(dash.strip() != "-" for dash in dashes):
        raise CannotEditError
    spans = [
        (start, value_end(text, start, end, item))
        for start, end, item in zip(starts, [*starts[1:], stop], node.value, strict=True)
    ]
    patches: list[Patch] = []
    for tag, old_from, old_to, new_from, new_to in _steps([plain_value(item) for item in node.value], value):
        if tag == "equal":
            continue
        patches += [Patch(begin, end, "") for begin, end in spans[old_from:old_to]]
        lines = "".join(_item(item, dashes[0], typed=typed) for item in value[new_from:new_to])
        if lines:
            patches.append(_behind(text, spans[old_from][0] if old_from < len(spans) else spans[-1][1], lines))
    return patches


def _item(value: Yaml, dash: str, *, typed: bool) -> str:
    return f"{dash}{emit_flow(value, typed=typed, nested=not isinstance(value, str))}\n"


def _anew(text: str, entry: Entry, value: Yaml, *, typed: bool) -> Patch:
    """The entry's lines written anew; its comments move with it."""
    old = text[entry.start : entry.stop]
    key = text[entry.key_node.start_mark.index : entry.key_node.end_mark.index]
    indent = " " * entry.key_node.start_mark.column
    lines = lines_of(old)
    comment, above = "", ""
    if len(lines) == 1:
        found = _COMMENT.search(lines[0].rstrip("\r\n"), _comment_from(entry))
        comment = found[0] if found else ""
    elif entry.node.id != "scalar" and not ends_in_block_scalar(entry.node):
        above = "".join(f"{indent}{line.strip()}\n" for line in lines[1:] if line.lstrip().startswith("#"))
    new = above + emit_after_key(key, value, indent=indent, typed=typed, comment=comment)
    return Patch(entry.start, entry.stop, new if old.endswith(("\n", "\r")) else new.removesuffix("\n"))


def _comment_from(entry: Entry) -> int:
    """Where in an entry of one line a comment may begin: behind the value, so that a # inside quotes is none."""
    place: int = entry.node.end_mark.index
    behind: int = entry.key_node.end_mark.index + 1
    return (place if entry.start <= place <= entry.stop else behind) - entry.start
