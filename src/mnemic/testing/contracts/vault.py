"""What every vault must do.

```python
class TestMyVault(VaultContract):
    @pytest.fixture
    def vault(self, tmp_path): return MyVault(tmp_path)
```
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from mnemic.domain.vault import Version
from mnemic.errors import VersionNotFoundError

if TYPE_CHECKING:
    from mnemic.ports import Vault

NOON = datetime(2026, 5, 3, 12, 0, 0, 7, tzinfo=timezone(timedelta(hours=2)))
HOUR = timedelta(hours=1)
ANNA, BELA = "0190a1b2-0000-7000-8000-00000000000a", "0190a1b2-0000-7000-8000-00000000000b"


class VaultContract:
    """Inherit from it and give the fixture `vault`: an empty `Vault`."""

    def test_before_anything_was_put_there_is_nothing(self, vault: Vault) -> None:
        assert vault.versions(ANNA) == ()
        assert vault.secret("anchor") is None
        assert vault.destroy(ANNA) == 0
        assert vault.check() == ()
        with pytest.raises(VersionNotFoundError):
            vault.get(ANNA, 1)

    def test_it_is_founded_once(self, vault: Vault) -> None:
        assert vault.found()
        assert not vault.found()

    def test_versions_are_numbered_and_come_back(self, vault: Vault) -> None:
        contents = [b"Anna drinks tea.", b"", b"Anna drinks coffee.", b"Anna drinks tea.", bytes(range(256)) * 40]

        numbers = [vault.put(ANNA, content, NOON + n * HOUR) for n, content in enumerate(contents)]

        assert numbers == [1, 2, 3, 4, 5]
        assert [vault.get(ANNA, number) for number in numbers] == contents
        assert vault.versions(ANNA) == tuple(Version(n, NOON + (n - 1) * HOUR) for n in numbers)

    def test_the_newest_version_comes_with_its_content(self, vault: Vault) -> None:
        assert vault.newest(ANNA) is None
        vault.put(ANNA, b"tea", NOON)
        vault.put(ANNA, b"coffee", NOON + HOUR)

        assert vault.newest(ANNA) == (Version(2, NOON + HOUR), b"coffee")
        assert vault.newest(BELA) is None

    def test_the_same_content_once_more_is_no_new_version(self, vault: Vault) -> None:
        assert vault.put(ANNA, b"tea", NOON) == 1
        assert vault.put(ANNA, b"tea", NOON + HOUR) == 1

        assert vault.versions(ANNA) == (Version(1, NOON),)

    def test_what_stood_at_a_moment_is_the_newest_version_of_then(self, vault: Vault) -> None:
        vault.put(ANNA, b"tea", NOON)
        vault.put(ANNA, b"coffee", NOON + 2 * HOUR)
        vault.put(BELA, b"milk", NOON + HOUR)

        assert vault.standing(NOON - HOUR) == {}
        assert vault.standing(NOON) == {ANNA: 1}
        assert vault.standing(NOON + HOUR) == {ANNA: 1, BELA: 1}
        assert vault.standing() == {ANNA: 2, BELA: 1}

    def test_what_changed_since_a_moment_is_told_with_what_stood_then(self, vault: Vault) -> None:
        assert vault.changed_since(NOON) == {}

        vault.put(ANNA, b"tea", NOON)
        vault.put(ANNA, b"coffee", NOON + 2 * HOUR)
        vault.put(ANNA, b"milk", NOON + 3 * HOUR)
        vault.put(BELA, b"milk", NOON + HOUR)

        assert vault.changed_since(NOON - HOUR) == {ANNA: (None, 3), BELA: (None, 1)}
        assert vault.changed_since(NOON) == {ANNA: (1, 3), BELA: (None, 1)}
        assert vault.changed_since(NOON + HOUR) == {ANNA: (1, 3)}
        assert vault.changed_since(NOON + 2 * HOUR) == {ANNA: (2, 3)}
        assert vault.changed_since(NOON + 3 * HOUR) == {}

        vault.destroy(ANNA)
        assert vault.changed_since(NOON) == {BELA: (None, 1)}

    def test_memories_do_not_see_each_other(self, vault: Vault) -> None:
        vault.put(ANNA, b"tea", NOON)
        vault.put(BELA, b"coffee", NOON)

        assert (vault.get(ANNA, 1), vault.get(BELA, 1)) == (b"tea", b"coffee")
        for uid, number in ((ANNA, 0), (ANNA, 2), ("", 1), (ANNA[:-1], 1)):
            with pytest.raises(VersionNotFoundError):
                vault.get(uid, number)

    def test_what_was_destroyed_is_gone_and_nothing_else(self, vault: Vault) -> None:
        vault.put(ANNA, b"tea", NOON)
        vault.put(ANNA, b"coffee", NOON)
        vault.put(BELA, b"milk", NOON)

        assert vault.destroy(ANNA) == 2
        assert vault.destroy(ANNA) == 0

        assert vault.versions(ANNA) == ()
        with pytest.raises(VersionNotFoundError):
            vault.get(ANNA, 1)
        assert vault.get(BELA, 1) == b"milk"
        assert vault.check() == ()

    def test_of_a_renewed_memory_only_the_newest_version_is_left_under_its_number_and_another_key(
        self, vault: Vault
    ) -> None:
        vault.put(ANNA, b"tea", NOON)
        vault.put(ANNA, b"coffee", NOON + HOUR)
        vault.put(BELA, b"milk", NOON)
        before = vault.commit(ANNA, "abc")

        assert vault.renew(ANNA) == 1
        assert vault.renew(ANNA) == 0

        assert vault.versions(ANNA) == (Version(2, NOON + HOUR),)
        assert (vault.get(ANNA, 2), vault.get(BELA, 1)) == (b"coffee", b"milk")
        with pytest.raises(VersionNotFoundError):
            vault.get(ANNA, 1)
        assert vault.commit(ANNA, "abc") != before
        assert vault.put(ANNA, b"cocoa", NOON + 2 * HOUR) == 3
        assert vault.check() == ()

    def test_what_was_never_kept_is_not_renewed(self, vault: Vault) -> None:
        assert vault.renew(ANNA) == 0

        vault.put(BELA, b"milk", NOON)
        assert vault.renew(ANNA) == 0
        assert vault.versions(ANNA) == ()

    def test_a_commitment_binds_to_memory_and_fingerprint(self, vault: Vault) -> None:
        made = vault.commit(ANNA, "abc")

        assert len(bytes.fromhex(made)) == 32
        assert vault.commit(ANNA, "abc") == made
        assert vault.commit(ANNA, "abd") != made
        assert vault.commit(BELA, "abc") != made

    def test_after_destroying_nobody_can_make_the_commitment_again(self, vault: Vault) -> None:
        made = vault.commit(ANNA, "abc")

        vault.destroy(ANNA)

        assert vault.commit(ANNA, "abc") != made

    def test_secrets_are_one_a_purpose(self, vault: Vault) -> None:
        vault.found()

        anchor, other = vault.secret("anchor"), vault.secret("other")

        assert anchor is not None
        assert other is not None
        assert len(anchor) == 32
        assert anchor != other
        assert vault.secret("anchor") == anchor

    def test_a_rotation_changes_nothing_that_can_be_read(self, vault: Vault) -> None:
        vault.put(ANNA, b"tea", NOON)
        made, secret = vault.commit(ANNA, "abc"), vault.secret("anchor")

        vault.rotate()

        assert vault.get(ANNA, 1) == b"tea"
        assert vault.commit(ANNA, "abc") == made
        assert vault.secret("anchor") == secret
        assert vault.put(ANNA, b"coffee", NOON) == 2
        assert vault.check() == ()

    def test_a_group_is_kept_whole_or_not_at_all(self, vault: Vault) -> None:
        with vault.grouped():
            assert vault.put(ANNA, b"tea", NOON) == 1
            assert vault.put(ANNA, b"coffee", NOON) == 2

        def fail() -> None:
            with vault.grouped():
                vault.put(ANNA, b"milk", NOON)
                vault.put(BELA, b"milk", NOON)
                raise KeyError

        with pytest.raises(KeyError):
            fail()
        assert [version.number for version in vault.versions(ANNA)] == [1, 2]
        assert vault.versions(BELA) == ()
        assert vault.put(BELA, b"milk", NOON) == 1

    def test_many_threads_lose_nothing(self, vault: Vault) -> None:
        def work(number: int) -> None:
            for version in range(4):
                vault.put(ANNA, f"{number} {version}".encode(), NOON)

        with ThreadPoolExecutor(6) as pool:
            list(pool.map(work, range(6)))

        kept = {vault.get(ANNA, version.number).decode() for version in vault.versions(ANNA)}
        assert kept == {f"{number} {version}" for number in range(6) for version in range(4)}
