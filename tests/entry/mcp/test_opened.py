"""The application behind a server: opened once, by whoever comes first, and again after it could not be."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from mnemic.app import App, create_bundle
from mnemic.entry.mcp.opened import Opened
from mnemic.errors import BundleNotFoundError

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.ports import Progress


class Begun:
    """What a server does beside, and whether it was ended."""

    def __init__(self) -> None:
        self.times = 0
        self.closed = False

    def __call__(self, app: App) -> Begun:
        assert app.bundle.store.stamps() == []
        self.times += 1
        return self

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def bundle(in_memory: Path) -> Path:
    create_bundle(in_memory / "memory")
    return in_memory / "memory"


def test_many_who_ask_at_once_get_the_same_one(bundle: Path) -> None:
    started: list[App] = []
    begun = Begun()

    def start() -> App:
        started.append(App.start(bundle, embedders=()))
        return started[-1]

    opened = Opened(start, begin=begun)
    assert opened.ready is None
    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(lambda _: opened.app(), range(50)))
    opened.close()

    assert len(started) == begun.times == 1
    assert {id(app) for app in given} == {id(started[0])}
    assert opened.ready is started[0]
    assert begun.closed


def test_a_failure_is_told_and_the_next_one_tries_again(in_memory: Path) -> None:
    opened = Opened(lambda: App.start(in_memory / "late", embedders=()))
    with pytest.raises(BundleNotFoundError):
        opened.app()
    opened.close()
    create_bundle(in_memory / "late")

    assert opened.app() is opened.app()


def test_long_work_at_the_beginning_can_be_watched(bundle: Path) -> None:
    stages = []

    def work(_app: App, progress: Progress) -> None:
        progress(2, 5, "indexing")
        stages.append(opened.stage)

    opened = Opened(lambda: App.start(bundle, embedders=()), work)
    opened.app()

    assert stages == [(2, 5, "indexing")]
    assert opened.stage is None
