"""Citations: looked up when a memory is written, and again whenever it is quoted.

A digest of the cited text is all that is kept of it. So a source that says something else by now is noticed, and what
was cited cannot be read from the memory.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, assert_never

from mnemic.domain.citations import (
    FILE_PREFIX,
    Citation,
    LinesCited,
    Standing,
    TurnsCited,
    canonical_lines,
    canonical_turns,
    citation_in,
    digest_of,
    parse_citation,
)
from mnemic.domain.documents import Problem
from mnemic.domain.entries import Source, Where
from mnemic.errors import (
    CitationRefusedError,
    InvalidCitationError,
    NotFoundError,
    SessionNotFoundError,
    SourceNotFoundError,
    StorageError,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from mnemic.domain.drafts import Draft
    from mnemic.domain.provenance import Provenance
    from mnemic.domain.results import Hit
    from mnemic.domain.session import Turn
    from mnemic.services.bundle import Bundle

_ALL: Final = 100_000


def cited(bundle: Bundle, draft: Draft) -> Provenance:
    """The provenance of a draft with what it cites, looked up.

    Raises:
        InvalidCitationError: `cites` names no turns and no lines, or a locator is given beside a file.
        SessionNotFoundError, SourceNotFoundError, MemoryNotFoundError, InvalidIdError: It is not there.
        CitationRefusedError: It is no file that may be cited.
    """
    source = draft.provenance
    if not draft.cites.strip():
        return source
    match parse_citation(draft.cites):
        case TurnsCited() as turns:
            said = canonical_turns(_turns(bundle, turns))
            numbers = tuple(range(turns.first, turns.last + 1))
            return replace(source, session=turns.session, turns=numbers, sha256=digest_of(said))
        case LinesCited() as lines:
            if source.locator:
                raise InvalidCitationError(draft.cites, "a locator is given too", hint="Give one of the two.")
            found = replace(lines, path=_path(bundle, lines.path, by_agent=draft.by_agent))
            text = canonical_lines(_lines(bundle, found))
            return replace(source, locator=f"{FILE_PREFIX}{found.told}", turns=(), sha256=digest_of(text))
        case never:
            assert_never(never)


def verified(bundle: Bundle, source: Provenance) -> Citation | None:
    """Whether what a provenance cites still stands there; None when it cites nothing, or nobody can tell."""
    wanted = citation_in(source)
    match wanted:
        case None:
            return None
        case TurnsCited():
            try:
                said = canonical_turns(_turns(bundle, wanted))
            except NotFoundError:
                return Citation(wanted, Standing.MISSING)
            except StorageError:
                return None
            return Citation(wanted, Standing.INTACT if digest_of(said) == source.sha256 else Standing.CHANGED)
        case LinesCited():
            return _lines_verified(bundle, wanted, source.sha256)
        case never:
            assert_never(never)


def verified_hits(bundle: Bundle, hits: Sequence[Hit], ids: Collection[str]) -> tuple[Hit, ...]:
    """The hits; those with one of these ids together with whether what they cite stands."""
    return tuple(replace(hit, citation=_citation_of(bundle, hit.id)) if hit.id in ids else hit for hit in hits)


def stale(bundle: Bundle) -> Iterator[Problem]:
    """A problem for each active memory whose source says something else by now, or is gone. The index is up to date."""
    with bundle.index.reading() as index:
        rows = index.by_prior(Where(sources=(Source.MEMORY,), cites=True), _ALL)
        ids = sorted(entry.id for entry in index.entries(rows).values())
    for memory_id in ids:
        with suppress(NotFoundError, StorageError):
            located = bundle.store.find(memory_id)
            found = verified(bundle, located.memory.provenance)
            if found is not None and found.stale:
                yield _problem(located.path, located.line, found)


def _problem(path: str, line: int, found: Citation) -> Problem:
    if found.standing is Standing.MISSING:
        message = f"It cites {found.cited.told}, which is there no more."
        return Problem(path=path, line=line, code="missing_source", message=message)
    message = f"It cites {found.cited.told}, which says something else by now."
    return Problem(path=path, line=line, code="stale_citation", message=message)


def _citation_of(bundle: Bundle, memory_id: str) -> Citation | None:
    with suppress(NotFoundError, StorageError):
        return verified(bundle, bundle.store.find(memory_id).memory.provenance)
    return None


def _turns(bundle: Bundle, wanted: TurnsCited) -> list[Turn]:
    known = {turn.number: turn for turn in bundle.sessions.read(wanted.session).turns}
    numbers = range(wanted.first, wanted.last + 1)
    if missing := next((number for number in numbers if number not in known), None):
        raise SessionNotFoundError(f"session:{wanted.session}#{missing}")
    return [known[number] for number in numbers]


def _path(bundle: Bundle, given: str, *, by_agent: bool) -> str:
    """Where the file lies from the bundle's folder. An agent names documents of the bundle and nothing else."""
    if by_agent:
        return bundle.store.find(given.removesuffix(".md")).path
    return bundle.files.placed(given)


def _lines(bundle: Bundle, wanted: LinesCited) -> Sequence[str]:
    lines = bundle.files.lines(wanted.path)
    if wanted.last > len(lines):
        raise SourceNotFoundError(wanted.told, f"it has {len(lines):,} lines")
    return lines[wanted.first - 1 : wanted.last]


def _lines_verified(bundle: Bundle, wanted: LinesCited, digest: str) -> Citation:
    try:
        lines = bundle.files.lines(wanted.path)
    except (NotFoundError, CitationRefusedError):
        return Citation(wanted, Standing.MISSING)
    size = wanted.last - wanted.first + 1
    # Where it stood first: nearly always it still does.
    for start in (wanted.first - 1, *range(len(lines) - size + 1)):
        window = lines[start : start + size]
        if len(window) == size and digest_of(canonical_lines(window)) == digest:
            if start == wanted.first - 1:
                return Citation(wanted, Standing.INTACT)
            return Citation(wanted, Standing.MOVED, replace(wanted, first=start + 1, last=start + size).told)
    return Citation(wanted, Standing.CHANGED)
