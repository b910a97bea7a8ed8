"""The profile `server-memory`: what clients of the official memory server send, and every reply they know."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_places import ERAS, Connected, Place, text_of

from mnemic.app import App, create_bundle
from mnemic.domain.drafts import Draft
from mnemic.domain.memory import Loading, State
from mnemic.domain.provenance import Origin, Provenance
from mnemic.entry.mcp.graph.server import graph_server
from mnemic.entry.mcp.opened import Opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ADA = {"name": "Ada Lovelace", "entityType": "person", "observations": ["wrote about engines", "likes [[maths]]"]}
ENGINE = {"name": "Analytical Engine", "entityType": "machine", "observations": []}
WROTE = {"from": "Ada Lovelace", "to": "Analytical Engine", "relationType": "wrote_about"}
NAMES = [
    "create_entities",
    "create_relations",
    "add_observations",
    "delete_entities",
    "delete_observations",
    "delete_relations",
    "read_graph",
    "search_nodes",
    "open_nodes",
]


@pytest.fixture
def app(in_memory: Path) -> App:
    create_bundle(in_memory / "memory")
    return App.start(in_memory / "memory", embedders=())


@pytest.fixture(params=ERAS)
def graph(request: pytest.FixtureRequest, app: App) -> Iterator[Connected]:
    server = graph_server(Opened(lambda: app))
    with Connected(lambda: Client(server, mode=request.param)) as connected:
        yield connected


@pytest.fixture
def known(graph: Connected) -> Connected:
    """The same with two entities and a relation."""
    graph.data("create_entities", entities=[ADA, ENGINE])
    graph.data("create_relations", relations=[WROTE])
    return graph


def whole(graph: Connected) -> object:
    return graph.data("read_graph")


def test_it_is_called_and_offers_what_the_official_server_does(graph: Connected) -> None:
    shown = graph.do(graph.client.list_tools).tools

    assert graph.client.server_info.name == "memory-server"
    assert [tool.name for tool in shown] == NAMES
    hints = {tool.name: tool.annotations for tool in shown}
    assert [name for name in NAMES if hints[name].read_only_hint] == NAMES[6:]
    assert [name for name in NAMES if hints[name].destructive_hint] == NAMES[3:6]


def test_new_entities_are_given_back_and_known_names_are_left_alone(graph: Connected) -> None:
    first = graph.call("create_entities", entities=[ADA, ADA])
    again = graph.call("create_entities", entities=[{**ADA, "observations": ["something else"]}, ENGINE])

    assert text_of(first) == json.dumps([ADA], indent=2)
    assert first.structured_content == {"entities": [ADA]}
    assert text_of(again) == json.dumps([ENGINE], indent=2)
    assert whole(graph) == {"entities": [ADA, ENGINE], "relations": []}


def test_two_entities_may_say_the_same(graph: Connected) -> None:
    twins = [{**ENGINE, "name": name, "observations": ["is blue"]} for name in ("One", "Two", "C#", "東京", "a/b: c?")]

    assert graph.data("create_entities", entities=twins) == {"entities": twins}
    assert whole(graph) == {"entities": twins, "relations": []}


def test_new_relations_are_given_back_and_known_ones_are_left_alone(known: Connected) -> None:
    loves = {**WROTE, "relationType": "loves"}
    again = known.call("create_relations", relations=[WROTE, loves, loves])

    assert text_of(again) == json.dumps([loves], indent=2)
    assert again.structured_content == {"relations": [loves]}
    assert whole(known) == {"entities": [ADA, ENGINE], "relations": [WROTE, loves]}


def test_a_relation_may_lead_to_what_is_not_there_yet(known: Connected) -> None:
    ahead = {"from": "Analytical Engine", "to": "Babbage | Sons [Ltd] #1", "relationType": "built by"}
    known.data("create_relations", relations=[ahead])

    assert whole(known)["relations"] == [WROTE, ahead]  # type: ignore[index]


def test_a_relation_starts_from_an_entity(known: Connected) -> None:
    told = known.refused("create_relations", relations=[{**WROTE, "from": "Nobody"}])

    assert told == "Entity with name Nobody not found"


def test_new_observations_are_given_back_by_entity(known: Connected) -> None:
    given = [
        {"entityName": "Ada Lovelace", "contents": ["likes [[maths]]", "born in 1815", "two\nlines"]},
        {"entityName": "Analytical Engine", "contents": []},
    ]
    result = known.call("add_observations", observations=given)

    added = [
        {"entityName": "Ada Lovelace", "addedObservations": ["born in 1815", "two\nlines"]},
        {"entityName": "Analytical Engine", "addedObservations": []},
    ]
    assert text_of(result) == json.dumps(added, indent=2)
    assert result.structured_content == {"results": added}
    wanted = {**ADA, "observations": [*ADA["observations"], "born in 1815", "two\nlines"]}
    assert known.data("open_nodes", names=["Ada Lovelace"])["entities"] == [wanted]


def test_observations_of_nobody_write_nothing(known: Connected) -> None:
    given = [
        {"entityName": "Ada Lovelace", "contents": ["new"]},
        {"entityName": "Nobody", "contents": ["new"]},
    ]

    assert known.refused("add_observations", observations=given) == "Entity with name Nobody not found"
    assert whole(known) == {"entities": [ADA, ENGINE], "relations": [WROTE]}


def test_a_deleted_entity_takes_its_relations_along(known: Connected, app: App) -> None:
    result = known.call("delete_entities", entityNames=["Analytical Engine", "Nobody"])

    assert text_of(result) == "Entities deleted successfully"
    assert result.structured_content == {"success": True, "message": "Entities deleted successfully"}
    assert whole(known) == {"entities": [ADA], "relations": []}
    assert len(app.bundle.store.stamps()) == 1


def test_what_stands_before_every_conversation_is_not_deleted_by_a_model(known: Connected, app: App) -> None:
    owner = Provenance.of(Origin.USER_EXPLICIT)
    app.remember(Draft(id="notes/rules", title="Rules", body="- be kind", loading=Loading.ALWAYS, provenance=owner))

    result = known.call("delete_entities", entityNames=["Ada Lovelace", "Rules"])

    assert result.is_error
    assert "only its owner changes what it says" in text_of(result)
    assert len(app.bundle.store.stamps()) == 3


def test_deleted_observations_are_gone(known: Connected) -> None:
    deletions = [
        {"entityName": "Ada Lovelace", "observations": ["likes [[maths]]", "never said"]},
        {"entityName": "Nobody", "observations": ["x"]},
    ]
    result = known.call("delete_observations", deletions=deletions)

    assert text_of(result) == "Observations deleted successfully"
    assert result.structured_content == {"success": True, "message": "Observations deleted successfully"}
    assert whole(known)["entities"][0]["observations"] == ["wrote about engines"]  # type: ignore[index]


def test_deleted_relations_are_gone(known: Connected) -> None:
    result = known.call("delete_relations", relations=[WROTE, {**WROTE, "to": "Nobody"}])

    assert text_of(result) == "Relations deleted successfully"
    assert result.structured_content == {"success": True, "message": "Relations deleted successfully"}
    assert whole(known) == {"entities": [ADA, ENGINE], "relations": []}


def test_the_graph_is_text_and_data_alike(known: Connected) -> None:
    result = known.call("read_graph")
    expected = {"entities": [ADA, ENGINE], "relations": [WROTE]}

    assert text_of(result) == json.dumps(expected, indent=2)
    assert result.structured_content == expected


@pytest.mark.parametrize("query", ["ADA LOVE", "Person", "about ENGINES", "s"])
def test_a_search_looks_at_names_types_and_observations(known: Connected, query: str) -> None:
    found = known.data("search_nodes", query=query)

    assert found == {"entities": [ADA], "relations": [WROTE]}


def test_a_search_that_finds_nothing_gives_nothing(known: Connected) -> None:
    assert known.data("search_nodes", query="wrote engines") == {"entities": [], "relations": []}


def test_nodes_are_opened_by_their_exact_names(known: Connected) -> None:
    found = known.data("open_nodes", names=["Analytical Engine", "ada lovelace"])

    assert found == {"entities": [ENGINE], "relations": [WROTE]}


def test_a_secret_is_refused_and_nothing_is_written(known: Connected) -> None:
    secret = "the token is ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    told = known.refused("add_observations", observations=[{"entityName": "Ada Lovelace", "contents": [secret]}])

    assert "secret" in told
    assert "ghp_" not in told
    assert whole(known) == {"entities": [ADA, ENGINE], "relations": [WROTE]}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("create_entities", {}),
        ("create_entities", {"entities": [{"name": "x"}]}),
        ("create_entities", {"entities": [{**ENGINE, "color": "blue"}]}),
        ("search_nodes", {"query": 7}),
        ("search_nodes", {"query": "x" * 2_049}),
        ("read_graph", {"all": True}),
    ],
)
def test_wrong_arguments_are_explained(graph: Connected, name: str, arguments: dict[str, object]) -> None:
    assert graph.refused(name, **arguments).startswith(f"{name}: ")


def test_memories_written_by_other_hands_are_entities_too(graph: Connected, app: App) -> None:
    body = "Anna came in May. She likes tea.\n\n- plays the cello\n- lives in [[oslo]]\n"
    app.remember(Draft(body="A city by the sea.", title="Oslo, the city", id="places/oslo"))
    app.remember(Draft(body=body, title="Anna", kind="person", id="people/anna"))
    app.remember(Draft(body="Not any more.", title="Gone", id="notes/gone"))
    app.edit("notes/gone", lambda _: {"state": State.ARCHIVED})

    graph.data("add_observations", observations=[{"entityName": "Anna", "contents": ["has a boat"]}])
    graph.data("delete_observations", deletions=[{"entityName": "Anna", "observations": ["She likes tea."]}])

    assert whole(graph) == {
        "entities": [
            {"name": "Oslo, the city", "entityType": "note", "observations": ["A city by the sea."]},
            {
                "name": "Anna",
                "entityType": "person",
                "observations": ["Anna came in May.", "plays the cello", "has a boat"],
            },
        ],
        "relations": [{"from": "Anna", "to": "Oslo, the city", "relationType": "lives in"}],
    }
    assert app.show("people/anna").memory.memory.body.strip() == (  # type: ignore[union-attr]
        "Anna came in May. \n\n- plays the cello\n- lives in [[oslo]]\n- has a boat"
    )


def test_two_memories_of_one_title_stay_apart(graph: Connected, app: App) -> None:
    app.remember(Draft(body="One.", title="Twin", id="notes/one"))
    app.remember(Draft(body="Two.", title="Twin", id="notes/two"))
    graph.data("add_observations", observations=[{"entityName": "Twin (notes/two)", "contents": ["more"]}])

    assert [entity["name"] for entity in whole(graph)["entities"]] == ["Twin", "Twin (notes/two)"]  # type: ignore[index]
    assert "more" in app.show("notes/two").memory.memory.body  # type: ignore[union-attr]


def test_the_graph_is_a_resource(known: Connected) -> None:
    resources = known.do(known.client.list_resources).resources

    assert [resource.uri for resource in resources] == ["memory://knowledge-graph"]
    assert json.loads(known.resource("memory://knowledge-graph")) == whole(known)
    with pytest.raises(MCPError, match="no resource"):
        known.resource("memory://index")


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
def test_who_watches_the_graph_hears_of_a_change(app: App) -> None:
    server = graph_server(Opened(lambda: app))

    async def watch_before_2026() -> str:
        heard = anyio.Event()
        uris: list[str] = []

        async def listen(message: object) -> None:
            if getattr(message, "method", "") == "notifications/resources/updated":
                uris.append(str(message.params.uri))  # type: ignore[attr-defined]
                heard.set()

        async with Client(server, mode="legacy", message_handler=listen) as client:
            await client.subscribe_resource("memory://knowledge-graph")
            await client.call_tool("create_entities", {"entities": [ADA]})
            with anyio.fail_after(30):
                await heard.wait()
            await client.unsubscribe_resource("memory://knowledge-graph")
        return uris[0]

    async def watch_since_2026() -> str:
        async with (
            Client(server, mode="auto") as client,
            client.listen(resource_subscriptions=["memory://knowledge-graph"]) as events,
        ):
            await client.call_tool("create_entities", {"entities": [ENGINE]})
            with anyio.fail_after(30):
                async for event in events:
                    return str(event.uri)  # type: ignore[union-attr]
        raise AssertionError("the stream ended")

    assert anyio.run(watch_before_2026) == "memory://knowledge-graph"
    assert anyio.run(watch_since_2026) == "memory://knowledge-graph"


def test_many_calls_at_once_lose_nothing(known: Connected) -> None:
    async def all_at_once() -> None:
        async with anyio.create_task_group() as group:
            for number in range(30):
                observations = [{"entityName": "Ada Lovelace", "contents": [f"fact {number}"]}]
                group.start_soon(known.client.call_tool, "add_observations", {"observations": observations})
                entity = {"name": f"Thing {number % 10}", "entityType": "thing", "observations": []}
                group.start_soon(known.client.call_tool, "create_entities", {"entities": [entity]})

    known.do(all_at_once)

    entities = {entity["name"]: entity for entity in whole(known)["entities"]}  # type: ignore[index]
    assert {f"fact {number}" for number in range(30)} <= set(entities["Ada Lovelace"]["observations"])
    assert len(entities) == 12


def test_two_processes_write_one_graph(place: Place) -> None:
    words = ("--profile", "server-memory")
    with (
        Connected(lambda: Client(place.parameters(*words), mode="auto")) as one,
        Connected(lambda: Client(place.parameters(*words), mode="legacy")) as other,
    ):
        one.data("create_entities", entities=[ADA])
        assert other.data("create_entities", entities=[ADA]) == {"entities": []}

        async def both() -> None:
            async def many(client: Connected, name: str) -> None:
                for number in range(10):
                    given = [{"entityName": "Ada Lovelace", "contents": [f"{name} {number}"]}]
                    await anyio.to_thread.run_sync(partial(client.data, "add_observations", observations=given))

            async with anyio.create_task_group() as group:
                group.start_soon(many, one, "one")
                group.start_soon(many, other, "other")

        anyio.run(both)
        views = [client.data("open_nodes", names=["Ada Lovelace"]) for client in (one, other)]

    assert views[0] == views[1]
    wanted = {f"{name} {number}" for name in ("one", "other") for number in range(10)}
    assert wanted <= set(views[0]["entities"][0]["observations"])
