"""Units, scales, number words and yes and no, as people write them in English, German, Russian, Japanese, Chinese.

One line a unit: what it measures, how many of the smallest it is, its names folded by `folding.fold`.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import Final

from mnemic.text.folding import fold

_UNITS: Final = """
length 1 mm millimeter millimetre миллиметр ミリ ミリメートル 毫米
length 10 cm centimeter centimetre zentimeter сантиметр см センチ センチメートル 厘米
length 1000 m meter metre метр м メートル 米
length 1000000 km kilometer kilometre километр км キロ キロメートル 公里 千米
length 1609344 mi mile meile миля миль マイル 英里
mass 1 mg milligram milligramm миллиграмм мг ミリグラム 毫克
mass 1000 g gram gramme gramm грамм г グラム 克
mass 1000000 kg kilo kilogram kilogramm килограмм кг キログラム 公斤 千克
mass 1000000000 t tonne ton tonnen тонна тонн т トン 吨
volume 1 ml milliliter millilitre миллилитр мл ミリリットル 毫升
volume 1000 l liter litre литр л リットル 升
time 1 ms millisecond millisekunde миллисекунда мс ミリ秒 毫秒
time 1000 s sec second sek sekunde секунда сек с 秒 秒間 秒钟
time 60000 min mins minute мин минута 分 分間 分钟 分鐘
time 3600000 h hr hrs hour std stunde час ч 時間 小时 小時
time 86400000 d day tag день дня дней дн сутки 日 日間 天
time 604800000 wk week woche неделя недель нед 週 週間 周 星期
months 1 month monat месяц мес ヶ月 か月 カ月 个月 個月
months 12 yr year jahr год года лет 年 年間
data 1 b byte байт バイト 字节
data 1000 kb kilobyte килобайт кб キロバイト
data 1000000 mb megabyte мегабайт мб メガバイト 兆字节
data 1000000000 gb gigabyte гигабайт гб ギガバイト
data 1000000000000 tb terabyte терабайт тб テラバイト
data 1024 kib kibibyte
data 1048576 mib mebibyte
data 1073741824 gib gibibyte
share 1 % percent prozent процент パーセント 百分比
celsius 1 °c c celsius grad градус градусов 度 摄氏度
fahrenheit 1 °f f fahrenheit
usd 1 $ us$ usd dollar доллар ドル 美元
eur 1 € eur euro евро ユーロ 欧元
gbp 1 £ gbp pfund фунт ポンド 英镑
jpy 1 円 jpy yen иена 日元
cny 1 元 cny rmb yuan юань 人民币 块
rub 1 ₽ rub rubel ruble руб рубль рубля рублей
chf 1 chf franken франк
people 1 人 名 человек person people personen
"""
_SCALES: Final = """
1000 k thousand tausend тыс тысяч тысяча тысячи 千
1000000 m mio mn million millionen млн миллион миллиона миллионов
1000000000 bn mrd billion milliarde milliarden млрд миллиард миллиарда миллиардов
"""
_NUMBERS: Final = """
0 zero null ноль нуль
1 one ein eine eins один одна одно
2 two zwei два две
3 three drei три
4 four vier четыре
5 five funf пять
6 six sechs шесть
7 seven sieben семь
8 eight acht восемь
9 nine neun девять
10 ten zehn десять
11 eleven elf одиннадцать
12 twelve dozen zwolf dutzend двенадцать дюжина
15 fifteen funfzehn пятнадцать
20 twenty zwanzig двадцать
30 thirty dreissig тридцать
40 forty vierzig сорок
50 fifty funfzig пятьдесят
60 sixty sechzig шестьдесят
70 seventy siebzig семьдесят
80 eighty achtzig восемьдесят
90 ninety neunzig девяносто
100 hundred hundert сто
"""
_YES: Final = """
yes y true on enabled enable active ok ja wahr ein an aktiv aktiviert eingeschaltet да истина вкл включено
включен включена верно はい 真 有効 オン ある 是 是的 对 對 真的 开 开启 启用 有 oui vrai si sí cierto sim sì vero 1
"""
YES: Final = frozenset(map(fold, _YES.split()))
_NO: Final = """
no n false off disabled disable inactive nein falsch aus inaktiv deaktiviert ausgeschaltet нет ложь выкл выключено
выключен выключена неверно いいえ 偽 無効 オフ ない 否 不 不是 不对 假 关 关闭 禁用 没有 無 无
non faux falso nao não 0
"""
NO: Final = frozenset(map(fold, _NO.split()))
# Declined and plural forms: enough of an ending is cut that the names above are met.
_ENDINGS: Final = ("ами", "ах", "ов", "ам", "ы", "и", "а", "у", "ей", "en", "es", "s", "n", "e")


@cache
def units() -> dict[str, tuple[str, Decimal]]:
    """Name of a unit, folded → what it measures, and how many of the smallest it is."""
    found: dict[str, tuple[str, Decimal]] = {}
    for line in _UNITS.strip().splitlines():
        measures, factor, *names = line.split()
        found |= dict.fromkeys(names, (measures, Decimal(factor)))
    return found


@cache
def scales() -> dict[str, Decimal]:
    """Word of a scale, folded → how much it multiplies by."""
    return {name: Decimal(value) for value, *names in map(str.split, _SCALES.strip().splitlines()) for name in names}


@cache
def number_words() -> dict[str, Decimal]:
    """Number word, folded → its number."""
    return {name: Decimal(value) for value, *names in map(str.split, _NUMBERS.strip().splitlines()) for name in names}


def unit_named(name: str) -> tuple[str, Decimal] | None:
    """The unit of this folded name, also declined or in the plural."""
    known = units()
    if name in known:
        return known[name]
    for ending in _ENDINGS:
        stem = name.removesuffix(ending)
        if len(stem) > 1 and stem != name and stem in known:
            return known[stem]
        if len(stem) > 1 and stem != name and f"{stem}а" in known:  # минут, секунд
            return known[f"{stem}а"]
    return known.get(f"{name}а")
