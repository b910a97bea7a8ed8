"""Secrets known by their shape and not by a vendor: key blocks, signed tokens, headers, URLs, recovery phrases."""

from __future__ import annotations

import base64
import binascii
import json
import re
from functools import cache
from typing import TYPE_CHECKING

from mnemic.text.secret_checks import is_code, is_filler, is_placeholder, looks_random
from mnemic.text.secret_views import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

SHAPES: dict[str, str] = {
    "private-key": "private key block (PEM, OpenSSH, PGP, PuTTY)",
    "private-key-base64": "private key block in base64",
    "jwk-private": "private JSON web key",
    "jwt": "signed JSON web token",
    "bearer-token": "token of an Authorization header",
    "basic-auth": "name and password of a Basic header",
    "url-password": "password in a URL",
    "connection-string": "password in a connection string",
    "cli-password": "password on a command line",
    "recovery-phrase": "recovery phrase of a wallet",
}

_BEGIN = "-----BEGIN "
_BEGIN_LINE = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_LONGEST_BLOCK = 64 * 1024  # characters; the largest RSA and PGP keys in use stay far below
_LEAST_KEY = 40  # base64 characters in a block, or it is a sketch of one: a BEGIN line, three dots, an END line
_BASE64_BEGIN = "LS0tLS1CRUdJTi"  # "-----BEGIN " as base64 writes it
# Passwords that everybody's development machine has; a URL with one of them gives nothing away.
_EVERYBODYS = frozenset(
    """
    pass password passwd pw pwd secret user username postgres root admin guest test mysql none null token key
    credentials apikey api_key
    """.split()  # noqa: SIM905 - a list of literals would hide the words
)
_LEAST_PASSWORD = 4  # shorter ones are the letters of a grammar: `scheme://a:b@c`


def shapes_in(text: str, low: str) -> Iterator[Hit]:
    """Every secret known by its shape. `low` is `text` in lower case, of the same length."""
    if _BEGIN in text or "Private-Lines:" in text:
        yield from _key_blocks(text)
    if _BASE64_BEGIN in text:
        yield from _base64_blocks(text)
    if "eyJ" in text:
        yield from _signed_tokens(text)
    if '"kty"' in text:
        yield from _groups("jwk-private", r'"(?:d|k)"\s{0,4}:\s{0,4}"([A-Za-z0-9_-]{40,}+)"', text, 0.95)
    if "bearer" in low or "authorization" in low:
        yield from _headers(text)
    if "basic" in low:
        yield from _basic(text)
    if "://" in text:
        yield from _url_passwords(text)
    if "passw" in low or "pwd" in low or "identified" in low or "curl" in low:
        yield from _connections(text, low)
    yield from _phrases(low)


def _key_blocks(text: str) -> Iterator[Hit]:
    done = 0
    pattern = rf"{_BEGIN_LINE}|Private-Lines: \d{{1,4}}(?=\s)"
    for begin in _compiled(pattern).finditer(text):
        if begin.start() < done:
            continue
        stop = _block_end(text, begin)
        body = _compiled(r"[A-Za-z0-9+/=]{8,}+").findall(text, begin.end(), stop)
        if sum(map(len, body)) >= _LEAST_KEY and not is_filler("".join(body)[:200]):
            done = stop
            yield Hit(begin.start(), stop, "private-key", 1.0)


def _block_end(text: str, begin: re.Match[str]) -> int:
    """Where the block ends: after its END line, or, if that was cut off, after the last line of base64."""
    label = begin[0].replace("BEGIN", "END")
    limit = begin.end() + _LONGEST_BLOCK
    end = text.find(label, begin.end(), limit) if label.startswith("-----END") else -1
    nested = text.find(_BEGIN, begin.end(), limit)
    if end >= 0 and not 0 <= nested < end:
        return end + len(label)
    line = (
        r"(?:\\[rn]|[\s>|\"'+,]){0,16}"
        r"(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\n]{0,80}|[A-Za-z0-9+/=]{16,}+|=[A-Za-z0-9+/]{4})"
        r"(?=\\[rn]|[\s\"',]|$)"
    )
    stop = begin.end()
    while (more := _compiled(line).match(text, stop)) and more.end() < limit:
        if not _compiled(r"[A-Z0-9+/=]").search(more[0]):
            break
        stop = more.end()
    return stop


def _base64_blocks(text: str) -> Iterator[Hit]:
    for found in _compiled(
        r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,}+(?:\r?\n[ \t]{0,16}[A-Za-z0-9+/]{16,}+)*+={0,2}"
    ).finditer(text):
        head = found[0][:88].split()[0]
        if b"PRIVATE KEY" in base64.b64decode(head[: len(head) // 4 * 4]):
            yield Hit(*found.span(), "private-key-base64", 1.0)


def _signed_tokens(text: str) -> Iterator[Hit]:
    start = text.find("eyJ")
    pattern = _compiled(
        r"eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{0,}+\.[A-Za-z0-9_-]*+(?:\.[A-Za-z0-9_-]++\.[A-Za-z0-9_-]++)?"
    )
    while start >= 0:
        found = pattern.match(text, start)
        if found and len(found[0]) >= _LEAST_KEY and _is_token_header(found[0].split(".", 1)[0]):
            yield Hit(*found.span(), "jwt", 0.99)
        start = text.find("eyJ", found.end() if found else start + 3)


def _is_token_header(part: str) -> bool:
    try:
        header = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        return False
    return isinstance(header, dict) and "alg" in header


def _headers(text: str) -> Iterator[Hit]:
    pattern = (
        r"(?i:\bbearer|authorization['\"]?\s{0,4}[:=]\s{0,4}['\"]?(?:token|api-?key|key|bot|jwt|splunk|sso-key|genie-?key))"
        r"[\s:=\"'`]{1,6}([A-Za-z0-9._~+/:-]{16,}+={0,2})"
    )
    for found in _compiled(pattern).finditer(text):
        if not is_placeholder(found[1]) and looks_random(found[1]):
            yield Hit(*found.span(1), "bearer-token", 0.93)


def _basic(text: str) -> Iterator[Hit]:
    for found in _compiled(r"(?i:\bbasic)[ \t]{1,4}([A-Za-z0-9+/]{8,}+={0,2})").finditer(text):
        pair = _decoded(found[1])
        name, colon, password = pair.partition(":")
        if colon and name.isprintable() and password.isprintable() and not _everybodys(name, password):
            yield Hit(*found.span(1), "basic-auth", 0.95)


def _decoded(value: str) -> str:
    try:
        return base64.b64decode(value, validate=True).decode()
    except (binascii.Error, ValueError):
        return ""


def _everybodys(name: str, password: str) -> bool:
    known = password == name or password.lower() in _EVERYBODYS
    return known or len(password) < _LEAST_PASSWORD or is_placeholder(password)


def _url_passwords(text: str) -> Iterator[Hit]:
    pattern = r"://([^\s:/?#@\"'<>()\[\]]{0,128}):([^\s/@\"'<>]{1,256})@(?=[\w\[{$%-])"
    for found in _compiled(pattern).finditer(text):
        if not _everybodys(found[1], found[2]):
            yield Hit(*found.span(2), "url-password", 0.95)


_QUOTED = r"'([^'\n]{3,128})'|\"([^\"\n]{3,128})\""
# Ahead: a digit, a sign or a capital inside the word, or `--password options` would be a password.
_NOT_PROSE = r"(?=[^\s\d!#%&+=?@^]{0,64}(?:[\d!#%&+=?@^]|[a-z][A-Z]))"
# A setting of a connection before the password, in the same line.
_CONNECTION = (
    r"(?i:\b(?:server|host|hostaddr|data source|address|uid|user id|user|username|database|dbname"
    r"|initial catalog|jdbc:[a-z]{2,20})\s?[=:])"
    r"(?:(?!\b(?i:password|passwd|pwd)\b)[^\n,(){}]){1,200}?"
)


def _connections(text: str, low: str) -> Iterator[Hit]:
    if "=" in text:
        setting = r"(?i:\b(?:password|passwd|pwd)\s{0,2}=\s{0,2})"
        value = rf"(?:{_QUOTED}|([^\s;&'\"]{{3,128}}))"
        yield from _given("connection-string", _CONNECTION + setting + value, text, 0.95)
    if "identified" in low:
        yield from _given(
            "cli-password",
            r"(?i:\bidentified\s{1,4}by\s{1,4}(?:password\s{1,4})?)['\"]([^'\"\n]{3,128})['\"]",
            text,
            0.95,
        )
    if "password" in low:
        sql_or_netrc = (
            r"(?i:\b(?:user|role|login)\s{1,4}\S{1,64}\s{1,4}(?:with\s{1,4}|encrypted\s{1,4}|account\s{1,4}\S{1,64}\s{1,4}){0,2}"
            r"password\s{1,4})(?:'([^'\n]{3,128})'|((?=\S{0,64}[\d\W_])[^\s'\"=:]{6,128})(?=\s|$))"
        )
        yield from _given("cli-password", sql_or_netrc, text, 0.9)
        yield from _given(
            "cli-password",
            rf"--?(?:[a-z]{{1,20}}-)?password[ \t]{{1,3}}(?:{_QUOTED}|({_NOT_PROSE}[^\s'\"<$-][^\s'\"]{{3,128}}))",
            text,
            0.9,
        )
    if "curl" in low or "wget" in low:
        yield from _given(
            "cli-password",
            r"(?:curl|wget|http)\b[^\n]{0,200}?\s(?:-u|--user)[ =]?['\"]?[^\s:'\"]{1,64}:([^\s'\"]{3,128})",
            text,
            0.95,
        )


def _given(rule: str, pattern: str, text: str, certainty: float) -> Iterator[Hit]:
    """The matched group of each match, if it is a value and no placeholder."""
    for found in _compiled(pattern).finditer(text):
        group = found.lastindex or 0
        if not _everybodys("", found[group]) and not is_code(found[group]):
            yield Hit(*found.span(group), rule, certainty)


def _groups(rule: str, pattern: str, text: str, certainty: float) -> Iterator[Hit]:
    for found in _compiled(pattern).finditer(text):
        yield Hit(*found.span(1), rule, certainty)


_PHRASE_CUES = (
    "seed phrase", "recovery phrase", "backup phrase", "secret phrase", "secret recovery", "mnemonic", "seed words",
    "recovery words", "wallet seed", "seed:", "сид-фраз", "сид фраз", "seed-фраз", "мнемоническ",
    "фраза восстановления",
    "シードフレーズ", "リカバリーフレーズ", "復元フレーズ", "ニーモニック", "助记词", "助記詞",
    "恢复短语", "wiederherstellungsphrase",
    "wiederherstellungsw", "seed-phrase", "seedphrase", "frase semilla", "frase de recuperaci",
    "phrase de récupération",
    "phrase mnémonique", "니모닉", "복구 구문",
)  # fmt: skip
_PHRASE_LENGTHS = (12, 15, 18, 21, 24)
_JOINT = r"(?:[\s,;]{1,4}(?:\d{1,2}[.):]?\s{0,2})?)"
_PHRASE_WORDS = ("[a-z]{3,8}", "[a-zà-ÿ]{4,8}", "[\u3041-\u309f]{2,8}", "[\u4e00-\u9fff]")
# Words of prose that no list of recovery words holds.
_PROSE = frozenset(
    """
    the and for are was were not your with from have been has its our his her but which who write wrote keep lost
    than she him had did does don doesn kept offline paper phrase phrases should would could words them because und
    der die das ist nicht mit ein eine para los las una que con por les des une pour dans est
    """.split()  # noqa: SIM905 - a list of literals would hide the words
)


def _phrases(low: str) -> Iterator[Hit]:
    for cue in _PHRASE_CUES:
        start = low.find(cue)
        while start >= 0:
            begin = start + len(cue)
            hit = _phrase_after(low, begin)
            if hit:
                yield hit
            start = low.find(cue, hit.end if hit else begin)


def _phrase_after(low: str, begin: int) -> Hit | None:
    """The longest run of 12 to 24 recovery words that begins within 60 characters of the cue."""
    for word in _PHRASE_WORDS:
        run = _compiled(rf"(?<![^\W_])(?:\d{{1,2}}[.):]?\s{{0,2}})?{word}(?:{_JOINT}{word}){{11,23}}(?![^\W_])")
        for found in run.finditer(low, begin, begin + 400):
            if found.start() > begin + 60:
                break
            words = _compiled(r"[^\W\d_]+").findall(found[0])
            if len(words) in _PHRASE_LENGTHS and not _PROSE.intersection(words) and len(set(words)) > len(words) // 2:
                return Hit(*found.span(), "recovery-phrase", 0.9)
    return None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
