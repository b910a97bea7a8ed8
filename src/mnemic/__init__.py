"""Long-term memory for AI agents that people can read, trust and truly erase.

from mnemic import App, Draft

app = App.start("memory")
app.remember(Draft(body="Anna prefers tea", kind="preference"))
for hit in app.recall("what does Anna drink?").hits:
    print(hit.id, hit.snippet)
"""

TYPE_CHECKING = False  # as `typing` says, which takes longer to load than all of this
if TYPE_CHECKING:
    from mnemic.app import App, create_bundle
    from mnemic.domain.drafts import Draft, Remembered
    from mnemic.domain.memory import Memory
    from mnemic.domain.results import Answer, Hit
    from mnemic.errors import MnemicError

__all__ = ["Answer", "App", "Draft", "Hit", "Memory", "MnemicError", "Remembered", "create_bundle"]

_HOMES = {
    "App": "mnemic.app",
    "create_bundle": "mnemic.app",
    "Draft": "mnemic.domain.drafts",
    "Remembered": "mnemic.domain.drafts",
    "Memory": "mnemic.domain.memory",
    "Answer": "mnemic.domain.results",
    "Hit": "mnemic.domain.results",
    "MnemicError": "mnemic.errors",
}


def __getattr__(name: str) -> object:
    # Importing the package does nothing else; each public name brings its module when it is first asked for.
    if name not in _HOMES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
