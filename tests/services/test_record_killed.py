"""Killed between document, vault, ledger and index: what the next command finds agrees in all of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs cheap processes")

TEA, COCOA = "Anna drinks tea.", "Anna drinks cocoa."
FIRST = ["found", "remember notes/bela 1", "remember notes/anna 1"]


def kills(place: Path, verb: str, stride: int) -> list[dict[str, Any]]:
    """What is found after each kill; the last one came too late."""
    program = Path(__file__).with_name("killed_recording.py")
    done = subprocess.run(
        [sys.executable, str(program), str(place), verb, str(stride)],
        capture_output=True, text=True, check=False, timeout=280,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(runs) > 10
    assert [in_time for in_time, _ in runs] == [True] * (len(runs) - 1) + [False]
    looks = [look for _, look in runs]
    assert [look for look in looks if look["wrong"]] == []
    return looks


def test_a_first_memory_is_there_with_its_history_or_not_at_all(in_memory: Path) -> None:
    looks = kills(in_memory, "remember", 3)

    seen = {(look["says"], *look["kept"], *look["told"]) for look in looks}
    assert seen <= {("-",), ("-", "found"), (COCOA, COCOA, "found", "remember notes/anna 1")}
    assert len(seen) > 1
    assert {look["keys"] for look in looks} <= {0, 1}


@pytest.mark.parametrize("verb", ["edit", "by_hand"])
def test_a_change_is_in_document_vault_and_ledger_or_in_none(in_memory: Path, verb: str) -> None:
    looks = kills(in_memory, verb, 2)

    before = (TEA, TEA, *FIRST)
    after = (COCOA, TEA, COCOA, *FIRST, "change notes/anna 2")
    seen = {(look["says"], *look["kept"], *look["told"]) for look in looks}
    assert seen == {after} if verb == "by_hand" else seen == {before, after}
    assert {look["keys"] for look in looks} == {1}


def test_a_document_that_was_taken_away_is_told_once(in_memory: Path) -> None:
    looks = kills(in_memory, "remove", 2)

    assert {(look["says"], *look["kept"], *look["told"]) for look in looks} == {
        ("-", TEA, "-", *FIRST, "remove notes/anna 2")
    }


def test_a_change_of_the_key_leaves_one_key_that_opens_everything(in_memory: Path) -> None:
    looks = kills(in_memory, "rotate", 3)

    assert {(look["says"], *look["kept"]) for look in looks} == {(TEA, TEA)}
    assert {tuple(look["told"]) for look in looks} == {tuple(FIRST), (*FIRST, "rotate")}
    # The old key of a change that was cut off goes with the next write into the vault, and of these looks none writes.
    assert {look["keys"] for look in looks} <= {1, 2}
