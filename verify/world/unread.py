"""Entries of a shape that nobody reads: a claim with one is not the claim that its author meant.

A shape names sizes, the method's settings and whatever the sides look up. ``"localsteps": 2`` is
none of these: a run takes the settings that its method has and leaves the others to the sides,
which do not ask for it, so that the claim would be judged with one local step.

An entry counts as read where a parameter runs over it, where the family's builder, the sides, a
hypothesis, a constraint or a method that is run asks for it, or where its name stands in the code
of one of the statement's functions, whether or not that line is reached. Statements may share a
family whose sizes some of them do not need: one reader among the statements of a file is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from types import CodeType
from typing import Any

import numpy as np

from bounds.numbers.validate import InvalidInput, unchecked
from verify.claim.instance import Instance
from verify.claim.program import functions_of, plain_function
from verify.claim.statement import Shape, Statement
from verify.limits.clock import OutOfTime, at_most
from verify.limits.foreign import CodeFailed, code_of_others
from verify.world.noise_plan import AllOutcomes
from verify.world.returned import level_of, margins_of, sides_of
from verify.world.world import World

__all__ = ["check_shapes"]

ROWS = 2
"""Instances on which the readers of a shape are looked for (number)."""

SECONDS = 5.0
"""How long the functions of one statement may compute under one shape (CPU seconds)."""

EVERYBODYS = frozenset(("N", "d", "rounds", "points", "method"))
"""Entries that builders of families make by themselves, needed or not."""

RUNNING = frozenset(("run", "visited", "pathwise"))
"""What a side calls that trains by the instance's method, whose settings are then read."""

FIRST, STEP = 0.5, 0.0625
"""Where in the unit cube the first lies, and how far the next (shares of each range)."""


class Noted(dict[str, Any]):
    """A mapping that notes which of its entries are asked for by name.

    To go through all entries is to ask for none.
    """

    def __init__(self, values: Any, seen: set[str]) -> None:
        super().__init__(values)
        self._seen = seen

    def __getitem__(self, name: str) -> Any:
        self._seen.add(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self._seen.add(str(name))
        return super().__contains__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """The value, or the default."""
        self._seen.add(name)
        return super().get(name, default)


def check_shapes(statements: Sequence[Statement], *, whole: bool = True) -> None:
    """Refuse a shape with an entry that none of these statements reads.

    Parameters
    ----------
    statements : sequence of Statement
        All of a file, or all that are asked about together.
    whole : bool
        Whether these are all. If not, an entry may have its reader elsewhere: only names that are
        nearly one that is read, and settings of other methods than those that run, are refused.

    Raises
    ------
    InvalidInput
        With the entry, and the nearest name that would be read.
    """
    left: dict[str, tuple[Statement, Shape]] = {}
    read: set[str] = set()
    for one in statements:
        for claim in (one, *(replace(one, family=f, also=()) for f in one.also)):
            if claim.sides is None or claim.missing:
                continue
            known = _readers(claim)
            read |= known
            for shape in claim.family.shapes:
                for name in shape:
                    left.setdefault(name, (claim, shape))
    for name, (claim, shape) in left.items():
        cure, certain = ("", False) if name in read else _cure(name, claim, shape)
        if cure and (whole or certain):
            raise InvalidInput(
                f"entries of a shape of {claim.key} must be read by somebody, got {name!r} in "
                f"{dict(shape)}, which neither a parameter, nor the method, nor a function of the "
                f"claim asks for: {cure}."
            )


def _readers(statement: Statement) -> set[str]:
    """Names that somebody reads, as far as needed to account for every entry of every shape."""
    seen = {name for parameter in statement.family.box.values() for name in parameter.per}
    seen |= EVERYBODYS | set(_named(statement))
    shapes = statement.family.shapes
    open_still = any(name not in seen for shape in shapes for name in shape)
    if open_still and seen & RUNNING:  # to look at a method takes a second, as it loads torch
        for method in {str(shape.get("method")) for shape in shapes}:
            seen |= _settings(method) or set()
    for shape in shapes:
        if any(name not in seen for name in shape):
            seen |= _asked(statement, shape)
    return seen


def _asked(statement: Statement, shape: Shape) -> set[str]:
    """Names that are asked for where the statement is evaluated under this shape.

    All of them where it cannot be evaluated, as then another rung says why.
    """
    seen: set[str] = set()
    try:
        with at_most(SECONDS), code_of_others():
            instance = _instance(statement, Noted(shape, seen))
            seen |= set(instance.data)
            noted = replace(instance, params=Noted(instance.params, seen))
            world = _evaluated(statement, noted)
    except (CodeFailed, OutOfTime):  # whatever a program of one's own does
        return seen | set(shape)
    taken = [_settings(name) for name in world.methods]
    return seen.union(world.read, *(set(shape) if names is None else names for names in taken))


def _evaluated(statement: Statement, instance: Instance) -> World:
    """The world in which every function of the statement has been called."""
    world = World(instance, "float64", AllOutcomes(), statement.defines)
    with unchecked(), np.errstate(all="ignore"):
        sides_of(statement, world)
        margins_of(statement, world)
        if statement.delta is not None:
            level_of(statement, world)
    return world


def _instance(statement: Statement, shape: Shape) -> Instance:
    """Some instances near the middle of every range."""
    family = statement.family
    place = np.full((ROWS, family.width(shape)), FIRST) + STEP * np.arange(ROWS)[:, None]
    with np.errstate(all="ignore"):
        return family.instance(family.decode(place, shape), shape)


def _settings(method: str) -> frozenset[str] | None:
    """Hyper-parameters of a method, None where there is none or it does not say which it has."""
    from algorithms.method import names_of
    from algorithms.registry import METHODS, OWN, load_method

    if method not in METHODS and method not in OWN:
        return None
    names = names_of(load_method(method))
    return None if names is None else names | {"rounds"}


def _cure(name: str, statement: Statement, shape: Shape) -> tuple[str, bool]:
    """What to write instead, and whether the entry is a mistake whoever else may read it."""
    from algorithms.registry import METHODS

    with at_most(SECONDS):
        methods = _evaluated(statement, _instance(statement, shape)).methods
    used = {n for m in methods for n in _settings(m) or ()}
    axes = {axis for parameter in statement.family.box.values() for axis in parameter.per}
    near = get_close_matches(name, sorted(used | axes | set(statement.family.box)), n=1)
    if near:
        return f"did you mean {near[0]}", True
    having = sorted(m for m in METHODS if name in (_settings(m) or ()))
    if having and methods:
        told = f"{', '.join(sorted(methods))} has no {name}, as {', '.join(having[:3])} have"
        return told, True
    return f"leave it out, or let the sides read w.{name}", False


def _named(statement: Statement) -> Iterator[str]:
    """Names and words in the code of a statement's functions."""
    rules = map(plain_function, statement.family.constraints.values())
    for function in (*functions_of(statement), *(rule for rule in rules if rule is not None)):
        yield from _words(function.__code__)


def _words(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _words(constant)
        else:
            yield from _texts(constant)


def _texts(constant: Any) -> Iterable[str]:
    """Words in a constant of the code."""
    if isinstance(constant, tuple | frozenset):
        return [word for item in constant for word in _texts(item)]
    return [constant] if isinstance(constant, str) else []
