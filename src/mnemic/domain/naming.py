"""Where a memory names another one in its fields, or turns that it cites; and those fields without that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from mnemic.domain.citations import FILE_PREFIX, parse_citation
from mnemic.domain.ids import collision_key, parse_turn_id
from mnemic.domain.links import names_of
from mnemic.errors import InvalidCitationError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from mnemic.domain.memory import Memory, Yaml
    from mnemic.domain.provenance import Provenance

DERIVED_FROM: Final = ("derived_from", "derived-from", "derived from")
"""Front-matter keys under which people and programs write what a memory was made from."""
SUSPICIOUS: Final = "suspicious"
READ_WITH: Final = "with"
"""Front-matter keys under which stands after which memories one was read when it was quarantined."""


def renamed(memory: Memory, old: Collection[str], new: str = "", *, called: bool = False) -> dict[str, object]:
    """The fields in which another memory is named, with its new name, or without it; empty where none does.

    What was cited of it is cited no more: a digest of words that are gone would let them be guessed.

    Args:
        memory: Whose fields.
        old: What the other one is and was called: ids and its uid.
        new: What it is called now; empty: it is gone.
        called: Its short name calls it too, since it is knowledge or a workflow.
    """
    keys = frozenset(map(_key, old))
    short = frozenset(key.rpartition("/")[2] for key in keys) if called else frozenset()
    fields: dict[str, object] = {
        "supersedes": _listed(memory.supersedes, keys, new),
        "superseded_by": _listed(memory.superseded_by, keys, new),
        "outcome_of": new if _key(memory.outcome_of) in keys else memory.outcome_of,
        "requires": _listed(memory.requires, keys | short, new.rpartition("/")[2]),
        "provenance": _source(memory.provenance, keys, new),
        "extra": _extra(memory.extra, keys, new),
    }
    return {name: value for name, value in fields.items() if value != getattr(memory, name)}


def uncited(memory: Memory, turns: Mapping[str, Collection[int] | None]) -> dict[str, object]:
    """Its provenance without the turns that it cites of these, and without their digest; empty where it cites none.

    Args:
        memory: Which session it was said in stays; so do numbers of turns without a digest, which tell nothing.
        turns: Numbers of turns by session; with None all of them.
    """
    source = memory.provenance
    if (said := parse_turn_id(source.locator)) and _is_among(said[0], () if said[1] is None else (said[1],), turns):
        source = replace(source, locator="", sha256="")
    if source.sha256 and source.session and _is_among(source.session, source.turns, turns):
        source = replace(source, turns=(), sha256="")
    return {"provenance": source} if source != memory.provenance else {}


def _is_among(session: str, numbers: Collection[int], turns: Mapping[str, Collection[int] | None]) -> bool:
    if session not in turns:
        return False
    wanted = turns[session]
    return wanted is None or not set(wanted).isdisjoint(numbers)


def _key(name: str) -> str:
    plain = name.strip().removeprefix("[[").removesuffix("]]").lstrip("#/").partition("#")[0].partition("|")[0]
    return collision_key(plain.removesuffix(".md"))


def _listed(names: Sequence[str], keys: Collection[str], new: str) -> tuple[str, ...]:
    if not any(_key(name) in keys for name in names):
        return tuple(names)
    kept = (new if _key(name) in keys else name for name in names)
    return tuple(dict.fromkeys(filter(None, kept)))


def _source(source: Provenance, keys: Collection[str], new: str) -> Provenance:
    locator = source.locator
    if locator and _key(locator) in keys:
        return replace(source, locator=new, sha256="")
    if not locator.startswith(FILE_PREFIX):
        return source
    try:
        found = parse_citation(locator.removeprefix(FILE_PREFIX))
    except InvalidCitationError:
        return source
    named = getattr(found, "path", "")
    return replace(source, locator="", sha256="") if named and _key(named) in keys else source


def _extra(extra: Mapping[str, Yaml], keys: Collection[str], new: str) -> Mapping[str, Yaml]:
    found = {name: _names(extra[name], keys, new) for name in DERIVED_FROM if name in extra}
    told = extra.get(SUSPICIOUS)
    if isinstance(told, dict) and READ_WITH in told:
        kept = {**told, READ_WITH: _names(told[READ_WITH], keys, new)}
        found[SUSPICIOUS] = {name: value for name, value in kept.items() if value or name != READ_WITH}
    if all(found[name] == extra[name] for name in found):
        return extra
    whole: Iterable[tuple[str, Yaml]] = {**extra, **found}.items()
    return {name: value for name, value in whole if value or name not in found}


def _names(value: Yaml, keys: Collection[str], new: str) -> Yaml:
    """A list of names, or names between commas, in the form that it has."""
    names = names_of(value)
    if not any(_key(name) in keys for name in names):
        return value
    kept = _listed(names, keys, new)
    if isinstance(value, str):
        return ", ".join(kept)
    found: list[Yaml] = [*kept]
    return found
