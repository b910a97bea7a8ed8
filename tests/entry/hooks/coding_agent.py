"""A coding agent, as far as its hooks go."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import mnemic.entry.hooks.hook

HOOK = Path(mnemic.entry.hooks.hook.__file__)
PATIENT = "60000"
"""Milliseconds: a loaded machine is no finding."""


@dataclass
class Agent:
    """A coding agent that runs its hooks in a folder."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    def run(self, client: str, event: str, data: bytes, **options: object) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-I", "-S", str(HOOK), client, event],
            input=data,
            capture_output=True,
            cwd=self.folder,
            env={**os.environ, "MNEMIC_HOOK_MS": PATIENT, **self.variables},
            check=False,
            **options,
        )

    def says(self, client: str, event: str, **told: object) -> dict[str, object]:
        """The JSON that the hook prints; anything else it does fails the test."""
        return self.says_raw(client, event, json.dumps({"session_id": "s1", **told}).encode())

    def says_raw(self, client: str, event: str, data: bytes) -> dict[str, object]:
        done = self.run(client, event, data)
        assert done.returncode == 0
        assert done.stderr == b""
        assert done.stdout.isascii()
        answer = json.loads(done.stdout)
        assert isinstance(answer, dict)
        return answer

    def context(self, prompt: str, client: str = "claude-code", **told: object) -> str:
        """What a prompt brings into the model's context; a transcript is there, unless told otherwise."""
        told = {"transcript_path": str(HOOK), **told}
        if client == "cursor":
            return str(self.says(client, "beforeSubmitPrompt", prompt=prompt, **told).get("additional_context", ""))
        answer = self.says(client, "UserPromptSubmit", prompt=prompt, **told)
        inner = answer.get("hookSpecificOutput", {})
        assert isinstance(inner, dict)
        return str(inner.get("additionalContext", ""))
