"""Between a front matter's values and a `Memory`, both ways.

`decode` reads; `encode` says what a fresh document would hold; `edits` says which keys of an existing one must change.
docs/reference/okf.md is the contract.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from mnemic.adapters.markdown.formats.values import (
    CODECS,
    ORDER,
    BadValueError,
    Parsed,
    checked_by_a_person,
    read_moment,
    read_source,
    read_state,
    read_text,
    read_uid,
    write_moment,
    write_source,
)
from mnemic.domain.ids import Uid, derived_uid, id_of_path
from mnemic.domain.memory import Memory, State

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

    from mnemic.domain.ids import MemoryId
    from mnemic.domain.memory import Yaml

DEFAULT_KIND = "note"
RECOVERED_KIND = "Recovered Concept"
_MOMENTS = ("valid_from", "valid_until", "due", "snoozed_until")
_TIMES = ("created", "timestamp", "generated")
_EMPTY: tuple[Yaml, ...] = ("", [], {})


@dataclass(frozen=True, slots=True)
class Issue:
    """A known key whose value cannot be understood; the value stays in the file and in `extra`."""

    key: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What stands in for keys that are absent: the id, the file's name, its time, the zone, the kind."""

    id: MemoryId
    stem: str
    stamp_time: datetime
    zone: tzinfo = UTC
    kind: str = DEFAULT_KIND


def decode(values: Mapping[str, Yaml], body: str, setting: Setting) -> tuple[Memory, list[Issue]]:
    """The memory that these values and this body are. Never raises for content."""
    reading = _Reading(values, setting.zone)
    for key, value in values.items():
        reading.take(key, value)
    kind = reading.own("type", read_text) or setting.kind
    state = reading.own("status", lambda value: read_state(value, kind)) or State.ACTIVE
    title = reading.own("title", read_text) or title_of(body) or setting.stem
    uid = reading.own("uid", read_uid) or derived_uid(setting.id)
    changed = reading.changed_at()
    told = reading.own("created", lambda value: read_moment(value, setting.zone))
    source = reading.source()
    reading.check_span()
    memory = Memory(
        uid=Uid(uid),
        id=setting.id,
        kind=kind,
        title=title,
        body=body,
        recorded_at=told or changed or setting.stamp_time,
        changed_at=changed or setting.stamp_time,
        state=state,
        provenance=source,
        extra=reading.extra,
        **reading.fields,
    )
    return memory, reading.issues


class _Reading:
    """One pass over the keys: fields, extra and issues as they come."""

    __slots__ = ("extra", "fields", "issues", "values", "zone")

    def __init__(self, values: Mapping[str, Yaml], zone: tzinfo) -> None:
        self.values, self.zone = values, zone
        self.fields: dict[str, Any] = {}
        self.extra: dict[str, Yaml] = {}
        self.issues: list[Issue] = []

    def take(self, key: str, value: Yaml) -> None:
        """A key that means the same whatever the others say, or one that we do not know."""
        codec = CODECS.get(key)
        if codec is None:
            if key not in _SPECIAL:
                self.extra[key] = value
            return
        if value in _EMPTY:
            return
        try:
            read = codec.read(value, self.zone)
        except BadValueError as error:
            self.refuse(key, value, str(error))
            return
        self.fields[codec.field] = self.settle(key, read) if isinstance(read, Parsed) else read

    def own(self, key: str, read: Any) -> Any:  # noqa: ANN401
        """The value of a special key, or None when it is absent, blank or wrong."""
        value = self.values.get(key, "")
        if value in _EMPTY or (isinstance(value, str) and not value.strip()):
            return None
        try:
            return read(value)
        except BadValueError as error:
            self.refuse(key, value, str(error))
            return None

    def settle(self, key: str, read: Parsed) -> Any:  # noqa: ANN401
        if read.rest:
            self.extra[key] = read.rest
        self.issues.extend(Issue(key, reason) for reason in read.wrong)
        return read.value

    def refuse(self, key: str, value: Yaml, reason: str) -> None:
        self.extra[key] = value
        self.issues.append(Issue(key, reason))

    def changed_at(self) -> datetime | None:
        """OKF v0.2 `generated.at`, else `timestamp`. What else `generated` says is extra, its moment is not."""
        stamped: datetime | None = self.own("timestamp", lambda value: read_moment(value, self.zone))
        generated = self.values.get("generated")
        if generated is None or generated == "":
            return stamped
        if not isinstance(generated, dict):
            self.refuse("generated", generated, "a mapping with by and at is expected")
            return stamped
        moment = moment_in(generated, self.zone)
        self.extra["generated"] = {key: value for key, value in generated.items() if key != "at" or moment is None}
        if moment is None and generated.get("at", "") != "":
            self.issues.append(Issue("generated", "at: a date or time is expected"))
        return moment or stamped

    def source(self) -> Any:  # noqa: ANN401
        verified = checked_by_a_person(self.values.get("verified", ""))
        read = self.own("source", lambda value: read_source(value, verified=verified))
        return self.settle("source", read or read_source({}, verified=verified))

    def check_span(self) -> None:
        """An end before its beginning: the end is not believed."""
        begin, end = self.fields.get("valid_from"), self.fields.get("valid_until")
        if begin and end and end < begin:
            del self.fields["valid_until"]
            self.refuse("valid_until", self.values["valid_until"], "it ends before it begins")


_SPECIAL = frozenset({"type", "title", "status", "uid", "source", *_TIMES})
_KNOWN = _SPECIAL | CODECS.keys()


def title_of(body: str) -> str:
    """The heading of level 1 that a body opens with, or nothing."""
    first = body.lstrip().split("\n", 1)[0]
    return first[2:].strip().rstrip("#").strip() if first.startswith("# ") else ""


def moment_in(generated: Yaml | None, zone: tzinfo) -> datetime | None:
    """The moment of a v0.2 `generated` mapping, if it has a readable one."""
    at = generated.get("at") if isinstance(generated, dict) else None
    return _moment(at, zone)


def _moment(value: Yaml | None, zone: tzinfo) -> datetime | None:
    if not isinstance(value, str) or not value.strip():
        return None
    try:
        return read_moment(value, zone)
    except BadValueError:
        return None


def encode(memory: Memory) -> dict[str, Yaml]:
    """The front matter of a fresh document that holds `memory`, in its order."""
    extra = memory.extra
    known: dict[str, Yaml] = {"title": memory.title}
    # A foreign `type` or `uid` that we cannot read is left alone as long as the field only has what stands in for it.
    if "type" not in extra or memory.kind not in {DEFAULT_KIND, RECOVERED_KIND}:
        known["type"] = memory.kind
    if "uid" not in extra or memory.uid != derived_uid(memory.id):
        known["uid"] = str(memory.uid)
    if memory.state is not State.ACTIVE:
        known["status"] = memory.state.value
    known["created"] = write_moment(memory.recorded_at)
    changed = write_moment(memory.changed_at)
    if isinstance(extra.get("generated"), dict):
        known["generated"] = {"at": changed}
    else:
        known["timestamp"] = changed
    for codec in CODECS.values():
        value = getattr(memory, codec.field)
        if value != codec.absent:
            known[codec.key] = codec.write(value)
    source = write_source(memory.provenance, verified=checked_by_a_person(extra.get("verified", "")))
    if source:
        known["source"] = source
    return _in_order({**extra, **{key: _with_rest(value, extra.get(key)) for key, value in known.items()}})


def _with_rest(value: Yaml, rest: Yaml | None) -> Yaml:
    """A mapping of ours joined by the parts of it that are not ours."""
    if isinstance(value, dict) and isinstance(rest, dict):
        return {**{key: item for key, item in rest.items() if key not in value}, **value}
    return value


def _in_order(values: dict[str, Yaml]) -> dict[str, Yaml]:
    first = {key: values[key] for key in ORDER if key in values}
    return {**first, **{key: value for key, value in values.items() if key not in first}}


def edits(
    memory: Memory, values: Mapping[str, Yaml], *, body_changed: bool, kind: str = DEFAULT_KIND
) -> dict[str, Yaml | None]:
    """Which top-level keys must change so that a document with `values` holds `memory`; None: take the key out.

    A key whose meaning is the same is never touched, however it is written. Where anything changes at all, `type`,
    `created`, `timestamp` (in a v0.2 document `generated.at`) and `uid` are made sure of, because the file's name and
    time no longer stand in for them. `kind` is what a document without a type is read as.
    """
    want = encode(memory)
    if "timestamp" in values and "generated" in want:
        want["timestamp"] = write_moment(memory.changed_at)
    if memory.title == title_standing_in(memory) and "title" not in values:
        del want["title"]
    changed: dict[str, Yaml | None] = {}
    for key in dict.fromkeys((*want, *values)):
        have, new = values.get(key), want.get(key)
        if have == new or key in _TIMES:
            continue
        if key not in _KNOWN or _meaning(key, have, memory, kind) != _meaning(key, new, memory, kind):
            changed[key] = new
    _time_edits(memory, values, want, changed)
    if changed or body_changed:
        for key in ("type", "created", "timestamp", "generated", "uid"):
            if key in want and _pinned(key, values, memory):
                changed.setdefault(key, want[key])
    return changed


def _pinned(key: str, values: Mapping[str, Yaml], memory: Memory) -> bool:
    have = values.get(key)
    if key == "generated":
        return moment_in(have, UTC) != memory.changed_at
    if key in _TIMES:
        return _moment(have, UTC) is None
    return have is None or have in _EMPTY


def title_standing_in(memory: Memory) -> str:
    """The title that a document without one has: its opening heading, else its file's name."""
    heading = title_of(memory.body)
    if heading:
        return heading
    name = memory.id.rpartition("/")[2]
    # An id is lowercase, the file's name may not be; both name the same file.
    return memory.title if id_of_path(memory.title) == name else name


def _time_edits(
    memory: Memory, values: Mapping[str, Yaml], want: Mapping[str, Yaml], changed: dict[str, Yaml | None]
) -> None:
    """Edits of the times that a document has. Absent or unreadable ones alone are no reason to write."""
    zone = memory.changed_at.tzinfo or UTC
    generated, stamped = moment_in(values.get("generated"), zone), _moment(values.get("timestamp"), zone)
    told = _moment(values.get("created"), memory.recorded_at.tzinfo or UTC)
    was = generated or stamped
    # Without any time in it, both of a document's times are the file's: equal, unless somebody changed one.
    if (told or was or memory.changed_at) != memory.recorded_at:
        changed["created"] = want["created"]
    if was is not None and was != memory.changed_at:
        changed.update({key: want[key] for key in ("timestamp", "generated") if key in want})
    have, new = values.get("generated", ""), want.get("generated")
    if _without_moment(have, zone) != _without_moment(memory.extra.get("generated", ""), zone):
        changed["generated"] = new


def _without_moment(generated: Yaml, zone: tzinfo) -> Yaml:
    if not isinstance(generated, dict) or moment_in(generated, zone) is None:
        return generated
    return {key: value for key, value in generated.items() if key != "at"}


def _meaning(key: str, value: Yaml | None, memory: Memory, kind: str) -> object:
    """What a value of a known key says; values of equal meaning need no edit."""
    blank = value is None or value in _EMPTY or (key in _SPECIAL and isinstance(value, str) and not value.strip())
    codec = CODECS.get(key)
    try:
        if codec is not None:
            if blank or value is None:
                return codec.absent
            moment = getattr(memory, codec.field) if key in _MOMENTS else None
            read = codec.read(value, (moment.tzinfo if moment else None) or UTC)
            return (read.value, read.rest) if isinstance(read, Parsed) else read
        return _special_meaning(key, "" if blank or value is None else value, memory, kind)
    except BadValueError:
        return ("as it stands", value)


def _special_meaning(key: str, value: Yaml, memory: Memory, kind: str) -> object:
    match key:
        case "type":
            return read_text(value) or kind
        case "title":
            return read_text(value) or title_standing_in(memory)
        case "uid":
            return read_uid(value) if value else derived_uid(memory.id)
        case "status":
            return read_state(value, memory.kind) if value else State.ACTIVE
        case _:
            read = read_source(value or {}, verified=checked_by_a_person(memory.extra.get("verified", "")))
            return (read.value, read.rest)
