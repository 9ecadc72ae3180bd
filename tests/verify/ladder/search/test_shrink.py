"""Planted falsehoods are found, and shrink to small numbers that still break the claim exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from tests.verify.cases import FIXED, assume, claim, fixed_runs, found, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder.search.pool import Candidate, Pool
from verify.ladder.search.shrink import shrink
from verify.world.noise_plan import AllOutcomes
from verify.world.referee import rescore
from verify.world.world import World

POSITIVE = Real(1 / 8, 8, log=True)
LENGTH = Real(-2, 2, unit=(0, 1))


def _excess(w: World) -> Any:
    return w.problem.excess(w.run().theta[..., -1, :])[..., 0]


FALSE: dict[str, Statement] = {
    "constant": claim(
        lambda w: ({"4xy": 5 * w.x * w.y}, {"(x + y)^2": (w.x + w.y) ** 2}),
        numbers(x=POSITIVE, y=POSITIVE),
    ),
    "exponent": claim(lambda w: ({"x": w.x}, {"x^2": w.x**2}), numbers(x=POSITIVE)),
    "sign": claim(
        lambda w: ({"(a + b)^2": (w.a + w.b) ** 2}, {"": w.a**2 + w.b**2}),
        numbers(a=LENGTH, b=LENGTH),
    ),
    "edge": claim(
        lambda w: ({"x": w.x}, {"y": w.y}),
        numbers(x=Real(0, 1), y=Real(0, 1)),
        given=assume({"y >= x / 2": lambda w: w.y - w.x / 2}),
    ),
    "relation": claim(
        lambda w: ({"sqrt": xp.sqrt(w.x)}, {"x": w.x}), numbers(x=POSITIVE), relation=">="
    ),
    "identity": claim(
        lambda w: ({"l": (w.x + 1) ** 2}, {"r": w.x**2 + 1}), numbers(x=Real(0, 1)), relation="=="
    ),
    "run": claim(
        lambda w: (
            {"E excess": _excess(w)},
            {"excess": w.problem.excess(w.start)[..., 0]},
        ),
        fixed_runs((1, 1, 1)),
        defines=FIXED,
        over="mean",
    ),
}
TRUE = {
    "mean": claim(
        lambda w: ({"4xy": 4 * w.x * w.y}, {"": (w.x + w.y) ** 2}), numbers(x=POSITIVE, y=POSITIVE)
    ),
    "edge": claim(
        lambda w: ({"x": w.x}, {"y": w.y}),
        numbers(x=Real(0, 1), y=Real(0, 1)),
        given=assume({"y >= x": lambda w: w.y - w.x}),
    ),
}


def shrunk(statement: Statement) -> tuple[dict[str, Any], Any]:
    """Shrunk values, and the referee's opinion of them."""
    pool, hit = found(statement)
    values = shrink(pool, hit)
    batch = {k: v[None] for k, v in values.items()}
    return values, rescore(statement, statement.family.instance(batch, hit.shape)[0])


@pytest.mark.parametrize("name", FALSE)
def test_planted_falsehoods_are_found_and_shrunk_to_exact_witnesses(name: str) -> None:
    values, opinion = shrunk(FALSE[name])
    assert opinion.violated
    for value in values.values():
        for number in value.flat:
            assert isinstance(number, Fraction)
            assert abs(number.numerator) + number.denominator <= 40


@pytest.mark.parametrize("name", TRUE)
def test_truths_give_no_hit(name: str) -> None:
    pool, hit = found(TRUE[name])
    assert hit is None
    assert pool.feasible > 100
    assert pool.within is not None
    assert pool.within.ratio == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("name", FALSE)
def test_shrunk_numbers_stay_where_parameters_may_stand(name: str) -> None:
    statement = FALSE[name]
    values, _ = shrunk(statement)
    for key, value in values.items():
        assert all(statement.family.box[key].inside(number) for number in value.flat)


def narrow(statement: Statement, **values: float) -> dict[str, Any]:
    candidate = Candidate({k: np.array(v) for k, v in values.items()}, {}, 2.0)
    return shrink(Pool(statement, AllOutcomes()), candidate)


def test_ranges_of_plain_numbers_bind() -> None:
    # broken everywhere; 1 would be simpler than anything in the range
    box = numbers(x=Real(0.3, 0.45, domain=(0.3, 0.45)))
    statement = claim(lambda w: ({"2": 2}, {"1": 1}), box)
    assert narrow(statement, x=0.41234)["x"].item() in (Fraction(2, 5), Fraction(1, 3))


def test_signs_of_parameters_with_a_unit_bind() -> None:
    box = numbers(
        rate=Real(1 / 8, 8, unit=(1, -2), log=True), gap=LENGTH, noise=Real(0, 4, unit=(1, -1))
    )
    statement = claim(lambda w: ({"2": 2}, {"1": 1}), box)
    values = narrow(statement, rate=7.3, gap=-1.7, noise=3.3)
    assert values["rate"].item() > 0
    assert values["noise"].item() >= 0
    assert values["gap"].item() == 0, "a sign that is free may go to zero"


def test_shrinking_never_loses_the_violation_or_a_hypothesis() -> None:
    # a window between 0.737 and 0.738 leaves no short number
    statement = claim(
        lambda w: ({"x": w.x}, {"": xp.where(w.x > 737 / 1000, 0 * w.x, 2 + w.x)}),
        numbers(x=Real(0, 1)),
        given=assume({"window": lambda w: 738 / 1000 - w.x}),
    )
    x = narrow(statement, x=0.73751)["x"].item()
    assert Fraction(737, 1000) < x <= Fraction(738, 1000)


def test_a_search_is_the_same_again() -> None:
    first, second = (found(FALSE["constant"], seed=3)[1] for _ in range(2))
    assert first.ratio == second.ratio
    assert all((first.values[k] == second.values[k]).all() for k in first.values)
