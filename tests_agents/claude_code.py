"""Claude Code in a person's project, with the scripted model as its provider."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from programs import PATIENCE, Done, run, serving, until

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from model import ScriptedModel
    from projects import Project

_QUIET = {
    "ANTHROPIC_API_KEY": "not-a-key",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
}


@dataclass(frozen=True, slots=True)
class ClaudeCode:
    """The program, and a person who has said yes to each question that it asks of them.

    `options` go before the prompt.
    """

    project: Project
    model: ScriptedModel
    options: tuple[str, ...] = ("--allowedTools", "mcp__mnemic")

    @staticmethod
    def trusts(project: Project) -> None:
        """The person trusts the folder, and lets the project's own server run."""
        said_yes = {"hasTrustDialogAccepted": True, "enabledMcpjsonServers": ["mnemic"]}
        state = Path(project.env["HOME"], ".claude.json")
        state.write_text(json.dumps({"projects": {str(project.folder): said_yes}}))

    def asks(self, prompt: str) -> dict[str, Any]:
        """One prompt without a person at the keyboard; what the program says at its end."""
        done = self.run("-p", *self.options, "--output-format", "json", "--", prompt)
        result: dict[str, Any] = done.json()
        assert not result["is_error"], result
        assert result["permission_denials"] == []
        return result | {"seconds": done.seconds}

    def talks(self, *prompts: str) -> str:
        """One conversation of several prompts, each given when the one before was answered; its id."""
        return self._talks(prompts, lambda given, results: len(results) == given)

    def is_talked_over(self, *prompts: str) -> str:
        """One conversation of three prompts, the last one given while the second is being answered; its id.

        The second is given when the server answers the hooks, which knows what is being answered.
        """
        socket = self.project.bundle / ".mnemic" / "sock"
        asked_for_tools = 2  # after the one request of the first prompt

        def may_go_on(given: int, results: Sequence[Any]) -> object:
            return results and socket.exists() if given == 1 else len(self.model.requests()) > asked_for_tools

        return self._talks(prompts, may_go_on)

    def _talks(self, prompts: Sequence[str], may_go_on: Callable[[int, Sequence[Any]], object]) -> str:
        log = self.project.folder.parent / "talk.jsonl"
        streams = ("--verbose", "--input-format", "stream-json", "--output-format", "stream-json")

        def results() -> list[dict[str, Any]]:
            lines = [line for line in log.read_text(encoding="utf-8").splitlines() if '"type":"result"' in line]
            return [json.loads(line) for line in lines]

        command = ["claude", "-p", *self.options, *streams]
        with serving(command, cwd=self.project.folder, env=self._env(), log=log) as process:
            assert process.stdin
            for number, prompt in enumerate(prompts, 1):
                line = {"type": "user", "message": {"role": "user", "content": prompt}}
                process.stdin.write(json.dumps(line).encode() + b"\n")
                process.stdin.flush()
                until(f"prompt {number} was taken", lambda number=number: may_go_on(number, results()), log=log)
            process.stdin.close()
            process.wait(PATIENCE)
        [session] = {str(result["session_id"]) for result in results()}
        return session

    def run(self, *arguments: str) -> Done:
        """The program with any arguments."""
        return run(["claude", *arguments], cwd=self.project.folder, env=self._env())

    def _env(self) -> dict[str, str]:
        return {**self.project.env, **_QUIET, "ANTHROPIC_BASE_URL": self.model.url}

    def transcript(self, session: str) -> list[dict[str, Any]]:
        """What the program itself wrote down of a conversation."""
        [path] = Path(self.project.env["HOME"], ".claude", "projects").rglob(f"{session}.jsonl")
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    def added_by_hooks(self, session: str) -> dict[str, str]:
        """What each hook added to a conversation, by its event."""
        added = [line["attachment"] for line in self.transcript(session) if line["type"] == "attachment"]
        return {one["hookEvent"]: str(one["content"]) for one in added if one["type"] == "hook_additional_context"}

    def failures(self, session: str) -> list[str]:
        """What the model read where a tool failed."""
        contents = [line["message"]["content"] for line in self.transcript(session) if line["type"] == "user"]
        parts = [part for content in contents if isinstance(content, list) for part in content]
        return [str(part["content"]) for part in parts if part.get("is_error")]
