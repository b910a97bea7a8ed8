from __future__ import annotations

from dataclasses import replace

from memory_samples import a_memory

from mnemic.domain.loading import loaded_text, loading_of
from mnemic.domain.memory import Loading

_PROFILE = """# Anna [Strength: High]

Before.

## Core Identity [ALWAYS_LOAD]

- likes tea

### Detail

- from Oslo

## History

old

## Lately [RECENT_LOAD] ##
moved
/END Lately
after
```
## No heading [ALWAYS_LOAD]
```
"""


def test_a_heading_says_what_is_loaded() -> None:
    memory = replace(a_memory(), body=_PROFILE, loading=None)

    assert loading_of(memory) is Loading.ALWAYS
    assert loaded_text(memory, Loading.ALWAYS) == "## Core Identity\n\n- likes tea\n\n### Detail\n\n- from Oslo"
    assert loaded_text(memory, Loading.RECENT) == "## Lately\nmoved"
    assert loaded_text(memory, Loading.KEYWORD) == ""


def test_the_key_wins_over_headings() -> None:
    memory = replace(a_memory(), body=_PROFILE, loading=Loading.KEYWORD)

    assert loading_of(memory) is Loading.KEYWORD
    assert loaded_text(memory, Loading.KEYWORD) == _PROFILE
    assert loaded_text(memory, Loading.ALWAYS) == ""


def test_a_tag_outside_of_a_heading_is_text() -> None:
    memory = replace(a_memory(), body="We write [ALWAYS_LOAD] into headings.", loading=None)

    assert loading_of(memory) is None
