"""What a query asks for, in the words of the index: pure."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from mnemic.text.analyzer import QueryTerms, query_terms
from mnemic.text.date_hints import may_hold_dates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date, datetime, tzinfo

    from mnemic.text.dates import DateSpan

LONGEST_NAME = 3
MOST_NAMES = 120
LONGEST = 2_000
"""Characters of a query that names are looked for in."""
_SURE_ENOUGH = 0.45
_STRIPPED = ".,;:!?¿¡\"'«»„“”‘’()[]{}「」『』。，、？！…"


class Asked(NamedTuple):
    """A query, understood.

    Attributes:
        text: As it was given.
        terms: Words, phrases, `#names` and exclusions.
        words: The words as the index takes them: a prefix ends with `*`.
        names: Runs of one to three words, casefolded, that may be somebody's or something's name.
        days: Days the query names, as half-open ranges.
        tail: Words of the conversation so far that are not the query's own.
        besides_days: How many words there are that name no day.
    """

    text: str
    terms: QueryTerms
    words: tuple[str, ...]
    names: tuple[str, ...]
    days: tuple[tuple[date, date], ...]
    tail: tuple[str, ...] = ()
    besides_days: int = 0

    @property
    def days_alone(self) -> bool:
        """Whether a day is all that is asked for."""
        return bool(self.days) and not self.besides_days


def understand(text: str, *, now: datetime, zone: tzinfo, tail: str = "") -> Asked:
    """Analyze a query.

    Args:
        text: In any language; only its first 16,384 characters are read.
        now: What "last week" is counted from.
        zone: Whose days are meant.
        tail: The conversation so far.
    """
    found = query_terms(text)
    spans = _spans(text, now.astimezone(zone).date())
    words = tuple(f"{term}*" if term in found.prefixes else term for term in found.terms)
    besides = len(query_terms(_without(text, spans)).terms) if spans else len(words)
    return Asked(
        text=text,
        terms=found,
        # "Last Friday" alone asks for a day, not for whoever said "Friday".
        words=words if besides or not spans else (),
        names=possible_names(text),
        days=tuple((span.start, span.end) for span in spans),
        tail=tuple(term for term in query_terms(tail).terms if term not in found.terms) if tail else (),
        besides_days=besides,
    )


def _without(text: str, spans: Sequence[DateSpan]) -> str:
    for span in reversed(spans):
        text = f"{text[: span.offset_start]} {text[span.offset_end :]}"
    return text


def possible_names(text: str) -> tuple[str, ...]:
    """Runs of one to three words, casefolded, each once: any may be somebody's or something's name."""
    return tuple(dict.fromkeys(islice(_names(text), MOST_NAMES)))


def without_names(text: str, names: tuple[str, ...]) -> str:
    """The text without these casefolded names and their possessive endings; whole when nothing would be left to say."""
    if not names:
        return text
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    left = re.sub(rf"(?<!\w)(?:{pattern})(?:['’]s)?(?!\w)", " ", text[:LONGEST], flags=re.IGNORECASE)
    found = query_terms(left)
    return " ".join(left.split()) if found.terms and not found.only_stop_words else text


def _names(text: str) -> Iterator[str]:
    """Runs of words as they stand, longest first at each place; possessive endings taken off."""
    words = [word for raw in text[:LONGEST].casefold().split() if (word := _bare(raw))]
    for place in range(len(words)):
        for size in range(min(LONGEST_NAME, len(words) - place), 0, -1):
            yield " ".join(words[place : place + size])


def _bare(word: str) -> str:
    plain = word.strip(_STRIPPED)
    for ending in ("'s", "’s"):
        plain = plain.removesuffix(ending)
    return plain


def _spans(text: str, today: date) -> tuple[DateSpan, ...]:
    if not may_hold_dates(text):
        return ()
    from mnemic.text.dates import dates_in

    return tuple(span for span in dates_in(text, today=today) if span.certainty >= _SURE_ENOUGH)


def asked_of(message: str, limit: int) -> str:
    """What is asked of the memory for a message of any length: its beginning and its end.

    There people speak themselves; what lies between is what they pasted.
    """
    return message if len(message) <= limit else f"{message[: limit // 2 - 1]}\n{message[-(limit // 2) :]}"
