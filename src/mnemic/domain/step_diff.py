"""What a step of a proposal changes, as lines that a person reads: one field a line, then the text."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from mnemic.domain.memory import State
from mnemic.domain.versions import to_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemic.domain.memory import Memory
    from mnemic.domain.proposals import Step

_CONTEXT = 3
_NOT_SHOWN = frozenset({"body", "changed_at", "id", "uid"})
"""The text stands below the fields; when it changes is when it is approved; its names cannot be changed."""
_OFTEN_EMPTY = ("provenance.", "scope.")
"""Fields under these are told with every memory that has one of them."""
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\uffa0\ufe00-\ufe0d\U000e0100-\U000e01ef]"
    "|(?<=[^\\W\\d_])[\ufe0e\ufe0f]|(?<=[\ufe00-\ufe0f])[\ufe0e\ufe0f]"
)
"""What counts as printable and is seen by nobody; one selector behind a sign, as emoji have it, is ordinary."""
_FIRST = ("kind", "title", "state", "description", "claim.key", "claim.value")


def diff_of(step: Step) -> tuple[str, ...]:
    """A unified diff of one memory, without line breaks; signs that nobody sees are written as escapes.

    Of one that is to be recalled or to be believed more from then on, all is there: a person lets in its text.
    """
    from difflib import unified_diff

    before = list(told(step.before)) if step.before is not None else []
    after = list(told(step.after, new=step.before is None))
    name = visible_signs(step.after.id)
    around = len(before) + len(after) if _is_let_in(step) else _CONTEXT
    lines = unified_diff(before, after, name if before else "/dev/null", name, n=around, lineterm="")
    return tuple(lines)


def told(memory: Memory, *, new: bool = False) -> Iterator[str]:
    """Every field that says something, by name, a line each; then the text."""
    hidden = _NOT_SHOWN | {"recorded_at"} if new else _NOT_SHOWN  # a new one is told when it is approved
    fields = dict(_flat("", {name: value for name, value in _plain(memory).items() if name not in hidden}))
    for name in sorted(fields, key=lambda field: (_FIRST.index(field) if field in _FIRST else len(_FIRST), field)):
        yield visible_signs(f"{name}: {fields[name]}")
    if memory.body.strip():
        yield ""
        yield from (visible_signs(line) for line in memory.body.split("\n"))


def _is_let_in(step: Step) -> bool:
    before, after = step.before, step.after
    if before is None:
        return False
    was, now = before.provenance, after.provenance
    if after.state is State.ACTIVE and before.state is not State.ACTIVE:
        return True
    return (now.verified and not was.verified) or before.kind != after.kind or now.authority > was.authority


def visible_signs(text: str) -> str:
    """The text on one line, with everything that nobody would see written as an escape."""
    if text.isascii() and text.isprintable():
        return text
    plain = "".join(ch if ch.isprintable() else ascii(ch)[1:-1] for ch in text)
    return _UNSEEN.sub(lambda found: ascii(found[0])[1:-1], plain)


def _plain(memory: Memory) -> dict[str, object]:
    found: dict[str, object] = json.loads(to_bytes(memory).decode("utf-8", "surrogatepass"))
    return found


def _flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    if name.startswith(_OFTEN_EMPTY) and value in ("", []):
        return
    match value:
        case dict():
            for key, item in value.items():
                yield from _flat(f"{name}.{key}" if name else str(key), item)
        case str():
            yield name, value
        case list() if all(isinstance(item, str) for item in value):
            yield name, ", ".join(value)
        case _:
            yield name, json.dumps(value, ensure_ascii=False)
