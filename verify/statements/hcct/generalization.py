"""Theorem 1 with its two ingredients, as indicators against delta on enumerated samples.

What the text leaves open is a reading: the risk is an expected loss or an absolute error, and the
labels are arbitrary or those of Equations 29 and 30.  The model is always the minimiser of the
pooled empirical loss, the kindest choice of "a prediction function".
"""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds import hcct_generalization as closed
from verify.parameters import Real
from verify.statement import Statement, Terms
from verify.statements.hcct import laws
from verify.statements.hcct.common import LEVEL, constants, numbers, source
from verify.statements.hcct.deductions import UNION
from verify.statements.hcct.laws import EXIST, LABELS, LEVELS, Labels, coins, level_given
from verify.world import World

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
    """Risk of a sample mean of coins, which never falls below mu p (1 - p)/2."""
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


def _excess(factor: Array) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Excess risk of the sample mean.

        Proof.  Changing one of n samples moves the minimiser of a mu-strongly convex mean by at most
        2 L/(mu n): add the two strong convexity inequalities.  So the loss at an exchanged sample
        moves by at most 2 L^2/(mu n), and averaging over the exchange E[risk - empirical risk] is at
        most that; the empirical risk of the minimiser is at most that of the best model in mean.
        Markov's inequality gives 2 L^2/(delta mu n), half of what is claimed.
        """
        model = laws.sample_mean(w)
        excess = laws.coin_risk(model, w.chance, w.convexity) - laws.coin_risk(
            w.chance, w.chance, w.convexity
        )
        n = int(w.original("n")) + 0 * w.level
        bound = closed.estimation_upper(w.convexity, w.convexity, n, w.level)
        return {"excess risk": excess}, {"estimation": factor * bound / 2}

    return sides


def _mean_excess(w: World) -> tuple[Terms, Terms]:
    """E excess = mu p (1 - p)/(2 n) against 2 L^2/(mu n).

    Proof.  Stability, as in the repaired form, before Markov's inequality.
    """
    model = laws.sample_mean(w)
    excess = convexity_part(model - w.chance, w.convexity)
    n = int(w.original("n")) + 0 * w.level
    return {"E excess": excess}, {
        "2 L^2/(mu n)": closed.expected_excess_upper(w.convexity, w.convexity, n)
    }


def convexity_part(distance: Array, convexity: Array) -> Array:
    """mu/2 distance^2."""
    return convexity * distance**2 / 2


POOLED = numbers(
    {"chance": Real(0, 1), "chance2": Real(0, 1), "convexity": Real(1 / 8, 2, log=True), "level": LEVEL},
    {"n": 1, "others": 1}, {"n": 1, "others": 15}, {"n": 4, "others": 12},
    about="two clients with coins of their own, all samples enumerated",
)  # fmt: skip


def _pooled(w: World) -> tuple[Terms, Terms]:
    """Client i with n_0 coins of chance p_0, the other with n_1 of p_1, loss mu (w - z)^2/2 <= 1.

    Proof.  The loss lies in [0, 1], so that the risks of one model under P_i and under the mixture
    differ by at most the L1 distance of these laws; and with probability 1 - delta the risk of the
    minimiser under the mixture exceeds the best one by at most 4 L^2/(delta mu D), which stability
    gives for independent samples of different laws too, the risk being the mean of theirs.
    """
    total = int(w.original("n")) + int(w.original("others"))
    part = constants(int(w.original("n")), w) / total
    mixed = part * w.chance + (1 - part) * w.chance2
    left = laws.coin_risk(laws.two_means(w), w.chance, w.convexity)
    best = laws.coin_risk(mixed, mixed, w.convexity)
    distance = 2 * xp.absolute(mixed - w.chance)
    return {"eps_i(w)": left}, closed.excess_error_upper(
        best, w.convexity, w.convexity, total + 0 * w.level, w.level, distance
    )


# -- when the bound says anything ----------------------------------------------------------------

SPEAKS = numbers(
    {"variation": Real(1 / 64, 8, unit=(1, 0), log=True), "lipschitz": Real(1 / 8, 8, unit=(1, -1), log=True),
     "convexity": Real(1 / 8, 8, unit=(1, -2), log=True), "level": LEVEL, "samples": Real(1, 512, log=True)},
    about="any loss, any number of samples",
)  # fmt: skip


def _silent(w: World) -> tuple[Terms, Terms]:
    """Below 8/delta samples the bound exceeds every excess risk of such a loss.

    Proof.  A mu-strongly convex function with slopes at most L on its domain exceeds its minimum by
    at most L d - mu d^2/2 <= L^2/(2 mu); that is at most 4 L^2/(delta mu n) for n <= 8/delta.
    """
    return {"excess risk": w.variation}, {
        "4 L^2/(delta mu n)": closed.estimation_upper(w.lipschitz, w.convexity, w.samples, w.level)
    }


def _few(w: World) -> Terms:
    return {
        **level_given(w),
        "excess at most L^2/(2 mu)": w.lipschitz**2 - 2 * w.convexity * w.variation,
        "n at most 8/delta": 8 - w.level * w.samples,
    }


_T1 = r"\Pr\Bigl[\epsilon_i(h)\le\frac{4L^2}{\delta\mu\hat D_{G_i}}+d_1(\hat{\mathcal P}_{G_i},\mathcal P_i)+\lambda\Bigr]\ge1-\delta"
_35 = r"\Pr\Bigl[\epsilon_{G_i}(h)\le\frac{4L^2}{\delta\mu\hat D_{G_i}}\Bigr]\ge1-\delta"
_34 = r"\epsilon_i(h)\le\epsilon_{G_i}(h)+d_1(\hat{\mathcal P}_{G_i},\mathcal P_i)+\lambda"
_ALONE = "one client or a group with one law, d_1 = 0 and lambda = 0"


def _level(w: World) -> Any:
    return w.level


def _risk_readings(
    name: str, where: str, latex: str, kind: str, uses: tuple[str, ...],
    deduction: Statement | None = None,
) -> Any:  # fmt: skip
    """One claim in three readings: which risk, and what of the labels."""
    common: dict[str, Any] = {
        "source": source(where), "latex": latex, "kind": kind, "over": "prob", "delta": _level,
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


_PROOF = "proof of Theorem 1"

STATEMENTS = (
    *_risk_readings("theorem1", "Theorem 1", _T1, "theorem", ("hcct.eq34", "hcct.eq35"),
                     UNION),
    Statement(
        key="hcct.theorem1.repaired", source=source("Theorem 1"), form="repaired", over="prob",
        latex=r"\Pr\Bigl[\epsilon_i(\hat{\mathbf w})\le\min_{\mathbf w}\epsilon_{G_i}(\mathbf w)+\frac{4L^2}{\delta\mu\hat D_{G_i}}+\int|\hat{\mathcal P}_{G_i}-\mathcal P_i|\Bigr]\ge1-\delta",
        title="with the smallest risk of the group, laws of (x, y), losses in [0, 1]", family=POOLED,
        sides=_pooled, given=level_given, strict=LEVELS, delta=_level, uses=("hcct.eq35.repaired",),
    ),
    Statement(
        key="hcct.theorem1.refined/speaks", source=source("Theorem 1"), form="refined",
        latex=r"\hat D\le8/\delta\Rightarrow\frac{4L^2}{\delta\mu\hat D}\ge\sup_{\mathbf w}\epsilon(\mathbf w)-\min\epsilon",
        title="samples below which the bound says nothing", family=SPEAKS, sides=_silent, given=_few,
        strict=LEVELS,
    ),
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
    Statement(
        key="hcct.eq35.repaired", source=source("Equation 35"), kind="proof step", over="prob",
        form="repaired", title="excess risk of the minimiser", family=coins(1, 2, 8, 16),
        latex=r"\Pr\Bigl[\epsilon_{G_i}(\hat{\mathbf w})-\min\epsilon_{G_i}\le\frac{4L^2}{\delta\mu\hat D_{G_i}}\Bigr]\ge1-\delta",
        sides=_excess(2), given=level_given, strict=LEVELS, delta=_level,
    ),
    Statement(
        key="hcct.eq35.refined/half", source=source(_PROOF), kind="proof step", over="prob",
        form="refined", title="half of the bound is enough", family=coins(1, 2, 8, 16),
        latex=r"\Pr\Bigl[\epsilon_{G_i}(\hat{\mathbf w})-\min\epsilon_{G_i}\le\frac{2L^2}{\delta\mu\hat D_{G_i}}\Bigr]\ge1-\delta",
        sides=_excess(1), given=level_given, strict=LEVELS, delta=_level,
    ),
    Statement(
        key="hcct.eq35.refined/mean", source=source(_PROOF), kind="proof step", over="mean",
        form="refined", title="mean excess risk", family=coins(1, 2, 8),
        latex=r"\mathbb E[\epsilon_{G_i}(\hat{\mathbf w})]-\min\epsilon_{G_i}\le\frac{2L^2}{\mu\hat D_{G_i}}",
        sides=_mean_excess,
    ),
)  # fmt: skip
