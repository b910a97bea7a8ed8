"""Writing OKF concepts: fresh ones whole, existing ones by the lines whose meaning changed."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from mnemic.adapters.markdown.formats.concept_read import blank_lines, kind_without
from mnemic.adapters.markdown.formats.fields import Setting, edits, encode
from mnemic.adapters.markdown.formats.fields import decode as decode_fields
from mnemic.adapters.markdown.formats.values import ORDER
from mnemic.adapters.markdown.frontmatter import Decoded, Fault, FrontMatter, Parts, decode, read_front_matter
from mnemic.domain.revision import normal_body
from mnemic.errors import DocumentMalformedError, InvalidMemoryError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mnemic.domain.memory import Memory, Yaml

TEXT_KEYS = frozenset(
    {"title", "description", "resource", "tags", "claim", "scope", "type", "outcome_of", "requires", "on_event"}
)
"""Keys whose scalars are texts whatever they look like, so that a title like 1984 is quoted."""

_LINE_END = re.compile(r"\r\n|\n|\r")


def newline_of(text: str) -> str:
    """The line end of a text's first line, which new lines take over; a line feed where there is none."""
    end = _LINE_END.search(text)
    return end[0] if end else "\n"


def write_concept(memory: Memory, original: bytes | None) -> bytes:
    r"""The bytes of the document that holds `memory`.

    Args:
        memory: What the document shall mean.
        original: The document's present bytes, edited so that only lines of keys whose meaning changed, and the body if
            its meaning changed, become others; None for a fresh document.

    Returns:
        The original itself when it means `memory` already. A fresh document is UTF-8 with `\\n` ends.

    Raises:
        InvalidMemoryError: A blank title or list item, a lone surrogate, a NUL in the body, `extra` that is no YAML.
        DocumentMalformedError: The original is no text, or its front matter cannot be edited safely.
    """
    if original is None:
        header = _checked_header(memory)
        body = f"\n{_ended(memory.body)}" if memory.body.strip() else ""
        return f"---\n{header}---\n{body}".encode()
    where = f"{memory.id}.md"
    text = decode(original)
    if isinstance(text, Fault):
        raise DocumentMalformedError(where, text.message.rstrip("."), line=text.line or None)
    front = read_front_matter(text.text)
    body_changed = normal_body(memory.body) != normal_body(front.parts.body)
    changes = edits(memory, front.values, body_changed=body_changed, kind=kind_without(front))
    if not changes and not body_changed:
        return original
    _checked_header(memory)
    _refuse_unsafe(where, text, front)
    newline = newline_of(text.text)
    header = _new_header(where, front.parts, changes, newline)
    return (text.bom + _edited(front.parts, header, memory, newline=newline)).encode()


def as_written(memory: Memory) -> Memory:
    """The memory as it reads back once written: `extra` without unreadable values whose keys the fields took over.

    Differs from `memory` only when its `extra` holds a value of a known key (kept because it could not be understood)
    and the key's field has since been given a value.
    """
    setting = Setting(id=memory.id, stem=memory.title, stamp_time=memory.changed_at)
    read, _ = decode_fields(encode(memory), memory.body, setting)
    return memory if read.extra == memory.extra else replace(memory, extra=read.extra)


def _refuse_unsafe(where: str, text: Decoded, front: FrontMatter) -> None:
    if text.encoding != "utf-8":
        raise DocumentMalformedError(where, f"it is written in {text.encoding.upper()}")
    unsafe = {"unclosed_frontmatter", "frontmatter_not_mapping"}
    for fault in front.faults:
        if front.malformed or fault.code in unsafe:
            raise DocumentMalformedError(where, fault.message.rstrip("."), line=fault.line or None)


def _edited(parts: Parts, header: str, memory: Memory, *, newline: str) -> str:
    """The text with a header of its own and, if its meaning changed, another body."""
    body = parts.body
    if normal_body(memory.body) != normal_body(body):
        body = _new_body(body, memory.body, newline)
    if parts.header is None:
        gap = "" if not body or blank_lines(body) else newline
        return f"---{newline}{header}---{newline}{gap}{body}"
    closing = parts.closing if not body or parts.closing.endswith(("\n", "\r")) else parts.closing + newline
    gap = newline if body and not parts.body else ""
    return parts.opening + header + closing + gap + body


def _new_header(where: str, parts: Parts, changes: Mapping[str, Yaml | None], newline: str) -> str:
    """The header with the changes; line ends are those of the document."""
    from mnemic.adapters.markdown.yaml_edit import CannotEditError, Style, edit_header

    if parts.header is None:
        fresh = _fresh_header({key: value for key, value in changes.items() if value is not None})
        return fresh.replace("\n", newline)
    try:
        header = edit_header(parts.header, changes, Style(order=ORDER, text_keys=TEXT_KEYS, newline=newline))
    except CannotEditError:
        raise DocumentMalformedError(where, f"its front matter resists an edit of {', '.join(changes)}") from None
    return header if not header or header.endswith(("\n", "\r")) else header + newline


def _new_body(old: str, new: str, newline: str) -> str:
    """The new text between the white space that stood around the old one."""
    core = new.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip().replace("\n", newline)
    lead = blank_lines(old)
    tail = old[len(old.rstrip()) :] if old.strip() else newline
    return lead + core + tail if core else lead


def _fresh_header(values: Mapping[str, Yaml]) -> str:
    from mnemic.adapters.markdown.yaml_read import NotYamlError, read_header
    from mnemic.adapters.markdown.yaml_write import emit_entry

    ordered = sorted(values, key=lambda key: ORDER.index(key) if key in ORDER else len(ORDER))
    text = "".join(emit_entry(key, values[key], typed=key not in TEXT_KEYS) for key in ordered)
    try:
        read = read_header(text)
    except NotYamlError as error:
        raise InvalidMemoryError("extra", f"it cannot be written as YAML: {error.reason}") from None
    if read is None or read.values != values:
        raise InvalidMemoryError("extra", "it cannot be written as YAML")
    return text


def _ended(body: str) -> str:
    text = body.replace("\r\n", "\n").replace("\r", "\n").lstrip("\n")
    return text if text.endswith("\n") else text + "\n"


def _checked_header(memory: Memory) -> str:
    """The header of a fresh document. Raises InvalidMemoryError for what the format cannot say."""
    if not memory.title.strip():
        raise InvalidMemoryError("title", "a memory needs a title")
    if "\0" in memory.body:
        raise InvalidMemoryError("body", "it holds a NUL character")
    for field in ("tags", "requires", "supersedes", "superseded_by"):
        if not all(item.strip() for item in getattr(memory, field)):
            raise InvalidMemoryError(field, "one of them is blank")
    _check_text("body", memory.body)
    values = encode(memory)
    for key, value in values.items():
        _check_value(key, key, 0)
        _check_value(key, value, 1)
    return _fresh_header(values)


def _check_value(key: str, value: object, depth: int) -> None:
    from mnemic.adapters.markdown.yaml_read import MAX_DEPTH

    if depth > MAX_DEPTH:
        raise InvalidMemoryError(key, f"it is nested deeper than {MAX_DEPTH}")
    match value:
        case str():
            _check_text(key, value)
        case list():
            for item in value:
                _check_value(key, item, depth + 1)
        case dict():
            for name, item in value.items():
                _check_value(key, name, depth + 1)
                _check_value(key, item, depth + 1)
        case _:
            raise InvalidMemoryError(key, f"a value of type {type(value).__name__} cannot be written")


def _check_text(field: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        why = f"it holds the lone surrogate U+{ord(text[error.start]):04X}, which no UTF-8 file can"
        raise InvalidMemoryError(field, why) from None
