"""What a person does with the memories in quarantine: look at them, release them, reject them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mnemic.domain.entries import Source, Where
from mnemic.domain.instants import format_instant
from mnemic.domain.memory import State
from mnemic.errors import InvalidMemoryError, NotFoundError
from mnemic.services.judging.contradict import claims_apart, told_otherwise
from mnemic.services.judging.quarantine import PERSON, REVIEWED, digest_of, reasons, text_of
from mnemic.services.upkeep.refresh import refresh
from mnemic.services.writing.remember import reinstate, revise
from mnemic.text.injection_signs import injection_signs

if TYPE_CHECKING:
    from mnemic.domain.documents import Located
    from mnemic.domain.drafts import Remembered
    from mnemic.domain.memory import Memory, Yaml
    from mnemic.services.bundle import Bundle
    from mnemic.text.injection_signs import Sign

_ALL: Final = 100_000
_SEE: Final = "See what is: mnemic quarantine list"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A memory in quarantine, the signs it shows, and the first of those that claim otherwise."""

    bundle: str
    located: Located
    signs: tuple[Sign, ...]
    against: tuple[Located, ...] = ()

    @property
    def why(self) -> tuple[str, ...]:
        """Each reason once, in words."""
        told = (*reasons(self.signs), *(self._against(other.memory) for other in self.against))
        if not told and (replaced := self.located.memory.supersedes):
            prefix = f"{self.bundle}:" if self.bundle else ""
            return (
                f"nothing any more: released, it takes the place of {', '.join(f'{prefix}{one}' for one in replaced)}",
            )
        return told or ("what it contradicted is put away by now, or somebody put it there",)

    @property
    def beside(self) -> dict[str, str]:
        """What would be let out besides title and text, by name: all that says something, or does."""
        memory = self.located.memory
        told = {
            "description": memory.description,
            "tags": ", ".join(memory.tags),
            "claim": f"{memory.claim.key} = {memory.claim.value}" if memory.claim else "",
            "resource": memory.resource,
            "on_event": memory.on_event,
            "requires": ", ".join(memory.requires),
            "outcome_of": memory.outcome_of,
            "supersedes": ", ".join(memory.supersedes),
            "load": str(memory.loading or ""),
        }
        return {name: text for name, text in told.items() if text}

    def _against(self, other: Memory) -> str:
        mine, theirs = claims_apart(self.located.memory, other)
        prefix = f"{self.bundle}:" if self.bundle else ""
        return f"it claims {mine.text}, and {prefix}{theirs.id} claims {theirs.text}"


def quarantine(bundle: Bundle, name: str = "") -> list[Suspect]:
    """Everything in a bundle's quarantine, by id. Its index must be up to date."""
    where = Where(sources=(Source.MEMORY,), states=(State.QUARANTINED,))
    with bundle.index.reading() as index:
        ids = sorted(entry.id for entry in index.entries(index.by_prior(where, _ALL)).values())
    return [_suspect(bundle, bundle.store.find(found), name) for found in ids]


def suspect(bundle: Bundle, given: str, name: str = "") -> Suspect:
    """A memory in quarantine with the signs it shows, whoever wrote it, and what it contradicts.

    Raises:
        NotFoundError: There is no such memory, or it is not in quarantine.
    """
    refresh(bundle)
    located = bundle.store.find(given)
    if located.memory.state is not State.QUARANTINED:
        raise NotFoundError(f"{located.memory.id} is {located.memory.state}, not in quarantine.", hint=_SEE)
    return _suspect(bundle, located, name)


def _suspect(bundle: Bundle, located: Located, name: str) -> Suspect:
    return Suspect(
        bundle=name,
        located=located,
        signs=injection_signs(text_of(located.memory)),
        against=tuple(told_otherwise(bundle, located.memory)),
    )


def release(bundle: Bundle, given: str) -> Remembered:
    """Let a memory out: active from now on, and what it supersedes is superseded. A person decides that.

    It stays in quarantine as long as it contradicts another memory: nothing is written, and the warnings say which.

    Raises:
        InvalidMemoryError: It is not in quarantine.
        MemoryNotFoundError: There is no such memory.
    """
    located = _held(bundle, given)
    return reinstate(bundle, located, extra=_verdict(bundle, located.memory, "released"))


def reject(bundle: Bundle, given: str) -> Remembered:
    """Put a memory away: archived, out of sight, with the verdict in it. A person decides that.

    Raises:
        InvalidMemoryError: It is not in quarantine.
        MemoryNotFoundError: There is no such memory.
    """
    located = _held(bundle, given)
    return revise(bundle, located, state=State.ARCHIVED, extra=_verdict(bundle, located.memory, "rejected"))


def _held(bundle: Bundle, given: str) -> Located:
    located = bundle.store.find(given)
    if located.memory.state is not State.QUARANTINED:
        raise InvalidMemoryError(
            "status",
            f"{located.memory.id} is {located.memory.state}, not in quarantine",
            hint=_SEE,
        )
    return located


def _verdict(bundle: Bundle, memory: Memory, verdict: str) -> dict[str, Yaml]:
    told: dict[str, Yaml] = {
        "verdict": verdict,
        "by": PERSON,
        "at": format_instant(bundle.clock.now()),
        "text": digest_of(memory),
    }
    return {**memory.extra, REVIEWED: told}
