"""Commitments: where each stands, and what becomes of it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from rooms import NOW, SetClock, an_app, keep

from mnemic.domain.drafts import Draft
from mnemic.domain.memory import State
from mnemic.errors import InvalidMemoryError
from mnemic.services.context.promises import When

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.app import App


def _promise(app: App, name: str, **fields: Any) -> None:  # noqa: ANN401 - a Draft's
    app.remember(Draft(id=f"commitments/{name}", kind="commitment", title=f"Promise {name}", body="x", **fields))


def _stand(app: App, **options: Any) -> dict[str, str]:  # noqa: ANN401 - those of `App.promises`
    return {one.memory.id.rpartition("/")[2]: str(one.when) for one in app.promises.list(**options)}


def test_each_stands_where_its_time_says_the_most_urgent_first(tmp_path: Path) -> None:
    app = an_app(tmp_path / "b")
    _promise(app, "later", due=NOW + timedelta(days=40))
    _promise(app, "open")
    _promise(app, "soon", due=NOW + timedelta(days=3))
    _promise(app, "overdue", due=NOW - timedelta(days=3))
    _promise(app, "more-overdue", due=NOW - timedelta(days=9))
    _promise(app, "on-release", on_event="Release")
    _promise(app, "expired", due=NOW - timedelta(days=3), valid_until=NOW - timedelta(days=1))
    keep(app, "other", "No promise.", due=NOW)

    assert list(_stand(app).items()) == [
        ("more-overdue", When.OVERDUE),
        ("overdue", When.OVERDUE),
        ("soon", When.SOON),
        ("on-release", When.WAITING),
        ("later", When.LATER),
        ("open", When.OPEN),
    ]
    assert _stand(app, settled=True)["expired"] == When.EXPIRED
    assert _stand(app, within_days=60)["later"] == When.SOON


def test_one_that_was_kept_is_fulfilled_and_told_no_more(tmp_path: Path) -> None:
    app = an_app(tmp_path / "b")
    _promise(app, "rent", due=NOW - timedelta(days=1))

    done = app.promises.settle("commitments/rent")

    assert done.memory.state is State.FULFILLED
    assert _stand(app) == {}
    assert _stand(app, settled=True) == {"rent": When.FULFILLED}
    assert app.context("").turn == ""


def test_one_that_is_put_off_keeps_still_until_then(tmp_path: Path) -> None:
    clock = SetClock()
    app = an_app(tmp_path / "b", clock=clock)
    _promise(app, "rent", due=NOW - timedelta(days=1))

    app.promises.snooze("commitments/rent", NOW + timedelta(days=2))

    assert _stand(app) == {"rent": When.SNOOZED}
    assert app.context("").turn == ""
    clock.move(days=3)
    assert _stand(app) == {"rent": When.OVERDUE}
    assert app.context("").turn == "- overdue since 2026-05-02: Promise rent [commitments/rent]"


def test_an_event_makes_due_what_waits_for_it(tmp_path: Path) -> None:
    app = an_app(tmp_path / "b")
    _promise(app, "notes", on_event="Release  2.0")
    _promise(app, "party", on_event="birthday")

    fired = app.promises.fire("release 2.0")

    assert [each.memory.id for each in fired] == ["commitments/notes"]
    assert app.context("").turn == "- due 2026-05-03: Promise notes [commitments/notes]"
    assert _stand(app)["party"] == When.WAITING


def test_it_survives_as_a_file(tmp_path: Path) -> None:
    app = an_app(tmp_path / "b")
    _promise(app, "notes", on_event="1984")
    app.promises.snooze("commitments/notes", NOW + timedelta(days=2))

    text = (app.root / "commitments" / "notes.md").read_text(encoding="utf-8")
    again = an_app(tmp_path / "b").show("commitments/notes").memory

    assert "snoozed_until: 2026-05-05T06:14:00Z" in text
    assert again is not None
    assert (again.memory.on_event, again.memory.snoozed_until) == ("1984", NOW + timedelta(days=2))


def test_what_is_no_commitment_is_neither_kept_nor_put_off(tmp_path: Path) -> None:
    app = an_app(tmp_path / "b")
    keep(app, "tea", "Anna drinks tea.")
    _promise(app, "rent")
    _promise(app, "kept")
    app.promises.settle("commitments/kept")

    for call in (
        lambda: app.promises.settle("notes/tea"),
        lambda: app.promises.snooze("notes/tea", NOW + timedelta(days=1)),
        lambda: app.promises.snooze("commitments/rent", NOW),
        lambda: app.promises.fire("  "),
        lambda: app.promises.snooze("commitments/kept", NOW + timedelta(days=1)),
    ):
        with pytest.raises(InvalidMemoryError):
            call()
