"""What a statement says of walks of its own, whose mean distances are symbols.

A walk is made from a share s, a start, the length e of a step, the chance a of one, and a number
of rounds; what is known of it are the mean distances after each round.  The program is run with
symbols for one, two, three rounds and so on, each time with the symbol K in every formula.  Its
left side must be a factor times the sum of the distances of the last walk and a rest, the same for
all numbers of rounds; where it is the least of several such sums, that of the last walk is no
smaller.
The distance of the average of all points is in the mean at most the average of the distances.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import sympy

from bounds.numbers.symbolic import Symbolic
from verify.claim.parameters import Family
from verify.claim.statement import Statement
from verify.reading.clients.reading import Reading, read_clients
from verify.reading.loops.counts import Counted
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import Listed, formula, same
from verify.world.world import World

Expr = Any  # sympy carries no types

WALK, ROUNDS = "walk", "rounds"
"""The symbol that makes a walk, and the size that is the number of rounds."""
K = sympy.Symbol(ROUNDS, integer=True, positive=True)
WRITTEN = range(1, 5)
"""Numbers of rounds that are written out."""
WORDS = ("share", "start", "step", "awake")
RESERVED = ("away", "size_", "walk_", "distances", "square", "rounds")
"""How names begin that no parameter may have."""

__all__ = [
    "ROUNDS",
    "WALK",
    "WORDS",
    "K",
    "WalkRead",
    "away",
    "filled",
    "of_mean",
    "read_walks",
    "recorded",
]


def away(walk: int, k: int) -> Expr:
    """Mean distance of a walk after k rounds."""
    return sympy.Symbol(f"away{walk}_{k}", nonnegative=True)


def of_mean(walk: int) -> Expr:
    """Mean distance of the average of all points of a walk."""
    return sympy.Symbol(f"away{walk}_mean", nonnegative=True)


@dataclass(frozen=True)
class WalkRead:
    """What a statement says after K rounds.

    Attributes
    ----------
    written : dict
        Both sides as they stand by the number of rounds written out.
    factor : expression
        Of the sum of distances of the last walk on the left side, or above it.
    rest : expression
        What is beside it.
    least : bool
        Whether the left side is the least of several, or about an average: it may be less.
    right : expression
    walk : dict
        What the last walk is made of, by `WORDS`.
    margins : dict
    sizes : dict
        Symbols of sizes.
    """

    written: Mapping[int, Reading]
    factor: Expr
    rest: Expr
    least: bool
    right: Expr
    walk: Mapping[str, Expr]
    margins: Mapping[str, Expr]
    sizes: Mapping[str, Expr]


def filled(parts: Sequence[Any]) -> list[Any]:
    """What a walk is made of: without a chance it moves in every round, and of a start and a step
    alone always towards the minimum."""
    if not 2 <= len(parts) <= len(WORDS):
        raise NotReadable("a walk that is made of something else")
    return [*([1] if len(parts) == 2 else ()), *parts, *([1] if len(parts) < len(WORDS) else ())]


class _AnyWalk:
    """A walk of which the mean distances are symbols."""

    def __init__(self, made: list[Any], *parts: Any) -> None:
        number, (*formulas, rounds) = len(made), parts
        made.append(filled(formulas))
        self.distances = [_number(away(number, k)) for k in range(rounds + 1)]
        self.of_mean = _number(of_mean(number))


def _number(e: Expr) -> Any:
    found = np.empty((1, 1), dtype=object)
    found[...] = Symbolic(e)
    return found.view(Listed)


def recorded(statement: Statement, make: Callable[[World], Callable[..., Any]]) -> Statement:
    """The statement with other walks, made by what a world is given."""
    return replace(statement, defines={**statement.defines, WALK: make})


def read_walks(statement: Statement, family: Family) -> WalkRead:
    """What a statement says in the shapes of one of its families.

    Raises
    ------
    NotReadable
        Where it says something else.
    """
    shape = family.shapes[0]
    names = {frozenset(s) for s in family.shapes}
    if len(names) != 1 or any(type(v) is not int for s in family.shapes for v in s.values()):
        raise NotReadable("shapes with other sizes")
    if ROUNDS not in shape or any(p.per for p in family.box.values()):
        raise NotReadable("no number of rounds, or several numbers of one kind")
    if any(name.startswith(RESERVED) or name in shape for name in family.box):
        raise NotReadable("a parameter with the name of something else")
    alone = replace(statement, family=family, also=())
    sizes = {
        n: sympy.Symbol(f"size_{n}", integer=True, positive=True) for n in shape if n != ROUNDS
    }
    found: dict[int, Reading] = {}
    walks: dict[int, list[Any]] = {}
    for n in WRITTEN:
        made: list[Any] = []
        asked = recorded(alone, _always(partial(_AnyWalk, made)))
        counts = {**sizes, ROUNDS: Counted(n, K)}
        found[n] = read_clients(asked, shape, "", 0, counts)
        walks[n] = [dict(zip(WORDS, map(_one, parts), strict=True)) for parts in made]
    first = found[1]
    walk = walks[1][-1] if walks[1] else {}
    if not walk or any(not _same(made[-1], walk) for made in walks.values()):
        raise NotReadable("no walks, or other ones after other numbers of rounds")
    if any(r.right != first.right or r.margins != first.margins for r in found.values()):
        raise NotReadable("a bound or a hypothesis that goes through the rounds")
    if any(set(p) != {()} for r in found.values() for p in (r.left, r.right, *r.margins.values())):
        raise NotReadable("a claim about several numbers")
    right, margins = first.right[()], {n: m[()] for n, m in first.margins.items()}
    if any(str(s).startswith("away") for e in (right, *margins.values()) for s in e.free_symbols):
        raise NotReadable("a bound or a hypothesis about walks")
    factors, rests, least = {}, {}, False
    for n, reading in found.items():
        last = len(walks[n]) - 1
        distances = [away(last, k) for k in range(n)]
        left, met = _of_last(reading.left[()], last)
        if left.has(of_mean(last)):
            left, met = _of_all(left, of_mean(last), sympy.Add(*distances) / K), True
        least |= met
        factors[n], rests[n] = _factor(left, distances)
    if not all(same(e[n], e[1]) for e in (factors, rests) for n in e):
        raise NotReadable("a mean of another form in the number of rounds")
    return WalkRead(found, factors[1], rests[1], least, right, walk, margins, sizes)


def _always(make: Callable[..., Any]) -> Callable[[World], Callable[..., Any]]:
    return lambda _: make


def _one(value: Any) -> Expr:
    entries = np.asarray(value, dtype=object).reshape(-1)
    if len(entries) != 1:
        raise NotReadable("walks of several")
    return formula(entries[0])


def _same(one: Mapping[str, Expr], other: Mapping[str, Expr]) -> bool:
    return all(same(one[word], other[word]) for word in WORDS)


def _of_last(e: Expr, last: int) -> tuple[Expr, bool]:
    """A left side with what it is at most: the value of the last walk for the least of several."""
    picks = [p for p in e.atoms(sympy.Min) if _walks(p)]
    if not picks:
        return e, False
    (pick, *more), place = picks, sympy.Symbol("least_of_walks", nonnegative=True)
    of_last = [a for a in pick.args if _walks(a) == {last}]
    slope = sympy.diff(e.xreplace({pick: place}), place)
    if more or len(of_last) != 1 or slope.has(place) or not slope.is_nonnegative:
        raise NotReadable("a least value that is not one of walks")
    return e.xreplace({pick: of_last[0]}), True


def _of_all(e: Expr, mean: Expr, most: Expr) -> Expr:
    """A side with the mean distance in place of the distance of the average, which is no larger."""
    slope = sympy.diff(e, mean)
    if slope.has(mean) or not _signed(slope):
        raise NotReadable("a side that does not grow with the distance of an average")
    return e.xreplace({mean: most})


def _signed(e: Expr) -> bool:
    """Whether a formula is not negative, roots taken for what they are."""
    roots = sorted((p for p in e.atoms(sympy.Pow) if not p.exp.is_Integer), key=str)
    signs = {p: sympy.Symbol(f"root_{i}", nonnegative=True) for i, p in enumerate(roots)}
    return bool(e.xreplace(signs).is_nonnegative)


def _walks(e: Expr) -> set[int]:
    names = (str(s) for s in e.free_symbols)
    return {int(n[len("away") :].partition("_")[0]) for n in names if n.startswith("away")}


def _factor(left: Expr, distances: list[Expr]) -> tuple[Expr, Expr]:
    """The factor of the sum of distances in a side, and what is beside it."""
    found = sympy.diff(left, distances[0])
    rest = left.xreplace(dict.fromkeys(distances, sympy.Integer(0)))
    whole = found * sympy.Add(*distances) + rest
    if found.free_symbols & {*distances} or not same(left, whole):
        raise NotReadable("a side that is no sum of distances")
    return found, rest
