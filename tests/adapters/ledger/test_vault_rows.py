"""What is put into a vault comes back as it was, or not at all."""

from __future__ import annotations

import tempfile
import threading
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from vault_samples import ANNA, BELA, NOW, a_vault, file_of, filled, holders, run

from mnemic.adapters.ledger import vault_file
from mnemic.errors import BundleBusyError, MnemicError, VaultDamagedError, VaultError, VersionNotFoundError

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


@given(st.lists(st.binary(max_size=2_000), min_size=1, max_size=5))
def test_any_content_comes_back(contents: list[bytes]) -> None:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        vault = a_vault(Path(folder))
        numbers = [vault.put(ANNA, content, NOW) for content in contents]
        fresh = a_vault(Path(folder))

        assert [fresh.get(ANNA, number) for number in numbers] == contents
        assert fresh.check() == ()


@given(st.text(st.characters(exclude_categories=("C",)), min_size=1), st.text())
def test_any_name_and_fingerprint_will_do(uid: str, fingerprint: str) -> None:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        vault = a_vault(Path(folder))
        vault.put(uid, b"tea", NOW)

        assert vault.get(uid, 1) == b"tea"
        assert vault.commit(uid, fingerprint) == a_vault(Path(folder)).commit(uid, fingerprint)


def test_nothing_that_was_put_can_be_read_from_the_disk(tmp_path: Path) -> None:
    filled(tmp_path)

    assert holders(tmp_path, b"tea", b"coffee", b"bread") == []
    assert set(holders(tmp_path, ANNA.encode())) == {"vault.db"}


def test_no_nonce_is_used_twice(tmp_path: Path) -> None:
    vault = a_vault(tmp_path)
    with vault.grouped():
        for number in range(300):
            vault.put(ANNA, b"%d" % number, NOW)
    for number in range(100):
        vault.put(f"memory-{number}", b"tea", NOW)
        vault.rotate() if number % 40 == 0 else None

    nonces = [
        row[0] for row in run(tmp_path, "select nonce from version union all select substr(key, 1, 12) from memory")
    ]

    assert len(nonces) == 501
    assert len(set(nonces)) == 501


def test_the_same_content_does_not_look_the_same(tmp_path: Path) -> None:
    vault = filled(tmp_path)
    vault.put(ANNA, b"Anna drinks tea.", NOW)
    vault.put(BELA, b"Anna drinks tea.", NOW)

    rows = run(
        tmp_path, "select data from version where (uid, number) in (values (?, 1), (?, 4), (?, 2))", ANNA, ANNA, BELA
    )

    assert len(set(rows)) == 3


# -- tampered with -----------------------------------------------------------------------------------------------------

ROWS = [(ANNA, 1), (ANNA, 2), (ANNA, 3), (BELA, 1)]


@pytest.mark.parametrize(("one", "other"), list(combinations(ROWS, 2)))
def test_rows_that_change_places_are_noticed(tmp_path: Path, one: tuple[str, int], other: tuple[str, int]) -> None:
    vault = filled(tmp_path)
    contents = {
        row: run(tmp_path, "select nonce, data from version where uid = ? and number = ?", *row)[0] for row in ROWS
    }
    for row, instead in ((one, other), (other, one)):
        run(tmp_path, "update version set nonce = ?, data = ? where uid = ? and number = ?", *contents[instead], *row)

    for row in (one, other):
        with pytest.raises(VaultDamagedError, match="another's place"):
            vault.get(*row)
    assert len(vault.check()) == 2


@pytest.mark.parametrize(
    "statement",
    [
        "update version set number = 9 where number = 3",
        "update version set at = at + 1 where number = 3",
        "update version set data = substr(data, 2) where number = 3",
        "update version set data = x'' where number = 3",
        "update version set data = 'text' where number = 3",
        "update version set data = 3 where number = 3",
        "update version set nonce = x'00' where number = 3",
        "update version set nonce = 7 where number = 3",
        "update version set nonce = zeroblob(12) where number = 3",
        "update version set uid = 'somebody' where number = 3",
    ],
)
def test_a_row_that_was_changed_is_noticed(tmp_path: Path, statement: str) -> None:
    vault = filled(tmp_path)
    run(tmp_path, statement)

    (row,) = run(tmp_path, "select uid, number from version where number not in (1, 2)")
    with pytest.raises((VaultDamagedError, VersionNotFoundError)):
        vault.get(*row)  # type: ignore[arg-type]
    assert vault.check() == (f"version {row[1]} of {row[0]} cannot be decrypted",)
    assert vault.get(ANNA, 1) == b"Anna drinks tea."


def test_keys_that_change_places_are_noticed(tmp_path: Path) -> None:
    vault = filled(tmp_path)
    keys = dict(run(tmp_path, "select uid, key from memory"))  # type: ignore[arg-type]
    run(tmp_path, "update memory set key = ? where uid = ?", keys[BELA], ANNA)

    with pytest.raises(VaultDamagedError, match=f"the key of {ANNA} was altered"):
        vault.get(ANNA, 1)
    with pytest.raises(VaultDamagedError):
        vault.put(ANNA, b"more", NOW)
    assert len(vault.check()) == 4
    assert vault.get(BELA, 1) == b"Bela bakes bread."


@pytest.mark.parametrize(
    "spoilt", ["x", "", "{}", '{"format": "mnemic key 1", "id": "../../x"}', '{"format": "other"}', "[]"]
)
def test_a_note_that_is_damaged_is_told(tmp_path: Path, spoilt: str) -> None:
    filled(tmp_path)
    run(tmp_path, "update meta set value = ? where key = 'note'", spoilt)

    with pytest.raises(VaultDamagedError) as told:
        a_vault(tmp_path).get(ANNA, 1)
    assert "backup" in told.value.hint


def _whole() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        filled(Path(folder)).close()
        return {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


WHOLE = _whole()


def looked_at(data: bytes) -> list[bytes | None]:
    """What a vault with this database gives for every row; None where it says that something is wrong."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        for name, content in (WHOLE | {"bundle/vault.db": data}).items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        given: list[bytes | None] = []
        for row in ROWS:
            try:
                given.append(a_vault(Path(folder)).get(*row))
            except MnemicError:
                given.append(None)
        return given


RIGHT = [b"Anna drinks tea.", b"Anna drinks coffee.", b"Anna drinks both.", b"Bela bakes bread."]


def test_the_sample_itself_is_whole() -> None:
    assert looked_at(WHOLE["bundle/vault.db"]) == RIGHT


@given(st.integers(0, len(WHOLE["bundle/vault.db"]) - 1), st.integers(1, 255))
@example(20459, 1)  # SQLite's index leads to the row of another version
@example(3788, 128)  # its message about the damage is no UTF-8
def test_whatever_byte_of_the_file_is_hit_no_wrong_content_comes_out(at: int, bits: int) -> None:
    data = WHOLE["bundle/vault.db"]

    given = looked_at(data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :])

    assert all(content is None or content == right for content, right in zip(given, RIGHT, strict=True))


@given(st.integers(0, len(WHOLE["bundle/vault.db"]) - 1))
def test_wherever_the_file_is_cut_no_wrong_content_comes_out(end: int) -> None:
    given = looked_at(WHOLE["bundle/vault.db"][:end])

    assert all(content is None or content == right for content, right in zip(given, RIGHT, strict=True))


# -- the file ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, 100, 5_000])
def test_a_file_that_was_cut_off_is_told_and_left_alone(tmp_path: Path, size: int) -> None:
    filled(tmp_path).close()
    left = file_of(tmp_path).read_bytes()[:size]
    file_of(tmp_path).write_bytes(left)

    for call in (
        lambda vault: vault.get(ANNA, 1), lambda vault: vault.put(ANNA, b"x", NOW), lambda vault: vault.destroy(ANNA)
    ):  # fmt: skip
        with pytest.raises(VaultDamagedError) as told:
            call(a_vault(tmp_path))
        assert "backup" in told.value.hint
    assert file_of(tmp_path).read_bytes() == left


def test_a_file_that_is_gone_is_told_until_somebody_decides(tmp_path: Path) -> None:
    filled(tmp_path).close()
    file_of(tmp_path).unlink()

    with pytest.raises(VaultDamagedError, match="missing or empty") as told:
        a_vault(tmp_path).put(ANNA, b"x", NOW)
    assert str(tmp_path / "bundle" / "key.json") in told.value.hint
    assert not file_of(tmp_path).exists()

    (tmp_path / "bundle" / "key.json").unlink()
    assert a_vault(tmp_path).put(ANNA, b"x", NOW) == 1


def test_a_folder_in_the_place_of_the_note_is_told_and_keeps_nobody_from_reading(tmp_path: Path) -> None:
    filled(tmp_path).close()
    note = tmp_path / "bundle" / "key.json"
    note.unlink()
    note.mkdir()

    assert a_vault(tmp_path).get(ANNA, 1) == b"Anna drinks tea."
    with pytest.raises(VaultError, match=r"key\.json cannot be written"):
        a_vault(tmp_path).put(ANNA, b"x", NOW)


def test_garbage_is_told_and_left_alone(tmp_path: Path) -> None:
    filled(tmp_path).close()
    file_of(tmp_path).write_bytes(b"nothing of the kind " * 300)

    with pytest.raises(VaultDamagedError):
        a_vault(tmp_path).get(ANNA, 1)
    assert file_of(tmp_path).read_bytes().startswith(b"nothing")


def test_a_database_of_another_program_is_told_and_left_alone(tmp_path: Path) -> None:
    file_of(tmp_path).parent.mkdir()
    run(tmp_path, "create table theirs(x)")

    with pytest.raises(VaultDamagedError, match="another program"):
        a_vault(tmp_path).put(ANNA, b"x", NOW)
    assert run(tmp_path, "select name from sqlite_master") == [("theirs",)]


def test_a_vault_of_a_later_version_is_told_and_left_alone(tmp_path: Path) -> None:
    filled(tmp_path).close()
    run(tmp_path, "pragma user_version=2")

    with pytest.raises(VaultDamagedError, match="version 2") as told:
        a_vault(tmp_path).get(ANNA, 1)
    assert "update mnemic" in told.value.hint


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    filled(tmp_path).close()
    file_of(tmp_path).rename(tmp_path / "elsewhere.db")
    file_of(tmp_path).symlink_to(tmp_path / "elsewhere.db")

    with pytest.raises(VaultDamagedError, match="symbolic link"):
        a_vault(tmp_path).get(ANNA, 1)


def test_while_another_program_writes_it_waits_and_then_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vault_file, "WAIT_SECONDS", 0.05)
    filled(tmp_path).close()
    other = vault_file.VaultFile(file_of(tmp_path), durable=False)

    with other.grouped(), pytest.raises(BundleBusyError):
        a_vault(tmp_path).put(ANNA, b"x", NOW)


def test_nothing_is_erased_within_a_group(tmp_path: Path) -> None:
    vault = filled(tmp_path)

    with pytest.raises(VaultError, match="group"), vault.grouped():
        vault.destroy(ANNA)

    assert vault.get(ANNA, 1) == b"Anna drinks tea."


def test_other_threads_wait_for_a_group(tmp_path: Path) -> None:
    vault = filled(tmp_path)
    seen: list[int] = []
    reader = threading.Thread(target=lambda: seen.append(len(vault.versions(ANNA))))

    with vault.grouped():
        vault.put(ANNA, b"one", NOW)
        reader.start()
        vault.put(ANNA, b"two", NOW)
    reader.join()

    assert seen == [5]


# -- destroyed ---------------------------------------------------------------------------------------------------------


def test_of_what_was_destroyed_no_byte_is_left_in_any_file(tmp_path: Path) -> None:
    vault = a_vault(tmp_path, durable=True)
    with vault.grouped():
        for number in range(200):
            vault.put(f"memory-{number}", b"%d " % number * 100, NOW)
            vault.put(ANNA, b"Anna's version %d " % number * 20, NOW)
    rows = run(tmp_path, "select data, nonce from version where uid = ?", ANNA)
    (key,) = run(tmp_path, "select key from memory where uid = ?", ANNA)
    traces = [bytes(blob)[:12] for row in (*rows, key) for blob in row]  # type: ignore[call-overload]
    assert set(holders(tmp_path, *traces)) & {"vault.db", "vault.db-wal"}

    assert vault.destroy(ANNA) == 200

    assert holders(tmp_path, *traces, ANNA.encode()) == []
    assert vault.get("memory-7", 1) == b"7 " * 100


def test_a_copy_of_the_key_does_not_open_what_comes_after(tmp_path: Path) -> None:
    """The same name later gets a key of its own, and numbers from 1."""
    vault = filled(tmp_path)
    (old,) = run(tmp_path, "select key from memory where uid = ?", ANNA)
    vault.destroy(ANNA)
    assert vault.put(ANNA, b"anew", NOW) == 1
    run(tmp_path, "update memory set key = ? where uid = ?", *old, ANNA)

    with pytest.raises(VaultDamagedError):
        vault.get(ANNA, 1)
