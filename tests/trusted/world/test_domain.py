"""Whether an instance is one of a statement, by hand: margins, names, forms, sizes, ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds import generic as xp
from bounds.numbers.validate import InvalidInput
from tests.each import each
from tests.verify.cases import claim, fractions
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement
from verify.world.domain import outside, unmet

WIDE = Real(-8, 8)


def said(*families: Family) -> Statement:
    made = claim(lambda w: ({"l": 0}, {"r": 1}), families[0])
    return replace(made, also=families[1:])


def plain(constraints: Mapping[str, Any], **more: Any) -> Family:
    return Family({"x": WIDE, "y": WIDE}, constraints=constraints, **more)


def pairs(*rows: tuple[Any, Any]) -> Instance:
    x, y = (fractions(column) for column in zip(*rows, strict=True))
    return Instance("numbers", {}, None, {"x": x, "y": y})


def one(**params: Any) -> Instance:
    return Instance("numbers", {}, None, params)


def other(values: Mapping[str, Any], shape: Mapping[str, Any]) -> Instance:
    """What a function of one's own makes of parameters: no plain numbers."""
    return Instance("quadratic", {"A": values["x"]}, "local", dict(values))


X = {"x is not negative": lambda i: i.params["x"]}
Y = {"y is not negative": lambda i: i.params["y"]}

# -- margins of what families name -----------------------------------------------------------------


def test_the_smallest_margin_of_each_instance_counts() -> None:
    least, name = unmet(said(plain({**X, **Y})), pairs((1, 2), (-2, 1), (3, -5)))
    assert least.tolist() == [1, -2, -5]
    assert name == "", "the first instance misses nothing"


@each(
    ("row", "name"),
    [
        ((0, 0), ""),
        (("1/2", "1/2"), ""),
        ((-1, 1), "x is not negative"),
        ((1, -1), "y is not negative"),
        ((-1, -1), "x is not negative"),
        (("-1/1000", 0), "x is not negative"),
    ],
)
def test_the_first_constraint_that_is_missed_is_named(row: Any, name: str) -> None:
    assert unmet(said(plain({**X, **Y})), pairs(row))[1] == name


@each(
    ("row", "margin", "name"),
    [
        ((1, 2), 2, ""),
        ((1, -2), 1, ""),
        ((-1, 2), 2, ""),
        ((-1, -2), -1, "x is not negative"),
        ((-3, -2), -2, "x is not negative"),
    ],
)
def test_the_family_that_is_met_best_counts(row: Any, margin: int, name: str) -> None:
    least, missed = unmet(said(plain(X), plain(Y)), pairs(row))
    assert (least.tolist(), missed) == ([margin], name)


def test_a_family_that_names_nothing_cannot_be_missed() -> None:
    for families in (plain({}), plain(X)), (plain(X), plain({})):
        assert unmet(said(*families), pairs((-1, -1))) == (None, "")


def test_families_of_another_kind_do_not_count() -> None:
    made = Instance("quadratic", {}, "local", {"y": fractions([-3])})
    own = Family({"y": WIDE}, build=other, constraints=Y)
    # the rule about x would find no x
    least, name = unmet(said(plain(X), own), made)
    assert (least.tolist(), name) == ([-3], "y is not negative")
    assert unmet(said(plain(X)), made) == (None, "")
    # plain numbers may well be what a function of one's own makes
    assert unmet(said(own), pairs((0, 5)))[0].tolist() == [5]


@each(
    ("margin", "least"),
    [
        (True, [0]),
        (False, [-1]),
        (Fraction(-3, 2), [Fraction(-3, 2)]),
        (2.5, [2.5]),
        ([1, -2], [1, -2]),
        ([[1, 2], [5, 4]], [1, 4]),
        ([[[3, 1], [2, 7]], [[9, 8], [-6, 0]]], [1, -6]),
        (np.array([True, False]), [0, -1]),
        (np.array([[True, True], [True, False]]), [0, -1]),
    ],
)
def test_a_margin_is_a_number_or_a_yes_or_no_or_many_of_them(margin: Any, least: Any) -> None:
    found, _ = unmet(said(plain({"any": lambda i: margin})), pairs((0, 0), (0, 0)))
    assert found.tolist() == least


# -- constraints of one instance -------------------------------------------------------------------

SUM = {"they sum to one": lambda i: -abs(i.params["x"] + i.params["y"] - 1)}


@each(
    ("x", "y", "fault"),
    [
        (Fraction(1, 3), Fraction(2, 3), ""),
        (Fraction(1, 3), Fraction(1, 3), "they sum to one does not hold"),
        (0.25, 0.75, ""),
        # in floats 0.1 + 0.9 is 1, but the fractions that these floats are do not sum to one
        (0.1, 0.9, "they sum to one does not hold"),
        (np.array(0.1), np.array(0.9), "they sum to one does not hold"),
    ],
)
def test_a_constraint_is_decided_exactly(x: Any, y: Any, fault: str) -> None:
    assert float(x) + float(y) == 1 or fault
    assert outside(said(plain(SUM)), one(x=x, y=y)) == fault


@each(("margin", "fault"), [(0, ""), (Fraction(1, 2), ""), (-1, "it does not hold")])
def test_a_margin_of_zero_holds(margin: Any, fault: str) -> None:
    assert outside(said(plain({"it": lambda i: margin})), one(x=0, y=0)) == fault


def test_what_no_arithmetic_decides_is_outside() -> None:
    roots = {"roots": lambda i: xp.sqrt(i.params["x"] * i.params["y"]) - xp.sqrt(i.params["x"])}
    equal = {"it": lambda i: roots["roots"](i) * roots["roots"](i) - 0 * i.params["x"]}
    touching = {
        "it": lambda i: (
            xp.sqrt(i.params["x"]) * xp.sqrt(i.params["y"]) - xp.sqrt(i.params["x"] * i.params["y"])
        )
    }
    made = one(x=Fraction(2), y=Fraction(3))
    assert outside(said(plain(touching)), made) == "whether it cannot be decided"
    assert outside(said(plain(equal)), made) == ""


def test_data_of_problems_are_read_as_fractions_too() -> None:
    rule = {"A": lambda i: -abs(i.data["A"] + i.params["x"] - 1)}

    def rest(values: Any, shape: Any) -> Instance:
        return Instance("quadratic", {"A": 1 - values["x"]}, "local", dict(values))

    family = Family({"x": WIDE}, build=rest, constraints=rule)
    for data, fault in (0.75, ""), (np.array(0.75), ""), (0.7, "A does not hold"):
        made = Instance("quadratic", {"A": data}, "local", {"x": 0.25})
        assert outside(said(family), made) == fault


# -- forms that a family's own function builds -----------------------------------------------------

OWN = Family({"x": Real(0, 4)}, build=other)
GOOD = Instance("quadratic", {"A": Fraction(1)}, "local", {"x": Fraction(1)})


@each(
    ("made", "fault"),
    [
        (GOOD, ""),
        (replace(GOOD, family="logistic"), "it is of the family logistic, not of quadratic"),
        (replace(GOOD, method="global"), "its method, or the names"),
        (replace(GOOD, data={}), "its method, or the names"),
        (replace(GOOD, params={**GOOD.params, "y": 1}), "its method, or the names"),
        (replace(GOOD, params={"x": Fraction(-1)}), "x = -1 lies outside its domain (0, inf)"),
    ],
)
def test_an_instance_has_the_form_of_what_its_family_builds(made: Instance, fault: str) -> None:
    found = outside(said(OWN), made)
    assert found.startswith(fault)
    assert bool(found) == bool(fault)


def test_each_listed_shape_has_its_form() -> None:
    def build(values: Any, shape: Any) -> Instance:
        made = other(values, shape)
        return replace(made, family=shape["of"]) if shape["of"] else replace(made, method=None)

    own = said(Family({"x": WIDE}, ({"of": ""}, {"of": "logistic"}), build))
    assert outside(own, replace(GOOD, method=None)) == ""
    assert outside(own, replace(GOOD, family="logistic")) == ""
    assert "not of logistic or quadratic" in outside(own, replace(GOOD, family="other"))


def test_forms_are_read_off_the_middle_of_the_ranges() -> None:
    def build(values: Any, shape: Any) -> Instance:
        ends = (values["x"] == 4).any() or (values["y"] == 4).any()
        if ends or shape["N"] == 1:
            raise InvalidInput("there is no such problem")
        return other(values, shape)

    own = said(Family({"x": Real(0, 4), "y": Real(0, 4)}, ({"N": 1}, {"N": 2}), build))
    assert outside(own, replace(GOOD, params={"x": Fraction(1), "y": Fraction(1)})) == ""
    assert "not of quadratic" in outside(own, replace(GOOD, family="logistic"))


def test_a_family_that_builds_nothing_refuses_no_form() -> None:
    def build(values: Any, shape: Any) -> Instance:
        raise InvalidInput("there is no such problem")

    own = said(Family({"x": Real(0, 4)}, build=build))
    assert outside(own, replace(GOOD, family="logistic")) == ""
    assert "outside its domain" in outside(own, replace(GOOD, params={"x": Fraction(-1)}))


def test_what_a_function_makes_of_a_parameter_need_not_lie_in_its_domain() -> None:
    def build(values: Any, shape: Any) -> Instance:
        return Instance("quadratic", {"A": values["x"]}, "local", {"x": -values["x"]})

    own = said(Family({"x": Real(1, 4)}, build=build))
    assert outside(own, replace(GOOD, params={"x": Fraction(-2)})) == ""


# -- ends and shapes -------------------------------------------------------------------------------

ENDS = {
    "open below": (Real(1 / 8, 1, domain=(0, 1)), [0, -1, "9/8"], ["1/100", "1/8", 1]),
    "open above": (Real(0, 1 / 2, domain=(0, 1)), [1, -1], ["99/100", "1/2", 0]),
    "closed where it is reached": (Real(0, 1, domain=(0, 1)), ["-1/9", "10/9"], [0, 1]),
    "by its sign": (Real(0, 4), [-1], [0, 100]),
    "positive": (Real(1, 4), [0, -1], ["1/100", 100]),
    "any": (Real(-1, 1), [], [-100, 100]),
    "one point": (Real(-1, -1, domain=(-2, -1)), [-3, 0], ["-3/2", -1]),
    "with a unit, of one sign": (Real(1, 4, (1, 0), domain=(1, 4)), [0, -1], ["1/9", 9]),
    "with a unit, not negative": (Real(0, 4, (0, 1), domain=(0, 4)), [-1], [0, 9]),
    "with a unit, any": (Real(-1, 4, (1, 1), domain=(-1, 4)), [], [-9, 9]),
}


@pytest.mark.parametrize("name", ENDS)
def test_the_ends_of_a_domain(name: str) -> None:
    real, wrong, right = ENDS[name]
    own = said(Family({"x": real}))
    assert [x for x in wrong if not outside(own, one(x=Fraction(x)))] == []
    assert [x for x in right if outside(own, one(x=Fraction(x)))] == []


TABLE = Family({"p": Real(0, 1, per=("N",)), "A": Real(0, 1, per=("N", "d"))}, ({"N": 2, "d": 3},))


@each(
    ("p", "A", "fault"),
    [
        ((2,), (2, 3), ""),
        ((3,), (2, 3), "p has 3 entries along N, others another number"),
        ((2,), (3, 3), "A has 3 entries along N, others another number"),
        ((2,), (2, 4), "A has 4 entries along d, others another number"),
        ((2,), (2,), "A has 1 axes instead of 2"),
        ((2, 1), (2, 3), "p has 2 axes instead of 1"),
        ((), (2, 3), "p has 0 axes instead of 1"),
    ],
)
def test_parameters_have_the_shape_that_their_family_gives(p: Any, A: Any, fault: str) -> None:
    made = one(p=np.zeros(p), A=np.zeros(A), N=2, d=3)
    assert outside(said(TABLE), made) == fault


def test_axes_of_one_name_have_one_length_where_no_size_is_said() -> None:
    own = Family(TABLE.box, ({"N": 2, "d": 3},), lambda v, s: Instance("f", {}, None, dict(v)))
    made = Instance("f", {}, None, {"p": np.zeros(2), "A": np.zeros((3, 3))})
    assert outside(said(own), made) == "A has 3 entries along N, others another number"
    assert outside(said(own), replace(made, params={**made.params, "p": np.zeros(3)})) == ""


def test_one_number_outside_its_domain_is_enough_and_is_told() -> None:
    p = fractions([0, "1/2", 2, 3])
    own = said(Family({"p": Real(0, 1, per=("N",), domain=(0, 1))}, ({"N": 4},)))
    assert outside(own, one(p=p, N=4)) == "p = 2 lies outside its domain (0, 1)"


def test_of_several_families_one_is_enough_and_the_first_tells_its_fault() -> None:
    narrow, wide = Family({"x": Real(0, 4)}), Family({"z": Real(0, 4)})
    assert outside(said(narrow, wide), one(z=1)) == ""
    assert outside(said(narrow, wide), one(x=1)) == ""
    assert outside(said(narrow, wide), one(y=1)) == "x is missing"
    assert outside(said(narrow, wide), one(x=-1, z=-1)) == "x = -1 lies outside its domain (0, inf)"


# -- sizes and choices -----------------------------------------------------------------------------

SIZES = (
    {"N": 1, "rounds": 2, "d": 3, "rule": "mean"},
    {"N": 2, "rounds": 4, "d": 3, "rule": "mean"},
    {"N": 2, "rounds": 4, "d": 3, "rule": "share"},
)


@each(
    ("change", "good"),
    [
        ({}, True),
        ({"rule": "share", "N": 2}, True),
        ({"rule": "median"}, False),
        # rounds and clients are listed with two values, so that they may be larger
        ({"rounds": 100}, True),
        ({"rounds": 1}, True),
        ({"N": 7}, True),
        ({"N": 0}, False),
        ({"rounds": 0}, False),
        ({"rounds": -1}, False),
        ({"rounds": Fraction(7, 2)}, False),
        ({"rounds": 3.5}, False),
        ({"rounds": "many"}, False),
        # no size of theirs
        ({"d": 4}, False),
        ({"d": 3}, True),
    ],
)
def test_sizes_may_grow_and_choices_are_listed(change: dict[str, Any], good: bool) -> None:
    params = {**SIZES[0], **change}
    clients = max(params["N"], 0)
    own = Family({"p": Real(0, 1, per=("N",))}, SIZES)
    found = outside(said(own), one(p=np.zeros(clients), **params))
    assert found == "" if good else "are those of no listed shape" in found


def test_a_yes_or_no_is_no_size() -> None:
    own = said(Family({"x": WIDE}, ({"rounds": 2}, {"rounds": 3})))
    assert outside(own, one(x=0, rounds=1)) == ""
    assert "no listed shape" in outside(own, one(x=0, rounds=True))


@each("params", [{"x": 0}, {"x": 0, "N": 2, "more": 1}])
def test_every_constant_of_a_shape_is_there_and_no_other(params: dict[str, Any]) -> None:
    own = said(Family({"x": WIDE}, ({"N": 2},)))
    assert outside(own, one(x=0, N=2)) == ""
    assert "no listed shape" in outside(own, one(**params))


def test_a_shape_may_name_a_parameter() -> None:
    own = said(Family({"x": WIDE}, ({"x": 1, "N": 2},)))
    assert outside(own, one(x=5, N=2)) == ""


@each(
    ("listed", "size", "good"),
    [
        ((2, 4), 3, True),
        ((2, 4), 1, True),
        ((2, 4), 0, False),
        ((2, 4), -2, False),
        ((2, 4), True, False),
        ((2, 4), Fraction(5, 2), False),
        ((2,), 7, True),
        ((2,), Fraction(5, 2), False),
        # what is listed as no size is none: a place, or a rule
        ((0, 2), 0, True),
        ((0, 2), Fraction(5, 2), True),
    ],
)
def test_what_a_function_keeps_of_a_shape_is_a_size_still(
    listed: Any, size: Any, good: bool
) -> None:
    def build(values: Any, shape: Any) -> Instance:
        kept = {"y": values["x"], "of": shape["of"], "n": 0, "more": 0}
        return Instance("numbers", {}, None, kept)

    own = said(Family({"x": WIDE}, tuple({"of": n} for n in listed), build))
    found = outside(own, one(y=Fraction(1), of=size, n=0, more=0))
    assert found == ("" if good else f"of = {size} is no size")


def test_a_parameter_that_is_called_as_a_size_is_none() -> None:
    own = said(Family({"x": WIDE}, ({"x": 2, "n": 2},), other))
    assert outside(own, replace(GOOD, data={"A": 0.5}, params={"x": 0.5, "n": 2})) != ""
    assert outside(own, replace(GOOD, data={"A": 0.5}, params={"x": 0.5})) == ""


# -- relations that a family's function builds in --------------------------------------------------


def asking(values: Any, shape: Any) -> Instance:
    """The first client is the one that asks, whose distance to itself is 0; and the total."""
    bias = values["bias"].copy()
    bias[..., 0] = 0
    kept = {"bias": bias, "total": bias.sum(axis=-1), "N": shape["N"], "rule": shape["rule"]}
    return Instance("numbers", {"twice": 2 * bias}, None, kept)


OWN_DISTANCE = Family(
    {"bias": Real(0, 4, per=("N",))}, ({"N": 2, "rule": "a"}, {"N": 2, "rule": "b"}), asking
)


def asked(*bias: Any, **changes: Any) -> Instance:
    numbers = fractions(bias)
    kept = {"bias": numbers, "total": numbers.sum(), "N": len(bias), "rule": "b"}
    data = {"twice": changes.pop("twice", 2 * numbers)}
    return Instance("numbers", data, None, {**kept, **changes})


MADE = " is not what its family makes of its parameters"


@each(
    ("made", "fault"),
    [
        (asked(0, 3), ""),
        (asked(0, 3, rule="a"), ""),
        (asked(0, 3, 5), ""),
        (asked(0, "1/3"), ""),
        (asked(1, 3), f"twice{MADE}"),
        (asked("1/1000000", 3, twice=fractions([0, 6])), f"bias{MADE}"),
        (asked(0, 3, twice=fractions([1, 6])), f"twice{MADE}"),
        (asked(0, 3, twice=fractions([6])), f"twice{MADE}"),
        (asked(0, 3, total=Fraction(4)), f"total{MADE}"),
        (asked(0, 3, total=3.0), ""),
        (asked(0, 3, total=3.0 + 1e-12), ""),
        (asked(0, 3, total=3.0 + 1e-7), f"total{MADE}"),
        (asked(0, 0, twice=fractions([0])), f"twice{MADE}"),
        (asked(0, 3, rule="c"), "rule = c is none of a, b"),
    ],
)
def test_an_instance_is_what_its_family_makes_of_its_parameters(made: Any, fault: str) -> None:
    own = said(OWN_DISTANCE)
    assert outside(own, made) == fault


def test_the_shape_that_fits_best_counts() -> None:
    def build(values: Any, shape: Any) -> Instance:
        return Instance("numbers", {}, None, {"x": values["x"], "y": shape["at"] * values["x"]})

    own = said(Family({"x": WIDE}, ({"at": 1}, {"at": 3}), build))
    assert outside(own, one(x=Fraction(2), y=Fraction(2))) == ""
    assert outside(own, one(x=Fraction(2), y=Fraction(6))) == ""
    assert outside(own, one(x=Fraction(2), y=Fraction(4))) == f"y{MADE}"


@each("kept", [True, False])
def test_nothing_is_said_of_a_function_that_changes_what_it_is_given(kept: bool) -> None:
    """One that halves, so that made again it is another, and one that drops its parameter."""

    def build(values: Any, shape: Any) -> Instance:
        return Instance("numbers", {}, None, {"x" if kept else "y": values["x"] / 2})

    own = said(Family({"x": WIDE}, build=build))
    name = "x" if kept else "y"
    assert outside(own, one(**{name: Fraction(1)})) == ""


def test_where_nothing_can_be_made_of_the_parameters_nothing_is_said() -> None:
    def build(values: Any, shape: Any) -> Instance:
        if shape["n"] == 2 and (values["x"] > 3).any():
            raise InvalidInput("there is no such problem")
        return Instance("numbers", {}, None, {"x": values["x"], "y": 2 * values["x"]})

    own = said(Family({"x": WIDE}, ({"n": 1}, {"n": 2}), build))
    assert outside(own, one(x=Fraction(4), y=Fraction(8))) == ""
    alone = said(Family({"x": WIDE}, ({"n": 2},), build))
    assert outside(alone, one(x=Fraction(4), y=Fraction(9))) == ""
    assert outside(alone, one(x=Fraction(1), y=Fraction(9))) == f"y{MADE}"


def test_where_no_instance_is_known_nothing_is_said() -> None:
    """Whether the function makes its own instances again has not been seen."""

    def build(values: Any, shape: Any) -> Instance:
        if (values["x"] != 1).any():
            raise InvalidInput("there is no such problem")
        return Instance("numbers", {}, None, {"x": values["x"], "y": 2 * values["x"]})

    own = said(Family({"x": Real(0, 4)}, build=build))
    assert outside(own, one(x=Fraction(1), y=Fraction(9))) == ""


def test_a_function_that_keeps_its_parameters_alone_is_asked_too() -> None:
    def build(values: Any, shape: Any) -> Instance:
        bias = values["bias"].copy()
        bias[..., 0] = 0
        return Instance("numbers", {}, None, {"bias": bias})

    own = said(Family(OWN_DISTANCE.box, ({"N": 2},), build))
    assert outside(own, one(bias=fractions([0, 1]))) == ""
    assert outside(own, one(bias=fractions([1, 1]))) == f"bias{MADE}"


def test_what_the_first_shape_makes_otherwise_is_told() -> None:
    def build(values: Any, shape: Any) -> Instance:
        x, at = values["x"], shape["at"]
        return Instance("numbers", {}, None, {"x": x, "y": x / at, "z": x * at})

    own = said(Family({"x": Real(0, 4)}, ({"at": 1}, {"at": 2}), build))
    assert outside(own, one(x=Fraction(1), y=Fraction(1), z=Fraction(7))) == f"z{MADE}"


@each(
    ("domain", "value", "admitted"),
    [
        ((0, Fraction(1, 2)), Fraction(1, 4), True),
        ((0, 1), Fraction(1, 4), True),
        ((-1, 0), Fraction(1, 4), False),
        ((-1, 0), Fraction(-1, 4), True),
    ],
    ids=str,
)
def test_a_domain_that_ends_at_nought_admits_nothing_beyond(
    domain: Any, value: Fraction, admitted: bool
) -> None:
    low, high = domain
    parameter = Real(low, high, unit=(0, 1), domain=domain)
    assert parameter.admits(value) is admitted
