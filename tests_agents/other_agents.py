"""opencode, Codex and pi, each with the scripted model as its provider and with settings that a person has."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from programs import run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from model import ScriptedModel
    from projects import Project


_CODEX = ".codex/config.toml"
_OPENCODE_QUIET = {
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    # A plugin makes it fetch a package of types; refused, that would be tried again for a minute.
    "npm_config_fetch_retries": "0",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A tool that was called: its name with what the client puts before it, whether it failed, what came back."""

    tool: str
    failed: bool
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What an agent did with a prompt, by its own account."""

    calls: Sequence[Called]
    reply: str
    seconds: float


class Agent(Protocol):
    """An agent that can be asked something without a person at the keyboard."""

    package: str
    name: str

    def settle(self, project: Project, model: ScriptedModel) -> None:
        """Write the person's own settings, before mnemic is installed into them."""
        ...

    def agrees(self, project: Project) -> None:
        """Say yes, once and for all, to what the agent asks before it lets the tools of mnemic run."""
        ...

    def asks(self, project: Project, prompt: str) -> Answered:
        """One prompt, in a conversation of its own."""
        ...


class Unasked:
    """An agent that lets the tools of a server run without a question."""

    def agrees(self, project: Project) -> None:
        """Nothing to say."""


class OpenCode(Unasked):
    """opencode."""

    package, name = "opencode-ai", "opencode"

    def settle(self, project: Project, model: ScriptedModel) -> None:
        provider = {
            "npm": "@ai-sdk/anthropic",
            "name": "Scripted",
            "options": {"baseURL": f"{model.url}/v1", "apiKey": "not-a-key"},
            "models": {"scripted": {"name": "Scripted"}},
        }
        settings = {"model": "scripted/scripted", "provider": {"scripted": provider}}
        _write(project, ".config/opencode/opencode.json", json.dumps(settings, indent=2))

    def asks(self, project: Project, prompt: str) -> Answered:
        words = prompt.split()  # it puts a prompt of one argument into quotation marks
        done = run(
            ["opencode", "run", "--format", "json", "--", *words],
            cwd=project.folder,
            env={**project.env, **_OPENCODE_QUIET},
        )
        parts = [line["part"] for line in done.json_lines()]
        states = [(part["tool"], part["state"]) for part in parts if part["type"] == "tool"]
        calls = [
            Called(tool=tool, failed=state["status"] == "error", result=str(state.get("output") or state.get("error")))
            for tool, state in states
        ]
        said = (part["text"] for part in parts if part["type"] == "text")
        return Answered(calls=calls, reply=_last(said), seconds=done.seconds)


class Codex:
    """Codex; a flag stands for the person who trusts the hooks."""

    package, name = "@openai/codex", "codex"

    def settle(self, project: Project, model: ScriptedModel) -> None:
        lines = [
            'model = "scripted"',
            'model_provider = "scripted"',
            "[model_providers.scripted]",
            'name = "Scripted"',
            f'base_url = "{model.url}/v1"',
            'env_key = "SCRIPTED_KEY"',
            'wire_api = "responses"',
        ]
        _write(project, _CODEX, "\n".join([*lines, ""]))

    def agrees(self, project: Project) -> None:
        path = Path(project.env["HOME"], _CODEX)
        table = "[mcp_servers.mnemic]\n"
        before = path.read_text(encoding="utf-8")
        assert table in before
        path.write_text(before.replace(table, f'{table}default_tools_approval_mode = "approve"\n'), encoding="utf-8")

    def asks(self, project: Project, prompt: str) -> Answered:
        command = ["codex", "exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", prompt]
        done = run(command, cwd=project.folder, env={**project.env, "SCRIPTED_KEY": "not-a-key"})
        items = [line["item"] for line in done.json_lines() if line["type"] == "item.completed"]
        calls = [
            Called(
                tool=item["tool"],
                failed=item["status"] == "failed" or bool(item["error"]),
                result=json.dumps(item["result"] or item["error"]),
            )
            for item in items
            if item["type"] == "mcp_tool_call"
        ]
        said = (item["text"] for item in items if item["type"] == "agent_message")
        return Answered(calls=calls, reply=_last(said), seconds=done.seconds)


class Pi(Unasked):
    """pi."""

    package, name = "@earendil-works/pi-coding-agent", "pi"

    def settle(self, project: Project, model: ScriptedModel) -> None:
        scripted = {
            "baseUrl": model.url,
            "api": "anthropic-messages",
            "apiKey": "not-a-key",
            "models": [{"id": "scripted"}],
        }
        _write(project, ".pi/agent/models.json", json.dumps({"providers": {"scripted": scripted}}))

    def asks(self, project: Project, prompt: str) -> Answered:
        command = ["pi", "--mode", "json", "--offline", "--provider", "scripted", "--model", "scripted", prompt]
        done = run(command, cwd=project.folder, env=project.env)
        lines = done.json_lines()
        calls = [
            Called(tool=line["toolName"], failed=line["isError"], result=json.dumps(line["result"]["content"]))
            for line in lines
            if line["type"] == "tool_execution_end"
        ]
        ended = [line["message"] for line in lines if line["type"] == "message_end"]
        parts: list[dict[str, Any]] = [part for one in ended if one["role"] == "assistant" for part in one["content"]]
        said = (part["text"] for part in parts if part["type"] == "text")
        return Answered(calls=calls, reply=_last(said), seconds=done.seconds)


def _write(project: Project, name: str, text: str) -> None:
    path = Path(project.env["HOME"], name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _last(texts: Iterable[str]) -> str:
    return ["", *texts][-1]
