"""`mnemic replay`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.session import WIDTH, CliSession, echo_json, failures, note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.domain.policy import ReplayRules
    from mnemic.domain.proposals import Proposal, Support
    from mnemic.services.reviewing.replay import Replayed

_SHOWN = 20
_TOLD = 3


@click.command(epilog="Example: mnemic replay --dry-run")
@click.option("--dry-run", is_flag=True, help="Only say what would be proposed.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def replay(session: CliSession, /, *, dry_run: bool, as_json: bool) -> None:
    """Look over everything and propose what should become of it.

    Claims that several sources support may become beliefs, memories that say the same one, memories that nobody uses go
    into the archive. No memory is changed: a person decides.
    """
    with failures():
        app = session.app()
        done = app.replay(dry_run=dry_run)
    if as_json:
        echo_json(_json(done))
    else:
        _echo(done, app.bundle.policy.replay)


def _json(done: Replayed) -> dict[str, object]:
    return {
        "dry_run": done.dry_run,
        "memories": done.memories,
        "proposals": [_proposal_json(each) for each in done.proposals],
        "claims": [_support_json(each) for each in done.supports],
        "waiting": done.waiting,
        "passed_over": done.passed_over,
        "notes": list(done.notes),
    }


def _proposal_json(proposal: Proposal) -> dict[str, object]:
    return {
        "id": proposal.id,
        "aim": proposal.aim,
        "title": proposal.title,
        "why": proposal.why,
        "memories": [step.after.id for step in proposal.steps],
    }


def _support_json(support: Support) -> dict[str, object]:
    """The fields of TraceWeave's `ConsolidationProposal`."""
    return {
        "claim_key": support.claim_key,
        "claim_value": support.claim_value,
        "support_trace_ids": list(support.support),
        "independent_sources": support.independent_sources,
        "conflicting_values": list(support.conflicting_values),
        "confidence": support.confidence,
        "eligible_for_promotion": support.eligible,
    }


def _echo(done: Replayed, rules: ReplayRules) -> None:
    from mnemic.entry.cli.columns import plain, wrapped

    told = [each for each in done.supports if each.conflicting_values or len(each.support) > 1]
    for each in told[:_SHOWN]:
        _echo_support(each, rules)
    if len(told) > _SHOWN:
        click.echo(f"… and {len(told) - _SHOWN:,} more claims; all of them with --json")
    if told:
        click.echo()
    _echo_proposals(done.proposals)
    for line in done.notes:
        note(plain(line))
    if done.passed_over:
        files = "file could not be used and was" if done.passed_over == 1 else "files could not be used and were"
        note(f"{done.passed_over:,} {files} passed over. Look at what is wrong: mnemic check, mnemic proposals")
    click.echo("\n".join(wrapped(_verdict(done), WIDTH)))


def _echo_support(support: Support, rules: ReplayRules) -> None:
    from mnemic.entry.cli.columns import hanging

    memories, sources = len(support.support), support.independent_sources
    claim = f"{support.claim_key} = {support.claim_value}"
    click.echo("\n".join(hanging("", claim if len(claim) <= 2 * WIDTH else f"{claim[: 2 * WIDTH]} …", WIDTH)))
    facts = f"{memories:,} {_s('memory', memories)}, {sources:,} {_s('source', sources)}"
    verdict = "enough for a belief" if support.eligible else f"not enough: {_why_not(support, rules)}"
    click.echo("\n".join(hanging("    ", f"{facts}, confidence {support.confidence:.2f}; {verdict}", WIDTH)))


def _why_not(support: Support, rules: ReplayRules) -> str:
    reasons = []
    if support.conflicting_values:
        values = [value if len(value) <= WIDTH else f"{value[:WIDTH]} …" for value in support.conflicting_values]
        more = len(values) - _TOLD
        others = f" and {more} more" if more > 0 else ""
        reasons.append(f"others claim {', '.join(values[:_TOLD])}{others}")
    if len(support.support) < rules.min_support:
        reasons.append(f"{rules.min_support} memories are needed")
    if support.independent_sources < rules.min_independent_sources:
        reasons.append(f"{rules.min_independent_sources} independent sources are needed")
    return "; ".join(reasons) or "as many with it proved wrong, or it means another day whenever it is read"


def _echo_proposals(proposals: Sequence[Proposal]) -> None:
    from mnemic.entry.cli.columns import plain, wrapped

    for each in proposals:
        click.echo("\n".join(click.style(line, bold=True) for line in wrapped(each.title, WIDTH)))
        click.echo(f"    {plain(each.id)}")


def _verdict(done: Replayed) -> str:
    count = len(done.proposals)
    told = f"{done.memories:,} {_s('memory', done.memories)} looked at, "
    if done.dry_run:
        return f"{told}{count:,} {_s('change', count)} would be proposed; nothing was written."
    told += f"{count:,} {_s('change', count)} proposed"
    told += f", {done.waiting:,} waiting from before" if done.waiting else ""
    if count or done.waiting:
        return f"{told}. Look at them: mnemic proposals"
    settled = any(each.eligible for each in done.supports)
    return f"{told}.{' What is believed already, or was refused, is not proposed again.' * settled}"


def _s(word: str, count: int) -> str:
    if count == 1:
        return word
    return "memories" if word == "memory" else f"{word}s"
