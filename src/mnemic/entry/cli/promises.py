"""`mnemic promises`: what is owed, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.session import FOUND_NOTHING, CliSession, echo_json, failures

if TYPE_CHECKING:
    from datetime import tzinfo

    from mnemic.domain.drafts import Remembered
    from mnemic.services.context.promises import Promise


@click.group(invoke_without_command=True, epilog="Example: mnemic promises --within 14")
@click.option("--within", type=click.IntRange(min=0), metavar="DAYS", help="Due within so many days is due soon.")
@click.option("--all", "settled", is_flag=True, help="Also those that were kept, or have expired.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_context
def promises(ctx: click.Context, *, within: int | None, settled: bool, as_json: bool) -> None:
    """List commitments, the most urgent first; settle, put off or fire them."""
    if ctx.invoked_subcommand is not None:
        return
    with failures():
        app = ctx.obj.app()
        found = app.promises.list(within_days=within, settled=settled)
    if as_json:
        echo_json({"promises": [_as_json(promise) for promise in found]})
    elif not found:
        click.echo("Nothing is promised.")
    else:
        for promise in found:
            click.echo(_line(promise, app.bundle.zone))
    if not found:
        ctx.exit(FOUND_NOTHING)


@promises.command(epilog="Example: mnemic promises done commitments/call-the-roofer")
@click.argument("wanted", metavar="ID")
@click.pass_obj
def done(session: CliSession, /, wanted: str) -> None:
    """A promise was kept."""
    with failures():
        _told(session.app().promises.settle(wanted), "Kept")


@promises.command(epilog="Example: mnemic promises snooze commitments/call-the-roofer 2026-06-12")
@click.argument("wanted", metavar="ID")
@click.argument("until", metavar="DATE")
@click.pass_obj
def snooze(session: CliSession, /, wanted: str, until: str) -> None:
    """Do not speak of a promise before DATE."""
    from mnemic.domain.instants import parse_instant

    with failures():
        app = session.app()
        _told(app.promises.snooze(wanted, parse_instant(until, zone=app.bundle.zone)), f"Snoozed until {until}:")


@promises.command(epilog="Example: mnemic promises fire release")
@click.argument("event")
@click.pass_context
def fire(ctx: click.Context, event: str) -> None:
    """EVENT has happened: the promises that wait for it are due now."""
    with failures():
        fired = ctx.obj.app().promises.fire(event)
    for each in fired:
        click.echo(f"Due now: {each.memory.id}")
    if not fired:
        click.echo("No promise waits for this event.")
        ctx.exit(FOUND_NOTHING)


def _told(changed: Remembered, verb: str) -> None:
    click.echo(f"{verb} {changed.memory.id}")


def _line(promise: Promise, zone: tzinfo) -> str:
    from mnemic.entry.cli.columns import plain
    from mnemic.entry.cli.times import day

    memory = promise.memory
    named = promise.reference
    told = [str(promise.when)]
    if memory.due is not None:
        told.append(f"{'was ' if promise.when == 'overdue' else ''}due {day(memory.due, zone)}")
    if memory.on_event:
        told.append(f"on {plain(memory.on_event)}")
    if promise.when == "snoozed" and memory.snoozed_until is not None:
        told.append(f"until {day(memory.snoozed_until, zone)}")
    head = click.style(" · ".join(told), fg="red" if promise.when == "overdue" else None, dim=promise.when != "overdue")
    return f"{plain(memory.title)}\n    {head}\n    {plain(named)}"


def _as_json(promise: Promise) -> dict[str, object]:
    from mnemic.entry.cli.times import rfc3339

    memory = promise.memory
    return {
        "id": promise.reference,
        "title": memory.title,
        "when": str(promise.when),
        "due": rfc3339(memory.due),
        "on_event": memory.on_event,
        "snoozed_until": rfc3339(memory.snoozed_until),
    }
