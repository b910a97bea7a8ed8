"""One stem for a word, whatever the language of the text around it.

A query of three words rarely shows its language, and the text it looks for may be in another one. A stem that depends
on the language of the text would part the two. So the stem depends on the word alone: Latin words take the shortest
stem that the English and the German algorithm give; where the ending is that of a Spanish or French verb or adverb,
those algorithms count too, if they cut two letters more (one letter is the `o` or `a` that tells Mario from Maria).
Irregular English forms count as their base. Other alphabets have one algorithm each.

Measured on questions about paragraphs and on turns of conversations: as good as stemming by the detected language where
that is told right, and without its misses where it is not; several stems for one word are worse than either.
"""

from __future__ import annotations

import sys
from _thread import allocate_lock
from functools import cache, lru_cache
from importlib import import_module
from importlib.machinery import PathFinder
from types import ModuleType

from mnemic.text.irregular import bases
from mnemic.text.languages import script_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

_ALGORITHMS: Final = {
    "Arabic": ("arabic_stemmer", "ArabicStemmer"),
    "Armenian": ("armenian_stemmer", "ArmenianStemmer"),
    "Cyrillic": ("russian_stemmer", "RussianStemmer"),
    "Devanagari": ("hindi_stemmer", "HindiStemmer"),
    "English": ("english_stemmer", "EnglishStemmer"),
    "French": ("french_stemmer", "FrenchStemmer"),
    "German": ("german_stemmer", "GermanStemmer"),
    "Greek": ("greek_stemmer", "GreekStemmer"),
    "Spanish": ("spanish_stemmer", "SpanishStemmer"),
    "Tamil": ("tamil_stemmer", "TamilStemmer"),
}
_PACKAGE: Final = "mnemic._snowball"
# Endings that the German algorithm may cut and the English one may not have; others need not be tried.
_GERMAN_ENDINGS: Final = (
    "e",
    "em",
    "en",
    "er",
    "es",
    "s",
    "n",
    "st",
    "nd",
    "ung",
    "ig",
    "ik",
    "isch",
    "ch",
    "heit",
    "keit",
)
_ROMANCE_ENDINGS: Final = (
    *("ar", "er", "ir", "ando", "endo", "aba", "aban", "amos", "emos", "imos", "ado", "ada", "ados", "adas"),
    *("ido", "ida", "idos", "idas", "aron", "eron", "aria", "mente"),
    *("ait", "ais", "aient", "ez", "ee", "ees", "ement", "ite", "ites", "ant"),
)
_LEAST_GAIN: Final = 2
_LEAST_STEM: Final = 3
# The algorithms keep the word they work on in themselves.
_LOCK: Final = allocate_lock()


def _module(name: str) -> ModuleType:
    """A stemmer's module without the package's own `__init__`, which imports all 34 languages (11 ms).

    It would also prefer a compiled library of another version where one is installed, and then two machines would
    index one text differently.
    """
    if _PACKAGE not in sys.modules:
        spec = PathFinder.find_spec("snowballstemmer")
        package = ModuleType(_PACKAGE)
        package.__path__ = list(spec.submodule_search_locations or ()) if spec else []
        sys.modules[_PACKAGE] = package
    return import_module(f"{_PACKAGE}.{name}")


@cache
def _algorithm(name: str) -> Callable[[str], str]:
    module, class_name = _ALGORITHMS[name]
    stem_word: Callable[[str], str] = getattr(_module(module), class_name)().stemWord
    return stem_word


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a folded word; the word itself where no rule applies (digits inside, fewer than three letters).

    The same word always has the same stem. Never empty for a word that is not. Safe to call from any thread.
    """
    if len(word) < _LEAST_STEM or not word.isalpha():
        return word if script_of(word[:1] or " ") != "Devanagari" else _by_script(word, "Devanagari")
    script = script_of(word[0])
    if script != "Latin":
        return _by_script(word, script)
    with _LOCK:
        return _latin(word)


def _by_script(word: str, script: str) -> str:
    if script not in _ALGORITHMS:
        return word
    with _LOCK:
        return _algorithm(script)(word) or word


def _latin(word: str) -> str:
    word = bases().get(word, word)
    best = _algorithm("English")(word)
    if word.endswith(_GERMAN_ENDINGS):
        best = _shorter(_algorithm("German")(word), best)
    if word.endswith(_ROMANCE_ENDINGS):
        romance = _shorter(_algorithm("Spanish")(word), _algorithm("French")(word))
        if _LEAST_STEM <= len(romance) <= len(best) - _LEAST_GAIN:
            best = romance
    return best or word


def _shorter(one: str, other: str) -> str:
    return min(one, other, key=lambda stem: (len(stem), stem))
