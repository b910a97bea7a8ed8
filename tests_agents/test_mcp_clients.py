"""MCP clients as they are: the inspector's command line and mcporter, over standard input and output and over HTTP."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from endpoints import STDIO, over_http
from programs import Done, run, version

if TYPE_CHECKING:
    from projects import Project
    from table import Seen

_INSPECTOR = f"MCP inspector {version('@modelcontextprotocol/inspector')}"
_MCPORTER = f"mcporter {version('mcporter')}"
_FACT = "apollo-7"
_TOOLS = [
    *("memory_context", "memory_search", "memory_read", "memory_write", "memory_forget"),
    *("memory_promises", "memory_history", "memory_review"),
]
_QUESTION = {"query": "Which host do we deploy from?"}
_ERAS = ("legacy", "modern")


def _inspector(project: Project, target: tuple[str, ...], method: str, *more: str, era: str = "auto") -> dict[str, Any]:
    """The result of one request."""
    options = ["--format", "json", "--quiet", "--protocol-era", era, "--method", method, *more]
    return run(["mcp-inspector", "--cli", *target, *options], cwd=project.folder, env=project.env).json()["result"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("era", _ERAS)
def test_the_inspector_lists_the_tools_and_finds_nothing_wrong_with_them(
    project: Project, era: str, seen: Seen
) -> None:
    """`--strict` fails on a schema that some client could not read."""
    listed = _inspector(project, STDIO, "tools/list", "--strict", era=era)["tools"]

    assert [tool["name"] for tool in listed] == _TOOLS
    hints = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
    assert [tool["name"] for tool in listed if not hints <= set(tool["annotations"])] == []
    seen.add(_INSPECTOR, f"tools, annotations and portable schemas over stdio, {era} protocol")


@pytest.mark.parametrize("era", _ERAS)
def test_the_inspector_calls_a_tool(project: Project, era: str, seen: Seen) -> None:
    arguments = ["--tool-name", "memory_search", "--tool-args-json", json.dumps(_QUESTION)]

    found = _inspector(project, STDIO, "tools/call", *arguments, era=era)

    assert not found["isError"]
    assert _FACT in found["content"][0]["text"]
    assert found["structuredContent"]["receipt"] in found["content"][0]["text"]
    seen.add(_INSPECTOR, f"memory_search over stdio, {era} protocol")


def test_the_inspector_reads_resources_and_prompts(project: Project, seen: Seen) -> None:
    resources = [one["uri"] for one in _inspector(project, STDIO, "resources/list")["resources"]]
    assert {"memory://index", "memory://capsule"} <= set(resources)
    templates = _inspector(project, STDIO, "resources/templates/list")["resourceTemplates"]
    assert any(one["uriTemplate"].startswith("memory://documents/") for one in templates)
    index = _inspector(project, STDIO, "resources/read", "--uri", "memory://index")["contents"][0]["text"]
    assert "Where we deploy" in index
    document = "memory://documents/notes/where-we-deploy"
    text = _inspector(project, STDIO, "resources/read", "--uri", document)["contents"][0]["text"]
    assert _FACT in text
    prompts = [one["name"] for one in _inspector(project, STDIO, "prompts/list")["prompts"]]
    assert prompts == ["recall", "review"]
    filled = _inspector(project, STDIO, "prompts/get", "--prompt-name", "recall", "--prompt-args", "about=deploying")
    assert "deploying" in filled["messages"][0]["content"]["text"]
    seen.add(_INSPECTOR, "resources, templates and prompts over stdio")


@pytest.mark.parametrize("era", _ERAS)
def test_the_inspector_calls_a_tool_over_http_with_the_token_and_not_without(
    project: Project, era: str, seen: Seen
) -> None:
    arguments = ["--tool-name", "memory_search", "--tool-args-json", json.dumps(_QUESTION)]
    with over_http(project) as server:
        target = ("--transport", "http", "--server-url", server.url)
        header = ("--header", f"Authorization: Bearer {server.token}")
        found = _inspector(project, (*target, *header), "tools/call", *arguments, era=era)
        options = ["--format", "json", "--stored-auth-only", "--protocol-era", era, "--method", "tools/list"]
        refused = run(["mcp-inspector", "--cli", *target, *options], cwd=project.folder, env=project.env, status=None)

    assert _FACT in found["content"][0]["text"]
    assert refused.status != 0
    assert "memory_search" not in refused.stdout
    seen.add(_INSPECTOR, f"memory_search over HTTP with the token, refused without, {era} protocol")


def test_mcporter_lists_and_calls_over_stdio(project: Project, seen: Seen) -> None:
    _configure(project, {"command": STDIO[0], "args": list(STDIO[1:])})

    listed = _mcporter(project, "list", "mnemic", "--json").json()
    found = _mcporter(project, "call", "mnemic.memory_search", "--args", json.dumps(_QUESTION))
    index = _mcporter(project, "resource", "mnemic", "memory://index")

    assert [tool["name"] for tool in listed["tools"]] == _TOOLS
    assert _FACT in found.stdout
    assert "Where we deploy" in index.stdout
    seen.add(_MCPORTER, "list, call and resource over stdio", f"{found.seconds:.1f} s for a call")


def test_mcporter_lists_and_calls_over_http(project: Project, seen: Seen) -> None:
    with over_http(project) as server:
        _configure(project, {"url": server.url, "headers": {"Authorization": f"Bearer {server.token}"}})
        listed = _mcporter(project, "list", "mnemic", "--json").json()
        found = _mcporter(project, "call", "mnemic.memory_search", "--args", json.dumps(_QUESTION))

    assert [tool["name"] for tool in listed["tools"]] == _TOOLS
    assert _FACT in found.stdout
    seen.add(_MCPORTER, "list and call over HTTP with the token", f"{found.seconds:.1f} s for a call")


@pytest.mark.parametrize("client", ["cursor", "opencode", "codex"])
def test_mcporter_finds_the_server_that_was_installed_for_an_agent(project: Project, client: str, seen: Seen) -> None:
    """It reads the settings of coding agents: what `mnemic install` writes is understood by somebody else too."""
    project.mnemic("install", client, "--project", str(project.folder))

    found = _mcporter(project, "call", "mnemic.memory_search", "--args", json.dumps(_QUESTION))

    assert _FACT in found.stdout
    seen.add(_MCPORTER, f"finds the server in what `mnemic install {client} --project` wrote")


def _configure(project: Project, server: dict[str, object]) -> None:
    path = project.folder / "config" / "mcporter.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"mcpServers": {"mnemic": server}, "imports": []}))


def _mcporter(project: Project, *arguments: str) -> Done:
    return run(["mcporter", *arguments], cwd=project.folder, env=project.env)
