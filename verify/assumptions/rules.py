"""How the constant of each assumption is found: a closed form, or the worst point of the region."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

from verify.assumptions import ratios
from verify.assumptions.affine import bias, least_slope, pairs_of
from verify.assumptions.records import LARGEST, Constant
from verify.assumptions.search import over_region
from verify.assumptions.source import BoxedLosses

__all__ = ["ASSUMPTIONS"]

Array = np.ndarray[Any, Any]


def _smoothness(source: BoxedLosses, seed: int, _: float) -> Constant:
    if source.quadratic is not None:
        return _exact("smoothness", "L", source.quadratic.client_smoothness, source, top=True)
    return _over_clients("smoothness", "L", source, ratios.gradient_change, seed, pairs=True)


def _strong_convexity(source: BoxedLosses, seed: int, _: float) -> Constant:
    if source.quadratic is not None:
        found = source.quadratic.client_strong_convexity
        return _exact("strong convexity", "mu", found, source, top=False)
    return _over_clients("strong convexity", "mu", source, ratios.flatness, seed, pairs=True)


def _pl(source: BoxedLosses, seed: int, _: float) -> Constant:
    if source.quadratic is not None and (source.quadratic.client_strong_convexity > 0).all():
        found = source.quadratic.client_strong_convexity
        return _exact("PL", "mu", found, source, top=False, pair=False)
    if source.values is None or source.minima is None:
        return Constant("PL", "mu", None, reason="needs values= and minima=")
    return _over_clients("PL", "mu", source, ratios.pl_inverse, seed)


def _variance(source: BoxedLosses, seed: int, _: float) -> Constant:
    if source.variance is None:
        return Constant("bounded variance", "sigma^2", None, reason="needs stochastic gradients")
    return _over_clients("bounded variance", "sigma^2", source, ratios.variance, seed)


def _expected(source: BoxedLosses, seed: int, _: float) -> Constant:
    known = (source.outcomes, source.values, source.minima, source.optima)
    if any(part is None for part in known):
        return Constant(
            "expected smoothness", "L", None, reason="needs a problem whose noise can be listed"
        )
    return _over_clients("expected smoothness", "L", source, ratios.expected_smoothness, seed)


def _affine(source: BoxedLosses, seed: int, slope: float) -> Constant:
    name, symbol = "affine dissimilarity", f"b^2, c={slope:g}"
    if source.clients < 2:
        return Constant(name, symbol, None, reason="needs two clients")
    worst = max(
        ((bias(source, (i, k), slope, seed), (i, k)) for i, k in pairs_of(source)),
        key=lambda found: found[0][0],
    )
    (value, place, exact), (i, k) = worst
    if not np.isfinite(value):
        least = max(least_slope(source, pair) for pair in pairs_of(source))
        return Constant(
            name,
            symbol,
            None,
            True,
            reason=f"no b serves on all of R^d: c must be above {least:.6g}; see curve()",
            unbounded=True,
        )
    witness = None if place is None else {"point": place.tolist(), "clients": [i, k]}
    return Constant(name, symbol, value, exact, (), witness)


def _to_mean(source: BoxedLosses, seed: int, slope: float) -> Constant:
    value, place, _ = bias(source, None, slope, seed)
    witness = None if place is None else {"point": place.tolist()}
    return Constant("dissimilarity to mean", f"G^2, B^2={slope:g}", value, False, (), witness)


def _hessians(source: BoxedLosses, seed: int, _: float) -> Constant:
    name = "similar hessians"
    if source.clients < 2:
        return Constant(name, "delta", None, reason="needs two clients")
    pairs = list(combinations(range(source.clients), 2))
    if source.quadratic is not None:
        hessian = np.asarray(source.quadratic.hessian, float)
        found = [float(np.linalg.norm(hessian[i] - hessian[k], 2)) for i, k in pairs]
        i, k = pairs[int(np.argmax(found))]
        values, vectors = np.linalg.eigh(hessian[i] - hessian[k])
        step = vectors[:, int(np.abs(values).argmax())]
        place = {"points": [(0 * step).tolist(), step.tolist()], "clients": [i, k]}
        return Constant(name, "delta", max(found), True, tuple(found), place)
    made = [over_region(source, ratios.similarity(source, i, k), seed, True) for i, k in pairs]
    best = int(np.argmax([value for value, _ in made]))
    witness = {"points": _split(made[best][1]), "clients": list(pairs[best])}
    return Constant(name, "delta", made[best][0], False, tuple(v for v, _ in made), witness)


def _value_bias(source: BoxedLosses, *_: float) -> Constant:
    name, symbol = "function-value bias", "Delta"
    if source.values is None or source.minima is None or source.optima is None:
        return Constant(name, symbol, None, reason="needs values=, minima= and optima=")
    gaps = source.values(source.optima) - source.minima  # (N who helps, N who asks)
    k, i = np.unravel_index(int(np.argmax(gaps)), gaps.shape)
    witness = {"point": source.optima[k].tolist(), "clients": [int(i), int(k)]}
    return Constant(name, symbol, float(gaps.max()), True, tuple(gaps.max(0)), witness)


ASSUMPTIONS: dict[str, Callable[[BoxedLosses, int, float], Constant]] = {
    "smoothness": _smoothness,
    "strong convexity": _strong_convexity,
    "PL": _pl,
    "bounded variance": _variance,
    "expected smoothness": _expected,
    "affine dissimilarity": _affine,
    "dissimilarity to mean": _to_mean,
    "similar hessians": _hessians,
    "function-value bias": _value_bias,
}
"""Every assumption by its name."""


def _exact(
    name: str, symbol: str, found: Any, source: BoxedLosses, top: bool, pair: bool = True
) -> Constant:
    """A closed form of a quadratic; its witness is a step along the extreme eigenvector."""
    assert source.quadratic is not None
    values = np.asarray(found, float)
    k = int(values.argmax() if top else values.argmin())
    _, vectors = np.linalg.eigh(np.asarray(source.quadratic.hessian, float)[k])
    optimum = np.asarray(source.quadratic.optimum, float)[k]
    away = optimum + vectors[:, -1 if top else 0]
    place = {"points": [optimum.tolist(), away.tolist()]} if pair else {"point": away.tolist()}
    return Constant(name, symbol, float(values[k]), True, tuple(values), {**place, "clients": [k]})


def _over_clients(
    name: str, symbol: str, source: BoxedLosses, rule: Any, seed: int, pairs: bool = False
) -> Constant:
    made = [over_region(source, rule(source, k), seed, pairs) for k in range(source.clients)]
    k = int(np.argmax([value for value, _ in made]))
    sign = -1.0 if name in LARGEST else 1.0
    value, place = made[k]
    if not np.isfinite(value):
        return Constant(name, symbol, None, reason="no point of the region tells")
    split = {"points": _split(place)} if pairs else {"point": place.tolist()}
    found = tuple(sign * v for v, _ in made)
    return Constant(name, symbol, sign * value, False, found, {**split, "clients": [k]})


def _split(place: Array) -> list[list[float]]:
    return [half.tolist() for half in np.split(place, 2)]
