"""Every command for a person: what it prints within 80 columns, what it does, how it ends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from mnemic.entry.cli.columns import columns, plain, wrapped
from mnemic.entry.cli.main import _COMMANDS, cli

if TYPE_CHECKING:
    from pathlib import Path

    from command_line import Shell


def lines_of(text: str) -> list[str]:
    return text.splitlines()


def talk(folder: Path, *texts: str) -> Path:
    path = folder / "talk.jsonl"
    rows = [
        {
            "session": "kitchen",
            "turn": number,
            "at": "2026-05-03T08:14:00Z",
            "role": "user",
            "speaker": "Mira",
            "text": text,
        }
        for number, text in enumerate(texts, 1)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


# -- help and mistakes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", *_COMMANDS])
def test_help_fits_80_columns_and_shows_an_example(shell: Shell, name: str) -> None:
    text = shell.ok(*([name] if name else []), "--help")

    assert max(map(len, lines_of(text))) <= 80
    assert text == shell.ok(*([name] if name else []), "-h")
    if name and name not in ("bench", "session", "config"):
        assert f"mnemic {name}" in text.split("Usage:")[1].split("\n", 1)[1]
    assert "Example:" not in text or "\n\n  Example: mnemic" in text


def test_the_overview_names_every_command_in_the_order_of_a_first_day(shell: Shell) -> None:
    section = shell.ok("--help").split("Commands:\n")[1].split("\n\n")[0]
    named = [line.split()[0] for line in lines_of(section)]

    assert named == list(_COMMANDS)


def test_the_version_is_one_line(shell: Shell) -> None:
    assert shell.ok("--version").split()[0] == "mnemic"


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (("rember", "x"), "remember"),
        (("reccall", "x"), "recall"),
        (("session", "lst"), ""),
        (("recall", "x", "--explian"), "--explain"),
        (("remember", "x", "--knd", "note"), "--kind"),
        (("--bundel", "x", "status"), "--bundle"),
    ],
)
def test_a_mistyped_command_or_option_ends_with_2_and_the_nearest_name(
    shell: Shell, words: tuple[str, ...], near: str
) -> None:
    done = shell.run(*words)

    assert done.exit_code == 2
    assert done.stdout == ""
    assert near in done.stderr


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("recall", "quantum chromodynamics"), 1, ""),
        (("show", "notes/nothing"), 1, "no memory"),
        (("show", "cello"), 1, "notes/cello"),
        (("session", "show", "nothing"), 1, "no session"),
        (("--bundle", "/nowhere", "status"), 1, "mnemic init"),
        (("show", "../outside"), 2, "no valid id"),
        (("recall", "tea", "--at", "someday"), 2, "2026-05-03"),
        (("recall", "tea", "--state", "bogus"), 2, "quarantined"),
        (("recall", "tea", "--profile", "bogus"), 2, "resonance"),
        (("recall", "tea", "-k", "0"), 2, ""),
        (("remember", "x", "--due", "someday"), 2, "no date"),
        (("remember", "x", "--claim", "novalue"), 2, "city=Oslo"),
        (("remember", "x", "--claim", "=v"), 2, "city=Oslo"),
        (("remember", "x", "--source", "gossip"), 2, "user_said"),
        (("remember", "x", "--salience", "1.5"), 2, ""),
        (("remember", " "), 2, "nothing to remember"),
        (("remember", "\u200b"), 2, "nothing to remember"),
        (("edit", "notes/tea", "--state", "bogus"), 2, "archived"),
        (("import", "nothing.jsonl"), 2, "nothing.jsonl"),
        (("import", "a", "b", "c"), 2, "FORMAT"),
        (("config", "show", "nothing"), 2, "config show"),
        (("config", "set", "recall.q", "3"), 2, "recall.k"),
        (("--set", "recal.k=3", "status"), 2, "recall.k"),
        (("--set", "recall.k", "status"), 2, "recall.k=12"),
        (("--bundle", "sqlite:x.db", "status"), 2, "Markdown"),
        (("init", "--layout", "sections"), 2, "okf"),
        (("init", "x", "--name", "a/b"), 2, "letters"),
        (("init",), 3, "already is a bundle"),
        (("remember", "key ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"), 3, "--redact"),
        (("remember", "x" * 8_001), 3, "[limits]"),
        (("remember", "x", "--id", "notes/tea"), 3, "is taken"),
        (("remember", "x", "--kind", "workflow", "--source", "model"), 3, "people"),
        (("edit", "notes/tea", "--text", "y", "--expect", "0000"), 3, "Read the memory again"),
        (("forget", "notes/tea"), 3, "--confirm notes/tea"),
        (("forget", "notes/tea", "--confirm", "notes/te"), 3, "Nothing was removed"),
    ],
)
def test_a_failure_has_its_status_and_says_what_to_do(
    project: Shell, words: tuple[str, ...], status: int, said: str
) -> None:
    done = project.run(*words)

    assert done.exit_code == status, done.output
    assert said in done.stderr
    assert "Traceback" not in done.output
    if status > 1:
        assert done.stdout == ""


# -- commands ----------------------------------------------------------------------------------------------------


def test_a_first_day(shell: Shell) -> None:
    assert "mnemic remember" in shell.ok("init")
    assert "Remembered notes/anna-prefers-green-tea" in shell.ok("remember", "Anna prefers green tea")
    assert "notes/anna-prefers-green-tea" in shell.ok("recall", "what tea does Anna prefer?")
    assert "Anna prefers green tea" in shell.ok("show", "notes/anna-prefers-green-tea")
    assert "1 memor" in shell.ok("status")
    assert "healthy" in shell.ok("check")
    assert "Forgot" in shell.ok("forget", "notes/anna-prefers-green-tea", "--confirm", "notes/anna-prefers-green-tea")
    assert shell.run("recall", "what tea does Anna prefer?").exit_code == 1


def test_every_field_of_a_memory_can_be_given_and_is_shown(project: Shell) -> None:
    project.ok(
        "remember", "I owe Tobias the boat paint.", "--title", "Paint", "--kind", "commitment", "--tag", "tobias",
        "--tag", "boat", "--description", "A debt.", "--source", "user-said", "--locator", "https://example.org/7",
        "--due", "2026-06-12", "--valid-from", "2026-05-01", "--valid-until", "2026-07-01", "--claim", "debt=paint",
        "--salience", "0.9", "--confidence", "0.8", "--id", "commitments/paint",
    )  # fmt: skip

    text = project.ok("show", "commitments/paint")

    facts = ("Paint", "commitment", "due 12 Jun 2026", "tobias, boat", "debt = paint", "1 May 2026", "1 Jul 2026")
    for said in (*facts, "user_said https://example.org/7", "commitments/paint.md:", "I owe Tobias the boat paint."):
        assert said in text
    fields = project.json("show", "commitments/paint")
    assert (fields["salience"], fields["confidence"], fields["description"]) == (0.9, 0.8, "A debt.")


def test_an_edit_changes_what_it_is_told_and_says_when_nothing_changed(project: Shell) -> None:
    project.ok(
        "edit", "notes/tea", "--add-tag", "tea", "--remove-tag", "anna", "--title", "Green tea", "--salience", "1"
    )
    fields = project.json("show", "notes/tea")

    assert (fields["tags"], fields["title"], fields["salience"]) == (["tea"], "Green tea", 1.0)
    assert "Unchanged: notes/tea" in project.ok("edit", "notes/tea", "--add-tag", "tea")


def test_an_edit_without_flags_opens_the_editor(
    project: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys, pathlib\np = pathlib.Path(sys.argv[1])\n"
        "p.write_text(p.read_text(encoding='utf-8').replace('green', 'white'), encoding='utf-8')\n",
        encoding="utf-8",
    )
    import sys

    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")

    project.ok("edit", "notes/tea")

    assert "white tea" in project.ok("show", "notes/tea")


def test_a_replaced_memory_is_shown_only_when_asked_for(project: Shell) -> None:
    project.ok("remember", "Anna prefers black tea now.", "--id", "notes/black", "--supersedes", "notes/tea")

    assert "notes/tea" not in project.ok("recall", "what tea does Anna prefer?")
    text = project.ok("recall", "what tea does Anna prefer?", "--state", "superseded")
    assert "SUPERSEDED" in text
    assert "superseded by: notes/black" in project.ok("show", "notes/tea")


def test_conversations_are_imported_listed_and_read(project: Shell) -> None:
    source = talk(project.folder, "The ferry leaves at ten.", "I will book it.", "Thank you!", "Bye.")

    assert "Would add 4 turns" in project.ok("import", "chat", str(source), "--dry-run")
    assert "Added 4 turns in 1 session" in project.ok("import", str(source))
    assert "4 were there already" in project.ok("import", str(source))
    assert "2026-05-03" in project.ok("session", "list")
    assert "session:kitchen#1" in project.ok("recall", "when does the ferry leave?")
    assert project.ok("recall", "ferry", "--by-session").split()[1] == "session:kitchen"
    assert project.run("recall", "ferry", "--memories").exit_code == 1
    one = project.ok("session", "show", "kitchen#2", "--around", "1")
    assert one == project.ok("show", "session:kitchen#2", "--around", "1")
    assert "> #2 2026-05-03 08:14 Mira" in one
    assert "#4" not in one
    assert "Bye." in project.ok("session", "show", "kitchen")
    assert "(4 turns)" in project.ok("forget", "session:kitchen", "--confirm", "session:kitchen")


def test_an_import_with_refused_lines_takes_the_others_and_ends_with_1(project: Shell) -> None:
    source = talk(project.folder, "The ferry leaves at ten.")
    source.write_text(source.read_text(encoding="utf-8") + "nonsense\n", encoding="utf-8")

    done = project.run("import", "chat", str(source))

    assert done.exit_code == 1
    assert "Added 1 turn" in done.stdout
    assert "talk.jsonl:2" in done.stdout


def test_a_check_names_file_and_line_and_a_repair_mends(project: Shell) -> None:
    (project.memory / "notes/odd.md").write_text("---\ntitle: [\n---\nWords about zebras.\n", encoding="utf-8")

    done = project.run("check")
    assert done.exit_code == 1
    assert "notes/odd.md:" in done.stdout
    assert "mnemic check --repair" in done.stdout

    project.run("check", "--repair")
    assert project.run("check").exit_code == 0
    assert list((project.memory / ".recovery").rglob("*"))
    assert "notes/odd" in project.ok("recall", "zebras")


def test_the_index_can_be_made_anew(project: Shell) -> None:
    before = project.json("recall", "what tea does Anna prefer?")["results"]

    assert "3 files indexed" in project.ok("index", "--rebuild")
    assert "0 files indexed" in project.ok("index")
    assert project.json("recall", "what tea does Anna prefer?")["results"] == before


def test_doctor_says_what_works_and_what_to_do(project: Shell) -> None:
    text = project.ok("doctor")

    for subject in ("python:", "sqlite:", "bundle:", "content:", "meaning:", "speed:"):
        assert subject in text
    assert "extra: local" in text


def test_doctor_ends_with_1_when_something_is_broken(project: Shell) -> None:
    (project.memory / "notes/odd.md").write_text("---\ntitle: [\n---\nWords.\n", encoding="utf-8")

    done = project.run("doctor")

    assert done.exit_code == 1
    assert "mnemic check" in done.stdout


@pytest.mark.parametrize("shell_name", ["bash", "zsh", "fish"])
def test_completion_scripts_name_the_program(shell: Shell, shell_name: str) -> None:
    assert "_MNEMIC_COMPLETE" in shell.ok("completion", shell_name)
    assert shell.run("completion", "cmd").exit_code == 2


@pytest.mark.usefixtures("shell")
def test_completion_completes_commands_and_options() -> None:
    def complete(line: str) -> list[str]:
        words = line.split(" ")
        done = CliRunner(
            env={"_MNEMIC_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
        ).invoke(cli, prog_name="mnemic")
        return [row.partition(",")[2] for row in done.stdout.splitlines()]

    assert complete("mnemic re") == ["remember", "recall", "replay"]
    assert "--explain" in complete("mnemic recall --ex")
    assert complete("mnemic session s") == ["show"]


def test_a_dash_reads_standard_input(project: Shell) -> None:
    project.ok("remember", "-", "--title", "Piped", stdin="Zebras sleep standing.\n")
    project.ok("edit", "notes/piped", "--text", "-", stdin="Zebras sleep standing up.\n")

    assert "standing up" in project.ok("recall", "-", stdin="how do zebras sleep?")


# -- width and signs ---------------------------------------------------------------------------------------------

LONG = {
    "words": "The ferry to the island leaves Havneby harbour at ten in the morning, and zebras do not care. " * 12,
    "no blanks": "zebras " + "x" * 600,
    "日本語": "来週の会議は東京駅の近くで行います。シマウマ zebras も来ます。" * 20,
    "عربي": "الحمار الوحشي zebras ينام واقفا في الليل الطويل البارد. " * 20,
}


@pytest.mark.parametrize("name", LONG)
def test_results_keep_within_80_columns_in_every_script(project: Shell, name: str) -> None:
    title = f"{name} {LONG[name][:120]}"
    project.ok("remember", LONG[name], "--title", title, "--id", "notes/z")

    for words in (("recall", "zebras"), ("recall", "zebras", "--explain"), ("status",), ("check",), ("doctor",)):
        for line in lines_of(project.run(*words).output):
            assert columns(line) <= 80 or str(project.memory) in line
    assert "notes/z" in project.ok("recall", "zebras")


def test_a_turn_is_shown_within_80_columns_and_code_keeps_its_indentation(project: Shell) -> None:
    project.ok("import", str(talk(project.folder, f"{LONG['日本語']}\n    if x:\n        y()", "ok")))

    text = project.ok("session", "show", "kitchen")

    assert max(map(columns, lines_of(text))) <= 80
    assert "\n      if x:\n          y()\n" in text


def test_an_explanation_adds_up(project: Shell) -> None:
    text = project.ok("recall", "what tea does Anna prefer?", "--explain")

    start = text.index("= ")
    numbers = [
        float(word)
        for word in text[start:].split("\n    memory")[0].replace("=", " ").split()
        if word[-1].isdigit() and "." in word
    ]
    assert numbers[0] == pytest.approx(sum(numbers[1:]), abs=0.006)
    assert "memory/notes/tea.md:" in text
    assert "weights (default):" in text


def test_no_stored_text_steers_the_terminal(project: Shell) -> None:
    (project.memory / "notes/evil.md").write_text(
        '---\ntype: note\ntitle: "zebras \\e[2J"\ntimestamp: 2026-05-01\n---\nzebras \x1b]0;owned\x07 \x9b31m run\n',
        encoding="utf-8",
    )

    for words in (("recall", "zebras"), ("show", "notes/evil")):
        done = CliRunner().invoke(cli, words, color=True)  # as on a terminal: nothing is stripped
        assert done.exit_code == 0
        for char in ("\x1b]", "\x1b[2J", "\x07", "\x9b"):
            assert char not in done.stdout


def test_nor_does_a_kind_a_claim_or_the_name_of_a_file(project: Shell) -> None:
    folder, steering = project.memory / "notes", "\\e[2J\\u202e"
    (folder / "zebra.md").write_text(
        f'---\ntype: "ze{steering}"\ntitle: Zebra\nclaim: {{key: zebra.coat, value: "a{steering}"}}\n---\nThe zebra.\n',
        encoding="utf-8",
    )
    (folder / "bad\x1b[2J.md").write_bytes(b"\0")

    commands = (("recall", "zebra"), ("show", "notes/zebra"), ("status",), ("check",))
    told = [CliRunner().invoke(cli, words, color=True).output for words in commands]
    held_back = ("remember", "Its coat is striped.", "--claim", "zebra.coat=striped")
    told.append(CliRunner().invoke(cli, held_back, color=True).output)

    assert "quarantined" in told[-1]
    for text in told:
        assert "\ufffd" in text
        assert "\x1b[2J" not in text
        assert "\u202e" not in text


@given(st.text(max_size=200), st.integers(4, 90), st.none() | st.integers(1, 5))
def test_wrapped_lines_fit_and_lose_no_word(text: str, width: int, most: int | None) -> None:
    lines = wrapped(text, width, most=most)

    assert all(columns(line) <= width for line in lines)
    assert most is None or len(lines) <= most
    assert "".join(lines).isprintable() or not plain(text).isprintable()
    if most is None:
        assert "".join("".join(lines).split()) == "".join(plain(text).split())


def test_a_stored_text_turns_no_direction_and_keeps_the_marks_of_its_script() -> None:
    assert plain("invoice \u202egpj.exe\u2066") == "invoice \ufffdgpj.exe\ufffd"
    assert plain("שלום\u200f!") == "שלום\u200f!"
