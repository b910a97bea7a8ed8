"""Values as YAML text that readers of YAML 1.1 and 1.2 understand alike.

Texts that either would take for a number, a truth value, nothing or a time of day are quoted; plain ISO dates and
numbers stay plain where the key is one of those, since OKF writes them so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemic.domain.memory import Yaml

FLOW_WIDTH = 100
_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`=<~")
_PLAIN_TYPED = re.compile(
    r"-?(?:0|[1-9]\d*)(?:\.\d+)?\Z|true\Z|false\Z"
    r"|\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?\Z",
    re.ASCII,
)
_NUMBER_LIKE = re.compile(r"[-+.0-9][0-9a-fA-FxXoOtTzZ_.,:+\- ]*\Z|[-+]?\.(?:inf|nan)\Z", re.ASCII | re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}\Z")
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null", "none", "nan", "inf"})
_UNSAFE = re.compile(r"[^\t\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[\u2028\u2029]")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def emit_entry(key: str, value: Yaml, *, indent: str = "", typed: bool = False, comment: str = "") -> str:
    """Whole lines for one key of a block mapping, with line feeds.

    `typed`: a number, a truth value or a date may stay plain. `comment` goes on the first line.
    """
    return _entry(f"{indent}{emit_scalar(key)}:", value, indent, typed=typed, comment=comment)


def emit_after_key(key_text: str, value: Yaml, *, indent: str, typed: bool, comment: str = "") -> str:
    """As `emit_entry`, with the key's own text as it stood in the file."""
    return _entry(f"{indent}{key_text}:", value, indent, typed=typed, comment=comment)


def _entry(head: str, value: Yaml, indent: str, *, typed: bool, comment: str) -> str:
    inner = indent + "  "
    if isinstance(value, dict) and value:
        below = "".join(emit_entry(key, item, indent=inner, typed=typed) for key, item in value.items())
        return f"{head}{comment}\n{below}"
    if isinstance(value, list) and value:
        flow = emit_flow(value, typed=typed)
        if any(isinstance(item, dict) and item for item in value) or len(flow) > FLOW_WIDTH:
            return f"{head}{comment}\n" + "".join(_item(item, inner, typed=typed) for item in value)
        return f"{head} {flow}{comment}\n"
    return f"{head} {emit_flow(value, typed=typed, nested=False)}{comment}\n"


def _item(value: Yaml, indent: str, *, typed: bool) -> str:
    if isinstance(value, dict) and value:
        lines = "".join(emit_entry(key, item, indent=indent + "  ", typed=typed) for key, item in value.items())
        return f"{indent}- {lines[len(indent) + 2 :]}"
    return f"{indent}- {emit_flow(value, typed=typed, nested=isinstance(value, list | dict))}\n"


def emit_flow(value: Yaml, *, typed: bool = False, nested: bool = True) -> str:
    """A value on one line: `[a, b]`, `{ by: x, at: y }` or a scalar (`nested`: inside brackets)."""
    if isinstance(value, dict):
        inside = ", ".join(
            f"{emit_scalar(key, nested=True)}: {emit_flow(item, typed=typed)}" for key, item in value.items()
        )
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(emit_flow(item, typed=typed) for item in value)}]"
    return emit_scalar(value, typed=typed, nested=nested)


def emit_scalar(text: str, *, typed: bool = False, nested: bool = False, style: str | None = None) -> str:
    """One scalar on one line: plain where that is safe, else quoted.

    `style` is the quote that stood there before (`'` or `"`), and is kept where it can say `text`.
    """
    if _UNSAFE.search(text) or "\t" in text:
        return _double(text)
    if style == '"':
        return _double(text)
    if style == "'" or not _plain(text, typed=typed, nested=nested):
        return "'" + text.replace("'", "''") + "'"
    return text


def _plain(text: str, *, typed: bool, nested: bool) -> bool:
    if not text or text != text.strip() or text[0] in _INDICATORS or text[-1] == ":":
        return False
    if ": " in text or " #" in text or (nested and any(char in ",[]{}:" for char in text) and not _moment(text)):
        return False
    if typed and _PLAIN_TYPED.match(text):
        return True
    # Sexagesimals, dates, 0x10, 1_000, .5, 1e3: whatever some reader might take for a number or a time.
    return not (text.lower() in _WORDS or (_NUMBER_LIKE.match(text) and not _UUID.match(text)))


def _moment(text: str) -> bool:
    return bool(_PLAIN_TYPED.match(text))


def _double(text: str) -> str:
    return '"' + "".join(_ESCAPES.get(char) or _escaped(char) for char in text) + '"'


def _escaped(char: str) -> str:
    if not _UNSAFE.match(char):
        return char
    code = ord(char)
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"  # noqa: PLR2004


def escaped(text: str) -> str:
    """`text` with every character that YAML forbids written as its escape."""
    return _UNSAFE.sub(lambda found: _escaped(found[0]), text)
