"""The space a vector lives in: what may be compared with what."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """One kind of vector; two vectors are comparable only when their spaces have the same `id`.

    `build` tells apart what calculates differently under one version: other weights, or another
    compilation of the engine. `window` says that a turn is embedded together
    with the turns around it. `languages` is a note for people. `query_ms` is the typical time of one
    query on one core, in milliseconds, for planning and for `doctor`; it never decides a ranking.
    """

    model: str
    version: str
    build: str
    dim: int
    languages: str = ""
    window: bool = False
    query_ms: float = 0.0

    def __post_init__(self) -> None:
        if self.dim < 1:
            raise ValueError(f"a space has at least one dimension, not {self.dim}")

    @property
    def id(self) -> str:
        """The name stored with every vector: model, version, build and dimension, joined by slashes."""
        return f"{self.model}/{self.version}/{self.build}/{self.dim}"
