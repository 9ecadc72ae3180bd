"""How a run is cut into batches and parts changes how much is held at once, and no number."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.verify.rates.planted import ONE, rate
from verify.catalogue.rates import every_rate
from verify.rates import many
from verify.rates.findings import finding, part
from verify.rates.many import PROFILES, Size, batches, fitting, measure
from verify.rates.record import Rate
from verify.statements.adaptive import theorem1, theorem2
from verify.world.noise_plan import Samples

SIZE = Size(federations=6, rounds=12, replicates=8, largest=16)
CLAIMS = {
    "sampled": rate(theorem2.stopped_constant, "quadratics"),
    "sampled, wide": rate(theorem1.direction, "quadratics"),
    "exact": rate(theorem1.direction, ONE),
}


@cache
def whole_of(name: str) -> tuple[dict[str, object], int]:
    """What is found with all the memory, and in how many batches."""
    one = cells_of(name)
    return found(one), len(batches(one, SIZE))


def cells_of(name: str) -> Rate:
    one = CLAIMS[name]
    return replace(one, cells=one.cells[1:3])


def found(one: Rate) -> dict[str, object]:
    return finding(one, [part(n, measure(one, n, SIZE)) for n in batches(one, SIZE)])


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize("numbers", [1, 600])
def test_less_memory_gives_the_same_numbers(
    name: str, numbers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, (whole, length) = cells_of(name), whole_of(name)
    monkeypatch.setattr(many, "NUMBERS", numbers)
    assert len(batches(one, SIZE)) > length
    again = found(one)
    assert again["word"] == whole["word"]
    assert again["federations"] == whole["federations"]
    for name in ("left", "right", "spread", "log_e"):
        np.testing.assert_allclose(
            np.array(again[name], dtype=float),
            np.array(whole[name], dtype=float),
            rtol=1e-9,
            atol=1e-12,
        )


@pytest.mark.parametrize("size", [*PROFILES.values(), Size(200, 10_000, 200, 2**15)])
def test_batches_are_all_federations_each_once_and_in_one_cell(size: Size) -> None:
    for one in every_rate():
        made = batches(one, size)
        assert sorted(n for numbers in made for n in numbers) == list(range(size.federations))
        cells = len(fitting(one, size).cells)
        assert all(len({n % cells for n in numbers}) == 1 for numbers in made)


def test_a_long_run_of_many_clients_is_held_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a part may hold is what the batch leaves room for, whatever the replicates."""
    one = CLAIMS["sampled, wide"]
    one = replace(one, cells=({**one.cells[0], "N": 8, "d": 2},))
    seen: list[int] = []
    run = many.curve

    def spy(rate: Rate, batch: object, times: object, plan: Samples, at_once: int) -> object:
        seen.append(at_once)
        return run(rate, batch, times, plan, at_once)  # type: ignore[arg-type]

    monkeypatch.setattr(many, "curve", spy)
    monkeypatch.setattr(many, "NUMBERS", 4 * 12 * (2 + many.LOOKS * 8))
    for numbers in batches(one, SIZE):
        measure(one, numbers, SIZE)
    assert seen
    assert max(seen) <= 4
