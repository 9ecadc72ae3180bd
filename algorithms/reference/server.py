"""Serial twins of the methods with a server: FedAvg, FedProx, FedBC."""

from __future__ import annotations

from typing import Any

from algorithms.reference.numbers import (
    Hyper,
    Number,
    Point,
    Result,
    as_list,
    at_round,
    focus_of,
    gradients,
    larger,
    moved,
    one_gradient,
    per_client,
    present,
    steps_of,
)


def fedavg(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """Local gradient steps from the server's model, averaged."""
    return fedprox(problem, {**hyper, "mu": 0, "local": "gradient"}, draws, rounds, own=False)


def fedprox(problem: Any, hyper: Hyper, draws: list[Any], rounds: int, own: bool = True) -> Result:
    """Local proximal solves from the server's model, averaged; without ``own`` the server's."""
    n, server = problem.clients, list(hyper["start"])
    focus, mu = focus_of(n, hyper), hyper["mu"]
    sizes = per_client(hyper.get("client_weights", 1), n)
    models = [server] * n
    out: Result = {"theta": [[server for _ in focus]], "server": [server], "local_models": []}
    for t in range(rounds):
        models = []
        for k in range(n):
            if hyper.get("local", "argmin") == "argmin":
                models.append(proximal_point(problem, k, mu, server))
            else:
                models.append(_descend(problem, hyper, k, server, server, mu, draws[t], t))
        inside = present(hyper, t, n)
        server = average_points(models, [sizes[k] * inside[k] for k in range(n)], server)
        out["theta"].append([models[i] if own else server for i in focus])
        out["server"].append(server)
        out["local_models"].append(models)
    return out


def per_fedbc(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """FedBC with local models that are good one step ahead."""
    return fedbc(problem, hyper, draws, rounds, meta=True)


def fedbc(problem: Any, hyper: Hyper, draws: list[Any], rounds: int, meta: bool = False) -> Result:
    """Primal-dual training with one multiplier per client."""
    n, server = problem.clients, list(hyper["start"])
    models = [list(x) for x in hyper.get("starts") or [server] * n]
    multipliers = per_client(hyper["multipliers"], n)
    gamma, dual = list(per_client(hyper.get("gamma", 0), n)), hyper.get("dual_step", 0)
    virtual, focus = hyper.get("virtual", False), focus_of(n, hyper)
    sizes = per_client(hyper.get("client_weights", 1), n)
    out: Result = {
        "theta": [[models[i] for i in focus]],
        "server": [server],
        "multipliers": [multipliers],
        "local_models": [],
    }
    for t in range(rounds):
        inside = present(hyper, t, n)
        new_models, new_multipliers = [], []
        for k in range(n):
            x, lam = models[k], multipliers[k]
            if virtual or inside[k] == 1:
                if meta:
                    x = _meta(problem, hyper, k, server, lam, draws[t], t)
                elif hyper.get("local", "argmin") == "argmin":
                    x = proximal_point(problem, k, 2 * lam, server)
                else:
                    x = server if hyper.get("local_start", "own") == "server" else x
                    x = _descend(problem, hyper, k, x, server, 2 * lam, draws[t], t)
                if hyper.get("dual_step") is not None:
                    gap = sum((a - b) ** 2 for a, b in zip(x, server, strict=True))
                    lam = lam + dual * (gap - gamma[k])
                    least = hyper.get("lambda_min")
                    lam = larger(lam, 0 * lam if least is None else least)
                    if hyper.get("lambda_max") is not None:
                        lam = -larger(-lam, -hyper["lambda_max"])
                if hyper.get("gamma_step") is not None:
                    by = multipliers[k] if hyper.get("gamma_by", "new") == "old" else lam
                    gamma[k] = gamma[k] + hyper["gamma_step"] * by
            new_models.append(x)
            new_multipliers.append(lam)
        models, multipliers = new_models, new_multipliers
        heard = [sizes[k] * inside[k] for k in range(n)]
        shares = [multipliers[k] * heard[k] for k in range(n)]
        if all(s == 0 for s in shares):
            shares = heard
        server = average_points(models, shares, server)
        out["theta"].append([models[i] for i in focus])
        out["server"].append(server)
        out["multipliers"].append(multipliers)
        out["local_models"].append(models)
    return out


def _descend(
    problem: Any, hyper: Hyper, k: int, x: Point, z: Point, pull: Number, draws: Any, t: int
) -> Point:
    """Local steps on R_k + (pull/2) ||. - z||^2, slot j*N + k for step j."""
    eta = at_round(hyper, "step_size", t)
    for j in range(steps_of(hyper, k)):
        g = one_gradient(problem, x, k, draws[j * problem.clients + k])
        x = moved(x, eta, [a + pull * (b - c) for a, b, c in zip(g, x, z, strict=True)])
    return x


def _meta(problem: Any, hyper: Hyper, k: int, z: Point, lam: Number, draws: Any, t: int) -> Point:
    """K outer steps, each with the gradient at the end of J inner steps on the Lagrangian."""
    n, slot = problem.clients, 0
    w, eta = list(z), at_round(hyper, "step_size", t)
    for _ in range(hyper.get("local_steps", 1)):
        inner = list(w)
        for _ in range(hyper.get("inner_steps", 1)):
            g = one_gradient(problem, inner, k, draws[slot * n + k])
            slot += 1
            g = [a + 2 * lam * (b - c) for a, b, c in zip(g, inner, z, strict=True)]
            inner = moved(inner, hyper["inner_step"], g)
        w = moved(w, eta, one_gradient(problem, inner, k, draws[slot * n + k]))
        slot += 1
    return w


def proximal_point(problem: Any, k: int, pull: Number, z: Point) -> Point:
    """Minimiser of R_k + (pull/2) ||. - z||^2 for a quadratic: (H + pull I) x = H opt + pull z."""
    if hasattr(problem, "kinks"):
        return [_root(problem, k, c, pull, z) for c in range(len(z))]
    hessian, best = as_list(problem.hessian)[k], as_list(problem.optimum)[k]
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


def _root(problem: Any, k: int, c: int, pull: Number, z: Point) -> Number:
    """Zero of an increasing piecewise linear derivative: the piece by its signs, then a chord."""

    def derivative(x: Number) -> Number:
        point = [x if a == c else z[a] for a in range(len(z))]
        return gradients(problem, point)[k][c] + pull * (x - z[c])

    left, right = as_list(problem.kinks)[k][c]
    if derivative(left) >= 0:
        left, right = left - (right - left), left
    elif derivative(right) <= 0:
        left, right = right, right + (right - left)
    low, high = derivative(left), derivative(right)
    return left - low * (right - left) / (high - low)


def average_points(models: list[Point], shares: Point, otherwise: Point) -> Point:
    """Weighted mean of the models; ``otherwise`` where all shares are zero."""
    whole = sum(shares)
    if whole == 0:
        return otherwise
    return [
        sum(s * x[c] for s, x in zip(shares, models, strict=True)) / whole
        for c in range(len(otherwise))
    ]
