"""Training in groups on parabolas, in fractions, for the judges of `hcct`.

Client i has the loss h_i (w - m_i)^2/2 on the line; noise is +- share_i sigma with equal
chances, so that every run is followed with its probability.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from tests.qa.second_judges.federation import number

__all__ = ["Groups", "Path"]

Weights = list[list[Fraction]]


class Path:
    """One run: w_i^0 .. w_i^T, and the groups' updates of every epoch."""

    def __init__(self, model: list[list[Fraction]], update: list[list[Fraction]]) -> None:
        self.model = model
        self.update = update


class Groups:
    """The instance of a witness, under Algorithm 1 or as (39) unrolls it.

    Parameters
    ----------
    raw : mapping
        Content of the witness file.
    averaged : bool
        Whether members start an epoch from their weighted mean (Algorithm 1, line 16).
    """

    def __init__(self, raw: Mapping[str, Any], averaged: bool) -> None:
        p = self.p = {k: number(v) for k, v in raw["instance"]["params"].items()}
        n = self.n = int(p["N"])
        self.clients = range(n)
        self.optimum, self.size = p["optimum"], p["size"]
        self.bend = p["bend"] if "bend" in p else [p["curvature"]] * n
        self.L = max(abs(h) for h in self.bend)
        self.eta = p["step_size"] if "step_size" in p else p["step_share"] / self.L
        self.sigma = p.get("sigma", Fraction(0))
        self.noise = [s * self.sigma for s in p.get("share", [Fraction(0)] * n)]
        self.local = int(p.get("local_steps", 1))
        start = p["start"] if isinstance(p["start"], list) else [p["start"]] * n
        words = [w.partition("*") for w in p["schedule"].split()]
        self.weights = [
            self.group_weights(word) for word, _, k in words for _ in range(int(k or 1))
        ]
        self.epochs = len(self.weights)
        self.last = self.epochs - 1
        self.averaged = averaged
        signs: list[tuple[int, ...]] = [(0,) * (self.epochs * self.local * n)]
        if any(self.noise):
            signs = list(product((1, -1), repeat=self.epochs * self.local * n))
        self.paths = [self._run(list(start), s) for s in signs]

    def legal(self, steps: bool = True, sigma: bool = True) -> bool:
        """Sizes are whole samples or more, noise within sigma, sigma > 0, eta < 1/L if asked."""
        return (
            min(self.size) >= 1
            and all(0 <= x <= self.sigma for x in self.noise)
            and (self.sigma > 0 or not sigma)
            and self.eta > 0
            and (not steps or self.eta * self.L < 1)
        )

    def group_weights(self, word: str) -> Weights:
        group = {int(i): k for k, members in enumerate(word.split("|")) for i in members}
        assert sorted(group) == list(self.clients)
        rows = [[s * (group[i] == group[j]) for j, s in enumerate(self.size)] for i in self.clients]
        return [[a / sum(row) for a in row] for row in rows]

    def slope(self, i: int, w: Fraction) -> Fraction:
        return self.bend[i] * (w - self.optimum[i])

    def loss(self, i: int, w: Fraction) -> Fraction:
        return self.bend[i] * (w - self.optimum[i]) ** 2 / 2

    def mixed(self, t: int, values: Sequence[Fraction]) -> list[Fraction]:
        return [sum(a * v for a, v in zip(row, values, strict=True)) for row in self.weights[t]]

    def _run(self, start: list[Fraction], signs: tuple[int, ...]) -> Path:
        model, update, drawn = [start], [], iter(signs)
        for t in range(self.epochs):
            state = self.mixed(t, model[-1]) if self.averaged else model[-1]
            inner, sent = list(state), [Fraction(0)] * self.n
            for _ in range(self.local):
                g = [self.slope(i, inner[i]) + next(drawn) * self.noise[i] for i in self.clients]
                sent = [a + b for a, b in zip(sent, g, strict=True)]
                inner = [a - self.eta * b for a, b in zip(inner, g, strict=True)]
            update.append(self.mixed(t, sent))
            model.append([a - self.eta * b for a, b in zip(state, update[-1], strict=True)])
        return Path(model, update)

    # -- means over the runs -----------------------------------------------------------------------

    def mean(self, value: Callable[[Path], Any]) -> Fraction:
        return sum((value(p) for p in self.paths), Fraction(0)) / len(self.paths)

    def losses(self, t: int) -> Fraction:
        return self.mean(lambda p: sum(self.loss(i, p.model[t][i]) for i in self.clients))

    def slopes(self, p: Path, t: int) -> list[Fraction]:
        return [self.slope(i, p.model[t][i]) for i in self.clients]

    def joint(self, p: Path, t: int) -> list[Fraction]:
        """sum_j a_j grad J_j(w_j^t) of every client's group."""
        return self.mixed(t, self.slopes(p, t))

    def own2(self, t: int) -> Fraction:
        return self.mean(lambda p: sum(x * x for x in self.slopes(p, t)))

    def joint2(self, t: int) -> Fraction:
        return self.mean(lambda p: sum(x * x for x in self.joint(p, t)))

    # -- the terms of Theorem 2 --------------------------------------------------------------------

    def kappa2(self, i: int, j: int) -> Fraction:
        """Assumption 3 with the smallest constants of one curvature, and the slack."""
        assert len(set(self.bend)) == 1
        return (self.L * abs(self.optimum[i] - self.optimum[j]) + self.p["slack"]) ** 2

    def similar(self, t: int) -> Fraction:
        """sum_i sum_j a_j kappa_ij^2 in epoch t."""
        return sum(
            (self.weights[t][i][j] * self.kappa2(i, j) for i in self.clients for j in self.clients),
            Fraction(0),
        )

    def sums(self) -> dict[str, Fraction]:
        """xi_T, the left sum, S_1 .. S_3 and the two sums of noise, without their factors."""
        eta, past, drift, late = self.eta, Fraction(0), Fraction(0), Fraction(0)
        for t in range(self.epochs):
            drift += eta * self.L**2 * past
            late += eta * self.L**2 * self.n * t * eta**2 * self.sigma**2
            past += eta**2 * self.similar(t)
        return {
            "xi": eta * self.epochs,
            "left": sum((eta * self.own2(t) for t in range(self.epochs)), Fraction(0)),
            "S1": self.losses(0),
            "S2": sum((eta * self.similar(t) for t in range(self.epochs)), Fraction(0)),
            "S3": drift,
            "noise": self.epochs * self.L * eta**2 * self.n * self.sigma**2,
            "late": late,
        }
