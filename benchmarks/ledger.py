"""What the ledger and the vault cost: verifying a long ledger, one append, one version kept, read and destroyed.

python benchmarks/ledger.py [EVENTS] [FOLDER]
"""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from mnemic.adapters.ledger.chain import JsonlLedger
from mnemic.adapters.ledger.keys import Keys
from mnemic.adapters.ledger.vault import SqliteVault
from mnemic.domain.ledger import Act, Deed

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = datetime(2026, 5, 3, 10, 0, 0, 120_000, UTC)
BATCH = 50
TIMES = 200


def main(events: int, place: str | None) -> None:
    """Print the figures as JSON."""
    with tempfile.TemporaryDirectory(dir=place) as folder:
        figures = {**_ledger(Path(folder), events), **_vault(Path(folder))}
    figures |= {"python": platform.python_version(), "machine": f"{platform.system()} {platform.machine()}"}
    print(json.dumps(figures, indent=2))


def _ledger(folder: Path, events: int) -> dict[str, object]:
    lock = threading.RLock()

    def opened(key: bytes | None = b"k" * 32) -> JsonlLedger:
        return JsonlLedger(folder / "ledger", lock=lambda: lock, key=lambda: key)

    ledger = opened()
    for first in range(0, events, BATCH):
        ledger.append([_act(number) for number in range(first, first + BATCH)])
    assert ledger.verify().events == events
    pairs = [
        (_milliseconds(lambda: _hashed(ledger.path), 1), _milliseconds(lambda: opened().verify(), 1)) for _ in range(15)
    ]  # in turn, since the speed of a machine drifts
    return {
        "events": events,
        "megabytes": round(ledger.path.stat().st_size / 1e6, 1),
        "hashing_the_file_once_ms": median(once for once, _ in pairs),
        "verify_ms": median(verified for _, verified in pairs),
        "verify_by_hashing": round(median(verified / once for once, verified in pairs), 2),
        "verify_line_by_line_ms": _milliseconds(lambda: opened(None).verify(), 3),
        "append_ms": _milliseconds(_appending(ledger, events, durable=False), TIMES),
        "append_in_a_new_process_ms": _milliseconds(lambda: opened().append([_act(time.time_ns() % 10**15)]), 50),
        "append_durable_ms": _milliseconds(_appending(ledger, 2 * events, durable=True), TIMES),
    }


def _appending(ledger: JsonlLedger, first: int, *, durable: bool) -> Callable[[], object]:
    numbers = iter(range(first, first + 10 * TIMES))
    return lambda: ledger.append([_act(next(numbers) % 10**15)], durable=durable)


def _vault(folder: Path) -> dict[str, object]:
    figures: dict[str, object] = {}
    lock = threading.RLock()
    for durable in (False, True):
        keys = Keys(folder / "keys")
        vault = SqliteVault(folder / f"vault-{durable}", keys=keys, lock=lambda: lock, durable=durable)
        vault.found()
        numbers = iter(range(10**6))
        name = "durable_" if durable else ""
        figures[f"put_1_kB_{name}ms"] = _milliseconds(_putting(vault, numbers), TIMES)
        if durable:
            break
        figures["put_1_kB_more_ms"] = _milliseconds(lambda: vault.put("one", os.urandom(1024), NOW), TIMES)  # noqa: B023
        figures["get_1_kB_ms"] = _milliseconds(lambda: vault.get("memory-7", 1), TIMES)  # noqa: B023
        figures["commit_ms"] = _milliseconds(lambda: vault.commit("memory-7", "a" * 64), TIMES)  # noqa: B023
        started = time.perf_counter()
        with vault.grouped():
            for _ in range(10_000):
                vault.put(f"many-{next(numbers)}", os.urandom(1024), NOW)
        figures["put_10000_grouped_ms_each"] = round((time.perf_counter() - started) / 10, 3)
        gone = iter(range(TIMES))
        figures["destroy_among_10000_ms"] = _milliseconds(lambda: vault.destroy(f"memory-{next(gone)}"), 9)  # noqa: B023
        figures["rotate_10000_ms"] = _milliseconds(vault.rotate, 3)
    return figures


def _putting(vault: SqliteVault, numbers: object) -> Callable[[], object]:
    return lambda: vault.put(f"memory-{next(numbers)}", os.urandom(1024), NOW)  # type: ignore[call-overload]


def _hashed(path: Path) -> str:
    digest, buffer = sha256(), memoryview(bytearray(128 * 1024))
    with path.open("rb", buffering=0) as file:
        while count := file.readinto(buffer):
            digest.update(buffer[:count])
    return digest.hexdigest()


def _act(number: int) -> Act:
    uid = f"0190a1b2-0000-7000-8000-{number % 10**12:012d}"
    return Act(at=NOW, deed=Deed.CHANGE, uid=uid, version=1 + number // 10**12, commitment=f"{number:064x}")


def _milliseconds(work: Callable[[], object], times: int) -> float:
    took = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        took.append((time.perf_counter() - started) * 1000)
    return round(median(took), 3)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, sys.argv[2] if len(sys.argv) > 2 else None)
