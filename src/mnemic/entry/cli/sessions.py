"""`mnemic session`."""

from __future__ import annotations

import click

from mnemic.entry.cli.session import CliSession, echo_json, failures


@click.group()
def session() -> None:
    """List and read conversations."""


@session.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def list_(session: CliSession, /, as_json: bool) -> None:
    """Print every session: id, first day, turns, title.

    Example: mnemic session list
    """
    from mnemic.domain.instants import local
    from mnemic.entry.cli.times import rfc3339

    with failures():
        app = session.app()
        rows = app.session_list()
    if as_json:
        echo_json(
            {
                "sessions": [
                    {
                        "id": row.head.id,
                        "title": row.head.title,
                        "conversation": row.head.conversation,
                        "source": row.head.source,
                        "turns": row.turns,
                        "first": rfc3339(row.first),
                        "last": rfc3339(row.last),
                    }
                    for row in rows
                ]
            }
        )
        return
    if not rows:
        click.echo("No sessions yet. Bring some in: mnemic import FILE")
    for row in rows:
        first = f"{local(row.first, app.bundle.zone):%Y-%m-%d}" if row.first else "          "
        click.echo(f"{first}  {row.turns:>5}  {row.head.id}{f'  {row.head.title}' if row.head.title else ''}"[:160])


@session.command("show")
@click.argument("wanted", metavar="ID[#TURN]")
@click.option("--around", type=click.IntRange(0, 50), default=2, show_default=True, help="Turns before and after.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_context
def show(ctx: click.Context, wanted: str, around: int, as_json: bool) -> None:
    """Print a session, or one turn of it with its neighbours.

    Example: mnemic session show 2026-05-03#4
    """
    from mnemic.domain.ids import SESSION_PREFIX
    from mnemic.entry.cli.show import show as show_command

    reference = wanted if SESSION_PREFIX in wanted else f"{SESSION_PREFIX}{wanted}"
    ctx.invoke(show_command, wanted=reference, around=around, as_json=as_json)
