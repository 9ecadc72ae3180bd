"""Formulas for any number of clients, read off from a few clients that are written out.

A program of a claim runs on an axis of a few entries, each with symbols of its own, so that one
client may be picked out, clients compared in pairs and rows of a matrix summed.  Where an axis is
reduced, the entries beyond the leading ones must be one expression in their index; that expression
goes under a formal sum, or under a formal largest or smallest value, over any number of clients.

Indices are symbols, one per entry, and never numbers.  Nothing here imports sympy: whoever has a
symbol has it loaded.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from operator import eq
from typing import Any

from bounds.numbers.formal_terms import extreme_type, free_in, fresh_index, indicator_type, put
from bounds.numbers.symbolic import (
    LongFormula,
    NotReadable,
    Symbolic,
    client_symbol,
    expression,
)

__all__ = [
    "Axis",
    "chosen",
    "folded_extreme",
    "folded_mean",
    "folded_sum",
    "generic_entry",
    "in_force",
    "listed",
    "listed_axis",
]

Expr = Any  # sympy carries no types
Alike = Callable[[Expr, Expr], bool]

LONGEST = 300
"""Parts of an entry above which an axis is not read; in what has been proved there are 159."""


@dataclass(frozen=True)
class Axis:
    """An axis that stands for any number of clients.

    Attributes
    ----------
    leads : int
        Entries that stand for one client each; the others are one expression in their index.
    marks : tuple of symbols
        Index of each entry that is written out.
    """

    leads: int
    marks: tuple[Expr, ...]

    @classmethod
    def of(cls, size: int, leads: int) -> Axis:
        """An axis with so many entries."""
        sympy = _sympy()
        return cls(leads, tuple(sympy.Symbol(f"i{j}_", integer=True) for j in range(size)))

    @property
    def size(self) -> int:
        """Entries that are written out."""
        return len(self.marks)

    @property
    def count(self) -> Expr:
        """Number of clients: the leading ones and the N others."""
        return client_symbol()[1] + self.leads


_AXIS: ContextVar[Axis | None] = ContextVar("axis that stands for any number", default=None)


@contextmanager
def listed(axis: Axis) -> Iterator[None]:
    """Inside the block symbolic axes of this length stand for any number of clients."""
    token = _AXIS.set(axis)
    try:
        yield
    finally:
        _AXIS.reset(token)


def listed_axis(length: int) -> Axis | None:
    """The axis that a symbolic array's axis of this length stands for; None if for itself."""
    axis = _AXIS.get()
    return axis if axis is not None and length % axis.size == 0 and length else None


def in_force() -> bool:
    """Whether clients are written out."""
    return _AXIS.get() is not None


def folded_sum(entries: Sequence[Any]) -> Symbolic:
    """Sum of the entries of an axis over any number of clients.

    Raises
    ------
    NotReadable
        If the entries beyond the leading ones are not one expression in their index.
    """
    axis = _AXIS.get()
    assert axis is not None
    total = _sympy().Integer(0)
    for block in _blocks(entries, axis):
        body, odd = _body(block, axis, odd=1)
        total += sum(block[: axis.leads]) + _sum(body) + sum(odd)
    return Symbolic(total)


def folded_mean(entries: Sequence[Any]) -> Symbolic:
    """Average of the entries of an axis over any number of clients."""
    axis = _AXIS.get()
    assert axis is not None
    times = len(entries) // axis.size
    return Symbolic(folded_sum(entries).expr / (axis.count * times))


def folded_extreme(entries: Sequence[Any], word: str) -> Symbolic:
    """Largest or smallest entry (``"max"``, ``"min"``) over any number of clients."""
    axis = _AXIS.get()
    assert axis is not None
    sympy = _sympy()
    blocks = _blocks(entries, axis)
    bodies = [_body(block, axis, odd=0)[0] for block in blocks]
    leads = [sympy.Tuple(*block[: axis.leads]) for block in blocks]
    k, _ = client_symbol()
    if not axis.leads and not any(k in free_in(body) for body in bodies):
        return Symbolic((sympy.Max if word == "max" else sympy.Min)(*bodies))
    return Symbolic(
        extreme_type()(sympy.Symbol(word), k, sympy.Tuple(*leads), sympy.Tuple(*bodies))
    )


def generic_entry(entries: Sequence[Any], axis: Axis) -> Expr:
    """The entry of a client beyond the leading ones, with the client symbol k for its index.

    Raises
    ------
    NotReadable
        If the entries are not one expression in their index.
    """
    return _body([_plain(e) for e in entries], axis, odd=0)[0]


def chosen(condition: Any, a: Any, b: Any) -> Symbolic:
    """``a`` where a condition holds, else ``b``, as a polynomial in indicators.

    sympy's own conditional expressions take the index of a sum for that of the condition outside.
    """
    one, other = _plain(a), _plain(b)
    return Symbolic(other + (one - other) * _indicated(condition.expr))


# -- private helpers -----------------------------------------------------------------------------


def _sympy() -> Any:
    return sys.modules["sympy"]


def _indicated(condition: Any) -> Expr:
    """A condition as a polynomial in indicators of comparisons.

    Raises
    ------
    NotReadable
        For a condition that is no comparison.
    """
    sympy = _sympy()
    if condition in (sympy.true, sympy.false):
        return sympy.Integer(int(bool(condition)))
    if isinstance(condition, sympy.And):
        return sympy.Mul(*map(_indicated, condition.args))
    if isinstance(condition, sympy.Or):
        return 1 - sympy.Mul(*(1 - _indicated(part) for part in condition.args))
    if isinstance(condition, sympy.Not):
        return 1 - _indicated(condition.args[0])
    if isinstance(condition, sympy.Ne):
        return 1 - _indicated(sympy.Eq(*condition.args))
    if isinstance(condition, sympy.Eq):
        gap = condition.lhs - condition.rhs
        return _indicator(gap, False) * _indicator(-gap, False)
    if isinstance(condition, sympy.Ge | sympy.Gt):
        return _indicator(condition.lhs - condition.rhs, isinstance(condition, sympy.Gt))
    if isinstance(condition, sympy.Le | sympy.Lt):
        return _indicator(condition.rhs - condition.lhs, isinstance(condition, sympy.Lt))
    raise NotReadable(f"{condition} is no comparison")


def _indicator(value: Expr, strict: bool) -> Expr:
    sympy = _sympy()
    if value.is_number:
        return sympy.Integer(int(bool(value > 0 if strict else value >= 0)))
    return indicator_type()(value, sympy.Integer(int(strict)))


def _plain(value: Any) -> Expr:
    found = expression(value)
    if found is None:
        raise NotReadable("balls and symbols do not mix: substitute numbers first")
    return found


def _blocks(entries: Sequence[Any], axis: Axis) -> list[list[Expr]]:
    """The entries of each run through the clients, which may be the inner or the outer axis.

    Whether they are one expression as they are written is asked of both before it is asked whether
    they are one when multiplied out, which takes long where they are not.

    Raises
    ------
    LongFormula
        Where there are more than an axis of triples has, or where they are long: a list of outcomes
        grows with each round, and so do they; it takes minutes to find that they have no such form.
    """
    size = axis.size
    if len(entries) > size**3:
        raise LongFormula(f"an axis of {len(entries)} entries is none of clients: outcomes, say")
    plain = [_plain(e) for e in entries]
    if any(_is_long(e) for e in plain):
        raise LongFormula(f"the entries of an axis have more than {LONGEST} parts")
    if len(plain) == size:
        return [plain]
    inner = [plain[i : i + size] for i in range(0, len(plain), size)]
    outer = [plain[i :: len(plain) // size] for i in range(len(plain) // size)]
    for blocks in (inner, outer):
        if all(_uniform(block, axis, eq) for block in blocks):
            return blocks
    return inner if all(_uniform(block, axis, _same) for block in inner) else outer


def _is_long(e: Expr) -> bool:
    """Whether an expression has more than `LONGEST` parts."""
    parts, waiting = 0, [e]
    while waiting and parts <= LONGEST:
        parts += 1
        waiting.extend(waiting.pop().args)
    return parts > LONGEST


def _uniform(block: Sequence[Expr], axis: Axis, alike: Alike) -> bool:
    try:
        _body(block, axis, odd=1, alike=alike)
    except NotReadable:
        return False
    return True


def _body(
    block: Sequence[Expr], axis: Axis, odd: int, alike: Alike | None = None
) -> tuple[Expr, list[Expr]]:
    """What the entries beyond the leading ones are in their index k, and what differs from it.

    At most ``odd`` entries do; by how much is the second answer.
    """
    k, _ = client_symbol()
    others = list(zip(axis.marks, block, strict=True))[axis.leads :]
    most = min(odd, len(others) - 3)
    for mark, entry in reversed(others):
        body = put(entry, mark, k)
        rest: list[Expr] = []
        for m, e in others:
            here = e if m == mark else put(body, k, m)
            if not (alike or _same)(here, e):
                rest.append(e - here)
            if len(rest) > most:
                break
        else:
            return body, rest
    raise NotReadable("a single client has been picked out of a symbolic array")


@lru_cache(4_000)
def _same(one: Expr, other: Expr) -> bool:
    return bool(one == other) or _sympy().expand(one - other) == 0


def _sum(body: Expr) -> Expr:
    """Formal sum over all other clients."""
    sympy = _sympy()
    k, count = client_symbol()
    if k not in free_in(body):
        return body * count
    if not _other_indices(body):
        return sympy.Sum(body, (k, 1, count))
    total = sympy.Integer(0)
    for term in sympy.Add.make_args(sympy.expand(body)):
        factor, moving = term.as_independent(k, as_Add=False)
        if k not in free_in(moving):
            total += term * count
        elif _other_indices(moving):
            index = fresh_index(moving)
            total += factor * sympy.Sum(put(moving, k, index), (index, 1, count))
        else:
            total += factor * sympy.Sum(moving, (k, 1, count))
    return total


def _other_indices(e: Expr) -> bool:
    """Whether an expression names generic clients: an index beyond the leading ones."""
    axis = _AXIS.get()
    assert axis is not None
    return not free_in(e).isdisjoint(axis.marks[axis.leads :])
