"""Whether formulas read from free numbers are what a claim says of exact runs.

Both sides, the hypotheses and what is taken for known (the smoothness of the losses, the rule of
the method) are evaluated on runs at random points, with the numbers of clients of the listed shapes
and beyond, for every set of clients that takes part and for every family that the claim is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import sympy

from bounds import generic as xp
from bounds.numbers.formal_terms import extreme_type, put
from bounds.numbers.symbolic import client_symbol
from verify.claim.parameters import Family, Shape
from verify.claim.statement import Statement
from verify.reading.parts.known_before import known_before
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.values import POINTS, Formulas, agree, equal, rational_values, whole
from verify.reading.runs.parts import (
    CROSSED,
    LOSS,
    NUMBER,
    PAIR,
    SLOPE,
    STIFF,
    name_after,
    own_name,
)
from verify.reading.runs.reading import RunReading
from verify.reading.runs.rules import METHODS
from verify.world.returned import sides_of
from verify.world.score import score_world
from verify.world.trajectories import Trajectory
from verify.world.world import World

__all__ = ["agreement"]

Expr = Any
Table = dict[tuple[str, tuple[int, ...]], Any]

MORE = 1
"""Clients and rounds beyond the listed ones."""

LOOKED_AT = 6
"""Points per shape where there are numbers without a form: what they bound is looked at."""

SLACK = 1e-9
"""How far below zero a float may be that stands for a number that is not negative."""


def agreement(statement: Statement, found: RunReading) -> str:
    """Whether the formulas give the exact values of the claim on runs.

    Parameters
    ----------
    statement : Statement
    found : RunReading

    Returns
    -------
    {"", "all", "some"}
        Empty where they do not; else whether all clients took part in every run, or some waited.
    """
    waited: list[bool | None] = []
    seen: list[bool] = []

    def at(place: tuple[Family, Shape], random: Random) -> bool:
        waited.append(_agrees(statement, *place, found, random, seen))
        return waited[-1] is not None

    families = (statement.family, *statement.also)
    more = 0 if known_before() else MORE
    places = ((f, shape) for f in families for shape in _varied(f.shapes, found.counts, more))
    points = LOOKED_AT if found.numbers and not known_before() else POINTS
    if not agree(statement.key, places, at, points):
        return ""
    if found.numbers and not any(seen) and not known_before():
        return ""
    return "some" if any(waited) else "all"


class _Across(Formulas):
    """Formulas in which extremes are over the clients of all runs, of what a round makes over
    those that took part."""

    def __init__(self, found: RunReading, shape: Shape) -> None:
        reading = found.reading
        super().__init__(shape, reading.name, reading.axis, reading.sizes)
        self.tables: Sequence[Table] = ()
        self.waits = next((case for case in found.cases if case.waits), None)
        self._extremes: dict[Any, Any] = {}

    @cached_property
    def away(self) -> list[set[int]]:
        """The clients that did not take part, in each of all runs."""
        return [self._waiting(table) for table in self.tables]

    def _waiting(self, table: Table) -> set[int]:
        if self.waits is None:
            return set()
        k, _ = client_symbol()
        pairs = self.waits.values.items()
        return {
            c
            for c in range(self.count)
            if all(
                equal(self.at(new, {k: c}, table), self.at(old, {k: c}, table))
                for new, old in pairs
            )
        }

    def at(self, e: Expr, clients: dict[Any, int], table: Any) -> Any:
        """As in one run, but for extremes."""
        if not isinstance(e, extreme_type()) or any(e.args[2]):
            return super().at(e, clients, table)
        others = frozenset(place for place in clients.items() if place[0] != e.args[1])
        if (e, others) not in self._extremes:
            self._extremes[e, others] = self._extreme(e, clients)
        return self._extremes[e, others]

    def _extreme(self, e: Expr, clients: dict[Any, int]) -> Any:
        word, index, _, bodies = e.args
        names = self.waits.names if self.waits is not None else set()
        found = []
        for one, away in zip(self.tables, self.away, strict=True):
            for body in bodies:
                made = {str(i.base) for i in body.atoms(sympy.Indexed)} & names
                found += [
                    self.at(body, {**clients, index: c}, one)
                    for c in range(self.count)
                    if not (made and c in away)
                ]
        return max(found) if str(word) == "max" else min(found)


class _Recorded(World):
    """An exact world that keeps the runs that it made."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.made: list[Trajectory] = []

    def run(self, *arguments: Any, **hyper: Any) -> Trajectory:
        """As in any world."""
        found = super().run(*arguments, **hyper)
        if not any(found is other for other in self.made):
            self.made.append(found)
        return found


def _varied(shapes: Sequence[Shape], counts: Sequence[str], more: int) -> Iterator[dict[str, Any]]:
    """Listed shapes with more clients, all of them taking part or as many as before, and more
    rounds where all take part."""
    seen: set[str] = set()
    longer = max(s["rounds"] for s in shapes) > 1
    for shape in shapes:
        for n in range(shape["N"], shape["N"] + more + 1):
            full = {name: n if shape[name] == shape["N"] else shape[name] for name in counts}
            rounds = {shape["rounds"]}
            if more and longer and all(shape[name] == shape["N"] for name in counts):
                rounds |= {1, shape["rounds"] + more}
            for t in sorted(rounds):
                changed = {**shape, **full, "N": n, "rounds": t}
                if repr(changed) not in seen:
                    seen.add(repr(changed))
                    yield changed


def _agrees(
    statement: Statement,
    family: Family,
    shape: Shape,
    found: RunReading,
    random: Random,
    seen: list[bool],
) -> bool | None:
    """Whether a client waited; None where the formulas give something else.

    Numbers without a form must bound what they are taken for where the hypotheses are met, which
    `seen` grows by.
    """
    values = rational_values(family.box, shape, random)
    with asked():
        instance = family.instance({n: v[None] for n, v in values.items()}, shape)
        world = _Recorded(instance, "exact", None, statement.defines)
        made = score_world(statement, world)
        sides = [whole(terms) for terms in sides_of(statement, world)]
    here = _Across(found, shape)
    here.tables = tables = [_table(world, run, found, here) for run in world.made]
    if statement.relation == ">=":
        sides.reverse()
    reading = found.reading
    if not any(
        all(
            expected is not None and all(map(equal, expected, side))
            for formulas, side in zip((reading.left, reading.right), sides, strict=True)
            for expected in [_spread(formulas, here, of, len(side))]
        )
        for of in ([tables[0]], tables)
    ):
        return None
    for name, margin in made.margins.items():
        parts = [reading.margins[part] for part in found.parts[name]]
        lowest = min(v for table in tables for part in parts for v in _all(part, here, table))
        if not equal(lowest, _plain(margin.reshape(-1).item())):
            return None
    met = all(_holds(m) for margin in made.margins.values() for m in map(_plain, margin.flat))
    if met:
        seen.append(True)
    if met and not all(_bounds(world, run, found) for run in world.made):
        return None
    known = all(
        _holds(v)
        for table in tables
        for name in found.conditions
        if met or not name.startswith(NUMBER)
        for v in _all(reading.margins[name], here, table)
    ) and all(_in_a_case(found, here, table, c) for table in tables for c in range(here.count))
    return any(here.away) if known else None


def _bounds(world: World, run: Trajectory, found: RunReading) -> bool:
    """Whether the numbers bound how unlike slopes are, with any weights, at all models of a run.

    That is more than a proof needs, and what a number that is too small seldom is.
    """
    if not found.numbers:
        return True
    weights = np.unique(np.concatenate([np.ravel(run.extras[found.weights])]))
    models = (run.extras["server"], run.extras["local_models"], world.original("starts"))
    points = np.unique(np.concatenate([np.ravel(m) for m in models]))
    clients = world.problem.clients
    at = np.broadcast_to(points[:, None, None], (len(points), clients, 1))
    slopes = np.asarray(world.problem.own_gradients(at[None, None]))[0, 0, :, :, 0]
    low, high = weights.min(), weights.max()
    apart = ~np.eye(clients, dtype=bool)
    most = max(
        (abs(a * here[:, None] - b * here)[apart].max() if clients > 1 else Fraction(0))
        for here in slopes
        for a in (low, high)
        for b in (low, high)
    )
    return all(_holds(np.ravel(world.once(n)).item() - most) for n in found.numbers)


def _table(world: World, run: Trajectory, found: RunReading, here: Formulas) -> Table:
    """Numbers of the symbols in one run."""
    count, rounds = here.count, run.extras["server"].shape[2] - 1
    problem = world.problem
    table: Table = {}

    def enter(name: str, value: Any) -> None:
        entries = np.ravel(value)
        if len(entries) not in (1, count):
            raise NotReadable(f"{name} is not one number, or one for each client")
        each = [_plain(v) for v in entries]
        table[name, ()] = each[0]
        for c in range(count):
            table[name, (c,)] = each[c] if len(each) == count else each[0]

    rule, begin = METHODS[str(world.instance.method)], world.instance.params["start"][0]
    for name, value in world.instance.params.items():
        if isinstance(value, np.ndarray):
            enter(own_name(name), value[0] - (begin if name in rule.models else 0))
    for name, axes in rule.traces.items():
        path = run.extras[name]
        shift = 0 if path.shape[2] == rounds + 1 else -1
        for t in range(1, rounds + 1):
            after = path[0, 0, t + shift]
            enter(name_after(name, t, rounds), after - begin if "d" in axes.split() else after)
    enter(STIFF, problem.client_smoothness)
    k, _ = client_symbol()
    kind = problem.optimum.dtype
    for number, point in enumerate(found.met):
        place = np.array([here.at(point, {k: c}, table) for c in range(count)], dtype=kind)
        at = place[None, None, :, None]
        enter(f"{SLOPE}{number}", problem.own_gradients(at))
        enter(f"{LOSS}{number}", problem.own_losses(at))
        for c in range(count) if found.numbers else ():
            there = problem.own_gradients(0 * at + place[c])
            for other in range(count):
                value = _plain(there[0, 0, other, 0])
                table[f"{CROSSED}{number}", (other, c)] = value
    for number, quantity in enumerate(found.numbers):
        enter(f"{NUMBER}{number}", world.once(quantity))
        if table[f"{NUMBER}{number}", ()] < 0:
            raise NotReadable("a number that may be negative")
    return table


def _all(formulas: Mapping[Any, Expr], here: Formulas, table: Table) -> list[Any]:
    """The values of formulas in one run."""
    if set(formulas) == {()}:
        return [here.at(formulas[()], {}, table)]
    if set(formulas) == {PAIR}:
        one, other = (sympy.Symbol(f"pair{i}_", integer=True) for i in range(2))
        first, second = here.axis.marks[:2]
        e = put(put(formulas[PAIR], first, one), second, other)
        return [
            here.at(e, {one: i, other: j}, table) for i, j in permutations(range(here.count), 2)
        ]
    k, _ = client_symbol()
    return [here.at(formulas["k",], {k: c}, table) for c in range(here.count)]


def _spread(
    formulas: Mapping[Any, Expr], here: Formulas, tables: Sequence[Table], length: int
) -> list[Any] | None:
    """Values at so many places: one, the mean over these runs, or their clients, or the first's.

    What is claimed of each run by itself is true of the mean over runs.
    """
    first = _all(formulas, here, tables[0])
    if set(formulas) == {()}:
        each = [_all(formulas, here, table)[0] for table in tables]
        return [sum(each) / len(each)] * length
    if length == len(first):
        return first
    if length == here.count * len(tables):
        return [v for table in tables for v in _all(formulas, here, table)]
    return None


def _in_a_case(found: RunReading, here: Formulas, table: Table, client: int) -> bool:
    """Whether what a client did is one of the cases, if there are any."""
    k, _ = client_symbol()

    def value(e: Expr) -> Any:
        return here.at(e, {k: client}, table)

    return not found.cases or any(
        all(equal(value(after), value(formula)) for after, formula in case.values.items())
        and all(_holds(value(margin)) for margin in case.margins.values())
        for case in found.cases
    )


def _plain(value: Any) -> Any:
    """A fraction, or a float of what is none."""
    if isinstance(value, int | Fraction):
        return Fraction(value)
    return float(xp.to_float(np.array([value], dtype=object))[0])


def _holds(value: Any) -> bool:
    return bool(value >= (0 if isinstance(value, Fraction) else -SLACK))
