"""Theorem 1 with its two ingredients, as indicators against delta on enumerated samples.

What the text leaves open is a reading: the risk is an expected loss or an absolute error, the loss
is any or that error, the labels are arbitrary or those of Equations 29 and 30, and the models fill
R^M or a bounded domain.  The model is always the minimiser of the pooled empirical loss, the
kindest choice of "a prediction function".

Equation 35 writes the risk of the group as E|h - f_G|, which is the mean loss of Equation 3 where
the loss is |h - y| and Equation 30 gives y = f_G(x).  The domain of the models is R^M in Equations
1 and 3, where no loss is both strongly convex and Lipschitz.
"""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds import hcct_generalization as closed
from verify.claim import Array, Hypothesis, Real, Sides, numbers, statement
from verify.statements.hcct import laws
from verify.statements.hcct.common import CURVATURE, LEVEL, symbols
from verify.statements.hcct.laws import DELTA, Labels
from verify.world.world import World

_34 = r"\epsilon_i(h)\le\epsilon_{G_i}(h)+d_1(\hat{\mathcal P}_{G_i},\mathcal P_i)+\lambda"


def _gap(w: World, exact: bool, printed: bool) -> Sides:
    known = Labels(w, exact)
    laws_and_labels = known.own, known.group, known.own_law, known.group_law
    shift = known.printed_lambda() if printed else closed.label_shift(*laws_and_labels)
    right = closed.error_gap_upper(known.group_error(), known.distance(), shift)
    return {"eps_i(h)": known.own_error()}, right


_MEASURED = "Absolute errors, outputs in [0, 1], d_1 the L1 distance of the laws of x."
gap_any = statement(
    "hcct.eq34@any-labels", where="Equation 34", kind="proof step", latex=_34,
    title="from the group to the client", family=laws.LABELS, given=laws.LAWS_EXIST,
    uses=("hcct.thm1.chain",),
    note="""Absolute errors, outputs in [0, 1], d_1 the L1 distance of the laws of x. Without (29)
    and (30) the signed lambda may be far below the mean of |f_G - f_i|.""",
)(partial(_gap, exact=False, printed=True))
gap_exact = gap_any.variant("hcct.eq34@exact-labels", given=laws.LABELS_EXACT,
                            note=_MEASURED,
                            proof="""Labels as in (29) and (30): f_G = f_i on the data of client i, so that
    lambda is at least minus the mass of the group outside these data, which is at most half of d_1,
    and E_i|h - f_G| exceeds E_G|h - f_G| by at most the other half.""",
                            sides=partial(_gap, exact=True, printed=True))
gap_refined = gap_any.variant("hcct.eq34.refined", title="from the group to the client, any labels",
                              uses=(), note=_MEASURED,
                              proof="""E_i|h - f_i| <= E_G|h - f_i| + d_1 since |h - f_i| <= 1, and
    E_G|h - f_i| <= E_G|h - f_G| + E_G|f_G - f_i|; in the other order
    E_i|h - f_i| <= E_i|h - f_G| + E_i|f_G - f_i| <= E_G|h - f_G| + d_1 + E_i|f_G - f_i|.""",
                              latex=_34 + r",\ \lambda=\min\{\mathbb E_{\mathcal P_i}|f_{G_i}-f_i|,\mathbb E_{\hat{\mathcal P}_{G_i}}|f_{G_i}-f_i|\}",
                              sides=partial(_gap, exact=False, printed=False))

# -- (35) and Theorem 1: with probability 1 - delta ---------------------------------------------


def _estimation(w: World, lipschitz: Array) -> dict[str, Array]:
    """4 L^2/(delta mu n) with the world's number of samples."""
    n = int(w.original("n")) + 0 * w.level
    return {"4 L^2/(delta mu n)": closed.estimation_upper(lipschitz, w.convexity, n, w.level)}


@statement(
    "hcct.theorem1-deduced", where="Theorem 1", kind="deduction", latex="",
    family=symbols("own_risk risk distance shift estimation"),
    given=[Hypothesis("(34)", _34, lambda w: w.risk + w.distance + w.shift - w.own_risk,
                      "Equation 34"),
           Hypothesis("(35)", r"\epsilon_{G_i}(h)\le\frac{4L^2}{\delta\mu\hat D_{G_i}}", lambda w: w.estimation - w.risk,
                      "Equation 35")],
)
def union_deduced(w: World) -> Sides:
    """(34), and (35) on its event."""
    return {"eps_i": w.own_risk}, {"estimation": w.estimation, "d1": w.distance, "lambda": w.shift}


@statement(
    "hcct.theorem1@loss", where="Theorem 1",
    title="generalisation: one client or a group with one law, d_1 = 0 and lambda = 0",
    latex=r"\Pr\Bigl[\epsilon_i(h)\le\frac{4L^2}{\delta\mu\hat D_{G_i}}+d_1(\hat{\mathcal P}_{G_i},\mathcal P_i)+\lambda\Bigr]\ge1-\delta",
    over="prob", delta=lambda w: w.level, given=DELTA, uses=("hcct.eq34", "hcct.eq35"),
    deduction=union_deduced,
    family=numbers({"chance": Real(0, 1), "convexity": Real(1 / 8, 2, log=True), "level": LEVEL},
                   {"n": 1}, {"n": 4}, {"n": 48},
                   about="means of coins, all samples enumerated: 1, 4, 48"),
    note="""Coins z of chance p, loss mu (w - z)^2/2 on [0, 1], L = mu; w is the sample mean.

    Its risk mu/2 ((w - p)^2 + p (1 - p)) never falls below mu p (1 - p)/2.""",
)
def on_losses(w: World) -> Sides:
    risk = laws.coin_risk(laws.sample_mean(w), w.chance, w.convexity)
    return {"risk": risk}, _estimation(w, w.convexity)


@on_losses.like(
    "hcct.theorem1@loss-exact-labels", latex=on_losses.latex, uses=on_losses.uses,
    deduction=union_deduced,
    family=numbers({"offset": Real(0, 4), "radius": Real(1 / 8, 1, log=True),
                    "convexity": Real(1 / 8, 2, log=True), "level": LEVEL}, {"n": 1}, {"n": 4},
                   about="losses that are not zero for a correct label"),
    note="""One label y, model h(x; w) = w, loss c + mu (w - y)^2/2 on |w - y| <= r, L = mu r.

    Every sample gives the right model, whose risk is c; with c = 0 the claim is 0 <= the bound.""",
)
def on_losses_exact(w: World) -> Sides:
    return {"risk": w.offset}, _estimation(w, w.convexity * w.radius)


@on_losses.like(
    "hcct.theorem1@error-exact-labels", latex=on_losses.latex, uses=on_losses.uses,
    deduction=union_deduced,
    family=numbers({"tilt": Real(1 / 64, 4, unit=(1, -1), log=True),
                    "radius": Real(1 / 64, 1, unit=(0, 1), log=True),
                    "convexity": Real(1 / 8, 8, unit=(1, -2), log=True), "level": LEVEL}, {"n": 1},
                   {"n": 2}, {"n": 4},
                   about="losses that prefer some labels over- and others underestimated"),
    given=[*DELTA, Hypothesis("outputs in [0, 1]", r"\tfrac12\pm\tfrac14\pm r\in[0,1]",
                              lambda w: 1 - 4 * w.radius)],
    note="""h(x; w) = w + b(x) with b = +-1/4, y = h(x; 1/2), |w - 1/2| <= r <= 1/4, x fair.

    The loss is mu (h - y)^2/2 +- tau (h - y), the sign that of b.  The best model is 1/2 and gives
    every label; the minimiser is off by tau |mean sign|/mu, cut at r; L = mu r + tau.  The left
    side is a length (an error of outputs), the right one a loss.""",
)
def on_errors_exact(w: World) -> Sides:
    size = w.tilt * xp.absolute(laws.fair_signs(w)) / w.convexity
    error = xp.minimum(size, w.radius + 0 * size)
    return {"E|h - f|": error}, _estimation(w, w.convexity * w.radius + w.tilt)


# -- the loss is |h - y|: nothing depends on the sample, what has a probability > 0 holds ----------


@on_losses.like(
    "hcct.theorem1@absolute-loss", latex=on_losses.latex, uses=on_losses.uses,
    deduction=union_deduced, over="point", delta=None, title="generalisation: loss |h - y|",
    family=numbers(
        {**laws.LABEL_BOX, "slope": Real(1 / 64, 4, unit=(0, -1), log=True),
         "radius": Real(1 / 64, 1, unit=(0, 1), log=True),
         "convexity": Real(1 / 64, 8, unit=(0, -2), log=True), "level": LEVEL,
         "samples": Real(1, 4096, log=True)},
        *laws.LABEL_SHAPES,
        about="loss |h - y|, outputs in [0, 1], laws on up to three atoms, labels of (29), (30)",
    ),
    given=[*laws.LABELS_EXACT, *DELTA,
           Hypothesis("outputs in [0, 1]", r"s r+\tfrac\mu2r^2\le\tfrac12",
                      lambda w: 1 - 2 * (w.slope * w.radius + w.convexity * w.radius**2 / 2))],
    note="""h(x; w) = f_G(x) +- (s |w| + mu w^2/2) on |w| <= r, the sign such that outputs are in
    [0, 1].

    |h - y| is mu-strongly convex in w and L-Lipschitz, L = s + mu r.  By (30) it vanishes at w = 0
    on every sample, so that w = 0 is the minimiser of every pooled sample and h = f_G.  The group
    holds the data of client i, on which both labelling functions give y: the left side is 0.
    d_1 is the L1 distance of the laws of x; lambda, as printed, is at least minus the mass that the
    group has elsewhere, at most half of d_1.""",
)
def on_absolute_loss(w: World) -> Sides:
    known = Labels(w, True)
    known.model = known.group
    lipschitz = w.slope + w.convexity * w.radius
    return {"E_i|h - f_i|": known.own_error()}, {
        "4 L^2/(delta mu D)": closed.estimation_upper(lipschitz, w.convexity, w.samples, w.level),
        "d1": known.distance(), "lambda": known.printed_lambda(),
    }


_35 = r"\Pr\Bigl[\epsilon_{G_i}(h)\le\frac{4L^2}{\delta\mu\hat D_{G_i}}\Bigr]\ge1-\delta"


@statement(
    "hcct.eq35@absolute-loss", where="Equation 35", kind="proof step",
    title="generalisation: loss |h - y|", latex=_35,
    family=numbers(
        {"error": Real(0, 4), "distance": Real(0, 4, unit=(0, 1)), "level": LEVEL,
         "lipschitz": Real(1 / 8, 8, unit=(0, -1), log=True),
         "convexity": Real(1 / 8, 8, unit=(0, -2), log=True), "samples": Real(1, 512, log=True)},
        about="any loss |h - y| with labels of (30): error and distance of the trained model",
    ),
    given=[*DELTA,
           Hypothesis("strongly convex samples", r"\tfrac\mu2\|\hat{\mathbf w}-\mathbf w^*\|^2\le0",
                      lambda w: -w.convexity * w.distance**2 / 2),
           Hypothesis("L-Lipschitz", r"\epsilon_{G_i}(h)\le L\|\hat{\mathbf w}-\mathbf w^*\|",
                      lambda w: w.lipschitz * w.distance - w.error, "Theorem 1, Equation 30"),
           # this one holds of any numbers; it is what a proof needs
           Hypothesis("a square", r"(8L-\delta\mu\hat D\,\|\hat{\mathbf w}-\mathbf w^*\|)^2\ge0",
                      lambda w: (8 * w.lipschitz
                                 - w.level * w.convexity * w.samples * w.distance) ** 2)],
    note="""Exact labels leave nothing to estimate: the trained model is that of (30), the error is
    0. Its mean loss on the samples is at least 0, which the model of (30) reaches; strong convexity
    between the two leaves no distance, and the error is at most L times the distance.""",
)
def group_error(w: World) -> Sides:
    return {"E_G|h - f_G|": w.error}, {
        "4 L^2/(delta mu D)": closed.estimation_upper(w.lipschitz, w.convexity, w.samples, w.level)
    }


def _rise(w: World) -> Array:
    """l(z + reach; z) - l(z; z) of the loss mu (w - z)^2/2."""
    return w.convexity * w.reach**2 / 2


far_points = Hypothesis(
    "the points are far", r"\mu d\ge4L", lambda w: w.convexity * w.reach - 4 * w.lipschitz)


@on_losses.like(
    "hcct.theorem1@whole-space", latex=on_losses.latex, uses=on_losses.uses,
    deduction=union_deduced, title="generalisation: models in all of R^M",
    family=numbers({"chance": Real(0, 1), "convexity": CURVATURE, "level": LEVEL,
                    "lipschitz": Real(1 / 64, 64, unit=(1, -1), log=True),
                    "reach": Real(1 / 64, 64, unit=(0, 1), log=True)}, {"n": 1}, {"n": 4},
                   about="means of coins, models on the whole line, any L"),
    given=[*DELTA,
           Hypothesis("L-Lipschitz between two points", r"\tfrac\mu2d^2\le Ld",
                      lambda w: w.lipschitz * w.reach - _rise(w), "Theorem 1"), far_points],
    note="One client; the loss mu (w - z)^2/2 at any w, L bounding its slope everywhere.",
)
def on_whole_space(w: World) -> Sides:
    risk = laws.coin_risk(laws.sample_mean(w), w.chance, w.convexity)
    return {"risk": risk}, _estimation(w, w.lipschitz)


EQUATION35 = tuple(
    reading.variant(reading.key.replace("theorem1", "eq35"), where="Equation 35",
                    kind="proof step", latex=_35, uses=(), deduction=None)
    for reading in (on_losses, on_losses_exact, on_errors_exact, on_whole_space)
)


@statement(
    "hcct.theorem1.empty", where="Theorem 1", latex=r"1\le0",
    title="no strongly convex loss is Lipschitz on the whole space",
    family=numbers({"convexity": CURVATURE, "lipschitz": Real(1 / 8, 8, unit=(1, -1), log=True),
                    "reach": Real(1 / 8, 8, unit=(0, 1), log=True),
                    "rise": Real(1 / 8, 8, unit=(1, 0), log=True)}, about="L, mu and two points"),
    given=[Hypothesis("strong convexity from the minimiser", r"l(d)-l(0)\ge\tfrac\mu2d^2",
                      lambda w: w.rise - w.convexity * w.reach**2 / 2, "Theorem 1"),
           Hypothesis("L-Lipschitz between two points", r"l(d)-l(0)\le Ld",
                      lambda w: w.lipschitz * w.reach - w.rise, "Theorem 1"), far_points],
    empties="hcct.theorem1@whole-space",
    lift=lambda w: {
        "convexity": w.convexity, "lipschitz": w.lipschitz, "reach": w.reach, "rise": _rise(w)
    },
    note="A loss that is mu-strongly convex and L-Lipschitz on R^M does not exist.",
    proof="""At a distance d >= 4 L/mu from its minimiser such a loss has risen by at least
    mu d^2/2 >= 2 L d, and by at most L d.""",
)
def empty(w: World) -> Sides:
    return {"1": 1}, {"0": 0}


empty_35 = empty.variant("hcct.eq35.empty", where="Equation 35", empties="hcct.eq35@whole-space")
