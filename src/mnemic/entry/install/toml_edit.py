"""Puts one table into a TOML document and takes it out again, every other byte left alone.

tomlkit judges the document and changes values in place. A new table is written as text at the end, because what goes
in as one piece comes out as one piece.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Final

import tomlkit
from tomlkit.exceptions import ParseError, TOMLKitError

from mnemic.entry.install.jsonc import MistakeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_HEADER: Final = re.compile(r"[ \t]*\[")


def read(text: str) -> dict[str, object]:
    """The plain values of a document.

    Raises:
        MistakeError: It is no TOML.
    """
    try:
        return tomlkit.parse(text).unwrap()
    except ParseError as error:
        raise MistakeError(str(error).partition(" at line ")[0], error.line) from None
    except TOMLKitError as error:  # a key twice: it is not said where
        raise MistakeError(str(error), _line_told_by_the_standard_library(text)) from None


def with_table(text: str | None, section: str, name: str, values: Mapping[str, object]) -> str:
    """The document with `[section.name]` holding these values; other keys of that table stay."""
    before = {} if text is None else read(text)
    tables = before.get(section, {})
    if not isinstance(tables, dict):
        raise MistakeError(f"{section} is no table", _line_of_key(text or "", section))
    if name in tables:
        return _changed(text or "", section, name, values)
    end = "\r\n" if "\r\n" in (text or "") else "\n"
    lines = [f"[{section}.{name}]", *(f"{key} = {_value(value)}" for key, value in values.items())]
    block = end.join(lines)
    if text is None:
        made = f"{block}{end}"
    else:  # the last line ends as the last line of the document did: that tells what to take away later
        made = f"{text}{end}{block}{end}" if text.endswith("\n") else f"{text}{end}{end}{block}"
    try:
        read(made)
    except MistakeError:  # `mcp_servers = { … }` in one line, which a later header must not add to
        document = tomlkit.parse(text or "")
        table = tomlkit.inline_table()
        table.update(values)
        document[section][name] = table
        return tomlkit.dumps(document)
    return made


def without_table(text: str, section: str, name: str) -> str | None:
    """The document without that table; None when nothing is left of a document that began with it."""
    tables = read(text).get(section)
    if not isinstance(tables, dict) or name not in tables:
        return text
    wanted = {**read(text), section: {key: value for key, value in tables.items() if key != name}}
    for cut in _cuts(text, section, name):
        if _same(cut, wanted, section):
            return cut
    document = tomlkit.parse(text)
    del document[section][name]
    return tomlkit.dumps(document)


def _changed(text: str, section: str, name: str, values: Mapping[str, object]) -> str:
    data = read(text)
    tables = data[section]
    assert isinstance(tables, dict)
    wanted = {**data, section: {**tables, name: {**tables[name], **values}}}
    if wanted == data:
        return text
    # Only the lines of the table go through tomlkit: it may put whole documents into another order.
    for before, block, behind in _blocks(text, section, name):
        made = before + _set(block, section, name, values) + behind
        if _same(made, wanted, section):
            return made
    return _set(text, section, name, values)


def _set(text: str, section: str, name: str, values: Mapping[str, object]) -> str:
    try:
        document = tomlkit.parse(text)
        table = document[section][name]
    except TOMLKitError:
        return text
    for key, value in values.items():
        if key not in table or tomlkit.item(table[key]).unwrap() != value:
            table[key] = value
    return tomlkit.dumps(document)


def _cuts(text: str, section: str, name: str) -> Iterator[str | None]:
    """The document without each piece of it that may be our table; None where nothing is left."""
    for before, block, behind in _blocks(text, section, name):
        separator = r"\r?\n\Z" if block.endswith("\n") else r"(\r?\n){2}\Z"
        yield re.sub(separator, "", before) + behind if before or behind else None


def _blocks(text: str, section: str, name: str) -> Iterator[tuple[str, str, str]]:
    """The lines of that table and of the tables below it, with all before and behind, for each line like its header.

    A line of a text in three quotes may look like one, so what is made of it has to be read before it is believed.
    """
    own = re.compile(rf"[ \t]*\[[ \t]*{section}[ \t]*\.[ \t]*[\"']?{name}[\"']?[ \t]*[\].]")
    lines = text.splitlines(keepends=True)
    for first in reversed([at for at, line in enumerate(lines) if own.match(line)]):
        last = first + 1
        while last < len(lines) and (own.match(lines[last]) or not _HEADER.match(lines[last])):
            last += 1
        while lines[last - 1].strip() == "" or lines[last - 1].lstrip().startswith("#"):
            last -= 1  # what stands before the next table belongs to that one
        yield "".join(lines[:first]), "".join(lines[first:last]), "".join(lines[last:])


def _same(text: str | None, wanted: dict[str, object], section: str) -> bool:
    try:
        found = read(text or "")
    except MistakeError:
        return False
    return {section: {}, **found} == wanted


def _value(value: object) -> str:
    return tomlkit.item(value).as_string()


def _line_told_by_the_standard_library(text: str) -> int:
    try:
        tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        return int(found[1]) if found else 1
    return 1


def _line_of_key(text: str, key: str) -> int:
    found = re.search(rf"^[ \t]*{re.escape(key)}\b", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1
