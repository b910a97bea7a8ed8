"""What the tests of every folder share: no network, no settings of the person at the keyboard, steady examples."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import threading
import time
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytest.register_assert_rewrite("mnemic.testing.contracts")

_ROOT = Path(__file__).parent.parent
_MEMORY = Path("/dev/shm")
_DATA = Path(os.environ.get("MNEMIC_DATA", _ROOT.parent / "shared" / "data"))

# The same examples on every run and machine: a red test means a change, not luck. `thorough` looks for new ones:
# HYPOTHESIS_PROFILE=thorough make test
_QUIET = [HealthCheck.too_slow]  # a loaded machine is no finding
settings.register_profile(
    "default", derandomize=True, max_examples=60, deadline=None, database=None, suppress_health_check=_QUIET
)
settings.register_profile("thorough", max_examples=2_000, deadline=None, print_blob=True, suppress_health_check=_QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public data sets, which are not ours to ship; tests that want it skip where it is absent.

    `MNEMIC_DATA` names it; without that, `shared/data` beside the checkout.
    """
    if not _DATA.is_dir():
        pytest.skip(f"no data sets at {_DATA}; name their folder in MNEMIC_DATA")
    return _DATA


@pytest.fixture
def in_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in memory where the system offers that: thousands of durable writes wear out a disk."""
    if not _MEMORY.is_dir():
        yield tmp_path_factory.mktemp("mnemic-test-")
        return
    folder = Path(tempfile.mkdtemp(dir=_MEMORY, prefix="mnemic-test-"))
    yield folder
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):  # a server that warms up in the background writes into its bundle
            thread.cancel()
            thread.join()
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache folder for the whole run, all workers included: what is in it is slow to make and bound to no test."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared-cache"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(autouse=True)
def _nobodys_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, shared_cache: Path
) -> None:
    """A home folder that is empty, no setting from outside, UTC: here, and in every program that a test starts."""
    home = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith(("MNEMIC_", "XDG_", "GIT_"))]:
        monkeypatch.delenv(name)
    places = {"HOME": home, "USERPROFILE": home, "APPDATA": home, "LOCALAPPDATA": home, "XDG_CACHE_HOME": shared_cache}
    places |= {"MNEMIC_CACHE_DIR": shared_cache / "mnemic"}
    for name, place in places.items():
        monkeypatch.setenv(name, str(place))
    for name in ("EDITOR", "VISUAL", "NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TZ", "UTC")
    if hasattr(time, "tzset"):  # Windows has none
        time.tzset()


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that reaches out fails and says where to; this machine itself may be spoken to."""

    def guarded(name: str) -> Callable[..., object]:
        original = getattr(socket.socket, name)

        def call(self: socket.socket, *given: object) -> object:
            address = given[-1]
            if self.family in {socket.AF_INET, socket.AF_INET6} and not _is_here(address):
                pytest.fail(f"the test reached out to {address}")
            return original(self, *given)

        return call

    def resolve(host: object, *given: object, **options: object) -> object:
        if not _is_here((host,)):
            pytest.fail(f"the test asked for the address of {host!r}")
        return original_resolve(host, *given, **options)  # type: ignore[arg-type]

    original_resolve = socket.getaddrinfo
    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, guarded(name))
    monkeypatch.setattr(socket, "getaddrinfo", resolve)


def _is_here(address: object) -> bool:
    """Whether a socket address (`(host, port, ...)`) is on this machine."""
    host = address[0] if isinstance(address, tuple) and address else address
    if host is None or host in {"", b"", "localhost", b"localhost"}:
        return True
    try:
        return ip_address(host.decode() if isinstance(host, bytes) else str(host)).is_loopback
    except ValueError:
        return False
