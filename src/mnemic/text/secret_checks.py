"""What tells a secret from a word, a placeholder, a path or a piece of code: small pure judgements on one value."""

from __future__ import annotations

import re
from itertools import pairwise
from math import log2

FILLER_WORDS = (
    "example", "changeme", "change-me", "change_me", "your", "placeholder", "redacted", "dummy", "sample", "insert",
    "replace", "xxxx", "****", "....", "••••", "…", "todo", "foobar", "ваш", "тво", "пример", "あなた", "你的", "您的",
    "beispiel", "ejemplo", "exemple", "tucontra", "votre", "deinpass", "dein-", "dein_", "ihr_", "ihr-",
)  # fmt: skip
_TEMPLATE = re.compile(
    r"[<{\[(%]|&(?:lt|#)|\$[A-Za-z_{(\[]|[#@]\{|!\{|\\?\"?\$\{|env[.:(]|process\.env|os\.|vault:|op://"
    r"|secrets\.|ref\+|sops|!ref|!sub"
)
_CODE = re.compile(
    r"[A-Za-z_][A-Za-z_0-9]*(?:\.[A-Za-z_][A-Za-z_0-9]*)*[(\[{]|[A-Za-z_][A-Za-z_]*(?:(?:\.|->|::)[A-Za-z_]+)+$"
    r"|(?:await|new|self|this|async|lambda|return|not|func|def)\b"
)
_DATE_OR_VERSION = re.compile(r"v?\d{1,4}(?:[-./:,]\d{1,4}){1,6}(?:[tT][\d:.+zZ-]{1,20})?$|\d{1,2}:\d\d$")
_QUANTITY = re.compile(
    r"[~<>=≥≤]{0,2}\d{1,4}[+-]?(?:\d{1,4})?-?(?:chars?|characters?|letters?|digits?|symbols?|signs?|words?"
    r"|days?|weeks?|months?|years?|hours?|mins?|minutes?|secs?|seconds?|bits?|bytes?"
    r"|times|x|k|kb|mb|ms|s|h|d|m|y|th|st|nd|rd|%)$"
)
_EMAIL = re.compile(r"[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z]{2,12}){1,3}$")
_KEYWORDS = re.compile(
    r"pass(?:word|wd|phrase|wort|code)?|pwd|secret|token|credential|api[_-]?key|парол|kennwort|contrase"
)
_RUN = re.compile(r"[A-Za-z]+")
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_CLUSTER = re.compile(r"[bcdfghjklmnpqrstvwxz]{5}")

# Words that follow "password:" in ordinary notes and are no password.
_ORDINARY = frozenset(
    """
    abgelaufen above absent account accounts admin aendern again alice always another anything argon2id ask auto
    basic bcrypt because before below benutzer bitwarden blank bob boolean cannot changes charfield check choose
    client column common config correct correcta credentials current dashlane default details different dimenticata
    email empty enter erforderlich error errors esquecida expires failure falsch field forgot forgotten format forms
    from geheim generator good guest hash hashes hidden history hygiene image inconnu incorrect incorrecta input
    invalid issue issues keepass keeper keychain label lastpass later leer length linked login lost manager managers
    masked master missing mixed monthly never nobody none nothing nueva null number oauth obbligatoria object
    obligatoire obligatoria obligatorio obrigatoria olvidada onepassword optional oublie outdated owner pending
    pflicht plain please policies policy private prompt public reminder requerida requerido requis reset resets
    richiesta rules same secreta secure security select settings shown siehe siempre simple something spaeter
    standard storage strength string strings strong stuff support system tbd text textfield there these they thing
    things this topic type unbekannt undefined unique unknown unset update updates user username users usuario
    utilisateur value values varchar variable vault vergessen verify vide weak when where within without wrong
    yearly yubikey
    """.split()  # noqa: SIM905 - a list of literals would hide the words
)
_ORDINARY_ENDINGS = (
    "tion", "ment", "ness", "ity", "ing", "ed", "ly", "able", "ible", "ance", "ence", "ism", "ist", "ung", "keit",
    "ción", "amente",
)  # fmt: skip
_NUMBER_AT_END = re.compile(r"(?:^|[-_./])\d{1,4}$")
_YEAR = 4  # digits of a number that names end in: `token-2024`
_WORD_LENGTH = 3.5  # mean length, in letters, of the runs of letters in words; in random text it is below 2
_LEAST_ENTROPY = 2.6  # bits a character; 16 random hexadecimal digits stay above it
_ENOUGH_KINDS = 3
_FEW = 2


def entropy(value: str) -> float:
    """Shannon entropy of the characters of `value`, in bits a character; 0 for the empty text."""
    size = len(value)
    return -sum(n / size * log2(n / size) for n in (value.count(c) for c in set(value)))


def is_filler(value: str) -> bool:
    """Whether a value in a vendor's format is drawn with one or two characters, or says that it stands for another.

    Sample keys of vendors' manuals are no fillers: nothing in their form tells them from a real one.
    """
    low = value.casefold()
    return len(set(low)) <= _FEW or any(
        word in low for word in ("xxxx", "your", "placeholder", "****", "....", "redacted")
    )


def is_placeholder(value: str) -> bool:
    """Whether a value after a cue stands for another: `<your key>`, `${VAR}`, `xxxx`, `changeme`, `my-secret-token`."""
    low = value.casefold()
    if (
        len(set(low)) <= (1 if low.isdigit() else _FEW)
        or _TEMPLATE.match(low)
        or any(word in low for word in FILLER_WORDS)
    ):
        return True
    return _KEYWORDS.search(low) is not None and not any(c.isdigit() for c in low) and not _symbols(low)


def is_code(value: str) -> bool:
    """Whether an unquoted value is an expression: a call, an attribute, an index, a keyword."""
    return _CODE.match(value) is not None


def is_plain_data(value: str) -> bool:
    """Whether a value is a date, a version, an amount, an address, a path or an e-mail: things notes are full of."""
    if value.startswith(("./", "../", "~/", "~\\", "--")) or "://" in value or value[1:3] == ":\\":
        return True
    if value.startswith("/") and is_wordy(value):
        return True
    low = value.lower()
    return any(p.match(low) for p in (_DATE_OR_VERSION, _QUANTITY, _EMAIL))


def is_ordinary_word(word: str) -> bool:
    """Whether a word of letters is likelier a remark about a password than the password."""
    low = word.casefold()
    camel = word[:1].islower() and any(c.isupper() for c in word)
    return camel or low in _ORDINARY or low.endswith(_ORDINARY_ENDINGS)


def is_wordy(value: str) -> bool:
    """Whether `value` is made of words, as `kube-system-token-2024` is and no random text."""
    runs = [run for part in _RUN.findall(value) for run in _CAMEL.findall(part)]
    if not runs:
        return False
    letters = sum(map(len, runs))
    digits = sum(c.isdigit() for c in value)
    ends_in_number = _NUMBER_AT_END.search(value) is not None and digits <= _YEAR
    few_digits = digits <= len(value) * 0.15 or ends_in_number
    return letters >= _WORD_LENGTH * len(runs) and few_digits and not _CLUSTER.search(value.lower())


def _symbols(value: str) -> int:
    """How many characters are neither letter nor digit nor one of the joints of ordinary words and numbers."""
    return sum(not (c.isalnum() or c in "-_./'’ ,") for c in value)


def looks_random(value: str, *, least: int = 16) -> bool:
    """Whether a value of `least` characters or more was drawn by a machine and not written as words."""
    if len(value) < least or entropy(value) < _LEAST_ENTROPY or is_wordy(value):
        return False
    digits = any(c.isdigit() for c in value)
    flips = sum(a.islower() and b.isupper() for a, b in pairwise(value))
    return any(c.isalpha() for c in value) and (digits or flips >= _ENOUGH_KINDS)


def looks_chosen(value: str, *, least: int = 6, joined: bool = True) -> bool:
    """Whether a value is what people choose as a password: letters mixed with digits or signs, or four joined words.

    `joined=False` refuses words and numbers joined by hyphens, dots or slashes (`login-form-2`, `section-3.2`).
    """
    if len(value) < least:
        return False
    letters, digits = any(c.isalpha() for c in value), any(c.isdigit() for c in value)
    if not letters:
        return digits and _symbols(value) > 0
    if digits:
        return joined or not _is_joined(value)
    inner = _symbols(value.rstrip("!?.,;:)").lstrip("("))
    words = [part for part in re.split(r"[-_]", value) if len(part) >= _ENOUGH_KINDS]
    return inner > 0 or (joined and len(words) > _ENOUGH_KINDS)


def _is_joined(value: str) -> bool:
    parts = re.split(r"[-_./]", value)
    plain = all(part.isdigit() or part.islower() or part.isupper() or not part for part in parts)
    return len(parts) > 1 and (
        plain or (all(part.isalnum() for part in parts) and sum(c.isdigit() for c in value) < _FEW)
    )
