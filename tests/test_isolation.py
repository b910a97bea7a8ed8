"""The tests themselves: they reach no network, and see nothing of the person who runs them."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from mnemic import config


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("example.org", 443)])
def test_a_test_that_reaches_out_fails(address: tuple[str, int]) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"reached out|asked for the address"):
        socket.create_connection(address, timeout=0.1)


def test_a_test_may_talk_to_this_machine() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        with socket.create_connection(("localhost", port), timeout=5) as client:
            assert client.getpeername()[1] == port


def test_a_test_sees_nobodys_settings_and_nobodys_memories(tmp_path: Path) -> None:
    """Every place that mnemic would look at lies in the folder of the test run."""
    run = tmp_path.parents[1]

    places = (config.user_config_file(), config.user_data_dir(), config.user_cache_dir(), Path.home())

    assert [place for place in places if run not in place.parents] == []
    assert [name for name in os.environ if name.startswith("MNEMIC_")] == ["MNEMIC_CACHE_DIR"]
