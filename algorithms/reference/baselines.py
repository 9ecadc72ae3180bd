"""Serial twins of the personalised baselines: Ditto, APFL, WGA-BC, CoBo."""

from __future__ import annotations

from typing import Any

from algorithms.reference.numbers import (
    Hyper,
    Number,
    Point,
    Result,
    at_round,
    focus_of,
    larger,
    moved,
    noisy_gradients,
    one_gradient,
    per_client,
    present,
    start_of,
)
from algorithms.reference.server import average_points


def ditto(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """Federated averaging beside personal models that are pulled towards the server's."""
    n, server = problem.clients, list(hyper["start"])
    models = [list(start_of(hyper, k)) for k in range(n)]
    focus, pull = focus_of(n, hyper), per_client(hyper["pull"], n)
    local_steps, personal_steps = hyper.get("local_steps", 1), hyper.get("personal_steps", 1)
    begin = 0 if hyper.get("samples", "own") == "shared" else local_steps
    out: Result = {"theta": [[models[i] for i in focus]], "server": [server]}
    for t in range(rounds):
        eta, inside = at_round(hyper, "step_size", t), present(hyper, t, n)
        copies, personal = [], []
        for k in range(n):
            w, v = server, models[k]
            for j in range(local_steps):
                w = moved(w, eta, one_gradient(problem, w, k, draws[t][j * n + k]))
            for j in range(personal_steps):
                g = one_gradient(problem, v, k, draws[t][(begin + j) * n + k])
                pulled = [a + pull[k] * (x - z) for a, x, z in zip(g, v, server, strict=True)]
                v = moved(v, eta, pulled)
            copies.append(w)
            personal.append(v if inside[k] == 1 else models[k])
        models, server = personal, _server(hyper, copies, inside, server)
        out["theta"].append([models[i] for i in focus])
        out["server"].append(server)
    return out


def apfl(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """Mixtures of a local and the global model, with the share of either trained too."""
    n, server = problem.clients, list(hyper["start"])
    models = [list(start_of(hyper, k)) for k in range(n)]
    focus, mixing = focus_of(n, hyper), per_client(hyper["mixing"], n)
    out: Result = {
        "theta": [[_mixture(mixing[i], models[i], server) for i in focus]],
        "server": [server],
        "mixing": [mixing],
    }
    for t in range(rounds):
        eta, inside = at_round(hyper, "step_size", t), present(hyper, t, n)
        copies, new_models, new_mixing = [], [], []
        for k in range(n):
            w, v, a = server, models[k], mixing[k]
            for j in range(hyper.get("local_steps", 1)):
                u = draws[t][j * n + k]
                after = moved(w, eta, one_gradient(problem, w, k, u))
                beside = after if hyper.get("personal_at", "old") == "new" else w
                mixed = one_gradient(problem, _mixture(a, v, beside), k, u)
                now = a
                if j == 0 and hyper.get("mixing_step") is not None:
                    slope = sum((x - y) * g for x, y, g in zip(v, beside, mixed, strict=True))
                    a = _unit(a - hyper["mixing_step"] * slope)
                w, v = after, moved(v, eta * now, mixed)
            copies.append(w)
            new_models.append(v if inside[k] == 1 else models[k])
            new_mixing.append(a if inside[k] == 1 else mixing[k])
        models, mixing = new_models, new_mixing
        server = _server(hyper, copies, inside, server)
        out["theta"].append([_mixture(mixing[i], models[i], server) for i in focus])
        out["server"].append(server)
        out["mixing"].append(mixing)
    return out


def wga_bc(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """Each client averages its gradient with the mean of the others' at its model."""
    n, focus = problem.clients, focus_of(problem.clients, hyper)
    theta = [list(start_of(hyper, i)) for i in focus]
    correction = [[0 * x for x in point] for point in theta]
    sizes, share = per_client(hyper.get("client_weights", 1), n), hyper["mixing"]
    out: Result = {"theta": [theta], "correction": [correction]}
    for t in range(rounds):
        eta, after, corrections = at_round(hyper, "step_size", t), [], []
        for f, i in enumerate(focus):
            seen = noisy_gradients(problem, theta[f], draws[t][f * n : (f + 1) * n])
            c = correction[f]
            if hyper.get("correction", "running") == "running":
                rate, first = at_round(hyper, "correction_rate", t), (len(focus) + f) * n
                again = noisy_gradients(problem, theta[f], draws[t][first : first + n])
                bias = [x - y for x, y in zip(_others(again, sizes, i), again[i], strict=True)]
                c = [(1 - rate) * x + rate * y for x, y in zip(c, bias, strict=True)]
            helpers = [x - y for x, y in zip(_others(seen, sizes, i), c, strict=True)]
            step = [(1 - share) * x + share * y for x, y in zip(seen[i], helpers, strict=True)]
            after.append(moved(theta[f], eta, step))
            corrections.append(c)
        theta, correction = after, corrections
        out["theta"].append(theta)
        out["correction"].append(correction)
    return out


def cobo(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """Models are pulled together as far as the gradients of each pair agree."""
    n, focus = problem.clients, focus_of(problem.clients, hyper)
    models = [list(start_of(hyper, k)) for k in range(n)]
    zero = 0 * models[0][0]
    given = hyper.get("initial_weights")
    weights = [
        [zero if i == j else zero + (1 if given is None else given[i][j]) for j in range(n)]
        for i in range(n)
    ]
    out: Result = {"theta": [[models[i] for i in focus]], "weights": []}
    for t in range(rounds):
        eta, masks = at_round(hyper, "step_size", t), hyper.get("pairs")
        if hyper.get("first", "weights") == "models":
            models = _pulled(problem, hyper, models, weights, draws[t], eta)
        weights = [list(row) for row in weights]
        for i in range(n):
            for j in range(i):
                middle = [(x + y) / 2 for x, y in zip(models[i], models[j], strict=True)]
                gi = one_gradient(problem, middle, i, draws[t][n + j * n + i])
                gj = one_gradient(problem, middle, j, draws[t][n + i * n + j])
                on = 1 if masks is None else masks[0 if len(masks) == 1 else t][i][j]
                agreement = sum(x * y for x, y in zip(gi, gj, strict=True))
                w = _unit(weights[i][j] + hyper["weight_step"] * on * agreement)
                weights[i][j] = weights[j][i] = w
        if hyper.get("first", "weights") == "weights":
            models = _pulled(problem, hyper, models, weights, draws[t], eta)
        out["theta"].append([models[i] for i in focus])
        out["weights"].append(weights)
    return out


def _pulled(
    problem: Any, hyper: Hyper, models: list[Point], weights: Any, draws: Any, eta: Number
) -> list[Point]:
    """One gradient step of every client, pulled to the others by these weights."""
    after = []
    for i, model in enumerate(models):
        g = one_gradient(problem, model, i, draws[i])
        for j, other in enumerate(models):
            pull = hyper["coupling"] * weights[i][j]
            g = [a + pull * (x - y) for a, x, y in zip(g, model, other, strict=True)]
        after.append(moved(model, eta, g))
    return after


def _mixture(a: Number, v: Point, w: Point) -> Point:
    return [a * x + (1 - a) * y for x, y in zip(v, w, strict=True)]


def _unit(x: Number) -> Number:
    """The nearest number in [0, 1]."""
    return -larger(-larger(x, 0 * x), 0 * x - 1)


def _server(hyper: Hyper, copies: list[Point], inside: list[int], otherwise: Point) -> Point:
    sizes = per_client(hyper.get("client_weights", 1), len(copies))
    shares = [s * x for s, x in zip(sizes, inside, strict=True)]
    return average_points(copies, shares, otherwise)


def _others(seen: list[Point], sizes: Point, i: int) -> Point:
    """Mean gradient of the clients other than i."""
    return average_points(seen, [0 if k == i else s for k, s in enumerate(sizes)], seen[i])
