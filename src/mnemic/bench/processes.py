"""Whole processes: what a person waits for, and what a program that calls `mnemic` pays."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mnemic.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

_NOTHING_FOUND = 1
_CALL = "from mnemic.entry.cli.main import main; main()"


def program() -> list[str]:
    """How to start `mnemic` with the interpreter that runs this."""
    found = shutil.which("mnemic", path=str(Path(sys.executable).parent))
    return [found] if found else [sys.executable, "-c", _CALL]


def nothing() -> list[str]:
    """How to start the interpreter and end it again."""
    return [sys.executable, "-c", "pass"]


def run(command: Sequence[str]) -> str:
    """Run a program to its end; gives its output.

    It may write compiled modules, as it would for a user, even where this process was told not to.

    Raises:
        StorageError: It failed.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(  # noqa: S603 - our own program
        command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=False
    )
    if done.returncode not in {0, _NOTHING_FOUND}:
        message = done.stderr.decode("utf-8", "replace").strip()
        raise StorageError(f"{' '.join(command)} ended with exit status {done.returncode}: {message}")
    return done.stdout.decode("utf-8", "replace")


def measured_import(bundle: Path, source: Path, dims: Sequence[int]) -> dict[str, float]:
    """Import a chat file in a process of its own; see `import_memory`."""
    command = [sys.executable, "-m", "mnemic.bench.import_memory", str(bundle), str(source), *map(str, dims)]
    output: dict[str, float] = json.loads(run(command))
    return output
