"""The native layout: an OKF bundle, one concept a file, one folder a kind."""

from __future__ import annotations

import os
import re
import unicodedata
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from mnemic.domain.ids import RESERVED_NAMES, WINDOWS_DEVICES, MemoryId, memory_id
from mnemic.domain.kinds import KINDS, kind_named
from mnemic.domain.policy import Limits, Rules
from mnemic.errors import BundleExistsError, InvalidIdError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime, tzinfo
    from pathlib import Path

    from mnemic.adapters.markdown.files import Fs
    from mnemic.adapters.markdown.formats.concept import Repaired
    from mnemic.domain.documents import Document
    from mnemic.domain.memory import Memory

SETTINGS = "mnemic.toml"
MAX_SLUG_BYTES = 80

_NOTES = {kind.folder: kind.purpose for kind in KINDS.values()}
_WORD_KINDS = "LMN"  # letters, marks and digits of any script


@dataclass(frozen=True, slots=True)
class OkfLayout:
    """`Layout` of a native bundle."""

    name: str = "okf"

    @property
    def profile_codes(self) -> frozenset[str]:
        """As `PROFILE_CODES` of the format."""
        from mnemic.adapters.markdown.formats.concept import PROFILE_CODES

        return PROFILE_CODES

    def path_for(self, memory: Memory) -> str:
        """`people/anna-berg.md` for the id `people/anna-berg`."""
        path = memory_id(memory.id)
        if "#" in path:
            raise InvalidIdError(memory.id, "a document of this bundle holds one memory, so no part of it has an id")
        return f"{path}.md"

    def propose_id(self, kind: str, title: str, *, taken: Callable[[str], bool]) -> MemoryId:
        """The kind's folder and the title as a slug, with `-2`, `-3`, … where that is taken.

        Any script stays as it is (`люди`, `東京`); at most 80 bytes of it, cut between words where there are any.
        """
        folder, slug = kind_named(kind).folder, slug_of(title)
        if not slug or slug in RESERVED_NAMES or slug in WINDOWS_DEVICES:
            slug = f"{slug}-{kind_named(kind).name}".strip("-")
        proposed, number = memory_id(f"{folder}/{slug}"), 1
        while taken(proposed):
            number += 1
            tail = f"-{number}"
            proposed = memory_id(f"{folder}/{_cut(slug, MAX_SLUG_BYTES - len(tail))}{tail}")
        return proposed

    def note(self, folder: str) -> str:
        """What the kind of this folder is for."""
        return _NOTES.get(folder, "")

    def read(self, path: str, data: bytes, stamp_time: datetime, *, zone: tzinfo) -> Document:
        """As `read_concept`."""
        from mnemic.adapters.markdown.formats.concept import read_concept

        return read_concept(path, data, stamp_time, zone=zone)

    def write(self, memory: Memory, original: bytes | None) -> bytes:
        """As `write_concept`."""
        from mnemic.adapters.markdown.formats.concept import write_concept

        return write_concept(memory, original)

    def as_written(self, memory: Memory) -> Memory:
        """As `as_written` of the format; it matters only where there are unknown keys."""
        from mnemic.adapters.markdown.formats.concept import as_written

        return as_written(memory) if memory.extra else memory

    def repair(self, path: str, data: bytes, stamp_time: datetime) -> Repaired:
        """As `repair_concept`."""
        from mnemic.adapters.markdown.formats.concept import repair_concept

        return repair_concept(path, data, stamp_time)


def slug_of(title: str) -> str:
    """A title as part of an id: lowercase words of any script joined by `-`, at most 80 bytes; may be empty.

    Written here because python-slugify, with its transliteration tables, takes as long to load as a whole recall.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", title).lower())
    words = "".join(char if unicodedata.category(char)[0] in _WORD_KINDS else " " for char in folded).split()
    return _cut("-".join(words), MAX_SLUG_BYTES)


def _cut(slug: str, limit: int) -> str:
    data = slug.encode("utf-8", "replace")
    if len(data) <= limit:
        return slug
    short = data[:limit].decode("utf-8", "ignore")
    # A mark belongs to the letter before it, so both stay or both go.
    rest = slug[len(short) :]
    while short and rest and unicodedata.category(rest[0])[0] == "M":
        short, rest = short[:-1], short[-1] + rest
    whole_words = short.rpartition("-")[0] if not rest.startswith("-") else short
    return (whole_words if len(whole_words) > len(short) // 2 else short).strip("-")


def init_bundle(
    root: Path | str, *, name: str = "", layout: str = "okf", tracked: bool = False, fs: Fs | None = None
) -> list[str]:
    """Make a new bundle, or make an existing folder of Markdown one; files that are there stay as they are.

    Args:
        root: The bundle's folder; made with its parents where it is missing.
        name: What references like `name:people/anna` call it; may be empty.
        layout: Written to `mnemic.toml`.
        tracked: Let git see the memories. Otherwise the bundle ignores itself, since a history keeps what was to be
            forgotten; what mnemic derives is ignored either way.
        fs: The disk; the real one when left out.

    Returns:
        The files it made, relative to `root`.

    Raises:
        BundleExistsError: There is a `mnemic.toml` already.
        OSError: The folder cannot be written.
    """
    from mnemic.adapters.markdown import generated
    from mnemic.adapters.markdown.files import Fs, make_folders, replace_file

    disk, home = fs or Fs(), os.path.abspath(root)
    if os.path.lexists(os.path.join(home, SETTINGS)):
        raise BundleExistsError(home)
    os.makedirs(home, exist_ok=True)
    make_folders(disk, home, ".mnemic")
    files = {
        ".gitignore": b".mnemic/\n.recovery/\n" if tracked else b"*\n",
        "index.md": generated.fresh(generated.ROOT_HEAD),
        "log.md": generated.fresh(generated.LOG_HEAD),
        SETTINGS: _settings(name, layout, tracked=tracked).encode(),  # last: it is what makes the folder a bundle
    }
    made = [file for file in files if not os.path.lexists(os.path.join(home, file))]
    for file in made:
        replace_file(disk, os.path.join(home, file), files[file])
    return made


def _settings(name: str, layout: str, *, tracked: bool) -> str:
    import json  # a string of JSON is one of TOML too

    return "\n".join(
        (
            "# Settings of this bundle. Every line that is commented out shows the default.",
            "# All of them: docs/reference/settings.md",
            "",
            "[bundle]",
            f"name = {json.dumps(name, ensure_ascii=False)}" if name else '# name = ""',
            f"layout = {json.dumps(layout)}",
            *(['git = "track"'] if tracked else []),
            "",
            "[limits]",
            *_defaults(Limits),
            "",
            "[rules]",
            *_defaults(Rules),
            "",
        ),
    )


def _defaults(kind: type[Limits | Rules]) -> Iterator[str]:
    values = kind()
    for item in fields(values):
        value = getattr(values, item.name)
        number = isinstance(value, int | float)
        text = str(value).lower() if isinstance(value, bool) else f"{value}" if number else f'"{value}"'
        yield f"# {item.name} = {re.sub(r'(?<=[0-9])(?=(?:[0-9]{3})+$)', '_', text)}"
