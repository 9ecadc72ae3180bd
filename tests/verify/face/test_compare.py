"""Two bounds side by side: shares, extremes and crossings that are known by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from bounds.numbers.validate import InvalidInput
from tests.verify.cases import assume
from verify import Real, Statement, numbers, statement
from verify.face.compare import compare

Fedassay = Callable[..., tuple[int, str, str]]
LOG = Real(1 / 8, 8, log=True)
PLANE = numbers({"x": LOG, "y": LOG}, about="two positive numbers")


def bound(key: str, rule: Callable[..., object], **more: object) -> Statement:
    made = statement(key, where="here", latex="", **{"family": PLANE, **more})
    return made(lambda w: ({"left": 0 * w.x}, {"bound": rule(w)}))


SUM = bound("mine.sum", lambda w: (w.x**2 + w.y**2) / 2)
PRODUCT = bound("mine.product", lambda w: 2 * w.x * w.y)


def test_shares_extremes_and_crossing_are_those_known_by_hand() -> None:
    """(x^2 + y^2)/2 against 2xy: with r = x/y the ratio is (r + 1/r)/4, 1 at r = 2 + sqrt 3."""
    found = compare(SUM, PRODUCT)
    # log r is the difference of two uniform numbers: triangular on [-log 64, log 64]
    inside = math.log(2 + math.sqrt(3)) / math.log(64)
    expected = 1 - (1 - inside) ** 2
    assert found.shares["smaller"] == pytest.approx(expected, abs=0.08)  # five sigma of the sample
    assert found.least["ratio"] == pytest.approx(0.5, abs=1e-6)
    assert found.most["ratio"] == pytest.approx((64 + 1 / 64) / 4, rel=1e-6)
    assert found.crossing is not None
    x, y = (found.crossing["instance"][name] for name in "xy")
    assert max(x / y, y / x) == pytest.approx(2 + math.sqrt(3), rel=1e-6)


def test_exchanged_bounds_have_exchanged_numbers() -> None:
    one, two = compare(SUM, PRODUCT), compare(PRODUCT, SUM)
    assert one.shares["smaller"] == two.shares["larger"]
    assert one.most["ratio"] == pytest.approx(1 / two.least["ratio"], rel=1e-6)


def test_equal_bounds_are_equal_and_ordered_ones_do_not_cross() -> None:
    same = compare(SUM, SUM.variant("mine.again"))
    assert same.shares == {"smaller": 0, "equal": 1, "larger": 0}
    assert "equal wherever" in str(same)
    twice = bound("mine.twice", lambda w: w.x**2 + w.y**2)
    below = compare(SUM, twice)
    assert below.shares["smaller"] == 1
    assert (below.least["ratio"], below.most["ratio"]) == (0.5, 0.5)
    assert below.crossing is None
    assert "no crossing" in str(below)


def test_a_jump_past_each_other_is_no_crossing() -> None:
    from bounds import generic as xp

    step = bound("mine.step", lambda w: xp.where(w.x > 1, 3 + 0 * w.x, 1 + 0 * w.x))
    flat = bound("mine.flat", lambda w: 2 + 0 * w.x)
    assert compare(step, flat).crossing is None


def test_hypotheses_and_definitions_stay_with_their_claims() -> None:
    """Only where both are met; each bound reads its own step size."""
    given = assume({"x below y": lambda w: w.y - w.x})
    one = bound("mine.one", lambda w: w.step, defines={"step": lambda w: w.x}, given=given)
    two = bound("mine.two", lambda w: w.step, defines={"step": lambda w: w.y})
    found = compare(one, two)
    assert found.met < found.tried
    assert found.most["ratio"] <= 1
    assert found.most["ratio"] == pytest.approx(1, abs=1e-3)


def test_lower_bounds_compare_what_they_bound_from() -> None:
    """For a >= b the bound is the larger side."""
    made = statement("mine.above", where="here", latex="", family=PLANE, relation=">=")
    above = made(lambda w: ({"bound": 4 * w.x * w.y}, {"right": 0 * w.x}))
    assert compare(above, PRODUCT).least["ratio"] == pytest.approx(2)


def test_bounds_without_a_common_instance_are_refused() -> None:
    other = bound("mine.other", lambda w: w.z, family=numbers({"z": LOG}))
    with pytest.raises(InvalidInput, match="bounds must share their instances, got mine.other on"):
        compare(SUM, other)
    never = bound("mine.never", lambda w: w.x, given=assume({"no": lambda w: -1 - w.x}))
    with pytest.raises(InvalidInput, match="comparable on some instance"):
        compare(SUM, never)
    equality = SUM.variant("mine.equal", relation="==")
    with pytest.raises(InvalidInput, match="mine.equal must be a claim with a bound"):
        compare(SUM, equality)


FILE = """
from verify import Real, numbers, statement
F = numbers({"x": Real(0.125, 8, log=True), "y": Real(0.125, 8, log=True)})
@statement("mine.sum", where="", latex="", family=F)
def one(w):
    return {"left": w.x * w.y}, {"sum": (w.x**2 + w.y**2) / 2}
@statement("mine.product", where="", latex="", family=F)
def two(w):
    return {"left": w.x * w.y}, {"product": 2 * w.x * w.y}
"""


def test_the_command_prints_writes_and_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fedassay: Fedassay
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(FILE)
    own = ("--statements", "mine.py")
    code, out, err = fedassay(
        "compare", "mine.sum", "mine.product", *own, "-o", "c.json", "--plot", "c.svg"
    )
    assert (code, err) == (0, "")
    assert "they cross      at x=" in out
    assert json.loads(Path("c.json").read_text())["first"] == "mine.sum"
    assert Path("c.svg").read_text().startswith("<?xml")
    for bad, message in (
        (("mine.sum", "mine.none", *own), "key must be a known one"),
        (("mine.sum", "mine.product", *own, "--plot", "c.txt"), "plot must be a .svg"),
        (("hcct.def.clients", "mine.sum", *own), "must be a claim with a bound"),
        (("mine.sum", "mine.product", *own, "-o", "mine.py"), "output must be"),
    ):
        code, _, err = fedassay("compare", *bad)
        assert (code, err.count("\n")) == (2, 1), err
        assert message in err
