"""What the tests of turns share: a bundle behind `App`, calls as a model makes them, results held to a schema."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator

from mnemic.agent.tools import TOOLS
from mnemic.app import App, create_bundle
from mnemic.domain.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mnemic.agent.tool import ToolResult
    from mnemic.agent.turn import Turn
    from mnemic.domain.drafts import Remembered

NOW = datetime(2026, 5, 3, 6, 14, tzinfo=UTC)
KEY = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
"""The form of a token of GitHub; nobody's."""
VALIDATORS = {tool.name: Draft202012Validator(dict(tool.output_schema)) for tool in TOOLS}


@dataclass
class SetClock:
    """A clock that a test sets."""

    at: datetime = NOW

    def now(self) -> datetime:
        return self.at

    def move(self, **by: float) -> None:
        self.at += timedelta(**by)


def an_app(root: Path, *settings: str, clock: SetClock | None = None) -> App:
    """The application on a bundle, made when it is not there yet; by words alone."""
    if not (root / "mnemic.toml").is_file():
        create_bundle(root)
    return App.start(root, overrides=("bundle.zone=UTC", *settings), clock=clock or SetClock(), embedders=())


def keep(app: App, name: str, body: str, **fields: Any) -> Remembered:  # noqa: ANN401 - a Draft's
    """A memory that was there before the turn."""
    return app.remember(Draft(id=f"notes/{name}", body=body, **fields))


def done(turn: Turn, name: str, **arguments: object) -> Mapping[str, Any]:
    """The data of a call that succeeds, in the form its schema promises."""
    result = turn.call(name, arguments)
    assert not result.failed, result.text
    VALIDATORS[name].validate(result.data)
    return result.data


def refused(turn: Turn, name: str, code: str, **arguments: object) -> str:
    """The line of a call that fails with this code."""
    result = turn.call(name, arguments)
    assert_failed(result)
    assert result.data["error"]["code"] == code, result.text  # type: ignore[index]
    return result.text


def assert_failed(result: ToolResult) -> None:
    """A failed result is one line, and its data names what went wrong."""
    assert result.failed, result.text
    assert len(result.text.splitlines()) == 1
    error = result.data["error"]
    assert isinstance(error, dict)
    assert set(error) == {"code", "message", "hint"}


def searched(turn: Turn, query: str) -> str:
    """The receipt of a search."""
    return str(done(turn, "memory_search", query=query)["receipt"])


def was_read(turn: Turn, query: str, wanted: str) -> str:
    """The receipt of a read, after a search that found it."""
    assert wanted in [each["id"] for each in done(turn, "memory_search", query=query)["results"]]
    return str(done(turn, "memory_read", id=wanted)["receipt"])
