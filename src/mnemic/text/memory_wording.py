"""Whether somebody speaks to an agent about its memory: "remember that …", "do you remember …", "forget my address".

Who does may see the tools that change memories at once; whoever merely uses such words ("a memory leak", "I can't
remember where I parked") may not. It is a matter of convenience, never of permission: what a tool may do is decided
elsewhere, and a search reveals the same tools. So a rule takes the usual wording and leaves the rare one.

Figures, and the list for readers: docs/explanation/turn-wording.md.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from mnemic.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_CHARACTERS: Final = 6_000
"""Of a longer text, half of this from its beginning and half from its end are read: there people speak themselves."""

MEMORY_WORDING: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "en": (
            r"^ remember (that|this|it|these|what|how (i|we)|when (i|we)|my|our|me|i|we|i'm|i've|i'll|we're|us)",
            r"^ remember ?[:,]",
            r"do(n't)? you (still |even |also )?(remember|recall)",
            r"(can|could) you (still )?recall (what|that|when|my|our|how|who|where|which|anything)",
            r"(what|all|anything|something|everything) (can |do |did )?you (still )?(remember|recall)",
            r"(want|like|need|asked) you to (remember|forget|memori[sz]e)",
            r"^ memori[sz]e (that|this|my|our|these)",
            r"^ (don't|do not|never) (remember|memori[sz]e) (this|that|my|our|what|anything|it)",
            r"^ forget (that (i|we|my|our)|what (i|we)|(about )?(my|our|me)|everything (i|we|about|from)|all (i|we))",
            r"^ forget (this|our|that) (conversation|chat|talk|fact)",
            r"(have|did) you (already )?(forgotten|forget) (that|what|about|my|our|who|where|when|how) ?(i|we|my|our)?",
            r"(don't|do not|never) (ever )?forget (that )?(i|i'm|i've|my|we|we're|our)",
            (
                r"(in|from|into|to|of|through|search|check|update|clear|erase|wipe|use|consult) your (own |long-term )?"
                r"memor(y|ies)(?! (usage|footprint|limits?|leaks?|allocations?|consumption|cards?|modules?|foam))"
            ),
            r"(save|add|commit|put|write) (this|that|these|it|the following) (to|into) (the |long-term )?memory",
            r"(delete|remove|erase) (this|that|what i \w+) from (the |long-term )?memory",
            r"memory_(search|read|write|forget|context)",
            r"i (already |just |once |have |had |'ve )?(already )?(told|mentioned) (you|it to you)",
            r"i've (already |just |once )?(told|mentioned to) you",
            r"(as|like) i (said|mentioned|explained) (yesterday|earlier|before|last|already|the other)",
            r"(have|did) i (ever |already )?(told you|mentioned|tell you|mention)",
            r"what (have|did) i (ever |already )?(told|tell|said to|say to) you",
            r"you (told me|said|promised|recommended|suggested) (last (time|week|month|year)|yesterday|the other day)",
            r"(last time we|we (talked|spoke|discussed|decided|agreed)) ~(last time|last week|yesterday|the other day)",
            r"our (last|previous|earlier) (conversation|chat|session|talk)",
            r"what do you know about (me|myself|us)",
            r"^ remind me (of )?(what|who|where|which|when|how) (\w+ )?(i|we|you|my)",
            r"^ remind me (to|tomorrow|next|every|on|at|in an?)",
            r"^ (make|take) (a )?(mental )?note (that|of (this|that|my|our))",
        ),
        "ru": (
            r"запом(ни|инай)(те)?",
            r"чтобы (ты|вы) (\w+ )?запомнили?а?",
            r"(можешь|можете|сможешь|прошу) (\w+ ){0,2}запомнить",
            r"помни(шь|те)",
            r"^ помни ?[,:]",
            r"^ забудь(те)? ((про |о )?мо\w+|меня|всё,? (что|обо)|,? ?что я|то,? что я|этот разговор|наш \w+)",
            r"^ забудь(те)?,? что я",
            r"(ты|вы) (ещё |уже )?(не )?забыла?и?,? (что|про|как|о)",
            r"не (забудь|забывай)(те)?,? (что|про то,? что|о том,? что) (я|мы|у меня|у нас|мо\w+|мне|меня|нам)",
            r"(поищи|посмотри|найди|глянь|проверь|поройся)(те)? (\w+ ){0,2}в (сво\w+ |тво\w+ )?памяти",
            r"(у себя в|в твоей|из твоей|в вашей|из вашей|твоя) памят[ьи]",
            r"(сохрани|запиши|занеси|добавь|внеси)(те)? (это |себе |всё |вот )*в (свою |долговременную )?память",
            r"(удали|сотри|убери)(те)? (это |всё )?из (своей )?памяти (мо\w+|всё,? что|то,? что|данные обо мне|это)",
            r"обнови(те)? (свою )?память",
            r"(я|мы) (\w+ ){0,2}(тебе|вам) (\w+ ){0,3}(говори|рассказыва|сказа|упомина|писа|сообща)л\w*",
            r"(я|мы) (\w+ ){0,2}(говори|рассказыва|сказа)л\w* (тебе|вам)",
            r"как я (уже |и )?(говори|рассказыва|сказа|писа|упомина)л\w*",
            r"(что|о чём) я (\w+ )?(говори|рассказыва|сказа)л\w*",
            r"что (ты |вы )?зна(ешь|ете) (обо мне|про меня|о нас)",
            r"напомни(те)?( мне)?,? (что|где|когда|кто|кому|какой|какую|какие|о чём) (я|мы|ты)",
            r"^ напомни(те)? (мне )?(завтра|послезавтра|утром|вечером|через|в (понедельник|вторник|среду|пятницу))",
            r"(мы|я|ты) (\w+ )?в прошлый раз",
            r"в прошлый раз (мы|я|ты)",
        ),
        "ja": (
            r"^ (覚えて|記憶して)(?=ね|[、,。:!\n]|$)",
            r"(覚え|憶え|おぼえ)(ておいて|といて|ておけ|ていて(ください|下さい|ね|ほしい|くれ)|てて)",
            r"(覚え|憶え|おぼえ)てい?(る|ます|ない|ません)(の|のか|よね|かな|でしょう)?(\?|か(?!どう|もし))",
            r"(覚え|記憶し)ないで",
            r"忘れて(ください|下さい|くれ|ほしい|欲しい)",
            r"(こと|話|番号|会話|住所|内容)[はも](全部|すべて)?忘れて(?=ね|[。!\n]|$)",
            r"(?<!のを)(?<!ことを)忘れないで(?=ね|ください|下さい|ほしい|[、。!,\n]|$)",
            r"(あなた|君|きみ|そちら)の(長期)?(記憶|メモリ)",
            r"記憶して(おいて|ください|下さい|ね|ほしい)",
            r"(これ|この\w{1,6}|それ|その\w{1,6})[をは](長期)?(記憶|メモリー?)に(保存|追加|記録|書|入れ)",
            r"記憶(から|を)(削除|消し|更新|検索|探)",
            (
                r"(前に|以前|この前|この間|こないだ|昨日|さっき|先ほど|先週|前回)(も|、)?((私|僕|ぼく|俺)が)?"
                r"(言った|言ってた|話した|話してた|伝えた|教えた|お伝えした|お話しした)"
            ),
            r"(私|僕|ぼく|俺|わたし)が(前に|以前)?(言った|話した|伝えた|教えた)",
            r"(私|僕|ぼく|俺|わたし)(のこと|について|に関して)(を|は|、)?(何か|何を|何が)?(覚えて|知って)",
            r"リマインドして",
        ),
        "zh": (
            r"^ (记住|記住|牢记|牢記)",
            r"^ (记得|記得|记着|記著)(我|咱|这|這|以下|:|,)",
            r"^ (不要|别|別)(记住|記住|记得)",
            r"我(希望|想|要|想要)(你|您)(能)?(记住|記住|记得|記得|忘)",
            r"(你|您)(还|還|都|是否|会|能|是不是)?(记得|記得|记不记得|記不記得)",
            r"(还|還)(记得|記得)(我|吗|嗎|上次|那|咱)",
            r"^ 忘(掉|了|记|記)(我|这次|這次|之前|刚才|所有我|关于我)",
            r"把(我|咱)~忘(掉|了|记|記)",
            r"(别|別|不要)忘(了|记|記),?(我|咱)",
            r"(你|您)(是不是|是否|已经|怎么)?忘(了|记|記)(我|上次|咱)",
            r"(你|您)的(长期|長期)?(记忆|記憶)(里|裡|中|库)",
            r"(加|存|保存|写|記|记|添加|放)(到|入|进|進)(你的|长期)?(记忆|記憶)",
            r"更新(一下)?(你的)?(记忆|記憶)",
            r"(从|從)(你的)?(记忆|記憶)(中|里|裡)(删|刪|移|抹|清)",
            r"我(以前|之前|上次|昨天|刚才|已经|有没有|早就|曾经)*(告诉|告訴)(过|過|了)?(你|您)",
            r"我(以前|之前|上次|昨天|刚才|已经|有没有|早就|曾经)*(跟|和|对|對|向)(你|您)(说|說|讲|講|提)",
            r"我(以前|之前|上次|昨天|刚才)(说|說|提|讲|講)",
            r"(关于|關於)我,?(你|您)",
            r"(你|您)(知道|了解)(关于|關於)?我(的)?(什么|什麼|哪些|多少)",
            r"提醒我(一下)?,?(我|上次|明天|后天|下周|每)",
            r"(帮我|幫我|替我)(记|記)(一下|住|着|下)",
            r"(我们|我們|咱们)上次",
            r"上次(我们|我們|咱们|你)",
        ),
        "de": (
            r"merke? (es |das )?dir",
            r"merken sie sich",
            r"merkt euch",
            r"du (es )?dir ~merk(st|en)",
            r"erinnerst du dich",
            r"erinnern sie sich",
            r"(kannst|können) (du dich|sie sich) ~erinnern",
            r"weißt du noch",
            r"wissen sie noch",
            r"was weißt du (noch |alles |schon )*(über|von) (mich|mir|uns)",
            r"was wissen sie (noch |alles |schon )*(über|von) (mich|mir|uns)",
            r"^ vergi(ss|ß) (bitte )?(mein\w*|unser\w*|mich|(alles,? )?was (ich|wir)|dass (ich|wir)|dieses gespräch)",
            r"^ vergessen sie (bitte )?(mein\w*|alles,? was (ich|wir)|was (ich|wir)|dieses gespräch)",
            r"vergi(ss|ß) (bitte )?nicht,? dass (ich|wir|mein\w*|mir|unser\w*)",
            r"(hast du|haben sie) (\w+ )?vergessen,? (dass|was|wie|wo|wer) (ich|wir|mein\w*)",
            r"^ denke? (bitte )?daran,? dass (ich|wir|mein\w*|mir|unser\w*)",
            r"(in|aus) dein(e|em|en|er)? (langzeit)?(gedächtnis|erinnerung(en)?)",
            r"(speichere?|schreibe?|lösche?|nimm) (das|dies|es|dir das) (ins|aus dem|im|auf ins) (langzeit)?gedächtnis",
            r"(ich|wir) (\w+ ){0,3}(dir|ihnen|euch) (\w+ ){0,5}(gesagt|erzählt|erwähnt|geschrieben|mitgeteilt)",
            r"(habe?|hatte|haben) (ich|wir) (es |das )?(dir|ihnen|euch) (\w+ ){0,5}(gesagt|erzählt|erwähnt)",
            r"^ erinnere? mich (bitte )?(daran,? )?(was|wer|wo|wann|wie|welche\w*) (ich|wir|du)",
            r"^ erinnere? mich (bitte )?(morgen|übermorgen|nächste\w*|am|um|in|jede\w*|daran,? \w+ zu)",
            r"(letztes|voriges) mal (\w+ )?(hast du|haben wir|habe ich)",
            r"(hast du|haben wir|habe ich) (\w+ )?letztes mal",
            r"unser\w* (letzte\w*|vorige\w*) (gespräch|unterhaltung|chat|sitzung)",
        ),
        "es": (
            r"^ (recuerda|recuerde|acuérdate|acuérdese|memoriza) (de )?(que|esto|eso|lo que|mis?|nuestr\w+)",
            r"^ (recuerda|recuerde|memoriza) ?[:,]",
            r"te acuerdas",
            r"se acuerda usted",
            r"recuerdas",
            r"recuerda usted",
            r"(que|no) (lo )?recuerdes",
            r"^ (olvida|olvide|olvídate de) ((todo )?lo que|que (yo|soy|tengo|te)|mis?|nuestr\w+|esta conversación)",
            r"no (te )?olvides? (de )?que (yo|soy|somos|tengo|mis?|me|no|vivo|estoy|trabajo|prefiero|odio)",
            r"(has olvidado|olvidaste|te olvidaste de|te has olvidado de) (que|lo que|mis?)",
            (
                r"(en|de|a|desde|consulta|revisa|actualiza) tus? (propia |propios )?(memoria|recuerdos)"
                r"(?! (ram|usb|interna|caché))"
            ),
            r"(guarda|añade|agrega|anota)(lo)? (esto |eso |lo siguiente )?(en|a) (la )?memoria",
            r"te (lo )?(\w+ )?(dije|conté|comenté|mencioné|hablé)",
            r"te (lo )?(he|había) (\w+ )?(dicho|contado|hablado|mencionado)",
            r"qué (\w+ )?sabes (sobre|de|acerca de) (mí|nosotros)",
            r"recuérdame (qué|que|quién|dónde|cuándo|cuál) (te )?(dije|dijimos|dijiste|hablamos|decidimos|quedamos)",
            r"^ recuérdame (mañana|pasado|cada|llamar|comprar|pagar|enviar|el (lunes|martes|miércoles|jueves|viernes))",
            r"(la última vez|la vez pasada) (que )?(hablamos|me dijiste|te)",
            r"nuestra (última|anterior) (conversación|charla)",
            r"toma nota de (que|mis?|esto)",
        ),
        "fr": (
            r"^ (souviens|rappelle)-toi",
            r"^ (souvenez|rappelez)-vous",
            r"^ (retiens|retenez|mémorisez?) (bien )?(que|ça|ceci|cela|mon|ma|mes|notre|ce que)",
            r"tu (ne )?te (souviens|souviennes|rappelles)",
            r"(souviens|rappelles)-tu",
            r"vous vous (souvenez|rappelez)",
            r"vous (souvenez|rappelez)-vous",
            r"^ oubliez? (tout ce que|ce que|que (je|nous|j'\w+)|mon|ma|mes|notre|nos|cette conversation|tout sur moi)",
            r"n'oubliez? (pas|jamais) que (je|nous|mon|ma|mes|j'\w+)",
            r"(as-tu|avez-vous|tu as|t'as) (déjà )?oublié (que|ce que|mon|ma|mes)",
            r"(dans|de|à|en) (ta|tes|votre|vos) (propre )?(mémoire|souvenirs)(?! (vive|cache|tampon|interne))",
            r"(mets|mettez) à jour (ta|votre) mémoire",
            r"(enregistre|ajoute|note|garde)[rz]? (ça|ceci|cela|-le) (dans|à|en) (la )?mémoire",
            r"je (t'|te l'|vous |vous l')(ai|avais) (\w+ ){0,2}(dit|parlé|raconté|mentionné|signalé)",
            r"t'ai-je (déjà )?(dit|parlé|raconté)",
            r"que (sais-tu|savez-vous|tu sais|vous savez) (de|sur) (moi|nous)",
            r"rappelle[rz]?-moi (ce que|qui|où|quand|quel\w*) (nous|je|tu|on|j'\w+)",
            r"^ rappelle[rz]?-moi (de|d'\w+|demain|lundi|mardi|mercredi|jeudi|vendredi|chaque|dans)",
            r"la dernière fois (que )?(nous|on|tu|je)",
            r"(notre|nos) (dernière|précédente)s? (conversation|discussion)s?",
        ),
    }
)
"""What people say to an agent about its memory, by ISO 639-1 code.

Regular expressions, with three signs of their own: a blank is a blank or the end of a line, `^` followed by a blank is
the beginning of a clause (words of politeness may precede), and `~` is up to 40 characters of the same sentence. Where
words are written apart, each begins and ends at the edge of a word. Letters are compared without case and accents.
"""

_STEMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "en": "remember recall memor forg told tell say mentio said know note_ chat conversation session promised talk "
        "remind recommended suggested last_time discussed decided agreed spoke explained i_ever",
        "ru": "помн помин памят забуд забыв забыл говори рассказ сказа писал упомин сообща знаешь_ знаете_ прошлый_раз",
        "ja": "覚え 憶え おぼえ 記憶 忘れ メモリ リマインド 言っ 話し 伝え 教えた 知って",
        "zh": "记 記 忘 告 说 說 讲 講 提 关于我 關於我 知道 了解 上次",
        "de": "merk erinner gedachtnis vergi vergess weisst wissen_sie denk gesagt erzahlt erwahnt geschrieben "
        "mitgeteilt letzt vorig",
        "es": "recuerd acuerd olvid memori dije cont coment mencion habl dicho sabes ultima_vez vez_pasada "
        "conversacion charla toma_nota",
        "fr": "souv rappel oubli memoir memoris retien retenez dit parle raconte mentionne signale sais savez derniere "
        "precedente",
    }
)
"""Parts of words without one of which no rule of the language fits: they are looked for first, since that is fast."""

_POLITE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "en": "please|and|also|but|so|then|hey|hi|hello|ok|okay|now|well|just|always|kindly|actually|can you|could you"
        "|will you|would you|you should|you must|you need to|for later|from now on",
        "ru": "пожалуйста|и|а|но|так|ну|ладно|теперь|ещё|привет|слушай",
        "ja": "ねえ|じゃあ|では|あと|それと|どうか|、",
        "zh": "请|請|你|您|要|一定|务必|麻烦|帮我|给我|也|还|能不能|可以|好好|那|就|,",
        "de": "bitte|und|aber|also|so|ok|okay|jetzt|dann|hallo|hey|auch",
        "es": "por favor|y|pero|también|ok|vale|ahora|hola|oye|bueno|entonces",
        "fr": "s'il te plaît|s'il vous plaît|et|mais|aussi|ok|bon|maintenant|alors|bonjour|salut",
    }
)
_BEGINS: Final = "^ "
_UNSPACED: Final = frozenset({"ja", "zh"})
_CLAUSE: Final = r"(?:\A|[\n.!?…:;,—–¡¿。、(])"
_APOSTROPHES: Final = dict.fromkeys(map(ord, "’‘`´ʼ＇"), "'")
# Somebody else's words, code and quotations are not said to the agent. Their length is bounded, so that many opening
# marks without an end stay cheap.
_FOREIGN: Final = re.compile(
    r"```[^`]{0,3000}(?:```|\Z)|`[^`\n]{1,200}`|^>[^\n]*$"
    r"|\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|„[^“”\n]{1,200}[“”]|«[^»\n]{1,200}»|「[^」\n]{1,200}」|『[^』\n]{1,200}』",
    re.MULTILINE,
)


def speaks_of_memory(text: str) -> bool:
    """Whether the text speaks to an agent about its memory, in any of the languages of `MEMORY_WORDING`.

    Case, accents, full-width letters and the kind of apostrophe do not matter; code and quotations are skipped. Of a
    text of any length no more than `MOST_CHARACTERS` are read.
    """
    plain = _plain(text)
    return any(
        any(stem in plain for stem in stems) and _pattern(language).search(plain) is not None
        for language, stems in _stems().items()
    )


def _plain(text: str) -> str:
    if len(text) > MOST_CHARACTERS:
        half = MOST_CHARACTERS // 2
        text = f"{text[:half]}\n{text[-half:]}"
    if not text.isascii():
        text = text.translate(_APOSTROPHES)
    if any(mark in text for mark in '`>"“„«「『'):
        text = _FOREIGN.sub(" … ", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    # One blank or one line break between words: the rules need not try runs of them.
    return "\n".join(" ".join(line.split()) for line in fold(text).splitlines())


@cache
def _stems() -> dict[str, tuple[str, ...]]:
    return {language: tuple(s.replace("_", " ") for s in stems.split()) for language, stems in _STEMS.items()}


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """All rules in one. What they share at their beginning stands once, so that most places of a text cost one look."""
    rules = [fold(rule) for rule in MEMORY_WORDING[language]]
    anywhere = "|".join(_words(rule) for rule in rules if not rule.startswith(_BEGINS))
    first = "|".join(_words(rule.removeprefix(_BEGINS)) for rule in rules if rule.startswith(_BEGINS))
    polite = _words(fold(_POLITE[language]))
    if language in _UNSPACED:
        return re.compile(f"{anywhere}|{_CLAUSE} ?(?:{polite}){{0,4}}(?:{first})")
    return re.compile(rf"(?:(?<!\w)(?:{anywhere})|{_CLAUSE} ?(?:(?:{polite}),?[ \n]){{0,4}}(?:{first}))(?!\w)")


def _words(rule: str) -> str:
    return rule.replace(" ", "[ \n]").replace("~", "[^.!?\n]{0,40}?")
