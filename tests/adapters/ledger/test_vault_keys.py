"""The key of a bundle: where it is kept, what happens without it, and how another one takes its place."""

from __future__ import annotations

import json
import os
import shutil
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from vault_samples import ANNA, BELA, NOW, a_vault, file_of, filled, holders, key_files, run

from mnemic.adapters.ledger.keys import KeyPlace, Keys
from mnemic.adapters.ledger.vault import SqliteVault
from mnemic.errors import VaultDamagedError, VaultLockedError

if TYPE_CHECKING:
    from pathlib import Path

WAYS = [KeyPlace.FILE, KeyPlace.PASSPHRASE, KeyPlace.KEYRING]


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The package `keyring`, on a dictionary."""
    kept: dict[str, str] = {}

    def named(service: str, name: str) -> str:
        return f"{service}/{name}"

    module = SimpleNamespace(
        get_password=lambda service, name: kept.get(named(service, name)),
        set_password=lambda service, name, password: kept.__setitem__(named(service, name), password),
        delete_password=lambda service, name: kept.pop(named(service, name)),
    )
    monkeypatch.setitem(sys.modules, "keyring", module)  # type: ignore[arg-type]
    return kept


# -- kept --------------------------------------------------------------------------------------------------------------


def test_the_key_is_a_file_of_the_user_outside_of_the_bundle_for_nobody_else(tmp_path: Path) -> None:
    filled(tmp_path)

    (path,) = key_files(tmp_path)

    assert path.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "keys").stat().st_mode & 0o777 == 0o700
    key = bytes.fromhex(path.read_text())
    assert len(key) == 32
    assert holders(tmp_path / "bundle", key, key.hex().encode()) == []
    assert file_of(tmp_path).stat().st_mode & 0o777 == 0o600


def test_the_bundle_names_its_key_for_people(tmp_path: Path) -> None:
    filled(tmp_path)

    note = json.loads((tmp_path / "bundle" / "key.json").read_text())

    assert note["id"] == key_files(tmp_path)[0].stem
    assert note["way"] == "file"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes there")
def test_a_named_pipe_in_the_place_of_a_key_is_told_and_holds_nobody(tmp_path: Path) -> None:
    filled(tmp_path).close()
    (key,) = key_files(tmp_path)
    key.unlink()
    os.mkfifo(key)

    with pytest.raises(VaultLockedError, match="is no file"):
        a_vault(tmp_path).get(ANNA, 1)


def test_a_passphrase_is_kept_nowhere_and_costs_its_guesser(tmp_path: Path) -> None:
    filled(tmp_path, way=KeyPlace.PASSPHRASE)

    note = json.loads((tmp_path / "bundle" / "key.json").read_text())

    assert (note["way"], note["cost"], note["block"], note["lanes"]) == ("passphrase", 2**15, 8, 1)
    assert len(bytes.fromhex(note["salt"])) == 16
    assert holders(tmp_path, b"seven small boats") == []
    assert not (tmp_path / "keys").exists()
    assert a_vault(tmp_path).get(ANNA, 1) == b"Anna drinks tea."


def test_a_passphrase_is_the_same_however_its_letters_are_composed(tmp_path: Path) -> None:
    filled(tmp_path, way=KeyPlace.PASSPHRASE, passphrase="mu\u0308de Bären")

    assert a_vault(tmp_path, passphrase="m\u00fcde Ba\u0308ren").get(ANNA, 1) == b"Anna drinks tea."


def test_it_comes_from_the_environment_where_nobody_asks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path, way=KeyPlace.PASSPHRASE)
    keys = Keys(tmp_path / "keys")
    vault = SqliteVault(tmp_path / "bundle", keys=keys, lock=lambda: pytest.fail("nothing is written"))
    with pytest.raises(VaultLockedError) as told:
        vault.get(ANNA, 1)
    assert "MNEMIC_PASSPHRASE" in told.value.hint

    monkeypatch.setenv("MNEMIC_PASSPHRASE", "seven small boats")

    assert vault.get(ANNA, 1) == b"Anna drinks tea."


def test_a_key_in_the_systems_keyring(tmp_path: Path, ring: dict[str, str]) -> None:
    filled(tmp_path, way=KeyPlace.KEYRING)

    (name,) = ring
    assert name.startswith("mnemic/")
    assert not (tmp_path / "keys").exists()
    assert a_vault(tmp_path).get(ANNA, 1) == b"Anna drinks tea."


# -- missing or wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (None, "is missing"),
        (b"", "another key"),
        (b"zz\n", "damaged"),
        (b"\xff\xfe", "damaged"),
        (b"00" * 32, "another key"),
    ],
)
def test_without_the_right_key_file_it_says_what_is_lost_and_what_to_do(
    tmp_path: Path, left: bytes | None, said: str
) -> None:
    filled(tmp_path).close()
    (path,) = key_files(tmp_path)
    path.unlink() if left is None else path.write_bytes(left)
    vault = a_vault(tmp_path)

    for call in (
        lambda: vault.get(ANNA, 1), lambda: vault.put(ANNA, b"x", NOW), lambda: vault.commit(ANNA, "x"),
        lambda: vault.secret("x"), vault.rotate, vault.check,
    ):  # fmt: skip
        with pytest.raises(VaultLockedError, match=said) as told:
            call()
        assert str(path) in told.value.message
        assert "the documents can" in told.value.hint


def test_without_its_key_a_vault_still_tells_its_versions_and_forgets(tmp_path: Path) -> None:
    filled(tmp_path).close()
    key_files(tmp_path)[0].unlink()
    vault = a_vault(tmp_path)

    assert [version.number for version in vault.versions(ANNA)] == [1, 2, 3]
    assert vault.destroy(ANNA) == 3
    assert vault.versions(ANNA) == ()


@pytest.mark.parametrize(("given", "said"), [("seven big boats", "wrong"), ("", "not given")])
def test_a_wrong_passphrase_is_told_at_once(tmp_path: Path, given: str, said: str) -> None:
    filled(tmp_path, way=KeyPlace.PASSPHRASE).close()

    with pytest.raises(VaultLockedError, match=said):
        a_vault(tmp_path, passphrase=given).get(ANNA, 1)


def test_without_the_package_for_keyrings_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)

    with pytest.raises(VaultLockedError) as told:
        a_vault(tmp_path, way=KeyPlace.KEYRING).put(ANNA, b"x", NOW)
    assert told.value.message == (
        "A key for the vault cannot be made: the system's keyring is needed, and the package keyring is not installed."
    )
    assert told.value.hint == "Install the package keyring: pip install 'mnemic[keyring]'"
    assert a_vault(tmp_path).put(ANNA, b"x", NOW) == 1  # where a file is chosen instead


def test_a_rotation_into_a_keyring_that_is_not_there_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path).close()
    before = key_files(tmp_path)
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(VaultLockedError, match="A key for the vault cannot be made"):
        a_vault(tmp_path).rotate(KeyPlace.KEYRING)

    again = a_vault(tmp_path)
    number = again.put(ANNA, b"said later", NOW)

    assert again.get(ANNA, number) == b"said later"
    assert key_files(tmp_path) == before
    again.rotate(KeyPlace.FILE)
    assert a_vault(tmp_path).get(ANNA, number) == b"said later"


def test_an_old_key_that_cannot_be_taken_away_now_stops_no_write_and_goes_later(
    tmp_path: Path, ring: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = filled(tmp_path, way=KeyPlace.KEYRING)
    with monkeypatch.context() as locked:
        locked.setattr(sys.modules["keyring"], "delete_password", lambda *_: 1 / 0)
        with pytest.raises(VaultLockedError):
            vault.rotate(KeyPlace.FILE)
        vault.close()
        assert a_vault(tmp_path).put(ANNA, b"said later", NOW) > 1
        assert len(ring) == 1

    a_vault(tmp_path).put(ANNA, b"said last", NOW)

    assert ring == {}


def test_a_keyring_that_fails_or_has_lost_the_key_is_told(tmp_path: Path, ring: dict[str, str]) -> None:
    filled(tmp_path, way=KeyPlace.KEYRING).close()
    (name,) = ring
    for spoilt in ("no key", "00" * 32):
        ring[name] = spoilt
        with pytest.raises(VaultLockedError):
            a_vault(tmp_path).get(ANNA, 1)
    ring.clear()
    with pytest.raises(VaultLockedError, match="has no key"):
        a_vault(tmp_path).get(ANNA, 1)

    def fails(*_: object) -> str:
        raise OSError("locked")

    sys.modules["keyring"].get_password = fails
    with pytest.raises(VaultLockedError, match="keyring failed: locked"):
        a_vault(tmp_path).get(ANNA, 1)


@pytest.mark.parametrize(
    "field", [("cost", 3), ("cost", 2**40), ("cost", -1), ("block", "8"), ("salt", "zz"), ("way", "x")]
)
def test_a_note_with_impossible_numbers_does_no_harm(tmp_path: Path, field: tuple[str, object]) -> None:
    filled(tmp_path, way=KeyPlace.PASSPHRASE).close()
    note = json.loads((tmp_path / "bundle" / "key.json").read_text())
    run(tmp_path, "update meta set value = ? where key = 'note'", json.dumps(note | dict([field])))

    with pytest.raises((VaultLockedError, VaultDamagedError)):
        a_vault(tmp_path).get(ANNA, 1)


# -- another one -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", WAYS)
@pytest.mark.parametrize("after", WAYS)
def test_a_key_can_be_changed_for_another_of_any_sort(
    tmp_path: Path, ring: dict[str, str], before: KeyPlace, after: KeyPlace
) -> None:
    vault = filled(tmp_path, way=before)
    old = run(tmp_path, "select key from memory order by uid")
    secret = vault.secret("anchor")

    vault.rotate(after)

    fresh = a_vault(tmp_path)
    assert fresh.get(ANNA, 2) == b"Anna drinks coffee."
    assert fresh.secret("anchor") == secret
    assert (len(key_files(tmp_path)), len(ring)) == (after is KeyPlace.FILE, after is KeyPlace.KEYRING)
    note = json.loads((tmp_path / "bundle" / "key.json").read_text())
    assert note["way"] == after
    assert holders(tmp_path, *(bytes(row[0])[:12] for row in old)) == []  # type: ignore[call-overload]


def test_another_passphrase(tmp_path: Path) -> None:
    vault = filled(tmp_path, way=KeyPlace.PASSPHRASE)

    vault.rotate(keys=Keys(tmp_path / "keys", passphrase=lambda: "nine old trees"))

    assert vault.get(ANNA, 1) == b"Anna drinks tea."
    assert a_vault(tmp_path, passphrase="nine old trees").get(BELA, 1) == b"Bela bakes bread."
    with pytest.raises(VaultLockedError):
        a_vault(tmp_path).get(ANNA, 1)


def test_a_copy_made_before_a_rotation_is_worth_nothing_after(tmp_path: Path) -> None:
    vault = filled(tmp_path)
    shutil.copytree(tmp_path / "bundle", tmp_path / "copy")

    vault.rotate()

    shutil.rmtree(tmp_path / "bundle")
    (tmp_path / "copy").rename(tmp_path / "bundle")
    with pytest.raises(VaultLockedError):
        a_vault(tmp_path).get(ANNA, 1)


def test_another_process_that_has_it_open_goes_on_after_a_rotation(tmp_path: Path) -> None:
    vault, other = filled(tmp_path), a_vault(tmp_path)
    assert other.get(ANNA, 1) == b"Anna drinks tea."

    vault.rotate()

    assert other.get(ANNA, 1) == b"Anna drinks tea."
    assert other.put(ANNA, b"more", NOW) == 4
    assert vault.get(ANNA, 4) == b"more"


def test_a_vault_with_a_damaged_key_is_not_rotated(tmp_path: Path) -> None:
    """Half of it under another key would be worse."""
    vault = filled(tmp_path)
    run(tmp_path, "update memory set key = zeroblob(60) where uid = ?", BELA)

    with pytest.raises(VaultDamagedError):
        vault.rotate()

    assert a_vault(tmp_path).get(ANNA, 1) == b"Anna drinks tea."
    vault.destroy(BELA)
    vault.rotate()
    assert len(key_files(tmp_path)) == 1
    assert a_vault(tmp_path).get(ANNA, 1) == b"Anna drinks tea."


def test_an_empty_vault_is_founded_by_a_rotation(tmp_path: Path) -> None:
    vault = a_vault(tmp_path)

    vault.rotate()

    assert not vault.found()
    assert len(key_files(tmp_path)) == 1
