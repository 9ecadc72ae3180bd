"""Whether what is read of runs of All-for-one is what exact runs give.

At random points both sides and the hypotheses are compared with the formulas, on every outcome, in
the listed shapes and in larger ones.  So is what is taken for known: the rule of the weights, what
the assumptions say of the places that are met, and, given each place, the mean and the variance of
the step that follows and what smoothness says of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from bounds.numbers.symbolic import client_symbol
from verify.claim.parameters import Family, Shape
from verify.reading.federations.claims import ALONG, MEAN, NOISE, SPREAD, WEIGHTS, smoothness
from verify.reading.federations.exact import ExactRuns, Table
from verify.reading.federations.places import BETA, MU, STEP, moved, own_at, step_at, value_at
from verify.reading.federations.reading import FREE, WeighedRuns
from verify.reading.federations.rule import Weighing
from verify.reading.federations.weights import known_of_a_place
from verify.reading.parts.exact_points import plain, plain_array
from verify.reading.parts.known_before import known_before
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.values import POINTS, agree, equal

Expr = Any  # sympy carries no types
SLACK = 1e-9
"""How far below zero a float may be that stands for a number that is not negative, relative to what
it is the difference of."""
MOST = 4
"""Most draws, of clients in rounds, of a run that is not listed."""

__all__ = ["Checked", "agrees", "holds"]


def agrees(setting: WeighedRuns, weighing: Weighing, checked: type[Checked] | None = None) -> bool:
    """Whether the formulas, and what is taken for known, are what runs give.

    Parameters
    ----------
    setting : WeighedRuns
    weighing : Weighing
        At the first place.
    checked : class
        That compares them.
    """

    def at(place: tuple[Family, Shape], random: Random) -> bool | None:
        try:
            runs = (checked or Checked)(setting, weighing, *place, random)
        except (NotReadable, ZeroDivisionError):
            return None  # an own gradient that vanishes, say: no weights are defined
        return None if runs.goes_back() else runs.agree()

    return agree(setting.statement.key, _places(setting), at, 1 if known_before() else POINTS)


def _places(setting: WeighedRuns) -> Iterator[tuple[Family, Shape]]:
    """Listed families and shapes; of each family one client, one round and one dimension more."""
    yield from setting.places
    if known_before():
        return
    seen: set[int] = set()
    for family, shape in setting.places:
        if id(family) in seen:
            continue
        seen.add(id(family))
        here = [s for f, s in setting.places if f is family]
        clients, rounds = (max(int(s[n]) for s in here) for n in ("N", "rounds"))
        for change in (
            {"N": clients + 1, "rounds": 1},
            {"N": 1, "rounds": rounds + 1} if setting.longest > 1 else {},
            {"N": setting.beside, "d": 2, "rounds": 1} if all(s["d"] > 0 for s in here) else {},
        ):
            changed = {**shape, **change}
            if change and int(changed["N"]) * int(changed["rounds"]) <= MOST:
                yield family, changed


class Checked(ExactRuns):
    """Runs that are compared with what is read of them."""

    def agree(self) -> bool:
        """Whether all of it is as it was read."""
        return (
            self._signs()
            and self._sides()
            and all(
                self._place(outcome, t)
                for outcome in range(len(self.theta))
                for t in range(self.rounds + 1)
            )
            and all(self._round(t) for t in range(self.rounds))
        )

    def goes_back(self) -> bool:
        """Whether a step is not above zero at a point that breaks a hypothesis."""
        names = [step_at(t) for t in range(self.rounds)] if self.setting.changing else [STEP]
        return any(self.known[str(name), ()] <= 0 for name in names) and any(
            min(plain_array(margin).reshape(-1)) < 0 for margin in self.margins.values()
        )

    def _signs(self) -> bool:
        """Whether parameters are what was drawn of their domains, and all signs as declared."""
        params = self.world.instance.params
        if not all(
            list(params[n].reshape(-1)) == list(self.drawn[n].reshape(-1))
            for n, real in (*self.setting.box.items(), *self.setting.rows.items())
            if real is not FREE
        ):
            return False
        step = self._step_formula()
        if step is not None and not equal(self.at(step, self.tables[0]), self.known[str(STEP), ()]):
            return False
        sizes = self.setting.sizes(self.rounds) if self.setting.changing else []
        if not all(
            equal(self.at(e, self.known), self.known[str(step_at(t)), ()])
            for t, e in enumerate(sizes)
        ):
            return False
        known = {**self.setting.box, **self.setting.rows}
        strict = {n for n, real in known.items() if real.sign == "positive"}
        weak = {n for n, real in known.items() if real.sign == "nonnegative"}
        strict |= {str(BETA), str(STEP), str(MU), "sigma2"}
        strict |= {str(step_at(t)) for t in range(self.rounds)}
        weak |= {"squared_bias", "slope", *(f"value{t}" for t in range(self.rounds + 1))}
        return all(
            value > 0 if name in strict else name not in weak or holds(value)
            for table in self.tables
            for (name, _), value in table.items()
        )

    def _sides(self) -> bool:
        """Both sides on every outcome, and the lowest margins of the hypotheses."""
        statement, sides = self.setting.statement, list(self.found)
        if statement.relation == ">=":
            sides.reverse()
        for formulas, side in zip(self.setting.said(self.rounds), sides, strict=True):
            count = 1 if set(formulas) == {()} else self.clients
            found = np.broadcast_to(side.reshape(-1, count), (len(self.tables), count))
            for table, values in zip(self.tables, found, strict=True):
                if not all(
                    equal(self._of_client(formulas, c, table), v) for c, v in enumerate(values)
                ):
                    return False
        return self._margins_agree()

    def _margins_agree(self) -> bool:
        """The lowest margins of the hypotheses."""
        after, margins = self.setting.after(self.rounds), self.margins
        return set(margins) == set(after.margins) and all(
            equal(
                min(self.at(e, table) for table in self.tables for e in after.margins[name]),
                min(plain_array(margin).reshape(-1)),
            )
            for name, margin in margins.items()
        )

    def _of_client(self, formulas: Mapping[Any, Expr], client: int, table: Table) -> Any:
        """The value of what is said of a client, or of the one value."""
        k, _ = client_symbol()
        if set(formulas) == {()}:
            return self.at(formulas[()], table)
        return self.here.at(formulas["k",] if client else formulas[0,], {k: client}, table)

    def _place(self, outcome: int, t: int) -> bool:
        """The rule of the weights, and what the assumptions say of a place."""
        k, _ = client_symbol()
        table = self.tables[outcome]
        if t < self.rounds:
            given = self.weights[min(outcome, len(self.weights) - 1), t]
            if not all(map(equal, self.alpha(outcome, t), given)):
                return False
        size = table[str(own_at(t)), ()]
        for margin in known_of_a_place(self.setting).values():
            for place, e in margin.items():
                others = range(1, self.clients) if place else (0,)
                if not all(holds(self.here.at(moved(e, t), {k: c}, table), size) for c in others):
                    return False
        return True

    def _round(self, t: int) -> bool:
        """Given each place: mean, variance and smoothness of the step that follows."""
        groups: dict[Any, list[int]] = {}
        for outcome, path in enumerate(self.theta):
            key = tuple(float(plain(v)) for v in path[: t + 1].reshape(-1))
            groups.setdefault(key, []).append(outcome)
        return all(self._given_a_place(t, outcomes) for outcomes in groups.values())

    def _given_a_place(self, t: int, outcomes: list[int]) -> bool:
        name = str(step_at(t) if self.setting.changing else STEP)
        table, step = self.tables[outcomes[0]], self.known[name, ()]
        alpha, slopes = self.alpha(outcomes[0], t), self.gradients[t][outcomes[0]]
        place = plain_array(self.theta[outcomes[0], t])
        taken = [(place - plain_array(self.theta[o, t + 1])) / step for o in outcomes]
        shares = [self.share[o] for o in outcomes]
        shares = [s / sum(shares) for s in shares]
        mean = sum(s * v for s, v in zip(shares, taken, strict=True))
        whole = sum(a * g for a, g in zip(alpha, slopes, strict=True))
        spread = sum(s * ((v - whole) ** 2).sum() for s, v in zip(shares, taken, strict=True))
        variances = [self.known["sigma2", (c,)] for c in range(self.clients)]
        noise = sum(a**2 * v for a, v in zip(alpha, variances, strict=True))
        total = sum(alpha)
        weighted = sum(a * (g**2).sum() for a, g in zip(alpha, slopes, strict=True)) / total
        after = sum(
            s * self.tables[o][str(value_at(t + 1)), ()]
            for s, o in zip(shares, outcomes, strict=True)
        )
        numbers: dict[str, Any] = {
            str(WEIGHTS): total,
            str(ALONG): (slopes[0] * whole).sum() / total,
            str(MEAN): (whole**2).sum() / total**2,
            str(NOISE): noise,
            str(value_at(0)): table[str(value_at(t)), ()],
            str(value_at(1)): after,
            str(self.setting.step): step,
        }
        numbers[str(SPREAD)] = weighted - numbers[str(MEAN)]
        own = (slopes[0] ** 2).sum()
        gaps = [((g - slopes[0]) ** 2).sum() - own for g in slopes]
        sums = self.weighing
        psi = self.at(moved(sums.psi_sum, t), table)
        pairs = (
            (sums.phi_sum, psi * total),
            (sums.square_sum, psi**2 * noise),
            (sums.drift, psi * sum(a * g for a, g in zip(alpha, gaps, strict=True))),
        )
        here: Table = {**self.known, **{(n, ()): v for n, v in numbers.items()}}
        return (
            all(equal(self.at(moved(e, t), table), value) for e, value in pairs)
            and all(map(equal, np.ravel(mean), np.ravel(whole)))
            and holds(noise - spread, noise)
            and holds(numbers[str(SPREAD)], weighted)
            and all(holds(a) for a in alpha)
            and holds(self.here.at(smoothness(self.setting.step), {}, here), after)
        )

    def _step_formula(self) -> Expr | None:
        """The step's formula; None of one that is known by its sign alone."""
        try:
            return self.setting.step_formula()
        except NotReadable:
            return None


def holds(value: Any, size: Any = 1) -> bool:
    if isinstance(value, Fraction):
        return value >= 0
    return bool(value >= -SLACK * max(1.0, abs(float(size))))
