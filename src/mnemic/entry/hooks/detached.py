"""A process that outlives the one that starts it: in a session of its own, with no terminal and no window."""

from __future__ import annotations

import os
import sys


def start(arguments: list[str], data: bytes) -> None:
    """Run Python with these arguments, and give it `data` on its standard input.

    Raises:
        OSError: The process cannot be started.
    """
    command = [sys.executable, "-I", *arguments]
    reading, writing = os.pipe()
    try:
        _spawn(command, reading)
    finally:
        os.close(reading)
    try:
        with os.fdopen(writing, "wb", buffering=0) as pipe:
            view = memoryview(data)
            while view:
                view = view[pipe.write(view) :]
    except BrokenPipeError:
        pass  # it has ended; it says why in its log


def _spawn(command: list[str], reading: int) -> None:
    if hasattr(os, "posix_spawn"):
        null = os.open(os.devnull, os.O_RDWR)
        actions = [(os.POSIX_SPAWN_DUP2, reading, 0), (os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
        try:
            os.posix_spawn(command[0], command, os.environ, file_actions=actions, setsid=True)
        except NotImplementedError:
            pass
        else:
            return
        finally:
            os.close(null)
    import subprocess

    windows = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    subprocess.Popen(  # noqa: S603 - our own program
        command,
        stdin=reading,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        creationflags=windows,
    )
