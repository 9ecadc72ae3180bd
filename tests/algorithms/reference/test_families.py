"""Engine and twin on every problem family, and the twin in ball arithmetic."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
import torch

from algorithms.engine.run import run
from algorithms.reference.run import reference_run
from algorithms.registry import load_method
from bounds.numbers import Ball
from bounds.numbers.validate import InvalidInput
from synthetic.noise.sources import Given
from synthetic.quadratic import Quadratic
from synthetic.registry import FAMILIES, make
from tests.algorithms.cases import CASES, DATA, Case, dyadic_draws, floats, gap, rational
from tests.each import each

N, D, T = 3, 2, 3
_CENTRES = np.array([[0.5, 1.0], [-0.25, 0.75], [0.0, -1.0]])
_CURVED: dict[str, Any] = {
    "height": np.array([1.0, 2.0, 0.5]),
    "centre": _CENTRES,
    "law": "gaussian",
    "noise_scale": np.array([1.0, 0.5, 0.25]),
}
DATA_OF: dict[str, dict[str, Any]] = {
    "quadratic": floats(DATA),
    "pl": _CURVED,
    "nonconvex": _CURVED,
    "double_well": _CURVED,
    "streaming": {
        "H": floats(DATA)["A"],
        "targets": _CENTRES,
        "batch": 2,
        "sigma": np.ones(N),
    },
    "least_squares": {
        "X": np.arange(24).reshape(N, 4, D) % 7 / 4 - 0.5,
        "y": np.arange(12).reshape(N, 4) % 5 / 4,
        "batch": 2,
        "sigma": np.ones(N),
    },
}
DATA_OF["parabolas"] = {
    "upper": np.array([1.0, 2.0, 0.5]),
    "lower": np.array([0.25, 0.0, -0.5]),
    "vertex": np.arange(18).reshape(N, 3, D) % 7 / 4 - 0.5,
    "height": np.arange(9).reshape(N, 3) / 8,
    "law": "gaussian",
    "noise_scale": np.array([1.0, 0.5, 0.25]),
}
DATA_OF["cuts"] = {
    "lipschitz": np.array([1.0, 2.0, 0.5]),
    "tilt": np.arange(18).reshape(N, 3, D) % 7 / 4 - 0.5,
    "drop": np.arange(9).reshape(N, 3) / 8,
    "centre": _CENTRES,
    "law": "gaussian",
    "noise_scale": np.array([1.0, 0.5, 0.25]),
}
_STRETCHES: dict[str, Any] = {
    "span": 1 + np.arange(24).reshape(N, D, 2, 2) % 5 / 4,
    "bend": np.arange(24).reshape(N, D, 2, 2) % 7 / 4 - 0.5,
    "tail": np.ones((N, D, 2)),
    "centre": _CENTRES,
    "turn": _CENTRES[::-1] / 2,
    "law": "gaussian",
    "noise_scale": np.array([1.0, 0.5, 0.25]),
}
_ONES, _SHARES = np.ones(N), np.full((N, D), 0.5)
DATA_OF["profiles"] = {**_STRETCHES, "upper": _ONES, "rule": "growth"}
DATA_OF["generalised_profiles"] = {**_STRETCHES, "L0": _ONES, "L1": _ONES / 4}
DATA_OF["hoelder_profiles"] = {
    **_STRETCHES,
    "hoelder": _ONES,
    "exponent": np.array(0.5),
    "level": 4 * _SHARES,
    "blend": _SHARES,
    "share": _SHARES,
}
DATA_OF["cocoercive"] = {**_STRETCHES, "cocoercivity": _ONES, "lean": _CENTRES}
DATA_OF["monotone"] = {**_STRETCHES, "upper": _ONES, "swirl": _ONES / 2}
NO_BIAS = ("profiles", "generalised_profiles", "hoelder_profiles", "cocoercive", "monotone")
"""Families that know no heterogeneity, so that methods whose weights need it refuse them."""
DATA_OF["logistic"] = {
    "X": DATA_OF["least_squares"]["X"],
    "y": np.where(np.arange(12).reshape(N, 4) % 3 == 0, 1.0, -1.0),
    "ridge": np.array(0.5),
    "optimum": _CENTRES,
    "batch": 2,
}
DATA_OF["log_cosh"] = {**DATA_OF["logistic"], "y": DATA_OF["least_squares"]["y"]}
DATA_OF["growing"] = {
    "root": floats(DATA)["A"],
    "targets": _CENTRES,
    "radius": np.array(1.0),
    "label_scale": np.array([0.5, 0.25, 0.0]),
}
_SETTINGS = [
    ("all_for_one", {"weights": "true"}),
    ("all_for_one", {"weights": "estimated", "b_alpha": 2}),
    ("local", {}),
    ("fedavg", {"local_steps": 2}),
    ("fedbc", {"local": "gradient", "multipliers": 0.5, "dual_step": 0.25, "gamma": 0.125}),
]


@each("family", FAMILIES)
@each(("name", "extra"), _SETTINGS)
def test_engine_equals_twin_on_every_family(family: str, name: str, extra: dict[str, Any]) -> None:
    problem, method = make(family, DATA_OF[family]), load_method(name)
    if family in NO_BIAS and extra.get("weights") == "true":
        with pytest.raises(InvalidInput, match="knows its heterogeneity"):
            problem.heterogeneity()
        return
    hyper = {"step_size": 0.03125, "start": np.array([1.5, -1.0]), **extra}
    rng = np.random.default_rng(3)
    shape = (2, T, method.slots(N, hyper), problem.noise_width)
    draws = rng.normal(size=shape) if problem.law == "gaussian" else rng.integers(0, 4, shape) / 1.0
    found = run(method, problem.map(torch.as_tensor), hyper, Given(torch.as_tensor(draws)), T)
    for r in range(2):
        expected = reference_run(name, problem, hyper, draws[r], T)
        # rounding of a few hundred operations
        assert gap(found.theta[r].numpy(), expected["theta"]) < 1e-12


def test_exact_local_solves_need_quadratics() -> None:
    problem = make("pl", _CURVED).map(torch.as_tensor)
    with pytest.raises(InvalidInput, match="local must be 'gradient'"):
        run(load_method("fedprox"), problem, {"mu": 1.0, "start": np.ones(D)}, None, 1)


@each("case", CASES)
def test_ball_twin_encloses_the_fraction_twin(case: Case) -> None:
    balls = np.frompyfunc(lambda x: Ball(x, x) / 3 * 3, 1, 1)
    draws = rational(dyadic_draws(case, 1)[0])
    hyper = {**case.hyper}
    for name in ("start", "starts"):
        if name in hyper:
            hyper[name] = balls(hyper[name])
    exact = reference_run(case.method, Quadratic(DATA), case.hyper, draws, T)["theta"]
    loose = reference_run(case.method, Quadratic(DATA), hyper, draws, T)["theta"]
    pairs = list(zip(np.ravel(loose), np.ravel(np.array(exact, dtype=object)), strict=True))
    assert all(ball.lo <= number <= ball.hi for ball, number in pairs)
    assert max(Q(ball.rad) for ball, _ in pairs) < Q(1, 10**20)


def test_ball_twin_splits_no_hairs() -> None:
    """A ratio whose sign is open becomes a ball from zero up, not an error."""
    wide = Ball(Q(-1, 8), Q(1, 8))
    data = {"A": rational([[[1]], [[1]]]), "xi": rational([[0], [1]]), "sigma": rational([1, 1])}
    hyper = {"step_size": Q(1, 8), "start": np.array([1 + wide], dtype=object)}
    draws = rational(np.zeros((1, 4, 1)))
    out = reference_run("all_for_one", Quadratic(data), hyper, draws, 1)
    assert out["ratio"][0][0][1].lo >= 0
