"""What is shipped for clients: the plugin folder, the skill and its rules, and that the installer says the same."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

import mnemic
from mnemic.domain.policy import Limits
from mnemic.entry.cli.main import cli
from mnemic.entry.install import claude_code
from mnemic.entry.install.marks import is_our_command, is_our_file, is_our_server
from mnemic.text import guidance

_PLUGIN = Path(mnemic.__file__).parent / "plugin"
_SKILL = _PLUGIN / "skills" / "long-term-memory"


def _json(name: str) -> dict[str, object]:
    value = json.loads((_PLUGIN / name).read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def _skill() -> tuple[dict[str, object], str]:
    """Front matter and body."""
    _, head, body = (_SKILL / "SKILL.md").read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(head), body


def test_the_plugin_has_a_name_and_can_be_added_as_a_folder() -> None:
    assert _json(".claude-plugin/plugin.json")["name"] == "mnemic"
    listed = _json(".claude-plugin/marketplace.json")
    assert listed["plugins"][0]["name"] == "mnemic"  # type: ignore[index]
    assert (_PLUGIN / listed["plugins"][0]["source"]).resolve() == _PLUGIN.resolve()  # type: ignore[index]


def test_the_plugin_has_the_hooks_that_the_installer_writes() -> None:
    hooks = _json("hooks/hooks.json")["hooks"]

    assert isinstance(hooks, dict)
    assert tuple(hooks) == claude_code.EVENTS
    for event, groups in hooks.items():
        (hook,) = groups[0]["hooks"]
        assert hook["command"].split()[-2:] == ["claude-code", event]
        assert is_our_command(hook["command"])


def test_the_plugin_has_the_server_that_the_installer_writes() -> None:
    server = _json(".mcp.json")["mcpServers"]["mnemic"]  # type: ignore[index]

    assert server == {"command": "mnemic", "args": ["mcp"]}
    assert is_our_server([server["command"]])


def test_every_file_that_the_installer_copies_is_known_as_ours() -> None:
    copied = [*_SKILL.rglob("*.md"), _PLUGIN / "opencode" / "mnemic.js", _PLUGIN / "pi" / "mnemic.ts"]

    assert [path.name for path in copied if not is_our_file(path.read_bytes())] == []


# The skill


def test_the_skill_keeps_the_rules_of_its_format() -> None:
    head, body = _skill()

    assert set(head) <= {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
    assert head["name"] == _SKILL.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", str(head["name"]))
    assert 1 <= len(str(head["description"])) <= 1_024
    assert len(str(head["compatibility"])) <= 500
    assert all(isinstance(value, str) for value in head["metadata"].values())  # type: ignore[attr-defined]
    assert len(body.splitlines()) < 100


def test_the_skill_says_when_it_is_needed() -> None:
    description = str(_skill()[0]["description"])

    assert [word for word in ("remember", "forget", "before answering", "last time") if word not in description] == []


def test_the_skill_forbids_what_must_never_be_stored() -> None:
    never = _skill()[1].split("## Never store\n")[1].split("\n## ")[0].lower()

    forbidden = ("credentials", "passwords", "tokens", "transient chat", "unsupported inference")
    assert [word for word in forbidden if word not in never] == []


def test_the_skill_writes_nothing_in_doubt_and_leaves_the_last_word_to_the_person() -> None:
    keep = (_SKILL / "SKILL.md").read_text(encoding="utf-8").partition("## Keep")[2].partition("## ")[0]

    assert "In doubt whether it is worth keeping: nothing." in keep
    assert "The person has the last word on what stays." in keep


def test_the_skill_tells_the_flow_and_its_limits() -> None:
    body = _skill()[1]

    assert all(tool in body for tool in ("memory_search", "memory_read", "memory_forget"))
    assert f"{Limits().turn_characters_read:,} characters" in body
    assert Limits().turn_reads == 10
    assert "Ten reads" in body
    assert "Only when the person asks" in body
    assert "`confirm` equal to the id" in body
    assert "Never settle it alone" in body


def test_recovery_stands_one_level_deeper_and_names_what_exists() -> None:
    body, recovery = _skill()[1], (_SKILL / "references" / "recovery.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"mnemic (?:--bundle DIR )?([a-z]+)", f"{body} {recovery}"))

    assert "(references/recovery.md)" in body
    assert "--repair" not in body
    needed = (
        "check --repair",
        "index --rebuild",
        "mnemic doctor",
        ".recovery/",
        "lock",
        "receipt",
        "quarantined",
        "log",
    )
    assert [word for word in needed if word not in recovery] == []
    named = {
        command for command in commands if f"mnemic {command}" in re.sub(r"[^`]*`([^`]*)`", r"\1\n", recovery + body)
    }
    assert named <= set(cli.list_commands(None))  # type: ignore[arg-type]


# What is always loaded


def test_one_line_is_all_that_is_always_loaded() -> None:
    line = guidance.INSTRUCTION_LINE

    assert "\n" not in line
    assert len(line) <= 300
    assert "memory_search" in line
    assert "credentials" in line
    assert _SKILL.name in line


def test_guidance_asks_for_facts_that_last_and_sends_procedures_to_skills() -> None:
    text = guidance.MEMORY_GUIDANCE

    assert [
        word for word in ("every later conversation", "stale within a week", "password", "skill") if word not in text
    ] == []
    assert "never" not in guidance.SKILLS_GUIDANCE.lower() or "credentials" in guidance.SKILLS_GUIDANCE
    assert "tool call" in guidance.TOOL_USE_ENFORCEMENT
    for given in (text, guidance.SKILLS_GUIDANCE, guidance.TOOL_USE_ENFORCEMENT):
        assert len(given) < 1_500


# Plugins in other languages


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
@pytest.mark.parametrize("name", ["opencode/mnemic.js", "pi/mnemic.ts"])
def test_a_plugin_answers_what_the_hook_says_and_survives_its_absence(name: str, tmp_path: Path) -> None:
    """Run under node, with a hook of our own that prints what it was told."""
    hook = tmp_path / "hook.js"
    hook.write_text(
        "let text = ''; process.stdin.on('data', (d) => (text += d)).on('end', () => {"
        "const told = JSON.parse(text); const said = process.argv.slice(2).join(' ') + ' ' + (told.prompt ?? '');"
        "process.stdout.write(JSON.stringify({hookSpecificOutput: {additionalContext: said}}))})"
    )
    source = (_PLUGIN / name).read_text(encoding="utf-8")
    working = re.sub(r"const COMMAND = .*", f"const COMMAND = ['node', {json.dumps(str(hook))}, 'here']", source)
    missing = re.sub(r"const COMMAND = .*", "const COMMAND = ['/no/such/program']", source)
    (tmp_path / "working.js").write_text(working, encoding="utf-8")
    (tmp_path / "missing.js").write_text(missing, encoding="utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    driver = tmp_path / "driver.mjs"
    driver.write_text(_OPENCODE if name.startswith("opencode") else _PI)

    done = [
        subprocess.run(
            ["node", driver, f"./{kind}.js"],
            cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
        )
        for kind in ("working", "missing")
    ]  # fmt: skip

    assert [one.stderr for one in done] == ["", ""]
    assert json.loads(done[0].stdout) == ["base", "here UserPromptSubmit Where is Anna?"]
    assert json.loads(done[1].stdout) == ["base"]


_OPENCODE = """
const { Mnemic } = await import(process.argv[2])
const plugin = await Mnemic({ client: { session: { messages: async () => ({ data: [] }) } }, directory: process.cwd() })
await plugin.event({ event: { type: "session.created", properties: { info: { id: "s" } } } })
await plugin["chat.message"]({ sessionID: "s" }, { parts: [{ type: "text", text: "Where is Anna?" }] })
const output = { system: ["base"] }
await plugin["experimental.chat.system.transform"]({ sessionID: "s" }, output)
await plugin.event({ event: { type: "session.idle", properties: { sessionID: "s" } } })
console.log(JSON.stringify(output.system))
"""
_PI = """
const handlers = {}
const { default: extension } = await import(process.argv[2])
extension({ on: (name, handler) => { handlers[name] = handler } })
const ctx = { cwd: process.cwd(), sessionManager: { getSessionId: () => "s" } }
await handlers.session_start({ reason: "startup" }, ctx)
const answer = await handlers.before_agent_start({ prompt: "Where is Anna?", systemPrompt: "base" }, ctx)
await handlers.agent_end({ messages: [{ role: "assistant", content: "Here." }] }, ctx)
await handlers.agent_settled({}, ctx)
await handlers.session_shutdown({}, ctx)
console.log(JSON.stringify((answer?.systemPrompt ?? "base").split("\\n\\n")))
"""
