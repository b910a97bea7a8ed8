"""How a bundle lays memories into documents, one module a layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, tzinfo

    from mnemic.adapters.markdown.formats.concept import Repaired
    from mnemic.domain.documents import Document
    from mnemic.domain.ids import MemoryId
    from mnemic.domain.memory import Memory


class Layout(Protocol):
    """What the store asks of a layout. Paths are relative to the bundle, with `/`."""

    @property
    def name(self) -> str:
        """As in `mnemic.toml`."""
        ...

    @property
    def profile_codes(self) -> frozenset[str]:
        """Problems that only a native bundle has; a foreign folder opened in place may be so and be well."""
        ...

    def path_for(self, memory: Memory) -> str:
        """Where a new memory goes. Raises InvalidIdError when its id has no place here."""
        ...

    def propose_id(self, kind: str, title: str, *, taken: Callable[[str], bool]) -> MemoryId:
        """A free id for a memory of this kind and title."""
        ...

    def note(self, folder: str) -> str:
        """A line about a folder for the index above it; may be empty."""
        ...

    def read(self, path: str, data: bytes, stamp_time: datetime, *, zone: tzinfo) -> Document:
        """What stands in a document; malformed content is a problem in it."""
        ...

    def write(self, memory: Memory, original: bytes | None) -> bytes:
        """The document's bytes with this memory in it, everything else in `original` as it was."""
        ...

    def as_written(self, memory: Memory) -> Memory:
        """The memory as it reads back once written."""
        ...

    def repair(self, path: str, data: bytes, stamp_time: datetime) -> Repaired:
        """The document mended as far as it can be."""
        ...
