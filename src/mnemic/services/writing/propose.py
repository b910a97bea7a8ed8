"""Proposing a change set: guarded as a write is, told once, and not told again after a person said no."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from unicodedata import normalize

from mnemic.domain.claims import claim_key, normal_claim
from mnemic.domain.kinds import kind_named
from mnemic.domain.memory import Memory, Privacy, State
from mnemic.domain.policy import OnSecret
from mnemic.domain.proposals import Proposal, Verdict
from mnemic.domain.provenance import Origin, is_ones_own
from mnemic.domain.revision import revision
from mnemic.domain.versions import to_bytes
from mnemic.errors import InvalidMemoryError, PrivacyRefusedError, ProposalDamagedError, ProposalNotFoundError
from mnemic.services.judging.guards import guarded, without_secrets
from mnemic.text.secret_rules import find_secrets, redact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemic.domain.policy import Policy
    from mnemic.domain.proposals import Step
    from mnemic.services.bundle import Bundle

_ID_COLUMNS: Final = 46
"""Of the words in a name: with day, aim and a number it stands on a line of a terminal, and in a file system."""
_NOT_THE_CHANGE: Final = frozenset({"uid", "id", "recorded_at", "changed_at", "confidence", "salience", "provenance"})
"""Of a new memory these differ whenever the same is proposed once more."""


def propose(bundle: Bundle, proposal: Proposal) -> Proposal:
    """Keep a proposal until a person decides about it.

    What only a person may write (a belief out of a model's words, a workflow) is marked as verified in it: the diff
    shows that, and the approval is what vouches for it.

    Args:
        bundle: Where its memories are.
        proposal: Without an `id` it gets one; what it says is kept, but for secrets in its own words.

    Returns:
        The proposal that stands now: this one; or the one that waits with the same change already, with the evidence
        of this one where that tells more; or the one with the same change that a person rejected or undid, if nothing
        new speaks for it since. So look at its verdict.

    Raises:
        InvalidMemoryError: It changes nothing.
        SecretRefusedError, LimitExceededError, PrivacyRefusedError: A guard refused one of its memories.
        ReadOnlyBundleError, BundleBusyError, WriteFailedError: The bundle cannot be written.
    """
    wanted = _cleaned(bundle, proposal)
    key = change_key(wanted)
    with bundle.proposals.locked():
        known = [each for each in readable(bundle) if change_key(each) == key]
        for each in known:
            news = _news(wanted, each)
            if each.verdict is Verdict.WAITING:
                if not news and _read_alike(wanted, each):
                    return each
                return _kept(bundle, replace(wanted, id=each.id, steps=_as_shown(wanted, each)))
            if each.verdict in {Verdict.APPLYING, Verdict.UNDOING}:
                return each
        refused = [each for each in known if each.verdict in {Verdict.REJECTED, Verdict.UNDONE}]
        for each in refused:
            if not _news(wanted, each):
                return each
        return _kept(bundle, replace(wanted, id=_free(bundle, wanted)))


def readable(bundle: Bundle) -> Iterator[Proposal]:
    """Every proposal whose file is sound, by id."""
    for each in bundle.proposals.ids():
        try:
            yield bundle.proposals.read(each)
        except (ProposalDamagedError, ProposalNotFoundError):
            continue


def change_key(proposal: Proposal) -> str:
    """What tells a change from any other: the claim it promotes, or what it does to which memories."""
    if (support := proposal.support) is not None:
        whose = sorted(
            {(each.user, each.agent, each.project) for each in (step.after.scope for step in proposal.steps)}
        )
        change: object = [claim_key(support.claim_key), normal_claim(support.claim_value), whose]
    else:
        change = sorted((_change(step) for step in proposal.steps), key=json.dumps)
    return sha256(json.dumps([proposal.aim, change], sort_keys=True).encode()).hexdigest()


def _change(step: Step) -> list[Any]:
    after = _told(step.after)
    if step.before is None:
        return ["", {name: value for name, value in after.items() if name not in _NOT_THE_CHANGE}]
    before = _told(step.before)
    changed = {name for name in before | after if before.get(name) != after.get(name)} - {"changed_at"}
    return [step.before.uid, {name: after.get(name) for name in sorted(changed)}]


def _told(memory: Memory) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(to_bytes(memory).decode("utf-8", "surrogatepass"))
    return told


def _news(wanted: Proposal, known: Proposal) -> bool:
    """Whether something speaks for it that did not before."""
    return not {each.id for each in wanted.evidence} <= {each.id for each in known.evidence}


def _read_alike(wanted: Proposal, known: Proposal) -> bool:
    """Whether both mean the same versions of the memories they change."""
    return {step.revision for step in wanted.steps} == {step.revision for step in known.steps}


def _as_shown(wanted: Proposal, known: Proposal) -> tuple[Step, ...]:
    """The steps that are proposed anew, with the words of those that wait: a person may have read them already.

    Of one claim many memories say each in its own words; whoever tells it once more must not choose the words that
    an approval lets in. What says how sure it is, and of what it is made, is of now.
    """
    if [step.before for step in (*wanted.steps, *known.steps)] != [None, None]:
        return wanted.steps
    (new,), (old,) = wanted.steps, known.steps
    after = replace(old.after, confidence=new.after.confidence, extra=new.after.extra)
    return (replace(new, after=after),)


def _kept(bundle: Bundle, proposal: Proposal) -> Proposal:
    bundle.proposals.write(proposal)
    return proposal


# -- what may be proposed ----------------------------------------------------------------------------------------


def _cleaned(bundle: Bundle, proposal: Proposal) -> Proposal:
    policy = bundle.policy
    steps = tuple(_guarded(step, policy) for step in proposal.steps)
    changing = [step for step in steps if step.before is None or revision(step.after) != step.revision]
    if not changing:
        raise InvalidMemoryError("steps", "the proposal changes nothing")
    return replace(
        proposal,
        title=_redacted(" ".join(proposal.title.split()))[: policy.limits.title_characters],
        why=_redacted(proposal.why),
        evidence=tuple(replace(each, text=_redacted(each.text)) for each in proposal.evidence),
        steps=tuple(changing),
        verdict=Verdict.WAITING,
        decided_at=None,
        decided_by="",
        decision="",
    )


def _guarded(step: Step, policy: Policy) -> Step:
    before = step.before
    if before is not None:
        if before.uid != step.after.uid or before.id != step.after.id:
            raise InvalidMemoryError("steps", f"a proposal leaves the names of {before.id} as they are")
        if before.privacy is Privacy.SENSITIVE:
            raise PrivacyRefusedError(
                f"{before.id} is sensitive: it is not copied into a proposal.", hint="Change it by hand."
            )
        without_secrets(before, OnSecret.REFUSE)  # a proposal is one more place where it would stand
    if step.after.privacy is Privacy.SENSITIVE:
        raise PrivacyRefusedError(
            "What is sensitive is not proposed: a proposal is a plain file.", hint="Change it by hand."
        )
    after = step.after
    if not only_put_away(step):
        wanted = vouched(after)
        clean, _ = guarded(wanted, policy)
        # Signs of injection count when it is approved; a person reads it before.
        after = replace(clean, state=wanted.state, extra=wanted.extra)
    found = revision(before) if before is not None and not step.revision else step.revision
    return replace(step, after=after, revision=found, applied="")


def only_put_away(step: Step) -> bool:
    """Whether a memory goes out of sight and says nothing else than before: that no guard need look at."""
    if step.before is None or step.after.state not in {State.SUPERSEDED, State.ARCHIVED}:
        return False
    after = step.after
    put_away = replace(step.before, state=after.state, superseded_by=after.superseded_by, valid_until=after.valid_until)
    return revision(put_away) == revision(after)


def vouched(memory: Memory) -> Memory:
    """The memory as a person's approval makes it: verified, where its origin alone could not have written it."""
    source = memory.provenance
    if is_ones_own(source.origin, verified=source.verified):
        return memory
    kind = kind_named(memory.kind)
    if kind.people_only or (kind.name == "belief" and source.origin is Origin.MODEL):
        return replace(memory, provenance=replace(source, verified=True))
    return memory


def _redacted(text: str) -> str:
    found = find_secrets(text)
    return redact(text, found) if found else text


# -- names -------------------------------------------------------------------------------------------------------


def _free(bundle: Bundle, proposal: Proposal) -> str:
    taken = set(bundle.proposals.ids())
    wanted = proposal.id or _name_of(bundle, proposal)
    names = (wanted if number == 1 else f"{wanted}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def _name_of(bundle: Bundle, proposal: Proposal) -> str:
    """`2026-05-03-promote-anna-city`."""
    support = proposal.support
    words = f"{support.claim_key} {support.claim_value}" if support is not None else proposal.title
    day = proposal.made_at.astimezone(bundle.zone).date().isoformat()
    plain = "".join(char if char.isalnum() else "-" for char in normalize("NFKC", words).lower()[:1_000])
    slug = normalize("NFC", "-".join(filter(None, plain.split("-"))))
    while sum(1 if char.isascii() else 2 for char in slug) > _ID_COLUMNS:
        slug = slug.rpartition("-")[0] or slug[: len(slug) // 2]
    return "-".join(filter(None, (day, str(proposal.aim), slug)))
