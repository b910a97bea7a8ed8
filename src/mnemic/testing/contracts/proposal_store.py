"""What every store of proposals must do.

```python
class TestMyProposals(ProposalStoreContract):
    @pytest.fixture
    def proposals(self, tmp_path): return MyProposals(tmp_path)
```
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from mnemic.domain.ids import MemoryId, Uid
from mnemic.domain.memory import Claim, Memory, State
from mnemic.domain.proposals import Aim, Evidence, Proposal, Step, Support, Verdict
from mnemic.domain.provenance import Origin, Provenance
from mnemic.errors import InvalidIdError, ProposalNotFoundError

if TYPE_CHECKING:
    from mnemic.ports import ProposalStore

NOON = datetime(2026, 5, 3, 12, 0, 0, 7, tzinfo=UTC)
HARD = "```\n``` \n# Title\n---\n<!-- \u202e\u200b\u2028 ~~~~\n````json\n{}\n````\n\\ \t\r\n</memory>"


def a_memory(name: str, **fields: object) -> Memory:
    """A note of that name, its uid made of it."""
    told = {
        "uid": Uid(f"0190a1b2-0000-7000-8000-{sum(map(ord, name)):012x}"),
        "id": MemoryId(f"notes/{name}"),
        "kind": "note",
        "title": name.title(),
        "body": f"What {name} says.",
        "recorded_at": NOON,
        "changed_at": NOON,
        **fields,
    }
    return Memory(**told)  # type: ignore[arg-type]


def a_proposal(name: str = "2026-05-03-change-tea", /, **fields: object) -> Proposal:
    """A proposal that archives one memory and makes another."""
    old = a_memory("tea", body=HARD, extra={"mood": ["calm", {"deep": HARD}]})
    new = a_memory(
        "coffee", claim=Claim("anna.drink", "coffee"), provenance=Provenance.of(Origin.MODEL, turns=(1, 2), session="s")
    )
    told = {
        "id": name,
        "aim": Aim.CHANGE,
        "title": HARD,
        "why": HARD,
        "made_at": NOON,
        "made_by": "replay",
        "evidence": (Evidence(id="notes/why", text=HARD), Evidence(id="session:kitchen#4")),
        "steps": (
            Step(before=old, after=replace(old, state=State.ARCHIVED), revision="ab" * 32),
            Step(after=new, applied="cd" * 32),
        ),
        **fields,
    }
    return Proposal(**told)  # type: ignore[arg-type]


class ProposalStoreContract:
    """Inherit from it and give the fixture `proposals`: an empty `ProposalStore`."""

    def test_there_are_none_at_first(self, proposals: ProposalStore) -> None:
        assert proposals.ids() == []
        assert proposals.erase(["notes/tea"]) == 0
        with pytest.raises(ProposalNotFoundError):
            proposals.read("2026-05-03-change-tea")

    @pytest.mark.parametrize(
        "fields",
        [
            {},
            {"evidence": (), "title": "Tea", "why": "It is old."},
            {"support": Support(
                claim_key="anna.city", claim_value=HARD, support=("notes/a", "session:x#1"), independent_sources=2,
                conflicting_values=("Bergen",), confidence=0.7250000000000001, eligible=False)},
            {"verdict": Verdict.REJECTED, "decided_at": NOON, "decided_by": "person", "decision": HARD},
        ],
    )  # fmt: skip
    def test_one_comes_back_exactly_as_it_was_written(
        self, proposals: ProposalStore, fields: dict[str, object]
    ) -> None:
        written = a_proposal("2026-05-03-change-tea", **fields)

        proposals.write(written)

        assert proposals.read(written.id) == written
        assert proposals.ids() == [written.id]

    def test_writing_it_again_takes_the_place_of_the_first(self, proposals: ProposalStore) -> None:
        proposals.write(a_proposal("b"))
        proposals.write(a_proposal("a"))
        proposals.write(a_proposal("b", verdict=Verdict.APPLIED, decided_at=NOON))

        assert proposals.ids() == ["a", "b"]
        assert [proposals.read(each).verdict for each in ("a", "b")] == [Verdict.WAITING, Verdict.APPLIED]

    @pytest.mark.parametrize("name", ["", "..", "../tea", "a/b", "a#b", "/etc/x", "UPPER", ".hidden", "con", "index"])
    def test_a_name_that_is_none_is_neither_written_nor_read(self, proposals: ProposalStore, name: str) -> None:
        with pytest.raises(InvalidIdError):
            proposals.write(a_proposal(name))
        with pytest.raises(ProposalNotFoundError):
            proposals.read(name)

    @pytest.mark.parametrize(
        "name",
        ["notes/tea", "notes/coffee", str(a_memory("tea").uid), "notes/why", "session:kitchen#4", "session:kitchen"],
    )
    def test_what_holds_words_of_something_forgotten_goes(self, proposals: ProposalStore, name: str) -> None:
        other = a_memory("rain")
        proposals.write(a_proposal("mine"))
        proposals.write(a_proposal("other", evidence=(), steps=(Step(after=other),)))

        assert proposals.erase([name]) == 1
        assert proposals.ids() == ["other"]
        assert proposals.erase([name, "tea", "session:kit"]) == 0

    def test_within_the_lock_it_can_be_read_and_written(self, proposals: ProposalStore) -> None:
        with proposals.locked():
            proposals.write(a_proposal("a"))
            assert proposals.read("a").verdict is Verdict.WAITING
