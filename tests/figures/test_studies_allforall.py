"""Studies of all-for-all: closed forms against recursions, best weights against a solver."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from algorithms.engine.run import run
from algorithms.registry import load_method
from bounds.allforall.rates import close_weights
from figures.studies.allforall.complexity import complexity_study, expected_gap, fewest_rounds
from figures.studies.allforall.mixing import (
    best_mixing,
    mixing_study,
    samples_needed,
    simplex_rows,
)
from figures.studies.allforall.scale import scale_study
from synthetic.exact.runs import all_for_all_moments, mean_excess
from synthetic.mean_estimation import bernoulli_means, skew_of, uniform_chances, value_bias
from synthetic.noise.sources import source_of
from synthetic.quadratic import Quadratic

CHANCES = uniform_chances(4, 3)
NOISE = CHANCES * (1 - CHANCES)
BIAS = value_bias(CHANCES[:, None])


def test_closed_form_is_the_recursion() -> None:
    mixing = close_weights(BIAS, np.full(4, 0.05))
    path = all_for_all_moments(
        mixing @ mixing.T, np.ones(4), 0.5 - CHANCES, NOISE, np.array(0.3), 7
    )
    expected = mean_excess(path[-1], np.ones(4))
    assert expected_gap(mixing, CHANCES, 0.5, NOISE, 0.3, 7) == pytest.approx(expected, rel=1e-12)


def test_fewest_rounds_reach_the_precision() -> None:
    rounds = fewest_rounds(np.eye(4), CHANCES, NOISE, 1e-3)
    reached = [
        expected_gap(np.eye(4), CHANCES, 0.5, NOISE, step, rounds)
        for step in np.geomspace(1e-3, 1, 2000)
    ]
    assert min(reached) <= 1e-3 * 1.001  # the steps of the search lie between those of this grid
    assert fewest_rounds(np.eye(4), CHANCES, NOISE, 1e-3 / 2) > rounds


def test_alone_needs_samples_in_proportion_to_inverse_precision() -> None:
    study = complexity_study(10, points=5)
    assert 1 <= study.slope_alone.value <= 1.4  # one up to a logarithm
    assert len(study.together) == 5
    assert study.predicted[0] < study.predicted[-1] <= 1


def test_projection_onto_the_simplex() -> None:
    rows = simplex_rows(np.array([[0.3, 0.3], [5.0, 0.0], [0.2, 0.4]]))
    np.testing.assert_allclose(rows, [[0.5, 0.5], [1, 0], [0.4, 0.6]], atol=1e-15)


def test_best_weights_agree_with_a_solver() -> None:
    cvxpy = pytest.importorskip("cvxpy")
    eps, scale = 0.02, 2.0
    _, best = best_mixing(BIAS, eps, scale)
    mixing = cvxpy.Variable((4, 4), nonneg=True)
    noise = cvxpy.norm(cvxpy.vec(mixing, order="C")) * np.sqrt(scale / best)
    bias = cvxpy.sum(cvxpy.multiply(mixing, BIAS)) / 4
    program = cvxpy.Problem(cvxpy.Minimize(noise + bias), [cvxpy.sum(mixing, axis=1) == 1])
    program.solve(solver="CLARABEL")
    # at the best K the least bound is eps itself; the grid of tau is geometric with ratio 1.02
    assert program.value == pytest.approx(eps, rel=1e-3)


def test_indicator_weights_are_never_better_than_the_best() -> None:
    study = mixing_study(BIAS, 0.02)
    assert study.best <= study.tuned <= study.indicator
    assert samples_needed(np.eye(4), BIAS, 0.02, 2.0) >= study.best


@pytest.mark.parametrize("synchronous", [True, False])
def test_simulation_of_both_oracles_agrees_with_the_recursion(synchronous: bool) -> None:
    rounds, replicates = 25, 3000
    mixing = close_weights(BIAS, np.full(4, 0.2))
    step = 0.1 if synchronous else 0.4
    problem = Quadratic(bernoulli_means(skew_of(CHANCES))).map(torch.as_tensor)
    hyper = {"step_size": step, "start": np.full(1, 0.5), "mixing": mixing}
    if not synchronous:
        drawn = np.random.default_rng(11).integers(4, size=(replicates, rounds))
        hyper["participation"] = np.eye(4)[drawn]
    noise = source_of(problem, 2, range(replicates), 4)
    made = run(load_method("all_for_all"), problem, hyper, noise, rounds, last_only=True)
    gaps = ((made.theta[:, 0, :, 0].numpy() - CHANCES) ** 2).mean(axis=1) / 2
    error = gaps.std() / np.sqrt(replicates)

    def exact(noise_factor: float) -> float:
        path = all_for_all_moments(
            mixing @ mixing.T,
            np.ones(4),
            0.5 - CHANCES,
            noise_factor * NOISE,
            np.array(step),
            rounds,
            synchronous,
        )
        return float(mean_excess(path[-1], np.ones(4)))

    assert abs(gaps.mean() - exact(1)) < 5 * error
    assert abs(gaps.mean() - exact(1.5)) > 5 * error  # noise half as large again is told apart


def test_simulation_agrees_with_the_exact_gap() -> None:
    study = scale_study(60, 5, 200)
    # one run: the mean over 60 agents of 5 coordinates has a spread of about a tenth
    assert study.simulated == pytest.approx(study.exact, rel=0.4)
