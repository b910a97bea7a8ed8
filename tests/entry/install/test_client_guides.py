"""The pages of the clients show settings that are valid, and the same as the installer writes."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from mnemic.entry.install import claude_code, codex, cursor
from mnemic.entry.install.marks import is_our_command

_PAGES = Path(__file__).parent.parent.parent.parent / "docs" / "guides" / "clients"


def _blocks(page: str, language: str) -> list[str]:
    text = (_PAGES / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", sorted(path.name for path in _PAGES.glob("*.md")))
def test_settings_to_paste_can_be_read(page: str) -> None:
    shown = [*map(json.loads, _blocks(page, "json")), *map(tomllib.loads, _blocks(page, "toml"))]
    shown += map(yaml.safe_load, _blocks(page, "yaml"))

    assert any("mcp" in json.dumps(one) for one in shown)


@pytest.mark.parametrize("client", [claude_code, codex, cursor])
def test_hooks_to_paste_are_those_of_the_installer(client: Any) -> None:  # noqa: ANN401 - a module
    (hooks,) = [
        block["hooks"] for text in _blocks(f"{client.NAME}.md", "json") if "hooks" in (block := json.loads(text))
    ]

    assert set(hooks) == set(client.EVENTS)
    for event, entries in hooks.items():
        hook = entries[0]["hooks"][0] if "hooks" in entries[0] else entries[0]
        assert hook["command"] == f"mnemic-hook {client.NAME} {event}"
        assert is_our_command(hook["command"])
