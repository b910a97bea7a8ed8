"""A folder of Markdown as a store: what is seen, found, written and kept."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from bundles import NOW, KilledFs, SetClock, a_memory, create, edit, new_bundle, opened, times, tree

from mnemic.domain.changes import ChangeSet, Put, Removal
from mnemic.domain.ids import MemoryId, memory_id
from mnemic.domain.policy import Limits
from mnemic.errors import (
    BundleNotFoundError,
    DocumentMalformedError,
    DocumentUnreadableError,
    IdTakenError,
    InvalidIdError,
    LimitExceededError,
    MemoryChangedError,
    MemoryNotFoundError,
    NotFoundError,
    ReadOnlyBundleError,
    WriteFailedError,
)

FOREIGN = b"---\ntype: Metric\ntitle: Revenue   # by hand\nowner: 'finance'\n---\r\n\r\nBody without end"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "memory"


def _write(root: Path, path: str, data: bytes | str = "---\ntype: note\n---\n\nText.\n") -> Path:
    full = root / path
    full.parent.mkdir(parents=True, exist_ok=True)
    full.write_bytes(data.encode() if isinstance(data, str) else data)
    return full


def _paths(root: Path) -> list[str]:
    return [stamp.path for stamp in opened(root).stamps()]


# --- seeing


def test_a_scan_sees_documents_and_nothing_else(root: Path) -> None:
    for path in ("a.md", "b/c.md", "b/d/ü 東京.md", "B/upper.MD", "summary.md", "b/_staging/kept.md"):
        _write(root, path)
    for path in (
        "index.md", "b/index.md", "log.md", "b/Log.md", ".hidden.md", ".obsidian/x.md", ".trash/x.md", ".recovery/x.md",
        ".mnemic/x.md", "_staging/x.md", "_proposals/x.md", "notes.txt", "x.md.bak", ".mnemic-1-aa.tmp",
    ):  # fmt: skip
        _write(root, path)
    (root / "folder.md").mkdir()

    assert _paths(root) == ["a.md", "b/_staging/kept.md", "b/c.md", "b/d/ü 東京.md", "summary.md"]


def test_a_stamp_tells_size_time_and_file(root: Path) -> None:
    full = _write(root, "a.md", "x" * 77)
    facts = full.stat()

    (stamp,) = opened(root).stamps()

    assert stamp == ("a.md", 77, facts.st_mtime_ns, facts.st_ino)


def test_links_out_of_the_bundle_are_neither_listed_nor_read(root: Path, tmp_path: Path) -> None:
    _write(tmp_path, "secret.md", "password")
    _write(tmp_path, "elsewhere/x.md")
    _write(root, "real.md")
    _write(root, ".mnemic/own.md")
    for name, target in (
        ("out.md", "../secret.md"),
        ("far", "../elsewhere"),
        ("own.md", ".mnemic/own.md"),
        ("loop", "."),
    ):
        (root / name).symlink_to(target)
    (root / "alias.md").symlink_to("real.md")
    store = opened(root)

    assert _paths(root) == ["alias.md", "real.md"]
    assert store.read("alias.md").memories[0].memory.body == "Text."
    for path in ("out.md", "far/x.md", "own.md", "loop/real.md"):
        with pytest.raises(InvalidIdError):
            store.read(path)
    with pytest.raises(InvalidIdError):
        store.find("loop/real")


@pytest.mark.parametrize(
    "path", ["../x.md", "/etc/x.md", "a/../../x.md", "a.txt", "", ".mnemic/x.md", "index.md", "a\0.md"]
)
def test_only_documents_of_the_bundle_can_be_read(root: Path, path: str) -> None:
    _write(root, "a.md")

    with pytest.raises((InvalidIdError, NotFoundError)):
        opened(root).read(path)


def test_a_huge_file_is_reported_and_not_loaded(root: Path) -> None:
    """It is sparse here: reading its 50 GB would be noticed."""
    root.mkdir()
    with (root / "huge.md").open("wb") as file:
        file.truncate(50_000_000_000)
    store = opened(root)

    document = store.read("huge.md")

    assert [problem.code for problem in document.problems] == ["too_large"]
    assert document.memories == ()
    with pytest.raises(DocumentUnreadableError):
        store.find("huge")


@pytest.mark.parametrize(
    "data", [b"", b"\x00\x01\x02\xff" * 30, b"---\n- a\n- list\n---\n", b"---\nno: end\n", "é".encode("utf-16")]
)
def test_malformed_content_is_no_error(root: Path, data: bytes) -> None:
    _write(root, "odd.md", data)
    _write(root, "mnemic.toml", b"")  # in a folder that nobody made a bundle, missing metadata is no problem
    store = opened(root)

    document = store.read("odd.md")

    assert document.path == "odd.md"
    assert document.problems
    assert store.check().documents == 1


def test_a_pipe_with_the_name_of_a_document_blocks_nobody(root: Path) -> None:
    root.mkdir()
    os.mkfifo(root / "pipe.md")
    store = opened(root)

    assert store.stamps() == []
    assert [problem.code for problem in store.check().problems] == ["not_a_file"]


def test_a_time_that_no_calendar_holds_does_not_matter(root: Path) -> None:
    full = _write(root, "old.md")
    os.utime(full, ns=(-(10**18), -(10**18)))

    assert opened(root).find("old").memory.body == "Text."


# --- finding


def test_of_two_documents_with_one_id_the_exact_one_is_found(root: Path) -> None:
    _write(root, "Notes/Same.md", "---\ntype: note\n---\nupper")
    _write(root, "notes/same.md", "---\ntype: note\n---\nexact")
    _write(root, "B.md", "---\ntype: note\n---\nfirst by path")
    _write(root, "ｂ.md", "---\ntype: note\n---\nsecond")
    store = opened(root)

    assert store.find("NOTES/SAME").memory.body == "exact"
    assert store.find("b").path == "B.md"
    collisions = [problem for problem in store.check().problems if problem.code == "id_collision"]
    assert [problem.path for problem in collisions] == ["Notes/Same.md", "ｂ.md"]


def test_a_foreign_name_is_found_as_it_is_listed(root: Path) -> None:
    """Names that no new memory may have: parentheses, apostrophes, hashes, capitals, decomposed letters."""
    names = ["Clippings/It's (2020) #1.md", "Über/Cafe\u0301 & C++.md", "a, b; c!.md", "x: y.md"]
    for name in names:
        _write(root, name)
    store = opened(root)

    for stamp in store.stamps():
        located = store.read(stamp.path).memories[0]
        assert store.find(located.memory.id).path == stamp.path
    assert len(store.stamps()) == len(names)


def test_a_wrong_folder_is_pointed_out(root: Path) -> None:
    store = new_bundle(root)
    create(store, a_memory("people/anna"))

    with pytest.raises(MemoryNotFoundError) as missing:
        store.find("notes/anna")

    assert missing.value.near == ("people/anna",)


def test_a_document_without_a_memory_says_why(root: Path) -> None:
    _write(root, "binary.md", b"\x00\xff\xfe" * 20)

    with pytest.raises(DocumentMalformedError):
        opened(root).find("binary")


def test_there_is_no_bundle_where_there_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(BundleNotFoundError):
        opened(tmp_path / "nowhere")


# --- writing


def test_an_edit_touches_the_lines_it_must_and_keeps_the_mode(root: Path) -> None:
    full = _write(root, "tables/Revenue.md", FOREIGN)
    full.chmod(0o640)
    store = opened(root)

    edit(store, "tables/revenue", description="Recognized.")

    data = full.read_bytes()
    assert b"title: Revenue   # by hand\n" in data
    assert b"\nowner: 'finance'\n" in data
    assert data.endswith(b"Body without end")
    assert b"description: Recognized." in data
    assert stat.S_IMODE(full.stat().st_mode) == 0o640


def test_a_new_document_has_the_usual_mode(root: Path) -> None:
    store = new_bundle(root)
    before = os.umask(0o027)
    try:
        create(store, a_memory("notes/a"))
    finally:
        os.umask(before)

    assert stat.S_IMODE((root / "notes" / "a.md").stat().st_mode) == 0o640


def test_a_put_that_changes_nothing_touches_no_file(root: Path) -> None:
    store = new_bundle(root)
    (first,) = create(store, a_memory("notes/a"))
    before = times(root / "notes") | {"log": (root / "log.md").stat().st_mtime_ns}

    applied = store.apply(ChangeSet(puts=(Put(first.memory.changed(NOW + timedelta(days=3)), first.revision),)))

    assert applied.unchanged == (first,)
    assert times(root / "notes") | {"log": (root / "log.md").stat().st_mtime_ns} == before


def test_an_edit_from_outside_is_seen_at_once_and_never_overwritten(root: Path) -> None:
    store = new_bundle(root)
    (first,) = create(store, a_memory("notes/a"))
    full = root / "notes" / "a.md"
    full.write_bytes(full.read_bytes().replace(b"Text.", b"By hand."))

    assert store.find("notes/a").memory.body == "By hand."
    with pytest.raises(MemoryChangedError):
        store.apply(ChangeSet(puts=(Put(first.memory.changed(NOW, body="Ours."), first.revision),)))
    assert b"By hand." in full.read_bytes()


class _EditorFs(KilledFs):
    """Somebody saves a document while ours waits in its temporary file."""

    def write_new(self, path: str, data: bytes, *, mode: int | None = None, sync: bool = True) -> None:
        super().write_new(path, data, mode=mode, sync=sync)
        if path.endswith(".tmp") and "/notes/" in path and b"type:" in data:
            (Path(path).parent / "a.md").write_bytes(b"---\ntype: note\n---\n\nSaved by an editor.\n")


@pytest.mark.parametrize("new", [True, False])
def test_an_edit_from_outside_in_the_middle_of_a_write_is_a_conflict(root: Path, *, new: bool) -> None:
    store = new_bundle(root)
    (root / "notes").mkdir()
    slow = opened(root, fs=_EditorFs())

    if new:
        with pytest.raises(IdTakenError):
            create(slow, a_memory("notes/a"))
    else:
        create(store, a_memory("notes/a"))
        with pytest.raises(MemoryChangedError):
            edit(slow, "notes/a", body="Ours.")

    assert store.find("notes/a").memory.body == "Saved by an editor."
    assert not list(root.rglob("*.tmp"))
    assert store.pending() == []


def test_a_linked_document_is_read_but_not_written_through(root: Path) -> None:
    _write(root, "real.md")
    (root / "alias.md").symlink_to("real.md")
    store = opened(root)

    with pytest.raises(WriteFailedError, match="symbolic link"):
        edit(store, "alias", body="Through the link.")

    assert (root / "alias.md").is_symlink()
    assert b"Text." in (root / "real.md").read_bytes()


def test_nothing_is_written_through_a_linked_folder(root: Path, tmp_path: Path) -> None:
    store = new_bundle(root)
    (tmp_path / "outside").mkdir()
    (root / "notes").symlink_to(tmp_path / "outside")

    with pytest.raises(InvalidIdError):
        create(store, a_memory("notes/a"))

    assert list((tmp_path / "outside").iterdir()) == []


def test_a_new_memory_joins_the_folder_that_is_there_whatever_its_case(root: Path) -> None:
    store = new_bundle(root)
    (root / "People").mkdir()

    (written,) = create(store, a_memory("people/anna"))

    assert written.path == "People/anna.md"
    assert store.find("people/anna") == written
    with pytest.raises(IdTakenError):
        create(store, a_memory("PEOPLE/Anna"))


def test_an_id_with_an_anchor_has_no_place_here(root: Path) -> None:
    with pytest.raises(InvalidIdError):
        create(new_bundle(root), a_memory("notes/a#part"))


@pytest.mark.parametrize("name", ["x" * 300, "é" * 120, "a/" * 150 + "b"])
def test_an_id_that_is_too_long_is_refused_before_anything_is_touched(root: Path, name: str) -> None:
    store = new_bundle(root)
    before = tree(root)
    with pytest.raises(InvalidIdError):
        create(store, replace(a_memory("notes/a"), id=MemoryId(name)))

    assert tree(root) == before


def test_the_longest_id_there_may_be_can_be_written(root: Path) -> None:
    store = new_bundle(root)
    name = memory_id("é" * 100)

    create(store, a_memory(name))

    assert store.find(name).memory.body == "Text."


def test_a_document_longer_than_the_limit_is_refused(root: Path) -> None:
    store = opened(new_bundle(root).root, limits=Limits(document_bytes=2_000))  # type: ignore[arg-type]

    with pytest.raises(LimitExceededError):
        create(store, a_memory("notes/a", "x" * 2_000))

    assert store.stamps() == []


def test_a_clock_that_goes_backwards_harms_nothing(root: Path) -> None:
    new_bundle(root)
    clock = SetClock()
    store = opened(root, clock=clock)
    create(store, a_memory("notes/a"))
    clock.move(days=-400)

    create(store, a_memory("notes/b"))
    edit(store, "notes/a", body="Again.")

    assert (root / "log.md").read_bytes().count(b"\n## ") == 1
    assert store.find("notes/a").memory.changed_at == NOW + timedelta(hours=1)
    assert store.check().healthy


def test_a_bundle_lives_on_a_path_with_blanks_and_letters_of_any_script(tmp_path: Path) -> None:
    root = tmp_path / "Мой дом" / "記憶 (2)" / "it's"
    root.parent.mkdir(parents=True)
    store = new_bundle(root)

    create(store, a_memory("люди/анна", title="Анна [Берг]"), a_memory("記憶/東京"))
    edit(store, "ЛЮДИ/АННА", body="Новый текст.")

    assert store.check().healthy
    assert [stamp.path for stamp in store.stamps()] == ["люди/анна.md", "記憶/東京.md"]


# --- forgetting


def test_forgetting_removes_the_document_its_backups_and_its_links_in_the_log(root: Path) -> None:
    store = new_bundle(root)
    uid = a_memory("people/anna").uid
    create(store, a_memory("people/anna", "Her secret.", title="Anna's divorce"), a_memory("people/bob"))
    for name, data in (
        ("people/anna.md.20260101T000000.000000Z", b"Her secret."),
        ("people/ANNA.md.20260101T000000.000000Z-2", b"Her secret."),
        ("notes/renamed.md.20260101T000000.000000Z", f"uid: {uid}\nHer secret.".encode()),
        ("people/bob.md.20260101T000000.000000Z", b"Bob's."),
    ):
        _write(root, f".recovery/{name}", data)
    log = root / "log.md"
    log.write_bytes(
        b"Mine: [Anna's divorce](people/anna.md), see people/anna.md; people/anna.md-x stays\n" + log.read_bytes()
    )
    anna = store.find("people/anna")

    applied = store.apply(ChangeSet(removals=(Removal(anna.memory.id, anna.revision),), summary="Anna's secret"))

    assert applied.removed == ("people/anna",)
    left = {name: data for name, data in tree(root).items() if name != "mnemic.toml"}
    assert sorted(name for name in left if name.startswith(".recovery")) == [
        ".recovery/people/bob.md.20260101T000000.000000Z"
    ]
    for name, data in left.items():
        assert b"secret" not in data.lower(), name
        assert b"divorce" not in data, name
        assert uid.encode() not in data, name
    text = log.read_text("utf-8")
    assert text.startswith("Mine: (forgotten), see (forgotten); people/anna.md-x stays\n")
    assert "* **Forgotten**: one memory\n" in text
    assert "* **Creation**: (forgotten)\n" in text
    assert "[Bob](/people/bob.md)" in text
    assert not [path for path in (root / ".mnemic").rglob("*") if path.is_file() and b"anna" in path.read_bytes()]


def test_a_folder_that_forgetting_leaves_empty_goes_too_unless_a_person_wrote_in_it(root: Path) -> None:
    store = new_bundle(root)
    create(store, a_memory("people/private/anna"), a_memory("notes/a"))
    notes = root / "notes" / "index.md"
    notes.write_bytes(b"My own words.\n" + notes.read_bytes())

    for name in ("people/private/anna", "notes/a"):
        found = store.find(name)
        store.apply(ChangeSet(removals=(Removal(found.memory.id, found.revision),)))

    assert not (root / "people").exists()
    assert notes.read_bytes() == b"My own words.\n<!-- mnemic:begin -->\n<!-- mnemic:end -->\n"
    assert b"people" not in (root / "index.md").read_bytes()
    assert store.check().healthy


# --- read-only


def test_a_read_only_store_writes_nothing_anywhere(root: Path, tmp_path: Path) -> None:
    _write(root, "Notes/a.md", FOREIGN)
    before = times(tmp_path)
    store = opened(root, read_only=True)

    store.stamps()
    found = store.find("notes/a")
    store.check()
    for refused in (
        lambda: create(store, a_memory("notes/b")),
        lambda: store.apply(ChangeSet(removals=(Removal(found.memory.id, found.revision),))),
        lambda: store.check(repair=True),
        lambda: store.locked().__enter__(),
    ):
        with pytest.raises(ReadOnlyBundleError):
            refused()

    assert times(tmp_path) == before


def test_a_read_only_store_with_a_state_folder_elsewhere_locks_there(root: Path, tmp_path: Path) -> None:
    """So that an index in the user's cache can be written under the one lock."""
    _write(root, "a.md")
    before = times(root)
    store = opened(root, read_only=True, state_dir=tmp_path / "cache" / "state")

    with store.locked():
        assert (tmp_path / "cache" / "state" / "lock").exists()

    assert times(root) == before


def test_opening_searching_and_checking_change_nothing(shared_data: Path, tmp_path: Path) -> None:
    for name in ("okf/v0.1/stackoverflow", "okf/v0.1/crypto_bitcoin", "okf/v0.2/acme_retail", "vault-kepano"):
        root = tmp_path / name
        shutil.copytree(shared_data / name, root)
        before = times(root)
        store = opened(root)

        documents = [store.read(stamp.path) for stamp in store.stamps()]
        report = store.check()

        assert documents
        assert all(document.memories for document in documents)
        assert report.documents == len(documents)
        assert times(root) == before
        if name.startswith("okf"):
            assert report.healthy, report.problems


# --- disks and permissions of this machine


@pytest.fixture
def small_disk(tmp_path: Path) -> Path:
    folder = tmp_path / "small disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_in_the_middle_of_a_write_leaves_the_old_state(small_disk: Path) -> None:
    root = small_disk / "memory"
    store = new_bundle(root)
    create(store, a_memory("notes/a"))
    before = tree(root)

    with pytest.raises(WriteFailedError, match="space"):
        create(store, a_memory("notes/b"), *(a_memory(f"notes/big-{n}", "x" * 60_000) for n in range(6)))

    assert tree(root) == before
    assert store.check().healthy
    edit(store, "notes/a", body="There is room again.")


def test_a_file_system_mounted_read_only_is_a_read_only_bundle(small_disk: Path) -> None:
    root = small_disk / "memory"
    store = new_bundle(root)
    create(store, a_memory("notes/a"))
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)

    store = opened(root)

    assert store.read_only
    assert store.find("notes/a").memory.body == "Text."
    with pytest.raises(ReadOnlyBundleError):
        create(store, a_memory("notes/b"))


def _run_as_nobody(root: Path, code: str) -> str:
    """Permissions bind only people other than root. All modules are loaded first: nobody may not read those either."""
    program = f"""
import os, sys, tempfile
sys.path.insert(0, {str(Path(__file__).parent)!r})
from bundles import *
with tempfile.TemporaryDirectory() as folder:
    store = new_bundle(Path(folder) / "memory")
    create(store, a_memory("notes/a"))
    store.check(repair=True)
if os.geteuid() == 0:
    os.setgid(65534); os.setuid(65534)
root = Path({str(root)!r})
{code}
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def open_folder() -> Path:
    """A folder that other users may enter, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_a_folder_and_a_file_without_read_permission_are_reported(open_folder: Path) -> None:
    _write(open_folder, "closed/hidden.md")
    _write(open_folder, "notes/locked.md")
    _write(open_folder, "notes/open.md")
    (open_folder / "closed").chmod(0o000)
    (open_folder / "notes" / "locked.md").chmod(0o000)

    out = _run_as_nobody(
        open_folder,
        """
store = opened(root)
print([stamp.path for stamp in store.stamps()], store.read_only)
print([(problem.path, problem.code) for problem in store.check().problems])
""",
    )

    assert out == (
        "['notes/locked.md', 'notes/open.md'] True\n"
        "[('closed', 'unreadable_folder'), ('notes/locked.md', 'unreadable')]\n"
    )
