r"""Observations and relations in the body of a memory, read and written without touching anything else in it.

An observation is a bullet line, `- likes tea`; its further lines are indented by two blanks. A relation is a bullet
line that ends in a wiki link, `- works at [[Acme]]`. Every sentence outside of bullets, headings and code is an
observation too, so that documents written by other hands show what they say.

An observation that would be taken for a relation is written with a backslash, `- works at \[[Acme]]`. Signs that cannot
stand in a link (brackets, bars, `#`, `^`, backslashes, line ends) are written as in a URL, `C%23`, and so is a percent
sign before such a code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from mnemic.text.boundaries import sentence_spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


class Fact(NamedTuple):
    """One observation (`target` None) or relation, and the characters of the body that it takes up.

    `text` is the observation, or the type of the relation.
    """

    text: str
    target: str | None
    start: int
    end: int


_BULLET: Final = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)")
_HEADING: Final = re.compile(r"#{1,6}(?:\s|\Z)")
_FENCE: Final = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_RULE: Final = re.compile(r"([-*_])\1{2,}[ \t]*\Z")
_RELATION: Final = re.compile(
    r"(?:(?P<type>[^\[\]\n]*[^\s\\\[\]\n])[ \t]+)?(?P<guard>\\*)"
    r"\[\[(?P<target>[^\[\]\n|#]+)(?:#[^\[\]\n|]*)?(?:\|[^\[\]\n]*)?\]\]"
)
_CODES: Final = {"[": "%5B", "]": "%5D", "|": "%7C", "#": "%23", "^": "%5E", "\\": "%5C", "\n": "%0A", "\r": "%0D"}
_SIGNS: Final = {code: sign for sign, code in _CODES.items()} | {"%25": "%"}
_CODED: Final = re.compile("|".join(_SIGNS))
_TO_CODE: Final = re.compile(rf"[{re.escape(''.join(_CODES))}]|%(?={'|'.join(code[1:] for code in _SIGNS)})")


def normal(text: str) -> str:
    """An observation as it can be kept: no blanks at the ends of lines, no empty lines around it."""
    ends = text.replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join(line.rstrip() for line in ends.split("\n")).strip()


def normal_name(text: str) -> str:
    """A name or a type of relation as it can be kept: no blanks around it."""
    return text.strip()


def facts_in(body: str) -> list[Fact]:
    """Every observation and relation, in the order of the text."""
    return list(_facts(body))


def _facts(body: str) -> Iterator[Fact]:
    lines = list(_lines(body))
    number = 0
    while number < len(lines):
        start, line = lines[number]
        if fence := _FENCE.match(line):
            number = _after_fence(lines, number, fence[1])
        elif not line.strip() or _HEADING.match(line) or _RULE.match(line):
            number += 1
        elif bullet := _BULLET.match(line):
            last = _last_of_bullet(lines, number)
            yield _bullet_fact(body, lines[number : last + 1], bullet.end())
            number = last + 1
        else:
            last = _last_of_paragraph(lines, number)
            end = lines[last][0] + len(lines[last][1])
            for span in sentence_spans(body, start, end):
                yield Fact(normal(body[span[0] : span[1]]), None, *span)
            number = last + 1


def _lines(body: str) -> Iterator[tuple[int, str]]:
    """Every line with its place, without its end."""
    place = 0
    for line in body.split("\n"):
        yield place, line.removesuffix("\r")
        place += len(line) + 1


def _after_fence(lines: list[tuple[int, str]], first: int, fence: str) -> int:
    for number in range(first + 1, len(lines)):
        closing = _FENCE.match(lines[number][1])
        if closing and closing[1].startswith(fence) and not lines[number][1].strip().strip(fence[0]):
            return number + 1
    return len(lines)


def _last_of_bullet(lines: list[tuple[int, str]], first: int) -> int:
    """The last line of a bullet: indented ones belong to it, and empty ones before an indented one."""
    last = first
    for number in range(first + 1, len(lines)):
        line = lines[number][1]
        if line.startswith(("  ", "\t")) and line.strip():
            last = number
        elif line.strip():
            break
    return last


def _last_of_paragraph(lines: list[tuple[int, str]], first: int) -> int:
    last = first
    for number in range(first + 1, len(lines)):
        line = lines[number][1]
        if not line.strip() or _BULLET.match(line) or _HEADING.match(line) or _FENCE.match(line):
            break
        last = number
    return last


def _bullet_fact(body: str, lines: list[tuple[int, str]], begins: int) -> Fact:
    start, first = lines[0]
    end = min(lines[-1][0] + len(lines[-1][1]) + 1, len(body))
    if lines[-1][0] + len(lines[-1][1]) < len(body) and body[lines[-1][0] + len(lines[-1][1])] == "\r":
        end = min(end + 1, len(body))
    text = normal("\n".join([first[begins:], *(line.removeprefix("\t").removeprefix("  ") for _, line in lines[1:])]))
    found = _RELATION.fullmatch(text)
    if found is None:
        return Fact(text, None, start, end)
    if found["guard"]:
        place = found.start("guard")
        return Fact(f"{text[:place]}{text[place + 1 :]}", None, start, end)
    return Fact(_decoded(found["type"] or ""), _decoded(found["target"].strip()), start, end)


def observation_line(text: str) -> str:
    """The line or lines of an observation."""
    kept = normal(text)
    found = _RELATION.fullmatch(kept)
    if found is not None:
        place = found.start("guard")
        kept = f"{kept[:place]}\\{kept[place:]}"
    first, *rest = kept.split("\n")
    return "\n".join([f"- {first}", *(f"  {line}" if line else "" for line in rest)])


def relation_line(relation_type: str, target: str) -> str:
    """The line of a relation."""
    return f"- {' '.join(filter(None, (_coded(relation_type), f'[[{_coded(target)}]]')))}"


def _coded(text: str) -> str:
    return _TO_CODE.sub(lambda found: _CODES.get(found[0], "%25"), normal_name(text))


def _decoded(text: str) -> str:
    return _CODED.sub(lambda found: _SIGNS[found[0]], text)


def with_lines(body: str, lines: Iterable[str]) -> str:
    """The body with bullet lines behind it."""
    added = list(lines)
    if not added:
        return body
    kept = body.rstrip()
    if not kept:
        return "\n".join(added) + "\n"
    ends = "\r\n" if "\r\n" in body else "\n"
    facts = facts_in(kept)
    last = facts[-1] if facts else None
    joins = last is not None and last.end >= len(kept) and _BULLET.match(kept, last.start) is not None
    block = ends.join("\n".join(added).split("\n"))
    longer = kept + ends * (1 if joins else 2) + block + ends
    # Behind code that is never closed they would be code themselves.
    return longer if len(facts_in(longer)) > len(facts) else f"{block}{ends}{ends}{body}"


def without_facts(body: str, unwanted: Callable[[Fact], bool]) -> str:
    """The body without those facts; every other character stays as it is."""
    parts: list[str] = []
    place = 0
    for fact in facts_in(body):
        if unwanted(fact):
            parts.append(body[place : fact.start])
            place = fact.end
            if body[fact.start : fact.end].endswith("\n"):
                continue
            # A sentence takes the blanks behind it along, within its line.
            while place < len(body) and body[place] in " \t":
                place += 1
    return "".join((*parts, body[place:]))
