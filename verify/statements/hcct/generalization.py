"""Theorem 1 with its two ingredients, as indicators against delta on enumerated samples.

What the text leaves open is a reading: the risk is an expected loss or an absolute error, the loss
is any or that error, the labels are arbitrary or those of Equations 29 and 30, and the models fill
R^M or a bounded domain.  The model is always the minimiser of the pooled empirical loss, the
kindest choice of "a prediction function".
"""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds import hcct_generalization as closed
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.hcct import laws
from verify.statements.hcct.common import LEVEL, numbers, source
from verify.statements.hcct.deductions import UNION
from verify.statements.hcct.generalization_readings import readings
from verify.statements.hcct.laws import EXIST, LABELS, LEVELS, Labels, coins, level, level_given
from verify.world.world import World

Array = Any


# -- (34): deterministic -----------------------------------------------------------------------


def _gap(exact: bool, printed: bool) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Absolute errors, outputs in [0, 1], d_1 the L1 distance of the laws of x.

        Labels as in (29) and (30): f_G = f_i on the data of client i, so that lambda is at least
        minus the mass of the group outside these data, which is at most half of d_1, and
        E_i|h - f_G| exceeds E_G|h - f_G| by at most the other half.

        Proof of the form with absolute values.  E_i|h - f_i| <= E_G|h - f_i| + d_1 since
        |h - f_i| <= 1, and E_G|h - f_i| <= E_G|h - f_G| + E_G|f_G - f_i|; in the other order
        E_i|h - f_i| <= E_i|h - f_G| + E_i|f_G - f_i| <= E_G|h - f_G| + d_1 + E_i|f_G - f_i|.
        """
        known = Labels(w, exact)
        if printed:
            first, second = known.shifts()
            shift = (first + second - xp.absolute(first - second)) / 2
        else:
            shift = closed.label_shift(known.own, known.group, known.own_law, known.group_law)
        distance = xp.total(xp.absolute(known.group_law - known.own_law))
        return {"eps_i(h)": known.own_error()}, closed.error_gap_upper(
            known.group_error(), distance, shift
        )

    return sides


# -- (35) and Theorem 1: with probability 1 - delta ---------------------------------------------


def _whole_risk(w: World) -> tuple[Terms, Terms]:
    """Coins z of chance p, loss mu (w - z)^2/2 on [0, 1], L = mu; w is the sample mean.

    Its risk mu/2 ((w - p)^2 + p (1 - p)) never falls below mu p (1 - p)/2.
    """
    risk = laws.coin_risk(laws.sample_mean(w), w.chance, w.convexity)
    n = int(w.original("n")) + 0 * w.level
    bound = closed.estimation_upper(w.convexity, w.convexity, n, w.level)
    return {"risk": risk}, {"4 L^2/(delta mu n)": bound}


OFFSET = numbers(
    {"offset": Real(0, 4), "radius": Real(1 / 8, 1, log=True), "convexity": Real(1 / 8, 2, log=True),
     "level": LEVEL}, {"n": 1}, {"n": 4}, about="losses that are not zero for a correct label",
)  # fmt: skip


def _offset_risk(w: World) -> tuple[Terms, Terms]:
    """One label y, model h(x; w) = w, loss c + mu (w - y)^2/2 on |w - y| <= r, L = mu r.

    Every sample gives the right model, whose risk is c; with c = 0 the claim is 0 <= the bound.
    """
    n = int(w.original("n")) + 0 * w.level
    bound = closed.estimation_upper(w.convexity * w.radius, w.convexity, n, w.level)
    return {"risk": w.offset}, {"4 L^2/(delta mu n)": bound}


TILT = numbers(
    {"tilt": Real(1 / 64, 4, unit=(1, -1), log=True), "radius": Real(1 / 64, 1, unit=(0, 1), log=True),
     "convexity": Real(1 / 8, 8, unit=(1, -2), log=True), "level": LEVEL},
    {"n": 1}, {"n": 2}, {"n": 4}, about="losses that prefer some labels over- and others underestimated",
)  # fmt: skip


def _tilted(w: World) -> tuple[Terms, Terms]:
    """h(x; w) = w + b(x) with b = +-1/4, y = h(x; 1/2), |w - 1/2| <= r <= 1/4, x fair.

    The loss is mu (h - y)^2/2 +- tau (h - y), the sign that of b.  The best model is 1/2 and gives
    every label; the minimiser is off by tau |mean sign|/mu, cut at r; L = mu r + tau.  The left side
    is a length (an error of outputs), the right one a loss.
    """
    size = w.tilt * xp.absolute(laws.fair_signs(w)) / w.convexity
    error = xp.minimum(size, w.radius + 0 * size)
    lipschitz = w.convexity * w.radius + w.tilt
    n = int(w.original("n")) + 0 * w.level
    return {"E|h - f|": error}, {
        "4 L^2/(delta mu n)": closed.estimation_upper(lipschitz, w.convexity, n, w.level)
    }


def _small(w: World) -> Terms:
    """Outputs 1/2 +- 1/4 +- r in [0, 1]."""
    return {**level_given(w), "outputs in [0, 1]": 1 - 4 * w.radius}


_T1 = r"\Pr\Bigl[\epsilon_i(h)\le\frac{4L^2}{\delta\mu\hat D_{G_i}}+d_1(\hat{\mathcal P}_{G_i},\mathcal P_i)+\lambda\Bigr]\ge1-\delta"
_35 = r"\Pr\Bigl[\epsilon_{G_i}(h)\le\frac{4L^2}{\delta\mu\hat D_{G_i}}\Bigr]\ge1-\delta"
_34 = r"\epsilon_i(h)\le\epsilon_{G_i}(h)+d_1(\hat{\mathcal P}_{G_i},\mathcal P_i)+\lambda"
_ALONE = "one client or a group with one law, d_1 = 0 and lambda = 0"


def _risk_readings(
    name: str, where: str, latex: str, kind: str, uses: tuple[str, ...],
    deduction: Statement | None = None,
) -> Any:  # fmt: skip
    """One claim in five readings: which loss, which risk, what of the labels, which models."""
    common: dict[str, Any] = {
        "source": source(where), "latex": latex, "kind": kind, "over": "prob", "delta": level,
        "strict": LEVELS, "uses": uses, "deduction": deduction, "title": f"generalisation: {_ALONE}",
    }  # fmt: skip
    yield Statement(
        key=f"hcct.{name}@loss", family=coins(1, 4, 48), sides=_whole_risk, given=level_given,
        **common,
    )  # fmt: skip
    yield Statement(
        key=f"hcct.{name}@loss-exact-labels", family=OFFSET, sides=_offset_risk,
        given=level_given, **common,
    )  # fmt: skip
    yield Statement(
        key=f"hcct.{name}@error-exact-labels", family=TILT, sides=_tilted, given=_small, **common
    )
    yield from readings(name, common)


STATEMENTS = (
    *_risk_readings("theorem1", "Theorem 1", _T1, "theorem", ("hcct.eq34", "hcct.eq35"),
                     UNION),
    Statement(
        key="hcct.eq34@any-labels", source=source("Equation 34"), kind="proof step", latex=_34,
        title="from the group to the client", family=LABELS, sides=_gap(False, True),
        given=laws.laws_exist, strict=EXIST, uses=("hcct.thm1.chain",),
    ),
    Statement(
        key="hcct.eq34@exact-labels", source=source("Equation 34"), kind="proof step", latex=_34,
        title="from the group to the client", family=LABELS, sides=_gap(True, True),
        given=laws.labels_exact, strict=EXIST, uses=("hcct.thm1.chain",),
    ),
    Statement(
        key="hcct.eq34.refined", source=source("Equation 34"), kind="proof step", form="refined",
        latex=_34 + r",\ \lambda=\min\{\mathbb E_{\mathcal P_i}|f_{G_i}-f_i|,\mathbb E_{\hat{\mathcal P}_{G_i}}|f_{G_i}-f_i|\}",
        title="from the group to the client, any labels", family=LABELS, sides=_gap(False, False),
        given=laws.laws_exist, strict=EXIST,
    ),
    *_risk_readings("eq35", "Equation 35", _35, "proof step", ()),
)  # fmt: skip
