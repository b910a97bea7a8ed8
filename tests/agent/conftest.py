"""An application on a bundle in memory, and a conversation with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from loops import SetClock, an_app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mnemic.agent.conversation import Conversation
    from mnemic.agent.turn import Turn
    from mnemic.app import App


@pytest.fixture
def tmp_path(in_memory: Path) -> Path:
    """As pytest's own, in memory."""
    return in_memory


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def app(tmp_path: Path, clock: SetClock) -> App:
    return an_app(tmp_path / "memory", clock=clock)


@pytest.fixture
def conversation(app: App) -> Iterator[Conversation]:
    with app.conversation("support-42", user="anna", agent="helper") as opened:
        yield opened


@pytest.fixture
def turn(conversation: Conversation) -> Turn:
    """A turn in which nothing was done yet."""
    return conversation.begin("What do I drink in the morning?")
