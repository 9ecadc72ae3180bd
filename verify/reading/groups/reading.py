"""Both sides and the hypotheses of a statement about training in groups, after so many epochs.

A side must be a sum over the clients of one formula in what is known of a client, with weighted
means over its group.  What is read is that formula: it has no client and no number of clients left.
That it is the same in every group is found by comparing it with exact runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
import sympy

from bounds.numbers.formal import Axis, listed
from bounds.numbers.formal_terms import put
from bounds.numbers.symbolic import Symbolic, client_symbol
from bounds.numbers.validate import unchecked
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Shape
from verify.claim.statement import Statement
from verify.reading.groups.names import DISSIMILARITY, RESERVED, SIGNS, UPPER, axis_of_clients
from verify.reading.groups.world import RUN, SIMILAR, SIZE, SMOOTHNESS, GroupWorld, everybody
from verify.reading.parts.far_points import far_values
from verify.reading.parts.named_sizes import NamedSizes, around
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.symbols import Listed, formula
from verify.reading.parts.values import rational_values
from verify.world.returned import margins_of, sides_of
from verify.world.world import World

Expr = Any  # sympy carries no types

STEP, SIGMA, SCHEDULE = "step_size", "sigma", "schedule"
"""Names of the step, of the size of the noise and of the groups of each epoch."""
LISTED, MOST_CLIENTS = 3, 24
"""Of numbers of clients that a program names those above the first are read, up to the second."""
FINEST = 16
"""Largest denominator of the points at which a reading is compared."""

__all__ = [
    "FINEST",
    "SCHEDULE",
    "SIGMA",
    "STEP",
    "AfterEpochs",
    "GroupRuns",
    "instance_of",
    "length_of",
]


@dataclass(frozen=True)
class AfterEpochs:
    """What a statement says of a run of so many epochs, a client's part of both sides.

    Attributes
    ----------
    left, right : expressions
    margins : dict
    """

    left: Expr
    right: Expr
    margins: Mapping[str, Expr]


@dataclass
class GroupRuns:
    """A statement about means over runs in groups.

    Parameters
    ----------
    statement : Statement

    Raises
    ------
    NotReadable
        Where it is about something else.
    """

    statement: Statement
    axis: Axis = field(default_factory=axis_of_clients)
    named: NamedSizes = field(default_factory=NamedSizes)
    _after: dict[int, AfterEpochs] = field(default_factory=dict)

    def __post_init__(self) -> None:
        one = self.statement
        if one.over != "mean" or one.relation not in ("<=", ">=", "==") or RUN not in one.defines:
            raise NotReadable("no claim about means over runs of its own")
        if not self.places or any("N" not in shape for _, shape in self.places):
            raise NotReadable("no number of clients")

    @property
    def places(self) -> list[tuple[Family, Shape]]:
        """Families and their shapes."""
        families = (self.statement.family, *self.statement.also)
        return [(family, shape) for family in families for shape in family.shapes]

    @cached_property
    def longest(self) -> int:
        """The largest listed number of epochs."""
        return max(
            length_of(str(instance_of(*place, Random(0)).params.get(SCHEDULE, "")))
            for place in self.places
        )

    @cached_property
    def rows(self) -> Mapping[str, bool]:
        """Parameters that all instances have, and whether each client has one of its own."""
        every = []
        for family, shape in self.places:
            instance = instance_of(family, shape, Random(0))
            params = {n: v for n, v in instance.params.items() if isinstance(v, np.ndarray)}
            if SCHEDULE not in instance.params or any(v.ndim > 2 for v in params.values()):
                raise NotReadable("a parameter that is neither a number nor one of each client")
            every.append({n: v.ndim == 2 for n, v in params.items()})
        common = [n for n in every[0] if all(n in one for one in every)]
        found = {n: all(one[n] for one in every) for n in common}
        if found.get(SIZE) is not True or found.get(SIGMA) is not False:
            raise NotReadable("no sizes of clients, or no size of the noise")
        if any(RESERVED.fullmatch(n) for n in found):
            raise NotReadable("a parameter with the name of something else")
        return found

    @cached_property
    def constants(self) -> Mapping[str, Any]:
        """What all instances say beside sizes and numbers, as far as they say the same.

        A program that asks for more is refused; runs of all instances are looked at.
        """
        every: list[dict[str, Any]] = []
        for place in self.places:
            params = instance_of(*place, Random(0)).params
            plain = {n: v for n, v in params.items() if not isinstance(v, np.ndarray)}
            every.append({n: v for n, v in plain.items() if n not in ("N", SCHEDULE)})
        return {n: v for n, v in every[0].items() if all(n in one and one[n] == v for one in every)}

    @cached_property
    def similar(self) -> str | None:
        """The symbol of the constants of similarity: what the statement defines of pairs."""
        family, shape = self.places[0]
        world = World(instance_of(family, shape, Random(0)), "exact", None, self.statement.defines)
        count, found = int(shape["N"]), []
        for name in self.statement.defines:
            with asked():
                value = world.original(name)
            if name != RUN and np.ndim(value) == 4 and np.shape(value)[-2:] == (count, count):
                found.append(name)
        if len(found) > 1:
            raise NotReadable("two kinds of constants of pairs")
        return found[0] if found else None

    @property
    def upper(self) -> str:
        """The symbol of the constant of smoothness."""
        for name in SMOOTHNESS:
            if name in self.statement.defines or name in self.rows:
                return name
        raise NotReadable("no constant of smoothness")

    def plain(self) -> Iterator[str]:
        """Parameters that are one number each."""
        return (n for n, row in self.rows.items() if not row)

    def symbol(self, name: str) -> Expr:
        """The symbol of a parameter that is one number."""
        if name == self.upper:
            return UPPER
        signs = {f.box[name].sign if name in f.box else "real" for f, _ in self.places}
        return sympy.Symbol(name, **{(signs.pop() if len(signs) == 1 else "real"): True})

    def after(self, epochs: int) -> AfterEpochs:
        """What the statement says of a run of so many epochs.

        Raises
        ------
        NotReadable
        """
        if epochs not in self._after:
            self._after[epochs] = self._read(epochs)
        return self._after[epochs]

    @cached_property
    def step(self) -> Expr:
        """The step as a formula in the parameters."""
        world = self._world(1)
        with listed(self.axis), asked(), unchecked():
            found = formula(np.asarray(world.original(STEP), dtype=object).item())
        if found.atoms(sympy.Indexed, sympy.Sum):
            raise NotReadable("a step that differs between clients")
        return found

    def others(self) -> Iterator[GroupRuns]:
        """The same with as many clients written out as the program names, so far as it is read."""
        for count in around(self.named.found, LISTED, MOST_CLIENTS):
            yield GroupRuns(self.statement, Axis.of(count, 0))

    def _read(self, epochs: int) -> AfterEpochs:
        whole = self.whole(epochs)
        return replace(whole, left=of_a_client(whole.left), right=of_a_client(whole.right))

    def whole(self, epochs: int) -> AfterEpochs:
        """Both sides as they stand, about all clients or about some of them.

        Raises
        ------
        NotReadable
        """
        if epochs % self.axis.size == 0:
            return replace(self, axis=Axis.of(self.axis.size + 2, 0)).whole(epochs)
        world = self._world(epochs)
        with self.named.listening(), listed(self.axis), asked(), unchecked():
            sides = sides_of(self.statement, world)
            margins = margins_of(self.statement, world)
        left, right = (weighted(sympy.Add(*(_one(v) for v in side.values()))) for side in sides)
        if self.statement.relation == ">=":
            left, right = right, left
        given = {n: _one(v) for n, v in margins.items()}
        known = {self.symbol(n) for n in self.plain()} | {UPPER}
        if any(e.free_symbols - known for e in given.values()):
            raise NotReadable("a hypothesis that is not about the parameters alone")
        return AfterEpochs(left, right, given)

    def _world(self, epochs: int) -> GroupWorld:
        count = self.axis.size
        sizes = {"N": count, SCHEDULE: everybody(count, epochs)}
        params: dict[str, Any] = {**self.constants, **sizes}
        for name, row in self.rows.items():
            base = sympy.IndexedBase(
                name, **({"positive": True} if name == SIZE else {"real": True})
            )
            marks = [base[m] for m in self.axis.marks] if row else self.symbol(name)
            params[name] = np.array(_symbolic(marks), dtype=object)[None].view(Listed)
        instance = Instance("numbers", {}, None, params)
        return GroupWorld(instance, self.axis, epochs, self.statement.defines, self.similar)


def of_a_client(e: Expr) -> Expr:
    """The formula of which a side is the sum over all clients.

    Raises
    ------
    NotReadable
        Where it is no such sum.
    """
    k, count = client_symbol()
    found = sympy.Integer(0)
    for term in sympy.Add.make_args(sympy.expand(sympy.sympify(e), log=False)):
        sums = [f for f in sympy.Mul.make_args(term) if isinstance(f, sympy.Sum)]
        rest = term / sums[0] if sums else term / count
        if len(sums) > 1 or rest.has(sympy.Sum, sympy.Indexed, count):
            raise NotReadable("a side that is no sum over the clients")
        if sums:
            *inner, (index, low, high) = sums[0].limits
            body = sums[0].function
            if (low, high) != (1, count):
                raise NotReadable("a sum over something else than the clients")
            rest *= put(sympy.Sum(body, *inner) if inner else body, index, k)
        found += rest
    return _named(sympy.expand(found, log=False))


def weighted(e: Expr) -> Expr:
    """A formula in which the sizes of all members have the sum one: they are weights then."""
    count = client_symbol()[1]

    def whole(p: Expr) -> bool:
        return (
            isinstance(p, sympy.Sum)
            and len(p.limits) == 1
            and isinstance(p.function, sympy.Indexed)
            and str(p.function.base) == SIZE
            and p.function.indices == (p.limits[0][0],)
            and tuple(p.limits[0][1:]) == (1, count)
        )

    e = sympy.sympify(e)
    return e.xreplace({p: sympy.Integer(1) for p in e.atoms(sympy.Sum) if whole(p)})


def _named(e: Expr) -> Expr:
    """A formula in plain symbols: means over the group first, then what the client has."""
    k, count = client_symbol()

    def mean(p: Expr) -> Expr:
        (index, low, high), *more = p.limits
        parts = dict.fromkeys(sympy.Mul.make_args(p.function))
        weight, pair = sympy.IndexedBase(SIZE, positive=True)[index], SIMILAR[k, index]
        if more or (low, high) != (1, count) or set(parts) != {weight, pair}:
            raise NotReadable("a mean over a group that is not of the constants of similarity")
        return DISSIMILARITY

    found = e.replace(lambda p: isinstance(p, sympy.Sum), mean)
    table = {}
    for entry in found.atoms(sympy.Indexed):
        name = str(entry.base)
        word = name.rstrip("0123456789")
        if entry.indices != (k,) or word not in SIGNS:
            raise NotReadable(f"a claim about {entry}, of which nothing is known")
        table[entry] = sympy.Symbol(name, **SIGNS[word])
    return found.xreplace(table)


def length_of(schedule: str) -> int:
    """Number of epochs: of ``"01*2 0|1"`` it is 3."""
    times = [word.partition("*")[2] or "1" for word in schedule.split()]
    if not times or not all(t.isdecimal() for t in times):
        raise NotReadable("no schedule of groups")
    return sum(map(int, times))


def instance_of(
    family: Family, shape: Shape, random: Random, ends: bool = False, far: int | None = None
) -> Instance:
    """An instance at a random point, in fractions.

    Parameters
    ----------
    family, shape
    random : random.Random
    ends : bool
        Whether parameters whose range reaches the upper end of their domain are at that end.
    far : int, optional
        The number of the point, if it is one of the whole domain.
    """
    box = family.box
    drawn = (
        rational_values(box, shape, random, FINEST)
        if far is None
        else far_values(box, shape, random, far, FINEST)
    )
    values = {n: v[None] for n, v in drawn.items()}
    for name, real in family.box.items() if ends else ():
        if real.domain is not None and real.domain[1] == real.high:
            values[name] = np.full(values[name].shape, Fraction(real.high), dtype=object)
    with asked():
        return family.instance(values, shape)


def _symbolic(e: Any) -> Any:
    return [Symbolic(one) for one in e] if isinstance(e, list) else Symbolic(e)


def _one(value: Any) -> Expr:
    entries = np.asarray(value, dtype=object).reshape(-1)
    if len(entries) != 1:
        raise NotReadable("a claim about several clients or epochs")
    return formula(entries[0])
