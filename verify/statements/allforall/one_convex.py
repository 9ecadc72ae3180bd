"""Section 4 and Appendix D: weighted gradient averaging under Setting 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import allforall_rates as rates
from bounds import generic as xp
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.allforall.common import (
    CURVATURE,
    GRADIENT,
    LENGTH,
    mixing,
    numbers,
    one,
    source,
)
from verify.world.world import World

Array = Any
_ABSOLUTE = {
    "row": Real(1 / 8, 1, per=("N",)),
    "slope_share": Real(0, 1, per=("N",)),
    "centre": LENGTH,
    "size": GRADIENT,
    "offset": Real(-1, 1),
    "distance": Real(1 / 8, 8, unit=(0, 1), log=True),
    "extra": Real(0, 1, unit=(1, 0), per=("N",)),
}
_ABOUT = "f_j = s_j |x - m|, gradients +-B, all drawn agents and signs; b at least what B.2 asks"
_TREES = ({"N": 1, "rounds": 1}, {"N": 3, "rounds": 1}, {"N": 2, "rounds": 2}, {"N": 2, "rounds": 4})
ABSOLUTE = numbers(_ABSOLUTE, *_TREES, about=_ABOUT)


def _begin(w: World) -> Array:
    """x^0, within D of the common minimiser."""
    return w.centre + w.distance * w.offset


def _row(w: World) -> Array:
    return mixing(w.row[..., None, :])[..., 0, :]


def _slopes(w: World) -> Array:
    return w.slope_share * w.size[..., None]


def _centres(w: World) -> Array:
    return w.centre[..., None] + 0 * w.row


def _bias(w: World) -> Array:
    """b_1j = D |s_1 - s_j| + extra: B.2 with (b/D)^2, as all minimisers are one point."""
    gap = xp.absolute(_slopes(w)[..., :1] - _slopes(w))
    others = [0 * w.distance, *(w.extra[..., j] for j in range(1, w.N))]
    return w.distance[..., None] * gap + xp.stack(others, -1)


def _tree(w: World, weights: Array, step: Array, rounds: int) -> Any:
    from synthetic.exact_runs import absolute_tree

    same = w.N * weights[..., None, :] + 0 * weights[..., :, None]
    return absolute_tree(same, _slopes(w), _centres(w), w.size, _begin(w), step, rounds)


def _gaps(w: World, tree: Any) -> list[Array]:
    from synthetic.exact_runs import absolute_gaps

    return [
        absolute_gaps(tree, k, _slopes(w), _centres(w))[..., 0] for k in range(len(tree.points))
    ]


def _squares(w: World, tree: Any) -> list[Array]:
    return [
        xp.total(chance * (point[..., 0] - w.centre[..., None]) ** 2)
        for point, chance in zip(tree.points, tree.chances, strict=True)
    ]


def _mass(weights: Array) -> Array:
    return xp.total(weights**2)


def _horizon_step(w: World, weights: Array) -> Array:
    return rates.averaging_step(w.size**2, w.distance**2, w.N, _mass(weights), w.rounds)


def _mean_gap(w: World, weights: Array) -> Array:
    tree = _tree(w, weights, _horizon_step(w, weights), w.rounds - 1)
    gaps = _gaps(w, tree)
    return sum(gaps[1:], start=gaps[0]) / w.rounds


def _within(w: World, weights: Array) -> Terms:
    """|x^k - x_i^*| <= D on every outcome, for k up to K."""
    return _distances(w, _tree(w, weights, _horizon_step(w, weights), w.rounds))


def _distances(w: World, tree: Any) -> Terms:
    """Smallest D - |x^k - m| over the outcomes that have a chance."""
    out = {}
    for k, (point, chance) in enumerate(zip(tree.points, tree.chances, strict=True)):
        room = w.distance[..., None] - xp.absolute(point[..., 0] - w.centre[..., None])
        out[f"distance at {k}"] = xp.smallest(xp.where(chance > 0, room, xp.absolute(room)))
    return out


def _near(w: World) -> Terms:
    return _within(w, _row(w))


def _theorem6a(printed: bool) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """E|g_lambda|^2 = N B^2 sum lambda^2 under the asynchronous oracle: the factor N is lost
        in the display. With one round the left side is the gap at the start, up to B D.

        Proof of the repaired form: e_0/(2 eta K) + eta N B^2 sum lambda^2/2 + bias with the step
        as printed is (1/sqrt 2 + 1/(2 sqrt 2)) D B sqrt(N sum lambda^2/K) + bias.
        """
        weights = _row(w)
        bias = xp.total(weights * _bias(w))
        args = (w.size**2, w.distance**2)
        if printed:
            right = rates.averaging_convex_printed(*args, _mass(weights), w.rounds, bias)
        else:
            right = rates.averaging_convex_upper(*args, w.N, _mass(weights), w.rounds, bias)
        return {"mean gap": _mean_gap(w, weights)}, right

    return sides


def _second_moment(w: World) -> tuple[Terms, Terms]:
    """E|N lambda_{i_k} g|^2 at the start; equality where every gradient has size B."""
    weights = _row(w)
    step = one(w.size)
    tree = _tree(w, weights, step, 1)
    moved = (tree.points[1][..., 0] - _begin(w)[..., None]) ** 2
    return {"E|g|^2": tree.mean(1, moved)}, {"bound": w.N * w.size**2 * _mass(weights)}


_STEPS = {"step_share": Real(1 / 8, 2)}
STEPS = numbers({**_ABSOLUTE, **_STEPS}, {"N": 1, "rounds": 1}, {"N": 2, "rounds": 1},
                {"N": 2, "rounds": 3}, about=_ABOUT)  # fmt: skip


def _step(w: World) -> Array:
    return w.step_share * w.distance / w.size


def _first(w: World) -> tuple[Array, Array, Array, Array, Array]:
    """e_0, e_1, the cross terms of the average and of the own gradient, E|g|^2."""
    weights = _row(w)
    tree = _tree(w, weights, w.step_size, 1)
    before, after = _squares(w, tree)
    gap = _begin(w) - w.centre
    side = xp.absolute(gap)
    slopes = _slopes(w)
    cross = xp.total(weights * slopes) * side
    own = slopes[..., 0] * side
    moved = tree.mean(1, (tree.points[1][..., 0] - _begin(w)[..., None]) ** 2) / w.step_size**2
    return before, after, cross, own, moved


def _wga_step(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """One round from x^0. The printed expansion has no eta before the cross term.

        Proof with eta.  |x - eta g - x^*|^2 = |x - x^*|^2 - 2 eta <g, x - x^*> + eta^2 |g|^2; the
        mean of g given x is sum_j lambda_j grad f_j(x).
        """
        before, after, cross, own, square = _first(w)
        eta = w.step_size
        noise = eta**2 * w.N * w.size**2 * _mass(_row(w))
        if part in ("printed", "expansion"):
            factor = 2 if part == "printed" else 2 * eta
            return {"e_1": after, "cross": factor * cross}, {"e_0": before, "square": eta**2 * square}
        if part == "split":
            return {"e_1": after, "own": 2 * eta * own}, {
                "e_0": before, "bias": 2 * eta * xp.positive_part(own - cross), "noise": noise,
            }  # fmt: skip
        return {"bias term": own - cross}, {"sum lambda b": xp.total(_row(w) * _bias(w))}

    return sides


ROUNDED = numbers(
    {"slope": GRADIENT, "curvature": CURVATURE, "centre": LENGTH, "point": LENGTH,
     "step": Real(1 / 64, 8, unit=(-1, 2), log=True)},
    about="f = s |x - m| + h (x - m)^2/2, any point and step",
)  # fmt: skip


def _convex(w: World) -> tuple[Terms, Terms]:
    """Values of f_i against its slope on the side of x. Tight where the curved part is small."""
    apart = w.point - w.centre
    side = xp.indicator(apart > 0, apart) - xp.indicator(apart < 0, apart)
    value = w.slope * xp.absolute(apart) + w.curvature * apart**2 / 2
    inner = (w.slope * side + w.curvature * apart) * apart
    return {"2 eta F": 2 * w.step * value}, {"2 eta <grad, x - x*>": 2 * w.step * inner}


def _start_near(w: World) -> Terms:
    return {"distance at 0": w.distance - xp.absolute(_begin(w) - w.centre)}


def _recursion(w: World) -> tuple[Terms, Terms]:
    """Sum over K rounds for any step."""
    weights = _row(w)
    tree = _tree(w, weights, w.step_size, w.rounds)
    gaps, squares = _gaps(w, tree), _squares(w, tree)
    k = w.rounds
    return {"sum of gaps": sum(gaps[1:-1], start=gaps[0])}, {
        "start": squares[0] / (2 * w.step_size),
        "noise": k * w.step_size * w.N * w.size**2 * _mass(weights) / 2,
        "bias": k * xp.total(weights * _bias(w)),
    }


def _near_any(w: World) -> Terms:
    return _distances(w, _tree(w, _row(w), w.step_size, w.rounds))


_D = "Appendix D"
_S1 = r"\sqrt{\frac{2D^2B^2%s}K\sum_j\lambda_j^2}+\sum_j\lambda_jb_{ij}"


def claim(key: str, where: str, latex: str, **fields: Any) -> Statement:
    fields.setdefault("title", "weighted gradient averaging")
    return Statement(key=f"allforall.{key}", source=source(where), latex=latex, **fields)


def _proof(key: str, latex: str, **fields: Any) -> Statement:
    return claim(key, _D, latex, kind="proof step", **fields)


STATEMENTS = (
    claim("theorem6a", "Theorem 6.a", _S1 % "", family=ABSOLUTE, sides=_theorem6a(True), given=_near),
    claim("theorem6a.repaired", "Theorem 6.a", _S1 % "N", family=ABSOLUTE, sides=_theorem6a(False),
           given=_near, form="repaired"),
    _proof("ineq.wga2", r"\mathbb E\|g_\lambda^k(x)\|^2\le\sum_jN\lambda_j^2B^2", family=ABSOLUTE,
           sides=_second_moment),
    _proof("proof.wga_step/expansion", r"e_i^{k+1}=e_i^k-2\mathbb E\langle\cdot\rangle+\eta^2\mathbb E\|g_\lambda^k\|^2",
           family=STEPS, sides=_wga_step("printed"), relation="==", defines={"step_size": _step}),
    _proof("proof.wga_step/split", r"\ldots\le e_i^k-2\eta\langle\nabla f_i,x-x_i^*\rangle+2\eta\langle\nabla f_i-\nabla f^\lambda,x-x_i^*\rangle+\eta^2\sum_jN\lambda_j^2B^2",
           family=STEPS, sides=_wga_step("split"), defines={"step_size": _step}),
    _proof("proof.wga_step/bias", r"\langle\nabla f_i-\nabla f^\lambda,x-x_i^*\rangle\le\sum_j\lambda_jb_{ij}",
           family=STEPS, sides=_wga_step("bias"), given=_start_near, defines={"step_size": _step}),
    _proof("proof.wga_step/convex", r"-2\eta\langle\nabla f_i,x-x_i^*\rangle\le-2\eta F_i^k",
           family=ROUNDED, sides=_convex),
    _proof("proof.wga_step.repaired", r"e_i^{k+1}=e_i^k-2\eta\mathbb E\langle\cdot\rangle+\eta^2\mathbb E\|g_\lambda^k\|^2",
           family=STEPS, sides=_wga_step("expansion"), relation="==", defines={"step_size": _step},
           form="repaired"),
    _proof("ineq.wga_rec", r"\sum_{k<K}F_i^k\le\tfrac{e_i^0}{2\eta}+K\tfrac\eta2NB^2\sum_j\lambda_j^2+K\sum_j\lambda_jb_{ij}",
           family=STEPS, sides=_recursion, given=_near_any, defines={"step_size": _step}),
)  # fmt: skip
