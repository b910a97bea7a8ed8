"""A program for tests: does something to a ledger or a vault again and again, each time killed some lines later.

Every line of code of the adapters is a point to be killed at; SQLite's own steps are SQLite's to survive.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ledger_samples import a_ledger, an_act, filled, flaws
from vault_samples import ANNA, BELA, NOW, a_vault, holders, key_files, run
from vault_samples import filled as filled_vault

import mnemic.adapters.ledger
from mnemic.errors import VersionNotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

OURS = str(Path(mnemic.adapters.ledger.__file__).parent)


def killed(work: Callable[[], object], last: int) -> bool:
    """Do it in a process of its own, killed at line `last`; says whether it was killed before it had finished."""
    child = os.fork()
    if child == 0:
        count = 0

        def line(frame: FrameType, event: str, _: object) -> Callable[..., object] | None:
            nonlocal count
            if not frame.f_code.co_filename.startswith(OURS):
                return None
            if event == "line":
                count += 1
                if count == last:
                    os.kill(os.getpid(), signal.SIGKILL)
            return line

        sys.settrace(line)
        work()
        sys.settrace(None)
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def every(root: Path, stride: int, work: Callable[[Path], object], look: Callable[[Path], object]) -> None:
    """A line for every kill: whether it was in time, and what a look at what was left says."""
    number, in_time = 1, True
    while in_time:
        copy = root.with_name(f"copy-{number}")
        shutil.copytree(root, copy)
        in_time = killed(lambda: work(copy), number)  # noqa: B023 - called at once
        sys.stdout.write(json.dumps([in_time, look(copy)]) + "\n")
        shutil.rmtree(copy)
        number += stride


def ledger_look(place: Path, acts: range) -> dict[str, object]:
    """Before and after doing it once more."""
    report = a_ledger(place).verify()
    found = [str(finding.flaw) for finding in report.findings]
    a_ledger(place).append([an_act(number) for number in acts], durable=True)
    versions = [event.act.version for event in a_ledger(place).events()]
    return {"found": found, "events": report.events, "versions": versions, "then": flaws(place)}


def vault_look(place: Path) -> dict[str, object]:
    """What can be read, and what the next write leaves of keys."""
    vault = a_vault(place)
    seen = {uid: [readable(place, uid, version.number) for version in vault.versions(uid)] for uid in (ANNA, BELA)}
    wrong = vault.check()
    number = vault.put(ANNA, b"the next", NOW)
    return {"seen": seen, "wrong": wrong, "number": number, "keys": len(key_files(place))}


def readable(place: Path, uid: str, number: int) -> str:
    """Its content; a dash where there is none."""
    try:
        return a_vault(place).get(uid, number).decode()
    except VersionNotFoundError:
        return "-"


def main(root: Path, verb: str, stride: int) -> None:
    """Run all kills of one verb."""
    root.mkdir()
    match verb:
        case "first":
            every(
                root, stride, lambda place: a_ledger(place).append([an_act(1)]), lambda p: ledger_look(p, range(1, 2))
            )
        case "append":
            filled(root, 5)
            acts = range(6, 9)
            every(
                root, stride,
                lambda place: a_ledger(place).append([an_act(number) for number in acts]),
                lambda place: ledger_look(place, acts),
            )  # fmt: skip
        case "found":
            every(root, stride, lambda place: a_vault(place).found(), vault_look)
        case "put":
            filled_vault(root).close()
            every(root, stride, lambda place: a_vault(place).put(ANNA, b"the next", NOW), vault_look)
        case "rotate":
            filled_vault(root).close()
            every(root, stride, lambda place: a_vault(place).rotate(), vault_look)
        case _:
            filled_vault(root).close()
            rows = run(root, "select data, nonce from version where uid = ?", ANNA)
            rows += run(root, "select key from memory where uid = ?", ANNA)
            traces = [bytes(blob)[:12] for row in rows for blob in row]  # type: ignore[call-overload]

            def look(place: Path) -> dict[str, object]:
                vault = a_vault(place)
                seen = [readable(place, ANNA, version.number) for version in vault.versions(ANNA)]
                vault.destroy(ANNA)
                left = holders(place, *traces)
                return {"seen": seen, "left": left, "wrong": vault.check(), "other": readable(place, BELA, 1)}

            every(root, stride, lambda place: a_vault(place).destroy(ANNA), look)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
