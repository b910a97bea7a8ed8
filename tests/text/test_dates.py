"""Dates in texts of seven languages, seen from one Wednesday, the 17th of April 2024."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.text.dates import dates_in, resolved

TODAY = date(2024, 4, 17)
any_text = st.text(st.characters(codec=None), max_size=80)
SOME_WORDS = """
last next this two 2 31 may May March 2023 29 February week weeks year ago in since between and to - , . Q3 03/04/2023
vor zwei Wochen letzten hace dos semanas il y a trois mois вчера прошлом марте 7 мая через 昨年の3月 2月29日 上周 999
months 9999-12-31 9999-W53 2023-02-30 12月 三年前 weekend Friday summer winter tomorrow
"""
date_like = st.lists(st.sampled_from(SOME_WORDS.split()), max_size=10).map(" ".join)


def read(text: str, today: date = TODAY) -> list[tuple[str, str]]:
    """First and last day of each date found."""
    return [
        (span.start.isoformat(), date.fromordinal(span.end.toordinal() - 1).isoformat())
        for span in dates_in(text, today=today)
    ]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        # digits
        ("on 2023-05-07.", "2023-05-07", "2023-05-07"),
        ("log of 2023-05-07T10:20:00Z", "2023-05-07", "2023-05-07"),
        ("2023/05/07", "2023-05-07", "2023-05-07"),
        ("2023-05", "2023-05-01", "2023-05-31"),
        ("2023-W18", "2023-05-01", "2023-05-07"),
        ("2023-W18-3", "2023-05-03", "2023-05-03"),
        ("Q3 2024", "2024-07-01", "2024-09-30"),
        ("2024-Q1", "2024-01-01", "2024-03-31"),
        ("Q3", "2023-07-01", "2023-09-30"),
        ("03/04/2023", "2023-04-03", "2023-04-03"),
        ("04/13/2023", "2023-04-13", "2023-04-13"),
        ("7.5.2023", "2023-05-07", "2023-05-07"),
        ("7.5.23", "2023-05-07", "2023-05-07"),
        # English
        ("7 May 2023", "2023-05-07", "2023-05-07"),
        ("the 7th of May, 2023", "2023-05-07", "2023-05-07"),
        ("May 7th, 2023", "2023-05-07", "2023-05-07"),
        ("May 7th", "2023-05-07", "2023-05-07"),
        ("Friday, 5 May", "2023-05-05", "2023-05-05"),
        ("3-5 May 2023", "2023-05-03", "2023-05-05"),
        ("May 3-5, 2023", "2023-05-03", "2023-05-05"),
        ("What did she do in May?", "2023-05-01", "2023-05-31"),
        ("May 1852", "1852-05-01", "1852-05-31"),
        ("in February 2024", "2024-02-01", "2024-02-29"),
        ("last March", "2024-03-01", "2024-03-31"),
        ("last May", "2023-05-01", "2023-05-31"),
        ("next April", "2025-04-01", "2025-04-30"),
        ("this December", "2024-12-01", "2024-12-31"),
        ("last week", "2024-04-08", "2024-04-14"),
        ("next month", "2024-05-01", "2024-05-31"),
        ("last quarter", "2024-01-01", "2024-03-31"),
        ("last weekend", "2024-04-13", "2024-04-14"),
        ("yesterday", "2024-04-16", "2024-04-16"),
        ("the day before yesterday", "2024-04-15", "2024-04-15"),
        ("last night", "2024-04-16", "2024-04-16"),
        ("two weeks ago", "2024-04-01", "2024-04-07"),
        ("a year ago", "2023-01-01", "2023-12-31"),
        ("three days ago", "2024-04-14", "2024-04-14"),
        ("in two days", "2024-04-19", "2024-04-19"),
        ("over the past two weeks", "2024-04-03", "2024-04-17"),
        ("last Friday", "2024-04-12", "2024-04-12"),
        ("last Wednesday", "2024-04-10", "2024-04-10"),
        ("next Wednesday", "2024-04-24", "2024-04-24"),
        ("in 2022", "2022-01-01", "2022-12-31"),
        ("since May", "2023-05-01", "2024-04-17"),
        ("summer 2023", "2023-06-01", "2023-08-31"),
        ("last summer", "2023-06-01", "2023-08-31"),
        ("winter of 2022", "2022-12-01", "2023-02-28"),
        ("the 1990s", "1990-01-01", "1999-12-31"),
        ("between March and May", "2023-03-01", "2023-05-31"),
        ("from March to May 2022", "2022-03-01", "2022-05-31"),
        ("between November and February", "2023-11-01", "2024-02-29"),
        ("November to February 2022", "2021-11-01", "2022-02-28"),
        ("2019-2021", "2019-01-01", "2021-12-31"),
        # Russian
        ("вчера", "2024-04-16", "2024-04-16"),
        ("в прошлом марте", "2024-03-01", "2024-03-31"),
        ("7 мая 2023 года", "2023-05-07", "2023-05-07"),
        ("в мае", "2023-05-01", "2023-05-31"),
        ("на прошлой неделе", "2024-04-08", "2024-04-14"),
        ("две недели назад", "2024-04-01", "2024-04-07"),
        ("неделю назад", "2024-04-08", "2024-04-14"),
        ("через две недели", "2024-04-29", "2024-05-05"),
        ("прошлым летом", "2023-06-01", "2023-08-31"),
        ("в 2022 году", "2022-01-01", "2022-12-31"),
        ("с 3 по 5 мая", "2023-05-03", "2023-05-05"),
        ("с марта по май 2023", "2023-03-01", "2023-05-31"),
        ("в прошлую пятницу", "2024-04-12", "2024-04-12"),
        # German
        ("letzten März", "2024-03-01", "2024-03-31"),
        ("vor zwei Wochen", "2024-04-01", "2024-04-07"),
        ("am 7. Mai 2023", "2023-05-07", "2023-05-07"),
        ("vorgestern", "2024-04-15", "2024-04-15"),
        ("nächstes Jahr", "2025-01-01", "2025-12-31"),
        ("im Sommer 2022", "2022-06-01", "2022-08-31"),
        ("zwischen März und Mai", "2023-03-01", "2023-05-31"),
        ("heute Morgen", "2024-04-17", "2024-04-17"),
        # Spanish
        ("el mes pasado", "2024-03-01", "2024-03-31"),
        ("hace dos semanas", "2024-04-01", "2024-04-07"),
        ("7 de mayo de 2023", "2023-05-07", "2023-05-07"),
        ("entre marzo y mayo", "2023-03-01", "2023-05-31"),
        ("pasado mañana", "2024-04-19", "2024-04-19"),
        ("el verano de 2022", "2022-06-01", "2022-08-31"),
        # French
        ("la semaine dernière", "2024-04-08", "2024-04-14"),
        ("il y a trois mois", "2024-01-01", "2024-01-31"),
        ("le 1er mai 2023", "2023-05-01", "2023-05-01"),
        ("avant-hier", "2024-04-15", "2024-04-15"),
        ("aujourd’hui", "2024-04-17", "2024-04-17"),
        ("en août 2023", "2023-08-01", "2023-08-31"),
        # Japanese
        ("昨年の3月に", "2023-03-01", "2023-03-31"),
        ("先週は", "2024-04-08", "2024-04-14"),
        ("2023年5月7日", "2023-05-07", "2023-05-07"),
        ("令和5年5月", "2023-05-01", "2023-05-31"),
        ("3日前", "2024-04-14", "2024-04-14"),
        ("三年前", "2021-01-01", "2021-12-31"),
        ("先週の金曜日", "2024-04-12", "2024-04-12"),
        ("3月から5月まで", "2023-03-01", "2023-05-31"),
        ("一昨日", "2024-04-15", "2024-04-15"),
        ("２０２３年夏", "2023-06-01", "2023-08-31"),
        # Chinese
        ("去年三月", "2023-03-01", "2023-03-31"),
        ("上周", "2024-04-08", "2024-04-14"),
        ("上周一起去", "2024-04-08", "2024-04-14"),
        ("上周五", "2024-04-12", "2024-04-12"),
        ("上个月15号", "2024-03-15", "2024-03-15"),
        ("二〇二三年十二月三十一日", "2023-12-31", "2023-12-31"),
        ("三个月前", "2024-01-01", "2024-01-31"),
        ("前天", "2024-04-15", "2024-04-15"),
        ("3月至5月", "2023-03-01", "2023-05-31"),
    ],
)
def test_a_date_means_the_days_a_reader_takes_it_for(text: str, first: str, last: str) -> None:
    assert read(text) == [(first, last)]


@pytest.mark.parametrize(
    "text",
    [
        "may I go",
        "You may 5 times march",
        "the 5 may come",
        "I march on",
        "a trip to Mars",
        "it costs $2000",
        "2000 days",
        "at 20:23 or 3.5 years",
        "version 3.11.4, build 2023.1.2.3",
        "file-2023-05-07x.txt",
        "call 555-2022-11",
        "Cyberpunk 2077",
        "the last years",
        "guten Morgen",
        "2023-02-30",
        "2023-13",
        "66 миллионов лет назад",
        "三个月",
        "",
    ],
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert read(text) == []


def test_doubtful_readings_say_so() -> None:
    def certainty(text: str) -> float:
        return dates_in(text, today=TODAY)[0].certainty

    assert certainty("03/04/2023") < certainty("13/04/2023") <= certainty("2023-04-13") == 1
    assert certainty("on Friday") < certainty("last Friday")
    assert certainty("a few days ago") < certainty("two days ago")
    assert certainty("in May") < certainty("in May 2023")


def test_several_dates_in_one_text_keep_their_places() -> None:
    text = "Вчера, 7 мая 2023 and last week; also 2023年5月."

    spans = dates_in(text, today=TODAY)

    assert [span.text for span in spans] == ["Вчера", "7 мая 2023", "last week", "2023年5月"]
    assert all(text[span.offset_start : span.offset_end] == span.text for span in spans)


def test_relative_words_are_resolved_by_the_day_they_were_said() -> None:
    said = date(2023, 5, 8)

    assert resolved("I went to a support group yesterday and it was powerful", said_on=said) == "2023-05-07"
    assert resolved("Painted it last year, sold it last month", said_on=said) == "2022 2023-04"
    assert resolved("На прошлой неделе", said_on=said) == "2023-05-01/2023-05-07"
    assert resolved("昨日と去年", said_on=said) == "2023-05-07 2022"
    assert resolved("On 7 May 2023 we may meet on Friday, a few days ago", said_on=said) == ""


@given(st.one_of(any_text, date_like), st.dates())
def test_any_text_on_any_day_gives_true_places_and_days_in_order(text: str, today: date) -> None:
    place = 0
    for span in dates_in(text, today=today):
        assert text[span.offset_start : span.offset_end] == span.text != ""
        assert span.offset_start >= place
        assert span.start < span.end
        assert 0 < span.certainty <= 1
        place = span.offset_end
    resolved(text, said_on=today)


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.dates())
def test_a_full_date_means_itself_on_any_day(day: date, today: date) -> None:
    english = day.strftime("%d %B %Y")

    assert read(day.isoformat(), today) == read(english, today) == [(day.isoformat(), day.isoformat())]
