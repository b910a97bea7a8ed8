"""opencode, Codex and pi as they are, after `mnemic install` has added itself to a person's settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from other_agents import Codex, OpenCode, Pi
from programs import version

if TYPE_CHECKING:
    from model import Call, ScriptedModel
    from other_agents import Agent, Answered
    from projects import Project
    from table import Seen

_FACT = "apollo-7"
_SEARCH: Call = ("memory_search", {"query": "when do we release"})
_RELEASES = {"title": "When we release", "text": "Releases happen on the second Tuesday.", "receipt": "{{receipt}}"}
_WRITE: Call = ("memory_write", _RELEASES)
_INVENTED: Call = ("memory_write", _RELEASES | {"receipt": "s-" + "a" * 16})


@dataclass(frozen=True, slots=True)
class Installed:
    """An agent with mnemic in its settings."""

    agent: Agent
    project: Project
    model: ScriptedModel

    @property
    def name(self) -> str:
        return f"{self.agent.name} {version(self.agent.package)}"

    def asks(self, prompt: str) -> Answered:
        return self.agent.asks(self.project, prompt)


@pytest.fixture(params=[OpenCode(), Codex(), Pi()], ids=lambda agent: agent.name)
def installed(request: pytest.FixtureRequest, project: Project, model: ScriptedModel) -> Installed:
    agent: Agent = request.param
    agent.settle(project, model)
    project.mnemic("install", agent.name)
    agent.agrees(project)
    return Installed(agent, project, model)


def test_the_context_reaches_the_model_before_it_says_anything(installed: Installed, seen: Seen) -> None:
    installed.model.plays("From apollo-7.")

    answered = installed.asks("Which host do we deploy from?")

    assert answered.reply == "From apollo-7."
    [request] = installed.model.requests()
    assert _FACT in request.text
    seen.add(installed.name, "the context is in the first request", f"{answered.seconds:.1f} s for the turn")


def test_what_one_conversation_writes_the_next_one_knows(installed: Installed, seen: Seen) -> None:
    installed.model.plays([_SEARCH], [_WRITE], "Noted.")

    first = installed.asks("Remember: we release on the second Tuesday.")

    assert first.reply == "Noted."
    assert [(call.tool.rpartition("memory_")[2], call.failed) for call in first.calls] == [
        ("search", False),
        ("write", False),
    ]
    assert installed.project.memory_with("second Tuesday"), "nothing is on the disk"
    installed.project.keeps("Remember: we release on the second Tuesday.", "Noted.")

    installed.model.plays("On the second Tuesday.")

    installed.asks("On which Tuesday are the releases?")

    assert "Releases happen on the second Tuesday." in installed.model.requests()[0].text
    seen.add(installed.name, "searched, wrote, and the next conversation knew", f"{first.seconds:.1f} s")


def test_nothing_is_written_without_a_search_before_it(installed: Installed, seen: Seen) -> None:
    installed.model.plays([_INVENTED], "It was refused.")

    [refused] = installed.asks("Remember when we release.").calls

    assert "memory_search" in refused.result
    assert installed.project.memory_with("second Tuesday") is None
    seen.add(installed.name, "a write is refused with a receipt that nobody gave")


def test_what_was_installed_is_taken_away_again(installed: Installed, seen: Seen) -> None:
    installed.project.mnemic("install", installed.agent.name, "--uninstall")
    installed.model.plays("I do not know.")

    answered = installed.asks("Which host do we deploy from?")

    assert answered.reply == "I do not know."
    [request] = installed.model.requests()
    assert _FACT not in request.text
    assert not [tool for tool in request.tools if "memory_" in tool]
    seen.add(installed.name, "nothing is left of it after --uninstall")
