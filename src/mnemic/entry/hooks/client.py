"""The hook without anything it can do without: asks the process that holds the bundle open, and prints its answer.

It imports `os`, `sys` and what is part of the interpreter, not even `__future__`, and stays beside the rest of mnemic
while a server answers. A hook never holds an agent up: after 300 ms the answer is what is at hand, or `{}`, whatever
is still going on.
"""

import _socket
import _thread
import os
import sys

NOTHING = b"{}\n"
LIMIT = 0.3
"""Seconds after which the agent goes on without us; `MNEMIC_HOOK_MS` names another limit in milliseconds."""
SHARE = 0.5
"""So much of that a server has to itself, 150 ms; then we look ourselves, and whoever is first answers."""
LONGEST_ADDRESS = 100
"""Bytes of a socket's path; systems take 104 to 108."""
PORT_FILE = "sock.port"
_CHUNK = 1 << 16
_FOLDERS = ("memory", ".memory")
_SETTINGS = "mnemic.toml"
_STANDARD_STREAMS = range(3)


class Once:
    """The one answer to an event: whoever is first gives it, and the process ends with it.

    `at_last` is the answer when the time has run out, or something fails.
    """

    def __init__(self) -> None:
        self._turn = _thread.allocate_lock()
        self.given = False
        self.at_last = NOTHING

    def give(self, reply: bytes) -> bool:
        """Print the answer, unless another one was given before; says whether it was this one."""
        with self._turn:  # who comes second may end the process, and so waits until the first has written
            if self.given:
                return False
            self.given = True
            try:
                _write(reply)
            except OSError:
                pass  # nobody reads it any more
        return True

    def after(self, seconds: float) -> None:
        """End the process with what is at hand, if it has not given an answer by then."""
        _thread.start_new_thread(self._wait, (seconds,))

    def _wait(self, seconds: float) -> None:
        never = _thread.allocate_lock()
        never.acquire()
        never.acquire(timeout=seconds)
        reply = self.at_last
        if self.give(reply):
            if reply is NOTHING:
                _note(" ".join(sys.argv[1:]), "no answer in time")
            # What was begun may be in the middle of a write; files and index stand a process that ends at any moment.
            os._exit(0)


class Asked:
    """A request to a server, on a thread of its own: the process ends with its answer, whatever else it is doing.

    `kept` tells that the server has all of the request, and so will keep what is to be kept.
    """

    def __init__(self, once: Once, connection: _socket.socket, head: bytes, said: bytes) -> None:
        self.kept = False
        self._over = False
        self._going = _thread.allocate_lock()
        self._going.acquire()
        _thread.start_new_thread(self._ask, (once, connection, head, said))

    def wait(self, seconds: float = -1) -> None:
        """Until the server fails, or is late. Whoever waits does not come back when it answers."""
        if not self._over and self._going.acquire(timeout=seconds):
            self._over = True

    def _ask(self, once: Once, connection: _socket.socket, head: bytes, said: bytes) -> None:
        try:
            connection.settimeout(None)
            connection.sendall(head)
            connection.sendall(said)
            connection.shutdown(_socket.SHUT_WR)
            self.kept = True
            parts = []
            while part := connection.recv(_CHUNK):
                parts.append(part)
            reply = b"".join(parts)
            # Its line break is the last thing a server sends: without it, the answer is half of one.
            if reply.endswith(b"\n"):
                once.give(reply)
                os._exit(0)
        except OSError:
            pass
        finally:
            self.kept = False
            connection.close()
            self._going.release()


def answer(arguments: list[str]) -> None:
    """Answer one event and end the process."""
    once = Once()
    try:
        _replace_closed_streams()
        limit = _limit()
        once.after(limit)
        client, event = [*arguments, "", ""][:2]
        if arguments[2:]:  # the settings of this client name a bundle
            os.environ["MNEMIC_BUNDLE"] = arguments[2]
        said = _read()
        root, state, own = find_bundle(client)
        asked = ask(once, state, header(client, event), said, limit * SHARE) if state else None
        make_importable()
        from mnemic.entry.hooks.alone import answer_alone

        answer_alone(once, client, event, said, (root, state, own), asked)
    except BaseException as error:  # noqa: BLE001 - an agent goes on whatever is wrong with its memory
        _failed(once, arguments, error)
    finally:
        once.give(once.at_last)
        os._exit(0)


def ask(once: Once, state: str, head: bytes, said: bytes, patience: float) -> Asked | None:
    """Ask the server whose socket is in this folder; the process ends with its answer.

    Comes back with the request when the server takes longer than this, and without one when there is none.
    """
    connection, token = connect(state, patience)
    if connection is None:
        return None
    asked = Asked(once, connection, head + token + b"\n", said)
    asked.wait(patience)
    return asked


def header(client: str, event: str) -> bytes:
    """The line before the event itself, but for the token and its end."""
    try:
        here = os.fsencode(os.getcwd())
    except OSError:
        here = b""
    names = f"mnemic 1 hook {client} {event}".encode("utf-8", "replace")
    return b"\0".join((_plain(names), _plain(here), b""))


def connect(state: str, patience: float = LIMIT) -> tuple[_socket.socket | None, bytes]:
    """A connection to the server of this folder, made in so many seconds, and the token it wants to see."""
    path = f"{state}/sock"
    try:
        if hasattr(_socket, "AF_UNIX") and len(os.fsencode(path)) <= LONGEST_ADDRESS:
            # Somebody else's file must not tell us whom to send the user's words.
            if os.stat(path).st_uid != os.getuid():
                return None, b""
            connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
            connection.settimeout(patience)
            connection.connect(path)
            return connection, b""
    except OSError:
        pass  # none there, or nobody behind it
    try:
        with open(f"{state}/{PORT_FILE}", "rb") as file:
            if hasattr(os, "getuid") and _foreign(os.fstat(file.fileno())):
                return None, b""
            port, _, token = file.read(200).strip().partition(b" ")
        connection = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
        connection.settimeout(patience)
        connection.connect(("127.0.0.1", int(port)))
    except (OSError, ValueError, OverflowError):
        return None, b""
    return connection, token


def find_bundle(client: str = "") -> tuple[str, str, bool]:
    """The folder of the bundle as `app.find_places` finds it, that of its state, and whether it is the user's own.

    Nothing is made: where there is no bundle, the names are empty.
    """
    named = os.environ.get("MNEMIC_BUNDLE")
    if named:
        return _named(os.path.expanduser(named))
    for start in _starts(client):
        folder = start
        while True:
            for place in (folder, *(f"{folder}/{name}" for name in _FOLDERS)):
                if os.path.isfile(f"{place}/{_SETTINGS}"):
                    return place, f"{place}/.mnemic", False
                if place != folder and _is_closed(place):  # it may be the project's: not to be passed over for another
                    _note(" ".join(sys.argv[1:]), f"{place} may not be entered")
                    return "", "", False
            above = os.path.dirname(folder)
            if above == folder:
                break
            folder = above
    own = f"{user_folder('data')}/memory"
    return (own, f"{own}/.mnemic", True) if os.path.isfile(f"{own}/{_SETTINGS}") else ("", "", True)


def user_folder(kind: str) -> str:
    """Where the user's `data` and `cache` are, as `config` says."""
    if given := os.environ.get(f"MNEMIC_{kind.upper()}_DIR"):
        return given
    if not sys.platform.startswith("linux"):
        make_importable()
        from mnemic import config

        return str(config.user_data_dir() if kind == "data" else config.user_cache_dir())
    base = os.environ.get(f"XDG_{kind.upper()}_HOME", "").strip()
    return f"{base or os.path.expanduser({'data': '~/.local/share', 'cache': '~/.cache'}[kind])}/mnemic"


def make_importable() -> None:
    """Let mnemic and what it needs be imported: `-S` leaves the folders of packages out."""
    above = os.path.dirname(os.path.abspath(__file__))
    for _ in range(3):
        above = os.path.dirname(above)
    if above not in sys.path:
        sys.path.append(above)
    if not sys.flags.no_site or os.path.isdir(f"{above}/snowballstemmer"):
        return
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    home = os.path.dirname(os.path.dirname(sys.executable))
    for packages in (f"{home}/lib/{version}/site-packages", f"{home}/Lib/site-packages"):
        if os.path.isdir(f"{packages}/snowballstemmer"):
            sys.path.append(packages)
            return
    import site

    site.main()


def _failed(once: Once, arguments: list[str], error: BaseException) -> None:
    once.give(once.at_last)
    try:
        make_importable()
        from mnemic.entry.hooks.log import note_failure

        note_failure(" ".join(arguments), error)
    except BaseException:  # noqa: BLE001, S110 - there is nobody left to tell
        pass


def _note(event: str, what: str) -> None:
    try:
        make_importable()
        from mnemic.entry.hooks.log import note

        note(f"{event}: {what}")
    except BaseException:  # noqa: BLE001, S110 - there is nobody left to tell
        pass


def _limit() -> float:
    try:
        return max(0.0, float(os.environ.get("MNEMIC_HOOK_MS", ""))) / 1_000
    except ValueError:
        return LIMIT


def _replace_closed_streams() -> None:
    """Put mute streams where standard ones are closed, else the next file that is opened takes their numbers."""
    for number in _STANDARD_STREAMS:
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one


def _read() -> bytes:
    parts = []
    try:
        while part := os.read(0, _CHUNK):
            parts.append(part)
    except OSError:
        pass  # standard input is closed
    return b"".join(parts)


def _write(reply: bytes) -> None:
    while reply:
        reply = reply[os.write(1, reply) :]


def _starts(client: str) -> list[str]:
    """Where a project is looked for: here, then where the agent says its project is."""
    starts = []
    try:
        starts.append(os.getcwd())
    except OSError:
        pass  # the folder was deleted under us
    for variable in ("CURSOR_PROJECT_DIR", "CLAUDE_PROJECT_DIR"):
        told = os.environ.get(variable, "")
        if os.path.isabs(told) and (client == "cursor" or variable != "CURSOR_PROJECT_DIR"):
            starts.append(told)
    return starts


def _named(root: str) -> tuple[str, str, bool]:
    for place in (root, *(f"{root}/{name}" for name in _FOLDERS)):
        if os.path.isfile(f"{place}/{_SETTINGS}"):
            return place, f"{place}/.mnemic", False
        if place != root and _is_closed(place):
            return "", "", False
    if not os.path.isdir(root):
        return "", "", False
    from hashlib import sha256

    key = sha256(os.fsencode(os.path.realpath(root))).hexdigest()[:16]
    return root, f"{user_folder('cache')}/foreign/{key}", False


def _is_closed(place: str) -> bool:
    """Whether it is a folder of ours, or in one of ours, that we may not enter; as `app` says."""
    if not hasattr(os, "getuid") or not os.path.isdir(place) or os.access(place, os.X_OK):
        return False
    return os.getuid() in {os.stat(place).st_uid, os.stat(os.path.dirname(place)).st_uid}


def _foreign(state: os.stat_result) -> bool:
    return state.st_uid != os.getuid() or bool(state.st_mode & 0o077)


def _plain(part: bytes) -> bytes:
    return part.replace(b"\0", b" ").replace(b"\n", b" ")
