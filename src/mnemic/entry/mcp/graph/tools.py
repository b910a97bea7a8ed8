"""The nine tools of the profile, with the names, arguments and replies that clients of it know."""

from __future__ import annotations

import json
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, cast

from mnemic.agent.arguments import checked
from mnemic.agent.tool import Tool, ToolResult, failure
from mnemic.entry.mcp.graph.graph import Entity, KnowledgeGraph, Relation, UnknownEntityError, View
from mnemic.errors import MnemicError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mnemic.app import App
    from mnemic.entry.mcp.turns import Caller

_MOST: Final = 10_000
_QUERY_CHARACTERS: Final = 2_048
_TEXT: Final = {"type": "string"}


def _list(items: Mapping[str, object], description: str) -> dict[str, object]:
    return {"type": "array", "items": items, "maxItems": _MOST, "description": description}


def _object(**properties: Mapping[str, object]) -> dict[str, object]:
    names = {name.rstrip("_"): schema for name, schema in properties.items()}
    return {"type": "object", "properties": names, "required": list(names), "additionalProperties": False}


def _text(description: str) -> dict[str, object]:
    return {"type": "string", "description": description}


_TEXTS = _list(_TEXT, "One fact each.")
_ENTITY = _object(
    name=_text("What it is called; no two entities share a name."),
    entityType=_text("What it is: person, project, place, …"),
    observations=_list(_TEXT, "What is known of it, one fact each."),
)
_RELATION = _object(
    from_=_text("Name of the entity that does it."),
    to=_text("Name of the entity that it is done to."),
    relationType=_text("What it does, in active voice: works at, knows, …"),
)
_VIEW = _object(entities=_list(_ENTITY, "Entities."), relations=_list(_RELATION, "Relations."))
_DONE = _object(success={"type": "boolean"}, message=_TEXT)


def _tool(name: str, description: str, takes: dict[str, object], gives: dict[str, object], effect: str) -> Tool:
    return Tool(
        name=name,
        title=name.replace("_", " ").title(),
        description=description,
        input_schema=takes,
        output_schema=gives,
        read_only=effect == "reads",
        destructive=effect == "deletes",
        idempotent=effect != "adds",
    )


TOOLS: Final = (
    _tool(
        "create_entities",
        "Add things to remember to the graph, each with its type and first facts. A name that exists is left alone.",
        _object(entities=_list(_ENTITY, "The new entities.")),
        _object(entities=_list(_ENTITY, "Those that were new.")),
        "adds",
    ),
    _tool(
        "create_relations",
        "Say how entities stand to each other. A relation that exists is left alone.",
        _object(relations=_list(_RELATION, "The new relations.")),
        _object(relations=_list(_RELATION, "Those that were new.")),
        "adds",
    ),
    _tool(
        "add_observations",
        "Add facts to entities that exist. A fact that is there already is left alone.",
        _object(
            observations=_list(
                _object(entityName=_text("The entity they are about."), contents=_TEXTS), "Facts, by entity."
            )
        ),
        _object(
            results=_list(_object(entityName=_TEXT, addedObservations=_TEXTS), "What was new, in the order given.")
        ),
        "adds",
    ),
    _tool(
        "delete_entities",
        "Remove entities for good, with their facts and every relation that leads to or from them.",
        _object(entityNames=_list(_TEXT, "Their names.")),
        _DONE,
        "deletes",
    ),
    _tool(
        "delete_observations",
        "Remove facts from entities; give each as it reads.",
        _object(
            deletions=_list(
                _object(entityName=_text("The entity they are taken from."), observations=_TEXTS), "Facts, by entity."
            )
        ),
        _DONE,
        "deletes",
    ),
    _tool(
        "delete_relations",
        "Remove relations between entities; the entities stay.",
        _object(relations=_list(_RELATION, "The relations to remove.")),
        _DONE,
        "deletes",
    ),
    _tool("read_graph", "Everything: all entities with their facts, and all relations.", _object(), _VIEW, "reads"),
    _tool(
        "search_nodes",
        "Entities whose name, type or facts hold a text, and the relations around them.",
        _object(query={"type": "string", "maxLength": _QUERY_CHARACTERS, "description": "The text to look for."}),
        _VIEW,
        "reads",
    ),
    _tool(
        "open_nodes",
        "The entities of these names, and the relations around them.",
        _object(names=_list(_TEXT, "Exact names.")),
        _VIEW,
        "reads",
    ),
)
_BY_NAME: Final = {tool.name: tool for tool in TOOLS}


class GraphCalls:
    """Calls a tool on the graph of the application."""

    def __init__(self) -> None:
        self._graph: KnowledgeGraph | None = None
        self._guard = Lock()

    def graph(self, app: App) -> KnowledgeGraph:
        """The graph of the application, made at its first use."""
        with self._guard:
            if self._graph is None or self._graph.app is not app:  # another bundle may have been opened since
                self._graph = KnowledgeGraph(app)
            return self._graph

    def __call__(self, app: App, caller: Caller, name: str, arguments: Mapping[str, object]) -> ToolResult:
        """One call; a mistake becomes a failed result."""
        del caller
        try:
            given = cast("dict[str, Any]", checked(_BY_NAME[name], arguments))
            return _CALLS[name](self.graph(app), given)
        except UnknownEntityError as error:
            return ToolResult(text=str(error), data={}, failed=True)
        except MnemicError as error:
            return failure(error)


def as_json(value: object) -> str:
    """JSON as it is shown to a model."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def view_data(view: View) -> dict[str, object]:
    """A view, by the names of the protocol."""
    return {"entities": [_entity_data(each) for each in view.entities], "relations": _relations_data(view.relations)}


def _entity_data(entity: Entity) -> dict[str, object]:
    return {"name": entity.name, "entityType": entity.entity_type, "observations": list(entity.observations)}


def _relations_data(relations: tuple[Relation, ...] | list[Relation]) -> list[dict[str, object]]:
    return [{"from": each.source, "to": each.target, "relationType": each.relation_type} for each in relations]


def _relations(given: list[dict[str, str]]) -> list[Relation]:
    return [Relation(each["from"], each["to"], each["relationType"]) for each in given]


def _named(name: str, rows: list[Any]) -> ToolResult:
    """A list: bare in the text, by name in the data."""
    return ToolResult(text=as_json(rows), data={name: rows})


def _seen(view: View) -> ToolResult:
    data = view_data(view)
    return ToolResult(text=as_json(data), data=data)


def _done(what: str) -> ToolResult:
    message = f"{what} deleted successfully"
    return ToolResult(text=message, data={"success": True, "message": message})


def _create_entities(graph: KnowledgeGraph, given: dict[str, Any]) -> ToolResult:
    wanted = [Entity(each["name"], each["entityType"], tuple(each["observations"])) for each in given["entities"]]
    return _named("entities", [_entity_data(entity) for entity in graph.create_entities(wanted)])


def _create_relations(graph: KnowledgeGraph, given: dict[str, Any]) -> ToolResult:
    return _named("relations", _relations_data(graph.create_relations(_relations(given["relations"]))))


def _add_observations(graph: KnowledgeGraph, given: dict[str, Any]) -> ToolResult:
    added = graph.add_observations((each["entityName"], each["contents"]) for each in given["observations"])
    return _named("results", [{"entityName": name, "addedObservations": texts} for name, texts in added])


def _delete_entities(graph: KnowledgeGraph, given: dict[str, Any]) -> ToolResult:
    graph.delete_entities(given["entityNames"])
    return _done("Entities")


def _delete_observations(graph: KnowledgeGraph, given: dict[str, Any]) -> ToolResult:
    graph.delete_observations((each["entityName"], each["observations"]) for each in given["deletions"])
    return _done("Observations")


def _delete_relations(graph: KnowledgeGraph, given: dict[str, Any]) -> ToolResult:
    graph.delete_relations(_relations(given["relations"]))
    return _done("Relations")


_CALLS: Final[Mapping[str, Callable[[KnowledgeGraph, dict[str, Any]], ToolResult]]] = {
    "create_entities": _create_entities,
    "create_relations": _create_relations,
    "add_observations": _add_observations,
    "delete_entities": _delete_entities,
    "delete_observations": _delete_observations,
    "delete_relations": _delete_relations,
    "read_graph": lambda graph, _: _seen(graph.whole()),
    "search_nodes": lambda graph, given: _seen(graph.search(given["query"])),
    "open_nodes": lambda graph, given: _seen(graph.open(given["names"])),
}
