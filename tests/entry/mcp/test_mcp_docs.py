"""docs/reference/mcp.md and the server say the same."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from mcp import Client
from mcp_places import Connected

from mnemic.agent.tools import TOOLS
from mnemic.entry.mcp.graph import tools as graph_tools
from mnemic.entry.mcp.opened import Opened
from mnemic.entry.mcp.server import memory_server
from mnemic.errors import BundleNotFoundError

if TYPE_CHECKING:
    from mnemic.agent.tool import Tool
    from mnemic.app import App

_PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "mcp.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    """The text under a heading, up to the next one."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", _PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"mcp.md has no section {heading}"
    return found[1]


def rows(text: str) -> dict[str, list[str]]:
    """Table rows by the name in the first cell."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\|.+\|$", text, re.MULTILINE)
    ]
    return {row[0].strip("`"): row[1:] for row in cells if row[0].startswith("`")}


def names(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def unopened() -> App:
    raise BundleNotFoundError("nowhere")


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_argument_and_field_of_a_tool_is_documented(tool: Tool) -> None:
    text = section(f"`{tool.name}`")
    arguments = rows(text)
    required = [name for name, row in arguments.items() if row[0].endswith("required")]

    assert list(arguments) == list(cast("dict[str, object]", tool.input_schema["properties"]))
    assert required == list(cast("list[str]", tool.input_schema["required"]))
    (answer,) = re.findall(r"^Answers with: (.+)\.$", text, re.MULTILINE)
    assert names(answer) == list(cast("dict[str, object]", tool.output_schema["properties"]))


def test_no_tool_is_documented_that_does_not_exist() -> None:
    assert re.findall(r"^### `(\w+)`$", _PAGE, re.MULTILINE) == [tool.name for tool in TOOLS]


def test_every_tool_of_the_profile_is_documented() -> None:
    documented = {
        name: [names(cell) for cell in row] for name, row in rows(section("The profile `server-memory`")).items()
    }

    assert documented == {
        tool.name: [
            list(cast("dict[str, object]", tool.input_schema["properties"])),
            list(cast("dict[str, object]", tool.output_schema["properties"])),
        ]
        for tool in graph_tools.TOOLS
    }


def test_every_resource_and_prompt_is_documented() -> None:
    with Connected(lambda: Client(memory_server(Opened(unopened)))) as client:
        resources = client.do(client.client.list_resources).resources
        templates = client.do(client.client.list_resource_templates).resource_templates
        prompts = client.do(client.client.list_prompts).prompts

    assert set(rows(section("Resources"))) == {each.uri for each in resources} | {
        each.uri_template for each in templates
    }
    documented = rows(section("Prompts"))
    assert {name: names(row[0]) for name, row in documented.items()} == {
        prompt.name: [argument.name for argument in prompt.arguments] for prompt in prompts
    }
