"""Whether what is read of runs in groups is what exact runs give.

At random points the means of both sides and the hypotheses are compared with the formulas, in the
listed shapes and in others.  So is what is taken for known of every epoch: the weights of a group,
the step along the mean gradient of the group and its noise, given what was before, what smoothness
says of that step and of gradients at the members' models, and what similarity says of those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import log
from random import Random
from typing import Any

import numpy as np

from verify.claim.parameters import Family, Shape
from verify.reading.groups.epochs import EpochsRead
from verify.reading.groups.exact import Array, ExactTraining
from verify.reading.groups.falling import LOGARITHM, Falling
from verify.reading.groups.reading import (
    SCHEDULE,
    SIGMA,
    GroupRuns,
    instance_of,
    length_of,
)
from verify.reading.parts.far_points import far_points
from verify.reading.parts.known_before import known_before
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.values import POINTS, equal

Expr = Any  # sympy carries no types

SHORT, LOOKED_AT = 8, 12
"""Epochs of a run all of which are looked at; of a longer one about so many, and its ends."""
FEW, LONG = 4, 16
"""Clients times epochs of runs that are looked at at all far points, and at most of them."""
FIXED, CHANGING = ("02|13", "012*2"), ("02|13", "01|2 02|1")
"""Schedules beside the listed ones, of groups that never change and of groups that may."""

__all__ = [
    "agreed",
    "agrees",
    "courses",
    "exact_runs",
    "looked_at",
    "margins_agree",
    "noisy",
    "parameters_agree",
    "spread_out",
    "stay_together",
]


def exact_runs(setting: GroupRuns) -> list[ExactTraining]:
    """Runs in every listed shape, and in some that are not listed.

    Raises
    ------
    NotReadable
        Where the statement makes other runs than of groups.
    """
    found = [run for place in setting.places for run in _runs(setting, *place)]
    if known_before():
        return found
    found += [run for place in _cheap(setting) for run in _far_runs(setting, *place)]
    fixed = all(_never_changes(run) for run in found)
    more = [(f, s) for f, s in setting.places if SCHEDULE in s][-1:]
    for family, shape in more:
        for schedule in (FIXED if fixed else CHANGING)[: 1 if setting.longest == 1 else 2]:
            count = 1 + max(int(c) for c in schedule.partition("*")[0] if c.isdecimal())
            found += _runs(setting, family, {**shape, "N": count, SCHEDULE: schedule})
    return found


def _runs(setting: GroupRuns, family: Family, shape: Shape) -> Iterator[ExactTraining]:
    """At one point with all noise that there may be; at another one unless that was done before."""
    for number in range(1 if known_before() else POINTS):
        random = Random(f"{setting.statement.key} {number}")
        yield ExactTraining(setting, family, shape, random, ends=number == 0)


def _effort(family: Family, shape: Shape) -> int:
    """Clients times epochs."""
    schedule = instance_of(family, shape, Random(0)).params[SCHEDULE]
    return int(shape["N"]) * length_of(str(schedule))


def _cheap(setting: GroupRuns) -> list[tuple[Family, Shape]]:
    """Of each family the shapes with few outcomes, or the one with the fewest."""

    found = []
    for family in (setting.statement.family, *setting.statement.also):
        own = [place for place in setting.places if place[0] is family]
        least = min(_effort(*place) for place in own)
        found += [place for place in own if _effort(*place) <= max(least, FEW)]
    return found


def _far_runs(setting: GroupRuns, family: Family, shape: Shape) -> Iterator[ExactTraining]:
    """At points of the whole domain that meet the hypotheses.

    Not where all losses are linear: a claim about every constant above zero is one about zero too.
    """
    for number in range(0, far_points(family.box), 1 if _effort(family, shape) <= LONG else 7):
        random = Random(f"{setting.statement.key} far {number}")
        try:
            run = ExactTraining(setting, family, shape, random, far=number)
        except (NotReadable, ArithmeticError):
            continue  # the program has no value there
        if run.meant and run.upper != 0:
            yield run


def stay_together(runs: list[ExactTraining]) -> bool:
    """Whether groups never change and their members, of which some have several, have one model."""
    met = any((run.weights(0) != 0).sum() > run.clients for run in runs)
    return met and all(
        _never_changes(run) and not any(np.any(run.apart(t) != 0) for t in looked_at(run))
        for run in runs
    )


def _never_changes(run: ExactTraining) -> bool:
    return all(np.array_equal(run.weights(0), run.weights(t)) for t in range(run.epochs))


def agrees(setting: GroupRuns, read: EpochsRead, runs: list[ExactTraining]) -> bool:
    """Whether the formulas, and what is taken for known, are what runs give, some with noise."""
    return noisy(runs) and all(
        _sides(run, read, 0 if setting.longest == 1 else run.epochs - 1)
        and parameters_agree(setting, run)
        and not (read.many and any(np.any(run.values(t) < 0) for t in looked_at(run)))
        and all(_epoch(run, t, run.step) for t in looked_at(run))
        for run in runs
    )


def agreed(setting: GroupRuns, read: Falling, runs: list[ExactTraining]) -> Falling | None:
    """The same of falling steps, the first of which is some share of the step of the parameters."""
    shares = {share for run in runs for share in _taken(run)}
    if len(shares) != 1 or not noisy(runs) or min(shares) <= 0:
        return None
    share = shares.pop()
    fine = all(
        _falling_sides(run, read)
        and parameters_agree(setting, run)
        and not any(np.any(run.values(t) < 0) for t in looked_at(run))
        and all(
            _epoch(run, t, run.step * share * Fraction(str(read.share(t)))) for t in looked_at(run)
        )
        for run in runs
    )
    return read.taking(share) if fine else None


def noisy(runs: list[ExactTraining]) -> bool:
    """Whether any of the runs has noise."""
    return any(len(run.share) > 1 for run in runs)


def _taken(run: ExactTraining) -> Iterator[Any]:
    """The first step in the mean, over that of the parameters."""
    step = spread_out(run.models[0], run) - spread_out(run.models[1], run)
    taken = (run.share[:, None] * step).sum(0)
    for one, slope in zip(taken, run.groups(0)[0], strict=True):
        if slope != 0:
            yield one / (run.step * slope)


def _falling_sides(run: ExactTraining, read: Falling) -> bool:
    """Both sides in the mean, and the hypotheses."""
    shares = [Fraction(str(read.share(t))) for t in range(run.epochs)]
    own = [run.mean(run.gradients(t) ** 2) for t in range(run.epochs)]
    left = sum(s * v for s, v in zip(shares, own, strict=True)) / sum(shares)
    number = log(Fraction(str(read.log_of(run.epochs))))
    right = run.mean(run.at(read.right, 0, {(str(LOGARITHM), ()): number}))
    return (
        equal(left, run.sides[0])
        and equal(right, run.sides[1])
        and margins_agree(run, read.margins)
    )


def _sides(run: ExactTraining, read: EpochsRead, last: int) -> bool:
    """Both sides in the mean, and the hypotheses."""
    epochs, formulas = range(run.epochs) if read.many else (last,), (read.left, read.right)
    found = [sum(run.mean(run.at(e, t)) for t in epochs) for e in formulas]
    if read.many:
        found[1] += run.mean(run.at(read.start, 0) * run.values(0))
    times = run.epochs if read.averaged else 1
    pairs = zip(found, run.sides, strict=True)
    return all(equal(one, times * other) for one, other in pairs) and margins_agree(
        run, read.margins
    )


def margins_agree(run: ExactTraining, formulas: Mapping[str, Expr]) -> bool:
    """Whether the hypotheses are what formulas say."""
    return set(formulas) == set(run.margins) and all(
        equal(run.at(formulas[n], 0), value)
        for n, margin in run.margins.items()
        for value in np.asarray(margin, dtype=object).reshape(-1)
    )


def parameters_agree(setting: GroupRuns, run: ExactTraining) -> bool:
    """The step, the signs of symbols and the weights of groups."""
    for name in setting.plain():
        symbol, value = setting.symbol(name), run.known[name, ()]
        if (symbol.is_positive and value <= 0) or (symbol.is_nonnegative and value < 0):
            return False
    weights = [run.weights(t) for t in looked_at(run)]
    return (
        run.upper > 0
        and equal(run.at(setting.step, 0), run.step)
        and all(np.all(a >= 0) and np.all(a.sum(-1) == 1) for a in weights)
    )


def _epoch(run: ExactTraining, t: int, size: Any) -> bool:
    """The gradients and the step of an epoch, given each course of the epochs before."""
    own, crossed = run.gradients(t), run.crossed(t)
    moved = (own[:, :, None] - crossed) ** 2
    if np.any(run.upper**2 * run.distances(t) < moved):
        return False
    if run.similar is not None and np.any(run.similar < (crossed - own[:, None, :]) ** 2):
        return False
    if not np.array_equal(run.groups(t), run.told_groups(t)):
        return False
    return all(_step(run, t, chosen, size) for chosen in courses(run, t))


def _step(run: ExactTraining, t: int, chosen: list[int], size: Any) -> bool:
    """Mean and variance of the step, and what it makes of the loss, on these outcomes."""

    def mean(x: Array) -> Any:
        rows = x[[min(i, len(x) - 1) for i in chosen]]
        share = run.share[chosen]
        return (share[:, None] * rows).sum(0) / share.sum()

    here = chosen[:1]
    slope = _at(run.groups(t), here)
    step = (spread_out(run.models[t], run) - spread_out(run.models[t + 1], run)) / size
    noise = mean((step - slope) ** 2)
    descent = _at(run.values(t), here) - size * _at(run.gradients(t), here) * slope
    descent = descent + run.upper * size**2 / 2 * (slope**2 + noise)
    return bool(
        np.all(mean(step) == slope)
        and np.all(noise <= run.known[SIGMA, ()] ** 2)
        and np.all(mean(spread_out(run.values(t + 1), run)) <= descent)
    )


def _at(x: Array, here: list[int]) -> Array:
    return np.asarray(x[min(here[0], len(x) - 1)])


def spread_out(x: Array, run: ExactTraining) -> Array:
    """What clients have, on every outcome."""
    return np.broadcast_to(x, (len(run.share), run.clients))


def courses(run: ExactTraining, t: int) -> list[list[int]]:
    """The outcomes, those together that have had the same models until an epoch."""
    found: dict[Any, list[int]] = {}
    for i in range(len(run.share)):
        key = tuple(tuple(_at(run.models[s], [i])) for s in range(t + 1) if run.epochs <= SHORT)
        found.setdefault(key, []).append(i)
    return list(found.values())


def looked_at(run: ExactTraining) -> list[int]:
    """The epochs of a run that are looked at."""
    if run.epochs <= SHORT:
        return list(range(run.epochs))
    return sorted({*range(0, run.epochs, run.epochs // LOOKED_AT), 1, run.epochs - 1})
