"""The program, called in this process where that shows the same, or as a process of its own where it does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from mnemic.entry.cli.main import cli

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

PROGRAM = [sys.executable, "-c", "from mnemic.entry.cli.main import main; main()"]


@dataclass(frozen=True)
class Shell:
    """Commands given in a folder."""

    folder: Path

    @property
    def memory(self) -> Path:
        return self.folder / "memory"

    def run(self, *words: str, stdin: str | None = None) -> Result:
        """A command in this process; its output is no terminal."""
        return CliRunner().invoke(cli, words, input=stdin, prog_name="mnemic", catch_exceptions=False)

    def ok(self, *words: str, stdin: str | None = None) -> str:
        """Standard output of a command that must succeed."""
        done = self.run(*words, stdin=stdin)
        assert done.exit_code == 0, done.output
        return done.stdout

    def json(self, *words: str, status: int = 0) -> Any:  # noqa: ANN401 - what JSON holds
        """The one JSON value that a command prints."""
        done = self.run(*words, "--json")
        assert done.exit_code == status, done.output
        assert done.stdout.count("\n") == 1
        return json.loads(done.stdout)

    def process(self, *words: str, stdin: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
        """A command as a process of its own."""
        environment = {**os.environ, **variables}
        return subprocess.run(
            [*PROGRAM, *words], cwd=self.folder, input=stdin, capture_output=True, check=False, env=environment
        )
