"""An instance that one point alone is, is found where its numbers are round."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verify.claim.statement import Statement
from verify.ladder import PROFILES, assay
from verify.line import one_line

QUICK = PROFILES["quick"].word_alone()


def asked(line: str) -> Statement:
    return replace(one_line(line), quantifier="some")


@pytest.mark.parametrize(
    "line",
    [
        "4*x**2 + 9*y**2 + 2 <= 4*x + 6*y",  # (2x - 1)^2 + (3y - 1)^2 at (1/2, 1/3)
        "max((1 - h)**2, (1 - 4*h)**2) <= 9/25",  # a kink at 2/5
        "abs(x - 3/7) + abs(y + 5/11) <= 0",
    ],
)
def test_the_only_point_is_shown(line: str) -> None:
    """The first two were left open: floats came near, and their neighbours in fractions missed."""
    assert assay(asked(line), profile=QUICK).verdict == "proved"


@pytest.mark.parametrize(
    "line",
    ["4*x**2 + 9*y**2 + 2 + 1/10**9 <= 4*x + 6*y", "abs(x - 3/7) + abs(y + 5/11) <= -1/10**9"],
)
def test_what_comes_near_is_no_instance(line: str) -> None:
    assert assay(asked(line), profile=QUICK).verdict != "proved"
