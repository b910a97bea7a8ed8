"""The same loop for asynchronous hosts: `async with` instead of `with`, `await` before what works on disk."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from scripted import ScriptedModel, script

from mnemic import App, create_bundle


async def talk(memory: App, model: ScriptedModel, prompts: list[str]) -> int:
    """Ask the model for each prompt until it answers with text; how many turns went well."""
    async with memory.conversation("support-42", user="anna", agent="helper") as conversation:
        for prompt in prompts:
            turn = await conversation.begin(prompt)
            messages = [turn.context.prefix, prompt]
            while not isinstance(step := model.reply(turn.context.system, messages, turn.tools()), str):
                result = await turn.call(step.name, step.arguments)
                model.last = dict(result.data)
                messages.append(result.text)
            await turn.end(step)
            print(f"anna: {prompt}\nhelper: {step}")
        return conversation.good_turns


def main() -> None:
    """Two prompts, one conversation."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "memory"
        create_bundle(root)
        prompts = ["Remember that I drink green tea in the morning.", "What do I drink in the morning?"]
        print(asyncio.run(talk(App.start(root), ScriptedModel(script()), prompts)), "turns")


if __name__ == "__main__":
    main()
