"""`mnemic proposals`: changes that wait for a person, and what a person decides about them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.session import FOUND_NOTHING, WIDTH, CliSession, echo_json, exit_status, failures, note

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import tzinfo

    from mnemic.app import App
    from mnemic.domain.proposals import Proposal, Step
    from mnemic.errors import MnemicError, ProposalDamagedError
    from mnemic.services.reviewing.proposals import Decided, Offered

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


@click.group(invoke_without_command=True, epilog="Example: mnemic proposals show anna-city")
@click.option("--all", "decided", is_flag=True, help="Also those that were decided.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_context
def proposals(ctx: click.Context, *, decided: bool, as_json: bool) -> None:
    """List the changes that wait for you; look at one, approve, reject, undo it."""
    if ctx.invoked_subcommand is None:
        _list(ctx.obj, decided=decided, as_json=as_json)


@proposals.command("list", epilog="Example: mnemic proposals list --all")
@click.option("--all", "decided", is_flag=True, help="Also those that were decided.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def list_(session: CliSession, /, *, decided: bool, as_json: bool) -> None:
    """List the changes that wait for you."""
    _list(session, decided=decided, as_json=as_json)


def _list(session: CliSession, *, decided: bool, as_json: bool) -> None:
    with failures():
        app = session.app()
        found, damaged = app.proposals.list(decided=decided)
    if as_json:
        bad = [{"path": error.path, "why": error.why} for error in damaged]
        echo_json({"proposals": [_as_json(each) for each in found], "damaged": bad})
    else:
        _echo_list(found, damaged, app.bundle.zone)
    if damaged or not found:
        sys.exit(FOUND_NOTHING)


def _echo_list(found: Sequence[Offered], damaged: Sequence[ProposalDamagedError], zone: tzinfo) -> None:
    from mnemic.entry.cli.columns import plain, wrapped

    if not found:
        click.echo("Nothing is proposed.")
    for each in found:
        proposal = each.proposal
        click.echo("\n".join(click.style(line, bold=True) for line in wrapped(proposal.title, WIDTH)))
        click.echo(click.style(f"    {_facts(proposal, zone)}", dim=True))
        click.echo(f"    {plain(each.reference)}")
    for error in damaged:
        note(error.message)


@proposals.command(epilog="Example: mnemic proposals show 2026-05-03-promote-anna-city")
@click.argument("wanted", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def show(session: CliSession, /, wanted: str, *, as_json: bool) -> None:
    """Print why something is proposed, and exactly what would change."""
    with failures():
        app = session.app()
        each = app.proposals.show(wanted)
    if as_json:
        echo_json({**_as_json(each), **_details(each)})
        return
    _echo_one(each, app.bundle.zone)


def _echo_one(each: Offered, zone: tzinfo) -> None:
    from mnemic.domain.step_diff import diff_of
    from mnemic.entry.cli.columns import hanging, wrapped

    proposal = each.proposal
    click.echo("\n".join(click.style(line, bold=True) for line in wrapped(proposal.title, WIDTH)))
    click.echo(click.style(_facts(proposal, zone), dim=True))
    for line in proposal.why.split("\n"):
        click.echo("\n".join(wrapped(line, WIDTH)))
    if proposal.decision:
        click.echo("\n".join(hanging("Rejected because: ", proposal.decision, WIDTH)))
    if each.unfit and proposal.verdict == "waiting":
        click.echo("\n".join(hanging("! ", f"It cannot be applied any more: {'; '.join(each.unfit)}.", WIDTH)))
    for evidence in proposal.evidence:
        click.echo("\n".join(hanging("  - ", f"{evidence.id}: {evidence.text}".removesuffix(": "), WIDTH)))
    for step in proposal.steps:
        click.echo(f"\n{_heading(step)}")
        for line in diff_of(step)[2:]:
            click.echo(click.style(line, fg=_COLOURS.get(line[:1])))


def _heading(step: Step) -> str:
    from mnemic.entry.cli.columns import plain

    return click.style(f"{plain(step.after.id)}{'' if step.before else ' (new)'}", bold=True)


@proposals.command(epilog="Example: mnemic proposals approve 2026-05-03-promote-anna-city")
@click.argument("wanted", metavar="ID...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def approve(session: CliSession, /, wanted: tuple[str, ...], *, as_json: bool) -> None:
    """Apply proposals as they are shown, one after the other, each as a whole."""
    _decide(session, wanted, lambda app, each: app.proposals.approve(each), "Applied", as_json=as_json)


@proposals.command(epilog='Example: mnemic proposals reject anna-city --why "She moved."')
@click.argument("wanted", metavar="ID...", nargs=-1, required=True)
@click.option("--why", default="", help="The reason, kept with it.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def reject(session: CliSession, /, wanted: tuple[str, ...], *, why: str, as_json: bool) -> None:
    """Say no: it is not proposed again unless something new speaks for it."""
    _decide(session, wanted, lambda app, each: app.proposals.reject(each, why=why), "Rejected", as_json=as_json)


@proposals.command(epilog="Example: mnemic proposals undo 2026-05-03-promote-anna-city")
@click.argument("wanted", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def undo(session: CliSession, /, wanted: str, *, as_json: bool) -> None:
    """Take back an applied proposal: every memory is what it was before."""
    _decide(session, (wanted,), lambda app, each: app.proposals.undo(each), "Taken back", as_json=as_json)


def _decide(
    session: CliSession,
    wanted: Sequence[str],
    decide: Callable[[App, str], Decided],
    verb: str,
    *,
    as_json: bool,
) -> None:
    from mnemic.errors import MnemicError

    decided: list[Decided] = []
    failed: list[tuple[str, MnemicError]] = []
    with failures():
        app = session.app()
        for each in dict.fromkeys(wanted):
            try:
                done = decide(app, each)
            except MnemicError as error:
                if len(wanted) == 1:
                    raise
                failed.append((each, error))
                continue
            decided.append(done)
            if not as_json:
                _tell(done, verb)
    if as_json:
        echo_json({"decided": [_decided_json(each) for each in decided], "failed": [_failed(*each) for each in failed]})
    for _, missed in failed:
        note(f"{missed.message} {missed.hint}".rstrip())
    if failed:
        sys.exit(max(exit_status(missed) for _, missed in failed))


def _tell(done: Decided, verb: str) -> None:
    from mnemic.entry.cli.columns import plain

    click.echo(f"{verb}: {click.style(plain(done.proposal.id), bold=True)}")
    for located in done.memories:
        click.echo(f"  {plain(located.memory.id)} ({located.memory.state})")
    for warning in done.warnings:
        note(warning.message)


def _facts(proposal: Proposal, zone: tzinfo) -> str:
    from mnemic.entry.cli.columns import plain
    from mnemic.entry.cli.times import day

    told = [str(proposal.aim), str(proposal.verdict), f"by {plain(proposal.made_by)}", day(proposal.made_at, zone)]
    if (support := proposal.support) is not None:
        told.append(f"{support.independent_sources} sources, confidence {support.confidence:.2f}")
    return " · ".join(told)


def _as_json(each: Offered) -> dict[str, object]:
    from mnemic.entry.cli.times import rfc3339

    proposal = each.proposal
    return {
        "id": each.reference,
        "aim": proposal.aim,
        "title": proposal.title,
        "why": proposal.why,
        "status": proposal.verdict,
        "made_at": rfc3339(proposal.made_at),
        "made_by": proposal.made_by,
        "decided_at": rfc3339(proposal.decided_at),
        "decided_by": proposal.decided_by,
        "decision": proposal.decision,
        "memories": [step.after.id for step in proposal.steps],
    }


def _details(each: Offered) -> dict[str, object]:
    from dataclasses import asdict

    from mnemic.domain.step_diff import diff_of

    proposal = each.proposal
    return {
        "evidence": [{"id": one.id, "text": one.text} for one in proposal.evidence],
        "support": None if proposal.support is None else asdict(proposal.support),
        "steps": [
            {"id": step.after.id, "new": step.before is None, "diff": "\n".join(diff_of(step))}
            for step in proposal.steps
        ],
        "unfit": list(each.unfit),
    }


def _decided_json(done: Decided) -> dict[str, object]:
    return {
        "id": done.proposal.id,
        "status": done.proposal.verdict,
        "memories": [
            {"id": located.memory.id, "state": located.memory.state, "revision": located.revision}
            for located in done.memories
        ],
        "warnings": [{"code": warning.code, "message": warning.message} for warning in done.warnings],
    }


def _failed(wanted: str, error: MnemicError) -> dict[str, object]:
    return {"id": wanted, "code": error.code, "message": error.message, "hint": error.hint}
