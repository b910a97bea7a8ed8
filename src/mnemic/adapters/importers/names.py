"""Session ids for what other programs call a conversation."""

from __future__ import annotations

import re
from hashlib import sha256

from mnemic.domain.session import is_session_id
from mnemic.text.secret_rules import find_secrets, redact

_LONGEST = 80  # leaves room for a date or a number behind it
_KEPT_SIGNS = r"[^a-z0-9._-]+"
_BLANKS = re.compile(r"\s+")


def session_name(text: str) -> str:
    """A session id that stands for `text`, the same every time.

    Letter case, and blanks for dashes, are all that may be lost without a trace; otherwise six digits of a hash keep
    two names apart that look alike in ASCII. A secret in it is replaced by its rule.
    """
    clean = redact(text, find_secrets(text))  # before anything is cut: a session id names a file
    plain = _BLANKS.sub("-", text.strip().lower())
    if clean == text and is_session_id(plain) and len(plain) <= _LONGEST:
        return plain
    from slugify import slugify

    slug = slugify(clean, max_length=_LONGEST, regex_pattern=_KEPT_SIGNS).strip("._-")
    hashed = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{slug}-{hashed}" if slug else f"session-{hashed}"
