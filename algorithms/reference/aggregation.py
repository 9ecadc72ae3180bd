"""Serial twin of generalised FedAvg with its weighting rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from algorithms.reference.numbers import (
    Hyper,
    Number,
    Point,
    Result,
    as_array,
    as_list,
    at_round,
    focus_of,
    moved,
    one_gradient,
    per_client,
)
from bounds.generic import exp


def aggregation(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """Local steps from the server's model, averaged with the weights of a rule."""
    n, start = problem.clients, list(hyper["start"])
    sizes = per_client(hyper.get("client_weights", 1), n)
    shares = [_quotient(s, sum(sizes)) for s in sizes]
    models, alpha, followed = [start] * n, shares, len(focus_of(n, hyper))
    steps, seen = hyper.get("local_steps", 1), hyper.get("seen", "start")
    out: Result = {"theta": [[start] * followed], "models": [models], "alpha": []}
    for t in range(rounds):
        ends = t % steps == 0 if hyper.get("timing") == "equation" else (t + 1) % steps == 0
        if seen == "start" and t % steps == 0:
            alpha = _rule(problem, hyper, t // steps, [_mean(models, alpha)] * n, shares)
        eta = at_round(hyper, "step_size", t)
        models = [
            moved(models[k], eta, one_gradient(problem, models[k], k, draws[t][k]))
            for k in range(n)
        ]
        if ends and seen != "start":
            places = [_mean(models, shares)] * n if seen == "average" else models
            alpha = _rule(problem, hyper, t // steps, places, shares)
        virtual = _mean(models, alpha)
        if ends:
            models = [virtual] * n
        out["theta"].append([virtual] * followed)
        out["models"].append(models)
        out["alpha"].append(alpha)
    return out


def _rule(problem: Any, hyper: Hyper, r: int, places: list[Point], shares: Point) -> Point:
    rule, n = hyper.get("rule", "fedavg"), problem.clients
    if rule == "fedavg":
        return shares
    if rule == "fixed":
        return _row(hyper["coefficients"], r)
    values = as_list(problem.own_excess(as_array(problem, places)))
    if rule == "power_of_choice":
        low = as_list(problem.optimal_value)
        asked = _row(hyper["candidates"], r) if hyper.get("candidates") else [1] * n
        inside = [k for k in range(n) if asked[k] == 1]
        chosen = _top([values[k] + low[k] for k in inside], hyper.get("count", 1))
        picked = {inside[j] for j in chosen}
        return [_quotient(shares[k] * 0 + (1 if k in picked else 0), len(picked)) for k in range(n)]
    if rule == "fedsoftmax":
        grown = [
            p * exp((x - values[0]) / hyper["temperature"])
            for p, x in zip(shares, values, strict=True)
        ]
        return [g / sum(grown) for g in grown]
    if rule == "fedmaxk":
        picked = set(_top(values, hyper.get("count", 1)))
    else:
        best = values[0]
        for x in values:
            best = x if x > best else best
        picked = {k for k in range(n) if values[k] == best}
    return [_quotient(shares[k] * 0 + (1 if k in picked else 0), len(picked)) for k in range(n)]


def _top(values: Point, count: int) -> list[int]:
    """Numbers of the largest values, earlier ones first among equals."""
    left, chosen = list(range(len(values))), []
    for _ in range(min(count, len(left))):
        best = left[0]
        for k in left:
            best = k if values[k] > values[best] else best
        left.remove(best)
        chosen.append(best)
    return chosen


def _mean(models: list[Point], weights: Point) -> Point:
    d = len(models[0])
    return [sum(a * x[c] for a, x in zip(weights, models, strict=True)) for c in range(d)]


def _row(rows: list[Point], r: int) -> Point:
    return rows[0] if len(rows) == 1 else rows[r]


def _quotient(x: Number, y: Number) -> Number:
    """A fraction where both are whole numbers."""
    return Fraction(x, y) if isinstance(x, int) and isinstance(y, int) else x / y
