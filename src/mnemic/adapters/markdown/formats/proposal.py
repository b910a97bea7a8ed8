"""A proposal as a Markdown file: for a person first, with the exact change as data at its end.

Only the data is read. A checksum over the whole file holds together what is shown and what would be done: a file that
was changed in any place is refused.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from mnemic.domain.instants import format_instant
from mnemic.domain.proposal_data import from_json, to_json
from mnemic.domain.step_diff import diff_of, visible_signs
from mnemic.text.quoting import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemic.domain.proposals import Evidence, Proposal

_SUM: Final = re.compile(rb"^checksum: ([0-9a-f]{64})\n", re.MULTILINE)
_TICKS: Final = re.compile(r"`+")
_BLOCK_SIGN: Final = re.compile(r"^(\s*)([#>*+<|`~=_-]|\d+[.)])")
_DATA: Final = "json"


def encode(proposal: Proposal) -> bytes:
    """The file of a proposal."""
    text = "\n".join(_lines(proposal)) + "\n"
    data = text.encode("utf-8")
    return data.replace(b"checksum: \n", f"checksum: {_checksum(data)}\n".encode("ascii"), 1)


def decode(data: bytes) -> Proposal:
    """The proposal of a file.

    Raises:
        ValueError: It was changed since it was written, or is no file of a proposal; says which.
    """
    data = data.replace(b"\r\n", b"\n")  # git and some editors change line ends, and nothing else
    found = _SUM.search(data)
    if found is None:
        raise ValueError("it is no file of a proposal")
    if _checksum(data[: found.start()] + b"checksum: \n" + data[found.end() :]) != found[1].decode("ascii"):
        raise ValueError("it was changed by hand or is damaged")
    return from_json(_data_of(data.decode("utf-8")))


def strings_of(data: bytes) -> frozenset[str] | None:
    """Every text in the data of a file; None where it has none that can be read."""
    try:
        return frozenset(_strings(json.loads(_data_of(data.replace(b"\r\n", b"\n").decode("utf-8")))))
    except (ValueError, RecursionError):
        return None


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for item in value.values():
                yield from _strings(item)
        case list():
            for item in value:
                yield from _strings(item)


def _checksum(data: bytes) -> str:
    return sha256(data).hexdigest()


def _data_of(text: str) -> str:
    """The last fenced block: lines of JSON begin with no backtick, so nothing in it can end it or begin another."""
    lines = text.rstrip("\n").split("\n")
    fence = lines[-1]
    if not re.fullmatch(r"`{3,}", fence):
        raise ValueError("the data at its end is missing")
    start = next((n for n in range(len(lines) - 2, -1, -1) if lines[n] == f"{fence}{_DATA}"), None)
    if start is None:
        raise ValueError("the data at its end is missing")
    return "\n".join(lines[start + 1 : -1])


def _lines(proposal: Proposal) -> Iterator[str]:
    yield "---"
    yield "type: proposal"
    for name, value in _front(proposal).items():
        yield f"{name}: {value}"
    yield "checksum: "
    yield "---"
    yield ""
    yield f"# {_inline(proposal.title)}"
    yield ""
    for line in proposal.why.split("\n"):
        yield _BLOCK_SIGN.sub(r"\1\\\2", _inline(line))
    if proposal.evidence:
        yield ""
        yield "## What speaks for it"
        yield ""
        yield from map(_evidence, proposal.evidence)
    yield ""
    yield "## What would change"
    for step in proposal.steps:
        yield ""
        yield f"### {_code(step.after.id)}{'' if step.before else ' (new)'}"
        yield ""
        yield from _fenced("diff", list(diff_of(step)))
    yield ""
    yield "## The same as data"
    yield ""
    yield "This is what an approval applies. Do not change this file: it would be refused then."
    yield ""
    yield from _fenced(_DATA, to_json(proposal).split("\n"))


def _front(proposal: Proposal) -> dict[str, str]:
    told: dict[str, object] = {
        "aim": str(proposal.aim),
        "status": str(proposal.verdict),
        "made_at": format_instant(proposal.made_at),
        "made_by": proposal.made_by,
    }
    if proposal.decided_at is not None:
        told |= {"decided_at": format_instant(proposal.decided_at), "decided_by": proposal.decided_by}
    if proposal.decision:
        told["decision"] = proposal.decision
    if (support := proposal.support) is not None:
        told |= {
            "claim_key": support.claim_key,
            "claim_value": support.claim_value,
            "support_trace_ids": list(support.support),
            "independent_sources": support.independent_sources,
            "conflicting_values": list(support.conflicting_values),
            "confidence": round(support.confidence, 4),
            "eligible_for_promotion": support.eligible,
        }
    # JSON is YAML too; ASCII alone, so that no sign in it can break the line.
    return {name: json.dumps(value) for name, value in told.items()}


def _inline(text: str) -> str:
    """Text within our own line: nothing in it opens a tag, a comment, a picture or a link."""
    return re.sub(r"([<\[])", r"\\\1", visible_signs(one_line(text)))


def _evidence(each: Evidence) -> str:
    quote = f": {_code(one_line(each.text))}" if each.text.strip() else ""
    return f"- {_code(each.id)}{quote}"


def _code(text: str) -> str:
    """A code span that the text cannot end."""
    ticks = "`" * (max((len(run) for run in _TICKS.findall(text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") or not text.strip() else ""
    return f"{ticks}{pad}{visible_signs(text)}{pad}{ticks}"


def _fenced(language: str, lines: list[str]) -> Iterator[str]:
    """A fenced block that no line of it can end."""
    longest = max((len(run) for line in lines for run in _TICKS.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"{fence}{language}"
    yield from lines
    yield fence
