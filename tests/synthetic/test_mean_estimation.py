"""Mean estimation federations and the exact recursions of all-for-all on them."""

from __future__ import annotations

import itertools
from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest

from algorithms.reference.run import reference_run
from bounds.numbers.validate import InvalidInput
from synthetic.exact.runs import (
    absolute_gaps,
    absolute_lattice,
    absolute_tree,
    all_for_all_moments,
    averaging_moments,
    mean_excess,
)
from synthetic.mean_estimation import (
    bernoulli_means,
    gaussian_means,
    interval_agents,
    skew_of,
    uniform_chances,
    value_bias,
)
from synthetic.noise.outcomes import enumerate_outcomes
from synthetic.quadratic import Quadratic


def exact(values: Any) -> Any:
    raw = np.array(values, dtype=object)
    return np.vectorize(Q, otypes=[object])(raw)


MIXING = exact([["2/3", "1/3"], ["1/4", "3/4"]])
SKEW = exact([2, "1/2"])
START = exact(["1/2"])
STEP = Q(1, 3)
ROUNDS = 2


def _federation() -> Quadratic:
    return Quadratic(bernoulli_means(SKEW))


def _by_recursion(synchronous: bool) -> Q:
    problem = _federation()
    curvature = exact([1, 1])
    error = START[0] - problem.optimum[:, 0]
    path = all_for_all_moments(
        MIXING @ MIXING.T,
        curvature,
        error,
        problem.noise_variance,
        exact(STEP),
        ROUNDS,
        synchronous,
    )
    return Q(mean_excess(path[-1], curvature))


def _by_enumeration(rows: list[Any]) -> Q:
    """Mean over all outcomes of the serial twin, given who is awake."""
    problem = _federation()
    draws, weights = enumerate_outcomes(problem.noise_support(), ROUNDS, 2)
    hyper = {"step_size": STEP, "start": START, "mixing": MIXING, "participation": exact(rows)}
    total = Q(0)
    for u, weight in zip(draws, weights, strict=True):
        last = reference_run("all_for_all", problem, hyper, u, ROUNDS)["theta"][-1]
        gaps = [(x[0] - m[0]) ** 2 / 2 for x, m in zip(last, problem.optimum, strict=True)]
        total += weight * sum(gaps) / 2
    return total


def test_synchronous_recursion_is_the_mean_over_all_outcomes() -> None:
    assert _by_recursion(True) == _by_enumeration([[1, 1]] * ROUNDS)


def test_asynchronous_recursion_is_the_mean_over_all_outcomes_and_agents() -> None:
    rows = list(itertools.product([[1, 0], [0, 1]], repeat=ROUNDS))
    mean = sum(_by_enumeration(list(r)) for r in rows) / len(rows)
    assert _by_recursion(False) == mean
    assert _by_recursion(False) != _by_recursion(True)  # negative control


def test_averaging_moments_are_those_of_all_outcomes() -> None:
    problem = _federation()
    draws, weights = enumerate_outcomes(problem.noise_support(), ROUNDS, 2)
    hyper = {"step_size": STEP, "start": START, "mixing": MIXING}
    ends = [
        reference_run("weighted_averaging", problem, hyper, u, ROUNDS)["theta"][-1][0][0]
        for u in draws
    ]
    first = sum(w * x for w, x in zip(weights, ends, strict=True))
    second = sum(w * x**2 for w, x in zip(weights, ends, strict=True))
    mean, variance = averaging_moments(
        MIXING[0],
        exact([1]),
        problem.optimum,
        START,
        problem.noise_variance[:, None],
        exact(STEP),
        ROUNDS,
    )
    assert mean[0] == first
    assert variance[0] == second - first**2


def test_lattice_and_tree_agree_on_equal_agents() -> None:
    slopes, centres, size, start = exact([[1, 1]]), exact([[0, 0]]), exact([2]), exact(["5/4"])
    tree = absolute_tree(exact([[[1, 1], [1, 1]]]), slopes, centres, size, start, exact(["1/4"]), 3)
    lattice = absolute_lattice(exact(["1/2"]), start, exact(["1/2"]), exact([1]), 3)
    for k in range(4):
        gap = absolute_gaps(tree, k, slopes, centres)[0, 0]
        assert gap == lattice.mean(k, abs(lattice.points[k][..., 0]))[0]


def test_bernoulli_noise_has_the_variance_of_its_mean() -> None:
    problem = _federation()
    chance = problem.optimum[:, 0]
    assert (problem.noise_variance == chance * (1 - chance)).all()
    values, _ = problem.noise_support()
    ones = chance + problem.noise_scale * values[:, 0]
    assert (ones == 1).all()  # the sample x - g is a one or a zero


def test_builders_and_bias() -> None:
    assert skew_of(np.array([0.2])) == pytest.approx(2)
    with pytest.raises(InvalidInput, match="chance must be in"):
        skew_of(np.array([0.0]))
    assert uniform_chances(5, 1).shape == (5,)
    assert interval_agents(4).tolist() == [0.125, 0.375, 0.625, 0.875]
    problem = Quadratic(gaussian_means(np.array([[0.0, 1.0], [2.0, 1.0]]), np.array([1.0, 2.0])))
    bias = value_bias(problem.optimum)
    assert bias[0, 1] == problem.excess(problem.optimum[1])[0] == 2
