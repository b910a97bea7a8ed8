"""The programs that are tested, and how they are run: in an empty home, with nothing of the person's environment."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path(__file__).parent.parent
INSTALLED = ROOT / ".test-agents"
"""Where `tests_agents/install` puts what it fetches."""

_PROGRAMS = INSTALLED / "node_modules" / ".bin"
MNEMIC = Path(os.environ.get("MNEMIC_PROGRAM", Path(sys.executable).parent / "mnemic"))
"""The mnemic under test; `MNEMIC_PROGRAM` names another one, such as that of an installed wheel."""

PATIENCE = 120.0
"""Seconds after which a program is ended, and its test fails. The slowest one that works takes a tenth of that."""

_KEPT = ("LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR")


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A program that has ended, and what it said."""

    status: int
    stdout: str
    stderr: str
    seconds: float

    def json(self) -> Any:  # noqa: ANN401 - whatever the program prints
        """Standard output, read as one JSON value."""
        return json.loads(self.stdout)

    def json_lines(self) -> list[Any]:
        """Standard output, one JSON value a line."""
        return [json.loads(line) for line in self.stdout.splitlines() if line.strip()]


def environment(home: Path, outside: str, **more: str) -> dict[str, str]:
    """What a program sees of the machine: its own empty home, and a proxy that refuses whatever lies outside."""
    home.mkdir(parents=True, exist_ok=True)
    own = {name: os.environ[name] for name in _KEPT if name in os.environ}
    path = os.pathsep.join([str(_PROGRAMS), str(MNEMIC.parent), os.defpath])
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), outside)
    here = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost,::1")
    return {**own, "PATH": path, "HOME": str(home), "USERPROFILE": str(home), "TZ": "UTC", **proxies, **here, **more}


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    env: Mapping[str, str],
    status: int | None = 0,
    patience: float = PATIENCE,
) -> Done:
    """Run a program to its end; any other exit status than `status` fails the test with all that was said.

    Output goes to files, not pipes: a program that leaves another one behind would keep a pipe open for ever. Whatever
    it leaves behind is ended with it.
    """
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as complained:
        began = time.monotonic()
        with _started(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=complained) as process:
            try:
                ended = process.wait(patience)
            except subprocess.TimeoutExpired:
                ended = None
        seconds = time.monotonic() - began
        for stream in (said, complained):
            stream.seek(0)
        stdout, stderr = said.read().decode("utf-8", "replace"), complained.read().decode("utf-8", "replace")
    words = " ".join(map(str, command))
    report = f"{words}\n--- standard output\n{stdout[-6000:]}\n--- standard error\n{stderr[-6000:]}"
    assert ended is not None, f"not done after {patience:.0f} s: {report}"
    assert status is None or ended == status, f"exit status {ended}: {report}"
    return Done(status=ended, stdout=stdout, stderr=stderr, seconds=seconds)


@contextmanager
def _started(
    command: Sequence[str | Path], *, cwd: Path, env: Mapping[str, str], **streams: IO[bytes] | int
) -> Iterator[subprocess.Popen[bytes]]:
    """A program in a group of its own, ended with its children when the block is left."""
    name = str(command[0])
    found = shutil.which(name, path=env["PATH"])
    assert found, f"{name} is not there: run tests_agents/install"
    words = [found, *map(str, command[1:])]
    process = subprocess.Popen(words, cwd=cwd, env=dict(env), start_new_session=True, **streams)  # type: ignore[call-overload]
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        if process.stdin:
            process.stdin.close()
        process.wait()


@contextmanager
def serving(
    command: Sequence[str | Path], *, cwd: Path, env: Mapping[str, str], log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """A server, for as long as the block lasts; what it says goes to `log`, and its standard input stays open."""
    with (
        log.open("wb") as said,
        _started(command, cwd=cwd, env=env, stdin=subprocess.PIPE, stdout=said, stderr=subprocess.STDOUT) as process,
    ):
        yield process


def left_behind(home: Path) -> dict[int, str]:
    """Programs that still run in somebody's home, by their process; empty where the system does not tell (no /proc)."""
    mark = f"HOME={home}".encode()
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (process / "environ").read_bytes().split(b"\0"):
                found[int(process.name)] = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
    return {pid: words for pid, words in found.items() if words}


def until(what: str, wanted: Any, *, log: Path | None = None, patience: float = 20.0) -> Any:  # noqa: ANN401
    """The first answer of `wanted()` that is true."""
    ends = time.monotonic() + patience
    while time.monotonic() < ends:
        if found := wanted():
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what}: not after {patience:.0f} s" + (f"\n{log.read_text()}" if log else ""))


def size(path: Path) -> int:
    """Megabytes under a folder, a file with two names counted once."""
    seen = {(stat.st_dev, stat.st_ino): stat.st_size for one in path.rglob("*") if (stat := one.lstat())}
    return round(sum(seen.values()) / 1e6)


def version(name: str) -> str:
    """The version of an installed package."""
    return str(json.loads((INSTALLED / "node_modules" / name / "package.json").read_text())["version"])
