"""Whether the program of a statement speaks about one instance, before anything is believed of it.

A side is evaluated on a whole batch of instances at a time.  One that takes a sum, a largest value
or a sorted order over the batch compares an instance with its neighbours, and one that draws random
numbers or keeps a state answers differently twice: neither is a claim, and such a leaf stops here.
A state may show after many calls only, so in the end the first answers are asked for once more, and
what the functions keep outside themselves must be what it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bounds import generic as xp
from bounds.numbers.validate import unchecked
from verify.claim.program import suspect_line
from verify.claim.state import State, changed_state, state_of
from verify.claim.statement import Shape, Statement
from verify.ladder.rungs import tuning
from verify.ladder.search.points import analytic_points
from verify.verdict.evidence import Evidence
from verify.verdict.relation import differs
from verify.world.noise_plan import WITHOUT_VALUE, AllOutcomes, NotAvailable, NoValue
from verify.world.returned import level_of, margins_of, sides_of
from verify.world.world import World

__all__ = ["FirstAnswers", "program_fault"]


Values = dict[str, Any]


@dataclass
class FirstAnswers:
    """What a program has answered first, in a world that keeps its runs.

    Parameters
    ----------
    statement : Statement
    """

    statement: Statement
    state: State = field(default_factory=dict)
    world: World | None = None
    first: Mapping[str, np.ndarray[Any, Any]] = field(default_factory=dict)

    def changed(self) -> Evidence | None:
        """Evidence that the program answers differently now, or that it counts its calls."""
        found = self._changed()
        return None if found is None else replace(found, details={"restless": True})

    def _changed(self) -> Evidence | None:
        if self.world is None:
            return None
        name = changed_state(self.state, state_of(self.statement))
        if name:
            return _stopped(
                self.statement,
                f"{name} is another one than before the functions of the claim were called",
                STATE,
                name,
            )
        try:
            now = _answered(self.statement, self.world.anew(), tuning.TOGETHER)
        except WITHOUT_VALUE:
            now = {}
        for name in dict.fromkeys([*self.first, *now]):
            if name not in now or name not in self.first or _other(self.first[name], now[name]):
                return _stopped(
                    self.statement,
                    f"{name} gives another value now than in the beginning, at one instance",
                    STATE,
                    random=True,
                )
        return None


def program_fault(
    statement: Statement, seed: int, answers: FirstAnswers | None = None
) -> Evidence | None:
    """What keeps the program of a statement from being a claim about each instance.

    Sides, margins and level are evaluated on a sample of the first shape together, half of it in
    reversed order, and some rows alone.  Only rows at random points are compared: at corners two
    quantities may tie, and rounding breaks a tie one way in a batch and another way alone.

    Parameters
    ----------
    statement : Statement
    seed : int
    answers : FirstAnswers, optional
        Filled in, to be asked again later.

    Returns
    -------
    Evidence or None
        Of the rung ``hypotheses``, stopped, with the line of the program and the remedy.
    """
    shape = statement.family.shapes[0]
    if answers is not None:
        answers.state = state_of(statement)
    rng = np.random.default_rng([seed, 31])
    corners = analytic_points(statement.family, shape, tuning.TOGETHER // 2, rng)[
        : tuning.TOGETHER // 2
    ]
    generic = rng.random((tuning.TOGETHER - len(corners), statement.family.width(shape)))
    values = statement.family.decode(np.concatenate([corners, generic]), shape)
    rows = np.arange(len(corners), tuning.TOGETHER)
    try:
        world = _world(statement, values, shape, np.arange(tuning.TOGETHER))
        together = _answered(statement, world, tuning.TOGETHER)
        if answers is not None:
            answers.world, answers.first = world, together
    except NotAvailable:
        return None  # the ladder says so itself
    # fewer of them, in another order
    orders = [np.arange(tuning.TOGETHER)[::-2]] if values else []
    orders += [rows[first : first + 1] for first in range(tuning.ALONE)]
    for chosen in orders:
        try:
            found = _evaluated(statement, values, shape, chosen)
        except (NoValue, ArithmeticError, ValueError, LookupError):
            found = {}
        compared = np.flatnonzero(chosen >= len(corners))
        if next(_apart(together, found, chosen[compared], compared), ""):
            return _fault(statement, values, shape, together, found, (chosen[compared], compared))
    return None


def _fault(
    statement: Statement,
    values: Values,
    shape: Shape,
    together: Mapping[str, Any],
    found: Mapping[str, Any],
    places: tuple[Any, Any],
) -> Evidence:
    """What a program that gave something else does: it differs each time, or mixes instances."""
    again = _evaluated(statement, values, shape, np.arange(tuning.TOGETHER))
    rows = np.arange(tuning.TOGETHER // 2, tuning.TOGETHER)
    for name in _apart(together, again, rows, rows):
        return _stopped(
            statement,
            f"{name} gives another value when it is evaluated a second time",
            STATE,
            random=True,
        )
    name = next(_apart(together, found, *places))
    return _stopped(
        statement,
        f"{name} of one instance depends on the instances that it is evaluated with",
        "reduce over the last axes alone (pass axis=-1), or take xp.total, xp.largest, "
        "xp.smallest of bounds.generic",
    )


def _evaluated(
    statement: Statement, values: Values, shape: Shape, rows: np.ndarray[Any, Any]
) -> Mapping[str, np.ndarray[Any, Any]]:
    """Every value that the functions of the statement give, by name."""
    return _answered(statement, _world(statement, values, shape, rows), len(rows))


def _world(statement: Statement, values: Values, shape: Shape, rows: np.ndarray[Any, Any]) -> World:
    chosen = {name: value[rows] for name, value in values.items()}
    return World(
        statement.family.instance(chosen, shape), "float64", AllOutcomes(), statement.defines
    )


def _answered(statement: Statement, world: World, count: int) -> Mapping[str, np.ndarray[Any, Any]]:
    """The same in a world that exists already."""
    with unchecked(), np.errstate(all="ignore"):
        left, right = sides_of(statement, world)
        found = {f"the left term {k!r}": v for k, v in left.items()}
        found |= {f"the right term {k!r}": v for k, v in right.items()}
        found |= {f"the margin of {k!r}": v for k, v in margins_of(statement, world).items()}
        if statement.delta is not None:
            found["the level"] = level_of(statement, world)
        return {name: _rows(value, count) for name, value in found.items()}


def _other(first: np.ndarray[Any, Any], now: np.ndarray[Any, Any]) -> bool:
    """Whether two answers to one question differ; a library of matrices may round by its memory."""
    if first.shape != now.shape:
        return True
    close = np.isclose(first, now, rtol=tuning.SAME_ANSWER, atol=0.0, equal_nan=True)
    return not bool(close.all())


def _rows(value: Any, count: int) -> np.ndarray[Any, Any]:
    """A value with its axis of instances; what does not depend on them is repeated."""
    out = xp.to_float(np.asarray(value))
    out = out.reshape((1,) * (2 - out.ndim) + out.shape)
    return np.broadcast_to(out, (count, *out.shape[1:])) if len(out) == 1 else out


def _apart(
    one: Mapping[str, Any], other: Mapping[str, Any], here: Any, there: Any
) -> Iterator[str]:
    """Names of the values that differ between the rows ``here`` of one and ``there`` of other."""
    for name in dict.fromkeys([*one, *other]):
        if name not in one or name not in other:
            yield name
            continue
        try:
            first, second = one[name][here], other[name][there]
        except IndexError:  # rows are missing
            yield name
            continue
        if first.shape != second.shape or differs(first, second).any():
            yield name


STATE = "take every number from the world, keep none between calls, and no random ones"


def _stopped(
    statement: Statement, what: str, remedy: str, kept: str = "", random: bool = False
) -> Evidence:
    place = suspect_line(statement, random, kept)
    return Evidence("hypotheses", "stopped", f"{what}: {remedy}; see {place}")
