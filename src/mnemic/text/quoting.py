"""Text of a memory as data: it can say anything, and it cannot pass for anything but a quotation.

A model reads one stream of text. What keeps a remembered sentence from being taken for ours is its form: a fact is one
line with our bullet before it and its origin behind it; a longer text stands in a block whose tags it cannot write.
"""

from __future__ import annotations

import unicodedata

TYPE_CHECKING = False  # a hook without a server reads this module, and has no time for `typing`
if TYPE_CHECKING:
    from typing import Final

_TAG: Final = r"(?i)<(?=\s*/?\s*memory\b)"
_ENDING: Final = r"\[(?=\s*/|[^\]]{0,2000}·)"
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_KEPT: Final = frozenset("\n\t\u200c\u200d")
"""Joiners: Persian, Hindi and many emoji are spelled with them."""


def one_line(text: str) -> str:
    """The text on one line: any run of blanks and breaks is one blank, what cannot be seen is gone."""
    return " ".join(visible(text).split())


def as_fact(text: str) -> str:
    """As `one_line`, and without what reads like an end of ours: `[/Context]`, `[id · origin · day]`, `</memory>`."""
    line = one_line(text)
    if "[" in line or "<" in line:
        import re  # by few texts alone

        line = re.sub(_TAG, "‹", re.sub(_ENDING, "⟦", line))
    return line


def visible(text: str) -> str:
    """Without control characters, direction marks and other invisible signs; breaks and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(char: str) -> str:
    if char in _KEPT or unicodedata.category(char) not in _HIDDEN:
        return char
    return "\n" if char.isspace() else ""  # some control characters break a line


def block(text: str, **attributes: str) -> str:
    """The text between `<memory …>` and `</memory>`; its own such tags lose their angle bracket."""
    shown = " ".join(f'{name}="{_attribute(value)}"' for name, value in attributes.items() if value)
    import re  # by a block alone

    body = re.sub(_TAG, "‹", visible(text.replace("\r\n", "\n").replace("\r", "\n"))).strip("\n")
    return f"<memory {shown}>\n{body}\n</memory>"


def _attribute(value: str) -> str:
    return one_line(value).replace('"', "'").replace("<", "‹").replace(">", "›")
