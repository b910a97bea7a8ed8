"""The program as a process: pipes, terminals, code pages, readers that go away."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from command_line import PROGRAM

if TYPE_CHECKING:
    from pathlib import Path

    from command_line import Shell

ESCAPE = b"\x1b"


def on_a_terminal(folder: Path, *words: str, **variables: str) -> tuple[int, str]:
    """Exit status and output of a command whose standard streams are one terminal of 80 columns."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", **variables}
    with subprocess.Popen(
        [*PROGRAM, *words], cwd=folder, stdin=slave, stdout=slave, stderr=slave, env=environment
    ) as process:
        os.close(slave)
        chunks = []
        while True:
            try:
                chunk = os.read(master, 65_536)
            except OSError:  # Linux ends a terminal so
                break
            if not chunk:
                break
            chunks.append(chunk)
        status = process.wait()
    os.close(master)
    return status, b"".join(chunks).decode("utf-8", "replace")


def many_turns(folder: Path, count: int = 400) -> Path:
    path = folder / "talk.jsonl"
    rows = (
        {
            "session": f"s-{n // 4}",
            "turn": n % 4 + 1,
            "at": "2026-05-03T08:14:00Z",
            "role": "user",
            "text": f"word{n} zebra",
        }
        for n in range(count)
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "words", [("recall", "tea", "--explain"), ("status",), ("doctor",), ("show", "notes/tea"), ("check",)]
)
def test_a_pipe_sees_no_escape_codes(project: Shell, words: tuple[str, ...]) -> None:
    done = project.process(*words)

    assert done.returncode == 0, done.stderr
    assert ESCAPE not in done.stdout + done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_terminal_sees_colours_unless_told_otherwise(project: Shell) -> None:
    _, colourful = on_a_terminal(project.folder, "recall", "tea", "--explain")
    status, sober = on_a_terminal(project.folder, "recall", "tea", "--explain", NO_COLOR="1")

    assert "\x1b[" in colourful
    assert status == 0
    assert "\x1b[" not in sober
    assert "notes/tea" in sober


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_json_is_indented_on_a_terminal_and_one_line_in_a_pipe(project: Shell) -> None:
    _, shown = on_a_terminal(project.folder, "config", "show", "recall.k", "--json")
    piped = project.process("config", "show", "recall.k", "--json").stdout

    assert json.loads(shown) == json.loads(piped)
    assert (shown.count("\n") > 2, piped.count(b"\n")) == (True, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_progress_is_drawn_on_a_terminal_and_wiped_at_the_end(project: Shell) -> None:
    source = many_turns(project.folder)

    status, shown = on_a_terminal(project.folder, "import", str(source))

    assert status == 0
    assert "\r\x1b[Ksessions" in shown
    assert shown.rindex("\r\x1b[K") < shown.index("Added 400 turns")
    _, quiet = on_a_terminal(project.folder, "import", str(source), "--json")
    assert "\x1b[K" not in quiet


def test_progress_is_not_drawn_into_a_pipe(project: Shell) -> None:
    done = project.process("import", str(many_turns(project.folder)))

    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\r" not in done.stdout.replace(b"\r\n", b"\n")


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp932", "utf-8"])
def test_any_code_page_takes_any_script(project: Shell, encoding: str) -> None:
    texts = "Бабушка пьёт чай. 会議は東京駅。 الشاي 🎉 naïve"
    variables: dict[str, Any] = {"PYTHONIOENCODING": encoding, "LC_ALL": "C"}

    kept = project.process("remember", "-", "--id", "заметки/чай", stdin=texts.encode(), **variables)
    found = project.process("recall", "чай бабушки", "--explain", **variables)

    assert kept.returncode == 0, kept.stderr
    assert found.returncode == 0, found.stderr
    assert "заметки/чай" in found.stdout.decode("utf-8")
    assert texts in project.process("show", "заметки/чай", **variables).stdout.decode("utf-8")


def test_bytes_that_are_no_text_do_not_kill_the_program(project: Shell) -> None:
    asked = project.process("recall", "-", stdin=b"zebra \xff\xfe \x80")
    kept = project.process("remember", "-", "--id", "notes/bytes", stdin=b"zebra \xff\xfe end")

    assert asked.returncode == 1
    assert kept.returncode == 0
    assert "zebra \ufffd\ufffd end" in (project.memory / "notes/bytes.md").read_text(encoding="utf-8")
    assert b"Traceback" not in asked.stderr + kept.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are Unicode there")
def test_an_argument_that_is_no_text_is_refused_or_answered(project: Shell) -> None:
    for words, status in (
        (("remember", b"zebra \xff"), 2),
        (("recall", b"tea \xff"), 0),
        (("show", b"\xff"), 2),
    ):
        done = subprocess.run([*PROGRAM, *words], cwd=project.folder, capture_output=True, check=False)

        assert done.returncode == status, done.stderr
        assert b"Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
@pytest.mark.parametrize("words", [("session", "list"), ("config", "show", "--json"), ("--help",)])
def test_a_reader_that_goes_away_is_no_error(project: Shell, words: tuple[str, ...]) -> None:
    project.ok("import", str(many_turns(project.folder, 4_000)), "--no-embed")
    reader, writer = os.pipe()
    os.close(reader)

    done = subprocess.run([*PROGRAM, *words], cwd=project.folder, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="closes a handle by its number")
@pytest.mark.parametrize("streams", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_standard_streams_are_mute_ones(project: Shell, streams: str) -> None:
    """Python has no objects for them, and the next file that is opened would take their numbers."""
    program = " ".join(f'"{word}"' for word in PROGRAM)
    for words, status in (
        ("recall tea", 0),
        ("remember -", 2),
        ("remember zebra", 0),
        ("hook claude-code SessionStart", 0),
        ("nonsense", 2),
    ):
        done = subprocess.run(
            ["/bin/sh", "-c", f"{program} {words} {streams}"], cwd=project.folder, capture_output=True, check=False
        )

        assert (done.returncode, b"Traceback" in done.stderr) == (status, False), (words, done.stderr)
    assert project.run("check").exit_code == 0


def test_two_programs_at_once_lose_nothing(project: Shell) -> None:
    texts = [f"Zebra number{n} lives in place{n * 7}." for n in range(6)]
    running = [
        subprocess.Popen([*PROGRAM, "remember", text], cwd=project.folder, stdout=subprocess.DEVNULL) for text in texts
    ]

    assert [process.wait(60) for process in running] == [0] * len(texts)
    assert project.json("status")["memories"] == 3 + len(texts)
    assert project.run("check").exit_code == 0


def test_an_interrupted_program_says_so_in_one_line(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from mnemic.app import App

    def interrupted(*_given: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(App, "recall", interrupted)

    done = project.run("recall", "tea")

    assert (done.exit_code, done.stderr) == (130, "Stopped.\n")
