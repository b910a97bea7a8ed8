"""A bundle with a few memories, the hook as its own process, and the server it asks.

The conversations `s1` and that without a name have begun: what a conversation starts with is not told to them again.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from coding_agent import Agent

from mnemic.app import App, create_bundle
from mnemic.domain.capsule import Slot
from mnemic.domain.drafts import Draft
from mnemic.entry.hooks.said import EVENTS
from mnemic.entry.hooks.serving import listen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mnemic.entry.hooks.serving import Listening


@pytest.fixture
def bundle(in_memory: Path) -> Path:
    folder = in_memory / "project" / "memory"
    create_bundle(folder)
    app = App.start(folder, overrides=("embed.engines=",))
    for body in (
        "Anna drinks green tea with jasmine every morning",
        "The deployment to production runs on Fridays at noon",
        "Борис любит чёрный кофе без сахара",
        "田中さんは毎朝ジャスミン茶を飲みます",
        "The backup server is called walrus",
    ):
        app.remember(Draft(body=body))
    app.reindex(embed=False)
    for client in EVENTS:
        for session in ("s1", "unnamed"):
            app.context("", slots=(Slot.SYSTEM,), conversation=f"{client}:{session}")
    return folder


@pytest.fixture
def agent(bundle: Path) -> Agent:
    return Agent(bundle.parent)


@pytest.fixture
def app(bundle: Path) -> App:
    return App.start(bundle, overrides=("embed.engines=",))


@pytest.fixture
def server(app: App) -> Iterator[Listening]:
    listening = listen(app)
    assert listening.wait()
    yield listening
    listening.close()


@pytest.fixture(params=["server", "alone"])
def anyhow(request: pytest.FixtureRequest, agent: Agent) -> Agent:
    """With a server and without."""
    if request.param == "server":
        request.getfixturevalue("server")
    return agent


@pytest.fixture
def log_lines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], list[str]]:
    """What this test alone writes into the log."""
    monkeypatch.setenv("MNEMIC_CACHE_DIR", str(tmp_path / "cache"))

    def lines() -> list[str]:
        path = Path(os.environ["MNEMIC_CACHE_DIR"]) / "hook.log"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    return lines
