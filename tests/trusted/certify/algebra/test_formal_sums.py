"""Readings of expressions: a table by hand, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from sympy import Abs, Float, I, Max, Min, Rational, Sum, cbrt, exp, log, oo, root, sin, sqrt

from tests.each import each
from tests.trusted.certify.claims import N, T, k, s, t, total, u, v, x, y, z
from verify.certify.algebra.formal_sums import (
    FormalSum,
    Translation,
    Unsupported,
    indices_of,
    leaves,
)

c = sympy.Symbol("c")
w = sympy.Symbol("w", nonnegative=True)
m = sympy.Symbol("m", integer=True, nonnegative=True)
n, j = sympy.symbols("n j", integer=True)
r = sympy.IndexedBase("r", real=True)
q = sympy.IndexedBase("q", positive=True)


#: expression: reading, then the meaning of its atoms in order of appearance
READINGS: dict[Any, tuple[str, dict[str, str]]] = {
    x: ("x", {}),
    c: ("c", {}),
    Float(0.5): ("1/2", {}),
    Rational(1, 3): ("1/3", {}),
    x * y**2 / s: ("x*y**2/s", {}),
    (x + y) ** -2: ("(x + y)**(-2)", {}),
    # roots
    sqrt(s): ("w1", {"w1": "sqrt(s)"}),
    s ** Rational(3, 2): ("w1**3", {"w1": "sqrt(s)"}),
    s ** Rational(-1, 2): ("1/w1", {"w1": "sqrt(s)"}),
    s ** Rational(2, 3): ("w1**2", {"w1": "s**(1/3)"}),
    cbrt(w): ("w1", {"w1": "w**(1/3)"}),
    root(x, 4): ("w1", {"w1": "x**(1/4)"}),
    sqrt(s) + sqrt(t) * sqrt(s): ("w1*w2 + w1", {"w1": "sqrt(s)", "w2": "sqrt(t)"}),
    # symbolic exponents
    x**T: ("w1", {"w1": "x**T"}),
    2**T: ("w1", {"w1": "2**T"}),
    s ** (T + 1): ("s*w1", {"w1": "s**T"}),
    s ** (x - 2): ("w1/s**2", {"w1": "s**x"}),
    (1 - s) ** (T + 1): ("w1*(1 - s)", {"w1": "(1 - s)**T"}),
    (1 - s) ** (T + 3): ("w1*(1 - s)**3", {"w1": "(1 - s)**T"}),
    (1 - s) ** (T - 1): ("w1", {"w1": "(1 - s)**(T - 1)"}),  # 0**-1 * 0**1 is not 0**0
    (1 - s) ** (n + 1): ("w1", {"w1": "(1 - s)**(n + 1)"}),  # n may be -1
    s ** (x + Rational(1, 2)): ("w1", {"w1": "s**(x + 1/2)"}),
    w ** (m + 2): ("w**2*w1", {"w1": "w**m"}),
    # functions
    Abs(x): ("w1", {"w1": "Abs(x)"}),
    Max(0, x) - Min(x, y): ("-w1 + w2", {"w1": "Min(x, y)", "w2": "Max(0, x)"}),
    exp(x): ("w1", {"w1": "exp(x)"}),
    log(s) + sin(x): ("w1 + w2", {"w1": "log(s)", "w2": "sin(x)"}),
    # sums over the clients
    total(u): ("S1", {"S1": "Sum(u[k], (k, 1, N))"}),
    total(1): ("N", {}),
    total(x): ("N*x", {}),
    total(2 * u + 3): ("3*N + 2*S1", {"S1": "Sum(u[k], (k, 1, N))"}),
    total(x * u * v + y * v): (
        "S1*x + S2*y",
        {"S1": "Sum(u[k]*v[k], (k, 1, N))", "S2": "Sum(v[k], (k, 1, N))"},
    ),
    total(u / (3 * x**2 * v)): ("S1/(3*x**2)", {"S1": "Sum(u[k]/v[k], (k, 1, N))"}),
    total(u / (x * (y + 1) * v * (v + 1))): (
        "S1/(x*(y + 1))",
        {"S1": "Sum(u[k]/(v[k]**2 + v[k]), (k, 1, N))"},
    ),
    total(u / (v + 1) ** 2): ("S1", {"S1": "Sum(u[k]/(v[k]**2 + 2*v[k] + 1), (k, 1, N))"}),
    total((u**2 - 1) / (u - 1)): ("N + S1", {"S1": "Sum(u[k], (k, 1, N))"}),
    total(u * r[1]): ("S1*r[1]", {"S1": "Sum(u[k], (k, 1, N))"}),
    total(v) * total(v): ("S1**2", {"S1": "Sum(v[k], (k, 1, N))"}),
    total(total(v) * v): ("S1**2", {"S1": "Sum(v[k], (k, 1, N))"}),
    total(sqrt(v)): ("S1", {"w1[k]": "sqrt(v[k])", "S1": "Sum(w1[k], (k, 1, N))"}),
    total(v**T): ("S1", {"w1[k]": "v[k]**T", "S1": "Sum(w1[k], (k, 1, N))"}),
    total(k): ("S1", {"S1": "Sum(k, (k, 1, N))"}),
    # other sums
    Sum(r[j], (j, 1, N)): ("S1", {"S1": "Sum(r[k], (k, 1, N))"}),
    Sum(r[j], (j, 2, N)): ("S1", {"S1": "Sum(r[j], (j, 2, N))"}),
    Sum(r[j], (j, 1, T)): ("S1", {"S1": "Sum(r[j], (j, 1, T))"}),
    Sum(r[j] * v, (j, 1, T)): ("S1*v[k]", {"S1": "Sum(r[j], (j, 1, T))"}),
    Sum(r[j] * v, (j, 1, N)): ("S1*v[k]", {"S1": "Sum(r[j], (j, 1, N))"}),
    Sum(1, (j, 3, T)): ("T - 2", {}),
    Sum(1, (j, s, sqrt(s))): ("-s + w1 + 1", {"w1": "sqrt(s)"}),
    Sum(Abs(j), (j, 1, T)): ("S1", {"w1[j]": "Abs(j)", "S1": "Sum(w1[j], (j, 1, T))"}),
    Sum(r[j] * u, (j, 1, N), (k, 1, N)): (
        "S1*S2",
        {"S1": "Sum(r[j], (j, 1, N))", "S2": "Sum(u[k], (k, 1, N))"},
    ),
    total(Sum(1 / (v + q[j]), (j, 1, N))): (
        "S2",
        {"S1[k]": "Sum(1/(q[j] + v[k]), (j, 1, N))", "S2": "Sum(S1[k], (k, 1, N))"},
    ),
}


@each("expression", READINGS)
def test_readings(expression: Any) -> None:
    reading, meanings = READINGS[expression]
    translate = Translation()
    assert str(translate(expression)) == reading
    assert {str(a): str(e) for a, e in translate.definitions.items()} == meanings
    assert list(map(str, translate.definitions)) == list(meanings)


@pytest.mark.parametrize(
    "expression",
    [x + 2 * y / s, sqrt(s) * s ** Rational(5, 2), (1 - s) ** (T + 2), s ** (x - 2)],
    ids=str,
)
def test_definitions_put_back_give_the_expression(expression: Any) -> None:
    translate = Translation()
    reading = translate(expression)
    values = {x: 0.3, y: -1.7, s: 0.6, T: 4}
    back = reading.subs(translate.definitions).subs(values)
    assert float(back) == pytest.approx(float(expression.subs(values)), rel=1e-12)  # rounding


REFUSED = {
    oo: "no rational reading of oo",
    -oo: "no rational reading of -oo",
    sympy.nan: "no rational reading of nan",
    sympy.zoo: "no rational reading of zoo",
    sympy.true: "no rational reading of True",
    I: "I is not real",
    2 * I * x: "I is not real",
    1 + sqrt(sympy.Integer(-2)): "I is not real",
    cbrt(x): "odd root of x, whose sign is unknown",
    x**c: r"exponent of x\*\*c is not known to be real",
    2**I: r"exponent of 2\*\*I is not known to be real",
}


@pytest.mark.parametrize("expression", REFUSED, ids=str)
def test_what_has_no_reading(expression: Any) -> None:
    with pytest.raises(Unsupported, match=f"^{REFUSED[expression]}$"):
        Translation()(expression)
    assert issubclass(Unsupported, ValueError)


def facts(expression: Any) -> list[tuple[str, str, bool]]:
    translate = Translation()
    translate(expression)
    return [(name, str(value), strict) for name, value, strict, _ in translate.facts]


def test_roots_are_defined_by_their_power() -> None:
    assert facts(cbrt(s)) == [
        ("w1**3 >= s", "-s + w1**3", False),
        ("w1**3 <= s", "s - w1**3", False),
    ]
    assert facts(sqrt(s) + s ** Rational(3, 2)) == facts(sqrt(s))


def test_absolute_values_lie_above_both_signs_and_have_the_same_square() -> None:
    assert facts(Abs(x - y)) == [
        ("w1 >= x - y", "w1 - x + y", False),
        ("w1 >= -(x - y)", "w1 + x - y", False),
        ("w1**2 >= (x - y)**2", "w1**2 - (x - y)**2", False),
        ("w1**2 <= (x - y)**2", "-w1**2 + (x - y)**2", False),
    ]
    assert facts(Abs(c)) == []  # of a complex number nothing is said but its sign


def test_maxima_and_minima_are_one_of_their_arguments() -> None:
    assert facts(Max(0, x)) == [
        ("w1 >= 0", "w1", False),
        ("w1 >= x", "w1 - x", False),
        ("w1 is 0 or x", "-w1*(w1 - x)", False),
    ]
    assert facts(Min(x, y)) == [
        ("w1 <= x", "-w1 + x", False),
        ("w1 <= y", "-w1 + y", False),
        ("w1 is x or y", "(-w1 + x)*(w1 - y)", False),
    ]
    assert [name for name, _, _ in facts(Max(x, y, z))] == [
        "w1[k] >= x",
        "w1[k] >= y",
        "w1[k] >= z[k]",
    ]


def test_exponentials_lie_above_their_tangent() -> None:
    assert facts(exp(2 * x)) == [("w1 >= 1 + 2*x", "w1 - 2*x - 1", False)]
    assert facts(log(s)) == facts(sin(x)) == facts(x**T) == []


@pytest.mark.parametrize(
    ("expression", "sign"),
    [
        (sqrt(s), (True, True)),
        (root(x, 4), (None, True)),
        (Abs(x), (None, True)),
        (exp(x), (True, True)),
        (log(s), (None, None)),
        (x**T, (None, None)),
        (s**T, (True, True)),
        (total(v), (True, True)),
        (total(u), (None, True)),
        (total(z), (None, None)),
        (sqrt(v), (True, True)),
        (sqrt(u), (None, True)),
        (Max(0, x), (None, True)),
        (Max(x, y), (None, None)),
    ],
    ids=str,
)
def test_atoms_are_real_and_keep_their_known_sign(expression: Any, sign: Any) -> None:
    atom = Translation()(expression)
    assert atom.is_real
    assert (atom.is_positive, atom.is_nonnegative) == sign


def test_atoms_that_may_not_be_real_are_not_called_real() -> None:
    assert Translation()(log(x)).is_real is None
    assert Translation()(sin(x)).is_real is True


def test_sums_over_all_clients_alone_are_listed() -> None:
    translate = Translation()
    atom = translate(total(u * v))
    assert translate.sums == [FormalSum(atom, u * v, N)]
    translate(total(u * v) * 2 + 1)
    assert len(translate.sums) == 1
    for other in (
        Sum(r[j], (j, 1, T)),
        Sum(r[k], (k, 2, N)),
        Sum(r[k], (k, 1, T)),
        Sum(r[j] * v, (j, 1, N)),
    ):
        translate = Translation()
        translate(other)
        assert translate.sums == []


def test_powers_with_a_symbolic_exponent_are_listed_once() -> None:
    translate = Translation()
    first = translate((1 - sqrt(s)) ** T)
    assert translate((1 - sqrt(s)) ** T) == first
    (power,) = translate.powers
    assert (str(power.atom), str(power.base), power.exponent) == ("w2", "1 - w1", T)
    translate = Translation()
    translate(total(v**T))
    translate(Sum(j**T, (j, 1, 9)))
    assert translate.powers == []  # one power per client or index is no power


def test_fresh_symbols_avoid_reserved_names() -> None:
    assert str(Translation({"w1", "w3"})(sqrt(s) + sqrt(t))) == "w2 + w4"
    assert str(Translation({"S1", "w1"})(total(u))) == "S2"
    translate = Translation({"S2"})
    assert [str(translate(total(e))) for e in (u, v, u * v, v)] == ["S1", "S3", "S4", "S3"]


def test_other_indices_are_no_clients() -> None:
    translate = Translation()
    assert str(translate(Max(0, 1 - j) + total(Max(0, 2 - k)))) == "S1 + w1"
    assert list(map(str, translate.definitions)) == ["w1", "w2[k]", "S1"]


def test_the_innermost_sum_comes_first() -> None:
    table = Sum(r[j] * q[k], (j, 1, k), (k, 1, N))
    translate = Translation()
    assert str(translate(table)) == "S2"
    assert [str(e) for e in translate.definitions.values()] == [
        "Sum(r[j], (j, 1, k))",
        "Sum(S1[k]*q[k], (k, 1, N))",
    ]
    # after a sum its index is free again
    assert str(translate(Abs(j))) == "w1"


@pytest.mark.parametrize(
    ("expression", "indices"),
    [
        (x, ""),
        (k, "k"),
        (u, "k"),
        (x * u + 1, "k"),
        (r[j + k], "j k"),
        (r[1], ""),
        (total(u), ""),
        (Sum(r[j], (j, 1, k)), "k"),
        (Sum(r[j], (j, k, T)), "k"),
        (Sum(r[j] * u, (j, 1, N)), "k"),
        (j, ""),
        (Sum(r[j] * r[n], (j, 1, N), (n, 1, N)), ""),
    ],
    ids=str,
)
def test_indices_on_which_a_value_depends(expression: Any, indices: str) -> None:
    assert " ".join(map(str, indices_of(expression))) == indices


def test_bound_indices_count() -> None:
    assert indices_of(j * x) == ()
    assert indices_of(j * x, [j]) == (j,)
    assert indices_of(Sum(j * n, (n, 1, 3)), [j]) == (j,)
    assert indices_of(Sum(r[n], (n, 1, j)), [j]) == (j,)
    assert indices_of(Sum(r[j], (j, 1, 3)), [j]) == ()


def test_leaves_are_symbols_and_whole_indexed_symbols() -> None:
    assert leaves(x + u * y**2) == {x, y, u}
    assert leaves(sympy.Integer(3)) == set()
    assert leaves(k) == {k}
