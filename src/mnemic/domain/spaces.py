"""Vector spaces: which model, in which build, gave a vector."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Space:
    """The space of one embedder. Vectors of different spaces are never compared.

    `id` names model, version, build and dimension (`use-m3/0.2.1/512`); `dim` counts components.
    """

    id: str
    dim: int
    languages: str = ""
