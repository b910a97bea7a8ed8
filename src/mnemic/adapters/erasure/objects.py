"""The objects of a git repository, searched through the `git` program: loose and packed, reachable or not."""

from __future__ import annotations

import os
import subprocess
import time
from typing import IO, TYPE_CHECKING

from mnemic.domain.erasure import Repository

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.adapters.erasure.needles import Needles

_WAIT = 10.0
"""Seconds that git may take for a short answer."""
_MOST_PATHS = 50
_OURS = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}


def search(folder: str, needles: Needles, seconds: float) -> Repository | None:
    """What the objects of the repository around a folder hold; None where there is none, or no git.

    Args:
        folder: Where the bundle is.
        needles: What is looked for.
        seconds: When to stop.
    """
    root = _line(folder, "rev-parse", "--show-toplevel")
    if not root:
        return None
    objects, size, hits, whole = _searched(root, needles, time.monotonic() + seconds)
    paths = _paths(root, hits) if hits else ()
    remotes = tuple(sorted(_asked(root, "remote").decode("utf-8", "replace").split()))
    return Repository(root, objects, size, len(hits), paths, remotes, whole)


def _searched(root: str, needles: Needles, deadline: float) -> tuple[int, int, set[str], bool]:
    objects, size, hits = 0, 0, set[str]()
    try:
        git = subprocess.Popen(  # noqa: S603 - no shell, and no word that is not ours but the folder
            _command(root, "cat-file", "--batch-all-objects", "--batch", "--buffer", "--unordered"),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=_environment(),
        )  # fmt: skip
    except OSError:
        return 0, 0, hits, False
    with git:
        assert git.stdout is not None
        whole = True
        while (head := _head(git.stdout)) is not None:
            name, length = head
            data = git.stdout.read(length + 1)
            objects, size = objects + 1, size + length
            if next(needles.within(data), None) is not None:
                hits.add(name)
            if time.monotonic() > deadline:
                git.kill()
                whole = False
                break
    return objects, size, hits, whole and git.returncode == 0


def _head(out: IO[bytes]) -> tuple[str, int] | None:
    """Name and length of the next object; those that are missing are passed over."""
    while line := out.readline():
        words = line.split()
        if len(words) == 3 and words[2].isdigit():  # noqa: PLR2004 - name, type, size
            return words[0].decode("ascii"), int(words[2])
    return None


def _paths(root: str, hits: set[str]) -> tuple[str, ...]:
    """Files of the history whose content was hit, at most some."""
    found: set[str] = set()
    for row in _asked(root, "-c", "core.quotePath=false", "rev-list", "--all", "--reflog", "--objects").splitlines():
        name, _, path = row.partition(b" ")
        if path and name.decode("ascii", "replace") in hits:
            found.add(os.fsdecode(path))
    staged = _asked(root, "-c", "core.quotePath=false", "ls-files", "--stage", "-z")
    for entry in staged.split(b"\0"):
        facts, _, path = entry.partition(b"\t")
        if path and any(word.decode("ascii", "replace") in hits for word in facts.split()):
            found.add(os.fsdecode(path))
    return tuple(sorted(found)[:_MOST_PATHS])


def _line(folder: str, *words: str) -> str:
    return os.fsdecode(_asked(folder, *words)).strip("\n")


def _asked(folder: str, *words: str) -> bytes:
    """What git answers; nothing when it fails, or takes too long."""
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and no word that is not ours but the folder
            _command(folder, *words), check=False, capture_output=True, timeout=_WAIT, env=_environment(),
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return b""
    return done.stdout if done.returncode == 0 else b""


def _command(folder: str, *words: str) -> Sequence[str]:
    # What a repository's own settings would have git start is none of a search's business.
    return ["git", "-C", folder, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-pager", *words]


def _environment() -> dict[str, str]:
    """Ours, without what leads git to another repository."""
    return {**{name: value for name, value in os.environ.items() if not name.startswith("GIT_")}, **_OURS}
