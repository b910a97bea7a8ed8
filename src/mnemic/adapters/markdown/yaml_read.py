"""Front matter as text values: every scalar stays the text it is.

PyYAML's composer (the C one where it exists) gives the nodes; turning them into values is ours, so that duplicate keys
are seen, aliases cannot blow up, and nothing is guessed to be a number or a date.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mnemic.domain.memory import Yaml

MAX_DEPTH = 64
MAX_VALUES = 20_000


class NotYamlError(Exception):
    """A header that YAML cannot read; `line` counts from 0 at the header's first line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line, self.reason = line, reason


@dataclass(slots=True)
class Header:
    """A header's top-level mapping: values, where each key begins, and `(key, place, at top level)` of duplicates."""

    values: dict[str, Yaml] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    duplicates: list[tuple[str, int, bool]] = field(default_factory=list)


def read_header(text: str) -> Header | None:
    """The mapping in `text` (empty for blank text), or None when it is YAML but no mapping.

    Raises:
        NotYamlError: Not YAML, more than one document, deeper than 64 or larger than 20,000 values.
    """
    node = compose(text)
    if node is None:
        return Header()
    if node.id != "mapping":
        return None
    header = Header()
    reader = _Reader(header)
    for key_node, value_node in node.value:
        key = reader.key(key_node)
        if key in header.places:
            header.duplicates.append((key, key_node.start_mark.index, True))
        header.places[key] = key_node.start_mark.index
        header.values[key] = reader.value(value_node, 1)
    return header


def compose(text: str) -> Any:  # noqa: ANN401 - PyYAML's nodes have no useful types
    """The root node of one YAML document, or None for blank text. Raises NotYamlError."""
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        parser = loader(text)
        try:
            return parser.get_single_node()
        finally:
            parser.dispose()
    except yaml.MarkedYAMLError as error:
        # What was opened and never closed is wrong where it was opened, not where the text ends.
        opened = error.context and ("quoted" in error.context or "flow" in error.context)
        mark = (error.context_mark if opened else None) or error.problem_mark or error.context_mark
        reason = " ".join(part for part in (error.context, error.problem) if part)
        raise NotYamlError(mark.line if mark else 0, reason) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position)
        raise NotYamlError(line, f"the character U+{_code(error.character):04X} is not allowed") from None
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        raise NotYamlError(0, f"it cannot be parsed ({type(error).__name__})") from None


def _code(character: object) -> int:
    return character if isinstance(character, int) else ord(str(character)[:1] or "\0")


class _Reader:
    """Turns nodes into values within a budget, since aliases may repeat a node any number of times."""

    __slots__ = ("header", "left")

    def __init__(self, header: Header) -> None:
        self.header, self.left = header, MAX_VALUES

    def key(self, node: Any) -> str:  # noqa: ANN401
        if node.id != "scalar":
            raise NotYamlError(node.start_mark.line, "a key is a list or a mapping, not a text")
        return str(node.value)

    def value(self, node: Any, depth: int) -> Yaml:  # noqa: ANN401
        self.left -= 1
        if self.left < 0 or depth > MAX_DEPTH:
            what = "it is nested too deeply" if self.left >= 0 else "it holds too many values"
            raise NotYamlError(node.start_mark.line, what)
        if node.id == "scalar":
            return str(node.value)
        if node.id == "sequence":
            return [self.value(item, depth + 1) for item in node.value]
        mapping: dict[str, Yaml] = {}
        for key_node, value_node in node.value:
            key = self.key(key_node)
            if key in mapping:
                self.header.duplicates.append((key, key_node.start_mark.index, False))
            mapping[key] = self.value(value_node, depth + 1)
        return mapping
