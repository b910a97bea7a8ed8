"""The one way a memory is written: by the CLI, an agent, an importer or a background writer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mnemic.domain.changes import ChangeSet, Put
from mnemic.domain.contradictions import Doubt
from mnemic.domain.drafts import Draft, Remembered, Warned
from mnemic.domain.ids import MemoryId, memory_id
from mnemic.domain.memory import Memory, State
from mnemic.domain.revision import revision
from mnemic.errors import IdTakenError, InvalidMemoryError, MemoryNotFoundError
from mnemic.services.contradict import MOST_TOLD, claim_told, claimed_otherwise, claims_apart, may_contradict
from mnemic.services.guards import check_id, check_may_replace, guarded
from mnemic.services.quarantine import examined_with_others
from mnemic.services.record import keep
from mnemic.services.refresh import index_written, refresh
from mnemic.services.similar import similar_memories
from mnemic.text.quoting import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from mnemic.domain.contradictions import Contradiction
    from mnemic.domain.documents import Located
    from mnemic.services.bundle import Bundle

TITLE_CHARACTERS = 72
"""A title taken from a text is cut here, at a word."""
_TRIES = 10
"""So often another id is looked for when somebody else takes the proposed one at the same moment."""


def remember(bundle: Bundle, draft: Draft) -> Remembered:
    """Write a new memory, unless the same one is there already.

    Returns:
        The memory as written, or, with `created` False, the one that already says this. Warnings name near
        duplicates, contradictions (the newcomer is then quarantined), what it may contradict, and redactions.

    Raises:
        InvalidMemoryError, InvalidIdError: The draft breaks a rule.
        SecretRefusedError, LimitExceededError, OriginRefusedError, PrivacyRefusedError: A guard refused it.
        MemoryNotFoundError: `supersedes` or `outcome_of` names nothing.
        IdTakenError: The id asked for is in use.
        ReadOnlyBundleError, BundleBusyError, WriteFailedError: The bundle cannot be written.
    """
    for left in reversed(range(_TRIES)):
        try:
            return _remember(bundle, draft)
        except IdTakenError:
            # Whoever took the id may have said the same, or something else under the same title.
            if draft.id or not left:
                raise
    raise AssertionError("the last try returns or raises")


def _remember(bundle: Bundle, draft: Draft) -> Remembered:
    wanted = _memory(bundle, draft)
    memory, warnings = guarded(wanted, bundle.policy)
    if memory != wanted:
        # A title of our making and the proposed id come from texts as they were given: of a secret that a cut went
        # through they may hold a half, which no rule knows.
        title = memory.title if draft.title.strip() else title_of(memory.body)
        chosen = memory.id if draft.id else bundle.store.propose_id(memory.kind, title)
        memory = replace(memory, title=title, id=chosen)
    # After an id was chosen: what somebody else writes before is seen here, what comes later meets that id.
    refresh(bundle)
    replaced = _each_once(bundle.store.find(given) for given in draft.supersedes)
    for old in replaced:
        check_may_replace(memory, old.memory, bundle.policy)
    memory = replace(memory, supersedes=tuple(old.memory.id for old in replaced))
    if draft.outcome_of:
        memory = replace(memory, outcome_of=bundle.store.find(draft.outcome_of).memory.id)
    exact, near = similar_memories(bundle, memory)
    if exact is not None and not draft.id and not draft.supersedes:
        return Remembered(
            memory=exact.memory,
            revision=exact.revision,
            path=exact.path,
            created=False,
            warnings=(Warned(code="duplicate", message=f"{exact.memory.id} already says this; nothing was written"),),
        )
    memory, suspicions = examined_with_others(bundle, memory)
    warnings += suspicions
    memory, contradictions = _against_contradictions(bundle, memory, replaced, worded=True)
    # What may be opposed is not nearly the same, however alike it is worded.
    against = {statement.id for warned in contradictions for statement in warned.statements}
    warnings += tuple(
        Warned(code="near_duplicate", message=f"{other} says nearly the same") for other in near if other not in against
    )
    return _written(bundle, _change(memory, replaced), memory, (*warnings, *contradictions), replaced)


def revise(bundle: Bundle, located: Located, /, **fields: object) -> Remembered:
    """Change fields of a memory that was read; a change that means nothing writes nothing.

    Raises:
        MemoryChangedError: It is not what `located` says any more; and all that `remember` raises.
    """
    refresh(bundle)
    changed = located.memory.changed(bundle.clock.now(), **fields)
    if revision(changed) == located.revision:
        return Remembered(memory=located.memory, revision=located.revision, path=located.path, created=False)
    old = located.memory
    check_may_replace(changed, old, bundle.policy)
    clean, warnings = guarded(changed, bundle.policy)
    worded = (clean.title, clean.body, clean.valid_from, clean.valid_until) != (
        *(old.title, old.body, old.valid_from, old.valid_until),
    )
    clean, contradictions = _against_contradictions(bundle, clean, [located], worded=worded)
    change = ChangeSet(puts=(Put(clean, located.revision),), summary=f"Update {clean.id}")
    return _written(bundle, change, clean, (*warnings, *contradictions), [located])


def reinstate(bundle: Bundle, located: Located, /, **fields: object) -> Remembered:
    """Make a quarantined memory active, and let it take the place of what it supersedes.

    Nothing is written, and the warnings say why, when it would be quarantined again.

    Raises:
        MemoryChangedError: It is not what `located` says any more; and all that `remember` raises.
    """
    refresh(bundle)
    wanted = located.memory.changed(bundle.clock.now(), state=State.ACTIVE, **fields)
    memory, warnings = guarded(wanted, bundle.policy)
    replaced = [old for name in memory.supersedes if (old := _still_active(bundle, name)) is not None]
    for old in replaced:
        check_may_replace(memory, old.memory, bundle.policy)
    against = claimed_otherwise(bundle, memory, {old.memory.id for old in replaced})
    if against or memory.state is State.QUARANTINED:
        warnings += tuple(_stands_against(memory, other.memory) for other in against[:MOST_TOLD])
        return Remembered(
            memory=located.memory, revision=located.revision, path=located.path, created=False, warnings=warnings
        )
    change = _change(memory, replaced, read=located.revision)
    return _written(bundle, change, memory, warnings, [located, *replaced])


def _stands_against(memory: Memory, other: Memory) -> Warned:
    mine, theirs = claims_apart(memory, other)
    return Warned(
        code=Doubt.CONTRADICTION,
        message=f"{theirs.id} claims {theirs.text}, and this one {mine.text}",
        statements=(mine, theirs),
    )


def _still_active(bundle: Bundle, name: MemoryId) -> Located | None:
    try:
        located = bundle.store.find(name)
    except MemoryNotFoundError:
        return None
    return located if located.memory.state is State.ACTIVE else None


def _memory(bundle: Bundle, draft: Draft) -> Memory:
    if not visible(draft.body).strip() and not visible(draft.title).strip():
        raise InvalidMemoryError("text", "there is nothing to remember", hint="Give a text, or - to read one.")
    now = bundle.clock.now()
    title = " ".join(draft.title.split()) or title_of(draft.body)
    kind = draft.kind.strip() or "note"
    chosen = memory_id(draft.id) if draft.id else bundle.store.propose_id(kind, title)
    if draft.id:
        check_id(chosen)
        _check_free(bundle, chosen)
    return Memory(
        uid=bundle.ids.new(),
        id=chosen,
        kind=kind,
        title=title,
        body=draft.body,
        recorded_at=now,
        changed_at=now,
        description=draft.description,
        tags=draft.tags,
        resource=draft.resource,
        valid_from=draft.valid_from,
        valid_until=draft.valid_until,
        due=draft.due,
        on_event=" ".join(draft.on_event.split()),
        supersedes=tuple(memory_id(given) for given in draft.supersedes),
        outcome_of=draft.outcome_of,
        salience=draft.salience,
        confidence=draft.confidence,
        privacy=draft.privacy,
        provenance=draft.provenance,
        claim=draft.claim,
        scope=draft.scope,
        loading=draft.loading,
    )


def _each_once(found: Iterable[Located]) -> list[Located]:
    return list({located.memory.id: located for located in found}.values())


def title_of(body: str) -> str:
    """A title from the first line that says something, without Markdown signs, cut at a word."""
    line = next((text for raw in body.splitlines() if (text := raw.strip().lstrip("#>*-+ \t").strip())), "untitled")
    if len(line) <= TITLE_CHARACTERS:
        return line.rstrip(".")
    cut = line[: TITLE_CHARACTERS - 1]
    return (cut[: cut.rfind(" ")] if " " in cut else cut).rstrip(" ,;:.") + "…"


def _check_free(bundle: Bundle, chosen: MemoryId) -> None:
    try:
        taken = bundle.store.find(chosen)
    except MemoryNotFoundError:
        return
    raise IdTakenError(chosen, taken_by=taken.path)


def _against_contradictions(
    bundle: Bundle, memory: Memory, replaced: Sequence[Located], *, worded: bool
) -> tuple[Memory, tuple[Warned, ...]]:
    """The memory, quarantined when an active one claims otherwise; the old statement always stands.

    Args:
        bundle: Its index must be up to date.
        memory: As it is to be written.
        replaced: What it may contradict, since it takes their place.
        worded: Its words are new: what they only seem to contradict is told too, and changes nothing.
    """
    if memory.state is not State.ACTIVE:
        return memory, ()
    settled = {located.memory.id for located in replaced}
    against = claimed_otherwise(bundle, memory, settled)
    settled |= {other.memory.id for other in against}
    doubts = map(_doubted, may_contradict(bundle, memory, settled)) if worded else ()
    told = (*map(_contradicted, against), *doubts)
    return (replace(memory, state=State.QUARANTINED) if against else memory), told


def _contradicted(other: Located) -> Warned:
    return Warned(
        code=Doubt.CONTRADICTION,
        message=f"{other.memory.id} claims {claim_told(other.memory)}; this one is quarantined. "
        f"To replace it: --supersedes {other.memory.id}",
    )


def _doubted(doubt: Contradiction) -> Warned:
    return Warned(
        code=doubt.doubt,
        message=f"this may contradict {doubt.other.id}: “{doubt.one.text}” against “{doubt.other.text}”",
        statements=(doubt.one, doubt.other),
    )


def _change(memory: Memory, replaced: Sequence[Located], *, read: str | None = None) -> ChangeSet:
    """The memory and, unless it waits in quarantine, the end of those it replaces. `read`: its revision so far."""
    if memory.state is State.QUARANTINED:
        replaced = ()
    olds = tuple(
        Put(
            old.memory.changed(
                memory.changed_at,
                state=State.SUPERSEDED,
                superseded_by=tuple(dict.fromkeys((*old.memory.superseded_by, memory.id))),
                valid_until=_was_so_until(old.memory, memory),
            ),
            old.revision,
        )
        for old in replaced
    )
    return ChangeSet(puts=(Put(memory, read), *olds), summary=f"Remember {memory.id}")


def _was_so_until(old: Memory, new: Memory) -> datetime | None:
    """Where the new one says since when it is so, the old one was so until then; else it was a mistake all along."""
    begun = new.valid_from
    if begun is None or (old.valid_from is not None and old.valid_from >= begun):
        return old.valid_until
    return begun if old.valid_until is None else min(begun, old.valid_until)


def _written(
    bundle: Bundle, change: ChangeSet, memory: Memory, warnings: tuple[Warned, ...], olds: Sequence[Located]
) -> Remembered:
    """Apply it; what it overwrites (`olds`, as they were read) is in the history before."""
    for old in olds:
        keep(bundle, old.memory)
    applied = bundle.store.apply(change)
    unkept = index_written(bundle, [located.path for located in applied.written])
    done = {located.memory.id: located for located in (*applied.written, *applied.unchanged)}
    located = done[memory.id]
    return Remembered(
        memory=located.memory,
        revision=located.revision,
        path=located.path,
        created=bool(applied.written),
        warnings=(*warnings, *(Warned(code="history", message=note) for note in unkept)),
    )
