"""Serial twins of the methods that group clients: HCCT, MAXFL, FedFA, IFCA, FLSC, bipartition."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from algorithms.reference.hcct import reference_partition
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
    start_of,
)


def hcct(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """Groups formed anew in every epoch by the similarity of the last updates."""
    n, focus = problem.clients, focus_of(problem.clients, hyper)
    sizes = per_client(hyper.get("client_weights", 1), n)
    steps, shared = hyper.get("local_steps", 1), hyper.get("shared", problem.dim)
    arrivals = per_client(hyper.get("arrivals", 0), n)
    models = [list(start_of(hyper, i)) for i in range(n)]
    updates: list[Point] = []
    layer: list[int] | None = None
    out: Result = {"theta": [[models[i] for i in focus]], "groups": []}
    for t in range(rounds):
        groups = [[k] for k in range(n)]
        if t == 0 and hyper.get("first_groups", "alone") == "one":
            here = [k for k in range(n) if arrivals[k] <= 0]
            groups = [here] * bool(here) + [[k] for k in range(n) if k not in here]
        if t > 0:
            compared = updates
            if hyper.get("updates", "previous") == "current":
                words = draws[t][steps * n :]
                compared = [one_gradient(problem, models[k], k, words[k]) for k in range(n)]
            columns = list(range(shared)) if layer is None else [c for c in layer if c < shared]
            early = [k for k in range(n) if arrivals[k] <= t - 1]
            rows = [[compared[k][c] for c in columns] for k in early]
            run = (
                reference_partition(
                    rows,
                    [sizes[k] for k in early],
                    hyper["tradeoff"],
                    order=hyper.get("order", "text"),
                )
                if early
                else None
            )
            late = [[k] for k in range(n) if k not in early]
            groups = [[early[j] for j in g] for g in run.groups] + late if run else late
        after = list(models)
        updates = [[] for _ in range(n)]
        for group in groups:
            base = {k: models[k] for k in group}
            if hyper.get("models", "averaged") == "averaged":
                mean = _weighted([models[k] for k in group], [sizes[k] for k in group])
                base = {k: mean[:shared] + list(models[k][shared:]) for k in group}
            for k in group:
                updates[k] = _local(problem, hyper, base[k], k, draws[t], t)[0]
            update = _weighted([updates[k] for k in group], [sizes[k] for k in group])
            for k in group:
                whole = update[:shared] + updates[k][shared:]
                here = arrivals[k] <= t
                eta = at_round(hyper, "step_size", t)
                after[k] = moved(base[k], eta, whole) if here else base[k]
        models = after
        if layer is None and hyper.get("layers") is not None:
            layer = _layer(updates, hyper["layers"])
        out["theta"].append([models[i] for i in focus])
        out["groups"].append(_matrix(groups, n))
    return out


def maxfl(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """A global model for those whom it serves; the others keep their own."""
    n, focus = problem.clients, focus_of(problem.clients, hyper)
    sizes = per_client(hyper.get("client_weights", 1), n)
    server = list(hyper["start"])
    own = [server] * n
    out: Result = {"theta": [[server for _ in focus]], "server": [server], "inside": []}
    for t in range(rounds):
        eta = at_round(hyper, "step_size", t)
        inside = [
            1
            if t == 0
            or _loss(problem, server, k) <= _loss(problem, own[k], k) + hyper.get("margin", 0)
            else 0
            for k in range(n)
        ]
        found = [one_gradient(problem, server, k, draws[t][n + k]) for k in range(n)]
        own = [moved(own[k], eta, one_gradient(problem, own[k], k, draws[t][k])) for k in range(n)]
        shares = [s * i for s, i in zip(sizes, inside, strict=True)]
        if any(inside):
            server = moved(server, eta, _weighted(found, shares))
        out["theta"].append([server if inside[i] else own[i] for i in focus])
        out["server"].append(server)
        out["inside"].append(inside)
    return out


def fedfa(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """One model whose updates count by the clients' losses."""
    n, focus = problem.clients, focus_of(problem.clients, hyper)
    server = list(hyper["start"])
    out: Result = {"theta": [[server for _ in focus]], "server": [server], "shares": []}
    for t in range(rounds):
        losses = [_loss(problem, server, k) for k in range(n)]
        whole = sum(losses)
        shares = [x / whole for x in losses] if whole != 0 else [(0 * x + 1) / n for x in losses]
        updates = [_local(problem, hyper, server, k, draws[t], t)[0] for k in range(n)]
        mean = [
            sum(s * u[c] for s, u in zip(shares, updates, strict=True)) for c in range(problem.dim)
        ]
        server = moved(server, at_round(hyper, "step_size", t), mean)
        out["theta"].append([server for _ in focus])
        out["server"].append(server)
        out["shares"].append(shares)
    return out


def ifca(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """Hard clusters: each client takes the one model with the smallest loss."""
    return flsc(problem, {**hyper, "count": 1}, draws, rounds)


def flsc(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """Soft clusters: each client starts from the mean of the models that fit it best."""
    n, focus = problem.clients, focus_of(problem.clients, hyper)
    sizes = per_client(hyper.get("client_weights", 1), n)
    best = hyper.get("count", 1)
    copies = max(hyper.get("clusters", best), best)
    servers = [list(c) for c in hyper.get("starts") or [hyper["start"]] * copies]

    def chosen() -> list[list[int]]:
        return [
            sorted(range(len(servers)), key=lambda m: _loss(problem, servers[m], k))[:best]
            for k in range(n)
        ]

    def used(taken: list[list[int]]) -> list[Point]:
        return [_weighted([servers[m] for m in row], [1] * len(row)) for row in taken]

    first = used(chosen())
    out: Result = {"theta": [[first[i] for i in focus]], "servers": [servers], "taken": []}
    for t in range(rounds):
        taken = chosen()
        starts = used(taken)
        models = [_local(problem, hyper, starts[k], k, draws[t], t)[1] for k in range(n)]
        new = []
        for m, server in enumerate(servers):
            here = [k for k in range(n) if m in taken[k]]
            if hyper.get("averaging", "models") == "gradients":
                for k in here:
                    apart = [
                        (x - y) / sum(sizes) for x, y in zip(models[k], starts[k], strict=True)
                    ]
                    server = [x + sizes[k] * y for x, y in zip(server, apart, strict=True)]
                new.append(server)
                continue
            mean = _weighted([models[k] for k in here], [sizes[k] for k in here])
            new.append(mean if here else server)
        servers = new
        after = used(taken)
        out["theta"].append([after[i] for i in focus])
        out["servers"].append(servers)
        out["taken"].append([[1 if m in row else 0 for m in range(len(servers))] for row in taken])
    return out


def bipartition(problem: Any, hyper: Hyper, draws: list[Any], rounds: int) -> Result:
    """Groups that are cut in two where their clients' updates disagree."""
    n, focus = problem.clients, focus_of(problem.clients, hyper)
    sizes = per_client(hyper.get("client_weights", 1), n)
    models = [list(start_of(hyper, i)) for i in range(n)]
    groups = [list(range(n))]
    out: Result = {"theta": [[models[i] for i in focus]], "groups": []}
    for t in range(rounds):
        after, parts = list(models), []
        for group in groups:
            found = {k: _local(problem, hyper, models[k], k, draws[t], t)[0] for k in group}
            mean = _weighted([found[k] for k in group], [sizes[k] for k in group])
            for k in group:
                after[k] = moved(models[k], at_round(hyper, "step_size", t), mean)
            long = any(_square(found[k]) > hyper["restless"] ** 2 for k in group)
            if len(group) > 1 and _square(mean) < hyper["stationary"] ** 2 and long:
                parts += _cut(group, found)
            else:
                parts.append(group)
        models, groups = after, parts
        out["theta"].append([models[i] for i in focus])
        out["groups"].append(_matrix(groups, n))
    return out


def _cut(group: list[int], found: dict[int, Point]) -> list[list[int]]:
    """Both parts of the bipartition whose largest cosine across is smallest."""
    best: tuple[Number, list[list[int]]] | None = None
    first, rest = group[0], group[1:]
    for size in range(len(rest)):
        for others in combinations(rest, size):
            left = [first, *others]
            right = [k for k in rest if k not in others]
            across = max(_signed_square(found[i], found[j]) for i in left for j in right)
            if best is None or across < best[0]:
                best = (across, [left, right])
    return best[1] if best else [group]


def _signed_square(x: Point, y: Point) -> Number:
    """sign(cos) cos^2, which orders pairs like the cosine and stays rational."""
    inner = sum(a * b for a, b in zip(x, y, strict=True))
    scale = _square(x) * _square(y)
    return 0 * scale if scale == 0 else abs(inner) * inner / scale


def _layer(updates: list[Point], blocks: list[int]) -> list[int]:
    """Coordinates of the block with the largest spread against the length of its mean."""
    n, begin, best = len(updates), 0, None
    for size in blocks:
        columns = list(range(begin, begin + int(size)))
        begin += int(size)
        mean = {c: sum(u[c] for u in updates) / n for c in columns}
        spread = sum((u[c] - mean[c]) ** 2 for u in updates for c in columns) / n
        length = sum(m * m for m in mean.values())
        # squares: the score itself has a root; a block without mean comes first
        score = (0, spread**2 / length) if length != 0 else (1, spread)
        if best is None or score > best[0]:
            best = (score, columns)
    return best[1] if best else []


def _local(problem: Any, hyper: Hyper, x: Point, k: int, draws: Any, t: int) -> tuple[Point, Point]:
    """Sum of the gradients of the local steps, and the model after them."""
    total = [0 * a for a in x]
    for j in range(hyper.get("local_steps", 1)):
        g = one_gradient(problem, x, k, draws[j * problem.clients + k])
        total = [a + b for a, b in zip(total, g, strict=True)]
        x = moved(x, at_round(hyper, "step_size", t), g)
    return total, list(x)


def _loss(problem: Any, x: Point, k: int) -> Number:
    return as_list(problem.losses(as_array(problem, x)))[k]


def _weighted(points: list[Point], shares: Point) -> Point:
    if not points:
        return []
    whole = sum(shares)
    return [
        sum(s * p[c] for s, p in zip(shares, points, strict=True)) / whole
        for c in range(len(points[0]))
    ]


def _square(x: Point) -> Number:
    return sum(a * a for a in x)


def _matrix(groups: list[list[int]], n: int) -> list[list[int]]:
    number = {k: g for g, group in enumerate(groups) for k in group}
    return [[1 if number[i] == number[k] else 0 for k in range(n)] for i in range(n)]
