"""All-for-one on one-dimensional quadratics, in fractions, for the judges of `adaptive`.

Client k has the loss A_k (theta + xi_k)^2; client 0 is the one that learns.  Its noise takes two
values, so that every run is followed with its probability.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

__all__ = ["Federation", "Outcomes", "Path", "noises", "number"]


def number(value: Any) -> Any:
    """Numbers of a witness as fractions, also in lists; words and truth values as they are."""
    if isinstance(value, list):
        return [number(item) for item in value]
    if isinstance(value, str) and "/" in value:
        return Fraction(value)
    return Fraction(value) if type(value) is int else value


Outcomes = Iterator[tuple[Fraction, tuple[Fraction, ...]]]


def noises(scales: Sequence[Fraction], skews: Sequence[Fraction]) -> Outcomes:
    """Outcomes of one round: m with chance 1/(1 + m^2), else -1/m, times the scale."""
    laws = []
    for scale, m in zip(scales, skews, strict=True):
        high = 1 / (1 + m * m)
        pairs = ((high, scale * m), (1 - high, -scale / m))
        laws.append(pairs if scale else ((Fraction(1), Fraction(0)),))
    for outcome in product(*laws):
        chance = Fraction(1)
        for p, _ in outcome:
            chance *= p
        yield chance, tuple(value for _, value in outcome)


@dataclass(frozen=True)
class Path:
    """A run that happens with a probability: models theta^0 .. theta^T."""

    chance: Fraction
    theta: tuple[Fraction, ...]


class Federation:
    """The instance of a witness.

    Parameters
    ----------
    raw : mapping
        Content of the witness file.
    """

    def __init__(self, raw: Mapping[str, Any]) -> None:
        data = {name: number(value) for name, value in raw["instance"]["data"].items()}
        self.given = {name: number(v) for name, v in raw["instance"]["params"].items()}
        assert not data["half"]
        assert all(len(form) == len(form[0]) == 1 for form in data["A"])
        self.form = [form[0][0] for form in data["A"]]
        self.shift = [shift[0] for shift in data["xi"]]
        self.data = data
        self.clients = range(len(self.form))
        self.mu, self.beta = 2 * min(self.form), 2 * max(self.form)
        self.sigma2 = [s * s for s in data.get("sigma", [])]
        self.start = self.given["start"][0] if "start" in self.given else Fraction(0)
        self.rounds = int(self.given.get("rounds", 0))

    # -- losses ------------------------------------------------------------------------------------

    def gradient(self, k: int, theta: Fraction) -> Fraction:
        return 2 * self.form[k] * (theta + self.shift[k])

    def excess(self, theta: Fraction) -> Fraction:
        return self.form[0] * (theta + self.shift[0]) ** 2

    def own(self, theta: Fraction) -> Fraction:
        """|grad R_0|^2."""
        return self.gradient(0, theta) ** 2

    def gap(self, k: int, theta: Fraction) -> Fraction:
        """|grad R_k - grad R_0|^2."""
        return (self.gradient(k, theta) - self.gradient(0, theta)) ** 2

    def is_legal(self) -> bool:
        """A1, A4 and A2: convex losses, and a claimed variance of at least that of the noise."""
        scales = self.data.get("noise_scale", [])
        sound = all(0 <= n * n <= s for n, s in zip(scales, self.sigma2, strict=True))
        return sound and min(self.form) > 0 and all(s > 0 for s in self.sigma2)

    def dissimilarity(self, k: int) -> tuple[Fraction, Fraction]:
        """(b, c) with |grad R_k - grad R_0|^2 <= b^2 + c |grad R_0|^2 everywhere.

        The gap is |(a - 1) g + s| with a = A_k/A_0, s = 2 A_k (xi_k - xi_0): the supremum of its
        square less c g^2 is s^2 c/(c - (a - 1)^2).  Of one Hessian c = 0 and b = |s|, the least
        pair of all; else the split x of (u + v)^2 that the witness names.
        """
        spread = self.form[k] / self.form[0] - 1
        offset = abs(2 * self.form[k] * (self.shift[k] - self.shift[0]))
        if spread == 0:
            return offset, Fraction(0)
        split = self.given["tradeoff"]
        slope = split**2 / (split**2 - 1) * spread**2
        bias = split * offset
        assert split > 1
        assert bias**2 * (slope - spread**2) >= offset**2 * slope  # A3, everywhere
        return bias, slope

    # -- Definitions 1 and 2 -----------------------------------------------------------------------

    def phi(self, x: Fraction) -> Fraction:
        if self.given["phi"] == "continuous":
            return x
        level: Fraction = self.given["threshold"]
        return level if x >= level else Fraction(0)

    def ratios(self, theta: Fraction) -> list[Fraction]:
        squared = self.own(theta)  # 0: the ratio has no value
        return [max(Fraction(0), 1 - self.gap(k, theta) / squared) for k in self.clients]

    def variance(self, values: Sequence[Fraction]) -> Fraction:
        """sigma_f^2 for the values f(r_k)."""
        return 1 / sum((f / s for f, s in zip(values, self.sigma2, strict=True)), Fraction(0))

    def effective(self, theta: Fraction) -> Fraction:
        return self.variance([r * self.phi(r) for r in self.ratios(theta)])

    def weights(self, theta: Fraction) -> list[Fraction]:
        if self.given["weights"] == "fixed":
            return list(self.given["alpha"])
        scale = self.effective(theta)
        return [
            self.phi(r) * scale / s for r, s in zip(self.ratios(theta), self.sigma2, strict=True)
        ]

    def limit(self, theta: Fraction) -> Fraction:
        """(sigma_phi/sigma_psi)^2."""
        ratios = self.ratios(theta)
        return self.variance([self.phi(r) for r in ratios]) / self.effective(theta)

    def sufficient_ratios(self, precision: Fraction, square: bool) -> list[Fraction]:
        """(1 - b/(2 mu eps) - c)_+ of Definition 2, or with b^2; of the own pair b = c = 0."""
        pairs = [self.dissimilarity(k) for k in self.clients]
        level = 2 * self.mu * precision
        return [max(Fraction(0), 1 - b ** (1 + square) / level - c) for b, c in pairs]

    def sufficient(self, precision: Fraction, square: bool) -> Fraction:
        ratios = self.sufficient_ratios(precision, square)
        return self.variance([x * self.phi(x) for x in ratios])

    # -- runs --------------------------------------------------------------------------------------

    def noises(self) -> Outcomes:
        """Outcomes of one round."""
        return noises(self.data["noise_scale"], self.data["skew"])

    def paths(self, step: Fraction, rounds: int | None = None) -> list[Path]:
        """All runs with a constant step size."""
        found = [Path(Fraction(1), (self.start,))]
        for _ in range(self.rounds if rounds is None else rounds):
            longer = []
            for path in found:
                theta = path.theta[-1]
                alpha = self.weights(theta)
                mean = sum((a * self.gradient(k, theta) for k, a in enumerate(alpha)), Fraction(0))
                for chance, noise in self.noises():
                    drift = mean + sum(a * n for a, n in zip(alpha, noise, strict=True))
                    new = (*path.theta, theta - step * drift)
                    longer.append(Path(path.chance * chance, new))
            found = longer
        return found
