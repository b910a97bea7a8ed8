"""What people and machines put in the way: each time the good files answer, the bad one is named, nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from mnemic.app import App
from mnemic.domain.drafts import Draft
from mnemic.entry.cli.main import cli
from mnemic.errors import WriteFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from click.testing import Result


@pytest.fixture
def tmp_path(in_memory: Path) -> Path:
    """As pytest's own, in memory."""
    return in_memory


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bundle with one good note."""
    monkeypatch.setenv("MNEMIC_EMBED_ENGINES", "")
    monkeypatch.setenv("MNEMIC_BUNDLE", str(tmp_path / "memory"))
    assert run("init", str(tmp_path / "memory")).exit_code == 0
    assert run("remember", "Anna prefers green tea.", "--id", "notes/tea").exit_code == 0
    return tmp_path / "memory"


def run(*words: str, stdin: str | None = None) -> Result:
    """A command; an exception that reaches the person fails the test."""
    return CliRunner().invoke(cli, words, input=stdin, catch_exceptions=False)


def value(*words: str) -> Any:  # noqa: ANN401 - what JSON holds
    return json.loads(run(*words, "--json").stdout)


def found(query: str) -> list[str]:
    return [hit["id"] for hit in value("recall", query)["results"]]


# -- documents ---------------------------------------------------------------------------------------------------

WORDS = "Zebras sleep standing."
BAD: dict[str, bytes] = {
    "not YAML": b"---\ntitle: [unclosed\ntype note\n---\n" + WORDS.encode() + b"\n",
    "YAML with tabs": b"---\ntype: note\n\ttitle:\tTabs\n---\n" + WORDS.encode() + b"\n",
    "a list as front matter": b"---\n- a\n- b\n---\n" + WORDS.encode() + b"\n",
    "a text as front matter": b"---\njust words\n---\n" + WORDS.encode() + b"\n",
    "unclosed front matter": b"---\ntype: note\ntitle: Open\n" + WORDS.encode() + b"\n",
    "UTF-16": b"---\ntype: note\n---\n".decode().encode("utf-16") + WORDS.encode("utf-16-le"),
}
ODD: dict[str, bytes] = {
    "duplicate keys": b"---\ntype: note\ntimestamp: 2026-05-01\ntitle: one\ntitle: two\n---\n" + WORDS.encode() + b"\n",
    "a body that begins with dashes": b"---\ntype: note\ntimestamp: 2026-05-01\n---\n---\n"
    + WORDS.encode()
    + b"\n---\n",
    "no front matter": WORDS.encode() + b"\n",
    "front matter alone": b"---\ntype: note\ntitle: " + WORDS.encode() + b"\n---",
    "a byte order mark and CRLF": b"\xef\xbb\xbf---\r\ntype: note\r\n---\r\n" + WORDS.encode() + b"\r\n",
}
_PLAIN = b"---\ntype: note\ntimestamp: 2026-05-01\n---\n" + WORDS.encode()
NO_TEXT: dict[str, bytes] = {
    "half a surrogate pair": _PLAIN + b" \xed\xa0\x80 pair \xed\xb0\x80\n",
    "Latin-1": _PLAIN + b" caf\xe9\n",
    "NUL bytes": _PLAIN + b" \0\0 end\n",
    "an executable": b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 40,
    "a picture": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 9,
}
NOTHING: dict[str, bytes] = {
    "an empty file": b"",
    "blanks alone": b" \n\t\n",
}


@pytest.mark.parametrize("content", [*BAD.values(), *ODD.values()], ids=[*BAD, *ODD])
def test_a_spoiled_document_is_read_as_far_as_it_can_be_and_a_repair_loses_no_word(root: Path, content: bytes) -> None:
    path = root / "notes" / "odd.md"
    path.write_bytes(content)
    good = (root / "notes/tea.md").read_bytes()

    for words in (("status",), ("check",), ("show", "notes/odd"), ("recall", "zebras"), ("doctor",)):
        assert run(*words).exit_code in (0, 1, 3)
    assert found("what tea does Anna prefer?") == ["notes/tea"]
    assert path.read_bytes() == content

    run("check", "--repair")

    assert found("zebras standing") == ["notes/odd"]
    copies = [copy.read_bytes() for copy in (root / ".recovery").rglob("*") if copy.is_file()]
    assert path.read_bytes() == content or content in copies
    assert run("edit", "notes/odd", "--add-tag", "animal").exit_code == 0
    assert "standing" in value("show", "notes/odd").get("body", "") + value("show", "notes/odd")["title"]
    assert (root / "notes/tea.md").read_bytes() == good
    assert run("forget", "notes/odd", "--confirm", "notes/odd").exit_code == 0
    assert not [file for file in root.rglob("*") if file.is_file() and b"standing" in file.read_bytes()]


@pytest.mark.parametrize("content", [*BAD.values(), *NO_TEXT.values()], ids=[*BAD, *NO_TEXT])
def test_a_spoiled_document_is_named(root: Path, content: bytes) -> None:
    (root / "notes" / "odd.md").write_bytes(content)

    done = run("check")

    assert done.exit_code == 1
    assert "notes/odd.md" in done.stdout
    assert value("status")["problems"] == 1


@pytest.mark.parametrize("content", [*NOTHING.values(), *NO_TEXT.values()], ids=[*NOTHING, *NO_TEXT])
def test_a_file_without_a_text_disturbs_nobody_and_keeps_its_bytes(root: Path, content: bytes) -> None:
    path = root / "notes" / "odd.md"
    path.write_bytes(content)

    for words in (("status",), ("check",), ("show", "notes/odd"), ("recall", "zebras"), ("index", "--rebuild")):
        assert run(*words).exit_code in (0, 1, 3)
    assert found("what tea does Anna prefer?") == ["notes/tea"]
    run("check", "--repair")
    assert content in [file.read_bytes() for file in root.rglob("*") if file.is_file()]


def test_a_file_of_50_megabytes_is_named_and_not_loaded(root: Path) -> None:
    path = root / "notes" / "huge.md"
    with path.open("wb") as file:
        file.write(b"---\ntype: note\n---\nzebra ")
        file.truncate(50_000_000)

    done = run("check")

    assert done.exit_code == 1
    assert "notes/huge.md" in done.stdout
    assert "50,000,000 bytes" in done.stdout
    assert found("what tea does Anna prefer?") == ["notes/tea"]
    assert found("zebra") == []
    assert run("check", "--repair").exit_code == 1
    assert path.stat().st_size == 50_000_000


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_out_of_the_bundle_is_not_followed(root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("Zebras are outside.", encoding="utf-8")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "more.md").write_text("More zebras outside.", encoding="utf-8")
    (root / "notes" / "link.md").symlink_to(tmp_path / "secret.md")
    (root / "outside").symlink_to(tmp_path / "outside")
    (root / "notes" / "loop").symlink_to(root)

    assert found("zebras outside") == []
    assert run("show", "notes/link").exit_code != 0
    assert run("show", "outside/more").exit_code != 0
    assert run("remember", "Text.", "--id", "outside/new").exit_code != 0
    assert run("forget", "notes/link", "--confirm", "notes/link").exit_code != 0
    assert sorted(path.name for path in (tmp_path / "outside").iterdir()) == ["more.md"]
    assert (tmp_path / "secret.md").read_text(encoding="utf-8") == "Zebras are outside."


@pytest.mark.parametrize("name", ["notes/Tea.md", "notes/TEA.md"])
def test_two_files_whose_names_differ_in_case_are_both_read_and_told(root: Path, name: str) -> None:
    if (root / name).exists():
        pytest.skip("this file system does not tell cases apart")
    (root / name).write_text("---\ntype: note\ntimestamp: 2026-05-01\n---\nZebras.\n", encoding="utf-8")

    assert run("check").exit_code == 1
    assert run("recall", "zebras").exit_code == 0
    assert run("show", "notes/tea").stdout.count("Anna") >= 1


@pytest.mark.parametrize("wanted", ["x" * 300, "notes/" + "字" * 100, "/".join(["deep"] * 60)])
@pytest.mark.usefixtures("root")
def test_an_id_that_no_file_system_takes_is_refused(wanted: str) -> None:
    done = run("remember", "Text.", "--id", wanted)

    assert done.exit_code == 2
    assert len(done.stderr) < 500
    assert value("status")["memories"] == 1


# -- queries -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    ["a" * 100_000, "the of and", "🎉🎉🎉", "שלום עולם", "\u202e\u200f\u2066", "\0", "'; drop --", '"'],
    ids=["100,000 times a", "stop words", "emoji", "right to left", "marks", "NUL", "SQL", '"'],
)  # fmt: skip
@pytest.mark.usefixtures("root")
def test_any_query_has_an_answer(query: str) -> None:
    done = run("recall", "-", "--json", stdin=query.encode("utf-8", "replace").decode())

    assert done.exit_code in (0, 1)
    assert set(json.loads(done.stdout)) >= {"results", "abstained"}
    assert run("recall", "--json", "--", query).exit_code in (0, 1)


@pytest.mark.parametrize("query", ["", " ", "\n\t\u3000"], ids=["nothing", "a blank", "blanks"])
@pytest.mark.usefixtures("root")
def test_a_query_that_asks_nothing_is_a_mistake_and_not_an_empty_answer(query: str) -> None:
    for done in (run("recall", "-", stdin=query), run("recall", "--", query)):
        assert done.exit_code == 2
        assert "query: it is empty" in done.stderr
        assert done.stdout == ""


@pytest.mark.usefixtures("root")
def test_a_query_beyond_the_limit_is_refused_shortly() -> None:
    done = run("recall", "-", stdin="a" * 100_001)

    assert done.exit_code == 3
    assert "100,001 characters" in done.stderr
    assert len(done.stderr) < 300


# -- disks, permissions, clocks ----------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    folder = tmp_path / "small disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)  # the index may still be open


def test_on_a_full_disk_nothing_is_half_written_and_everything_is_still_found(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = small_disk / "memory"
    monkeypatch.setenv("MNEMIC_BUNDLE", str(root))
    monkeypatch.setenv("MNEMIC_EMBED_ENGINES", "")
    run("init", str(root))
    run("remember", "Anna prefers green tea.", "--id", "notes/tea")
    _fill(small_disk / "ballast")
    before = {path: path.read_bytes() for path in root.rglob("*.md")}

    done = run("remember", "Zebras sleep standing. " * 300, "--id", "notes/zebra")

    assert done.exit_code == 3
    assert "space" in done.stderr
    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before
    assert found("what tea does Anna prefer?") == ["notes/tea"]
    (small_disk / "ballast").unlink()
    assert run("remember", "Zebras sleep standing. " * 300, "--id", "notes/zebra").exit_code == 0
    assert found("zebras") == ["notes/zebra"]
    assert run("check").exit_code == 0


def _fill(path: Path) -> None:
    """Write until there is no room."""
    ballast = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        while os.write(ballast, b"x" * 1_024):
            pass
    except OSError:
        os.close(ballast)


def test_a_file_system_mounted_read_only_can_be_asked_and_not_written(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = small_disk / "memory"
    monkeypatch.setenv("MNEMIC_BUNDLE", str(root))
    monkeypatch.setenv("MNEMIC_EMBED_ENGINES", "")
    run("init", str(root))
    run("remember", "Anna prefers green tea.", "--id", "notes/tea")
    found("tea")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)

    assert found("what tea does Anna prefer?") == ["notes/tea"]
    assert run("check").exit_code == 0
    assert run("status").exit_code == 0
    assert run("show", "notes/tea").exit_code == 0
    for words in (
        ("remember", "Zebras."),
        ("edit", "notes/tea", "--title", "x"),
        ("forget", "notes/tea", "--confirm", "notes/tea"),
        ("config", "set", "recall.k", "3"),
        ("check", "--repair"),
    ):
        done = run(*words)
        assert done.exit_code == 3, (words, done.output)


def test_a_folder_without_permission_is_named_and_the_others_answer(tmp_path: Path) -> None:
    """Permissions bind only people other than root, so another person asks."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        root.chmod(0o755)
        for name in ("closed/hidden.md", "notes/locked.md", "notes/tea.md"):
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text("Anna prefers green tea.", encoding="utf-8")
        (root / "notes/locked.md").chmod(0)
        (root / "closed").chmod(0)
        program = f"""
import os, sys
from click.testing import CliRunner
from mnemic.entry.cli.main import cli
with __import__("tempfile").TemporaryDirectory() as warm:  # nobody may not read the modules: load them first
    open(warm + "/a.md", "w").write("tea")
    for words in (("recall", "tea"), ("check",), ("status",)):
        CliRunner().invoke(cli, ("--bundle", warm, *words))
if os.geteuid() == 0:
    os.setgid(65534); os.setuid(65534)
cache = __import__("tempfile").mkdtemp()
os.environ["MNEMIC_CACHE_DIR"] = cache
for words in (("recall", "tea"), ("check",), ("status",)):
    done = CliRunner().invoke(cli, ("--bundle", {str(root)!r}, *words), catch_exceptions=False)
    print(done.exit_code, done.output)
"""
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=False,
            env={**os.environ, "MNEMIC_EMBED_ENGINES": "", "MNEMIC_CACHE_DIR": str(tmp_path / "cache")},
        )  # fmt: skip
        (root / "closed").chmod(0o755)

    assert done.returncode == 0, done.stderr
    assert "notes/tea" in done.stdout
    assert "notes/locked.md" in done.stdout
    assert "closed" in done.stdout


class _Clock:
    def __init__(self) -> None:
        self.at = datetime.now(UTC)

    def now(self) -> datetime:
        return self.at


def _tagged(tag: str, _memory: object) -> dict[str, object]:
    return {"tags": (tag,)}


def test_a_clock_that_goes_backwards_and_forwards_harms_nothing(root: Path) -> None:
    clock = _Clock()
    app = App.start(root, clock=clock, embedders=())

    for number, days in enumerate((-4_000, 20_000, -1, 0)):
        clock.at = datetime.now(UTC) + timedelta(days=days)
        app.remember(Draft(id=f"notes/time-{number}", body=f"Zebra number{number} sleeps."))
        app.edit("notes/tea", partial(_tagged, f"t{number}"))

    assert sorted(hit.id for hit in app.recall("zebra sleeps", k=9).hits) == [f"notes/time-{n}" for n in range(4)]
    tea = app.show("notes/tea").memory
    assert tea is not None
    assert tea.memory.changed_at >= tea.memory.recorded_at
    assert app.check().healthy


def test_a_bundle_lives_under_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_EMBED_ENGINES", "")
    folder = tmp_path / "my notes – Заметки 日本 'q' $(x) %s {0}"
    assert run("init", str(folder)).exit_code == 0
    for words in (
        ("remember", "Zebras sleep standing.", "--id", "notes/zebra"),
        ("recall", "zebras", "--explain"),
        ("index", "--rebuild"),
        ("check", "--repair"),
        ("config", "set", "recall.k", "3"),
        ("status",),
        ("doctor",),
        ("forget", "notes/zebra", "--confirm", "notes/zebra"),
    ):
        assert run("--bundle", str(folder), *words).exit_code == 0, words


# -- processes ---------------------------------------------------------------------------------------------------

_WRITER = """
import sys
from mnemic.app import App
from mnemic.domain.drafts import Draft
from mnemic.errors import MemoryChangedError
app = App.start(sys.argv[1], embedders=())
for n in range(int(sys.argv[3])):
    app.remember(Draft(id=f"notes/{sys.argv[2]}-{n}", body=f"Zebra {sys.argv[2]}x{n} sleeps."))
    while True:
        try:
            app.edit("notes/tea", lambda memory: {"body": memory.body.strip() + f" {sys.argv[2]}x{n}"})
        except MemoryChangedError:
            continue
        break
"""


def test_processes_that_write_new_memories_and_the_same_one_lose_nothing(root: Path) -> None:
    count = 5
    running = [
        subprocess.Popen([sys.executable, "-c", _WRITER, str(root), name, str(count)], stderr=subprocess.PIPE)
        for name in ("a", "b", "c")
    ]
    for process in running:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors.decode()

    assert value("status")["memories"] == 1 + 3 * count
    body = value("show", "notes/tea")["body"].split()
    assert sorted(body[4:]) == sorted(f"{name}x{n}" for name in "abc" for n in range(count))
    assert found("bx3")[0] == "notes/b-3"
    assert run("check").exit_code == 0


def test_a_disk_that_refuses_a_write_is_told_and_the_old_state_stands(root: Path) -> None:
    """The folder of the kind is a file: no document can be made there."""
    (root / "decisions").write_text("in the way", encoding="utf-8")
    app = App.start(root, embedders=())
    before = {path: path.read_bytes() for path in root.rglob("*.md")}

    with pytest.raises(WriteFailedError):
        app.remember(Draft(body="Ship on Friday.", kind="decision"))

    assert {path: path.read_bytes() for path in root.rglob("*.md")} == before
    assert run("check").exit_code == 0
