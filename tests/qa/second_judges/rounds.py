"""Generalised FedAvg on one-dimensional parabolas, in fractions, for the judges of `aggregation`.

Client i has the loss F_i(w) = A_i (w - m_i)^2/2, so F_i^* = 0.  Noise takes two values; every
outcome is followed with its probability.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.qa.second_judges.federation import Outcomes, noises, number

__all__ = ["Outcome", "Rounds"]

Weights = Callable[[int, Sequence[Fraction]], list[Fraction]]


@dataclass(frozen=True)
class Outcome:
    """One run: w_t^i and w_t for t = 0 .. T, alpha_t and the mean gradients for t < T."""

    chance: Fraction
    local: tuple[tuple[Fraction, ...], ...]
    model: tuple[Fraction, ...]
    alpha: tuple[tuple[Fraction, ...], ...]
    drawn: tuple[tuple[Fraction, ...], ...]


class Rounds:
    """The instance of a witness.

    Parameters
    ----------
    raw : mapping
        Content of the witness file.
    decaying : bool
        Whether steps are those of Corollary 4, 1/(mu (t + 4L/mu)), and not pace_t/(4L).
    """

    def __init__(self, raw: Mapping[str, Any], decaying: bool = False) -> None:
        data = {name: number(value) for name, value in raw["instance"]["data"].items()}
        self.given = {name: number(v) for name, v in raw["instance"]["params"].items()}
        assert data["half"]
        assert all(len(form) == 1 for form in data["A"])
        self.form = [form[0][0] for form in data["A"]]
        self.least = [-shift[0] for shift in data["xi"]]
        self.clients = range(len(self.form))
        self.scale = data.get("noise_scale", [Fraction(0)] * len(self.form))
        self.skew = data.get("skew", [Fraction(1)] * len(self.form))
        self.share = self.given["client_weights"]
        self.mu, self.smoothness = min(self.form), max(self.form)
        self.rounds, self.local = (int(self.given[name]) for name in ("rounds", "local_steps"))
        self.at = int(self.given["at"])
        self.equation = self.given["timing"] == "equation"
        self.decaying = decaying
        pairs = zip(self.share, self.form, self.least, strict=True)
        pulls = [(p * a, p * a * m) for p, a, m in pairs]
        self.best = sum(pull for _, pull in pulls) / sum(weight for weight, _ in pulls)

    def is_legal(self) -> bool:
        """A1 and A2 (convex losses), shares of sum one, weights of sum one, steps above 0."""
        rows = [*self.given.get("coefficients", []), self.share]
        sums = all(sum(row) == 1 and min(row) >= 0 for row in rows)
        return sums and self.mu > 0 and all(self.step(t) > 0 for t in range(self.rounds))

    def step(self, t: int) -> Fraction:
        """eta_t; after the last iteration the steps of its round are taken again."""
        if self.decaying:
            return 1 / (self.mu * (t + 4 * self.smoothness / self.mu))
        pace = self.given["pace"]
        while t >= len(pace) or t >= self.rounds:
            t -= self.local
        return pace[t] / (4 * self.smoothness)

    # -- losses ------------------------------------------------------------------------------------

    def loss(self, i: int, w: Fraction) -> Fraction:
        """F_i(w) - F_i^*."""
        return self.form[i] * (w - self.least[i]) ** 2 / 2

    def slope(self, i: int, w: Fraction) -> Fraction:
        return self.form[i] * (w - self.least[i])

    def averaged(self, w: Fraction, weights: Sequence[Fraction] | None = None) -> Fraction:
        """sum of weights (F_i(w) - F_i^*), with the shares if no weights are given."""
        pairs = enumerate(self.share if weights is None else weights)
        return sum((a * self.loss(i, w) for i, a in pairs), Fraction(0))

    def gap(self) -> Fraction:
        """Gamma."""
        return self.averaged(self.best)

    def rho(self, alpha: Sequence[Fraction], w: Fraction) -> Fraction:
        return self.averaged(w, alpha) / self.averaged(w)

    # -- runs --------------------------------------------------------------------------------------

    def weights(self, t: int, w: Fraction, rule: str) -> list[Fraction]:
        """alpha_t of a strategy that sees the losses at w."""
        if rule == "fedavg":
            return list(self.share)
        if rule == "fixed":
            rows = self.given["coefficients"]
            return list(rows[min(t // self.local, len(rows) - 1)])
        assert rule == "fedmax"
        losses = [self.loss(i, w) for i in self.clients]
        worst = [x == max(losses) for x in losses]
        return [Fraction(int(x), sum(worst)) for x in worst]

    def noises(self) -> Outcomes:
        return noises(self.scale, self.skew)

    def outcomes(
        self, rule: str = "", rounds: int | None = None, seen_at_end: bool = False
    ) -> list[Outcome]:
        """All runs: aggregated where eq. 2 or Algorithm 1 says so, w_t in between as it says.

        ``seen_at_end``: a strategy sees the losses of the local models that are aggregated.
        """
        rule = rule or self.given["rule"]
        start = self.given["start"][0]
        found = [Outcome(Fraction(1), ((start,) * len(self.form),), (start,), (), ())]
        for t in range(self.rounds if rounds is None else rounds):
            found = [
                self._after(before, t, chance, noise, rule, seen_at_end)
                for before in found
                for chance, noise in self.noises()
            ]
        return found

    def _after(
        self,
        o: Outcome,
        t: int,
        chance: Fraction,
        noise: Sequence[Fraction],
        rule: str,
        seen_at_end: bool,
    ) -> Outcome:
        drawn = [
            self.slope(i, w) + n for i, (w, n) in enumerate(zip(o.local[t], noise, strict=True))
        ]
        moved = [w - self.step(t) * g for w, g in zip(o.local[t], drawn, strict=True)]
        begins = t % self.local == 0
        alpha = list(o.alpha[-1]) if o.alpha and not begins else self.weights(t, o.model[t], rule)
        if seen_at_end:
            losses = [self.loss(i, w) for i, w in enumerate(moved)]
            worst = [x == max(losses) for x in losses]
            alpha = [Fraction(int(x), sum(worst)) for x in worst]
        joins = begins if self.equation else (t + 1) % self.local == 0
        between = self.share if self.equation else alpha
        mixed = sum(a * w for a, w in zip(alpha if joins else between, moved, strict=True))
        local = (mixed,) * len(moved) if joins else tuple(moved)
        return Outcome(
            o.chance * chance,
            (*o.local, local),
            (*o.model, mixed),
            (*o.alpha, tuple(alpha)),
            (*o.drawn, tuple(drawn)),
        )

    # -- what the theorems are made of -------------------------------------------------------------

    def squared_gradient(self, outcomes: Sequence[Outcome]) -> Fraction:
        """G^2 of A4, given the past, at the local models of the run."""
        squares = [
            self.slope(i, w) ** 2 + self.scale[i] ** 2
            for o in outcomes
            for row in o.local[: len(o.alpha)]
            for i, w in enumerate(row)
        ]
        return max(squares)

    def variance(self) -> Fraction:
        """sigma^2 of A3."""
        return max(s * s for s in self.scale)

    def skews(self, outcomes: Sequence[Outcome]) -> tuple[Fraction, Fraction]:
        """rho-bar and rho-tilde over t = 0 mod E before the end."""
        times = range(0, len(outcomes[0].alpha), self.local)
        low = min(self.rho(o.alpha[t], o.model[t]) for o in outcomes for t in times)
        high = max(self.rho(o.alpha[t], self.best) for o in outcomes for t in times)
        return low, high
