"""Claims in inner products and squared norms: proved in every dimension, or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
import sympy

from bounds import generic as xp
from verify.certify.checker import Refused, check
from verify.certify.prover.lifting import NotLinear, degree, lifts
from verify.certify.prover.prove import Hypothesis as Given
from verify.certify.prover.prove import certify, written_out
from verify.claim import Hypothesis, Real, Statement, numbers, statement
from verify.ladder.rungs.certificate import prove, recheck
from verify.world.world import World

VECTOR, SCALE = Real(-2, 2, per=("d",)), Real(1 / 8, 8, log=True)
LOSS = Real(-2, 2)
LINE = ({"d": 1}, {"d": 2})
MANY = ({"N": 1, "d": 1}, {"N": 2, "d": 2})
ROWS, WEIGHTS = Real(-2, 2, per=("N", "d")), Real(0, 1, per=("N",))


def claim(
    box: Mapping[str, Real],
    left: Callable[[World], Any],
    right: Callable[[World], Any],
    *given: Callable[[World], Any],
    relation: str = "<=",
    shapes: Any = LINE,
) -> Statement:
    named = [Hypothesis(f"given {i}", "", rule) for i, rule in enumerate(given)]
    return statement(
        "vectors.claim",
        where="here",
        latex="",
        given=named,
        relation=relation,
        family=numbers(box, *shapes),
    )(lambda w: ({"left": left(w)}, {"right": right(w)}))


def steeper(a: str, b: str) -> Callable[[World], Any]:
    """f_a - f_b - <g_b, a - b> - |g_a - g_b|^2/(2L), what smooth convex losses satisfy."""

    def margin(w: World) -> Any:
        turn = getattr(w, f"g{a}") - getattr(w, f"g{b}")
        fall = getattr(w, f"f{a}") - getattr(w, f"f{b}")
        plane = xp.dot(getattr(w, f"g{b}"), getattr(w, a) - getattr(w, b))
        return fall - plane - xp.squared_norm(turn) / (2 * w.L)

    return margin


TWO_POINTS = {
    "x": VECTOR,
    "y": VECTOR,
    "gx": VECTOR,
    "gy": VECTOR,
    "fx": LOSS,
    "fy": LOSS,
    "L": SCALE,
}
DESCENT = {"g": VECTOR, "fx": LOSS, "fy": LOSS, "L": SCALE, "eta": SCALE}


def average(w: World) -> Any:
    return xp.squared_norm(xp.total(w.a[..., None] * w.x, axis=-2))


def young(share: int) -> Statement:
    return claim(
        {"x": VECTOR, "y": VECTOR, "s": SCALE},
        lambda w: 2 * xp.dot(w.x, w.y),
        lambda w: w.s * xp.squared_norm(w.x) + share * xp.squared_norm(w.y) / (100 * w.s),
    )


def jensen(whole: int) -> Statement:
    return claim(
        {"x": ROWS, "a": WEIGHTS},
        average,
        lambda w: xp.total(w.a * xp.squared_norm(w.x)),
        lambda w: whole - xp.total(w.a),
        shapes=MANY,
    )


def three_points(share: int) -> Statement:
    return claim(
        {"x": VECTOR, "y": VECTOR, "z": VECTOR},
        lambda w: xp.squared_norm(w.x - w.z),
        lambda w: (
            xp.squared_norm(w.x - w.y)
            + xp.squared_norm(w.y - w.z)
            + share * xp.dot(w.x - w.y, w.y - w.z)
        ),
        relation="==",
    )


def descent(share: int) -> Statement:
    return claim(
        DESCENT,
        lambda w: w.fy,
        lambda w: w.fx - w.eta * (2 - share * w.eta * w.L) * xp.squared_norm(w.g) / 2,
        lambda w: (
            w.fx
            - xp.dot(w.g, w.eta[..., None] * w.g)
            + w.L * xp.squared_norm(w.eta[..., None] * w.g) / 2
            - w.fy
        ),
    )


def cocoercive(share: int) -> Statement:
    return claim(
        TWO_POINTS,
        lambda w: xp.squared_norm(w.gx - w.gy) / w.L,
        lambda w: share * xp.dot(w.gx - w.gy, w.x - w.y) / 100,
        steeper("x", "y"),
        steeper("y", "x"),
    )


TRUE = {
    "Young": young(100),
    "Jensen": jensen(1),
    "three points": three_points(2),
    "descent": descent(1),
    "co-coercive": cocoercive(100),
}
FALSE = {
    "Young": young(99),
    "Jensen": jensen(2),
    "three points": three_points(1),
    "descent": descent(0),
    "co-coercive": cocoercive(99),
}
LINE_ONLY = {
    "Cauchy-Schwarz backwards": claim(
        {"x": VECTOR, "y": VECTOR},
        lambda w: xp.squared_norm(w.x) * xp.squared_norm(w.y),
        lambda w: xp.dot(w.x, w.y) ** 2,
    ),
    "one coordinate": claim(
        {"x": VECTOR}, lambda w: xp.squared_norm(w.x), lambda w: w.x[..., 0] ** 2
    ),
    "one client": claim(
        {"x": ROWS},
        lambda w: xp.total(xp.squared_norm(w.x)),
        lambda w: xp.squared_norm(w.x[..., 0, :]) * w.N,
        shapes=MANY,
    ),
    "a quotient that cancels": claim(
        {"x": VECTOR, "y": VECTOR, "z": VECTOR},
        lambda w: xp.dot(w.x, w.y) * xp.dot(w.y, w.z) / xp.squared_norm(w.y),
        lambda w: xp.dot(w.x, w.z),
    ),
}
"""True on the line, false in the plane."""


@pytest.mark.parametrize("name", TRUE)
def test_elementary_inequalities_are_proved_in_every_dimension(name: str) -> None:
    (found,) = prove(TRUE[name])
    assert found.status == "decided"
    proof = json.loads(json.dumps(found.proof))
    assert recheck(TRUE[name], proof)
    assert not recheck(FALSE[name], proof)


@pytest.mark.parametrize("name", TRUE)
def test_the_stand_alone_checker_is_told_of_the_vectors(name: str) -> None:
    (found,) = prove(TRUE[name])
    assert found.proof is not None
    (part,) = found.proof["certificates"]
    assert "for their inner product" in check(part["written"])
    with_scalars = {**part["written"], "vectors": [*part["written"]["vectors"], "s", "a", "L"]}
    if set(part["written"]["symbols"]) & {"s", "a", "L"}:
        with pytest.raises(Refused):
            check(with_scalars)


def test_the_checker_refuses_what_is_true_on_the_line_alone() -> None:
    x, y, z = sympy.symbols("x y z", real=True)
    given = [Given("xy", x * y), Given("yz", y * z)]
    signs = certify(-x * z * y**2, 0, "<=", given)
    assert signs is not None
    on_the_line = written_out(signs, -x * z * y**2, sympy.Integer(0), "<=", given)
    assert check(on_the_line)
    with pytest.raises(Refused, match="not linear in inner products"):
        check({**on_the_line, "vectors": ["x", "y", "z"]})
    square = (x * y) ** 2, x**2 * y**2, "=="
    same = certify(*square)
    assert same is not None
    with pytest.raises(Refused, match="not linear in inner products"):
        check({**written_out(same, *square), "vectors": ["x", "y"]})


@pytest.mark.parametrize("name", FALSE)
def test_false_ones_are_not(name: str) -> None:
    assert list(prove(FALSE[name])) == []


@pytest.mark.parametrize("name", LINE_ONLY)
def test_what_holds_on_the_line_alone_is_not_proved(name: str) -> None:
    assert list(prove(LINE_ONLY[name])) == []


def test_a_proof_by_signs_of_coordinates_does_not_lift() -> None:
    """xy >= 0 and yz >= 0 give y^2 xz >= 0 on the line; angles do not multiply."""
    x, y, z, s = sympy.symbols("x y z s", real=True)
    given = [Given("xy", x * y), Given("yz", y * z)]
    found = certify(-x * z * y**2, 0, "<=", given)
    assert found is not None
    assert not lifts(found, ["x", "y", "z"])
    plain = certify(2 * s * x, s**2 + x**2, "<=")
    assert plain is not None
    assert lifts(plain, ["s", "x"])
    assert not lifts(plain, ["x"])  # (s - x)^2 is no squared norm where s is a number


def test_premises_of_another_kind_do_not_lift() -> None:
    x, y = sympy.symbols("x y", real=True)
    found = certify(2 * x * y, x**2 + y**2, "<=")
    assert found is not None
    assert lifts(found, ["x", "y"])
    renamed = tuple(replace(p, kind="definition") for p in found.premises)
    assert not lifts(replace(found, premises=renamed), ["x", "y"])


def test_degrees_in_the_vectors() -> None:
    x, s = sympy.symbols("x s")
    table = {"x": 1}
    assert degree(s * x**2 + 3 * x**2, table) == 2
    assert degree(sympy.sqrt(s), table) == 0
    for mixed in (x + s, sympy.sqrt(x), 1 / x, sympy.Abs(x)):
        with pytest.raises(NotLinear):
            degree(mixed, table)
