"""`mnemic context`: what an agent would be given, and the account of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from command_line import Shell

LONG = f"notes/{'green-tea-' * 9}of-anna"


def test_the_account_keeps_within_a_terminal_and_tells_every_id_whole(project: Shell) -> None:
    project.ok("remember", "Anna drinks genmaicha in the morning.", "--id", LONG)

    given = project.ok("context", "genmaicha in the morning", "--explain")
    withheld = project.ok("context", "genmaicha in the morning", "--explain", "--budget", "100")

    for said, line in ((given, "  prefix  fact "), (withheld, "  left out: ")):
        account = said.partition(" tokens\n")[2]
        assert line in account
        assert LONG in account.replace("\n", "").replace(" ", "")
        assert max(map(len, account.splitlines())) <= 80
