"""All clients that mnemic can be installed into, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mnemic.entry.install import claude_code, codex, cursor, opencode, pi

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemic.entry.install.plan import Client, Target

CLIENTS: Final[dict[str, Callable[[Target], Client]]] = {
    claude_code.NAME: claude_code.client,
    codex.NAME: codex.client,
    cursor.NAME: cursor.client,
    opencode.NAME: opencode.client,
    pi.NAME: pi.client,
}
