"""Letters read as the eye reads them: accents off, look-alikes of other scripts as Latin, one character for one.

The table of look-alikes is our own: letters of Cyrillic, Greek, Armenian and Cherokee, small capitals and phonetic
letters that are drawn like a Latin letter in common fonts.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_PAIRS: Final = (
    # Cyrillic
    "аaвbеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwӏlгrкkмmнhтtпnьbѵvҽeқkғfүy"
    # Greek
    "αaβbεeηnιiκkνvοoρpτtυuχxωwγyσoϲcζzμuϳj"
    # Armenian, Cherokee, Latin extensions without a decomposition, small capitals
    "աwօoսuոnզqցgհhյjѡwꭰdıiłlđdøoħhɑaɡgɩiʏyʀrɴnᴀaʙbᴄcᴅdᴇeғfɢgʜhɪiᴊjᴋkʟlᴍmᴏoᴘpꜱsᴛtᴜuᴠvᴡwᴢz"
)
LOOKALIKES: Final = {ord(_PAIRS[at]): _PAIRS[at + 1] for at in range(0, len(_PAIRS), 2)}
"""Lower-case letters drawn like the Latin letter they map to."""

_BACK: Final = str.maketrans("aeopcxyikmtbh", "аеорсхуікмтвн")


_MOST: Final = 20_000
"""Characters whose folding is kept."""


class _Folding(dict[int, str]):
    """Filled as characters come by; `str.translate` asks it for each."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if len(self) > _MOST:
            self.clear()
        plain = "".join(c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c)).lower()
        if len(plain) != 1:
            plain = char if len(char.lower()) != 1 else char.lower()
        self[code] = LOOKALIKES.get(ord(plain), plain)
        return self[code]


_FOLDING: Final = _Folding()


def lowered(text: str) -> str:
    """Lower case of the same length: the few letters that would become two stay as they are."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c if len(c.lower()) > 1 else c.lower() for c in text)


def folded(text: str) -> str:
    """The text as Latin letters as far as it looks like them, in lower case, of the same length."""
    return text.lower() if text.isascii() else text.translate(_FOLDING)


def cyrillic(low: str) -> str:
    """A lower-case text whose Latin letters are read as the Cyrillic ones that look the same."""
    return low.translate(_BACK)
