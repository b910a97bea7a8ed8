"""The vault's log of writes: what a kill or a power cut leaves of it, and that nothing forgotten stays in it."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vault_samples import ANNA, BELA, NOW, a_vault, file_of, filled, holders, run

from mnemic.adapters.ledger import vault_file
from mnemic.errors import BundleBusyError

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
TEXTS = [b"Anna drinks tea.", b"Anna drinks coffee.", b"Anna drinks both."]


def log_of(place: Path) -> Path:
    return file_of(place).with_name("vault.db-wal")


def traces(place: Path) -> list[bytes]:
    """Bytes of Anna's key, nonces and ciphertexts."""
    rows = run(place, "select data, nonce from version where uid = ?", ANNA)
    rows += run(place, "select key from memory where uid = ?", ANNA)
    return [bytes(blob)[:12] for row in rows for blob in row]  # type: ignore[call-overload]


def test_a_version_is_in_the_log_first_and_in_the_file_when_the_last_connection_is_closed(tmp_path: Path) -> None:
    vault = filled(tmp_path, durable=True)
    assert log_of(tmp_path).stat().st_size > 0

    vault.close()

    assert [path.name for path in file_of(tmp_path).parent.glob("vault*")] == ["vault.db"]
    assert a_vault(tmp_path).get(ANNA, 3) == TEXTS[2]


def test_the_file_alone_tells_of_its_key(tmp_path: Path) -> None:
    """A copy that was made without the log is an older vault, not a broken one."""
    vault = filled(tmp_path)
    copy = tmp_path / "copy"
    (copy / "bundle").mkdir(parents=True)
    shutil.copytree(tmp_path / "keys", copy / "keys")
    for name in ("vault.db", "key.json"):
        shutil.copy(file_of(tmp_path).with_name(name), copy / "bundle" / name)

    assert a_vault(copy).versions(ANNA) == ()
    assert a_vault(copy).put(ANNA, b"anew", NOW) == 1
    assert len(vault.versions(ANNA)) == 3


def _crashed() -> dict[str, bytes]:
    """The files of a vault in use, as a killed process leaves them."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        place = Path(folder)
        vault = filled(place)
        found = {
            str(path.relative_to(place)): path.read_bytes()
            for path in place.rglob("*")
            if path.is_file() and path.suffix != ".db-shm"
        }
        vault.close()
    return found


CRASHED = _crashed()
LOG = "bundle/vault.db-wal"


def _kept(log: bytes) -> list[bytes]:
    """Anna's versions in a vault with this log; nothing may be wrong with it, and it must go on."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        place = Path(folder)
        for name, data in (CRASHED | {LOG: log}).items():
            (place / name).parent.mkdir(exist_ok=True)
            (place / name).write_bytes(data)
        vault = a_vault(place)
        kept = [vault.get(ANNA, version.number) for version in vault.versions(ANNA)]
        assert vault.check() == ()
        assert vault.put(ANNA, b"the next", NOW) == len(kept) + 1
        vault.close()
        return kept


def test_a_killed_process_loses_nothing() -> None:
    assert _kept(CRASHED[LOG]) == TEXTS


@given(st.integers(0, len(CRASHED[LOG])))
def test_wherever_a_power_cut_ends_the_log_the_vault_is_whole_as_it_was_some_versions_ago(end: int) -> None:
    kept = _kept(CRASHED[LOG][:end])

    assert kept == TEXTS[: len(kept)]


@given(st.integers(0, len(CRASHED[LOG]) - 1), st.integers(1, 255))
def test_whatever_a_power_cut_makes_of_a_byte_in_the_log_the_vault_is_whole(at: int, bits: int) -> None:
    data = CRASHED[LOG]

    kept = _kept(data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :])

    assert kept == TEXTS[: len(kept)]


# -- nothing stays -----------------------------------------------------------------------------------------------------


def test_what_is_destroyed_is_in_no_file_while_others_have_it_open(tmp_path: Path) -> None:
    vault = filled(tmp_path, durable=True)
    other = a_vault(tmp_path, durable=True)
    assert other.get(BELA, 1) == b"Bela bakes bread."
    wanted = traces(tmp_path)
    assert holders(tmp_path, *wanted) != []

    assert vault.destroy(ANNA) == 3

    assert holders(tmp_path, *wanted, ANNA.encode()) == []
    assert other.versions(ANNA) == ()
    assert other.put(BELA, b"Bela bakes rolls.", NOW) == 2
    assert vault.get(BELA, 2) == b"Bela bakes rolls."


def test_what_was_in_file_and_log_is_destroyed_in_both(tmp_path: Path) -> None:
    vault = filled(tmp_path)
    vault.close()
    vault.put(ANNA, b"Anna drinks water.", NOW)
    wanted = traces(tmp_path)

    vault.destroy(ANNA)

    assert holders(tmp_path, *wanted) == []
    vault.close()
    assert holders(tmp_path, *wanted) == []


def test_a_change_of_the_key_leaves_no_wrapped_key_of_before(tmp_path: Path) -> None:
    vault = filled(tmp_path)
    (old,) = run(tmp_path, "select key from memory where uid = ?", ANNA)

    vault.rotate()

    assert holders(tmp_path, bytes(old[0])[:16]) == []  # type: ignore[call-overload]
    assert vault.get(ANNA, 3) == TEXTS[2]


def test_while_somebody_reads_what_is_to_be_destroyed_it_waits_and_then_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vault_file, "WAIT_SECONDS", 0.05)
    vault = filled(tmp_path)
    vault.close()
    vault.put(ANNA, b"Anna drinks water.", NOW)
    wanted = traces(tmp_path)
    with closing(sqlite3.connect(file_of(tmp_path), isolation_level=None)) as reader:
        reader.execute("begin")
        assert reader.execute("select count(*) from version").fetchone() == (5,)

        with pytest.raises(BundleBusyError):
            vault.destroy(ANNA)

        assert vault.versions(ANNA) == ()
        reader.execute("commit")

    vault.destroy(ANNA)  # once more, as whoever owes an erasure does
    assert holders(tmp_path, *wanted) == []


@pytest.mark.parametrize("durable", [False, True])
def test_where_no_log_can_be_had_it_does_without(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    durable: bool,  # noqa: FBT001
) -> None:
    monkeypatch.setattr(vault_file, "_LOGGED", "nolog")
    vault = filled(tmp_path, durable=durable)
    wanted = traces(tmp_path)
    assert not log_of(tmp_path).exists()

    assert vault.destroy(ANNA) == 3

    assert holders(tmp_path, *wanted, ANNA.encode()) == []
    assert vault.get(BELA, 1) == b"Bela bakes bread."


def test_what_is_settled_is_there_for_every_other_process(tmp_path: Path) -> None:
    vault = filled(tmp_path, durable=True)
    vault.put(ANNA, b"Anna drinks water.", NOW)

    vault.settle()

    ask = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from pathlib import Path\nfrom vault_samples import ANNA, a_vault\n"
        f"print(a_vault(Path({str(tmp_path)!r})).get(ANNA, 4).decode())"
    )
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout == "Anna drinks water.\n"
    assert a_vault(tmp_path / "none").settle() is None  # type: ignore[func-returns-value] - nothing to wait for
