"""Settings files as people write them: any JSON with comments, any white space, a comma too many."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

_BLANK = st.sampled_from(["", "", " ", "\n", "  ", "\n  ", "\n\t", "\r\n    ", "\n\n"])
_COMMENT = st.sampled_from(["/* note */", "/* // */", "// mine\n", "// http://x\n  ", "/**/\n"])
_KEY = st.sampled_from(["a", "env", "model", "ключ", 'q"uote', "hook s"])
_SCALAR = st.sampled_from([1, -2.5e3, True, None, "", "http://host/a//b", 'x", "y', "naïve 記憶", "a,b", "}{", "[ ]"])
_FOREIGN = {"type": "command", "command": "node /opt/other/hook.js // mnemic", "timeout": 3}
_HOOKS = st.sampled_from(
    [
        {},
        {"Stop": []},
        {"Stop": [{"hooks": [_FOREIGN]}]},
        {"Stop": [{"matcher": "*", "hooks": []}], "PreToolUse": [{"matcher": "Bash", "hooks": [_FOREIGN, _FOREIGN]}]},
        {"SessionStart": [{"hooks": [_FOREIGN]}, {"hooks": []}], "Other": []},
    ]
)
_SERVERS = st.sampled_from([{}, {"other": {"command": "npx", "args": ["-y", "x"]}}, {"a": {}, "b": {"url": "u"}}])
_VALUE: st.SearchStrategy[Any] = st.recursive(
    _SCALAR, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEY, inner, max_size=3), max_leaves=6
)


@st.composite
def settings_values(draw: st.DrawFn) -> dict[str, Any]:
    """What settings say: anything, and perhaps hooks and servers of others."""
    value = draw(st.dictionaries(_KEY, _VALUE, max_size=3))
    if draw(st.booleans()):
        value["hooks"] = draw(_HOOKS)
    if draw(st.booleans()):
        value["mcpServers"] = draw(_SERVERS)
    return value


@st.composite
def settings_texts(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A text, and what it says."""
    value = draw(settings_values())
    if draw(st.booleans()):
        form = draw(st.sampled_from([{}, {"indent": 2}, {"indent": 4}, {"indent": "\t"}, {"separators": (",", ":")}]))
        end = draw(st.sampled_from(["", "\n", "\r\n"]))
        text = json.dumps(value, ensure_ascii=False, **form) + end  # type: ignore[arg-type]
        return (text.replace("\n", "\r\n") if end == "\r\n" else text), value
    return draw(_between()) + _written(draw, value) + draw(_between()), value


def _between() -> st.SearchStrategy[str]:
    return st.one_of(_BLANK, _BLANK, st.tuples(_BLANK, _COMMENT, _BLANK).map("".join))


def _written(draw: st.DrawFn, value: object) -> str:
    match value:
        case dict():
            keys = [json.dumps(key, ensure_ascii=draw(st.booleans())) for key in value]
            colons = [f"{draw(_between())}:{draw(_between())}" for _ in keys]
            values = [_written(draw, inner) for inner in value.values()]
            parts = list(map("".join, zip(keys, colons, values, strict=True)))
            return _joined(draw, "{", parts, "}")
        case list():
            return _joined(draw, "[", [_written(draw, inner) for inner in value], "]")
        case _:
            return json.dumps(value, ensure_ascii=False)


def _joined(draw: st.DrawFn, opening: str, parts: list[str], closing: str) -> str:
    text = opening
    for at, part in enumerate(parts):
        text += draw(_between()) + part + draw(_between())
        if at < len(parts) - 1 or draw(st.booleans()):
            text += ","
    return text + draw(_between()) + closing
