"""Which files of a folder are documents: the directory scan, and finding a document by any spelling of its id."""

from __future__ import annotations

import os
import stat
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from mnemic.adapters.markdown.files import is_temp
from mnemic.adapters.scans import LookAtAllError
from mnemic.domain.documents import Stamp
from mnemic.domain.ids import RESERVED_FOLDERS, RESERVED_NAMES, collision_key
from mnemic.errors import DocumentUnreadableError, InvalidIdError

if TYPE_CHECKING:
    from collections.abc import Iterator

RECOVERY = ".recovery"
_GENERATED = frozenset(f"{name}.md" for name in RESERVED_NAMES)
_BY_FD = os.scandir in os.supports_fd  # stat relative to an open folder: a quarter faster than by whole path

_Row: TypeAlias = "tuple[str, int, int, int]"
"""Path, size, mtime_ns, inode."""


class Oddity(NamedTuple):
    """Something a scan met and passed over; `code` as in docs/reference/bundle.md."""

    path: str
    code: str
    why: str


class Look(NamedTuple):
    """What a scan saw: the documents by path, every folder it read, and whether a document has a name elsewhere too.

    A file with another hard link can be changed from a folder that was not looked at.
    """

    stamps: list[Stamp]
    folders: list[str]
    shared: bool


def scan(root: str, odd: list[Oddity] | None = None) -> list[Stamp]:
    """Every document below `root`, by path; no file is opened.

    Passed over: names that begin with a dot, `_staging` and `_proposals` at the top, `index.md` and `log.md`, links to
    folders, links to files outside of the bundle, everything that is no regular file, names that are no Unicode or
    hold a backslash. `odd` collects those of them that a person should know about.
    """
    return look(root, odd).stamps


def look(root: str, odd: list[Oddity] | None = None) -> Look:
    """As `scan`, with what one must know to watch the same folders.

    Raises:
        DocumentUnreadableError: `root` itself cannot be listed. Of any other folder that is an oddity.
    """
    rows: list[_Row] = []
    folders, seen = [""], []
    links = 0
    while folders:
        prefix = folders.pop()
        seen.append(os.path.join(root, prefix) if prefix else root)
        try:
            links += _scan_folder(root, prefix, rows, folders, odd)
        except OSError as error:
            if not prefix:
                raise DocumentUnreadableError(root, _why(error)) from error
            if odd is not None:
                odd.append(Oddity(prefix.rstrip("/"), "unreadable_folder", _why(error)))
    rows.sort()
    return Look(list(map(Stamp._make, rows)), seen, links > len(rows))


def list_folder(root: str, folder: str) -> tuple[list[str], list[str]]:
    """Names of the documents and of the folders right in one folder, each sorted; nothing where it cannot be read."""
    prefix = f"{folder}/" if folder else ""
    rows: list[_Row] = []
    folders: list[str] = []
    try:
        _scan_folder(root, prefix, rows, folders, None)
    except OSError:
        return [], []
    return sorted(row[0][len(prefix) :] for row in rows), sorted(path[len(prefix) : -1] for path in folders)


def holds_documents(root: str, folder: str) -> bool:
    """Whether there is any document in a folder or below; stops at the first."""
    below: list[str] = []
    try:
        for entry in _entries(os.path.join(root, folder)):
            if _is_document_name(entry.name) and entry.is_file(follow_symlinks=False):
                return True
            if entry.name[0] != "." and entry.is_dir(follow_symlinks=False):
                below.append(f"{folder}/{entry.name}" if folder else entry.name)
    except OSError:
        return False
    return any(path not in RESERVED_FOLDERS and holds_documents(root, path) for path in below)


def look_at(root: str, folder: str, name: str) -> tuple[str, Stamp | None] | None:
    """What a scan would see of one name in a folder of the bundle now; None when it would pass it over.

    Raises:
        LookAtAllError: It is a link, or has other names: what it leads to, or comes from, may be anywhere.
    """
    prefix = "" if folder == root else f"{os.path.relpath(folder, root)}{os.sep}".replace(os.sep, "/")
    if not _is_document_name(name):
        return None
    path = f"{prefix}{name}"
    try:
        facts = os.lstat(os.path.join(folder, name))
    except OSError:
        return path, None
    if stat.S_ISDIR(facts.st_mode):
        return path, None
    if not stat.S_ISREG(facts.st_mode) or facts.st_nlink > 1:
        raise LookAtAllError
    return path, Stamp(path, facts.st_size, facts.st_mtime_ns, facts.st_ino)


def _scan_folder(root: str, prefix: str, rows: list[_Row], folders: list[str], odd: list[Oddity] | None) -> int:
    """Add to `rows` and `folders`; gives the number of hard links that the documents have together."""
    links = 0
    for entry in _entries(os.path.join(root, prefix) if prefix else root):
        name = entry.name
        try:
            # Nearly every entry of a big folder is a plain document: that case comes first, and the calls of
            # `_is_document_name` are spared where a look at the name is enough.
            if (
                name[-3:] == ".md"
                and name[0] != "."
                and entry.is_file(follow_symlinks=False)
                and name.lower() not in _GENERATED
                and (("\\" not in name and name.isascii()) or _is_portable(name))
            ):
                facts = entry.stat(follow_symlinks=False)
            elif entry.is_symlink() and _is_document_name(name) and _is_file_inside(root, prefix + name):
                facts = entry.stat()
            else:
                _pass_over(root, prefix + name, entry, folders, odd)
                continue
        except FileNotFoundError:
            continue  # gone since the folder was listed
        rows.append((prefix + name, facts.st_size, facts.st_mtime_ns, facts.st_ino))
        links += facts.st_nlink
    return links


def _pass_over(root: str, path: str, entry: os.DirEntry[str], folders: list[str], odd: list[Oddity] | None) -> None:
    if entry.name[0] != "." and entry.is_dir(follow_symlinks=False) and _is_portable(entry.name):
        if path not in RESERVED_FOLDERS:
            folders.append(f"{path}/")
    elif odd is not None:
        odd.extend(_oddities(root, path, entry))


def _is_document_name(name: str) -> bool:
    return name[0] != "." and name[-3:] == ".md" and name.lower() not in _GENERATED and _is_portable(name)


def _is_file_inside(root: str, path: str) -> bool:
    full = os.path.join(root, path)
    return os.path.isfile(full) and _leads_inside(root, full)


def _oddities(root: str, path: str, entry: os.DirEntry[str]) -> Iterator[Oddity]:
    name, full = entry.name, os.path.join(root, path)
    if is_temp(name):
        yield Oddity(path, "leftover_temp", "a writer left this temporary file behind")
    elif name.startswith("."):
        return
    elif not _is_portable(name) and (name.endswith(".md") or entry.is_dir()):
        yield Oddity(ascii(path)[1:-1], "invalid_name", "its name is no Unicode text, or has a backslash in it")
    elif entry.is_symlink() and os.path.isdir(full):
        yield Oddity(path, "link_to_folder", "links to folders are not followed")
    elif not _is_document_name(name):
        return
    elif not os.path.exists(full):
        yield Oddity(path, "broken_link", "it is a link to nothing")
    elif not os.path.isfile(full):
        yield Oddity(path, "not_a_file", "it is no regular file")
    else:
        yield Oddity(path, "link_outside", "it is a link out of the bundle")


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    if not _BY_FD:  # pragma: no cover - Windows
        with os.scandir(folder) as entries:
            yield from entries
        return
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with os.scandir(fd) as entries:
            yield from entries
    finally:
        os.close(fd)


def _leads_inside(root: str, full: str) -> bool:
    home, target = os.path.realpath(root), os.path.realpath(full)
    if not target.startswith(home.rstrip(os.sep) + os.sep):
        return False
    inside = os.path.relpath(target, home).split(os.sep)
    return not any(segment.startswith(".") for segment in inside)


def _is_portable(name: str) -> bool:
    if name.isascii():
        return "\\" not in name
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\\" not in name


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def full_path(root: str, path: str) -> str:
    """The absolute path of a document of the bundle, which need not exist.

    Raises:
        InvalidIdError: `path` is absolute, climbs, is hidden or reserved, or leads through a link out of the bundle.
    """
    segments = path.split("/")
    if not path.endswith(".md") or any(not part or part.startswith(".") or "\\" in part for part in segments):
        raise InvalidIdError(path, "it is no path of a document in this bundle")
    if segments[-1].lower() in _GENERATED or segments[0] in RESERVED_FOLDERS or "\0" in path or os.path.isabs(path):
        raise InvalidIdError(path, "it is reserved")
    folder = root
    for segment in segments[:-1]:
        folder = os.path.join(folder, segment)
        if os.path.islink(folder):
            raise InvalidIdError(path, "a folder in it is a link")
    full = os.path.join(folder, segments[-1])
    if not _may_read(root, full):
        raise InvalidIdError(path, "it is a link out of the bundle")
    return full


def same_id(root: str, path: str) -> list[str]:
    """Documents whose path differs from `path` at most in case or normalization, sorted; without reading any.

    Walks down the folders of that one id, so its cost is their size and not the bundle's.
    """
    *folders, name = path.split("/")
    prefixes = [""]
    for depth, segment in enumerate(folders):
        wanted = collision_key(segment)
        prefixes = [
            f"{prefix}{found}/"
            for prefix in prefixes
            for found in _alike(os.path.join(root, prefix), wanted, folder_names=True)
            if depth > 0 or found not in RESERVED_FOLDERS
        ]
    wanted = collision_key(name.removesuffix(".md"))
    return sorted(
        prefix + found
        for prefix in prefixes
        for found in _alike(os.path.join(root, prefix), wanted, folder_names=False)
        if _may_read(root, os.path.join(root, prefix, found))
    )


def _may_read(root: str, full: str) -> bool:
    return not os.path.islink(full) or _leads_inside(root, full)


def existing_folder(root: str, path: str) -> str:
    """`path` with its folders spelled as they are on disk, so that `people/x.md` joins a folder `People`."""
    *folders, name = path.split("/")
    if os.path.isdir(os.path.join(root, *folders)):
        return path
    prefix = ""
    for segment in folders:
        found = sorted(_alike(os.path.join(root, prefix), collision_key(segment), folder_names=True))
        prefix += f"{segment if segment in found or not found else found[0]}/"
    return prefix + name


def _alike(folder: str, key: str, *, folder_names: bool) -> list[str]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    suffix = "" if folder_names else ".md"
    wanted = key + suffix
    # Most names are ASCII, where folding is lowercasing; the full key costs twenty times as much.
    alike = [name for name in names if (name.lower() == wanted if name.isascii() else _folds_to(name, key, suffix))]
    return [name for name in alike if _is_kind(folder, name, folder_names=folder_names) and _is_portable(name)]


def _folds_to(name: str, key: str, suffix: str) -> bool:
    return name.endswith(suffix) and _key_of(name.removesuffix(suffix)) == key and _is_portable(name)


_key_of = lru_cache(maxsize=1 << 14)(collision_key)
"""Every write meets the names of its folder again."""


def _is_kind(folder: str, name: str, *, folder_names: bool) -> bool:
    full = os.path.join(folder, name)
    if name.startswith("."):
        return False
    if folder_names:
        return os.path.isdir(full) and not os.path.islink(full)
    return os.path.isfile(full)
