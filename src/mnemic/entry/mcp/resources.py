"""Resources: what a person or a host program puts into a conversation by hand. Nothing of it counts as an agent's read.

`memory://index` lists the memories, `memory://documents/{id}` is one of them whole, `memory://capsule` is what goes
into an agent's context at the start of a conversation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from mcp import types
from mcp.shared.exceptions import MCPError

from mnemic.entry.mcp import listing
from mnemic.errors import MnemicError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.context import ServerRequestContext

    from mnemic.app import App
    from mnemic.entry.mcp.turns import Caller
    from mnemic.entry.mcp.worker import Worker

INDEX = "memory://index"
CAPSULE = "memory://capsule"
DOCUMENTS = "memory://documents/"
DOCUMENT_TEMPLATE = f"{DOCUMENTS}{{+id}}"
INDEX_TEMPLATE = f"{INDEX}/{{page}}"
MARKDOWN = "text/markdown"
MOST_COMPLETIONS = 100
"""The protocol allows no more values in one answer."""

_RESOURCES = (
    types.Resource(
        uri=INDEX,
        name="index",
        title="Everything remembered",
        description="All active memories by kind: id, title, description, and how many others there are. The first "
        "page; each page names the next one.",
        mime_type=MARKDOWN,
    ),
    types.Resource(
        uri=CAPSULE,
        name="capsule",
        title="What to know at the start",
        description="What goes into an agent's context at the start of a conversation, and what is due.",
        mime_type=MARKDOWN,
    ),
)
_TEMPLATES = (
    types.ResourceTemplate(
        uri_template=DOCUMENT_TEMPLATE,
        name="document",
        title="One memory, whole",
        description="A memory by its id, a conversation as session:ID, or one turn of it as session:ID%23N.",
        mime_type=MARKDOWN,
    ),
    types.ResourceTemplate(
        uri_template=INDEX_TEMPLATE,
        name="index-page",
        title="A page of the index",
        description=f"Page 2 and those after it; {listing.PAGE} memories a page.",
        mime_type=MARKDOWN,
    ),
)


class Resources:
    """Lists, reads and completes; the handlers that a server registers."""

    def __init__(self, worker: Worker, caller: Callable[[ServerRequestContext[Any, Any]], Caller]) -> None:
        self._worker = worker
        self._caller = caller

    async def list(
        self, ctx: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """The two that have a fixed address."""
        del ctx, params
        return types.ListResourcesResult(resources=list(_RESOURCES))

    async def templates(
        self, ctx: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """Those that are named."""
        del ctx, params
        return types.ListResourceTemplatesResult(resource_templates=list(_TEMPLATES))

    async def read(
        self, ctx: ServerRequestContext[Any, Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """The text of one.

        Raises:
            MCPError: There is no such thing.
        """
        uri = params.uri
        conversation = self._caller(ctx).conversation
        try:
            text = await self._worker.run(ctx, lambda app: _text(app, uri, conversation))
        except MnemicError as error:
            told = f"{error.message} {error.hint}".strip()
            raise MCPError(types.INVALID_PARAMS, told, {"uri": uri, "code": error.code}) from error
        if text is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no resource {uri}", {"uri": uri})
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)],
        )

    async def complete(
        self, ctx: ServerRequestContext[Any, Any], params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        """Ids that begin as what was typed so far; nothing for anything else."""
        values: list[str] = []
        if isinstance(params.ref, types.ResourceTemplateReference) and params.ref.uri == DOCUMENT_TEMPLATE:
            begun = params.argument.value.casefold()
            rows = await self._worker.run(ctx, listing.rows)
            values = [row.id for row in rows if row.id.casefold().startswith(begun)]
        shown = values[:MOST_COMPLETIONS]
        return types.CompleteResult(
            completion=types.Completion(values=shown, total=len(values), has_more=len(values) > len(shown))
        )


def _text(app: App, uri: str, conversation: str) -> str | None:
    """What an address names; None for nothing."""
    if uri == CAPSULE:
        return listing.capsule(app, conversation)
    if uri == INDEX:
        return listing.page(app, 1)
    if uri.startswith(f"{INDEX}/"):
        number = uri.removeprefix(f"{INDEX}/")
        return listing.page(app, int(number)) if number.isascii() and number.isdigit() else None
    if uri.startswith(DOCUMENTS):
        return listing.document(app, unquote(uri.removeprefix(DOCUMENTS)))
    return None
