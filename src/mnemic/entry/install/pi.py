"""pi: the server in its `mcp.json`, an extension that calls our hook, the skill."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mnemic.entry.install.pieces import Server
from mnemic.entry.install.plan import Client
from mnemic.entry.install.shipped import extension, skill

if TYPE_CHECKING:
    from mnemic.entry.install.plan import Target

NAME: Final = "pi"


def client(target: Target) -> Client:
    """What is changed for pi."""
    folder = target.project / ".pi" if target.project else target.folder("PI_CODING_AGENT_DIR", ".pi", "agent")
    steps = ["Start pi anew, or type /reload; /mcp shows the server."]
    if target.project:
        steps.append("It reads the project's .pi folder only when you trust the project.")
    return Client(
        name=NAME,
        title="pi",
        pieces=(
            # Without `direct` the tools are there for scripts only, and the model is not told of them.
            Server(path=folder / "mcp.json", programs=target.programs, extra={"exposure": "direct"}),
            extension(folder / "extensions" / "mnemic.ts", "pi/mnemic.ts", target.programs, NAME, what="the extension"),
            *skill(folder / "skills"),
        ),
        next_steps=tuple(steps),
        folder=target.project or folder,
    )
