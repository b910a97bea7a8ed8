"""A tool as a model sees it, and what a call of it gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mnemic.errors import MnemicError


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool; its schemas are JSON Schema 2020-12 and take no property that they do not name.

    `read_only`: no memory changes. `destructive`: what was there may be gone afterwards. `idempotent`: a second call
    with the same arguments changes nothing more. `open_world`: it reaches beyond the bundles.
    """

    name: str
    title: str
    description: str
    input_schema: Mapping[str, object]
    output_schema: Mapping[str, object]
    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a call gave: lines for the model, and the same as data in the form of the tool's `output_schema`.

    Of a `failed` call the text is one line, what is wrong and what to do, and the data is
    `{"error": {"code", "message", "hint"}}`.
    """

    text: str
    data: Mapping[str, object]
    failed: bool = False


_HINTS = {
    "memory_not_found": "Find its id with memory_search.",
    "session_not_found": "Find the id of a turn with memory_search.",
    "secret_refused": "Take it out and never store credentials; tell the user that nothing was kept.",
    "limit_exceeded": "Shorten it, or split it into several memories.",
    "id_taken": "Leave the id out, or read that memory and change it with the receipt of the read.",
    "memory_changed": "Read the memory again with memory_read and repeat the change with the new receipt.",
    "origin_refused": "Store it as kind observation or note with source agent; a person can promote it.",
    "privacy_refused": "Leave out what is sensitive, and tell the user.",
    "read_only_bundle": "It cannot be changed from here; tell the user.",
    "bundle_busy": "Try once more; then tell the user.",
    "document_malformed": "It cannot be changed before a person mends the file; tell the user.",
    "confirmation": "Ask the user; once they agree, call memory_forget again with confirm equal to the id.",
    "invalid_time": "Write dates like 2026-05-03 or 2026-05-03T08:14:00+02:00.",
}
"""What a model can do about it; the hints of the errors themselves are for people at a terminal."""


def failure(error: MnemicError) -> ToolResult:
    """An error as the model is told it."""
    hint = _HINTS.get(error.code, error.hint)
    text = " ".join(f"{error.message} {hint}".split())
    return ToolResult(
        text=text, data={"error": {"code": error.code, "message": error.message, "hint": hint}}, failed=True
    )
