"""Edits of a header that touch nothing but what changes.

The nodes' places in the text say which characters a value has. A scalar is exchanged in place, a mapping is edited key by
key, anything else is written anew in its own lines; then the result is read back and compared. Where that fails (an
anchor that is used elsewhere, a construct we did not foresee), ruamel.yaml's round trip does the edit, and is compared
too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from mnemic.adapters.markdown.yaml_read import NotYamlError, compose, read_header
from mnemic.adapters.markdown.yaml_write import emit_after_key, emit_entry, emit_flow, emit_scalar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mnemic.domain.memory import Yaml

_COMMENT = re.compile(r"[ \t]+#[^\r\n]*\Z")
_GAP = re.compile(r"[ \t]*(?:#[^\r\n]*)?\Z")
_INNER_COMMENT = re.compile(r"\s#")


class CannotEditError(Exception):
    """No way was found to make the edit and keep the rest."""


@dataclass(frozen=True, slots=True)
class Patch:
    """Characters `start` to `stop` become `text`."""

    start: int
    stop: int
    text: str


@dataclass(frozen=True, slots=True)
class _Entry:
    """One key of a block mapping: its nodes, its whole lines, without blank and comment lines after them."""

    key: str
    key_node: Any
    node: Any
    start: int
    stop: int


def edit_header(
    header: str, changes: Mapping[str, Yaml | None], *, order: Sequence[str], text_keys: frozenset[str], newline: str
) -> str:
    """The header with `changes` (None takes a key out) and every other character as it was.

    Args:
        header: Lines of a YAML mapping, or blank.
        changes: New values of top-level keys.
        order: Where new keys go: behind the last of those before them in this sequence; others at the end.
        text_keys: Keys whose scalars are always texts, so that numbers in them are quoted.
        newline: The line end of new lines.

    Raises:
        CannotEditError: Neither way gave the intended mapping.
    """
    try:
        read = read_header(header)
    except NotYamlError:
        read = None
    if read is None:
        raise CannotEditError
    intended = {key: value for key, value in {**read.values, **changes}.items() if value is not None}
    for attempt in (_by_lines, _by_round_trip):
        try:
            edited = attempt(header, changes, order, text_keys, newline)
            found = read_header(edited)
        except (NotYamlError, CannotEditError):
            continue
        if found is not None and not _top_duplicates(found.duplicates) and found.values == intended:
            return edited
    raise CannotEditError


def _top_duplicates(duplicates: list[tuple[str, int, bool]]) -> bool:
    return any(top for _, _, top in duplicates)


def _by_lines(
    header: str, changes: Mapping[str, Yaml | None], order: Sequence[str], text_keys: frozenset[str], newline: str
) -> str:
    root = compose(header)
    if root is None:
        return _appended(header, changes, order, text_keys, newline)
    patches = _mapping_patches(header, root, (0, len(header)), changes, order=order, text_keys=text_keys)
    return _patched(header, [Patch(p.start, p.stop, p.text.replace("\n", newline)) for p in patches])


def _appended(
    header: str, changes: Mapping[str, Yaml | None], order: Sequence[str], text_keys: frozenset[str], newline: str
) -> str:
    keys = sorted((key for key in changes if changes[key] is not None), key=lambda key: _rank(key, order))
    new = "".join(_fresh(key, changes[key], "", text_keys) for key in keys)
    return _ended(header, newline) + new.replace("\n", newline)


def _ended(text: str, newline: str) -> str:
    return text if not text or text.endswith(("\n", "\r")) else text + newline


def _patched(text: str, patches: list[Patch]) -> str:
    ordered = sorted(enumerate(patches), key=lambda item: (item[1].start, item[1].stop, item[0]))
    pieces, place = [], 0
    for _, patch in ordered:
        if patch.start < place:
            raise CannotEditError
        pieces += [text[place : patch.start], patch.text]
        place = patch.stop
    return "".join([*pieces, text[place:]])


def _mapping_patches(
    text: str,
    node: Any,  # noqa: ANN401
    span: tuple[int, int],
    changes: Mapping[str, Yaml | None],
    *,
    order: Sequence[str] = (),
    text_keys: frozenset[str] = frozenset(),
    typed: bool = True,
) -> list[Patch]:
    if node.flow_style:
        return _flow_patches(text, node, changes, typed=typed)
    entries = _entries(text, node, span)
    known = {entry.key: entry for entry in entries}
    indent = " " * entries[0].key_node.start_mark.column
    patches: list[Patch] = []
    for key, value in changes.items():
        entry = known.get(key)
        plain = typed and key not in text_keys
        if entry is None:
            continue
        if value is None:
            patches.append(Patch(entry.start, entry.stop, ""))
        else:
            patches += _value_patches(text, entry, value, indent, typed=plain)
    new = sorted((key for key, value in changes.items() if key not in known and value is not None), key=_by(order))
    return patches + [_insertion(text, entries, key, changes[key], indent, order, text_keys) for key in new]


def _by(order: Sequence[str]) -> Any:  # noqa: ANN401
    return lambda key: _rank(key, order)


def _rank(key: str, order: Sequence[str]) -> int:
    return order.index(key) if key in order else len(order)


def _fresh(key: str, value: Yaml | None, indent: str, text_keys: frozenset[str]) -> str:
    return emit_entry(key, "" if value is None else value, indent=indent, typed=key not in text_keys)


def _insertion(
    text: str,
    entries: list[_Entry],
    key: str,
    value: Yaml | None,
    indent: str,
    order: Sequence[str],
    text_keys: frozenset[str],
) -> Patch:
    """New lines behind the last of the keys that come before; before all keys when there is none."""
    rank = _rank(key, order)
    before = [entry for entry in entries if _rank(entry.key, order) <= rank]
    nearest = max(before, key=lambda entry: entry.start, default=None)
    lines = _fresh(key, value, indent, text_keys)
    if nearest is None:
        return Patch(entries[0].start, entries[0].start, lines)
    if nearest.stop and text[nearest.stop - 1] not in "\r\n":
        return Patch(nearest.stop, nearest.stop, "\n" + lines.removesuffix("\n"))
    return Patch(nearest.stop, nearest.stop, lines)


def _entries(text: str, node: Any, span: tuple[int, int]) -> list[_Entry]:  # noqa: ANN401
    starts = [_line_start(text, key.start_mark.index) for key, _ in node.value]
    if len(set(starts)) != len(starts) or sorted(starts) != starts:
        raise CannotEditError
    ends = [*starts[1:], span[1]]
    entries = []
    for (key, value), start, end in zip(node.value, starts, ends, strict=True):
        if text[start : key.start_mark.index].strip(" "):
            raise CannotEditError  # "? key", "- key:" and other company on the key's line
        entries.append(_Entry(str(key.value), key, value, start, _value_end(text, start, end, value)))
    return entries


def _line_start(text: str, index: int) -> int:
    return max(text.rfind("\n", 0, index), text.rfind("\r", 0, index)) + 1


def _value_end(text: str, start: int, end: int, node: Any) -> int:  # noqa: ANN401
    """Where the last line of a value ends: blank and comment lines before the next key are nobody's."""
    lines = _lines(text[start:end])
    block = _last_scalar_is_block(node)
    while len(lines) > 1:
        last = lines[-1].rstrip("\r\n")
        comment = last.startswith("#") if block else bool(_GAP.match(last))
        if last.strip() and not comment:
            break
        lines.pop()
    return start + sum(map(len, lines))


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z", text)


def _last_scalar_is_block(node: Any) -> bool:  # noqa: ANN401
    while node.id != "scalar":
        if node.flow_style or not node.value:
            return False
        last = node.value[-1]
        node = last[1] if node.id == "mapping" else last
    return node.style in ("|", ">")


def _value_patches(text: str, entry: _Entry, value: Yaml, indent: str, *, typed: bool) -> list[Patch]:
    node = entry.node
    begin = node.start_mark.index
    # An alias is the node it stands for, which is elsewhere; an anchor or a tag begins the node's text.
    if entry.key_node.end_mark.index < begin < entry.stop and text[begin] not in "&*!":
        patch = _scalar_patch(text, node, value, nested=False, typed=typed)
        if patch is not None:
            return [patch]
        if node.id == "mapping" and isinstance(value, dict) and node.value and value:
            return _inner_patches(text, entry, value, typed=typed)
        if node.id == "sequence" and isinstance(value, list) and node.value and value:
            return _list_patches(text, entry, value, typed=typed)
    return [_whole(text, entry, value, indent, typed=typed)]


def _scalar_patch(text: str, node: Any, value: Yaml, *, nested: bool, typed: bool) -> Patch | None:  # noqa: ANN401
    start, stop = node.start_mark.index, node.end_mark.index
    if node.id != "scalar" or not isinstance(value, str) or stop <= start or node.style in ("|", ">"):
        return None
    style = node.style if node.style in ("'", '"') else None
    return Patch(start, stop, emit_scalar(value, typed=typed, nested=nested, style=style))


def _inner_patches(text: str, entry: _Entry, value: dict[str, Yaml], *, typed: bool) -> list[Patch]:
    old = _plain_value(entry.node)
    if not isinstance(old, dict):
        raise CannotEditError
    changes: dict[str, Yaml | None] = {key: item for key, item in value.items() if old.get(key) != item}
    changes.update(dict.fromkeys(key for key in old if key not in value))
    return _mapping_patches(text, entry.node, (entry.start, entry.stop), changes, typed=typed)


def _plain_value(node: Any) -> Yaml:  # noqa: ANN401
    if node.id == "scalar":
        return str(node.value)
    if node.id == "sequence":
        return [_plain_value(item) for item in node.value]
    return {str(key.value): _plain_value(item) for key, item in node.value}


def _flow_patches(text: str, node: Any, changes: Mapping[str, Yaml | None], *, typed: bool) -> list[Patch]:  # noqa: ANN401
    """Scalars of `{ a: b }` are exchanged and keys added in place; anything else writes the braces anew."""
    known = {str(key.value): item for key, item in node.value}
    patches: list[Patch] = []
    added: list[str] = []
    for key, value in changes.items():
        item = known.get(key)
        patch = None if item is None or value is None else _scalar_patch(text, item, value, nested=True, typed=typed)
        if item is None and value is not None:
            added.append(f"{emit_scalar(key, nested=True)}: {emit_flow(value, typed=typed)}")
        elif patch is not None and text[patch.start] not in "&*!" and _within(patch, node):
            patches.append(patch)
        elif item is not None:
            return [_flow_anew(text, node, changes, typed=typed)]
    if added:
        last = node.value[-1][1].end_mark.index if node.value else 0
        if not (node.start_mark.index < last < node.end_mark.index):
            return [_flow_anew(text, node, changes, typed=typed)]
        patches.append(Patch(last, last, "".join(f", {item}" for item in added)))
    return patches


def _within(patch: Patch, node: Any) -> bool:  # noqa: ANN401
    return bool(node.start_mark.index < patch.start and patch.stop < node.end_mark.index)


def _refuse_comments(text: str, node: Any) -> None:  # noqa: ANN401
    if _INNER_COMMENT.search(text, node.start_mark.index, node.end_mark.index):
        raise CannotEditError  # a comment between brackets; the round trip knows how to keep it


def _flow_anew(text: str, node: Any, changes: Mapping[str, Yaml | None], *, typed: bool) -> Patch:  # noqa: ANN401
    _refuse_comments(text, node)
    old = _plain_value(node)
    if not isinstance(old, dict):
        raise CannotEditError
    new = {key: item for key, item in {**old, **changes}.items() if item is not None}
    return Patch(node.start_mark.index, node.end_mark.index, emit_flow(new, typed=typed))


def _list_patches(text: str, entry: _Entry, value: list[Yaml], *, typed: bool) -> list[Patch]:
    node = entry.node
    if node.flow_style:
        _refuse_comments(text, node)
        return [Patch(node.start_mark.index, node.end_mark.index, emit_flow(value, typed=typed))]
    starts = [_line_start(text, item.start_mark.index) for item in node.value]
    dashes = [text[start : item.start_mark.index] for start, item in zip(starts, node.value, strict=True)]
    if len(set(starts)) != len(starts) or any(dash.strip() != "-" for dash in dashes) or sorted(starts) != starts:
        raise CannotEditError
    spans = [
        (start, _value_end(text, start, end, item))
        for start, end, item in zip(starts, [*starts[1:], entry.stop], node.value, strict=True)
    ]
    return list(_item_patches(text, node, spans, dashes[0], value, typed=typed))


def _item_patches(
    text: str,
    node: Any,  # noqa: ANN401
    spans: list[tuple[int, int]],
    dash: str,
    value: list[Yaml],
    *,
    typed: bool,
) -> list[Patch]:
    """Lines of items that stay are kept with their comments; others go, new ones come in their order."""
    keys = [repr(_plain_value(item)) for item in node.value]
    patches: list[Patch] = []
    matcher = SequenceMatcher(None, keys, [repr(item) for item in value], autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            continue
        patches += [Patch(start, stop, "") for start, stop in spans[old_from:old_to]]
        new = "".join(_item_lines(item, dash, typed=typed) for item in value[new_from:new_to])
        if not new:
            continue
        place = spans[old_from][0] if old_from < len(spans) else spans[-1][1]
        broken = place and text[place - 1] not in "\r\n"
        patches.append(Patch(place, place, "\n" + new.removesuffix("\n") if broken else new))
    return patches


def _item_lines(value: Yaml, dash: str, *, typed: bool) -> str:
    return f"{dash}{emit_flow(value, typed=typed, nested=not isinstance(value, str))}\n"


def _whole(text: str, entry: _Entry, value: Yaml, indent: str, *, typed: bool) -> Patch:
    """The entry's lines written anew; its comments move with it."""
    old = text[entry.start : entry.stop]
    key = text[entry.key_node.start_mark.index : entry.key_node.end_mark.index]
    lines = _lines(old)
    comment, above = "", ""
    if len(lines) == 1:
        found = _COMMENT.search(lines[0].rstrip("\r\n"), _comment_from(entry, text))
        comment = found[0] if found else ""
    elif entry.node.id != "scalar" and not _last_scalar_is_block(entry.node):
        above = "".join(f"{indent}{line.strip()}\n" for line in lines[1:] if line.lstrip().startswith("#"))
    new = above + emit_after_key(key, value, indent=indent, typed=typed, comment=comment)
    return Patch(entry.start, entry.stop, new if old.endswith(("\n", "\r")) else new.removesuffix("\n"))


def _comment_from(entry: _Entry, text: str) -> int:
    """Where in the entry's first line a comment may begin: behind the value, so that a # inside quotes is none."""
    line_end = entry.start + len(_lines(text[entry.start : entry.stop])[0])
    place = entry.node.end_mark.index
    behind = place if entry.start <= place <= line_end else entry.key_node.end_mark.index + 1
    return behind - entry.start


def _by_round_trip(
    header: str, changes: Mapping[str, Yaml | None], order: Sequence[str], text_keys: frozenset[str], newline: str
) -> str:
    from mnemic.adapters.markdown.yaml_round_trip import RoundTripError, round_trip

    try:
        return round_trip(header, changes, lambda key: _rank(key, order), text_keys).replace("\n", newline)
    except RoundTripError:
        raise CannotEditError from None
