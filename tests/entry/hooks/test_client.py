"""The thin part: what it loads, how it finds a bundle, and whom it does not talk to."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from coding_agent import HOOK, PATIENT, Agent

from mnemic.app import STATE_FOLDER, App, create_bundle, find_places
from mnemic.entry.hooks import client
from mnemic.entry.hooks.serving import listen

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.mark.usefixtures("server")
def test_with_a_server_it_loads_next_to_nothing(agent: Agent) -> None:
    """Every module costs: a bare interpreter takes six milliseconds, `json` alone as much again."""
    command = [sys.executable, "-I", "-S", "-X", "importtime", HOOK, "claude-code", "UserPromptSubmit"]
    bare = [sys.executable, "-I", "-S", "-X", "importtime", "-c", "pass"]

    loaded = _loaded(command, agent.folder) - _loaded(bare, agent.folder)

    assert loaded <= {"os", "stat", "_stat", "posixpath", "genericpath", "_collections_abc", "abc", "_abc"} | {
        "client", "_socket", "os.path", "ntpath", "nt",
    }  # fmt: skip


@pytest.mark.parametrize("named", ["", "project", "project/memory", "project/deep", "plain", "gone"])
def test_it_finds_the_bundle_that_the_application_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    create_bundle(tmp_path / "project" / "memory")
    (tmp_path / "project" / "deep" / "er").mkdir(parents=True)
    (tmp_path / "plain").mkdir()
    create_bundle(Path(os.environ["HOME"]) / ".local" / "share" / "mnemic" / "memory")
    for start in (tmp_path / "project" / "deep" / "er", tmp_path / "project" / "memory", tmp_path / "plain"):
        monkeypatch.chdir(start)
        if named:
            monkeypatch.setenv("MNEMIC_BUNDLE", str(tmp_path / named))

        root, state, _ = client.find_bundle()

        if named == "gone":
            assert (root, state) == ("", "")
            continue
        place = find_places(None)[0]
        assert Path(root) == place.root
        assert Path(state) == App.start(None, overrides=("embed.engines=",)).state_folder


def test_where_the_agent_says_its_project_is_counts_when_nothing_is_found_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_bundle(tmp_path / "project" / ".memory")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path / "project"))

    assert client.find_bundle("claude-code")[0] == str(tmp_path / "project" / ".memory")


@pytest.fixture
def far_away(in_memory: Path) -> Iterator[Path]:
    """A bundle whose path is too long for a socket, and its server."""
    root = in_memory / ("deep-" * 12) / ("deeper-" * 12) / "memory"
    create_bundle(root)
    app = App.start(root, overrides=("embed.engines=",))
    (root / "note.md").write_text("---\ntype: note\ntitle: Tea\n---\n\nAnna drinks jasmine tea\n", encoding="utf-8")
    listening = listen(app)
    assert listening.wait()
    yield root
    listening.close()


def test_where_a_path_is_too_long_a_port_and_a_token_do_the_same(far_away: Path) -> None:
    port_file = far_away / STATE_FOLDER / "sock.port"
    assert not (far_away / STATE_FOLDER / "sock").exists()

    assert "jasmine" in Agent(far_away.parent).context("what does Anna drink?")

    if os.name != "nt":
        assert port_file.stat().st_mode & 0o777 == 0o600
    port, _, token = port_file.read_text(encoding="ascii").strip().partition(" ")
    for wrong in ("", "0" * len(token), "ж"):
        with socket.create_connection(("127.0.0.1", int(port))) as connection:
            connection.sendall(f"mnemic 1 hook claude-code SessionStart\0/\0{wrong}\n{{}}".encode())
            connection.shutdown(socket.SHUT_WR)

            assert connection.recv(100) == b""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_file_that_others_may_read_does_not_say_whom_to_talk_to(far_away: Path) -> None:
    """A repository could bring one along."""
    port_file = far_away / STATE_FOLDER / "sock.port"
    port_file.chmod(0o644)

    assert client.connect(str(port_file.parent))[0] is None


@pytest.mark.parametrize(
    "start",
    [
        "from mnemic.entry.hooks.hook import main",
        "import sys; sys.argv.insert(1, 'hook'); from mnemic.entry.cli.main import main",
    ],
)
def test_the_installed_programs_do_the_same(agent: Agent, start: str) -> None:
    command = [sys.executable, "-c", f"{start}; main()", "claude-code", "UserPromptSubmit"]
    told = b'{"prompt": "what tea does Anna drink?"}'

    variables = {**os.environ, "MNEMIC_HOOK_MS": PATIENT}
    done = subprocess.run(command, input=told, capture_output=True, cwd=agent.folder, env=variables, check=True)

    assert done.stdout == agent.run("claude-code", "UserPromptSubmit", told).stdout
    assert b"jasmine" in done.stdout


def _loaded(command: list[object], folder: Path) -> set[str]:
    done = subprocess.run(
        [*map(str, command)], cwd=folder, input=b'{"prompt": "what does Anna drink?"}', capture_output=True, check=True
    )
    return set(re.findall(r"^import time:.*\|\s+(\S+)$", done.stderr.decode(), re.MULTILINE))


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no such permission there")
@pytest.mark.parametrize("named", [True, False], ids=["named", "found"])
def test_a_projects_bundle_that_is_closed_to_us_is_not_passed_over_for_our_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, named: bool
) -> None:
    create_bundle(Path(os.environ["HOME"]) / ".local" / "share" / "mnemic" / "memory")
    (tmp_path / "project" / "memory").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")
    if named:
        monkeypatch.setenv("MNEMIC_BUNDLE", str(tmp_path / "project"))
    may = os.access  # root may enter everything
    closed = str(tmp_path / "project" / "memory")
    monkeypatch.setattr(os, "access", lambda path, mode: path != closed and may(path, mode))

    assert client.find_bundle() == ("", "", False)
