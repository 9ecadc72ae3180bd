"""Second encoding of Lemma 1 of "How to Collaborate": one epoch from any models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

from bounds import generic as xp
from tests.qa.second_encodings.hcct.training import partitions, together
from tests.qa.second_encodings.record import Second

Margins = dict[str, Callable[[Any], Any]]


class Epoch:
    """One epoch from any models: gradients at the clients' own models, every outcome of the noise.

    A client's stochastic gradient is off by its share of sigma, up or down with one chance each; an
    update is the sum (5) of those along the local steps (4), one where the world names no number.
    """

    def __init__(self, w: Any) -> None:
        self.w, n = w, int(w.N)
        self.N, groups = n, partitions(w.schedule)[0]
        steps = int(w.local_steps) if w.has("local_steps") else 1
        signs = w.array([[list(s) for s in product((-1, 1), repeat=n * steps)]])  # (1, R, n steps)
        w.outcome_weights = 0 * signs[..., 0] + w.array(1) / 2 ** (n * steps)
        self.start = [w.start[..., i] for i in range(n)]
        held = self.start
        if w.has("averaged_models"):
            held = together(groups, w.size, self.start)
        noisy = []
        for i in range(n):
            model, update = held[i], 0 * held[i]
            for q in range(steps):
                error = w.sigma * w.share[..., i] * signs[..., q * n + i]
                gradient = self.slope(i, model) + error
                model, update = model - w.step_size * gradient, update + gradient
            noisy.append(update)
        self.slopes = [self.slope(i, self.start[i]) for i in range(n)]
        self.exact = together(groups, w.size, self.slopes)
        self.noisy = together(groups, w.size, noisy)
        self.after = [x - w.step_size * g for x, g in zip(held, self.noisy, strict=True)]

    def slope(self, i: int, place: Any) -> Any:
        """J_i'."""
        return self.w.bend[..., i] * (place - self.w.optimum[..., i])

    def loss(self, i: int, place: Any) -> Any:
        """J_i, least or largest value 0."""
        return self.w.bend[..., i] * (place - self.w.optimum[..., i]) ** 2 / 2

    def fall(self, i: int) -> Any:
        """E J_i(w_i^{t+1}) - E J_i(w_i^t)."""
        return self.w.mean(self.loss(i, self.after[i])) - self.loss(i, self.start[i])


def _bound(w: Any) -> Any:
    """L of Assumption 1."""
    return xp.largest(xp.absolute(w.bend))


def _epoch(w: Any) -> Epoch:
    found: Epoch = w.once(Epoch)
    return found


def lemma1_sum(w: Any) -> Any:
    """(27)."""
    e, eta, bound = _epoch(w), w.step_size, _bound(w)
    drift = sum(slope * mean for slope, mean in zip(e.slopes, e.exact, strict=True))
    return {"change": sum(e.fall(i) for i in range(e.N))}, {
        "inner products": -eta * drift,
        "squares": bound * eta**2 / 2 * sum(mean**2 for mean in e.exact),
        "variance": bound * eta**2 * e.N * w.sigma**2 / 2,
    }


def lemma1_smooth(w: Any) -> Any:
    """(37), first line, client 0."""
    e = _epoch(w)
    move = e.after[0] - e.start[0]
    return {"change": e.fall(0)}, {
        "inner product": w.mean(e.slopes[0] * move),
        "square": _bound(w) / 2 * w.mean(move**2),
    }


def lemma1_unbiased(w: Any) -> Any:
    """(37), step (a), client 0."""
    e = _epoch(w)
    move = e.after[0] - e.start[0]
    square = _bound(w) / 2 * w.mean(move**2)
    return {"inner product": w.mean(e.slopes[0] * move), "square": square}, {
        "expected": -w.step_size * e.slopes[0] * e.exact[0],
        "square": square,
    }


def lemma1_square(w: Any) -> Any:
    """(37), third line: the step written as the weighted gradients."""
    e = _epoch(w)
    move, bound = e.after[0] - e.start[0], _bound(w)
    return {"square": bound / 2 * w.mean(move**2)}, {
        "gradients": bound * w.step_size**2 / 2 * w.mean(e.noisy[0] ** 2)
    }


def lemma1_split(w: Any) -> Any:
    """(37), fourth line: mean and deviation."""
    e = _epoch(w)
    scale = _bound(w) * w.step_size**2 / 2
    return {"gradients": scale * w.mean(e.noisy[0] ** 2)}, {
        "mean": scale * e.exact[0] ** 2,
        "deviation": scale * w.mean((e.exact[0] - e.noisy[0]) ** 2),
    }


def lemma1_noise(w: Any) -> Any:
    """(37), step (b): the deviation against sigma^2."""
    e = _epoch(w)
    scale = _bound(w) * w.step_size**2 / 2
    return {"deviation": scale * w.mean((e.exact[0] - e.noisy[0]) ** 2)}, {
        "variance": scale * w.sigma**2
    }


BOUNDED: Margins = {
    "variance at most sigma^2": lambda w: xp.smallest(w.sigma[..., None] ** 2 * (1 - w.share**2))
}
LEMMA_PLACES = (
    "w_i^{t+1} is w_i^t minus eta times the weighted gradients at the members' own models, as (37) "
    "writes it (other: the group's average of line 16 first). The noise is one of the laws that "
    "Assumption 2 allows: up or down by a share of sigma. Lines for one client: client 0."
)
PARTS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "sum": (lemma1_sum, "<="),
    "smooth": (lemma1_smooth, "<="),
    "unbiased": (lemma1_unbiased, "=="),
    "square": (lemma1_square, "=="),
    "split": (lemma1_split, "=="),
    "noise": (lemma1_noise, "<="),
}

ENCODINGS: dict[str, Second] = {
    **{
        f"hcct.lemma1/{part}": Second(
            sides=sides,
            given=BOUNDED,
            relation=relation,
            words="Lemma 1, (27), and the lines of (37).",
            open_places=LEMMA_PLACES,
        )
        for part, (sides, relation) in PARTS.items()
    },
}
OTHERS: dict[str, dict[str, Second]] = {
    key: {"averaged": replace(second, defines={"averaged_models": lambda w: w.array(1)})}
    for key, second in ENCODINGS.items()
}
"""Models averaged before they train (line 16 of Algorithm 1)."""
