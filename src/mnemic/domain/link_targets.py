"""Which document a link means: the rules of Obsidian for wiki links, of OKF and the web for Markdown links."""

from __future__ import annotations

import re
import unicodedata
from posixpath import dirname, normpath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")
_SUFFIX = ".md"


class LinkTargets:
    """The documents and files of a folder, by every name a link may use.

    Args:
        paths: Of all files, relative to the folder, with `/`.
        aliases: Further names of documents, by path.
    """

    def __init__(self, paths: Iterable[str], aliases: Mapping[str, Sequence[str]] | None = None) -> None:
        self._paths: dict[str, str] = {}
        self._by_name: dict[str, list[str]] = {}
        for path in sorted(paths, key=lambda path: (path.count("/"), path)):
            key = _key(path)
            self._paths.setdefault(key, path)
            name = key.rpartition("/")[2]
            for known in {name, name.removesuffix(_SUFFIX)}:
                self._by_name.setdefault(known, []).append(path)
        self._aliases: dict[str, str] = {}
        for path, names in sorted((aliases or {}).items()):
            for name in names:
                self._aliases.setdefault(_key(name), path)

    def of_wiki(self, target: str, source: str = "") -> str | None:
        """The path that `[[target]]` in the document `source` leads to; None when nothing has this name.

        A name may be a path's end, in any letter case, with or without `.md`. Of several documents the one at exactly
        this path is meant, then one in the source's folder, then the one nearest to the top, then the first by path.
        `/x` counts from the top, `./x` and `../x` from the source's folder. Aliases come last. An empty target is
        the source itself.
        """
        wanted = target.partition("#")[0].strip()
        if not wanted:
            return source or None
        if wanted.startswith(("/", "./", "../")):
            return self._at(_joined(source, wanted))
        key = _key(wanted)
        named = self._by_name.get(key.rpartition("/")[2], [])
        found = [path for path in named if _ends_with(_key(path), key)]
        if found:
            return min(found, key=lambda path: self._rank(path, key, source))
        return self._aliases.get(key)

    def of_markdown(self, target: str, source: str = "") -> str | None:
        """The path that `[text](target)` in the document `source` leads to; None for other places, or for nothing.

        `/x` counts from the top, anything else from the source's folder and, where nothing is there, from the top.
        `.md` may be left out; a folder stands for its `index.md`.
        """
        if _SCHEME.match(target):
            return None
        path = _unquoted(target.partition("#")[0].partition("?")[0])
        if not path:
            return source or None
        return self._at(_joined(source, path)) or self._at(_joined("", path))

    def _at(self, path: str | None) -> str | None:
        if path is None:
            return None
        key = _key(path)
        for candidate in (key, f"{key}{_SUFFIX}", f"{key}/index.md".removeprefix("/")):
            if candidate in self._paths:
                return self._paths[candidate]
        return None

    def _rank(self, path: str, key: str, source: str) -> tuple[bool, bool, int, str]:
        exact = _key(path).removesuffix(_SUFFIX) == key.removesuffix(_SUFFIX)
        return not exact, dirname(path) != dirname(source), path.count("/"), path


def _key(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _ends_with(path: str, wanted: str) -> bool:
    return any(f"/{known}".endswith(f"/{wanted}") for known in (path, path.removesuffix(_SUFFIX)))


def _joined(source: str, path: str) -> str | None:
    """A path as seen from a document, from the top; None when it leads out."""
    whole = path if path.startswith("/") else f"{dirname(source)}/{path}"
    normal = normpath(whole.lstrip("/") or ".")
    if normal == ".." or normal.startswith("../"):
        return None
    return "" if normal == "." else normal


def _unquoted(path: str) -> str:
    if "%" not in path:
        return path
    from urllib.parse import unquote

    return unquote(path)
