"""Where the tests with real coding agents and MCP clients are."""

from __future__ import annotations

import pytest


@pytest.mark.skip(reason="the agents are 1.6 GB to fetch: `make test-agents` runs tests_agents/, by hand")
def test_real_agents_and_clients_work_with_mnemic() -> None: ...
