"""OKF concepts: one memory a document. Pure over bytes; docs/reference/okf.md is the contract."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from mnemic.adapters.markdown.formats.fields import (
    DEFAULT_KIND,
    RECOVERED_KIND,
    Setting,
    decode as decode_fields,
    edits,
    encode,
)
from mnemic.adapters.markdown.formats.values import ORDER
from mnemic.adapters.markdown.frontmatter import Decoded, Fault, FrontMatter, Parts, decode, line_at, read_front_matter
from mnemic.domain.documents import Document, Located, Problem
from mnemic.domain.ids import id_of_path
from mnemic.domain.revision import normal_body, revision
from mnemic.errors import DocumentMalformedError, InvalidMemoryError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

    from mnemic.domain.memory import Memory, Yaml

PROFILE_CODES = frozenset({"no_frontmatter", "empty_document", "missing_type", "missing_timestamp"})
"""Problems only by the native profile: a foreign folder that is opened in place may have them and be well."""

REVIEW_KEY = "needs_review"
TEXT_KEYS = frozenset({"title", "description", "resource", "tags", "claim", "scope", "type", "outcome_of", "requires"})
"""Keys whose scalars are texts whatever they look like, so that a title like 1984 is quoted."""

_BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*")
_LINE_END = re.compile(r"\r\n|\n|\r")


def read_concept(path: str, data: bytes, stamp_time: datetime, *, zone: tzinfo) -> Document:
    """The document at `path` (relative to the bundle). Never raises for content: mistakes are problems in the result.

    Args:
        path: Names the memory: `id_of_path(path)`.
        data: The file's bytes; `sha256` is of them.
        stamp_time: The file's time, with offset; stands in for `created` and `timestamp`.
        zone: What times without an offset are meant in.

    Returns:
        One memory, or none when the bytes are no text. A document without or with broken front matter gives a memory
        all the same, from what could be made out.
    """
    digest = sha256(data).hexdigest()
    text = decode(data)
    if isinstance(text, Fault):
        return Document(path=path, sha256=digest, problems=(_problem(path, text),))
    front = read_front_matter(text.text)
    memory, line, found = _memory(path, front, stamp_time, zone)
    faults = [*_encoding_faults(text), *front.faults, *found]
    located = Located(memory=memory, path=path, line=line, revision=revision(memory))
    problems = tuple(_problem(path, fault) for fault in faults)
    return Document(path=path, sha256=digest, memories=(located,), problems=problems)


def _memory(path: str, front: FrontMatter, stamp: datetime, zone: tzinfo) -> tuple[Memory, int, list[Fault]]:
    setting = Setting(
        id=id_of_path(path),
        stem=path.rpartition("/")[2].removesuffix(".md") or "untitled",
        stamp_time=stamp,
        zone=zone,
        kind=_kind_without(front),
    )
    memory, issues = decode_fields(front.values, _body(front.parts.body), setting)
    faults = [
        Fault(front.line_of(issue.key), "invalid_value", f"{issue.key}: {issue.reason}; it is kept as it is.")
        for issue in issues
    ]
    if front.parts.header is not None and not front.malformed:
        wrong = {issue.key for issue in issues}
        faults += _missing(front.values, wrong)
    return memory, _body_line(front.parts), faults


def _kind_without(front: FrontMatter) -> str:
    """The kind of a document that names none. What was saved from a broken one is flagged by its kind."""
    return RECOVERED_KIND if front.malformed else DEFAULT_KIND


def _missing(values: Mapping[str, Yaml], wrong: set[str]) -> list[Fault]:
    faults = []
    if not _has(values, "type") and "type" not in wrong:
        faults.append(Fault(1, "missing_type", "It has no type; it is read as a note.", repairable=True))
    generated = values.get("generated")
    dated = _has(values, "timestamp") or (isinstance(generated, dict) and _has(generated, "at"))
    if not dated and not wrong & {"timestamp", "generated"}:
        message = "It has no timestamp; the time of its file stands in."
        faults.append(Fault(1, "missing_timestamp", message, repairable=True))
    return faults


def _has(values: Mapping[str, Yaml], key: str) -> bool:
    value = values.get(key, "")
    return bool(value.strip() if isinstance(value, str) else value)


def _encoding_faults(text: Decoded) -> list[Fault]:
    if text.encoding == "utf-8":
        return []
    return [Fault(0, "not_utf8", f"It is written in {text.encoding.upper()}, not in UTF-8.", repairable=True)]


def _problem(path: str, fault: Fault) -> Problem:
    return Problem(
        path=path, line=fault.line, code=fault.code, message=fault.message, repairable=fault.repairable
    )


def _body(text: str) -> str:
    r"""A body as a memory has it: `\\n` line ends, no blank lines before it, no white space after it."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    blank = _BLANK_LINES.match(plain)
    return plain[blank.end() if blank else 0 :].rstrip()


def _body_line(parts: Parts) -> int:
    blank = _BLANK_LINES.match(parts.body)
    before = parts.opening + (parts.header or "") + parts.closing + (blank[0] if blank else "")
    return line_at(before, len(before))


def write_concept(memory: Memory, original: bytes | None) -> bytes:
    """The bytes of the document that holds `memory`.

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
        _check(memory)
        body = f"\n{_ended(memory.body)}" if memory.body.strip() else ""
        return f"---\n{_fresh_header(encode(memory))}---\n{body}".encode()
    where = f"{memory.id}.md"
    text = decode(original)
    if isinstance(text, Fault):
        raise DocumentMalformedError(where, text.message.rstrip("."), line=text.line or None)
    front = read_front_matter(text.text)
    body_changed = normal_body(memory.body) != normal_body(front.parts.body)
    changes = edits(memory, front.values, body_changed=body_changed, kind=_kind_without(front))
    if not changes and not body_changed:
        return original
    _check(memory)
    _refuse_unsafe(where, text, front)
    return _edited(where, text, front, memory, changes, body_changed=body_changed)


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


def _edited(
    where: str,
    text: Decoded,
    front: FrontMatter,
    memory: Memory,
    changes: dict[str, Yaml | None],
    *,
    body_changed: bool,
) -> bytes:
    parts = front.parts
    end = _LINE_END.search(text.text)
    newline = end[0] if end else "\n"
    body = _new_body(parts.body, memory.body, newline) if body_changed else parts.body
    if parts.header is None:
        header = _fresh_header({key: value for key, value in changes.items() if value is not None})
        fresh = f"---\n{header}---\n".replace("\n", newline)
        return (text.bom + fresh + (newline if body and not _BLANK_LINES.match(body)[0] else "") + body).encode()  # type: ignore[index]
    from mnemic.adapters.markdown.yaml_edit import CannotEditError, edit_header

    try:
        header = edit_header(parts.header, changes, order=ORDER, text_keys=TEXT_KEYS, newline=newline)
    except CannotEditError:
        keys = ", ".join(changes)
        raise DocumentMalformedError(where, f"its front matter resists an edit of {keys}") from None
    if header and not header.endswith(("\n", "\r")):
        header += newline
    closing = parts.closing
    if body and not closing.endswith(("\n", "\r")):
        closing += newline
    if body and not parts.body:
        body = newline + body
    return (text.bom + parts.opening + header + closing + body).encode()


def _new_body(old: str, new: str, newline: str) -> str:
    """The new text between the white space that stood around the old one."""
    core = new.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip().replace("\n", newline)
    blank = _BLANK_LINES.match(old)
    lead = blank[0] if blank else ""
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


def _check(memory: Memory) -> None:
    """What the format cannot say."""
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
    _fresh_header(values)


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


@dataclass(frozen=True, slots=True)
class Repaired:
    """A document after repair: its bytes (None: it cannot be repaired), what was mended and what is left."""

    data: bytes | None
    fixed: tuple[Problem, ...] = ()
    left: tuple[Problem, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that was found, mended or not."""
        return self.fixed + self.left


def repair_concept(path: str, data: bytes, stamp_time: datetime) -> Repaired:
    """Mend what can be mended without losing a word; a document that needs nothing comes back byte for byte.

    A missing type becomes `Recovered Concept`, a missing timestamp the file's time; lines of a broken front matter that
    cannot be understood stay as comments. What was mended is named under `needs_review` for a person to look at.
    """
    before = read_concept(path, data, stamp_time, zone=UTC).problems
    fixable = tuple(problem for problem in before if problem.repairable)
    text = decode(data)
    if isinstance(text, Fault):
        return Repaired(None, left=before)
    if not fixable:
        return Repaired(data, left=before)
    mended = _mended(text, stamp_time, sorted({problem.code for problem in fixable}))
    after = read_concept(path, mended, stamp_time, zone=UTC).problems
    remaining = {problem.code for problem in after}
    fixed = tuple(problem for problem in fixable if problem.code not in remaining)
    return Repaired(mended if fixed else data, fixed=fixed, left=after if fixed else before)


def _mended(text: Decoded, stamp: datetime, codes: list[str]) -> bytes:
    from mnemic.adapters.markdown.salvage import close_header, mended_header
    from mnemic.adapters.markdown.yaml_edit import CannotEditError, edit_header
    from mnemic.domain.instants import format_instant

    parts = close_header(text.text) if "unclosed_frontmatter" in codes else read_front_matter(text.text).parts
    end = _LINE_END.search(text.text)
    newline = end[0] if end else "\n"
    fresh = parts.header is None
    header = mended_header(parts.header or "").replace("\n", newline)
    values = read_front_matter(f"---\n{header}---\n").values
    pins: dict[str, Yaml | None] = {REVIEW_KEY: ", ".join(codes)}
    if not _has(values, "type"):
        pins["type"] = RECOVERED_KIND
    if any(fault.code == "missing_timestamp" for fault in _missing(values, set())):
        pins["timestamp"] = format_instant(stamp)
    try:
        header = edit_header(header, pins, order=ORDER, text_keys=TEXT_KEYS, newline=newline)
    except CannotEditError:
        return (text.bom + text.text).encode()
    gap = newline if fresh and parts.body.strip() else ""
    return f"{text.bom}---{newline}{header}{parts.closing or '---' + newline}{gap}{parts.body}".encode()
