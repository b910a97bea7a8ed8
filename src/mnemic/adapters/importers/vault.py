"""An Obsidian vault, opened where it is and never written to: which files are in it, and what its links mean.

A vault is no conversation: it is a bundle of documents. Links, tags and block ids in a text are found by
`domain/links.py`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemic.domain.imports import Remark
from mnemic.domain.link_targets import LinkTargets
from mnemic.domain.links import names_of
from mnemic.errors import ImportSourceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SETTINGS_FOLDER = ".obsidian"
_ALIAS_KEYS = ("aliases", "alias")
_SUFFIX = ".md"


@dataclass(frozen=True, slots=True)
class Vault:
    """A vault as it was when opened. Paths are relative to it, with `/`.

    `documents` are its Markdown files, templates included; `files` everything else a link may lead to; `aliases` the
    further names of documents; `remarks` the files whose names could not be read.
    """

    documents: tuple[str, ...]
    files: tuple[str, ...]
    aliases: dict[str, tuple[str, ...]]
    targets: LinkTargets
    remarks: tuple[Remark, ...] = ()


def is_vault(path: Path) -> bool:
    """Whether Obsidian has opened this folder."""
    return (path / SETTINGS_FOLDER).is_dir()


def open_vault(root: Path) -> Vault:
    """Look at every file's name and at every document's aliases.

    Raises:
        ImportSourceError: It is no folder, or cannot be read.
    """
    if not root.is_dir():
        raise ImportSourceError(str(root), "it is no folder")
    paths = sorted(_files(root))
    documents = tuple(path for path in paths if path.lower().endswith(_SUFFIX))
    aliases: dict[str, tuple[str, ...]] = {}
    remarks: list[Remark] = []
    for path in documents:
        try:
            names = _aliases(root / path)
        except (OSError, UnicodeDecodeError) as error:
            remarks.append(Remark(path, 0, "file", f"its aliases cannot be read: {_reason(error)}"))
            continue
        if names:
            aliases[path] = names
    return Vault(
        documents=documents,
        files=tuple(path for path in paths if not path.lower().endswith(_SUFFIX)),
        aliases=aliases,
        targets=LinkTargets(paths, aliases),
        remarks=tuple(remarks),
    )


def _files(root: Path) -> Iterator[str]:
    """Every file that Obsidian shows: not `.obsidian`, `.trash`, `.git` or another hidden name."""
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(root / folder) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    path = f"{folder}{entry.name}"
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(f"{path}/")
                    elif entry.is_file(follow_symlinks=False):
                        yield path
        except OSError as error:
            if not folder:
                raise ImportSourceError(str(root), f"it cannot be read: {_reason(error)}") from None


def _aliases(path: Path) -> tuple[str, ...]:
    with path.open("rb") as file:
        if file.read(6).removeprefix(b"\xef\xbb\xbf")[:3] != b"---":
            return ()
        file.seek(0)
        text = file.read().decode("utf-8-sig")
    from mnemic.adapters.markdown.frontmatter import read_front_matter

    values = read_front_matter(text).values
    return tuple(dict.fromkeys(name for key in _ALIAS_KEYS for name in names_of(values.get(key))))


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else "it is not UTF-8"
