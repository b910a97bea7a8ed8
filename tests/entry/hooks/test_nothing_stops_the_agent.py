"""Whatever is wrong, a hook prints JSON, ends with 0 and holds nobody up; what was wrong stands in the log."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from coding_agent import HOOK, Agent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mnemic.app import App


BROKEN = [
    b"",
    b"{",
    b"null",
    b"[1]",
    b"\xff\xfe\x00",
    b'{"prompt": ' + b"[" * 100_000,
    b'{"n": ' + b"9" * 10_000 + b"}",
]


@pytest.mark.parametrize("data", BROKEN, ids=range(len(BROKEN)))
def test_input_that_is_no_json_gets_an_empty_answer_and_a_line_in_the_log(
    anyhow: Agent, data: bytes, log_lines: Callable[[], list[str]]
) -> None:
    before = len(log_lines())

    assert anyhow.says_raw("claude-code", "UserPromptSubmit", data) == {}

    assert log_lines()[before].endswith("claude-code UserPromptSubmit: not JSON")


@pytest.mark.parametrize("told", [{"prompt": 5}, {"prompt": None}, {"session_id": ["x"]}, {"transcript_path": {}}, {}])
def test_fields_of_another_type_or_missing_are_empty(anyhow: Agent, told: dict[str, object]) -> None:
    for event in ("UserPromptSubmit", "Stop"):
        assert anyhow.says_raw("claude-code", event, json.dumps(told).encode()) == {}


def test_a_prompt_of_five_megabytes_is_answered(anyhow: Agent) -> None:
    assert "green tea" in anyhow.context("what does Anna drink? " + " " * 5_000_000)
    assert anyhow.context("ж" * 5_000_000) == ""


def test_halves_of_surrogate_pairs_and_nul_bytes_are_text_like_any_other(anyhow: Agent) -> None:
    data = b'{"session_id": "a\\ud800b", "prompt": "\\udcff what does Anna drink? \\u0000 \\ud83d"}'

    answer = anyhow.says_raw("claude-code", "UserPromptSubmit", data)

    assert "green tea" in str(answer)


@pytest.mark.parametrize(
    ("client", "event"), [("claude-code", "PostToolUse"), ("emacs", "Stop"), ("", ""), ("a b", "c\nd")]
)
def test_events_and_clients_that_nobody_knows_get_an_empty_answer(anyhow: Agent, client: str, event: str) -> None:
    assert anyhow.says(client, event) == {}


def test_without_arguments_nothing_breaks() -> None:
    done = subprocess.run([sys.executable, "-I", "-S", HOOK], input=b"{}", capture_output=True, check=False)

    assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, {}, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="closes a handle by its number")
def test_closed_standard_streams_are_no_error(anyhow: Agent) -> None:
    hook = f'"{sys.executable}" -I -S "{HOOK}" claude-code UserPromptSubmit'
    for streams in ("<&-", "</dev/null >&-", "<&- >&- 2>&-"):
        done = subprocess.run(
            ["/bin/sh", "-c", f"{hook} {streams}"], cwd=anyhow.folder, capture_output=True, check=False
        )

        assert done.returncode == 0
        assert done.stderr == b""


def test_a_client_that_never_says_what_it_wants_holds_nobody_up(
    agent: Agent, log_lines: Callable[[], list[str]]
) -> None:
    command = [sys.executable, "-I", "-S", HOOK, "claude-code", "UserPromptSubmit"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=agent.folder,
        env={**os.environ, "MNEMIC_HOOK_MS": "100"},
    ) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.read()) == {}
        assert process.wait() == 0

    assert log_lines()[-1].endswith("claude-code UserPromptSubmit: no answer in time")


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "Stop"])
def test_without_a_bundle_nothing_is_told_and_none_is_made(tmp_path: Path, event: str) -> None:

    assert Agent(tmp_path).says("claude-code", event, prompt="what does Anna drink?") == {}
    assert Agent(tmp_path, {"MNEMIC_BUNDLE": str(tmp_path / "gone")}).says("codex", event) == {}

    assert not (Path(os.environ["HOME"]) / ".local").exists()


def test_a_log_that_cannot_be_written_is_no_error(anyhow: Agent, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    anyhow.variables["MNEMIC_CACHE_DIR"] = str(tmp_path / "file")

    assert anyhow.says_raw("claude-code", "UserPromptSubmit", b"{") == {}


def test_the_log_stays_small_and_holds_nothing_that_was_said(agent: Agent, tmp_path: Path) -> None:
    agent.variables["MNEMIC_CACHE_DIR"] = str(tmp_path)
    log = tmp_path / "hook.log"
    log.write_text("old line\n" * 30_000, encoding="utf-8")

    agent.says_raw("claude-code", "UserPromptSubmit", b'{"prompt": "a secret of mine"')
    agent.says_raw("claude-code", "UserPromptSubmit", b'{"prompt": "a secret of mine"')

    assert (tmp_path / "hook.log.1").stat().st_size == 270_000
    assert len(log.read_text(encoding="utf-8").splitlines()) == 2
    assert "secret" not in log.read_text(encoding="utf-8")


def test_settings_that_are_wrong_are_told_to_the_log_alone(agent: Agent, bundle: Path, tmp_path: Path) -> None:
    agent.variables["MNEMIC_CACHE_DIR"] = str(tmp_path)
    with (bundle / "mnemic.toml").open("a", encoding="utf-8") as file:
        file.write('\n[recall]\nk = "many"\n')

    assert agent.context("what does Anna drink?") == ""

    assert "ConfigError (config)" in (tmp_path / "hook.log").read_text(encoding="utf-8")


def test_an_index_that_is_damaged_or_foreign_tells_nothing(agent: Agent, bundle: Path) -> None:
    index = bundle / ".mnemic" / "index.db"
    for damage in (b"no database at all", b"SQLite format 3\0" + b"\x07" * 5_000, b""):
        for part in index.parent.glob("index.db*"):
            part.unlink()
        index.write_bytes(damage)

        assert agent.context("what does Anna drink?") == ""


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="a socket in the file system")
class TestServersThatFail:
    """Where the socket answers, but not as it should."""

    @pytest.fixture
    def socket_of(self, bundle: Path) -> Iterator[Callable[[Callable[[socket.socket], None]], None]]:
        waiting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        waiting.bind(str(bundle / ".mnemic" / "sock"))
        waiting.listen(4)
        held: list[socket.socket] = []

        def behave(as_told: Callable[[socket.socket], None]) -> None:
            def serve() -> None:
                connection, _ = waiting.accept()
                held.append(connection)
                as_told(connection)

            threading.Thread(target=serve, daemon=True).start()

        yield behave
        for one in (*held, waiting):
            one.close()

    def test_one_that_is_late_is_done_without(
        self, agent: Agent, socket_of: Callable[[Callable[[socket.socket], None]], None], app: App
    ) -> None:
        """It has heard everything, so it is the one who announces the turn and keeps what was said, if anybody does."""
        socket_of(lambda _: None)
        agent.variables["MNEMIC_HOOK_MS"] = "4000"  # half of it is the server's

        told = agent.context("what does Anna drink?", "codex", session_id="new")

        assert "green tea" in told
        assert app.bundle.turns.current("codex:new") is None

    @pytest.mark.parametrize("looking", ["still looks itself", "has found nothing itself"])
    def test_its_late_answer_counts_when_the_hook(
        self,
        agent: Agent,
        socket_of: Callable[[Callable[[socket.socket], None]], None],
        tmp_path: Path,
        looking: str,
    ) -> None:
        settings = tmp_path / "config.toml"
        os.mkfifo(settings)  # whoever reads the settings is seen doing so
        agent.variables |= {"MNEMIC_HOOK_MS": "4000", "MNEMIC_CONFIG_DIR": str(tmp_path)}
        held: list[int] = []

        def late(connection: socket.socket) -> None:
            while connection.recv(65_536):
                pass
            held.append(os.open(settings, os.O_WRONLY))
            if looking == "has found nothing itself":
                os.close(held.pop())
            connection.sendall(b'{"late": true}\n')
            connection.close()

        socket_of(late)

        assert agent.says("codex", "UserPromptSubmit", prompt="zyzzyva?") == {"late": True}
        for one in held:
            os.close(one)

    def test_one_that_dies_in_the_middle_of_its_answer_is_done_without(
        self, agent: Agent, socket_of: Callable[[Callable[[socket.socket], None]], None]
    ) -> None:
        def half(connection: socket.socket) -> None:
            while connection.recv(65_536):
                pass
            connection.sendall(b'{"hookSpecificOutput": {"hookEv')
            connection.close()

        socket_of(half)

        assert "green tea" in agent.context("what does Anna drink?")

    def test_one_that_hangs_up_at_once_is_done_without(
        self, agent: Agent, socket_of: Callable[[Callable[[socket.socket], None]], None]
    ) -> None:
        socket_of(lambda connection: connection.close())

        assert "green tea" in agent.context("what does Anna drink?")


@pytest.mark.usefixtures("server")
def test_a_server_whose_memory_fails_still_answers(
    agent: Agent, monkeypatch: pytest.MonkeyPatch, log_lines: Callable[[], list[str]]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("what does Anna drink?")

    monkeypatch.setattr("mnemic.entry.hooks.serving.answer", broken)

    assert agent.says("claude-code", "UserPromptSubmit", prompt="what does Anna drink?") == {}

    assert "RuntimeError at " in log_lines()[-1]
    assert "Anna" not in log_lines()[-1]
