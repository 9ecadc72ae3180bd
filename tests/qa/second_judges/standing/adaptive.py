"""Second judges of the main results of `adaptive` that stand: Definitions 1 and 2."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as Q
from random import Random
from typing import Any

from tests.qa.second_judges.federation import Federation
from tests.qa.second_judges.standing.record import Standing, between, log_between


def _weights_of_any_phi(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    """Ratios in [0, 1] and a phi that does not fall, is 0 at 0 and at most the identity."""
    many = int(sizes["N"])
    while True:
        ratio = sorted(between(rng, 0, 1) for _ in range(many))
        value, phi = Q(0), []
        for r in ratio:
            value = max(value, r * between(rng, 0, 1)) if r else Q(0)
            phi.append(value)
        phi = [phi[ratio.index(r)] for r in ratio]  # one value at one ratio
        order = rng.sample(range(many), many)
        if any(r * f for r, f in zip(ratio, phi, strict=True)):
            share = [f / r if r else Q(0) for r, f in zip(ratio, phi, strict=True)]
            return {
                "ratio": [ratio[j] for j in order],
                "phi_share": [share[j] for j in order],
                "sigma2": [log_between(rng, -4, 4) for _ in range(many)],
            }


class _Weights:
    """Definition 1: alpha_k = phi(r_k) sigma_psi^2/sigma_k^2, psi(x) = x phi(x)."""

    def __init__(self, p: Any) -> None:
        self.p, self.n = p, range(len(p.ratio))
        self.alpha = [p.phi[k] * self.variance(1, 1) / p.sigma2[k] for k in self.n]

    def variance(self, ratio: int, phi: int) -> Q:
        """sigma_f^2 for f = r^ratio phi^phi."""
        p = self.p
        return 1 / sum(p.ratio[k] ** ratio * p.phi[k] ** phi / p.sigma2[k] for k in self.n)


def _fair(p: Any) -> bool:
    pairs = list(zip(p.ratio, p.phi, strict=True))
    return all(0 <= f <= r <= 1 for r, f in pairs) and any(r * f > 0 for r, f in pairs)


def _drift(p: Any) -> tuple[Q, Q]:
    w = _Weights(p)
    return sum((a * r for a, r in zip(w.alpha, p.ratio, strict=True)), Q(0)), Q(1)


def _sum(p: Any) -> tuple[Q, Q]:
    w = _Weights(p)
    return sum(w.alpha, Q(0)), w.variance(1, 1) / w.variance(0, 1)


def _sum_bound(p: Any) -> tuple[Q, Q]:
    return Q(1), _sum(p)[1]


def _variance(p: Any) -> tuple[Q, Q]:
    w = _Weights(p)
    left = sum((a * a * s for a, s in zip(w.alpha, p.sigma2, strict=True)), Q(0))
    return left, w.variance(1, 1) ** 2 / w.variance(0, 2)


def _variance_bound(p: Any) -> tuple[Q, Q]:
    return _variance(p)[1], _Weights(p).variance(1, 1)


# -- Definition 2 ----------------------------------------------------------------------------------


def _constants(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    """Any b and c, of the own pair 0 (the difference of a client to itself vanishes)."""
    many = int(sizes["N"])
    return {
        "bias": [Q(0)] + [between(rng, 0, 4) for _ in range(many - 1)],
        "slope": [Q(0)] + [between(rng, 0, 2) for _ in range(many - 1)],
        "sigma2": [log_between(rng, -4, 4) for _ in range(many)],
        "mu": log_between(rng, -4, 4),
        "threshold": between(rng, Q(1, 8), 1),
        "precision": log_between(rng, -6, 4),
        "factor": 1 + between(rng, 0, 8),
    }


def _constants_alone(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    found = _constants(rng, sizes)
    del found["factor"]
    return found


def _phi(p: Any, x: Q) -> Q:
    if p.phi == "binary":
        return p.threshold if x >= p.threshold else Q(0)
    return x if p.phi == "continuous" else x ** int(p.exponent)


def _sufficient(p: Any, precision: Q) -> Q:
    """sigma_suf^2(eps) with b over 2 mu eps, as printed."""
    total = Q(0)
    for k, (b, c) in enumerate(zip(p.bias, p.slope, strict=True)):
        x = Q(1) if k == 0 else max(Q(0), 1 - b / (2 * p.mu * precision) - c)
        total += x * _phi(p, x) / p.sigma2[k]
    return 1 / total


def _decreasing(p: Any) -> tuple[Q, Q]:
    """At a precision that is `factor` times as large the variance is not larger."""
    return _sufficient(p, p.factor * p.precision), _sufficient(p, p.precision)


def _limit(p: Any) -> tuple[Q, Q]:
    """It does not fall as eps falls, and stays below what client i has alone: it has a limit."""
    return _sufficient(p, p.precision), p.sigma2[0] / _phi(p, Q(1))


def _low_precision(p: Any) -> tuple[Q, Q]:
    """1/sigma^2 is within a rate that vanishes of 1/limit: x^2 has slope 2 at most on [0, 1]."""
    limit = sum(
        max(Q(0), 1 - c * (k > 0)) ** 2 / s
        for k, (c, s) in enumerate(zip(p.slope, p.sigma2, strict=True))
    )
    rate = sum(b / (p.mu * p.precision) / s for b, s in zip(p.bias, p.sigma2, strict=True))
    return abs(1 / _sufficient(p, p.precision) - limit), rate


def _argument(p: Any, k: int) -> Q:
    return max(Q(0), 1 - p.bias[k] / (2 * p.mu * p.precision) - p.slope[k])


def _is_member(p: Any) -> bool:
    x = _argument(p, 1)
    return x * _phi(p, x) > 0


def _excluded(p: Any) -> tuple[Q, Q]:
    """Client 1 in the cluster has c = 1 - b/(2 mu eps) - x <= 1 - x < 1: none with c >= 1 is."""
    return p.slope[1] + _argument(p, 1), Q(1)


def _similar_constants(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    """Small b and c, so that client 1 is often in the cluster."""
    found = _constants_alone(rng, sizes)
    many = len(found["bias"])
    found["slope"] = [Q(0)] + [between(rng, 0, Q(3, 4)) for _ in range(many - 1)]
    level = 2 * found["mu"] * found["precision"]
    found["bias"] = [Q(0)] + [level * between(rng, 0, Q(1, 8)) for _ in range(many - 1)]
    found["threshold"] = Q(1, 8)
    return found


def _steeper(rng: Random, _: Mapping[str, Any]) -> dict[str, Any]:
    """Client 1 at least twice as steep, so c_ik >= 1, and gradients that are alike far away."""
    steep = Q(2) + between(rng, 0, Q(1, 8))
    start = 4 * rng.choice([-1, 1])
    other = start - (Q(start) + between(rng, -1, 1) / 4) / steep * between(rng, Q(3, 4), 1)
    return {
        "curvature": [[Q(1)], [steep]],
        "optimum": [[Q(0)], [other]],
        "sigma": [log_between(rng, -3, 3), log_between(rng, -3, 3)],
        "noise_share": [Q(1), Q(1)],
        "skew": [Q(1), Q(1)],
        "start": [Q(start)],
        "tradeoff": 1 + between(rng, Q(1, 8), 1),
        "threshold": Q(1, 8),
        "step_share": Q(1, 2),
    }


def _far_client(p: Any) -> bool:
    """c_ik >= 1, and client 1 is in the effective cluster: alpha_1 > 0."""
    g = Federation(p.raw)
    return g.dissimilarity(1)[1] >= 1 and g.weights(g.start)[1] > 0


def _helps(p: Any) -> tuple[Q, Q]:
    """Its help halves the variance of client i alone: one instance is enough."""
    g = Federation(p.raw)
    return 2 * g.effective(g.start), g.sigma2[0]


STANDING = (
    *(
        Standing((key,), words, (0, 1), _weights_of_any_phi, sides, _fair)
        for key, words, sides in (
            ("adaptive.def1.drift", "Definition 1: sum alpha r = 1", _drift),
            ("adaptive.def1.sum/value", "sum alpha = (sigma_psi/sigma_phi)^2", _sum),
            ("adaptive.def1.sum/bound", "(sigma_psi/sigma_phi)^2 >= 1", _sum_bound),
            ("adaptive.def1.var/value", "sum (alpha sigma)^2 = sigma_psi^4/..", _variance),
            ("adaptive.def1.var/bound", ".. <= sigma_psi^2", _variance_bound),
        )
    ),
    Standing(
        ("adaptive.def2.mono/decreasing@not-increasing",),
        "Definition 2: sigma_suf^2 is decreasing in eps",
        (0, 1, 2),
        _constants,
        _decreasing,
    ),
    Standing(
        ("adaptive.def2.mono/limit",),
        "Definition 2: and admits a limit as eps decreases",
        (0, 1, 2),
        _constants_alone,
        _limit,
    ),
    Standing(
        ("adaptive.def2.liminf",),
        "Definition 2: the limit for eps to infinity, as a rate that vanishes",
        (0, 1),
        _constants_alone,
        _low_precision,
    ),
    Standing(
        ("adaptive.def2.c1/excluded",),
        "Definition 2: a client with c_ik >= 1 is not in the sufficient cluster",
        (0, 1, 2),
        _similar_constants,
        _excluded,
        _is_member,
    ),
    Standing(
        ("adaptive.def2.c1/helps",),
        "Definition 2: such a client may be in the effective cluster and reduce the variance",
        (0, 1),
        _steeper,
        _helps,
        _far_client,
    ),
)
