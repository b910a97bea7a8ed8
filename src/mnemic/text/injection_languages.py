"""Sentences that give orders to an assistant, in other languages than English: rules as data.

Latin letters stand without accents, as the text does when it is tried; other scripts as they are written.
"""

from __future__ import annotations

from typing import Final

from mnemic.text.injection_phrases import GAP, Phrase


def _either(verbs: str, small: str, orders: str, after: str, *, reach: int = 25) -> str:
    """An order to drop orders: `verb … small … orders`, or `verb … orders after`."""
    return (
        rf"\b(?:{verbs})\b(?:{GAP}{{0,{reach}}}?\b(?:{small})\b{GAP}{{0,{reach}}}?\b(?:{orders})"
        rf"|{GAP}{{0,{reach}}}?\b(?:{orders})\w{{0,3}} (?:{after})\b)"
    )


LATIN: Final[tuple[Phrase, ...]] = (
    # German
    Phrase(
        "override",
        ("ignorier", "vergiss", "vergessen sie", "missacht", "verwirf", "umgeh", "befolg", "acht", "hinweg"),
        _either(
            "ignoriere?|ignorieren sie|vergiss|vergessen sie|missachte|missachten sie|verwirf|umgehe?|"
            "befolge nicht|streiche|ubergehe",
            r"alle[rns]?|samtliche[rn]?|vorherige[rn]?|bisherige[rn]?|obige[rn]?|fruhere[rn]?|vorige[rn]?|deine[rn]?",
            "anweisung|regeln|vorgaben|instruktion|befehle|richtlinien|system-?prompt",
            "oben|davor|von vorher",
        ),
    ),
    Phrase(
        "override",
        ("ignorier", "vergiss", "vergessen", "gehorche"),
        r"\b(?:ignoriere?|ignorieren sie|vergiss|vergessen sie)(?: bitte)? alles,? was (?:dir|ihnen|du|sie|"
        r"bisher|vorher|zuvor|oben)\b|"
        r"\bgehorche (?:nur |nur noch |ab jetzt )?(?:diesem|dieser|mir)\b",
    ),
    Phrase(
        "override",
        ("anweisung", "regeln", "vorgaben", "hinweg", "acht"),
        r"\blass(?:e|t)? (?:alle |die |deine )?(?:vorherigen |bisherigen |obigen )?(?:anweisungen|regeln|"
        r"vorgaben) au(?:ss|ß)er acht\b|"
        rf"\b(?:beachte|befolge|beachten sie|befolgen sie|halte dich|hore)\b{GAP}{{0,12}}?\b(?:alle|vorherige|"
        rf"bisherige|obige|fruhere|deine)\w{{0,2}}\b"
        rf"{GAP}{{0,12}}?\b(?:anweisung|regeln|vorgaben|befehle)\w{{0,3}} (?:nicht|nicht mehr|nie mehr)\b|"
        rf"\bsetze? dich uber (?:alle |deine |die )?\w{{0,12}}(?:regeln|vorgaben|anweisungen) hinweg",
    ),
    Phrase(
        "standing-order",
        ("ab jetzt", "von nun an", "ab sofort", "kunftig"),
        r"\b(?:ab jetzt|von nun an|ab sofort|kunftig) (?:musst|sollst|wirst|darfst) du\b.{0,40}\b(?:antworten|"
        r"empfehlen|sagen|gehorchen|befolgen)",
    ),
    Phrase(
        "role",
        ("verhalte dich", "stell dir vor", "tu so", "spiele", "antworte"),
        rf"\b(?:verhalte dich|stell dir vor|tu so|spiele?|antworte)\b{GAP}{{0,30}}?\b(?:ki|bot|assistent|"
        rf"modell)\b{GAP}{{0,15}}?\bohne (?:\w+ )?"
        r"(?:regeln|einschrankung(?:en)?|grenzen|filter|zensur)",
    ),
    Phrase(
        "reveal",
        ("prompt", "systemprompt", "regeln", "anweisungen"),
        rf"\b(?:zeige?|nenne?|gib|verrate|offenbare|drucke?)\b{GAP}{{0,30}}?\b(?:system-?prompt|deine (?:internen )?"
        r"(?:regeln|anweisungen))",
    ),
    Phrase(
        "role",
        ("bist",),
        rf"\b(?:du bist (?:jetzt|nun|ab jetzt|ab sofort)|(?:ab jetzt|ab sofort|von nun an) bist du)\b{GAP}{{0,30}}?"
        r"\b(?:ki|bot|assistent|modell)\b|\bdu bist (?:jetzt|nun)\b.{0,40}\bohne (?:regeln|einschrankungen|"
        r"grenzen)\b",
    ),
    Phrase(
        "secrecy",
        ("nutzer", "benutzer", "anwender"),
        rf"\b(?:sage?|verrate|erzahle?|erwahne)\b{GAP}{{0,20}}?(?:be)?(?:nutzer|anwender)(?:in|n)?\b{GAP}{{0,12}}?"
        r"\b(?:nichts|nicht|kein\w{0,2})\b",
    ),
    Phrase(
        "standing-order",
        ("nutzer", "benutzer", "anwender"),
        rf"\b(?:wenn|sobald|falls) (?:der|die|ein|eine) (?:be)?(?:nutzer|anwender)(?:in)?\b{GAP}{{0,60}}?"
        r"\b(?:antworte|empfiehl|sage?|nenne|behaupte) (?:immer|nur|stets|nie|niemals)\b(?! (?:auf|mit|in|kurz))",
    ),
    Phrase(
        "standing-order",
        ("antworte",),
        r"\bantworte (?:ab jetzt|immer|kunftig|nur) (?:nur )?(?:noch )?mit de[mnr] (?:link|satz|worten)\b",
    ),
    # Spanish
    Phrase(
        "override",
        (
            "ignor",
            "olvid",
            "descart",
            "obede",
            "caso omiso",
            "sig",
            "seguir",
            "hagas caso",
            "desestim",
            "anula",
            "prescind",
            "alto",
        ),
        _either(
            "ignora|ignore|olvida|olvide|olvidate de|descarta|descarte|desobedece|haz caso omiso de|no sigas|"
            "no hagas caso (?:a|de)|deja de (?:seguir|obedecer)|desestima|anula|prescinde de|pasa por alto|"
            "no obedezcas",
            "todas|tus|sus|previas|anteriores|cualquier",
            "instruccion(?:es)?|indicaciones|reglas|ordenes|directrices",
            "previas?|anterior(?:es)?|de arriba|precedentes",
        ),
    ),
    Phrase(
        "reveal",
        ("prompt", "reglas"),
        rf"\b(?:muestra|muestrame|revela|imprime|dime)\b{GAP}{{0,20}}?\b(?:prompt|tus (?:reglas|instrucciones)|"
        rf"reglas internas)",
    ),
    Phrase(
        "role",
        ("eres", "ahora"),
        rf"\b(?:a partir de ahora,? eres|ahora eres|eres ahora)\b{GAP}{{0,30}}?\b(?:ia|asistente|bot|modelo|"
        rf"sin (?:limites|reglas))\b",
    ),
    Phrase("secrecy", ("usuario",), r"\bno (?:informes|avises|alertes) al usuario de (?:est|ell)"),
    Phrase(
        "standing-order",
        ("a partir de ahora", "desde ahora", "de ahora en adelante"),
        r"\b(?:a partir de ahora|desde ahora|de ahora en adelante),? (?:debes|tienes que|deberas) (?:siempre |"
        r"solo )?(?:responder|recomendar|decir|obedecer)",
    ),
    Phrase(
        "role",
        ("actua", "finge", "comportate", "imagina", "responde"),
        rf"\b(?:actua|finge|comportate|imagina|responde)\b{GAP}{{0,25}}?\b(?:ia|bot|modelo|"
        rf"asistente)\b{GAP}{{0,15}}?\bsin (?:ningun\w? )?(?:limites|reglas|filtros|restricciones|censura)",
    ),
    Phrase(
        "secrecy",
        ("usuario",),
        rf"\bno (?:se lo |le )?(?:digas|cuentes|menciones|reveles)\b{GAP}{{0,20}}?\busuari[oa]\b",
    ),
    Phrase(
        "standing-order",
        ("usuario",),
        rf"\b(?:cuando|si|siempre que|cada vez que) (?:el|la|un) usuari[oa]\b{GAP}{{0,50}}?\b(?:responde|"
        rf"recomienda|di|contesta) "
        r"(?:siempre|solo|unicamente|que)\b(?! en )",
    ),
    # French
    Phrase(
        "override",
        ("ignore", "oublie", "compte", "neglige", "abstraction", "obeis", "suis", "respecte"),
        _either(
            "ignore|ignorez|veuillez ignorer|oublie|oubliez|ne tiens pas compte|ne tenez pas compte|neglige|"
            "negligez|fais abstraction de|faites abstraction de|n.obeis (?:plus|pas) (?:a|aux)|ne suis (?:plus|"
            "pas)|ne respecte (?:plus|pas)",
            "toutes|tes|vos|precedentes|anterieures|l.ensemble",
            "instructions|consignes|regles|directives|ordres",
            "precedentes?|anterieures?|ci-dessus|au-dessus",
        ),
    ),
    Phrase(
        "reveal",
        ("prompt", "regles", "invite"),
        rf"\b(?:revele|affiche|montre|imprime|donne)\b{GAP}{{0,20}}?\b(?:prompt|invite) (?:systeme|cache)|"
        r"\b(?:revele|affiche|montre) (?:toutes )?tes (?:regles|instructions)\b",
    ),
    Phrase(
        "role",
        ("tu es", "vous etes"),
        rf"\b(?:tu es maintenant|tu es desormais|vous etes maintenant|(?:a partir de maintenant|"
        rf"desormais),? (?:tu es|vous etes))\b{GAP}{{0,30}}?"
        r"\b(?:ia|assistant|robot|bot|modele|sans (?:limites?|regles?|restrictions?))\b",
    ),
    Phrase(
        "secrecy",
        ("utilisat",),
        r"\butilisat(?:eur|rice) ne (?:doit|devra) (?:pas|jamais|rien) (?:savoir|"
        r"apprendre)\b",
    ),
    Phrase(
        "secrecy",
        ("nutzer", "benutzer", "anwender"),
        r"\b(?:nutzer|anwender)(?:in)? darf (?:das |es |davon |hiervon )?(?:nicht|nichts|"
        r"nie) (?:davon )?(?:wissen|erfahren|merken)\b",
    ),
    Phrase("secrecy", ("usuario",), r"\busuari[oa] no debe (?:saber|enterarse)\b"),
    Phrase(
        "secrecy",
        ("utilisat",),
        rf"\bne (?:dis|dites|mentionne|revele)\w{{0,2}}\b{GAP}{{0,20}}?\butilisat(?:eur|rice)\b",
    ),
    Phrase(
        "standing-order",
        ("utilisat",),
        rf"\b(?:quand|lorsque|si) (?:l'|l’|un |une )utilisat(?:eur|rice)\b{GAP}{{0,50}}?\b(?:reponds?|recommande|"
        rf"dis) "
        r"(?:toujours|seulement|uniquement|que)\b(?! en )",
    ),
    Phrase("standing-order", ("reponds",), r"\breponds toujours que\b"),
    Phrase(
        "standing-order",
        ("desormais", "a partir de maintenant", "dorenavant"),
        r"\b(?:desormais|a partir de maintenant|dorenavant),? (?:tu dois|vous devez) (?:toujours |"
        r"seulement )?(?:recommander|repondre|dire|commencer|obeir)",
    ),
    Phrase(
        "role",
        ("agis", "comporte", "fais comme", "imagine"),
        rf"\b(?:agis|comporte-toi|fais comme|imagine)\b{GAP}{{0,25}}?\b(?:ia|bot|robot|modele|"
        rf"assistant)\b{GAP}{{0,15}}?\bsans (?:aucune? )?(?:limites?|regles?|filtres?|"
        r"restrictions?|censure)",
    ),
    Phrase(
        "override",
        ("ignor", "esqueca", "olvida", "oublie", "dimentica"),
        r"\b(?:ignore|ignora|esqueca|olvida|olvide|oublie|oubliez|ignorez|dimentica)\b(?: tudo (?:o que|que)|"
        r" todo lo que| tout ce q.| tutto cio che)"
        r"\b.{0,25}?\b(?:antes|dito|disse|te dijeron|dicho|avant|dit|prima|detto)\b",
    ),
    # Portuguese, Italian, Dutch, Polish, Turkish
    Phrase(
        "override",
        ("ignore", "ignora", "esquec", "desconsider", "siga", "seguir"),
        _either(
            "ignore|ignora|esqueca|esquece|desconsidere|desconsidera|nao siga|deixe de seguir",
            "todas|suas|tuas",
            "instrucoes|regras|ordens|diretrizes",
            "anteriores|previas|acima",
        ),
    ),
    Phrase(
        "reveal",
        ("prompt", "regras", "regole"),
        r"\b(?:mostre|revele|exiba|mostra|rivela|stampa) (?:o |a |as |il |le )?(?:(?:seu|teu|"
        r"tuo) )?(?:prompt (?:de|di|do) sistema|suas regras|tue regole)\b",
    ),
    Phrase(
        "override",
        ("ignora", "dimentica", "trascura", "seguire"),
        _either(
            "ignora|ignorate|dimentica|dimenticate|trascura|non seguire(?: piu)?|smetti di seguire",
            "tutte|tue|precedenti",
            "istruzioni|regole|direttive|ordini",
            "precedenti|di sopra|qui sopra",
        ),
    ),
    Phrase(
        "override",
        ("negeer", "vergeet"),
        _either(
            "negeer|vergeet", "alle|eerdere|vorige|bovenstaande|jouw|je", "instructies|regels|opdrachten", "hierboven"
        ),
    ),
    Phrase(
        "override",
        ("ignoruj", "zignoruj", "zapomnij", "pomin"),
        _either(
            "zignoruj|ignoruj|zapomnij(?: o)?|pomin",
            r"wszystki(?:e|ch)|poprzedni(?:e|ch)|powyzsz(?:e|ych)|swoje|twoje",
            "instrukcj|polecen|zasad|regul",
            "powyzej",
        ),
    ),
    Phrase(
        "override",
        ("talimat", "kural", "komut"),
        rf"\b(?:onceki|yukaridaki|tum|butun|eski)\b{GAP}{{0,20}}?\b(?:talimat|kural|komut)\w{{0,8}}{GAP}{{0,10}}?"
        r"\b(?:yok say|gormezden gel|unut|dikkate alma)",
    ),
    Phrase("reveal", ("sistem",), rf"\bsistem (?:istem|komut|mesaj)\w{{0,6}}{GAP}{{0,6}}?\b(?:goster|yaz|paylas)"),
)

OTHER: Final[tuple[Phrase, ...]] = (
    # Russian, Ukrainian
    Phrase(
        "override",
        (
            "игнорир",
            "забудь",
            "не обращай",
            "не выполняй",
            "не следуй",
            "отмени",
            "отбрось",
            "пренебреги",
            "перестань",
            "не соблюдай",
            "нарушь",
        ),
        r"\b(?:про)?(?:игнорируй(?:те)?|забудь(?:те)?|не обращай(?:те)? внимания на|не выполняй(?:те)?|"
        r"не следуй(?:те)?|отмени(?:те)?|отбрось(?:те)?|пренебреги(?:те)?|"
        r"перестань(?:те)? (?:следовать|выполнять|соблюдать)|не соблюдай(?:те)?|нарушь(?:те)?)"
        rf"\b{GAP}{{0,12}}?\b(?:вс[её]х?|прежни|предыдущи|прошлы|сво[иё]|тво[иё]|вышеуказанн|выше|любые|"
        rf"системн)\w{{0,4}}{GAP}{{0,20}}?"
        r"\b(?:инструкци|указани|правил|команд|распоряжени|промпт)",
    ),
    Phrase(
        "reveal",
        ("систем", "правила", "промпт"),
        rf"\b(?:покажи|выведи|раскрой|сообщи|напечатай)\b{GAP}{{0,25}}?\b(?:системн\w{{1,4}} (?:промпт|инструкци|"
        rf"подсказ)|"
        r"(?:свои|твои) правила)",
    ),
    Phrase(
        "role",
        (" ты", "ты ", "отныне"),
        rf"\b(?:теперь ты|ты теперь|с этого момента ты|отныне ты)\b{GAP}{{0,30}}?\b(?:бот|ии|ассистент|модель|"
        rf"помощник|"
        r"без (?:ограничени|правил|фильтр)|выполняешь только)",
    ),
    Phrase(
        "override",
        ("игнорир", "проигнорир", "забудь"),
        r"\b(?:про)?(?:игнорируй(?:те)?|забудь(?:те)?) вс[её],? что (?:тебе|вам|ты|было)\b",
    ),
    Phrase(
        "role",
        ("представь", "притворись", "веди себя", "отвечай как"),
        rf"\b(?:представь|притворись|веди себя|отвечай как)\b{GAP}{{0,30}}?\bбез (?:всяких )?(?:цензур|"
        rf"ограничени|правил|фильтр)",
    ),
    Phrase(
        "standing-order",
        ("отныне", "теперь ты", "с этого момента"),
        rf"\b(?:отныне|теперь|с этого момента) ты (?:долж|обязан|всегда){GAP}{{0,30}}?\b(?:отвеча|рекоменд|совет|"
        rf"говори|слуша|подчин)",
    ),
    Phrase(
        "secrecy",
        ("пользовател",),
        rf"\b(?:не говори|не сообщай|скрой|не рассказывай|не упоминай)\b{GAP}{{0,25}}?\bпользовател",
    ),
    Phrase(
        "standing-order",
        ("пользовател",),
        rf"\b(?:когда|если)\b{GAP}{{0,4}}?\bпользовател{GAP}{{0,45}}?\b(?:всегда|только|никогда)\b{GAP}{{0,12}}?"
        r"\b(?:отвечай, что|говори|рекоменду|советуй|упоминай)",
    ),
    Phrase(
        "override",
        ("ігноруй", "забудь"),
        rf"\b(?:про)?(?:ігноруй(?:те)?|забудь(?:те)?)\b{GAP}{{0,12}}?\b(?:ус[іи]х?|вс[іи]х?|попередн|"
        rf"сво)\w{{0,4}}{GAP}{{0,20}}?"
        r"\b(?:інструкц|вказівк|правил|команд)",
    ),
    Phrase("secrecy", ("пользовател",), r"\bпользователь не должен (?:знать|узнать)"),
    Phrase(
        "standing-order",
        ("во всех ответах", "в каждом ответе"),
        rf"\b(?:во всех ответах|в каждом ответе){GAP}{{0,20}}?\b(?:упоминай|рекомендуй|пиши|говори|советуй)",
    ),
    Phrase(
        "reveal",
        ("инструкци", "промпт"),
        rf"\b(?:перескажи|повтори|покажи|выведи|процитируй)\b{GAP}{{0,25}}?\b(?:свои|свой|твои|"
        rf"начальн\w{{1,3}})\b{GAP}{{0,15}}?(?:инструкци|промпт)",
    ),
    # Japanese
    Phrase(
        "override",
        ("指示", "命令", "ルール", "規則", "プロンプト", "制約"),
        r"(?:以前|これまで|システムの|上記|上の|前の|今まで|すべて|全て|先ほど|従来|あなた)[^。\n]{0,12}(?:指示|命令|ルール|規則|プロンプト|制約)"
        r"[^。、\n]{0,10}(?:無視し|無視せ|忘れて|忘れな|従わない|従うな|従わなく|破棄し)",
    ),
    Phrase(
        "reveal",
        ("システムプロンプト", "システム指示", "内部ルール", "記憶", "メモリ"),
        r"(?:システムプロンプト|システム指示|内部ルール)[^。\n]{0,12}(?:出力し|表示し|見せ|教え|公開し|明か)"
        r"|(?:記憶|メモリ)[^。\n]{0,8}(?:すべて|全て)[^。\n]{0,5}(?:出力し|送信し|表示し|転送し|削除し)",
    ),
    Phrase(
        "role",
        ("あなた", "君は"),
        r"(?:あなた|君)は[^。\n]{0,20}(?:制限|ルール|制約|規則|フィルター)(?:の|が)?な[いし]",
    ),
    Phrase(
        "role",
        ("として", "になりきっ"),
        r"(?:制限|ルール|制約|検閲)(?:の|が)?な[いし](?:の)?(?:ai|モデル|アシスタント|ボット)(?:として|になりきっ)",
    ),
    Phrase(
        "standing-order",
        ("今後", "これから", "今から"),
        r"(?:今後|これから|今から)は?[^。\n]{0,20}(?:必ず|常に)[^。\n]{0,20}(?:と答え|と回答し|を勧め|に従)",
    ),
    Phrase(
        "secrecy",
        ("ユーザ",),
        r"ユーザー?に(?:は)?[^。\n]{0,10}(?:知らせず|言わず|言わない|教えない|伝えず|伝えない|話さない|知らせない|内緒|秘密)",
    ),
    Phrase(
        "standing-order",
        ("ユーザ",),
        r"ユーザー?が[^。\n]{0,30}(?:尋ね|聞い|質問|聞か)[^。\n]{0,12}(?:必ず|常に|いつも|だけ)[^。\n]{0,30}(?:答え|勧め|回答し|伝え|言っ)",
    ),
    # Chinese
    Phrase(
        "override",
        (
            "忽略",
            "无视",
            "無視",
            "忘记",
            "忘掉",
            "忘記",
            "理会",
            "忽视",
            "遵守",
            "遵循",
            "别管",
            "抛开",
            "抛弃",
            "放弃",
            "执行",
            "听从",
            "跳过",
        ),
        r"(?:忽略|无视|無視|忘记|忘掉|忘記|不要理会|不理会|忽视|不要遵守|别管|抛开|抛弃|放弃|跳过|(?:不要|不要再|不再|别再|停止)(?:遵循|遵守|执行|"
        r"听从))[^。\n]{0,12}(?:之前|以前|以上|上面|上述|先前|前面|所有|全部|你的|原有|此前|一切)"
        r"[^。\n]{0,10}(?:指令|指示|规则|規則|提示|命令|要求|设定|限制)",
    ),
    Phrase(
        "reveal",
        ("系统提示", "系統提示", "你的规则", "内部规则"),
        r"(?:输出|显示|告诉我|打印|泄露|透露|公开|展示|复述)[^。\n]{0,8}(?:系统提示|系統提示|内部规则|你的(?:规则|指令|提示))",
    ),
    Phrase(
        "role",
        ("你现在", "现在你", "从现在", "现在起"),
        r"(?:你现在|现在你|从现在(?:开始|起)[,,]?你)(?:是[^。\n]{0,12}(?:没有|不受|无)(?:任何)?(?:限制|规则|约束)|只听我)",
    ),
    Phrase(
        "role",
        ("扮演", "充当", "假装"),
        r"(?:扮演|充当|假装)[^。\n]{0,8}(?:不受|没有|无)[^。\n]{0,8}(?:规则|限制|约束)",
    ),
    Phrase(
        "standing-order",
        ("从现在", "今后", "以后回答"),
        r"(?:以后|今后)回答[^。\n]{0,8}(?:都要|必须|总是)[^。\n]{0,6}(?:推荐|说|提到)|(?:从现在(?:开始|起)|今后)[,]?你(?:必须|只能|应该|"
        r"要)[^。\n]{0,12}(?:回答|推荐|听从|服从|说)",
    ),
    Phrase("secrecy", ("用户",), r"(?:不要|别)(?:告诉|告知|让)(?:用户|使用者)|对用户(?:保密|隐瞒)"),
    Phrase(
        "standing-order",
        ("用户",),
        r"(?:当|每当|如果|只要)用户[^。\n]{0,20}(?:询问|问|提到|提及)[^。\n]{0,15}(?:必须|总是|始终|一律|只能|永远)[^。\n]{0,6}"
        r"(?:回答只|回答[^。\n]{0,4}是|推荐|说|告诉)",
    ),
    # Korean, Arabic, Hindi
    Phrase(
        "override",
        ("지시", "명령", "규칙", "지침", "프롬프트"),
        r"(?:이전|위의|앞의|지금까지|모든|기존)[^.\n]{0,12}(?:지시|명령|규칙|지침|프롬프트)[^.\n]{0,10}"
        r"(?:무시하|무시해|잊어|잊으|잊고|따르지 마)",
    ),
    Phrase("reveal", ("프롬프트",), r"시스템 ?프롬프트[^.\n]{0,8}(?:출력하|보여|알려|공개하)"),
    Phrase(
        "override",
        ("تجاهل", "انس", "اهمل", "لا تتبع"),
        r"(?:تجاهل|انسَ?|اهمل|لا تتبع) (?:(?:جميع|كل) )?(?:التعليمات|الأوامر|القواعد|الإرشادات|ما قيل لك)",
    ),
    Phrase(
        "reveal",
        ("النظام", "قواعدك", "تعليماتك"),
        r"(?:اعرض|أظهر|اكشف|اطبع)[^.\n]{0,10}(?:موجه النظام|قواعدك|تعليماتك)",
    ),
    Phrase(
        "override",
        ("निर्देश", "आदेश", "नियम"),
        r"(?:पिछले|सभी|उपरोक्त|पहले)[^।\n]{0,15}(?:निर्देश|आदेश|नियम)[^।\n]{0,12}(?:अनदेखा|भूल|नज़रअंदाज़|उपेक्षा)",
    ),
    Phrase("reveal", ("सिस्टम",), r"सिस्टम प्रॉम्प्ट[^।\n]{0,8}(?:दिखा|बता)"),
)
