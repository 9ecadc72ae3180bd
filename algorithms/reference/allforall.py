"""Serial twins of weighted gradient averaging and of all-for-all."""

from __future__ import annotations

from typing import Any

from algorithms.reference.numbers import (
    Hyper,
    Number,
    Point,
    Result,
    at_round,
    focus_of,
    noisy_gradients,
    one_gradient,
    present,
    start_of,
)


def all_for_all(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """One model per client, stepped by the gradients of all, weighted by a row of W."""
    n, focus = problem.clients, focus_of(problem.clients, hyper)
    models = [list(start_of(hyper, i)) for i in range(n)]
    out: Result = {"theta": [[models[i] for i in focus]]}
    for t in range(rounds):
        eta, inside = at_round(hyper, "step_size", t), present(hyper, t, n)
        matrix = _square(_mixing(hyper, t))
        seen = [one_gradient(problem, models[j], j, draws[t][j]) for j in range(n)]
        after = []
        for i in range(n):
            point = list(models[i])
            for j in range(n):
                if inside[j] == 1:
                    scale = eta * matrix[i][j]
                    point = [a - scale * g for a, g in zip(point, seen[j], strict=True)]
            after.append(point)
        models = after
        out["theta"].append([models[i] for i in focus])
    return out


def averaging(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """Weighted gradient averaging at the model of each followed agent."""
    n = problem.clients
    focus = focus_of(n, hyper)
    factor = n if hyper.get("oracle") == "asynchronous" else 1
    models = [list(start_of(hyper, i)) for i in focus]
    out: Result = {"theta": [models]}
    for t in range(rounds):
        eta, inside = at_round(hyper, "step_size", t), present(hyper, t, n)
        after = []
        for i, model in zip(focus, models, strict=True):
            answers = noisy_gradients(problem, model, draws[t][:n])
            point = list(model)
            for j in range(n):
                scale = eta * factor * hyper["mixing"][i][j] * inside[j]
                point = [a - scale * g for a, g in zip(point, answers[j], strict=True)]
            after.append(point)
        models = after
        out["theta"].append(models)
    return out


def one_averaging(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """The averaging of one agent, agent 0 unless ``focus`` names another."""
    return averaging(problem, {**hyper, "focus": hyper.get("focus", [0])}, draws, rounds)


def _mixing(hyper: Hyper, t: int) -> list[Point]:
    if "mixings" not in hyper:
        rows: list[Point] = hyper["mixing"]
        return rows
    epoch, left = 0, t
    for length in hyper.get("lengths", []):
        if left < length:
            break
        left -= length
        epoch += 1
    rows = hyper["mixings"][epoch]
    return rows


def _square(rows: list[Point]) -> list[list[Number]]:
    return [[sum(a * b for a, b in zip(x, y, strict=True)) for y in rows] for x in rows]
