"""What the paper defines and assumes.

Definitions and algorithms are listed with their kind, without a verdict.  Of the assumptions on
losses and gradients there are families that meet them, and one that cannot.
"""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Real, Sides, described, numbers, statement
from verify.statements.hcct.quantities.symbols import CURVATURE, LENGTH, POINTS
from verify.world.world import World

_DEFINITIONS = (
    (
        "hcct.def.clients",
        "Section 3",
        r"\mathcal N=\{1,\dots,N\},\ D_i=|\mathcal D_i^{tr}|",
        "clients and their data",
    ),
    (
        "hcct.def.risk",
        "Equation 1",
        r"\epsilon_i(h)=\mathbb E_{\mathcal P_i^{te}}[l(h(\mathbf x;\mathbf w),y)]",
        "local risk",
    ),
    (
        "hcct.def.same",
        "Equation 2",
        r"\mathcal P_i^{te}=\mathcal P_i^{tr}=\mathcal P_i",
        "no shift between training and test",
    ),
    (
        "hcct.def.grouprisk",
        "Equation 3",
        r"\epsilon_k(h)=\mathbb E_{\hat{\mathcal P}_k^{tr}}[l(h(\mathbf x;\mathbf w),y)]",
        "group risk",
    ),
    (
        "hcct.def.local",
        "Equation 4",
        r"\mathbf w_i^{t,q+1}=\mathbf w_i^{t,q}-\eta^t\sum_{\mathcal B_i^{t,q}}\nabla l",
        "local step",
    ),
    (
        "hcct.def.update",
        "Equation 5",
        r"\mathbf g_i^t=\sum_{q=1}^Q\frac1{|\mathcal B_i^{t,q}|}\sum_{\mathcal B_i^{t,q}}\nabla l",
        "uploaded update",
    ),
    (
        "hcct.def.agg",
        "Equation 6",
        r"\hat{\mathbf w}^{t+1}=\hat{\mathbf w}^t-\eta^t\sum_i\frac{D_i}{\hat D}\mathbf g_i^t",
        "server step",
    ),
    (
        "hcct.def.J",
        "Equation 21",
        r"J_i(\mathbf w)=\frac1{D_i}\sum_{\mathcal D_i^{tr}}l",
        "empirical loss",
    ),
    ("hcct.def.a", "Section 6", r"a_i^t=D_i/\hat D_{G_i^t}", "weights in a group"),
    (
        "hcct.def.d1",
        "Theorem 1",
        r"d_1(\hat{\mathcal P}_{G_i},\mathcal P_i)=\int|\hat{\mathcal P}_{G_i}-\mathcal P_i|",
        "divergence of laws",
    ),
    (
        "hcct.def.lambda",
        "Theorem 1",
        r"\lambda=\min\{\mathbb E_{\mathcal P_i}[f_{G_i}-f_i],\mathbb E_{\hat{\mathcal P}_{G_i}}[f_{G_i}-f_i]\}",
        "difference of the labelling functions",
    ),
    (
        "hcct.def.sim",
        "Equation 8",
        r"s(i,G)=\cos\langle\mathbf g_i,\hat{\mathbf g}_G\rangle",
        "similarity",
    ),
    ("hcct.def.utility", "Equation 9", r"U_i(G)=-\alpha/\hat D_G+s(i,G)+\beta", "utility"),
    (
        "hcct.def.P1",
        "Equations 10 and 11",
        r"\max_\Pi\sum_iU_i\ \text{over all partitions}",
        "partition problem",
    ),
    (
        "hcct.def.groupU",
        "Equations 12 and 14",
        r"\hat U_k=\sum_{i\in\mathcal C_k}U_i",
        "group utility",
    ),
    (
        "hcct.def.benefit",
        "Equations 13 and 15",
        r"B(k_1,k_2)=\hat U_{k'}-\hat U_{k_1}-\hat U_{k_2}",
        "benefit of a merge",
    ),
    ("hcct.def.argmax", "Equation 16", r"(k_1^*,k_2^*)=\arg\max B(k_1,k_2)", "merge rule"),
    (
        "hcct.def.stop",
        "Equation 17",
        r"K=1\ \text{or}\ B(k_1,k_2)\le0\ \forall k_1\ne k_2",
        "stopping rule",
    ),
    (
        "hcct.def.layer",
        "Equations 18 to 20",
        r"l^*=\arg\max_l\mathrm{Var}(\mathbf g[l])/\mathrm{Mean}(\mathbf g[l])",
        "layer of HCCT-E",
    ),
    (
        "hcct.assLab",
        "Equations 29 and 30",
        r"y=f_i(\mathbf x;\mathbf w_i^*)\ \text{on}\ \mathcal D_i^{te},\ y=f_{G_i}(\mathbf x;\hat{\mathbf w}_{G_i}^*)\ \text{on}\ \hat{\mathcal D}_{G_i}^{tr}",
        "labelling functions",
    ),
    (
        "hcct.assRisk",
        "Equations 31 and 32",
        r"\epsilon_i(h,f_{G_i})=\mathbb E_{\mathcal P_i}|h-f_{G_i}|,\ \epsilon_{G_i}(h,f_i)=\mathbb E_{\hat{\mathcal P}_{G_i}}|h-f_i|",
        "auxiliary risks",
    ),
)
_ALGORITHMS = (
    ("hcct.alg1", "Algorithm 1", r"\text{partition, average, train, aggregate}", "HCCT"),
    ("hcct.alg2", "Algorithm 2", r"\text{merge the pair of largest benefit}", "client partition"),
    ("hcct.alg.fig2", "Figure 2", r"\{1,2,3\},\{4,5\},\{6\}", "worked example"),
    (
        "hcct.alg.hccte",
        "Section 5.2",
        r"s(i,G)=\cos\langle\mathbf g_i[l^*],\mathbf g_G[l^*]\rangle",
        "HCCT-E",
    ),
    ("hcct.alg.hcctp", "Section 5.1", r"\text{shared extractor, own classifier}", "HCCT-P"),
    (
        "hcct.alg.newclient",
        "Section 5",
        r"\text{group of the largest utility}",
        "clients that join later",
    ),
)

DEFINITIONS = tuple(described(key, "definition", *entry) for key, *entry in _DEFINITIONS)
ALGORITHMS = tuple(described(key, "algorithm", *entry) for key, *entry in _ALGORITHMS)


_INSIDE = Real(-1, 1, domain=(-1, 1))


@statement(
    "hcct.assT1@bounded",
    where="Theorem 1",
    kind="assumption",
    title="on a bounded domain",
    latex=r"l\ \mu\text{-strongly convex and }L\text{-Lipschitz}",
    family=numbers(
        {
            "curvature": CURVATURE,
            "radius": Real(1 / 8, 4, unit=(0, 1), log=True),
            "first": _INSIDE,
            "second": _INSIDE,
        },
        about="mu w^2/2 on [-r, r]",
    ),
    note="""l(w) = mu w^2/2 is mu-strongly convex, and on [-r, r] it is mu r-Lipschitz; tight at the
    end.""",
)
def bounded(w: World) -> Sides:
    u, v = w.first * w.radius, w.second * w.radius
    moved = xp.absolute(u**2 - v**2) * w.curvature / 2
    return {"|l(u) - l(v)|": moved}, {"L |u - v|": w.curvature * w.radius * xp.absolute(u - v)}


@bounded.like(
    "hcct.assT1@whole-space",
    title="on the whole space",
    quantifier="some",
    given=[
        Hypothesis(
            "L-Lipschitz everywhere",
            r"|l(u)-l(v)|\le L|u-v|\text{ for all }u,v",
            lambda w: 4 * w.lipschitz**2 / w.curvature - w.rise,
            "Theorem 1",
        )
    ],
    latex=bounded.latex,
    defines={"rise": lambda w: 8 * w.lipschitz**2 / w.curvature},
    family=numbers(
        {"curvature": CURVATURE, "lipschitz": Real(1 / 8, 8, unit=(1, -1), log=True)},
        about="any strong convexity, any Lipschitz constant",
    ),
    note="Whether a loss meets it: none does, see assT1.empty.",
)
def whole_line(w: World) -> Sides:
    return {"rise over 4 L/mu": w.rise}, {"L times 4 L/mu": 4 * w.lipschitz**2 / w.curvature}


@statement(
    "hcct.ass1",
    where="Assumption 1",
    kind="assumption",
    title="smoothness",
    latex=r"\|\nabla J_i(\mathbf w_1)-\nabla J_i(\mathbf w_2)\|\le L\|\mathbf w_1-\mathbf w_2\|",
    family=numbers(
        {
            "bend": Real(-8, 8, unit=(1, -2), per=("N",)),
            "optimum": POINTS,
            "first": LENGTH,
            "second": LENGTH,
        },
        {"N": 2},
        {"N": 3},
        about="parabolas on the line, up or down",
    ),
    note="J_i = b_i (w - m_i)^2/2 with L the largest |b_i|; no convexity asked for.",
)
def smooth(w: World) -> Sides:
    top = xp.largest(xp.absolute(w.bend))
    moved = xp.largest(xp.absolute(w.bend * (w.first - w.second)[..., None]))
    return {"|grad difference|": moved}, {"L |w_1 - w_2|": top * xp.absolute(w.first - w.second)}


def _drawn(w: World) -> Array:
    """Gradients w - z of a sample drawn at random, (B, n)."""
    n = int(w.original("n"))
    w.outcome_weights = w.array([1] * n)[None] / n
    return (w.original("model")[..., None] - w.original("data"))[..., 0, :]


@statement(
    "hcct.ass2/unbiased",
    where="Assumption 2",
    kind="assumption",
    title="unbiased batches",
    latex=r"\mathbb E[\mathbf g]=\nabla J_i(\mathbf w)",
    relation="==",
    family=numbers(
        {"data": Real(-2, 2, unit=(0, 1), per=("n",)), "model": LENGTH},
        {"n": 2},
        {"n": 3},
        about="batches of one sample, mean estimation",
    ),
)
def unbiased(w: World) -> Sides:
    return {"E gradient": w.mean(_drawn(w))}, {"gradient": w.model - xp.mean(w.data)}


@unbiased.like(
    "hcct.ass2/variance",
    title="variance",
    relation="<=",
    latex=r"\mathbb E\|\mathbf g-\nabla J_i(\mathbf w)\|^2\le\sigma^2",
    note="sigma^2 = mean z^2 - (mean z)^2, the same at every model.",
)
def variance(w: World) -> Sides:
    spread = xp.mean(w.data**2) - xp.mean(w.data) ** 2
    centre = w.original("model") - xp.mean(w.original("data"))
    return {"E|g - grad|^2": w.mean((_drawn(w) - centre) ** 2)}, {"sigma^2": spread}


@statement(
    "hcct.ass3",
    where="Assumption 3",
    kind="assumption",
    title="gradient similarity",
    latex=r"\|\nabla J_i(\mathbf w)-\nabla J_j(\mathbf w)\|\le\kappa_{i,j}",
    family=numbers(
        {"curvature": CURVATURE, "optimum": POINTS, "model": LENGTH},
        {"N": 2},
        {"N": 3},
        about="parabolas of one curvature",
    ),
    note="grad J_0 - grad J_1 = h (m_1 - m_0) at every model.",
)
def similar(w: World) -> Sides:
    kappa = w.curvature * xp.absolute(w.optimum[..., 0] - w.optimum[..., 1])
    slopes = w.curvature[..., None] * (w.model[..., None] - w.optimum)
    return {"|grad difference|": xp.absolute(slopes[..., 0] - slopes[..., 1])}, {"kappa": kappa}


@similar.like(
    "hcct.ass3.refined",
    title="one curvature or nothing",
    latex=r"h_i\ne h_j\Rightarrow\sup_{\mathbf w}\|\nabla J_i(\mathbf w)-\nabla J_j(\mathbf w)\|=\infty",
    family=numbers(
        {
            "bend": Real(1 / 8, 8, unit=(1, -2), log=True, per=("two",)),
            "optimum": Real(-2, 2, unit=(0, 1), per=("two",)),
            "kappa": Real(1 / 8, 8, unit=(1, -1), log=True),
        },
        {"two": 2},
        about="two parabolas of different curvature, any kappa asked for",
    ),
    given=[
        Hypothesis(
            "curvatures differ",
            r"h_i\ne h_j",
            lambda w: (w.bend[..., 0] - w.bend[..., 1]) ** 2,
            strict=True,
        )
    ],
    note="Parabolas meet Assumption 3 only if they have one curvature.",
    proof="""At w = (2 kappa + |h_0 m_0 - h_1 m_1|)/|h_0 - h_1| the gradients differ by 2 kappa or
    more, whatever kappa.""",
)
def not_similar(w: World) -> Sides:
    bends, weighted = w.bend, w.bend * w.optimum
    offset = xp.absolute(weighted[..., 0] - weighted[..., 1])
    point = (2 * w.kappa + offset) / xp.absolute(bends[..., 0] - bends[..., 1])
    slopes = bends * point[..., None] - weighted
    return {"kappa": w.kappa}, {"|grad difference|": xp.absolute(slopes[..., 0] - slopes[..., 1])}
