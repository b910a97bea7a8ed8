"""The protocol's own conformance suite, with the scenarios that ask nothing of a server but what every one has.

The others call tools, resources and prompts that the suite makes up (`test_image_content`, `test://static-text`), or
logging, which the newest revision has given up.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from endpoints import over_http, with_token
from programs import INSTALLED, run, version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projects import Project
    from table import Seen

_NAME = f"MCP conformance {version('@modelcontextprotocol/conformance')}"
_SCENARIOS = (
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "completion-complete",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
)
_OUTPUT = INSTALLED / "conformance"
"""What the suite wrote, one folder a scenario, of the last run."""


@pytest.fixture
def address(project: Project) -> Iterator[str]:
    """A server over HTTP, reached through what adds the token: the suite has no option for one."""
    with over_http(project) as server, with_token(project, server) as url:
        yield url


def test_every_scenario_passes_that_applies(project: Project, address: str, seen: Seen) -> None:
    failed: dict[str, list[Any]] = {}
    for scenario in _SCENARIOS:
        folder = _OUTPUT / scenario
        for old in folder.rglob("checks.json"):
            old.unlink()
        command = ["conformance", "server", "--url", address, "--scenario", scenario, "--output-dir", folder]
        done = run(command, cwd=project.folder, env=project.env, status=None)
        [checks] = [json.loads(path.read_text(encoding="utf-8")) for path in folder.rglob("checks.json")]
        bad = [check for check in checks if check["status"] not in {"SUCCESS", "INFO", "SKIPPED"}]
        if bad or not checks or done.status:
            failed[scenario] = bad or [done.stdout]
    assert failed == {}
    seen.add(_NAME, f"{len(_SCENARIOS)} scenarios over HTTP: {', '.join(_SCENARIOS)}")
