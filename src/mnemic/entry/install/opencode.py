"""opencode: the server in its settings, a plugin that calls our hook, the skill."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mnemic.entry.install.marks import SERVER
from mnemic.entry.install.pieces import Server
from mnemic.entry.install.plan import Client
from mnemic.entry.install.shipped import extension, skill

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.entry.install.plan import Target

NAME: Final = "opencode"


def client(target: Target) -> Client:
    """What is changed for opencode."""
    user = target.folder("XDG_CONFIG_HOME", ".config") / "opencode"
    settings, folder = (target.project, target.project / ".opencode") if target.project else (user, user)
    return Client(
        name=NAME,
        title="opencode",
        pieces=(
            *_servers(settings, target),
            extension(folder / "plugins" / "mnemic.js", "opencode/mnemic.js", target.programs, NAME, what="the plugin"),
            *skill(folder / "skills"),
        ),
        next_steps=("Start opencode anew; it loads the plugin and the server when it starts.",),
        folder=target.project or folder,
    )


def _servers(folder: Path, target: Target) -> tuple[Server, ...]:
    """Both names that the settings may have; the server goes into the file that is there, else into a new `.json`."""
    with_comments, plain = folder / "opencode.jsonc", folder / "opencode.json"
    first = with_comments if with_comments.exists() and (not plain.exists() or _mentions(with_comments)) else plain
    return tuple(
        Server(
            path=path,
            programs=target.programs,
            section="mcp",
            extra={"type": "local"},
            one_list=True,
            create=path == first,
        )
        for path in (plain, with_comments)
        if path == first or path.exists()
    )


def _mentions(settings: Path) -> bool:
    """Whether our server may be in these settings already."""
    try:
        return f'"{SERVER}"'.encode() in settings.read_bytes()
    except OSError:
        return False
