"""A statement on a class of functions as claims in symbols: its parameters are rational functions.

The statement's own functions are run once more, on unknown points, with parameters that have no
numbers; what the class says of all that was met stands beside as hypotheses.  A claim is kept only
if it gives, on functions of the family and in fractions, what the statement gives there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import sympy

from bounds.numbers import as_rational
from bounds.numbers.validate import unchecked
from verify.certify.prover.prove import Hypothesis
from verify.claim.parameters import Real, Shape
from verify.claim.statement import Statement
from verify.ladder.rungs.worst_cases.asked import (
    NO_FORM,
    PL_SHARE,
    Asked,
    Unknowns,
    asked,
    unknowns_of,
)
from verify.reading.parts.claim import Claim, Claims, ReadClaim
from verify.reading.parts.symbols import domain_facts
from verify.terms.claims import as_terms, terms_of
from verify.world.returned import sides_of
from verify.world.world import World
from verify.worst_case.forms import NotQuadratic
from verify.worst_case.function import Condition, OracleAnswer
from verify.worst_case.parameters import ParameterFunction, parameters
from verify.worst_case.points import Expression, SymbolicPoint, fraction, rational

__all__ = ["SymbolNames", "claim_shapes", "class_claim_sets", "spelled"]


def class_claim_sets(statement: Statement) -> Iterator[Claims]:
    """The set of claims that a statement on a class consists of, one for each listed shape.

    Parameters
    ----------
    statement : Statement

    Yields
    ------
    Claims
        Complete only where there is one shape, up to its dimension.
    """
    terms, known = terms_of(statement), unknowns_of(statement)
    if known is None or not known.kind or statement.also or statement.relation != "<=":
        return
    if terms is None or terms.own_program or terms.picks_out or terms.listed or terms.obstacle:
        return
    shapes, found = claim_shapes(statement), list[ReadClaim]()
    for shape in shapes:
        label = {k: v for k, v in shape.items() if k not in _ANY}
        try:
            found += _read(as_terms(statement), known, label, shape)
        except NO_FORM:
            return
    if found:
        yield Claims(found, complete=len(shapes) == 1)


_ANY = ("d", "points")
"""Sizes of which a claim on a class is about all."""


def claim_shapes(statement: Statement) -> list[Shape]:
    """Listed shapes that a claim on a class tells apart."""
    shapes: dict[str, Shape] = {}
    for shape in statement.family.shapes:
        shapes.setdefault(repr({k: v for k, v in shape.items() if k not in _ANY}), shape)
    return [*shapes.values()]


def _read(
    statement: Statement, known: Unknowns, label: Mapping[str, Any], shape: Shape
) -> list[ReadClaim]:
    """The claims of one shape; none where it is not what the statement gives."""
    symbols, numbers = _parameters(statement, known, shape)
    made = asked(statement, known, shape, numbers)
    if made is None or any(len(p.left) != 1 or len(p.right) != 1 for p in made.places):
        return []
    if not _agrees(statement, known, shape, made):
        return []
    conditions = [*made.problem.conditions()]
    if not all(isinstance(c, Condition) for c in conditions):
        return []
    names = SymbolNames(made)
    if {*symbols} & {str(s) for s in names.symbols.values()}:
        return []  # in a document names are all there is
    told = {
        names.formula(c.expression): c.name
        for c in reversed(conditions)
        if isinstance(c, Condition) and not c.equality
    }
    given = [Hypothesis(name, e) for e, name in reversed(told.items()) if not e.is_number]
    for name, symbol in symbols.items():
        real = statement.family.box.get(name)
        given += [] if real is None else [*domain_facts(name, real, symbol)]
        share = name.partition("_")[0] == "kappa"
        given += [Hypothesis(f"{name} < 1", 1 - symbol, True)] if share else []
    operators = any(not f.kind.valued for f in made.functions)
    said = f"with {known.kind}" if known.own else known.kind
    said += " operators" if operators else ""
    whole = {**label, "functions": said}
    return [
        ReadClaim(
            whole,
            Claim(names.formula(place.left[0]), names.formula(place.right[0]), "<=", given),
            names.vectors,
        )
        for place in made.places
    ]


def _parameters(
    statement: Statement, known: Unknowns, shape: Shape
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Symbols by name, and arrays of what stands for them in the family's shapes."""
    symbols: dict[str, Any] = {}
    lengths: dict[str, tuple[int, ...]] = {}
    for name in known.numbers:
        real = statement.family.box.get(name, _SHARE)
        lengths[name] = (int(shape["N"]),) if name == PL_SHARE else real.lengths(shape)
        for at in np.ndindex(*lengths[name]):
            own = "_".join([spelled(name), *(str(k) for k in at if lengths[name] != (1,))])
            if own in symbols:
                raise NotQuadratic(f"two parameters are called {own}")
            symbols[own] = sympy.Symbol(own, **{real.sign: True})
    made = parameters(symbols, frozenset(n for n in symbols if n.partition("_")[0] == "kappa"))
    left = iter(made.values())
    numbers = {}
    for name in known.numbers:
        numbers[name] = np.empty(lengths[name], dtype=object)
        for at in np.ndindex(*lengths[name]):
            numbers[name][at] = next(left)
    return symbols, numbers


_SHARE = Real(1 / 16, 15 / 16, domain=(0, 1))
_SPELLED = {
    "upper": "L",
    "convexity": "kappa",
    PL_SHARE: "kappa",
    "lipschitz": "G",
    "bend": "rho",
    "cocoercivity": "c",
}


_AS_ANSWERS = {"slopes": "f.g", "heights": "f.f"}
"""Data of a class of one's own, as those of a function are called."""


def spelled(name: str) -> str:
    """What a parameter of the box is called in claims."""
    return _SPELLED.get(name, name)


class SymbolNames:
    """Symbols for the vectors and values of a problem, one coordinate standing for all."""

    def __init__(self, made: Asked) -> None:
        self.symbols: dict[str, Any] = {}
        self.zero = {key for f in made.functions for one in f.lowest for key in one.f.terms}
        for name in made.problem.vectors:
            self._name(name)
        self.vectors = tuple(str(s) for s in self.symbols.values())
        for name in made.problem.numbers:
            self._name(name)

    def _name(self, name: str) -> None:
        function, dot, kind = _AS_ANSWERS.get(name.split(".")[0], name).partition(".")
        client = "" if function == "f" else "_of_" + function.removeprefix("f.")
        if not dot or kind[:1] not in "gf":
            self.symbols[name] = sympy.Symbol(name.replace(".", "_").replace("*", "opt"), real=True)
            return
        number = sum(str(s).startswith(f"{kind[0]}_") for s in self.symbols.values())
        self.symbols[name] = sympy.Symbol(f"{kind[0]}_{number}{client}", real=True)

    def formula(self, e: Expression) -> Any:
        """An expression as sympy writes it; minima are zero."""
        terms = []
        for key, q in e.terms.items():
            if key not in self.zero:
                factor = (
                    q.formula
                    if isinstance(q, ParameterFunction)
                    else sympy.Rational(int(q.p), int(q.q))
                )
                terms.append(sympy.Mul(factor, *(self.symbols[a] for a in key)))
        return sympy.Add(*terms)


# -- is it what the statement gives? ---------------------------------------------------------------


def _agrees(statement: Statement, known: Unknowns, shape: Shape, made: Asked) -> bool:
    """Whether both give the same on functions of the family, in fractions."""
    rng = np.random.default_rng(5)
    for dimension in (1,) if known.kind == "smooth PL" and known.members else (1, 2, 3):
        at = {**shape, "d": dimension, **({} if known.own else {"points": 2})}
        u = rng.integers(1, 8, (1, statement.family.width(at))) / 8
        values = {n: as_rational(v) for n, v in statement.family.decode(u, at).items()}
        values = {n: _short(v) for n, v in values.items()}
        world = World(statement.family.instance(values, at), "exact", None, statement.defines)
        with unchecked():
            left, right = sides_of(statement, world)
            told = _sum(left) - _sum(right)
            here = _At(made, known, values, world)
        read = [here.of(place.left[0]) - here.of(place.right[0]) for place in made.places]
        if [*map(rational, np.ravel(told))] != read:
            return False
    return True


def _short(table: Any) -> Any:
    return np.frompyfunc(lambda q: q.limit_denominator(64), 1, 1)(table)


def _sum(side: Mapping[str, Any]) -> Any:
    total: Any = 0
    for value in side.values():
        total = total + np.asarray(value, dtype=object)
    return total


class _At:
    """Expressions of a problem on one instance of the family: its own gradients and values."""

    def __init__(
        self, made: Asked, known: Unknowns, values: Mapping[str, Any], world: World
    ) -> None:
        there: Any = world
        self.problem: Any = there if known.own else there.problem
        self.numbers: dict[str, Any] = {}
        for name in known.numbers:
            table = (
                self.problem.mu[0] / self.problem.smoothness[0]
                if name == PL_SHARE
                else (values[name][0])
            )
            called = spelled(name)
            single = np.shape(table) == (1,)
            for at in np.ndindex(*np.shape(table)):
                own = "_".join([called, *(str(k) for k in at if not single)])
                self.numbers[own] = np.asarray(table, dtype=object)[at]
        self.valued = all(f.kind.valued for f in made.functions)
        self.vectors: dict[str, Any] = {}
        self.values: dict[str, Any] = {}
        for name, points in made.points.items():
            table = world.original(name)[0, 0]
            for at in np.ndindex(*np.shape(points)):
                (own,) = points[at].parts
                self.vectors[own] = table[at]
        for name, expressions in made.values.items():
            table = values[name][0]
            for at in np.ndindex(*np.shape(expressions)):
                (key,) = expressions[at].terms
                self.values[key[0]] = table[at]
        for k, best in enumerate(made.minimisers):
            for own in best.parts:
                self.vectors[own] = self.problem.optimum[0, 0, k]
        todo = [(k, one) for k, f in enumerate(made.functions) for one in f.met]
        while todo:
            k, one = next(item for item in todo if self._known(item[1].x))
            todo.remove((k, one))
            self._meet(k, one)

    def _known(self, point: SymbolicPoint) -> bool:
        return point.parts.keys() <= self.vectors.keys()

    def _meet(self, client: int, one: OracleAnswer) -> None:
        """What the client's function says at a point that is known."""
        zero = 0 * self.problem.optimum[0, 0, client]
        x = sum((self._number(q) * self.vectors[a] for a, q in one.x.parts.items()), zero)
        if self.valued:
            ((own,),) = one.f.terms
            self.values[own] = self.problem.losses(x[None, None])[0, 0, client]
        fresh = [a for a in one.g.parts if a not in self.vectors]
        if len(one.g.parts) == 1 and fresh:
            self.vectors[fresh[0]] = self.problem.gradients(x[None, None])[0, 0, client]

    def of(self, e: Expression) -> Any:
        """Value of an expression."""
        total = rational(0)
        for key, q in e.terms.items():
            if len(key) == 2:
                part = sum(a * b for a, b in zip(*(self.vectors[n] for n in key), strict=True))
            else:
                part = self.values[key[0]] if key else 1
            total += rational(self._number(q)) * rational(part)
        return total

    def _number(self, q: Any) -> Any:
        exact = q.at(self.numbers) if isinstance(q, ParameterFunction) else q
        return fraction(exact)
