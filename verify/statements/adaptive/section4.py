"""Section 4: optimality of the binary rule, and what the continuous one may cost."""

from __future__ import annotations

from bounds import complexity
from bounds import generic as xp
from bounds import sufficient as closed
from bounds.similarity import effective_variance, phi_by_name
from verify.claim import Array, Reading, Real, Sides, numbers, open_claim
from verify.statements.adaptive import quantities as q
from verify.world.world import World

claim = q.claims(r"""
Section 4 :: claim
    sec4.lb/text :: lower bound of the text
    sec4.even/recovered :: the same rate without a logarithm
    sec4.binmin :: smallest weight of the binary rule
    sec4.contworse/min :: a member with an arbitrarily small weight
""")

_MIN = r"\min_{j\in\mathcal N_i^\star(\varepsilon)}\psi_{\mathrm{bin}}\bigl(1-\tfrac{b_{ij}}{2\mu\varepsilon}\bigr)"
_RATE = r"\frac{\beta\sigma^2}{\mu^2\varepsilon\,\mathcal N_i^\star(\varepsilon)}"
_VANISHING = r"\forall\delta\in(0,1]\ \exists b_{ij}:\ j\in\mathcal N_i^\star(\varepsilon),\ \psi_{\mathrm{cont}}\bigl(1-\tfrac{b_{ij}}{2\mu\varepsilon}\bigr)\le\delta"


def _bound(relation: str) -> str:
    return rf"\sigma_{{i,\mathrm{{suf}}}}^2(\varepsilon){relation}\frac{{\sigma^2}}{{\psi(1)\,\mathcal N_i^\star(\varepsilon)}}"


def _at_one(w: World) -> Array:
    return q.phi_of(w, 1 + 0 * w.bias)[..., 0]


def _variance(w: World) -> Array:
    return w.sigma2_one / xp.total(q.cluster_psi(w))


_EQUAL = {"family": q.any_constants(q.PRECISION, q.EQUAL)}


@claim(
    "sec4.lb/text",
    readings=("bound-sign",),
    latex=lambda r: _bound(">" if "strict" in r else r"\ge"),
    note="A strict inequality is an event that must always happen.",
    **_EQUAL,
)
def above(w: World, r: Reading) -> Sides:
    psi = q.cluster_psi(w)
    strict = _at_one(w) * q.cluster_size(psi) - xp.total(psi)
    kept = strict > 0 if "strict" in r else strict >= 0
    return {"1": 1}, {"sum of psi below psi(1) size": xp.indicator(kept, strict)}


strictly_above = above.leaf("strict")


@strictly_above.like(
    "adaptive.sec4.lb/members",
    title="only members count",
    relation="==",
    latex=r"\sum_{k\in[N]}\psi=\sum_{k\in\mathcal N_i^\star}\psi",
    note="""psi vanishes outside the cluster. By their biases its members are those with
    b < 2 mu eps, and with b <= (1 - lambda) 2 mu eps for the binary rule.""",
)
def members_only(w: World) -> Sides:
    psi, reach = q.cluster_psi(w), (2 * w.mu * w.precision)[..., None]
    binary = w.bias <= (1 - w.threshold[..., None]) * reach
    inside = xp.where(binary if w.phi == "binary" else w.bias < reach, psi, 0 * psi)
    return {"sum over all": xp.total(psi)}, {"sum over the cluster": xp.total(inside)}


@strictly_above.like(
    "adaptive.sec4.lb/psi",
    title="psi is largest at 1",
    latex=r"\psi(x)\le\psi(1)",
    family=numbers(
        {"x": Real(0, 1, domain=(0, 1)), **q.PHI},
        {"phi": "continuous"},
        {"phi": "binary"},
        about="both rules on [0, 1]",
    ),
)
def largest_at_one(w: World) -> Sides:
    at_one = phi_by_name(w.phi, 1 + 0 * w.x, w.threshold)
    return {"psi(x)": w.x * phi_by_name(w.phi, w.x, w.threshold)}, {"psi(1)": at_one}


@strictly_above.like(
    "adaptive.sec4.lb/sum",
    title="sum over the cluster",
    latex=r"\sum_{k\in\mathcal N_i^\star}\psi\le\psi(1)\,\mathcal N_i^\star(\varepsilon)",
    note="Tight where b = 0 in the whole cluster.",
)
def sum_bounded(w: World) -> Sides:
    psi = q.cluster_psi(w)
    return {"sum of psi": xp.total(psi)}, {"psi(1) size": _at_one(w) * q.cluster_size(psi)}


@strictly_above.like(
    "adaptive.sec4.lb/display",
    title="lower bound, as displayed",
    latex=_bound(r"\ge"),
    note="Definition 2 with equal variances. Tight where b = 0 in the whole cluster.",
    proof="psi <= psi(1) on [0, 1], so the sum over the cluster is at most psi(1) times its size.",
)
def lower_bound(w: World) -> Sides:
    size = q.cluster_size(q.cluster_psi(w))
    lower = closed.sufficient_variance_lower(w.sigma2_one, _at_one(w), size)
    return {"sigma^2/(psi(1) size)": lower}, {"sigma_suf^2": _variance(w)}


# -- the rate of the binary rule -------------------------------------------------------------------

EVEN = (
    "the constant in Omega(.), and the classes of problems and of algorithms over which the quoted "
    "theorem of Even et al. is stated"
)
even = open_claim(
    "adaptive.sec4.even/lower",
    "claim",
    "Section 4",
    r"T_i^\varepsilon=\Omega\Bigl(" + _RATE + r"\Bigr)",
    "quoted lower bound",
    EVEN,
)


@claim(
    "sec4.even/recovered",
    latex=r"T_i^\varepsilon\le\frac{C^2}{2(C-1)\lambda^2}\," + _RATE,
    family=q.any_constants(q.PRECISION, q.EQUAL, q.FACTOR, q.BETA, rules="binary"),
    given=[q.factor_above_one],
    uses=("adaptive.corollary1",),
    note="""The printed number of iterations against C^2/(2 (C - 1) lambda^2) times the rate of the
    lower bound, without logarithm. Tight where every other member of a large cluster is at
    lambda.""",
)
def binary_rate(w: World) -> Sides:
    count = complexity.sample_complexity_printed(w.mu, w.beta, _variance(w), w.precision, w.factor)
    scale = w.factor**2 / (2 * (w.factor - 1) * w.threshold**2)
    rate = w.beta * w.sigma2_one / (w.mu**2 * w.precision * q.cluster_size(q.cluster_psi(w)))
    return {"iterations": count}, {"constant times rate": scale * rate}


@claim(
    "sec4.binmin",
    relation="==",
    latex=_MIN + r"=\lambda",
    family=q.any_constants(q.PRECISION, rules="binary"),
    note="psi_bin(x) = lambda x on its support; the asking client has x = 1.",
)
def printed_minimum(w: World) -> Sides:
    smallest = q.smallest_psi(q.cluster_psi(w))
    return {"min psi": smallest}, {"lambda": closed.binary_psi_lower_printed(w.threshold)}


@printed_minimum.repaired(
    part="lower",
    latex=_MIN + r"\ge\lambda^2",
    relation="<=",
    note="The minimum is between lambda^2 and lambda. Attained with a client at x = lambda.",
    proof="psi_bin(x) = lambda x for x >= lambda.",
)
def true_minimum(w: World) -> Sides:
    smallest = q.smallest_psi(q.cluster_psi(w))
    return {"lambda^2": closed.binary_psi_lower(w.threshold)}, {"min psi": smallest}


true_maximum = printed_minimum.variant(
    "adaptive.sec4.binmin.repaired/upper",
    latex=_MIN + r"\le\lambda",
    relation="<=",
    note="""The largest value that the smallest psi can have. Attained where the whole cluster has
    b = 0.""",
    proof="The asking client belongs to its own cluster, with x = 1 and psi = lambda.",
)

# -- the cost of the continuous rule ---------------------------------------------------------------

_ROOT = {"root": Real(1 / 1024, 1, log=True, domain=(0, 1)), "mu": q.CURVATURE}
_ANY_LEVEL = "any level in (0, 1], any mu and precision"


def _at_root(w: World) -> Array:
    """Arguments of psi of the asking client and of one with b = 2 mu eps (1 - root)."""
    bias = 2 * w.mu * w.precision * (1 - w.root)
    bias = xp.stack([0 * bias, bias], -1)
    return closed.sufficient_ratio_printed(bias, 0 * bias, w.mu, w.precision)


@claim(
    "sec4.contworse/min",
    latex=_VANISHING,
    family=numbers({**_ROOT, **q.PRECISION}, about=_ANY_LEVEL),
    note="""b = 2 mu eps (1 - sqrt(level)) keeps the other client in the cluster, with
    psi = level.""",
)
def vanishing(w: World) -> Sides:
    ratio = _at_root(w)[..., 1]
    inside = xp.indicator(ratio > 0, ratio)
    return {"psi of a member": ratio**2, "not a member": 1 - inside}, {"level": w.root**2}


@vanishing.like(
    "adaptive.sec4.contworse/bound",
    title="the bound by the smallest weight degrades",
    latex=r"\frac{\sigma^2}{\mathcal N_i^\star(\varepsilon)\min_j\psi_{\mathrm{cont}}}\ge\frac{\sigma^2}{2\delta}",
    family=numbers({**_ROOT, **q.PRECISION, **q.EQUAL}, about=_ANY_LEVEL),
    note="""Two clients, the other one with psi = level: the bound of Corollary 1's special case on
    sigma_suf^2 is sigma^2/(2 level).""",
)
def degraded(w: World) -> Sides:
    psi = _at_root(w) ** 2
    bound = w.sigma2_one / (q.cluster_size(psi) * q.smallest_psi(psi))
    return {"sigma^2/(2 level)": w.sigma2_one / (2 * w.root**2)}, {"bound": bound}


@printed_minimum.like(
    "adaptive.sec4.contworse.refined",
    relation="<=",
    title="the continuous rule has the smaller sufficient variance",
    latex=r"\sigma_{i,\mathrm{suf}}^2(\varepsilon;\phi_{\mathrm{cont}})\le\sigma_{i,\mathrm{suf}}^2(\varepsilon;\phi_{\mathrm{bin}})",
    note="""The continuous rule never has the larger sufficient variance, whatever lambda: what
    degrades is the bound by the smallest weight, not the variance. Tight where every member of
    the binary cluster is at lambda and no other is similar.""",
    proof="psi_bin(x) = lambda x 1{x >= lambda} <= x^2 = psi_cont(x) on [0, 1], term by term.",
)
def never_worse(w: World) -> Sides:
    ratio = q.free_ratio(w, w.precision)
    binary = effective_variance(ratio, phi_by_name("binary", ratio, w.threshold), w.sigma2)
    return {"continuous": effective_variance(ratio, ratio, w.sigma2)}, {"binary": binary}
