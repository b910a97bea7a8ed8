"""The one way a memory is written: by the CLI, an agent, an importer or a background writer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mnemic.domain.changes import ChangeSet, Put
from mnemic.domain.contradictions import Doubt
from mnemic.domain.drafts import Draft, Remembered, Warned
from mnemic.domain.ids import collision_key
from mnemic.domain.memory import Memory, Privacy, State
from mnemic.domain.revision import revision
from mnemic.errors import IdTakenError
from mnemic.services.judging.contradict import MOST_TOLD, claim_told, claimed_otherwise, claims_apart, may_contradict
from mnemic.services.judging.corrections import replaced_by, within
from mnemic.services.judging.guards import check_may_replace, guarded
from mnemic.services.judging.quarantine import examined_with_others
from mnemic.services.judging.sealed import opened, unsealed_over, written
from mnemic.services.judging.similar import similar_memories
from mnemic.services.upkeep.record import keep
from mnemic.services.upkeep.refresh import index_written, refresh
from mnemic.services.writing.drafting import drafted, title_of
from mnemic.services.writing.supersession import offered, still_active, superseded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.domain.contradictions import Contradiction
    from mnemic.domain.documents import Located
    from mnemic.services.bundle import Bundle

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
        InvalidCitationError, CitationRefusedError, NotFoundError: What it cites cannot be looked up.
        IdTakenError: The id asked for is in use.
        ReadOnlyBundleError, BundleBusyError, WriteFailedError: The bundle cannot be written.
    """
    for left in reversed(range(_TRIES)):
        try:
            return offered(bundle, _remember(bundle, draft))
        except IdTakenError:
            # Whoever took the id may have said the same, or something else under the same title.
            if draft.id or not left:
                raise
    raise AssertionError("the last try returns or raises")


def _remember(bundle: Bundle, draft: Draft) -> Remembered:
    draft = replace(draft, supersedes=within(bundle, draft.supersedes))
    wanted = drafted(bundle, draft)
    memory, warnings = guarded(wanted, bundle.policy)
    if memory != wanted:
        # A title of our making and the proposed id come from texts as they were given: of a secret that a cut went
        # through they may hold a half, which no rule knows.
        title = memory.title if draft.title.strip() else title_of(memory.body)
        named = draft.id or memory.privacy is Privacy.SENSITIVE
        chosen = memory.id if named else bundle.store.propose_id(memory.kind, title)
        memory = replace(memory, title=title, id=chosen)
    # After an id was chosen: what somebody else writes before is seen here, what comes later meets that id.
    refresh(bundle)
    replaced = replaced_by(bundle, memory, draft.supersedes)
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
            warnings=(Warned(code="duplicate", message=_said_already(exact.memory, memory)),),
        )
    memory, suspicions = examined_with_others(bundle, memory)
    warnings += suspicions
    open_ = memory.privacy is not Privacy.SENSITIVE
    memory, contradictions = _against_contradictions(bundle, memory, replaced, worded=open_)
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
    old = opened(bundle, located)
    text = str(fields.get("body", "")).strip()
    if text and "title" not in fields and old.title == title_of(old.body):
        fields = {**fields, "title": title_of(text)}  # it was taken from the text, and goes with it
    changed = old.changed(bundle.clock.now(), **fields)
    if revision(changed) == revision(old) and (old is not located.memory or changed.privacy is not Privacy.SENSITIVE):
        return Remembered(memory=located.memory, revision=located.revision, path=located.path, created=False)
    check_may_replace(changed, old, bundle.policy)
    known = set(map(collision_key, old.supersedes))
    replaced = replaced_by(bundle, changed, [each for each in changed.supersedes if collision_key(each) not in known])
    for one in replaced:
        check_may_replace(changed, one.memory, bundle.policy)
    kept = (each for each in changed.supersedes if collision_key(each) in known)
    names = (*kept, *(one.memory.id for one in replaced))
    clean, warnings = guarded(replace(changed, supersedes=names), bundle.policy)
    worded = (clean.title, clean.body, clean.valid_from, clean.valid_until) != (
        *(old.title, old.body, old.valid_from, old.valid_until),
    )
    if clean.privacy is Privacy.SENSITIVE:
        worded = False
    else:
        clean, opening = unsealed_over(located, clean)
        warnings += opening
    clean, contradictions = _against_contradictions(bundle, clean, [located, *replaced], worded=worded)
    change = replace(_change(clean, replaced, read=located.revision), summary=f"Update {clean.id}")
    return offered(bundle, _written(bundle, change, clean, (*warnings, *contradictions), [located, *replaced]))


def reinstate(bundle: Bundle, located: Located, /, **fields: object) -> Remembered:
    """Make a quarantined memory active, and let it take the place of what it supersedes.

    Nothing is written, and the warnings say why, when it would be quarantined again.

    Raises:
        MemoryChangedError: It is not what `located` says any more; and all that `remember` raises.
    """
    refresh(bundle)
    wanted = opened(bundle, located).changed(bundle.clock.now(), state=State.ACTIVE, **fields)
    memory, warnings = guarded(wanted, bundle.policy)
    replaced = [old for name in memory.supersedes if (old := still_active(bundle, name)) is not None]
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


def _said_already(there: Memory, wanted: Memory) -> str:
    if wanted.privacy is Privacy.SENSITIVE:
        way = f"to keep it encrypted: mnemic edit {there.id} --privacy sensitive"
        return f"{there.id} already says this, in plain text; nothing was written; {way}"
    return f"{there.id} already says this; nothing was written"


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
    olds = tuple(Put(superseded(old.memory, memory).changed(memory.changed_at), old.revision) for old in replaced)
    return ChangeSet(puts=(Put(memory, read), *olds), summary=f"Remember {memory.id}")


def _written(
    bundle: Bundle, change: ChangeSet, memory: Memory, warnings: tuple[Warned, ...], olds: Sequence[Located]
) -> Remembered:
    """Apply it; what it overwrites (`olds`, as they were read) is in the history before."""
    for old in olds:
        keep(bundle, old.memory)
    if memory.privacy is Privacy.SENSITIVE:
        before = None if change.puts[0].expected is None else olds[0]
        located, applied, told = written(bundle, change, before)
        warnings += told
    else:
        applied = bundle.store.apply(change)
        done = {each.memory.id: each for each in (*applied.written, *applied.unchanged)}
        located = done[memory.id]
    unkept = index_written(bundle, [each.path for each in applied.written])
    return Remembered(
        memory=located.memory,
        revision=located.revision,
        path=located.path,
        created=bool(applied.written),
        warnings=(*warnings, *(Warned(code="history", message=note) for note in unkept)),
    )
