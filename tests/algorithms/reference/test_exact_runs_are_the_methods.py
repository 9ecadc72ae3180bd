"""The exact expectations of the all-for-all paper are those of its methods run by the engine.

Every outcome of the gradients and every sequence of awake agents is a replicate of one engine run.
Quadratics come from their family; the absolute losses have kinks and no family, so that they are
spelled out here.
"""

from __future__ import annotations

from itertools import product
from typing import Any, ClassVar

import numpy as np
import pytest
import torch

from algorithms.engine.run import run
from algorithms.registry import load_method
from bounds import generic
from synthetic.exact.runs import (
    Tree,
    absolute_gaps,
    absolute_lattice,
    absolute_tree,
    all_for_all_moments,
    averaging_moments,
)
from synthetic.fields import Array, Field
from synthetic.noise.outcomes import enumerate_outcomes
from synthetic.noise.sources import Given
from synthetic.problem import Problem
from synthetic.quadratic import Quadratic

N = 2
MIXING = np.array([[0.75, 0.25], [0.5, 0.5]])
GRAM = MIXING @ MIXING.T
STEP = 0.25


class Absolute(Problem):
    """s_k |x - m_k| in one dimension, answered by +-B with mean s_k sign(x - m_k).

    A draw u is uniform on the midpoints of a grid of four, the answer B where
    u < (1 + s_k/B sign(x - m_k))/2; for s_k/B in {0, 1/2, 1} its law is exact.
    """

    fields: ClassVar[dict[str, Field]] = {
        "slope": Field("N", (1, -1), required=True),
        "centre": Field("N d", (0, 1), required=True),
        "size": Field("", (1, -1), required=True),
    }
    law, noise_width = "finite", 1

    def noise_support(self) -> tuple[Array, Array]:
        """Four midpoints."""
        return np.array([1, 3, 5, 7]) / 8, np.full(4, 1 / 4)

    def own_losses(self, thetas: Array) -> Array:
        """s_k |x_k - m_k|."""
        return self.data["slope"] * generic.total(abs(thetas - self.data["centre"]))

    def own_gradients(self, thetas: Array) -> Array:
        """Subgradient, 0 at the kink."""
        return self.data["slope"][..., None] * torch.sign(thetas - self.data["centre"])

    def own_stochastic_gradients(self, thetas: Array, u: Array) -> Array:
        """B or -B."""
        size = self.data["size"][..., None, None]
        return size * torch.sign((1 + self.own_gradients(thetas) / size) / 2 - u)

    def own_gradient_variance(self, thetas: Array) -> Array:
        """B^2 - s_k^2 off the kink."""
        return self.data["size"][..., None] ** 2 - generic.total(self.own_gradients(thetas) ** 2)

    def heterogeneity(self, s: Any = 1) -> tuple[Array, Array]:
        """Not asked for."""
        raise NotImplementedError


def absolute(slope: list[float], centre: list[float], size: float) -> Absolute:
    data = {"slope": slope, "centre": np.array(centre)[:, None], "size": size}
    return Absolute({k: torch.as_tensor(np.asarray(v)) for k, v in data.items()})


def quadratic(dim: int = 1) -> Quadratic:
    """Skewed two-point noise, in two dimensions along (3/5, 4/5)."""
    curvature, optimum = np.array([1.0, 2.0]), np.array([[0.5, -1.0], [-0.25, 2.0]])[:, :dim]
    form = curvature[:, None, None] * np.eye(dim) if dim == 1 else np.stack([np.diag([1, 2.0])] * 2)
    along = {"direction": np.array([[0.6, 0.8]] * N)} if dim == 2 else {}
    return Quadratic(
        {
            "A": form,
            "xi": -optimum,
            "noise_scale": np.array([0.5, 1.5]),
            "half": True,
            "skew": np.array([1.0, 2.0]),
            "law": "two_point",
            **along,
        }
    )


def every_outcome(
    name: str, problem: Any, rounds: int, *, asynchronous: bool, start: float, **hyper: Any
) -> tuple[Any, Any]:
    """Models (R, T + 1, F, d) of all outcomes and awake agents, and the chances (R,)."""
    draws, chances = enumerate_outcomes(problem.noise_support(), rounds, N)
    tensors = problem.map(torch.as_tensor)
    known = {"step_size": STEP, "start": np.full(problem.dim, start), **hyper}
    awake = np.ones((1, rounds, N))
    if asynchronous:
        awake = np.eye(N)[np.array(list(product(range(N), repeat=rounds)))]
    times = len(awake)
    known["participation"] = np.repeat(awake, len(draws), axis=0)
    noise = Given(torch.as_tensor(np.tile(draws, (times, 1, 1, 1))))
    made = run(load_method(name), tensors, known, noise, rounds)
    return made.theta.numpy(), np.tile(chances, times) / times


def near(first: Any, second: Any) -> None:
    """Equal up to the rounding of sums of at most 32768 products of floats near one."""
    np.testing.assert_allclose(first, second, rtol=1e-12, atol=1e-12)


def law(points: Any, chances: Any) -> dict[tuple[float, ...], float]:
    """Places (R, ...) and their masses; data are dyadic, so that equal places are equal floats."""
    places, where = np.unique(np.round(points, 9), axis=0, return_inverse=True)
    masses = np.bincount(where.reshape(-1), weights=chances)
    return {tuple(p): float(m) for p, m in zip(places, masses, strict=True) if m > 0}


def same_laws(first: dict[Any, float], second: dict[Any, float]) -> bool:
    both = first.keys() | second.keys()
    return all(abs(first.get(p, 0) - second.get(p, 0)) < 1e-12 for p in both)


SLOPES, CENTRES, SIZE, BEGIN = [1.0, 2.0], [0.0, 0.5], 2.0, 0.25


def tree(weights: Any, rounds: int) -> Tree:
    slopes, centres, size, begin, step = map(np.array, (SLOPES, CENTRES, SIZE, BEGIN, STEP))
    return absolute_tree(weights, slopes, centres, size, begin, step, rounds)


ABSOLUTE: dict[str, tuple[str, dict[str, Any], Any]] = {
    "all-for-all": ("all_for_all", {}, GRAM),
    "adaptive": ("all_for_all_adaptive", {"mixings": np.stack([MIXING] * 2), "lengths": [1]}, GRAM),
    "averaging": ("weighted_averaging", {"oracle": "asynchronous"}, N * np.tile(MIXING[0], (N, 1))),
}


@pytest.mark.parametrize("label", ABSOLUTE)
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_tree_is_the_asynchronous_method_on_absolute_losses(label: str, rounds: int) -> None:
    name, more, weights = ABSOLUTE[label]
    mixing = {} if "mixings" in more else {"mixing": MIXING}
    points, chances = every_outcome(
        name,
        absolute(SLOPES, CENTRES, SIZE),
        rounds,
        asynchronous=True,
        start=BEGIN,
        **mixing,
        **more,
    )
    agents = points.shape[-2]
    made = tree(weights, rounds)
    for k in range(rounds + 1):
        found = law(points[:, k, :, 0], chances)
        assert same_laws(law(made.points[k][:, :agents], made.chances[k]), found)
    gaps = np.array(SLOPES)[:agents] * abs(points[:, -1, :, 0] - np.array(CENTRES)[:agents])
    exact = absolute_gaps(made, rounds, np.array(SLOPES), np.array(CENTRES))
    near(exact[:agents], chances @ gaps)


@pytest.mark.parametrize("label", ABSOLUTE)
def test_another_weight_in_the_tree_is_seen(label: str) -> None:
    """Negative control: the factor N left out, or W = Lambda in place of Lambda Lambda^T."""
    name, more, weights = ABSOLUTE[label]
    mixing = {} if "mixings" in more else {"mixing": MIXING}
    points, chances = every_outcome(
        name, absolute(SLOPES, CENTRES, SIZE), 1, asynchronous=True, start=BEGIN, **mixing, **more
    )
    wrong = tree(weights / N if label == "averaging" else MIXING, 1)
    agents = points.shape[-2]
    found = law(points[:, 1, :, 0], chances)
    assert not same_laws(law(wrong.points[1][:, :agents], wrong.chances[1]), found)


@pytest.mark.parametrize("name", ["weighted_averaging", "naive_all_for_all", "all_for_all"])
@pytest.mark.parametrize("helpers", [1, 2])
def test_the_lattice_is_the_method_on_equal_absolute_losses(name: str, helpers: int) -> None:
    """A group of one or of both agents; the first agent's model is looked at."""
    rounds, share, start = 3, 0.5, 0.5
    mixing = np.full((N, N), 1 / N) if helpers == N else np.eye(N)
    averaging = name != "all_for_all"
    points, chances = every_outcome(
        name,
        absolute([share * SIZE] * N, [0.0, 0.0], SIZE),
        rounds,
        asynchronous=True,
        start=start,
        mixing=mixing,
        **({"oracle": "asynchronous"} if averaging else {}),
    )
    move = STEP * SIZE / helpers * (N if averaging else 1)

    def lattice(move: float) -> Tree:
        one, awake = np.array(1.0), np.array(helpers / N)
        return absolute_lattice(share * one, start * one, move * one, awake, rounds)

    for k in range(rounds + 1):
        found, right, wrong = (
            law(points[:, k, :1, 0], chances),
            *(law(t.points[k], t.chances[k]) for t in (lattice(move), lattice(2 * move))),
        )
        assert same_laws(right, found)
        assert same_laws(wrong, found) == (k == 0)  # negative control


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_second_moments_of_all_for_all_are_the_method_s(rounds: int, asynchronous: bool) -> None:
    problem, start = quadratic(), 1.0
    points, chances = every_outcome(
        "all_for_all", problem, rounds, asynchronous=asynchronous, start=start, mixing=MIXING
    )
    error = points[..., 0] - problem.optimum[:, 0]
    found = np.einsum("r,rki,rkj->kij", chances, error, error)

    def exact(weights: Any) -> Any:
        return all_for_all_moments(
            weights,
            problem.hessian[:, 0, 0],
            start - problem.optimum[:, 0],
            problem.noise_variance,
            np.array(STEP),
            rounds,
            not asynchronous,
        )

    near(exact(GRAM), found)
    assert abs(np.array(exact(MIXING)) - found).max() > 1e-3  # negative control


@pytest.mark.parametrize("name", ["weighted_averaging", "naive_all_for_all"])
@pytest.mark.parametrize("dim", [1, 2])
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_mean_and_variance_of_averaging_are_the_method_s(name: str, dim: int, rounds: int) -> None:
    problem, start = quadratic(dim), 1.0
    if dim == 1:  # the recursion is for one common Hessian
        problem = Quadratic({**problem.data, "A": 0 * problem.data["A"] + 2})
    points, chances = every_outcome(
        name, problem, rounds, asynchronous=False, start=start, mixing=MIXING
    )
    axes = problem.data["direction"] ** 2 if dim == 2 else np.ones((N, 1))
    for agent in range(points.shape[-2]):
        last = points[:, -1, agent]  # (R, d)
        mean = chances @ last
        spread = chances @ (last - mean) ** 2

        def exact(weights: Any) -> Any:
            return averaging_moments(
                weights,
                problem.hessian[0].diagonal(),
                problem.optimum,
                np.full(dim, start),
                problem.noise_variance[:, None] * axes,
                np.array(STEP),
                rounds,
            )

        for known, measured in zip(exact(MIXING[agent]), (mean, spread), strict=True):
            near(known, measured)
        for known, measured in zip(exact(N * MIXING[agent]), (mean, spread), strict=True):
            assert abs(known - measured).max() > 1e-3  # negative control: N times the weights
