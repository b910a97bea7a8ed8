"""`mnemic install` as a person meets it: what it writes where, what it refuses, and that it leaves no trace."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mnemic.entry.install import apply as applying

if TYPE_CHECKING:
    from conftest import Home

_HOOK = Path(__file__).parent.parent.parent.parent / "src" / "mnemic" / "entry" / "hooks" / "hook.py"

# Where everything goes


def test_claude_code_gets_hooks_a_server_and_the_skill(home: Home) -> None:
    home.ok("claude-code")

    hooks = home.json(".claude/settings.json")["hooks"]
    assert list(hooks) == ["SessionStart", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact", "SessionEnd"]
    for event, groups in hooks.items():
        words = shlex.split(groups[0]["hooks"][0]["command"])
        assert Path(words[0]).is_file()
        assert words[1:] == ["-I", "-S", str(_HOOK.resolve()), "claude-code", event]
        assert groups[0]["hooks"][0]["timeout"] <= 5
    server = home.json(".claude.json")["mcpServers"]["mnemic"]
    assert Path(server["command"]).name.startswith(("mnemic", "python"))
    assert server["args"][-1] == "mcp"
    skill = home.path / ".claude" / "skills" / "long-term-memory"
    assert {path.name for path in skill.rglob("*.md")} == {"SKILL.md", "recovery.md"}


def test_codex_gets_hooks_and_a_server_and_is_told_to_trust_them(home: Home) -> None:
    said = home.ok("codex")

    assert "UserPromptSubmit" in home.json(".codex/hooks.json")["hooks"]
    assert tomllib.loads((home.path / ".codex" / "config.toml").read_text())["mcp_servers"]["mnemic"]["args"] == ["mcp"]
    assert "/hooks" in said
    assert "trust" in said


def test_cursor_gets_hooks_of_its_own_form(home: Home) -> None:
    home.ok("cursor")

    settings = home.json(".cursor/hooks.json")
    assert settings["version"] == 1
    assert {event: list(hooks[0]) for event, hooks in settings["hooks"].items()} == {
        "sessionStart": ["command", "timeout"],
        "beforeSubmitPrompt": ["command", "timeout"],
    }
    assert home.json(".cursor/mcp.json")["mcpServers"]["mnemic"]["args"] == ["mcp"]


def test_opencode_gets_a_server_and_a_plugin_that_knows_the_hook(home: Home) -> None:
    home.ok("opencode")

    server = home.json(".config/opencode/opencode.json")["mcp"]["mnemic"]
    assert (server["type"], server["command"][-1], server["enabled"]) == ("local", "mcp", True)
    plugin = (home.path / ".config/opencode/plugins/mnemic.js").read_text()
    assert json.dumps(str(_HOOK.resolve())) in plugin


def test_opencode_settings_with_comments_are_used_where_they_are(home: Home) -> None:
    settings = home.write(".config/opencode/opencode.jsonc", b'{\n  // mine\n  "theme": "x",\n}\n')

    home.ok("opencode")

    assert not settings.with_suffix(".json").exists()
    assert settings.read_text().startswith('{\n  // mine\n  "theme": "x",\n  "mcp": {')


def test_pi_gets_a_server_whose_tools_the_model_sees_and_an_extension(home: Home) -> None:
    home.ok("pi")

    assert home.json(".pi/agent/mcp.json")["mcpServers"]["mnemic"]["exposure"] == "direct"
    assert json.dumps(str(_HOOK.resolve())) in (home.path / ".pi/agent/extensions/mnemic.ts").read_text()


@pytest.mark.parametrize(
    ("place", "files"),
    [
        (("claude-code", "CLAUDE_CONFIG_DIR"), {"settings.json", ".claude.json", "skills/long-term-memory/SKILL.md"}),
        (("codex", "CODEX_HOME"), {"hooks.json", "config.toml"}),
        (("opencode", "XDG_CONFIG_HOME"), {"opencode/opencode.json", "opencode/plugins/mnemic.js"}),
        (("pi", "PI_CODING_AGENT_DIR"), {"mcp.json", "extensions/mnemic.ts"}),
    ],
)
def test_folders_that_a_client_is_told_of_are_used(
    home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: tuple[str, str], files: set[str]
) -> None:
    name, variable = place
    monkeypatch.setenv(variable, str(tmp_path / "else where"))

    home.ok(name)

    assert {path for path in files if (tmp_path / "else where" / path).is_file()} == files
    assert {path for path in home.files() if not path.startswith(".agents")} == set()


def test_a_project_is_all_that_is_touched_when_one_is_named(home: Home, tmp_path: Path, client: str) -> None:
    home.ok(client, "--project", str(tmp_path))

    assert home.files() == {}
    written = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*") if path.is_file()}
    assert (
        written
        == {
            "claude-code": {".claude", ".mcp.json"},
            "codex": {".codex", ".agents"},
            "cursor": {".cursor"},
            "opencode": {".opencode", "opencode.json"},
            "pi": {".pi"},
        }[client]
    )

    home.ok(client, "--project", str(tmp_path), "--uninstall")

    assert list(tmp_path.iterdir()) == []


def test_a_named_bundle_is_told_to_hooks_and_server(home: Home, tmp_path: Path) -> None:
    bundle = tmp_path / "my memory"
    bundle.mkdir()

    home.ok("claude-code", "--bundle", str(bundle))
    home.ok("opencode", "--bundle", str(bundle))

    command = home.json(".claude/settings.json")["hooks"]["Stop"][0]["hooks"][0]["command"]
    assert shlex.split(command)[-1] == str(bundle)
    assert home.json(".claude.json")["mcpServers"]["mnemic"]["args"][-3:] == ["--bundle", str(bundle), "mcp"]
    assert f"const BUNDLE = [{json.dumps(str(bundle))}]" in (
        home.path / ".config/opencode/plugins/mnemic.js"
    ).read_text(encoding="utf-8")


def test_a_bundle_that_does_not_exist_is_refused(home: Home) -> None:
    done = home.run("claude-code", "--bundle", "/nowhere/at/all")

    assert done.exit_code == 1
    assert home.files() == {}


# Again, and undone


def test_a_second_run_changes_nothing(home: Home, client: str) -> None:
    home.ok(client)
    before = home.files()

    said = home.ok(client)

    assert home.files() == before
    assert "nothing to change" in said


def test_uninstalling_leaves_no_file(home: Home, client: str) -> None:
    home.ok(client)

    home.ok(client, "--uninstall")

    assert home.files() == {}
    assert not (home.path / ".claude" / "skills").exists()
    assert "is not installed" in home.ok(client, "--uninstall")


def test_settings_of_a_person_come_back_byte_for_byte(home: Home, client: str) -> None:
    theirs = {
        ".claude/settings.json": b'{\r\n\t"model": "x", // mine\r\n\t"hooks": {"Stop": [{"hooks": []}],},\r\n}\r\n',
        ".claude.json": b'{"projects":{"/a":{}},"mcpServers":{}}',
        ".codex/config.toml": b"# mine\nmodel = 'x'\n\n[mcp_servers.other]\ncommand = 'npx'",
        ".codex/hooks.json": b'{ "hooks": { } }\n',
        ".cursor/hooks.json": b'{"version": 1, "hooks": {"stop": [{"command": "./x.sh"}]}}',
        ".cursor/mcp.json": b"",
        ".config/opencode/opencode.json": b'\xef\xbb\xbf{\n    "$schema": "x"\n}\n',
        ".pi/agent/mcp.json": b"// none yet\n",
        ".claude/skills/other/SKILL.md": b"---\nname: other\n---\n",
    }
    for name, data in theirs.items():
        home.write(name, data)

    home.ok(client)
    assert home.files() != theirs
    home.ok(client, "--uninstall")

    assert home.files() == dict(sorted(theirs.items()))


def test_a_dry_run_shows_a_diff_and_writes_nothing(home: Home, client: str) -> None:
    home.write(".claude/settings.json", b'{"model": "x"}')
    before = home.files()

    said = home.ok(client, "--dry-run")

    assert home.files() == before
    assert "--- /dev/null" in said
    assert "+++ " in said
    assert any(line.startswith("+") and "mnemic" in line for line in said.splitlines())
    assert said.splitlines()[-1] == "Nothing was written. Without --dry-run it is."


def test_a_long_line_of_a_persons_settings_is_not_shown_whole(home: Home) -> None:
    home.write(".claude.json", b'{"secret": "' + b"x" * 5_000 + b'"}')

    said = home.ok("claude-code", "--dry-run")

    assert max(map(len, said.splitlines())) < 300


def test_the_json_tells_every_file_with_its_diff(home: Home, client: str) -> None:
    told = json.loads(home.ok(client, "--json", "--dry-run"))

    assert (told["client"], told["scope"], told["dry_run"], told["uninstall"]) == (client, "user", True, False)
    assert {file["action"] for file in told["files"]} == {"create"}
    assert all(file["diff"].startswith("--- /dev/null\n+++ ") for file in told["files"])
    assert told["next"]
    assert home.files() == {}


def test_what_is_said_fits_a_terminal(home: Home, client: str) -> None:
    said = home.ok(client)

    assert max(map(len, said.splitlines())) <= 80
    assert f"mnemic install {client} --uninstall" in said


# Refused


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b'{\n  "a": 1\n  "b": 2\n}', 3),
        (b'{"hooks": [}', 1),
        (b"{\n\"a\": 'x'}", 2),
        (b'{"a": 1}\n{"b": 2}', 2),
        (b'{\n"a": "\xff"}', 2),
        (b'{\n"hooks": []}', 2),
        (b'{\n"hooks": {\n"Stop": {}}}', 3),
        (b"[]", 1),
        (b"{\n/* open", 2),
        (b"[" * 5_000, 1),
        (b"\xff\xfe{\x00}\x00", 1),
    ],
)
def test_broken_settings_are_refused_with_file_and_line_and_nothing_is_written(
    home: Home, text: bytes, line: int
) -> None:
    path = home.write(".claude/settings.json", text)
    before = home.files()

    done = home.run("claude-code")

    assert done.exit_code == 2
    assert f"{path}:{line}: " in done.stderr
    assert "Nothing was changed." in done.stderr
    assert home.files() == before


def test_every_broken_file_is_named_at_once(home: Home) -> None:
    home.write(".cursor/hooks.json", b"{")
    home.write(".cursor/mcp.json", b"{,}")

    done = home.run("cursor")

    assert "hooks.json:1: " in done.stderr
    assert "mcp.json:1: " in done.stderr


def test_a_server_of_somebody_else_with_our_name_is_neither_replaced_nor_removed(home: Home, client: str) -> None:
    if client == "codex":
        home.write(".codex/config.toml", b"[mcp_servers.mnemic]\ncommand = 'npx'\n")
    foreign = b'{"%s": {\n"mnemic": {"command": "npx", "args": ["x"]}}}'
    names = {"claude-code": ".claude.json", "cursor": ".cursor/mcp.json", "pi": ".pi/agent/mcp.json"}
    names["opencode"] = ".config/opencode/opencode.json"
    if client in names:
        home.write(names[client], foreign % (b"mcp" if client == "opencode" else b"mcpServers"))
    before = home.files()

    done = home.run(client)

    assert done.exit_code == 2
    assert "another MCP server" in done.stderr
    home.ok(client, "--uninstall")
    assert home.files() == before


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("opencode", ".config/opencode/plugins/mnemic.js"),
        ("pi", ".pi/agent/extensions/mnemic.ts"),
        ("claude-code", ".claude/skills/long-term-memory/SKILL.md"),
    ],
)
def test_a_file_of_somebody_else_with_our_name_stays(home: Home, name: str, file: str) -> None:
    home.write(file, b"// my own")
    before = home.files()

    done = home.run(name)

    assert done.exit_code == 2
    assert "not of mnemic" in done.stderr
    home.ok(name, "--uninstall")
    assert home.files() == before


def test_our_own_files_of_an_older_version_are_brought_up_to_date(home: Home) -> None:
    home.ok("opencode")
    plugin = home.path / ".config/opencode/plugins/mnemic.js"
    new = plugin.read_bytes()
    plugin.write_bytes(b"// Part of mnemic: older\n")

    home.ok("opencode")

    assert plugin.read_bytes() == new


def test_a_folder_in_the_place_of_a_file_stops_everything_before_it_begins(home: Home) -> None:
    (home.path / ".claude.json").mkdir()

    done = home.run("claude-code")

    assert done.exit_code == 3
    assert home.files() == {}


def test_a_file_in_the_place_of_a_folder_stops_everything_before_it_begins(home: Home) -> None:
    home.write(".cursor", b"")

    done = home.run("cursor")

    assert done.exit_code == 3
    assert home.files() == {".cursor": b""}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_settings_that_may_not_be_written_stop_everything_before_it_begins(home: Home) -> None:
    path = home.write(".claude.json", b"{}")
    path.chmod(0o444)
    before = home.files()

    done = home.run("claude-code")

    assert done.exit_code == 3
    assert "permission denied" in done.stderr
    assert home.files() == before


def test_what_was_written_before_a_failure_is_taken_back(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.write(".claude.json", b"{}")
    before = home.files()
    put, full = applying._put, [False]

    def fail_at_the_second(target: Path, data: bytes | None) -> None:
        if target.name == ".claude.json" and not full[0]:
            full[0] = True
            raise OSError(28, "No space left on device")
        put(target, data)

    monkeypatch.setattr(applying, "_put", fail_at_the_second)

    done = home.run("claude-code")

    assert done.exit_code == 3
    assert "no space left" in done.stderr
    assert home.files() == before


def test_a_file_that_changed_meanwhile_is_not_overwritten(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    path = home.write(".claude.json", b"{}")
    check = applying._check_writable

    def changed_by_its_client(target: Path) -> None:
        check(target)
        path.write_bytes(b'{"new": 1}')

    monkeypatch.setattr(applying, "_check_writable", changed_by_its_client)

    done = home.run("claude-code")

    assert done.exit_code == 3
    assert "changed just now" in done.stderr
    assert home.files() == {".claude.json": b'{"new": 1}'}


def test_user_and_project_exclude_each_other(home: Home, tmp_path: Path) -> None:
    assert home.run("pi", "--user", "--project", str(tmp_path)).exit_code == 2
    assert home.run("pi", "--project", str(tmp_path / "none")).exit_code == 2
    assert home.run("emacs").exit_code == 2


# Links and permissions


def test_a_settings_file_that_is_a_link_stays_one(home: Home) -> None:
    dotfile = home.write("dotfiles/claude.json", b'{"model": "x"}')
    (home.path / ".claude").mkdir()
    (home.path / ".claude" / "settings.json").symlink_to(dotfile)

    home.ok("claude-code")

    assert (home.path / ".claude" / "settings.json").is_symlink()
    assert "hooks" in json.loads(dotfile.read_text())
    home.ok("claude-code", "--uninstall")
    assert dotfile.read_bytes() == b'{"model": "x"}'


def test_a_link_that_leads_out_of_the_project_is_refused(home: Home, tmp_path: Path) -> None:
    """A project that was fetched from somewhere does not choose which file of ours is written."""
    outside = home.write("private.json", b"{}")
    (tmp_path / ".mcp.json").symlink_to(outside)

    done = home.run("claude-code", "--project", str(tmp_path))

    assert done.exit_code == 3
    assert outside.read_bytes() == b"{}"
    assert not (tmp_path / ".claude").exists()


def test_permissions_stay(home: Home) -> None:
    path = home.write(".claude.json", b"{}")
    path.chmod(0o600)

    home.ok("claude-code")

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name == "nt", reason="sh")
def test_the_command_runs_in_a_shell(home: Home, tmp_path: Path) -> None:
    """From a project whose name has blanks and quotes, as a client runs it."""
    folder = tmp_path / 'it\'s a "project"'
    folder.mkdir()
    home.ok("claude-code")
    command = home.json(".claude/settings.json")["hooks"]["Stop"][0]["hooks"][0]["command"]

    done = subprocess.run(["sh", "-c", command], cwd=folder, input=b"{}", capture_output=True, check=False)

    assert done.returncode == 0
    assert json.loads(done.stdout or b"{}") == {}
