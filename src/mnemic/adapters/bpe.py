"""Exact token counts of published byte-pair vocabularies; needs the extra `tokens`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic.errors import ConfigError

if TYPE_CHECKING:
    from mnemic.ports import TokenCounter

VOCABULARIES = {"o200k": "o200k_base", "cl100k": "cl100k_base"}
"""By the name that settings use."""


def bpe_counter(name: str = "o200k") -> TokenCounter:
    """A `TokenCounter` that counts as models with this vocabulary do; loading it takes a moment, so keep it.

    What looks like a control token of a model is counted as the text that it is.

    Raises:
        ConfigError: There is no such vocabulary, or the package that holds it is not installed.
    """
    if name not in VOCABULARIES:
        known = ", ".join(VOCABULARIES)
        raise ConfigError(
            f"{name!r} is no vocabulary that tokens can be counted with.", hint=f"Choose one of: {known}."
        )
    try:
        from bpe_openai import get_encoding
    except ImportError as error:
        raise ConfigError(
            f"Counting tokens with {name} needs a package that is not installed.",
            hint='Install it with: pip install "mnemic[tokens]"',
        ) from error
    encode = get_encoding(VOCABULARIES[name]).encode_ordinary

    def count(text: str) -> int:
        # A lone surrogate is no text that a model could be given.
        return len(encode(text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")))

    return count
