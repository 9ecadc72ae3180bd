"""The table of problem families, loaded only when asked for."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from bounds.numbers.validate import InvalidInput
from synthetic.problem import Problem

FAMILIES: dict[str, str] = {
    "quadratic": "synthetic.quadratic:Quadratic",
    "streaming": "synthetic.tables.streaming:StreamingLeastSquares",
    "growing": "synthetic.growing:GrowingNoise",
    "least_squares": "synthetic.tables.least_squares:LeastSquares",
    "logistic": "synthetic.tables.logistic:RegularisedLogistic",
    "log_cosh": "synthetic.tables.log_cosh:RegularisedLogCosh",
    "pl": "synthetic.pl:WavyParabola",
    "nonconvex": "synthetic.nonconvex:SaturatedLoss",
    "double_well": "synthetic.double_well:DoubleWell",
    "cuts": "synthetic.cuts:Cuts",
    "parabolas": "synthetic.parabolas:ParabolaHull",
    "profiles": "synthetic.profiles.smooth:SmoothProfiles",
    "generalised_profiles": "synthetic.profiles.generalised:GeneralisedSmoothProfiles",
    "hoelder_profiles": "synthetic.profiles.hoelder:HoelderProfiles",
    "cocoercive": "synthetic.profiles.operators:Cocoercive",
    "monotone": "synthetic.profiles.operators:Monotone",
}
"""Name to ``module:Class``; a user's own family can be added here."""


def load_family(name: str) -> type[Problem]:
    """Return the class of a family.

    Raises
    ------
    InvalidInput
        If the name is unknown; the message names the nearest one.
    """
    if name not in FAMILIES:
        near = difflib.get_close_matches(name, FAMILIES, n=1)
        remedy = f"did you mean {near[0]}?" if near else f"use one of {', '.join(FAMILIES)}"
        raise InvalidInput(f"family must be a known name, got {name!r}: {remedy}.")
    module, _, attribute = FAMILIES[name].partition(":")
    family: type[Problem] = getattr(import_module(module), attribute)
    return family


def make(name: str, data: Mapping[str, Any]) -> Problem:
    """Build a problem of a family from its data."""
    return load_family(name)(data)
