"""Tables 3 and 4 against the remarks that are drawn from them."""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Family, Reading, Sides
from verify.statements.aggregation import quantities as q
from verify.world.world import World

claim = q.claims(r"""
Remark 9, Table 3 :: remark
    remark9/faster :: FedSoftMax needs fewer rounds :: R_{90}^{\mathrm{soft}}<R_{90}^{\mathrm{avg}}
    remark9/grows-first :: the gain grows :: \mathrm{IID}\le\mathrm{NIID}
    remark9/grows-second :: the gain grows further :: \mathrm{NIID}\le\mathrm{TNIID}
Section 3.2, Table 4 :: claim
    stability :: which of the two is the less stable
""")
LESS, MORE = r"s_{\mathrm{soft}}\le s_{\mathrm{avg}}", r"s_{\mathrm{avg}}\le s_{\mathrm{soft}}"
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


@claim("remark9/faster", readings=["faster"], family=NUMBERS)
def faster(w: World, r: Reading) -> Sides:
    """Midpoints of Table 3; 'higher' is strict, an event in every framework that is meant."""
    meant = [name for name in _ROUNDS if name != "IID" or "every-framework" in r]
    fewer = [soft < average for average, soft in map(_midpoints, meant)]
    return {"frameworks": len(meant)}, {"with fewer rounds": sum(fewer)}


@claim("remark9/grows-first", family=NUMBERS)
def grows(w: World) -> Sides:
    """Ratios of the midpoints of Table 3, from IID to non-IID."""
    return {"IID": _gain("IID")}, {"NIID": _gain("NIID")}


@claim("remark9/grows-second", family=NUMBERS)
def grows_further(w: World) -> Sides:
    """Ratios of the midpoints of Table 3, from IID to very non-IID."""
    third = _gain("IID")
    return {"NIID over IID": _gain("NIID") / third}, {"TNIID over IID": _gain("TNIID") / third}


@claim(
    "stability",
    readings=["less-stable", "tendency", "smoothness-value"],
    latex=lambda r: LESS if ("fedavg" in r) == ("larger-rougher" in r) else MORE,
    family=NUMBERS,
)
def stability(w: World, r: Reading) -> Sides:
    """Table 4; the sentence names what is stable enough, and not what is less stable than what."""
    pairs = [[Fraction(value) for value in row] for row in _SMOOTHNESS.values()]
    if "fedsoftmax" in r:  # it is the one with the tendency to instability
        pairs = [[soft, average] for average, soft in pairs]
    if "larger-rougher" in r:
        pairs = [[steady, unstable] for unstable, steady in pairs]
    # by now the first of each pair is said to be at most the second
    if "together" in r:
        first, second = (sum(column) for column in zip(*pairs, strict=True))
        return {"first": first}, {"second": second}
    so = [first <= second for first, second in pairs]
    return {"frameworks": len(so)}, {"in which it is so": sum(so)}
