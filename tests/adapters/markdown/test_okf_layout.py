"""Where a new memory goes, and what a new bundle is made of."""

from __future__ import annotations

import subprocess
import tomllib
from typing import TYPE_CHECKING

import pytest
from bundles import a_memory, create, new_bundle, opened, times, tree
from hypothesis import given
from hypothesis import strategies as st

from mnemic.adapters.markdown.layouts.okf import OkfLayout, init_bundle, slug_of
from mnemic.domain.ids import memory_id
from mnemic.domain.policy import Policy
from mnemic.errors import BundleExistsError, InvalidIdError

if TYPE_CHECKING:
    from pathlib import Path

LAYOUT = OkfLayout()


def _propose(kind: str, title: str, taken: set[str] | None = None) -> str:
    return LAYOUT.propose_id(kind, title, taken=lambda name: name in (taken or set()))


@pytest.mark.parametrize(
    ("kind", "title", "proposed"),
    [
        ("person", "Anna Berg", "people/anna-berg"),
        ("decision", "Use SQLite, not Postgres!", "decisions/use-sqlite-not-postgres"),
        ("event", "  2026-05: Umzug  ", "timeline/2026-05-umzug"),
        ("note", "Ёлка и «снег»", "notes/ёлка-и-снег"),
        ("note", "東京タワー", "notes/東京タワー"),
        ("note", "हिन्दी में", "notes/हिन्दी-में"),
        ("note", "ＦＵＬＬ　width", "notes/full-width"),
        ("note", "C++ & C#", "notes/c-c"),
        ("note", "../../etc/passwd", "notes/etc-passwd"),
        ("note", "index", "notes/index-note"),
        ("note", "CON", "notes/con-note"),
        ("lesson", "🙂 …", "lessons/lesson"),
        ("Something Unheard Of", "x", "notes/x"),
    ],
)
def test_an_id_is_proposed_from_kind_and_title(kind: str, title: str, proposed: str) -> None:
    assert _propose(kind, title) == proposed


def test_a_taken_id_gets_a_number() -> None:
    assert _propose("note", "Tea", {"notes/tea", "notes/tea-2"}) == "notes/tea-3"


def test_a_long_title_is_cut_between_words() -> None:
    slug = slug_of("Warum wir die Ablage der Sitzungsprotokolle im zweiten Quartal noch einmal ganz umbauen müssen")

    assert slug == "warum-wir-die-ablage-der-sitzungsprotokolle-im-zweiten-quartal-noch-einmal-ganz"


def test_a_long_title_without_blanks_is_cut_between_letters() -> None:
    slug = slug_of("東" * 200)

    assert slug == "東" * 26


@given(st.text(max_size=200), st.sampled_from(["note", "person", "x"]), st.integers(0, 3))
def test_every_title_has_an_id_that_may_be_written(title: str, kind: str, collisions: int) -> None:
    """It is normal already, at most 80 bytes long, and free."""
    taken: set[str] = set()
    for _ in range(collisions):
        taken.add(_propose(kind, title, taken))

    proposed = _propose(kind, title, taken)

    assert memory_id(proposed) == proposed
    assert proposed not in taken
    assert len(proposed.rpartition("/")[2].encode()) <= 80 + len("-note")
    assert len(taken) == collisions


def test_a_memory_goes_where_its_id_says() -> None:
    assert LAYOUT.path_for(a_memory("people/anna")) == "people/anna.md"
    with pytest.raises(InvalidIdError):
        LAYOUT.path_for(a_memory("people/anna#part"))


def test_a_new_bundle_is_complete_healthy_and_empty(tmp_path: Path) -> None:
    made = init_bundle(tmp_path / "a" / "memory")

    assert made == [".gitignore", "index.md", "log.md", "mnemic.toml"]
    store = opened(tmp_path / "a" / "memory")
    assert store.check().healthy
    assert store.stamps() == []
    assert not store.read_only


def test_the_settings_of_a_new_bundle_show_every_default(tmp_path: Path) -> None:
    """With all comments taken off they say what holds without them."""
    init_bundle(tmp_path)
    text = (tmp_path / "mnemic.toml").read_text("utf-8")

    assert tomllib.loads(text) == {"bundle": {"layout": "okf"}, "limits": {}, "rules": {}}
    shown = tomllib.loads(
        "\n".join(line.removeprefix("# ") for line in text.splitlines() if " = " in line or line[:1] == "[")
    )

    policy = Policy()
    assert {"limits": shown["limits"], "rules": shown["rules"]} == {
        "limits": {name: getattr(policy.limits, name) for name in policy.limits.__slots__},
        "rules": {name: getattr(policy.rules, name) for name in policy.rules.__slots__},
    }


@pytest.mark.parametrize("name", ["work", 'Anna\'s "home"', "память\\\n"])
def test_a_bundle_keeps_its_name(tmp_path: Path, name: str) -> None:
    init_bundle(tmp_path, name=name)

    assert tomllib.loads((tmp_path / "mnemic.toml").read_text("utf-8"))["bundle"]["name"] == name


def test_a_bundle_is_made_once(tmp_path: Path) -> None:
    new_bundle(tmp_path / "memory")
    before = times(tmp_path)

    with pytest.raises(BundleExistsError):
        init_bundle(tmp_path / "memory")

    assert times(tmp_path) == before


def test_a_folder_of_markdown_becomes_a_bundle_and_loses_nothing(tmp_path: Path) -> None:
    files = {"index.md": b"# Mine\r\n", "notes/a.md": b"No front matter.\n", ".gitignore": b"drafts/\n"}
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)

    assert init_bundle(tmp_path) == ["log.md", "mnemic.toml"]

    assert {name: data for name, data in tree(tmp_path).items() if name in files} == files


@pytest.mark.parametrize("tracked", [True, False])
def test_git_sees_no_memory_unless_it_is_told_to(tmp_path: Path, *, tracked: bool) -> None:
    """A history keeps what was to be forgotten; what mnemic derives is never for git."""
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    root = tmp_path / "memory"
    init_bundle(root, tracked=tracked)
    create(opened(root), a_memory("notes/a"))
    (root / ".recovery").mkdir()
    (root / ".recovery" / "x").write_bytes(b"old")

    status = ["git", "-C", str(tmp_path), "status", "--porcelain", "--untracked-files=all"]
    seen = subprocess.run(status, capture_output=True, text=True, check=True).stdout.split()[1::2]

    tracked_files = [
        "memory/" + name for name in (".gitignore", "index.md", "log.md", "mnemic.toml", "notes/a.md", "notes/index.md")
    ]
    assert seen == (tracked_files if tracked else [])


def test_the_state_folder_of_a_foreign_bundle_ignores_itself(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()

    create(opened(tmp_path / "vault"), a_memory("notes/a"))

    assert (tmp_path / "vault" / ".mnemic" / ".gitignore").read_bytes() == b"*\n"
