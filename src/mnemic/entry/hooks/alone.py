"""What a hook does when no process holds the bundle open: a lean look by words, or the whole of mnemic where it must.

A prompt gets what the index knows of its words, through `adapters/sqlite/glance.py`: no meanings, no hints, nothing
due, and the turn is not announced, for where no server runs no tool of ours waits for it. Settings that say how facts
are chosen, and prompts that call a memory by its name, are not for a lean look: then the application is opened here,
without models. So it is at the start of a session, which has the time. What is to be kept is handed to a process of
its own, through its standard input and never through a file, since nobody has looked through it for secrets yet.
"""

from __future__ import annotations

import os
import sys
import time

from mnemic.entry.hooks.client import NOTHING, Once, user_folder
from mnemic.entry.hooks.log import note, note_failure
from mnemic.entry.hooks.replies import reply
from mnemic.entry.hooks.said import KEEPS, PROMPT, Said, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mnemic.adapters.sqlite.glance import Glimpse

MOST_FACTS: Final = 10
MOST_TURNS: Final = 6
"""The defaults of `limits.prefetch` and `context.quotas`; where they are set to other values nobody looks leanly."""
_SNIPPET: Final = 320
_READ: Final = 100_000
"""Characters of a prompt; its first 16,384 are searched with."""
_OWN_NAME: Final = "own"
_WORDS_ALONE: Final = "embed.engines="
_PLAIN_KEYS: Final = frozenset({"name", "layout", "git"})
_PLACES: Final = frozenset(
    {
        "MNEMIC_BUNDLE",
        "MNEMIC_CONFIG_DIR",
        "MNEMIC_CACHE_DIR",
        "MNEMIC_DATA_DIR",
        "MNEMIC_DATA",
        "MNEMIC_HOOK_MS",
        "MNEMIC_MCP_TOKEN",
    }
)


class _Bundle:
    """Where a bundle and its state are, and what references call it (empty: the first)."""

    __slots__ = ("name", "root", "state")

    def __init__(self, root: str, state: str, name: str = "") -> None:
        self.root, self.state, self.name = root, state, name


def answer_alone(once: Once, client: str, event: str, data: bytes, place: tuple[str, str, bool]) -> None:
    """Give the answer to one event, then see to what is to be kept."""
    one = said(client, event, data)
    if one.kind is None or one.broken:
        once.give(NOTHING)
        note(f"{client} {event}: {'not JSON' if one.kind is not None else 'no event of ours'}")
        return
    if not place[0] or one.kind == KEEPS:
        once.give(reply(client, event, ""))
    else:
        bundles = _bundles(place)
        lean = one.kind == PROMPT and _is_lean(bundles, one)
        once.give(reply(client, event, _context(bundles, one)) if lean else _opened(place, one))
    if place[0] and (one.kind == KEEPS or (one.kind == PROMPT and one.keeps_prompts)):
        _hand_over(client, event, data, place[0])


def _bundles(place: tuple[str, str, bool]) -> list[_Bundle]:
    """The bundle, and the user's own beside it, as the application would open them."""
    root, state, is_own = place
    found = [_Bundle(root, state)]
    own = f"{user_folder('data')}/memory"
    if is_own or os.environ.get("MNEMIC_BUNDLE") or not os.path.isfile(f"{own}/mnemic.toml"):
        return found
    if os.path.realpath(own) != os.path.realpath(root):
        found.append(_Bundle(own, f"{own}/.mnemic", _name_of(own)))
    return found


def _name_of(root: str) -> str:
    for line in _lines(f"{root}/mnemic.toml"):
        key, _, value = line.partition("=")
        if key.strip() == "name" and value.strip(" \t\"'"):
            return value.strip(" \t\"'")
    return _OWN_NAME


def _context(bundles: list[_Bundle], one: Said) -> str:
    from mnemic.adapters.sqlite.glance import glance
    from mnemic.text.context_markers import conversation_language, markers

    facts: list[str] = []
    for each in bundles:
        found = glance(
            each.root,
            each.state,
            one.prompt[:_READ],
            now=time.time(),
            most=MOST_FACTS - len(facts),
            most_turns=MOST_TURNS,
            apart=one.session,
        )
        facts += (_line(fact, each.name) for fact in found)
    lines = markers(conversation_language(one.prompt))
    return "\n".join((lines.open, *facts, lines.close)) if facts else ""


def _line(one: Glimpse, bundle: str) -> str:
    """`- what is known [id · origin · day]`, as a capsule has it."""
    from mnemic.text.quoting import one_line

    text = one_line(one.text)
    if len(text) > _SNIPPET:
        cut = text[: _SNIPPET - 1]
        text = (cut[: cut.rfind(" ")] if " " in cut[_SNIPPET // 2 :] else cut) + "…"
    title = one_line(one.title)
    if one.speaker:
        text = f"{one_line(one.speaker)}: {text}"
    elif title.rstrip("….").casefold() not in text.casefold():
        text = f"{title}: {text}"
    origin = "" if one.source == "turn" else one.origin
    named = f"{bundle}:{one.id}" if bundle else one.id
    return f"- {text} [{' · '.join(filter(None, (named, origin, _day(one.recorded_at))))}]"


def _day(moment: float) -> str:
    try:
        return time.strftime("%Y-%m-%d", time.localtime(moment))
    except (OverflowError, ValueError, OSError):
        return ""


def _is_lean(bundles: list[_Bundle], one: Said) -> bool:
    """Whether nothing but defaults decides what is shown, and the prompt calls nothing by its name."""
    if any(name.startswith("MNEMIC_") and name not in _PLACES for name in os.environ):
        return False
    if any(map(_is_set, (_user_settings(), *(f"{each.root}/mnemic.toml" for each in bundles)))):
        return False
    names = _called(one.prompt[:_READ])
    if not names:
        return True
    from mnemic.adapters.sqlite.glance import knows_name

    return not any(knows_name(each.state, names) for each in bundles)


def _called(prompt: str) -> list[str]:
    """Names that the prompt may call, after `#` anywhere and `/` at its beginning: too many rather than too few."""
    words = prompt.split() if "#" in prompt else []
    names = [piece.strip(".,;:!?()[]\"'") for word in words for piece in word.split("#")[1:]]
    if prompt.lstrip().startswith("/"):
        names.append(prompt.split(maxsplit=1)[0][1:])
    return [*dict.fromkeys(name.casefold() for name in names if name)][:100]


def _is_set(path: str) -> bool:
    """Whether a file of settings says more than what the bundle is called."""
    return any(line.partition("=")[0].strip() not in _PLAIN_KEYS for line in _lines(path))


def _lines(path: str) -> list[str]:
    """What a file of settings says: its lines without comments and headings; nothing where there is no such file."""
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            return [line for line in map(str.strip, file) if line and not line.startswith(("#", "["))]
    except FileNotFoundError:
        return []
    except OSError:
        return ["unreadable = true"]


def _user_settings() -> str:
    if given := os.environ.get("MNEMIC_CONFIG_DIR"):
        return f"{given}/config.toml"
    if sys.platform.startswith("linux"):
        base = os.environ.get("XDG_CONFIG_HOME", "").strip()
        return f"{base or os.path.expanduser('~/.config')}/mnemic/config.toml"
    from mnemic import config

    return str(config.user_config_file())


def _opened(place: tuple[str, str, bool], one: Said) -> bytes:
    """The answer of the application itself, opened here and by words alone."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from mnemic.app import App
    from mnemic.entry.hooks.events import answer

    root, _, own = place
    alone = own or bool(os.environ.get("MNEMIC_BUNDLE"))
    if not alone:
        os.chdir(root)  # it is found from here, and the user's own beside it
    return answer(App.start(root if alone else None, overrides=(_WORDS_ALONE,)), one)


def _hand_over(client: str, event: str, data: bytes, root: str) -> None:
    """Let a process of its own keep what was said, so that this one can end."""
    from mnemic.entry.hooks.detached import start

    try:
        start([os.path.join(os.path.dirname(os.path.abspath(__file__)), "capture.py"), client, event, root], data)
    except OSError as error:
        note_failure(f"{client} {event}", error)
