"""Calling what is synchronous from asynchronous code: in a thread, without writing it a second time."""

from __future__ import annotations

from functools import partial, wraps
from typing import TYPE_CHECKING, Concatenate, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")


class Behind(Generic[S]):
    """An asynchronous face of the synchronous object `sync`."""

    __slots__ = ("sync",)

    def __init__(self, sync: S) -> None:
        self.sync = sync


def awaitable(
    method: Callable[Concatenate[S, P], R],
) -> Callable[Concatenate[Behind[S], P], Coroutine[object, object, R]]:
    """A method of the synchronous object, to be awaited on its asynchronous face."""

    @wraps(method)
    async def call(self: Behind[S], /, *args: P.args, **options: P.kwargs) -> R:
        return await in_thread(partial(method, self.sync, *args, **options))

    return call


async def in_thread(work: Callable[[], R]) -> R:
    """The outcome of some work that is done in a thread, under asyncio or trio.

    A call that is cancelled ends when its work has: what was begun on disk is finished.
    """
    from anyio.to_thread import run_sync

    return await run_sync(work)
