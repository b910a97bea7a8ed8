"""`mnemic`: the root command and its options."""

from __future__ import annotations

import gc
import os
import sys

import click

from mnemic.entry.cli.lazy import LazyGroup
from mnemic.entry.cli.session import FAILED, CliSession

_HERE = "mnemic.entry.cli"
_COMMANDS = {
    "init": (f"{_HERE}.init:init", "Make a bundle: a folder of Markdown that remembers."),
    "remember": (f"{_HERE}.remember:remember", "Keep something."),
    "recall": (f"{_HERE}.recall:recall", "Find what matters for a question."),
    "context": (f"{_HERE}.context:context", "What an agent is given before it answers."),
    "show": (f"{_HERE}.show:show", "Print a memory, a session or a turn whole."),
    "history": (f"{_HERE}.history:history", "How a memory came to be what it is."),
    "diff": (f"{_HERE}.diff:diff", "What changed in what is believed."),
    "edit": (f"{_HERE}.edit:edit", "Change a memory, by flags or in your editor."),
    "promises": (f"{_HERE}.promises:promises", "What is owed, and what became of it."),
    "forget": (f"{_HERE}.forget:forget", "Remove something for good."),
    "quarantine": (f"{_HERE}.quarantine:quarantine", "Look at what is held back, release or reject it."),
    "proposals": (f"{_HERE}.proposals:proposals", "Changes that wait for you: approve, reject, undo them."),
    "replay": (f"{_HERE}.replay:replay", "Look over everything and propose what should become of it."),
    "import": (f"{_HERE}.import_:import_", "Bring in conversations."),
    "session": (f"{_HERE}.sessions:session", "List and read conversations."),
    "install": (f"{_HERE}.install:install", "Connect a coding agent: hooks, MCP server, skill."),
    "hook": (f"{_HERE}.hook:hook", "Answer an event of a coding agent."),
    "mcp": (f"{_HERE}.mcp:mcp", "Serve the memory to AI agents (Model Context Protocol)."),
    "ledger": (f"{_HERE}.ledger:ledger", "What was done to memories: look, prove, change the key."),
    "check": (f"{_HERE}.check:check", "Look for mistakes in the files, and mend them."),
    "index": (f"{_HERE}.index:index", "Bring the index up to date, or build it anew."),
    "status": (f"{_HERE}.status:status", "What is in the bundle."),
    "doctor": (f"{_HERE}.doctor:doctor", "What works on this machine, and what does not."),
    "config": (f"{_HERE}.config:config", "Show and change settings."),
    "bench": (f"{_HERE}.bench:bench", "Measure recall and speed."),
    "completion": (f"{_HERE}.completion:completion", "Tab completion for your shell."),
}


@click.group(
    cls=LazyGroup,
    lazy=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="Exit status: 0 done, 1 nothing found or problems found, 2 not understood, 3 failed.",
)
@click.option("--bundle", metavar="DIR", help="The bundle to use (else MNEMIC_BUNDLE, the project's, your own).")
@click.option("--set", "overrides", metavar="KEY=VALUE", multiple=True, help="A setting for this call only.")
@click.version_option(package_name="mnemic", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context, bundle: str | None, overrides: tuple[str, ...]) -> None:
    """Long-term memory for AI agents: Markdown files you own, found again in milliseconds."""
    ctx.obj = CliSession(bundle=bundle, overrides=overrides)
    if os.environ.get("NO_COLOR"):
        ctx.color = False


def main() -> None:
    """Entry point of the `mnemic` program."""
    # Before numpy is loaded: half of that time goes into threads that a single query has no use for.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Thousands of stamps and rows live until the end; looking through them for garbage again and again is a waste.
    gc.set_threshold(50_000)
    _replace_closed_streams()
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        # Text in any script must come out on any code page; a lone surrogate from a file name must not kill the output.
        stream.reconfigure(encoding="utf-8", errors="backslashreplace" if stream is not sys.stdin else "replace")  # type: ignore[union-attr]
    output = sys.stdout
    try:
        cli(prog_name="mnemic")
    except SystemExit:
        # The reader (`| head`) has gone: click puts a mute stream in place and ends with 1, "nothing found" with us.
        if sys.stdout is not output:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            sys.exit(0)
        raise
    except OSError as error:
        # Files of a bundle are looked after where they are touched: this is the output itself, on a full disk say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.stderr.write(f"Error: The output cannot be written: {(error.strerror or str(error)).lower()}.\n")
        sys.exit(FAILED)
    finally:
        # Nor is a last look worth it, when everything ends anyway: it would take a tenth of a short command's time.
        gc.freeze()


def _replace_closed_streams() -> None:
    """Put mute streams where standard ones are closed: Python has none then, and the next file takes their numbers."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_RDWR)
            if handle != number:
                os.dup2(handle, number)
                os.close(handle)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))
