"""The hooks of coding agents, answered by a process that holds the bundle open.

from mnemic.entry.hooks.serving import listen
server = listen(app)    # False where another process answers already; it takes over when that ends
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from queue import Empty, Queue
from typing import TYPE_CHECKING

from mnemic.entry.hooks.client import NOTHING
from mnemic.entry.hooks.events import answer
from mnemic.entry.hooks.keeping import keep
from mnemic.entry.hooks.log import note, note_failure
from mnemic.entry.hooks.said import KEEPS, PROMPT, Said, said
from mnemic.entry.socket.server import SocketServer
from mnemic.errors import MnemicError

if TYPE_CHECKING:
    from mnemic.app import App
    from mnemic.entry.socket.protocol import Request

_logger = logging.getLogger(__name__)

VERB = "hook"
_ANYTHING = "what is known here"
_MOST_PROMPTS = 100
_MOST_WAITING = 100
_SLICE_SECONDS = 0.1
"""So long vectors are made at a stretch, then it is looked whether something else is to be done."""
_PAUSE_SECONDS = 0.5
"""After a prompt was answered, nothing is embedded for so long: the next one must not wait."""


class Hooks:
    """Answers requests of hooks; what is to be kept is kept afterwards, by a thread of its own."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._prompts: OrderedDict[str, str] = OrderedDict()
        self._guard = threading.Lock()
        self._queue: Queue[tuple[Said, str] | None] = Queue(_MOST_WAITING)
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
            return answer(self._app, one)
        except Exception as error:  # noqa: BLE001 - an agent goes on whatever is wrong with its memory
            note_failure(name, error)
            return NOTHING
        finally:
            self._keep_later(one)

    def warm(self) -> None:
        """Load what the first prompt would wait for, beside everything else."""
        self._begin()

    def close(self) -> None:
        """Keep what still waits, and stop."""
        self._closed = True
        keeper = self._keeper
        if keeper is not None:
            self._queue.put(None)
            keeper.join(5)

    def wait(self) -> None:
        """Until everything that was said so far is kept."""
        self._queue.join()

    def _keep_later(self, one: Said) -> None:
        if self._closed or one.kind not in {PROMPT, KEEPS}:
            return
        with self._guard:
            before = self._prompts.get(one.conversation, "") if one.kind == KEEPS else ""
            if one.kind == PROMPT:
                small = len(one.prompt) <= self._app.bundle.policy.limits.turn_characters
                self._prompts[one.conversation] = one.prompt if small and not one.keeps_prompts else ""
                self._prompts.move_to_end(one.conversation)
                if len(self._prompts) > _MOST_PROMPTS:
                    self._prompts.popitem(last=False)
            elif one.event == "Stop":
                self._prompts.pop(one.conversation, None)
        if one.kind == PROMPT and not one.keeps_prompts:
            return
        self._begin()
        try:
            self._queue.put_nowait((one, before))
        except Exception as error:  # noqa: BLE001 - full: the transcript is read again at the next event
            note_failure(f"{one.client} {one.event}", error)

    def _begin(self) -> None:
        with self._guard:
            if self._keeper is None and not self._closed:
                self._keeper = threading.Thread(target=self._run, name="mnemic-hooks", daemon=True)
                self._keeper.start()

    def _run(self) -> None:
        try:
            self._app.recall(_ANYTHING, k=1, quick=True)
        except Exception as error:  # noqa: BLE001 - the first prompt will meet it too, and say so
            note_failure("warming up", error)
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
        from mnemic.services.embedding import embed_pending, waiting
        from mnemic.services.refresh import refresh

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
        self.server = SocketServer(app, self.hooks)

    @property
    def serving(self) -> bool:
        """Whether hooks of this bundle are answered here."""
        return self.server.serving

    def close(self) -> None:
        """Answer no more, and finish what is to be kept."""
        self.server.close()
        self.hooks.close()


def listen(app: App) -> Listening:
    """Answer the hooks of this bundle, now or as soon as the process that does so ends."""
    listening = Listening(app)
    listening.server.start()
    listening.hooks.warm()
    return listening
