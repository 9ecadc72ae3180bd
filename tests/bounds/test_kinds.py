"""Every closed form gives one value on floats, tensors, fractions and balls."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

import bounds
from bounds.generic import kind, to_float
from bounds.numbers import Ball, as_rational
from tests.each import each

B2, C = [[0, 1, 2]], [[0, "1/4", "1/8"]]
R, S2, G2 = [[1, "3/4", "1/4"]], [[1, 2, "1/2"]], ["9/4"]
ONE, HALF, THREE = ["1"], ["1/2"], ["3"]
GRADIENTS = [[[1, 2], [2, 2], [-1, 0]]]
A, XI = [[[[2, 1], [1, 3]], [[1, 0], [0, 2]]]], [[[1, 0], [0, "1/2"]]]
CALLS: dict[str, tuple[Any, ...]] = {
    "similarity_ratio": (GRADIENTS,),
    "ratio_from_squares": (B2, G2),
    "phi_binary": (R, HALF),
    "collaboration_weights": (R, R, S2),
    "effective_variance": (R, R, S2),
    "weighted_variance": (R, R, S2),
    "weight_sum": (R, R, S2),
    "step_size_limit": (R, R, S2, THREE),
    "step_ratio_lower": (S2,),
    "batch_weight_scale": (R, S2),
    "bias_and_slope": (A, XI),
    "sufficient_ratio": (B2, C, HALF, THREE),
    "sufficient_ratio_best": (B2, C, HALF, THREE),
    "sufficient_ratio_limit_zero": (B2, C),
    "sufficient_variance_lower": (ONE, HALF, THREE),
    "lemma1_upper": (HALF, ONE, R, S2, G2, B2),
    "lemma1_before_jensen_upper": (HALF, ONE, R, S2, G2, ONE, HALF),
    "s1_upper": (HALF, ONE, R, HALF, G2),
    "s2_upper": (HALF, ONE, THREE, G2),
    "best_weights": (HALF, ONE, S2, G2, B2),
    "lemma1_step_limit": (THREE, R),
    "theorem1_upper": (THREE, HALF, HALF, ONE, S2),
    "recursion_upper": (THREE, R, HALF, ONE, S2),
    "theorem2_constant_upper": (THREE, HALF, HALF, ONE, G2, 4),
    "theorem2_constant_geometric_upper": (THREE, HALF, HALF, ONE, G2, 4),
    "horizon_step_size": (THREE, HALF, ONE, G2, 4),
    "theorem2_horizon_upper": (THREE, HALF, ONE, G2, 4),
    "decreasing_shift": (THREE, HALF, ONE),
    "theorem2_decreasing_upper": (THREE, HALF, ONE, G2, 4, 2, THREE),
    "theorem2_decreasing_bcn_upper": (THREE, HALF, ONE, G2, 4, 2, THREE),
    "theorem3_step_size": (THREE, ONE, G2, 4, HALF),
    "theorem3_upper": (THREE, HALF, ONE, G2, 4),
    "theorem3_closed_upper": (THREE, ONE, G2, 4, HALF),
    "sample_complexity_upper": (THREE, HALF, ONE, G2, HALF, 2, THREE),
    "equal_variance_iterations_upper": (HALF, ONE, G2, HALF, 2, THREE, HALF),
}


def _ball(x: Any) -> Any:
    return np.frompyfunc(Ball, 1, 1)(as_rational(x))


CASTS = {
    "float": lambda x: to_float(as_rational(x)),
    "torch": lambda x: torch.tensor(to_float(as_rational(x))),
    "exact": as_rational,
    "ball": _ball,
}


def _values(result: Any) -> list[Any]:
    if isinstance(result, dict):
        return list(result.values())
    return list(result) if isinstance(result, tuple) else [result]


@each("name", sorted(CALLS))
def test_kinds_agree(name: str) -> None:
    results = {}
    for world, cast in CASTS.items():
        args = [a if isinstance(a, int) else cast(a) for a in CALLS[name]]
        results[world] = _values(getattr(bounds, name)(*args))
        expected_kind = "exact" if world == "ball" else world
        assert all(kind(v) == expected_kind for v in results[world])
    for world, values in results.items():
        for found, expected in zip(values, results["exact"], strict=True):
            # 1e-12: a few roundings, one small matrix inverse
            np.testing.assert_allclose(
                to_float(found), to_float(expected), rtol=1e-12, atol=1e-15, err_msg=world
            )


def test_printed_forms_are_not_exported() -> None:
    assert not [name for name in bounds.__all__ if name.endswith("_printed")]
    assert sorted(bounds.__all__) == sorted(set(bounds.__all__))
    assert all(hasattr(bounds, name) for name in bounds.__all__)


def test_bounds_does_not_import_torch() -> None:
    import subprocess
    import sys

    code = "import bounds, sys; print([m for m in ('torch', 'scipy', 'sympy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_any_number_of_clients_goes_through_the_weights() -> None:
    import sympy

    from bounds.numbers.formal import Axis, listed
    from bounds.numbers.symbolic import Symbolic, client_symbol

    (k, clients), axis = client_symbol(), Axis.of(4, 0)
    r, s = (sympy.IndexedBase(n, positive=True) for n in "rs")
    with listed(axis):
        ratio, sigma2 = (
            np.array([Symbolic(base[mark]) for mark in axis.marks], dtype=object) for base in (r, s)
        )
        psi_sum = sympy.Sum(r[k] ** 2 / s[k], (k, 1, clients))
        assert bounds.effective_variance(ratio, ratio, sigma2).expr == 1 / psi_sum
        weights = bounds.collaboration_weights(ratio, ratio, sigma2)
        first = axis.marks[0]
        assert weights[0].expr == r[first] / (psi_sum * s[first])
        eta, beta = (Symbolic(symbol) for symbol in sympy.symbols("eta beta", positive=True))
        terms = bounds.lemma1_upper(eta, beta, ratio, sigma2, 1, ratio)
    assert terms["noise"].expr.has(sympy.Sum(r[k] ** 2 * s[k], (k, 1, clients)))
