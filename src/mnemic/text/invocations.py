"""Knowledge and workflows that a message calls by name: `#deploy-rules`, `/release`."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

_NAME: Final = r"[^\W_](?:[\w.-]{0,78}[^\W_])?"
_KNOWLEDGE: Final = re.compile(rf"(?<![\w#/&])#({_NAME})(?![\w/])")
_WORKFLOW: Final = re.compile(rf"\s*/({_NAME})(?=\s|\Z)")
_READ: Final = 100_000
"""Characters of a message that are looked through: nobody calls anything in the middle of a pasted file."""
_MOST: Final = 20


class Invoked(NamedTuple):
    """Names as they were called, in order, each once; case and width do not count."""

    knowledge: tuple[str, ...]
    workflow: str = ""


def invoked(message: str) -> Invoked:
    """What a message calls.

    `#name` may stand anywhere between words; numbers alone (`#12`) are references to something else. `/name` calls a
    workflow only at the very beginning, as in a shell, so that a path is none.
    """
    text = message[:_READ]
    names = dict.fromkeys(
        plain_name(found) for found in _KNOWLEDGE.findall(text) if not found.replace(".", "").isdigit()
    )
    workflow = _WORKFLOW.match(text)
    return Invoked(tuple(names)[:_MOST], plain_name(workflow[1]) if workflow else "")


def plain_name(name: str) -> str:
    """How names are compared: NFKC, without case."""
    return unicodedata.normalize("NFKC", name).casefold()
