"""A model that does what a script says, spoken to by real agents over the providers' protocols."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from programs import INSTALLED, environment, serving, until

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

Call = tuple[str, "Mapping[str, object]"]
"""A tool without what a client puts before its name, and its arguments; `{{receipt}}` in them is the last one seen."""


@dataclass(frozen=True, slots=True)
class Request:
    """What an agent sent to the model, as it came over the wire."""

    path: str
    body: Mapping[str, Any]

    @property
    def tools(self) -> list[str]:
        """Names of the tools whose schema the model is shown, and of groups of them."""
        return [tool.get("name", "") for tool in self.body.get("tools", ())]

    @property
    def text(self) -> str:
        """All that the model reads but for the tools: system text, messages, results."""
        return "\n".join(_texts([self.body.get(name) for name in ("system", "messages", "instructions", "input")]))


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for one in value:
                yield from _texts(one)
        case dict():
            for one in value.values():
                yield from _texts(one)


class ScriptedModel:
    """A running model. `plays` sets the script of the conversation that begins next."""

    def __init__(self, folder: Path, url: str) -> None:
        self.url = url
        self._script = folder / "script.json"
        self._log = folder / "requests.jsonl"
        self._read = 0

    def plays(self, *replies: str | Sequence[Call]) -> None:
        """Each reply is a text, or calls made side by side; the last one is repeated for ever."""
        script = [reply if isinstance(reply, str) else [_call(*call) for call in reply] for reply in replies]
        self._script.write_text(json.dumps(script))
        self._read = len(self._lines())

    def requests(self) -> list[Request]:
        """Of the script that was set last: those that may call tools, in order. Requests for a title are left out."""
        told = [json.loads(line) for line in self._lines()[self._read :]]
        found = [Request(one["path"], json.loads(one["body"])) for one in told if one["body"]]
        return [request for request in found if request.tools]

    def _lines(self) -> list[str]:
        return self._log.read_text(encoding="utf-8").splitlines() if self._log.exists() else []


def _call(tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
    return {"tool": tool, "arguments": arguments}


@contextmanager
def scripted_model(folder: Path, outside: str) -> Iterator[ScriptedModel]:
    """The model on a free port, for as long as the block lasts."""
    folder.mkdir(parents=True)
    log = folder / "model.log"
    env = environment(folder / "home", outside, TEST_AGENTS=str(INSTALLED))
    script = INSTALLED.parent / "tests_agents" / "model.mjs"
    with serving(["node", script, folder], cwd=folder, env=env, log=log):
        url = until("the model listens", lambda: log.read_text().strip(), log=log)
        assert url.startswith("http://127.0.0.1:"), url
        yield ScriptedModel(folder, url)
