"""Sizes that are asked for: federations have them; what is out of range is refused in a line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synthetic.registry import make
from tests.each import each
from verify.catalogue.rates import every_rate, select
from verify.cli.main import main
from verify.rates.many import Size, batches, fitting, measure
from verify.rates.sizes import CLIENTS, DIMENSION, ROUNDS, of_size

SMALL = Size(federations=2, rounds=2, replicates=4, largest=4)
FREE = [rate for rate in every_rate() if rate.free]


def sizes(rate: Any, size: Size) -> set[tuple[int, int]]:
    found = set()
    for number in range(len(rate.cells)):
        made = fitting(rate, size).federation(number)
        if made.family != "numbers":
            problem = make(made.family, made.data)
            found.add((problem.clients, problem.dim))
    return found


@each("rate", FREE, ids=lambda rate: rate.key)
def test_federations_have_the_sizes_asked_for(rate: Any) -> None:
    dimension = 5 if "d" in rate.free else None
    size = replace(SMALL, clients=7, dimension=dimension)
    assert sizes(rate, size) <= {(7, dimension or 1)}
    assert all(cell["N"] == 7 for cell in fitting(rate, size).cells)


def test_every_free_rate_runs_at_a_size_of_its_own() -> None:
    """One of each paper and way, since the same draws serve many."""
    kinds = {(r.paper, r.way, r.problems): r for r in FREE}
    for rate in kinds.values():
        size = replace(SMALL, clients=3)
        made = [measure(rate, numbers, size) for numbers in batches(rate, size)]
        assert made
        assert all(np.isfinite(c.left[c.met]).all() for c in made)


def test_cells_that_are_not_free_are_kept_or_none() -> None:
    rate = next(r for r in every_rate() if r.paper == "hcct" and len(r.cells) > 3)
    kept = of_size(rate, 20, None)
    assert kept is not None
    assert [cell["N"] for cell in kept.cells] == [20]
    assert of_size(rate, 21, None) is None
    assert of_size(rate, None, 2) is None


def test_the_largest_sizes_are_drawn() -> None:
    """One federation of 512 clients in 64 dimensions takes part of a second."""
    (rate,) = select(["adaptive.theorem2.const.refined [quadratics]"])
    size = replace(SMALL, federations=1, clients=CLIENTS, dimension=DIMENSION)
    (numbers,) = batches(rate, size)
    made = measure(rate, numbers, size)
    assert made.met.all()


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["--clients", "0"], "clients must be in [1, 512], got 0: raise it."),
        (["--clients", "513"], "clients must be in [1, 512], got 513: lower it."),
        (["--dimension", "65"], "dimension must be in [1, 64], got 65: lower it."),
        (["--rounds", "10001"], "rounds must be in [1, 10000], got 10001: lower it."),
        (["--paper", "hcct", "--clients", "7"], "sizes must be those of some federation"),
    ],
)
def test_sizes_out_of_range_are_refused(
    asked: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rates", *asked]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1


def test_the_command_takes_sizes_and_tells_what_it_leaves_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.json"
    asked = ["rates", "hcct.*", "--clients", "20", "--federations", "1", "--rounds", "8"]
    assert main([*asked, "--jobs", "1", "--json", str(path)]) == 0
    out = capsys.readouterr().out
    made = json.loads(path.read_text())
    assert made["size"]["clients"] == 20
    assert 0 < len(made["rates"]) < len(select(["hcct.*"]))
    assert f"left out: {len(select(['hcct.*'])) - len(made['rates'])} rates" in out


@pytest.mark.slow
def test_ten_thousand_rounds_are_followed() -> None:
    """An exact curve and a sampled one, each to the last round."""
    for key in (
        "adaptive.theorem1.refined [one quadratic]",
        "adaptive.theorem2.decr.refined [mild quadratics]",
    ):
        (rate,) = select([key])
        size = Size(federations=1, rounds=ROUNDS, replicates=4, largest=4, clients=2, dimension=2)
        made = measure(rate, batches(rate, size)[0], size)
        assert made.times[-1] == ROUNDS
        assert made.met[:, -1].all()
        assert not made.crossed.any()
