"""Whether what is read of runs of All-for-one is what exact runs give.

At random points both sides and the hypotheses are compared with the formulas, on every outcome, in
the listed shapes and in larger ones.  So is what is taken for known: the rule of the weights, what
the assumptions say of the places that are met, and, given each place, the mean and the variance of
the step that follows and what smoothness says of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.symbolic import client_symbol
from bounds.numbers.validate import unchecked
from verify.claim.parameters import Family, Shape
from verify.reading.clients.agreement import known_before
from verify.reading.federations.claims import ALONG, MEAN, NOISE, SPREAD, WEIGHTS, smoothness
from verify.reading.federations.reading import FREE, WeighedRuns, instance_of
from verify.reading.federations.rule import Weighing
from verify.reading.federations.weights import known_of_a_place
from verify.reading.federations.world import BETA, MU, STEP, moved, own_at, step_at, value_at
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.values import POINTS, Formulas, agree, equal
from verify.world.returned import margins_of, sides_of
from verify.world.world import World

Expr = Any  # sympy carries no types
Array = np.ndarray[Any, Any]
Table = dict[tuple[str, tuple[int, ...]], Any]

SLACK = 1e-9
"""How far below zero a float may be that stands for a number that is not negative, relative to what
it is the difference of."""
FINEST = 64
"""Largest denominator of the points at which a reading is compared."""
MOST = 4
"""Most draws, of clients in rounds, of a run that is not listed."""

__all__ = ["agrees"]


def agrees(setting: WeighedRuns, weighing: Weighing) -> bool:
    """Whether the formulas, and what is taken for known, are what runs give.

    Parameters
    ----------
    setting : WeighedRuns
    weighing : Weighing
        At the first place.
    """

    def at(place: tuple[Family, Shape], random: Random) -> bool | None:
        try:
            runs = _Runs(setting, weighing, *place, random)
        except (NotReadable, ZeroDivisionError):
            return None  # an own gradient that vanishes, say: no weights are defined
        return runs.agree()

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
            {"N": 2, "d": 2, "rounds": 1} if all(s["d"] > 0 for s in here) else {},
        ):
            changed = {**shape, **change}
            if change and int(changed["N"]) * int(changed["rounds"]) <= MOST:
                yield family, changed


class _Runs:
    """Exact runs at a random point, and the numbers of the symbols on every outcome."""

    def __init__(
        self, setting: WeighedRuns, weighing: Weighing, family: Family, shape: Shape, random: Random
    ) -> None:
        self._setting, self._weighing = setting, weighing
        instance, self._drawn = instance_of(family, shape, random, FINEST)
        self._world = World(instance, "exact", None, setting.statement.defines)
        self._rounds, self._clients = int(shape["rounds"]), int(shape["N"])
        self._here = Formulas(shape, "N", setting.axis)
        self._known: Table = {}
        with asked():
            run = self._world.run()
            self._theta, self._weights = run.theta[0], run.weights[0]
            self._share = [_plain(v) for v in self._world.weights.reshape(-1)]
            if len(self._share) == 1:
                self._share = [Fraction(1)] * len(self._theta)
            self._constants()
            self._steps()
        with asked(), unchecked():
            statement = setting.statement
            self._found = [
                _plain_array(sum(np.asarray(v, dtype=object) for v in side.values()))
                for side in sides_of(statement, self._world)
            ]
            self._margins = margins_of(statement, self._world)

    def agree(self) -> bool:
        """Whether all of it is as it was read."""
        return (
            self._signs()
            and self._sides()
            and all(
                self._place(outcome, t)
                for outcome in range(len(self._theta))
                for t in range(self._rounds)
            )
            and all(self._round(t) for t in range(self._rounds))
        )

    # -- numbers -----------------------------------------------------------------------------------

    def _constants(self) -> None:
        """Numbers of what is the same at all places."""
        w, read = self._world, self._setting.read
        for name in self._setting.box:
            self._enter(name, w.instance.params[name])
        self._enter(str(BETA), w.problem.smoothness)
        if str(MU) in read:
            self._enter(str(MU), w.problem.mu)
        if self._setting.changing:
            each_step = np.asarray(w.original("step_sizes"), dtype=object).reshape(-1)
            for t, value in enumerate(each_step):
                self._enter(str(step_at(t)), value)
        else:
            self._enter(str(STEP), w.original("step_size"))
        each = {"sigma2": w.problem.noise_variance}
        if read & {"squared_bias", "slope"}:
            each |= {n: w.symbol(n) for n in ("squared_bias", "slope")}
        for name, value in each.items():
            self._enter_each(name, value)

    def _steps(self) -> None:
        """Gradients and values at every place, and a table of numbers for each outcome."""
        problem, theta = self._world.problem, self._theta
        own = problem.select([0])
        self._gradients: list[Array] = []
        self._tables: list[Table] = [dict(self._known) for _ in theta]
        for t in range(self._rounds + 1):
            slopes = _plain_array(problem.gradients(theta[None, :, t])[0])  # (R, N, d)
            values = _plain_array(own.excess(theta[None, :, t])[0, :, 0])
            self._gradients.append(slopes)
            for table, slope, value in zip(self._tables, slopes, values, strict=True):
                table[str(value_at(t)), ()] = value
                table[str(own_at(t)), ()] = (slope[0] ** 2).sum()
                for k in range(self._clients):
                    table[f"gap{t}", (k,)] = ((slope[k] - slope[0]) ** 2).sum()

    def _enter(self, name: str, value: Any) -> None:
        entries = np.asarray(value, dtype=object).reshape(-1)
        if len(entries) != 1:
            raise NotReadable(f"{name} is not one number")
        self._known[name, ()] = _plain(entries[0])

    def _enter_each(self, name: str, value: Any) -> None:
        entries = np.asarray(value, dtype=object).reshape(-1)
        if len(entries) != self._clients:
            raise NotReadable(f"{name} is not one number for each client")
        self._known |= {(name, (k,)): _plain(v) for k, v in enumerate(entries)}

    # -- is it as it was read ----------------------------------------------------------------------

    def _signs(self) -> bool:
        """Whether parameters are what was drawn of their domains, and all signs as declared."""
        params = self._world.instance.params
        if not all(
            params[n].item() == self._drawn[n].item()
            for n, real in self._setting.box.items()
            if real is not FREE
        ):
            return False
        with suppress(NotReadable):  # a step that has no formula is known by its sign alone
            step = self._setting.step_formula()
            if not equal(self._at(step, self._tables[0]), self._known[str(STEP), ()]):
                return False
        sizes = self._setting.sizes(self._rounds) if self._setting.changing else []
        if not all(
            equal(self._at(e, self._known), self._known[str(step_at(t)), ()])
            for t, e in enumerate(sizes)
        ):
            return False
        strict = {n for n, real in self._setting.box.items() if real.sign == "positive"}
        weak = {n for n, real in self._setting.box.items() if real.sign == "nonnegative"}
        strict |= {str(BETA), str(STEP), str(MU), "sigma2"}
        strict |= {str(step_at(t)) for t in range(self._rounds)}
        weak |= {"squared_bias", "slope", *(f"value{t}" for t in range(self._rounds + 1))}
        return all(
            value > 0 if name in strict else name not in weak or _holds(value)
            for table in self._tables
            for (name, _), value in table.items()
        )

    def _sides(self) -> bool:
        """Both sides on every outcome, and the lowest margins of the hypotheses."""
        statement, after = self._setting.statement, self._setting.after(self._rounds)
        sides, margins = list(self._found), self._margins
        if statement.relation == ">=":
            sides.reverse()
        for expr, side in zip((after.left, sum(after.right.values())), sides, strict=True):
            found = np.broadcast_to(side.reshape(-1), len(self._tables))
            if not all(
                equal(self._at(expr, t), v) for t, v in zip(self._tables, found, strict=True)
            ):
                return False
        return set(margins) == set(after.margins) and all(
            equal(
                min(self._at(e, table) for table in self._tables for e in after.margins[name]),
                min(_plain_array(margin).reshape(-1)),
            )
            for name, margin in margins.items()
        )

    def _place(self, outcome: int, t: int) -> bool:
        """The rule of the weights, and what the assumptions say of a place."""
        k, _ = client_symbol()
        table = self._tables[outcome]
        made = self._alpha(outcome, t)
        given = self._weights[min(outcome, len(self._weights) - 1), t]
        if not all(map(equal, made, given)):
            return False
        for margin in known_of_a_place(self._setting).values():
            for place, e in margin.items():
                others = range(1, self._clients) if place else (0,)
                size = table[str(own_at(t)), ()]
                if not all(_holds(self._here.at(moved(e, t), {k: c}, table), size) for c in others):
                    return False
        return True

    def _round(self, t: int) -> bool:
        """Given each place: mean, variance and smoothness of the step that follows."""
        groups: dict[Any, list[int]] = {}
        for outcome, path in enumerate(self._theta):
            key = tuple(float(_plain(v)) for v in path[: t + 1].reshape(-1))
            groups.setdefault(key, []).append(outcome)
        return all(self._given_a_place(t, outcomes) for outcomes in groups.values())

    def _given_a_place(self, t: int, outcomes: list[int]) -> bool:
        name = str(step_at(t) if self._setting.changing else STEP)
        table, step = self._tables[outcomes[0]], self._known[name, ()]
        alpha, slopes = self._alpha(outcomes[0], t), self._gradients[t][outcomes[0]]
        place = _plain_array(self._theta[outcomes[0], t])
        taken = [(place - _plain_array(self._theta[o, t + 1])) / step for o in outcomes]
        shares = [self._share[o] for o in outcomes]
        shares = [s / sum(shares) for s in shares]
        mean = sum(s * v for s, v in zip(shares, taken, strict=True))
        whole = sum(a * g for a, g in zip(alpha, slopes, strict=True))
        spread = sum(s * ((v - whole) ** 2).sum() for s, v in zip(shares, taken, strict=True))
        variances = [self._known["sigma2", (c,)] for c in range(self._clients)]
        noise = sum(a**2 * v for a, v in zip(alpha, variances, strict=True))
        total = sum(alpha)
        weighted = sum(a * (g**2).sum() for a, g in zip(alpha, slopes, strict=True)) / total
        after = sum(
            s * self._tables[o][str(value_at(t + 1)), ()]
            for s, o in zip(shares, outcomes, strict=True)
        )
        numbers: dict[str, Any] = {
            str(WEIGHTS): total,
            str(ALONG): (slopes[0] * whole).sum() / total,
            str(MEAN): (whole**2).sum() / total**2,
            str(NOISE): noise,
            str(value_at(0)): table[str(value_at(t)), ()],
            str(value_at(1)): after,
            str(self._setting.step): step,
        }
        numbers[str(SPREAD)] = weighted - numbers[str(MEAN)]
        here: Table = {**self._known, **{(n, ()): v for n, v in numbers.items()}}
        return (
            all(map(equal, np.ravel(mean), np.ravel(whole)))
            and _holds(noise - spread, noise)
            and _holds(numbers[str(SPREAD)], weighted)
            and all(_holds(a) for a in alpha)
            and _holds(self._here.at(smoothness(self._setting.step), {}, here), after)
        )

    def _alpha(self, outcome: int, t: int) -> list[Any]:
        """The weights by the rule that is read."""
        k, _ = client_symbol()
        table, w = self._tables[outcome], self._weighing
        psi = self._at(moved(w.psi_sum, t), table)
        phi = [self._at(moved(w.phi[0,], t), table)]
        other = moved(w.phi["k",], t)
        phi += [self._here.at(other, {k: c}, table) for c in range(1, self._clients)]
        return [p / (table["sigma2", (c,)] * psi) for c, p in enumerate(phi)]

    def _at(self, e: Expr, table: Table) -> Any:
        return self._here.at(e, {}, table)


def _plain(value: Any) -> Any:
    """A fraction, or a float of what is none."""
    if isinstance(value, int | Fraction):
        return Fraction(value)
    return float(xp.to_float(np.array([value], dtype=object))[0])


def _plain_array(values: Any) -> Array:
    found = np.asarray(values, dtype=object)
    out = np.empty(found.shape, dtype=object)
    for index in np.ndindex(*found.shape):
        out[index] = _plain(found[index])
    return out


def _holds(value: Any, size: Any = 1) -> bool:
    if isinstance(value, Fraction):
        return value >= 0
    return bool(value >= -SLACK * max(1.0, abs(float(size))))
