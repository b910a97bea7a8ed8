"""OKF concepts: one memory a document. Pure over bytes; docs/reference/okf.md is the contract."""

from __future__ import annotations

from mnemic.adapters.markdown.formats.concept_read import read_concept
from mnemic.adapters.markdown.formats.concept_repair import Repaired, repair_concept
from mnemic.adapters.markdown.formats.concept_write import as_written, write_concept
from mnemic.adapters.markdown.formats.fields import RECOVERED_KIND

__all__ = [
    "PROFILE_CODES",
    "RECOVERED_KIND",
    "Repaired",
    "as_written",
    "read_concept",
    "repair_concept",
    "write_concept",
]

PROFILE_CODES = frozenset({"no_frontmatter", "empty_document", "missing_type", "missing_timestamp"})
"""Problems only by the native profile: a foreign folder that is opened in place may have them and be well."""
