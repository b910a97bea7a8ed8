"""What a hook costs a coding agent, beside an interpreter that does nothing: `python benchmarks/hooks.py [ROUNDS] [N]`.

A bundle of N memories made by lot, with the vectors of the model that a hook has time for. Every process is timed
whole, by turns with the others in an order drawn anew each round; with a server in a process of its own, then without
one. The floor is `python -I -S -c pass`: nothing written in Python starts faster.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import mnemic.entry.hooks.hook
from mnemic.app import App
from mnemic.bench import timing
from mnemic.bench.bundles import Workshop
from mnemic.bench.corpus import Corpus, write_memories
from mnemic.entry.hooks.serving import listen

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = 7
ENGINE = "embed.engines=use"
HOOK = str(Path(mnemic.entry.hooks.hook.__file__))
BARE = [sys.executable, "-I", "-S", "-c", "pass"]


def main(rounds: int, size: int) -> None:
    """Build, measure, print."""
    with tempfile.TemporaryDirectory(prefix="mnemic-hooks-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        queries = _built(folder / "memory", size)
        environment = {**os.environ, "HOME": name, "MNEMIC_CACHE_DIR": f"{name}/cache", "MNEMIC_HOOK_MS": "5000"}
        print(f"{size:,} memories, {rounds} rounds, Python {sys.version.split()[0]}")
        serving = subprocess.Popen(
            [sys.executable, __file__, "serve", str(folder / "memory")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**environment, "OPENBLAS_NUM_THREADS": "1"},  # as `mnemic` itself sets it
        )
        assert serving.stdin is not None
        assert serving.stdout is not None
        serving.stdout.readline()
        _measure("with a server", rounds, queries, folder, environment)
        serving.stdin.close()
        serving.wait()
        _measure("without one", rounds, queries, folder, environment)


def serve(folder: str) -> None:
    """Answer until standard input ends."""
    app = App.start(folder, overrides=(ENGINE,))
    listening = listen(app)
    print(listening.wait(), flush=True)
    sys.stdin.read()
    listening.close()


def _built(folder: Path, size: int) -> list[str]:
    workshop = Workshop(overrides=(ENGINE,))
    app = workshop.new(folder)
    texts = list(write_memories(folder, size, SEED))
    app.check(repair=True)
    app.reindex()
    corpus = Corpus(SEED + 1)
    return [corpus.query(text) for text in Random(SEED).sample(texts, min(size, 200))]


def _measure(title: str, rounds: int, queries: list[str], folder: Path, environment: dict[str, str]) -> None:
    filled: list[bool] = []
    # As Claude Code writes one: prompts are kept from it, when the turn is over.
    transcript = folder / "transcript.jsonl"
    transcript.touch()

    def hook(event: str, session: str, number: int = 0) -> None:
        told = {"session_id": session, "source": "startup", "transcript_path": str(transcript)}
        if event == "UserPromptSubmit":
            told["prompt"] = queries[number % len(queries)]
        done = subprocess.run(
            [sys.executable, "-I", "-S", HOOK, "claude-code", event],
            input=json.dumps(told).encode(), stdout=subprocess.PIPE, cwd=folder, env=environment, check=True,
        )  # fmt: skip
        if event == "UserPromptSubmit":
            filled.append(len(done.stdout) > 10)

    bare = {"bare": lambda _: subprocess.run(BARE, stdin=subprocess.DEVNULL, check=True)}
    hook("SessionStart", "s")
    # A prompt comes in a conversation that has begun; what its end leaves to do is not done while the next one waits.
    groups: list[dict[str, Callable[[int], object]]] = [
        {**bare, "UserPromptSubmit": lambda number: hook("UserPromptSubmit", "s", number)},
        {**bare, "SessionStart": lambda number: hook("SessionStart", f"s{number}")},
    ]
    if title == "with a server":  # alone it starts a process that goes on, and would slow the next measurement
        groups.append({**bare, "Stop": lambda _: hook("Stop", "s")})
    print(f"\n{title}")
    for actions in groups:
        for number in range(10):
            for action in actions.values():
                action(number)
        taken = timing.alternated(rounds, actions, Random(SEED))
        for name, times in taken.items():
            p50, p95 = timing.milliseconds(times.p50), timing.milliseconds(times.p95)
            best = timing.milliseconds(sorted(times.seconds)[len(times.seconds) // 10])
            ratio = timing.ratio(times, taken["bare"])
            print(f"  {name:17} p10 {best:7.2f}  p50 {p50:7.2f}  p95 {p95:7.2f} ms  {ratio} x")
    print(f"  prompts that got an answer: {sum(filled)} of {len(filled)}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(sys.argv[2])
    else:
        given = [int(word) for word in sys.argv[1:]]
        main(*(given + [100, 5_000][len(given) :]))
