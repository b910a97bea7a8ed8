"""Errors are for a reader: one sentence, what to do, a code that stays."""

from __future__ import annotations

import inspect
import re
from itertools import pairwise

import pytest

from mnemic import errors
from mnemic.errors import MnemicError

CLASSES = [
    value for value in vars(errors).values() if inspect.isclass(value) and issubclass(value, MnemicError)
]  # fmt: skip
FLOOD = "x" * 50_000 + "\x1b[2J\ud800" + "y" * 50_000


def made(cls: type[MnemicError], text: str) -> MnemicError:
    """An error with this text in every place that takes one."""
    given: list[object] = []
    named: dict[str, object] = {}
    for name, parameter in list(inspect.signature(cls.__init__).parameters.items())[1:]:
        annotation = str(parameter.annotation)
        value: object = 7 if annotation in {"int", "float", "int | None"} else text
        if annotation == "bool":
            value = True
        if annotation.startswith("tuple"):
            value = (text, text)
        if name == "hint":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY:
            named[name] = value
        else:
            given.append(value)
    return cls(*given, **named)  # type: ignore[arg-type]


def test_each_class_has_a_code_of_its_own() -> None:
    codes = [cls.code for cls in CLASSES]

    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", code) for code in codes)
    assert all("code" in vars(cls) for cls in CLASSES)


def test_the_tree_in_the_docstring_is_the_tree_of_the_classes() -> None:
    drawn = re.findall(r"^ {4}([│├└─ ]*)(\w+Error)\b", errors.__doc__ or "", re.MULTILINE)
    parents: dict[str, str] = {}
    path: list[str] = []
    for branch, name in drawn:
        depth = len(branch) // 4
        path[depth:] = [name]
        parents |= {child: parent for parent, child in pairwise(path)}

    assert parents == {cls.__name__: cls.__mro__[1].__name__ for cls in CLASSES if cls is not MnemicError}
    assert [name for _, name in drawn] == [cls.__name__ for cls in CLASSES]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_every_class_says_what_it_is(cls: type[MnemicError]) -> None:
    assert (cls.__doc__ or "").strip()
    assert "\n" not in made(cls, "what").message
    assert str(made(cls, "what")) == made(cls, "what").message


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_no_text_floods_a_terminal_or_rules_it(cls: type[MnemicError]) -> None:
    error = made(cls, FLOOD)

    for text in (error.message, error.hint, str(error)):
        assert len(text) < 1_200
        assert text.isprintable()
        text.encode("utf-8")


@pytest.mark.parametrize(
    "cls",
    [cls for cls in CLASSES if "__init__" in vars(cls) and cls is not MnemicError],
    ids=lambda cls: cls.__name__,
)
def test_an_error_with_a_sentence_of_its_own_has_a_hint(cls: type[MnemicError]) -> None:
    """Where the caller knows best what to do, the hint comes with the call."""
    by_caller = "hint" in inspect.signature(cls.__init__).parameters

    assert made(cls, "what").hint or by_caller


def test_the_facts_are_kept_whole_for_programs() -> None:
    error = errors.MemoryNotFoundError(FLOOD, near=("a", "b"))

    assert (error.memory_id, error.near) == (FLOOD, ("a", "b"))
    assert error.hint == "Did you mean a, b?"
    assert errors.MemoryNotFoundError("x").hint != ""


def test_a_refused_secret_is_never_shown() -> None:
    error = errors.SecretRefusedError(("GitHub token, line 3",))

    assert error.message == "The text holds what looks like a secret: GitHub token, line 3. Nothing was written."
    assert set(vars(error)) == {"message", "hint", "found"}


def test_what_was_given_is_quoted_and_its_length_told() -> None:
    message = errors.InvalidIdError("a" * 200, "too long").message

    assert message == f"'{'a' * 80}… (200 characters)' is no valid id: too long."


def test_a_path_and_line_are_shown_as_editors_read_them() -> None:
    assert errors.DocumentMalformedError("a.md", "no end", line=3).message == "a.md:3: no end."
    assert errors.ImportSourceError("a.jsonl", "no JSON", line=9).message == "a.jsonl:9: no JSON."
    assert errors.ImportSourceError("a.jsonl", "no JSON").message == "a.jsonl: no JSON."


@pytest.mark.parametrize(("found", "said"), [("b" * 64, "now bbbbbbbb"), (None, "now gone")])
def test_a_changed_memory_is_told_by_the_first_digits(found: str | None, said: str) -> None:
    message = errors.MemoryChangedError("people/anna", expected="a" * 64, found=found).message

    assert message == f"'people/anna' changed since it was read: expected aaaaaaaa, {said}."
