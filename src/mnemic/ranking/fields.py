"""The profile `fields`: weighted words in the metadata of memories, no model, no bodies in the answer.

Source: the lexical search of the Kimiko design over OKF: path, title, description, tags, type and body, stop words
filtered. It gives no weights; ours follow how deliberate a field is.
"""

from __future__ import annotations

from mnemic.domain.entries import FieldWeights

FIELDS = FieldWeights(path=3.0, title=5.0, description=2.5, tags=3.0, kind=1.0, body=0.5)
