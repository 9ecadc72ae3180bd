"""Families of training runs for Theorem 2: groups that never change, that change, and that part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bounds import generic as xp
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape
from verify.statements.hcct.common import CURVATURE, numbers
from verify.statements.hcct.drift import NOISY

FIXED = numbers(
    NOISY, {"N": 1, "schedule": "0*2"}, {"N": 2, "schedule": "01"}, {"N": 2, "schedule": "01*3"},
    {"N": 3, "schedule": "01|2*2"},
    about="parabolas of one curvature, groups that never change, two-point noise enumerated",
)  # fmt: skip
CHANGING = numbers(
    NOISY, {"N": 2, "schedule": "01"}, {"N": 2, "schedule": "0|1 01"}, {"N": 3, "schedule": "02|1 01|2"},
    {"N": 2, "schedule": "0|1*2 01"},
    about="parabolas of one curvature, groups that change, two-point noise enumerated",
)  # fmt: skip

_FEW = {
    "gap": Real(1 / 8, 8, unit=(0, 1), log=True),
    "heavy": Real(1, 4096, log=True),
    "curvature": CURVATURE,
    "step_share": Real(1 / 64, 63 / 64),
    "sigma": Real(2**-20, 1, unit=(1, -1), log=True),
    "slack": Real(2**-20, 1, unit=(1, -1), log=True),
}


def _carried_away(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Client 0, small, is carried to the optimum of client 2, and left with client 1 after that.

    Optima 0, 0 and gap, a common start 0, sizes 1, heavy and heavy, exact gradients.
    """
    gap, heavy = values["gap"], values["heavy"]
    optimum = xp.stack([0 * gap, 0 * gap, gap], -1)
    params = {
        "optimum": optimum, "size": xp.stack([0 * heavy + 1, heavy, heavy], -1), "start": 0 * gap,
        **{k: values[k] for k in ("curvature", "step_share", "sigma", "slack")},
    }  # fmt: skip
    return Instance("numbers", {}, None, {**params, **shape})


_LENGTHS = {"optimum": (0, 1), "start": (0, 1)}
CARRIED = Family(
    _FEW, ({"N": 3, "schedule": "02|1*8 01|2*192"},), _carried_away,
    "three parabolas, a small client in the wrong group for eight epochs of 200", _LENGTHS,
)  # fmt: skip
SHORT = Family(
    _FEW, ({"N": 3, "schedule": "02|1*4 01|2"},), _carried_away,
    "three parabolas, a small client in the wrong group for four epochs", _LENGTHS,
)  # fmt: skip


def _met_once(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Two clients at their own optima 0 and gap, averaged once, then alone; exact gradients."""
    gap = values["gap"]
    optimum = xp.stack([0 * gap, gap], -1)
    one = 0 * values["heavy"] + 1
    params = {
        "optimum": optimum, "start": optimum, "size": xp.stack([one, values["heavy"]], -1),
        **{k: values[k] for k in ("curvature", "step_share", "sigma", "slack")},
    }  # fmt: skip
    return Instance("numbers", {}, None, {**params, **shape})


MET = Family(
    _FEW, ({"N": 2, "schedule": "0|1 01 0|1*8"},), _met_once,
    "two parabolas, alone but for one epoch of ten", _LENGTHS,
)  # fmt: skip


def _met_often(values: Mapping[str, Any], shape: Shape) -> Instance:
    """Two clients with optima 0 and gap and one start between them, averaged now and then.

    The larger one hardly moves at a meeting, the small one goes all the way and back alone.
    """
    gap, heavy = values["gap"], values["heavy"]
    params = {
        "optimum": xp.stack([0 * gap, gap], -1), "start": values["start_share"] * gap,
        "size": xp.stack([0 * heavy + 1, heavy], -1),
        **{k: values[k] for k in ("curvature", "step_share", "sigma", "slack")},
    }  # fmt: skip
    return Instance("numbers", {}, None, {**params, **shape})


MET_OFTEN = Family(
    {**_FEW, "start_share": Real(0, 1)}, ({"N": 2, "schedule": "0|1*16 01 " * 4 + "0|1*16"},),
    _met_often, "two parabolas with a common start, alone but for every 17th epoch of 84", _LENGTHS,
)  # fmt: skip
