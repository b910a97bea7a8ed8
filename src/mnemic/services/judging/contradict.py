"""Memories that contradict each other: claims that cannot both be so, and sentences that probably cannot.

Claims decide: a newcomer that claims otherwise is quarantined. Sentences only warn: how they are compared is
`text/opposition.py`, and no wording is proof. What a sentence may contradict is looked for among the memories that
share its rarest words, in the index alone; the documents are read for what was found, to be sure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from heapq import nsmallest
from itertools import combinations, islice
from typing import TYPE_CHECKING, Final, NamedTuple

from mnemic.domain.claims import claim_key, contradict, overlap
from mnemic.domain.contradictions import Contradiction, Doubt, Statement
from mnemic.domain.entries import Source, Where
from mnemic.domain.instants import local
from mnemic.domain.memory import Privacy
from mnemic.errors import MemoryNotFoundError
from mnemic.text.analyzer import terms
from mnemic.text.claim_values import claim_value
from mnemic.text.languages import language_of
from mnemic.text.opposition import LONGEST, names_subject, opposed
from mnemic.text.passages import sentences

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import tzinfo

    from mnemic.domain.documents import Located
    from mnemic.domain.memory import Memory
    from mnemic.ports import IndexReader
    from mnemic.services.bundle import Bundle
    from mnemic.text.claim_values import ClaimValue

SENSITIVE: Final = "(sensitive)"
"""What is told in the place of a sensitive value."""
MOST_TOLD: Final = 3
"""So many memories that a new one may contradict are told."""
VALUE_CHARACTERS: Final = 300
"""Of a claim that is contradicted so much is told."""
MOST_OF_ONE_KEY: Final = 50
"""So many memories with one key are compared with each other, the oldest."""
_STATEMENTS: Final = 6
_CHARACTERS_READ: Final = 4_000
_RAREST: Final = 6
_ASKED: Final = 4
_LOOKED_AT: Final = 8
_LEAST_TERMS: Final = 2
_LEAST_SHARED: Final = 0.1
_COMMON: Final = 200
_TITLES_ALIKE: Final = 0.5
_ALL: Final = 1_000_000
_STOPS: Final = ".。!！… "
_MEMORIES: Final = Where(sources=(Source.MEMORY,))
# What happened happened twice; only what is so can be so otherwise.
_HAPPENED: Final = frozenset({"episode", "outcome", "session"})


class _Said(NamedTuple):
    """One sentence of a memory, with the memory's own title where it has one."""

    id: str
    title: str
    text: str
    terms: frozenset[str]

    def shares_enough(self, other: _Said) -> bool:
        """Whether so many words are common that a closer look is worth it."""
        common = len(self.terms & other.terms)
        return common >= _LEAST_SHARED * (len(self.terms) + len(other.terms) - common)


# -- claims ------------------------------------------------------------------------------------------------------


def claimed_otherwise(bundle: Bundle, memory: Memory, settled: Collection[str] = ()) -> list[Located]:
    """The active memories whose claim cannot be so together with this one's, without those in `settled`."""
    return list(_claimed_otherwise(bundle, memory, settled))


def told_otherwise(bundle: Bundle, memory: Memory) -> list[Located]:
    """The first of them, for a person who asks why a memory is held back: few are looked at, fewer are told."""
    return list(islice(_claimed_otherwise(bundle, memory, memory.supersedes, MOST_OF_ONE_KEY), MOST_TOLD))


def _claimed_otherwise(
    bundle: Bundle, memory: Memory, settled: Collection[str], most: int | None = None
) -> Iterator[Located]:
    if memory.claim is None:
        return
    with bundle.index.reading() as index:
        rows = [row for row, _ in index.claims(claim_key(memory.claim.key))]
        ids = [entry.id for entry in index.entries(rows[:most]).values()]
    values = _Values(bundle.zone)
    for each in ids:
        if each not in settled and each != memory.id:
            other = bundle.store.find(each)
            if _cannot_both(memory, other.memory, values):
                yield other


def claims_apart(memory: Memory, other: Memory) -> tuple[Statement, Statement]:
    """What two memories claim, as it is told; this one's own words first."""
    return Statement(memory.id, claim_told(memory)), Statement(other.id, claim_told(other))


class _Values:
    """What the claims of memories can mean, each read once."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone
        self._read: dict[str, ClaimValue] = {}

    def agree(self, one: Memory, other: Memory) -> bool:
        return self._of(one).agrees(self._of(other))

    def _of(self, memory: Memory) -> ClaimValue:
        value = self._read.get(memory.uid)
        if value is None:
            claim = memory.claim
            assert claim is not None, "asked for claims alone"
            self._read[memory.uid] = value = claim_value(
                claim.value,
                key=claim.key,
                language=language_of(f"{memory.body} {claim.key}"),
                today=local(memory.recorded_at, self._zone).date(),
            )
        return value


def _cannot_both(one: Memory, other: Memory, values: _Values) -> bool:
    return _same_scope(one, other) and contradict(one, other, agree=values.agree)


def _same_scope(one: Memory, other: Memory) -> bool:
    """Whether both may be about the same somebody: of two users each has a city of their own."""
    pairs = (
        (one.scope.user, other.scope.user),
        (one.scope.agent, other.scope.agent),
        (one.scope.project, other.scope.project),
    )
    return all(mine == theirs or not mine or not theirs for mine, theirs in pairs)


# -- sentences ---------------------------------------------------------------------------------------------------


def may_contradict(bundle: Bundle, memory: Memory, settled: Collection[str] = ()) -> list[Contradiction]:
    """What a memory may contradict: of each other memory the first sentence that is opposed to one of its own.

    Args:
        bundle: Its index must be up to date.
        memory: Need not be written yet.
        settled: Ids that are not looked at: those it replaces, or contradicts by its claim.
    """
    if memory.kind.casefold() in _HAPPENED:
        return []
    mine = list(_said(memory.id, memory.title, [memory.body]))[:_STATEMENTS]
    with bundle.index.reading() as index:
        theirs = _near(index, mine, {*settled, memory.id})
    found: dict[str, Contradiction] = {}
    for said in mine:
        for other in theirs:
            if other.id not in found and (told := _opposed(said, other)):
                found[other.id] = told
    kept = (each for each in found.values() if _may_meet(bundle, memory, each.other.id))
    return list(islice(kept, MOST_TOLD))


def _opposed(said: _Said, other: _Said) -> Contradiction | None:
    how = opposed(said.text, other.text) if said.shares_enough(other) else None
    if how is None or not _about_the_same(said, other):
        return None
    return Contradiction(Doubt.MAY_CONTRADICT, how, Statement(said.id, said.text), Statement(other.id, other.text))


def _about_the_same(one: _Said, other: _Said) -> bool:
    """Whether two sentences name their subject, or stand under titles that do not tell them apart."""
    if not one.title or not other.title or names_subject(one.text, other.text):
        return True
    first, second = set(terms(one.title)), set(terms(other.title))
    if not one.title.isascii() and " " not in one.title.strip():  # a script without blanks
        return bool(first & second)
    return len(first & second) >= _TITLES_ALIKE * len(first | second)


def _may_meet(bundle: Bundle, memory: Memory, other: str) -> bool:
    """Whether both are of one scope and can be so at one time, by the other's document."""
    try:
        found = bundle.store.find(other).memory
    except MemoryNotFoundError:
        return False
    return _comparable(memory, found) and found.kind.casefold() not in _HAPPENED


def _comparable(one: Memory, other: Memory) -> bool:
    """Whether what both say may be shown side by side, is about the same somebody, and can be so at one time."""
    secret = Privacy.SENSITIVE in {one.privacy, other.privacy}
    return not secret and _same_scope(one, other) and overlap(one, other)


def _said(name: str, title: str, texts: Iterable[str]) -> Iterator[_Said]:
    """The sentences of a memory that can be compared, each once; the title is one where the text does not repeat it."""
    body = "\n".join(texts)[:_CHARACTERS_READ]
    opens = body.lstrip("#>*-+ \t\n").startswith(title.rstrip("…."))
    own = "" if opens else title
    given = ([] if opens else [title]) + [each.text.lstrip("#>*-+ \t") for each in sentences(body)]
    # A title that was taken from the text is that sentence without its stop: the sentence itself is told.
    for text in {text.rstrip(_STOPS): text for text in given}.values():
        if 0 < len(text) <= LONGEST and not text.endswith("…"):
            yield _Said(name, own, text, frozenset(terms(text)))


def _near(index: IndexReader, mine: Sequence[_Said], without: Collection[str]) -> list[_Said]:
    """The sentences of the active memories that share the rarest words of one of these, best first."""
    frequency = index.document_frequency(sorted(frozenset().union(*(said.terms for said in mine))))
    rows: dict[int, None] = {}
    for said in mine:
        rarest = sorted((count, word) for word in said.terms if (count := frequency.get(word, 0)))[:_ASKED]
        if len(rarest) >= _LEAST_TERMS:
            hits = index.lexical([word for _, word in rarest], _MEMORIES, _LOOKED_AT)
            rows |= dict.fromkeys(hit.entry for hit in hits)
    entries, passages = index.entries(list(rows)), index.passages(list(rows))
    return [
        said
        for row in rows
        if (entry := entries[row]).id not in without
        for said in _said(entry.id, entry.title, [each.text for each in passages.get(row, [])])
    ]


# -- all of a bundle ---------------------------------------------------------------------------------------------


def contradictions(bundle: Bundle) -> tuple[Contradiction, ...]:
    """Every pair of active memories that contradict each other, or may; claims first, each pair once, by id."""
    memories = _Memories(bundle)
    by_claim = sorted(_claimed(bundle, memories), key=_order)
    taken = {(each.one.id, each.other.id) for each in by_claim}
    by_text = [each for each in _worded(bundle, memories) if (each.one.id, each.other.id) not in taken]
    return (*by_claim, *sorted(by_text, key=_order))


def _order(found: Contradiction) -> tuple[str, str, str, str]:
    return found.one.id, found.other.id, found.one.text, found.other.text


class _Memories:
    """The documents of what was found, each read once."""

    def __init__(self, bundle: Bundle) -> None:
        self._store = bundle.store
        self._found: dict[str, Memory | None] = {}

    def find(self, name: str) -> Memory | None:
        if name not in self._found:
            try:
                self._found[name] = self._store.find(name).memory
            except MemoryNotFoundError:
                self._found[name] = None
        return self._found[name]


def _claimed(bundle: Bundle, memories: _Memories) -> Iterator[Contradiction]:
    groups: dict[str, list[str]] = defaultdict(list)
    with bundle.index.reading() as index:
        claimed = index.claimed_twice()
        entries = index.entries([row for row, _, _ in claimed])
    several = {key for key, values in _values_by_key(claimed).items() if len(values) > 1}
    for row, key, _ in claimed:
        if key in several and row in entries:
            groups[key].append(entries[row].id)
    values = _Values(bundle.zone)
    for ids in groups.values():
        found = [memory for each in ids[:MOST_OF_ONE_KEY] if (memory := memories.find(each)) and memory.claim]
        for one, other in combinations(sorted(found, key=lambda memory: memory.id), 2):
            if _cannot_both(one, other, values):
                yield Contradiction(Doubt.CONTRADICTION, "value", _claim_of(one), _claim_of(other))


def _values_by_key(claimed: Iterable[tuple[int, str, str]]) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for _, key, value in claimed:
        found[key].add(value)
    return found


def _claim_of(memory: Memory) -> Statement:
    return Statement(memory.id, claim_text(memory))


def claim_text(memory: Memory) -> str:
    """Key and value as they are told; of a sensitive memory the key alone."""
    claim = memory.claim
    if claim is None:
        return ""
    return f"{claim.key} = {SENSITIVE if memory.privacy is Privacy.SENSITIVE else claim.value}"


def claim_told(memory: Memory) -> str:
    """The same, cut where it is long."""
    said = claim_text(memory)
    return said if len(said) <= VALUE_CHARACTERS else f"{said[:VALUE_CHARACTERS].rstrip()} …"


def _worded(bundle: Bundle, memories: _Memories) -> Iterator[Contradiction]:
    with bundle.index.reading() as index:
        rows = sorted(index.by_prior(_MEMORIES, _ALL))
        entries, passages = index.entries(rows), index.passages(rows)
    said: list[_Said] = []
    for entry in sorted(entries.values(), key=lambda entry: entry.id):
        if entry.kind not in _HAPPENED:
            texts = [each.text for each in passages.get(entry.row, [])]
            said += list(_said(entry.id, entry.title, texts))[:_STATEMENTS]
    told: set[tuple[str, str]] = set()
    for one, other in _neighbours(said):
        pair = (said[one].id, said[other].id)
        if pair in told or not (found := _opposed(said[one], said[other])):
            continue
        first, second = memories.find(pair[0]), memories.find(pair[1])
        if first and second and _comparable(first, second):
            told.add(pair)
            yield found


def _neighbours(said: Sequence[_Said]) -> Iterator[tuple[int, int]]:
    """Pairs of sentences of different memories that share the most of their rarer words: a few for each sentence."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, each in enumerate(said):
        for word in each.terms:
            places[word].append(place)
    seen: set[tuple[int, int]] = set()
    for place, each in enumerate(said):
        # Words of every second note tell nothing; by the rarest few the time keeps within bounds.
        telling = sorted((len(places[word]), word) for word in each.terms if 1 < len(places[word]) <= _COMMON)
        weights: Counter[int] = Counter()
        for count, word in telling[:_RAREST]:
            for other in places[word]:
                weights[other] += _COMMON // count
        ranked = nsmallest(_LOOKED_AT + _STATEMENTS, ((-weight, other) for other, weight in weights.items()))
        near = [other for _, other in ranked if said[other].id != each.id]
        for other in near[:_LOOKED_AT]:
            pair = (min(place, other), max(place, other))
            if pair not in seen:
                seen.add(pair)
                yield pair
