"""What goes wrong in a first statement of one's own, and what one is told: what, got, and a way."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

from bounds.numbers.validate import InvalidInput
from tests.each import each
from verify import (
    Family,
    Hypothesis,
    Real,
    Statement,
    check,
    functions,
    numbers,
    quadratics,
    statement,
)
from verify.claim.instance import Instance
from verify.world.score import score

PLANE = numbers({"x": Real(0, 10), "y": Real(0, 10)})
ONE = {"N": 1, "d": 1, "rounds": 1, "method": "local"}
STEP = {"step_size": Real(1 / 8, 1)}


def made(rule: Any, **more: Any) -> Any:
    return statement("mine.a", **{"family": PLANE, **more})(rule)


def plain(w: Any) -> Any:
    return {"a": w.x}, {"b": w.x + w.y}


def branching(w: Any) -> Any:
    if w.x > 1:
        return {"a": w.x}, {"b": w.y}
    return {"a": w.y}, {"b": w.x}


def run(**shape: Any) -> Any:
    return quadratics(({**ONE, **shape},), STEP)


def left(rule: Any) -> Any:
    return lambda w: ({"a": rule(w)}, {"b": 1 + 0 * w.beta})


WRITTEN = [
    (lambda: made(lambda w: ({"a": math.sqrt(w.x)}, {"b": w.y})), "line .*: a function of math"),
    (lambda: made(branching), r"test_first_mistakes.py, line \d+: if, max, min .* take xp.where"),
    (lambda: made(lambda w: ({"a": max(w.x, w.y)}, {"b": w.y})), "take .* xp.maximum"),
    (lambda: made(lambda w: ({"a": np.sqrt(w.x)}, {"b": w.y})), "function of numpy: take sqrt"),
    (lambda: made(lambda w: ({"a": np.float64(0.5) * w.x}, {"b": w.y})), "'a' .* got the float"),
    (lambda: made(lambda w: ({"a": w["x"]}, {"b": w.y})), "write w.x for the symbol x"),
    (lambda: made(lambda w: ({"a": 1j * w.x}, {"b": w.y})), "must be numbers with names"),
    (lambda: made(lambda w: ({"a": 1 / 0}, {"b": w.y})), "ZeroDivisionError in test_first_mist"),
    (lambda: made(lambda w: ({"a": w.xx}, {"b": w.y})), "got 'xx': did you mean x, of x, y"),
    (
        lambda: made(plain, family=numbers({"x": Real(0, 1, per=("d",))}, {"N": 2})),
        "shape must name the size 'd' .* got {'N': 2}",
    ),
    (lambda: statement("mine.a")(plain), r"got 'x': use one of none \(pass family=\)"),
    (lambda: made(lambda w: w.x <= w.y), "must be a pair of dicts"),
    (
        lambda: made(left(lambda w: w.run().theta[..., 0]), family=quadratics((ONE,))),
        "run of local must know its hyper-parameter 'step_size'.* extra=",
    ),
    (
        lambda: made(left(lambda w: w.run().theta[..., 0]), family=run(method="fedavgg")),
        "method must be one known by name, got fedavgg: try fedavg",
    ),
    (
        lambda: made(
            left(lambda w: w.run(local_step=2).theta[..., 0]), family=run(method="fedavg")
        ),
        "hyper-parameters of fedavg must be among .* got local_step: did you mean local_steps",
    ),
    (
        lambda: made(left(lambda w: w.run().servre), family=run(method="fedavg")),
        "a run has no 'servre': it has theta, .*server",
    ),
]


@each(("make", "said"), WRITTEN)
def test_a_mistake_in_the_sides_is_a_reason(make: Any, said: str) -> None:
    found = check(make())
    assert found.verdict == "inconclusive"
    assert re.search(said, found.reason), found.reason


MADE = [
    (lambda: made(plain, familiy=PLANE), "keyword must be a field .* did you mean family"),
    (lambda: made(plain, family={"x": Real(0, 1)}), "family must be a Family, got .* pass numbers"),
    (lambda: made(plain, also=({},)), "also must be a Family"),
    (lambda: made(plain, over="prob", delta=0.1), "delta must be a function .* pass lambda w: 0.1"),
    (lambda: made(plain, defines={"z": 3}), "defines must be functions of the world .* got 3"),
    (lambda: made(plain, given=Hypothesis("h", "", lambda w: w.x)), "given must be a list"),
    (lambda: made(plain, relation="<"), "relation must be one of"),
    (lambda: Real("0", 1), "range must be of two numbers, got '0'"),  # type: ignore[arg-type]
    (lambda: Real(2, 1), "low must be at most high"),
    (lambda: numbers(["x"]), "box must be a mapping"),  # type: ignore[arg-type]
    (lambda: numbers({"x": (0, 1)}), "parameter x must be a Real"),  # type: ignore[dict-item]
    (lambda: Family({}, {"d": 1}), "shapes must be a sequence"),  # type: ignore[arg-type]
    (lambda: functions("convex"), "kind must be one of"),
    (lambda: check(plain), "claim must be a Statement"),  # type: ignore[call-overload]
    (lambda: check(made(plain), seed="a"), "seed must be a non-negative"),
    (lambda: check(made(plain), profile="fast"), "profile must be a known one"),
]


@each(("make", "said"), MADE)
def test_a_mistake_in_the_record_is_named_at_once(make: Any, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        make()


def test_the_same_claim_without_mistakes_stands() -> None:
    """The claims above fall for their mistakes alone."""
    assert check(made(plain)).stands
    ran = check(made(left(lambda w: w.run().theta[..., -1, 0] ** 2), family=run(), over="mean"))
    assert ran.verdict == "violated"


def test_mistakes_are_named_where_they_were_made() -> None:
    """They were blamed on lines of the library, or died."""
    rows = Family({"y": Real(0, 1, per=("N",)), "z": Real(0, 1, per=("d",))}, ({"N": 2, "d": 3},))

    def sides(w: Any) -> Any:
        return {"y": w.y}, {"z": w.z}

    uneven = check(statement("t.rows", family=rows)(sides), profile="quick")
    assert "terms of t.rows must be about the same clients" in uneven.reason
    assert f"test_first_mistakes.py, line {sides.__code__.co_firstlineno}" in uneven.reason
    empty = Family({"y": Real(0, 1)}, ({},), lambda *_: None)  # type: ignore[arg-type]
    nothing = check(statement("t.none", family=empty)(sides), profile="quick")
    assert "build of a family must return an Instance, got NoneType in test_first" in nothing.reason
    with pytest.raises(InvalidInput, match="source must be a Source, got 'My paper'"):
        Statement(key="t.s", source="My paper", latex="x", sides=sides)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="numbers up to 1e300.*of 380 digits"):
        check(f"x <= {'9' * 380} for x in [0, 1]")
    huge = statement("t.huge", family=numbers({"x": Real(0, 1)}))(
        lambda w: ({"x": w.x}, {"bound": 10**380 + 0 * w.N})
    )
    middle = Instance("numbers", {}, None, {"x": np.array([0.5]), "N": 1})
    assert score(huge, middle).right.tolist() == [[math.inf]]  # floats do not die of it
