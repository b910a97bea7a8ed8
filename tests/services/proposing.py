"""Proposals as the tests of the services make them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rooms import NOW

from mnemic.domain.ids import memory_id
from mnemic.domain.memory import Memory
from mnemic.domain.proposals import Aim, Evidence, Proposal, Step

if TYPE_CHECKING:
    from mnemic.app import App


def a_change(app: App, name: str, **fields: object) -> Step:
    """The memory at `notes/<name>` with other fields."""
    located = app.bundle.store.find(f"notes/{name}")
    after = replace(located.memory, **fields)  # type: ignore[arg-type]
    return Step(before=located.memory, after=after, revision=located.revision)


def a_new_one(app: App, name: str, body: str = "", **fields: object) -> Step:
    """A memory that is not there yet."""
    told = {"kind": "note", "title": name.rpartition("/")[2].title(), "recorded_at": NOW, "changed_at": NOW, **fields}
    memory = Memory(uid=app.bundle.ids.new(), id=memory_id(name), body=body or f"Text of {name}.", **told)  # type: ignore[arg-type]
    return Step(after=memory)


def a_proposal(*steps: Step, evidence: tuple[str, ...] = (), **fields: object) -> Proposal:
    """A proposal with these steps; without a name unless one is given."""
    told = {"id": "", "aim": Aim.CHANGE, "title": "Tidy up", "why": "It is time.", "made_at": NOW, "made_by": "replay"}
    return Proposal(steps=steps, evidence=tuple(Evidence(id=each) for each in evidence), **{**told, **fields})  # type: ignore[arg-type]
