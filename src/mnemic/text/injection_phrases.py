"""Sentences that give orders to an assistant, in English: rules as data.

A rule is tried only where one of its `cues` stands in the text, so that an ordinary note costs a few look-ups. All
patterns are for lower case without accents; every repetition has an upper bound, so each is linear in the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

GAP: Final = r"[^.!?\n]"
"""What may stand between two words of one sentence."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One rule: the name of its sign, words of which one has to be there, and the pattern."""

    name: str
    cues: tuple[str, ...]
    pattern: str


_DROP = (
    r"(?:ignore|disregard|forget(?: about)?|override|overwrite|bypass|discard|neglect|overrule|circumvent|drop|"
    r"erase|abandon|"
    r"set aside|put aside|leave aside|throw away|throw out|cast aside|pay no (?:attention|heed) to|take no notice of|"
    r"(?:do not|don'?t|don’t|never|no longer) (?:comply with|adhere to|abide by|respect|observe|heed|listen to|"
    r"consider)|"
    r"cancel|revoke|violate|break|unlearn|wipe)"
)
_SMALL = (
    r"(?:(?:all|any|every|each|of|the|these|those|this|that|your|my|our|other|everything|whatever|and|or|in|from|"
    r"future|both)"
    r"[ ,]+){0,5}"
)
_GIVEN = (
    r"(?:(?:that |which )?(?:you|were|have been|was) (?:were |have |had )?(?:been )?(?:given|told|received|got|"
    r"set|had|have|follow)|"
    r"given|set|imposed|written|provided|above|before|received|"
    r"(?:by|from|of) (?:your|the) (?:developers?|creators?|makers?|system|operators?|owners?|vendor|company|prompt))"
)
_BEFORE = (
    r"(?:previous|prior|above|earlier|preceding|foregoing|former|existing|current|original|initial|past|"
    r"aforementioned|system|safety|security|built-?in|content|developer|ethical|moral|default|old|initial)"
)
_ORDERS = (
    r"(?:instructions?|rules?|prompts?|guidelines?|guidance|directives?|directions?|commands?|orders|constraints?|"
    r"restrictions?|policy|policies|filters?|limits|limitations|context|programming|training|guardrails?|"
    r"(?<=system.)messages?|(?<=developer.)messages?)"
)
_MACHINE = r"(?:ai|a\.i\.|llm|assistants?|chat ?bots?|bots?|language models?|models?|agents?)"
_PRIVATE = (
    r"(?:memories|memory|secrets?|passwords?|api keys?|credentials?|tokens?|conversations?|chats?|chat history|"
    r"notes|messages|contact list|contacts|inbox|e?-?mails|prompt|files)"
)
_SEND = r"(?:send|forward|e?-?mail|post|upload|copy|leak|transmit|exfiltrate|submit)"
_UNBOUND = (
    r"(?:unrestricted|unfiltered|uncensored|unbound|jailbroken|without (?:any |a )?(?:limits?|restrictions?|rules?|"
    r"filters?|constraints?)|no (?:limits?|restrictions?|rules?|filters?)|free (?:from|of) (?:all )?(?:rules|limits))"
)

_DROP_CUES = (
    "ignore", "disregard", "forget", "over", "bypass", "discard", "neglect", "circumvent", "drop", "erase", "abandon",
    "aside", "throw", "pay no", "take no", "comply", "adhere", "abide", "respect", "observe", "heed", "listen",
    "consider",
    "cancel", "revoke", "violate", "break", "unlearn", "wipe",
)  # fmt: skip

ENGLISH: Final[tuple[Phrase, ...]] = (
    Phrase(
        "override",
        _DROP_CUES,
        rf"\b{_DROP} {_SMALL}(?:{_BEFORE} (?:(?:and|or) )?(?:future )?){{1,3}}(?:user )?{_ORDERS}\b(?! (?:i|we|"
        rf"from) )",
    ),
    Phrase(
        "override",
        ("ignore", "disregard", "forget", "override", "bypass"),
        rf"\b(?:ignore|disregard|forget|override|bypass) (?:all |any |every one )?(?:of )?your (?:\w+ )?{_ORDERS}\b",
    ),
    Phrase(
        "override",
        _DROP_CUES,
        rf"\b{_DROP} (?:(?:all|any|every|each|of) ){{0,2}}(?:the |these |those |your )?{_ORDERS},? {_GIVEN}\b",
    ),
    Phrase(
        "override",
        ("ignore", "disregard", "forget"),
        r"\b(?:ignore|disregard|forget) (?:everything|anything|all|what|whatever)(?: that)? "
        r"(?:you(?:'ve|’ve| have| were| had)?(?: been)? (?:told|taught|instructed|know|learned)\b|"
        r"(?:is )?(?:written )?above\b)",
    ),
    Phrase(
        "override",
        ("ignore", "disregard", "forget"),
        r"\b(?:ignore|disregard|forget) (?:all (?:of )?)?the (?:above|foregoing|preceding)"
        r"(?: text| context| message| content)?(?:,? and\b|[,.;:!]|$)",
    ),
    Phrase(
        "override",
        ("follow", "obey"),
        rf"\b(?:stop|do not|don'?t|never|cease) (?:following|follow|obeying|obey) {_SMALL}"
        rf"(?:{_BEFORE} {_ORDERS}\b|{_ORDERS} (?:above|before|you)\b)",
    ),
    Phrase("override", ("follow", "obey"), r"\b(?:obey|follow) only (?:me|this|the text|these|what follows)\b"),
    Phrase("override", ("obey me", "act only on what follows"), r"\bobey me\b|\bact only on what follows\b"),
    Phrase(
        "override",
        ("no longer appl", "void", "lifted", "suspended", "disabled", "cancelled", "revoked"),
        rf"\b(?:your|all|any) (?:{_BEFORE} )?(?:{_ORDERS}|guidelines) (?:no longer appl(?:y|ies)|(?:is|are|"
        rf"have been) "
        r"(?:now )?(?:void|lifted|suspended|disabled|cancelled|revoked))\b|"
        r"\beverything above (?:this line )?is void\b",
    ),
    Phrase(
        "override",
        ("your new", "new instruction", "new rule", "new task", "new polic"),
        rf"\byour new (?:task|instructions?|role|goal|rules?|purpose|orders) (?:is|are)\b|"
        rf"\bnew (?:instructions?|task|rules?|polic(?:y|ies)) for (?:the |all |any )?{_MACHINE}\b",
    ),
    Phrase(
        "override",
        ("safety", "content filter", "content polic", "guardrail"),
        r"\b(?:disable|deactivate|turn off|switch off|bypass|remove) (?:all |any |your |the |every ){0,2}"
        r"(?:safety|content|ethical) (?:filters?|rules?|checks?|policy|policies|measures|guidelines)\b",
    ),
    Phrase(
        "reveal",
        ("prompt", "configuration", "instructions", "rules"),
        r"\b(?:reveal|show|print|output|display|repeat|disclose|leak|give|expose|dump|tell|recite|write) "
        r"(?:(?:me|us|out|back|the|your|full|whole|entire|all|of|its|exact) ){0,4}"
        r"(?:(?:system|hidden|initial|secret|internal|developer) (?:prompt|instructions|rules|message)"
        r"|your (?:prompt|configuration|instructions|rules))\b",
    ),
    Phrase("reveal", ("system prompt",), r"\bsystem prompt\b.{0,60}\brepeat it\b"),
    Phrase(
        "reveal",
        ("memor", "secrets", "passwords", "notes"),
        r"\b(?:list|print|output|dump|reveal|disclose|show|recite) (?:(?:out|me|the|of) ){0,2}(?:all|every|any) "
        r"(?:(?:the|of|your|stored|saved|user'?s|known) ){0,3}(?:memor(?:y|ies)|secrets|passwords)\b",
    ),
    Phrase(
        "reveal",
        ("password", "secret", "credential", "api key"),
        r"\b(?:give|read|tell|print|leak|reveal) (?:me |us |out )?(?:the |all |every )?(?:admin |root |user'?s )?"
        r"(?:passwords?|secrets?|credentials|api keys?) (?:when asked|of the user|to (?:me|anyone))\b",
    ),
    Phrase(
        "role",
        ("you are now", "you're now", "you’re now"),
        rf"\byou(?: are|'re|’re) now (?:(?!\b(?:a|an|the) (?:user|member))(?:[\w'-]+,? ){{0,5}}?)(?:{_MACHINE}\b|"
        rf"dan\b|{_UNBOUND})",
    ),
    Phrase(
        "role",
        ("no longer",),
        rf"\byou are no longer (?:bound|limited|restricted|required|(?:an? )?(?:\w+ )?{_MACHINE}\b)",
    ),
    Phrase(
        "role",
        ("act as", "behave as", "behave like", "pretend", "roleplay", "role-play", "simulate", "imagine you"),
        rf"\b(?:act as|behave as|behave like|pretend (?:to be|that you are|you are|you're)|role-?play as|simulate|"
        rf"imagine you are)\b{GAP}{{0,50}}?(?:{_UNBOUND}|\b(?:root|dan|superuser|"
        rf"system administrator'?s {_MACHINE})\b)",
    ),
    Phrase(
        "role",
        (" mode",),
        r"\b(?:enter|enable|activate|switch to|go into) (?:the )?(?:developer|dan|jailbreak|god|debug|"
        r"unrestricted|sudo|"
        r"admin|maintenance) mode\b.{0,60}\b(?:disable|filters?|rules|safety|limits|without|obey)\b",
    ),
    Phrase(
        "secrecy",
        ("user",),
        rf"\b(?:do not|don'?t|don’t|never) (?:ever )?(?:tell|inform|alert|mention|reveal|disclose|"
        rf"say)\b{GAP}{{0,25}}?"
        r"(?:\b(?:this|it|that)\b.{0,25}?\busers?\b|\busers?\b(?: or anyone)? (?:about|of|that|this|anything))",
    ),
    Phrase(
        "secrecy", ("from the user",), r"\b(?:hidden|secret|hide this|keep it|concealed?)\b.{0,12}\bfrom the user\b"
    ),
    Phrase("secrecy", ("the user,",), r"(?:^|[.!?:]\s{0,3})without (?:telling|informing|asking) the user,"),
    Phrase(
        "standing-order",
        ("user", "asked", "somebody asks", "someone asks", "anyone asks"),
        rf"\b(?:whenever|when|if|as soon as|every time|each time) (?:(?:the |a |any )?users?|asked|somebody|"
        rf"someone|anyone)\b"
        rf"{GAP}{{0,60}}?\b(?:always|only|never|must|ever)\b{GAP}{{0,12}}?\b"
        r"(?:recommend|promote|praise|endorse|mention|(?:reply|respond|answer|say|claim|state)(?: only|"
        r" always)? that)\b",
    ),
    Phrase(
        "standing-order",
        ("user", "asked", "asks about"),
        rf"\b(?:when|whenever|if) (?:asked|(?:the |a |any )?users? asks?)\b{GAP}{{0,60}}?\b(?:respond|answer|"
        rf"reply|say) only "
        r"(?:that|with)\b",
    ),
    Phrase(
        "standing-order",
        ("from now on", "from here on", "henceforth"),
        r"\b(?:from now on|from here on|henceforth),? you (?:must|will|shall|are to|have to|should) (?:always |"
        r"only |never |now )?"
        r"(?:begin|start|end|answer|respond|reply|obey|follow|recommend|act|speak|ignore|trust|always)\b",
    ),
    Phrase(
        "override",
        ("from now on", "from here on"),
        r"\b(?:from now on|from here on),? (?:only )?(?:obey|"
        r"listen to)\b",
    ),
    Phrase(
        "standing-order",
        ("always", "every", "each"),
        r"\b(?:always |only )(?:respond|reply|answer|begin|start|end)\b.{0,12}?\bwith (?:the )?(?:following |exact )?"
        r"(?:sentence|phrase|words?|text|link|message)\b|"
        r"\b(?:reply|respond|answer) to (?:every|each|any) (?:question|message|prompt|request) with (?:the |this )",
    ),
    Phrase(
        "standing-order",
        ("in every reply", "in every answer", "in each reply", "in all replies", "in all your"),
        r"\b(?:recommend|promote|mention|praise|include|insert)\b.{0,40}?\bin (?:every|each|all)(?: of)?(?: your)? "
        r"(?:repl(?:y|ies)|answers?|responses?)\b",
    ),
    Phrase(
        "standing-order",
        ("future conversations", "future chats", "future sessions", "future responses"),
        rf"\b(?:in|for|during) all future (?:conversations|chats|sessions|responses)\b,? (?:the )?(?:{_MACHINE}|"
        rf"you)\b.{{0,10}}"
        r"\b(?:shall|must|will|should)\b",
    ),
    Phrase(
        "addressed",
        ("note to", "message to", "attention", "instruction", "important", "notice to", "message for", "note for"),
        rf"\b(?:note|message|attention|instructions?|important|notice|reminder)(?: (?:to|for))? (?:the |all |any )"
        rf"(?:ai |llm )?{_MACHINE}\s?:",
    ),
    Phrase(
        "addressed",
        ("reading this", "read this", "processing this", "summarizing this", "reads this"),
        rf"\b{_MACHINE} (?:that |who |which )?(?:reads?|reading|process(?:es|ing)|summari[sz](?:es|ing)) this "
        r"(?:\w+ )?(?:must|should|shall|will|have to|has to|is to|are to)\b",
    ),
    Phrase(
        "addressed",
        ("assistant,", "ai,", "llm,", "chatbot,", "agent,"),
        r"\b(?:assistant|ai|llm|chatbot|agent), (?:please |now )?(?:execute|run|forward|send|delete|reveal|obey|"
        r"ignore|"
        r"copy|disclose|follow|call|print|recommend|forget)\b",
    ),
    Phrase(
        "exfiltration",
        ("http", "@", "address"),
        rf"\b{_SEND} (?:(?:a|the|of|copy|full|me) ){{0,3}}(?:all|whole|entire|every|complete|(?:the )?users?'?s?|"
        rf"their|his|her|stored|"
        rf"contact)\b[^!?\n]{{0,40}}?\b(?:{_PRIVATE}|list)\b[^!?\n]{{0,60}}?(?:https?://|\S@\S|\baddress)",
    ),
    Phrase(
        "exfiltration",
        ("http", "@", "address"),
        rf"\b{_SEND} (?:(?:a|the|of|copy|full|all|your|any) ){{0,4}}(?:memories|secrets|passwords|api keys|"
        rf"credentials|"
        r"conversations?|chats?|chat history|system prompt)\b[^!?\n]{0,60}?(?:https?://|\S@\S|\baddress)",
    ),
    Phrase(
        "exfiltration",
        ("http",),
        r"\b(?:append|end|add|load|render|include|embed|display|insert)\b[^!?\n]{0,60}?\b(?:repl(?:y|ies)|"
        r"answers?|responses?|"
        r"messages?|this)\b[^!?\n]{0,40}?https?://[^\s?]{1,200}\?[^\s=]{1,40}=",
    ),
    Phrase(
        "decode-and-obey",
        (
            "decode",
            "decrypt",
            "unscramble",
            "base64",
            "rot13",
            "concatenate",
            "combine",
            "join",
            "merge",
            "put together",
        ),
        rf"\b(?:decode|decrypt|unscramble|concatenate|combine|join|merge|put together)\b{GAP}{{0,60}}?\b(?:and|then) "
        r"(?:then )?(?:follow|obey|execute|do|carry out|act on|run) (?:the result|the instructions?|the command|"
        r"what (?:it|they) says?|"
        r"it|them)\b",
    ),
    Phrase(
        "tool-call",
        ("tool", "function"),
        r"\b(?:call|invoke|use|run) (?:the )?(?:tool|function) [`'\"]?(?:send|memory|shell|bash|delete|exec|mail|"
        r"forget|"
        r"write|run|http)\w{0,40}[`'\"]? (?:with|to|and)\b",
    ),
    Phrase(
        "override",
        ("supersede", "override", "replace", "precedence"),
        r"\b(?:these|this|the following|my|new) (?:\w+ )?(?:instructions?|rules?|message|prompt|text|note|"
        r"orders?)\b.{0,15}?"
        r"(?:supersedes?|overrides?|replaces?|takes? precedence over) (?:(?:all|any|your|the|other|of) ){1,3}"
        rf"(?:{_BEFORE} ){{0,2}}{_ORDERS}\b",
    ),
    Phrase(
        "override",
        ("developer", "creator", "your maker", "operator"),
        rf"\b{_ORDERS} (?:set|given|imposed|written|made) by (?:your|the) (?:developers?|creators?|makers?|"
        rf"operators?)\b"
        rf"{GAP}{{0,15}}?(?:suspended|void|lifted|revoked|cancelled|erased|no longer|do not apply|disabled)",
    ),
    Phrase(
        "override",
        ("erased", "deleted", "overwritten", "obsolete", "reset", "removed"),
        rf"\byour (?:{_BEFORE} )?{_ORDERS} (?:is|are|has been|have been|was|were) (?:now |hereby )?"
        r"(?:erased|deleted|overwritten|obsolete|reset|removed|outdated)\b",
    ),
    Phrase(
        "override",
        ("serve me", "serve only me", "my commands", "my orders", "follow me", "listen to me", "only to me"),
        r"\byou (?:now |must |will |shall )?(?:only )?(?:serve|obey|follow|answer to|listen to|"
        r"take orders from) (?:only )?(?:me\b(?! (?:on|to))|my commands|"
        r"my orders)|\bawait my (?:commands|orders)\b",
    ),
    Phrase(
        "role",
        ("you are", "you will", "operate as", "respond as", "answer as", "function as", "work as"),
        rf"\byou(?: are|'re|’re| will be| shall be)\b{GAP}{{0,40}}?\b(?:{_MACHINE}|"
        rf"\w{{0,12}}gpt)\b{GAP}{{0,30}}?\b(?:{_UNBOUND}|ignores?|"
        r"no (?:guidelines|ethics|morals|boundaries)|(?:reveals|leaks|shares|tells) (?:everything|all|any))|"
        rf"\b(?:operate|function|respond|answer|work|behave) as an? {_UNBOUND} (?:\w+ )?{_MACHINE}\b",
    ),
    Phrase(
        "role",
        ("jailbreak mode", "dan mode", "god mode"),
        r"\b(?:enter|enable|activate|switch to|go into|you are in) (?:jailbreak|dan) mode\b",
    ),
    Phrase(
        "secrecy",
        ("user",),
        r"\b(?:do not|don'?t|don’t|never) (?:ever )?let (?:the )?users? (?:know|find out|notice|suspect)\b|"
        r"\b(?:must|should|shall|has to) (?:stay|remain|be kept|be) (?:secret|hidden) from (?:the )?users?\b",
    ),
    Phrase(
        "standing-order",
        ("assistant", "agent", "ai ", "llm", "model", "bot"),
        rf"\b{_MACHINE} (?:must|should|shall|will|has to|have to) (?:always |only |from now on )(?:recommend|"
        rf"promote|praise|endorse|claim|"
        r"(?:say|answer|reply|state) that|suggest)\b",
    ),
    Phrase(
        "standing-order",
        ("response", "repl", "answer"),
        r"\b(?:every|each|all|any)(?: of your)? (?:responses?|repl(?:y|ies)|answers?) (?:has to|have to|must|"
        r"should|shall|will) "
        r"(?:always )?(?:end|begin|start|close|open) with (?:the (?:words?|sentence|link|phrase)|[\"'“‘«])",
    ),
    Phrase(
        "standing-order",
        ("you are asked", "you're asked", "you get asked"),
        rf"\b(?:whenever|when|if|every time) (?:you are|you're|you get) asked\b{GAP}{{0,50}}?\b(?:always|include|"
        rf"insert|recommend|promote|"
        r"(?:answer|claim|reply|say|respond) that)\b",
    ),
    Phrase(
        "standing-order",
        (
            "in all answers",
            "in every answer",
            "in all repl",
            "in all responses",
            "in every response",
            "in every reply",
            "all your answers",
        ),
        rf"\b(?:in|for) (?:all|every)(?: of)?(?: your)? (?:answers?|repl(?:y|ies)|"
        rf"responses?)\b{GAP}{{0,40}}?\b(?:say|claim|recommend|"
        r"promote|mention|include|praise|insert)\b",
    ),
    Phrase(
        "reveal",
        ("what are your", "what is your", "what's your", "what were your"),
        r"\bwhat (?:are|is|were|was) your (?:initial|system|original|exact|hidden|first|secret|"
        r"internal) (?:instructions|prompt|rules|"
        r"message)\b",
    ),
    Phrase(
        "reveal",
        ("above", "before this"),
        r"\b(?:output|repeat|print|write out|copy|recite|reproduce) (?:everything|all(?: the)? (?:text|words)|"
        r"the (?:text|words|conversation)|"
        r"what is written) (?:above|before this)\b",
    ),
    Phrase(
        "reveal",
        ("of your",),
        r"\b(?:reveal|show|print|output|repeat|disclose|give|tell|recite|write|send)\b.{0,20}?\b(?:text|"
        r"contents?|words|wording|copy) of your "
        r"(?:system |initial |hidden |own )?(?:message|prompt|instructions|rules)\b",
    ),
    Phrase(
        "tool-call",
        ("memory_forget", "memory_write"),
        r"\bmemory_(?:forget|write)[`'\"]? (?:to (?:delete|remove|forget|erase|overwrite)|on|for) (?:all\b|"
        r"every\b|[\w-]{1,60}/[\w-])",
    ),
    Phrase(
        "decode-and-obey",
        ("decode", "decrypt", "unscramble", "translate"),
        r"\b(?:decode|decrypt|unscramble|translate)(?: (?:it|this|that|them))?,? (?:and|then) (?:then )?(?:obey|"
        r"execute (?:it|this|them)|do it|follow (?:it|the orders?|"
        r"the instructions?|the commands?|them))\b|\bdecode and obey\b",
    ),
    Phrase(
        "exfiltration",
        ("send", "forward", "mail", "email", "post", "upload"),
        rf"\b(?:summari[sz]e|collect|gather|list|compile|take|copy|read) (?:all|every|each|"
        rf"the users?'?s?)\b{GAP}{{0,30}}?\b(?:{_PRIVATE}|data)\b"
        rf"{GAP}{{0,40}}?\b{_SEND}\b[^!?\n]{{0,40}}?(?:https?://|\S@\S|\baddress)",
    ),
    Phrase(
        "exfiltration",
        ("http",),
        r"\b(?:fetch|request|open|load|visit|call|get)\b.{0,15}?https?://[^\s?]{1,200}\?[^\s]{0,60}=(?=\s|$)",
    ),
    Phrase(
        "role",
        ("imagine", "pretend", "assume", "suppose", "act like", "act as if", "roleplay", "role-play", "play the"),
        rf"\b(?:imagine|pretend|assume|suppose|act like|act as if) (?:that )?you (?:have|had|face|"
        rf"know) no (?:restrictions|limits|rules|filters|"
        rf"guidelines)\b|\b(?:must|will|shall|should) now (?:roleplay|role-play|act|behave|speak) (?:as|"
        rf"like)\b{GAP}{{0,40}}?\b(?:never refuses?|"
        r"no (?:limits|rules|filters)|unrestricted|evil|obeys?)",
    ),
    Phrase(
        "secrecy",
        ("user", "person you are talking"),
        r"\bthe user (?:must|should|shall|may) (?:not|never) (?:learn|find out|be told|be informed|hear|"
        r"know) (?:about|of|that|this)\b|"
        r"\b(?:do not|don'?t|don’t|never) (?:tell|inform|alert) the (?:person|human) you are (?:talking|speaking|"
        r"writing) (?:to|with)\b",
    ),
    Phrase(
        "standing-order",
        ("in future", "in your", "in all your", "from today"),
        rf"\bin (?:all )?(?:future|your|all your|your future) (?:repl(?:y|ies)|answers|"
        rf"responses)\b{GAP}{{0,20}}?\b(?:put|insert|include|add|recommend|"
        r"promote|say|begin|end)\b",
    ),
    Phrase(
        "reveal",
        ("of your", "your configuration", "your instructions", "your prompt", "your system"),
        rf"\b(?:say|paste|print|repeat|recite|write|output|list|share|show|quote|reveal|reproduce|summari[sz]e|"
        rf"encode|translate)\b{GAP}{{0,35}}?"
        r"\byour (?:own |initial |original |system |full |first |exact |current ){0,2}(?:instructions|"
        r"configuration|prompt|system message|guidelines|"
        r"directives)\b",
    ),
    Phrase(
        "exfiltration",
        ("send", "forward", "mail", "email", "post", "upload"),
        rf"\b{_SEND} (?:it|them|everything|a dump|a copy|all|whatever|the (?:result|summary|list|"
        rf"dump))\b[^!?\n]{{0,40}}?(?:\bto\b|\bat\b) "
        r"(?:https?://|[\w.-]{1,40}@(?=[\w.-]{0,30}(?:evil|leak|collect|attack|drop)))",
    ),
    Phrase(
        "decode-and-obey",
        ("backwards", "in reverse"),
        r"\bread (?:this|it|that|the following)(?: line| text)? (?:backwards|in reverse) and (?:do|follow|obey|"
        r"execute)\b",
    ),
    Phrase(
        "override",
        _DROP_CUES,
        rf"\b{_DROP} (?:what|everything|anything|all|whatever)(?: that)? (?:the system|your (?:developers?|"
        rf"creators?|makers?|operators?)) "
        r"(?:told|said|instructed|wants?)\b",
    ),
    Phrase("override", ("ignore the user",), r"\bignore the user (?:and|,)"),
)
