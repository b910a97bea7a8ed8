"""What the rows of an index depend on: another stamp means another index. Apart, for those who must start fast."""

from __future__ import annotations

from mnemic.text.terms import ANALYZER_VERSION

SCHEMA_VERSION = "12"


def stamp() -> str:
    """The stamp of an index that this version of mnemic can read."""
    return f"schema {SCHEMA_VERSION}, analyzer {ANALYZER_VERSION}, sqlite fts5"
