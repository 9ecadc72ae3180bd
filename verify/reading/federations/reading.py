"""Both sides and the hypotheses of a statement about All-for-one, after so many rounds, in symbols.

What is read is a formula in what is known at the places of the run.  A statement whose program asks
for anything else, or whose instances are no runs of the method with exact similarity, is not read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, ClassVar

import numpy as np
import sympy

from bounds.numbers.formal import Axis, listed
from bounds.numbers.symbolic import expression
from bounds.numbers.validate import unchecked
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape
from verify.claim.statement import Statement
from verify.reading.federations.places import STEP, axis_of_clients, in_squares, places_of, step_at
from verify.reading.federations.rule import METHOD, SETTINGS, Weighing, weighing
from verify.reading.federations.world import FederationWorld
from verify.reading.parts.exact_points import instance_of
from verify.reading.parts.refusals import NotReadable, NumberOfRounds, asked
from verify.reading.parts.symbols import formula, symbol_values
from verify.world.returned import margins_of, sides_of

Expr = Any  # sympy carries no types

RESERVED = re.compile(
    r"beta|mu|step_size|sigma2|squared_bias|slope|weights|squared_mean|spread|along|noise|power|N|k"
    r"|step\d*|rounds|greatest\d*|pace|root_of_(all|own)|squared_own|drift"
    r"|(value|own|gap|sum|argument|gradient|point|chosen|largest|smallest|i|optimum|part).*"
)
"""Names that symbols have which are no parameters."""

LENGTHS = (1, 2, 3, 13)
"""Numbers of rounds for which a step is to be the same."""

FREE = Real(-1, 1)
"""Of a parameter of which nothing is known."""

__all__ = ["FREE", "After", "WeighedRuns", "settings_of"]


@dataclass(frozen=True)
class After:
    """What a statement says of a run of so many rounds.

    Attributes
    ----------
    left : expression
    right : dict
        Each term of the right side.
    margins : dict
        Of each hypothesis all that must not be negative.
    """

    left: Expr
    right: Mapping[str, Expr]
    margins: Mapping[str, tuple[Expr, ...]]


@dataclass
class WeighedRuns:
    """A statement about runs of All-for-one under one rule for the weights.

    Attributes
    ----------
    statement : Statement
    rule : dict
        Constants of the shapes that say which rule it is.
    places : list
        Families and their shapes under this rule.
    read : set of str
        Constants of the assumptions that the program has asked for, filled in while it is run.
    """

    statement: Statement
    rule: Mapping[str, Any]
    places: list[tuple[Family, Shape]]
    read: set[str] = field(default_factory=set)
    axis: Axis = field(default_factory=axis_of_clients)
    _after: dict[int, After] = field(default_factory=dict)
    _sizes: dict[int, list[Expr]] = field(default_factory=dict)

    over: ClassVar[str] = "mean"
    weights: ClassVar[str] = "true"
    names: ClassVar[tuple[str, ...]] = ("phi", "exponent")
    relations: ClassVar[tuple[str, ...]] = ("<=", ">=")
    beside: ClassVar[int] = 2  # clients of runs in two dimensions that formulas are held to

    @property
    def rows(self) -> Mapping[str, Real]:
        """The parameters of which each client has one."""
        return {}

    @property
    def longest(self) -> int:
        """The largest listed number of rounds."""
        return max(int(shape["rounds"]) for _, shape in self.places)

    @cached_property
    def box(self) -> dict[str, Real]:
        """The parameters of the statement that are plain numbers, whatever the family."""
        return {n: self._domain(n, ()) for n in self._names}

    def _domain(self, name: str, per: tuple[str, ...]) -> Real:
        """What all families say of a parameter; nothing where they differ."""
        one, *others = (family.box.get(name) for family, _ in self.places)
        said = one is not None and one.per == per and all(other == one for other in others)
        return one if said and one is not None else FREE

    @cached_property
    def _names(self) -> list[str]:
        """Names of those parameters, which every instance must have."""
        every = []
        for family, shape in self.places:
            params = instance_of(family, shape, Random(0))[0].params
            arrays = {n: v for n, v in params.items() if isinstance(v, np.ndarray)}
            if any(v.ndim != 1 for n, v in arrays.items() if n != "start"):
                raise NotReadable("a parameter of the method that is no plain number")
            if set(params) - set(arrays) - SETTINGS or params.get("weights") != "true":
                raise NotReadable("another rule for the weights than exact similarity")
            every.append([n for n in arrays if n != "start"])
            if any(RESERVED.fullmatch(n) for n in every[-1]):
                raise NotReadable("a parameter with the name of something else")
        if any(set(names) != set(every[0]) for names in every):
            raise NotReadable("families with different parameters")
        return sorted(every[0])

    def params(self) -> dict[str, Any]:
        """The parameters as symbols, those of each client for the ones that are written out."""
        rows = symbol_values(self.rows, {"N": self.axis.size}, "N", self.axis)
        return {**symbol_values(self.box, {}), **rows}

    def weighing(self, t: int = 0) -> Weighing:
        """What the weights are after t rounds."""
        threshold = self.params().get("threshold")
        return weighing(self.rule, None if threshold is None else threshold[:, None], self.axis, t)

    def after(self, rounds: int) -> After:
        """What the statement says of a run of so many rounds.

        Raises
        ------
        NotReadable
        """
        if rounds not in self._after:
            self._after[rounds] = self._read(rounds)
        return self._after[rounds]

    def said(self, rounds: int) -> list[dict[tuple[Any, ...], Expr]]:
        """Both sides: of one value (), or of the followed client (0,) and any other ("k",)."""
        after = self.after(rounds)
        return [{(): after.left}, {(): sympy.Add(*after.right.values())}]

    def _read(self, rounds: int) -> After:
        world = self._world(rounds)
        with listed(self.axis), asked(), unchecked():
            sides = sides_of(self.statement, world)
            margins = margins_of(self.statement, world)
        self.read |= set(world.read)
        left, right = ({n: _one(v) for n, v in side.items()} for side in sides)
        if self.statement.relation == ">=":
            left, right = right, left
        for name, margin in margins.items():
            if np.asarray(margin, dtype=object).ndim > 3:
                raise NotReadable(f"{name} is about each client")
        found = {
            n: tuple(in_squares(formula(v)) for v in np.asarray(m, dtype=object).flat)
            for n, m in margins.items()
        }
        return After(sympy.Add(*left.values()), right, found)

    @property
    def changing(self) -> bool:
        """Whether each round has a step of its own."""
        return "step_sizes" in self.statement.defines

    @property
    def step(self) -> Expr:
        """The step at the first place."""
        return step_at(0) if self.changing else STEP

    def step_formula(self) -> Expr:
        """The step in the parameters, the variances and what is known of the first place.

        Raises
        ------
        NotReadable
            Where it has no such form, or another one for other numbers of rounds.
        """
        found, why = self._step_formula
        if found is None:
            raise NotReadable(why)
        return found

    @cached_property
    def _step_formula(self) -> tuple[Expr | None, str]:
        """The same, or why there is none."""
        rule = self.statement.defines.get("step_size")
        if rule is None:
            return None, "a step that is no formula"
        try:
            with listed(self.axis), asked(), unchecked():
                made = [in_squares(_plain(rule(self._world(rounds)))) for rounds in LENGTHS]
        except NotReadable as error:
            return None, str(error)
        if any(e != made[0] for e in made):
            return None, "a step that depends on the number of rounds"
        return made[0], ""

    def shortfall(self, pace: Expr) -> Expr:
        """The largest (pace - r) phi(r) of a ratio r from 0 to 1, or more.

        Raises
        ------
        NotReadable
            Of a rule of which it is not known.
        """
        if self.rule["phi"] == "binary":
            threshold = expression(self.params()["threshold"].item())
            return threshold * sympy.Max(0, pace - threshold)
        power = {"continuous": 1, "power": self.rule.get("exponent")}.get(self.rule["phi"])
        if not isinstance(power, int):
            raise NotReadable("a rule whose shortfall is not known")
        return sympy.Integer(power) ** power * (pace / (power + 1)) ** (power + 1)

    def sizes(self, rounds: int) -> list[Expr]:
        """Formulas of the steps of so many rounds, in the parameters and the variances.

        Raises
        ------
        NotReadable
            Where they say something of a place.
        """
        if rounds not in self._sizes:
            self._sizes[rounds] = self._read_sizes(rounds)
        return self._sizes[rounds]

    def _read_sizes(self, rounds: int) -> list[Expr]:
        with listed(self.axis), asked(), unchecked():
            entries = self.statement.defines["step_sizes"](self._world(rounds))
        found = [formula(v) for v in np.asarray(entries, dtype=object).reshape(-1)]
        if len(found) != rounds or any(places_of(e) for e in found):
            raise NotReadable("steps that are no formulas in the parameters")
        return found

    def _world(self, rounds: int) -> FederationWorld:
        given = {"start": np.zeros((1, 1)), "rounds": NumberOfRounds(rounds)}
        params = {**self.rule, **self.params(), **given}
        instance = Instance("quadratic", {}, METHOD, params)
        return FederationWorld(instance, self.axis, self.statement.defines)


def settings_of(statement: Statement, kind: type[WeighedRuns] = WeighedRuns) -> list[WeighedRuns]:
    """One setting for each rule under which the statement's families run the method.

    Parameters
    ----------
    statement : Statement
    kind : class
        Of its weights.

    Raises
    ------
    NotReadable
        Where it is about something else.
    """
    if statement.over != kind.over or statement.relation not in kind.relations:
        raise NotReadable("no claim about means, or about places")
    found: dict[str, WeighedRuns] = {}
    for family in (statement.family, *statement.also):
        for shape in family.shapes:
            if shape.get("weights") != kind.weights or "rounds" not in shape:
                raise NotReadable("no runs under a rule for the weights")
            if ("phi" in shape) != ("phi" in kind.names):
                raise NotReadable("no runs under a rule for the weights")
            rule = {n: shape[n] for n in kind.names if n in shape}
            one = found.setdefault(repr(rule), kind(statement, rule, []))
            one.places.append((family, shape))
    for one in found.values():
        if any(instance_of(f, s, Random(0))[0].method != METHOD for f, s in one.places):
            raise NotReadable("runs of another method")
    return list(found.values())


def _one(value: Any) -> Expr:
    """The one formula of a term."""
    return in_squares(_plain(value))


def _plain(value: Any) -> Expr:
    entries = np.asarray(value, dtype=object).reshape(-1)
    if len(entries) != 1:
        raise NotReadable("a claim about several clients or rounds")
    return formula(entries[0])
