"""Changes single values of a JSON document and leaves every other character of it alone.

Taking out what was put in gives back the same text, without any record of what was there before. Two rules carry that:
what is put into an empty `{}` follows its brace at once, what we make ourselves has a line for each value. So whoever
takes out the last value knows whether the container was there before (it stays) or was ours (it goes too).
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from mnemic.entry.install.jsonc import COMMENT, Item, MistakeError, Node, line_of, parse

if TYPE_CHECKING:
    from collections.abc import Sequence

Path = tuple[str | int, ...]

_WHITE: Final = " \t\r\n"
_KINDS: Final = {"object": "an object { }", "array": "a list [ ]"}
MISSING: Final = object()


class Document:
    """One JSON document being edited; `text` is its present state.

    Args:
        text: The document as it stands in its file, or None when there is no file.

    Raises:
        MistakeError: The text is no JSON. From the other methods: it has another form than the edit needs.
    """

    def __init__(self, text: str | None) -> None:
        self.text = text
        self._root = parse(text) if text is not None else None

    def get(self, path: Path) -> object:
        """The plain value there, or `MISSING`."""
        node = self._find(path)
        return MISSING if node is None else node.plain()

    def keys(self, path: Path) -> list[str]:
        """The names in an object, none when there is no such object."""
        node = self._find(path)
        return list(dict.fromkeys(item.key or "" for item in node.items)) if node and node.kind == "object" else []

    def put(self, path: Path, value: object) -> None:
        """Set a value; objects that are missing on the way are made, a value that is there is replaced in its place."""
        if self._root is None:
            self._make_root(_nested(path, value))
            return
        node = self._root
        for depth, step in enumerate(path):
            if isinstance(step, str):
                self._must_be(node, "object", path[:depth])
            at = node.child(step)
            if at < 0:
                self._insert(node, str(step), _nested(path[depth + 1 :], value))
                return
            node = node.items[at].node
        if node.plain() != value:
            self._replace((node.start, node.end, self._rendered(value, self._indent_at(node.start))))

    def append(self, path: Path, value: object) -> None:
        """Add an element at the end of a list, which is made if it is missing."""
        node = self._find(path)
        if node is None:
            self.put(path, [value])
        else:
            self._insert(self._must_be(node, "array", path), None, value)

    def remove(self, path: Path) -> None:
        """Take a value out, and each container on the way that we made and that this leaves empty."""
        *above, step = path
        parent = self._find(tuple(above))
        at = -1 if parent is None else parent.child(step)
        if parent is None or at < 0:
            return
        if len(parent.items) > 1 or not self._is_bare(parent):
            self._cut(parent, at)
        elif parent.items[0].start == parent.start + 1:  # it was there, empty, before anything was put in
            item = parent.items[0]
            self._replace((item.start, max(item.node.end, item.comma + 1), ""))
        elif above:
            self.remove(tuple(above))
        else:
            self._remove_root(parent)

    def must_be_list(self, path: Path) -> None:
        """Refuse what stands there if it is no list."""
        node = self._find(path)
        if node is not None:
            self._must_be(node, "array", path)

    # Finding

    def _find(self, path: Sequence[str | int]) -> Node | None:
        node = self._root
        for step in path:
            at = -1 if node is None else node.child(step)
            node = None if node is None or at < 0 else node.items[at].node
        return node

    def _must_be(self, node: Node, kind: str, path: Sequence[str | int]) -> Node:
        if node.kind != kind:
            name = ".".join(map(str, path)) or "the document"
            raise MistakeError(f"{name} is not {_KINDS[kind]}", line_of(self.text or "", node.start))
        return node

    def _is_bare(self, node: Node) -> bool:
        """Whether a container with one value holds nothing else but white space: no comment of a person."""
        item, text = node.items[0], self.text or ""
        around = text[node.start + 1 : item.start] + text[item.node.end : node.end - 1].replace(",", "", 1)
        return not around.strip(_WHITE)

    # Changing

    def _make_root(self, value: object) -> None:
        # A file that is there keeps all it has (comments, or nothing at all), and a line end marks where ours begins.
        before = "" if self.text is None else f"{self.text}{self._line_end()}"
        self._set(f"{before}{self._rendered(value, '')}{self._line_end() if self.text is None else ''}")

    def _remove_root(self, root: Node) -> None:
        text = self.text or ""
        before, behind = text[: root.start], text[root.end :]
        if behind.strip(_WHITE):
            self._replace((root.start, root.end, "{}"))
        else:
            self._set(re.sub(r"\r?\n\Z", "", before) if before else None)

    def _insert(self, node: Node, key: str | None, value: object) -> None:
        text = self.text or ""
        closing = node.end - 1
        end = _start_of_white(text, closing)
        name = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
        if not node.items and not text[node.start + 1 : closing].strip(_WHITE):
            self._replace((node.start + 1, node.start + 1, name + self._rendered(value, self._indent_at(node.start))))
            return
        lead, last = self._lead(node), node.items[-1] if node.items else None
        indent = re.split(r"[\r\n]", lead)[-1] if "\n" in lead else self._indent_at(node.start)
        made = f"{lead}{name}{self._rendered(value, indent)}"
        if last is None:
            self._replace((end, end, made))
        elif last.comma < 0:
            self._replace((last.node.end, last.node.end, ","), (end, end, made))
        else:
            self._replace((end, end, f"{made},"))

    def _lead(self, node: Node) -> str:
        """The white space that goes before a new value of this container: that of the value before it."""
        text = self.text or ""
        last = node.items[-1].start if node.items else node.start + 1
        lead = text[_start_of_white(text, last) : last] if node.items else ""
        if "\n" in lead:
            return self._line_end() + re.split(r"[\r\n]", lead)[-1]
        if "\n" in text[last : node.end]:
            return self._line_end() + self._indent_at(node.start) + self._unit()
        return lead or " "

    def _cut(self, node: Node, at: int) -> None:
        text, item = self.text or "", node.items[at]
        if at == 0 and len(node.items) > 1 and not text[item.comma + 1 : node.items[1].start].strip(_WHITE):
            # What stands before the first value stays: it tells whether the container was empty once.
            between = text[item.node.end : item.comma]
            self._replace((item.start, node.items[1].start, between if between.strip(_WHITE) else ""))
            return
        start = _start_of_white(text, item.start)
        follows = text[item.node.end :] if item.comma < 0 else text[item.node.end : item.comma] + text[item.comma + 1 :]
        floor = node.items[at - 1].comma + 1 if at else node.start + 1
        if _in_line_comment(text, floor, start) and not re.match(r"[ \t]*\r?\n", follows):
            start = item.start
        cuts = [(start, item.node.end, "")]
        if item.comma >= 0:
            cuts.append((item.comma, item.comma + 1, ""))
        elif at:
            before: Item = node.items[at - 1]
            cuts.insert(0, (before.comma, before.comma + 1, ""))
        self._replace(*cuts)

    def _replace(self, *spans: tuple[int, int, str]) -> None:
        """`(start, end, new text)`, in their order in the text."""
        text = self.text or ""
        for start, end, new in reversed(spans):
            text = text[:start] + new + text[end:]
        self._set(text)

    def _set(self, text: str | None) -> None:
        self.text = text
        self._root = parse(text) if text is not None else None

    # Form

    def _rendered(self, value: object, indent: str) -> str:
        lines = json.dumps(value, ensure_ascii=False, indent=self._unit()).split("\n")
        return f"{self._line_end()}{indent}".join(lines)

    def _line_end(self) -> str:
        return "\r\n" if "\r\n" in (self.text or "") else "\n"

    def _unit(self) -> str:
        """One step of indentation, as the document has it."""
        found = self._root and self._root.items and re.search(r"\n([ \t]+)\Z", self._before(self._root.items[0].start))
        return found[1] if found else "  "

    def _before(self, at: int) -> str:
        return (self.text or "")[max(0, at - 200) : at]

    def _indent_at(self, at: int) -> str:
        """The indentation of the line in which a position stands."""
        text = self.text or ""
        line = text[text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip(" \t"))]


def _nested(path: Sequence[str | int], value: object) -> object:
    for step in reversed(path):
        value = {str(step): value}
    return value


def _start_of_white(text: str, at: int) -> int:
    """Where the white space that ends at a position begins."""
    while at > 0 and text[at - 1] in _WHITE:
        at -= 1
    return at


def _in_line_comment(text: str, start: int, end: int) -> bool:
    """Whether white space and comments from `start` on end in a `//` comment: then a line end has to follow."""
    while start < end:
        comment = COMMENT.match(text, start)
        if comment and comment.end() >= end:
            return comment[0].startswith("//")
        start = comment.end() if comment else start + 1
    return False
