"""Units rung: exponents of every term, claims whose units differ, and that it never decides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from tests.verify.cases import FIXED, SMALL, assume, claim, fixed_runs, found, numbers
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.ladder import assay
from verify.ladder.rungs.units import measure_units, powers_of_two
from verify.verdict.verdict import verdict

BOX = numbers(
    loss=Real(1 / 4, 4, unit=(1, 0), log=True),
    rate=Real(1 / 4, 4, unit=(1, -2), log=True),
    gap=Real(-2, 2, unit=(0, 1)),
    share=Real(1 / 8, 1),
)


def units(statement: Statement) -> Any:
    return measure_units(statement, found(statement, 120)[0].kept)


EXPONENTS = {
    "loss": (lambda w: w.loss, (1.0, 0.0)),
    "rate gap^2": (lambda w: w.rate * w.gap**2, (1.0, 0.0)),
    "sqrt loss": (lambda w: xp.sqrt(w.loss), (0.5, 0.0)),
    "root of a length": (lambda w: xp.sqrt(xp.absolute(w.gap)), (0.0, 0.5)),
    "share": (lambda w: w.share**3, (0.0, 0.0)),
    "inverse": (lambda w: 1 / w.rate, (-1.0, 2.0)),
    "logarithm": (lambda w: xp.log(1 + w.loss), None),
    "sum of unlikes": (lambda w: w.loss + w.rate, None),
}


@pytest.mark.parametrize("name", EXPONENTS)
def test_exponents_are_found(name: str) -> None:
    term, expected = EXPONENTS[name]
    made = units(claim(lambda w: ({"t": term(w)}, {"t2": 2 * term(w)}), BOX))
    assert made.left == {"t": expected}
    assert made.right == {"t2": expected}
    assert made.consistent == (expected is not None)


def test_terms_that_are_zero_have_no_unit() -> None:
    made = units(claim(lambda w: ({"t": w.loss, "zero": 0 * w.gap}, {"r": 2 * w.loss}), BOX))
    assert made.left == {"t": (1.0, 0.0)}
    assert made.consistent


@pytest.mark.parametrize(
    ("left", "right", "given", "agree"),
    [
        (lambda w: w.loss, lambda w: w.rate * w.gap**2, lambda w: w.loss, True),
        (lambda w: w.loss, lambda w: w.loss**2, lambda w: w.loss, False),
        (lambda w: w.share, lambda w: w.rate, lambda w: w.loss, False),
        (lambda w: w.loss, lambda w: 2 * w.loss, lambda w: w.loss - 1, False),
        (lambda w: w.loss, lambda w: 2 * w.loss, lambda w: 1 - w.share, True),
    ],
)
def test_claims_whose_units_differ_are_reported(
    left: Any, right: Any, given: Any, agree: bool
) -> None:
    statement = claim(
        lambda w: ({"l": left(w)}, {"r": right(w)}), BOX, given=assume({"h": lambda w: given(w)})
    )
    made = units(statement)
    assert made.consistent == agree
    item = made.evidence()
    assert item.status == "reported"
    assert item.summary.startswith("units agree" if agree else "units differ")
    assert verdict([item]).word == "inconclusive", "the rung never decides"


def test_bare_numbers_without_units_are_not_measured() -> None:
    assert units(claim(lambda w: ({"x": w.x}, {"y": w.x**2}), numbers(x=Real(1, 2)))) is None


def test_runs_scale_with_the_units_of_their_instance() -> None:
    statement = claim(
        lambda w: (
            {"excess": w.problem.excess(w.run().theta[..., -1, :])[..., 0]},
            {"sigma^2/beta": w.sigma2[..., 0] / w.beta},
        ),
        fixed_runs((2, 1, 1)),
        defines=FIXED,
        over="mean",
    )
    made = units(statement)
    assert (made.left["excess"], made.right["sigma^2/beta"]) == ((1.0, 0.0), (1.0, 0.0))


def test_a_difference_of_units_gives_the_search_a_ray() -> None:
    # true for every loss of the box, false on a ray that leaves it
    false = claim(lambda w: ({"l": w.loss}, {"r": 8 * w.loss**2}), BOX)
    true = claim(lambda w: ({"l": w.loss}, {"r": 8 * w.loss}), BOX)
    assert (assay(false, profile=SMALL).verdict, assay(true, profile=SMALL).verdict) == (
        "violated",
        "proved",
    )


@pytest.mark.parametrize(
    ("base", "scaled", "power"),
    [
        ([4.0], [8.0], 1.0),
        ([4.0], [1.0], -2.0),
        ([4.0], [4 * 2**0.25], 0.25),
        ([0.0], [0.0], np.inf),
    ],
)
def test_powers_of_two(base: Any, scaled: Any, power: float) -> None:
    assert powers_of_two(np.array([base]), np.array([scaled])).tolist() == [power]


@pytest.mark.parametrize(
    ("base", "scaled"), [([4.0], [9.0]), ([1.0, 1.0], [2.0, 4.0]), ([1.0], [-2.0]), ([1.0], [0.0])]
)
def test_what_is_no_power_is_none(base: Any, scaled: Any) -> None:
    assert np.isnan(powers_of_two(np.array([base]), np.array([scaled]))).all()
