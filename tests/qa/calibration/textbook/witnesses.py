"""Where the textbook falsehoods fail, with both numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.qa.calibration.record import Planted
from tests.qa.calibration.textbook.falsehoods import FALSEHOODS
from tests.qa.calibration.worlds import point

WITNESSES: dict[str, tuple[Mapping[str, Any], tuple[str, str], int]] = {
    "constant.tenth": (point(), ("1", "10/11"), 0),
    "constant.half": (point(move=[1]), ("2", "7/4"), 0),
    "constant.identity": (point(step_share="1/2"), ("1/2", "1001/2000"), 0),
    "constant.inside": ({"x": ["2/3"] * 4}, ("4", "999/250"), 0),
    "exponent.average": (point(2), ("1/2", "1/4"), 1),
    "exponent.rate": (
        point(sigma=["1/8"], noise_share=[0], step_share="1/4"),
        ("9/16", "433/1024"),
        0,
    ),
    "index.round": (point(noise_share=[0]), ("1", "0"), 0),
    "index.client": (point(2, curvature=[[1], [4]]), ("18", "2"), 0),
    "index.sum": ({"q": "1/2"}, ("3/2", "1"), 0),
    "sign.descent": (point(noise_share=[0], sigma=["1/8"]), ("3/2", "65/128"), 0),
    "sign.square": ({"a": [1, 0], "b": [1, 0]}, ("4", "2"), 0),
    "quantifier.step": (point(sigma=["1/8"], step_share="1/8"), ("3137/8192", "2049/8192"), 0),
    "quantifier.local": (point(2), ("1/4", "0"), 0),
    "path.excess": (point(skew=[2]), ("4", "1"), 0),
    "path.hypothesis": (point(start=[0], level=0), ("1", "0"), 0),
    "logarithm.hoeffding": (point(skew=["1/4"], level="1/100"), ("1/17", "1/100"), 0),
    "level.half": (point(skew=[3], level="3/25"), ("1/10", "3/50"), 0),
    "level.sides": (point(reach="9/10"), ("1", "100/181"), 0),
    "units.sigma": (point(sigma=[2], spread=2), ("4", "2"), 0),
    "units.bias": ({"x": 3, "b": 3}, ("36", "24"), 0),
    "units.logarithm": ({"beta": 4, "far": 1, "epsilon": 1, "time": 0}, ("2", "1"), 0),
    "step.too_long": (
        point(noise_share=[0], sigma=["1/8"], step_share="3/2"),
        ("7/8", "265/512"),
        0,
    ),
    "edge.threshold": ({"r": "1/2", "threshold": "1/2"}, ("1", "0"), 0),
    "edge.argmax": ({"r": [1, 1, 0]}, ("2", "1"), 0),
    "clients.sum": ({"g": [[1, 0], [1, 0]]}, ("1", "1/2"), 0),
    "clients.three": ({"x": [1, 0, 0]}, ("4/9", "2/9"), 1),
    "clients.rounds": (point(step_share="1/2"), ("3/8", "5/16"), 1),
    "corner.moment": (point(skew=[8]), ("4033/64", "62"), 0),
    "corner.tail": (point(skew=["63/8"], level="1/1000"), ("64/4033", "1/1000"), 0),
}
"""Values, both sides, number of the shape; where hypotheses contradict each other there is
no instance, and the proof of that is a record of its own."""

PLANTED = tuple(
    Planted(s, values, gives, s.family.shapes[shape])
    for s in FALSEHOODS
    if ".empty." not in s.key
    for values, gives, shape in [WITNESSES[s.key.removeprefix("false.")]]
)
