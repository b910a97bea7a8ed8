"""From what a caller asks to be remembered to a memory: an id, a title, moments, a scope, and what it cites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic.domain.ids import MemoryId, memory_id
from mnemic.domain.kinds import kind_named
from mnemic.domain.memory import Memory, Privacy, Scope
from mnemic.errors import IdTakenError, InvalidMemoryError, MemoryNotFoundError
from mnemic.services.judging.citations import cited
from mnemic.services.judging.corrections import check_replaceable
from mnemic.services.judging.guards import check_agents, check_id
from mnemic.services.judging.sealed import neutral_id
from mnemic.text.quoting import visible

if TYPE_CHECKING:
    from mnemic.domain.drafts import Draft
    from mnemic.services.bundle import Bundle

TITLE_CHARACTERS = 72
"""A title taken from a text is cut here, at a word."""


def drafted(bundle: Bundle, draft: Draft) -> Memory:
    """The memory that a draft asks for, before the guards have seen it.

    Raises:
        InvalidMemoryError: There is nothing to remember, it replaces itself, or it needs a scope and has none.
        InvalidIdError, IdTakenError: It cannot have its id.
        SecretRefusedError: The id holds a credential.
        OriginRefusedError: An agent vouches for it.
        InvalidCitationError, CitationRefusedError, NotFoundError: What it cites cannot be looked up.
    """
    if not visible(draft.body).strip() and not visible(draft.title).strip():
        raise InvalidMemoryError("text", "there is nothing to remember", hint="Give a text, or - to read one.")
    now = bundle.clock.now()
    title = " ".join(draft.title.split()) or title_of(draft.body)
    kind = draft.kind.strip() or "note"
    chosen = memory_id(draft.id) if draft.id else _proposed(bundle, kind, title, draft.privacy)
    check_replaceable(chosen, draft.supersedes)
    check_agents(draft)
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
        result=draft.result,
        salience=draft.salience,
        confidence=draft.confidence,
        privacy=draft.privacy,
        provenance=cited(bundle, draft),
        claim=draft.claim,
        scope=_scope(bundle, kind, draft.scope),
        loading=draft.loading,
    )


def _scope(bundle: Bundle, kind: str, given: Scope) -> Scope:
    """As given; a kind that must say whose it is gets the bundle's own where nobody says so."""
    if given != Scope() or not kind_named(kind).scoped:
        return given
    if bundle.scope == Scope():
        raise InvalidMemoryError("scope", f"a memory of kind {kind} needs one", hint="Say whose it is: --user NAME")
    return bundle.scope


def _proposed(bundle: Bundle, kind: str, title: str, privacy: Privacy) -> MemoryId:
    return neutral_id(bundle) if privacy is Privacy.SENSITIVE else bundle.store.propose_id(kind, title)


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
