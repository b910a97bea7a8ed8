"""Questions with known evidence, as benchmarks ask them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question about a conversation.

    Attributes:
        conversation: The conversation it is about.
        number: Its place in the source's list for this conversation, from 0.
        answer: Empty when the source gives none.
        category: The source's own number of its kind.
        evidence: The turns that hold the answer, by the source's names, in the source's order, each once.
        turns: The same turns as references: `session:<session>#<number>`.
        given: The evidence as the source has it, mistakes and repetitions included.
    """

    conversation: str
    number: int
    text: str
    answer: str
    category: int
    evidence: tuple[str, ...]
    turns: tuple[str, ...]
    given: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A question that is not asked, and why; `given` as in `Question`."""

    conversation: str
    number: int
    category: int
    why: str
    given: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSet:
    """The questions of a file. `repaired` and `dropped` are evidence names: read anew, and naming no turn."""

    questions: tuple[Question, ...]
    left_out: tuple[LeftOut, ...] = ()
    repaired: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
