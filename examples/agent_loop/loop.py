"""An agent's loop with a memory: run it with `python loop.py`; it makes a bundle in a folder of its own."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from scripted import ScriptedModel, script

from mnemic import App, create_bundle

if TYPE_CHECKING:
    from mnemic.agent.turn import Turn


def answer(model: ScriptedModel, turn: Turn, prompt: str) -> str:
    """Ask the model until it answers with text."""
    # The system slot never changes within a conversation, so that the model's prompt cache holds.
    # The other two belong to this turn only: they go before the user's words and are not kept in the history.
    messages = [text for text in (turn.context.turn, turn.context.prefix) if text] + [prompt]
    while True:
        step = model.reply(turn.context.system, messages, turn.tools())  # the tools anew before every call
        if isinstance(step, str):
            return step
        result = turn.call(step.name, step.arguments)
        model.last = dict(result.data)
        messages.append(result.text)
        print("    " + result.text.replace("\n", "\n    "))


def main() -> None:
    """Two prompts, one conversation."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "memory"
        create_bundle(root)
        memory = App.start(root)
        model = ScriptedModel(script())
        with memory.conversation("support-42", user="anna", agent="helper") as conversation:
            for prompt in ("Remember that I drink green tea in the morning.", "What do I drink in the morning?"):
                print(f"anna: {prompt}")
                turn = conversation.begin(prompt)
                reply = answer(model, turn, prompt)
                turn.end(reply)
                print(f"helper: {reply}\n")
            print(f"{conversation.good_turns} turns; kept: {memory.session_list()[0].turns} utterances")


if __name__ == "__main__":
    main()
