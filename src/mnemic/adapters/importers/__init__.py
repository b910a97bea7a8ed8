"""Conversations of other programs, read and handed over a session at a time."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from mnemic.errors import InputError

if TYPE_CHECKING:
    from datetime import tzinfo

    from mnemic.domain.imports import Importer

NAMES = ("chat", "claude-code", "locomo", "memorybank")


def importer_named(name: str, *, zone: tzinfo = UTC) -> Importer:
    """The importer of a format; moments without an offset are read in `zone`.

    Raises:
        InputError: There is none of this name.
    """
    match name:
        case "chat":
            from mnemic.adapters.importers.chat import ChatImporter

            return ChatImporter(zone)
        case "claude-code":
            from mnemic.adapters.importers.claude_code import ClaudeCodeImporter

            return ClaudeCodeImporter(zone)
        case "locomo":
            from mnemic.adapters.importers.locomo import LocomoImporter

            return LocomoImporter(zone)
        case "memorybank":
            from mnemic.adapters.importers.memorybank import MemoryBankImporter

            return MemoryBankImporter(zone)
        case _:
            raise InputError(f"There is no importer {name[:40]!r}.", hint=f"There are: {', '.join(NAMES)}.")
