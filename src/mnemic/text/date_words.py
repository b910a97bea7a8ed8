"""Words that dates are made of, by language: English, German, Spanish, French and Russian.

Folded as `mnemic.text.folding.fold` leaves them. In the tables a space parts the entries, `|` the forms of
one entry. Japanese and Chinese write dates without spaces and have their own rules in `cjk_dates`.
"""

from __future__ import annotations

from typing import Final

MONTHS: Final = {
    "en": "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sep|sept "
    "october|oct november|nov december|dec",
    "de": "januar|janner|jan februar|feber|feb marz|mrz april|apr mai juni|jun juli|jul august|aug september|sep|sept "
    "oktober|okt november|nov dezember|dez",
    "es": "enero|ene febrero|feb marzo|mar abril|abr mayo junio|jun julio|jul agosto|ago septiembre|setiembre|sep|sept "
    "octubre|oct noviembre|nov diciembre|dic",
    "fr": "janvier|janv fevrier|fevr mars avril|avr mai juin juillet|juil aout septembre|sept octobre|oct novembre|nov "
    "decembre|dec",
    "ru": "январь|января|январе|январю|янв февраль|февраля|феврале|февралю|фев март|марта|марте|марту|мар "
    "апрель|апреля|апреле|апрелю|апр май|мая|мае|маю июнь|июня|июне|июню|июн июль|июля|июле|июлю|июл "
    "август|августа|августе|августу|авг сентябрь|сентября|сентябре|сентябрю|сен|сент "
    "октябрь|октября|октябре|октябрю|окт ноябрь|ноября|ноябре|ноябрю|ноя|нояб "
    "декабрь|декабря|декабре|декабрю|дек",
}
# Month names that are also words or people's names; so is every abbreviation.
AMBIGUOUS_MONTHS: Final = frozenset({"may", "march", "mars", "август", "марта"})

WEEKDAYS: Final = {
    "en": "monday|mondays tuesday|tuesdays wednesday|wednesdays thursday|thursdays friday|fridays saturday|saturdays "
    "sunday|sundays",
    "de": "montag|montags dienstag|dienstags mittwoch|mittwochs donnerstag|donnerstags freitag|freitags "
    "samstag|samstags|sonnabend sonntag|sonntags",
    "es": "lunes martes miercoles jueves viernes sabado domingo",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "ru": "понедельник|понедельника|понедельнику вторник|вторника|вторнику среду|среда|среды|среде "
    "четверг|четверга|четвергу пятницу|пятница|пятницы|пятнице субботу|суббота|субботы|субботе "
    "воскресенье|воскресенья|воскресенью",
}
# Spring, summer, autumn, winter.
SEASONS: Final = {
    "en": "spring|springtime summer|summertime autumn|fall winter|wintertime",
    "de": "fruhling|fruhjahr|fruhlings sommer|sommers herbst|herbsts winter|winters",
    "es": "primavera verano otono invierno",
    "fr": "printemps ete automne hiver",
    "ru": "весна|весной|весну|весны|весне лето|летом|лета|лету осень|осенью|осени зима|зимой|зиму|зимы|зиме",
}
# Day, week, month, year, weekend, quarter.
UNITS: Final = {
    "en": "day|days week|weeks month|months year|years weekend|weekends quarter|quarters",
    "de": "tag|tage|tagen|tages woche|wochen monat|monate|monaten|monats jahr|jahre|jahren|jahres|jahrs "
    "wochenende|wochenenden quartal|quartals",
    "es": "dia|dias semana|semanas mes|meses ano|anos finde trimestre|trimestres",
    "fr": "jour|jours semaine|semaines mois an|ans|annee|annees weekend trimestre|trimestres",
    "ru": "день|дня|дней|дни неделя|неделю|недели|неделе|недель месяц|месяца|месяце|месяцев|месяцы "
    "год|года|году|лет|годы|годов выходные|выходных квартал|квартала|квартале",
}
# Forms of units that need a number: "the last years" names no year.
PLURALS: Final = frozenset(
    {"days", "weeks", "months", "years", "weekends", "quarters", "tage", "tagen", "wochen", "monate", "monaten"}
    | {"jahre", "jahren", "dias", "semanas", "meses", "anos", "jours", "semaines", "annees", "ans"}
    | {"дни", "дней", "недель", "месяцы", "месяцев", "годы", "годов", "лет"}
)
# From one upwards; the indefinite article counts as one.
NUMBERS: Final = {
    "en": "one|a|an two|couple three|few four five six seven eight nine ten eleven twelve",
    "de": "ein|eine|einem|einer|einen zwei|paar drei vier funf sechs sieben acht neun zehn elf zwolf",
    "es": "un|una|uno dos|par tres cuatro cinco seis siete ocho nueve diez once doce",
    "fr": "un|une deux trois quatre cinq six sept huit neuf dix onze douze",
    "ru": "один|одну|одна|одного два|две|пару|двух три|трех|несколько четыре|четырех пять|пяти шесть|шести семь|семи "
    "восемь|восьми девять|девяти десять|десяти одиннадцать двенадцать",
}
VAGUE_NUMBERS: Final = frozenset({"couple", "few", "paar", "par", "пару", "несколько"})

# Two before, the one before, this, the one after, two after; `-` where there is no word.
SHIFTS: Final = {
    "en": "- last|past|previous this|current next|coming|upcoming|following -",
    "de": "vorletzte|vorletzten|vorletzter|vorletztes|vorletztem "
    "letzte|letzten|letzter|letztes|letztem|vergangene|vergangenen|vergangener|vergangenes|vergangenem|vorige|vorigen|"
    "voriger|voriges|vorigem diese|diesen|dieser|dieses|diesem "
    "nachste|nachsten|nachster|nachstes|nachstem|kommende|kommenden|kommender|kommendes|kommendem "
    "ubernachste|ubernachsten|ubernachster|ubernachstes",
    "es": "antepasado|antepasada pasado|pasada|pasados|pasadas|ultimo|ultima|ultimos|ultimas|anterior "
    "este|esta|estos|estas proximo|proxima|proximos|proximas|siguiente|siguientes|viene -",
    "fr": "- dernier|derniere|derniers|dernieres|passe|passee|precedent|precedente ce|cet|cette|ces "
    "prochain|prochaine|prochains|prochaines|suivant|suivante -",
    "ru": "позапрошлый|позапрошлая|позапрошлое|позапрошлого|позапрошлой|позапрошлом|позапрошлую|позапрошлым "
    "прошлый|прошлая|прошлое|прошлого|прошлой|прошлом|прошлую|прошлым|прошлые|прошлых|минувший|минувшей|минувшем|"
    "минувшую|последний|последняя|последние|последних|последнюю|предыдущий|предыдущей|предыдущем|предыдущую "
    "этот|эта|это|этого|этой|этом|эту|этим|эти|этих|нынешний|нынешнем|нынешней|текущем|текущий "
    "следующий|следующая|следующее|следующего|следующей|следующем|следующую|следующим|следующие|следующих|будущем|"
    "будущей|будущий|ближайшие -",
}
# Whole expressions: what they mean in days, weeks ... from today.
EXPRESSIONS: Final = {
    "en": {
        "today": ("day", 0),
        "tonight": ("day", 0),
        "this morning": ("day", 0),
        "this afternoon": ("day", 0),
        "this evening": ("day", 0),
        "yesterday": ("day", -1),
        "last night": ("day", -1),
        "tomorrow": ("day", 1),
        "day before yesterday": ("day", -2),
        "day after tomorrow": ("day", 2),
        "week before last": ("week", -2),
        "month before last": ("month", -2),
        "year before last": ("year", -2),
    },
    "de": {
        "heute": ("day", 0),
        "heute morgen": ("day", 0),
        "gestern": ("day", -1),
        "gestern morgen": ("day", -1),
        "vorgestern": ("day", -2),
        "morgen": ("day", 1),
        "ubermorgen": ("day", 2),
    },
    "es": {
        "hoy": ("day", 0),
        "esta manana": ("day", 0),
        "esta noche": ("day", 0),
        "ayer": ("day", -1),
        "anoche": ("day", -1),
        "anteayer": ("day", -2),
        "antes de ayer": ("day", -2),
        "manana": ("day", 1),
        "pasado manana": ("day", 2),
        "fin de semana pasado": ("weekend", -1),
        "este fin de semana": ("weekend", 0),
        "proximo fin de semana": ("weekend", 1),
    },
    "fr": {
        "aujourd ' hui": ("day", 0),
        "ce matin": ("day", 0),
        "ce soir": ("day", 0),
        "hier": ("day", -1),
        "avant - hier": ("day", -2),
        "demain": ("day", 1),
        "apres - demain": ("day", 2),
        "week - end dernier": ("weekend", -1),
        "ce week - end": ("weekend", 0),
        "week - end prochain": ("weekend", 1),
    },
    "ru": {
        "сегодня": ("day", 0),
        "вчера": ("day", -1),
        "позавчера": ("day", -2),
        "завтра": ("day", 1),
        "послезавтра": ("day", 2),
    },
}
# Expressions that look like a date and are none.
NOT_DATES: Final = {
    "en": ("may be", "may not", "may have"),
    "de": ("am morgen", "guten morgen", "jeden morgen"),
    "es": ("por la manana", "cada manana", "la manana", "una manana"),
    "fr": (),
    "ru": (),
}
# Small words, one class each; what the classes are for stands in `dates`.
MARKS: Final = {
    "en": {
        "g": "ago|earlier",
        "i": "in|within",
        "p": "on|during|by|until|till|early|late|mid|around|before|after",
        "s": "since",
        "B": "between|from",
        "+": "and",
        "&": "to|through|thru|until|till",
        "o": "of",
        "t": "the",
    },
    "de": {
        "b": "vor",
        "i": "in|binnen",
        "p": "im|am|ab|bis|anfang|ende|mitte|wahrend",
        "s": "seit",
        "B": "zwischen|von|vom",
        "+": "und",
        "&": "bis",
        "t": "der|die|das|den|dem|des",
    },
    "es": {
        "b": "hace",
        "i": "en",
        "p": "durante|antes|despues",
        "s": "desde",
        "B": "entre",
        "+": "y|e",
        "&": "a|al|hasta",
        "o": "de|del",
        "t": "el|la|los|las",
    },
    "fr": {
        "b": "il y a",
        "f": "dans",
        "p": "en|pendant|avant|apres|fin|debut",
        "s": "depuis",
        "B": "entre",
        "+": "et",
        "&": "a|au|jusqu",
        "o": "de|du|d",
        "t": "le|la|les|l",
    },
    "ru": {
        "g": "назад",
        "f": "через",
        "p": "в|во|на|до|к|около",
        "B": "между|с|со|от",
        "+": "и",
        "&": "по|до",
    },
}
