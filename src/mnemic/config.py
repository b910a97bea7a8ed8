"""Settings: one frozen value, layered from five places, each value knowing where it came from.

Defaults < the user's `config.toml` < the bundle's `mnemic.toml` < environment `MNEMIC_*` < flags. An unknown key is an
error that names the nearest known one. Secrets never stand in TOML: a key's *name of an environment variable* does.
"""

from __future__ import annotations

import os
import sys
import typing
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType

from mnemic.domain.policy import Limits, Policy, ReplayRules, Rules
from mnemic.domain.vault import KeyPlace
from mnemic.errors import ConfigError
from mnemic.ranking.weights import Weights

if typing.TYPE_CHECKING:
    from collections.abc import Mapping

ENV_PREFIX = "MNEMIC_"
BUNDLE_FILE = "mnemic.toml"
DEFAULT = "default"
_NOT_SETTINGS = frozenset(
    {
        "MNEMIC_BUNDLE",
        "MNEMIC_CONFIG_DIR",
        "MNEMIC_CACHE_DIR",
        "MNEMIC_DATA_DIR",
        "MNEMIC_DATA",
        "MNEMIC_HOOK_MS",
        "MNEMIC_MCP_TOKEN",
        "MNEMIC_PASSPHRASE",
        "MNEMIC_NEW_PASSPHRASE",
    }
)
"""Environment variables with our prefix that name places or hold a secret, and are no settings."""


class Engine(StrEnum):
    """A source of vectors."""

    USE = "use"
    E5 = "e5"
    ENDPOINT = "endpoint"


class Git(StrEnum):
    """What git sees of a bundle that is made."""

    IGNORE = "ignore"
    TRACK = "track"


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleSettings:
    """What a bundle is: its name in `name:id` references, its layout, the time zone dates are read in."""

    name: str = ""
    layout: str = "okf"
    zone: str = ""
    git: Git = Git.IGNORE


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings:
    """How recall answers when the caller does not say."""

    profile: str = "default"
    k: int = 8
    sessions: bool = True
    minimum_authority: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedSettings:
    """Which embedders are used, and how hard they may work (`threads` 0: as many as make sense)."""

    engines: tuple[str, ...] = (Engine.USE, Engine.E5)
    threads: int = 0
    newest: int = 16
    endpoint: str = ""
    endpoint_model: str = ""
    endpoint_dim: int = 0
    endpoint_key_variable: str = "MNEMIC_ENDPOINT_KEY"


class Counter(StrEnum):
    """What counts the tokens of a context."""

    ESTIMATE = "estimate"
    O200K = "o200k"
    CL100K = "cl100k"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSettings:
    """What goes into an agent's context: its size in tokens, and what may take how much of it.

    `quotas`: facts of a kind that come first, like `turn=6`; `language` of the marker lines, the message's when empty.
    """

    budget: int = 4_000
    quotas: tuple[str, ...] = ("turn=6",)
    due_days: int = 7
    language: str = ""
    counter: Counter = Counter.ESTIMATE

    @property
    def quota_of(self) -> dict[str, int]:
        """How many facts of a kind come first, by kind."""
        pairs = (entry.partition("=") for entry in self.quotas)
        return {kind.strip(): int(number) for kind, _, number in pairs}


@dataclass(frozen=True, slots=True, kw_only=True)
class HistorySettings:
    """Whether earlier versions of memories are kept, encrypted, and where a new bundle's key goes."""

    keep: bool = True
    key: KeyPlace = KeyPlace.FILE


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting, by section."""

    bundle: BundleSettings = field(default_factory=BundleSettings)
    limits: Limits = field(default_factory=Limits)
    rules: Rules = field(default_factory=Rules)
    recall: RecallSettings = field(default_factory=RecallSettings)
    weights: Weights = field(default_factory=Weights)
    embed: EmbedSettings = field(default_factory=EmbedSettings)
    context: ContextSettings = field(default_factory=ContextSettings)
    history: HistorySettings = field(default_factory=HistorySettings)
    replay: ReplayRules = field(default_factory=ReplayRules)

    @property
    def policy(self) -> Policy:
        """What the bundle allows."""
        return Policy(limits=self.limits, rules=self.rules, replay=self.replay)


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings and, for each `section.key` that is not a default, where it came from."""

    settings: Settings
    origins: Mapping[str, str]
    ignored: tuple[str, ...] = ()
    """What a bundle's file says and may not decide, in words."""


def user_config_file() -> Path:
    """The user's own settings; the folder may be set with `MNEMIC_CONFIG_DIR`."""
    return _user_dir("config", "MNEMIC_CONFIG_DIR", "XDG_CONFIG_HOME", ".config") / "config.toml"


def user_data_dir() -> Path:
    """Where the user's own bundle is; may be set with `MNEMIC_DATA_DIR`."""
    return _user_dir("data", "MNEMIC_DATA_DIR", "XDG_DATA_HOME", ".local/share")


def user_cache_dir() -> Path:
    """Where what can be made anew is kept; may be set with `MNEMIC_CACHE_DIR`."""
    return _user_dir("cache", "MNEMIC_CACHE_DIR", "XDG_CACHE_HOME", ".cache")


def _user_dir(kind: str, ours: str, xdg: str, usual: str) -> Path:
    if given := os.environ.get(ours):
        return Path(given)
    if sys.platform.startswith("linux"):
        # What platformdirs says here, without the 5 ms it takes to load: every command asks for this.
        base = os.environ.get(xdg, "").strip()
        return (Path(base) if base else Path.home() / usual) / "mnemic"
    import platformdirs

    return Path(getattr(platformdirs, f"user_{kind}_dir")("mnemic", appauthor=False))


def load(bundle: Path | None, flags: Mapping[str, object] | None = None) -> Loaded:
    """Settings for the bundle at this folder.

    Args:
        bundle: Its folder, or None before one is chosen.
        flags: `section.key` to value, as given on the command line.

    Raises:
        ConfigError: Not TOML, an unknown key, or a value of the wrong type; names file and key.
    """
    layers: list[tuple[str, Mapping[str, object]]] = []
    files = [user_config_file(), *([bundle / BUNDLE_FILE] if bundle is not None else [])]
    ignored: list[str] = []
    for file in files:
        if is_there(file):
            told = _flat(_toml(file), str(file))
            layers.append((str(file), told if file == files[0] else _without_endpoint(told, file, ignored)))
    layers += [("environment", _environment()), ("flag", flags or {})]
    values: dict[str, object] = {}
    origins: dict[str, str] = {}
    for origin, layer in layers:
        for key, given in layer.items():
            values[key] = _typed(key, given, origin)
            origins[key] = f"{ENV_PREFIX}{key.replace('.', '_').upper()}" if origin == "environment" else origin
    return Loaded(_settings(values), origins, tuple(ignored))


def _without_endpoint(layer: Mapping[str, object], file: Path, ignored: list[str]) -> dict[str, object]:
    """What the file of a bundle may decide: not where texts and keys are sent, since a bundle may be anybody's."""
    kept: dict[str, object] = {}
    for key, given in layer.items():
        if key.startswith("embed.endpoint"):
            ignored.append(f"{key} in {file} is not used: only your own settings may send texts to a service")
        elif key == "embed.engines" and isinstance(given, list) and Engine.ENDPOINT in given:
            if others := [engine for engine in given if engine != Engine.ENDPOINT]:
                kept[key] = others
            ignored.append(f"the engine endpoint in {file} is not used: only your own settings may choose it")
        else:
            kept[key] = given
    return kept


def write(path: Path, key: str, value: str) -> None:
    """Set one key in a TOML file, made if it is not there; everything else in it stays as it is.

    Raises:
        ConfigError: The key is unknown, the value has the wrong type, or the file is no TOML.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    typed = _typed(key, value, str(path))
    sends = key.startswith("embed.endpoint") or (isinstance(typed, tuple) and Engine.ENDPOINT in typed)
    if sends and path != user_config_file():
        raise ConfigError(
            f"{key} cannot stand in {path}: a bundle may be anybody's, and texts would be sent where it says.",
            hint="Write it into your own settings: mnemic config set --user",
        )
    section, _, name = key.partition(".")
    try:
        tree = tomlkit.parse(path.read_text(encoding="utf-8-sig")) if is_there(path) else tomlkit.document()
    except (TOMLKitError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}.", hint="Mend it by hand; the file is TOML in UTF-8.") from error
    if section not in tree:
        tree[section] = tomlkit.table()
    tree[section][name] = list(typed) if isinstance(typed, tuple) else typed
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.write_text(tomlkit.dumps(tree), encoding="utf-8")
    temporary.replace(path)


@cache
def known_keys() -> Mapping[str, object]:
    """Every `section.key` with its default."""
    defaults = Settings()
    found = {
        f"{section.name}.{entry.name}": getattr(getattr(defaults, section.name), entry.name)
        for section in fields(Settings)
        for entry in fields(getattr(defaults, section.name))
    }
    return MappingProxyType(found)


def is_there(path: Path) -> bool:
    """Whether there is a file; what stands behind a folder that we may not enter is not there for us."""
    try:
        return path.is_file()
    except OSError:
        return False


def _toml(path: Path) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}.", hint="Mend it by hand; the file is TOML in UTF-8.") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.", hint="Check its permissions.") from error


def _flat(tree: Mapping[str, object], origin: str) -> dict[str, object]:
    flat: dict[str, object] = {}
    for section, content in tree.items():
        if not isinstance(content, dict):
            raise _unknown(section, origin, sorted({key.partition(".")[0] for key in known_keys()}))
        flat.update({f"{section}.{key}": value for key, value in content.items()})
    return flat


def _environment() -> dict[str, object]:
    names = {key.replace(".", "_").upper(): key for key in known_keys()} if _any_variable() else {}
    found: dict[str, object] = {}
    for variable, text in os.environ.items():
        if not _is_setting(variable):
            continue
        key = names.get(variable.removeprefix(ENV_PREFIX))
        if key is None:
            raise _unknown(variable, "environment", [ENV_PREFIX + name for name in names])
        found[key] = text
    return found


def _any_variable() -> bool:
    return any(map(_is_setting, os.environ))


def _is_setting(variable: str) -> bool:
    # The key of an endpoint is a secret, and lives in the variable that `embed.endpoint_key_variable` names.
    return variable.startswith(ENV_PREFIX) and variable not in _NOT_SETTINGS and not variable.endswith("_KEY")


def _unknown(name: str, origin: str, known: list[str]) -> ConfigError:
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1, cutoff=0.4)
    hint = f"Did you mean {near[0]}?" if near else _SEE
    if name in known:  # a section, given as if it were a setting
        hint = f"It is a section: write [{name}] on a line of its own, and its settings below."
    return ConfigError(f"{origin}: there is no setting {name}.", hint=hint)


def _typed(key: str, given: object, origin: str) -> object:
    defaults = known_keys()
    if key not in defaults:
        raise _unknown(key, origin, list(defaults))
    default = defaults[key]
    try:
        value = _converted(default, given)
    except (ValueError, TypeError, KeyError):
        wanted = " | ".join(type(default)) if isinstance(default, StrEnum) else type(default).__name__
        usual = default.value if isinstance(default, StrEnum) else default
        raise ConfigError(
            f"{origin}: {key} is {given!r}, but must be {wanted}.", hint=f"The default is {usual!r}."
        ) from None
    _check_sense(key, value, origin)
    return value


def _check_sense(key: str, value: object, origin: str) -> None:
    """A number of the right type may still mean nothing; found where it is given, so that none is ever written."""
    if isinstance(value, int) and value < 0 and key.startswith("limits."):
        raise ConfigError(f"{origin}: {key} is {value}, but a limit is at least 0.", hint="0 allows nothing.")
    if isinstance(value, int) and value < _LEAST.get(key, value):
        raise ConfigError(f"{origin}: {key} is {value}, but must be at least {_LEAST[key]}.", hint=_SEE)
    if key == "context.quotas" and isinstance(value, tuple):
        for entry in value:
            kind, _, number = entry.partition("=")
            if not kind.strip() or not number.strip().isdecimal():
                raise ConfigError(f"{origin}: {key} holds {entry!r}, which is no quota.", hint="Write turn=6.")
    if isinstance(value, int | float) and key in _BETWEEN and not _BETWEEN[key][0] <= value <= _BETWEEN[key][1]:
        least, most = _BETWEEN[key]
        raise ConfigError(f"{origin}: {key} is {value}, but must be between {least} and {most}.", hint=_SEE)
    if isinstance(value, float) and not -_FAR < value < _FAR:
        raise ConfigError(f"{origin}: {key} is {value}, but must be a number below a million.", hint=_SEE)


_SEE = "See them all with: mnemic config show"
_LEAST = {
    "recall.k": 1,
    "embed.threads": 0,
    "embed.newest": 0,
    "embed.endpoint_dim": 0,
    "context.budget": 100,
    "context.due_days": 0,
    "replay.min_support": 1,
    "replay.min_independent_sources": 1,
}
_CENTURY_DAYS = 36_525
_BETWEEN = {
    "replay.same_source_hours": (0, 24 * _CENTURY_DAYS),
    "replay.merge_above": (0.5, 1.0),
    "replay.archive_days": (1, _CENTURY_DAYS),
    "replay.archive_salience": (0.0, 1.0),
    "recall.minimum_authority": (0.0, 1.0),
    "rules.minimum_authority": (0.0, 1.0),
}
_FAR = 1e6


_BOOLEANS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def _converted(default: object, given: object) -> object:
    """`given` (TOML value or text) as the type of `default`; ValueError, TypeError or KeyError when it is none."""
    match default:
        case bool():
            return given if isinstance(given, bool) else _BOOLEANS[_text(given).lower()]
        case StrEnum():
            return type(default)(_text(given))
        case int():
            return int(given) if isinstance(given, int) and not isinstance(given, bool) else int(_text(given))
        case float():
            number = isinstance(given, int | float) and not isinstance(given, bool)
            return float(given) if number else float(_text(given))  # type: ignore[arg-type]
        case tuple():
            items = given if isinstance(given, list) else [part.strip() for part in _text(given).split(",")]
            return tuple(_text(item) for item in items if item != "")
        case _:
            return _text(given)


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise TypeError
    return given


def _settings(values: Mapping[str, object]) -> Settings:
    sections: dict[str, dict[str, object]] = {}
    for key, value in values.items():
        section, _, name = key.partition(".")
        sections.setdefault(section, {})[name] = value
    defaults = Settings()
    made = {name: type(getattr(defaults, name))(**content) for name, content in sections.items()}
    return Settings(**made)
