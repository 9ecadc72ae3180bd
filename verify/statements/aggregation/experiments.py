"""Tables 3 and 4 against the remarks that are drawn from them."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from verify.claim import Family, Reading, Readings, Sides, statement
from verify.statements.aggregation import quantities as q
from verify.world.world import World

NUMBERS = Family({}, about="numbers of the paper")
_ROUNDS = {
    "TNIID": ("14.877887807248147", "15.842112192751852", "7.855914695373678", "8.704085304626322"),
    "NIID": ("12.726276322973177", "13.957934203342614", "9.996249956446318", "11.31953951723789"),
    "IID": ("21.527442685457743", "24.58366842565337", "21.607110478485172", "24.504000632625942"),
}
"""Table 3, ends of the intervals for R_90, of FedAvg and of FedSoftMax."""
_SMOOTHNESS = {
    "TNIID": ("1.3686297084899968", "2.322656907880106"),
    "NIID": ("1.3404421487057407", "1.7307167213190393"),
    "IID": ("2.8107170960158876", "2.7724249879251603"),
}
"""Table 4, FedAvg and FedSoftMax."""
_PRINTED = Fraction(1, 10**12)
"""The ends are binary numbers written out; midpoints agree only up to their last digits."""


def _midpoints(framework: str) -> list[Fraction]:
    """Midpoints of the intervals of Table 3, of FedAvg and of FedSoftMax, to twelve digits."""
    ends = [Fraction(end) for end in _ROUNDS[framework]]
    return [round(sum(pair) / 2 / _PRINTED) * _PRINTED for pair in (ends[:2], ends[2:])]


def _gain(framework: str) -> Fraction:
    average, soft = _midpoints(framework)
    return average / soft


REMARK9 = q.at("Remark 9, Table 3", "remark", family=NUMBERS)


def _faster(w: World, framework: str) -> Sides:
    average, soft = _midpoints(framework)
    return {"rounds of FedSoftMax": soft}, {"rounds of FedAvg": average}


FASTER = tuple(
    statement(
        f"aggregation.remark9/faster-{name}",
        **REMARK9,
        title=f"FedSoftMax needs no more rounds ({name})",
        latex=r"R_{90}^{\mathrm{soft}}\le R_{90}^{\mathrm{avg}}",
        note="Midpoints of Table 3.",
    )(partial(_faster, framework=name))
    for name in _ROUNDS
)


@statement(
    "aggregation.remark9/grows-first",
    **REMARK9,
    title="the gain grows",
    latex=r"\mathrm{IID}\le\mathrm{NIID}",
    note="Ratios of the midpoints of Table 3, from IID to non-IID.",
)
def grows(w: World) -> Sides:
    return {"IID": _gain("IID")}, {"NIID": _gain("NIID")}


@statement(
    "aggregation.remark9/grows-second",
    **REMARK9,
    title="the gain grows further",
    latex=r"\mathrm{NIID}\le\mathrm{TNIID}",
    note="Ratios of the midpoints of Table 3, from IID to very non-IID.",
)
def grows_further(w: World) -> Sides:
    third = _gain("IID")
    return {"NIID over IID": _gain("NIID") / third}, {"TNIID over IID": _gain("TNIID") / third}


def _stability(framework: str) -> Readings:
    """Whether FedSoftMax is no less stable than FedAvg by Table 4."""
    average, soft = (Fraction(value) for value in _SMOOTHNESS[framework])

    def sides(w: World, r: Reading) -> Sides:
        own, other = {"FedSoftMax": soft}, {"FedAvg": average}
        return (own, other) if "larger-rougher" in r else (other, own)

    return statement(
        f"aggregation.stability/{framework}",
        readings=["smoothness-value"],
        **q.at("Table 4", "claim", family=NUMBERS),
        title="FedSoftMax is no less stable than FedAvg",
        latex=lambda r: (
            r"s_{\mathrm{soft}}\le s_{\mathrm{avg}}"
            if "larger-rougher" in r
            else r"s_{\mathrm{avg}}\le s_{\mathrm{soft}}"
        ),
        note="Table 4.",
    )(sides)


STABILITY = tuple(leaf for name in _SMOOTHNESS for leaf in _stability(name))
