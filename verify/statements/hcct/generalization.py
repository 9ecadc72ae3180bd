"""Theorem 1 with its two ingredients, as indicators against delta on enumerated samples.

Open are the domain of the models, R^M or a bounded one, and the risk, an expected loss or an
absolute error.  The labels are those of Equations 29 and 30; where the risk is a loss, a loss that
is not zero for a correct label decides, and where it is an error, one that prefers some labels.
The model is always the minimiser of the pooled empirical loss, the kindest choice of "a prediction
function".  The domain is R^M in Equations 1 and 3, where no loss is strongly convex and Lipschitz.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bounds import generic as xp
from bounds.hcct import generalization as closed
from bounds.hcct.divergence import l1_distance, threshold_divergence
from verify.claim import Array, Hypothesis, Real, Sides, numbers, statement
from verify.statements.hcct.quantities import laws
from verify.statements.hcct.quantities.laws import DELTA, Labels
from verify.statements.hcct.quantities.symbols import CURVATURE, LEVEL, symbols
from verify.world.world import World

_34 = r"\epsilon_i(h)\le\epsilon_{G_i}(h)+d_1(\hat{\mathcal P}_{G_i},\mathcal P_i)+\lambda"


def _gap(w: World, exact: bool, printed: bool, measure: Callable[..., Array]) -> Sides:
    known = Labels(w, exact)
    laws_and_labels = known.own, known.group, known.own_law, known.group_law
    shift = known.printed_lambda() if printed else closed.label_shift(*laws_and_labels)
    distance = measure(known.group_law, known.own_law)
    right = closed.error_gap_upper(known.group_error(), distance, shift)
    return {"eps_i(h)": known.own_error()}, right


_PRINTED = partial(_gap, exact=True, printed=True)
gap = statement(
    "hcct.eq34@integral",
    where="Equation 34",
    kind="proof step",
    latex=_34,
    title="from the group to the client",
    family=laws.LABELS,
    given=laws.LABELS_EXACT,
    uses=("hcct.thm1.chain",),
    note="""Absolute errors and the labels of (29) and (30). No range of outputs is printed, and
    d_1 is a pure number: where h errs by more than one on client i's data alone, the error of the
    client exceeds that of the group by more than any d_1.""",
)(partial(_PRINTED, measure=l1_distance))
gap_h = gap.variant("hcct.eq34@h-divergence", sides=partial(_PRINTED, measure=threshold_divergence))
gap_repaired = gap.variant(
    "hcct.eq34.repaired",
    title="from the group to the client, outputs in [0, 1]",
    uses=(),
    family=laws.UNIT_LABELS,
    given=(*laws.LABELS_EXACT, laws.in_unit),
    note="Outputs in [0, 1], d_1 the L1 distance of the laws of x.",
    proof="""Labels as in (29) and (30): f_G = f_i on the data of client i, so that lambda is at
    least minus the mass of the group outside these data, which is at most half of d_1, and
    E_i|h - f_G| exceeds E_G|h - f_G| by at most the other half.""",
)
gap_refined = gap_repaired.variant(
    "hcct.eq34.refined",
    title="from the group to the client, any labels",
    given=(*laws.LAWS_EXIST, laws.in_unit),
    proof="""E_i|h - f_i| <= E_G|h - f_i| + d_1 since |h - f_i| <= 1, and E_G|h - f_i| <=
    E_G|h - f_G| + E_G|f_G - f_i|; in the other order E_i|h - f_i| <= E_i|h - f_G| +
    E_i|f_G - f_i| <= E_G|h - f_G| + d_1 + E_i|f_G - f_i|.""",
    latex=_34
    + r",\ \lambda=\min\{\mathbb E_{\mathcal P_i}|f_{G_i}-f_i|,\mathbb E_{\hat{\mathcal P}_{G_i}}|f_{G_i}-f_i|\}",
    sides=partial(_gap, exact=False, printed=False, measure=l1_distance),
)

# -- (35) and Theorem 1: with probability 1 - delta ---------------------------------------------


def _estimation(w: World, lipschitz: Array) -> dict[str, Array]:
    """4 L^2/(delta mu n) with the world's number of samples."""
    n = int(w.original("n")) + 0 * w.level
    return {"4 L^2/(delta mu n)": closed.estimation_upper(lipschitz, w.convexity, n, w.level)}


@statement(
    "hcct.theorem1-deduced",
    where="Theorem 1",
    kind="deduction",
    latex="",
    family=symbols("own_risk risk distance shift estimation"),
    given=[
        Hypothesis(
            "(34)", _34, lambda w: w.risk + w.distance + w.shift - w.own_risk, "Equation 34"
        ),
        Hypothesis(
            "(35)",
            r"\epsilon_{G_i}(h)\le\frac{4L^2}{\delta\mu\hat D_{G_i}}",
            lambda w: w.estimation - w.risk,
            "Equation 35",
        ),
    ],
)
def union_deduced(w: World) -> Sides:
    """(34), and (35) on its event."""
    return {"eps_i": w.own_risk}, {"estimation": w.estimation, "d1": w.distance, "lambda": w.shift}


@statement(
    "hcct.theorem1@bounded+loss",
    where="Theorem 1",
    title="generalisation: one client",
    latex=r"\Pr\Bigl[\epsilon_i(h)\le\frac{4L^2}{\delta\mu\hat D_{G_i}}+d_1(\hat{\mathcal P}_{G_i},\mathcal P_i)+\lambda\Bigr]\ge1-\delta",
    over="prob",
    delta=lambda w: w.level,
    given=DELTA,
    uses=("hcct.eq34", "hcct.eq35"),
    deduction=union_deduced,
    family=numbers(
        {
            "offset": Real(0, 4),
            "radius": Real(1 / 8, 1, log=True),
            "convexity": Real(1 / 8, 2, log=True),
            "level": LEVEL,
        },
        {"n": 1},
        {"n": 4},
        about="losses that are not zero for a correct label",
        grow=(),
    ),
    note="""One client, d_1 = 0 and lambda = 0, one label y as (29) and (30) ask, model h(x; w) = w,
    loss c + mu (w - y)^2/2 on |w - y| <= r, L = mu r.

    Every sample gives the right model, whose risk is c: no number of samples makes it smaller than
    the least risk that there is. With c = 0 the claim is 0 <= the bound. Coins of chance p, whose
    risk never falls below mu p (1 - p)/2, show the same without a constant, but their labels are no
    function of x.""",
)
def on_losses(w: World) -> Sides:
    return {"risk": w.offset}, _estimation(w, w.convexity * w.radius)


@on_losses.like(
    "hcct.theorem1@bounded+error",
    latex=on_losses.latex,
    uses=on_losses.uses,
    deduction=union_deduced,
    family=numbers(
        {
            "tilt": Real(1 / 64, 4, unit=(1, -1), log=True),
            "radius": Real(1 / 64, 1, unit=(0, 1), log=True),
            "convexity": Real(1 / 8, 8, unit=(1, -2), log=True),
            "level": LEVEL,
        },
        {"n": 1},
        {"n": 2},
        {"n": 4},
        about="losses that prefer some labels over- and others underestimated",
        grow=(),
    ),
    note="""One client, d_1 = 0 and lambda = 0. h(x; w) = w + b(x) with b = +-1/4, y = h(x; 1/2) as
    (29) and (30) ask, |w - 1/2| <= r, x fair.

    The loss is mu (h - y)^2/2 +- tau (h - y), the sign that of b.  The best model is 1/2 and gives
    every label; the minimiser is off by tau |mean sign|/mu, cut at r; L = mu r + tau.  The left
    side is a length (an error of outputs), the right one a loss.""",
)
def on_errors(w: World) -> Sides:
    size = w.tilt * xp.absolute(laws.fair_signs(w)) / w.convexity
    error = xp.minimum(size, w.radius + 0 * size)
    return {"E|h - f|": error}, _estimation(w, w.convexity * w.radius + w.tilt)


_35 = r"\Pr\Bigl[\epsilon_{G_i}(h)\le\frac{4L^2}{\delta\mu\hat D_{G_i}}\Bigr]\ge1-\delta"


def _rise(w: World) -> Array:
    """l(z + d; z) - l(z; z) = mu d^2/2 of the loss mu (w - z)^2/2 at d = 4 L/mu."""
    return 8 * w.lipschitz**2 / w.convexity


@on_losses.like(
    "hcct.theorem1@whole-space",
    latex=on_losses.latex,
    uses=on_losses.uses,
    deduction=union_deduced,
    title="generalisation: models in all of R^M",
    family=numbers(
        {
            "chance": Real(0, 1, domain=(0, 1)),
            "convexity": CURVATURE,
            "level": LEVEL,
            "lipschitz": Real(1 / 64, 64, unit=(1, -1), log=True),
        },
        {"n": 1},
        {"n": 4},
        about="means of coins, models on the whole line, any L",
        grow=(),
    ),
    given=[
        *DELTA,
        Hypothesis(
            "L-Lipschitz everywhere",
            r"|l(z+d)-l(z)|\le Ld\text{ for all }d",
            lambda w: 4 * w.lipschitz**2 / w.convexity - _rise(w),
            "Theorem 1",
        ),
    ],
    note="""One client; the loss mu (w - z)^2/2 at any w, L bounding its slope everywhere, which is
    looked at between z and z + 4 L/mu.""",
)
def on_whole_space(w: World) -> Sides:
    risk = laws.coin_risk(laws.sample_mean(w), w.chance, w.convexity)
    return {"risk": risk}, _estimation(w, w.lipschitz)


EQUATION35 = tuple(
    reading.variant(
        reading.key.replace("theorem1", "eq35"),
        where="Equation 35",
        kind="proof step",
        latex=_35,
        uses=(),
        deduction=None,
    )
    for reading in (on_losses, on_errors, on_whole_space)
)


@statement(
    "hcct.theorem1.empty",
    where="Theorem 1",
    latex=r"1\le0",
    title="no strongly convex loss is Lipschitz on the whole space",
    family=numbers(
        {
            "convexity": CURVATURE,
            "lipschitz": Real(1 / 8, 8, unit=(1, -1), log=True),
            "rise": Real(1 / 8, 8, unit=(1, 0), log=True),
        },
        about="L, mu and what the loss rises at a distance of 4 L/mu",
    ),
    given=[
        Hypothesis(
            "strong convexity from the minimiser",
            r"l(z+d)-l(z)\ge\tfrac\mu2d^2,\ d=4L/\mu",
            lambda w: w.rise - 8 * w.lipschitz**2 / w.convexity,
            "Theorem 1",
        ),
        Hypothesis(
            "L-Lipschitz everywhere",
            r"l(z+d)-l(z)\le Ld,\ d=4L/\mu",
            lambda w: 4 * w.lipschitz**2 / w.convexity - w.rise,
            "Theorem 1",
        ),
    ],
    empties="hcct.theorem1@whole-space",
    lift=lambda w: {"convexity": w.convexity, "lipschitz": w.lipschitz, "rise": _rise(w)},
    note="A loss that is mu-strongly convex and L-Lipschitz on R^M does not exist.",
    proof="""At a distance d = 4 L/mu from its minimiser such a loss has risen by at least
    mu d^2/2 = 8 L^2/mu, and by at most L d = 4 L^2/mu.""",
)
def empty(w: World) -> Sides:
    return {"1": 1}, {"0": 0}


empty_35 = empty.variant("hcct.eq35.empty", where="Equation 35", empties="hcct.eq35@whole-space")
empty_assumption = empty.variant(
    "hcct.assT1.empty",
    kind="assumption",
    empties="hcct.assT1@whole-space",
    lift=lambda w: {"convexity": w.curvature, "lipschitz": w.lipschitz, "rise": w.rise},
)
