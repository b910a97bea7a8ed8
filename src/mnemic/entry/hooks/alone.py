"""What a hook does when no process holds the bundle open, or it is late: a lean look by words, or all of mnemic.

A prompt gets what the index knows of its words, through `adapters/sqlite/glance.py`: no meanings, no hints, nothing
due, and the turn is not announced, for where no server runs no tool of ours waits for it. Settings that say how facts
are chosen, and prompts that call a memory by its name, are not for a lean look: then the application is opened here,
without models. So it is at the start of a session, and at the first prompt of a conversation whose start we missed;
when the time runs out, both get the line that says there is a memory, and the prompt what the lean look found. What is
to be kept is handed to a process of its own, through its standard input and never through a file, since nobody has
looked through it for secrets yet.
"""

from __future__ import annotations

import os
import sys
import time

from mnemic.entry.hooks.client import NOTHING, Once, user_folder
from mnemic.entry.hooks.log import note, note_failure
from mnemic.entry.hooks.replies import reply
from mnemic.entry.hooks.said import KEEPS, PROMPT, START, Said, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from mnemic.adapters.sqlite.glance import Glimpse
    from mnemic.entry.hooks.client import Asked

MOST_FACTS: Final = 10
MOST_TURNS: Final = 6
"""The defaults of `limits.prefetch` and `context.quotas`; where they are set to other values nobody looks leanly."""
_READ: Final = 100_000
"""Characters of a prompt in which names are looked for."""
_ASKED: Final = 16_384
"""Characters of a prompt that are searched with: half from its beginning and half from its end."""
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


def answer_alone(  # noqa: PLR0913, PLR0917 - the event, where it happened, and who knows of it already
    once: Once, client: str, event: str, data: bytes, place: tuple[str, str, bool], asked: Asked | None = None
) -> None:
    """Give the answer to one event, then see to what is to be kept, unless a server that was asked sees to it."""
    one = said(client, event, data)
    if one.kind is None or one.broken:
        once.give(NOTHING)
        note(f"{client} {event}: {'not JSON' if one.kind is not None else 'no event of ours'}")
        return
    late = asked if asked is not None and asked.kept else None
    if not place[0] or one.kind == KEEPS or (one.kind == START and one.forgets):
        once.give(reply(client, event, ""))
    elif one.kind == START:
        once.at_last = reply(client, event, _least_start())
        once.give(_opened(place, one, announce=False))
    else:
        _answer_prompt(once, one, place, late)
    is_kept = asked is not None and asked.kept
    is_elsewhere = one.kind == PROMPT and not one.keeps_prompts and one.has_transcript
    if place[0] and not is_kept and one.kind in {KEEPS, PROMPT} and not is_elsewhere:
        _hand_over(client, event, data, place[0])


def _answer_prompt(once: Once, one: Said, place: tuple[str, str, bool], late: Asked | None) -> None:
    """By a lean look, if that may be and the conversation has been told what it starts with."""
    bundles = _bundles(place)
    if not _is_lean(bundles, one):
        once.give(_opened(place, one, announce=late is None))
        return
    from mnemic.adapters.sqlite.glance import frozen

    facts = _context(bundles, one)
    known = [frozen(each.state, one.conversation) for each in bundles]
    start = [_least_start()] if known[0] is None else known if one.forgets else []
    lean = reply(one.client, one.event, "\n\n".join(filter(None, (*start, facts))))
    if late is not None:
        if not facts:
            late.wait()  # it may still find something
        once.give(lean)
    elif known[0] is not None:
        once.give(lean)
    else:
        once.at_last = lean
        once.give(_opened(place, one, announce=True))


def _least_start() -> str:
    """What a conversation is told at the very least: that there is a memory."""
    from mnemic.text.guidance import INSTRUCTION_LINE

    return INSTRUCTION_LINE


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

    text, half = one.prompt, _ASKED // 2
    asked = text if len(text) <= _ASKED else f"{text[: half - 1]}\n{text[-half:]}"
    facts: list[str] = []
    for each in bundles:
        found = glance(
            each.root,
            each.state,
            asked,
            now=time.time(),
            most=MOST_FACTS - len(facts),
            most_turns=MOST_TURNS,
            apart=_own_sessions(one),
        )
        facts += (_line(fact, each.name) for fact in found)
    lines = markers(conversation_language(one.prompt))
    return "\n".join((lines.open, *facts, lines.close)) if facts else ""


def _own_sessions(one: Said) -> tuple[str, ...]:
    """How the ids of the sessions end that this conversation is kept in: its transcript, and what its hooks told.

    The second one has a hash at its end (`services/writing/log_turn.py`), which tells it from all others.
    """
    heard = f"-{_sha256(one.conversation.encode('utf-8', 'replace'))[:8]}"
    named = (one.session, os.path.splitext(os.path.basename(one.transcript))[0])
    return (heard, *(f":{name.strip().lower()}" for name in named if name))


def _sha256(data: bytes) -> str:
    for name in ("_sha2", "_sha256"):  # `hashlib` brings OpenSSL along, which takes two milliseconds
        try:
            module = __import__(name)
        except ImportError:
            continue
        return str(module.sha256(data).hexdigest())
    from hashlib import sha256

    return sha256(data).hexdigest()


def _line(one: Glimpse, bundle: str) -> str:
    """`- what is known [id · origin · day · failed: id]`, as a capsule has it."""
    from mnemic.ranking.pack import snippet
    from mnemic.text.quoting import as_fact

    text = as_fact(snippet(one.text))
    if one.speaker:
        text = f"{as_fact(one.speaker)}: {text}"
    elif one.title.rstrip("….").casefold() not in text.casefold():
        text = f"{as_fact(one.title)}: {text}"
    origin = "" if one.source == "turn" else one.origin
    named = f"{bundle}:{one.id}" if bundle else one.id
    return f"- {text} [{' · '.join(filter(None, (named, origin, _day(one.recorded_at), one.outcome)))}]"


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


def _opened(place: tuple[str, str, bool], one: Said, *, announce: bool) -> bytes:
    """The answer of the application itself, opened here and by words alone."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from mnemic.app import App
    from mnemic.entry.hooks.events import answer

    root, _, own = place
    alone = own or bool(os.environ.get("MNEMIC_BUNDLE"))
    if not alone:
        os.chdir(root)  # it is found from here, and the user's own beside it
    return answer(App.start(root if alone else None, overrides=(_WORDS_ALONE,)), one, announce=announce)


def _hand_over(client: str, event: str, data: bytes, root: str) -> None:
    """Let a process of its own keep what was said, so that this one can end."""
    from mnemic.entry.hooks.detached import start

    try:
        start([os.path.join(os.path.dirname(os.path.abspath(__file__)), "capture.py"), client, event, root], data)
    except OSError as error:
        note_failure(f"{client} {event}", error)
