"""What every text passes before it may touch a disk, in one fixed order.

Safe names → schema and kind → sizes → secrets → privacy → origin → signs of injection. Duplicates, contradictions and
orders divided over several memories need the other memories, and are looked for by `services/writing/remember.py`
afterwards.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mnemic.domain.drafts import Warned
from mnemic.domain.kinds import kind_named
from mnemic.domain.loading import stands_before_all
from mnemic.domain.memory import Memory, Privacy, State, check_required
from mnemic.domain.policy import OnSecret
from mnemic.domain.provenance import AGENT_ORIGINS, DEFAULT_AUTHORITY, Origin, is_ones_own
from mnemic.errors import (
    InvalidMemoryError,
    LimitExceededError,
    OriginRefusedError,
    PrivacyRefusedError,
    SecretRefusedError,
)
from mnemic.services.judging.quarantine import PERSON, PERSONAL, examined
from mnemic.text.secret_rules import find_secrets, redact

if TYPE_CHECKING:
    from mnemic.domain.drafts import Draft
    from mnemic.domain.policy import Limits, Policy
    from mnemic.domain.provenance import Provenance

_PUT_AWAY = frozenset({State.ARCHIVED, State.SUPERSEDED})
"""Whatever is believed of it: what may not stand there may always be put away."""
_TEXT_FIELDS = ("title", "body", "description", "resource")


def guarded(memory: Memory, policy: Policy) -> tuple[Memory, tuple[Warned, ...]]:
    """The memory as it may be written, and what was changed about it; one that shows signs of injection quarantined.

    Raises:
        InvalidMemoryError: A field its kind demands is missing, or a text that is no Unicode.
        LimitExceededError: A text is longer than the policy allows.
        SecretRefusedError: It holds a credential, and the policy refuses those.
        PrivacyRefusedError: It is sensitive, and the policy does not allow that.
        OriginRefusedError: Its origin may not write this kind, or is believed less than the policy demands.
    """
    _check_unicode(memory)
    check_required(memory)
    _check_sizes(memory, policy.limits)
    clean, warnings = without_secrets(memory, policy.rules.secrets_in_memories)
    check_privacy(clean, policy)
    if clean.state not in _PUT_AWAY:
        _check_origin(clean.kind, clean.provenance, policy)
        _check_authority(clean.provenance, policy)
    clean, examination = examined(clean)
    return clean, (*warnings, *_told_of_privacy(clean, examination, policy))


def check_privacy(memory: Memory, policy: Policy) -> None:
    """Refuse what is sensitive unless the policy allows that it is kept; where it goes then, `sealed.py` says.

    Raises:
        PrivacyRefusedError: It is not allowed.
    """
    if memory.privacy is Privacy.SENSITIVE and not policy.rules.sensitive:
        raise PrivacyRefusedError(
            "Sensitive content is not kept in this bundle: its policy does not allow it.",
            hint="Leave it out, or allow it to be kept encrypted: mnemic config set rules.sensitive true",
        )


def _told_of_privacy(memory: Memory, warnings: tuple[Warned, ...], policy: Policy) -> tuple[Warned, ...]:
    """Of personal data that could be kept in the vault alone, that it could; of what is kept there, nothing."""
    if memory.privacy is Privacy.SENSITIVE:
        return tuple(each for each in warnings if each.code != PERSONAL)
    if not policy.rules.sensitive:
        return warnings
    way = "; to keep all of it encrypted: --privacy sensitive"
    return tuple(replace(each, message=each.message + way) if each.code == PERSONAL else each for each in warnings)


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
    if memory.state not in _PUT_AWAY:
        _check_origin(old.kind, memory.provenance, policy)
    source = memory.provenance
    if not is_ones_own(source.origin, verified=source.verified):
        check_not_standing(old)


def check_not_standing(memory: Memory) -> None:
    """Refuse that anybody but its owner changes what stands before every conversation, ends or removes it.

    Raises:
        OriginRefusedError: It does stand there.
    """
    if stands_before_all(memory):
        raise OriginRefusedError(
            f"{memory.id} stands before every conversation, so only its owner changes what it says.",
            hint="Tell the user what should change there; they edit it by hand or with mnemic edit.",
        )


def check_agents(draft: Draft) -> None:
    """Refuse that an agent vouches: it hands on what others said, and how far they are believed is not its to say.

    Raises:
        OriginRefusedError: Its draft counts as verified, as said or written down by a person, or as more than its
            origin's usual.
    """
    source = draft.provenance
    if not draft.by_agent:
        return
    if source.verified or source.origin not in AGENT_ORIGINS or source.actor.strip().casefold() == PERSON:
        raise OriginRefusedError(
            "An agent does not vouch for what it writes.",
            hint="Say who said it: user_said, model, tool, web or document. A person verifies it.",
        )
    if source.authority > DEFAULT_AUTHORITY[source.origin]:
        raise OriginRefusedError(
            f"What comes from {source.origin} is believed {DEFAULT_AUTHORITY[source.origin]} at most.",
            hint="Leave the authority out; a person may raise it.",
        )


def _check_origin(kind_name: str, source: Provenance, policy: Policy) -> None:
    kind = kind_named(kind_name)
    if kind.people_only and not is_ones_own(source.origin, verified=source.verified):
        raise OriginRefusedError(
            f"A {kind.name} is written by people or by an approved proposal only.",
            hint="Store it as a note and ask a person to promote it.",
        )
    believed = source.verified or source.origin is not Origin.MODEL or policy.rules.model_beliefs
    if kind.name == "belief" and not believed:
        raise OriginRefusedError(
            "What a model says is not a belief until somebody promotes it.",
            hint="Store it as an observation or a note; a person promotes it: mnemic edit ID --kind belief --verified",
        )


def _check_authority(source: Provenance, policy: Policy) -> None:
    if source.authority < policy.rules.minimum_authority and not source.verified:
        raise OriginRefusedError(
            f"Its source is believed {source.authority:g}, and this bundle keeps nothing "
            f"below {policy.rules.minimum_authority:g}.",
            hint="A person may keep it and vouch for it: --verified. The setting is rules.minimum_authority.",
        )
