"""From the library to an audited ledger: the same for every number of processes and every order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.verify.cases import SMALL
from verify.catalogue.library import library
from verify.claim.instance import Instance
from verify.ladder import PROFILES, assay
from verify.ladder.leaf import leaf_seed
from verify.ledger.audit import audit
from verify.ledger.witness import replay
from verify.run.runner import LedgerRun
from verify.run.tasks import Settings
from verify.world.referee import rescore

KEYS = (
    "adaptive.property1",
    "adaptive.property1.repaired",
    "adaptive.def1.drift",
    "adaptive.def2.lim0",
    "fedbc.sp.fedprox",
    "adaptive.corollary1.empty",
)


def run(folder: Path, jobs: int) -> tuple[dict[str, Any], Path]:
    """Ledger without what may differ, and where it lies."""
    path = folder / "ledger.json"
    LedgerRun(library(), library().select(KEYS), Settings(jobs=jobs, seed=5), path).finish()
    made = json.loads(path.read_text())
    for entry in made["entries"]:
        del entry["timing"]
    return made, path


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    return run(tmp_path_factory.mktemp("alone"), 1)


def test_verdicts_are_those_of_the_ladder(alone: tuple[dict[str, Any], Path]) -> None:
    words = {e["key"]: e["verdict"] for e in alone[0]["entries"]}
    assert words == {
        "adaptive.property1": "violated",
        "adaptive.property1.repaired": "holds",
        "adaptive.def1.drift": "proved",
        "adaptive.def2.lim0": "violated",
        "fedbc.sp.fedprox": "violated",
        "adaptive.corollary1.empty": "proved",
    }


def test_the_ledger_passes_audit(alone: tuple[dict[str, Any], Path]) -> None:
    flaws = audit(alone[1]).flaws
    assert flaws == []


def test_two_processes_give_the_same_ledger(
    alone: tuple[dict[str, Any], Path], tmp_path: Path
) -> None:
    two, path = run(tmp_path, 2)
    assert two == alone[0]
    assert audit(path).flaws == []


def test_every_witness_is_small_and_replays_from_its_file_alone(
    alone: tuple[dict[str, Any], Path],
) -> None:
    files = [e["witness"] for e in alone[0]["entries"] if e["verdict"] == "violated"]
    assert len(files) == 3
    for name in files:
        path = alone[1].parent / name
        again = replay(path)
        assert again.confirmed, again.differences
        stored = json.loads(path.read_text())
        instance = Instance.from_json(stored["instance"])
        assert rescore(library().leaf(stored["key"]), instance).violated
        sizes = [len(v) for v in instance.data.values() if getattr(v, "ndim", 0)]
        assert max(sizes, default=1) <= 3


def test_another_seed_gives_another_search_and_the_same_verdict() -> None:
    leaf = library().leaf("adaptive.property1")
    first, second = (assay(leaf, profile=SMALL.word_alone(), seed=s) for s in (1, 2))
    assert leaf_seed(1, leaf.key) != leaf_seed(2, leaf.key) != leaf_seed(2, leaf.key + "x")
    assert first.verdict == second.verdict == "violated"


def test_a_time_limit_leaves_a_claim_open() -> None:
    leaf = library().leaf("adaptive.property1.repaired")
    quick = PROFILES["quick"]
    short = type(quick)("short", 600, 24, 100, seconds=-1.0)
    found = assay(leaf, profile=short)
    assert found.verdict == "inconclusive"
    assert "time limit" in found.reason
