"""Cursor: hooks of its own form, the server, the skill."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mnemic.entry.install.pieces import Hooks, Server
from mnemic.entry.install.plan import Client
from mnemic.entry.install.shipped import skill

if TYPE_CHECKING:
    from mnemic.entry.install.plan import Target

NAME: Final = "cursor"
EVENTS: Final = ("sessionStart", "beforeSubmitPrompt")


def client(target: Target) -> Client:
    """What is changed for Cursor."""
    folder = (target.project or target.home) / ".cursor"
    commands = {event: target.programs.hook_command(NAME, event) for event in EVENTS}
    return Client(
        name=NAME,
        title="Cursor",
        pieces=(
            Hooks(path=folder / "hooks.json", commands=commands, flat=True),
            Server(path=folder / "mcp.json", programs=target.programs, extra={}),
            *skill(folder / "skills"),
        ),
        next_steps=("Start Cursor anew.", "Switch the server mnemic on in its settings, under MCP, if it is off."),
        folder=target.project or folder,
    )
