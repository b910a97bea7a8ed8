"""What was done to a memory, in a word or two for people; the ledger's own words are in docs/reference/json.md."""

from __future__ import annotations

from types import MappingProxyType

DONE = MappingProxyType(
    {
        "remember": "remembered",
        "change": "changed",
        "supersede": "superseded",
        "fulfil": "fulfilled",
        "archive": "archived",
        "quarantine": "quarantined",
        "release": "released",
        "promote": "promoted",
        "remove": "taken away",
        "erase": "forgotten",
        "found": "begun",
        "rotate": "key changed",
    }
)
