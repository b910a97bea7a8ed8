"""The guide to importing shows what the program says, word for word, about the files it ships."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from click.testing import CliRunner

from mnemic.entry.cli.main import cli

if TYPE_CHECKING:
    import pytest

_ROOT = Path(__file__).parent.parent.parent
_GUIDE = _ROOT / "docs" / "guides" / "import-conversations.md"
_EXAMPLES = _ROOT / "examples" / "import"


def steps() -> list[tuple[list[str], str]]:
    """`(words, output)` of each command of the guide about the files beside it; the two data sets are not shipped."""
    blocks = re.findall(r"^```console\n(.*?)^```", _GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    parts = [part for block in blocks for part in re.split(r"^\$ mnemic ", block, flags=re.MULTILINE)[1:]]
    found = [part.partition("\n") for part in parts]
    return [(shlex.split(words), output) for words, _, output in found if not {"locomo", "memorybank"} & {*words}]


def pattern(output: str) -> str:
    """`...` stands for any lines."""
    return "".join(r"(?:.*\n)*" if line == "..." else re.escape(line) + r" *\n" for line in output.splitlines())


def test_the_guide_shows_what_the_program_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"MNEMIC_{name}_DIR", str(tmp_path / name))
    monkeypatch.setenv("MNEMIC_EMBED_ENGINES", "")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(_EXAMPLES, tmp_path, dirs_exist_ok=True)
    run = CliRunner().invoke
    run(cli, ["init"], catch_exceptions=False)
    shown = steps()

    wrong = []
    for words, output in shown:
        here = [str(tmp_path / "claude-code") if word.startswith("~") else word for word in words]
        said = run(cli, here, catch_exceptions=False).stdout
        if output and not re.fullmatch(pattern(output), said):
            wrong.append(f"mnemic {shlex.join(words)}\n{said}")

    assert len(shown) > 7
    assert wrong == [], "\n".join(wrong)
