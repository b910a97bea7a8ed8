"""`make demo`, as a newcomer meets it: the script behind it, on the real program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_SCRIPT = _ROOT / "examples" / "demo" / "run.py"

pytestmark = pytest.mark.slow


def _demo(folder: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """The script, run in `folder`; output and messages together, in their order."""
    return subprocess.run(
        [sys.executable, _SCRIPT, "--into", folder / "demo"],
        cwd=folder,
        env={**os.environ, "DEMO_DATA": "", "DEMO_QUESTION": "", **given},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )


def test_the_demo_shows_a_month_from_import_to_silence(tmp_path: Path) -> None:
    """Twice, because the second run finds the bundle of the first."""
    first, second = _demo(tmp_path), _demo(tmp_path)

    assert first.returncode == 0, first.stdout
    assert second.returncode == 0, second.stdout
    assert first.stdout.count("Nothing remembered about this.") == 2
    assert "quarantined" in first.stdout
    assert "Your turn" in first.stdout
    notes = [path for path in (tmp_path / "demo" / "memory").rglob("*.md") if path.name not in {"index.md", "log.md"}]
    assert len(notes) == 12


def test_the_demo_takes_conversations_of_ones_own(tmp_path: Path) -> None:
    turn = {"session": "s", "turn": 1, "at": "2026-05-03T08:14:00Z", "role": "user", "text": "My bicycle is Rosa."}
    (tmp_path / "my chat.jsonl").write_text(json.dumps(turn) + "\n", encoding="utf-8")

    done = _demo(tmp_path, DEMO_DATA="my chat.jsonl", DEMO_QUESTION="what is my bicycle called?")

    assert done.returncode == 0, done.stdout
    assert "session:s#1" in done.stdout
    assert "Rosa" in done.stdout


def test_the_demo_deletes_nothing_that_is_not_its_own(tmp_path: Path) -> None:
    precious = tmp_path / "demo" / "memory" / "thesis.md"
    precious.parent.mkdir(parents=True)
    precious.write_text("five years of work", encoding="utf-8")

    done = _demo(tmp_path)

    assert done.returncode == 1
    assert "Move it away" in done.stdout
    assert precious.read_text(encoding="utf-8") == "five years of work"


def test_the_demo_says_so_when_a_file_is_not_there(tmp_path: Path) -> None:
    done = _demo(tmp_path, DEMO_DATA="nothing.jsonl")

    assert done.returncode == 1
    assert "There is no nothing.jsonl" in done.stdout
