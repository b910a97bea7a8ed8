"""Show what mnemic does, by calling its command line as a person would; `make demo` runs it.

Without anything else it imports the month beside this file into a fresh bundle, remembers the notes, and asks.
With DEMO_DATA (a file of conversations, or a folder of Markdown) it does so with that; DEMO_QUESTION is asked of it.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WIDTH = 80
MAY_FIND_NOTHING = {"recall", "import"}  # exit status 1 is an answer then: nothing found, lines refused

QUESTIONS = (
    ("From what time on can I have meetings in June?", "A rule of the first of May, loosened at the end of the month."),
    ("Какой теперь срок сдачи первой части книги?", "Russian: a deadline that moved from 20 to 27 May."),
    ("Почему мы отказались от SQLite и взяли PostgreSQL?", "Russian, about a decision that was told in English."),
    ("Gegen welche Nüsse ist Ada allergisch?", "German, about something that was said in Russian."),
    ("現地調査の日時はいつになりましたか？", "Japanese: an appointment that moved from 17 to 18 June."),
    ("WL-7的预热时间到底是多少秒？", "Chinese: the datasheet says 90 seconds, the maker says 30."),
    ("What did I promise Ms Thorsen, and did I keep it?", "A promise."),
    ("Wie heißt die Empfangszeit überall, ts_in oder received_at?", "Names from code inside a German sentence."),
    ("TIDEWATCH_MAX_GAP", "A name from code, and nothing else."),
)
UNANSWERED = (
    ("What is the name of our dog?", "There is no dog. The right answer is none."),
    ("上海的会议几点开始？", "There is no meeting in Shanghai either."),
)


class DemoStoppedError(Exception):
    """A step that did not do what it should; its message is for the person at the terminal."""


@dataclass(frozen=True, slots=True)
class Mnemic:
    """The program, for one bundle; what it prints goes to the terminal, 80 columns wide."""

    bundle: Path

    def call(self, *words: str, shown: bool = True) -> str:
        """Run one command and give back what it printed; nothing found is no failure.

        Raises:
            DemoStoppedError: It failed.
        """
        if shown:
            print(f"\n{as_typed('mnemic', *words)}", flush=True)
        command = [program(), "--bundle", self.bundle, *words]
        environment = {**os.environ, "COLUMNS": str(WIDTH)}
        # An import shows its progress on the terminal; what others have to say belongs into their output.
        notes = None if words[0] == "import" else subprocess.STDOUT
        done = subprocess.run(  # noqa: S603 - our own program
            command, stdout=subprocess.PIPE, stderr=notes, env=environment, check=False
        )
        output = done.stdout.decode("utf-8", "replace")
        answered = done.returncode == 1 and words[0] in MAY_FIND_NOTHING and output
        if done.returncode and not answered:
            print(output, end="")
            raise DemoStoppedError(f"`mnemic {words[0]}` ended with exit status {done.returncode}.")
        return output

    def ask(self, question: str, about: str, *, weights: bool) -> None:
        """Ask with explanations; the weights are the same every time, and shown once."""
        say(about, gap=True)
        output = self.call("recall", question, "-k", "2", "--explain").rstrip("\n")
        print(output if weights else results_only(output))


def program() -> Path:
    """The `mnemic` of the environment that runs this script."""
    name = "mnemic.exe" if os.name == "nt" else "mnemic"
    return Path(sys.executable).with_name(name)


def results_only(output: str) -> str:
    """What `recall --explain` prints, up to the last result."""
    lines = output.split("\n")
    ends = [number for number, line in enumerate(lines) if line.endswith(" tokens")]
    return "\n".join(lines[: ends[-1] + 1]) if ends else lines[0]


def as_typed(*words: str) -> str:
    """A command as a person would type it, broken between words where it gets too long."""
    together: list[str] = []
    for word in words:
        if together and together[-1].startswith("-") and " " not in together[-1] and not word.startswith("-"):
            together[-1] += f" {shlex.quote(word)}"
        else:
            together.append(shlex.quote(word))
    lines = ["$"]
    for word in together:
        if len(lines[-1]) + len(word) > WIDTH - 3 and lines[-1] != "$":
            lines[-1] += " \\"
            lines.append("   ")
        lines[-1] += f" {word}"
    return "\n".join(lines)


def say(text: str, *, gap: bool = False) -> None:
    """Plain words, wrapped."""
    print(("\n" if gap else "") + textwrap.fill(text, WIDTH), flush=True)


def heading(text: str) -> None:
    """The beginning of a step."""
    print(f"\n{text}\n{'-' * len(text)}", flush=True)


def near(path: Path) -> str:
    """A path as a person at this place would write it."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def fresh(bundle: Path) -> None:
    """Take away the bundle of an earlier demo, and nothing that is not one.

    Raises:
        DemoStoppedError: There is something else at its place.
    """
    if not bundle.exists():
        return
    if not (bundle / "mnemic.toml").is_file():
        raise DemoStoppedError(f"{near(bundle)} is no bundle of an earlier demo. Move it away and try again.")
    shutil.rmtree(bundle)


def remember_notes(mnemic: Mnemic) -> None:
    """The notes beside this file; the last two, which contradict each other, are shown."""
    notes = json.loads((HERE / "notes.json").read_text(encoding="utf-8"))
    for number, note in enumerate(notes, 1):
        words = ["remember", note["text"], "--title", note["title"], "--kind", note["kind"], "--source", note["source"]]
        words += [word for tag in note["tags"] for word in ("--tag", tag)]
        words += ["--due", note["due"]] if "due" in note else []
        words += ["--claim", note["claim"]] if "claim" in note else []
        shown = number > len(notes) - 2
        output = mnemic.call(*words, shown=shown)
        print(output if shown else f"  {note['kind']:<12} {note['title']}", end="" if shown else "\n", flush=True)


def the_month(bundle: Path) -> None:
    """The demo on our own conversations."""
    fresh(bundle)
    mnemic = Mnemic(bundle)
    heading("1. A bundle: a folder of Markdown that remembers")
    say(
        f"It lies in {near(bundle)} and is made anew on every run of this demo. Every command below speaks to it by "
        f"--bundle {near(bundle)}, left out here for brevity."
    )
    print(mnemic.call("init", near(bundle)), end="")

    heading("2. A month of conversations")
    say(
        "Mira, an engineer and translator in Leipzig, talks with her assistant in English, Russian, German, Japanese "
        "and Chinese. The conversations are kept word for word, beside the memories."
    )
    print(mnemic.call("import", "chat", near(HERE / "month.jsonl")), end="")

    heading("3. Notes")
    say("Twelve memories are written, each one a Markdown file. The last one contradicts the one before it:")
    remember_notes(mnemic)
    say("Their vectors are made a few with every question, or all at once:", gap=True)
    print(mnemic.call("index"), end="")

    heading("4. Questions, in any language")
    say(
        "Each is a program of its own that starts, answers and ends. Under each result stands why it was found: "
        "what every channel added, the file and the line, and what it costs an agent in tokens."
    )
    for number, (question, about) in enumerate(QUESTIONS):
        mnemic.ask(question, about, weights=number == 0)

    heading("5. Questions that nothing answers")
    for question, about in UNANSWERED:
        mnemic.ask(question, about, weights=False)

    heading("6. What there is now")
    print(mnemic.call("status"), end="")
    your_turn(bundle, "By when do I have to renew my passport?")


def your_own(data: Path, bundle: Path, question: str) -> None:
    """The demo on a file of conversations, or on a folder of Markdown where it stands."""
    if not data.exists():
        raise DemoStoppedError(f"There is no {data}.")
    if data.is_dir():
        heading("Your folder of Markdown, where it stands")
        say("It is only read: what mnemic needs for searching is kept in your cache folder.")
        mnemic = Mnemic(data)
    else:
        heading("Your conversations")
        mnemic = Mnemic(bundle)
        if (bundle / "mnemic.toml").is_file():
            say(f"The bundle {near(bundle)} is there from before; what is new in your file is added to it.")
        else:
            print(mnemic.call("init", near(bundle)), end="")
        print(mnemic.call("import", str(data)), end="")
    print(mnemic.call("status"), end="")
    if question:
        print(mnemic.call("recall", question, "--explain"), end="")
    your_turn(mnemic.bundle, question or "what do I want to know?")


def your_turn(bundle: Path, question: str) -> None:
    """Commands to go on with."""
    start = f"{near(program())} --bundle {shlex.quote(near(bundle))}"
    heading("Your turn")
    say("Ask, remember, look at the files with an editor, change one and ask again:")
    print()
    for words in (
        f"recall {shlex.quote(question)} --explain",
        'remember "Anna prefers green tea" --kind preference --tag anna',
        "check",
        "--help",
    ):
        print(f"  {start} {words}")
    if "DEMO_DATA" in os.environ and not os.environ["DEMO_DATA"]:
        print()
        say('With conversations of your own: make demo DATA=chat.jsonl Q="a question"')


def main() -> int:
    """Exit status 0 when every step did what it should."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=ROOT / "demo", help="folder for the bundles (default: demo)")
    into = parser.parse_args().into.resolve()
    data, question = os.environ.get("DEMO_DATA", ""), os.environ.get("DEMO_QUESTION", "")
    try:
        if data:
            your_own(Path(data).expanduser(), into / "yours", question)
        else:
            the_month(into / "memory")
    except DemoStoppedError as stopped:
        print(f"\nThe demo stops here. {stopped}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
