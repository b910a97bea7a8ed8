"""A home folder without anything in it, and the program."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from mnemic.entry.cli.main import cli

if TYPE_CHECKING:
    from click.testing import Result

CLIENTS = ("claude-code", "codex", "cursor", "opencode", "pi")


@dataclass(frozen=True)
class Home:
    """A person's home folder, and `mnemic install` called in it."""

    path: Path

    def run(self, *words: str) -> Result:
        return CliRunner().invoke(cli, ["install", *words], prog_name="mnemic", catch_exceptions=False)

    def ok(self, *words: str) -> str:
        done = self.run(*words)
        assert done.exit_code == 0, done.output
        return done.stdout

    def json(self, name: str) -> Any:  # noqa: ANN401 - what JSON holds
        return json.loads((self.path / name).read_text(encoding="utf-8"))

    def write(self, name: str, data: bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def files(self) -> dict[str, bytes]:
        """Everything that is there."""
        return {
            path.relative_to(self.path).as_posix(): path.read_bytes()
            for path in sorted(self.path.rglob("*"))
            if path.is_file()
        }


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Home:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "PI_CODING_AGENT_DIR"):
        monkeypatch.delenv(name, raising=False)
    return Home(Path(os.environ["HOME"]))


@pytest.fixture(params=CLIENTS)
def client(request: pytest.FixtureRequest) -> str:
    """Every client in turn."""
    return str(request.param)
