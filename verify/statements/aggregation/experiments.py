"""Figures, tables and remarks drawn from the experiments, and the open questions of the paper."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verify.claim.parameters import Family
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation import theorem
from verify.statements.aggregation.common import (
    HETEROGENEOUS,
    distance,
    heterogeneous,
    open_claim,
    runs,
    size,
    source,
    suboptimality,
)
from verify.statements.aggregation.corollary import RUNS, bound, contracting, paper_defines
from verify.statements.aggregation.tables import FRAMEWORKS, midpoint, smoothness
from verify.world.world import World

NUMBERS = Family({}, about="numbers of the paper")
QUIET = runs(
    *(size(2, 2, e, rule, quiet=True) for e in (1, 2) for rule in ("fixed", "fedmax")),
    size(3, 3, 3, "fixed", quiet=True),
)  # fmt: skip

# -- Tables 3 and 4 against the remarks --------------------------------------------------------


def _faster(framework: str) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Midpoints of Table 3."""
        return {"rounds of FedSoftMax": midpoint(framework, "FedSoftMax")}, {
            "rounds of FedAvg": midpoint(framework, "FedAvg")
        }

    return sides


def _gain(framework: str) -> Fraction:
    return midpoint(framework, "FedAvg") / midpoint(framework, "FedSoftMax")


def _grows(w: World) -> tuple[Terms, Terms]:
    """Ratios of the midpoints of Table 3, from IID to very non-IID."""
    return {"NIID over IID": _gain("NIID") / _gain("IID")}, {
        "TNIID over IID": _gain("TNIID") / _gain("IID")
    }


def _starts(w: World) -> tuple[Terms, Terms]:
    """The same from IID to non-IID."""
    return {"IID": _gain("IID")}, {"NIID": _gain("NIID")}


def _smoother(framework: str) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Table 4, read as larger means more variation."""
        return {"FedSoftMax": smoothness(framework, "FedSoftMax")}, {
            "FedAvg": smoothness(framework, "FedAvg")
        }

    return sides


# -- how tight the bounds are ------------------------------------------------------------------


def _loose(w: World) -> tuple[Terms, Terms]:
    """Footnote 3: twice the left side of Corollary 4 is still below its right side.

    With the constants that its proof supports; the largest ratio seen is below one tenth.
    """
    return {"2 E[F(w_T) - F*]": 2 * suboptimality(w, w.at + 1)}, bound(w, w.at + 1)


# -- research questions ------------------------------------------------------------------------


def _without_variance(w: World) -> tuple[Terms, Terms]:
    """A3 can go: sigma^2 does not occur, and G^2 enters once instead of 32 E^2 times at E = 1.

    Proof. The direction sum alpha g_i has second moment at most G^2 by A4, which holds the variance
    already; the rest is the refined Theorem 3.
    """
    return theorem.refined(w)


def _descent(w: World) -> tuple[Terms, Terms]:
    """Full gradients: the refined Theorem 3 with G^2 the largest squared gradient.

    Proof. Gradients without noise are unbiased, and A4 holds with that G^2.
    """
    return {"|w+ - w*|^2": distance(w, w.at + 1)}, theorem.refined(w)[1]


def _question(number: int, latex: str, title: str) -> Statement:
    return open_claim(
        f"RQ{number}", "claim", f"Research question {number}", latex, title,
        "a question: nothing is claimed",
    )  # fmt: skip


def _figure(name: str, latex: str, title: str) -> Statement:
    return open_claim(
        name, "figure", f"Figure {name[3:]}", latex, title,
        "the curves are in images; the network's starts, the seeds, the temperature and how F_i* "
        "is estimated are not given; figures/ draws it on synthetic shards with stated choices",
    )  # fmt: skip


def _nine(name: str, sides: Any, latex: str, title: str) -> Statement:
    return Statement(
        key=f"aggregation.remark9/{name}", source=source("Remark 9, Table 3"), kind="remark",
        family=NUMBERS, sides=sides, latex=latex, title=title,
    )  # fmt: skip


_REFINED: dict[str, Any] = {
    "form": "refined", "kind": "claim", "over": "mean", "given": heterogeneous,
    "strict": HETEROGENEOUS, "defines": {**theorem.defines("every"), "step_sizes": theorem.any_steps},
    "uses": ("aggregation.theorem3.refined",),
}  # fmt: skip
_ONE = r"\Delta_{t+1}\le(1-\eta_t\mu(1+\overline\rho))\Delta_t+\eta_t^2G^2(1+4\eta_tL(E-1)^2)+2\eta_t\Gamma(\tilde\rho-\overline\rho)"

STATEMENTS = (
    open_claim(
        "table3", "table", "Table 3", r"R_{90}\text{ with confidence intervals}",
        "rounds up to 90 % accuracy",
        "level, construction and number of runs of the intervals, and the data of the runs",
    ),
    _figure("fig2", r"\text{IID: curves nearly equal}", "FedAvg and FedSoftMax, IID"),
    _figure("fig3", r"\text{final accuracies near each other}", "FedAvg and FedSoftMax, not IID"),
    _figure("fig4", r"\text{the gap grows with heterogeneity}", "three frameworks"),
    _figure("fig7", r"\text{few clients have weight}", "heat map of the weights"),
    *(
        _nine(f"faster-{name}", _faster(name), r"R_{90}^{\mathrm{soft}}\le R_{90}^{\mathrm{avg}}",
              f"FedSoftMax needs no more rounds ({name})")
        for name in FRAMEWORKS
    ),
    _nine("grows-first", _starts, r"\mathrm{IID}\le\mathrm{NIID}", "the gain grows"),
    _nine("grows-second", _grows, r"\mathrm{NIID}\le\mathrm{TNIID}", "the gain grows further"),
    open_claim(
        "remark9/bias", "remark", "Remark 9", r"\text{bias}\propto\text{distance from IID}",
        "bias proportional to heterogeneity", "measures of the bias and of the distance",
    ),
    *(
        Statement(
            key=f"aggregation.stability/{name}@less", source=source("Table 4"), kind="claim",
            title="FedSoftMax is no less stable than FedAvg", family=NUMBERS,
            sides=_smoother(name), latex=r"s_{\mathrm{soft}}\le s_{\mathrm{avg}}",
        )
        for name in FRAMEWORKS
    ),
    *(
        open_claim(
            f"stability/{name}@reasonable", "claim", "Table 4",
            r"\text{FedSoftMax is reasonably stable}", "reasonable stability",
            "what counts as reasonable, the formula of the smoothness value, its series and whether "
            "larger means more stable",
        )
        for name in FRAMEWORKS
    ),
    open_claim(
        "conclusion", "claim", "Section 3.3", r"\text{the experiments confirm the theory}",
        "experiments confirm the theory",
        "the runs, and what would have counted against it",
    ),
    Statement(
        key="aggregation.text.tight/footnote3", source=source("footnote 3"), kind="claim",
        title="the bounds are not tight", family=RUNS, sides=_loose, over="mean",
        latex=r"2\,\mathbb E[F(w_T)-F^\star]\le\frac{\mathcal V}{T+\gamma}+\mathcal E",
        given=contracting, strict=HETEROGENEOUS, defines=paper_defines("every"),
        uses=("aggregation.corollary4.repaired",),
    ),
    open_claim(
        "text.tight/experiments", "claim", "Section 3.2", r"\text{the upper bound is quite tight}",
        "the experiments show that the bound is tight",
        "the constants of the network, without which the bound has no value, and what quite means",
    ),
    _question(1, r"\text{one of A1 to A4 weaker?}", "weaker assumptions"),
    Statement(
        key="aggregation.RQ1.refined", source=source("Research question 1"),
        title="one iteration without A3", family=theorem.STEPS, sides=_without_variance,
        latex=_ONE, **_REFINED,
    ),
    _question(2, r"\text{another local method?}", "gradient descent in place of SGD"),
    Statement(
        key="aggregation.RQ2.refined", source=source("Research question 2"),
        title="one iteration of gradient descent", family=QUIET, sides=_descent, latex=_ONE,
        **_REFINED,
    ),
    _question(5, r"\text{non-convex losses?}", "Polyak-Lojasiewicz losses"),
)  # fmt: skip
