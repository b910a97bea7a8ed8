"""Settings: five layers, each value with its origin, and a mistake that names what was meant."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic import config
from mnemic.config import Settings, known_keys, load, write
from mnemic.domain.policy import OnSecret
from mnemic.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "config").mkdir()
    (tmp_path / "bundle").mkdir()


def user(tmp_path: Path, text: str) -> None:
    (tmp_path / "config" / "config.toml").write_text(text, encoding="utf-8")


def bundle(tmp_path: Path, text: str) -> Path:
    (tmp_path / "bundle" / "mnemic.toml").write_text(text, encoding="utf-8")
    return tmp_path / "bundle"


# -- layers ------------------------------------------------------------------------------------------------------


def test_without_any_file_everything_is_a_default(tmp_path: Path) -> None:
    loaded = load(tmp_path / "bundle")

    assert loaded.settings == Settings()
    assert dict(loaded.origins) == {}


def test_each_layer_wins_over_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    steps: list[Callable[[], object]] = [
        lambda: user(tmp_path, "[recall]\nk = 2\n"),
        lambda: bundle(tmp_path, "[recall]\nk = 3\n"),
        lambda: monkeypatch.setenv("MNEMIC_RECALL_K", "4"),
    ]
    for step in steps:
        step()
        loaded = load(tmp_path / "bundle")
        seen.append((loaded.settings.recall.k, loaded.origins["recall.k"]))
    flagged = load(tmp_path / "bundle", {"recall.k": "5"})
    seen.append((flagged.settings.recall.k, flagged.origins["recall.k"]))

    assert seen == [
        (2, str(tmp_path / "config" / "config.toml")),
        (3, str(tmp_path / "bundle" / "mnemic.toml")),
        (4, "MNEMIC_RECALL_K"),
        (5, "flag"),
    ]


def test_a_layer_changes_only_what_it_names(tmp_path: Path) -> None:
    root = bundle(tmp_path, "[recall]\nk = 3\n[limits]\ntags = 7\n")

    settings = load(root).settings

    assert (settings.recall.k, settings.recall.profile, settings.limits.tags) == (3, "default", 7)
    assert settings.policy.limits.tags == 7


def test_before_a_bundle_is_chosen_the_users_own_settings_count(tmp_path: Path) -> None:
    user(tmp_path, "[recall]\nk = 2\n")

    assert load(None).settings.recall.k == 2


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("recall.k", "12", 12),
        ("recall.minimum_authority", "0.25", 0.25),
        ("recall.minimum_authority", "1", 1.0),
        ("weights.words", "-3.5", -3.5),
        ("rules.model_beliefs", "yes", True),
        ("rules.model_beliefs", "FALSE", False),
        ("rules.secrets_in_memories", "redact", OnSecret.REDACT),
        ("embed.engines", "use, e5", ("use", "e5")),
        ("embed.engines", "", ()),
        ("bundle.name", "mine", "mine"),
    ],
)
def test_a_text_becomes_the_type_of_its_setting(key: str, text: str, value: object) -> None:
    settings = load(None, {key: text}).settings

    section, _, name = key.partition(".")
    found = getattr(getattr(settings, section), name)
    assert (found, type(found)) == (value, type(value))


def test_toml_has_types_of_its_own(tmp_path: Path) -> None:
    root = bundle(
        tmp_path,
        '[recall]\nk = 3\nminimum_authority = 1\nsessions = false\n[embed]\nengines = ["e5"]\n[bundle]\nname = "я"\n',
    )

    settings = load(root).settings

    assert (settings.recall.minimum_authority, settings.recall.sessions) == (1.0, False)
    assert (settings.embed.engines, settings.bundle.name) == (("e5",), "я")


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    (tmp_path / "bundle" / "mnemic.toml").write_bytes(b"\xef\xbb\xbf[recall]\r\nk = 3\r\n")

    assert load(tmp_path / "bundle").settings.recall.k == 3


# -- mistakes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("[recal]\nk = 3\n", "no setting recal", "recall"),
        ("[recall]\nkk = 3\n", "no setting recall.kk", "recall.k"),
        ("[limits]\ntitle_chars = 3\n", "no setting limits.title_chars", "limits.title_characters"),
        ("k = 3\n", "no setting k", ""),
        ("[recall]\nk = 'many'\n", "recall.k is 'many', but must be int", "8"),
        ("[recall]\nk = 2.5\n", "recall.k is 2.5, but must be int", "8"),
        ("[recall]\nk = true\n", "recall.k is True, but must be int", "8"),
        ("[rules]\nsecrets_in_memories = 'keep'\n", "must be refuse | redact", "refuse"),
        ("[rules]\nmodel_beliefs = 'perhaps'\n", "must be bool", "False"),
        ("[embed]\nengines = [1]\n", "must be tuple", "use"),
        ("[limits]\ntags = -1\n", "a limit is at least 0", "0 allows nothing"),
        ("[recall\n", "mnemic.toml", "Mend it by hand"),
        ("recall = 1\nrecall = 2\n", "mnemic.toml", "Mend it by hand"),
    ],
)
def test_a_mistake_names_file_key_and_what_was_meant(tmp_path: Path, text: str, message: str, hint: str) -> None:
    root = bundle(tmp_path, text)

    with pytest.raises(ConfigError) as refused:
        load(root)

    assert "mnemic.toml" in refused.value.message
    assert message in refused.value.message
    assert hint in refused.value.hint


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "bundle" / "mnemic.toml").write_bytes(b"\xff\xfe\x00[")

    with pytest.raises(ConfigError, match=r"mnemic\.toml"):
        load(tmp_path / "bundle")


def test_a_section_that_is_given_as_a_setting_is_told_from_a_typing_error(tmp_path: Path) -> None:
    (tmp_path / "mnemic.toml").write_text("rules = 3\n", encoding="utf-8")

    with pytest.raises(ConfigError) as refused:
        load(tmp_path)

    assert refused.value.hint == "It is a section: write [rules] on a line of its own, and its settings below."


def test_the_default_of_a_choice_is_told_as_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "mnemic.toml").write_text("[rules]\ncontradictions = 'explode'\n", encoding="utf-8")

    with pytest.raises(ConfigError, match=r"quarantine \| propose") as refused:
        load(tmp_path)

    assert refused.value.hint == "The default is 'quarantine'."


def test_a_variable_that_is_no_setting_is_an_error_and_places_and_keys_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MNEMIC_BUNDLE", "MNEMIC_CACHE_DIR", "MNEMIC_DATA_DIR", "MNEMIC_DATA", "MNEMIC_ENDPOINT_KEY"):
        monkeypatch.setenv(name, "x")
    assert load(None).settings == Settings()

    monkeypatch.setenv("MNEMIC_RECALL_KK", "3")
    with pytest.raises(ConfigError, match="MNEMIC_RECALL_KK") as refused:
        load(None)

    assert refused.value.hint == "Did you mean MNEMIC_RECALL_K?"


def test_a_wrong_value_in_a_variable_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_RECALL_K", "many")

    with pytest.raises(ConfigError, match="recall"):
        load(None)


@given(st.text(max_size=60))
def test_whatever_stands_in_a_flag_it_is_taken_or_refused_with_a_reason(text: str) -> None:
    for key in ("recall.k", "rules.model_beliefs", "embed.engines", "bundle.name", "weights.words", text):
        try:
            load(None, {key: text})
        except ConfigError as error:
            told = (error.message, error.hint)
        else:
            told = ("taken", "as it is")
        assert all(told)


# -- writing -----------------------------------------------------------------------------------------------------


def test_a_written_setting_leaves_comments_order_and_other_settings_alone(tmp_path: Path) -> None:
    text = "# ours\n[limits]\ntags = 7  # few\n\n[recall]\n# how many\nk = 3\nprofile = 'fields'\n"
    root = bundle(tmp_path, text)

    write(root / "mnemic.toml", "recall.k", "12")

    assert (root / "mnemic.toml").read_text(encoding="utf-8") == text.replace("k = 3", "k = 12")
    assert [path.name for path in root.iterdir()] == ["mnemic.toml"]


@pytest.mark.parametrize(
    ("key", "text"),
    [("recall.k", "12"), ("embed.engines", "e5"), ("rules.model_beliefs", "true"), ("bundle.name", "ü 日")],
)
def test_what_is_written_into_a_new_file_is_read_back(tmp_path: Path, key: str, text: str) -> None:
    path = tmp_path / "deep" / "er" / "mnemic.toml"

    write(path, key, text)

    section, _, name = key.partition(".")
    expected = load(None, {key: text}).settings
    assert getattr(load(path.parent).settings, section) == getattr(expected, section)
    assert getattr(getattr(expected, section), name) != getattr(getattr(Settings(), section), name)


@pytest.mark.parametrize(
    ("key", "text"), [("recall.kk", "1"), ("recall.k", "many"), ("limits.tags", "-1"), ("recall", "1")]
)
def test_a_setting_that_would_be_refused_is_not_written(tmp_path: Path, key: str, text: str) -> None:
    root = bundle(tmp_path, "[recall]\nk = 3\n")

    with pytest.raises(ConfigError):
        write(root / "mnemic.toml", key, text)

    assert (root / "mnemic.toml").read_text(encoding="utf-8") == "[recall]\nk = 3\n"


def test_a_broken_file_is_not_overwritten(tmp_path: Path) -> None:
    root = bundle(tmp_path, "[recall\n")

    with pytest.raises(ConfigError) as refused:
        write(root / "mnemic.toml", "recall.k", "3")

    assert "Mend it by hand" in refused.value.hint
    assert (root / "mnemic.toml").read_text(encoding="utf-8") == "[recall\n"


def test_no_setting_is_a_secret() -> None:
    """A key is named by the variable it stands in; nothing in a settings file is one."""
    assert not [key for key in known_keys() if key.endswith(("_key", "token", "password", "secret"))]
    assert config.Settings().embed.endpoint_key_variable.isupper()


def test_every_section_is_frozen_and_flat() -> None:
    for section in fields(Settings):
        value = getattr(Settings(), section.name)
        assert is_dataclass(value)
        assert all(isinstance(getattr(value, entry.name), str | int | float | bool | tuple) for entry in fields(value))


# -- a bundle may be anybody's -----------------------------------------------------------------------------------


def test_a_bundle_does_not_decide_where_texts_are_sent(tmp_path: Path) -> None:
    folder = bundle(
        tmp_path,
        '[embed]\nengines = ["e5", "endpoint"]\nendpoint = "http://elsewhere.example/v1"\nnewest = 3\n'
        'endpoint_key_variable = "SOMEBODYS_KEY"\n',
    )

    loaded = load(folder)

    assert loaded.settings.embed.endpoint == ""
    assert loaded.settings.embed.endpoint_key_variable == "MNEMIC_ENDPOINT_KEY"
    assert loaded.settings.embed.engines == ("e5",)
    assert loaded.settings.embed.newest == 3
    assert [told.split(" is not used")[0] for told in loaded.ignored] == [
        f"the engine endpoint in {folder / 'mnemic.toml'}",
        f"embed.endpoint in {folder / 'mnemic.toml'}",
        f"embed.endpoint_key_variable in {folder / 'mnemic.toml'}",
    ]


def test_an_engine_that_does_not_count_leaves_the_usual_ones(tmp_path: Path) -> None:
    loaded = load(bundle(tmp_path, '[embed]\nengines = ["endpoint"]\n'))

    assert loaded.settings.embed.engines == Settings().embed.engines
    assert len(loaded.ignored) == 1


def test_ones_own_settings_variables_and_flags_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user(tmp_path, '[embed]\nendpoint = "http://mine.example/v1"\n')
    monkeypatch.setenv("MNEMIC_EMBED_ENDPOINT_MODEL", "m")

    loaded = load(tmp_path / "bundle", {"embed.engines": "endpoint"})

    embed = loaded.settings.embed
    assert (embed.endpoint, embed.endpoint_model, embed.engines) == ("http://mine.example/v1", "m", ("endpoint",))
    assert loaded.ignored == ()


@pytest.mark.parametrize(("key", "value"), [("embed.endpoint", "http://x.example"), ("embed.engines", "e5,endpoint")])
def test_an_address_is_not_written_into_a_bundle(tmp_path: Path, key: str, value: str) -> None:
    with pytest.raises(ConfigError) as caught:
        write(tmp_path / "bundle" / "mnemic.toml", key, value)

    assert "--user" in caught.value.hint
    assert not (tmp_path / "bundle" / "mnemic.toml").exists()
    write(config.user_config_file(), key, value)
