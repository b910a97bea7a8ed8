"""Edits of a header that touch nothing but what changes.

The nodes' places in the text say which characters a value has. A scalar is exchanged in place, a mapping is edited key
by key, a list item by item, anything else is written anew in its own lines; the result is read back and compared.
Where that fails (an anchor used elsewhere, a construct we did not foresee), ruamel.yaml's round trip makes the edit,
and is compared too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mnemic.adapters.markdown.yaml_patches import changed_entry, value_patches
from mnemic.adapters.markdown.yaml_read import NotYamlError, compose, read_header
from mnemic.adapters.markdown.yaml_spans import CannotEditError, Entry, Patch, entries, patched, plain_value
from mnemic.adapters.markdown.yaml_write import emit_entry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mnemic.domain.memory import Yaml

__all__ = ["CannotEditError", "Style", "edit_header"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How new lines are written.

    Attributes:
        order: Where new keys go: behind the last of those before them in this sequence; others at the end.
        text_keys: Keys whose scalars are always texts, so that what looks like a number in them is quoted.
        newline: The line end of new lines.
    """

    order: tuple[str, ...]
    text_keys: frozenset[str]
    newline: str = "\n"

    def rank(self, key: str) -> int:
        """The place of a key in the order."""
        return self.order.index(key) if key in self.order else len(self.order)

    def lines(self, key: str, value: Yaml, indent: str = "") -> str:
        """A new key's lines, with line feeds."""
        return emit_entry(key, value, indent=indent, typed=key not in self.text_keys)


def edit_header(header: str, changes: Mapping[str, Yaml | None], style: Style) -> str:
    """The header with `changes` made (None takes a key out) and every other character as it was.

    Args:
        header: Lines of a YAML mapping, or blank.
        changes: New values of top-level keys.
        style: How new lines are written.

    Raises:
        CannotEditError: The header is no mapping, or neither way gave the intended one.
    """
    values = _values(header)
    if values is None:
        raise CannotEditError
    intended = {key: value for key, value in {**values, **changes}.items() if value is not None}
    for attempt in (_by_lines, _by_round_trip):
        try:
            edited = attempt(header, changes, style)
        except CannotEditError:
            continue
        if _values(edited) == intended:
            return edited
    raise CannotEditError


def _values(header: str) -> dict[str, Yaml] | None:
    """The mapping, or None when it is none or names a key twice."""
    try:
        read = read_header(header)
    except NotYamlError:
        return None
    return None if read is None or any(top for _, _, top in read.duplicates) else read.values


def _by_lines(header: str, changes: Mapping[str, Yaml | None], style: Style) -> str:
    root = compose(header)
    if root is None:
        return _appended(header, changes, style)
    if root.flow_style:
        patches = value_patches(header, root, _whole_mapping(root, changes), typed=True)
        if patches is None:
            raise CannotEditError
        return patched(header, patches)
    found = entries(header, root, len(header))
    patches = _entry_patches(header, found, changes, style)
    return patched(header, [Patch(p.start, p.stop, p.text.replace("\n", style.newline)) for p in patches])


def _whole_mapping(root: Any, changes: Mapping[str, Yaml | None]) -> dict[str, Yaml]:  # noqa: ANN401
    return {key: value for key, value in {**plain_value(root), **changes}.items() if value is not None}


def _appended(header: str, changes: Mapping[str, Yaml | None], style: Style) -> str:
    new = [(key, value) for key, value in changes.items() if value is not None]
    lines = "".join(style.lines(key, value) for key, value in sorted(new, key=lambda item: style.rank(item[0])))
    start = header if not header or header.endswith(("\n", "\r")) else header + style.newline
    return start + lines.replace("\n", style.newline)


def _entry_patches(header: str, found: list[Entry], changes: Mapping[str, Yaml | None], style: Style) -> list[Patch]:
    known = {entry.key: entry for entry in found}
    patches: list[Patch] = []
    added: list[tuple[str, Yaml]] = []
    for key, value in changes.items():
        entry = known.get(key)
        if entry is not None:
            patches += changed_entry(header, entry, value, typed=key not in style.text_keys)
        elif value is not None:
            added.append((key, value))
    added.sort(key=lambda item: style.rank(item[0]))
    return patches + [_insertion(header, found, key, value, style) for key, value in added]


def _insertion(header: str, found: list[Entry], key: str, value: Yaml, style: Style) -> Patch:
    """New lines behind the last of the keys that come before; before all keys when there is none."""
    before = [entry for entry in found if style.rank(entry.key) <= style.rank(key)]
    lines = style.lines(key, value, " " * found[0].key_node.start_mark.column)
    if not before:
        return Patch(found[0].start, found[0].start, lines)
    place = before[-1].stop
    if place and header[place - 1] not in "\r\n":
        return Patch(place, place, "\n" + lines.removesuffix("\n"))
    return Patch(place, place, lines)


def _by_round_trip(header: str, changes: Mapping[str, Yaml | None], style: Style) -> str:
    from mnemic.adapters.markdown.yaml_round_trip import RoundTripError, round_trip

    try:
        return round_trip(header, changes, style.rank, style.text_keys).replace("\n", style.newline)
    except RoundTripError:
        raise CannotEditError from None
