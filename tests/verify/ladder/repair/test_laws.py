"""Laws of growth: planted ones are named, and what follows none is not given a name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import atan, exp, inf, log, sin, sqrt
from typing import Any

import numpy as np
import pytest

from tests.qa.repair.planted_laws import BUDGET, drawn, named, without_a_law
from tests.verify.cases import claim, numbers
from verify.claim.parameters import Real
from verify.ladder import PROFILES
from verify.ladder.leaf import assay
from verify.ladder.repair.fit import fit, recognised
from verify.ladder.repair.ladders import Ladder, climbed, ranges
from verify.ladder.repair.laws import Law
from verify.ladder.rungs.climb import Climb
from verify.ladder.search.pool import Candidate
from verify.line import one_line
from verify.world.world import World

XS = [2.0 * 2**k for k in range(8)]

CLOSED: dict[str, tuple[Callable[[float], float], str]] = {
    "sqrt(N/2)": (lambda x: sqrt(x / 2), "power"),
    "9/8": (lambda x: 9 / 8, "bounded"),
    "sqrt(3/2)": (lambda x: sqrt(3 / 2), "bounded"),
    "N/4": (lambda x: x / 4, "power"),
    "N^2": (lambda x: x * x, "power"),
    "(N - 1)": (lambda x: x - 1, "power"),
    "2 - 1/N": (lambda x: 2 - 1 / x, "bounded"),
    "sqrt(N) + 1": (lambda x: sqrt(x) + 1, "power"),
    "3 ln(N)": (lambda x: 3 * log(x), "logarithm"),
    "3/(2 N)": (lambda x: 3 / (2 * x), "bounded"),
}


@pytest.mark.parametrize("formula", CLOSED)
def test_a_closed_form_is_named(formula: str) -> None:
    function, kind = CLOSED[formula]
    found = fit(XS, [function(x) for x in XS], "N")
    assert (found.kind, found.formula) == (kind, formula)


NAMELESS: dict[str, Callable[[float], float]] = {
    "log log": lambda x: log(2 + log(x)),
    "root of a logarithm": lambda x: sqrt(log(x)),
    "no law": lambda x: 2 + sin(x),
    "x log x": lambda x: x * log(x),
    "zero": lambda x: 0.0,
    "infinite": lambda x: float("inf"),
}


@pytest.mark.parametrize("name", NAMELESS)
def test_what_has_no_name_is_not_given_one(name: str) -> None:
    found = fit(XS, [NAMELESS[name](x) for x in XS], "N")
    assert (found.kind, found.formula, found.limit) == ("unknown", "", "")


@pytest.mark.parametrize("name", CLOSED)
def test_one_wrong_value_takes_the_name_away(name: str) -> None:
    """Control: a value in the middle that is two parts in a hundred off."""
    ys = [CLOSED[name][0](x) for x in XS]
    ys[-2] *= 1.02
    assert fit(XS, ys, "N").formula != name


def test_an_interval_contains_the_exponent_of_a_power_with_a_disturbance() -> None:
    found = fit(XS, [1.3 * x**0.7 * (1 + 0.003 * sin(9 * x)) for x in XS], "N")
    assert found.kind == "power"
    assert found.exponent is not None
    assert found.exponent[0] <= 0.7 <= found.exponent[1]
    assert found.formula == ""


def test_growth_that_only_slows_down_is_not_called_bounded() -> None:
    ys = [1.0, 2.0, 4.0, 7.8, 15.0, 27.0, 36.0, 41.0]  # steps shrink, at no steady rate
    assert fit(XS, ys, "N").kind == "unknown"
    assert fit(XS, [1.1 - 1.3 / x**0.9 for x in XS], "N").kind == "bounded"  # control


def test_an_exponential_beside_a_power_is_named_from_four_values() -> None:
    xs = [64.0, 128.0, 256.0, 512.0]
    found = fit(xs, [exp(x) / (10 * (1 + x) ** 3) for x in xs], "x")
    assert found.kind == "exponential"
    assert found.exponent is not None
    assert found.exponent[0] <= exp(1) <= found.exponent[1]
    for power in (1, 3, 12):  # control: no power is one, however steep
        assert fit(xs, [(x - 7) ** power for x in xs], "x").kind != "exponential"


def test_what_falls_all_the_way_is_bounded_by_where_it_began() -> None:
    falls = [1.3332 - 0.00008 * 2**k for k in range(8)]
    assert fit(XS, falls, "x").kind == "bounded"
    assert fit(XS, [*falls[:-2], falls[0], 1.2 * falls[0]], "x").kind == "unknown"  # control


def test_what_goes_up_and_down_a_little_and_ends_no_higher_is_bounded() -> None:
    assert fit(XS[:7], [1.052, 1.051, 1.029, 1.033, 1.031, 1.028, 1.029], "x").kind == "bounded"
    rises = [1.028, 1.031, 1.029, 1.051, 1.033, 1.03, 1.052]
    assert fit(XS[:7], rises, "x").kind == "unknown"  # control
    assert fit(XS[:7], [1.3, 1.1, 1.02, 1.25, 1.1, 1.28, 1.05], "x").kind == "unknown"  # control


def test_a_power_beside_a_logarithm_is_told_and_powers_of_a_logarithm_are_not() -> None:
    xs = [1024.0 * 2**k for k in range(8)]
    for power in (0.5, 1.0, 2.0):
        found = fit(xs, [x**power * log(2 + x) for x in xs], "x")
        assert found.kind == "power"
        assert found.exponent is not None
        assert found.exponent[0] <= power <= found.exponent[1]
    for power in (1, 2, 3, 5, 8):  # control
        assert fit(xs, [log(2 + x) ** power for x in xs], "x").kind != "power"
        assert fit(XS, [log(2 + x) ** power for x in XS], "x").kind != "power"


def test_slopes_that_settle_are_those_of_a_power() -> None:
    xs = [2.0, 3.0, 4.0, 6.0, 8.0, 11.0]
    found = fit(xs, [3.1 * (x - 1) ** 0.99 + 0.2 for x in xs], "N")
    assert found.kind == "power"
    assert found.exponent is not None
    assert found.exponent[0] <= 0.99 <= found.exponent[1]
    for name in ("x/(x + 50)", "arctan", "5 - 4/sqrt(x)"):  # control
        f = {
            "x/(x + 50)": lambda x: x / (x + 50.3),
            "arctan": lambda x: atan(x / 20),
            "5 - 4/sqrt(x)": lambda x: 5.01 - 4.1 / sqrt(x),
        }[name]
        assert fit(XS, [f(x) for x in XS], "N").kind != "power"


def test_four_values_that_fall_are_bounded_by_the_first() -> None:
    assert fit(XS[:4], [1.73, 1.08, 0.35, 0.07], "x").kind == "bounded"
    assert fit(XS[:4], [1.73, 1.08, 1.35, 0.07], "x").kind == "unknown"  # control


def test_few_values_are_no_law() -> None:
    assert fit(XS[:3], [1.0, 2.0, 4.0], "N").kind == "unknown"


@pytest.mark.parametrize(
    ("value", "number"),
    [(1.125, Fraction(9, 8)), (4096.0, Fraction(4096)), (3.14159265, None), (1e9, None)],
)
def test_a_number_is_called_by_name_only_if_it_has_one(
    value: float, number: Fraction | None
) -> None:
    assert recognised(value) == number


@pytest.mark.parametrize(
    "planted",
    [
        pytest.param(p, id=p.name, marks=[pytest.mark.slow] if k % 5 else [])
        for k, p in enumerate(drawn())
    ],
)
def test_a_planted_law_is_named(planted: object) -> None:
    assert named(planted)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", range(3))
def test_a_ratio_without_a_law_gets_no_formula_along_its_number(number: int) -> None:
    laws = assay(without_a_law()[number], profile=BUDGET).searched
    along = [law for law in laws if law["along"] == "k"]
    assert [(law["kind"], law["formula"]) for law in along] == [("unknown", "")]


def test_a_formula_is_exact_only_by_exact_arithmetic() -> None:
    whole = Real(1 / 8, 8, log=True)
    rational = claim(
        lambda w: ({"l": 3 * w.k * w.x}, {"r": w.x}), numbers(k=Real(1, 64, log=True), x=whole)
    )
    law = next(law for law in assay(rational, profile=BUDGET).searched if law["along"] == "k")
    assert law["formula"] == "3 k"
    assert law["exact"] >= 3
    assert "exactly" in law["text"]


def test_a_claim_that_stands_has_no_laws() -> None:
    true = claim(lambda w: ({"l": w.x}, {"r": w.x + w.x**2}), numbers(x=Real(1, 2)))
    leaf = assay(true, profile=BUDGET)
    assert (leaf.laws, leaf.searched) == ((), ())


def test_a_law_says_how_many_values_it_rests_on() -> None:
    law = Law("N", "power", (0.4, 0.6), None, "", "", ((2.0, 1.5), (4.0, 2.0)))
    text = "along N left/right grows like a power, exponent between 0.4 and 0.6"
    assert law.text == f"{text} (2 values, up to N = 4)"


FASTER = {
    "exponential beside a constant": lambda x: 24 + 1.03**x,
    "double slopes": lambda x: 2.0 ** (x**0.5),
}
LEVELLING = {
    "a height far up": lambda x: 1 / (1e-3 + x**-3.0),
    "a power beside a constant": lambda x: 1e3 + x**2,
    "an early exponential that ends": lambda x: 50 / (1 + 49 * 0.97**x),
}


@pytest.mark.parametrize("name", FASTER)
def test_what_outgrows_every_power_is_told(name: str) -> None:
    xs = [16.0 * 2**k for k in range(6)]
    found = fit(xs, [FASTER[name](x) for x in xs], "K")
    assert found.kind == "faster"
    assert found.exponent is not None
    assert found.exponent[0] < found.exponent[1]


@pytest.mark.parametrize("name", LEVELLING)
def test_what_levels_off_or_is_a_power_is_not_faster(name: str) -> None:
    xs = [16.0 * 2**k for k in range(6)]
    assert fit(xs, [LEVELLING[name](x) for x in xs], "K").kind != "faster"


def test_places_are_carried_to_a_wider_range_and_ends_to_its_ends() -> None:
    narrow = numbers({"N": 3}, x=EACH)
    wide = replace(narrow, box={"x": EACH.wide(4)})
    (ladder,) = ranges(narrow)
    top = Candidate({"x": np.array([1 / 8, 1.0, 8.0])}, {"N": 3}, 2.0)
    moved, ends = ladder.carried(top, (narrow, wide))
    assert moved.values["x"] == pytest.approx([1 / 32, 1, 32])
    assert ends.values["x"] == pytest.approx([1 / 32, 1, 32])
    inside = replace(top, values={"x": np.array([1 / 8, 2.0, 4.0])})
    moved, ends = ladder.carried(inside, (narrow, wide))
    assert moved.values["x"] == pytest.approx([1 / 32, 2 ** (5 / 3), 2 ** (10 / 3)])
    assert ends.values["x"] == pytest.approx([1 / 32, 2, 4])


def test_a_ray_of_a_size_and_a_number_has_its_law_once_it_is_followed_again() -> None:
    """Worst at x = 1/K, and nowhere near it as bad."""
    far = claim(
        lambda w: ({"l": w.K + 0 * w.x}, {"r": 1 + 1e6 * (w.x * w.K - 1) ** 2}),
        numbers({"K": 2}, {"K": 4}, x=Real(1 / 16, 1, log=True)),
    )
    full = assay(far, profile=PROFILES["quick"].in_full())
    laws = {law["along"]: law["kind"] for law in full.searched}
    assert laws["K"] == "power"


def test_a_ratio_that_is_lost_at_larger_sizes_is_not_bounded() -> None:
    """Only one point of a large instance is as bad as the small ones: no search finds it."""

    def sides(w: Any) -> Any:
        near = sum((w.x[..., k] - 0.3141 - 0.01 * k) ** 2 for k in range(w.N))
        return {"l": 3 + 0 * near}, {"r": 1 + 1e7 * (w.N - 2) * near}

    lost = claim(sides, numbers({"N": 2}, {"N": 3}, x=Real(0, 1, per=("N",), domain=(0, 1))))
    laws = {law["along"]: law["kind"] for law in assay(lost, profile=PROFILES["default"]).searched}
    assert laws.get("N") != "bounded"


EACH = Real(1 / 8, 8, log=True, per=("N",))


def test_a_ratio_that_grows_with_the_spread_of_several_numbers_has_its_law() -> None:
    spread = one_line("mean_i(x[i])*mean_j(1/x[j]) <= 1 for x > 0")
    laws = {law["along"]: law for law in assay(spread, profile=PROFILES["default"]).searched}
    assert laws["range of x"]["kind"] == "power"  # as its square, at two numbers far apart


def test_a_ratio_of_several_numbers_that_is_bounded_has_every_ladder() -> None:
    level = one_line("(sum_i x[i])**2 <= N/2*sum_i x[i]**2")
    laws = assay(level, profile=PROFILES["default"]).searched
    assert {law["along"]: law["kind"] for law in laws} == {"N": "bounded", "range of x": "bounded"}
    assert {law["of"] for law in laws} == {2}


def test_numbers_that_fill_their_domain_have_no_ladder() -> None:
    shares = Real(0, 1, per=("N",), domain=(0, 1))
    assert [ladder.name for ladder in ranges(numbers({"N": 2}, x=EACH, p=shares))] == ["x"]


def _listed(w: World) -> Any:
    """Outcomes one by one, twice as many each round."""
    return sum((w.x + 0 * number for number in range(2 ** int(w.rounds))), 0 * w.x)


def _formula(w: World) -> Any:
    return 2 ** int(w.rounds) * w.x


@pytest.mark.parametrize(("sum_of", "last"), [(_listed, 8), (_formula, 16)])
def test_a_ladder_ends_where_one_instance_takes_many_times_the_work(sum_of: Any, last: int) -> None:
    made = claim(
        lambda w: ({"sum": sum_of(w)}, {"x": w.x}),
        numbers({"rounds": 2}, {"rounds": 3}, x=Real(1, 2)),
    )
    start = Candidate({"x": 1.0}, {"rounds": 3}, 8.0)
    climb = Climb(made, PROFILES["quick"], 0, "cpu")
    ladder = Ladder("rounds", (3.0, 8.0, 16.0), size=True)
    values, _ = climbed(climb, ladder, start, 300, np.random.default_rng(0), inf)
    assert values[-1] == (last, 2.0**last)
