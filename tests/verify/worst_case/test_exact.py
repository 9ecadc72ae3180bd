"""Exact bounds: certificates that stand and forged ones, instances that replay, sharp values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from tests.each import each
from verify.certify.gram.claim import GramCertificate
from verify.worst_case import (
    ClassProblem,
    Convex,
    ConvexLipschitz,
    LipschitzOperator,
    MonotoneOperator,
    NoSolution,
    OwnClass,
    Quadratics,
    Smooth,
    SmoothConvex,
    SmoothLojasiewicz,
    SmoothStronglyConvex,
    StronglyConvex,
    SymbolicPoint,
    WorstCase,
    best_along,
    bregman_proximal_step,
    objection,
    prox,
    solved,
    worst,
)
from verify.worst_case.exact.explicit import (
    ExactAnswer,
    Hull,
    MaxOfParabolas,
    QuadraticFunction,
    written,
)
from verify.worst_case.exact.primal import _checked
from verify.worst_case.points import rational
from verify.worst_case.programme import programme

F = Fraction


def begun(kind: Any) -> tuple[ClassProblem, Any, SymbolicPoint, SymbolicPoint]:
    """A function, its minimiser, and a start within distance one."""
    p = ClassProblem()
    f = p.function(kind)
    best = f.minimiser()
    x = p.point("x0")
    p.assume((x - best) ** 2 <= 1)
    return p, f, best, x


def descent(kind: Any, step: Any, n: int, *, distance: bool = False) -> ClassProblem:
    p, f, best, x = begun(kind)
    for _ in range(n):
        x = x - f.gradient(x) * step
    p.maximise((x - best) ** 2 if distance else f(x) - f(best))
    return p


def fast(n: int) -> ClassProblem:
    """Nesterov's method with momentum i/(i + 3)."""
    p, f, best, x = begun(SmoothConvex(1))
    y = x
    for i in range(n):
        before, x = x, y - f.gradient(y)
        y = x + F(i, i + 3) * (x - before)
    p.maximise(f(x) - f(best))
    return p


def halpern(n: int) -> ClassProblem:
    p = ClassProblem()
    A = p.function(LipschitzOperator(1))
    best = A.fixed_point()
    x = start = p.point("x0")
    p.assume((x - best) ** 2 <= 1)
    for i in range(n):
        x = start * F(1, i + 2) + A.gradient(x) * F(i + 1, i + 2)
    p.maximise((x - A.gradient(x)) ** 2)
    return p


def subgradients(n: int) -> ClassProblem:
    """Steps 1/(n + 1) with n + 1 a square: M R / sqrt(n + 1) is rational."""
    p, f, best, x = begun(ConvexLipschitz(1))
    for _ in range(n):
        p.maximise(f(x) - f(best))
        x = x - f.gradient(x) * F(1, 2)
    p.maximise(f(x) - f(best))
    return p


def resolvents(n: int) -> ClassProblem:
    p, A, _, x = begun(MonotoneOperator())
    for _ in range(n):
        before, x = x, prox(A, x, 2).x
    p.maximise((x - before) ** 2)
    return p


def searched() -> ClassProblem:
    p = ClassProblem()
    f = p.function(SmoothStronglyConvex(F(1, 4), 1))
    best, x = f.minimiser(), p.point("x0")
    p.assume(f(x) - f(best) <= 1)
    end = best_along(f, x, [f.gradient(x)])
    p.maximise(end.f - f(best))
    return p


def proximal(n: int) -> ClassProblem:
    p, f, best, x = begun(Convex())
    for _ in range(n):
        x = prox(f, x, 3).x
    p.maximise(f(x) - f(best))
    return p


def mirrored(n: int) -> ClassProblem:
    """Bregman proximal steps of size 3 from within Bregman distance one."""
    p = ClassProblem()
    f, h = p.function(Convex()), p.function(Convex())
    best, x = f.minimiser(), p.point("x0")
    slope = h.gradient(x)
    p.assume(h(best) - h(x) - slope @ (best - x) <= 1)
    for _ in range(n):
        end = bregman_proximal_step(slope, h, f, 3)
        slope = end.g
    p.maximise(end.f - f(best))
    return p


def split() -> ClassProblem:
    """A Douglas-Rachford step of size 3 from two points."""
    p = ClassProblem()
    f, h = p.function(SmoothStronglyConvex(F(1, 10), 1)), p.function(Convex())
    starts, ends = (p.point("v"), p.point("w")), []
    p.assume((starts[0] - starts[1]) ** 2 <= 1)
    for one in starts:
        x = prox(h, one, 3).x
        ends.append(one + prox(f, 2 * x - one, 3).x - x)
    p.maximise((ends[0] - ends[1]) ** 2)
    return p


RATES: dict[str, tuple[ClassProblem, Fraction]] = {
    "gradient descent, smooth convex, 1": (descent(SmoothConvex(1), 1, 1), F(1, 6)),
    "gradient descent, smooth convex, 2": (descent(SmoothConvex(1), 1, 2), F(1, 10)),
    "gradient descent, smooth convex, 3": (descent(SmoothConvex(2), F(1, 2), 3), F(1, 7)),
    "fast gradient, 1": (fast(1), F(1, 6)),
    "fast gradient, 2": (fast(2), F(1, 10)),
    "strongly convex, short steps": (
        descent(SmoothStronglyConvex(F(1, 10), 1), 1, 2, distance=True),
        F(9, 10) ** 4,
    ),
    "strongly convex, long steps": (
        descent(SmoothStronglyConvex(F(1, 10), 1), F(19, 10), 1, distance=True),
        F(81, 100),
    ),
    "quadratics": (descent(Quadratics(F(1, 10), 1), 1, 1), F(2, 27)),
    "Halpern, 1": (halpern(1), F(1)),
    "Halpern, 3": (halpern(3), F(1, 4)),
    "subgradients, 3": (subgradients(3), F(1, 2)),
    "resolvents, 2": (resolvents(2), F(1, 4)),
    "exact line search": (searched(), F(9, 25)),
    "proximal point": (proximal(4), F(1, 48)),
    "Bregman proximal point": (mirrored(5), F(1, 15)),
    "Douglas-Rachford": (split(), F(10, 13) ** 2),
}
"""Published tight rates; see `tests/qa/pepit` for more, with irrational ones among them."""


@pytest.fixture(scope="module")
def found() -> dict[str, WorstCase]:
    return {name: worst(problem) for name, (problem, _) in RATES.items()}


@each("name", RATES)
def test_the_value_is_the_published_rate(found: dict[str, WorstCase], name: str) -> None:
    assert abs(found[name].value - RATES[name][1]) < 1e-7


@each("name", RATES)
def test_the_exact_bounds_enclose_the_rate(found: dict[str, WorstCase], name: str) -> None:
    one, rate = found[name], RATES[name][1]
    assert one.lower is not None
    assert one.upper is not None
    assert rate - F(1, 10**5) < one.lower <= rate <= one.upper < rate + F(1, 10**6)


@each("name", RATES)
def test_the_certificate_is_about_the_problem(found: dict[str, WorstCase], name: str) -> None:
    one = found[name]
    assert one.certificate is not None
    assert objection(RATES[name][0], one.certificate) == ""
    again = GramCertificate.from_json(one.certificate.to_json())
    assert objection(RATES[name][0], again) == ""


SHARP = (
    "gradient descent, smooth convex, 1",
    "gradient descent, smooth convex, 2",
    "gradient descent, smooth convex, 3",
    "fast gradient, 1",
    "strongly convex, short steps",
    "strongly convex, long steps",
    "quadratics",
    "proximal point",
    "Bregman proximal point",
)


@each("name", SHARP)
def test_bounds_that_meet_are_the_rate_itself(found: dict[str, WorstCase], name: str) -> None:
    assert found[name].lower == found[name].upper == RATES[name][1]


@each("name", [n for n in RATES if "Halpern" not in n and "resolvents" not in n])
def test_every_function_of_an_instance_is_written_out(
    found: dict[str, WorstCase], name: str
) -> None:
    shown = found[name].instance
    assert shown is not None
    assert shown.written_out


def test_gradient_descent_on_the_function_that_was_found(found: dict[str, WorstCase]) -> None:
    """The method runs on the explicit function alone: nothing of the programme is used."""
    shown = found["gradient descent, smooth convex, 2"].instance
    assert shown is not None
    f = shown.functions[0].explicit
    assert f is not None
    x = dict(shown.points)["x0"]
    best = tuple(F(0) for _ in x)  # the minimiser is the origin
    assert f.gradient(best) == best
    assert sum(q * q for q in x) <= 1
    for _ in range(2):
        x = tuple(p - q for p, q in zip(x, f.gradient(x), strict=True))
    assert f.value(x) - f.value(best) == F(1, 10)


# -- forged certificates ---------------------------------------------------------------------------

FORGED: dict[str, tuple[Callable[[GramCertificate], GramCertificate], str]] = {
    "a smaller bound": (
        lambda c: replace(c, bound=c.bound - F(1, 10**6)),
        "constant exceeds the bound",
    ),
    "a multiplier changed": (
        lambda c: replace(c, multipliers=(c.multipliers[0] * 2, *c.multipliers[1:])),
        "",
    ),
    "a negative multiplier": (
        lambda c: replace(c, multipliers=(-c.multipliers[0], *c.multipliers[1:])),
        "negative",
    ),
    "a premise of another problem": (
        lambda c: replace(
            c, premises=(replace(c.premises[0], form=c.premises[0].form * 2), *c.premises[1:])
        ),
        "no condition of the problem",
    ),
    "an inequality as an equation": (
        lambda c: replace(c, premises=(replace(c.premises[0], equality=True), *c.premises[1:])),
        "no condition of the problem",
    ),
    "another objective": (
        lambda c: replace(c, objective=c.objective * F(1, 2), bound=c.bound / 2),
        "objective is not",
    ),
}


@each("name", FORGED)
def test_a_forged_certificate_is_refused(found: dict[str, WorstCase], name: str) -> None:
    forge, said = FORGED[name]
    key = "gradient descent, smooth convex, 2"
    certificate = found[key].certificate
    assert certificate is not None
    wrong = objection(RATES[key][0], forge(certificate))
    assert wrong != ""
    assert said in wrong


def test_a_certificate_of_another_problem_is_refused(found: dict[str, WorstCase]) -> None:
    certificate = found["gradient descent, smooth convex, 2"].certificate
    assert certificate is not None
    assert objection(descent(SmoothConvex(F(11, 10)), 1, 2), certificate) != ""
    assert objection(descent(SmoothConvex(1), F(9, 10), 2), certificate) != ""


def test_a_square_along_a_matrix_is_held_to_the_matrix() -> None:
    problem = descent(Quadratics(F(1, 10), 1), F(1, 2), 2)
    certificate = worst(problem).certificate
    assert certificate is not None
    assert objection(problem, certificate) == ""
    (place, square), *_ = [(k, q) for k, q in enumerate(certificate.premises) if q.rule]
    turned = replace(square, form=square.form * -1)
    changed = (*certificate.premises[:place], turned, *certificate.premises[place + 1 :])
    assert "no condition" in objection(problem, replace(certificate, premises=changed))


# -- what has no answer ----------------------------------------------------------------------------


def test_an_unbounded_problem_has_no_answer() -> None:
    p, f, best, x = begun(Convex())
    p.maximise(f(x) - f(best))
    with pytest.raises(NoSolution, match="unbounded"):
        solved(p)


def test_conditions_that_contradict_each_other_have_no_answer() -> None:
    p, f, best, x = begun(StronglyConvex(1))
    p.assume(f(x) - f(best) <= -1)
    p.maximise((x - best) ** 2)
    with pytest.raises(NoSolution):
        solved(p)


def test_a_problem_without_a_question_is_told() -> None:
    p, *_ = begun(Convex())
    with pytest.raises(ValueError, match="call maximise"):
        solved(p)


@each("kind", [SmoothLojasiewicz(1, F(1, 5)), OwnClass(at=lambda i: -(i.g**2) + 1)])
def test_necessary_conditions_give_no_instance(kind: Any) -> None:
    p, f, best, x = begun(kind)
    x = x - f.gradient(x)
    p.maximise((x - best) ** 2)
    one = worst(p)
    assert not one.tight
    assert one.instance is one.lower is None
    assert "necessary only" in " ".join(one.missing)


# -- functions written out -------------------------------------------------------------------------


def answers(*rows: tuple[Any, Any, Any]) -> list[ExactAnswer]:
    return [ExactAnswer((F(x),), (F(g),), F(f)) for x, g, f in rows]


def test_what_is_written_out_has_the_data_or_is_none() -> None:
    parabola = answers((0, 0, 0), (2, 1, 1))
    assert isinstance(written(SmoothConvex(1), parabola), QuadraticFunction)
    bent = answers((0, 0, 0), (2, 1, 1), (4, 1, 3))
    assert isinstance(written(SmoothConvex(1), bent), Hull)
    assert isinstance(written(Convex(), answers((0, 0, 0), (1, 2, 1))), MaxOfParabolas)
    assert written(SmoothConvex(F(1, 4)), parabola) is None  # it bends by 1/2
    assert written(Quadratics(0, 1), bent) is None
    assert written(Convex(), answers((0, 0, 0), (1, 2, -1))) is None
    assert written(MonotoneOperator(), parabola) is None


def test_a_hull_of_a_class_that_is_not_convex() -> None:
    data = answers((0, 0, 0), (1, F(1, 2), F(3, 8)), (2, 0, F(3, 4)))
    f = written(Smooth(1), data)
    assert isinstance(f, Hull)
    assert all(f.value(one.x) == one.f for one in data)
    assert not f.has_gradient((F(1),), (F(1),))


def test_data_meet_equations_from_neither_side() -> None:
    p = ClassProblem()
    x = p.point("x")
    p.assume_equal(x**2, 1, "on the sphere")
    p.maximise(x**2)
    found = [_checked(programme(p), {"x": [rational(F(k, 2))]}, {}, 1) for k in (1, 2, 3)]
    assert [one is not None for one in found] == [False, True, False]
