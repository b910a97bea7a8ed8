"""Reading OKF concepts: bytes in, a memory and its problems out."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from mnemic.adapters.markdown.formats.fields import DEFAULT_KIND, RECOVERED_KIND, Setting
from mnemic.adapters.markdown.formats.fields import decode as decode_fields
from mnemic.adapters.markdown.frontmatter import Decoded, Fault, FrontMatter, Parts, decode, line_at, read_front_matter
from mnemic.domain.documents import Document, Located, Problem
from mnemic.domain.ids import id_of_path
from mnemic.domain.revision import revision

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, tzinfo

    from mnemic.domain.memory import Memory, Yaml


def blank_lines(text: str) -> str:
    """The blank lines that a text begins with."""
    size = len(text) - len(text.lstrip(" \t\r\n"))
    return text[: max(text.rfind("\n", 0, size), text.rfind("\r", 0, size)) + 1]


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
        kind=kind_without(front),
    )
    memory, issues = decode_fields(front.values, _body(front.parts.body), setting)
    faults = [
        Fault(front.line_of(issue.key), "invalid_value", f"{issue.key}: {issue.reason}; it is kept as it is.")
        for issue in issues
    ]
    if front.parts.header is not None and not front.malformed:
        wrong = {issue.key for issue in issues}
        faults += missing(front.values, wrong)
    return memory, _body_line(front.parts), faults


def kind_without(front: FrontMatter) -> str:
    """The kind of a document that names none. What was saved from a broken one is flagged by its kind."""
    return RECOVERED_KIND if front.malformed else DEFAULT_KIND


def missing(values: Mapping[str, Yaml], wrong: set[str]) -> list[Fault]:
    """What the native profile demands and the keys do not give; a `wrong` key is there, which is another problem."""
    faults = []
    if not has(values, "type") and "type" not in wrong:
        faults.append(Fault(1, "missing_type", "It has no type; it is read as a note.", repairable=True))
    generated = values.get("generated")
    dated = has(values, "timestamp") or (isinstance(generated, dict) and has(generated, "at"))
    if not dated and not wrong & {"timestamp", "generated"}:
        message = "It has no timestamp; the time of its file stands in."
        faults.append(Fault(1, "missing_timestamp", message, repairable=True))
    return faults


def has(values: Mapping[str, Yaml], key: str) -> bool:
    """Whether a key has a value that is not blank."""
    value = values.get(key, "")
    return bool(value.strip() if isinstance(value, str) else value)


def _encoding_faults(text: Decoded) -> list[Fault]:
    if text.encoding == "utf-8":
        return []
    return [Fault(0, "not_utf8", f"It is written in {text.encoding.upper()}, not in UTF-8.", repairable=True)]


def _problem(path: str, fault: Fault) -> Problem:
    return Problem(path=path, line=fault.line, code=fault.code, message=fault.message, repairable=fault.repairable)


def _body(text: str) -> str:
    r"""A body as a memory has it: `\\n` line ends, no blank lines before it, no white space after it."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    return plain[len(blank_lines(plain)) :].rstrip()


def _body_line(parts: Parts) -> int:
    before = parts.opening + (parts.header or "") + parts.closing + blank_lines(parts.body)
    return line_at(before, len(before))
