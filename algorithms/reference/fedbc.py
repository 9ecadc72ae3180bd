"""Serial twins of the baselines of FedBC: SCAFFOLD, q-FedAvg, Per-FedAvg, pFedMe."""

from __future__ import annotations

from typing import Any

from algorithms.reference.numbers import (
    Hyper,
    Point,
    Result,
    as_array,
    as_list,
    at_round,
    focus_of,
    moved,
    one_gradient,
    per_client,
    present,
    steps_of,
)
from algorithms.reference.server import average_points, proximal_point


def scaffold(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """Local steps corrected by control variates of client and server."""
    n, server, d = problem.clients, list(hyper["start"]), problem.dim
    focus = focus_of(n, hyper)
    controls = [list(c) for c in hyper.get("controls") or [[0 * x for x in server]] * n]
    sizes = per_client(hyper.get("client_weights", 1), n)
    whole = sum(sizes)
    control = [sum(sizes[k] * controls[k][a] for k in range(n)) / whole for a in range(d)]
    out: Result = {
        "theta": [[server for _ in focus]],
        "server": [server],
        "controls": [controls],
        "control": [control],
    }
    for t in range(rounds):
        eta, inside = at_round(hyper, "step_size", t), present(hyper, t, n)
        members = [k for k in range(n) if inside[k] == 1]
        models, fresh = {}, [list(c) for c in controls]
        for k in members:
            y, steps = list(server), steps_of(hyper, k)
            for j in range(steps):
                g = one_gradient(problem, y, k, draws[t][j * n + k])
                y = [y[a] - eta * (g[a] - controls[k][a] + control[a]) for a in range(d)]
            models[k] = y
            fresh[k] = [
                controls[k][a] - control[a] + (server[a] - y[a]) / (steps * eta) for a in range(d)
            ]
        rate = hyper.get("server_step", 1)
        heard = sum(sizes[k] for k in members)
        if heard:
            shift = [sum(sizes[k] * (models[k][a] - server[a]) for k in members) for a in range(d)]
            server = [server[a] + rate * shift[a] / heard for a in range(d)]
        for k in members:
            change = [sizes[k] * (fresh[k][a] - controls[k][a]) / whole for a in range(d)]
            control = [control[a] + change[a] for a in range(d)]
        controls = fresh
        out["theta"].append([server for _ in focus])
        out["server"].append(server)
        out["controls"].append(controls)
        out["control"].append(control)
    return out


def q_fedavg(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """Updates that count by a power of the clients' losses."""
    n, server, q = problem.clients, list(hyper["start"]), hyper.get("fairness", 0)
    focus, sizes = focus_of(n, hyper), per_client(hyper.get("client_weights", 1), n)
    out: Result = {"theta": [[server for _ in focus]], "server": [server]}
    for t in range(rounds):
        eta, inside = at_round(hyper, "step_size", t), present(hyper, t, n)
        losses = as_list(problem.losses(as_array(problem, server)))
        top, bottom = [0 * x for x in server], 0 * server[0]
        for k in range(n):
            if inside[k] != 1:
                continue
            w = list(server)
            for j in range(steps_of(hyper, k)):
                w = moved(w, eta, one_gradient(problem, w, k, draws[t][j * n + k]))
            step = [(a - b) / eta for a, b in zip(server, w, strict=True)]
            weight = sizes[k] * losses[k] ** q
            top = [a + weight * b for a, b in zip(top, step, strict=True)]
            bottom = bottom + weight / eta
            if q:
                slope = sizes[k] * q * losses[k] ** (q - 1)
                bottom = bottom + slope * sum(b * b for b in step)
        if bottom != 0:
            server = [a - b / bottom for a, b in zip(server, top, strict=True)]
        out["theta"].append([server for _ in focus])
        out["server"].append(server)
    return out


def per_fedavg(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """A server's model that is good one local step ahead."""
    n, server, focus = problem.clients, list(hyper["start"]), focus_of(problem.clients, hyper)
    out: Result = {"theta": [[server for _ in focus]], "server": [server]}
    for t in range(rounds):
        eta, models = at_round(hyper, "step_size", t), []
        for k in range(n):
            w = list(server)
            for j in range(hyper.get("local_steps", 1)):
                first = one_gradient(problem, w, k, draws[t][2 * j * n + k])
                ahead = moved(w, hyper["inner_step"], first)
                w = moved(w, eta, one_gradient(problem, ahead, k, draws[t][(2 * j + 1) * n + k]))
            models.append(w)
        server = average_points(models, _heard(hyper, t, n), server)
        out["theta"].append([models[i] for i in focus])
        out["server"].append(server)
    return out


def pfedme(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """Personal models at the proximal points of the local ones."""
    n, server, focus = problem.clients, list(hyper["start"]), focus_of(problem.clients, hyper)
    mu, begin = hyper["mu"], hyper.get("inner_start", "last")
    out: Result = {"theta": [[server for _ in focus]], "server": [server]}
    for t in range(rounds):
        eta, local, personal = at_round(hyper, "step_size", t), [], []
        for k in range(n):
            w, theta = list(server), list(server)
            for step in range(hyper.get("local_steps", 1)):
                if hyper.get("local", "argmin") == "argmin":
                    theta = proximal_point(problem, k, mu, w)
                else:
                    theta = w if begin == "local" else theta
                    theta = _inner(problem, hyper, k, theta, w, draws[t][step * n + k])
                w = [a - eta * mu * (a - b) for a, b in zip(w, theta, strict=True)]
            local.append(w)
            personal.append(theta)
        mean = average_points(local, _heard(hyper, t, n), server)
        share = hyper.get("mixing", 1)
        server = [a + share * (b - a) for a, b in zip(server, mean, strict=True)]
        out["theta"].append([personal[i] for i in focus])
        out["server"].append(server)
    return out


def _heard(hyper: Hyper, t: int, n: int) -> Point:
    sizes = per_client(hyper.get("client_weights", 1), n)
    return [s * x for s, x in zip(sizes, present(hyper, t, n), strict=True)]


def _inner(problem: Any, hyper: Hyper, k: int, theta: Point, w: Point, batch: Any) -> Point:
    """Gradient steps on the inner problem around w, all of them on one mini-batch."""
    for _ in range(hyper.get("inner_steps", 1)):
        g = one_gradient(problem, theta, k, batch)
        pulled = [a + hyper["mu"] * (b - c) for a, b, c in zip(g, theta, w, strict=True)]
        theta = moved(theta, hyper["inner_step"], pulled)
    return theta
