"""Conditions of classes against members of them, in fractions, and false twins that members break.

A condition that is too strong is broken by some function of the class: each twin is the class with
a constant that is wrong by a tenth, or with another sign, and its member must break it. One that is
too weak gives worst cases above the known rates (`test_known_rates`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from tests.each import each
from verify.certify.gram.check import is_semidefinite
from verify.worst_case import (
    BlockSmoothConvex,
    ClassProblem,
    CocoerciveOperator,
    CocoerciveStronglyMonotoneOperator,
    ComonotoneOperator,
    Convex,
    ConvexLipschitz,
    ConvexQuadraticGrowth,
    FunctionClass,
    Indicator,
    LinearOperator,
    LipschitzOperator,
    LipschitzStronglyMonotoneOperator,
    MonotoneOperator,
    NonexpansiveOperator,
    OwnClass,
    Quadratics,
    SecantErrorBound,
    SkewLinearOperator,
    Smooth,
    SmoothConvex,
    SmoothConvexLipschitz,
    SmoothLojasiewicz,
    SmoothStronglyConvex,
    StronglyConvex,
    StronglyMonotoneOperator,
    Support,
    SymmetricLinearOperator,
    TransposedOperator,
    WeaklyConvex,
)
from verify.worst_case.exact.data import Data
from verify.worst_case.function import Condition

F = Fraction
GRID = [(F(a, 2), F(b, 3)) for a, b in product((-3, -1, 0, 2), (-2, 1, 3))]
"""Points of the plane."""

Member = Callable[[tuple[F, ...]], tuple[F, Sequence[F]]]
"""Value and (sub)gradient at a point; of an operator zero and the image."""


def linear(rows: Sequence[Sequence[Any]], level: Any = 0) -> Member:
    """x -> M x, as an operator; of a symmetric M the gradient of <x, M x>/2."""

    def member(x: tuple[F, ...]) -> tuple[F, Sequence[F]]:
        g = [sum((F(q) * y for q, y in zip(row, x, strict=True)), F(0)) for row in rows]
        return sum((p * q for p, q in zip(x, g, strict=True)), F(0)) / 2 + F(level), g

    return member


def apart(*members: Callable[[F], tuple[F, F]]) -> Member:
    """Sum of functions of one coordinate each."""

    def member(x: tuple[F, ...]) -> tuple[F, Sequence[F]]:
        met = [one(y) for one, y in zip(members, x, strict=True)]
        return sum((f for f, _ in met), F(0)), [g for _, g in met]

    return member


def huber(bend: Any, edge: Any) -> Callable[[F], tuple[F, F]]:
    """bend/2 y^2, going on with the slope that it has at the edge."""
    k, e = F(bend), F(edge)
    return lambda y: (
        (k * y * y / 2, k * y)
        if abs(y) <= e
        else (k * e * abs(y) - k * e * e / 2, k * e * (1 if y > 0 else -1))
    )


def corner(slope: Any, bend: Any = 0) -> Callable[[F], tuple[F, F]]:
    """slope |y| + bend/2 y^2."""
    s, k = F(slope), F(bend)
    return lambda y: (s * abs(y) + k * y * y / 2, s * ((y > 0) - (y < 0)) + k * y)


def hilly(bend: Any) -> Callable[[F], tuple[F, F]]:
    """bend/2 y^2 up to 1, then bending down as much to 2, then flat."""
    k = F(bend)

    def one(y: F) -> tuple[F, F]:
        a, sign = abs(y), 1 if y > 0 else -1
        if a <= 1:
            return k * a * a / 2, k * y
        if a <= 2:
            return k - k * (2 - a) ** 2 / 2, sign * k * (2 - a)
        return k, F(0)

    return one


def inside(low: Any, high: Any) -> Callable[[F], tuple[F, F]]:
    """The indicator of an interval: points are projected onto it by what is met."""
    return lambda y: (F(0), F(max(0, y - F(high)) + min(0, y - F(low))))


CASES: dict[str, tuple[FunctionClass, FunctionClass, Member]] = {
    "smooth convex": (SmoothConvex(2), SmoothConvex(F(9, 5)), apart(huber(2, 1), huber(1, 1))),
    "strongly convex": (
        SmoothStronglyConvex(F(1, 2), 2),
        SmoothStronglyConvex(F(3, 5), 2),
        linear([[2, 0], [0, F(1, 2)]]),
    ),
    "smooth strongly convex, L": (
        SmoothStronglyConvex(F(1, 2), 2),
        SmoothStronglyConvex(F(1, 2), F(9, 5)),
        linear([[2, 0], [0, F(1, 2)]]),
    ),
    "smooth": (Smooth(1), Smooth(F(9, 10)), apart(hilly(1), hilly(1))),
    "convex": (Convex(), StronglyConvex(F(1, 10)), apart(corner(1), corner(2))),
    "strongly convex, rough": (
        StronglyConvex(1),
        StronglyConvex(F(11, 10)),
        apart(corner(1, 1), corner(0, 1)),
    ),
    "weakly convex": (WeaklyConvex(1), WeaklyConvex(F(9, 10)), apart(corner(1, -1), corner(2, 0))),
    "Lipschitz": (ConvexLipschitz(5), ConvexLipschitz(F(9, 2)), apart(corner(3), corner(4))),
    "smooth Lipschitz": (
        SmoothConvexLipschitz(2, 2),
        SmoothConvexLipschitz(2, F(9, 5)),
        apart(huber(2, 1), huber(0, 1)),
    ),
    "quadratics": (
        Quadratics(F(1, 2), 2),
        Quadratics(F(1, 2), F(9, 5)),
        linear([[F(5, 4), F(3, 4)], [F(3, 4), F(5, 4)]]),
    ),
    "quadratics, other functions": (
        SmoothConvex(2),
        Quadratics(0, 2),
        apart(huber(2, 1), huber(1, 1)),
    ),
    "quadratic growth": (
        ConvexQuadraticGrowth(2),
        ConvexQuadraticGrowth(F(9, 5)),
        apart(huber(2, 1), huber(1, 1)),
    ),
    "secant and error bound": (
        SecantErrorBound(1, 2),
        SecantErrorBound(F(11, 10), 2),
        linear([[1, 0], [0, 2]]),
    ),
    "error bound": (SecantErrorBound(1, 2), SecantErrorBound(1, F(9, 5)), linear([[1, 0], [0, 2]])),
    "Lojasiewicz": (
        SmoothLojasiewicz(2, 1),
        SmoothLojasiewicz(2, F(6, 5)),
        linear([[1, 0], [0, 2]]),
    ),
    "Lojasiewicz, combined": (
        SmoothLojasiewicz(2, 1, F(2, 5)),
        SmoothLojasiewicz(F(9, 5), 1, F(2, 5)),
        linear([[1, 0], [0, 2]]),
    ),
    "own class": (
        OwnClass(between=lambda i, j: i.f - j.f - j.g @ (i.x - j.x)),
        OwnClass(between=lambda i, j: i.f - j.f - j.g @ (i.x - j.x) - (i.x - j.x) ** 2 / 100),
        apart(corner(1), corner(2)),
    ),
    "own class, at points": (
        OwnClass(at=lambda i: -(i.g**2) + 25),
        OwnClass(at=lambda i: -(i.g**2) + 20),
        apart(corner(3), corner(4)),
    ),
    "monotone": (MonotoneOperator(), StronglyMonotoneOperator(F(1, 10)), linear([[0, 1], [-1, 0]])),
    "strongly monotone": (
        StronglyMonotoneOperator(1),
        StronglyMonotoneOperator(F(11, 10)),
        linear([[1, 3], [-3, 1]]),
    ),
    "comonotone": (
        ComonotoneOperator(F(1, 2)),
        ComonotoneOperator(F(2, 5)),
        linear([[-2, 0], [0, 1]]),
    ),
    "cocoercive": (
        CocoerciveOperator(F(1, 2)),
        CocoerciveOperator(F(3, 5)),
        linear([[1, 1], [-1, 1]]),
    ),
    "cocoercive and strongly monotone": (
        CocoerciveStronglyMonotoneOperator(1, F(1, 2)),
        CocoerciveStronglyMonotoneOperator(F(11, 10), F(1, 2)),
        linear([[1, 1], [-1, 1]]),
    ),
    "Lipschitz operator": (
        LipschitzOperator(5),
        LipschitzOperator(F(9, 2)),
        linear([[3, 4], [-4, 3]]),
    ),
    "non-expansive": (
        NonexpansiveOperator(),
        LipschitzOperator(F(9, 10)),
        linear([[F(3, 5), F(4, 5)], [-F(4, 5), F(3, 5)]]),
    ),
    "Lipschitz and strongly monotone": (
        LipschitzStronglyMonotoneOperator(3, 5),
        LipschitzStronglyMonotoneOperator(F(33, 10), 5),
        linear([[3, 4], [-4, 3]]),
    ),
    "symmetric": (
        SymmetricLinearOperator(F(1, 2), 2),
        SymmetricLinearOperator(F(1, 2), F(9, 5)),
        linear([[F(5, 4), F(3, 4)], [F(3, 4), F(5, 4)]]),
    ),
    "skew": (SkewLinearOperator(2), SkewLinearOperator(F(9, 5)), linear([[0, 2], [-2, 0]])),
    "skew, another operator": (
        LipschitzOperator(2),
        SkewLinearOperator(2),
        linear([[0, 2], [2, 0]]),
    ),
}


def broken(kind: FunctionClass, member: Member, points: Sequence[tuple[F, ...]] = GRID) -> set[str]:
    """Conditions of a class that a function breaks at these points; the origin is its minimiser."""
    p = ClassProblem()
    f = p.function(kind)
    vectors: dict[str, tuple[F, ...]] = {}
    values: dict[str, F] = {}

    def met(x: tuple[F, ...]) -> None:
        value, gradient = member(x)
        names = p.point("x"), p.point("g") if any(gradient) else 0 * p.point("g")
        one = f.add(*names)
        for name, row in zip(names, (x, tuple(gradient)), strict=True):
            vectors.update(dict.fromkeys(name.parts, row))
        values.update({key[0]: value for key in one.f.terms})

    for x in dict.fromkeys([tuple(F(0) for _ in points[0]), *points]):
        met(x)
    data = Data(vectors, values, F(0), len(points[0]))
    found = set()
    for one in f.conditions():
        if isinstance(one, Condition):
            left = data.of(one.expression)
            found |= {one.name} if left < 0 or (one.equality and left) else set()
        elif not is_semidefinite([[data.of(e) for e in row] for row in one.rows]):
            found.add(one.name)
    return found


@each("name", CASES)
def test_a_member_meets_the_conditions_of_its_class(name: str) -> None:
    kind, _, member = CASES[name]
    assert broken(kind, member) == set()


@each("name", CASES)
def test_a_member_breaks_those_of_a_false_twin(name: str) -> None:
    _, twin, member = CASES[name]
    assert broken(twin, member) != set()


def test_normal_vectors_of_a_box_and_its_width() -> None:
    """Of points outside what is met is the projection, with the way to it as normal vector."""
    box = (inside(-1, 1), inside(0, 2))

    def met(kind: FunctionClass, turned: int = 1) -> set[str]:
        p = ClassProblem()
        f = p.function(kind)
        vectors: dict[str, tuple[F, ...]] = {}
        for x in GRID:
            normal = tuple(one(y)[1] for one, y in zip(box, x, strict=True))
            at = tuple(y - n for y, n in zip(x, normal, strict=True))
            one = f.add(p.point("x"), p.point("g"))
            vectors.update(dict.fromkeys(one.x.parts, at))
            vectors.update(dict.fromkeys(one.g.parts, tuple(turned * n for n in normal)))
        data = Data(vectors, {}, F(0), 2)
        return {c.name.split()[0] for c in f.conditions() if data.of(c.expression) < 0}

    assert met(Indicator(3, 3)) == set()
    assert met(Indicator(), turned=-1) == {"normal"}
    assert met(Indicator(2)) == {"diameter"}  # it is sqrt 5
    assert met(Indicator(radius=F(7, 5))) == {"radius"}  # sqrt 2 is needed


def test_the_support_function_of_a_square() -> None:
    def square(x: tuple[F, ...]) -> tuple[F, Sequence[F]]:
        g = [F(1 if y >= 0 else -1) for y in x]
        return sum((p * q for p, q in zip(x, g, strict=True)), F(0)), g

    away = [x for x in GRID if any(x)]
    assert broken(Support(F(3, 2)), square, away) == set()
    assert {name.split()[0] for name in broken(Support(F(7, 5)), square, away)} == {"gradient"}
    assert broken(Support(), lambda x: (square(x)[0], [-q for q in square(x)[1]]), away) != set()


def test_a_linear_operator_and_its_transpose() -> None:
    rows = [[F(3), F(4)], [F(0), F(5)]]

    def met(L: F, turned: Sequence[Sequence[F]]) -> set[str]:
        p = ClassProblem()
        back = p.function(TransposedOperator())
        forth = p.function(LinearOperator(L, back))
        vectors: dict[str, tuple[F, ...]] = {}
        for f, table in ((forth, rows), (back, turned)):
            for x in GRID[:4]:
                one = f.add(p.point("x"), p.point("g"))
                vectors.update(dict.fromkeys(one.x.parts, x))
                vectors.update(dict.fromkeys(one.g.parts, tuple(linear(table)(x)[1])))
        data = Data(vectors, {}, F(0), 2)
        found = set()
        for c in forth.conditions():
            if isinstance(c, Condition):
                found |= {"transpose"} if data.of(c.expression) else set()
            elif not is_semidefinite([[data.of(e) for e in row] for row in c.rows]):
                found.add("length")
        return found

    turned = np.array(rows).T.tolist()
    assert met(F(7), turned) == set()  # the largest singular value is 3 sqrt 5 = 6.708
    assert met(F(7), rows) == {"transpose"}
    assert met(F(6), turned) == {"length"}


def test_blocks_of_coordinates_and_a_false_twin() -> None:
    """f(x) = (x_1 + x_2)^2/2 + x_2^2/2: along the blocks the curvatures are 1 and 2."""

    def met(kind: BlockSmoothConvex) -> bool:
        p = ClassProblem(blocks=2)
        f = p.function(kind)
        vectors: dict[str, tuple[F, ...]] = {}
        values: dict[str, F] = {}
        for x in GRID:
            value, g = linear([[1, 1], [1, 2]])(x)
            one = f.add(p.point("x"), p.point("g"))
            for made, row in ((one.x, x), (one.g, g)):
                for name in made.parts:
                    k = int(name[0]) - 1
                    vectors[name] = tuple(row[c] if c == k else F(0) for c in range(2))
            values.update({key[0]: value for key in one.f.terms})
        data = Data(vectors, values, F(0), 2)
        return all(data.of(c.expression) >= 0 for c in f.conditions())

    assert met(BlockSmoothConvex((1, 2)))
    assert not met(replace(BlockSmoothConvex((1, 2)), L=(1, F(9, 5))))
    assert not met(replace(BlockSmoothConvex((1, 2)), L=(F(9, 10), 2)))


def test_a_displacement_is_the_shortest() -> None:
    """T x = x + v: with this v no other displacement is shorter, with a longer one it is."""

    def met(share: F) -> bool:
        p = ClassProblem()
        v = p.point("v")
        f = p.function(NonexpansiveOperator(v))
        vectors: dict[str, tuple[F, ...]] = {"v": (share, F(0))}
        for x in GRID[:5]:
            one = f.add(p.point("x"), p.point("g"))
            vectors.update(dict.fromkeys(one.x.parts, x))
            vectors.update(dict.fromkeys(one.g.parts, (x[0] - 1, x[1])))
        data = Data(vectors, {}, F(0), 2)
        return all(data.of(c.expression) >= 0 for c in f.conditions())

    assert met(F(1))
    assert not met(F(11, 10))
