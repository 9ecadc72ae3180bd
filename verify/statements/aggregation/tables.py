"""Tables 3 and 4, for checks of the text against its own tables."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

FRAMEWORKS = ("TNIID", "NIID", "IID")

_ROUNDS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("TNIID", "FedAvg"): ("14.877887807248147", "15.842112192751852"),
    ("TNIID", "FedSoftMax"): ("7.855914695373678", "8.704085304626322"),
    ("NIID", "FedAvg"): ("12.726276322973177", "13.957934203342614"),
    ("NIID", "FedSoftMax"): ("9.996249956446318", "11.31953951723789"),
    ("IID", "FedAvg"): ("21.527442685457743", "24.58366842565337"),
    ("IID", "FedSoftMax"): ("21.607110478485172", "24.504000632625942"),
}
"""Table 3, ends of the intervals for R_90."""

_SMOOTHNESS: Mapping[tuple[str, str], str] = {
    ("TNIID", "FedAvg"): "1.3686297084899968",
    ("TNIID", "FedSoftMax"): "2.322656907880106",
    ("NIID", "FedAvg"): "1.3404421487057407",
    ("NIID", "FedSoftMax"): "1.7307167213190393",
    ("IID", "FedAvg"): "2.8107170960158876",
    ("IID", "FedSoftMax"): "2.7724249879251603",
}
"""Table 4."""

PRINTED = Fraction(1, 10**12)
"""The ends are binary numbers written out; midpoints agree only up to their last digits."""


def midpoint(framework: str, strategy: str) -> Fraction:
    """Midpoint of an interval of Table 3, in rounds, to twelve digits."""
    low, high = _ROUNDS[framework, strategy]
    return round((Fraction(low) + Fraction(high)) / 2 / PRINTED) * PRINTED


def smoothness(framework: str, strategy: str) -> Fraction:
    """Entry of Table 4."""
    return Fraction(_SMOOTHNESS[framework, strategy])
