r"""Hypotheses of a claim about runs over a class: some of them at each point of a run.

A margin with a further axis is asked on every outcome at each place of that axis, so in mean at
each of them.  Of such means a claim speaks; they are linear in means of values and inner products,
see `verify.reading.classes.means`.

Asked at the points :math:`x^0,\dots,x^T` of a run, each time by one formula h, a hypothesis of
T + 1 rounds from x is h at x and the hypothesis of T rounds from where the first one leads, on each
outcome of that.  So of the claims about one round (`verify.reading.classes.rounds`) both may use
h(x) and h(x').
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from verify.claim.statement import Statement
from verify.reading.classes.apart import WRITTEN_OUT
from verify.reading.parts.refusals import NotReadable
from verify.world.returned import margins_of
from verify.world.world import World

Expr = Any  # sympy carries no types

__all__ = ["along", "entries", "mean_margins", "named"]


def named(name: str, place: int) -> str:
    """The hypothesis at one place of a run."""
    return f"{name} at {place}"


def entries(name: str, margin: Any) -> Iterator[tuple[str, Any]]:
    """Names and entries of a margin as a program in symbols gives it, (1, 1) or (1, 1, places).

    Raises
    ------
    NotReadable
        Where it has other axes, or one of the clients.
    """
    if margin.size == 1:
        yield name, margin
        return
    if margin.ndim != 3 or margin.shape[:2] != (1, 1) or margin.shape[2] >= WRITTEN_OUT:
        raise NotReadable("a hypothesis about several clients of a class")
    for place in range(margin.shape[2]):
        yield named(name, place), margin[..., place]


def mean_margins(statement: Statement, world: World) -> dict[str, Any]:
    """The mean over the outcomes of each entry of each margin, by its name."""
    weights, found = world.weights.reshape(-1), dict[str, Any]()
    for name, given in margins_of(statement, world).items():
        margin = np.asarray(given, dtype=object)
        margin = margin.reshape((1,) * (2 - margin.ndim) + margin.shape)
        whole = np.broadcast_to(margin, (1, len(weights), *margin.shape[2:]))
        each = weights @ whole.reshape(len(weights), -1)
        names = [name] if len(each) == 1 else [named(name, place) for place in range(len(each))]
        found |= zip(names, each, strict=True)
    return found


def along(
    margins: Callable[[bool, Any], Mapping[str, list[Expr]]],
    rounds: Expr,
    most: int,
    same: Callable[[Expr, Expr], bool],
) -> list[tuple[str, int, Expr]]:
    """Hypotheses that are asked at each point of a run, by one formula: at the first two points.

    Parameters
    ----------
    margins : callable
        Whether the run begins one round later, and its number of rounds -> the entries of each of
        these margins.
    rounds : symbol
        A number of rounds that is left open: such a run has a first point and a last one.
    most : int
        Rounds that are written out to compare.
    same : callable

    Returns
    -------
    list of (name, place, formula)

    Raises
    ------
    NotReadable
        Where one is asked elsewhere, or not by one formula whatever the point and the rounds.
    """
    here, later = margins(False, rounds), margins(True, rounds)
    listed = range(1, most + 1)
    whole = {t: margins(False, t) for t in listed}
    rest = {t: margins(True, t) for t in listed}
    found = []
    for name, ends in here.items():
        first, second = ends[0], later[name][0]
        runs = [[first, second], *([first, *rest[t - 1][name]] for t in listed[1:])]
        fits = len(ends) == len(later[name]) == 2 and not (first + second).has(rounds)
        if not fits or not same(ends[1], later[name][1]):
            raise NotReadable("a hypothesis that is not about each point of a run")
        for t, run in zip(listed, runs, strict=True):
            asked = whole[t][name]
            if len(asked) != t + 1 or not all(map(same, asked, run)):
                raise NotReadable("a hypothesis that changes with the number of rounds")
        found += [(name, 0, first), (name, 1, second)]
    return found
