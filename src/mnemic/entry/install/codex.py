"""Codex: hooks in a file of their own, the server in `config.toml`, the skill where all agents look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mnemic.entry.install.pieces import Hooks, TomlServer
from mnemic.entry.install.plan import Client
from mnemic.entry.install.shipped import skill

if TYPE_CHECKING:
    from mnemic.entry.install.plan import Target

NAME: Final = "codex"
EVENTS: Final = ("SessionStart", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact")


def client(target: Target) -> Client:
    """What is changed for Codex."""
    folder = target.project / ".codex" if target.project else target.folder("CODEX_HOME", ".codex")
    skills = (target.project or target.home) / ".agents" / "skills"
    commands = {event: target.programs.hook_command(NAME, event) for event in EVENTS}
    steps = ["Start Codex anew.", "It runs no hook that you have not trusted: type /hooks, and trust those of mnemic."]
    if target.project:
        steps.append("It reads the project's .codex folder only when you trust the project.")
    return Client(
        name=NAME,
        title="Codex",
        pieces=(
            Hooks(path=folder / "hooks.json", commands=commands),
            TomlServer(path=folder / "config.toml", programs=target.programs),
            *skill(skills),
        ),
        next_steps=tuple(steps),
        folder=target.project or target.home,
    )
