"""What the tests of the services share: a real bundle on disk behind `App`, with a clock that the test sets."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from mnemic.app import App, create_bundle
from mnemic.domain.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from mnemic.domain.drafts import Remembered
    from mnemic.ports import Embedder

NOW = datetime(2026, 5, 3, 6, 14, tzinfo=UTC)
KEY = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
"""The form of a token of GitHub; nobody's."""


@dataclass
class SetClock:
    """A clock that a test sets."""

    at: datetime = NOW

    def now(self) -> datetime:
        return self.at

    def move(self, **by: float) -> None:
        self.at += timedelta(**by)


def an_app(root: Path, *settings: str, clock: SetClock | None = None, embedders: Sequence[Embedder] = ()) -> App:
    """The application on a bundle, made when it is not there yet; by words alone unless told otherwise."""
    if not (root / "mnemic.toml").is_file():
        create_bundle(root)
    return App.start(root, overrides=("bundle.zone=UTC", *settings), clock=clock or SetClock(), embedders=embedders)


def keep(app: App, name: str, body: str = "", **fields: Any) -> Remembered:  # noqa: ANN401 - a Draft's
    """A memory at `notes/<name>`."""
    return app.remember(Draft(id=f"notes/{name}", body=body or f"Text of {name}.", **fields))


def found(app: App, query: str, **options: Any) -> list[str]:  # noqa: ANN401 - those of `App.recall`
    """Ids of the results, best first."""
    return [f"{hit.bundle}:{hit.id}" if hit.bundle else hit.id for hit in app.recall(query, **options).hits]


def chat(path: Path, turns: Iterable[dict[str, object]], *, session: str = "kitchen") -> Path:
    """A file in the chat format; each turn needs only its text."""
    lines = [
        json.dumps({"session": session, "turn": number, "at": "2026-05-03T08:14:00Z", "role": "user", **turn})
        for number, turn in enumerate(turns, 1)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def files(root: Path) -> dict[str, bytes]:
    """Every file of a folder, by path."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def documents(root: Path) -> dict[str, bytes]:
    """Every file of a bundle but what mnemic keeps for itself."""
    return {name: data for name, data in files(root).items() if not name.startswith(".mnemic/")}


def traces(root: Path, text: str) -> list[str]:
    """Files that hold a text, in their bytes or their name."""
    wanted = text.encode().lower()
    return [name for name, data in files(root).items() if wanted in data.lower() or wanted in name.encode().lower()]
