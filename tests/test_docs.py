"""The docs tell the truth: links lead somewhere, examples run, everything a user meets has its line."""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

import mnemic
from mnemic.domain.kinds import KINDS
from mnemic.errors import MnemicError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import click

_ROOT = Path(__file__).parent.parent
_DOCS = _ROOT / "docs"
_REFERENCE = _DOCS / "reference"
PAGES = sorted(
    [*_ROOT.glob("*.md"), *_DOCS.rglob("*.md"), *(_ROOT / "changes").glob("*.md"), *(_ROOT / "examples").rglob("*.md")]
)
_FENCE = re.compile(
    r"^(?P<indent> *)(?P<mark>`{3,}|~{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^ *(?P=mark) *$", re.MULTILINE | re.DOTALL
)
_LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(<?([^)>\s]+)>?[^)]*\)")
_NAMED_TEST = re.compile(r"`((?:tests|src/mnemic/testing)/[\w/]+\.py)::(\w+)(?:\[[^`]*\])?`")


def _name(page: Path) -> str:
    return page.relative_to(_ROOT).as_posix()


def _prose(page: Path) -> str:
    """A page without its examples and inline code."""
    return re.sub(r"`[^`\n]*`", "code", _FENCE.sub("", page.read_text(encoding="utf-8")))


def _anchors(page: Path) -> set[str]:
    """What `#...` may name in a page: its headings, as code hosts spell them."""
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", _FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        count = sum(1 for known in found if known == slug or re.fullmatch(rf"{re.escape(slug)}-\d+", known))
        found.add(f"{slug}-{count}" if count else slug)
    return found


# Links


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_link_leads_somewhere(page: Path) -> None:
    dead = []
    for link in _LINK.findall(_prose(page)):
        if re.match(r"[a-z][a-z0-9+.-]*:", link):
            continue
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in _anchors(target)):
            dead.append(link)

    assert dead == []


@pytest.mark.parametrize("page", [page for page in PAGES if _DOCS in page.parents], ids=_name)
def test_every_page_can_be_reached_from_the_first(page: Path) -> None:
    """Nobody finds a page that nothing links to."""
    seen: set[Path] = set()
    waiting = [_DOCS / "index.md"]
    while waiting:
        here = waiting.pop()
        if here in seen or not here.is_file() or here.suffix != ".md":
            continue
        seen.add(here)
        links = (unquote(link).partition("#")[0] for link in _LINK.findall(_prose(here)))
        waiting += [(here.parent / link).resolve() for link in links if link and ":" not in link]

    assert page in seen


# Examples


@dataclass(frozen=True, slots=True)
class Example:
    """A fenced block whose first line says `console test` or `python test`."""

    language: str
    body: str
    line: int


def _examples(page: Path) -> Iterator[Example]:
    text = page.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        words = match["info"].split()
        if words[1:] == ["test"]:
            line = text.count("\n", 0, match.start()) + 1
            body = re.sub(rf"^{match['indent']}", "", match["body"], flags=re.MULTILINE)
            yield Example(words[0], body, line)


def _steps(body: str) -> Iterator[tuple[str, str]]:
    r"""`(command, expected output)` of a console example; a line that ends in `\` goes on in the next."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, output = re.match(r"((?:[^\n]*\\\n)*[^\n]*)\n?(.*)", part, re.DOTALL).groups()  # type: ignore[union-attr]
        yield command, output


@pytest.mark.parametrize("page", [page for page in PAGES if any(_examples(page))], ids=_name)
def test_the_examples_of_a_page_run_one_after_the_other(page: Path, tmp_path: Path) -> None:
    """In an empty folder. `...` stands for anything; `# exit 1` after a command for its exit status."""
    place = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": place, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
    wrong = []
    for example in _examples(page):
        if example.language == "python":
            steps: list[tuple[list[str], str | None]] = [([sys.executable, "-c", example.body], None)]
        else:
            assert example.language == "console"
            steps = [(["bash", "-c", command], output) for command, output in _steps(example.body)]
            assert steps, f"{_name(page)}:{example.line}: no line begins with '$ '"
        for command, wanted in steps:
            done = subprocess.run(
                command,
                cwd=tmp_path,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=120,
                check=False,
            )
            shown = done.stdout.decode("utf-8", "replace")
            status = re.search(r"# exit (\d+)$", command[-1].strip())
            fits = wanted is None or _alike(wanted, shown)
            if done.returncode != int(status[1] if status else 0) or not fits:
                wrong.append(
                    f"{_name(page)}:{example.line}: {command[-1]}\nexit {done.returncode}, and it said:\n{shown}"
                )

    assert wrong == [], "\n".join(wrong)


def _alike(wanted: str, shown: str) -> bool:
    """Equal but for white space at line ends; a line `...` stands for any lines or none, `...` in a line for a text."""
    pattern = "".join(
        r"(?:.*\n)*" if line.strip() == "..." else re.escape(line.rstrip()).replace(r"\.\.\.", ".*") + r"[ \t]*\n"
        for line in wanted.strip().splitlines()
    )
    return re.fullmatch(pattern, f"{shown.strip()}\n" if shown.strip() else "") is not None


def test_a_wrong_example_would_be_noticed() -> None:
    body = "$ mnemic \\\n  --version\nmnemic ...\n$ false\n"

    assert list(_steps(body)) == [("mnemic \\\n  --version", "mnemic ...\n"), ("false", "")]
    assert _alike("mnemic ...", "mnemic 0.1.0")
    assert not _alike("mnemic 1", "mnemic 0.1.0")
    assert _alike("first\n...\nlast", "first\nlast\n")
    assert _alike("first\n...", "first\n\nsecond\n")
    assert not _alike("first\n...\nlast", "first\nsecond\n")
    assert not _alike("", "something\n")


# Everything a user meets


def _sections(page: Path) -> dict[str, str]:
    """Text under each heading, up to the next heading of any level."""
    # A comment in an example is no heading.
    text = _FENCE.sub(lambda fence: fence[0].replace("\n#", "\n #"), page.read_text(encoding="utf-8"))
    parts = re.split(r"^#{1,6} +(.+?) *$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _commands() -> dict[str, click.Command]:
    """Every command by its full name, as the program itself knows them."""
    import click

    from mnemic.entry.cli.main import cli

    found: dict[str, click.Command] = {}

    def walk(command: click.Command, name: str) -> None:
        found[name] = command
        if isinstance(command, click.Group):
            context = click.Context(command, info_name=name)
            for child in command.list_commands(context):
                below = command.get_command(context, child)
                assert below is not None, f"{name} lists {child} and does not have it"
                walk(below, f"{name} {child}")

    walk(cli, "mnemic")
    return found


def test_every_command_and_option_is_documented() -> None:
    """In docs/reference/cli.md: a heading a command, under it each of its options."""
    sections = {heading.strip("` "): text for heading, text in _sections(_REFERENCE / "cli.md").items()}
    missing = []
    for name, command in _commands().items():
        if name not in sections:
            missing.append(name)
            continue
        for parameter in command.params:
            flags = [flag for flag in (*parameter.opts, *parameter.secondary_opts) if flag.startswith("--")]
            absent = [flag for flag in flags if not re.search(rf"{flag}(?![\w-])", sections[name])]
            missing += [f"{name} {flag}" for flag in absent]

    assert missing == [], "these have no place in docs/reference/cli.md"


def test_no_command_is_documented_that_does_not_exist() -> None:
    headings = {heading.strip("` ") for heading in _sections(_REFERENCE / "cli.md")}

    assert {heading for heading in headings if heading.startswith("mnemic")} - set(_commands()) == set()


def test_every_setting_is_documented_with_its_default() -> None:
    """In docs/reference/settings.md: one row a key."""
    from mnemic.config import known_keys

    rows = _rows(_REFERENCE / "settings.md")
    wanted = {f"`{key}`": f"`{_as_toml(value)}`" for key, value in known_keys().items()}

    assert {key: row[1] for key, row in rows.items() if key.startswith("`") and "." in key} == wanted


def _as_toml(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case tuple():
            return f"[{', '.join(map(_as_toml, value))}]"
        case _:
            return str(value)


def _rows(page: Path) -> dict[str, list[str]]:
    """Rows of all tables of a page, by their first cell."""
    lines = re.findall(r"^\|(.+)\|[ ]*$", page.read_text(encoding="utf-8"), re.MULTILINE)
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)] for line in lines]
    return {row[0]: row for row in cells if not set(row[0]) <= set("-: ")}


def _error_classes() -> list[type[MnemicError]]:
    for module in pkgutil.walk_packages(mnemic.__path__, "mnemic."):
        if not module.name.startswith(("mnemic.testing", "mnemic._")):
            importlib.import_module(module.name)
    found: list[type[MnemicError]] = []
    waiting = [MnemicError]
    while waiting:
        here = waiting.pop()
        found.append(here)
        waiting += here.__subclasses__()
    return found


def test_every_error_has_a_code_of_its_own_and_a_line_in_the_docs() -> None:
    """In docs/reference/errors.md: code, meaning, what to do."""
    codes = [kind.code for kind in _error_classes()]
    rows = {key: row for key, row in _rows(_REFERENCE / "errors.md").items() if key.startswith("`")}

    assert sorted(codes) == sorted(set(codes))
    assert set(rows) == {f"`{code}`" for code in codes}
    assert [key for key, row in rows.items() if not all(row)] == []


def test_the_tree_of_errors_is_drawn_as_it_is() -> None:
    from mnemic import errors

    drawn = set(re.findall(r"\b[A-Z]\w+Error\b", errors.__doc__ or ""))

    assert drawn == {name for name, value in vars(errors).items() if isinstance(value, type)}


def test_every_kind_of_memory_is_explained() -> None:
    rows = _rows(_DOCS / "explanation" / "domain.md")

    assert [name for name in KINDS if f"`{name}`" not in rows] == []


# Records


def test_decisions_are_numbered_dated_and_listed() -> None:
    folder = _DOCS / "decisions"
    records = sorted(folder.glob("[0-9]*.md"))
    listed = (folder / "README.md").read_text(encoding="utf-8")

    assert [int(page.name[:4]) for page in records] == list(range(1, len(records) + 1))
    for page in records:
        title, state = page.read_text(encoding="utf-8").split("\n")[:2]
        assert re.fullmatch(rf"# {int(page.name[:4])}\. .+", title), page.name
        assert re.match(r"\d{4}-\d{2}-\d{2} · (accepted|replaced by \d+)", state), page.name
        assert f"]({page.name})" in listed


def test_news_fragments_have_a_name_and_one_paragraph() -> None:
    """`changes/<issue>.<added|changed|fixed|removed>.md`; a second one for an issue has `-2` behind its number."""
    fragments = [page for page in (_ROOT / "changes").iterdir() if page.name != "README.md"]
    wrong = [
        page.name
        for page in fragments
        if not re.fullmatch(r"\d+(-\d+)?\.(added|changed|fixed|removed)\.md", page.name)
        or len(re.split(r"\n\s*\n", page.read_text(encoding="utf-8").strip())) != 1
    ]

    assert wrong == []


# Requirements

_SCOPE = "K1-28 K34-36 K43-46 K50-60 K67-72 K77-85 T26-33 Y11-13 Y16-16 A53-53 D7-8"  # what the foundation must hold


def _scope() -> list[str]:
    spans = (re.fullmatch(r"([A-Z])(\d+)-(\d+)", span) for span in _SCOPE.split())
    return [f"{span[1]}{number}" for span in spans if span for number in range(int(span[2]), int(span[3]) + 1)]


def _requirements() -> dict[str, list[str]]:
    rows = _rows(_DOCS / "requirements.md")
    return {key: row for key, row in rows.items() if re.fullmatch(r"[A-Z]\d+", key)}


def test_every_requirement_has_one_line() -> None:
    text = (_DOCS / "requirements.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| ([A-Z]\d+) \|", text, re.MULTILINE)

    assert sorted(named) == sorted(set(named))
    assert [key for key in _scope() if key not in named] == []
    assert [key for key, row in _requirements().items() if row[2] not in {"open", "done"}] == []


def test_a_requirement_is_done_when_a_test_shows_it() -> None:
    rows = _requirements()

    assert [key for key, row in rows.items() if row[2] == "done" and not _NAMED_TEST.search(row[3])] == []
    assert [
        f"{key}: {path}::{name}"
        for key, row in rows.items()
        for path, name in _NAMED_TEST.findall(row[3])
        if name not in _tests_in(_ROOT / path)
    ] == []


def _tests_in(path: Path) -> set[str]:
    if not path.is_file():
        return set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test")}
