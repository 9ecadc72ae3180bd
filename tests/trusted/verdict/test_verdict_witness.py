"""The numbers of a witness decide: margins, e-values, balls, rays, and what is missing."""

from __future__ import annotations

from typing import Any

import pytest

from bounds.numbers.validate import InvalidInput
from tests.each import each
from tests.trusted.verdict.evidence_cases import EXHIBIT, SIMULATED
from verify.verdict.verdict import ACCUSE, breaks, exhibits


def test_what_a_witness_does_not_say_is_read_in_the_usual_way() -> None:
    bare = {"left": "2/1", "right": "1/1"}
    # about all instances, at most, without hypotheses
    assert breaks(bare)
    assert not breaks({"left": "1/1", "right": "2/1"})
    assert exhibits({"left": "1/1", "right": "2/1"}) is False
    assert exhibits({"left": "1/1", "right": "2/1", "quantifier": "some"})
    assert not exhibits({"left": "2/1", "right": "1/1", "quantifier": "some"})


@pytest.mark.parametrize(
    ("margins", "met"),
    [
        ({}, True),
        ({"h": {"value": "0/1"}}, True),
        ({"h": {"value": "1/9", "strict": True}}, True),
        ({"h": {"value": "0/1", "strict": True}}, False),
        ({"h": {"value": "-1/9"}}, False),
        ({"a": {"value": "1/1"}, "b": {"value": "-1/1"}}, False),
        ({"a": {"value": "-1/1"}, "b": {"value": "1/1"}}, False),
        ({"h": {"value": {"ball": ["1/9", "2/9"]}, "strict": True}}, True),
        ({"h": {"value": {"ball": ["-1/9", "2/9"]}}}, False),
        ({"h": None}, False),
        ({"h": {"strict": False}}, False),
    ],
)
def test_every_stored_margin_must_hold(margins: dict[str, Any], met: bool) -> None:
    numbers = {"left": "2/1", "right": "1/1", "margins": margins}
    assert breaks(numbers) is met
    shown = {"left": "1/1", "right": "2/1", "margins": margins, "quantifier": "some"}
    assert exhibits(shown) is met


@pytest.mark.parametrize(
    ("e_value", "accused"), [(ACCUSE, True), (ACCUSE * 0.999, False), ("1e7", True), (0.0, False)]
)
def test_a_simulation_accuses_by_its_e_value_alone(e_value: Any, accused: bool) -> None:
    assert breaks({**SIMULATED, "e_value": e_value}) is accused
    assert breaks({**SIMULATED, "e_value": e_value, "left": 0.5}) is accused
    assert not breaks({**SIMULATED, "margins": {"h": {"value": -1.0}}, "e_value": e_value})
    assert not exhibits({**EXHIBIT, "number": "simulated"})


def test_balls_that_overlap_neither_accuse_nor_show() -> None:
    wide = {"left": {"ball": ["0/1", "3/1"]}, "right": {"ball": ["1/1", "2/1"]}}
    assert not breaks(wide)
    assert not breaks({**wide, "quantifier": "all"})
    assert not exhibits({**wide, "quantifier": "some"})


@pytest.mark.parametrize(
    ("mangled", "missing"),
    [
        ({"right": "1/1"}, "'left'"),
        ({"left": "1/1"}, "'right'"),
        ({"left": "1/1", "right": "1/1", "relation": "!="}, "'!='"),
    ],
)
def test_a_mangled_witness_names_what_it_lacks(mangled: dict[str, Any], missing: str) -> None:
    said = f"left, right and one of <=, >=, ==, got no {missing}: check the file"
    with pytest.raises(InvalidInput, match=f"^witness must have {said}$"):
        breaks(mangled)


# -- growth along a ray ----------------------------------------------------------------------------

# left/right goes from 3/5 to four times that, which is 2^(16/8)
RAY = {
    "relation": "<~",
    "quantifier": "all",
    "left": "84/5",
    "right": "7/1",
    "doublings": 16,
    "near": {"left": "3/1", "right": "5/1"},
    "margins": {"h": {"value": "0/1"}},
}
RAYS: dict[str, tuple[dict[str, Any], bool]] = {
    "fourfold over sixteen doublings": ({}, True),
    "a little less": ({"left": "1679/100"}, False),
    "a little less, below the line": ({"right": "701/100"}, False),
    "from a little more": ({"near": {"left": "301/100", "right": "5/1"}}, False),
    "from a little more, below the line": ({"near": {"left": "3/1", "right": "499/100"}}, False),
    "small numbers": (
        {"left": "84/5000", "right": "7/1000", "near": {"left": "3/1000", "right": "5/1000"}},
        True,
    ),
    "much more": ({"left": "840/1"}, True),
    "a longer ray": ({"doublings": 17}, False),
    "a longer ray that grows with it": ({"doublings": 24, "left": "168/5"}, True),
    "a shorter ray": ({"doublings": 15, "left": "840/1"}, False),
    "equal at both ends": ({"left": "3/1", "right": "5/1"}, False),
    "balls that can tell": ({"left": {"ball": ["17/1", "18/1"]}}, True),
    "balls that cannot": ({"left": {"ball": ["16/1", "18/1"]}}, False),
    "a ball around zero": ({"right": {"ball": ["-1/1", "1/1"]}}, False),
    "nothing to the left": ({"left": "0/1"}, False),
    "nothing to the right": ({"right": "0/1"}, False),
    "nothing near to the left": ({"near": {"left": "0/1", "right": "5/1"}}, False),
    "nothing near to the right": ({"near": {"left": "3/1", "right": "0/1"}}, False),
    "negative twice": ({"left": "-84/5", "right": "-7/1"}, False),
    "no near point": ({"near": None}, False),
    "a near point without a side": ({"near": {"left": "3/1"}}, False),
    "no length": ({"doublings": "long"}, False),
    "a side that is no number": ({"left": "x"}, False),
    "a missed hypothesis": ({"margins": {"h": {"value": "-1/1"}}}, False),
    "about some instance": ({"quantifier": "some"}, False),
}


@each("name", RAYS)
def test_only_growth_like_a_power_breaks_a_claim_up_to_a_constant(name: str) -> None:
    change, expected = RAYS[name]
    assert breaks({**RAY, **change}) is expected


@pytest.mark.parametrize("field", ["near", "left", "right", "doublings"])
def test_a_ray_without_a_field_accuses_nobody(field: str) -> None:
    assert not breaks({k: v for k, v in RAY.items() if k != field})


# -- nothing on the right --------------------------------------------------------------------------

NOTHING = {
    "relation": "<~",
    "quantifier": "all",
    "left": "1/1000",
    "right": "0/1",
    "margins": {"h": {"value": "0/1"}},
}
POINTS: dict[str, tuple[dict[str, Any], bool]] = {
    "something against nothing": ({}, True),
    "a ball that can tell": ({"left": {"ball": ["1/10", "1/5"]}}, True),
    "a ball around zero": ({"left": {"ball": ["-1/10", "1/5"]}}, False),
    "a right side that may be zero": ({"right": {"ball": ["-1/10", "1/5"]}}, False),
    "next to nothing": ({"right": "1/1000000000000"}, False),
    "below nothing": ({"right": "-1/1"}, False),
    "nothing on both sides": ({"left": "0/1"}, False),
    "negative on the left": ({"left": "-1/1"}, False),
    "on a ray": ({"near": {"left": "1/1", "right": "1/1"}}, False),
    "a side that is no number": ({"right": "x"}, False),
    "a missed hypothesis": ({"margins": {"h": {"value": "-1/1"}}}, False),
    "about some instance": ({"quantifier": "some"}, False),
}


@pytest.mark.parametrize("name", POINTS)
def test_one_point_breaks_a_claim_up_to_a_constant_where_nothing_stands_on_the_right(
    name: str,
) -> None:
    change, expected = POINTS[name]
    assert breaks({**NOTHING, **change}) is expected


@pytest.mark.parametrize("field", ["left", "right"])
def test_a_point_without_a_side_accuses_nobody(field: str) -> None:
    assert not breaks({k: v for k, v in NOTHING.items() if k != field})
