"""`mnemic status`."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.columns import plain
from mnemic.entry.cli.ledger import facts_json
from mnemic.entry.cli.session import WIDTH, CliSession, echo_json, failures, note

if TYPE_CHECKING:
    from mnemic.services.chronicle.records import HistoryFacts
    from mnemic.services.recalling.status import Status


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def status(session: CliSession, /, as_json: bool) -> None:
    """Say what is in the bundle.

    Example: mnemic status
    """
    with failures():
        found = session.app().status()
    if as_json:
        echo_json({**status_json(found[0]), "others": [status_json(one) for one in found[1:]]})
        return
    for number, one in enumerate(found):
        if number:
            click.echo()
        _render(one)


def status_json(status: Status) -> dict[str, object]:
    """The stable JSON of a bundle's state."""
    return {
        "bundle": status.name,
        "location": status.location,
        "read_only": status.read_only,
        "memories": status.memories,
        "by_kind": dict(status.by_kind),
        "by_state": dict(status.by_state),
        "sessions": status.sessions,
        "turns": status.turns,
        "documents": status.documents,
        "bytes": status.bytes,
        "problems": status.problems,
        "vectors": status.vectors,
        "vectors_waiting": status.vectors_waiting,
        "history": facts_json(status.history),
        "advice": list(status.advice),
    }


def _render(status: Status) -> None:
    from mnemic.entry.cli.columns import counted

    click.echo(f"{click.style(status.name, bold=True)}  {status.location}{'  (read-only)' * status.read_only}")
    kinds = ", ".join(f"{count:,} {plain(kind)}" for kind, count in status.by_kind.items())
    click.echo(f"  {counted(status.memories, 'memory', 'memories')}")
    if kinds:
        click.echo(textwrap.fill(kinds, WIDTH, initial_indent="    ", subsequent_indent="    "))
    odd = {state: count for state, count in status.by_state.items() if state != "active"}
    if odd:
        click.echo(f"  of these {', '.join(f'{count:,} {state}' for state, count in odd.items())}")
    click.echo(f"  {counted(status.turns, 'turn')} in {counted(status.sessions, 'session')}")
    click.echo(f"  {counted(status.documents, 'file')}, {status.bytes / 1e6:.1f} MB")
    waiting = f", {status.vectors_waiting:,} waiting" if status.vectors_waiting else ""
    click.echo(f"  {counted(status.vectors, 'vector')}{waiting}")
    click.echo(f"  {_history(status.history)}")
    if status.problems:
        click.echo(f"  {counted(status.problems, 'file')} with problems: mnemic check")
    for advice in status.advice:
        note(advice)


def _history(facts: HistoryFacts) -> str:
    from mnemic.entry.cli.columns import counted

    if facts.events or facts.versions:
        kept = f"{counted(facts.versions, 'version')} in the vault, {counted(facts.events, 'event')} in the ledger"
        return kept if facts.kept else f"{kept}; nothing is added to them"
    return "no history yet" if facts.kept and not facts.why else "no history"
