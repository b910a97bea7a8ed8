"""What the MCP server adds to the memory, as one JSON object: `python benchmarks/mcp_server.py [MEMORIES] [ROUNDS]`.

Start: from starting the process to its answer to `tools/list`, against a process that imports the package `mcp` and
ends; both in turns, five rounds, after one that does not count. Overhead: the median of `memory_search` over standard
input and output, as the client library sees it, less the median of the same searches through `App.recall` in this
process, on the same bundle, in turns; without embedders, whose time would drown the difference.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median

import anyio
from mcp import Client, StdioServerParameters

from mnemic.app import App, create_bundle
from mnemic.domain.drafts import Draft

SERVE = ["-c", "from mnemic.entry.cli.main import main; main()", "mcp"]
STARTS = 5
WORDS = ("anna", "tea", "harbour", "boat", "cello", "bees", "lighthouse", "net", "salt", "oak", "lamp", "kettle")


def main(memories: int, rounds: int) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory(prefix="mnemic-bench-") as folder:
        root = Path(folder) / "memory"
        os.environ["MNEMIC_EMBED_ENGINES"] = ""
        create_bundle(root)
        app = App.start(root)
        lot = Random(7)
        for number in range(memories):
            app.remember(Draft(body=f"{' '.join(lot.choices(WORDS, k=12))} number {number}."))
        app.reindex()
        environment = {**os.environ, "MNEMIC_BUNDLE": str(root)}
        figures = starts(environment) | anyio.run(overhead, app, environment, rounds, lot)
    machine = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
    print(json.dumps({"memories": memories, "rounds": rounds, **figures, **machine}, indent=2))


def starts(environment: dict[str, str]) -> dict[str, float]:
    """Start to first answer, and the import alone."""
    ours: list[float] = []
    floor: list[float] = []
    for number in range(STARTS + 1):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import mcp"], env=environment, check=True)
        imported = time.perf_counter()
        first_answer(environment)
        if number:
            floor.append(imported - begun)
            ours.append(time.perf_counter() - imported)
    return {
        "import_mcp_ms": round(1_000 * median(floor), 1),
        "start_to_first_answer_ms": round(1_000 * median(ours), 1),
        "start_ratio": round(median(ours) / median(floor), 2),
    }


def first_answer(environment: dict[str, str]) -> None:
    """Start a server, greet it, ask for its tools, and stop it once they are here."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, *SERVE], env=environment, stdin=pipe, stdout=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        client = {"name": "bench", "version": "1"}
        for message in (
            {"id": 1, "method": "initialize",
             "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/list"},
        ):  # fmt: skip
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        process.stdin.flush()
        while json.loads(process.stdout.readline()).get("id") != 2:
            pass
        process.kill()


async def overhead(app: App, environment: dict[str, str], rounds: int, lot: Random) -> dict[str, float]:
    """Searches over the protocol and without it."""
    through: list[float] = []
    direct: list[float] = []
    parameters = StdioServerParameters(command=sys.executable, args=SERVE, env=environment)
    async with Client(parameters) as client:
        await client.list_tools()
        for number in range(rounds + 10):
            query = " ".join(lot.choices(WORDS, k=3))
            begun = time.perf_counter()
            app.recall(query)
            between = time.perf_counter()
            result = await client.call_tool("memory_search", {"query": query})
            ended = time.perf_counter()
            assert not result.is_error
            if number >= 10:
                direct.append(between - begun)
                through.append(ended - between)
    return {
        "recall_p50_ms": round(1_000 * median(direct), 2),
        "memory_search_p50_ms": round(1_000 * median(through), 2),
        "overhead_p50_ms": round(1_000 * (median(through) - median(direct)), 2),
    }


if __name__ == "__main__":
    given = [int(argument) for argument in sys.argv[1:]]
    main(*(given + [1_000, 200][len(given) :]))
