"""Every constant of recall in one table, printed by `--explain` and settable under `[weights]` in `mnemic.toml`.

Those of the first block were fitted by `benchmarks/fit_ranking.py` on conversations, notes and encyclopedia
paragraphs in five languages (docs/explanation/recall.md says how, on what, and what else was tried); they are never
touched by hand. The second block has no data to be fitted on and is set by judgement.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of the log-odds `score = ln(cue x prior)`: what one unit of each channel adds.

    Attributes:
        words: The best passage's coverage of the query's words, 0..1, with what its neighbours hold.
        words_alone: The same where no embedder is at hand.
        group: Coverage by the whole session or note, 0..1.
        name: The query names who spoke, or what the note is called, 0..1.
        length: A turn of `long_turn` terms or more says something, one of two words hardly, 0..1.
        asks: A turn that ends with a question.
        e5, use, other: One standard deviation of nearness in meaning, by space; `*_alone` where only this space is.
        day: The entry was said on, or speaks of, a day the query names, 0..1.

        phrase: A quoted phrase of the query stands there word for word, 0..1.
        tag: The query's `#name` is one of its tags or names, 0..1.
        link: A strong result links to it, or it to one, 0..1.
        salience, confidence, provenance, recency, urgency: The prior; each channel is centred on its usual
            value, so that an ordinary memory gets nothing.
        strength: How often it was read whole and built upon, 0..1, logarithmic; a new memory gets nothing.
        outcome: What came of it by its newest outcome: -1 failed, -0.5 mixed, 0 succeeded or nothing known.
        tail: Coverage of the words of the conversation so far, 0..1.
        suppress_above: Share of common terms from which a result is a near-duplicate of a better one, 0..1.
        caution: More evidence than fitted (below 0: less) that is asked for before anything is said.
    """

    words: float = 6.5
    words_alone: float = 17.7
    group: float = 3.65
    name: float = 3.0
    length: float = 2.2
    asks: float = -0.42
    e5: float = 0.71
    use: float = 0.79
    other: float = 0.75
    e5_alone: float = 1.1
    use_alone: float = 1.2
    other_alone: float = 1.0
    day: float = 2.8

    phrase: float = 4.0
    tag: float = 3.0
    link: float = 0.8
    salience: float = 1.2
    confidence: float = 0.8
    provenance: float = 0.8
    recency: float = 0.4
    urgency: float = 1.0
    strength: float = 0.4
    outcome: float = 1.5
    tail: float = 0.25
    suppress_above: float = 0.85
    caution: float = 0.0


WINDOW = MappingProxyType({0: 1.0, -1: 0.7, 1: 0.4, -2: 0.4, 2: 0.2})
"""How much the words of the passage so many places away count for a passage."""
REACH = 2
K1 = 1.2
B = 0.75
LONG_TURN = 40
"""Terms, its date and speaker included, from which a turn counts as long."""


class Background(NamedTuple):
    """Mean and variance of the cosine between a question and a statement that have nothing to do with each other."""

    mean: float
    variance: float


BACKGROUNDS = MappingProxyType(
    {"e5-small-q4": Background(-0.036, 0.0065), "use-m3": Background(-0.006, 0.0047)},
)
"""By model; in a small bundle they stand in for the spread that few vectors cannot show."""
BACKGROUND_VECTORS = 20
"""So many vectors of its own weigh as much as the background."""


class Refusal(NamedTuple):
    """Evidence that an answer is there, and how much of it is asked for.

    `cover` weighs coverage (0.6 words + 0.4 group), `e5` and `use` the cosine in standard deviations above the
    background; each is the mean of the best candidate's and of the largest that any candidate has. `small` is what is
    asked for in a bundle of `SMALL` entries, `large` in one of `LARGE`; between them it grows with the logarithm of
    the number, since more entries offer more chance resemblance; beyond, by `GROWTH`.
    """

    cover: float
    e5: float
    use: float
    small: float
    large: float


COVER = (0.6, 0.4)
SMALL = 30
LARGE = 560
GROWTH = 0.6
REFUSALS = MappingProxyType(
    {
        frozenset({"e5", "use"}): Refusal(9.66, 0.65, 1.23, 3.2, 8.85),
        frozenset({"e5"}): Refusal(13.5, 1.47, 0.0, 2.3, 5.9),
        frozenset({"use"}): Refusal(10.8, 0.0, 1.63, 2.3, 9.0),
        frozenset(): Refusal(19.15, 0.0, 0.0, 1.5, 2.3),
    },
)
"""By the channels of meaning at hand. With a model we have no figures for, nothing that was touched is refused."""


class Calibration(NamedTuple):
    """From the surplus of evidence and the logarithm of a result's share of all candidates to its log-odds."""

    surplus: float
    share: float
    base: float


CALIBRATION = Calibration(surplus=0.086, share=1.167, base=0.62)
"""Fitted on the first ten results of every question of all kinds; of those said to be 70 to 80 % sure, 89 % were right,
of 50 to 60 % 53 %, of 10 to 20 % 10 %."""
