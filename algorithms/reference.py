"""Serial twins of all methods, in any number type: the referee of the batched engine.

Written from the update rules alone, with plain loops over lists of numbers: no tensors, no code of
the engine, own formulas for ratios, weights, projections and linear systems. The only thing shared
is the problem, which gives gradients at a point. Numbers may be floats, ``Fraction`` or ``Ball``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from bounds.numbers import Undecided
from bounds.validate import require

Number = Any
Point = list[Number]
Hyper = Mapping[str, Any]
Result = dict[str, Any]


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
        method, ``weights`` and ``ratio`` [T][F][N], ``server`` [T + 1][d], ``multipliers``
        [T + 1][N], ``local_models`` [T][N][d].

    Raises
    ------
    InvalidInput
        If there is no such method, or there are too few draws.
    """
    require(name in _TWINS, "method", f"one of {sorted(_TWINS)}", name, "check the spelling")
    require(len(draws) >= rounds, "draws", f"for {rounds} rounds", len(draws), "pass more draws")
    return _TWINS[name](problem, _plain(hyper), [_list(u) for u in draws[:rounds]], rounds)


def _all_for_one(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    n, focus = problem.clients, _focus(problem.clients, hyper)
    theta = [list(_start(hyper, i)) for i in focus]
    rule = hyper.get("weights", "true")
    variance = _list(problem.noise_variance)
    out: Result = {"theta": [theta], "weights": [], "ratio": []}
    weights = [list(hyper["weight_matrix"][i]) for i in focus] if rule == "fixed" else []
    ratio: list[Point] = []
    for t in range(rounds):
        eta = _at(hyper, "step_size", t)
        if rule != "fixed" and t % hyper.get("refresh", 1) == 0:
            ratio, weights = [], []
            for f, i in enumerate(focus):
                if rule == "true":
                    seen = _gradients(problem, theta[f])
                else:
                    seen = _estimates(problem, hyper, theta[f], draws[t], f, len(focus))
                r = [_similarity(seen[k], seen[i], k == i) for k in range(n)]
                ratio.append(r)
                weights.append(_weights(r, [_phi(hyper, x) for x in r], variance))
        moved = []
        for f in range(len(focus)):
            answers = _noisy_gradients(problem, theta[f], draws[t][f * n : (f + 1) * n])
            point = list(theta[f])
            for k in range(n):
                for c in range(problem.dim):
                    point[c] = point[c] - eta * weights[f][k] * answers[k][c]
            moved.append(point)
        theta = moved
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
        first = (1 + j) * followed * n + f * n
        drawn = _noisy_gradients(problem, point, draws[first : first + n])
        sums = [[sums[k][c] + drawn[k][c] for c in range(problem.dim)] for k in range(n)]
    return [[s / b for s in row] for row in sums]


def _similarity(helper: Point, own: Point, same: bool) -> Number:
    """r_ik; where the own gradient is zero, one for itself and for other zero gradients."""
    size = sum(x * x for x in own)
    if same:
        return size * 0 + 1
    if size == 0:
        return size + (1 if all(x == 0 for x in helper) else 0)
    return _positive(1 - sum((x - y) ** 2 for x, y in zip(helper, own, strict=True)) / size)


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
    focus = _focus(problem.clients, hyper)
    theta = [list(_start(hyper, i)) for i in focus]
    out: Result = {"theta": [theta]}
    for t in range(rounds):
        eta = _at(hyper, "step_size", t)
        theta = [
            _moved(theta[f], eta, _one_gradient(problem, theta[f], i, draws[t][f]))
            for f, i in enumerate(focus)
        ]
        out["theta"].append(theta)
    return out


def _fedavg(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    return _fedprox(problem, {**hyper, "mu": 0, "local": "gradient"}, draws, rounds, own=False)


def _fedprox(problem: Any, hyper: Hyper, draws: list[Any], rounds: int, own: bool = True) -> Result:
    n, server = problem.clients, list(hyper["start"])
    focus, mu = _focus(n, hyper), hyper["mu"]
    sizes = _per_client(hyper.get("client_weights", 1), n)
    models = [server] * n
    out: Result = {
        "theta": [[server for _ in focus]], "server": [server], "local_models": []
    }  # fmt: skip
    for t in range(rounds):
        models = []
        for k in range(n):
            if hyper.get("local", "argmin") == "argmin":
                models.append(_proximal_point(problem, k, mu, server))
            else:
                models.append(_descend(problem, hyper, k, server, server, mu, draws[t], t))
        inside = _present(hyper, t, n)
        server = _average(models, [sizes[k] * inside[k] for k in range(n)], server)
        out["theta"].append([models[i] if own else server for i in focus])
        out["server"].append(server)
        out["local_models"].append(models)
    return out


def _fedbc(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    n, server = problem.clients, list(hyper["start"])
    models = [list(x) for x in hyper.get("starts") or [server] * n]
    multipliers = _per_client(hyper["multipliers"], n)
    gamma, dual = _per_client(hyper.get("gamma", 0), n), hyper.get("dual_step", 0)
    virtual, focus = hyper.get("virtual", False), _focus(n, hyper)
    out: Result = {
        "theta": [[models[i] for i in focus]], "server": [server], "multipliers": [multipliers]
    }  # fmt: skip
    for t in range(rounds):
        inside = _present(hyper, t, n)
        new_models, new_multipliers = [], []
        for k in range(n):
            x, lam = models[k], multipliers[k]
            if virtual or inside[k] == 1:
                if hyper.get("local", "argmin") == "argmin":
                    x = _proximal_point(problem, k, 2 * lam, server)
                else:
                    x = _descend(problem, hyper, k, x, server, 2 * lam, draws[t], t)
                if hyper.get("dual_step") is not None:
                    gap = sum((a - b) ** 2 for a, b in zip(x, server, strict=True))
                    lam = lam + dual * (gap - gamma[k])
                    least = hyper.get("lambda_min")
                    lam = _larger(lam, 0 * lam if least is None else least)
                    if hyper.get("lambda_max") is not None:
                        lam = -_larger(-lam, -hyper["lambda_max"])
            new_models.append(x)
            new_multipliers.append(lam)
        models, multipliers = new_models, new_multipliers
        shares = [multipliers[k] * inside[k] for k in range(n)]
        if all(s == 0 for s in shares):
            shares = inside
        server = _average(models, shares, server)
        out["theta"].append([models[i] for i in focus])
        out["server"].append(server)
        out["multipliers"].append(multipliers)
    return out


_TWINS: dict[str, Callable[[Any, Hyper, list[Any], int], Result]] = {
    "all_for_one": _all_for_one,
    "fedavg": _fedavg,
    "fedbc": _fedbc,
    "fedprox": _fedprox,
    "local": _local,
}


def _descend(
    problem: Any, hyper: Hyper, k: int, x: Point, z: Point, pull: Number, draws: Any, t: int
) -> Point:
    """Local steps on R_k + (pull/2) ||. - z||^2, slot j*N + k for step j."""
    eta = _at(hyper, "step_size", t)
    for j in range(hyper.get("local_steps", 1)):
        g = _one_gradient(problem, x, k, draws[j * problem.clients + k])
        x = _moved(x, eta, [a + pull * (b - c) for a, b, c in zip(g, x, z, strict=True)])
    return x


def _proximal_point(problem: Any, k: int, pull: Number, z: Point) -> Point:
    """Minimiser of R_k + (pull/2) ||. - z||^2 for a quadratic: (H + pull I) x = H opt + pull z."""
    hessian, best = _list(problem.hessian)[k], _list(problem.optimum)[k]
    d = len(z)
    rows = [[hessian[a][b] + (pull if a == b else 0) for b in range(d)] for a in range(d)]
    right = [sum(hessian[a][b] * best[b] for b in range(d)) + pull * z[a] for a in range(d)]
    for a in range(d):  # no pivoting: the matrix is positive definite
        for b in range(a + 1, d):
            factor = rows[b][a] / rows[a][a]
            rows[b] = [x - factor * y for x, y in zip(rows[b], rows[a], strict=True)]
            right[b] = right[b] - factor * right[a]
    out = list(right)
    for a in reversed(range(d)):
        known = sum((rows[a][b] * out[b] for b in range(a + 1, d)), right[a] * 0)
        out[a] = (right[a] - known) / rows[a][a]
    return out


def _average(models: list[Point], shares: Point, otherwise: Point) -> Point:
    """Weighted mean of the models; ``otherwise`` where all shares are zero."""
    whole = sum(shares)
    if whole == 0:
        return otherwise
    return [
        sum(s * x[c] for s, x in zip(shares, models, strict=True)) / whole
        for c in range(len(otherwise))
    ]


def _moved(x: Point, eta: Number, g: Point) -> Point:
    return [a - eta * b for a, b in zip(x, g, strict=True)]


def _gradients(problem: Any, point: Point) -> list[Point]:
    return list(_list(problem.gradients(_array(problem, point))))


def _noisy_gradients(problem: Any, point: Point, u: Any) -> list[Point]:
    drawn = problem.stochastic_gradients(_array(problem, point), _array(problem, u))
    return list(_list(drawn))


def _one_gradient(problem: Any, point: Point, k: int, u: Any) -> Point:
    """g_k at a point, from the draw u of client k."""
    return _noisy_gradients(problem, point, [u] * problem.clients)[k]


def _positive(x: Number) -> Number:
    return _larger(x, 0 * x)


def _larger(x: Number, y: Number) -> Number:
    """The maximum; of two balls that overlap, a ball that holds it."""
    try:
        return x if x >= y else y
    except Undecided:
        return (x + y + abs(x - y)) / 2


def _focus(clients: int, hyper: Hyper) -> list[int]:
    focus = hyper.get("focus")
    if focus is None:
        return list(range(clients))
    return [focus] if isinstance(focus, int) else list(focus)


def _start(hyper: Hyper, i: int) -> Point:
    point: Point = hyper["starts"][i] if hyper.get("starts") is not None else hyper["start"]
    return point


def _at(hyper: Hyper, name: str, t: int) -> Number:
    """A schedule's entry, or the constant."""
    return hyper[name + "s"][t] if hyper.get(name + "s") is not None else hyper[name]


def _present(hyper: Hyper, t: int, n: int) -> list[int]:
    """1 for the clients that take part in round t; one row stands for every round."""
    rows = hyper.get("participation")
    if rows is None:
        return [1] * n
    row = rows[0] if len(rows) == 1 else rows[t]
    return [int(x) for x in row]


def _per_client(value: Any, n: int) -> Point:
    if isinstance(value, list):
        return value * n if len(value) == 1 else value
    return [value] * n


def _plain(hyper: Hyper) -> dict[str, Any]:
    return {name: _list(value) for name, value in hyper.items()}


def _list(value: Any) -> Any:
    """Arrays as nested lists; everything else as it is."""
    return value.tolist() if isinstance(value, np.ndarray) else value


def _array(problem: Any, values: Any) -> Any:
    """An array of the problem's own dtype, so that exact numbers stay exact."""
    return np.array(values, dtype=problem.optimum.dtype)
