"""Secrets that their owner names, in any of many languages: `password: …`, `пароль — …`, `パスワードは…`, `KEY=…`.

A word for password or key, then a separator, then a value. What may stand as the value depends on how directly the
word names it: right after `password:` a single plain word is enough, after `the password is` it must mix letters with
digits or signs, after `token:` it must look drawn by a machine. `the password is the name of my dog` is a remark about
a password and passes: the words of a language cannot be told from a secret made of them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from mnemic.text.secret_checks import (
    is_code,
    is_ordinary_word,
    is_placeholder,
    is_plain_data,
    looks_chosen,
    looks_random,
)
from mnemic.text.secret_views import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

PAIRS: dict[str, str] = {
    "password": "password with a word for it before it",
    "passphrase": "passphrase of several words",
    "secret-value": "key, token or secret with a word for it before it",
}

# Words for a password, each with the literal that must be in the text for it to be looked for.
_PASSWORD_WORDS: tuple[tuple[str, str], ...] = (
    ("pass", r"pass(?:[ _-]?(?:word|phrase|code|wd|key)|wort|ord)?(?:es|s|e)?"),
    ("pwd", "pwd"),
    ("pw", r"(?<![^\W_])pw(?![a-z])"),
    ("psw", r"(?<![^\W_])pswd?(?![a-z])"),
    ("pin", r"(?<![a-z])pin(?:[- ]?code|-?nummer|码|コード)?(?![a-z])"),
    ("пин", "пин-?код(?:а|ом)?"),
    ("kennwort", "kennw(?:ort|örter)"),
    ("парол", "парол(?:ь|я|ю|ем|е|и|ей|ями|ях)?"),
    ("кодовое слово", "кодовое слово"),
    ("パスワード", "パスワード"),
    ("パスコード", "パスコード"),
    ("暗証番号", "暗証番号"),
    ("合言葉", "合言葉"),
    ("密码", "密码"),
    ("密碼", "密碼"),
    ("口令", "口令"),
    ("contrase", "contrase(?:ñ|n|nh)as?"),
    ("clave", "clave"),
    ("mot de passe", "mot de passe"),
    ("mdp", "mdp"),
    ("senha", "senhas?"),
    ("비밀번호", "비밀번호"),
    ("암호", "암호"),
    ("has", "has[łl]o"),
    ("wachtwoord", "wachtwoord"),
    ("şifre", "şifre(?:si|m|n)?"),
    ("parola", "parola"),
    ("lösenord", "lösenord(?:et)?"),
    ("adgangskode", "adgangskoden?"),
    ("salasana", "salasana"),
    ("heslo", "heslo"),
    ("jelsz", "jelsz[óo]"),
    ("mật khẩu", "mật khẩu"),
    ("kata sandi", "kata sandi"),
    ("كلمة", "كلمة (?:المرور|السر|سر)"),
    ("पासवर्ड", "पासवर्ड"),
    ("סיסמ", "סיסמ(?:ה|א|ת)"),
    ("κωδικ", "κωδικ(?:ός|ό)"),
    ("รหัสผ่าน", "รหัสผ่าน"),
)
_KEY_KINDS = (
    "api|access|secret|private|signing|encryption|encrypt|master|auth|account|service|storage|client|app|application|"
    "admin|root|session|deploy|shared|subscription|consumer|webhook|bot|jwt|ssh|gpg|aes|hmac"
)
_SECRET_WORDS: tuple[tuple[str, str], ...] = (
    ("secret", "secrets?"),
    ("token", "tokens?"),
    ("key", rf"(?:{_KEY_KINDS})[ _.-]?keys?"),
    ("credential", "credentials?"),
    ("токен", "токен(?:а|у|ом|е|ы)?"),
    ("ключ", "(?:api[- ]|секретный |приватный |закрытый )ключ|ключ (?:api|доступа|шифрования)"),
    ("секрет", "секрет"),
    ("トークン", "トークン"),
    ("シークレット", "シークレット(?:キー)?"),
    ("キー", "(?:api|アクセス|秘密|暗号)キー"),
    ("秘密鍵", "秘密鍵"),
    ("令牌", "令牌"),
    ("密钥", "密钥"),
    ("密鑰", "密鑰"),
    ("schlüssel", "(?:api-?|geheim|zugangs|zugriffs|privater )schlüssel"),
    ("geheimnis", "geheimnis"),
    ("clave", "clave (?:de )?(?:api|secreta|privada|acceso)"),
    ("cl", "cl(?:é|e) (?:d['’])?(?:api|secrète|privée|accès|acces)"),
    ("jeton", "jeton"),
    ("chave", "chave (?:de |da )?(?:api|secreta|privada|acesso)"),
    ("chiave", "chiave (?:api|segreta|privata)"),
    ("klucz", "klucz (?:api|prywatny|tajny)"),
    ("api 키", "api 키"),
)

# After the word: the rest of an identifier, closing marks, a remark in brackets, words in between, the separator.
_REST = r"(?P<suffix>[\w-]{0,40})"
_MARKS = r"[\"'`*_\])}\\]{0,5}\s{0,4}"
_REMARK = r"(?:\([^()\n]{0,40}\)\s{0,2}[*_]{0,3})?"
_SIGN = r"(?P<sign>:(?![:/])=?|=>|={1}(?!=)|->|→|\|(?!\|)|>(?=[^\s>]))"
_VERB = (
    r"(?P<verb>(?:\s(?:is|was|are|will be|ist|lautet|war|es|era|est|était|é|è|to|это|теперь|jest|är|er|on|—|–|-)"
    r"(?:\s(?:now|still|just|set to|jetzt|теперь|ahora|maintenant))?\s)|\s?(?:は|が|を|是|为|為|は、|는|은)\s?)"
)
_GAP = r"(?P<gap>[ \u0027’_-](?:[^\n:=|.;!?<>\"(){}\[\]]|\.(?=\w)){1,48}?)??"
_OPEN = r"[*_]{0,3}\s{0,4}(?P<quote>\\?[\"'`「『“«]?)[*_]{0,3}"
_VALUE = r"(?P<value>[^\s\u3000-\u9fff\uac00-\ud7a3\"'`“”«»]{1,256})"
# `password hunter3`, `パスワード「…」`
_DIRECT = rf"(?P<suffix>)(?P<gap>)(?P<sign>)(?P<verb>)(?:[ \t,]{{1,2}}|(?=[「『“«])){_OPEN}{_VALUE}"
_TAIL = rf"{_REST}{_MARKS}{_REMARK}(?:{_GAP}{_MARKS}{_REMARK}(?:{_SIGN}|{_VERB})){_OPEN}{_VALUE}"

# Words beside a word for password that make what follows a remark about passwords, not one.
_ABOUT = re.compile(
    r"(?<![^\W_])(?:hash|length|counts?\b|counter|budget|limit|polic|manag|strength|expir|chang|rotat|reset|generat|format"
    r"|rules?\b|fields?\b|files?\b|path|ur[li]s?\b|types?\b|names?\b|ids?\b|size|usage|window|hint|require|contain|must"
    r"|least|min(?:imum)?\b|minl|max|version|pages?\b|cursor|public\b|issues?\b|issuer|algorithm|entropy|prices?\b|costs?\b|per\b|date|links?\b"
    r"|article|column|rings?\b|izer|ization|lang|länge|änder|zurücks|ablauf|gestor|cambi|longueur|gestionnaire|holder|labels?\b"
    r"|class|market|distribut|contract\b|address|bucket|santa|sauce|agents?\b|lair|garden|ingredient|ttl|header"
    r"|менедж|смен|срок|длин|менял|сброс)|変更|管理|再設定|修改|重置|长度|長さ"
)
_BEFORE_ABOUT = re.compile(
    r"(?<![^\W_])(?:next(?:[ _-]?page)?|page|paging|continuation|sync|max|min|num|total|input|output|prompt|completion"
    r"|per|public|no|without|csrf|stop|pad|eos|bos|unk|sep|cls|mask|palabras?|boarding|ski|bus|train|day|season|hall|lift|gate"
    r"|free|press|vip|guest|mountain|monkey|bi|gpio)[ _.-]{0,2}$"
)
_LETTERS = re.compile(r"[A-Za-z]+$")
_NEAR_END = re.compile(r"[\"'`*_.!,;)}\]|>]{0,4}\s*?(?:$|\n|\||<|#|//|[\"'`,;])")
_DICED = re.compile(r"[a-z]{3,9}(?: [a-z]{3,9}){3,7}(?=[\"'`.]?\s*(?:$|\n))")
_PROSE = frozenset(
    """
    the and for are was were not your with from have has its our his her but must should would could can will use
    used uses using make makes one two three four random words word long longer short never always than that this it
    is be been contain contains change changed forgot please any all only per see ask when where how what who you
    they them on in of to stored kept written saved same note
    """.split()  # noqa: SIM905 - a list of literals would hide the words
)
# Words with other meanings too: they name a password only with a sign after them.
_SHORT_WORDS = frozenset({"pass", "passe", "passes", "ord", "clave", "合言葉", "pw", "psw", "pswd"})
_NUMBERS = ("code", "番号", "コード", "pin", "пин", "码")
_LEAST_DIGITS, _LEAST_CODE = 6, 4


class _Found(NamedTuple):
    """A word for a secret with what follows it."""

    before: str
    word: str
    tail: re.Match[str]


def pairs_in(text: str, low: str) -> Iterator[Hit]:
    """Every named secret. `low` is `text` in lower case, of the same length."""
    for literal, pattern in _PASSWORD_WORDS:
        if literal in low:
            for found in _found(pattern, text, low):
                yield from _password(found, text)
    for literal, pattern in _SECRET_WORDS:
        if literal in low:
            for found in _found(pattern, text, low):
                yield from _machine_made(found)


def _found(pattern: str, text: str, low: str) -> Iterator[_Found]:
    for word in _compiled(pattern).finditer(low):
        tail = _compiled(_TAIL).match(text, word.end())
        before = low[max(word.start() - 24, 0) : word.start()]
        if tail and _names_a_value(before, tail):
            yield _Found(before, word[0], tail)
        beside = _compiled(_DIRECT).match(text, word.end())
        if beside and not _BEFORE_ABOUT.search(before):
            yield _Found(before, word[0], beside)


def _names_a_value(before: str, tail: re.Match[str]) -> bool:
    between = (tail["suffix"] + (tail["gap"] or "")).lower()
    if tail["sign"] == ">" and not ("<" in before[-20:] and "</" in tail["value"]):
        return False
    if tail["sign"] == "=" and before.rstrip(" ")[-1:] in {"!", "<"}:
        return False
    return not _ABOUT.search(between) and not _BEFORE_ABOUT.search(before)


def _value(tail: re.Match[str]) -> tuple[str, int, int]:
    """The value without the punctuation of the sentence, connection string or mark-up around it."""
    value = tail["value"]
    if tail["sign"] in {"=", ">", "|"} and not tail["quote"]:
        value = re.split(r"[;<|]|&(?=[\w.-]{1,40}=)|(?<=.),", value, maxsplit=1)[0]
    value = re.split(r"</|\\[nr\"]|&(?:quot|lt|gt|amp|apos|#x?\w{1,5});", value, maxsplit=1)[0]
    value = value.rstrip(".,;:?>*|\\")
    for opening, closing in ("()", "[]", "{}"):
        if value.endswith(closing) and opening not in value:
            value = value.rstrip(closing + ".,;:")
    return value, tail.start("value"), tail.start("value") + len(value)


def _password(found: _Found, text: str) -> Iterator[Hit]:
    tail = found.tail
    value, start, end = _value(tail)
    direct = bool(tail["sign"]) and not tail["gap"] and not tail["suffix"]
    bare = found.word in _SHORT_WORDS
    if bare and (not tail["sign"] or tail["gap"] or found.before[-1:].isalpha()):
        return
    if direct and found.word in {"passphrase", "password", "passwort", "pass phrase"}:
        diced = _DICED.match(text, start)
        if diced and not _PROSE.intersection(diced[0].split()):
            yield Hit(*diced.span(), "passphrase", 0.7)
            return
    if _not_a_value(value, tail):
        return
    certainty = _as_password(value, found, direct=direct, ends=_NEAR_END.match(text, end) is not None)
    if certainty:
        yield Hit(start, end, "password", certainty)


def _not_a_value(value: str, tail: re.Match[str]) -> bool:
    quoted = bool(tail["quote"]) and tail["quote"] != "`"
    return is_placeholder(value) or is_plain_data(value) or (not quoted and is_code(value))


def _as_password(value: str, found: _Found, *, direct: bool, ends: bool) -> float:
    """How surely `value` is a password, 0 if it is not."""
    tail = found.tail
    if value.isdigit():
        least = _LEAST_CODE if any(word in found.word for word in _NUMBERS) else _LEAST_DIGITS
        return 0.75 if len(value) >= least and (direct or tail["verb"]) and not tail["gap"] else 0.0
    if "pin" in found.word or "пин" in found.word:
        return 0.0
    if not tail["sign"] and not tail["verb"]:
        return 0.7 if found.word != "pwd" and _stands_alone(value, quoted=bool(tail["quote"])) else 0.0
    if looks_chosen(value, joined=direct):
        return 0.9 if direct else 0.8
    named_so = found.word != "mdp" and (direct or (tail["quote"] and not tail["gap"]))
    return 0.6 if named_so and ends and _is_single_word(value, tail) else 0.0


def _is_single_word(value: str, tail: re.Match[str]) -> bool:
    """Whether a value of letters alone is the password and not a remark, a type or a variable.

    `password = words` assigns a variable; `password=words` and `password: words` give the word itself.
    """
    if len(value) < _LEAST_DIGITS or not _LETTERS.match(value) or is_ordinary_word(value) or tail["sign"] == "|":
        return False
    in_code = re.search("[a-z][A-Z]", value) is not None or (tail["sign"] == "=" and " =" in tail[0])
    return bool(tail["quote"]) or not in_code


def _stands_alone(value: str, *, quoted: bool) -> bool:
    """Whether a value right beside its word, with no sign between, is one: letters and digits, seven or more."""
    mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    enough = quoted or (mixed and len(value) > _LEAST_DIGITS)
    return enough and looks_chosen(value, joined=False) and not is_ordinary_word(value)


def _machine_made(found: _Found) -> Iterator[Hit]:
    value, start, end = _value(found.tail)
    if _not_a_value(value, found.tail):
        return
    named = found.tail["sign"] or found.tail["verb"]
    if looks_random(value, least=16 if named else 24):
        yield Hit(start, end, "secret-value", 0.85)
    elif named and found.word.startswith(("secret", "секрет")) and not found.tail["gap"] and _mixed(value):
        yield Hit(start, end, "secret-value", 0.75)


def _mixed(value: str) -> bool:
    """Eight characters or more with a small letter, a capital, a digit and a sign."""
    kinds = (str.islower, str.isupper, str.isdigit, lambda c: not c.isalnum())
    return len(value) >= 8 and all(any(map(kind, value)) for kind in kinds)  # noqa: PLR2004 - told above


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
