"""Arguments of a tool call against the tool's schema: everything a model can get wrong, said so that it can mend it.

Knows the part of JSON Schema that our tools use: type, enum, lengths, ranges, patterns, items, properties, required.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, NoReturn, cast

from mnemic.errors import InvalidArgumentsError

if TYPE_CHECKING:
    from mnemic.agent.tool import Tool

_SHOWN: Final = 60
_TYPES: Final = {
    "string": "a text",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}


def checked(tool: Tool, arguments: object) -> dict[str, object]:
    """The arguments as the schema wants them: optional ones that are null left out, `5.0` as 5.

    Raises:
        InvalidArgumentsError: One is unknown, missing, of another type, or out of its range.
    """
    if not isinstance(arguments, Mapping):
        raise InvalidArgumentsError(
            tool.name, f"the arguments are {_kind_of(arguments)}", hint=f"Give an object: {_usage(tool)}."
        )
    required = cast("list[str]", tool.input_schema.get("required", []))
    given = {name: value for name, value in arguments.items() if value is not None or name in required}
    return cast("dict[str, object]", _Check(tool).value("", given, tool.input_schema))


class _Check:
    def __init__(self, tool: Tool) -> None:
        self._tool = tool

    def value(self, place: str, given: object, schema: Mapping[str, object]) -> object:
        match schema["type"]:
            case "string" if isinstance(given, str):
                return self._text(place, given, schema)
            case "integer" if (number := _whole(given)) is not None:
                return self._number(place, number, schema)
            case "boolean" if isinstance(given, bool):
                return given
            case "array" if isinstance(given, list | tuple):
                return self._items(place, given, schema)
            case "object" if isinstance(given, Mapping):
                return self._properties(place, given, schema)
            case wanted:
                why = f"{place} is {_kind_of(given)}, not {_TYPES[str(wanted)]}"
                raise InvalidArgumentsError(self._tool.name, why, hint=f"Give {place} as {wanted}.")

    def _text(self, place: str, given: str, schema: Mapping[str, object]) -> str:
        allowed = cast("list[str]", schema.get("enum", []))
        if allowed and given not in allowed:
            self._refuse(
                f"{place} cannot be {_shown(given)}", f"{_nearest(given, allowed)}One of: {', '.join(allowed)}."
            )
        if "\0" in given or any("\ud800" <= char <= "\udfff" for char in given):
            self._refuse(f"{place} holds what is no text (NUL, half of a surrogate pair)", "Send valid Unicode.")
        if "pattern" in schema and re.search(str(schema["pattern"]), given) is None:
            self._refuse(f"{place} is empty", "Give it a text.")
        most = cast("int | None", schema.get("maxLength"))
        if most is not None and len(given) > most:
            self._refuse(f"{place} has {len(given):,} characters", f"At most {most:,}.")
        return given

    def _number(self, place: str, given: int, schema: Mapping[str, object]) -> int:
        least, most = cast("int", schema["minimum"]), cast("int", schema["maximum"])
        if not least <= given <= most:
            self._refuse(f"{place} is out of range", f"It goes from {least:,} to {most:,}.")
        return given

    def _items(self, place: str, given: list[object] | tuple[object, ...], schema: Mapping[str, object]) -> object:
        most = cast("int", schema["maxItems"])
        if len(given) > most:
            self._refuse(f"{place} has {len(given):,} items", f"At most {most}.")
        inner = cast("Mapping[str, object]", schema["items"])
        return [self.value(f"{place}[{number}]", item, inner) for number, item in enumerate(given)]

    def _properties(self, place: str, given: Mapping[object, object], schema: Mapping[str, object]) -> object:
        known = cast("Mapping[str, Mapping[str, object]]", schema["properties"])
        for name in given:
            if name not in known:
                here = f" in {place}" if place else ""
                near = _nearest(str(name), list(known))
                self._refuse(f"there is no argument {_shown(name)}{here}", f"{near}There are: {', '.join(known)}.")
        for name in cast("list[str]", schema.get("required", [])):
            if name not in given:
                self._refuse(f"{_below(place, name)} is missing", f"Call it with: {_usage(self._tool)}.")
        return {
            str(name): self.value(_below(place, str(name)), value, known[str(name)]) for name, value in given.items()
        }

    def _refuse(self, why: str, hint: str) -> NoReturn:
        raise InvalidArgumentsError(self._tool.name, why, hint=hint)


def _whole(given: object) -> int | None:
    """A number without a fraction; for JSON 5.0 is one, and true is none."""
    if isinstance(given, bool):
        return None
    if isinstance(given, float):
        return int(given) if given.is_integer() else None
    return given if isinstance(given, int) else None


def _below(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _kind_of(given: object) -> str:
    if given is None:
        return "null"
    kinds = {bool: "boolean", str: "string", int | float: "integer", Mapping: "object", list | tuple: "array"}
    found = next((name for kind, name in kinds.items() if isinstance(given, kind)), None)
    return "a number" if found == "integer" else _TYPES[found] if found else f"of the type {type(given).__name__}"


def _nearest(given: str, known: list[str]) -> str:
    near = get_close_matches(given[:_SHOWN].lower(), known, 1)
    return f"Did you mean {near[0]}? " if near else ""


def _shown(given: object) -> str:
    text = str(given)
    return json.dumps(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…", ensure_ascii=not text.isprintable())


def _usage(tool: Tool) -> str:
    required = cast("list[str]", tool.input_schema.get("required", []))
    return ", ".join(f'"{name}": …' for name in required) or "{}"
