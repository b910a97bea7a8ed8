"""A project of a person who uses mnemic, and what can be seen in its bundle from outside."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from programs import MNEMIC, Done, run, until

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with a bundle in `memory/`, in the home of somebody who set nothing."""

    folder: Path
    env: Mapping[str, str]

    @property
    def bundle(self) -> Path:
        """The bundle."""
        return self.folder / "memory"

    def mnemic(self, *arguments: str, status: int = 0) -> Done:
        """Run a command of mnemic in the project, as a person would."""
        return run([MNEMIC, *arguments], cwd=self.folder, env=self.env, status=status)

    def remember(self, title: str, text: str) -> None:
        """Keep a memory that was there before any agent came."""
        self.mnemic("remember", text, "--title", title)

    def memory_with(self, text: str) -> Path | None:
        """The Markdown file of the bundle that says so; session logs are none."""
        found = (path for path in self.bundle.rglob("*.md") if not {".mnemic", "sessions"} & set(path.parts))
        return next((path for path in found if text in path.read_text(encoding="utf-8")), None)

    def keeps(self, *texts: str) -> None:
        """Wait until exactly one conversation is kept, and all of these texts are in it."""

        def kept() -> bool:
            listed = self.mnemic("session", "list", "--json").json()["sessions"]
            shown = "".join(self.mnemic("session", "show", one["id"], "--json").stdout for one in listed)
            return len(listed) == 1 and all(json.dumps(text, ensure_ascii=False)[1:-1] in shown for text in texts)

        until(f"one conversation is kept with {texts}", kept)
