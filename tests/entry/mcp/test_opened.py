"""The application behind a server: opened once, by whoever comes first, and again after it could not be."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
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


def test_when_another_bundle_is_meant_it_is_opened_and_the_old_one_left(in_memory: Path) -> None:
    own, project = in_memory / "own", in_memory / "project"
    create_bundle(own)
    begun: list[Begun] = []

    def begin(app: App) -> Begun:
        begun.append(Begun())
        return begun[-1](app)

    def meant() -> Path:
        return project if project.is_dir() else own

    opened = Opened(lambda: App.start(meant(), embedders=()), begin=begin, moved=lambda app: app.root != meant())
    first = opened.app()
    assert opened.ready is first
    assert opened.app() is first

    create_bundle(project)
    assert opened.ready is None
    second = opened.app()
    assert second.root == project
    assert opened.ready is second
    assert [each.closed for each in begun] == [True, False]

    opened.close()
    assert [each.closed for each in begun] == [True, True]


def test_a_bundle_that_cannot_be_opened_is_not_stood_in_for_by_the_old_one(in_memory: Path) -> None:
    create_bundle(in_memory / "own")
    meant = [in_memory / "own"]
    opened = Opened(lambda: App.start(meant[0], embedders=()), moved=lambda app: app.root != meant[0])
    opened.app()
    meant[0] = in_memory / "gone"

    for _ in range(2):
        with pytest.raises(BundleNotFoundError):
            opened.app()


def test_many_warmings_open_once_and_in_the_background(bundle: Path) -> None:
    begun = Event()

    def begin(app: App) -> Begun:
        begun.set()
        return Begun()(app)

    opened = Opened(lambda: App.start(bundle, embedders=()), begin=begin)
    for _ in range(3):
        opened.warm()

    assert begun.wait(30)
    assert opened.app() is opened.ready


def test_long_work_at_the_beginning_can_be_watched(bundle: Path) -> None:
    stages = []

    def work(_app: App, progress: Progress) -> None:
        progress(2, 5, "indexing")
        stages.append(opened.stage)

    opened = Opened(lambda: App.start(bundle, embedders=()), work)
    opened.app()

    assert stages == [(2, 5, "indexing")]
    assert opened.stage is None
