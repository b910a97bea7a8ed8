"""An Obsidian vault, looked at and left as it is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from mnemic.adapters.importers.vault import is_vault, open_vault
from mnemic.adapters.markdown.frontmatter import read_front_matter
from mnemic.domain.links import links_in, links_in_properties
from mnemic.errors import ImportSourceError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "My Vault – ноты"
    for path, text in {
        ".obsidian/app.json": "{}",
        ".trash/Old.md": "",
        ".hidden.md": "",
        "Home.md": "[[Anna]] [[Lovelace]]",
        "People/Anna.md": "---\naliases: [Lovelace, Countess]\ntags: person\n---\nHi",
        "People/Bo.MD": "\ufeff---\nalias: Bob, Bobby\n---\n",
        "Templates/Person.md": "---\nbroken: [\n---\n",
        "Attachments/a.png": "",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    (root / "Latin.md").write_bytes(b"---\naliases: [\xe9]\n---\n")
    return root


def test_everything_but_hidden_names_is_in_it(vault: Path) -> None:
    opened = open_vault(vault)

    assert is_vault(vault)
    assert not is_vault(vault / "People")
    assert opened.documents == ("Home.md", "Latin.md", "People/Anna.md", "People/Bo.MD", "Templates/Person.md")
    assert opened.files == ("Attachments/a.png",)
    assert opened.aliases == {"People/Anna.md": ("Lovelace", "Countess"), "People/Bo.MD": ("Bob", "Bobby")}
    assert [str(remark) for remark in opened.remarks] == ["Latin.md: its aliases cannot be read: it is not UTF-8"]
    assert opened.targets.of_wiki("countess", "Home.md") == "People/Anna.md"
    assert opened.targets.of_wiki("a.png") == "Attachments/a.png"
    assert opened.targets.of_wiki("Old") is None


def test_links_out_of_the_folder_are_not_followed(vault: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("x")
    (vault / "link.md").symlink_to(tmp_path / "outside" / "secret.md")
    (vault / "linked").symlink_to(tmp_path / "outside", target_is_directory=True)

    assert "secret" not in repr(open_vault(vault).documents)
    assert "link.md" not in open_vault(vault).documents


def test_what_is_no_folder_is_refused(vault: Path) -> None:
    with pytest.raises(ImportSourceError, match="it is no folder"):
        open_vault(vault / "Home.md")


def test_a_real_vault_is_understood_and_not_changed(shared_data: Path) -> None:
    root = shared_data / "vault-kepano"
    before = [(path, path.stat().st_mtime_ns) for path in sorted(root.rglob("*"))]
    opened = open_vault(root)
    names = {os.path.splitext(path)[0].rpartition("/")[2].lower() for path in (*opened.documents, *opened.files)}  # noqa: PTH122
    resolved = 0

    for path in opened.documents:
        read = read_front_matter((root / path).read_text(encoding="utf-8"))
        for link in (*links_in(read.parts.body).wiki, *links_in_properties(read.values)):
            found = opened.targets.of_wiki(link.target, path)
            wanted = link.target.rpartition("/")[2].removesuffix(".base").lower()
            assert (found is not None) == (wanted in names), link
            resolved += found is not None

    assert (len(opened.documents), resolved) == (103, 146)
    assert opened.aliases["References/The Legend of Zelda Breath of the Wild.md"] == ("BOTW",)
    assert [(path, path.stat().st_mtime_ns) for path in sorted(root.rglob("*"))] == before


def test_the_links_of_real_bundles_lead_somewhere(shared_data: Path) -> None:
    lost = []
    for name in ("v0.1/stackoverflow", "v0.1/crypto_bitcoin", "v0.2/acme_retail"):
        root = shared_data / "okf" / name
        opened = open_vault(root)
        for path in opened.documents:
            body = read_front_matter((root / path).read_text(encoding="utf-8")).parts.body
            links = [link for link in links_in(body).markdown if "://" not in link.target]
            lost += [link.target for link in links if opened.targets.of_markdown(link.target, path) is None]

    assert lost == ["sql_equality.py"]  # not part of the copy
