"""Front-matter values and what they mean: one reader and one writer a key, strict about meaning, lenient about form."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mnemic.domain.ids import MemoryId, memory_id
from mnemic.domain.instants import format_instant, parse_instant
from mnemic.domain.memory import Claim, Loading, Privacy, Scope, State
from mnemic.domain.outcomes import Result
from mnemic.domain.provenance import DEFAULT_AUTHORITY, Origin, Provenance
from mnemic.errors import InvalidIdError, InvalidMemoryError, InvalidTimeError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime, tzinfo
    from enum import StrEnum

    from mnemic.domain.memory import Yaml

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_TRUE = frozenset({"true", "yes", "on", "y"})
_FALSE = frozenset({"false", "no", "off", "n"})
_UNSURE = 0.5


class BadValueError(ValueError):
    """A value that its key cannot have; the text is the reason, without the value."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a mapping value means: the understood part and, as read, the rest with what is wrong in it."""

    value: Any
    rest: dict[str, Yaml]
    wrong: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Codec:
    """One key of the front matter and the field of `Memory` it stands for.

    `read` turns a value that is there into the field's or raises BadValueError; `write` is its inverse for values other
    than `absent`, which is not written.
    """

    key: str
    field: str
    read: Callable[[Yaml, tzinfo], Any]
    write: Callable[[Any], Yaml]
    absent: Any


def read_text(value: Yaml, _: object = None) -> str:
    """A text as it is."""
    if not isinstance(value, str):
        raise BadValueError("a text is expected")
    return value


def read_texts(value: Yaml, _: object = None) -> tuple[str, ...]:
    """A list of texts, or one text with commas; blank ones are left out."""
    if isinstance(value, str):
        return tuple(part for part in (item.strip() for item in value.split(",")) if part)
    if not isinstance(value, list):
        raise BadValueError("a list of texts is expected")
    texts = tuple(item for item in value if isinstance(item, str))
    if len(texts) != len(value):
        raise BadValueError("a list of texts is expected")
    return tuple(text for text in texts if text.strip())


def read_ids(value: Yaml, _: object = None) -> tuple[MemoryId, ...]:
    """Ids, normalized where they are ids of this bundle; references to other bundles stay as they are."""
    texts = (value.strip(),) if isinstance(value, str) else read_texts(value)
    return tuple(_id(text) for text in texts if text)


def _id(text: str) -> MemoryId:
    try:
        return memory_id(text)
    except InvalidIdError:
        return MemoryId(text)


def read_moment(value: Yaml, zone: tzinfo) -> datetime:
    """A date or a time; without an offset it is meant in `zone`."""
    try:
        return parse_instant(read_text(value), zone=zone)
    except InvalidTimeError:
        raise BadValueError("a date or time is expected, like 2026-05-03T08:14:00Z") from None


def write_moment(moment: datetime) -> str:
    """RFC 3339 in UTC. Raises InvalidMemoryError for a moment that leaves the calendar there."""
    try:
        return format_instant(moment)
    except OverflowError:
        raise InvalidMemoryError("time", f"{moment.isoformat()} has no date in UTC") from None


def read_unit(value: Yaml, _: object = None) -> float:
    """A number in 0..1."""
    try:
        number = float(read_text(value))
    except ValueError:
        raise BadValueError("a number from 0 to 1 is expected") from None
    if not 0.0 <= number <= 1.0:
        raise BadValueError("a number from 0 to 1 is expected")
    return number


def write_unit(number: float) -> str:
    """The shortest decimal text that reads back as `number`, without an exponent."""
    text = repr(float(number))
    if "e" not in text:
        return text
    from decimal import Decimal

    return f"{Decimal(text):f}"


def read_flag(value: Yaml, _: object = None) -> bool:
    """True or false, in the words of YAML 1.1."""
    word = read_text(value).strip().lower()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise BadValueError("true or false is expected")


def write_flag(flag: bool) -> str:  # noqa: FBT001 - the one value it turns into text
    """`true` or `false`."""
    return "true" if flag else "false"


def read_uid(value: Yaml, _: object = None) -> str:
    """A UUID of any version, in its canonical form."""
    text = read_text(value).strip().lower()
    if not _UUID.match(text):
        raise BadValueError("a UUID is expected")
    return text


def _one_of(words: type[StrEnum]) -> Callable[[Yaml, tzinfo], StrEnum]:
    known = {word.value: word for word in words}

    def read(value: Yaml, _: object = None) -> StrEnum:
        word = known.get(read_text(value).strip().lower())
        if word is None:
            raise BadValueError(f"one of {', '.join(known)} is expected")
        return word

    return read


def _read_claim(value: Yaml, _: object = None) -> Parsed:
    if not isinstance(value, dict):
        raise BadValueError("a mapping with key and value is expected")
    key, said = value.get("key"), value.get("value")
    if not (isinstance(key, str) and isinstance(said, str) and key.strip() and said.strip()):
        raise BadValueError("a mapping with key and value is expected")
    return Parsed(Claim(key, said), {name: item for name, item in value.items() if name not in {"key", "value"}})


def _write_claim(claim: Claim) -> Yaml:
    return {"key": claim.key, "value": claim.value}


def _read_scope(value: Yaml, _: object = None) -> Parsed:
    if not isinstance(value, dict):
        raise BadValueError("a mapping with user, agent, project or conversation is expected")
    return _sort(Scope(), value, dict.fromkeys(("user", "agent", "project", "conversation"), read_text))


def _write_scope(scope: Scope) -> Yaml:
    names = ("user", "agent", "project", "conversation")
    return {name: getattr(scope, name) for name in names if getattr(scope, name)}


_read_origin = _one_of(Origin)


def _read_turns(value: Yaml, _: object = None) -> tuple[int, ...]:
    texts = read_texts(value)
    if not all(text.isascii() and text.isdigit() for text in texts):
        raise BadValueError("a list of turn numbers is expected")
    return tuple(int(text) for text in texts)


_SOURCE: dict[str, Callable[..., Any]] = {
    "origin": _read_origin,
    "locator": read_text,
    "authority": read_unit,
    "verified": read_flag,
    "actor": read_text,
    "session": read_text,
    "turns": _read_turns,
    "sha256": read_text,
}


def read_source(value: Yaml, *, verified: bool) -> Parsed:
    """Provenance; a bare text is its locator. `verified` holds when the mapping does not say."""
    start = Provenance(verified=verified)
    if isinstance(value, str):
        return Parsed(replace(start, locator=value), {})
    if not isinstance(value, dict):
        raise BadValueError("a mapping is expected")
    parsed = _sort(start, value, _SOURCE)
    source: Provenance = parsed.value
    if source.origin is not None and ("authority" not in value or "authority" in parsed.rest):
        source = replace(source, authority=DEFAULT_AUTHORITY[source.origin])
    return Parsed(source, parsed.rest, parsed.wrong)


def write_source(source: Provenance, *, verified: bool) -> dict[str, Yaml]:
    """What `read_source` needs to give `source` again; what it would assume anyway is left out."""
    usual = DEFAULT_AUTHORITY[source.origin] if source.origin else _UNSURE
    written: dict[str, Yaml] = {}
    if source.origin is not None:
        written["origin"] = source.origin.value
    if source.locator:
        written["locator"] = source.locator
    if source.authority != usual:
        written["authority"] = write_unit(source.authority)
    if source.verified != verified:
        written["verified"] = write_flag(source.verified)
    for name in ("actor", "session"):
        if getattr(source, name):
            written[name] = getattr(source, name)
    if source.turns:
        written["turns"] = [str(number) for number in source.turns]
    if source.sha256:
        written["sha256"] = source.sha256
    return written


def _sort(start: Any, value: Mapping[str, Yaml], readers: Mapping[str, Callable[..., Any]]) -> Parsed:  # noqa: ANN401
    """`start` with the parts that can be read; all others stay as they are."""
    known: dict[str, Any] = {}
    rest: dict[str, Yaml] = {}
    wrong: list[str] = []
    for name, item in value.items():
        reader = readers.get(name)
        if reader is None:
            rest[name] = item
        elif item not in ("", [], {}):
            try:
                known[name] = reader(item)
            except BadValueError as error:
                rest[name] = item
                wrong.append(f"{name}: {error}")
    return Parsed(replace(start, **known), rest, tuple(wrong))


_STATES = {
    **{state.value: state for state in State},
    "draft": State.ACTIVE,
    "stable": State.ACTIVE,
    "deprecated": State.ARCHIVED,
    "open": State.ACTIVE,
    "resolved": State.ACTIVE,
}


def read_state(value: Yaml, kind: str) -> State:
    """Where a memory stands; OKF's and the decision words map in. A resolved request is fulfilled."""
    word = read_text(value).strip().lower()
    if word == "resolved" and kind.strip().lower() == "request":
        return State.FULFILLED
    state = _STATES.get(word)
    if state is None:
        raise BadValueError(f"one of {', '.join(_STATES)} is expected")
    return state


def checked_by_a_person(verified: Yaml) -> bool:
    """OKF v0.2 `verified`: an entry, or a list of them, by `human:` somebody."""
    entries = verified if isinstance(verified, list) else [verified]
    for entry in entries:
        by = entry.get("by") if isinstance(entry, dict) else None
        if isinstance(by, str) and by.startswith("human:"):
            return True
    return False


def _same(value: Any) -> Any:  # noqa: ANN401
    return value


_ALL = (
    Codec("description", "description", read_text, _same, ""),
    Codec("resource", "resource", read_text, _same, ""),
    Codec("tags", "tags", read_texts, list, ()),
    Codec("valid_from", "valid_from", read_moment, write_moment, None),
    Codec("valid_until", "valid_until", read_moment, write_moment, None),
    Codec("due", "due", read_moment, write_moment, None),
    Codec("on_event", "on_event", read_text, _same, ""),
    Codec("snoozed_until", "snoozed_until", read_moment, write_moment, None),
    Codec("supersedes", "supersedes", read_ids, list, ()),
    Codec("superseded_by", "superseded_by", read_ids, list, ()),
    Codec("outcome_of", "outcome_of", read_text, _same, ""),
    Codec("result", "result", _one_of(Result), str, None),
    Codec("salience", "salience", read_unit, write_unit, _UNSURE),
    Codec("confidence", "confidence", read_unit, write_unit, _UNSURE),
    Codec("privacy", "privacy", _one_of(Privacy), str, Privacy.PRIVATE),
    Codec("claim", "claim", _read_claim, _write_claim, None),
    Codec("scope", "scope", _read_scope, _write_scope, Scope()),
    Codec("load", "loading", _one_of(Loading), str, None),
    Codec("auto_invoke", "auto_invoke", read_flag, write_flag, None),
    Codec("user_invocable", "user_invocable", read_flag, write_flag, None),
    Codec("requires", "requires", read_texts, list, ()),
)
CODECS = {codec.key: codec for codec in _ALL}
"""Keys that stand for one field each, whatever the rest of the document says."""

ORDER = (
    "type",
    "title",
    "description",
    "resource",
    "tags",
    "status",
    "created",
    "timestamp",
    "generated",
    "verified",
    "valid_from",
    "valid_until",
    "due",
    "on_event",
    "snoozed_until",
    "claim",
    "supersedes",
    "superseded_by",
    "outcome_of",
    "result",
    "salience",
    "confidence",
    "privacy",
    "source",
    "scope",
    "load",
    "auto_invoke",
    "user_invocable",
    "requires",
    "uid",
)
"""Where a new key goes: behind the last of those before it in this list. What a person reads first comes first."""
