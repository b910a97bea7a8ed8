"""A small talk in the shape of LoCoMo, and a workshop that needs no model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from mnemic.bench.bundles import LEXICAL_ONLY, Workshop
from mnemic.testing.embedder import FakeEmbedder

if TYPE_CHECKING:
    from pathlib import Path

FERRY = (
    "I booked the ferry to Fanø for Saturday.", "Who is coming along?", "My sister Runa and her dachshund Pepper.",
    "Will the dog be allowed on deck?", "Only on a leash, the clerk said.", "Then I bring the blue leash.",
    "We could rent bicycles at the harbour.", "My bicycle has a flat tyre since March.",
    "The shop on Elm Street repairs tyres.", "I will go there after work.", "Do you still play the cello?",
    "Every Thursday, in the quartet.", "What are you rehearsing?", "A piece by Borodin for the summer concert.",
)  # fmt: skip
LATER = (
    "The ferry was late because of fog.", "How did Pepper take it?", "She slept under the bench all the way.",
    "Look, here she is.", "What a lazy dachshund!", "We found amber on the beach near the lighthouse.",
    "Amber, really? How large?", "As large as a walnut, the museum wants to see it.",
    "Runa will drive it to Esbjerg.", "And the concert?", "Moved to September, the violist broke a wrist.",
    "Poor man.", "He teaches astronomy now.", "That suits him.",
)  # fmt: skip
OTHER = tuple(f"Kiln number {number} fires porcelain glaze {number * 7}." for number in range(24))


def a_talk(
    name: str, first: tuple[str, ...], second: tuple[str, ...], qa: list[dict[str, object]]
) -> dict[str, object]:
    def turns(session: int, texts: tuple[str, ...]) -> list[dict[str, object]]:
        return [
            {"speaker": ("Nils", "Odile")[place % 2], "dia_id": f"D{session}:{place + 1}", "text": text}
            for place, text in enumerate(texts)
        ]

    sessions = {"session_1": turns(1, first), "session_2": turns(2, second)}
    sessions["session_2"][3] |= {"blip_caption": "a dachshund asleep in the snow", "query": "zeppelin museum"}
    dates = {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_2_date_time": "9:10 am on 2 June, 2023"}
    return {"sample_id": name, "conversation": {**sessions, **dates}, "qa": qa}


QA: list[dict[str, object]] = [
    {"question": "Who booked the ferry to Fanø for Saturday?", "category": 4, "evidence": ["D1:1"]},
    {
        "question": "Did Runa's dachshund Pepper sleep under the bench all the way?",
        "category": 1,
        "evidence": ["D1:3", "D2:3"],
    },
    {"question": "Was it moved to September when the violist broke a wrist?", "category": 2, "evidence": ["D2:11"]},
    {"question": "Is there a dachshund asleep in the snow?", "category": 4, "evidence": ["D2:4"]},
    {
        "question": "Who found amber on the beach near the lighthouse, as large as a walnut for the museum?",
        "category": 3,
        "evidence": ["D2:6; D2:08"],
    },
    {"question": "Where does Runa drive the amber?", "category": 3, "evidence": ["D"]},
    {"question": "Is Odile fond of the sea?", "category": 3, "evidence": []},
    {"question": "Why did Nils sell the ferry?", "category": 5, "evidence": ["D1:1"], "adversarial_answer": "money"},
]


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    """Two conversations, 52 turns, eight questions about the first and one about the second."""
    file = tmp_path / "talks.json"
    kiln: list[dict[str, object]] = [{"question": "What does kiln number 3 fire?", "category": 4, "evidence": ["D1:4"]}]
    samples = [a_talk("ferry", FERRY, LATER, QA), a_talk("kiln", OTHER[:12], OTHER[12:], kiln)]
    file.write_text(json.dumps(samples), encoding="utf-8")
    return file


ALWAYS_ANSWERS = "weights.caution=-1000"
NEVER_ANSWERS = "weights.caution=1000"


@pytest.fixture
def workshop() -> Workshop:
    """Bundles with one embedder that needs no model. They answer always: how sure is sure enough is not tested here."""
    return Workshop(overrides=(ALWAYS_ANSWERS,), given=(FakeEmbedder(),))


@pytest.fixture
def silent_workshop() -> Workshop:
    """By words alone, and never sure enough to answer."""
    return Workshop(overrides=(NEVER_ANSWERS, LEXICAL_ONLY))


@pytest.fixture
def plain_workshop() -> Workshop:
    """A fresh installation without embedders."""
    return Workshop(overrides=(LEXICAL_ONLY,))
