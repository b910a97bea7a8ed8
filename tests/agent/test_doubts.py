"""An agent whose words may contradict a memory is shown both, and asked to ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loops import keep, searched

if TYPE_CHECKING:
    from mnemic.agent.turn import Turn
    from mnemic.app import App


def test_a_write_that_may_contradict_is_kept_and_the_model_is_told_to_ask(app: App, turn: Turn) -> None:
    keep(app, "oslo", "Anna lives in Oslo.")

    result = turn.call(
        "memory_write", {"receipt": searched(turn, "where does Anna live"), "text": "Anna lives in Bergen."}
    )

    (warning,) = result.data["warnings"]  # type: ignore[misc]
    assert (result.data["state"], warning["code"]) == ("active", "may_contradict")
    assert "Ask the user which is right" in warning["next"]
    for text in ("notes/oslo", "Anna lives in Oslo.", "Anna lives in Bergen."):
        assert text in result.text
