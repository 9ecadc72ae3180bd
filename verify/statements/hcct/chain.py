"""Equation 33, step by step, and what Remark 1 makes of the bound."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bounds import generic as xp
from bounds.hcct import divergence as distance
from bounds.hcct import generalization as closed
from verify.claim import Array, Hypothesis, Real, Sides, Terms, numbers, statement
from verify.statements.hcct.quantities.laws import (
    DELTA,
    LABELS,
    LABELS_EXACT,
    LAWS_EXIST,
    SLOPE_BOX,
    UNIT_LABELS,
    Labels,
    Slopes,
    in_unit,
)
from verify.statements.hcct.quantities.symbols import LEVEL, SHARE
from verify.world.world import World


def _right_side(w: World, size: Array, divergence: Array) -> Terms:
    """The bound with this number of samples and this d_1."""
    estimation = closed.estimation_upper(w.lipschitz, w.convexity, size, w.level)
    return {"estimation": estimation, "d1 + lambda": divergence + w.shift}


@statement(
    "hcct.remark1/samples@promised",
    where="Remark 1",
    kind="remark",
    title="more samples",
    latex=r"\text{test error decreases with larger }\hat D\text{ or smaller }d_1",
    given=DELTA,
    family=numbers(
        {
            "lipschitz": Real(1 / 8, 8, log=True),
            "convexity": Real(1 / 8, 8, log=True),
            "level": LEVEL,
            "size": Real(1, 64, log=True),
            "more": Real(0, 64),
            "distance": Real(0, 2),
            "closer": Real(0, 2),
            "shift": Real(-1, 1),
        },
        about="any constants of the bound",
    ),
)
def larger(w: World) -> Sides:
    return _right_side(w, w.size + w.more, w.distance), _right_side(w, w.size, w.distance)


@larger.like(
    "hcct.remark1/samples@measured",
    latex=larger.latex,
    given=(),
    family=numbers(
        {k: SLOPE_BOX[k] for k in ("chance", "slope", "slope2", "radius", "convexity")},
        {"n": 1, "later": 2},
        {"n": 1, "later": 3},
        {"n": 2, "later": 3},
        about="losses of one curvature and two slopes, all samples enumerated",
    ),
    note="""One client: mean risk of the minimiser of n samples, less the smallest risk.

    A rare steep slope outvotes the others in every sample that has it, and two samples have it
    more often than one.""",
)
def more_samples(w: World) -> Sides:
    later, before = (Slopes(w).mean_excess(int(w.original(k))) for k in ("later", "n"))
    return {"error": later}, {"error before": before}


@larger.like("hcct.remark1/divergence@promised", title="closer laws", latex=larger.latex)
def nearer(w: World) -> Sides:
    return _right_side(w, w.size, w.distance - w.closer), _right_side(w, w.size, w.distance)


def _d1(w: World, share: Array) -> Array:
    """What the group has where the client has nothing, twice."""
    others = int(w.original("others"))
    return 2 * others * (1 - share) / (others + 1)


def _pooled_error(w: World, share: Array) -> Array:
    """E|h - f_i| where the samples of others are of the client's law with this chance."""
    others, law = int(w.original("others")), {0: 1 + 0 * share}
    for draw in range(others + 1):
        moved = 1 + 0 * share if draw == 0 else share
        drawn: dict[int, Array] = {}
        for total, weight in law.items():
            for sign, part in ((1, moved / 2), (-1, moved / 2), (0, 1 - moved)):
                drawn[total + sign] = drawn.get(total + sign, 0 * share) + weight * part
        law = drawn
    steep = w.tilt / (w.convexity * (others + 1))
    off = {total: xp.minimum(abs(total) * steep, w.radius) for total in law}
    return sum(weight * off[total] for total, weight in law.items())


@larger.like(
    "hcct.remark1/divergence@measured",
    title="closer laws",
    latex=larger.latex,
    family=numbers(
        {
            "tilt": Real(1 / 64, 4, unit=(1, -1), log=True),
            "radius": Real(1 / 64, 1, unit=(0, 1), log=True),
            "convexity": Real(1 / 8, 8, unit=(1, -2), log=True),
            "near": SHARE,
            "far": SHARE,
        },
        {"others": 1},
        {"others": 3},
        about="one sample of the client, one or three of others, labels that agree everywhere",
    ),
    given=[
        Hypothesis(
            "d1 smaller",
            r"d_1(\hat{\mathcal P}_{G_i},\mathcal P_i)<d_1(\hat{\mathcal P}_{G_i'},\mathcal P_i)",
            lambda w: _d1(w, w.far) - _d1(w, w.near),
            "Remark 1",
            strict=True,
        )
    ],
    note="""h(x; w) = w + b(x), y = h(x; 1/2) for every client, |w - 1/2| <= r. The client's x gives
    the loss mu (h - y)^2/2 a tilt +- tau (h - y) of a fair sign; those of others are of its law with
    the chance p, else at a third place, without a tilt, so that d_1 = 2 (1 - p) of their share.

    h is the minimiser of the pooled samples, of as many in either group. Samples of the same law
    bring the noise of that law.""",
)
def errors(w: World) -> Sides:
    near, far = _pooled_error(w, w.near), _pooled_error(w, w.far)
    return {"error in the near group": near}, {"error in the far group": far}


def _risks(w: World) -> tuple[Array, Array, Array]:
    """eps_i(h, f_i), eps_G(h, f_G) and eps_G(h, f_i), any labels."""
    known = Labels(w, False)
    return known.own_error(), known.group_error(), known.group_error(known.own)


@statement(
    "hcct.thm1.chain/a",
    where="Equation 33",
    kind="proof step",
    title="add and subtract",
    latex=r"\epsilon_i=\epsilon_i-\epsilon_G+\epsilon_G-\epsilon_G(h,f_i)+\epsilon_G(h,f_i)",
    relation="==",
    family=LABELS,
    given=LAWS_EXIST,
)
def add_and_subtract(w: World) -> Sides:
    own, group, mixed = _risks(w)
    return {"eps_i": own}, {"a": own - group, "b": group - mixed, "c": mixed}


@statement(
    "hcct.thm1.chain/b-deduced",
    where="Equation 33",
    kind="deduction",
    latex="",
    family=numbers(
        {k: Real(-2, 2) for k in ("own", "group", "mixed", "first", "second")}, about="free symbols"
    ),
    given=[
        Hypothesis(
            "first",
            r"|\epsilon_{G_i}(h,f_i)-\epsilon_{G_i}(h)|\ge\epsilon_{G_i}(h,f_i)-\epsilon_{G_i}(h)",
            lambda w: w.first - (w.mixed - w.group),
        ),
        Hypothesis(
            "second",
            r"|\epsilon_i(h,f_i)-\epsilon_{G_i}(h,f_i)|\ge\epsilon_i(h)-\epsilon_{G_i}(h,f_i)",
            lambda w: w.second - (w.own - w.mixed),
        ),
    ],
)
def triangle_deduced(w: World) -> Sides:
    """first and second are at least what they are the absolute values of."""
    return {"own": w.own}, {"group": w.group, "|b|": w.first, "|c|": w.second}


@add_and_subtract.like(
    "hcct.thm1.chain/b",
    title="absolute values",
    relation="<=",
    deduction=triangle_deduced,
    latex=r"\epsilon_i\le\epsilon_G+|\epsilon_G(h,f_i)-\epsilon_G|+|\epsilon_i(h,f_i)-\epsilon_G(h,f_i)|",
    note="With eps_i(h) = eps_i(h, f_i), the reading of an absolute error.",
)
def triangle(w: World) -> Sides:
    own, group, mixed = _risks(w)
    return {"eps_i": own}, {
        "eps_G": group,
        "|b|": xp.absolute(mixed - group),
        "|c|": xp.absolute(own - mixed),
    }


@triangle_deduced.like(
    "hcct.thm1.chain/c-deduced",
    latex="",
    given=[
        Hypothesis("|b| >= 0", r"|\epsilon_{G_i}(h,f_i)-\epsilon_{G_i}(h)|\ge0", lambda w: w.first),
        Hypothesis(
            "|b| <= E|f_G - f_i|",
            r"|\epsilon_{G_i}(h,f_i)-\epsilon_{G_i}(h)|\le\mathbb E_{\hat{\mathcal P}_{G_i}}|f_{G_i}-f_i|",
            lambda w: w.group - w.first,
        ),
        Hypothesis(
            "E|f_G - f_i| >= E[f_G - f_i]",
            r"\mathbb E_{\hat{\mathcal P}_{G_i}}|f_{G_i}-f_i|\ge\mathbb E_{\hat{\mathcal P}_{G_i}}[f_{G_i}-f_i]",
            lambda w: w.group - w.second,
        ),
        Hypothesis(
            "E|f_G - f_i| >= -E[f_G - f_i]",
            r"\mathbb E_{\hat{\mathcal P}_{G_i}}|f_{G_i}-f_i|\ge-\mathbb E_{\hat{\mathcal P}_{G_i}}[f_{G_i}-f_i]",
            lambda w: w.group + w.second,
        ),
    ],
)
def signed_deduced(w: World) -> Sides:
    return {"|b|": w.first}, {"E[f_G - f_i]": w.second}


def _labels(w: World, exact: bool, printed: bool) -> Sides:
    known = Labels(w, exact)
    gap = known.group - known.own
    moved = xp.absolute(known.group_error(known.own) - known.group_error(known.group))
    right = xp.total(known.group_law * (gap if printed else xp.absolute(gap)))
    return {"change of the error": moved}, {"E[f_G - f_i]": right}


labels = triangle.like(
    "hcct.thm1.chain/c",
    title="labels",
    deduction=signed_deduced,
    given=LABELS_EXACT,
    latex=r"|\epsilon_{G_i}(h,f_i)-\epsilon_{G_i}(h)|\le\mathbb E_{\hat{\mathcal P}_{G_i}}[f_{G_i}-f_i]",
    note="""Signed difference of the labels against |E|h - f_i| - E|h - f_G||. The means of the
    absolute values obey such a bound, with |f_G - f_i|.""",
)(partial(_labels, exact=True, printed=True))
labels_repaired = labels.variant(
    "hcct.thm1.chain.repaired/c",
    deduction=None,
    given=LAWS_EXIST,
    note="Absolute difference of the labels.",
    proof="||a| - |b|| <= |a - b| under the mean.",
    sides=partial(_labels, exact=False, printed=False),
    latex=r"|\epsilon_{G_i}(h,f_i)-\epsilon_{G_i}(h)|\le\mathbb E_{\hat{\mathcal P}_{G_i}}|f_{G_i}-f_i|",
)


@triangle.like(
    "hcct.thm1.chain/d",
    title="laws",
    latex=r"|\epsilon_i(h,f_i)-\epsilon_G(h,f_i)|\le\int|\hat{\mathcal P}_{G_i}-\mathcal P_i|\,|h-f_i|",
    note="Tight where h - f_i is constant on the places at which one law exceeds the other.",
)
def masses(w: World) -> Sides:
    known, (own, _, mixed) = Labels(w, False), _risks(w)
    gap = xp.absolute(known.group_law - known.own_law) * xp.absolute(known.model - known.own)
    return {"|eps_i - eps_G(h, f_i)|": xp.absolute(own - mixed)}, {"integral": xp.total(gap)}


def _divergence(w: World, measure: Callable[[Array, Array], Array]) -> Sides:
    known = Labels(w, False)
    return masses(w)[1], {"d1": measure(known.group_law, known.own_law)}


divergence = triangle.like(
    "hcct.thm1.chain/e@integral",
    title="divergence",
    latex=r"\int|\hat{\mathcal P}_{G_i}-\mathcal P_i|\,|h-f_i|\le d_1(\hat{\mathcal P}_{G_i},\mathcal P_i)",
    note="No range of outputs is printed. Atoms stand in the order of their places.",
)(partial(_divergence, measure=distance.l1_distance))
divergence_of_thresholds = divergence.variant(
    "hcct.thm1.chain/e@h-divergence",
    sides=partial(_divergence, measure=distance.threshold_divergence),
)
divergence_repaired = divergence.variant(
    "hcct.thm1.chain.repaired/e",
    family=UNIT_LABELS,
    given=(*LAWS_EXIST, in_unit),
    note="Outputs in [0, 1] and the L1 distance.",
    proof="|h - f_i| <= 1 there.",
)


def _other_order(w: World) -> Sides:
    known = Labels(w, True)
    return {"eps_i": known.own_error()}, {
        "eps_G": known.group_error(),
        "E_i[f_G - f_i]": known.shifts()[0],
        "d1": known.distance(),
    }


other = triangle.like(
    "hcct.thm1.chain/other",
    title="the other order",
    given=LABELS_EXACT,
    latex=r"\epsilon_i(h)\le\epsilon_{G_i}(h)+\mathbb E_{\mathcal P_i}[f_{G_i}-f_i]+d_1",
    note="E_i[f_G - f_i] in place of E_G[f_G - f_i]; no range of outputs is printed.",
)(_other_order)
other_repaired = other.variant(
    "hcct.thm1.chain.repaired/other",
    family=UNIT_LABELS,
    given=(*LABELS_EXACT, in_unit),
    note="Outputs in [0, 1].",
    proof="""E_i|h - f_i| = E_i|h - f_G| by (29) and (30), and the laws differ by d_1 while
    |h - f_G| <= 1; E_i[f_G - f_i] = 0.""",
)
