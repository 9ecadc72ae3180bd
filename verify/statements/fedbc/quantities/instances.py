"""Instances that are tried first: those that leave no reply to the claim but another claim."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

_LOSSES = {"height": 1, "width": 1, "dual_step": 1}


def waiting(**rest: Any) -> dict[str, Any]:
    """Losses x^2/2, everybody at 1, where whoever is not sampled has gradient 1 and does not move."""
    run = {"centre": 0, "start": 1, "starts": 1, "high": 0, "place": 0, "gamma": 0}
    return {**_LOSSES, **run, "step_share": Fraction(1, 2), **rest}


def shrinking(reach: int, multiplier: Fraction | None = None) -> dict[str, Any]:
    """Two devices with minima 1/reach and -1/reach, so that R is not 0, and gamma = 1/2.

    With a multiplier they begin where each rests between its minimum and the server's 0, which the
    multipliers of the next round need not know; without one they begin at 0.
    """
    centre = Fraction(1, reach)
    run = {
        "centre": [[centre], [-centre]],
        "start": 0,
        "high": 1,
        "place": 1,
        "gamma": Fraction(1, 2),
        "step_share": 1,
        "N": 2,
    }
    if multiplier is not None:
        rest = centre / (1 + 2 * multiplier)
        run["starts"] = [[rest], [-rest]]
    return {**_LOSSES, **run}
