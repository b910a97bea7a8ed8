r"""What goes over the socket: one header line, then the client's own bytes; the answer are the bytes to be printed.

A header is `mnemic 1 VERB CLIENT EVENT\0FOLDER\0TOKEN\n`. The client closes its side when it has said everything, the
server when it has answered. The last byte of an answer is a line break, so half an answer is known as one.
"""

from __future__ import annotations

from dataclasses import dataclass

VERSION = "1"
MOST_HEADER = 8_192
MOST_BODY = 64 * 1024 * 1024
_NAMES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a client asks.

    Attributes:
        verb: What kind of thing it wants; `hook` is the only one.
        client: The program that asked it, like `claude-code`.
        event: What has happened there.
        folder: Where it runs.
        token: What it knows of us; only where other users could reach the socket.
        body: Its standard input.
    """

    verb: str
    client: str
    event: str
    folder: str = ""
    token: str = ""
    body: bytes = b""


def parsed(header: bytes, body: bytes) -> Request:
    """The request of a header line (without its break) and the bytes behind it.

    Raises:
        ValueError: It is none, or of a version that we do not speak.
    """
    names, _, rest = header.partition(b"\0")
    folder, _, token = rest.partition(b"\0")
    words = names.decode("utf-8", "replace").split(" ")
    if len(words) != _NAMES or words[0] != "mnemic" or words[1] != VERSION:
        raise ValueError("no header of ours")
    return Request(
        verb=words[2],
        client=words[3],
        event=words[4],
        folder=folder.decode("utf-8", "replace"),
        token=token.decode("ascii", "replace"),
        body=body,
    )
