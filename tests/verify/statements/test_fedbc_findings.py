"""Instances behind the findings, computed apart from the statements."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from verify.catalogue.paper import paper
from verify.claim.instance import Instance
from verify.statements import fedbc
from verify.world.referee import Rescored, rescore

LEAVES = {leaf.key: leaf for leaf in paper(fedbc)}
F = Fraction


def exact(value: Any) -> Any:
    """An array of fractions."""
    return np.vectorize(F, otypes=[object])(np.array(value, dtype=object))


def run(
    key: str,
    height: Any,
    centre: Any,
    multipliers: Any,
    starts: Any,
    *,
    width: Any = 1,
    server: Any = 0,
    most: Any = None,
    gamma: Any = None,
    dual_step: Any = 1,
    **more: Any,
) -> Rescored:
    """Exact sides on double wells, which are quadratics of curvature height/width^2 near them."""
    n = len(height)
    reals = {
        "multipliers": multipliers,
        "lambda_min": min(multipliers),
        "lambda_max": max(multipliers) if most is None else most,
        "start": [server],
        "starts": [[x] for x in starts],
        "gamma": gamma or n * [0],
        "dual_step": dual_step,
    }
    constants = {"S": n, "rounds": 1, "local": "argmin"}
    for name, value in more.items():
        (constants if isinstance(value, (int, str)) else reals)[name] = value
    data = {"height": height, "centre": [[c] for c in centre], "width": width}
    made = Instance(
        "double_well",
        {k: exact(v) for k, v in data.items()},
        "fedbc",
        {**{k: exact(v) for k, v in reals.items()}, **constants},
    )
    return rescore(LEAVES[f"fedbc.{key}"], made)


def broken(found: Rescored, left: Any, right: Any) -> None:
    assert (found.left, found.right) == (left, right)
    assert found.violated


def test_a_third_of_the_moves_is_too_little() -> None:
    """f = x^2/2, lambda = 2, M_1 = 5: gradients of 5 each, and one device of three moves by 1."""
    found = run("lemmaB1i@A", [1, 1, 1], [0, 0, 0], [2, 2, 2], [1, 1, 1], S=1)
    broken(found, 25, F(50, 3))


def test_epsilon_needs_a_factor_that_does_not_shrink_with_m1() -> None:
    """f = x^2/8, lambda = 1/8, M_1 = 1/2: one step of 1/10 from 1 to 19/20."""
    found = run(
        "lemmaB1i@V+printed+as-met",
        [F(1, 4)],
        [0],
        [F(1, 8)],
        [1],
        local="gradient",
        local_steps=1,
        step_size=F(1, 10),
        virtual=True,
    )
    moved, residual = F(1, 20), F(19, 40)
    broken(found, F(1, 4), (moved**2 + residual**2) / 2)


@pytest.mark.parametrize("key", ["eq26@A", "eq27@A"])
def test_a_device_that_waits_has_a_gradient(key: str) -> None:
    found = run(key, [1, 1], [0, 0], [1, 1], [1, 1], S=1)
    assert found.violated
    assert found.right == 0


def test_models_depend_on_the_sampled_set() -> None:
    """The second device's solution is 2/3, the first one stays at 0."""
    found = run("eq50-53/mean@A", [1, 1], [0, F(10, 3)], [2, 2], [0, 0], width=1, S=1)
    assert found.violated
    assert found.left == 2 * found.right


def test_one_residual_of_two() -> None:
    """L = (3, 1/4), a = (4, 5/4): models at -1/11 and 4/11, residuals -1 and 1."""
    found = run(
        "eq58@printed",
        [3, F(1, 4)],
        [0, 0],
        [4, F(5, 4)],
        [F(-2, 11), F(32, 77)],
        local="gradient",
        local_steps=1,
        step_size=F(1, 22),
    )
    broken(found, F(5, 11), F(1, 4) + F(1, 16) * F(31, 44))


def test_a_larger_tolerance_may_be_passed_more_often() -> None:
    """f = x^2/2 and (x - 2)^2/2: the signs are 1, -1 for gamma = 3/125, and 1, 1 for 39/1000."""
    found = run(
        "corollary46.remark@runs",
        [64, 64],
        [0, 2],
        [2, 2],
        [1, 1],
        width=8,
        server=1,
        most=3,
        gamma=[F(3, 125), 0],
        more=[F(15, 1000), 0],
        dual_step=64,
        rounds=2,
    )
    broken(found, 1, 0)


def test_a_run_that_stands_still_where_f_is_not_stationary() -> None:
    """Exact solutions 1 +- 81/733 beside z = 1, whose squared distances are gamma."""
    height, width, lam, other = F(27, 2), F(1, 3), F(245, 2), F(980, 2199)
    gap = F(81, 733)
    stiff = height / width**2
    assert stiff == lam - 1
    assert lam < (1 + stiff) ** 2 / stiff
    dual = 16 * F(1304, 733) ** 4 + gap**4
    at = [height * 1 * (1 - 4 * width) / width**2, height * (2 - (1 - other) / width) / width]
    left = (sum(at) / 2) ** 2
    found = run(
        "explicit90@printed",
        [height, height],
        [0, other],
        [lam, lam],
        [1, 1],
        width=width,
        server=1,
        gamma=[gap**2, gap**2],
        dual_step=F(2, 10**9),
        rounds=2,
        horizon=2**20,
    )
    assert left == F(19683, 1466) ** 2
    assert found.left == left
    assert found.violated
    step = 2 * F(2, 10**9) * (stiff + 2 * lam) ** 2 * dual**2
    assert step < found.right < F(726, 10)
