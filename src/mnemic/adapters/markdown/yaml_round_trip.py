"""The second way to edit a header: ruamel.yaml's round trip, for what line edits cannot do.

Keeps comments, quotes, anchors and order; indentation and spacing may come out in another form.
"""

from __future__ import annotations

import re
from io import StringIO
from typing import TYPE_CHECKING

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError
from ruamel.yaml.resolver import VersionedResolver
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, SingleQuotedScalarString

from mnemic.adapters.markdown.yaml_write import emit_scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mnemic.domain.memory import Yaml

_WIDE = 1_000_000


class RoundTripError(Exception):
    """ruamel.yaml cannot read or write this header."""


class _TextResolver(VersionedResolver):
    """Every scalar is text, so that no date and no number is written in another form."""

    @property
    def versioned_resolver(self) -> dict[object, list[object]]:
        return {}


def round_trip(
    header: str, changes: Mapping[str, Yaml | None], rank: Callable[[str], int], text_keys: frozenset[str]
) -> str:
    r"""The header with `changes` made, in `\n` lines. New keys go behind the last of lower or equal `rank`.

    Raises:
        RoundTripError: It cannot be read or written.
    """
    yaml = YAML()
    yaml.Resolver = _TextResolver
    yaml.preserve_quotes = True
    yaml.width = _WIDE
    mapping, sequence, offset = _indents(header)
    yaml.indent(mapping=mapping, sequence=sequence, offset=offset)
    out = StringIO()
    try:
        loaded = yaml.load(header.replace("\r\n", "\n"))
        if not isinstance(loaded, CommentedMap):
            raise RoundTripError
        for key, value in changes.items():
            _change(loaded, key, value, rank, typed=key not in text_keys)
        yaml.dump(loaded, out)
    # A library's parser on hostile text: besides its own errors it is known to stumble with these.
    except (YAMLError, ValueError, TypeError, AttributeError, LookupError, AssertionError, RecursionError) as error:
        raise RoundTripError from error
    return out.getvalue()


def _change(loaded: CommentedMap, key: str, value: Yaml | None, rank: Callable[[str], int], *, typed: bool) -> None:
    if value is None:
        loaded.pop(key, None)
    elif key in loaded:
        loaded[key] = _quoted(value, typed=typed)
    else:
        before = [place for place, name in enumerate(loaded) if rank(str(name)) <= rank(key)]
        loaded.insert(before[-1] + 1 if before else 0, key, _quoted(value, typed=typed))


def _quoted(value: Yaml, *, typed: bool) -> object:
    """The value with the quotes that our own writer would give it."""
    if isinstance(value, list):
        return [_quoted(item, typed=typed) for item in value]
    if isinstance(value, dict):
        return {_quoted(key, typed=False): _quoted(item, typed=typed) for key, item in value.items()}
    quote = emit_scalar(value, typed=typed, nested=True)[:1]
    if quote == '"':
        return DoubleQuotedScalarString(value)
    return SingleQuotedScalarString(value) if quote == "'" else value


def _indents(header: str) -> tuple[int, int, int]:
    """The indentation of nested mappings and lists as it is, in ruamel's terms."""
    item = re.search(r"(?m)^( *)- ", header)
    nested = re.search(r"(?m)^( +)[^ \-#\r\n]", header)
    offset = len(item[1]) if item else 0
    return len(nested[1]) if nested else 2, offset + 2, offset
