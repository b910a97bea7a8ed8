from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.text.invocations import invoked


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("please use #deploy-rules", ("deploy-rules",)),
        ("#deploy-rules and #style, then #deploy-rules", ("deploy-rules", "style")),
        ("siehe #Übergabe.", ("übergabe",)),
        ("см. #правила-деплоя", ("правила-деплоя",)),
        ("＃deploy は使わない", ()),
        ("（#東京）を見て", ("東京",)),
        ("#ＤＥＰＬＯＹ", ("deploy",)),
        ("issue #12 and #3.4", ()),
        ("C# and F#", ()),
        ("a#b, /#c and &#39;", ()),
        ("https://example.org/page#top", ()),
        ("## heading", ()),
        ("#-x #_y", ()),
    ],
)
def test_knowledge_is_called_by_its_name_between_words(message: str, names: tuple[str, ...]) -> None:
    assert invoked(message).knowledge == names


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("/release", "release"),
        ("  /Release 1.2 please", "release"),
        ("/выпуск", "выпуск"),
        ("please /release", ""),
        ("/usr/bin/python fails", ""),
        ("//release", ""),
        ("/ release", ""),
        ("", ""),
    ],
)
def test_a_workflow_is_called_at_the_beginning_only(message: str, name: str) -> None:
    assert invoked(message).workflow == name


@given(st.text())
def test_any_message_is_looked_through(message: str) -> None:
    found = invoked(message)

    assert len(found.knowledge) == len(set(found.knowledge)) <= 20


def test_a_pasted_file_calls_nothing_in_its_middle() -> None:
    assert invoked("x " * 60_000 + "#late").knowledge == ()
