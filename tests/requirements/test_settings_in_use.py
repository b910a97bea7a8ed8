"""No setting is decoration: each is read somewhere, or the page of settings says that nothing applies it yet."""

from __future__ import annotations

import re
from pathlib import Path

from mnemic import config

_ROOT = Path(__file__).parent.parent.parent
_NO_READERS = {"config.py", "policy.py", "weights.py"}
"""Where settings are declared."""
_HOLDERS = {
    "embed": "(?:embed|settings|chosen)",
    "history": "(?:history|settings)",
    "replay": "(?:replay|rules)",
}
"""Names under which a section is at hand; mostly its own."""


def unread() -> set[str]:
    """Settings that no code asks for by name."""
    files = [path for path in (_ROOT / "src" / "mnemic").rglob("*.py") if path.name not in _NO_READERS]
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    found = set()
    for key in config.known_keys():
        section, _, name = key.partition(".")
        # Those of models are asked for by the model's name, and `_alone` is put behind it.
        by_model = section == "weights" and name.split("_")[0] in {"e5", "use", "other"}
        holder = _HOLDERS.get(section, section)
        if not by_model and not re.search(rf"\b_?{holder}\.{name}\b", code):
            found.add(key)
    return found


def test_every_setting_is_read_or_said_to_wait() -> None:
    page = (_ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"^Sizes count .*$", page, re.MULTILINE)
    waiting = {"limits.section_memory_characters", "limits.section_user_characters"}

    assert unread() == waiting
    assert "Two limits are about files of short entries" in said
    assert "`section_memory_characters` and `section_user_characters`" in said
