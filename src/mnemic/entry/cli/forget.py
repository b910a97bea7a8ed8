"""`mnemic forget`."""

from __future__ import annotations

import click

from mnemic.entry.cli.session import CliSession, echo_json, failures, note


@click.command()
@click.argument("wanted", metavar="ID")
@click.option("--confirm", default="", metavar="ID", help="The same id again.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def forget(session: CliSession, /, wanted: str, confirm: str, as_json: bool) -> None:
    """Remove a memory, a session or a turn for good: file, backups, index, vectors.

    Example: mnemic forget notes/old-idea --confirm notes/old-idea
    """
    with failures():
        done = session.app().forget(wanted, confirm=confirm)
    if as_json:
        told = {"left": list(done.left), "notes": list(done.notes)}
        echo_json({"forgotten": list(done.ids), "turns": done.turns, **told})
        return
    turns = f" ({done.turns} turns)" if done.turns else ""
    click.echo(f"Forgot {', '.join(done.ids)}{turns}.")
    for text in done.notes:
        note(text)
    for why in done.left:
        note(f"Removed, but {why} The next command tries again.")
    click.echo("Copies outside the bundle (your own backups, git history) are beyond its reach.")
