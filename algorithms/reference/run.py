"""Serial twins of all methods, in any number type: the referee of the batched engine.

Written from the update rules alone, with plain loops over lists of numbers: no tensors, no code of
the engine, own formulas for ratios, weights, projections and linear systems. The only things shared
are the problem, which gives gradients at a point, and the names of hyper-parameters. Numbers may be
floats, ``Fraction`` or ``Ball``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

from algorithms.engine.settings import named
from algorithms.reference.aggregation import aggregation
from algorithms.reference.allforall import all_for_all, averaging, one_averaging
from algorithms.reference.baselines import apfl, cobo, ditto, wga_bc
from algorithms.reference.fedbc import per_fedavg, pfedme, q_fedavg, scaffold
from algorithms.reference.groups import bipartition, fedfa, flsc, hcct, ifca, maxfl
from algorithms.reference.numbers import (
    Hyper,
    Number,
    Point,
    Result,
    as_list,
    at_round,
    focus_of,
    gradients,
    moved,
    noisy_gradients,
    one_gradient,
    plain_hyper,
    positive,
    start_of,
)
from algorithms.reference.server import fedavg, fedbc, fedprox, per_fedbc
from algorithms.registry import METHODS, OWN, load_method
from bounds.numbers.validate import require

Twin = Callable[[Any, Hyper, list[Any], int], Result]
"""Problem, hyper-parameters, draws and number of rounds to nested lists."""


def reference_run(
    name: str, problem: Any, hyper: Hyper, draws: Sequence[Any], rounds: int
) -> Result:
    """Run the twin of a method.

    Parameters
    ----------
    name : str
        Name of the method, as in :data:`algorithms.registry.METHODS`.
    problem : Problem without leading axes
        Holding float or object arrays.
    hyper : mapping
        The method's hyper-parameters, without leading axes: numbers, nested lists or arrays.
    draws : nested sequence, shape (T, S, w)
        Standardised draws in the method's slot order.
    rounds : int
        T.

    Returns
    -------
    dict
        Nested lists under the names that the engine records: ``theta`` [T + 1][F][d] and, by
        method, ``weights`` and ``ratio`` [T][F][N], ``server`` [T + 1][d], ``multipliers`` and
        ``mixing`` [T + 1][N], ``correction`` [T + 1][F][d], ``controls`` [T + 1][N][d],
        ``control`` [T + 1][d], ``local_models`` [T][N][d].

    Raises
    ------
    InvalidInput
        If there is no such method, or there are too few draws, or on names of hyper-parameters
        that the method does not have.
    """
    twin = _twin(name)
    named(load_method(name), hyper)
    require(len(draws) >= rounds, "draws", f"for {rounds} rounds", len(draws), "pass more draws")
    return twin(problem, plain_hyper(hyper), [as_list(u) for u in draws[:rounds]], rounds)


def _twin(name: str) -> Twin:
    """The twin of a method: its line in the table, or the function of its name in such a module."""
    if name in _TWINS:
        return _TWINS[name]
    if name in OWN:  # one function serves both: it is what the method is
        own: Any = OWN[name]()
        if hasattr(own, "reference"):
            return cast("Twin", own.reference)
    module = f"{__package__}.{name}"
    there = name in METHODS and find_spec(module) is not None
    known = sorted({*_TWINS, *METHODS})
    require(there, "method", f"one of {known}", name, "check the spelling, or write its twin")
    found: Twin = getattr(import_module(module), name)
    return found


def _all_for_one(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    n, focus = problem.clients, focus_of(problem.clients, hyper)
    theta = [list(start_of(hyper, i)) for i in focus]
    rule = hyper.get("weights", "true")
    variance = as_list(problem.noise_variance)
    out: Result = {"theta": [theta], "weights": [], "ratio": []}
    weights = [list(hyper["weight_matrix"][i]) for i in focus] if rule == "fixed" else []
    ratio: list[Point] = []
    for t in range(rounds):
        eta = at_round(hyper, "step_size", t)
        if rule != "fixed" and t % hyper.get("refresh", 1) == 0:
            ratio, weights = [], []
            for f, i in enumerate(focus):
                if rule == "true":
                    seen = gradients(problem, theta[f])
                else:
                    seen = _estimates(problem, hyper, theta[f], draws[t], f, len(focus))
                r = [_similarity(seen[k], seen[i], k == i) for k in range(n)]
                ratio.append(r)
                weights.append(_weights(r, [_phi(hyper, x) for x in r], variance))
        after = []
        for f in range(len(focus)):
            begin = 0 if hyper.get("samples", "own") == "shared" else f * n
            answers = noisy_gradients(problem, theta[f], draws[t][begin : begin + n])
            point = list(theta[f])
            for k in range(n):
                for c in range(problem.dim):
                    point[c] = point[c] - eta * weights[f][k] * answers[k][c]
            after.append(point)
        theta = after
        out["theta"].append(theta)
        out["weights"].append(weights)
        out["ratio"].append(ratio)
    return out


def _estimates(
    problem: Any, hyper: Hyper, point: Point, draws: list[Any], f: int, followed: int
) -> list[Point]:
    """Mean of the b_alpha extra gradients of every client at one followed client's model."""
    n, b = problem.clients, hyper.get("b_alpha", 1)
    sums = [[0 * x for x in point] for _ in range(n)]
    for j in range(b):
        shared = hyper.get("samples", "own") == "shared"
        first = (1 if shared else followed) * n + (j * followed + f) * n
        drawn = noisy_gradients(problem, point, draws[first : first + n])
        sums = [[sums[k][c] + drawn[k][c] for c in range(problem.dim)] for k in range(n)]
    return [[s / b for s in row] for row in sums]


def _similarity(helper: Point, own: Point, same: bool) -> Number:
    """r_ik; where the own gradient is zero, one for itself and for other zero gradients."""
    size = sum(x * x for x in own)
    if same:
        return size * 0 + 1
    if size == 0:
        return size + (1 if all(x == 0 for x in helper) else 0)
    return positive(1 - sum((x - y) ** 2 for x, y in zip(helper, own, strict=True)) / size)


def _weights(ratio: Point, phi: Point, variance: Point) -> Point:
    """alpha_ik = (phi_k / sigma_k^2) / sum_j r_j phi_j / sigma_j^2."""
    scale = sum(r * p / v for r, p, v in zip(ratio, phi, variance, strict=True))
    return [p / v / scale for p, v in zip(phi, variance, strict=True)]


def _phi(hyper: Hyper, r: Number) -> Number:
    phi = hyper.get("phi", "continuous")
    if callable(phi):
        return phi(r)
    if phi == "binary":
        return hyper["threshold"] if r >= hyper["threshold"] else 0 * r
    return r ** hyper.get("exponent", 1) if phi == "power" else r


def _local(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    focus = focus_of(problem.clients, hyper)
    theta = [list(start_of(hyper, i)) for i in focus]
    out: Result = {"theta": [theta]}
    for t in range(rounds):
        eta = at_round(hyper, "step_size", t)
        theta = [
            moved(theta[f], eta, one_gradient(problem, theta[f], i, draws[t][i]))
            for f, i in enumerate(focus)
        ]
        out["theta"].append(theta)
    return out


_TWINS: dict[str, Twin] = {
    "aggregation": aggregation,
    "all_for_all": all_for_all,
    "all_for_all_adaptive": all_for_all,
    "all_for_one": _all_for_one,
    "apfl": apfl,
    "bipartition": bipartition,
    "cobo": cobo,
    "ditto": ditto,
    "fedavg": fedavg,
    "fedbc": fedbc,
    "fedfa": fedfa,
    "fedprox": fedprox,
    "flsc": flsc,
    "hcct": hcct,
    "ifca": ifca,
    "local": _local,
    "maxfl": maxfl,
    "naive_all_for_all": averaging,
    "per_fedavg": per_fedavg,
    "per_fedbc": per_fedbc,
    "pfedme": pfedme,
    "q_fedavg": q_fedavg,
    "scaffold": scaffold,
    "weighted_averaging": one_averaging,
    "wga_bc": wga_bc,
}
