"""`mnemic index`."""

from __future__ import annotations

import click

from mnemic.entry.cli.progress import progress_bar
from mnemic.entry.cli.session import CliSession, echo_json, failures, note


@click.command()
@click.option("--rebuild", is_flag=True, help="Throw the index away first; nothing is lost by it.")
@click.option("--no-embed", is_flag=True, help="Leave the vectors for later.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def index(session: CliSession, /, rebuild: bool, no_embed: bool, as_json: bool) -> None:
    """Bring the index up to what stands in the files, and make the vectors that wait.

    Every recall does this by itself; this is for a large change, and to prove that the index can be made anew.

    Example: mnemic index --rebuild
    """
    from mnemic.entry.cli.columns import counted

    with failures():
        app = session.app()
        with progress_bar(quiet=as_json) as progress:
            done = app.reindex(rebuild=rebuild, embed=not no_embed, progress=progress)
    if as_json:
        echo_json(
            {
                "changed": done.changed,
                "gone": done.gone,
                "vectors": done.vectors,
                "behind": [*done.behind, *done.unkept],
            }
        )
        return
    click.echo(f"{counted(done.changed, 'file')} indexed, {done.gone:,} gone, {counted(done.vectors, 'vector')} made.")
    for text in (*done.behind, *done.unkept):
        note(text)
