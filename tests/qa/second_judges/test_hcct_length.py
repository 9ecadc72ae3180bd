"""How Theorem 2 of `hcct` fails: the ratio of (26) grows with the length of the schedule."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.qa.second_judges.groups import Groups


def _ratio(n: int, averaged: bool) -> Fraction:
    """Left side over right side of (26), its last sum divided; steps of 1/(n L)."""
    little = "1/1048576"
    alone = f"0|1*{4 * n} "
    schedule = (alone + "01 ") * n + alone if averaged else f"02|1*{n} 01|2*{3 * n**2}"
    params = {
        "N": 2 if averaged else 3,
        "optimum": ["0/1", "1/1"] if averaged else ["0/1", "0/1", "1/1"],
        "size": ["1/1", "255/1"] if averaged else ["1/1", "255/1", "255/1"],
        "start": "1/1" if averaged else "0/1",
        "curvature": "1/1",
        "step_share": f"1/{2 * n if averaged else n}",
        "sigma": little,
        "slack": little,
        "schedule": schedule,
    }
    run = Groups({"instance": {"params": params}}, averaged)
    s = run.sums()
    assert run.legal()
    return s["left"] / (2 * (s["S1"] + s["S2"] + s["S3"]) + s["noise"] + 4 * s["late"])


@pytest.mark.parametrize("averaged", [False, True])
def test_ratio_grows_like_the_length(averaged: bool) -> None:
    short, middle, long = (_ratio(n, averaged) for n in (4, 8, 16))
    assert long > 1
    assert long > Fraction(17, 10) * middle > Fraction(17, 10) ** 2 * short
