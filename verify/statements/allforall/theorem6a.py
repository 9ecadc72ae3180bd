"""Section 4 and Appendix D: weighted gradient averaging under Setting 1, Theorem 6.a."""

from __future__ import annotations

from bounds import generic as xp
from bounds.allforall import rates
from synthetic.exact import lattices
from synthetic.exact.runs import Tree
from verify.claim import Array, Hypothesis, Reading, Real, Sides
from verify.statements.allforall import measured
from verify.statements.allforall import quantities as q
from verify.terms.vocabulary import quantity
from verify.world.world import World, once

_FORM = {
    "without-agents": r"\sqrt{\frac{2D^2B^2}K\sum_j\lambda_j^2}+\sum_j\lambda_jb_{ij}",
    "with-agents": r"\sqrt{\frac{2D^2B^2N}K\sum_j\lambda_j^2}+\sum_j\lambda_jb_{ij}",
}
_LINE = {
    "eta-missing": r"e_i^{k+1}=e_i^k-2\mathbb E\langle\cdot\rangle+\eta^2\mathbb E\|g_\lambda^k\|^2",
    "eta-before": r"e_i^{k+1}=e_i^k-2\eta\mathbb E\langle\cdot\rangle+\eta^2\mathbb E\|g_\lambda^k\|^2",
}
claim = q.Claims(r"""
Theorem 6.a :: theorem :: weighted gradient averaging
    theorem6a :: \sqrt{\frac{2D^2B^2}K\sum_j\lambda_j^2}+\sum_j\lambda_jb_{ij}
Appendix D :: proof step :: weighted gradient averaging
    ineq.wga2 :: \mathbb E\|g_\lambda^k(x)\|^2\le\sum_jN\lambda_j^2B^2
    proof.wga_step/expansion == :: e_i^{k+1}=e_i^k-2\mathbb E\langle\cdot\rangle+\eta^2\mathbb E\|g_\lambda^k\|^2
    proof.wga_step/split :: \ldots\le e_i^k-2\eta\langle\nabla f_i,x-x_i^*\rangle+2\eta\langle\nabla f_i-\nabla f^\lambda,x-x_i^*\rangle+\eta^2\sum_jN\lambda_j^2B^2
    proof.wga_step/bias :: \langle\nabla f_i-\nabla f^\lambda,x-x_i^*\rangle\le\sum_j\lambda_jb_{ij}
    proof.wga_step/convex :: -2\eta\langle\nabla f_i,x-x_i^*\rangle\le-2\eta F_i^k
    ineq.wga_rec :: \sum_{k<K}F_i^k\le\tfrac{e_i^0}{2\eta}+K\tfrac\eta2NB^2\sum_j\lambda_j^2+K\sum_j\lambda_jb_{ij}
    ineq.wga_rec.repaired :: \mathbb E\sum_{k<K}F_i^k\le\tfrac{e_i^0}{2\eta}+K\tfrac\eta2NB^2\sum_j\lambda_j^2+K\sum_j\lambda_jb_{ij}
""")

_BENT = q.family(
    "slope curvature centre point step",
    "f = s |x - m| + h (x - m)^2/2, any point and step",
    slope=q.SYMBOLS["size"],
    curvature=q.SYMBOLS["mu"],
    centre=q.LENGTH,
    point=q.LENGTH,
    step=Real(1 / 64, 8, unit=(-1, 2), log=True),
)

# -- where to look, and what happens there --------------------------------------------------------

_SYMBOLS = "row slope_share centre size offset distance extra"
_OWN = {"centre": q.LENGTH, "offset": Real(-1, 1), "extra": Real(0, 1, unit=(1, 0), per=("N",))}
_STEPPED = {**_OWN, "step_share": Real(1 / 8, 2)}
_ABOUT = "f_j = s_j |x - m|, gradients +-B, all drawn agents and signs; b at least what B.2 asks"
_RUNS = q.family(_SYMBOLS, _ABOUT, *q.sizes("N rounds", (1, 1), (3, 1), (2, 2), (2, 4)), **_OWN)
_FLAT = q.family(
    "slope_share size distance offset",
    "f_1 = s |x|, all weight on a helper with a flat loss and exact gradients",
    *q.sizes("N rounds", (2, 16), (3, 64)),
    slope_share=q.SHARE,
)
_STEPS = f"{_SYMBOLS} step_share"
_ROUNDS = q.family(_STEPS, _ABOUT, *q.sizes("N rounds", (1, 1), (2, 1), (2, 3)), **_STEPPED)
_ALONE = q.family(_STEPS, _ABOUT, *q.sizes("N rounds", (1, 1), (1, 2), (1, 4)), **_STEPPED)
_STEP = {"step_size": lambda w: w.step_share * w.distance / w.size}


def _begin(w: World) -> Array:
    """x^0, within D of the common minimiser."""
    return w.centre + w.distance * w.offset


def _slopes(w: World) -> Array:
    """s_j; exact gradients are quarters of B."""
    if w.has("quarters"):
        return w.quarters * w.size[..., None] / 4
    return w.slope_share * w.size[..., None]


def _bias(w: World) -> Array:
    """sum lambda_j b_1j, b_1j = D |s_1 - s_j| + extra: B.2 with (b/D)^2, one minimiser for all."""
    gap = xp.absolute(_slopes(w)[..., 0][..., None] - _slopes(w))
    others = w.extra * (1 - xp.eye(w.N, w.extra)[0])
    return xp.total(q.mixing(w.row) * (w.distance[..., None] * gap + others))


def _tree(w: World, step: Array, rounds: int) -> Tree:
    shared = w.N * q.mixing(w.row)[..., None, :]
    centres = w.centre[..., None] + 0 * w.row
    run = shared, _slopes(w), centres, w.size, _begin(w), step, rounds
    return measured.outcomes(w, *run)


def _horizon_step(w: World) -> Array:
    return rates.averaging_step(w.size**2, w.distance**2, w.N, q.mass(q.mixing(w.row)), w.rounds)


@once
def _horizon_tree(w: World) -> Tree:
    """All outcomes up to k = K."""
    return _tree(w, _horizon_step(w), w.rounds)


@once
def _stepped_tree(w: World) -> Tree:
    """All outcomes up to k = K with the step that the family draws."""
    return _tree(w, w.step_size, w.rounds)


@once
def _walk(w: World) -> lattices.LatticeWalk:
    """x^k - m up to k = K where gradients are exact and the active agents' weights are equal."""
    active = w.quarters[..., : w.active].astype(int)
    unit = w.N * _horizon_step(w) * w.size / (4 * w.active)
    return lattices.inward_walk(active, w.distance * w.offset, unit, w.N, w.rounds)


def _gaps(w: World, tree: Tree) -> Array:
    """Sum of E f_1(x^k) - f_1(x_1^*) over k < K."""
    slope, centre = _slopes(w)[..., 0][..., None], w.centre[..., None]
    return measured.own_gaps_summed(w, tree, slope, centre, w.rounds)


def _mean_gap(w: World) -> Array:
    """E f_1(x^k) - f_1(x_1^*) averaged over k < K."""
    if w.has("quarters"):
        walk = _walk(w)
        return _slopes(w)[..., 0] * xp.mean(walk.mean(xp.absolute(walk.places))[..., :-1])
    return _gaps(w, _horizon_tree(w)) / w.rounds


def _rooms(w: World, tree: Tree) -> Array:
    """Smallest D - |x^k - m| over the outcomes that have a chance, for each k up to K."""
    return measured.rooms(w, tree, w.distance, w.centre)


def _distances(w: World) -> Array:
    if w.has("quarters"):
        walk = _walk(w)
        room = w.distance[..., None] - xp.absolute(walk.places)
        return xp.smallest(xp.where(sum(walk.chances) > 0, room, xp.absolute(room)))
    return _rooms(w, _horizon_tree(w)) if w.has("row") else w.distance * (1 - w.offset)


# -- the theorem ----------------------------------------------------------------------------------
def _flat_or_run(w: World) -> tuple[Array, Array, Array]:
    """The mean gap, sum lambda^2 and the bias."""
    if w.has("row"):
        return _mean_gap(w), q.mass(q.mixing(w.row)), _bias(w)
    # x stays at x^0 = offset D, and b_12 = D s
    slope = w.slope_share * w.size
    return slope * w.distance * w.offset, xp.ones_like(w.size), w.distance * slope


_ENOUGH = """The recursion of Appendix D: e_0/(2 eta K) + eta N B^2 sum lambda^2/2 + bias with the
step as printed is (1/sqrt 2 + 1/(2 sqrt 2)) D B sqrt(N sum lambda^2/K) + bias."""
_WITHIN = Hypothesis("distances", q.WITHIN, _distances, "Theorem 6.a")


@claim(
    "theorem6a",
    readings=("agents",),
    latex=lambda r: _FORM[r.agents],
    family=_RUNS,
    also=(_FLAT,),
    given=[_WITHIN],
    proof=lambda r: _ENOUGH if "with-agents" in r else "",
)
def theorem6a(w: World, r: Reading) -> Sides:
    """E|g_lambda|^2 = N B^2 sum lambda^2 under the asynchronous oracle: the factor N is lost
    in the display. With one round the left side is the gap at the start, up to B D."""
    gap, square, bias = _flat_or_run(w)
    one, two = w.size**2, w.distance**2
    if r.agents == "without-agents":
        return {"mean gap": gap}, rates.averaging_convex_printed(one, two, square, w.rounds, bias)
    return {"mean gap": gap}, rates.averaging_convex_upper(one, two, w.N, square, w.rounds, bias)


# -- its proof ------------------------------------------------------------------------------------
@claim("ineq.wga2", family=_RUNS)
def second_moment(w: World) -> Sides:
    """E|N lambda_{i_k} g|^2 at the start; equality where every gradient has size B."""
    tree = _tree(w, xp.ones_like(w.size), 1)
    moved = (tree.points[1][..., 0] - _begin(w)[..., None]) ** 2
    return {"E|g|^2": tree.mean(1, moved)}, {"bound": w.N * w.size**2 * q.mass(q.mixing(w.row))}


@once
def _first(w: World) -> tuple[Array, Array, Array, Array, Array]:
    """e_0, e_1, the cross terms of the average and of the own gradient, E|g|^2."""
    tree = _tree(w, w.step_size, 1)
    side = xp.absolute(_begin(w) - w.centre)
    cross, own = xp.total(q.mixing(w.row) * _slopes(w)) * side, _slopes(w)[..., 0] * side
    moved = tree.mean(1, (tree.points[1][..., 0] - _begin(w)[..., None]) ** 2) / w.step_size**2
    before, after = (
        xp.total(chance * (point[..., 0] - w.centre[..., None]) ** 2)
        for point, chance in zip(tree.points, tree.chances, strict=True)
    )
    return before, after, cross, own, moved


@claim(
    "proof.wga_step/expansion",
    readings=("eta",),
    latex=lambda r: _LINE[r.eta],
    family=_ROUNDS,
    defines=_STEP,
)
def expansion(w: World, r: Reading) -> Sides:
    """One round from x^0. The first line has no eta before the cross term, the second has.

    Proof. |x - eta g - x^*|^2 = |x - x^*|^2 - 2 eta <g, x - x^*> + eta^2 |g|^2; the mean of g
    given x is sum_j lambda_j grad f_j(x)."""
    before, after, cross, _, square = _first(w)
    factor = 2 * w.step_size if r.eta == "eta-before" else 2
    right = {"e_0": before, "square": w.step_size**2 * square}
    return {"e_1": after, "cross": factor * cross}, right


@claim("proof.wga_step/split", family=_ROUNDS, defines=_STEP)
def split(w: World) -> Sides:
    """One round from x^0: the cross term with eta, split in two, and the bound of E|g|^2."""
    before, after, cross, own, _ = _first(w)
    eta = w.step_size
    noise = eta**2 * w.N * w.size**2 * q.mass(q.mixing(w.row))
    bias = 2 * eta * xp.positive_part(own - cross)
    return {"e_1": after, "own": 2 * eta * own}, {"e_0": before, "bias": bias, "noise": noise}


_NEAR = Hypothesis(
    "distance at 0",
    r"\|x^0-x_i^*\|\le D",
    lambda w: w.distance - xp.absolute(_begin(w) - w.centre),
    "Theorem 6.a, k = 0",
)


@claim("proof.wga_step/bias", family=_ROUNDS, defines=_STEP, given=[_NEAR])
def bias_term(w: World) -> Sides:
    """At x^0, by B.2 with (b/D)^2 and the Cauchy-Schwarz inequality."""
    _, _, cross, own, _ = _first(w)
    return {"bias term": own - cross}, {"sum lambda b": _bias(w)}


@claim("proof.wga_step/convex", family=_BENT)
def convexity(w: World) -> Sides:
    """Values of f_i against its slope on the side of x. Tight where the curved part is small."""
    apart = w.point - w.centre
    side = xp.indicator(apart > 0, apart) - xp.indicator(apart < 0, apart)
    value = w.slope * xp.absolute(apart) + w.curvature * apart**2 / 2
    inner = (w.slope * side + w.curvature * apart) * apart
    return {"2 eta F": 2 * w.step * value}, {"2 eta <grad, x - x*>": 2 * w.step * inner}


@quantity
def climbed(w: World, side: Array, push: Array, rounds: int) -> Array:
    """Sum of |x^k - m| over k < K where every round leads away."""
    return q.added([side + k * push for k in range(rounds)])


def _away(w: World) -> Array:
    """Sum of F^k for one agent if all gradients lead away; that has a chance where s < B."""
    side, push = xp.absolute(_begin(w) - w.centre), w.step_size * w.size
    total = _slopes(w)[..., 0] * climbed(w, side, push, w.rounds)
    return xp.where(w.slope_share[..., 0] < 1, total, 0 * total)


@claim(
    "ineq.wga_rec",
    readings=("expectation",),
    family=lambda r: _ALONE if "every-outcome" in r else _ROUNDS,
    defines=_STEP,
    given=[Hypothesis("distances", q.WITHIN, lambda w: _rooms(w, _stepped_tree(w)), "Theorem 6.a")],
)
def recursion(w: World, r: Reading) -> Sides:
    """Sum over K rounds for any step. No expectation stands before F_i^k here, as it does
    in the line above. One agent: gradients that all lead away from the minimum."""
    every = r.expectation == "every-outcome"
    return {"sum of gaps": _away(w) if every else _gaps(w, _stepped_tree(w))}, {
        "start": (_begin(w) - w.centre) ** 2 / (2 * w.step_size),
        "noise": w.rounds * w.step_size * w.N * w.size**2 * q.mass(q.mixing(w.row)) / 2,
        "bias": w.rounds * _bias(w),
    }


recursion_repaired = claim.variant(
    recursion.leaf("in-mean"),
    "ineq.wga_rec.repaired",
    note="In expectation.",
    proof="""Divide the split one-round inequality, <grad f_i, x - x_i^*> >= F_i, by 2 eta, bound its
    bias term by sum_j lambda_j b_ij, take means and add up: the e_i^k telescope.""",
)
