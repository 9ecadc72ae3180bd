"""What is true of Theorem 1 and Equation 35: excess risks, how loose they are, when they speak."""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds import hcct_generalization as closed
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.hcct import laws
from verify.statements.hcct.common import LEVEL, constants, numbers, source
from verify.statements.hcct.laws import LEVELS, level, level_given
from verify.world.world import World

Array = Any

TRAINED = numbers(
    laws.SLOPE_BOX, {"n": 1}, {"n": 16}, {"n": 256},
    about="losses of one curvature and two slopes, all samples enumerated",
)  # fmt: skip


def _excess(factor: Array) -> Any:
    def sides(w: World) -> tuple[Terms, Terms]:
        """Excess risk of the minimiser.

        Proof.  Changing one of n samples moves the minimiser of a mu-strongly convex mean by at most
        2 L/(mu n): add the two strong convexity inequalities.  So the loss at an exchanged sample
        moves by at most 2 L^2/(mu n), and averaging over the exchange E[risk - empirical risk] is at
        most that; the empirical risk of the minimiser is at most that of the best model in mean.
        Markov's inequality gives 2 L^2/(delta mu n), half of what is claimed.

        Loose by Markov's inequality: the excess is at most |mean slope - its mean|^2/(2 mu) here, so
        that by Hoeffding's inequality it exceeds 2 c L^2/(delta mu n) with a probability of at most
        2 exp(-2 c/delta), 0.27 for half of the bound and 0.037 for all of it at delta = 1. Large
        samples, short domains and a delta near 1 come nearest.
        """
        loss = laws.Slopes(w)
        mean = loss.mean(w.chance)
        excess = loss.risk(loss.trained(), mean) - loss.risk(loss.best(mean), mean)
        n = int(w.original("n")) + 0 * w.level
        bound = closed.estimation_upper(loss.lipschitz, w.convexity, n, w.level)
        return {"excess risk": excess}, {"estimation": factor * bound / 2}

    return sides


def _mean_excess(w: World) -> tuple[Terms, Terms]:
    """E excess against 2 L^2/(mu n), at most a quarter of it here.

    Proof.  Stability, as in the repaired form, before Markov's inequality.
    """
    loss = laws.Slopes(w)
    mean = loss.mean(w.chance)
    excess = loss.risk(loss.trained(), mean) - loss.risk(loss.best(mean), mean)
    n = int(w.original("n")) + 0 * w.level
    return {"E excess": excess}, {
        "2 L^2/(mu n)": closed.expected_excess_upper(loss.lipschitz, w.convexity, n)
    }


_SLOPES = dict.fromkeys(("slope", "slope2"), Real(-1, 1))
POOLED = numbers(
    {**laws.SLOPE_BOX, **_SLOPES, "radius": Real(1 / 64, 1 / 2, log=True),
     "convexity": Real(1 / 64, 8, log=True), "chance_other": Real(0, 1)},
    {"n": 1, "others": 1}, {"n": 4, "others": 12}, {"n": 1, "others": 255, "alike": 1},
    about="two clients with chances of two slopes of their own, all samples enumerated",
)  # fmt: skip


def _chance2(w: World) -> Array:
    """The other client's chance of the first slope, that of client i in clients alike."""
    return w.original("chance" if w.has("alike") else "chance_other")


def _pooled(w: World) -> tuple[Terms, Terms]:
    """Client i with n_0 samples, the other with n_1, loss 1/2 + s w + mu w^2/2 in [0, 1].

    Proof.  The loss lies in [0, 1], so that the risks of one model under P_i and under the mixture
    differ by at most the L1 distance of these laws; and with probability 1 - delta the risk of the
    minimiser under the mixture exceeds the best one by at most 4 L^2/(delta mu D), which stability
    gives for independent samples of different laws too, the risk being the mean of theirs.

    Loose where the laws are equal for the reason that the repaired Equation 35 gives, where they
    differ since the L1 distance is twice what the risks can differ by.
    """
    loss = laws.Slopes(w)
    total = int(w.original("n")) + int(w.original("others"))
    part = constants(int(w.original("n")), w) / total
    mixed = part * w.chance + (1 - part) * w.chance2
    left = loss.risk(loss.trained(), loss.mean(w.chance))
    mean = loss.mean(mixed)
    best = loss.risk(loss.best(mean), mean)
    distance = 2 * xp.absolute(mixed - w.chance)
    half = constants(1, w) / 2
    return {"eps_i(w)": half + left}, closed.excess_error_upper(
        half + best, loss.lipschitz, w.convexity, total + 0 * w.level, w.level, distance
    )


def _unit_losses(w: World) -> Terms:
    reach = (laws.Slopes(w).lipschitz - w.convexity * w.radius / 2) * w.radius
    return {**level_given(w), "losses in [0, 1]": 1 - 2 * reach}


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


_PROOF = "proof of Theorem 1"

STATEMENTS = (
    Statement(
        key="hcct.theorem1.repaired", source=source("Theorem 1"), form="repaired", over="prob",
        latex=r"\Pr\Bigl[\epsilon_i(\hat{\mathbf w})\le\min_{\mathbf w}\epsilon_{G_i}(\mathbf w)+\frac{4L^2}{\delta\mu\hat D_{G_i}}+\int|\hat{\mathcal P}_{G_i}-\mathcal P_i|\Bigr]\ge1-\delta",
        title="with the smallest risk of the group, laws of (x, y), losses in [0, 1]", family=POOLED,
        sides=_pooled, given=_unit_losses, strict=LEVELS, delta=level,
        defines={"chance2": _chance2}, uses=("hcct.eq35.repaired",),
    ),
    Statement(
        key="hcct.theorem1.refined/speaks", source=source("Theorem 1"), form="refined",
        latex=r"\hat D\le8/\delta\Rightarrow\frac{4L^2}{\delta\mu\hat D}\ge\sup_{\mathbf w}\epsilon(\mathbf w)-\min\epsilon",
        title="samples below which the bound says nothing", family=SPEAKS, sides=_silent, given=_few,
        strict=LEVELS,
    ),
    Statement(
        key="hcct.eq35.repaired", source=source("Equation 35"), kind="proof step", over="prob",
        form="repaired", title="excess risk of the minimiser", family=TRAINED,
        latex=r"\Pr\Bigl[\epsilon_{G_i}(\hat{\mathbf w})-\min\epsilon_{G_i}\le\frac{4L^2}{\delta\mu\hat D_{G_i}}\Bigr]\ge1-\delta",
        sides=_excess(2), given=level_given, strict=LEVELS, delta=level,
    ),
    Statement(
        key="hcct.eq35.refined/half", source=source(_PROOF), kind="proof step", over="prob",
        form="refined", title="half of the bound is enough", family=TRAINED,
        latex=r"\Pr\Bigl[\epsilon_{G_i}(\hat{\mathbf w})-\min\epsilon_{G_i}\le\frac{2L^2}{\delta\mu\hat D_{G_i}}\Bigr]\ge1-\delta",
        sides=_excess(1), given=level_given, strict=LEVELS, delta=level,
    ),
    Statement(
        key="hcct.eq35.refined/mean", source=source(_PROOF), kind="proof step", over="mean",
        form="refined", title="mean excess risk", family=TRAINED,
        latex=r"\mathbb E[\epsilon_{G_i}(\hat{\mathbf w})]-\min\epsilon_{G_i}\le\frac{2L^2}{\mu\hat D_{G_i}}",
        sides=_mean_excess,
    ),
)  # fmt: skip
