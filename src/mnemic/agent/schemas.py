"""Arguments and results of the tools, in JSON Schema 2020-12."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from mnemic.domain.kinds import KINDS
from mnemic.domain.memory import State
from mnemic.domain.outcomes import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

Schema: TypeAlias = "dict[str, object]"

MOST_RESULTS: Final = 50
_ID_CHARACTERS: Final = 600
_RECEIPT_CHARACTERS: Final = 64
_FILTERS: Final = 20
_TAGS: Final = 50


def _text(description: str = "", *, most: int | None = None, blank: bool = True) -> Schema:
    schema: Schema = {"type": "string"}
    if description:
        schema["description"] = description
    if most is not None:
        schema["maxLength"] = most
    if not blank:
        schema["pattern"] = r"\S"
    return schema


def _one_of(names: Sequence[str], description: str) -> Schema:
    return {"type": "string", "enum": list(names), "description": description}


def _whole(least: int, most: int, description: str) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most, "description": description}


def _list(items: Schema, most: int, description: str) -> Schema:
    return {"type": "array", "items": items, "maxItems": most, "description": description}


def _object(properties: Schema, required: Sequence[str], **more: object) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
        **more,
    }


def _id(description: str) -> Schema:
    return _text(description, most=_ID_CHARACTERS, blank=False)


def _receipt(description: str) -> Schema:
    return _text(description, most=_RECEIPT_CHARACTERS, blank=False)


_DATE = "2026-05-03 or 2026-05-03T08:14:00+02:00"
_KINDS = ", ".join(KINDS)

CONTEXT_INPUT: Final = _object(
    {
        "message": _text("The user's message, word for word.", blank=False),
        "budget": _whole(100, 32_000, "At most so many tokens."),
    },
    ["message"],
)
SEARCH_INPUT: Final = _object(
    {
        "query": _text('Words in any language, "quoted phrases", #names, -exclusions, dates.', blank=False),
        "k": _whole(1, MOST_RESULTS, "At most so many results."),
        "kinds": _list(_text(), _FILTERS, f"Only these kinds: {_KINDS}, turn."),
        "tags": _list(_text(), _FILTERS, "Only memories with one of these tags."),
        "include_sessions": {"type": "boolean", "description": "Also what was said in conversations (default true)."},
        "at": _text(f"Only what was so in the world at this moment: {_DATE}.", most=40),
        "states": _list(
            _one_of(tuple(State), "A state."), len(State), "Also superseded, archived, … ones; default: active only."
        ),
    },
    ["query"],
)
READ_INPUT: Final = _object(
    {
        "id": _id("The id as a search gave it."),
        "around": _whole(0, 20, "For a turn of a conversation: so many turns before and after it too."),
        "start": _whole(0, 10_000_000, "Of a text that is too long: begin at this character. Gives no receipt."),
        "length": _whole(1, 45_000, "Read at most so many characters. Gives no receipt."),
    },
    ["id"],
)
WRITE_INPUT: Final = _object(
    {
        "receipt": _receipt("To create: the receipt of a search in this turn. To change: of the read of that memory."),
        "id": _id("The memory to change; for a new one an id like people/anna-berg, or leave it out."),
        "text": _text("The statement, in the user's language; of an existing memory all of its new text."),
        "title": _text("A line that names it.", most=1_000),
        "kind": _text(f"One of {_KINDS}.", most=80),
        "tags": _list(_text(most=200), _TAGS, "All of its tags."),
        "description": _text("One sentence that says what it is about.", most=4_000),
        "due": _text(f"When a commitment is owed: {_DATE}.", most=40),
        "claim": _object(
            {"key": _text(most=400, blank=False), "value": _text(most=4_000, blank=False)},
            ["key", "value"],
            description="The statement as key and value, such as anna.city and Oslo; contradictions are found by it.",
        ),
        "valid_from": _text(f"Since when it is so: {_DATE}.", most=40),
        "valid_until": _text(f"Until when it is so: {_DATE}.", most=40),
        "source": _one_of(
            ("user", "agent", "tool", "web", "document"),
            "Who said it: user only for what the user said. Default agent.",
        ),
        "supersedes": _list(
            _object({"id": _id(""), "receipt": _receipt("")}, ["id", "receipt"]),
            _FILTERS,
            "Memories that this new one replaces, each with the receipt of its read in this turn.",
        ),
        "outcome_of": _id("For kind outcome: the memory whose outcome this is."),
        "result": _one_of(tuple(Result), "For kind outcome: how that turned out."),
        "cites": _text("Where it is from: session:ID#3-5, or a document of the memory, notes/plan.md:10-14.", most=700),
        "scope": _object(
            {name: _text(most=200) for name in ("user", "agent", "project", "conversation")},
            [],
            description="Whom it holds for, above all a preference; left out, it is the user's or project's own.",
        ),
    },
    ["receipt"],
)
FORGET_INPUT: Final = _object(
    {
        "id": _id("What to remove for good."),
        "receipt": _receipt("The receipt of its read in this turn."),
        "confirm": _text("The same id again, once the user agreed.", most=_ID_CHARACTERS),
    },
    ["id", "receipt"],
)

_STRING: Schema = {"type": "string"}
_STRINGS: Schema = {"type": "array", "items": _STRING}
_NUMBER: Schema = {"type": "integer", "minimum": 0}
_BOOLEAN: Schema = {"type": "boolean"}
_LEFT = _object({"reads": _NUMBER, "characters": _NUMBER}, ["reads", "characters"])


def _all(properties: Schema) -> Schema:
    return _object(properties, list(properties))


_OUTCOME: Schema = _object({"id": _STRING, "result": _STRING, "when": _STRING}, ["id", "result", "when"])
_CITATION: Schema = _object({"cited": _STRING, "standing": _STRING, "now": _STRING}, ["cited", "standing"])


CONTEXT_OUTPUT: Final = _all(
    {
        "system": _STRING,
        "turn": _STRING,
        "prefix": _STRING,
        "items": {
            "type": "array",
            "items": _all({"id": _STRING, "slot": _STRING, "why": _STRING, "tokens": _NUMBER}),
        },
        "tokens": _NUMBER,
        "budget": _NUMBER,
        "language": _STRING,
        "notes": _STRINGS,
    }
)
SEARCH_OUTPUT: Final = _all(
    {
        "receipt": _STRING,
        "next": _STRING,
        "results": {
            "type": "array",
            "items": _object(
                {
                    "id": _STRING,
                    "kind": _STRING,
                    "when": _STRING,
                    "title": _STRING,
                    "origin": _STRING,
                    "authority": {"type": "number", "minimum": 0, "maximum": 1},
                    "verified": _BOOLEAN,
                    "outcome": _OUTCOME,
                    "citation": _CITATION,
                    "state": _STRING,
                    "speaker": _STRING,
                    "probability": {"type": "number", "minimum": 0, "maximum": 1},
                    "passage": _STRING,
                },
                ["id", "kind", "when", "probability", "passage"],
            ),
        },
        "abstained": _BOOLEAN,
        "notes": _STRINGS,
        "left": _LEFT,
    }
)
_READ_PROPERTIES: Schema = {
    "next": _STRING,
    "id": _STRING,
    "kind": _STRING,
    "title": _STRING,
    "text": _STRING,
    "start": _NUMBER,
    "characters": _NUMBER,
    "whole": _BOOLEAN,
    "revision": _STRING,
    "receipt": _STRING,
    "left": _LEFT,
}
READ_OUTPUT: Final = _object(
    {
        **_READ_PROPERTIES,
        "state": _STRING,
        "origin": _STRING,
        "authority": {"type": "number", "minimum": 0, "maximum": 1},
        "verified": _BOOLEAN,
        "outcomes": {"type": "array", "items": _OUTCOME},
        "citation": _CITATION,
        "recorded": _STRING,
        "changed": _STRING,
        "description": _STRING,
        "tags": _STRINGS,
        "due": _STRING,
        "valid_from": _STRING,
        "valid_until": _STRING,
        "claim": _all({"key": _STRING, "value": _STRING}),
        "supersedes": _STRINGS,
        "superseded_by": _STRINGS,
    },
    list(_READ_PROPERTIES),
)
WRITE_OUTPUT: Final = _all(
    {
        "id": _STRING,
        "written": _BOOLEAN,
        "state": _STRING,
        "revision": _STRING,
        "warnings": {"type": "array", "items": _all({"code": _STRING, "message": _STRING, "next": _STRING})},
    }
)
FORGET_OUTPUT: Final = _all(
    {
        "removed": _BOOLEAN,
        "id": _STRING,
        "title": _STRING,
        "turns": _NUMBER,
        "confirm": _STRING,
        "next": _STRING,
        "notes": _STRINGS,
    }
)
