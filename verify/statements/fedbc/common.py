"""What the statements of the FedBC paper share: families of runs, quantities along them.

Assumption 4.1 is read in the way kindest to the paper: the domain is the smallest interval that
holds every model of the run and, for every server model in it and every multiplier, a stationary
point of every Lagrangian. R, delta and the minimum of f are taken over that interval, epsilon is
the largest residual of the local solves, and L_i the smallest Lipschitz constant of client i.
Expectations over the sampled sets are averages over all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise, product
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from bounds import generic as xp
from bounds.numbers import as_rational
from verify.instance import Instance
from verify.parameters import Family, Real, Shape
from verify.statement import Source, Statement
from verify.world import World

Array = Any
PAPER = "fedbc"


def source(where: str) -> Source:
    """Place in the paper."""
    return Source(PAPER, where)


def described(key: str, kind: str, where: str, latex: str, title: str) -> Statement:
    """A definition, an algorithm or data: listed, nothing to decide."""
    return Statement(
        key=f"{PAPER}.{key}", source=source(where), latex=latex, title=title, kind=kind,
        missing=f"{kind}: nothing to decide",
    )  # fmt: skip


def open_claim(key: str, kind: str, where: str, latex: str, title: str, missing: str) -> Statement:
    """A claim that cannot be checked here, with what is missing."""
    return Statement(
        key=f"{PAPER}.{key}", source=source(where), latex=latex, title=title, kind=kind,
        missing=missing,
    )  # fmt: skip


# -- families ----------------------------------------------------------------------------------

_SQUARE, _LENGTH = (1, -2), (0, 1)
BOX: dict[str, Real] = {
    "height": Real(1 / 8, 64, unit=(1, 0), log=True, per=("N",)),
    "centre": Real(-6, 2, unit=_LENGTH, per=("N", "d")),
    "width": Real(1 / 8, 4, unit=_LENGTH, log=True),
    "start": Real(-2, 2, unit=_LENGTH, per=("d",)),
    "starts": Real(-2, 2, unit=_LENGTH, per=("N", "d")),
    "low": Real(0, 1),
    "high": Real(0, 1),
    "place": Real(0, 1, per=("N",)),
    "gamma": Real(0, 4, unit=(0, 2), per=("N",)),
    "dual_step": Real(1 / 1024, 8, unit=(1, -4), log=True),
}
"""Double wells, the server's and the clients' first models, the dual domain and the multipliers as
shares of what their conditions allow, tolerances and dual step."""
STEP = {"step_share": Real(1 / 16, 1)}
"""Step of one local gradient step, as a share of 2/(L + 2 lambda_max)."""
UNITS = {
    "lambda_min": _SQUARE, "lambda_max": _SQUARE, "multipliers": _SQUARE, "starts": _LENGTH,
    "step_size": (-1, 2),
}  # fmt: skip
_DATA = ("height", "centre", "width")


def size(n: int, s: int, rounds: int = 1, **more: Any) -> Shape:
    """Shape of a run: N clients, S sampled, T rounds; V computes every client, A the sampled."""
    return {"N": n, "S": s, "d": 1, "rounds": rounds, "local": "argmin", **more}


STEPPED: dict[str, Any] = {"local": "gradient", "local_steps": 1}
"""One local gradient step, which leaves a residual."""


def runs(*shapes: Shape, domain: str = "printed", extra: Mapping[str, Real] | None = None) -> Family:
    """FedBC on double wells.

    Parameters
    ----------
    domain : {"printed", "own", "wide", "convex"}
        Dual domain: that of the proofs, 1 + L <= lambda_min and lambda_max < (1 + L_i)^2/L_i;
        the same with each multiplier from its own 1 + L_i on; any with lambda_min above L; or any
        with 2 lambda_min > L.
    """
    box = dict(BOX)
    if any(s["local"] == "gradient" for s in shapes):
        box.update(STEP)
    if all(s.get("together") for s in shapes):
        box.pop("starts")
    about = "double wells on the line (smooth, not convex), every sampled set enumerated"
    return Family({**box, **(extra or {})}, shapes, partial(build_run, domain), about, UNITS)


def build_run(domain: str, values: Mapping[str, Any], shape: Shape) -> Instance:
    stiff = _kept(values["height"]) / xp.trailing(_kept(values["width"]) ** 2)
    top = xp.largest(stiff)
    low, high = values["low"], values["high"]
    room = xp.smallest((1 + stiff) ** 2 / stiff) - 1 - top
    if domain == "printed":
        least = 1 + top + low * room / 2
        most = least + high * room * 15 / 32
    elif domain == "own":
        least, most = 1 + xp.smallest(stiff), 1 + top + high * room * 15 / 16
    else:
        least = top * (1 + 2 * low) / 2 if domain == "convex" else top * (1 + low)
        least = least + top / 16
        most = least * (1 + high)
    first = 1 + stiff if domain == "own" else xp.trailing(least) + 0 * stiff
    params = {
        "multipliers": first + values["place"] * (xp.trailing(most) - first),
        "lambda_min": least, "lambda_max": most,
        **{k: v for k, v in values.items() if k not in (*_DATA, "low", "high", "place", "step_share")},
    }  # fmt: skip
    if "starts" not in params:
        params["starts"] = values["start"][..., None, :] + 0 * values["centre"]
    if "step_share" in values:
        params["step_size"] = 2 * values["step_share"] / (top + 2 * most)
    constants = {k: v for k, v in shape.items() if k not in ("N", "d", "together")}
    data = {k: values[k] for k in _DATA}
    return Instance("double_well", data, "fedbc", {**params, **constants})


def _kept(x: Array) -> Array:
    """1 in place of a zero, which the problem itself refuses: derived numbers must exist."""
    return xp.where(x == 0, 1 + 0 * x, x)


# -- hypotheses --------------------------------------------------------------------------------


def in_domain(w: World) -> dict[str, Array]:
    """Multipliers in Lambda = [lambda_min, lambda_max]."""
    low = xp.smallest(w.multipliers) - w.lambda_min
    return {"multipliers in Lambda": xp.minimum(low, w.lambda_max - xp.largest(w.multipliers))}


def printed_domain(w: World) -> dict[str, Array]:
    """Conditions printed inside the proofs, lambda_min serving every client."""
    L = stiffness(w)
    return {
        **in_domain(w),
        "lambda_min >= 1 + L": w.lambda_min - 1 - xp.largest(L),
        "lambda_max < (1 + L_i)^2/L_i": xp.smallest((1 + L) ** 2 / L) - w.lambda_max,
    }


def contracting(w: World) -> dict[str, Array]:
    """The printed conditions, and C_0 > 0, which the division by C_0 takes for granted."""
    return {**printed_domain(w), "C_0 > 0": 4 * w.beta - w.lambda_max}


PRINTED = frozenset({"lambda_max < (1 + L_i)^2/L_i"})
CONTRACTING = frozenset({*PRINTED, "C_0 > 0"})


# -- one round ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Round:
    """Round t of one run: before and after, on the line. Arrays (B, 1, N) and (B, 1)."""

    old: Array  # x_i^t
    new: Array  # x_i^{t+1}
    server: Array  # z^t
    after: Array  # z^{t+1}
    multipliers: Array  # lambda_i^t
    updated: Array  # lambda_i^{t+1}
    solved: tuple[int, ...]  # clients whose oracle ran


_MADE: WeakKeyDictionary[World, list[list[Round]]] = WeakKeyDictionary()


def rounds_of(w: World) -> list[list[Round]]:
    """All runs, one for every sequence of sampled sets, as lists of rounds."""
    if w not in _MADE:
        _MADE[w] = _rounds_of(w)
    return _MADE[w]


def _rounds_of(w: World) -> list[list[Round]]:
    clients = w.multipliers.shape[-1]
    sets = list(combinations(range(clients), w.S))
    out = []
    for chosen in product(sets, repeat=w.rounds):
        mask = np.zeros((1, 1, w.rounds, clients))
        for t, members in enumerate(chosen):
            mask[0, 0, t, list(members)] = 1
        mask = mask if w.number == "float64" else as_rational(mask)
        run = w.run(participation=mask) if clients > w.S else w.run()
        old = w.starts[..., 0]
        everybody = tuple(range(clients))
        found = []
        for t, members in enumerate(chosen):
            new = run.local_models[..., t, :, 0]
            found.append(
                Round(
                    old, new, run.server[..., t, 0], run.server[..., t + 1, 0],
                    run.multipliers[..., t, :], run.multipliers[..., t + 1, :],
                    everybody if w.has("virtual") else members,
                )
            )  # fmt: skip
            old = new
        out.append(found)
    return out


def first_rounds(w: World) -> list[Round]:
    """Round 0 of every run."""
    return [run[0] for run in rounds_of(w)]


def expected(values: list[Array]) -> Array:
    """Mean over equally likely runs."""
    return sum(values[1:], values[0]) / len(values)


def losses(w: World, x: Array) -> Array:
    """f_i(x_i), (B, 1, N)."""
    return w.problem.own_losses(x[..., None])


def slopes(w: World, x: Array) -> Array:
    """f_i'(x_i), (B, 1, N)."""
    return w.problem.own_gradients(x[..., None])[..., 0]


def everywhere(z: Array, like: Array) -> Array:
    """One point for every client, (B, 1, N)."""
    return z[..., None] + 0 * like


def lagrangian(w: World, x: Array, z: Array, multipliers: Array) -> Array:
    """L_i(x_i, z, lambda_i), (B, 1, N)."""
    return losses(w, x) + multipliers * ((x - z[..., None]) ** 2 - w.gamma)


def lagrangian_slope(w: World, x: Array, z: Array, multipliers: Array) -> Array:
    """Gradient of L_i in x_i, (B, 1, N)."""
    return slopes(w, x) + 2 * multipliers * (x - z[..., None])


def residuals(w: World, r: Round) -> Array:
    """e_i^{t+1}, (B, 1, N)."""
    return lagrangian_slope(w, r.new, r.server, r.multipliers)


def tolerance(w: World, runs_of_w: list[list[Round]]) -> Array:
    """epsilon: the largest squared residual of a local solve, (B, 1)."""
    found = [residuals(w, r)[..., k] ** 2 for run in runs_of_w for r in run for k in r.solved]
    return xp.largest(xp.stack(found, -1))


def stiffness(w: World) -> Array:
    """L_i, (B, 1, N)."""
    return w.problem.client_smoothness


# -- the domain --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Domain:
    """The interval X of a set of runs and what the theorem takes over it, (B, 1)."""

    low: Array
    high: Array
    grid: Array  # ends and kinks, sorted, (B, 1, m)

    @property
    def diameter(self) -> Array:
        """R."""
        return self.high - self.low


def domain_of(w: World, runs_of_w: list[list[Round]]) -> Domain:
    """The smallest interval with the models and inward gradients at its ends.

    Inward gradients at the ends give a stationary point of L_i(., z, lambda) for every z inside;
    if f_i pushes out at an end, it has to reach the well beyond.
    """
    points = [w.start[..., 0]]
    for run in runs_of_w:
        for r in run:
            points += [r.server, r.after, *(r.old[..., k] for k in range(r.old.shape[-1]))]
            points += [r.new[..., k] for k in range(r.new.shape[-1])]
    visited = xp.stack([p + 0 * points[-1] for p in points], -1)
    low, high = xp.smallest(visited), xp.largest(visited)
    problem: Any = w.problem
    centre, width = problem.data["centre"][..., 0], xp.trailing(problem.width)
    # a float next to a well must not be taken for one that is pushed to the next well
    guard = (0 if w.number == "exact" else 1e-9) * problem.data["height"] / width
    for _ in range(2 * centre.shape[-1]):
        pushed = slopes(w, everywhere(low, centre)) > guard
        at = low[..., None]
        well = xp.where(at > centre + 4 * width, centre + 4 * width, centre)
        low = xp.smallest(xp.where(pushed, well, at + 0 * centre))
        pushed = slopes(w, everywhere(high, centre)) < -guard
        at = high[..., None]
        well = xp.where(at < centre, centre, centre + 4 * width)
        high = xp.largest(xp.where(pushed, well, at + 0 * centre))
    kinks = problem.kinks[..., 0, :]  # (B, 1, N, 2)
    kinks = kinks.reshape((*kinks.shape[:-2], -1))
    inside = xp.maximum(low[..., None], xp.minimum(high[..., None], kinks))
    ends = xp.stack([low, high], -1)
    return Domain(low, high, np.sort(np.concatenate([ends, inside], axis=-1), axis=-1))


def dissimilarity(w: World, domain: Domain) -> Array:
    """delta of Assumption 4.3: largest |a f_i'(x) - b f_j'(x)| over pairs, corners and X."""
    count = w.multipliers.shape[-1]
    found = [0 * domain.low]
    for place in range(domain.grid.shape[-1]):
        slope = slopes(w, everywhere(domain.grid[..., place], w.multipliers))
        for i, j in combinations(range(count), 2):
            for a, b in product((w.lambda_min, w.lambda_max), repeat=2):
                found.append(xp.absolute(a * slope[..., i] - b * slope[..., j]))
    return xp.largest(xp.stack(found, -1))


def mean_loss(w: World, z: Array) -> Array:
    """f(z), (B, 1)."""
    return xp.mean(losses(w, everywhere(z, w.multipliers)))


def mean_slope(w: World, z: Array) -> Array:
    """f'(z), (B, 1)."""
    return xp.mean(slopes(w, everywhere(z, w.multipliers)))


def best_loss(w: World, domain: Domain) -> Array:
    """Minimum of f over X, (B, 1): at an end, a kink, or where a rising chord of f' meets zero."""
    points = [domain.grid[..., k] for k in range(domain.grid.shape[-1])]
    chords = []
    for left, right in pairwise(points):
        low, high = mean_slope(w, left), mean_slope(w, right)
        crosses = (low < 0) & (high > 0)
        share = xp.where(crosses, -low, 0 * low) / xp.where(crosses, high - low, 0 * low + 1)
        chords.append(left + share * (right - left))
    return xp.smallest(xp.stack([mean_loss(w, p) for p in (*points, *chords)], -1))

