"""A run on a dask cluster of two workers: the ledger that one process writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from verify.catalogue.library import library
from verify.run.runner import LedgerRun
from verify.run.tasks import Settings

Fedassay = Callable[..., tuple[int, str, str]]

KEYS = ("adaptive.lemma1.repaired", "adaptive.def2.lim0", "adaptive.def2.c1")

RATES = ("adaptive.theorem2.const@*", "adaptive.theorem2.const.repaired")


def untimed(path: Path) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(path.read_text())
    for entry in made["entries"]:
        del entry["timing"]
    return made


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_ledger_of_one_process_and_of_two(cluster: str, tmp_path: Path) -> None:
    known = library()
    made = []
    settings = (Settings(jobs=1), Settings(jobs=2), Settings(scheduler=cluster))
    for setting in settings:
        path = tmp_path / "out" / "ledger.json"
        run = LedgerRun(known, known.select(KEYS), setting, path, fresh=True)
        run.finish()
        made.append(untimed(path))
    assert made[0]["complete"]
    assert {leaf["verdict"] for e in made[0]["entries"] for leaf in e["leaves"]} - {"inconclusive"}
    assert made[0] == made[1] == made[2]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_figures_are_computed_on_the_cluster_and_drawn_here(
    cluster: str, tmp_path: Path, fedassay: Fedassay
) -> None:
    where = ("--backend", "dask", "--scheduler", cluster)
    code, out, _ = fedassay("figures", "sufficient_cluster", "tightness", "--check", *where)
    assert (code, out.count(": agrees")) == (0, 2)
    folder = tmp_path / "drawn"
    code, _, _ = fedassay("figures", "tightness", "--profile", "quick", "-o", folder, *where)
    assert code == 0
    assert {p.name for p in folder.iterdir()} >= {"tightness.svg", "captions.json"}
    assert not (folder / ".numbers").exists()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_rates_are_those_of_one_process(cluster: str, tmp_path: Path, fedassay: Fedassay) -> None:
    size = ("--federations", "2", "--rounds", "10", "--replicates", "4")
    ways = (("--jobs", "1"), ("--jobs", "2"), ("--backend", "dask", "--scheduler", cluster))
    made = []
    for number, way in enumerate(ways):
        path = tmp_path / f"{number}.json"
        code, _, err = fedassay("rates", *RATES, *size, *way, "-o", path)
        assert code in (0, 1), err
        made.append(json.loads(path.read_text())["rates"])
    assert len(made[0]) == len(RATES)
    assert made[0] == made[1] == made[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--backend", "dask"], "--scheduler must be given with --backend dask"),
        (["run", "--scheduler", "tcp://x:1"], "and only there"),
        (["figures", "--backend", "dask"], "--scheduler must be given with --backend dask"),
        (
            ["run", "--backend", "dask", "--scheduler", "tcp://x:1", "--limit", "5"],
            "limit must be left out on a cluster",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fedassay: Fedassay,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = fedassay(*arguments)
    assert (code, err.count("\n")) == (2, 1)
    assert message in err
