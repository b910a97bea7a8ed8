"""A memory as it is kept in the vault: every field, as bytes that the same memory always gives."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any

from mnemic.domain.ids import MemoryId, Uid
from mnemic.domain.instants import format_instant
from mnemic.domain.memory import Claim, Loading, Memory, Privacy, Scope, State
from mnemic.domain.outcomes import Result
from mnemic.domain.provenance import Origin, Provenance
from mnemic.errors import InvalidMemoryError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemic.domain.ledger import Deed

GONE = b""
"""What is kept when a document was taken away otherwise than by forgetting: the memory was there no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastVersion:
    """A memory as it was from `at` on; `memory` is None when it was taken away then.

    `deed` is what the ledger says was done, where it says anything.
    """

    number: int
    at: datetime
    memory: Memory | None
    deed: Deed | None = None


def to_bytes(memory: Memory) -> bytes:
    """Every field that says more than its default, as canonical JSON; moments in UTC, to the microsecond."""
    told = {name: _plain(value) for name, default in _DEFAULTS.items() if (value := getattr(memory, name)) != default}
    return json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "surrogatepass")


def from_bytes(data: bytes) -> Memory | None:
    """The memory again; None for `GONE`. Fields of a later release are passed over.

    Raises:
        ValueError: It is nothing that `to_bytes` gives.
    """
    if data == GONE:
        return None
    try:
        told = json.loads(data.decode("utf-8", "surrogatepass"))
        return Memory(**{name: _READ.get(name, _as_is)(value) for name, value in told.items() if name in _DEFAULTS})
    except (ValueError, TypeError, KeyError, AttributeError, InvalidMemoryError) as error:
        raise ValueError(f"no memory: {error}") from error


_DEFAULTS: dict[str, object] = {
    field.name: field.default if field.default_factory is MISSING else field.default_factory()
    for field in fields(Memory)
}


def _plain(value: object) -> object:
    match value:
        case datetime():
            return format_instant(value)
        case Enum():
            return value.value
        case Provenance() | Claim() | Scope():
            return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case tuple() | list():
            return [_plain(item) for item in value]
        case _:
            return value


def _as_is(value: Any) -> Any:  # noqa: ANN401 - texts, numbers and front matter stay what JSON makes of them
    return value


def _provenance(told: dict[str, Any]) -> Provenance:
    origin = told.pop("origin", None)
    turns = tuple(told.pop("turns", ()))
    return Provenance(origin=None if origin is None else Origin(origin), turns=turns, **told)


_READ: dict[str, Callable[[Any], Any]] = {
    "uid": Uid,
    "id": MemoryId,
    **dict.fromkeys(
        ("recorded_at", "changed_at", "valid_from", "valid_until", "due", "snoozed_until"), datetime.fromisoformat
    ),
    **dict.fromkeys(("tags", "requires"), tuple),
    **dict.fromkeys(("supersedes", "superseded_by"), lambda names: tuple(map(MemoryId, names))),
    "state": State,
    "result": Result,
    "privacy": Privacy,
    "loading": Loading,
    "claim": lambda told: Claim(**told),
    "scope": lambda told: Scope(**told),
    "provenance": _provenance,
}
