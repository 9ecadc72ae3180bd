"""What falls in the adaptive paper, by numbers that a reader can compute by hand."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest

from bounds.numbers import as_rational
from verify.catalogue.library import library
from verify.claim.statement import Statement
from verify.statements.adaptive.common import twenty_clients
from verify.world.noise_plan import Samples
from verify.world.score import Score, score
from verify.world.world import World


def leaf(key: str) -> Statement:
    return library().leaf(f"adaptive.{key}")


def exactly(key: str, shape: int = 0, **values: Any) -> Score:
    """One instance of a statement, of its first family, in fractions."""
    statement = leaf(key)
    numbers = {k: as_rational(np.asarray(v)[None]) for k, v in values.items()}
    family = statement.family
    return score(statement, family.instance(numbers, family.shapes[shape]), "exact")


TWO: dict[str, Any] = {"ratio": [1, Q(1, 2)], "phi_share": [1, 1], "sigma2": [1, Q(1, 16)]}
"""sigma_psi^2 = 1/(1 + 16/4) = 1/5 for the continuous rule."""


def test_a_weight_above_one() -> None:
    found = exactly("alg.afo/range", **TWO)
    assert found.feasible.all()
    assert found.left.max() == Q(1, 2) * Q(1, 5) * 16 == Q(8, 5)
    assert exactly("alg.afo.repaired/range", **TWO).left.max() == Q(4, 5)


def test_a_change_of_unit_changes_the_sufficient_cluster() -> None:
    one: dict[str, Any] = {"bias": 1, "slope": 0, "mu": 1, "precision": 1, "scale": 2}
    found = exactly("def2/units", **one)
    assert (found.left.item(), found.right.item()) == (1 + Q(3, 4), 1 + Q(1, 2))
    found = exactly("def2.repaired/units", **one)
    assert found.left.item() == found.right.item() == 1 + Q(1, 2)


def test_binary_weights_of_a_low_threshold_add_variance() -> None:
    """Ratios 1 and lambda give the weights 1/(1 + lambda) twice."""
    values: dict[str, Any] = {"ratio": [1, Q(1, 4)], "sigma2": [1, 1], "threshold": Q(1, 4)}
    found = exactly("inf.variance/binary", 1, **values)
    assert found.left.item() == 2 / Q(25, 16) > found.right.item() == 1


def test_many_clients_that_are_not_similar_do_not_help() -> None:
    found = exactly("sec4.freq/variance", ratio=0, sigma2_one=1, threshold=Q(1, 2))
    assert (found.left.item(), found.right.item()) == (1, Q(1, 2))


ALONE: dict[str, Any] = {
    "curvature": [[1], [1]], "optimum": [[0], [2]], "sigma": [1, Q(1, 2)], "noise_share": [1, 1],
    "skew": [1, 1], "start": [2], "tradeoff": 2, "threshold": Q(1, 2), "step_share": 1,
    "precision": 4,
}
"""Losses theta^2 and (theta - 2)^2 at theta = 2, mu = beta = 2: the gradients are 4 and 0, so that
client 1 has no weight, and one step of size 1/2 leaves E X = 1/4. The gap is 4 everywhere, so that
b = 8 serves in A3; b/(2 mu eps) = 1/2 and sigma_suf^2 = 1/(1 + (1/4)/(1/4)) = 1/2. With b^2 client
1 is out."""


@pytest.mark.parametrize("excess", ["mean-excess", "realised-excess"])
def test_one_step_breaks_the_constant_row(excess: str) -> None:
    found = exactly(f"theorem2.const@{excess}", 4, **ALONE)
    assert found.feasible.all()
    assert (found.left.item(), found.right.item()) == (Q(1, 4), Q(1, 8))


def test_the_mended_constant_row_is_tight_there() -> None:
    found = exactly("theorem2.const.repaired", 4, **ALONE)
    assert found.feasible.all()
    assert found.left.item() == found.right.item() == Q(1, 4)


def test_one_step_breaks_the_bound_on_the_gradients() -> None:
    """2 sqrt(2 * 4 * 2 / 2) = 4 sqrt 2 against G_1^2 = 16."""
    statement = leaf("theorem3@mean-excess")
    family = statement.family
    values = {k: np.asarray(v, dtype=float)[None] for k, v in ALONE.items()}
    found = score(statement, family.instance(values, family.shapes[4]))
    assert found.feasible.all()
    assert found.left.item() == pytest.approx(16)
    assert found.right.item() == pytest.approx(4 * np.sqrt(2))


REPAIRED = ("theorem2.const", "theorem2.decr", "theorem3.step")


@pytest.mark.parametrize("name", REPAIRED)
def test_gaussian_noise_meets_the_hypotheses_of_the_repaired_rows(name: str) -> None:
    statement = leaf(f"{name}.repaired")
    instance = twenty_clients("gaussian")
    more = {"precision": 1.0, "level": 1.0, "factor": 2.0, "delay": 200.0, "step_share": 0.01}
    known = {k: v for k, v in more.items() if k in statement.family.box}
    params = {**instance.params, **known, "rounds": 3}
    batch = type(instance)(instance.family, instance.data, instance.method, params)
    world = World(batch.batched(), "float64", Samples(5, 64), statement.defines)
    margins = [np.asarray(item.rule(world)) for item in statement.given]
    assert all((margin > 0).all() for margin in margins)
    assert margins[0].shape[1] == 64


def test_where_the_own_gradient_vanishes_ratios_have_no_value() -> None:
    still = {**ALONE, "start": [0]}
    with pytest.raises(ZeroDivisionError):
        exactly("theorem2.const@mean-excess", 4, **still)
