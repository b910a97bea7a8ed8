"""What the agent may want to look at in this turn: at most a few memories that the message names, without their text.

By words in their metadata alone (title, file name, aliases, description, tags): no model, no body. The index is taken
as it is: whoever asks has refreshed it. A hint permits nothing; it is gone with the turn.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from mnemic.domain.entries import FieldWeights, Source, Where
from mnemic.domain.ids import reference
from mnemic.domain.memory import State
from mnemic.ranking.distinct import Called, Rarity, distinct
from mnemic.text.analyzer import query_terms, terms
from mnemic.text.folding import shown
from mnemic.text.languages import language_of, stop_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime

    from mnemic.domain.entries import IndexedEntry
    from mnemic.ports import IndexReader
    from mnemic.services.bundle import Bundle

READ_CHARACTERS: Final = 2_000
"""Of a message: its beginning and its end, half of this each, when it is longer."""
MOST_WORDS: Final = 24
"""The rarest words of a message that memories are looked for by."""
MOST_CANDIDATES: Final = 16
_TELLING_CHARACTERS: Final = 120
"""Of title and description, to tell the language by."""
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u9fff\uac00-\ud7a3]")
METADATA: Final = FieldWeights(path=1.0, title=3.0, description=1.0, tags=1.0, kind=0.0, body=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A memory that a message names: metadata only.

    `bundle` is empty for the first bundle. `matched` are the words, as they are kept in the index.
    """

    id: str
    bundle: str
    title: str
    kind: str
    description: str
    matched: tuple[str, ...]


def hints(  # noqa: PLR0913 - what is no hint, each by name
    bundles: Sequence[Bundle],
    message: str,
    *,
    most: int,
    now: datetime,
    exclude: Collection[str] = (),
    min_authority: float = 0.0,
) -> tuple[Hint, ...]:
    """The memories that a message points at, best first, `most` of all bundles together.

    Args:
        bundles: The first is the agent's own.
        message: The user's; only its beginning and end are read when it is long.
        most: How many hints at most; 0 gives none.
        now: A memory that is not valid at this moment is no hint.
        exclude: Ids as results show them (with `bundle:` for any but the first) that the agent has before it anyway.
        min_authority: A memory whose source is believed less is no hint.
    """
    if most < 1 or not message.strip():
        return ()
    text = _bounded(message)
    where = Where(sources=(Source.MEMORY,), states=(State.ACTIVE,), valid_at=now, min_authority=min_authority)
    found: list[tuple[float, int, Hint]] = []
    for number, bundle in enumerate(bundles):
        name = bundle.name if number else ""
        with bundle.index.reading() as index:
            found += [
                (-score, number, hint)
                for score, hint in _of_bundle(index, name, text, most=most, where=where)
                if reference(name, hint.id) not in exclude
            ]
    found.sort(key=lambda one: (round(one[0], 9), one[1], one[2].id))
    return tuple(hint for _, _, hint in found[:most])


def _bounded(message: str) -> str:
    half = READ_CHARACTERS // 2
    return message if len(message) <= READ_CHARACTERS else f"{message[:half]}\n{message[-half:]}"


def _of_bundle(index: IndexReader, name: str, text: str, *, most: int, where: Where) -> Iterator[tuple[float, Hint]]:
    asked = query_terms(text)
    if asked.only_stop_words:
        return
    words = [word for word in asked.terms if word not in asked.prefixes]
    frequencies = index.group_frequency(words)
    rarity = Rarity.of(frequencies, index.statistics().groups)
    entries = {entry.id: entry for entry in _candidates(index, rarity, frequencies, where)}
    for one in distinct((_called(entry, asked.language) for entry in entries.values()), rarity, most_alike=most):
        entry = entries[one.key]
        yield (
            one.score,
            Hint(
                id=entry.id,
                bundle=name,
                title=entry.title,
                kind=entry.kind,
                description=entry.description,
                matched=tuple(map(shown, one.matched)),
            ),
        )


def _candidates(index: IndexReader, rarity: Rarity, frequencies: Mapping[str, int], where: Where) -> list[IndexedEntry]:
    """Memories that hold rare words of the text: only these can be distinct, and they are few."""
    rarest = sorted(rarity.rare, key=lambda word: (frequencies[word], word))[:MOST_WORDS]
    if not rarest:
        return []
    groups = [group for group, score in index.groups(rarest, MOST_CANDIDATES, METADATA).items() if score > 0]
    rows = [row for members in index.group_rows(groups, where).values() for row in members]
    # What names none of them cannot be distinct; analyzing it would cost more than the search.
    return [entry for entry in index.entries(rows).values() if not rarity.rare.isdisjoint(entry.names)]


def _called(entry: IndexedEntry, language: str) -> Called:
    stops = _stops(language, language_of(f"{entry.title}. {entry.description}"[:_TELLING_CHARACTERS]))
    stem = entry.path.rpartition("/")[2].removesuffix(".md")
    title, file = _words(entry.title, stops), _words(stem.replace("-", " ").replace("_", " "), stops)
    # The index keeps the words of title, file name and aliases together: what is in neither of the two is an alias.
    aliases = entry.names.difference(terms(entry.title), terms(stem), title, file, stops)
    besides = dict.fromkeys(word for text in (entry.description, *entry.tags) for word in _words(text, stops))
    return Called(entry.id, [name for name in (title, file, tuple(sorted(aliases))) if name], tuple(besides))


def _words(name: str, stops: frozenset[str]) -> tuple[str, ...]:
    """The words of a name as a message would hold them: without those that say nothing."""
    if _UNSPACED.search(name):
        found = query_terms(name)
        return () if found.only_stop_words else found.terms
    return tuple(word for word in dict.fromkeys(terms(name)) if word not in stops)


@lru_cache(maxsize=128)
def _stops(*languages: str) -> frozenset[str]:
    """Stop words as the index has them."""
    return frozenset(terms(" ".join(word for language in languages for word in stop_words(language))))
