"""The results of a recall as facts in a capsule: a line each between the marker lines, some of them whole."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mnemic.domain.capsule import CapsuleItem, Omitted, Slot, Why
from mnemic.domain.entries import Where
from mnemic.domain.ids import SESSION_PREFIX, reference
from mnemic.domain.instants import local
from mnemic.domain.loading import loaded_text
from mnemic.domain.memory import Loading
from mnemic.errors import NotFoundError, StorageError
from mnemic.ranking.budget import choose
from mnemic.services.bundle import named
from mnemic.services.context.resident import quoted
from mnemic.text.quoting import as_fact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime, tzinfo

    from mnemic.domain.results import Hit
    from mnemic.services.bundle import Bundle
    from mnemic.services.context.account import Account
    from mnemic.text.context_markers import Markers

KEYWORD_WHOLE = 5
"""So many documents that are loaded on a match come whole in one turn."""
_ON_MATCH = Where(loadings=(Loading.KEYWORD,))
_ALL = 100_000


class Fact:
    """A result that may be shown; how, and what that costs, is found out when it is asked for.

    `block` is its text where it comes whole, in a block of its own.
    """

    def __init__(self, hit: Hit, block: str, zone: tzinfo, account: Account) -> None:
        self.named, self.kind, self.whole = hit.reference, hit.kind, bool(block)
        self._hit, self._block, self._zone, self._account = hit, block, zone, account

    @cached_property
    def text(self) -> str:
        """A line, or a block."""
        return self._block or fact_line(self._hit, self._zone)

    @cached_property
    def cost(self) -> int:
        """In tokens."""
        return self._account.cost(self.text)


def add_facts(  # noqa: PLR0913 - what decides about the facts, each by name
    account: Account, hits: Sequence[Hit], bundles: Sequence[Bundle], *, most: int, quotas: Mapping[str, int],
    now: datetime, lines: Markers,
) -> None:  # fmt: skip
    """Take the best results into the prefix, as long as there is room.

    What has ended by `now` is no fact any more; what the capsule shows already is not told twice.
    """
    facts = _facts(list(_news(account, hits, now)), bundles, account)
    frame = account.cost(f"{lines.open}\n{lines.close}")
    chosen = choose(facts, room=account.room() - frame, most=most, quotas=quotas)
    for fact in chosen.taken:
        why = Why.KEYWORD if fact.whole else Why.FACT
        account.items.append(CapsuleItem(id=fact.named, slot=Slot.PREFIX, why=why, tokens=fact.cost))
    for fact in chosen.too_big:
        account.omit(fact.named, Slot.PREFIX, Omitted.BUDGET, fact.cost)
    for fact in chosen.over_quota:
        account.omit(fact.named, Slot.PREFIX, Omitted.QUOTA, fact.cost)
    prefix = account.texts[Slot.PREFIX]
    prefix += [fact.text for fact in chosen.taken if fact.whole]
    if told := [fact.text for fact in chosen.taken if not fact.whole]:
        prefix.append("\n".join((lines.open, *told, lines.close)))
    if chosen.taken:
        account.spent += chosen.cost + frame


def fact_line(hit: Hit, zone: tzinfo) -> str:
    """`- what is known [id · origin · day · failed: id]`, on one line."""
    said = as_fact(hit.snippet)
    if hit.speaker:
        said = f"{as_fact(hit.speaker)}: {said}"
    elif hit.title.rstrip("….").casefold() not in said.casefold():
        said = f"{as_fact(hit.title)}: {said}"
    origin = "" if hit.id.startswith(SESSION_PREFIX) else hit.origin
    day = f"{local(hit.when, zone):%Y-%m-%d}"
    came = "" if hit.outcome is None else f"{hit.outcome.result}: {reference(hit.bundle, hit.outcome.id)}"
    stale = "its source changed" if hit.citation is not None and hit.citation.stale else ""
    return f"- {said} [{' · '.join(filter(None, (hit.reference, origin, day, came, stale)))}]"


def _news(account: Account, hits: Sequence[Hit], now: datetime) -> Iterator[Hit]:
    for hit in hits:
        if hit.valid_until is not None and hit.valid_until <= now:
            continue
        named = hit.reference
        if account.shows(named):
            account.omit(named, Slot.PREFIX, Omitted.THERE_ALREADY)
        else:
            yield hit


def _facts(hits: Sequence[Hit], bundles: Sequence[Bundle], account: Account) -> list[Fact]:
    whole = _loaded_on_match(hits, bundles)
    zone = bundles[0].zone
    return [Fact(hit, whole.get(hit.reference, ""), zone, account) for hit in hits]


def _loaded_on_match(hits: Sequence[Hit], bundles: Sequence[Bundle]) -> dict[str, str]:
    """The texts of those results that are loaded whole on a match, by reference."""
    texts: dict[str, str] = {}
    for name, bundle in named(bundles):
        with bundle.index.reading() as index:
            rows = index.by_prior(_ON_MATCH, _ALL)
            marked = {entry.id for entry in index.entries(rows).values()} if rows else set()
        for hit in hits:
            if len(texts) < KEYWORD_WHOLE and hit.bundle == name and hit.id in marked:
                try:
                    located = bundle.store.find(hit.id)
                except (NotFoundError, StorageError):
                    continue
                texts[reference(name, hit.id)] = quoted(name, located, loaded_text(located.memory, Loading.KEYWORD))
    return texts
