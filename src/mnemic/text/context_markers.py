"""The lines around what is remembered, in the language of the conversation.

A host shows them to a model as part of the user's message, so they must read as the assistant's own notes and never as
something that the user said. Languages without lines of their own get the English ones.
"""

from __future__ import annotations

from mnemic.text.languages import UNDETERMINED, language_of

TYPE_CHECKING = False  # a hook without a server reads this module, and has no time for `typing`
if TYPE_CHECKING:
    from typing import Final


class Markers:
    """Lines of one language; `due` and `overdue` take a date."""

    __slots__ = ("close", "due", "hints", "open", "overdue")

    def __init__(self, open: str, close: str, hints: str, due: str, overdue: str) -> None:  # noqa: A002
        self.open, self.close, self.hints, self.due, self.overdue = open, close, hints, due, overdue


MARKERS: Final = {
    "ar": Markers(
        "[السياق — ما أتذكره]", "[/السياق]", "ذكريات قد تفيد (عناوين فقط):", "موعده {date}", "متأخر منذ {date}"
    ),
    "de": Markers(
        "[Kontext — woran ich mich erinnere]",
        "[/Kontext]",
        "Vielleicht passende Erinnerungen (nur Titel):",
        "fällig am {date}",
        "überfällig seit {date}",
    ),
    "en": Markers(
        "[Context — what I remember]",
        "[/Context]",
        "Memories that may matter here (titles only):",
        "due {date}",
        "overdue since {date}",
    ),
    "es": Markers(
        "[Contexto — lo que recuerdo]",
        "[/Contexto]",
        "Recuerdos que pueden servir (solo títulos):",
        "vence el {date}",
        "vencido desde el {date}",
    ),
    "fr": Markers(
        "[Contexte — ce dont je me souviens]",
        "[/Contexte]",
        "Souvenirs peut-être utiles (titres seuls) :",
        "à faire pour le {date}",
        "en retard depuis le {date}",
    ),
    "it": Markers(
        "[Contesto — ciò che ricordo]",
        "[/Contesto]",
        "Ricordi forse utili (solo titoli):",
        "scade il {date}",
        "scaduto dal {date}",
    ),
    "ja": Markers(
        "[コンテキスト — 覚えていること]",
        "[/コンテキスト]",
        "関係しそうな記憶（題名のみ）：",
        "期限 {date}",
        "期限切れ {date}",
    ),
    "ko": Markers(
        "[맥락 — 기억하고 있는 것]", "[/맥락]", "관련될 수 있는 기억(제목만):", "기한 {date}", "기한 지남 {date}"
    ),
    "nl": Markers(
        "[Context — wat ik onthouden heb]",
        "[/Context]",
        "Misschien nuttige herinneringen (alleen titels):",
        "uiterlijk {date}",
        "te laat sinds {date}",
    ),
    "pl": Markers(
        "[Kontekst — co pamiętam]",
        "[/Kontekst]",
        "Wspomnienia, które mogą się przydać (same tytuły):",
        "termin {date}",
        "po terminie od {date}",
    ),
    "pt": Markers(
        "[Contexto — o que eu lembro]",
        "[/Contexto]",
        "Memórias que podem servir (só títulos):",
        "vence em {date}",
        "vencido desde {date}",
    ),
    "ru": Markers(
        "[Контекст — то, что я помню]",
        "[/Контекст]",
        "Возможно, пригодится (только заголовки):",
        "срок {date}",
        "просрочено с {date}",
    ),
    "tr": Markers(
        "[Bağlam — hatırladıklarım]",
        "[/Bağlam]",
        "İşe yarayabilecek anılar (yalnız başlıklar):",
        "son tarih {date}",
        "{date} tarihinden beri gecikmiş",
    ),
    "uk": Markers(
        "[Контекст — те, що я пам’ятаю]",
        "[/Контекст]",
        "Може стати в пригоді (лише заголовки):",
        "термін {date}",
        "прострочено з {date}",
    ),
    "zh": Markers(
        "[上下文 — 我记得的内容]", "[/上下文]", "可能相关的记忆（仅标题）：", "截止 {date}", "自 {date} 起逾期"
    ),
}
"""By ISO 639-1 code."""

DEFAULT_LANGUAGE: Final = "en"


def markers(language: str) -> Markers:
    """The lines of a language, or the English ones."""
    return MARKERS.get(language, MARKERS[DEFAULT_LANGUAGE])


def conversation_language(*texts: str) -> str:
    """The language of the first of these texts that shows one and that we have lines in; else English."""
    for text in texts:
        found = language_of(text)
        if found != UNDETERMINED and found in MARKERS:
            return found
    return DEFAULT_LANGUAGE
