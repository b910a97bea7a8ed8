"""A trie over characters that is one flat array, so that it is mapped from a file instead of being built.

A dictionary of the 128,000 pieces of a vocabulary and their prefixes takes a second and 45 MB to build at
every start; this takes nothing until a text is looked up, and then a few memory pages.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# A cell is parent node (20 bits), character (21), child node (20), and whether the child has children (1).
_CHARACTER_BITS = 21
_CHILD_BITS = 21
_CHILD_MASK = (1 << _CHILD_BITS) - 1
_MOST_NODES = 1 << 20


class CharTrie:
    """Finds which of a fixed list of words begin at a place in a text.

    Node `i` below `count` is the end of word `i`, node `count` is the root, higher ones lie inside words.
    An edge (node, character) stands in the first free cell from its hash on; a zero cell is free.
    """

    def __init__(self, cells: Sequence[int], count: int) -> None:
        self._cells = cells
        self._size = len(cells)
        self._root = count

    def matches(self, text: str, start: int = 0) -> list[tuple[int, int]]:
        """(end, word) of every word that is `text[start:end]`, shortest first."""
        cells, size, count = self._cells, self._size, self._root
        found = []
        node = count
        for end in range(start, len(text)):
            edge = node << _CHARACTER_BITS | ord(text[end])
            slot = edge % size
            cell = cells[slot]
            while cell and cell >> _CHILD_BITS != edge:
                slot = slot + 1 if slot + 1 < size else 0
                cell = cells[slot]
            if not cell:
                break
            node = (cell & _CHILD_MASK) >> 1
            if node < count:
                found.append((end + 1, node))
            if not cell & 1:
                break
        return found


def build_trie(words: Sequence[str]) -> array[int]:
    """The cells of a `CharTrie` over distinct, non-empty `words`; word `i` is answered as `i`.

    Raises:
        ValueError: A word is empty or occurs twice, or there are more prefixes than a cell can number.
    """
    nodes = {word: place for place, word in enumerate(words)}
    if len(nodes) != len(words) or "" in nodes:
        raise ValueError("the words of a trie are distinct and not empty")
    nodes[""] = len(words)
    parents = set()
    for word in words:
        for end in range(len(word) - 1, -1, -1):
            prefix = word[:end]
            nodes.setdefault(prefix, len(nodes))
            if prefix in parents:
                break
            parents.add(prefix)
    if len(nodes) > _MOST_NODES:
        raise ValueError(f"{len(nodes)} prefixes are more than a trie can number")
    return _scatter(nodes, parents)


def _scatter(nodes: dict[str, int], parents: set[str]) -> array[int]:
    # At half full, a lookup reads one or two neighbouring cells; odd sizes use all bits of the edge.
    size = 2 * len(nodes) + 1
    cells = array("Q", bytes(8 * size))
    for prefix, node in nodes.items():
        if not prefix:
            continue
        edge = nodes[prefix[:-1]] << _CHARACTER_BITS | ord(prefix[-1])
        slot = edge % size
        while cells[slot]:
            slot = (slot + 1) % size
        cells[slot] = edge << _CHILD_BITS | node << 1 | (prefix in parents)
    return cells
