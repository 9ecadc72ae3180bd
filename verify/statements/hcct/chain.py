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
from verify.statements.hcct.quantities.symbols import LEVEL
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


def _law(w: World, name: str) -> Array:
    mass = w.symbol(name)
    return mass / xp.total(mass)[..., None]


def _near_and_far(w: World) -> Array:
    """d_1 of the far group less that of the near one."""
    own = _law(w, "own_law")
    near, far = (distance.l1_distance(_law(w, k), own) for k in ("law", "law2"))
    return far - near


@larger.like(
    "hcct.remark1/divergence@measured",
    title="closer laws",
    latex=larger.latex,
    family=numbers(
        {
            **dict.fromkeys(("own_law", "law", "law2"), Real(1 / 64, 1, per=("n",))),
            **dict.fromkeys(("own", "labels", "labels2"), Real(0, 1, per=("n",))),
        },
        {"n": 1},
        {"n": 2},
        about="two groups that know their labelling function exactly",
    ),
    given=[
        Hypothesis(
            "d1 smaller",
            r"d_1(\hat{\mathcal P}_{G_i},\mathcal P_i)\le d_1(\hat{\mathcal P}_{G_i'},\mathcal P_i)",
            _near_and_far,
            "Remark 1",
        )
    ],
    note="h = f_G of each group: E_i|f_G - f_i| in the group of smaller d_1 against the other.",
)
def errors(w: World) -> Sides:
    own = _law(w, "own_law")
    gaps = [xp.total(own * xp.absolute(w.symbol(k) - w.own)) for k in ("labels", "labels2")]
    return {"error of the near group": gaps[0]}, {"error of the far group": gaps[1]}


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
