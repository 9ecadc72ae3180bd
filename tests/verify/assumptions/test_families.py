"""On every family of problems the search agrees with the constants that the family claims."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from synthetic.problem import Problem
from synthetic.registry import make
from verify.assumptions import assess, decide

NOISE = {
    "sigma": np.ones(2),
    "noise_scale": np.ones(2),
    "skew": np.ones(2),
    "law": "two_point",
}
BUMPS = {"height": np.array([1.0, 2.0]), "centre": np.array([[0.0], [1.0]]), **NOISE}
ROWS = np.random.default_rng(5).normal(size=(2, 6, 2))

PROBLEMS: dict[str, Any] = {
    "pl": BUMPS,
    "nonconvex": BUMPS,
    "double_well": BUMPS,
    "parabolas": {
        "upper": np.array([1.0, 2.0]),
        "lower": np.zeros(2),
        "vertex": np.array([[[0.0], [1.0], [2.0]], [[0.0], [-1.0], [1.0]]]),
        "height": np.array([[0.0, 0.5, 1.5], [0.0, 1.0, 2.0]]),
        **NOISE,
    },
    "logistic": {
        "X": ROWS,
        "y": np.where(ROWS[..., 0] + ROWS[..., 1] ** 2 > 0.5, 1.0, -1.0),
        "ridge": np.array(0.1),
    },
    "least_squares": {"X": ROWS, "y": ROWS[..., 0] ** 2},
    "streaming": {
        "H": np.array([[[1.0, 0.0], [0.0, 2.0]], [[2.0, 0.0], [0.0, 1.0]]]),
        "targets": np.array([[0.0, 0.0], [1.0, 1.0]]),
        "label_variance": np.ones(2),
    },
}

REACHED = ("pl", "nonconvex", "double_well", "parabolas", "least_squares", "streaming")
"""Families whose constants are attained, not only bounds."""


def problem(name: str) -> Problem:
    return make(name, PROBLEMS[name])


LONG = ("logistic", "parabolas")
families = pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] if n in LONG else []) for n in PROBLEMS]
)


@families
def test_no_claimed_constant_is_refuted(name: str) -> None:
    one = problem(name)
    claimed = {
        "smoothness": one.smoothness,
        "strong convexity": one.strong_convexity,
        "PL": one.pl_constant,
    }
    if type(one).bounded_variance:
        claimed["bounded variance"] = one.noise_variance.max()
    for assumption, value in claimed.items():
        found = decide(one, assumption, float(value))
        assert found.holds is not False, found


@families
def test_less_than_the_attained_constant_is_refuted(name: str) -> None:
    one = problem(name)
    share = 0.98 if name in REACHED else 0.8
    assert decide(one, "smoothness", share * float(one.smoothness)).holds is False
    above = float(one.strong_convexity) + (1 - share) * float(one.smoothness)
    assert decide(one, "strong convexity", above).holds is False
    found = assess(one)["smoothness"]
    assert found.witness is not None
    x, y = map(np.array, found.witness["points"])
    (k,) = found.witness["clients"]
    change = one.gradients(x)[k] - one.gradients(y)[k]
    assert np.linalg.norm(change) >= share * float(one.smoothness) * np.linalg.norm(x - y)
