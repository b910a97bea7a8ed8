"""Reads JSON as people write it in settings: with comments, trailing commas and byte positions of everything.

What comes out is a tree that knows where each value stands, so that an editor can change one value and leave every
other character alone. Single quotes, bare keys and the other liberties of JSON5 are mistakes here, as they are to the
programs whose files these are.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Final

_DEEPEST: Final = 200
_BLANK = re.compile(r"[ \t\r\n]*+")
COMMENT = re.compile(r"//[^\r\n]*+|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"')
_PLAIN = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null")
_WORD_GOES_ON = re.compile(r"[\w.+-]")


class MistakeError(ValueError):
    """Text that is no JSON, or not of the form that a client's settings have; `line` counts from 1."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(f"line {line}: {why}")
        self.why, self.line = why, line


@dataclass(slots=True)
class Node:
    """One value: `text[start:end]`; `kind` is object, array or scalar."""

    kind: str
    start: int
    end: int = 0
    scalar: object = None
    items: list[Item] = field(default_factory=list)

    def plain(self) -> object:
        """The value as Python has it; of keys given twice the last counts, as in every client."""
        match self.kind:
            case "object":
                return {item.key: item.node.plain() for item in self.items}
            case "array":
                return [item.node.plain() for item in self.items]
            case _:
                return self.scalar

    def child(self, step: str | int) -> int:
        """Position among `items` of the last member of that name, or of that element; -1 when there is none."""
        if isinstance(step, int):
            return step if self.kind == "array" and 0 <= step < len(self.items) else -1
        return max((at for at, item in enumerate(self.items) if item.key == step), default=-1)


@dataclass(slots=True)
class Item:
    """A member of an object (`key` is its name) or an element of a list; `comma` is where the comma after it stands."""

    start: int
    node: Node
    key: str | None = None
    comma: int = -1


def parse(text: str) -> Node | None:
    """The tree of a document; None when there is nothing but white space and comments.

    Raises:
        MistakeError: The text is no JSON, or nested deeper than any settings are.
    """
    reader = _Reader(text)
    at = reader.skip(0)
    if at == len(text):
        return None
    root = reader.value(at, 0)
    if (rest := reader.skip(root.end)) < len(text):
        raise reader.mistake("something follows the end of the document", rest)
    return root


def line_of(text: str, at: int) -> int:
    """The line of a position, from 1."""
    return text.count("\n", 0, at) + 1


class _Reader:
    """Recursive descent; every method takes a position and gives a tree, or the next position."""

    def __init__(self, text: str) -> None:
        self._text = text

    def mistake(self, why: str, at: int) -> MistakeError:
        return MistakeError(why, line_of(self._text, at))

    def skip(self, at: int) -> int:
        """Behind white space and comments."""
        while True:
            blank = _BLANK.match(self._text, at)
            at = blank.end() if blank else at
            comment = COMMENT.match(self._text, at)
            if comment is None:
                if self._text.startswith("/*", at):
                    raise self.mistake("a comment is not closed", at)
                return at
            at = comment.end()

    def value(self, at: int, depth: int) -> Node:
        if depth > _DEEPEST:
            raise self.mistake("nested too deeply", at)
        match self._text[at : at + 1]:
            case "{":
                return self._container(Node("object", at), "}", depth)
            case "[":
                return self._container(Node("array", at), "]", depth)
            case '"':
                found = self._string(at)
                return Node("scalar", at, found.end(), json.loads(found[0]))
            case "":
                raise self.mistake("the document ends too early", at)
        plain = _PLAIN.match(self._text, at)
        if plain is None or _WORD_GOES_ON.match(self._text, plain.end()):
            raise self.mistake(f"no value can begin with {self._text[at]!r}", at)
        return Node("scalar", at, plain.end(), json.loads(plain[0]))

    def _string(self, at: int) -> re.Match[str]:
        found = _STRING.match(self._text, at)
        if found is None:
            raise self.mistake("a text in double quotes is expected, closed in the same line", at)
        return found

    def _container(self, node: Node, closing: str, depth: int) -> Node:
        at = self.skip(node.start + 1)
        while self._text[at : at + 1] != closing:
            if node.items and node.items[-1].comma < 0:
                what = "the document ends too early" if at == len(self._text) else f"a comma or {closing} is missing"
                raise self.mistake(what, at)
            item = self._member(at, depth) if closing == "}" else Item(at, self.value(at, depth + 1))
            at = self.skip(item.node.end)
            if self._text[at : at + 1] == ",":
                item.comma = at
                at = self.skip(at + 1)
            node.items.append(item)
        node.end = at + 1
        return node

    def _member(self, at: int, depth: int) -> Item:
        key = self._string(at)
        colon = self.skip(key.end())
        if self._text[colon : colon + 1] != ":":
            raise self.mistake("a colon is missing", colon)
        return Item(at, self.value(self.skip(colon + 1), depth + 1), json.loads(key[0]))
