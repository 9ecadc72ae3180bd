"""What a statement about runs of FedBC says of a client in a round.

The left side must be the average, over clients, rounds and runs, of one formula in what is known of
a client in a round, and the right side a formula in the parameters, in a largest value of such a
formula over all of them, and in one number that is taken over a set of points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
import sympy

from bounds.numbers.formal import Axis, listed
from bounds.numbers.formal_terms import extreme_type, put
from bounds.numbers.symbolic import Symbolic, client_symbol
from bounds.numbers.validate import unchecked
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Shape
from verify.claim.statement import Statement
from verify.reading.consensus.names import MOST, WRITTEN_OUT, NamedRound
from verify.reading.consensus.world import RunsWorld
from verify.reading.parts.far_points import far_values
from verify.reading.parts.known_before import known_before
from verify.reading.parts.named_sizes import NamedSizes, around
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.symbols import Listed, formula
from verify.reading.parts.values import rational_values
from verify.world.returned import margins_of, sides_of
from verify.world.world import World

Expr = Any  # sympy carries no types

FINEST = 64
"""Largest denominator of the points at which a reading is compared."""
READ = ((WRITTEN_OUT, WRITTEN_OUT, 2), (WRITTEN_OUT, WRITTEN_OUT, 1), (WRITTEN_OUT, 1, 1))
"""How many clients are written out, how many of them are averaged, and in how many rounds, where a
program is read: first in several, which tell what is said of the first one alone."""
FEWEST, MOST_CLIENTS, MOST_ROUNDS = 2, 16, 32
"""Of numbers of clients that the program names those above the first are read, up to the second,
and of numbers of rounds those up to the last."""
MODELS = ("start", "starts")
"""Parameters that are models."""

ENDS = ("lambda_min", "lambda_max")
"""Ends of the interval of the multipliers."""

__all__ = ["ENDS", "ConsensusRead", "ConsensusRuns", "hypotheses_of", "instance_of"]


@dataclass(frozen=True)
class ConsensusRead:
    """What a statement says of a client in a round, in the names of every round.

    Attributes
    ----------
    body : expression
        What the left side averages.
    right : expression
        In the parameters, MOST and BOUND.
    residual : expression or None
        What MOST is the largest value of.
    everywhere : dict
        Name of a hypothesis -> what it says of each client in each round, not negative.
    first : dict
        What it says of each client in the first round alone.
    plain : dict
        What it says of the parameters.
    bound : callable
        The quantity that BOUND stands for.
    """

    body: Expr
    right: Expr
    residual: Expr | None
    everywhere: Mapping[str, tuple[Expr, ...]]
    first: Mapping[str, tuple[Expr, ...]]
    plain: Mapping[str, tuple[Expr, ...]]
    bound: Any

    @property
    def in_one_round(self) -> ConsensusRead:
        """The same of a run of one round."""
        return replace(self, everywhere={**self.everywhere, **self.first}, first={})


@dataclass
class ConsensusRuns:
    """A statement about runs of FedBC in which every client computes.

    Parameters
    ----------
    statement : Statement

    Raises
    ------
    NotReadable
        Where it is about something else.
    """

    statement: Statement
    axis: Axis = field(default_factory=lambda: Axis.of(WRITTEN_OUT, 0))
    named: NamedSizes = field(default_factory=NamedSizes)

    def __post_init__(self) -> None:
        one = self.statement
        if one.over != "point" or one.relation != "<=" or one.quantifier != "all":
            raise NotReadable("no inequality at every point")
        if not all(
            shape.get("virtual") and shape.get("d") == 1 and "N" in shape
            for _, shape in self.places
        ):
            raise NotReadable("no runs in which every client computes")
        self._require_method()

    def _require_method(self) -> None:
        from algorithms.fedbc import FedBC  # engines load late: most claims need none

        if any(instance.method != FedBC.name for instance in self._some):
            raise NotReadable("runs of another method")

    @property
    def places(self) -> list[tuple[Family, Shape]]:
        """Families and their shapes."""
        families = (self.statement.family, *self.statement.also)
        return [(family, shape) for family in families for shape in family.shapes]

    @cached_property
    def _some(self) -> list[Instance]:
        """An instance of each shape."""
        return [instance_of(family, shape, Random(0)) for family, shape in self.places]

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Parameters that all instances have, and whether each client has one of its own."""
        every = []
        for (_, shape), instance in zip(self.places, self._some, strict=True):
            arrays = {n: v for n, v in instance.params.items() if isinstance(v, np.ndarray)}
            if any(v.shape[1:] not in _axes(int(shape["N"]), n) for n, v in arrays.items()):
                raise NotReadable("a parameter that is neither a number nor one of each client")
            every.append({n: v.ndim - 1 - (n in MODELS) for n, v in arrays.items()})
        if any(one != every[0] for one in every):
            raise NotReadable("families with different parameters")
        if any(every[0].get(name) != 0 for name in ENDS):
            raise NotReadable("multipliers of no interval")
        return every[0]

    def read(self) -> ConsensusRead:
        """What the statement says, the same of all numbers of rounds and of averaged clients.

        Raises
        ------
        NotReadable
        """
        found: list[ConsensusRead] = []
        bounds: tuple[Any, ...] = ()
        for clients, sampled, rounds in self._sizes():
            axis = self.axis if clients == self.axis.size else Axis.of(clients, 0)
            world = self._world(axis, sampled, rounds, bounds)
            with self.named.listening(), listed(axis), asked(), unchecked():
                sides = sides_of(self.statement, world)
                margins = margins_of(self.statement, world)
            bounds = tuple(world.bounds)
            if len(bounds) != 1 or not world.places:
                raise NotReadable("no run, or no number that is taken over a set of points")
            left, right = (sympy.Add(*(_one(v) for v in side.values())) for side in sides)
            given = {n: _one(v) for n, v in margins.items()}
            found.append(_said(left, right, given, world.places, bounds[0]))
        if any(one.in_one_round != found[0].in_one_round for one in found):
            raise NotReadable("rounds, or sampled sets, of which another thing is said")
        return found[0]

    def _sizes(self) -> Iterator[tuple[int, int, int]]:
        """Clients, those of them that are averaged, and rounds, each to be read before the next."""
        yield from READ
        if not known_before():
            yield from self._named_sizes()

    def _named_sizes(self) -> Iterator[tuple[int, int, int]]:
        """Those that the program names."""
        named = self.named.found
        for rounds in around(named, 2, MOST_ROUNDS):
            # an axis of the rounds must not be taken for one of the clients
            count = next(n for n in (5, 7, 9, 11) if rounds % n and (rounds + 1) % n)
            yield (count, count, rounds)
        sizes = self._named_clients()
        for sampled in sizes:
            for clients in sorted({sampled, sampled + 1, *(n for n in sizes if n > sampled)}):
                yield (clients, sampled, 1)

    def _named_clients(self) -> list[int]:
        """Numbers of clients that the program names."""
        return around(self.named.found, FEWEST, MOST_CLIENTS)

    def _world(self, axis: Axis, sampled: int, rounds: int, bounds: tuple[Any, ...]) -> RunsWorld:
        some = self._some[0]
        params = {n: v for n, v in some.params.items() if not isinstance(v, np.ndarray)}
        params |= {"S": sampled, "rounds": rounds}
        for name, row in self.rows.items():
            base = sympy.IndexedBase(name, real=True)
            one = sympy.Symbol(name, real=True)
            entries = [base[m] for m in axis.marks] if row else [one]
            value = np.array([Symbolic(e) for e in entries], dtype=object)
            value = value[None] if row else value
            params[name] = (value[..., None] if name in MODELS else value).view(Listed)
        instance = Instance(some.family, {}, some.method, params)
        exact = World(some, "exact", None, self.statement.defines)
        return RunsWorld(instance, axis, self.statement.defines, exact, bounds)


def _axes(clients: int, name: str) -> list[tuple[int, ...]]:
    """Axes that a parameter may have behind that of instances."""
    return [(1,), (clients, 1)] if name in MODELS else [(), (clients,)]


def _said(
    left: Expr, right: Expr, margins: Mapping[str, Expr], places: list[NamedRound], bound: Any
) -> ConsensusRead:
    """Both sides and the hypotheses in the names of every round."""
    extremes = list(right.atoms(extreme_type()))
    if len(extremes) > 1:
        raise NotReadable("several largest values in a bound")
    residual = None
    if extremes:
        word, index, leads, bodies = extremes[0].args
        if str(word) != "max" or any(leads):
            raise NotReadable("a bound with something else than a largest value")
        k, _ = client_symbol()
        residual = _alike([put(b, index, k) for b in bodies], places)
        right = right.xreplace({extremes[0]: MOST})
    if right.atoms(sympy.Sum, sympy.Indexed, extreme_type(), sympy.Min, sympy.Max):
        raise NotReadable("a bound that is about clients")
    every, first, plain = hypotheses_of(margins, places)
    return ConsensusRead(_averaged(left, places), right, residual, every, first, plain, bound)


def _averaged(left: Expr, places: list[NamedRound]) -> Expr:
    """What an average over the clients of all places is the average of."""
    k, count = client_symbol()
    bodies = []
    for term in sympy.Add.make_args(sympy.sympify(left)):
        sums = [f for f in sympy.Mul.make_args(term) if isinstance(f, sympy.Sum)]
        if len(sums) != 1 or sums[0].limits != ((k, 1, count),):
            raise NotReadable("a left side that is no average over clients")
        factor = term / sums[0] * count * len(places)
        if factor.free_symbols or factor.has(sympy.Sum):
            raise NotReadable("a left side that is no average over clients")
        bodies.append(factor * sums[0].function)
    return _alike(bodies, places)


def _alike(bodies: list[Expr], places: list[NamedRound]) -> Expr:
    """What is said of every place alike, once of each."""
    found = []
    for place in places:
        about = [b for b in bodies if place.about(b)]
        if len(about) != 1:
            raise NotReadable("a round of which nothing is said, or two things")
        found.append(place.said(about[0]))
    if len(bodies) != len(places) or any(e != found[0] for e in found):
        raise NotReadable("rounds of which different things are said")
    return found[0]


def hypotheses_of(
    margins: Mapping[str, Expr], places: list[NamedRound]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """What hypotheses say of each place, of the first round alone, and of the parameters."""
    every: dict[str, Any] = {}
    first: dict[str, Any] = {}
    plain: dict[str, Any] = {}
    for name, margin in margins.items():
        parts = list(dict.fromkeys(_parts(margin)))
        clients = [e for e in parts if e.atoms(sympy.Indexed)]
        said = {p: {p.said(e) for e in clients if _is_of(p, e)} for p in places}
        begins = [said[p] for p in places if p.round == 0]
        alike = all(one == begins[0] for one in said.values())
        where = every if alike else first
        if any(one != begins[0] for one in begins) or (
            not alike and any(one for p, one in said.items() if p.round)
        ):
            raise NotReadable(f"{name} is not about each round, or the first, by itself")
        if any(not any(_is_of(p, e) for p in places) for e in clients):
            raise NotReadable(f"{name} is about something else than a round")
        if begins[0]:
            where[name] = tuple(sorted(begins[0], key=str))
        rest = tuple(e for e in parts if e not in clients)
        if rest:
            plain[name] = rest
    return every, first, plain


def _is_of(place: NamedRound, e: Expr) -> bool:
    """Whether a formula is about the multipliers of this round."""
    return any(str(s.base) == place.names["multiplier"] for s in e.atoms(sympy.Indexed))


def _parts(e: Expr) -> Iterator[Expr]:
    """Formulas none of which is negative where this one is not."""
    k, _ = client_symbol()
    if isinstance(e, sympy.Min):
        for one in e.args:
            yield from _parts(one)
        return
    for term in sympy.Add.make_args(e):
        factor, extreme = term.as_coeff_Mul()
        if isinstance(extreme, extreme_type()):
            word, index, leads, bodies = extreme.args
            if any(leads) or str(word) != ("min" if factor > 0 else "max"):
                raise NotReadable("a hypothesis with an extreme of another kind")
            for body in bodies:
                yield from _parts(put(body, index, k) * factor + (e - term))
            return
        if isinstance(extreme, sympy.Min) and factor > 0:
            for one in extreme.args:
                yield from _parts(factor * one + (e - term))
            return
    if e.atoms(extreme_type(), sympy.Min, sympy.Max, sympy.Sum):
        raise NotReadable("a hypothesis that is not about each client by itself")
    yield e


def instance_of(family: Family, shape: Shape, random: Random, far: int | None = None) -> Instance:
    """An instance at a random point, in fractions; of the whole domain where it has a number."""
    box = family.box
    values = (
        rational_values(box, shape, random, FINEST)
        if far is None
        else far_values(box, shape, random, far, FINEST)
    )
    with asked():
        return family.instance({n: v[None] for n, v in values.items()}, shape)


def _one(value: Any) -> Expr:
    entries = np.asarray(value, dtype=object).reshape(-1)
    if len(entries) != 1:
        raise NotReadable("a claim about several clients or rounds")
    return formula(entries[0])
