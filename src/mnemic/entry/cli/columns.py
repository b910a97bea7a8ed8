"""Text for a terminal, measured in its columns: letters of some scripts take two, marks take none."""

from __future__ import annotations

import unicodedata


def plain(text: str) -> str:
    """The text without control characters but line ends and tabs: a stored text must not steer a terminal.

    Nor may it turn the direction of what stands around it; single direction marks, which right-to-left scripts are
    written with, stay.
    """
    if text.isprintable():
        return text
    return "".join("\ufffd" if _steers(char) else char for char in text)


def _steers(char: str) -> bool:
    turns = "\u202a" <= char <= "\u202e" or "\u2066" <= char <= "\u2069"
    return turns or (unicodedata.category(char) == "Cc" and char not in "\n\t")


def columns(text: str) -> int:
    """How many columns a line takes."""
    return len(text) if text.isascii() else sum(map(_columns_of, text))


def _columns_of(char: str) -> int:
    if unicodedata.east_asian_width(char) in "WF":
        return 2
    return 0 if unicodedata.category(char) in ("Mn", "Me", "Cf") else 1


def wrapped(text: str, width: int, *, most: int | None = None) -> list[str]:
    """The words of a text in lines of at most `width` columns.

    Words are divided only where they are wider than a line, or of a script that writes without blanks.

    Args:
        text: Any white space counts as one blank.
        width: At least 4.
        most: At most so many lines; the last then ends with an ellipsis.
    """
    lines: list[str] = []
    line = ""
    for word in plain(text).split():
        rest = word
        while rest:
            blank = " " if line else ""
            room = width - columns(line) - len(blank)
            if columns(rest) <= room:
                line, rest = f"{line}{blank}{rest}", ""
                continue
            head = _fitting(rest, room if _divisible(rest, width) else 0)
            if head:
                line, rest = f"{line}{blank}{head}", rest[len(head) :]
            lines.append(line)
            line = ""
    if line:
        lines.append(line)
    if most is not None and len(lines) > most:
        return [*lines[: most - 1], f"{_fitting(lines[most - 1], width - 2).rstrip()} …"]
    return lines


def hanging(head: str, text: str, width: int) -> list[str]:
    """A head and a text in lines of at most `width` columns, those after the first indented as far as the head is wide.

    Args:
        head: Leaves the text at least 4 columns.
        text: As for `wrapped`.
        width: Of head and text together.
    """
    place = columns(head)
    first, *others = wrapped(text, width - place) or [""]
    return [f"{head}{first}".rstrip(), *(f"{' ' * place}{line}" for line in others)]


def counted(number: int, one: str, many: str = "") -> str:
    """A number and what it counts: `1 memory`, `2 memories`; an `s` is added where `many` is left out."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def command(verb: str, name: str, options: str = "", *, width: int) -> str:
    """A command to be copied, indented; where it is too wide for a line, the shell is told that it goes on."""
    import shlex

    words = [f"  mnemic {verb}", shlex.quote(name), options]
    line = " ".join(filter(None, words))
    return line if columns(line) <= width else " \\\n    ".join(filter(None, words))


def _divisible(word: str, width: int) -> bool:
    return columns(word) > width or (not word.isascii() and any(map(_is_wide, word)))


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"


def _fitting(text: str, width: int) -> str:
    """The beginning of a text that takes at most `width` columns."""
    taken = 0
    for place, char in enumerate(text):
        taken += _columns_of(char)
        if taken > width:
            return text[:place]
    return text
