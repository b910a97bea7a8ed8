"""`mnemic completion`."""

from __future__ import annotations

import click


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of SHELL.

    Example: mnemic completion bash >> ~/.bashrc
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # the choice above offers only shells that click knows
    root = ctx.find_root().command
    click.echo(kind(root, {}, "mnemic", "_MNEMIC_COMPLETE").source())
