"""The files that mnemic brings along for clients: the plugin folder of the package, read as data."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from mnemic.entry.install.pieces import OwnFile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mnemic.entry.install.marks import Programs

SKILL: Final = "long-term-memory"
_SKILL_FILES: Final = ("SKILL.md", "references/recovery.md")


def skill(folder: Path) -> tuple[OwnFile, ...]:
    """The skill in a folder of skills."""
    return tuple(
        OwnFile(path=folder / SKILL / name, content=_read(f"skills/{SKILL}/{name}"), what=what)
        for name, what in zip(_SKILL_FILES, ("the skill", "the skill's reference"), strict=True)
    )


def extension(path: Path, name: str, programs: Programs, client: str, *, what: str) -> OwnFile:
    """A plugin in a client's own language, with the command of the hook written into it."""
    text = _with(_read(name).decode("utf-8"), "COMMAND", programs.hook_words(client))
    text = _with(text, "BUNDLE", (programs.bundle,) if programs.bundle else ())
    return OwnFile(path=path, content=text.encode("utf-8"), what=what)


def _with(text: str, constant: str, words: Sequence[str]) -> str:
    """The text with another value for a constant, which stands on a line of its own."""
    value = json.dumps(list(words), ensure_ascii=False)
    line = re.compile(rf"^(const {constant}\b.*?) = .*$", re.MULTILINE)
    return line.sub(lambda found: f"{found[1]} = {value}", text, count=1)


def _read(name: str) -> bytes:
    return files("mnemic").joinpath("plugin", *name.split("/")).read_bytes()
