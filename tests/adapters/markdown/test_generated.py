"""Generated parts: sorted, escaped, between markers, and nothing outside of them ever changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bundles import SetClock, a_memory, create, edit, new_bundle, opened
from hypothesis import given
from hypothesis import strategies as st

from mnemic.adapters.markdown import generated
from mnemic.domain.changes import ChangeSet, Removal
from mnemic.domain.memory import State

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

BEGIN, END = generated.BEGIN, generated.END


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "memory"


def test_a_bundle_reads_like_okf(root: Path) -> None:
    store = new_bundle(root)
    create(
        store,
        a_memory("people/anna", kind="person", title="Anna Berg", description="Cardiologist in Bergen"),
        a_memory("notes/tea", title="Tea [green] <b>", description="Two\nlines", state=State.QUARANTINED),
        a_memory("top"),
    )

    assert (root / "index.md").read_text("utf-8") == (
        '---\nokf_version: "0.1"\n---\n\n<!-- mnemic:begin -->\n# Folders\n\n'
        "* [notes](notes/) - anything worth keeping\n* [people](people/) - a profile of one person\n\n"
        "# Memories\n\n* [Top](top.md)\n<!-- mnemic:end -->\n"
    )
    assert (root / "people" / "index.md").read_text("utf-8") == (
        "<!-- mnemic:begin -->\n# Memories\n\n* [Anna Berg](anna.md) - Cardiologist in Bergen\n<!-- mnemic:end -->\n"
    )
    assert "* [Tea \\[green\\] &lt;b>](tea.md) - (quarantined) Two lines\n" in (root / "notes/index.md").read_text(
        "utf-8"
    )


def test_the_log_tells_newest_first_what_happened_to_what(root: Path) -> None:
    new_bundle(root)
    clock = SetClock()
    store = opened(root, clock=clock)
    create(store, a_memory("notes/a"), summary="first words")
    clock.move(days=1)
    edit(store, "notes/a", body="New.")
    edit(store, "notes/a", state=State.ARCHIVED)
    found = store.find("notes/a")
    store.apply(ChangeSet(removals=(Removal(found.memory.id, found.revision),)))

    assert (root / "log.md").read_text("utf-8") == (
        "# Log\n\n<!-- mnemic:begin -->\n## 2026-05-04\n\n* **Forgotten**: one memory\n* **Deprecation**: (forgotten)\n"
        "* **Update**: (forgotten)\n\n## 2026-05-03\n\n* **Creation**: (forgotten)\n<!-- mnemic:end -->\n"
    )


def test_many_changes_at_once_are_one_line_in_the_log(root: Path) -> None:
    store = new_bundle(root)

    create(store, *(a_memory(f"notes/n-{number}") for number in range(21)))

    assert b"* **Creation**: 21 memories\n" in (root / "log.md").read_bytes()
    assert store.check().healthy


def test_a_title_cannot_close_the_generated_part(root: Path) -> None:
    store = new_bundle(root)

    create(store, a_memory("notes/a", title="x <!-- mnemic:end --> ](y)", description="<!-- mnemic:begin -->\n\n# Hi"))
    create(store, a_memory("notes/b"))

    assert store.check().healthy
    assert (root / "notes" / "index.md").read_bytes().count(BEGIN) == 1


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_text_of_people_around_the_markers_is_kept_byte_for_byte(root: Path, newline: str) -> None:
    store = new_bundle(root)
    create(store, a_memory("notes/a"), a_memory("notes/b"))
    above = f"\ufeff# Mine{newline}{newline}trailing blanks   {newline}".encode() + b"\xff\xfe not Unicode"
    for path in ("index.md", "notes/index.md", "log.md"):
        part = (root / path).read_bytes().replace(b"\n", newline.encode())
        (root / path).write_bytes(above + newline.encode() + part + b"\tend without newline")

    create(store, a_memory("notes/c"))
    edit(store, "notes/a", title="Other")
    found = store.find("notes/b")
    store.apply(ChangeSet(removals=(Removal(found.memory.id, found.revision),)))

    for path in ("index.md", "notes/index.md", "log.md"):
        data = (root / path).read_bytes()
        assert data.startswith(above), path
        assert data.endswith(END + newline.encode() + b"\tend without newline"), path
        part = data.partition(BEGIN)[2].partition(END)[0]
        assert part.count(b"\n") == part.count(newline.encode()), path
    assert store.check().healthy


@pytest.mark.parametrize(
    "data",
    [BEGIN, END + b"\n" + BEGIN, BEGIN + b"\n" + BEGIN + b"\n" + END, b"x " + BEGIN + b"\n" + END + b"\n", b"# Mine\n"],
)
def test_a_file_whose_markers_are_no_pair_is_left_alone(root: Path, data: bytes) -> None:
    store = new_bundle(root)
    (root / "notes").mkdir()
    (root / "notes" / "index.md").write_bytes(data)
    (root / "log.md").write_bytes(data)

    create(store, a_memory("notes/a"))

    assert (root / "notes" / "index.md").read_bytes() == (root / "log.md").read_bytes() == data
    told = {problem.path: problem.code for problem in store.check().problems}
    assert told == ({} if data == b"# Mine\n" else {"log.md": "log_markers", "notes/index.md": "index_markers"})


def test_markers_that_a_person_puts_in_are_filled(root: Path) -> None:
    store = new_bundle(root)
    (root / "notes").mkdir()
    (root / "notes" / "index.md").write_bytes(b"# My notes\n\n" + BEGIN + b"\n" + END + b"\nBye.\n")

    create(store, a_memory("notes/a"))

    assert (root / "notes" / "index.md").read_bytes() == (
        b"# My notes\n\n" + BEGIN + b"\n# Memories\n\n* [A](a.md)\n" + END + b"\nBye.\n"
    )


def test_an_index_that_is_a_link_stays_one(root: Path, tmp_path: Path) -> None:
    store = new_bundle(root)
    (tmp_path / "shared.md").write_bytes(BEGIN + b"\n" + END + b"\n")
    (root / "notes").mkdir()
    (root / "notes" / "index.md").symlink_to(tmp_path / "shared.md")

    create(store, a_memory("notes/a"))

    assert (root / "notes" / "index.md").is_symlink()
    assert (tmp_path / "shared.md").read_bytes() == BEGIN + b"\n" + END + b"\n"


def test_the_log_never_outgrows_its_limit(root: Path) -> None:
    """The oldest whole days go first; of a single endless day its oldest lines."""
    new_bundle(root)
    block: list[bytes] = []
    for day in range(1, 29):
        block = generated.with_bullets(
            block, f"2026-02-{day:02}", [f"* **Update**: {n} {'x' * 200}" for n in range(100)]
        )

    size = sum(len(line) + 1 for line in block)

    assert size <= generated.LOG_BYTES
    assert block[0] == b"## 2026-02-28"
    assert [line for line in block if line.startswith(b"## ")] == sorted(
        (line for line in block if line.startswith(b"## ")), reverse=True
    )
    for _ in range(30):
        block = generated.with_bullets(block, "2026-02-28", [f"* **Update**: {'y' * 300}"] * 100)
        assert sum(len(line) + 1 for line in block) <= generated.LOG_BYTES
    assert block[2].endswith(b"yyy")


names = st.text(
    st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from("[]()<>\\#% "), min_size=1, max_size=12
)
targets = st.from_regex(r"[a-zé東 ()%]{1,6}(/|\.md)", fullmatch=True)
entries = st.dictionaries(targets, st.tuples(names, names), max_size=12)


@given(entries, entries, st.randoms())
def test_editing_one_entry_at_a_time_gives_what_making_it_anew_gives(
    first: dict[str, tuple[str, str]], second: dict[str, tuple[str, str]], random: Random
) -> None:
    """In any order, with entries replaced and taken out again."""
    block: list[bytes] = []
    steps = [*first.items(), *second.items()]
    for target, (title, description) in random.sample(steps, len(steps)):
        block = generated.with_entry(block, generated.index_line(target, title, description))
    for target in sorted(first.keys() - second.keys()):
        block = generated.without_entry(block, target)
    for target, (title, description) in second.items():
        block = generated.with_entry(block, generated.index_line(target, title, description))

    lines = [generated.index_line(target, *told) for target, told in second.items()]
    folders = [line for (target, _), line in zip(second.items(), lines, strict=True) if target.endswith("/")]
    assert block == generated.index_block(folders, [line for line in lines if line not in folders])


outside = st.binary(max_size=40).filter(lambda data: b"mnemic:" not in data)


@given(
    outside,
    outside,
    st.sampled_from([b"\n", b"\r\n"]),
    st.lists(st.sampled_from([b"* [A](a.md)", b"", b"# Memories"]), max_size=4),
)
def test_a_file_is_cut_at_its_markers_and_put_together_again(
    before: bytes, after: bytes, newline: bytes, block: list[bytes]
) -> None:
    lead = before + newline if before else b""
    data = lead + newline.join([BEGIN, *block, END]) + newline + after

    framed = generated.framed(data)

    assert framed is not None
    assert framed.block == tuple(block)
    assert framed.with_block(framed.block) == data
    assert framed.with_block([b"new"]) == lead + newline.join([BEGIN, b"new", END]) + newline + after


@pytest.mark.parametrize("name", ["notes/tea", "tea", "notes/my tea", "заметки/чай", "notes/a+b.c"])
def test_a_forgotten_id_goes_out_of_the_notes_of_the_log_and_ids_like_it_stay(name: str) -> None:
    like = [f"{name}-2", f"old {name}", f"more/{name}", f"{name}ник", f"{name}.x"]
    lines = [generated.bullet("Deprecation", "notes/old.md", "Old", f"Remember {each}").encode() for each in like]
    log = generated.framed(generated.fresh(generated.LOG_HEAD))
    assert log is not None
    named = generated.bullet("Deprecation", "notes/old.md", "Old", f"Remember {name}").encode()
    theirs = f"I wrote: Remember {name}\n".encode()

    data = generated.redacted(theirs + log.with_block([named, *lines]), f"{name}.md")

    assert data == theirs + log.with_block([b"* **Deprecation**: [Old](/notes/old.md)", *lines])


def test_what_changes_about_a_memory_of_the_past_is_no_deprecation(root: Path) -> None:
    store = new_bundle(root)
    create(store, a_memory("notes/a", title="A"))
    edit(store, "notes/a", state=State.ARCHIVED)
    edit(store, "notes/a", body="New.")

    text = (root / "log.md").read_text("utf-8")
    assert [text.count(f"**{verb}**") for verb in ("Creation", "Deprecation", "Update")] == [1, 1, 1]
