"""Claims about a class of functions, as claims about points, gradients and values.

A statement over `verify.claim.functions.functions` is read in a world whose loss is known only
where it is met. Its hypotheses are joined by the interpolation conditions of the class, which every
function meets: what they imply holds for the class, in every dimension. A reading is kept only if
it gives, on functions of the class and in exact arithmetic, what the statement itself gives there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import sympy

from bounds.numbers.symbolic import expression
from verify.certify.prover.prove import Hypothesis
from verify.claim.functions import class_of
from verify.claim.instance import Instance
from verify.claim.parameters import Real, Shape
from verify.claim.statement import Statement
from verify.reading.classes.world import ClassWorld, Met, MetLoss, array_of
from verify.reading.parts.claim import Claim, Claims, ReadClaim
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.symbols import domain_facts, formula, symbol_values
from verify.reading.parts.values import (
    Formulas,
    Table,
    agree,
    over_coordinates,
    rational_values,
)
from verify.world.score import score, score_world

Expr = Any  # sympy carries no types

OWN = ("upper", "convexity", "stride", "rise", "approach")
"""Parameters of the hulls, which the symbols of the class replace."""
FINEST = 64
"""Largest denominator of the points at which a reading is compared."""

UPPER = sympy.Symbol("L", positive=True)
SHARE = sympy.Symbol("kappa", positive=True)
"""Smallest curvature over the largest, in (0, 1)."""
PL = sympy.Symbol("mu", positive=True)

FOLLOWS = "the parabola at"
"""In the names of conditions that follow from the others."""

__all__ = ["candidates", "class_claims", "class_sets", "scalars_of", "vectors_of_class"]


def class_sets(statement: Statement) -> Iterator[Claims]:
    """The claims about data of the class as one set, if there are any."""
    found, complete = class_claims(statement)
    if found:
        yield Claims(found, complete)


def class_claims(statement: Statement) -> tuple[list[ReadClaim], bool]:
    """Claims about data of the class, each with the shape that it is about.

    Returns
    -------
    claims : list of ReadClaim
        Empty where the statement has no such form.
    complete : bool
        Whether they are all that the statement says: a family with several numbers of rounds is
        about all of them.
    """
    kind, box = class_of(statement.family), statement.family.box
    extra = {name: p for name, p in box.items() if name not in OWN}
    if kind is None or statement.also or any(p.per for p in extra.values()):
        return [], False
    found: list[ReadClaim] = []
    seen = set()
    for shape in statement.family.shapes:
        label = {k: v for k, v in shape.items() if k not in ("d", "points")}
        if repr(label) in seen:
            continue
        seen.add(repr(label))
        read = _read(statement, kind, extra, shape)
        if read is None or not _agrees(statement, shape, *read):
            return [], False
        claim = read[0]
        about = {**label, "functions": kind}
        found.append(ReadClaim(about, claim, vectors_of_class(claim)))
    return found, len({one.label.get("rounds") for one in found}) == 1


def vectors_of_class(claim: Claim) -> tuple[str, ...]:
    """Names of the symbols of a claim that stand for vectors."""
    names = {str(s) for e in _expressions(claim) for s in e.free_symbols}
    return tuple(sorted(n for n in names if n in ("start", "opt") or n.startswith("g_")))


def scalars_of(claim: Claim) -> tuple[list[Expr], list[Expr]]:
    """Symbols of function values, and parameters other than L."""
    symbols = sorted({s for e in _expressions(claim) for s in e.free_symbols}, key=str)
    rest = [s for s in symbols if str(s) not in vectors_of_class(claim) and s != UPPER]
    values = [s for s in rest if str(s).startswith("f_")]
    return values, [s for s in rest if s not in values]


def _expressions(claim: Claim) -> list[Expr]:
    return [claim[0], claim[1], *(h.expr for h in claim[3])]


def _read(
    statement: Statement, kind: str, extra: Mapping[str, Real], shape: Shape
) -> tuple[Claim, MetLoss] | None:
    """The claim for one shape, and what its method has met."""
    lower = {"smooth convex": 0 * UPPER, "smooth strongly convex": SHARE * UPPER}.get(kind, -UPPER)
    pl = {"smooth PL": PL}.get(kind, sympy.Max(lower, 0) if lower != -UPPER else 0 * UPPER)
    loss = MetLoss(UPPER, lower, pl)
    values = symbol_values(extra, shape)
    symbols = {name: expression(v.item()) for name, v in values.items()}
    constants = {k: v for k, v in shape.items() if k not in ("N", "d", "points", "method")}
    params = {**values, "start": array_of(sympy.Symbol("start", real=True), 2)}
    instance = Instance("parabolas", {}, shape["method"], {**params, **constants})
    try:
        with asked():
            made = score_world(statement, ClassWorld(instance, loss, statement.defines))
        sides = [_single(side) for side in (made.left, made.right)]
        given = [
            Hypothesis(name, _single(margin), name in statement.strict)
            for name, margin in made.margins.items()
        ]
    except NotReadable:
        return None
    if statement.relation == ">=":
        sides.reverse()
    relation = "==" if statement.relation == "==" else "<="
    known = [*given, *_domain(kind, extra, symbols), *_conditions(kind, loss)]
    return Claim(sides[0], sides[1], relation, known), loss


def _single(value: Any) -> Expr:
    """The one formula of a side or a margin."""
    if value.size != 1:
        raise NotReadable("a claim about several clients or rounds of a class")
    return formula(value.item())


def _domain(
    kind: str, extra: Mapping[str, Real], symbols: Mapping[str, Expr]
) -> Iterator[Hypothesis]:
    """What the domains say beyond the signs of the symbols."""
    if kind == "smooth strongly convex":
        yield Hypothesis("kappa < 1", 1 - SHARE, True)
    if kind == "smooth PL":
        yield Hypothesis("mu <= L", UPPER - PL)
    for name, p in extra.items():
        yield from domain_facts(name, p, symbols[name])


def _conditions(kind: str, loss: MetLoss) -> Iterator[Hypothesis]:
    """What every function of the class satisfies at the points that were met."""
    names = ["opt", *(str(number) for number in range(len(loss.met) - 1))]
    points = list(zip(names, loss.met, strict=True))
    for (one, i), (other, j) in permutations(points, 2):
        yield Hypothesis(f"f at {one} against {other}", _between(i, j, loss))
        # these two follow, but not by a short product
        plane, square = j.f + j.g * (i.x - j.x), (i.x - j.x) ** 2
        yield Hypothesis(
            f"f at {one} below {FOLLOWS} {other}", plane + loss.upper * square / 2 - i.f
        )
        if loss.lower != 0:
            yield Hypothesis(
                f"f at {one} above {FOLLOWS} {other}", i.f - plane - loss.lower * square / 2
            )
    for name, i in points[1:]:
        if kind == "smooth strongly convex":
            yield Hypothesis(f"PL at {name}", i.g**2 / 2 - loss.lower * i.f)
        if kind in ("smooth", "smooth PL"):
            yield Hypothesis(f"f at {name} above the minimum", i.f - i.g**2 / (2 * loss.upper))
        if kind == "smooth PL":
            yield Hypothesis(f"PL at {name}", i.g**2 / 2 - loss.pl * i.f)


def _between(i: Met, j: Met, loss: MetLoss) -> Expr:
    """The interpolation condition, see :mod:`bounds.interpolation`; one coordinate."""
    upper, lower = loss.upper, loss.lower
    step, turn = i.x - j.x, i.g - j.g
    ratio = sympy.cancel(lower / upper)
    bend = turn**2 / upper + lower * step**2 - 2 * ratio * turn * step
    return i.f - j.f - j.g * step - bend / (2 * (1 - ratio))


# -- is the reading right --------------------------------------------------------------------------


def _agrees(statement: Statement, shape: Shape, claim: Claim, loss: MetLoss) -> bool:
    """Whether the formulas give what the statement gives on functions of the class."""
    dimensions = (1,) if class_of(statement.family) == "smooth PL" else (1, 2)

    def at(changed: Shape, random: Random) -> bool:
        return _agrees_at(statement, changed, claim, loss, random)

    return agree(statement.key, ({**shape, "d": d} for d in dimensions), at)


def _agrees_at(
    statement: Statement, shape: Shape, claim: Claim, loss: MetLoss, random: Random
) -> bool:
    drawn = rational_values(statement.family.box, shape, random, FINEST)
    values = {name: value[None] for name, value in drawn.items()}
    with asked():
        found = score(statement, statement.family.instance(values, shape), "exact")
    if any(v.size != 1 for v in (found.left, found.right, *found.margins.values())):
        return False
    tables, without = _tables(found.world, values, loss, shape)

    def value(e: Expr) -> Any:
        return over_coordinates(lambda t: Formulas(shape).at(e, {}, t), tables, without)

    left, right, _, hypotheses = claim
    sign = -1 if statement.relation == ">=" else 1
    if value(right - left) != sign * (found.right.item() - found.left.item()):
        return False
    exprs = {h.name: h.expr for h in hypotheses}
    return all(value(exprs[n]) == m.item() for n, m in found.margins.items())


def _tables(
    world: Any, values: Mapping[str, Any], loss: MetLoss, shape: Shape
) -> tuple[list[Table], Table]:
    """Numbers of the symbols with one coordinate of each vector, and with zero vectors."""
    problem, d, here = world.problem, int(shape["d"]), Formulas(shape)
    scalars = {name: value.item() for name, value in values.items() if name not in OWN}
    scalars |= {str(UPPER): values["upper"].item(), str(PL): problem.pl_constant.item()}
    if "convexity" in values:
        scalars[str(SHARE)] = values["convexity"].item()
    start = np.broadcast_to(world.original("start"), (1, 1, d)).reshape(d)
    best = problem.optimum.reshape(d)
    vectors = [{"start": start[j], str(loss.met[0].x): best[j]} for j in range(d)]

    def table(vector: Mapping[str, Any]) -> Table:
        return {(name, ()): Fraction(v) for name, v in {**scalars, **vector}.items()}

    for one in loss.met[1:]:
        place = np.array([here.at(one.x, {}, table(v)) for v in vectors], dtype=object)
        slope = problem.gradients(place[None, None]).reshape(d)
        for vector, g in zip(vectors, slope, strict=True):
            vector[str(one.g)] = g
        scalars[str(one.f)] = problem.excess(place[None, None]).item()
    return [table(v) for v in vectors], table(dict.fromkeys(vectors[0], 0))


# -- what the exact search is helped with ----------------------------------------------------------


def candidates(claim: Claim) -> list[Expr]:
    """Squares for the proof of a claim without parameters but L, largest pivots first."""
    from verify.certify.gram.roots import square_roots

    values, parameters = scalars_of(claim)
    left, right, relation, hypotheses = claim
    if parameters or relation != "<=":
        return []
    known = {str(s): s for e in _expressions(claim) for s in e.free_symbols}
    vectors = [known[name] for name in vectors_of_class(claim)]
    for basic in (True, False):
        used = [h.expr for h in hypotheses if FOLLOWS not in h.name or not basic]
        used = [e for e in used if e.free_symbols & {*vectors, *values}]
        try:
            roots = square_roots(right - left, used, vectors, values, {UPPER: Fraction(1)})
        except sympy.PolynomialError:  # a smallest or largest value is no polynomial
            return []
        if roots:
            break
    # in units of a gradient: points times L
    scale = {v: 1 if str(v).startswith("g_") else UPPER for v in vectors}
    return [
        sympy.Add(
            *(scale[v] * v * sympy.Rational(q.numerator, q.denominator) for v, q in root.items())
        )
        for root in roots
    ]
