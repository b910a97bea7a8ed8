"""Orders in unforeseen words: ideas that meet in two neighbouring sentences, whatever the words they come in.

Nobody can list every way to say "do not follow your rules any more". But three ideas rarely meet in ordinary prose: to
drop something; rules; and either that the rules are the reader's own, or an aim (obey this text, give secrets away).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mnemic.text.injection_hidden import Found

if TYPE_CHECKING:
    from collections.abc import Iterator

_RULES: Final = re.compile(
    r"\b(?:instruct(?:ions?|ed)|rules?|guidelines?|directives?|prompts?|constraints|restrictions|programming|"
    r"guardrails|"
    r"limitations|anweisung(?:en)?|regeln|vorgaben|richtlinien|consignes|regles|instrucciones|reglas|"
    r"indicaciones|istruzioni|"
    r"regole|instrucoes|regras|instructies|regels|instrukcj\w{1,4}|zasady?|talimat\w{0,8}|kural\w{0,8})\b"
    r"|инструкци|указани|правил|指示|命令|ルール|规则|指令|規則|규칙|지시|التعليمات|القواعد|निर्देश|नियम"
)
RULE_WORDS: Final = frozenset(
    [
        "inst",
        "rule",
        "guid",
        "dire",
        "prom",
        "cons",
        "rest",
        "prog",
        "guar",
        "limi",
        "anwe",
        "rege",
        "vorg",
        "rich",
        "regl",
        "indi",
        "istr",
        "rego",
        "regr",
        "zasa",
        "tali",
        "kura",
    ]
)
"""How the words for rules begin in Latin letters."""
_DROP: Final = re.compile(
    r"\b(?:ignor\w{1,5}|disregard\w{0,4}|forget|overlook|skip|bypass|overrid\w{1,4}|cancel(?:l?ed)?|void|invalid|"
    r"lifted|revoked?|"
    r"no longer (?:apply|applies|bind\w{0,3}|valid|hold)|(?:do not|don'?t|don’t|need not|never|stop|cease|"
    r"without|longer) (?:have to |need to |"
    r"longer |to )?(?:follow\w{0,3}|obey\w{0,3}|compl(?:y|ying)|apply|adher\w{1,4}|heed\w{0,3}|bound)|"
    r"opposite of|were (?:only |just )?a test|"
    r"abandon|erase|unlearn|break free|not bound|free (?:of|from)|ignorier\w{0,3}|vergiss|missacht\w{0,3}|"
    r"au(?:ss|ß)er acht|gelten nicht|"
    r"gilt nicht|nicht mehr|ungultig|aufgehoben|oubli(?:e|ez|er)|n.appliquent plus|s.appliquent plus|"
    r"plus valables?|abstraction|"
    r"olvid(?:a|e|ar)|ya no|caso omiso|no sigas|dimentica\w{0,2}|non valgono|non si applicano|esquec(?:a|e)|"
    r"desconsider(?:e|a)|"
    r"nao (?:valem|se aplicam|siga)|negeer|vergeet|gelden niet|zignoruj|nie stosuj|nie obowiazuj\w{1,3}|uyma|"
    r"unut|gecersiz)\b"
    r"|больше не|не действ|не следуй|забудь|игнорируй|無視|忘れ|適用され|従わな"
    r"|不再|忽略|忘记|无视|무시|잊|تجاهل|لا تتبع|भूल|अनदेखा"
)
_THEIR_OWN: Final = re.compile(
    r"\b(?:your|deine?|tes|tus|tue|tuoi|suas|twoje|swoje|jouw)\s{1,3}(?:[\w-]{1,15}\s{1,3}){0,2}(?:instructions?|"
    r"rules?|guidelines?|"
    r"directives?|prompts?|programming|guardrails|anweisungen|regeln|vorgaben|consignes|regles|instrucciones|"
    r"reglas|istruzioni|"
    r"regole|instrucoes|regras|regels|instrukcje|zasady)\b"
    r"|тво[иеяй]\w?\s(?:\w{1,15}\s){0,2}(?:инструкци|правил|указани)|あなたの[^。\n]{0,6}(?:指示|ルール|規則)|"
    r"你[^。\n]{0,5}的(?:指令|规则|指示)"
)
_AIM: Final = re.compile(
    r"\b(?:(?:follow|obey|execute|do|trust|heed|believe) (?:only |just )?(?:what |as )?(?:this|these|"
    r"the (?:following|text|page|note)|below|me)\b|"
    r"(?:sole|only|new|real|true) (?:duty|task|purpose|goal|instructions?|orders?|master|rules?)|secrets?|passwords?|"
    r"system prompt|assistant|ai|llm|language model|chatbot|api keys?|credentials|memories|full answer|"
    r"was dieser text|geheim\w{1,5}|passwort\w{0,2}|passworter|fais ce que|ce que dit|mots? de passe|haz lo que|"
    r"lo que dice|contrasenas?|"
    r"fai cio che|segreti|senhas?|haslo|hasla|wachtwoord\w{0,2}|sirlari?|sifre\w{0,4})\b"
    r"|парол|секрет|только то|этот текст|秘密|パスワード|だけに従|この文章|密码|秘密|本页|只按|비밀|암호|كلمة|पासवर्ड"
)
_SENTENCE: Final = re.compile(r"[^.!?;。！？\n]{1,400}[.!?;。！？\n]?")
_PLACES: Final = 6
"""Sentences with rules in them that are looked at around; more of them are no note."""


def ideas_in(text: str) -> Iterator[Found]:
    """Orders to drop rules, by their ideas. `text` is in lower case; Latin letters without accents."""
    for at, rules in enumerate(_RULES.finditer(text)):
        if at == _PLACES:
            return
        start, end = max(rules.start() - 160, 0), min(rules.end() + 160, len(text))
        if not _DROP.search(text, start, end):
            continue
        if span := _meeting(text, start, end, rules.span()):
            yield Found("override", *span, "tells an assistant to drop its instructions")


def _meeting(text: str, start: int, end: int, rules: tuple[int, int]) -> tuple[int, int] | None:
    """From the word for dropping to the one for rules, if they stand in one sentence and the rest is there or near."""
    spans = [match.span() for match in _SENTENCE.finditer(text, start, end)]
    here = next((number for number, (_, last) in enumerate(spans) if rules[0] < last), None)
    if here is None or (drop := _DROP.search(text, *spans[here])) is None:
        return None
    low, high = spans[max(here - 1, 0)][0], spans[min(here + 1, len(spans) - 1)][1]
    if not (_AIM.search(text, low, high) or _THEIR_OWN.search(text, *spans[here])):
        return None
    return min(drop.start(), rules[0]), max(drop.end(), rules[1])
