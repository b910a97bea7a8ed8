"""Which memories, or which parts of them, go into an agent's context without being asked for.

A whole memory says so by its key `load`; a part by a tag in its heading, `## Core identity [ALWAYS_LOAD]`, as
repositories of people and themes write it. The key wins.

Not everybody may say so: it counts only where the owner of the bundle wrote the text, by hand, by a command, or by
vouching for it. Anybody's text can hold such a tag, and an agent may rewrite a memory that had the key.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from mnemic.domain.kinds import kind_key
from mnemic.domain.memory import Loading
from mnemic.domain.provenance import is_ones_own

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemic.domain.memory import Memory

_HEADING: Final = re.compile(r"^(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$")
_TAG: Final = re.compile(r"\[(ALWAYS|RECENT|KEYWORD|MERGE)_LOAD\]", re.IGNORECASE)
_FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_END: Final = re.compile(r"^/END\b", re.IGNORECASE)


class Part(NamedTuple):
    """A part of a body and when it is loaded."""

    loading: Loading
    text: str


def loading_of(memory: Memory) -> Loading | None:
    """The memory's own `load`, else the first of its headings' tags in the order always, recent, keyword, merge."""
    if not is_ones_own(memory.provenance.origin, verified=memory.provenance.verified):
        return None
    if memory.loading is not None:
        return memory.loading
    found = {part.loading for part in _parts(memory.body)}
    return next((loading for loading in Loading if loading in found), None)


def stands_before_all(memory: Memory) -> bool:
    """Whether it, a part of it or its description is put before an agent in every conversation."""
    source = memory.provenance
    if not is_ones_own(source.origin, verified=source.verified):
        return False
    always = loading_of(memory) in {Loading.ALWAYS, Loading.RECENT}
    return always or memory.auto_invoke is True or kind_key(memory.kind) == "summary"


def loaded_text(memory: Memory, loading: Loading) -> str:
    """What of its body goes into the context for this reason: all of it, or the parts whose headings say so."""
    if memory.loading is not None:
        return memory.body if memory.loading is loading else ""
    return "\n\n".join(part.text for part in _parts(memory.body) if part.loading is loading)


def _parts(body: str) -> Iterator[Part]:
    """Each tagged heading with what stands under it, up to the next heading of its level or its `/END` line."""
    if "_load]" not in body.lower():
        return
    loading: Loading | None = None
    level, lines, fence = 0, list[str](), ""
    for line in body.splitlines():
        fence = _fence(line, fence)
        heading = None if fence else _HEADING.match(line)
        ended = loading is not None and not fence and (_END.match(line) or (heading and len(heading[1]) <= level))
        if ended and loading is not None:
            yield Part(loading, "\n".join(lines).strip())
            loading, lines = None, []
        if loading is None and heading and (tag := _TAG.search(heading[2])):
            loading, level = Loading(tag[1].lower()), len(heading[1])
            lines = [f"{heading[1]} {_TAG.sub('', heading[2]).strip()}"]
        elif loading is not None:
            lines.append(line)
    if loading is not None:
        yield Part(loading, "\n".join(lines).strip())


def _fence(line: str, fence: str) -> str:
    """The fence that is open after this line; a closing one is at least as long as its opening."""
    found = _FENCE.match(line)
    if not found:
        return fence
    if not fence:
        return found[1]
    return "" if found[1].startswith(fence) and not line.strip().strip(fence[0]) else fence
