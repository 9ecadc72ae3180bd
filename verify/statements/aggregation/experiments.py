"""Figures, tables and remarks drawn from the experiments, and the open questions of the paper."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from verify.claim import Family, Sides, Statement, statement
from verify.statements.aggregation import corollary, theorem
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.runs import runs, size
from verify.world.world import World


@corollary.repaired.like(
    "aggregation.text.tight.refined/footnote3",
    where="footnote 3",
    kind="claim",
    title="the bounds are not tight",
    latex=r"2\,\mathbb E[F(w_T)-F^\star]\le\frac{\mathcal V}{T+\gamma}+\mathcal E",
    uses=("aggregation.corollary4.repaired",),
    note="""Footnote 3: twice the left side of Corollary 4 is still below its right side.

    With the constants that its proof supports; the largest ratio seen is below one tenth.""",
)
def loose(w: World) -> Sides:
    left, count = corollary.reached(w, "iterations")
    return {"2 E[F(w_T) - F*]": 2 * left}, corollary.bound(w, count)


QUIET = runs(
    *(size(2, 2, e, rule, quiet=True) for e in (1, 2) for rule in ("fixed", "fedmax")),
    size(3, 3, 3, "fixed", quiet=True),
    paced=True,
)
without_variance = theorem.refined.variant(
    "aggregation.RQ1.refined",
    where="Research question 1",
    kind="claim",
    title="one iteration without A3",
    uses=("aggregation.theorem3.refined",),
    latex=r"\Delta_{t+1}\le(1-\eta_t\mu(1+\overline\rho))\Delta_t+\eta_t^2G^2(1+4\eta_tL(E-1)^2)+2\eta_t\Gamma(\tilde\rho-\overline\rho)",
    note="A3 can go: sigma^2 does not occur, and G^2 enters once instead of 32 E^2 times at E = 1.",
    proof="""The direction sum alpha g_i has second moment at most G^2 by A4, which holds the
    variance already; the rest is the refined Theorem 3.""",
)


@without_variance.like(
    "aggregation.RQ2.refined",
    where="Research question 2",
    latex=without_variance.latex,
    title="one iteration of gradient descent",
    family=QUIET,
    uses=without_variance.uses,
    note="Full gradients: the refined Theorem 3 with G^2 the largest squared gradient.",
    proof="Gradients without noise are unbiased, and A4 holds with that G^2.",
)
def descent(w: World) -> Sides:
    return {"|w+ - w*|^2": q.distance(w, w.at + 1)}, theorem.refined(w)[1]


# -- Tables 3 and 4 against the remarks --------------------------------------------------------

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


def _faster(w: World, framework: str) -> Sides:
    average, soft = _midpoints(framework)
    return {"rounds of FedSoftMax": soft}, {"rounds of FedAvg": average}


REMARK9 = "Remark 9, Table 3"
FASTER = tuple(
    statement(
        f"aggregation.remark9/faster-{name}",
        where=REMARK9,
        kind="remark",
        family=NUMBERS,
        title=f"FedSoftMax needs no more rounds ({name})",
        note="Midpoints of Table 3.",
        latex=r"R_{90}^{\mathrm{soft}}\le R_{90}^{\mathrm{avg}}",
    )(partial(_faster, framework=name))
    for name in _ROUNDS
)


@statement(
    "aggregation.remark9/grows-first",
    where=REMARK9,
    kind="remark",
    family=NUMBERS,
    title="the gain grows",
    latex=r"\mathrm{IID}\le\mathrm{NIID}",
    note="Ratios of the midpoints of Table 3, from IID to non-IID.",
)
def grows(w: World) -> Sides:
    return {"IID": _gain("IID")}, {"NIID": _gain("NIID")}


@grows.like(
    "aggregation.remark9/grows-second",
    title="the gain grows further",
    latex=r"\mathrm{NIID}\le\mathrm{TNIID}",
    note="Ratios of the midpoints of Table 3, from IID to very non-IID.",
)
def grows_further(w: World) -> Sides:
    third = _gain("IID")
    return {"NIID over IID": _gain("NIID") / third}, {"TNIID over IID": _gain("TNIID") / third}


def _stability(framework: str, option: str) -> Statement:
    """Whether FedSoftMax is no less stable than FedAvg by Table 4."""
    average, soft = (Fraction(value) for value in _SMOOTHNESS[framework])
    rougher = option == "larger-rougher"

    def sides(w: World) -> Sides:
        values = {"FedSoftMax": soft}, {"FedAvg": average}
        return values if rougher else (values[1], values[0])

    latex = (
        r"s_{\mathrm{soft}}\le s_{\mathrm{avg}}"
        if rougher
        else r"s_{\mathrm{avg}}\le s_{\mathrm{soft}}"
    )
    return statement(
        f"aggregation.stability/{framework}@{option}",
        where="Table 4",
        kind="claim",
        title="FedSoftMax is no less stable than FedAvg",
        family=NUMBERS,
        latex=latex,
        note="Table 4.",
    )(sides)


STABILITY = tuple(
    _stability(name, option)
    for name in _SMOOTHNESS
    for option in ("larger-smoother", "larger-rougher")
)
