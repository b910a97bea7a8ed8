"""Where a benchmark gets its bundles from: private, temporary ones, opened as any program opens one."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mnemic import config
from mnemic.app import App, LazyEngines, create_bundle
from mnemic.bench.vectors import KeptVectors
from mnemic.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mnemic.ports import Embedder
    from mnemic.services.bundle import Engines

LEXICAL_ONLY = "embed.engines="
"""The override that measures without vectors."""
_SAME_EVERYWHERE = "bundle.zone=UTC"
"""Dates without an offset must not depend on where a benchmark runs."""


@dataclass(frozen=True)
class Workshop:
    """Makes and opens bundles, all with one configuration.

    Attributes:
        overrides: `section.key=value` settings; nothing else differs from a fresh installation with the user's
            settings.
        given: Embedders to use in place of those the settings name.
        cache: The file that keeps vectors between runs; None keeps none.
    """

    overrides: tuple[str, ...] = ()
    given: Sequence[Embedder] | None = None
    cache: Path | None = None

    @cached_property
    def engines(self) -> Engines:
        """The embedders in use, loaded once for all bundles."""
        return LazyEngines(self._loaded.settings.embed, given=self.given)()

    @cached_property
    def embedders(self) -> tuple[Embedder, ...]:
        """The same, with vectors kept between runs where a cache is set."""
        if self.cache is None:
            return tuple(self.engines.embedders)
        return tuple(KeptVectors(embedder, self.cache) for embedder in self.engines.embedders)

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """A folder that is gone afterwards."""
        with TemporaryDirectory(prefix="mnemic-bench-", ignore_cleanup_errors=True) as name:
            yield Path(name)

    def new(self, folder: Path, name: str = "bench") -> App:
        """An empty bundle in `folder`, opened."""
        create_bundle(folder, name=name)
        return self.open(folder)

    def open(self, folder: Path, *, kept_vectors: bool = True) -> App:
        """The bundle in `folder`, opened with this configuration; without `kept_vectors` by the models themselves."""
        embedders = self.embedders if kept_vectors else self.engines.embedders
        return App.start(folder, overrides=self._flags, embedders=embedders)

    def lexical(self) -> Workshop:
        """The same without embedders."""
        return Workshop(overrides=(*self.overrides, LEXICAL_ONLY), given=())

    @property
    def _flags(self) -> tuple[str, ...]:
        return (_SAME_EVERYWHERE, *self.overrides)

    @cached_property
    def _loaded(self) -> config.Loaded:
        """The settings without those of a bundle."""
        flags: dict[str, object] = {}
        for flag in self._flags:
            key, equals, value = flag.partition("=")
            if not equals:
                raise ConfigError(f"--set {flag} has no value.", hint="Write --set recall.k=12")
            flags[key.strip()] = value
        return config.load(None, flags)

    @property
    def spaces(self) -> tuple[str, ...]:
        """Ids of the vector spaces in use."""
        return tuple(embedder.space.id for embedder in self.engines.embedders)

    @property
    def settings(self) -> Mapping[str, object]:
        """Settings in use that are not the default."""
        return differing(self._loaded)


def differing(loaded: config.Loaded) -> dict[str, object]:
    """Settings that are not the default, by `section.key`."""
    found = {}
    for key, default in config.known_keys().items():
        section, _, name = key.partition(".")
        value = getattr(getattr(loaded.settings, section), name)
        if value != default:
            found[key] = value
    return found


def default_cache() -> Path:
    """Where vectors are kept between runs, unless the caller says otherwise."""
    return config.user_cache_dir() / "bench" / "vectors.db"
