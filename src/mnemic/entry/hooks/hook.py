"""The program that a coding agent runs at its events: `python -I -S hook.py CLIENT EVENT`, or `mnemic-hook`.

It starts as fast as Python can: as a script it is compiled anew each time, so it only names the module that does the
work, which is kept compiled. Nothing that happens here may stop the agent: it ends with 0 and prints JSON.
"""

import sys


def main() -> None:
    """Answer one event and end the process."""
    from mnemic.entry.hooks.client import answer

    answer(sys.argv[1:])


if __name__ == "__main__":
    # Beside this file and by its bare name: the packages above it would take longer to load than the module itself.
    sys.path.insert(0, __file__[:-8])
    import client  # type: ignore[import-not-found]

    sys.modules["mnemic.entry.hooks.client"] = client  # what is loaded later gets this one

    client.answer(sys.argv[1:])
