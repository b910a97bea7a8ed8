"""The hooks of coding agents, answered by a process that holds the bundle open.

from mnemic.entry.hooks.serving import listen
listening = listen(app)    # returns at once; hooks are answered as soon as that takes no time any more
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from dataclasses import dataclass
from queue import Empty, Queue
from typing import TYPE_CHECKING

from mnemic.entry.hooks.client import NOTHING
from mnemic.entry.hooks.events import answer, lacks_start, own_sessions
from mnemic.entry.hooks.keeping import keep
from mnemic.entry.hooks.log import note, note_failure
from mnemic.entry.hooks.said import KEEPS, PROMPT, START, Said, said
from mnemic.entry.hooks.shortening import trimmed
from mnemic.entry.socket.server import SocketServer
from mnemic.errors import MnemicError

if TYPE_CHECKING:
    from mnemic.app import App
    from mnemic.entry.socket.protocol import Request

_logger = logging.getLogger(__name__)

VERB = "hook"
_ANYTHING = "what is known here"
_MOST_CONVERSATIONS = 100
_MOST_PROMPTS = 8
"""So many that got no answer are remembered: said into a running one, or interrupted."""
_MOST_WAITING = 100
_SLICE_SECONDS = 0.1
"""So long vectors are made at a stretch, then it is looked whether something else is to be done."""
_PAUSE_SECONDS = 0.5
"""After a prompt was answered, nothing is embedded for so long: the next one must not wait."""


@dataclass(slots=True)
class _Known:
    """What is remembered of a conversation from one event to the next.

    Attributes:
        prompts: What the user said last, where that has not been kept.
        turn: What the client calls the turn that is going on.
        whole: Whether the last prompt was answered with what the conversation starts with.
        owed: Whether that was made and never arrived.
    """

    prompts: tuple[str, ...] = ()
    turn: str = ""
    whole: bool = False
    owed: bool = False


class Hooks:
    """Answers requests of hooks; what is to be kept is kept afterwards, by a thread of its own."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._guard = threading.Lock()
        self._queue: Queue[tuple[Said, tuple[str, ...]] | None] = Queue(_MOST_WAITING)
        self._keeper: threading.Thread | None = None
        self._closed = False

    def __call__(self, request: Request) -> bytes:
        """The bytes that the hook prints. Nothing goes wrong here that its client could see."""
        if request.verb != VERB:
            return NOTHING
        one = said(request.client, request.event, request.body)
        name = f"{request.client} {request.event}"
        if one.kind is None or one.broken:
            note(f"{name}: {'not JSON' if one.kind is not None else 'no event of ours'}")
            return NOTHING
        try:
            return self._answer_prompt(one) if one.kind == PROMPT else answer(self._app, one)
        except Exception as error:  # noqa: BLE001 - an agent goes on whatever is wrong with its memory
            note_failure(name, error)
            return NOTHING
        finally:
            self._keep_later(one)

    def lost(self, request: Request) -> None:
        """The answer to this request did not arrive: what a conversation starts with is given with its next prompt."""
        one = said(request.client, request.event, request.body)
        if request.verb == VERB and one.kind in {START, PROMPT}:
            with self._guard:
                known = self._of(one)
                known.owed = known.owed or known.whole or one.kind == START

    def warm(self) -> None:
        """Load what the first prompt would wait for, then begin with what is done beside."""
        try:
            self._app.context(_ANYTHING, record=False, quick=True)
            own_sessions(said("", "", b"{}"))
            self._app.gate(_ANYTHING)
        except Exception as error:  # noqa: BLE001 - the first prompt will meet it too, and say so
            note_failure("warming up", error)
        self._begin()

    def close(self) -> None:
        """Keep what still waits, and stop."""
        with self._guard:  # one that is being begun has started by then
            self._closed = True
            keeper = self._keeper
        if keeper is not None:
            self._queue.put(None)
            keeper.join(5)

    def wait(self) -> None:
        """Until everything that was said so far is kept."""
        self._queue.join()

    def _answer_prompt(self, one: Said) -> bytes:
        lacking = lacks_start(self._app, one)
        with self._guard:
            known = self._of(one)
            # Said into an answer that is going on: its receipts must not die of it.
            announce = not one.turn or one.turn != known.turn
            known.turn = one.turn
            whole = known.whole = known.owed or lacking
            known.owed = False
        return answer(self._app, one, announce=announce, whole=whole)

    def _of(self, one: Said) -> _Known:
        known = self._known.setdefault(one.conversation, _Known())
        self._known.move_to_end(one.conversation)
        if len(self._known) > _MOST_CONVERSATIONS:
            self._known.popitem(last=False)
        return known

    def _keep_later(self, one: Said) -> None:
        if self._closed or one.kind not in {PROMPT, KEEPS}:
            return
        before = self._heard(one)
        if one.kind == PROMPT and not one.keeps_prompts:
            return
        self._begin()
        try:
            self._queue.put_nowait((one, before))
        except Exception as error:  # noqa: BLE001 - full: the transcript is read again at the next event
            note_failure(f"{one.client} {one.event}", error)

    def _heard(self, one: Said) -> tuple[str, ...]:
        """Remember a prompt that is kept with the answer to it; gives those that were said before this event."""
        with self._guard:
            known = self._of(one)
            if one.kind == PROMPT:
                if not one.keeps_prompts:
                    prompt = trimmed(one.prompt, self._app.bundle.policy.limits.turn_characters)
                    known.prompts = (*known.prompts, prompt)[-_MOST_PROMPTS:]
                return ()
            before = known.prompts
            if one.event == "Stop":
                known.prompts, known.turn = (), ""
            if one.ends:
                del self._known[one.conversation]
            return before

    def _begin(self) -> None:
        with self._guard:
            if self._keeper is None and not self._closed:
                self._keeper = threading.Thread(target=self._run, name="mnemic-hooks", daemon=True)
                self._keeper.start()

    def _run(self) -> None:
        idle = False
        while True:
            try:
                found = self._queue.get(timeout=None if idle else _PAUSE_SECONDS)
            except Empty:
                idle = self._embedded_all()
                continue
            if found is None:
                self._queue.task_done()
                return
            one, before = found
            try:
                keep(self._app, one, before)
                if one.ends:
                    self._app.gate(one.conversation).end()
            except Exception as error:  # noqa: BLE001 - the next event is kept all the same
                note_failure(f"{one.client} {one.event}", error)
            finally:
                self._queue.task_done()
            idle = False

    def _embedded_all(self) -> bool:
        """Make vectors for a while, so that no prompt has to; whether none is missing."""
        from mnemic.services.upkeep.embedding import embed_pending, waiting
        from mnemic.services.upkeep.refresh import refresh

        try:
            refresh(self._app.bundle)
            embed_pending(self._app.bundle, seconds=_SLICE_SECONDS)
            return waiting(self._app.bundle) == 0
        except MnemicError as error:
            note_failure("embedding", error)
            return True


class Listening:
    """A server of hooks that runs; `serving` tells whether it is this one that answers."""

    def __init__(self, app: App) -> None:
        self.hooks = Hooks(app)
        self.server = SocketServer(app, self.hooks, lost=self.hooks.lost)
        self._began = threading.Event()

    @property
    def serving(self) -> bool:
        """Whether hooks of this bundle are answered here."""
        return self.server.serving

    def start(self) -> None:
        """Get ready, beside everything else, then answer: a hook that finds a socket must not wait behind it."""
        threading.Thread(target=self._begin, name="mnemic-listening", daemon=True).start()

    def wait(self, seconds: float | None = None) -> bool:
        """Until it is ready; whether it is this one that answers."""
        self._began.wait(seconds)
        return self.serving

    def close(self) -> None:
        """Answer no more, and finish what is to be kept."""
        self.server.close()
        self.hooks.close()

    def _begin(self) -> None:
        try:
            self.hooks.warm()
            self.server.start()
        finally:
            self._began.set()


def listen(app: App) -> Listening:
    """Answer the hooks of this bundle, as soon as that takes no time and no other process does it."""
    listening = Listening(app)
    listening.start()
    return listening
