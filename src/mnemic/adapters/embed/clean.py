"""Text as every embedder can take it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

# A passage is one to three sentences and a query shorter still; the limits only keep a pasted file from
# taking seconds. Meaning beyond them is for the caller to split into passages.
PASSAGE_CHARACTERS = 4_000
QUERY_CHARACTERS = 1_000

_NOT_TEXT = {0: " ", 0xFFFD: " "}


def clean(text: str, limit: int) -> str:
    """The first `limit` characters, without what engines cannot take.

    A NUL ends a C string and a lone surrogate has no UTF-8 form: both become a space. Surrogate pairs, as
    careless JSON decoders leave them, become the character they mean. Only white space becomes "".
    """
    cut = text[:limit]
    try:
        cut.encode()
    except UnicodeEncodeError:
        cut = cut.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return cut.translate(_NOT_TEXT).strip() if "\0" in cut or "\ufffd" in cut else cut.strip()


def embed_nonempty(
    texts: Sequence[str], dim: int, embed: Callable[[list[str]], NDArray[np.float32]]
) -> NDArray[np.float32]:
    """Rows for cleaned `texts`: those of `embed` for the non-empty ones, zero rows for the others."""
    import numpy as np

    rows = np.zeros((len(texts), dim), dtype=np.float32)
    full = [place for place, text in enumerate(texts) if text]
    if full:
        rows[full] = embed([texts[place] for place in full])
    return rows
