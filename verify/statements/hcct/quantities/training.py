"""Training in groups on parabolas, and the families of runs of the convergence part.

J_i(w) = h_i (w - m_i)^2/2 on the line; client i's gradient has the noise +- sigma_i, drawn anew in
every epoch; every path is enumerated.  A schedule names the groups of each epoch, "01|2*3 0|1|2"
being three epochs with clients 0 and 1 together and one with everybody alone; more than ten clients
are separated by commas.  One local step,
Q = 1, unless ``local_steps`` says otherwise; batches of one sample, so that (4) and (5) agree.

Each client keeps its own model and takes the group's mean gradient (as the proof of Equation 39
writes it), or members are averaged when they meet (line 16 of Algorithm 1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import product
from math import inf, prod
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.hcct.convergence import weighted_dissimilarity
from verify.claim import Array, Family, Hypothesis, Instance, Real, Shape, numbers
from verify.statements.hcct.quantities.symbols import CURVATURE, LENGTH, POINTS, SIZES
from verify.terms.vocabulary import quantity
from verify.world.world import World


def epochs(schedule: str) -> list[str]:
    """Groups of every epoch: ``"01*2 0|1"`` is ``["01", "01", "0|1"]``."""
    words = (word.partition("*") for word in schedule.split())
    return [groups for groups, _, times in words for _ in range(int(times or 1))]


class Training:
    """Paths of a world's clients under its schedule, lists of arrays (B, R, N).

    ``models`` are w^0 .. w^T as held at the beginning of an epoch, ``updates`` sum_j a_j g_j of
    client i's group in every epoch.
    """

    def __init__(self, w: World, averaged: bool = False) -> None:
        self.clients = int(w.original("N"))
        self.local_steps = int(w.original("local_steps")) if w.has("local_steps") else 1
        self.words = epochs(w.original("schedule"))
        self.last = len(self.words) - 1
        self.optimum = w.original("optimum")
        bend = w.original("bend") if w.has("bend") else w.original("curvature")[..., None]
        self.bend = bend + 0 * self.optimum
        self.weights = {word: group_weights(w.original("size"), word) for word in set(self.words)}
        noise = self._noise(w)
        start = w.original("start")
        state = (start if start.ndim == self.optimum.ndim else start[..., None]) + 0 * self.optimum
        self.models, self.updates = [state], []
        for t, word in enumerate(self.words):
            eta = step_of(w.original("step_size"), w, t)[..., None]
            if averaged:
                state = _mean(self.weights[word], state)
            self.updates.append(_mean(self.weights[word], self._trained(state, eta, noise[t])))
            state = state - eta * self.updates[-1]
            self.models.append(state)

    def _trained(self, model: Array, eta: Array, noise: list[Array]) -> Array:
        """g_i of (5), the sum of the gradients of the local steps (4)."""
        update = 0 * model
        for drawn in noise:
            gradient = self.bend * (model - self.optimum) + drawn
            update, model = update + gradient, model - eta * gradient
        return update

    def _noise(self, w: World) -> list[list[Array]]:
        """Noise of every epoch and step; the weights of its signs are those of the outcomes."""
        epochs, local = range(len(self.words)), range(self.local_steps)
        if not w.has("share"):
            return [[0] * self.local_steps for _ in epochs]
        sizes = len(self.words), self.local_steps, self.clients
        table = np.array(list(product((1, -1), repeat=prod(sizes))))
        w.outcome_weights = w.array([1] * len(table))[None] / len(table)
        signs = w.array(table).reshape(1, len(table), *sizes)
        actual = w.original("sigma")[..., None] * w.original("share")  # at most sigma
        return [[actual * signs[..., t, q, :] for q in local] for t in epochs]

    def losses(self, t: int) -> Array:
        """J_i(w_i^t), (B, R, N)."""
        return self.bend * (self.models[t] - self.optimum) ** 2 / 2

    def gradients(self, t: int) -> Array:
        """grad J_i(w_i^t)."""
        return self.bend * (self.models[t] - self.optimum)

    def group_gradients(self, t: int) -> Array:
        """sum_j a_j grad J_j(w_j^t) of client i's group."""
        return _mean(self.weights[self.words[t]], self.gradients(t))

    def crossed(self, t: int) -> Array:
        """grad J_i(w_j^t), (B, R, i, j)."""
        gap = self.models[t][..., None, :] - self.optimum[..., :, None]
        return self.bend[..., :, None] * gap

    def in_group(self, t: int, values: Array) -> Array:
        """sum_j a_ij values_ij, (B, R, N)."""
        return xp.total(self.weights[self.words[t]] * values)


@quantity
def own_models(w: World) -> Training:
    """The run in which each client keeps its own model."""
    return Training(w)


@quantity
def averaged_models(w: World) -> Training:
    """The run in which members are averaged when they meet."""
    return Training(w, averaged=True)


def run_of(w: World) -> Training:
    """The symbol ``training``, whatever a mutant changes."""
    made: Training = w.original("training")
    return made


def step_of(eta: Array, w: World, t: int) -> Array:
    """eta^t: a share of 1/L, divided by t + 2 where the world says that steps decrease."""
    return eta / (t + 2) if w.has("decreasing") else eta


@quantity
def steps(w: World) -> Array:
    """eta^0 .. eta^{T-1} as the formulas see them, (B, 1, T)."""
    count = len(epochs(w.original("schedule")))
    return xp.stack([step_of(w.step_size, w, t) for t in range(count)], -1)


def kappa2(w: World) -> Array:
    """Squares of kappa_ij = h |m_i - m_j| + slack, (B, 1, N, N), at least the true ones."""
    optimum = w.original("optimum")
    gap = xp.absolute(optimum[..., :, None] - optimum[..., None, :])
    curvature, slack = (w.original(k)[..., None, None] for k in ("curvature", "slack"))
    return (curvature * gap + slack) ** 2


@quantity
def dissimilarity(w: World) -> Array:
    """sum_i sum_j a_ij kappa_ij^2 of every epoch, (B, 1, T)."""
    words = epochs(w.original("schedule"))
    size, squares = w.original("size"), w.kappa2
    known = {w: weighted_dissimilarity(group_weights(size, w), squares) for w in set(words)}
    return xp.stack([known[word] for word in words], -1)


def largest_bend(w: World) -> Array:
    """L of the clients."""
    bend = w.original("bend" if w.has("bend") else "curvature")
    return xp.largest(xp.absolute(bend)) if w.has("bend") else bend


def share_of_inverse(w: World) -> Array:
    """Step size as a share of 1/L."""
    return w.original("step_share") / largest_bend(w)


def group_weights(size: Array, word: str) -> Array:
    """a_ij = D_j/D of client i's group where j belongs to it, (B, 1, N, N)."""
    n = size.shape[-1]
    group = {
        int(i): k
        for k, clients in enumerate(word.split("|"))
        for i in (clients.split(",") if "," in word else clients)
    }
    same = np.array([[int(group[i] == group[j]) for j in range(n)] for i in range(n)])
    spread = same * size[..., None, :]
    return spread / xp.total(spread)[..., None]


def _mean(weights: Array, values: Array) -> Array:
    """Weighted means over each client's group, (B, R, N)."""
    return xp.total(weights * values[..., None, :])


# -- what Theorem 2 assumes and the runs that it is looked for in ---------------------------------

DRIFT = {"training": own_models, "kappa2": kappa2, "step_size": share_of_inverse}
"""Each client keeps its own model; the run, computed once per world, kappa^2 and eta."""
OWN = {**DRIFT, "dissimilarity": dissimilarity}


SHORT_STEPS = (
    Hypothesis("sigma > 0", r"\sigma>0", lambda w: w.sigma, "Assumption 2", strict=True),
    Hypothesis(
        "eta < 1/L",
        r"\eta^t<\tfrac1L\ \forall t",
        lambda w: 1 - w.step_size * w.curvature,
        "Theorem 2",
        strict=True,
    ),
)
"""kappa > 0 comes with the slack."""

NOISY = {
    "curvature": CURVATURE,
    "slack": Real(1 / 1024, 1, unit=(1, -1), log=True),
    "optimum": POINTS,
    "start": LENGTH,
    "size": SIZES,
    "sigma": Real(1 / 1024, 4, unit=(1, -1), log=True),
    "share": Real(0, 1, per=("N",), domain=(0, 1)),
    "step_share": Real(1 / 64, 63 / 64),
}
FIXED = numbers(
    NOISY,
    {"N": 1, "schedule": "0*2"},
    {"N": 2, "schedule": "01"},
    {"N": 2, "schedule": "01*3"},
    {"N": 3, "schedule": "01|2*2"},
    about="parabolas of one curvature, groups that never change, one local step, common start",
)
CHANGING = numbers(
    NOISY,
    {"N": 2, "schedule": "01"},
    {"N": 2, "schedule": "0|1 01"},
    {"N": 3, "schedule": "02|1 01|2"},
    {"N": 2, "schedule": "0|1*2 01"},
    {"N": 1, "schedule": "0*2"},
    about="parabolas of one curvature, groups that change, one local step, common start",
)


def _small_client(
    values: Mapping[str, Any], shape: Shape, start: str, schedule: Callable[[int], str]
) -> Instance:
    """Exact gradients, a schedule of this length; the last client's optimum is gap, the others' 0, all but client 0 heavy.

    They start at 0, at their own optima, or at a share of the gap.
    """
    gap, heavy = values["gap"], values["heavy"]
    others = shape["N"] - 1
    optimum = xp.stack([0 * gap] * others + [gap], -1)
    starts = {"zero": 0 * gap, "optima": optimum, "share": values.get("start_share", 0) * gap}
    params = {
        "optimum": optimum,
        "size": xp.stack([0 * heavy + 1] + [heavy] * others, -1),
        "start": starts[start],
        **{k: values[k] for k in ("curvature", "step_share", "sigma", "slack")},
    }
    run = dict(shape)
    if "length" in shape:  # a curve brings its own schedule
        run["schedule"] = schedule(int(run.pop("length")))
    return Instance("numbers", {}, None, {**params, **run})


_LITTLE = Real(2**-20, 1, unit=(1, -1), log=True)
_FEW = {
    "gap": Real(1 / 8, 8, unit=(0, 1), log=True),
    "heavy": Real(1, 4096, log=True, domain=(1, inf)),
    "curvature": CURVATURE,
    "step_share": Real(1 / 64, 63 / 64),
    "sigma": _LITTLE,
    "slack": _LITTLE,
}
_LENGTHS = {"optimum": (0, 1), "start": (0, 1)}
CARRIED = Family(
    _FEW,
    ({"N": 3, "length": 8},),
    partial(_small_client, start="zero", schedule=lambda n: f"02|1*{n} 01|2*{3 * n**2}"),
    "three parabolas, a small client in the wrong group for n epochs, then 3 n^2 more, from n = 8",
    _LENGTHS,
    grow=("length",),
)
"""Client 0 is carried to the optimum of client 2, and left with client 1 after that. With steps of
the order 1/(n L) the ratio grows like n, the square root of the number of epochs."""
SHORT = Family(
    _FEW,
    ({"N": 3, "length": 4},),
    partial(_small_client, start="zero", schedule=lambda n: f"02|1*{n} 01|2"),
    "three parabolas, a small client in the wrong group for four epochs or more",
    _LENGTHS,
    grow=("length",),
)
MET = Family(
    _FEW,
    ({"N": 2, "length": 8},),
    partial(_small_client, start="optima", schedule=lambda n: f"0|1 01 0|1*{n}"),
    "two parabolas, alone but for one epoch of ten or more",
    _LENGTHS,
    grow=("length",),
)
MET_OFTEN = Family(
    {**_FEW, "start_share": Real(0, 1, domain=(0, 1))},
    ({"N": 2, "length": 4},),
    partial(
        _small_client, start="share", schedule=lambda n: f"0|1*{4 * n} 01 " * n + f"0|1*{4 * n}"
    ),
    "two parabolas with a common start, n meetings after 4 n epochs alone each, from n = 4",
    _LENGTHS,
    grow=("length",),
)
"""The larger one hardly moves at a meeting, the small one goes all the way and back alone. With
steps of the order 1/(n L) the ratio grows like n."""
