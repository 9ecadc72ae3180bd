"""What is true of Theorem 1 and Equation 35: excess risks, how loose they are, when they speak."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds.hcct import generalization as closed
from verify.claim import Array, Hypothesis, Real, Sides, numbers, statement
from verify.statements.hcct.quantities.laws import DELTA, SLOPE_BOX, Slopes
from verify.statements.hcct.quantities.symbols import LEVEL
from verify.world.world import World


def _excess(w: World) -> tuple[Array, Slopes, Array]:
    """Excess risk of the minimiser, the loss and the number of samples."""
    loss = Slopes(w)
    mean = loss.mean(w.chance)
    excess = loss.risk(loss.trained(), mean) - loss.risk(loss.best(mean), mean)
    return excess, loss, int(w.original("n")) + 0 * w.level


def _estimation(w: World, factor: Array) -> Sides:
    excess, loss, n = _excess(w)
    bound = closed.estimation_upper(loss.lipschitz, w.convexity, n, w.level)
    return {"excess risk": excess}, {"estimation": factor * bound / 2}


excess_risk = statement(
    "hcct.eq35.repaired",
    where="Equation 35",
    kind="proof step",
    title="excess risk of the minimiser",
    latex=r"\Pr\Bigl[\epsilon_{G_i}(\hat{\mathbf w})-\min\epsilon_{G_i}\le\frac{4L^2}{\delta\mu\hat D_{G_i}}\Bigr]\ge1-\delta",
    over="prob",
    delta=lambda w: w.level,
    given=DELTA,
    family=numbers(
        SLOPE_BOX,
        {"n": 1},
        {"n": 16},
        {"n": 256},
        about="losses of one curvature and two slopes, all samples enumerated",
    ),
    note="Excess risk of the minimiser.",
    proof="""Changing one of n samples moves the minimiser of a mu-strongly convex mean by at most
    2 L/(mu n): add the two strong convexity inequalities.  So the loss at an exchanged sample
    moves by at most 2 L^2/(mu n), and averaging over the exchange E[risk - empirical risk] is at
    most that; the empirical risk of the minimiser is at most that of the best model in mean.
    Markov's inequality gives 2 L^2/(delta mu n), half of what is claimed.

    Loose by Markov's inequality: the excess is at most |mean slope - its mean|^2/(2 mu) here, so
    that by Hoeffding's inequality it exceeds 2 c L^2/(delta mu n) with a probability of at most
    2 exp(-2 c/delta), 0.27 for half of the bound and 0.037 for all of it at delta = 1. Large
    samples, short domains and a delta near 1 come nearest.""",
)(partial(_estimation, factor=2))
excess_half = excess_risk.variant(
    "hcct.eq35.refined/half",
    where="proof of Theorem 1",
    title="half of the bound is enough",
    latex=r"\Pr\Bigl[\epsilon_{G_i}(\hat{\mathbf w})-\min\epsilon_{G_i}\le\frac{2L^2}{\delta\mu\hat D_{G_i}}\Bigr]\ge1-\delta",
    sides=partial(_estimation, factor=1),
)


@excess_half.like(
    "hcct.eq35.refined/mean",
    title="mean excess risk",
    over="mean",
    delta=None,
    given=(),
    latex=r"\mathbb E[\epsilon_{G_i}(\hat{\mathbf w})]-\min\epsilon_{G_i}\le\frac{2L^2}{\mu\hat D_{G_i}}",
    note="E excess against 2 L^2/(mu n), at most a quarter of it here.",
    proof="Stability, as in the repaired form, before Markov's inequality.",
)
def mean_excess(w: World) -> Sides:
    excess, loss, n = _excess(w)
    return {"E excess": excess}, {
        "2 L^2/(mu n)": closed.expected_excess_upper(loss.lipschitz, w.convexity, n)
    }


@statement(
    "hcct.theorem1.repaired",
    where="Theorem 1",
    title="with the smallest risk of the group, laws of (x, y), losses in [0, 1]",
    latex=r"\Pr\Bigl[\epsilon_i(\hat{\mathbf w})\le\min_{\mathbf w}\epsilon_{G_i}(\mathbf w)+\frac{4L^2}{\delta\mu\hat D_{G_i}}+\int|\hat{\mathcal P}_{G_i}-\mathcal P_i|\Bigr]\ge1-\delta",
    over="prob",
    delta=lambda w: w.level,
    uses=("hcct.eq35.repaired",),
    given=[
        *DELTA,
        Hypothesis(
            "losses in [0, 1]",
            r"(L-\tfrac\mu2r)\,r\le\tfrac12",
            lambda w: 1 - 2 * (Slopes(w).lipschitz - w.convexity * w.radius / 2) * w.radius,
        ),
    ],
    family=numbers(
        {
            **SLOPE_BOX,
            "slope": Real(-1, 1),
            "slope2": Real(-1, 1),
            "radius": Real(1 / 64, 1 / 2, log=True),
            "convexity": Real(1 / 64, 8, log=True),
            "chance_other": Real(0, 1, domain=(0, 1)),
        },
        {"n": 1, "others": 1},
        {"n": 4, "others": 12},
        {"n": 1, "others": 63},
        {"n": 1, "others": 255, "alike": 1},
        about="two clients with chances of two slopes of their own, all samples enumerated",
    ),
    defines={"chance2": lambda w: w.original("chance" if w.has("alike") else "chance_other")},
    note="Client i with n_0 samples, the other with n_1, loss 1/2 + s w + mu w^2/2 in [0, 1].",
    proof="""The loss lies in [0, 1], so that the risks of one model under P_i and under the mixture
    differ by at most the L1 distance of these laws; and with probability 1 - delta the risk of the
    minimiser under the mixture exceeds the best one by at most 4 L^2/(delta mu D), which stability
    gives for independent samples of different laws too, the risk being the mean of theirs.

    Loose where the laws are equal for the reason that the repaired Equation 35 gives, where they
    differ since the L1 distance is twice what the risks can differ by.""",
)
def pooled(w: World) -> Sides:
    loss = Slopes(w)
    total = int(w.original("n")) + int(w.original("others"))
    part, half = w.array(int(w.original("n"))) / total, w.array(1) / 2
    mixed = part * w.chance + (1 - part) * w.chance2
    mean = loss.mean(mixed)
    return {"eps_i(w)": half + loss.risk(loss.trained(), loss.mean(w.chance))}, (
        closed.excess_error_upper(
            half + loss.risk(loss.best(mean), mean),
            loss.lipschitz,
            w.convexity,
            total + 0 * w.level,
            w.level,
            2 * xp.absolute(mixed - w.chance),
        )
    )


@statement(
    "hcct.theorem1.refined/speaks",
    where="Theorem 1",
    title="samples below which the bound says nothing",
    latex=r"\hat D\le8/\delta\Rightarrow\frac{4L^2}{\delta\mu\hat D}\ge\sup_{\mathbf w}\epsilon(\mathbf w)-\min\epsilon",
    family=numbers(
        {
            "variation": Real(1 / 64, 8, unit=(1, 0), log=True),
            "lipschitz": Real(1 / 8, 8, unit=(1, -1), log=True),
            "convexity": Real(1 / 8, 8, unit=(1, -2), log=True),
            "level": LEVEL,
            "samples": Real(1, 512, log=True),
        },
        about="any loss, any number of samples",
    ),
    given=[
        *DELTA,
        Hypothesis(
            "excess at most L^2/(2 mu)",
            r"\sup\epsilon-\min\epsilon\le\frac{L^2}{2\mu}",
            lambda w: w.lipschitz**2 - 2 * w.convexity * w.variation,
        ),
        Hypothesis("n at most 8/delta", r"\hat D\le8/\delta", lambda w: 8 - w.level * w.samples),
    ],
    note="Below 8/delta samples the bound exceeds every excess risk of such a loss.",
    proof="""A mu-strongly convex function with slopes at most L on its domain exceeds its minimum
    by at most L d - mu d^2/2 <= L^2/(2 mu); that is at most 4 L^2/(delta mu n) for
    n <= 8/delta.""",
)
def silent(w: World) -> Sides:
    return {"excess risk": w.variation}, {
        "4 L^2/(delta mu n)": closed.estimation_upper(w.lipschitz, w.convexity, w.samples, w.level)
    }
