"""Going along the chain line by line, and telling what is wrong with it, each kind of damage by its own name."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from mnemic.adapters.ledger.canonical import link_of
from mnemic.domain.ledger import BEGINNING, Finding, Flaw

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemic.adapters.ledger.canonical import Link

MOST_FINDINGS = 100
_MOST_FORKS = 64


class Walk:
    """A walk that begins after the event `seq` with the hash `last`, on the line after `line`.

    After a flaw it goes on where the writer would have gone on, so that one damage is told once, and what comes after
    it is still checked. `stood_before` says whether some bytes occur in the file before the line at hand; it is asked
    only about events that come back.
    """

    def __init__(
        self,
        stood_before: Callable[[bytes], bool],
        *,
        seq: int = 0,
        last: str = BEGINNING,
        line: int = 0,
    ) -> None:
        self.seq, self.last, self.line = seq, last, line
        self.findings: list[Finding] = []
        self.more = 0
        self._stood_before = stood_before
        self._computed = ""
        """Another hash that the next event may name: the one before it was altered, nobody knows in which field."""
        self._gap = False
        """Whether the line before was none: it may or may not have taken a place, and any hash may be named for it."""
        self._forks: dict[str, int] = {}

    def take(self, raw: bytes) -> None:
        """Go over the next line, given without its line feed."""
        self.line += 1
        link = link_of(raw)
        if link is None:
            self.tell(Flaw.MALFORMED, f"line {self.line} is no event")
            self._stand(self.seq + 1, sha256(raw).hexdigest())
            self._gap = True
            return
        seq, stated, computed, prev = link
        if stated != computed:
            self.tell(Flaw.ALTERED, f"event {self.seq + 1}: its bytes do not match its hash")
            self._stand(self.seq + 1, stated)
            self._computed = computed
        elif prev == self.last and seq == self.seq + 1:
            self.seq, self.last, self._gap, self._computed = seq, stated, False, ""
        elif (self._gap and self.seq <= seq <= self.seq + 1) or (prev == self._computed and seq == self.seq + 1):
            self._stand(seq, stated)
        elif self._forks.get(link.prev) == link.seq:
            del self._forks[link.prev]
            self._fork(link)
        else:
            self._misfit(link)

    def tell(self, flaw: Flaw, message: str, *, line: int | None = None) -> None:
        """Note a finding, or only count it where there are too many already."""
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(Finding(flaw=flaw, message=message, line=self.line if line is None else line))
        else:
            self.more += 1

    def _misfit(self, link: Link) -> None:
        expected = self.seq + 1
        if link.seq > expected:
            missing = str(expected) if link.seq == expected + 1 else f"{expected} to {link.seq - 1}"
            self.tell(Flaw.REMOVED, f"before event {link.seq}: {missing} missing")
        elif link.seq == expected:
            self.tell(Flaw.REWRITTEN, f"event {link.seq} does not follow on the one before it")
        elif self._stood_before(f'"hash":"{link.stated}"'.encode()):
            self.tell(Flaw.REPEATED, f"event {link.seq} stands there once more")
            return
        elif self._stood_before(f',"seq":{link.seq},'.encode()):
            self.tell(Flaw.FORKED, f"event {link.seq} is there twice, with different content: two writers at once")
            self._fork(link)
            return
        else:
            self.tell(Flaw.MISPLACED, f"event {link.seq} stands after event {self.seq}")
            return
        self._stand(link.seq, link.stated)

    def _fork(self, link: Link) -> None:
        """The other writer's next event may follow on this one."""
        if len(self._forks) < _MOST_FORKS:
            self._forks[link.stated] = link.seq + 1
        if link.seq > self.seq:  # it is the only one who went on
            self._forks[self.last] = self.seq + 1
            self._stand(link.seq, link.stated)

    def _stand(self, seq: int, last: str) -> None:
        self.seq, self.last, self._gap, self._computed = seq, last, False, ""
