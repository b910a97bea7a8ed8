"""`mnemic init`."""

from __future__ import annotations

from pathlib import Path

import click

from mnemic.entry.cli.session import CliSession, failures


@click.command()
@click.argument("folder", metavar="[DIR]", default="memory", type=click.Path(path_type=Path))
@click.option("--layout", default="okf", show_default=True, help="How memories are laid into files.")
@click.option("--name", default="", help="What the bundle is called in references like NAME:people/anna.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def init(session: CliSession, /, folder: Path, layout: str, name: str, as_json: bool) -> None:
    """Make a bundle in DIR (default: ./memory).

    A folder that already holds Markdown is adopted in place: no document of it is changed.

    Example: mnemic init memory
    """
    from mnemic.app import create_bundle

    with failures():
        made = create_bundle(folder, layout=layout, name=name, overrides=session.overrides)
    if as_json:
        from mnemic.entry.cli.session import echo_json

        echo_json({"bundle": str(made.root), "name": made.name, "layout": layout, "documents": made.documents})
        return
    click.echo(f"Made the bundle {made.name}: {made.root.absolute()}")
    if made.documents:
        click.echo(f"It adopts {made.documents:,} documents as they are; nothing of them was changed.")
    click.echo('Next: mnemic remember "What you want kept"')
