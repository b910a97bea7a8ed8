"""Claude Code as it is, on a project that `mnemic install claude-code` has set up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from claude_code import ClaudeCode
from programs import version

import mnemic

if TYPE_CHECKING:
    from model import Call, ScriptedModel
    from projects import Project
    from table import Seen

_NAME = f"Claude Code {version('@anthropic-ai/claude-code')}"
_PLUGIN = Path(mnemic.__file__).parent / "plugin"
_FACT = "apollo-7"
_SEARCH: Call = ("memory_search", {"query": "when do we release"})
_RELEASES = {"title": "When we release", "text": "Releases happen on the second Tuesday.", "receipt": "{{receipt}}"}
_WRITE: Call = ("memory_write", _RELEASES)
_INVENTED: Call = ("memory_write", _RELEASES | {"receipt": "s-" + "a" * 16})


@pytest.fixture
def claude(project: Project, model: ScriptedModel) -> ClaudeCode:
    """In a project that was set up for itself."""
    ClaudeCode.trusts(project)
    project.mnemic("install", "claude-code", "--project", str(project.folder))
    return ClaudeCode(project, model)


@pytest.fixture(params=["for the project", "for all projects", "as a plugin"])
def claude_anyhow(request: pytest.FixtureRequest, project: Project, model: ScriptedModel) -> ClaudeCode:
    """Set up in each of the ways there are."""
    ClaudeCode.trusts(project)
    match request.param:
        case "for the project":
            project.mnemic("install", "claude-code", "--project", str(project.folder))
        case "for all projects":
            project.mnemic("install", "claude-code")
        case "as a plugin":
            return ClaudeCode(
                project, model, ("--plugin-dir", str(_PLUGIN), "--allowedTools", "mcp__plugin_mnemic_mnemic")
            )
    return ClaudeCode(project, model)


def test_the_context_of_the_hooks_reaches_the_model_before_it_says_anything(claude: ClaudeCode, seen: Seen) -> None:
    claude.model.plays("From apollo-7.")

    result = claude.asks("Which host do we deploy from?")

    [request] = claude.model.requests()
    assert _FACT in request.text
    added = claude.added_by_hooks(result["session_id"])
    assert _FACT in added["UserPromptSubmit"]
    assert "memory_search" in added["SessionStart"]
    seen.add(_NAME, "context of both hooks is in the first request", f"{result['seconds']:.1f} s for the turn")


def test_what_one_conversation_writes_the_next_one_knows(
    claude_anyhow: ClaudeCode, request: pytest.FixtureRequest, seen: Seen
) -> None:
    claude = claude_anyhow
    claude.model.plays([_SEARCH], [_WRITE], "Noted.")

    first = claude.asks("Remember: we release on the second Tuesday.")

    assert first["result"] == "Noted."
    assert claude.failures(first["session_id"]) == []
    assert claude.project.memory_with("second Tuesday"), "nothing is on the disk"
    claude.project.keeps("Remember: we release on the second Tuesday.", "Noted.")

    claude.model.plays("On the second Tuesday.")

    claude.asks("On which Tuesday are the releases?")

    assert "Releases happen on the second Tuesday." in claude.model.requests()[0].text
    way = request.node.callspec.id
    seen.add(_NAME, f"{way}: searched, wrote, and the next conversation knew", f"{first['seconds']:.1f} s")


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param([_INVENTED], id="a receipt that nobody gave"),
        pytest.param([_SEARCH, _INVENTED], id="beside its search in one reply"),
    ],
)
def test_nothing_is_written_without_a_search_before_it(
    claude: ClaudeCode, reply: list[Call], request: pytest.FixtureRequest, seen: Seen
) -> None:
    claude.model.plays(reply, "It was refused.")

    result = claude.asks("Remember when we release.")

    [refusal] = claude.failures(result["session_id"])
    assert "memory_search" in refusal
    assert claude.project.memory_with("second Tuesday") is None
    seen.add(_NAME, f"a write is refused with {request.node.callspec.id}")


def test_a_receipt_ends_with_its_turn(claude: ClaudeCode, seen: Seen) -> None:
    """Two prompts to one running program: the second one begins a turn, in which nothing has been searched yet."""
    claude.model.plays([_SEARCH], "I know nothing.", [_WRITE], "It was refused.")

    session = claude.talks("What do you know of releases?", "Remember that we release on the second Tuesday.")

    [refusal] = claude.failures(session)
    assert "memory_search" in refusal
    assert claude.project.memory_with("second Tuesday") is None
    seen.add(_NAME, "a write is refused with a receipt of an earlier turn")


def test_what_is_said_into_an_answer_does_not_end_its_turn(claude: ClaudeCode, seen: Seen) -> None:
    """The receipt of the search that came before it is still good for the write that comes after it."""
    nothing: Call = ("memory_read", {"id": "notes/nowhere"})
    claude.model.plays("Hello.", [_SEARCH], *[[nothing]] * 6, [_WRITE], "Noted.")

    session = claude.is_talked_over("Hello.", "Remember when we release.", "On the second Tuesday, that is.")

    assert [name for name in map(str, claude.failures(session)) if "nowhere" not in name] == []
    assert claude.project.memory_with("second Tuesday")
    seen.add(_NAME, "what is said into an answer belongs to its turn")


def test_the_plugin_is_valid(claude: ClaudeCode, seen: Seen) -> None:
    said = claude.run("plugin", "validate", str(_PLUGIN)).stdout

    assert "Validation passed" in said
    seen.add(_NAME, "`claude plugin validate` passes")


def test_the_server_is_healthy(claude: ClaudeCode, seen: Seen) -> None:
    [line] = [line for line in claude.run("mcp", "list").stdout.splitlines() if line.startswith("mnemic:")]

    assert "Connected" in line
    seen.add(_NAME, "`claude mcp list`: connected")


def test_what_was_installed_is_taken_away_again(claude: ClaudeCode, seen: Seen) -> None:
    claude.project.mnemic("install", "claude-code", "--project", str(claude.project.folder), "--uninstall")
    claude.model.plays("I do not know.")

    claude.asks("Which host do we deploy from?")

    [request] = claude.model.requests()
    assert _FACT not in request.text
    assert "mnemic" not in request.text.replace(str(claude.project.folder), "")
    seen.add(_NAME, "nothing is left of it after `mnemic install claude-code --project --uninstall`")
