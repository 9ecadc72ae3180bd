"""Parameters as symbols, and what comes back from a program as formulas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from typing import Any

import numpy as np

from bounds.numbers.formal import Axis
from bounds.numbers.formal_terms import entry, free_in
from bounds.numbers.symbolic import Symbolic, expression
from verify.claim.parameters import Real, Shape
from verify.claim.statement import Statement
from verify.limits.foreign import CodeFailed, code_of_others
from verify.reading.parts.refusals import NotReadable, asked, told
from verify.world.score import score

__all__ = [
    "Listed",
    "domain_facts",
    "formula",
    "free_in",
    "parts_in",
    "require_reached",
    "row_of",
    "same",
    "some_point",
    "symbol_values",
    "written",
]

Expr = Any

DIGITS = 15
"""A float with more digits than that has been computed, not written."""


class Listed(np.ndarray[Any, Any]):
    """Array of symbols that is compared entry by entry, into conditions."""

    def __gt__(self, other: Any) -> Any:
        return np.greater(self, other, dtype=object)

    def __ge__(self, other: Any) -> Any:
        return np.greater_equal(self, other, dtype=object)

    def __lt__(self, other: Any) -> Any:
        return np.less(self, other, dtype=object)

    def __le__(self, other: Any) -> Any:
        return np.less_equal(self, other, dtype=object)

    def __eq__(self, other: Any) -> Any:
        return np.equal(self, other, dtype=object)

    def __ne__(self, other: Any) -> Any:
        return np.not_equal(self, other, dtype=object)

    def __invert__(self) -> Any:
        return np.frompyfunc(lambda v: ~v if isinstance(v, Symbolic) else not v, 1, 1)(self)

    __hash__ = None


def row_of(base: Expr, axis: Axis) -> Listed:
    """What each client has, (N,): an indexed symbol with the marks of an axis."""
    row = np.empty(axis.size, dtype=object)
    row[:] = _marked(base, axis.marks)
    return row.view(Listed)


@lru_cache(maxsize=4_000)
def _marked(base: Expr, marks: tuple[Expr, ...]) -> tuple[Symbolic, ...]:
    """Symbols with an index take long to make."""
    return tuple(Symbolic(entry(base, (mark,))) for mark in marks)


def symbol_values(
    box: Mapping[str, Real],
    shape: Shape,
    any_axis: str = "",
    axis: Axis | None = None,
    spelled: bool = True,
) -> dict[str, Listed]:
    """One symbol per entry of each parameter, with the leading axis of a batch of one.

    Parameters
    ----------
    box : mapping
    shape : mapping
    any_axis : str
        Axis of parameters whose entries have the marks of `axis` for an index, ``""`` for none.
    axis : Axis, optional
    spelled : bool
        Whether each coordinate of a vector has a symbol; one that stands for all is any number.
    """
    marks = () if axis is None else axis.marks
    return {n: _entries(n, p, p.lengths(shape), any_axis, marks, spelled) for n, p in box.items()}


def _entries(
    name: str, p: Real, lengths: tuple[int, ...], any_axis: str, marks: Any, spelled: bool
) -> Listed:
    vector = "d" in p.per and any_axis != "d" and not spelled
    unnamed = (any_axis,) if spelled else ("d", any_axis)
    out = np.empty((1, *lengths), dtype=object)
    for place in np.ndindex(*lengths):
        spots = list(zip(place, p.per, strict=True))
        own = "_".join([name, *(str(i) for i, a in spots if a not in unnamed)])
        index = tuple(marks[i] for i, a in spots if a == any_axis)
        out[(0, *place)] = Symbolic(_symbol(own, "real" if vector else p.sign, index))
    return out.view(Listed)


@lru_cache(maxsize=4_000)
def _symbol(name: str, sign: str, index: tuple[Expr, ...]) -> Expr:
    import sympy

    made: Any = sympy.IndexedBase if index else sympy.Symbol
    return entry(made(name, **{sign: True}), index) if index else made(name, **{sign: True})


def domain_facts(name: str, parameter: Real, symbol: Expr) -> Iterator[Any]:
    """What the stated domain says of a parameter beyond its sign.

    Parameters
    ----------
    name : str
    parameter : Real
    symbol : expression
        The parameter, one entry of it or any.

    Yields
    ------
    Hypothesis
    """
    import sympy

    from verify.certify.prover.prove import Hypothesis

    if parameter.domain is None:
        return
    low, high = parameter.domain
    for end, sign, reached in ((low, 1, parameter.low <= low), (high, -1, parameter.high >= high)):
        if isfinite(end) and not (end == 0 and sign == 1):
            value = sympy.Rational(repr(end))
            word = (">" if sign == 1 else "<") + ("=" if reached else "")
            yield Hypothesis(f"{name} {word} {value}", sign * (symbol - value), not reached)


def formula(value: Any) -> Expr:
    """The formula of an exact or symbolic number.

    Raises
    ------
    NotReadable
        Where it has none, or one with a float that has been computed.
    """
    import sympy

    found = expression(value)
    if found is None:
        raise NotReadable("a number has no exact form")
    floats = [x for x in parts_in(found) if isinstance(x, sympy.Float)]
    if any(len(str(float(x)).strip("-0").replace(".", "")) > DIGITS for x in floats):
        raise NotReadable("a number has been rounded before it reached the claim")
    return found


def parts_in(e: Expr) -> Iterator[Expr]:
    """A formula and all that it is made of, what stands in it more than once only once."""
    open_ones, seen = [e], {e}
    while open_ones:
        part = open_ones.pop()
        yield part
        for one in part.args:
            if one not in seen:
                seen.add(one)
                open_ones.append(one)


def same(one: Expr, other: Expr) -> bool:
    """Whether two formulas are the same fraction of polynomials in symbols and powers."""
    import sympy

    return _same(sympy.sympify(one), sympy.sympify(other))


@lru_cache(maxsize=4_000)
def _same(one: Expr, other: Expr) -> bool:
    import sympy

    from verify.certify.algebra.ratios import NotRational
    from verify.reading.parts.quotients import ring_of, symbols_of

    try:
        ring = ring_of(symbols_of(one, other))
        return ring(one) == ring(other)
    except NotRational:
        pass
    gap = one - other
    free = sorted(gap.free_symbols, key=str)
    if all(isinstance(s, sympy.Symbol) for s in free):
        value = gap.xreplace(some_point(free))
        if value.is_Rational and value != 0:  # most that differ do so there
            return False
    return bool(sympy.cancel(sympy.together(gap)) == 0)


def some_point(symbols: Sequence[Expr]) -> dict[Expr, Expr]:
    """A point at which formulas are looked at."""
    import sympy

    return {s: sympy.Rational(7 + 4 * i, 31 + 6 * i) for i, s in enumerate(symbols)}


def require_reached(statement: Statement, instance: Any) -> None:
    """Every parameter must still stand in the instance that was built.

    Raises
    ------
    NotReadable
    """
    import sympy

    built = {
        str(symbol.base if isinstance(symbol, sympy.Indexed) else symbol)
        for value in instance.params.values()
        if isinstance(value, np.ndarray)
        for entry in value.flat
        if isinstance(entry, Symbolic)
        for symbol in entry.expr.atoms(sympy.Symbol, sympy.Indexed)
    }
    for name in statement.family.box:
        if not any(b == name or b.startswith(f"{name}_") for b in built):
            raise NotReadable(f"{name} does not reach the instance as a symbol")


def written(statement: Statement) -> list[tuple[Expr, Expr]]:
    """Both sides of each listed shape as formulas, in the form in which they are written.

    Each entry of a parameter has a symbol.

    Returns
    -------
    list of (left, right)
        Before any simplification, so that ``x + x`` is not ``2 x``; empty where the claim has no
        such form.
    """
    import sympy

    box = statement.family.box
    if not box or any(set(p.per) - {"N"} for p in box.values()):
        return []
    found: list[tuple[Expr, Expr]] = []
    try:
        with sympy.evaluate(False), code_of_others(NotReadable):
            for shape in statement.family.shapes:
                values = symbol_values(box, shape)
                with asked():
                    instance = statement.family.instance(values, shape)
                    result = score(statement, instance, "symbolic")
                require_reached(statement, instance)
                sides = np.broadcast_arrays(result.left, result.right)
                found += zip(*(map(formula, side.flat) for side in sides), strict=True)
    except NotReadable:
        return []
    except CodeFailed as failed:  # of a fault in a reader no leaf may die
        told(failed.met, statement.key)
        return []
    return found
