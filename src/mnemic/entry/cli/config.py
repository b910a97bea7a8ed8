"""`mnemic config`."""

from __future__ import annotations

import click

from mnemic.entry.cli.session import CliSession, echo_json, failures


@click.group()
def config() -> None:
    """Show and change settings."""


@config.command("show")
@click.argument("key", default="")
@click.option("--origin", is_flag=True, help="Also say where each value came from.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def show(session: CliSession, /, key: str, origin: bool, as_json: bool) -> None:
    """Print settings: all, a section, or one KEY.

    Example: mnemic config show limits --origin
    """
    from mnemic.errors import ConfigError

    with failures():
        rows = [row for row in session.app().settings.list() if _asked(row[0], key)]
        if not rows:
            raise ConfigError(f"There is no setting {key}.", hint="See them all with: mnemic config show")
    if as_json:
        echo_json({name: {"value": value, "origin": source} for name, value, source in rows})
        return
    for name, value, source in rows:
        shown = ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
        click.echo(f"{name} = {shown}" + (f"   ({source})" if origin else ""))


def _asked(name: str, key: str) -> bool:
    return not key or name == key or name.startswith(f"{key}.")


@config.command("set")
@click.argument("key")
@click.argument("value")
@click.option("--user", is_flag=True, help="In your own settings instead of the bundle's.")
@click.pass_obj
def set_(session: CliSession, /, key: str, value: str, user: bool) -> None:
    """Write KEY = VALUE into the bundle's mnemic.toml; comments there stay.

    Example: mnemic config set recall.k 12
    """
    with failures():
        path = session.app().settings.write(key, value, user=user)
    click.echo(f"{key} = {value}   ({path})")


@config.command("path")
@click.pass_obj
def path(session: CliSession) -> None:
    """Print where settings are read from, weakest first."""
    with failures():
        for file in session.app().settings.files():
            click.echo(f"{file}{'' if file.is_file() else '   (not there)'}")
