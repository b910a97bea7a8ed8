"""Verifying a ledger: sealed stretches by one digest each, the rest line by line, and the end against the anchor."""

from __future__ import annotations

import mmap
from hashlib import sha256
from typing import IO, TYPE_CHECKING

from mnemic.adapters.ledger.canonical import LONGEST_LINE
from mnemic.adapters.ledger.seals import NO_SEAL, Seal
from mnemic.adapters.ledger.walk import Walk
from mnemic.domain.ledger import Flaw, LedgerReport

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mnemic.adapters.ledger.anchor import Anchor, Gap, Signed

_BLOCK = 128 * 1024
_GAPS = {
    Flaw.CUT: "events were missing at the end: {vouched} had been vouched for, {found} were there",
    Flaw.REWRITTEN: "event {vouched} was not the one that had been vouched for, when the ledger had {found}",
    Flaw.ANCHOR_MISSING: "the anchor was missing when the ledger had {found} events",
    Flaw.ANCHOR_FORGED: "the anchor was not signed by this bundle when the ledger had {found} events",
}


def check(file: IO[bytes] | None, signed: Signed | None, seals: Iterable[Seal], *, keyless: str = "") -> LedgerReport:
    """What is wrong with the ledger in `file` (None: there is none), given its anchor and seals.

    `keyless` says why there is no key to check the signature with. Raises OSError.
    """
    anchor = signed.anchor if signed is not None else None
    trusted = anchor if signed is not None and signed.good else None
    at, broken = _along_seals(file, seals) if file is not None else (NO_SEAL, None)
    met = anchor is not None and at.hash == anchor.hash
    walk = Walk(lambda _: False, seq=at.seq, last=at.hash, line=at.lines)
    if file is not None:
        walk, met = _along_lines(file, at, anchor, met=met)
    if broken is not None and walk.seq >= broken.seq and not walk.findings:
        walk.tell(Flaw.REWRITTEN, f"the events up to {broken.seq} are not those that were sealed", line=0)
    _compare(walk, signed, met=met, keyless=keyless)
    return LedgerReport(
        events=walk.seq,
        head=walk.last,
        vouched=min(trusted.seq, walk.seq) if trusted is not None else 0,
        findings=tuple(walk.findings),
        more=walk.more,
    )


def sealed(file: IO[bytes], last: Seal) -> Seal | None:
    """The seal for everything after the last one; None when something is wrong with it. Raises OSError."""
    file.seek(last.end)
    walk = Walk(lambda _: False, seq=last.seq, last=last.hash, line=last.lines)
    digest, end = sha256(), last.end
    for line, whole in lines_from(file):
        walk.take(line)
        if walk.findings or not whole:
            return None
        digest.update(line + b"\n")
        end += len(line) + 1
    return Seal(last.end, end, walk.line, last.hash, walk.seq, walk.last, digest.hexdigest())


def lines_from(file: IO[bytes]) -> Iterator[tuple[bytes, bool]]:
    """The lines from here on without their line feeds, and whether each has one; no endless line is held whole."""
    rest = b""
    while block := file.read(_BLOCK):
        lines = (rest + block).split(b"\n")
        rest = lines.pop()[-_BLOCK:]
        for line in lines:
            yield line, True
    if rest:
        yield rest, False


def _along_seals(file: IO[bytes], seals: Iterable[Seal]) -> tuple[Seal, Seal | None]:
    """The last seal that the bytes of the file match, and the first that they do not."""
    at, buffer = NO_SEAL, memoryview(bytearray(_BLOCK))
    for seal in seals:
        digest, left = sha256(), seal.end - at.end
        while left > 0 and (count := file.readinto(buffer[:left])):  # type: ignore[attr-defined]
            digest.update(buffer[:count])
            left -= count
        if left or digest.hexdigest() != seal.digest:
            return at, seal
        at = seal
    return at, None


def _along_lines(file: IO[bytes], at: Seal, anchor: Anchor | None, *, met: bool) -> tuple[Walk, bool]:
    """Line by line after a seal; says whether the event that the anchor vouches for was met."""
    offset = at.end

    def stood_before(needle: bytes) -> bool:
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return data.find(needle, 0, offset) >= 0

    walk = Walk(stood_before, seq=at.seq, last=at.hash, line=at.lines)
    file.seek(at.end)
    wanted = anchor.hash if anchor is not None and anchor.seq else None
    for line, whole in lines_from(file):
        if whole:
            walk.take(line[: LONGEST_LINE + 1])
        else:
            _take_unfinished(walk, line)
        offset += len(line) + 1
        if walk.last == wanted:
            met = True
    return walk, met


def _take_unfinished(walk: Walk, line: bytes) -> None:
    """A last line without its line feed: it counts when it is whole but for that, and is only told otherwise."""
    seq, last, known = walk.seq, walk.last, len(walk.findings)
    walk.take(line)
    if len(walk.findings) > known:
        del walk.findings[known:]
        walk.seq, walk.last = seq, last
    walk.tell(Flaw.UNFINISHED, "the last line is not finished: a crash. The next append heals it")


def _compare(walk: Walk, signed: Signed | None, *, met: bool, keyless: str) -> None:
    """The end of the ledger against the anchor."""
    if signed is None:
        if keyless and walk.seq:
            walk.tell(Flaw.UNSIGNED, f"nothing vouches for the end of the ledger: {keyless}", line=0)
        elif walk.seq or walk.findings:
            walk.tell(Flaw.ANCHOR_MISSING, "the anchor is missing: events at the end may be too", line=0)
        return
    anchor = signed.anchor
    if anchor is None or signed.good is False:
        walk.tell(Flaw.ANCHOR_FORGED, "the anchor cannot be read or was not signed with this bundle's key", line=0)
        return
    if signed.good is None:
        walk.tell(Flaw.UNSIGNED, f"the anchor's signature could not be checked: {keyless}", line=0)
    for gap in anchor.gaps:
        walk.tell(Flaw.LOST_BEFORE, _told(gap), line=0)
    if anchor.seq > walk.seq:
        first = walk.seq + 1
        missing = str(first) if anchor.seq == first else f"{first} to {anchor.seq}"
        walk.tell(Flaw.CUT, f"at the end: {missing} missing, which the anchor vouches for", line=0)
    elif anchor.seq and not met and all(finding.harmless for finding in walk.findings):
        walk.tell(Flaw.REWRITTEN, f"event {anchor.seq} is not the one that the anchor vouches for", line=0)
    elif anchor.seq < walk.seq:
        walk.tell(Flaw.ANCHOR_BEHIND, f"the anchor vouches only for events up to {anchor.seq}: a crash", line=0)


def _told(gap: Gap) -> str:
    return _GAPS.get(gap.flaw, "something was wrong").format(vouched=gap.vouched, found=gap.found)
