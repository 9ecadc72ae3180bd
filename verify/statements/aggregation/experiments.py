"""Tables 3 and 4 against the remarks that are drawn from them."""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Family, Reading, Readings, Sides
from verify.statements.aggregation import quantities as q
from verify.world.world import World

claim = q.claims(r"""
Remark 9, Table 3 :: remark
    remark9/faster :: FedSoftMax needs fewer rounds :: R_{90}^{\mathrm{soft}}<R_{90}^{\mathrm{avg}}
    remark9/grows-first :: the gain grows :: \mathrm{IID}\le\mathrm{NIID}
    remark9/grows-second :: the gain grows further :: \mathrm{NIID}\le\mathrm{TNIID}
Table 4 :: claim
    stability/TNIID :: FedSoftMax is no less stable than FedAvg
    stability/NIID :: FedSoftMax is no less stable than FedAvg
    stability/IID :: FedSoftMax is no less stable than FedAvg
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


def _stability(framework: str) -> Readings:
    """Whether FedSoftMax is no less stable than FedAvg by Table 4."""
    average, soft = (Fraction(value) for value in _SMOOTHNESS[framework])

    @claim(
        f"stability/{framework}",
        readings=["smoothness-value"],
        latex=lambda r: LESS if "larger-rougher" in r else MORE,
        family=NUMBERS,
    )
    def sides(w: World, r: Reading) -> Sides:
        """Table 4."""
        own, other = {"FedSoftMax": soft}, {"FedAvg": average}
        return (own, other) if "larger-rougher" in r else (other, own)

    return sides


STABILITY = tuple(leaf for name in _SMOOTHNESS for leaf in _stability(name))
