"""What the paper defines and assumes.

Definitions and algorithms are listed with their kind, without a verdict.  Of the assumptions on
losses and gradients there are families that meet them, and one that cannot.
"""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array, Real, Sides, numbers
from verify.statements.hcct import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World

LISTED = q.Claims(r"""
Section 3 :: definition
    def.clients :: clients and their data :: \mathcal N=\{1,\dots,N\},\ D_i=|\mathcal D_i^{tr}|
Equation 1 :: definition
    def.risk :: local risk :: \epsilon_i(h)=\mathbb E_{\mathcal P_i^{te}}[l(h(\mathbf x;\mathbf w),y)]
Equation 2 :: definition
    def.same :: no shift between training and test :: \mathcal P_i^{te}=\mathcal P_i^{tr}=\mathcal P_i
Equation 3 :: definition
    def.grouprisk :: group risk :: \epsilon_k(h)=\mathbb E_{\hat{\mathcal P}_k^{tr}}[l(h(\mathbf x;\mathbf w),y)]
Equation 4 :: definition
    def.local :: local step :: \mathbf w_i^{t,q+1}=\mathbf w_i^{t,q}-\eta^t\sum_{\mathcal B_i^{t,q}}\nabla l
Equation 5 :: definition
    def.update :: uploaded update :: \mathbf g_i^t=\sum_{q=1}^Q\frac1{|\mathcal B_i^{t,q}|}\sum_{\mathcal B_i^{t,q}}\nabla l
Equation 6 :: definition
    def.agg :: server step :: \hat{\mathbf w}^{t+1}=\hat{\mathbf w}^t-\eta^t\sum_i\frac{D_i}{\hat D}\mathbf g_i^t
Equation 21 :: definition
    def.J :: empirical loss :: J_i(\mathbf w)=\frac1{D_i}\sum_{\mathcal D_i^{tr}}l
Section 6 :: definition
    def.a :: weights in a group :: a_i^t=D_i/\hat D_{G_i^t}
Theorem 1 :: definition
    def.d1 :: divergence of laws :: d_1(\hat{\mathcal P}_{G_i},\mathcal P_i)=\int|\hat{\mathcal P}_{G_i}-\mathcal P_i|
    def.lambda :: difference of the labelling functions :: \lambda=\min\{\mathbb E_{\mathcal P_i}[f_{G_i}-f_i],\mathbb E_{\hat{\mathcal P}_{G_i}}[f_{G_i}-f_i]\}
Equation 8 :: definition
    def.sim :: similarity :: s(i,G)=\cos\langle\mathbf g_i,\hat{\mathbf g}_G\rangle
Equation 9 :: definition
    def.utility :: utility :: U_i(G)=-\alpha/\hat D_G+s(i,G)+\beta
Equations 10 and 11 :: definition
    def.P1 :: partition problem :: \max_\Pi\sum_iU_i\ \text{over all partitions}
Equations 12 and 14 :: definition
    def.groupU :: group utility :: \hat U_k=\sum_{i\in\mathcal C_k}U_i
Equations 13 and 15 :: definition
    def.benefit :: benefit of a merge :: B(k_1,k_2)=\hat U_{k'}-\hat U_{k_1}-\hat U_{k_2}
Equation 16 :: definition
    def.argmax :: merge rule :: (k_1^*,k_2^*)=\arg\max B(k_1,k_2)
Equation 17 :: definition
    def.stop :: stopping rule :: K=1\ \text{or}\ B(k_1,k_2)\le0\ \forall k_1\ne k_2
Equations 18 to 20 :: definition
    def.layer :: layer of HCCT-E :: l^*=\arg\max_l\mathrm{Var}(\mathbf g[l])/\mathrm{Mean}(\mathbf g[l])
Equations 29 and 30 :: definition
    assLab :: labelling functions :: y=f_i(\mathbf x;\mathbf w_i^*)\ \text{on}\ \mathcal D_i^{te},\ y=f_{G_i}(\mathbf x;\hat{\mathbf w}_{G_i}^*)\ \text{on}\ \hat{\mathcal D}_{G_i}^{tr}
Equations 31 and 32 :: definition
    assRisk :: auxiliary risks :: \epsilon_i(h,f_{G_i})=\mathbb E_{\mathcal P_i}|h-f_{G_i}|,\ \epsilon_{G_i}(h,f_i)=\mathbb E_{\hat{\mathcal P}_{G_i}}|h-f_i|
Algorithm 1 :: algorithm
    alg1 :: HCCT :: \text{partition, average, train, aggregate}
Algorithm 2 :: algorithm
    alg2 :: client partition :: \text{merge the pair of largest benefit}
Figure 2 :: algorithm
    alg.fig2 :: worked example :: \{1,2,3\},\{4,5\},\{6\}
Section 5.2 :: algorithm
    alg.hccte :: HCCT-E :: s(i,G)=\cos\langle\mathbf g_i[l^*],\mathbf g_G[l^*]\rangle
Section 5.1 :: algorithm
    alg.hcctp :: HCCT-P :: \text{shared extractor, own classifier}
Section 5 :: algorithm
    alg.newclient :: clients that join later :: \text{group of the largest utility}
""").listed()

claim = q.Claims(r"""
Theorem 1 :: assumption
    assT1@bounded :: on a bounded domain :: l\ \mu\text{-strongly convex and }L\text{-Lipschitz}
    assT1@whole-space :: on the whole space :: l\ \mu\text{-strongly convex and }L\text{-Lipschitz}
Assumption 1 :: assumption
    ass1 :: smoothness :: \|\nabla J_i(\mathbf w_1)-\nabla J_i(\mathbf w_2)\|\le L\|\mathbf w_1-\mathbf w_2\|
Assumption 2 :: assumption
    ass2/unbiased == :: unbiased batches :: \mathbb E[\mathbf g]=\nabla J_i(\mathbf w)
    ass2/variance <= :: variance :: \mathbb E\|\mathbf g-\nabla J_i(\mathbf w)\|^2\le\sigma^2
Assumption 3 :: assumption
    ass3 :: gradient similarity :: \|\nabla J_i(\mathbf w)-\nabla J_j(\mathbf w)\|\le\kappa_{i,j}
    ass3.refined :: one curvature or nothing :: h_i\ne h_j\Rightarrow\sup_{\mathbf w}\|\nabla J_i(\mathbf w)-\nabla J_j(\mathbf w)\|=\infty
given
    L-Lipschitz everywhere :: |l(u)-l(v)|\le L|u-v|\text{ for all }u,v :: Theorem 1
    curvatures differ :: h_i\ne h_j
""")

_INSIDE = Real(-1, 1, domain=(-1, 1))
_RADIUS = Real(1 / 8, 4, unit=(0, 1), log=True)
_ON_INTERVAL = {"curvature": q.CURVATURE, "radius": _RADIUS, "first": _INSIDE, "second": _INSIDE}


@claim("assT1@bounded", family=numbers(_ON_INTERVAL, about="mu w^2/2 on [-r, r]"))
def bounded(w: World) -> Sides:
    """l(w) = mu w^2/2 is mu-strongly convex, and on [-r, r] it is mu r-Lipschitz; tight at the
    end."""
    u, v = w.first * w.radius, w.second * w.radius
    moved = xp.absolute(u**2 - v**2) * w.curvature / 2
    return {"|l(u) - l(v)|": moved}, {"L |u - v|": w.curvature * w.radius * xp.absolute(u - v)}


@claim(
    "assT1@whole-space",
    quantifier="some",
    given=[
        claim.given("L-Lipschitz everywhere", lambda w: 4 * w.lipschitz**2 / w.curvature - w.rise)
    ],
    defines={"rise": lambda w: 8 * w.lipschitz**2 / w.curvature},
    family=numbers(
        {"curvature": q.CURVATURE, "lipschitz": q.SLOPE},
        about="any strong convexity, any Lipschitz constant",
    ),
)
def whole_line(w: World) -> Sides:
    """Whether a loss meets it: none does, see assT1.empty."""
    return {"rise over 4 L/mu": w.rise}, {"L times 4 L/mu": 4 * w.lipschitz**2 / w.curvature}


_BENDS = Real(-8, 8, unit=(1, -2), per=("N",))
_LINE = {"bend": _BENDS, "optimum": q.POINTS, "first": q.LENGTH, "second": q.LENGTH}


@claim("ass1", family=numbers(_LINE, {"N": 2}, {"N": 3}, about="parabolas on the line, up or down"))
def smooth(w: World) -> Sides:
    """J_i = b_i (w - m_i)^2/2 with L the largest |b_i|; no convexity asked for."""
    top = xp.largest(xp.absolute(w.bend))
    moved = xp.largest(xp.absolute(w.bend * (w.first - w.second)[..., None]))
    return {"|grad difference|": moved}, {"L |w_1 - w_2|": top * xp.absolute(w.first - w.second)}


@quantity
def _drawn(w: World) -> Array:
    """Gradients w - z of a sample drawn at random, (B, n)."""
    n = int(w.original("n"))
    w.outcome_weights = w.array([1] * n)[None] / n
    return (w.original("model")[..., None] - w.original("data"))[..., 0, :]


@claim(
    "ass2/unbiased",
    family=numbers(
        {"data": Real(-2, 2, unit=(0, 1), per=("n",)), "model": q.LENGTH},
        {"n": 2},
        {"n": 3},
        about="batches of one sample, mean estimation",
    ),
)
def unbiased(w: World) -> Sides:
    return {"E gradient": w.mean(_drawn(w))}, {"gradient": w.model - xp.mean(w.data)}


@claim("ass2/variance", like=unbiased)
def variance(w: World) -> Sides:
    """sigma^2 = mean z^2 - (mean z)^2, the same at every model."""
    spread = xp.mean(w.data**2) - xp.mean(w.data) ** 2
    centre = w.original("model") - xp.mean(w.original("data"))
    return {"E|g - grad|^2": w.mean((_drawn(w) - centre) ** 2)}, {"sigma^2": spread}


@claim(
    "ass3",
    family=numbers(
        {"curvature": q.CURVATURE, "optimum": q.POINTS, "model": q.LENGTH},
        {"N": 2},
        {"N": 3},
        about="parabolas of one curvature",
    ),
)
def similar(w: World) -> Sides:
    """grad J_0 - grad J_1 = h (m_1 - m_0) at every model."""
    kappa = w.curvature * xp.absolute(w.optimum[..., 0] - w.optimum[..., 1])
    slopes = w.curvature[..., None] * (w.model[..., None] - w.optimum)
    return {"|grad difference|": xp.absolute(slopes[..., 0] - slopes[..., 1])}, {"kappa": kappa}


@claim(
    "ass3.refined",
    family=numbers(
        {
            "bend": Real(1 / 8, 8, unit=(1, -2), log=True, per=("two",)),
            "optimum": Real(-2, 2, unit=(0, 1), per=("two",)),
            "kappa": q.SLOPE,
        },
        {"two": 2},
        about="two parabolas of different curvature, any kappa asked for",
    ),
    given=[
        claim.given(
            "curvatures differ", lambda w: (w.bend[..., 0] - w.bend[..., 1]) ** 2, strict=True
        )
    ],
)
def not_similar(w: World) -> Sides:
    """Parabolas meet Assumption 3 only if they have one curvature.

    Proof. At w = (2 kappa + |h_0 m_0 - h_1 m_1|)/|h_0 - h_1| the gradients differ by 2 kappa or
    more, whatever kappa."""
    bends, weighted = w.bend, w.bend * w.optimum
    offset = xp.absolute(weighted[..., 0] - weighted[..., 1])
    point = (2 * w.kappa + offset) / xp.absolute(bends[..., 0] - bends[..., 1])
    slopes = bends * point[..., None] - weighted
    return {"kappa": w.kappa}, {"|grad difference|": xp.absolute(slopes[..., 0] - slopes[..., 1])}
