"""Which format a file or folder has, by looking at its beginning."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from mnemic.adapters.importers import NAMES, locomo, memorybank
from mnemic.adapters.importers.sources import STDIN, open_source, read_json
from mnemic.adapters.importers.vault import is_vault
from mnemic.adapters.jsonlines import lines_of
from mnemic.errors import ImportSourceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LINES_LOOKED_AT = 50
_FILES_LOOKED_AT = 5
_LONGEST_LINE = 1024 * 1024


def detect(path: Path) -> str | None:
    """The name of the importer for `path`, `vault` for a folder of Markdown, or None.

    Raises:
        ImportSourceError: There is nothing to look at, or it cannot be read; or it is standard input, which can be
            read once and would then be gone.
    """
    if str(path) == STDIN:
        hint = f"Name it, for example: mnemic import chat - (there are {', '.join(NAMES)})."
        raise ImportSourceError("standard input", "its format cannot be seen before it is read", hint=hint)
    if path.is_dir():
        return _of_folder(path)
    if path.suffix.lower() == ".json" and (found := _of_json(path)):
        return found
    return _of_lines(path)


def _of_folder(path: Path) -> str | None:
    if is_vault(path):
        return "vault"
    for file in islice(path.rglob("*.jsonl"), _FILES_LOOKED_AT):
        if _of_lines(file) == "claude-code":
            return "claude-code"
    return "vault" if next(path.rglob("*.md"), None) is not None else None


def _of_json(path: Path) -> str | None:
    try:
        value = read_json(path)
    except ImportSourceError as error:
        if error.line is None:
            raise
        return None  # not one JSON value: perhaps one a line
    if locomo.looks_like(value):
        return "locomo"
    return "memorybank" if memorybank.looks_like(value) else None


def _of_lines(path: Path) -> str | None:
    for fields in _objects(path):
        if {"session", "turn", "text"} <= fields.keys():
            return "chat"
        if "sessionId" in fields or (fields.get("type") in ("user", "assistant") and "message" in fields):
            return "claude-code"
    return None


def _objects(path: Path) -> Iterator[dict[str, object]]:
    with open_source(path) as file:
        for line in islice(lines_of(file, limit=_LONGEST_LINE, offset=file.tell()), _LINES_LOOKED_AT):
            try:
                value = json.loads(line.data or b"null")
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                yield value
