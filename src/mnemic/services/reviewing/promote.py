"""Promotion: what several independent sources claim, and nobody claims otherwise, may become a belief."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from mnemic.domain.claims import claim_key, normal_claim
from mnemic.domain.memory import Claim, Memory, Privacy, Scope
from mnemic.domain.proposals import Aim, Proposal, Step, Support, Verdict
from mnemic.domain.sources import DERIVED_FROM
from mnemic.services.reviewing.holdings import MADE_BY, MOST_EVIDENCE, cut, evidence_of
from mnemic.services.reviewing.weigh_claims import whose_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mnemic.domain.documents import Located
    from mnemic.domain.memory import Yaml
    from mnemic.services.reviewing.holdings import Holdings
    from mnemic.services.reviewing.weigh_claims import Weighed

_BODY: Final = 400
_TITLE: Final = 80


def promotions(held: Holdings, weighed: Sequence[Weighed]) -> Iterator[Proposal]:
    """What eligible claims become: a new belief, or more confidence in the one that stands."""
    for one in weighed:
        if not one.support.eligible or not _is_news(held, one):
            continue
        if one.standing is None:
            yield _belief(held, one)
        elif one.support.confidence > one.standing.memory.confidence:
            yield _surer(held, one, one.standing)


def _is_news(held: Holdings, one: Weighed) -> bool:
    """Whether it was not proposed before; or, where that was decided, more sources than then speak for it."""
    for proposal in held.earlier:
        known = proposal.support
        if known is None or not _is_same(proposal, known, one):
            continue
        if proposal.verdict is Verdict.WAITING and held.fits(proposal):
            told = {each.id for each in proposal.evidence}
            same = normal_claim(known.claim_value) == normal_claim(one.support.claim_value)
            return same and not {memory.id for memory in one.memories[:MOST_EVIDENCE]} <= told
        if proposal.verdict is Verdict.APPLIED and one.standing is not None:
            continue
        if proposal.verdict is not Verdict.WAITING and one.support.independent_sources <= known.independent_sources:
            return False
    return True


def _is_same(proposal: Proposal, known: Support, one: Weighed) -> bool:
    if claim_key(known.claim_key) != one.support.claim_key or normal_claim(known.claim_value) not in one.written:
        return False
    return any(whose_of(step.after) == one.whose for step in proposal.steps)


def _belief(held: Holdings, one: Weighed) -> Proposal:
    best = one.witness
    begins = [memory.valid_from for memory in one.memories if memory.valid_from is not None]
    ends = [memory.valid_until for memory in one.memories if memory.valid_until is not None]
    title = cut(f"{one.support.claim_key}: {one.support.claim_value}", _TITLE)
    tags = dict.fromkeys(tag for memory in one.memories for tag in memory.tags)
    belief = Memory(
        uid=held.new_uid(MADE_BY, one.support.claim_key, one.support.claim_value, *one.whose),
        id=held.bundle.store.propose_id("belief", title),
        kind="belief",
        title=title,
        body=best.body if 0 < len(best.body.strip()) <= _BODY else cut(title, _BODY),
        recorded_at=held.now,
        changed_at=held.now,
        tags=tuple(tags)[: held.bundle.policy.limits.tags],
        # All of them vouch for the time that they have in common.
        valid_from=max(begins, default=None),
        valid_until=min(ends, default=None),
        salience=max(memory.salience for memory in one.memories),
        confidence=one.support.confidence,
        privacy=max((memory.privacy for memory in one.memories), key=list(Privacy).index),
        provenance=replace(best.provenance, actor=MADE_BY),
        claim=Claim(one.support.claim_key, one.support.claim_value),
        scope=Scope(**one.whose._asdict()),
        extra=_supports(one),
    )
    wanted = cut(f"Believe that {one.support.claim_key} = {one.support.claim_value}", _TITLE)
    return _proposal(held, one, Aim.PROMOTE, wanted, Step(after=belief))


def _surer(held: Holdings, one: Weighed, standing: Located) -> Proposal:
    belief = standing.memory
    after = belief.changed(held.now, confidence=one.support.confidence, extra={**belief.extra, **_supports(one)})
    title = f"Be surer of {belief.id}: {belief.confidence:.2f} becomes {after.confidence:.2f}"
    return _proposal(held, one, Aim.CHANGE, title, Step(after=after, before=belief, revision=standing.revision))


def _proposal(held: Holdings, one: Weighed, aim: Aim, title: str, step: Step) -> Proposal:
    return Proposal(
        id=held.proposal_id(aim, f"{one.support.claim_key} {one.support.claim_value}"),
        aim=aim,
        title=title,
        why=_why(one),
        made_at=held.now,
        made_by=MADE_BY,
        evidence=evidence_of(one.memories),
        steps=(step,),
        support=one.support,
    )


def _supports(one: Weighed) -> dict[str, Yaml]:
    names: list[Yaml] = [memory.id for memory in one.memories[:MOST_EVIDENCE]]
    return {DERIVED_FROM: names}


def _why(one: Weighed) -> str:
    verified = sum(memory.provenance.verified for memory in one.memories)
    claim = cut(f"{one.support.claim_key} = {one.support.claim_value}", _BODY)
    told = (
        f"{len(one.memories)} memories from {one.support.independent_sources} independent sources claim {claim}, and "
        f"none claims otherwise. {verified or 'None'} of them {'is' if verified == 1 else 'are'} verified."
    )
    if one.against:
        told += f" {len(one.against)} more proved wrong and weigh against it."
    return f"{told} That gives a confidence of {one.support.confidence:.2f}."
