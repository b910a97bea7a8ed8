"""Killed at any line, and several processes at once: the ledger stays one chain, the vault opens."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from ledger_samples import KEY, an_act
from vault_samples import ANNA, NOW, key_files

from mnemic.adapters.ledger.chain import JsonlLedger
from mnemic.adapters.ledger.keys import Keys
from mnemic.adapters.ledger.vault import SqliteVault
from mnemic.adapters.markdown.lock import lock_at

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs cheap processes")
OLD = ["Anna drinks tea.", "Anna drinks coffee.", "Anna drinks both."]
BREAD = ["Bela bakes bread."]


def kills(folder: Path, verb: str, stride: int) -> list[tuple[bool, dict[str, Any]]]:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("killed_keeping.py")), str(folder / "root"), verb, str(stride)],
        capture_output=True, text=True, check=False, timeout=250,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(runs) > 10
    return [(in_time, look) for in_time, look in runs]


# -- killed ------------------------------------------------------------------------------------------------------------


@needs_fork
@pytest.mark.parametrize(("verb", "before", "after"), [("first", 0, 1), ("append", 5, 8)])
def test_an_append_killed_anywhere_is_done_or_not_and_once_more_makes_it_right(
    in_memory: Path, verb: str, before: int, after: int
) -> None:
    runs = kills(in_memory, verb, 1)

    assert {look["events"] for _, look in runs} == {before, after}
    assert {flaw for _, look in runs for flaw in look["found"]} <= {"unfinished", "anchor_behind"}
    assert [look for _, look in runs if look["versions"] != list(range(1, after + 1)) or look["then"]] == []


@needs_fork
def test_a_vault_whose_founding_is_killed_anywhere_is_founded_by_the_next_write(in_memory: Path) -> None:
    runs = kills(in_memory, "found", 2)

    assert [look for _, look in runs if (look["number"], look["keys"], look["wrong"]) != (1, 1, [])] == []


@needs_fork
def test_a_version_is_kept_or_not_wherever_it_is_killed(in_memory: Path) -> None:
    runs = kills(in_memory, "put", 3)

    seen = [look["seen"] for _, look in runs]
    assert [each for each in seen if list(each.values()) not in ([OLD, BREAD], [[*OLD, "the next"], BREAD])] == []
    assert {look["number"] for _, look in runs} == {4}
    assert {(look["keys"], *look["wrong"]) for _, look in runs} == {(1,)}


@needs_fork
def test_a_rotation_killed_anywhere_leaves_everything_readable_and_after_the_next_write_one_key(
    in_memory: Path,
) -> None:
    runs = kills(in_memory, "rotate", 3)

    assert [look for _, look in runs if list(look["seen"].values()) != [OLD, BREAD] or look["wrong"]] == []
    assert {look["keys"] for _, look in runs} == {1}


@needs_fork
def test_a_destruction_killed_anywhere_is_whole_or_nothing_and_once_more_leaves_no_byte(in_memory: Path) -> None:
    runs = kills(in_memory, "destroy", 2)

    assert [look["seen"] for _, look in runs if look["seen"] not in (OLD, [])] == []
    assert {tuple(look["seen"]) for _, look in runs} == {tuple(OLD), ()}
    assert [look for _, look in runs if look["left"] or look["wrong"] or look["other"] != BREAD[0]] == []


# -- at once -----------------------------------------------------------------------------------------------------------


def locked(place: Path) -> Callable[[], AbstractContextManager[None]]:
    """The lock that a bundle uses."""
    lock = lock_at(str(place / "lock"), where=str(place))
    return lambda: lock.held(60)


def keep(place: Path, writer: int) -> None:
    """Twenty versions and their events."""
    ledger = JsonlLedger(place / "bundle", lock=locked(place), key=lambda: KEY)
    vault = SqliteVault(place / "bundle", keys=Keys(place / "keys"), lock=locked(place), durable=False)
    for number in range(20):
        vault.put(ANNA, f"{writer} {number}".encode(), NOW)
        ledger.append([an_act(writer * 1000 + number)])


WRITE = """
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from test_keeping_at_once import keep
keep(Path({place!r}), {writer})
"""


def test_several_processes_make_one_chain_and_lose_no_version(in_memory: Path) -> None:
    facts = {"tests": str(Path(__file__).parent), "place": str(in_memory)}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITE.format(writer=writer, **facts)], stderr=subprocess.PIPE)
        for writer in range(4)
    ]
    for writer in writers:
        _, err = writer.communicate(timeout=120)
        assert writer.returncode == 0, err

    ledger = JsonlLedger(in_memory / "bundle", lock=locked(in_memory), key=lambda: KEY)
    report = ledger.verify()
    assert (report.events, report.vouched, report.findings) == (80, 80, ())
    assert {event.act.version for event in ledger.events()} == {w * 1000 + n for w in range(4) for n in range(20)}
    vault = SqliteVault(in_memory / "bundle", keys=Keys(in_memory / "keys"), lock=locked(in_memory))
    assert len({vault.get(ANNA, version.number) for version in vault.versions(ANNA)}) == 80
    assert vault.check() == ()
    assert len(key_files(in_memory)) == 1
