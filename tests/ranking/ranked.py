"""Entries, evidence and passages for tests of the ranking: ordinary ones, but for what a test says."""

from __future__ import annotations

from typing import Any

from mnemic.domain.entries import IndexedEntry, IndexStatistics, Source, WindowPassage
from mnemic.domain.memory import State
from mnemic.ranking.evidence import Evidence
from mnemic.ranking.resonance import Trace

DAY = 86_400.0
NOW = 1_800_000_000.0


def an_entry(row: int = 1, **fields: Any) -> IndexedEntry:  # noqa: ANN401 - an entry's
    """A fresh note that nothing distinguishes."""
    ordinary: dict[str, Any] = {
        "row": row,
        "id": f"notes/{row:04d}",
        "uid": "",
        "source": Source.MEMORY,
        "group": row,
        "position": 0,
        "kind": "note",
        "title": "",
        "description": "",
        "tags": (),
        "path": f"notes/{row:04d}.md",
        "line": 1,
        "recorded_at": NOW,
        "changed_at": NOW,
        "valid_from": None,
        "valid_until": None,
        "due": None,
        "salience": 0.5,
        "confidence": 0.5,
        "authority": 0.5,
        "verified": False,
        "origin": "",
        "state": State.ACTIVE,
        "speaker": "",
        "asks": False,
        "names": frozenset(),
        "days": (),
        "length": 20,
        "tokens": 20,
    }
    return IndexedEntry(**{**ordinary, **fields})


def evidence(row: int = 1, **channels: Any) -> Evidence:  # noqa: ANN401 - an evidence's
    return Evidence(row, **channels)


def a_trace(key: str = "a", content: str = "", **fields: Any) -> Trace:  # noqa: ANN401 - a trace's
    """A trace with the defaults of the original, told just now."""
    ordinary: dict[str, Any] = {
        "kind": "observation",
        "tags": (),
        "recorded_at": NOW,
        "due": None,
        "salience": 0.5,
        "confidence": 0.5,
        "authority": 0.5,
        "verified": False,
    }
    return Trace(key=key, content=content, **{**ordinary, **fields})


def passages(*groups: list[str]) -> list[WindowPassage]:
    """Passages in their places: each group is a list of texts in order, one passage an entry; rows count from 1."""
    rows: list[WindowPassage] = []
    for group, texts in enumerate(groups, 1):
        rows += [
            WindowPassage(group, position, len(rows) + position + 1, 100 + len(rows) + position + 1, text)
            for position, text in enumerate(texts)
        ]
    return rows


def statistics(found: list[WindowPassage]) -> IndexStatistics:
    sizes: dict[int, int] = {}
    for passage in found:
        sizes[passage.group] = sizes.get(passage.group, 0) + 1
    terms = sum(len(passage.terms.split()) for passage in found)
    return IndexStatistics(
        entries=len(found),
        passages=len(found),
        mean_length=terms / max(len(found), 1),
        groups=len(sizes),
        single_groups=sum(size == 1 for size in sizes.values()),
    )
