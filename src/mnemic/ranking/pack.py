"""Choosing what is shown of a result."""

from __future__ import annotations

SNIPPET_CHARACTERS = 320


def snippet(passage: str, limit: int = SNIPPET_CHARACTERS) -> str:
    """A passage on one line, cut at a word."""
    line = " ".join(passage.split())
    if len(line) <= limit:
        return line
    cut = line[: limit - 1]
    return (cut[: cut.rfind(" ")] if " " in cut[limit // 2 :] else cut) + "…"
