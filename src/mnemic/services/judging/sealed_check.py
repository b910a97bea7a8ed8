"""What is wrong with the sensitive memories of a bundle: their stubs, and what the vault has of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic.domain.documents import Problem
from mnemic.domain.memory import Privacy
from mnemic.domain.sealing import is_hidden, is_sealed, says_too_much
from mnemic.errors import VaultError
from mnemic.services.judging.sealed import memories_of, orphans, sweep
from mnemic.services.upkeep.keeping import last_content
from mnemic.services.upkeep.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemic.domain.documents import Located
    from mnemic.services.bundle import Bundle, History

VAULT = ".mnemic/vault.db"


def sealed_problems(bundle: Bundle, *, repair: bool = False) -> tuple[list[Problem], list[Problem]]:
    """What is wrong, and what was mended: contents that no document speaks of are taken away.

    Of a vault that cannot be read nothing is said but that.
    """
    history = bundle.history()
    uids: set[str] = set()
    problems: list[Problem] = []
    for located in memories_of(bundle):
        uids.add(located.memory.uid)
        if is_hidden(located.memory):
            problems += _of_document(located)
    if history is None:
        return problems, []
    try:
        unknown = orphans(bundle, history)
        mended = [_orphan(uid) for uid in unknown] if repair else []
        if repair and unknown:
            sweep(bundle)
        elif unknown:
            problems += map(_orphan, unknown)
        problems += _without_content(bundle, history)
        removed = _without_document(history, uids.union(unknown))
        if repair and removed:
            record(bundle, (), removed)
    except VaultError as error:
        problems.append(Problem(path=VAULT, line=0, code="vault", message=error.message))
        return problems, []
    return problems, mended


def _of_document(located: Located) -> Iterator[Problem]:
    memory = located.memory
    if not is_sealed(memory):
        way = f"mnemic edit {memory.id} --privacy sensitive"
        message = f"It is sensitive and stands here in plain text; to seal it: {way}"
        yield Problem(path=located.path, line=located.line, code="sensitive_in_plain", message=message)
    elif says_too_much(memory):
        message = "Somebody wrote into the document of a sensitive memory; what stands there is not encrypted."
        yield Problem(path=located.path, line=located.line, code="sealed_edited", message=message)


def _without_content(bundle: Bundle, history: History) -> Iterator[Problem]:
    for located in memories_of(bundle):
        if is_sealed(located.memory) and not history.vault.versions(located.memory.uid):
            message = "What this memory says is not in the vault: it was lost with it, or forgotten."
            yield Problem(path=located.path, line=located.line, code="sealed_lost", message=message)


def _without_document(history: History, known: set[str]) -> list[str]:
    """Uids of sensitive memories whose documents were taken away: no index knew them, so nobody has noticed yet."""
    gone = []
    for uid in sorted(set(history.vault.standing()) - known):
        content = last_content(history, uid)
        if content is not None and content.privacy is Privacy.SENSITIVE:
            gone.append(uid)
    return gone


def _orphan(uid: str) -> Problem:
    message = f"It has a content that no memory came to hold, since its writer was cut off: {uid}."
    return Problem(path=VAULT, line=0, code="sealed_orphan", message=message, repairable=True)
