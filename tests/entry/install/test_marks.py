"""Commands that a shell takes apart as they were meant, and that are recognised as ours."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.entry.install.marks import Programs, is_our_command, is_our_file, is_our_server, quoted

_WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), min_size=1, max_size=20)


@pytest.mark.skipif(sys.platform == "win32", reason="sh")
@pytest.mark.parametrize(
    "word", ["/opt/my tools/python", "/home/o'neil/a", '/x/"y"', "/a$HOME`id`;b", "/ключ/記憶", "\\"]
)
def test_a_path_reaches_the_program_through_the_shell_as_it_is(word: str) -> None:
    command = f"printf %s {quoted(word, windows=False)}"

    done = subprocess.run(["sh", "-c", command], capture_output=True, check=True)

    assert done.stdout.decode() == word


def test_a_path_on_windows_has_slashes_and_quotes_that_all_shells_read() -> None:
    programs = Programs(
        python=r"C:\Program Files\Python\python.exe",
        hook=r"C:\Users\Ada L\mnemic\entry\hooks\hook.py",
        mnemic=(r"C:\x\mnemic.exe",),
        bundle=r"D:\memory",
        windows=True,
    )

    command = programs.hook_command("claude-code", "Stop")

    hook = '"C:/Users/Ada L/mnemic/entry/hooks/hook.py"'
    assert command == f'"C:/Program Files/Python/python.exe" -I -S {hook} claude-code Stop D:/memory'
    assert is_our_command(command)


@given(_WORDS, _WORDS)
def test_our_command_is_recognised_wherever_it_lies(python: str, folder: str) -> None:
    for windows in (False, True):
        programs = Programs(
            python=python, hook=f"{folder}/mnemic/entry/hooks/hook.py", mnemic=("mnemic",), windows=windows
        )

        assert is_our_command(programs.hook_command("codex", "Stop"))


@pytest.mark.parametrize(
    "command", ["mnemic-hook claude-code Stop", r"C:\py.exe C:\lib\mnemic\entry\hooks\hook.py cursor sessionStart"]
)
def test_other_forms_of_our_command_are_ours(command: str) -> None:
    assert is_our_command(command)


@pytest.mark.parametrize("command", ["mnemic recall x", "node hook.js", "mymnemic-hooks", "my-mnemic-hooked", None, 3])
def test_commands_of_others_are_not_ours(command: object) -> None:
    assert not is_our_command(command)


def test_servers_are_told_apart_by_their_program() -> None:
    assert is_our_server(["/usr/bin/mnemic", "mcp"])
    assert is_our_server([r"C:\Scripts\mnemic.EXE"])
    assert is_our_server(["python", "-c", "from mnemic.entry.cli.main import main; main()", "mcp"])
    assert not is_our_server(["npx", "mnemic-but-other"])
    assert not is_our_server([None])


def test_an_older_entry_keeps_its_bundle_unless_another_is_named() -> None:
    programs = Programs(python="p", hook="h", mnemic=("/new/mnemic",))

    assert programs.server_words("--bundle", "/b", "mcp") == ("/new/mnemic", "--bundle", "/b", "mcp")
    assert programs.server_words("serve") == ("/new/mnemic", "mcp")


def test_our_files_say_so_near_their_beginning() -> None:
    assert is_our_file(b"// Part of mnemic: x")
    assert is_our_file(b"---\nname: x\nmetadata:\n  part-of: mnemic\n")
    assert not is_our_file(b"// made for mnemic by me")
    assert not is_our_file(b" " * 3_000 + b"Part of mnemic")
