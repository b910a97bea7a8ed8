"""The example loops run, and do what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_LOOPS = Path(__file__).parents[2] / "examples" / "agent_loop"


@pytest.mark.parametrize("name", ["loop.py", "async_loop.py"])
def test_an_example_loop_runs(name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(_LOOPS / name)], capture_output=True, text=True, encoding="utf-8", check=False
    )

    assert done.returncode == 0, done.stderr
    assert "helper: You drink green tea in the morning." in done.stdout
    assert "2 turns" in done.stdout
