"""What the tests of the record share: what ledger and vault tell of a bundle, read from the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rooms import an_app

from mnemic import config
from mnemic.domain.versions import from_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.app import App
    from mnemic.services.bundle import History


def past(app: App) -> History:
    """Its history, which there is."""
    history = app.bundle.history()
    assert history is not None
    return history


def told(app: App) -> list[str]:
    """Every event as `deed id version`, oldest first."""
    rows = app.records.log()[::-1]
    return [" ".join(filter(None, (row.event.act.deed, row.id, str(row.event.act.version or "")))) for row in rows]


def said(app: App, name: str) -> list[str]:
    """What each version of a memory says, oldest first; a dash where it was taken away."""
    history = past(app)
    (uid,) = {row.event.act.uid for row in app.records.log() if row.id == name}
    memories = [from_bytes(history.vault.get(uid, version.number)) for version in history.vault.versions(uid)]
    return ["-" if memory is None else memory.body.strip() for memory in memories]


def anew(app: App) -> App:
    """The same bundle, as a new process would open it, at the same moment."""
    return an_app(app.root, clock=app.bundle.clock)  # type: ignore[arg-type] - the one that was set


def flaws(app: App) -> list[str]:
    """What an audit finds wrong."""
    done = app.records.verify()
    assert done is not None
    harmful = [str(each.flaw) for each in done.ledger.findings if not each.harmless]
    return [*harmful, *done.vault, *done.apart, *done.unkept]


def key_file() -> Path:
    """The one key of the user."""
    (path,) = (config.user_data_dir() / "keys").glob("*.key")
    return path


def state(app: App, name: str) -> Path:
    """A file of ours in its folder."""
    return app.root / ".mnemic" / name
