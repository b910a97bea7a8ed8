"""`mnemic hook`: what a coding agent's hooks run, for those who cannot run `mnemic-hook`."""

from __future__ import annotations

import click


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("client")
@click.argument("event")
def hook(client: str, event: str) -> None:
    """Answer an event of a coding agent, its JSON on standard input.

    The same as the faster mnemic-hook; clients: claude-code, codex, cursor. Always ends with 0.

    What went wrong stands in hook.log, in the folder of the user's cache.

    Example: mnemic hook claude-code SessionStart < event.json
    """
    from mnemic.entry.hooks.client import answer

    answer([client, event])
