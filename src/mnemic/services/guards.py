"""What every text passes before it may touch a disk, in one fixed order.

Safe names → schema and kind → sizes → secrets → privacy → origin → signs of injection. Duplicates, contradictions and
orders divided over several memories need the other memories, and are looked for by `services/remember.py` afterwards.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mnemic.domain.drafts import Warned
from mnemic.domain.kinds import kind_named
from mnemic.domain.loading import stands_before_all
from mnemic.domain.memory import Memory, Privacy, check_required
from mnemic.domain.policy import OnSecret
from mnemic.domain.provenance import Origin, is_ones_own
from mnemic.errors import (
    InvalidMemoryError,
    LimitExceededError,
    OriginRefusedError,
    PrivacyRefusedError,
    SecretRefusedError,
)
from mnemic.services.quarantine import examined
from mnemic.text.secret_rules import find_secrets, redact

if TYPE_CHECKING:
    from mnemic.domain.policy import Limits, Policy
    from mnemic.domain.provenance import Provenance

_TEXT_FIELDS = ("title", "body", "description", "resource")


def guarded(memory: Memory, policy: Policy) -> tuple[Memory, tuple[Warned, ...]]:
    """The memory as it may be written, and what was changed about it; one that shows signs of injection quarantined.

    Raises:
        InvalidMemoryError: A field its kind demands is missing, or a text that is no Unicode.
        LimitExceededError: A text is longer than the policy allows.
        SecretRefusedError: It holds a credential, and the policy refuses those.
        PrivacyRefusedError: It is sensitive, and there is no vault to keep it in.
        OriginRefusedError: Its origin may not write this kind.
    """
    _check_unicode(memory)
    check_required(memory)
    _check_sizes(memory, policy.limits)
    clean, warnings = without_secrets(memory, policy.rules.secrets_in_memories)
    if clean.privacy is Privacy.SENSITIVE:
        raise PrivacyRefusedError(
            "Sensitive content is not kept: this bundle has no vault.",
            hint="Leave out what is sensitive, or keep it elsewhere.",
        )
    _check_origin(clean.kind, clean.provenance, policy)
    clean, examination = examined(clean)
    return clean, (*warnings, *examination)


def without_secrets(memory: Memory, rule: OnSecret) -> tuple[Memory, tuple[Warned, ...]]:
    """The memory with every credential refused or taken out, by `rule`; outside of plain texts always refused."""
    texts = _texts(memory)
    found = {name: findings for name, text in texts.items() if text and (findings := find_secrets(text))}
    if not found:
        return memory, ()
    names = tuple(dict.fromkeys(finding.name for findings in found.values() for finding in findings))
    if rule is OnSecret.REFUSE or not found.keys() <= set(_TEXT_FIELDS):
        raise SecretRefusedError(names)
    clean = {name: redact(texts[name], findings) for name, findings in found.items()}
    warning = Warned(code="redacted", message=f"redacted before writing: {', '.join(names)}")
    return replace(memory, **clean), (warning,)  # type: ignore[arg-type]  # only text fields are in `clean`


def check_id(given: str) -> None:
    """Refuse an id that holds a credential: it would stand in file names, links and logs.

    Raises:
        SecretRefusedError: It does.
    """
    if found := find_secrets(given):
        raise SecretRefusedError(tuple(dict.fromkeys(finding.name for finding in found)))


def _texts(memory: Memory) -> dict[str, str]:
    """Everything somebody wrote, by field; key and value of a claim as a pair, since a key can name a password."""
    scope, source = memory.scope, memory.provenance
    return {
        **{name: str(getattr(memory, name)) for name in _TEXT_FIELDS},
        "type": memory.kind,
        "tags": "\n".join(memory.tags),
        "on_event": memory.on_event,
        "claim": f"{memory.claim.key} = {memory.claim.value}" if memory.claim else "",
        "scope": f"{scope.user}\n{scope.agent}\n{scope.project}\n{scope.conversation}",
        "source": f"{source.locator}\n{source.actor}\n{source.session}",
    }


def _check_unicode(memory: Memory) -> None:
    for name, text in _texts(memory).items():
        if "\0" in text:
            raise InvalidMemoryError(name, "it holds a NUL character", hint="Take it out; text files cannot hold it.")
        if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
            raise InvalidMemoryError(name, "it holds half of a surrogate pair", hint="Send it again as valid Unicode.")


def _check_sizes(memory: Memory, limits: Limits) -> None:
    kind = kind_named(memory.kind)
    for what, text, limit in (
        ("The title", memory.title, limits.title_characters),
        ("The description", memory.description, limits.description_characters),
    ):
        if len(text) > limit:
            raise LimitExceededError(what, size=len(text), limit=limit)
    if kind.name == "summary" and len(memory.body) > limits.summary_characters:
        raise LimitExceededError("The summary", size=len(memory.body), limit=limits.summary_characters)
    if not kind.document and len(memory.body) > limits.body_characters:
        raise LimitExceededError("The text", size=len(memory.body), limit=limits.body_characters)
    size = len(memory.body.encode("utf-8", "surrogatepass"))
    if size > limits.document_bytes:
        raise LimitExceededError("The document", size=size, limit=limits.document_bytes, unit="bytes")
    if len(memory.tags) > limits.tags:
        raise LimitExceededError("The memory", size=len(memory.tags), limit=limits.tags, unit="tags")


def check_may_replace(memory: Memory, old: Memory, policy: Policy) -> None:
    """Refuse that a memory takes the place of one that its origin might not have written.

    What stands before every conversation is the owner's: rewritten or replaced by somebody else it would silently
    stand there no more.

    Raises:
        OriginRefusedError: So it is.
    """
    _check_origin(old.kind, memory.provenance, policy)
    source = memory.provenance
    if stands_before_all(old) and not is_ones_own(source.origin, verified=source.verified):
        raise OriginRefusedError(
            f"{old.id} stands before every conversation, so only its owner changes what it says.",
            hint="Tell the user what should change there; they edit it by hand or with mnemic edit.",
        )


def _check_origin(kind_name: str, source: Provenance, policy: Policy) -> None:
    kind = kind_named(kind_name)
    if kind.people_only and not is_ones_own(source.origin, verified=source.verified):
        raise OriginRefusedError(
            f"A {kind.name} is written by people or by an approved proposal only.",
            hint="Store it as a note and ask a person to promote it.",
        )
    if kind.name == "belief" and source.origin is Origin.MODEL and not policy.rules.model_beliefs:
        raise OriginRefusedError(
            "What a model says is not a belief until somebody promotes it.",
            hint="Store it as an observation or a note, or give the source it was taken from.",
        )
