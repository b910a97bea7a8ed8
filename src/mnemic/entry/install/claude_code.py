"""Claude Code: hooks in its settings, the server, the skill."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mnemic.entry.install.pieces import Hooks, Server
from mnemic.entry.install.plan import Client
from mnemic.entry.install.shipped import skill

if TYPE_CHECKING:
    from mnemic.entry.install.plan import Target

NAME: Final = "claude-code"
EVENTS: Final = ("SessionStart", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact", "SessionEnd")


def client(target: Target) -> Client:
    """What is changed for Claude Code."""
    named = target.environment.get("CLAUDE_CONFIG_DIR", "").strip()
    folder = target.project / ".claude" if target.project else target.folder("CLAUDE_CONFIG_DIR", ".claude")
    if target.project:
        servers = target.project / ".mcp.json"
    else:
        servers = folder / ".claude.json" if named else target.home / ".claude.json"
    commands = {event: target.programs.hook_command(NAME, event) for event in EVENTS}
    steps = ["Start Claude Code anew; /hooks and /mcp show what it has loaded."]
    if target.project:
        steps.append("It asks once whether the project's server may run: say yes.")
    return Client(
        name=NAME,
        title="Claude Code",
        pieces=(
            Hooks(path=folder / "settings.json", commands=commands),
            Server(path=servers, programs=target.programs, extra={}),
            *skill(folder / "skills"),
        ),
        next_steps=tuple(steps),
        folder=target.project or folder,
    )
