"""Real agents and clients, run on a bundle of mnemic without a model and without a network.

Not part of `make test`: the programs are 1.6 GB. `make test-agents` fetches them once and runs what is here. All state
lies in folders of the run; a program sees loopback, an empty home, and a key that is none.
"""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest
from model import ScriptedModel, scripted_model
from outside import Outside, nothing_outside
from programs import INSTALLED, environment, left_behind, until
from projects import Project
from table import Seen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SEEN = pytest.StashKey[Seen]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_SEEN] = Seen()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The table, on the screen and in a file that the next run writes anew."""
    seen = config.stash[_SEEN]
    if seen.rows:
        path = INSTALLED / "seen.md"
        path.write_text(seen.markdown(), encoding="utf-8")
        terminalreporter.section(f"what was seen, also in {path}")
        terminalreporter.write(seen.markdown())


@pytest.fixture(scope="session")
def seen(request: pytest.FixtureRequest) -> Seen:
    """Where a test writes what it saw, after its last assert."""
    return request.config.stash[_SEEN]


@pytest.fixture(scope="session")
def outside() -> Iterator[Outside]:
    """What refuses everything that is not on this machine."""
    with nothing_outside() as refusing:
        yield refusing


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the test's own, with a short name: a socket's path has about a hundred characters."""
    return tmp_path_factory.mktemp("p")


@pytest.fixture
def model(place: Path, outside: Outside) -> Iterator[ScriptedModel]:
    """A scripted model of the test's own."""
    with scripted_model(place / "model", outside.url) as running:
        yield running


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where mnemic keeps its model as it wants to read it: made in the first test, which takes two seconds."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def project(place: Path, cache: Path, outside: Outside) -> Iterator[Project]:
    """A project with a bundle that holds one memory; whatever was started in it must have ended soon after the test."""
    folder, home = place / "work", place / "home"
    folder.mkdir()
    made = Project(folder, environment(home, outside.url, MNEMIC_CACHE_DIR=str(cache)))
    made.mnemic("init")
    made.remember("Where we deploy", "Deploys go out from the host apollo-7, never from a laptop.")
    yield made
    try:
        until("nothing runs any more", lambda: not left_behind(home))
    finally:
        for pid in left_behind(home):
            os.kill(pid, signal.SIGKILL)
