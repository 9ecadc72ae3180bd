"""Section 4 and Appendix D: weighted gradient averaging under Setting 1."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from bounds.allforall import rates
from synthetic.exact import lattices
from synthetic.exact.runs import Tree, absolute_gaps, absolute_tree
from verify.claim import Array, Hypothesis, Real, Sides, numbers, statement
from verify.statements.allforall import box
from verify.statements.allforall.common import APPENDIX_D, EXPECTATIONS, mass, mixing
from verify.world.world import World, once

TITLE = "weighted gradient averaging"
_BOX = {
    "row": box.WEIGHTS,
    "slope_share": box.SHARES,
    "centre": box.LENGTH,
    "size": box.GRADIENT,
    "offset": Real(-1, 1),
    "distance": box.DISTANCE,
    "extra": Real(0, 1, unit=(1, 0), per=("N",)),
}
_ABOUT = "f_j = s_j |x - m|, gradients +-B, all drawn agents and signs; b at least what B.2 asks"


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
    gap = xp.absolute(_slopes(w)[..., :1] - _slopes(w))
    others = [0 * w.distance, *(w.extra[..., j] for j in range(1, w.N))]
    return xp.total(mixing(w.row) * (w.distance[..., None] * gap + xp.stack(others, -1)))


def _tree(w: World, step: Array, rounds: int) -> Tree:
    shared = w.N * mixing(w.row)[..., None, :]
    centres = w.centre[..., None] + 0 * w.row
    return absolute_tree(shared, _slopes(w), centres, w.size, _begin(w), step, rounds)


@once
def _horizon_tree(w: World) -> Tree:
    """All outcomes up to k = K."""
    return _tree(w, _horizon_step(w), w.rounds)


@once
def _stepped_tree(w: World) -> Tree:
    """All outcomes up to k = K with the step that the family draws."""
    return _tree(w, w.step_size, w.rounds)


@once
def _walk(w: World) -> lattices.Walk:
    """x^k - m up to k = K where gradients are exact and the active agents' weights are equal."""
    active = w.quarters[..., : w.active].astype(int)
    unit = w.N * _horizon_step(w) * w.size / (4 * w.active)
    return lattices.inward_walk(active, w.distance * w.offset, unit, w.N, w.rounds)


def _mean_gap(w: World) -> Array:
    """E f_1(x^k) - f_1(x_1^*) averaged over k < K."""
    if w.has("quarters"):
        walk = _walk(w)
        return _slopes(w)[..., 0] * xp.mean(walk.mean(xp.absolute(walk.places))[..., :-1])
    gaps = _gaps(w, _horizon_tree(w), w.rounds)
    return sum(gaps[1:], start=gaps[0]) / w.rounds


def _gaps(w: World, tree: Tree, rounds: int) -> list[Array]:
    """E f_1(x^k) - f_1(x_1^*) for k < rounds."""
    slope, centre = _slopes(w)[..., :1], w.centre[..., None]
    return [absolute_gaps(tree, k, slope, centre)[..., 0] for k in range(rounds)]


def _squares(w: World, tree: Tree) -> list[Array]:
    return [
        xp.total(chance * (point[..., 0] - w.centre[..., None]) ** 2)
        for point, chance in zip(tree.points, tree.chances, strict=True)
    ]


def _horizon_step(w: World) -> Array:
    return rates.averaging_step(w.size**2, w.distance**2, w.N, mass(mixing(w.row)), w.rounds)


def _rooms(w: World, tree: Tree) -> Array:
    """Smallest D - |x^k - m| over the outcomes that have a chance, for each k up to K."""
    rooms = []
    for point, chance in zip(tree.points, tree.chances, strict=True):
        room = w.distance[..., None] - xp.absolute(point[..., 0] - w.centre[..., None])
        rooms.append(xp.smallest(xp.where(chance > 0, room, xp.absolute(room))))
    return xp.stack(rooms, -1)


_FLAT = numbers(
    {"slope_share": box.SHARE, "size": box.GRADIENT, "distance": box.DISTANCE, "offset": box.SHARE},
    {"N": 2, "rounds": 16},
    {"N": 3, "rounds": 64},
    about="f_1 = s |x|, all weight on a helper with a flat loss and exact gradients",
)


def _distances(w: World) -> Array:
    if w.has("quarters"):
        walk = _walk(w)
        room = w.distance[..., None] - xp.absolute(walk.places)
        return xp.smallest(xp.where(sum(walk.chances) > 0, room, xp.absolute(room)))
    if w.has("row"):
        return _rooms(w, _horizon_tree(w))
    return w.distance * (1 - w.offset)


def _theorem6a(w: World, printed: bool) -> Sides:
    if not w.has("row"):  # x stays at x^0 = offset D, and b_12 = D s
        slope, one = w.slope_share * w.size, xp.ones_like(w.size)
        args, bias = (w.size**2, w.distance**2), w.distance * slope
        right = (
            rates.averaging_convex_printed(*args, one, w.rounds, bias)
            if printed
            else rates.averaging_convex_upper(*args, w.N, one, w.rounds, bias)
        )
        return {"mean gap": slope * w.distance * w.offset}, right
    args, square = (w.size**2, w.distance**2), mass(mixing(w.row))
    if printed:
        right = rates.averaging_convex_printed(*args, square, w.rounds, _bias(w))
    else:
        right = rates.averaging_convex_upper(*args, w.N, square, w.rounds, _bias(w))
    return {"mean gap": _mean_gap(w)}, right


_6A = r"\sqrt{\frac{2D^2B^2%s}K\sum_j\lambda_j^2}+\sum_j\lambda_jb_{ij}"
WITHIN = r"\|x^k-x_i^*\|\le D\text{ for all }k\le K\text{ and all }i"
theorem6a = statement(
    "allforall.theorem6a",
    where="Theorem 6.a",
    title=TITLE,
    latex=_6A % "",
    family=numbers(
        _BOX,
        {"N": 1, "rounds": 1},
        {"N": 3, "rounds": 1},
        {"N": 2, "rounds": 2},
        {"N": 2, "rounds": 4},
        about=_ABOUT,
    ),
    also=(_FLAT,),
    given=[Hypothesis("distances", WITHIN, _distances, "Theorem 6.a")],
    note="""E|g_lambda|^2 = N B^2 sum lambda^2 under the asynchronous oracle: the factor N is lost
    in the display. With one round the left side is the gap at the start, up to B D.""",
)(partial(_theorem6a, printed=True))
theorem6a_repaired = theorem6a.variant(
    "allforall.theorem6a.repaired",
    latex=_6A % "N",
    sides=partial(_theorem6a, printed=False),
    note="The factor N of E|g_lambda|^2 = N B^2 sum lambda^2 kept.",
    proof="""e_0/(2 eta K) + eta N B^2 sum lambda^2/2 + bias with the step as printed is (1/sqrt 2
    + 1/(2 sqrt 2)) D B sqrt(N sum lambda^2/K) + bias.""",
)


@theorem6a.like(
    "allforall.ineq.wga2",
    where=APPENDIX_D,
    kind="proof step",
    given=(),
    also=(),
    latex=r"\mathbb E\|g_\lambda^k(x)\|^2\le\sum_jN\lambda_j^2B^2",
    note="E|N lambda_{i_k} g|^2 at the start; equality where every gradient has size B.",
)
def second_moment(w: World) -> Sides:
    tree = _tree(w, xp.ones_like(w.size), 1)
    moved = (tree.points[1][..., 0] - _begin(w)[..., None]) ** 2
    return {"E|g|^2": tree.mean(1, moved)}, {"bound": w.N * w.size**2 * mass(mixing(w.row))}


@once
def _first(w: World) -> tuple[Array, Array, Array, Array, Array]:
    """e_0, e_1, the cross terms of the average and of the own gradient, E|g|^2."""
    tree = _tree(w, w.step_size, 1)
    side = xp.absolute(_begin(w) - w.centre)
    cross, own = xp.total(mixing(w.row) * _slopes(w)) * side, _slopes(w)[..., 0] * side
    moved = tree.mean(1, (tree.points[1][..., 0] - _begin(w)[..., None]) ** 2) / w.step_size**2
    before, after = _squares(w, tree)
    return before, after, cross, own, moved


def _expansion(w: World, printed: bool) -> Sides:
    before, after, cross, _, square = _first(w)
    eta = w.step_size
    factor = 2 if printed else 2 * eta
    return {"e_1": after, "cross": factor * cross}, {"e_0": before, "square": eta**2 * square}


expansion = statement(
    "allforall.proof.wga_step/expansion",
    where=APPENDIX_D,
    kind="proof step",
    title=TITLE,
    latex=r"e_i^{k+1}=e_i^k-2\mathbb E\langle\cdot\rangle+\eta^2\mathbb E\|g_\lambda^k\|^2",
    relation="==",
    family=numbers(
        {**_BOX, "step_share": Real(1 / 8, 2)},
        {"N": 1, "rounds": 1},
        {"N": 2, "rounds": 1},
        {"N": 2, "rounds": 3},
        about=_ABOUT,
    ),
    defines={"step_size": lambda w: w.step_share * w.distance / w.size},
    note="One round from x^0. The printed expansion has no eta before the cross term.",
)(partial(_expansion, printed=True))
expansion_repaired = expansion.variant(
    "allforall.proof.wga_step.repaired",
    sides=partial(_expansion, printed=False),
    note="One round from x^0, with eta before the cross term.",
    proof="""|x - eta g - x^*|^2 = |x - x^*|^2 - 2 eta <g, x - x^*> + eta^2 |g|^2; the mean of g
    given x is sum_j lambda_j grad f_j(x).""",
    latex=r"e_i^{k+1}=e_i^k-2\eta\mathbb E\langle\cdot\rangle+\eta^2\mathbb E\|g_\lambda^k\|^2",
)


@expansion.like(
    "allforall.proof.wga_step/split",
    relation="<=",
    note="One round from x^0: the cross term with eta, split in two, and the bound of E|g|^2.",
    latex=r"\ldots\le e_i^k-2\eta\langle\nabla f_i,x-x_i^*\rangle+2\eta\langle\nabla f_i-\nabla f^\lambda,x-x_i^*\rangle+\eta^2\sum_jN\lambda_j^2B^2",
)
def split(w: World) -> Sides:
    before, after, cross, own, _ = _first(w)
    eta = w.step_size
    noise = eta**2 * w.N * w.size**2 * mass(mixing(w.row))
    bias = 2 * eta * xp.positive_part(own - cross)
    return {"e_1": after, "own": 2 * eta * own}, {"e_0": before, "bias": bias, "noise": noise}


@expansion.like(
    "allforall.proof.wga_step/bias",
    relation="<=",
    note="At x^0, by B.2 with (b/D)^2 and the Cauchy-Schwarz inequality.",
    latex=r"\langle\nabla f_i-\nabla f^\lambda,x-x_i^*\rangle\le\sum_j\lambda_jb_{ij}",
    given=[
        Hypothesis(
            "distance at 0",
            r"\|x^0-x_i^*\|\le D",
            lambda w: w.distance - xp.absolute(_begin(w) - w.centre),
            "Theorem 6.a, k = 0",
        )
    ],
)
def bias_term(w: World) -> Sides:
    _, _, cross, own, _ = _first(w)
    return {"bias term": own - cross}, {"sum lambda b": _bias(w)}


@statement(
    "allforall.proof.wga_step/convex",
    where=APPENDIX_D,
    kind="proof step",
    title=TITLE,
    latex=r"-2\eta\langle\nabla f_i,x-x_i^*\rangle\le-2\eta F_i^k",
    family=numbers(
        {
            "slope": box.GRADIENT,
            "curvature": box.CURVATURE,
            "centre": box.LENGTH,
            "point": box.LENGTH,
            "step": Real(1 / 64, 8, unit=(-1, 2), log=True),
        },
        about="f = s |x - m| + h (x - m)^2/2, any point and step",
    ),
    note="Values of f_i against its slope on the side of x. Tight where the curved part is small.",
)
def convexity(w: World) -> Sides:
    apart = w.point - w.centre
    side = xp.indicator(apart > 0, apart) - xp.indicator(apart < 0, apart)
    value = w.slope * xp.absolute(apart) + w.curvature * apart**2 / 2
    inner = (w.slope * side + w.curvature * apart) * apart
    return {"2 eta F": 2 * w.step * value}, {"2 eta <grad, x - x*>": 2 * w.step * inner}


def _away(w: World) -> Array:
    """Sum of F^k for one agent if all gradients lead away; that has a chance where s < B."""
    side, push = xp.absolute(_begin(w) - w.centre), w.step_size * w.size
    ways = [side + k * push for k in range(w.rounds)]
    total = _slopes(w)[..., 0] * sum(ways[1:], start=ways[0])
    return xp.where(w.slope_share[..., 0] < 1, total, 0 * total)


def _recursion(w: World, option: str) -> Sides:
    right = {
        "start": (_begin(w) - w.centre) ** 2 / (2 * w.step_size),
        "noise": w.rounds * w.step_size * w.N * w.size**2 * mass(mixing(w.row)) / 2,
        "bias": w.rounds * _bias(w),
    }
    if option == "every-outcome":
        return {"sum of gaps": _away(w)}, right
    gaps = _gaps(w, _stepped_tree(w), w.rounds)
    return {"sum of gaps": sum(gaps[1:], start=gaps[0])}, right


_ALONE = numbers(
    {**_BOX, "step_share": Real(1 / 8, 2)},
    *({"N": 1, "rounds": k} for k in (1, 2, 4)),
    about=_ABOUT,
)
recursion = tuple(
    expansion.like(
        f"allforall.ineq.wga_rec@{option}",
        relation="<=",
        family=family,
        note="""Sum over K rounds for any step. No expectation stands before F_i^k here, as it does
        in the line above. One agent: gradients that all lead away from the minimum.""",
        latex=r"\sum_{k<K}F_i^k\le\tfrac{e_i^0}{2\eta}+K\tfrac\eta2NB^2\sum_j\lambda_j^2+K\sum_j\lambda_jb_{ij}",
        given=[
            Hypothesis("distances", WITHIN, lambda w: _rooms(w, _stepped_tree(w)), "Theorem 6.a")
        ],
    )(partial(_recursion, option=option))
    for option, family in zip(EXPECTATIONS, (_ALONE, expansion.family), strict=True)
)
recursion_repaired = recursion[1].variant(
    "allforall.ineq.wga_rec.repaired",
    latex=r"\mathbb E" + recursion[1].latex,
    note="In expectation.",
    proof="""Divide the split one-round inequality, <grad f_i, x - x_i^*> >= F_i, by 2 eta, bound its
    bias term by sum_j lambda_j b_ij, take means and add up: the e_i^k telescope.""",
)
