"""What was said and is too long to be kept: its beginning and its end, cut so that no secret is cut in two."""

from __future__ import annotations

from dataclasses import replace

from mnemic.text.secret_rules import find_secrets, redact

MARK = "\n[…]\n"
"""Stands for what was left out."""
LOOKED_PAST = 16_000
"""Characters on the other side of each cut that are searched too; the longest secret, a block of a key, is shorter."""


def trimmed(text: str, limit: int) -> str:
    """The text without that part of its middle that `shortened` has no use for; what comes of it stays the same."""
    seen = _half(limit) + LOOKED_PAST
    return text if len(text) <= 2 * seen + len(MARK) else f"{text[:seen]}{MARK}{text[-seen:]}"


def shortened(text: str, limit: int) -> str:
    """At most about `limit` characters: a text that is longer keeps its beginning and its end, without secrets.

    They are taken out here, before it is cut: a stump of one matches no rule, and one whose name was cut off neither.
    """
    if len(text) <= limit:
        return text
    text, half = trimmed(text, limit), _half(limit)
    found = find_secrets(text)
    end, start = half, len(text) - half
    for finding in found:
        if finding.start < end < finding.end:
            end = finding.start
        if finding.start < start < finding.end:
            start = finding.end
    head = redact(text[:end], [one for one in found if one.end <= end])
    behind = [replace(one, start=one.start - start, end=one.end - start) for one in found if one.start >= start]
    return f"{head}{MARK}{redact(text[start:], behind)}"


def has_secret(text: str, limit: int) -> bool:
    """Whether there is a secret in what `shortened` looks at."""
    return bool(find_secrets(trimmed(text, limit)))


def _half(limit: int) -> int:
    return max(limit - len(MARK), 0) // 2
