"""FedBC on the line in fractions, as Algorithms 1 and 2 print it, for the judges of `fedbc`.

A client's loss is quadratic, or has two wells with a hump between them:
f(x) = h p((x - c)/w), where p' has slope 1 up to 1, -1 up to 3 and 1 beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

__all__ = ["Loss", "Round", "Setting", "losses_of", "mean", "number"]


def number(raw: Any) -> Any:
    """Fractions where a witness has text, lists of them where it has lists."""
    if isinstance(raw, list):
        return [number(each) for each in raw]
    if isinstance(raw, str):
        return Fraction(raw) if "/" in raw else raw
    return raw if isinstance(raw, bool) else Fraction(raw)


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


@dataclass(frozen=True)
class Loss:
    """A loss with a piecewise linear derivative: ends of the pieces, curvature and zero of each."""

    ends: tuple[Fraction, ...]
    bends: tuple[Fraction, ...]
    zeros: tuple[Fraction, ...]
    floors: tuple[Fraction, ...]

    def _piece(self, x: Fraction) -> int:
        return sum(x > end for end in self.ends)

    def value(self, x: Fraction) -> Fraction:
        k = self._piece(x)
        return self.floors[k] + self.bends[k] * (x - self.zeros[k]) ** 2 / 2

    def slope(self, x: Fraction) -> Fraction:
        k = self._piece(x)
        return self.bends[k] * (x - self.zeros[k])

    @property
    def stiffness(self) -> Fraction:
        """L_i, the smallest Lipschitz constant of the derivative."""
        return max(abs(bend) for bend in self.bends)

    def solve(self, pull: Fraction, z: Fraction) -> Fraction:
        """Minimiser of f(x) + pull (x - z)^2."""
        found = [
            (bend * zero + 2 * pull * z) / (bend + 2 * pull)
            for bend, zero in zip(self.bends, self.zeros, strict=True)
            if bend + 2 * pull != 0
        ]
        points = [*found, *self.ends]
        return min(points, key=lambda x: self.value(x) + pull * (x - z) ** 2)


def _well(height: Fraction, centre: Fraction, width: Fraction) -> Loss:
    bend = height / width**2
    at = [centre + k * width for k in range(5)]
    ends, zeros = (at[1], at[3]), (at[0], at[2], at[4])
    return Loss(ends, (bend, -bend, bend), zeros, (Fraction(0), height, Fraction(0)))


def losses_of(instance: Mapping[str, Any]) -> list[Loss]:
    """The losses of an instance on the line."""
    data = {name: number(value) for name, value in instance["data"].items()}
    if instance["family"] == "double_well":
        assert data["width"] > 0
        assert min(data["height"]) > 0
        centres = [centre[0] for centre in data["centre"]]
        return [_well(h, c, data["width"]) for h, c in zip(data["height"], centres, strict=True)]
    assert instance["family"] == "quadratic"
    found = []
    for form, shift in zip(data["A"], data["xi"], strict=True):
        bend = form[0][0] * (1 if data["half"] else 2)
        assert bend > 0
        found.append(Loss((), (bend,), (-shift[0],), (Fraction(0),)))
    return found


@dataclass(frozen=True)
class Round:
    """One round: models, multipliers and the server's model, before and after it."""

    old: list[Fraction]
    new: list[Fraction]
    z: Fraction
    after: Fraction
    lam: list[Fraction]
    updated: list[Fraction]
    solved: tuple[int, ...]

    def move(self, i: int) -> Fraction:
        return abs(self.new[i] - self.old[i])

    def spread(self, i: int) -> Fraction:
        return (self.new[i] - self.after) ** 2


class Setting:
    """The instance of a witness: losses, constants, runs."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        instance = raw["instance"]
        self.losses = losses_of(instance)
        self.given = {name: number(value) for name, value in instance["params"].items()}
        g = self.given
        self.n, self.members = len(self.losses), int(g["S"])
        self.z: Fraction = g["start"][0]
        self.starts: list[Fraction] = [x[0] for x in g["starts"]]
        self.gamma: list[Fraction] = g["gamma"]
        self.alpha: Fraction = g["dual_step"]
        self.lam: list[Fraction] = g["multipliers"]
        self.low: Fraction = g["lambda_min"]
        self.high: Fraction = g["lambda_max"]
        self.T = int(g["rounds"])
        self.virtual = bool(g.get("virtual", False))
        self.L = [loss.stiffness for loss in self.losses]
        self.top = max(self.L)
        self.M1 = self.top + 2 * self.high

    # -- hypotheses ------------------------------------------------------------------------------

    def is_legal(self) -> bool:
        """A federation and an algorithm: sizes, tolerances, steps, multipliers in Lambda."""
        step = self.given["local"] == "argmin" or self.given["step_size"] > 0
        sizes = 1 <= self.members <= self.n and self.T >= 1
        dual = 0 <= self.low <= self.high and all(self.low <= a <= self.high for a in self.lam)
        return sizes and dual and step and self.alpha > 0 and min(self.gamma) >= 0

    def meets_h1(self) -> bool:
        """lambda_i^t >= 1 + L_i, in every round of every run."""
        return all(
            a >= 1 + L
            for run in self.runs()
            for r in run
            for a, L in zip(r.lam, self.L, strict=True)
        )

    def meets_h2(self) -> bool:
        """lambda_max < (1 + L_i)^2/L_i for every i."""
        return all(self.high < (1 + L) ** 2 / L for L in self.L)

    def meets_h3(self) -> bool:
        """x_i^0 = z^0."""
        return all(x == self.z for x in self.starts)

    # -- runs ------------------------------------------------------------------------------------

    def _local(self, i: int, x: Fraction, z: Fraction, lam: Fraction) -> Fraction:
        loss = self.losses[i]
        if self.given["local"] == "argmin":
            return loss.solve(lam, z)
        for _ in range(int(self.given["local_steps"])):
            x -= self.given["step_size"] * (loss.slope(x) + 2 * lam * (x - z))
        return x

    def _round(
        self, x: list[Fraction], z: Fraction, lam: list[Fraction], chosen: tuple[int, ...]
    ) -> Round:
        solved = tuple(range(self.n)) if self.virtual else chosen
        new, updated = list(x), list(lam)
        for i in solved:
            new[i] = self._local(i, x[i], z, lam[i])
            risen = lam[i] + self.alpha * ((new[i] - z) ** 2 - self.gamma[i])
            updated[i] = min(max(risen, self.low), self.high)
        whole = sum((updated[j] for j in chosen), Fraction(0))
        after = sum((updated[j] * new[j] for j in chosen), Fraction(0)) / whole
        return Round(x, new, z, after, lam, updated, solved)

    def runs(self) -> Iterator[list[Round]]:
        """One run for each sequence of sampled sets, all equally likely."""
        sets = list(combinations(range(self.n), self.members))
        for sequence in product(sets, repeat=self.T):
            x, z, lam, run = self.starts, self.z, self.lam, []
            for chosen in sequence:
                r = self._round(x, z, lam, chosen)
                run.append(r)
                x, z, lam = r.new, r.after, r.updated
            yield run

    def expected(self, value: Callable[[list[Round]], Fraction]) -> Fraction:
        return mean([value(run) for run in self.runs()])

    def over_clients(self, value: Callable[[Round, int], Fraction]) -> Fraction:
        """Expectation over the sampled set of the mean over clients, in the first round."""
        return self.expected(lambda run: mean([value(run[0], i) for i in range(self.n)]))

    # -- quantities ------------------------------------------------------------------------------

    def lagrangian(self, i: int, x: Fraction, z: Fraction, lam: Fraction) -> Fraction:
        return self.losses[i].value(x) + lam * ((x - z) ** 2 - self.gamma[i])

    def pull(self, i: int, x: Fraction, z: Fraction, lam: Fraction) -> Fraction:
        """grad L_i in x_i (17)."""
        return self.losses[i].slope(x) + 2 * lam * (x - z)

    def fall(self, r: Round, i: int) -> Fraction:
        """L_i^t - L_i^{t+1}."""
        before = self.lagrangian(i, r.old[i], r.z, r.lam[i])
        return before - self.lagrangian(i, r.new[i], r.after, r.updated[i])

    def residual(self, r: Round, i: int) -> Fraction:
        """e_i^{t+1} (25)."""
        return self.pull(i, r.new[i], r.z, r.lam[i])

    @property
    def epsilon(self) -> Fraction:
        """Largest squared residual of a local solve, the least that (10) allows."""
        return max(self.residual(r, i) ** 2 for run in self.runs() for r in run for i in r.solved)

    def mean_loss(self, z: Fraction) -> Fraction:
        return mean([loss.value(z) for loss in self.losses])

    def mean_slope(self, z: Fraction) -> Fraction:
        return mean([loss.slope(z) for loss in self.losses])

    @property
    def least_loss(self) -> Fraction:
        """Least of f on the whole line: at an end of a piece, or where its derivative vanishes."""
        ends = sorted({end for loss in self.losses for end in loss.ends})
        inside = [ends[0] - 1, *(mean([a, b]) for a, b in pairwise(ends))]
        points = list(ends)
        for at in [*inside, ends[-1] + 1]:
            pieces = [
                (loss.bends[k], loss.zeros[k]) for loss in self.losses for k in [_at(loss, at)]
            ]
            whole = sum((bend for bend, _ in pieces), Fraction(0))
            if whole:
                points.append(sum((bend * zero for bend, zero in pieces), Fraction(0)) / whole)
        return min(self.mean_loss(point) for point in points)

    # -- the domain X of Assumption 4.1 ----------------------------------------------------------

    @property
    def domain(self) -> tuple[Fraction, Fraction]:
        """An interval with all models and, for every z in it and every lambda, a stationary point.

        No derivative pushes out at its ends, so that L_i(., z, lambda) has one inside.
        """
        points = [self.z, *self.starts]
        for run in self.runs():
            points += [x for r in run for x in (*r.new, r.after)]
        low, high = min(points), max(points)
        zeros = [zero for loss in self.losses for zero in (loss.zeros[0], loss.zeros[-1])]
        lows = [x for x in (low, *zeros) if x <= low and self._pushes(x, -1)]
        highs = [x for x in (high, *zeros) if x >= high and self._pushes(x, 1)]
        return max(lows), min(highs)

    def _pushes(self, x: Fraction, sign: int) -> bool:
        return all(sign * loss.slope(x) >= 0 for loss in self.losses)

    @property
    def R(self) -> Fraction:
        low, high = self.domain
        return high - low

    @property
    def G(self) -> Fraction:
        """16 R^4 + gamma_i^2 with the largest gamma_i (37)."""
        return 16 * self.R**4 + max(self.gamma) ** 2

    @property
    def delta(self) -> Fraction:
        """Assumption 4.3 over X; a pair may be one device twice, which makes it larger."""
        low, high = self.domain
        kinks = [end for loss in self.losses for end in loss.ends if low < end < high]
        return max(
            abs(a * f.slope(x) - b * g.slope(x))
            for x in (low, high, *kinks)
            for a, b in product((self.low, self.high), repeat=2)
            for f, g in product(self.losses, repeat=2)
        )

    @property
    def C0(self) -> Fraction:
        return 1 - self.high / (4 * self.top)

    def consensus_bound(self) -> tuple[Fraction, Fraction]:
        """The epsilon and the delta^2 term of (65) divided by T."""
        share = Fraction(self.members * (self.n - 1)) / (self.C0**2 * self.n**2)
        first = share * sum((1 / (1 + L) ** 2 for L in self.L), Fraction(0))
        second = share * sum((1 / (1 + L) ** 4 for L in self.L), Fraction(0))
        return self.epsilon * first, self.delta**2 * second


def _at(loss: Loss, x: Fraction) -> int:
    return sum(x > end for end in loss.ends)
