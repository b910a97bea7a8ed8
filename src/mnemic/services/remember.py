"""The one way a memory is written: by the CLI, an agent, an importer or a background writer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mnemic.domain.changes import ChangeSet, Put
from mnemic.domain.claims import contradict, normal_claim
from mnemic.domain.drafts import Draft, Remembered, Warned
from mnemic.domain.ids import MemoryId, memory_id
from mnemic.domain.memory import Memory, State
from mnemic.domain.revision import revision
from mnemic.errors import IdTakenError, InvalidMemoryError, MemoryNotFoundError
from mnemic.services.guards import check_id, guarded
from mnemic.services.refresh import index_written, refresh
from mnemic.services.similar import similar_memories

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mnemic.domain.changes import Applied
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
        duplicates, contradictions (the newcomer is then quarantined) and redactions.

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
    warnings += tuple(Warned(code="near_duplicate", message=f"{other} says nearly the same") for other in near)
    memory, contradictions = _against_contradictions(bundle, memory, replaced)
    applied = bundle.store.apply(_change(memory, replaced))
    index_written(bundle, [located.path for located in applied.written])
    return _outcome(applied, memory, (*warnings, *contradictions))


def revise(bundle: Bundle, located: Located, /, **fields: object) -> Remembered:
    """Change fields of a memory that was read; a change that means nothing writes nothing.

    Raises:
        MemoryChangedError: It is not what `located` says any more; and all that `remember` raises.
    """
    refresh(bundle)
    changed = located.memory.changed(bundle.clock.now(), **fields)
    if revision(changed) == located.revision:
        return Remembered(memory=located.memory, revision=located.revision, path=located.path, created=False)
    clean, warnings = guarded(changed, bundle.policy)
    clean, contradictions = _against_contradictions(bundle, clean, [located])
    change = ChangeSet(puts=(Put(clean, located.revision),), summary=f"Update {clean.id}")
    applied = bundle.store.apply(change)
    index_written(bundle, [located.path for located in applied.written])
    return _outcome(applied, clean, (*warnings, *contradictions))


def _memory(bundle: Bundle, draft: Draft) -> Memory:
    if not draft.body.strip() and not draft.title.strip():
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
    bundle: Bundle, memory: Memory, replaced: Sequence[Located]
) -> tuple[Memory, tuple[Warned, ...]]:
    """The memory, quarantined when an active one claims otherwise; the old statement always stands."""
    if memory.claim is None or memory.state is not State.ACTIVE:
        return memory, ()
    settled = {located.memory.id for located in replaced}
    against = [
        other
        for other in _same_claim(bundle, normal_claim(memory.claim.key))
        if other.memory.id not in settled and contradict(memory, other.memory)
    ]
    if not against:
        return memory, ()
    told = tuple(
        Warned(
            code="contradiction",
            message=f"{other.memory.id} claims {other.memory.claim.key} = {other.memory.claim.value}; "
            f"this one is quarantined. To replace it: --supersedes {other.memory.id}",
        )
        for other in against
        if other.memory.claim is not None
    )
    return replace(memory, state=State.QUARANTINED), told


def _same_claim(bundle: Bundle, key: str) -> list[Located]:
    with bundle.index.reading() as index:
        rows = [row for row, _ in index.claims(key)]
        ids = [entry.id for entry in index.entries(rows).values()]
    return [bundle.store.find(found) for found in ids]


def _change(memory: Memory, replaced: Sequence[Located]) -> ChangeSet:
    olds = tuple(
        Put(
            old.memory.changed(
                memory.recorded_at,
                state=State.SUPERSEDED,
                superseded_by=tuple(dict.fromkeys((*old.memory.superseded_by, memory.id))),
            ),
            old.revision,
        )
        for old in replaced
    )
    return ChangeSet(puts=(Put(memory), *olds), summary=f"Remember {memory.id}")


def _outcome(applied: Applied, memory: Memory, warnings: tuple[Warned, ...]) -> Remembered:
    done = {located.memory.id: located for located in (*applied.written, *applied.unchanged)}
    located = done[memory.id]
    return Remembered(
        memory=located.memory,
        revision=located.revision,
        path=located.path,
        created=bool(applied.written),
        warnings=warnings,
    )
