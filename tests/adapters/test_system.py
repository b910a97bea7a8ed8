"""The machine's zone in what people read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mnemic.adapters.importers.chat import ChatImporter
from mnemic.adapters.system import MachineZone
from mnemic.domain.imports import ImportNotes

if TYPE_CHECKING:
    from pathlib import Path


def test_a_report_names_the_machines_zone_in_words(tmp_path: Path) -> None:
    notes = ImportNotes()
    source = tmp_path / "talk.jsonl"
    turn = {"session": "s", "turn": 1, "at": "2026-05-03T21:40", "role": "user", "text": "Hello."}
    source.write_text(json.dumps(turn), encoding="utf-8")

    for session in ChatImporter(zone=MachineZone()).read(source, notes):
        list(session.turns)

    assert notes.report().counts == {"moments without an offset, read in the machine's time zone": 1}
