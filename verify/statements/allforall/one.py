"""Section 4 and Appendix D: all-for-one, weighted gradient averaging."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import allforall_rates as rates
from bounds import allforall_sgd as sgd
from bounds import generic as xp
from verify.parameters import Real
from verify.statement import Statement, Terms
from verify.statements.allforall.common import (
    CURVATURE,
    GRADIENT,
    LENGTH,
    NOISE,
    PRECISION,
    mixing,
    numbers,
    one,
    source,
    unchecked_claim,
)
from verify.world import World

Array = Any

# -- Setting 1: absolute losses, asynchronous oracle -------------------------------------------

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
    from algorithms.allforall_exact import absolute_tree

    same = w.N * weights[..., None, :] + 0 * weights[..., :, None]
    return absolute_tree(same, _slopes(w), _centres(w), w.size, _begin(w), step, rounds)


def _gaps(w: World, tree: Any) -> list[Array]:
    from algorithms.allforall_exact import absolute_gaps

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


# A shared model of equal agents: the iterates stay on a lattice, so that long runs are exact.

_SHAPES = (
    {"N": 1, "active": 1, "counted": 1, "rounds": 16},
    {"N": 2, "active": 1, "counted": 1, "rounds": 32},
    {"N": 3, "active": 3, "counted": 3, "rounds": 16},
)
_TIES = ({"N": 8, "active": 1, "counted": 8, "rounds": 48},)
_LATTICE = {
    "share": Real(0, 1), "size": GRADIENT, "offset": Real(0, 1), "precision": PRECISION,
    "distance": Real(1 / 8, 8, unit=(0, 1), log=True),
}  # fmt: skip
LATTICE = numbers(_LATTICE, *_SHAPES, about="n of N agents with one loss s |x - m|, gradients +-B")
TIED = numbers(_LATTICE, *_TIES, about="one close agent, all others with b = eps/2 exactly")


def _lattice(w: World, rounds: int) -> Any:
    """lambda = 1/counted on the active agents."""
    from algorithms.allforall_exact import absolute_lattice

    mass = one(w.size) * w.active / w.counted / w.counted
    step = rates.averaging_step(w.size**2, w.distance**2, w.N, mass, w.rounds)
    move = step * w.size * w.N / w.counted
    awake = one(w.size) * w.active / w.N
    return absolute_lattice(w.share, w.distance * w.offset, move, awake, rounds)


def _theorem2(w: World) -> tuple[Terms, Terms]:
    """With the best step D/(B sqrt(K N S)) the noise part is eps/2; with the printed one it is
    1.06 eps/2, so that the proof as it stands gives 1.03 eps. Agents beyond the active ones may
    have any loss within their bias.

    Where some b_ij = eps/2 the strict weights do not sum to one, and the run is slower.
    """
    tree = _lattice(w, w.rounds - 1)
    gaps = [xp.total(c * xp.absolute(tree.points[0][..., 0])) for c in tree.chances]
    mean = w.share * w.size * sum(gaps[1:], start=gaps[0]) / w.rounds
    return {"mean gap": mean}, {"precision": w.precision}


def _enough(w: World) -> Terms:
    asked = rates.averaging_samples_upper(
        w.size**2, w.distance**2, w.precision, w.N, one(w.size) * w.counted
    )
    tree = _lattice(w, w.rounds)
    room = w.distance[..., None] - xp.absolute(tree.points[0][..., 0])
    met = sum(tree.chances)
    return {
        "K at least the bound": w.rounds - asked,
        "distances": xp.smallest(xp.where(met > 0, room, xp.absolute(room))),
    }


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


def _first(w: World) -> tuple[Array, Array, Array, Array, Array, Array]:
    """e_0, e_1, the cross term of the average gradient, own gap, own cross term, E|g|^2."""
    weights = _row(w)
    tree = _tree(w, weights, w.step_size, 1)
    before, after = _squares(w, tree)
    gap = _begin(w) - w.centre
    side = xp.absolute(gap)
    slopes = _slopes(w)
    cross = xp.total(weights * slopes) * side
    own = slopes[..., 0] * side
    moved = tree.mean(1, (tree.points[1][..., 0] - _begin(w)[..., None]) ** 2) / w.step_size**2
    return before, after, cross, own, own, moved


def _wga_step(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """One round from x^0. The printed expansion has no eta before the cross term."""
        before, after, cross, own, gap, square = _first(w)
        eta = w.step_size
        noise = eta**2 * w.N * w.size**2 * _mass(_row(w))
        if part in ("printed", "expansion"):
            factor = 2 if part == "printed" else 2 * eta
            return {"e_1": after, "cross": factor * cross}, {"e_0": before, "square": eta**2 * square}
        if part == "split":
            return {"e_1": after, "own": 2 * eta * own}, {
                "e_0": before, "bias": 2 * eta * xp.positive_part(own - cross), "noise": noise,
            }  # fmt: skip
        if part == "bias":
            return {"bias term": own - cross}, {"sum lambda b": xp.total(_row(w) * _bias(w))}
        return {"2 eta F": 2 * eta * gap}, {"2 eta <grad, x - x*>": 2 * eta * own}

    return sides


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


# -- Setting 2: quadratics with one Hessian, synchronous oracle --------------------------------

_SMOOTH = {
    "row": Real(1 / 8, 1, per=("N",)),
    "mu": CURVATURE,
    "condition": Real(1, 8, log=True),
    "centre": Real(-2, 2, unit=(0, 1), per=("N", "d")),
    "start": Real(-4, 4, unit=(0, 1), per=("d",)),
    "variance": NOISE,
}
_SIZES = ({"N": 1, "d": 1, "rounds": 1}, {"N": 2, "d": 1, "rounds": 8}, {"N": 2, "d": 2, "rounds": 4},
          {"N": 2, "d": 2, "rounds": 32})  # fmt: skip
_QUADRATICS = "quadratics with one Hessian diag(mu, L), additive noise on one axis, exact moments"
SMOOTH = numbers(_SMOOTH, *_SIZES, about=_QUADRATICS)
SMOOTH_TARGET = numbers({**_SMOOTH, "precision": PRECISION}, *_SIZES, about=_QUADRATICS)


def _smoothness(w: World) -> Array:
    return w.mu * w.condition if w.d > 1 else w.mu


def _hessian(w: World) -> Array:
    first = 0 * w.start[..., 0]
    return xp.stack([w.mu + first, w.smoothness + first][: w.d], -1)


def _pair_bias(w: World) -> Array:
    """b_1j = |H (m_1 - m_j)|^2/mu: B.2 with b~ = mu b (and m = 0)."""
    gap = _hessian(w)[..., None, :] * (w.centre[..., :1, :] - w.centre)
    return xp.total(gap**2) / w.mu[..., None]


def _weighted_gap(w: World, weights: Array) -> Array:
    """F_lambda^0 = sum_j lambda_j (f_j(x^0) - f_j(x_j^*))."""
    gap = _hessian(w)[..., None, :] * (w.start[..., None, :] - w.centre) ** 2
    return xp.total(weights * xp.total(gap)) / 2


def _final_gap(w: World, weights: Array, step: Array, own: bool = True) -> Array:
    """E f_1(x^K) - f_1(x_1^*), or the gap of f^lambda; the noise lies on the last axis."""
    from algorithms.allforall_exact import averaging_moments

    where = xp.eye(w.d, w.start)[w.d - 1]
    noise = w.variance[..., None, None] * where + 0 * w.centre
    mean, spread = averaging_moments(
        weights, _hessian(w), w.centre, w.start, noise, step, w.rounds
    )
    middle = w.centre[..., 0, :] if own else xp.total(weights[..., None] * w.centre, -2)
    return xp.total(_hessian(w) * ((mean - middle) ** 2 + spread)) / 2


def _log_positive(w: World) -> Terms:
    weights = _row(w)
    gap = _weighted_gap(w, weights)
    size = gap * w.mu**2 * w.rounds / (w.smoothness * w.variance * _mass(weights))
    return {"logarithm positive": size - 1}


_POSITIVE = frozenset({"logarithm positive"})


def _smooth_step(w: World, weights: Array) -> Array:
    return sgd.horizon_step(
        _weighted_gap(w, weights), w.mu, w.smoothness, w.variance * _mass(weights), w.rounds
    )


def _theorem6b(w: World) -> tuple[Terms, Terms]:
    """m = 0 (B.2). Proof: |grad f_i|^2 <= 2 sum lambda b~ + 4 L F_lambda, PL, and the horizon
    bound with 1 + ln for F_lambda. Loose by the factor 2 kappa for one agent."""
    weights = _row(w)
    return {"E F": _final_gap(w, weights, _smooth_step(w, weights))}, rates.averaging_smooth_upper(
        _weighted_gap(w, weights), w.mu, w.smoothness, w.variance, _mass(weights), w.rounds,
        0 * w.mu, xp.total(weights * _pair_bias(w)),
    )  # fmt: skip


def _wga_b(w: World) -> tuple[Terms, Terms]:
    """The gap of f^lambda itself."""
    weights = _row(w)
    return {"E f^lambda": _final_gap(w, weights, _smooth_step(w, weights), own=False)}, sgd.horizon_upper(
        _weighted_gap(w, weights), w.mu, w.smoothness, w.variance * _mass(weights), w.rounds
    )


def _near_weights(w: World) -> Array:
    return rates.close_weights(_pair_bias(w), w.precision)


def _theorem7(w: World) -> tuple[Terms, Terms]:
    """m = 0. Bias at most eps/2, start and noise at most eps/(8 kappa) each, times 2 kappa."""
    weights = _near_weights(w)
    step = rates.averaging_smooth_step(
        w.mu, w.smoothness, w.variance, _mass(weights), w.precision, 0 * w.mu
    )
    return {"E F": _final_gap(w, weights, step)}, {"precision": w.precision}


def _enough_rounds(w: World) -> Terms:
    weights = _near_weights(w)
    asked = rates.averaging_smooth_rounds(
        _weighted_gap(w, weights), w.mu, w.smoothness, w.variance, _mass(weights), w.precision,
        0 * w.mu,
    )
    return {"K at least the number": w.rounds - asked}


def _mixed_variance(w: World) -> tuple[Terms, Terms]:
    """Independent noises: equality."""
    weights = _row(w)
    step = one(w.mu)
    from algorithms.allforall_exact import averaging_moments

    where = xp.eye(w.d, w.start)[w.d - 1]
    noise = w.variance[..., None, None] * where + 0 * w.centre
    _, spread = averaging_moments(weights, _hessian(w), w.centre, w.start, noise, step, 1)
    return {"variance": xp.total(spread)}, {"sigma^2 sum lambda^2": w.variance * _mass(weights)}


def _mixed_mean(w: World) -> tuple[Terms, Terms]:
    """Mean step of the algorithm against the gradient of f^lambda, first coordinate."""
    from algorithms.allforall_exact import averaging_moments

    weights = _row(w)
    noise = 0 * w.centre
    mean, _ = averaging_moments(weights, _hessian(w), w.centre, w.start, noise, one(w.mu), 1)
    slope = xp.total(weights[..., None] * _hessian(w)[..., None, :] * (w.start[..., None, :] - w.centre), -2)
    return {"mean step": (w.start - mean)[..., 0]}, {"gradient": slope[..., 0]}


def _split(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """At the point x^0, B.2 (m = 0)."""
        weights, hessian = _row(w), _hessian(w)
        middle = xp.total(weights[..., None] * w.centre, -2)
        own = hessian * (w.start - w.centre[..., 0, :])
        mixed = hessian * (w.start - middle)
        sizes = {"own": xp.total(own**2), "gap": xp.total((own - mixed) ** 2), "mixed": xp.total(mixed**2)}
        bias = w.mu * xp.total(weights * _pair_bias(w))
        level = xp.total(hessian * (w.start - middle) ** 2) / 2
        if part == "triangle":
            return {"|grad f_i|^2": sizes["own"]}, {"gap": 2 * sizes["gap"], "mixed": 2 * sizes["mixed"]}
        if part == "bias":
            return {"gap": 2 * sizes["gap"], "mixed": 2 * sizes["mixed"]}, {
                "bias": 2 * bias, "mixed": 2 * sizes["mixed"],
            }  # fmt: skip
        if part == "smooth":
            return {"bias": 2 * bias, "mixed": 2 * sizes["mixed"]}, {"bias": 2 * bias, "level": 4 * w.smoothness * level}
        gap = xp.total(hessian * (w.start - w.centre[..., 0, :]) ** 2) / 2
        return {"gap": gap}, {"PL": sizes["own"] / (2 * w.mu)}

    return sides


def _b1(part: str) -> Callable[[World], tuple[Terms, Terms]]:
    def sides(w: World) -> tuple[Terms, Terms]:
        """f_1 at the minimiser of f_2 (the start of this family)."""
        hessian = _hessian(w)
        apart = w.start - w.centre[..., 0, :]
        gap = xp.total(hessian * apart**2) / 2
        square = xp.total((hessian * apart) ** 2)
        if part == "pl":
            return {"gap": gap}, {"PL": square / (2 * w.mu)}
        return {"squared gap": gap**2}, {"squared product": xp.total(apart**2) * square}

    return sides


_MATCH = numbers({"constant": Real(1, 64, log=True), "precision": PRECISION},
                 about="all other agents at distance eps, as many as the constant needs")  # fmt: skip


def _match(w: World) -> tuple[Terms, Terms]:
    """b_1j = eps for every other agent: close for the lower bound (4 eps), far for the upper one
    (eps/2). The quotient of the two bounds is 1 + n for n such agents."""
    others = xp.ceil(w.constant)
    return {"upper over lower": 1 + others}, {"constant": w.constant}


_HIDDEN = "the constants and logarithms of the O~"
_D = "Appendix D"
_6B = r"\mathbb E F_i^K\le2(m+1)\kappa\bigl(F_\lambda^0e^{-\frac K{2\kappa}}+%s\bigr)+\sum_j\lambda_jb_{ij}"
_7 = r"\frac{(m+1)\kappa^2\sigma^2}{\mu\varepsilon}\frac N{\mathcal N_i^\varepsilon(2b)}"
_2 = r"\tilde{\mathcal O}\Bigl(\frac{\kappa\sigma^2}{\mu\varepsilon}%s\Bigr)"
_21 = r"T_\varepsilon(i)\le\frac{4D^2B^2}{\varepsilon^2}\frac N{\mathcal N_i^\varepsilon(2b)}"
_S1 = r"\sqrt{\frac{2D^2B^2%s}K\sum_j\lambda_j^2}+\sum_j\lambda_jb_{ij}"
_SM = {"smoothness": _smoothness}


def _claim(key: str, where: str, latex: str, **fields: Any) -> Statement:
    fields.setdefault("title", "weighted gradient averaging")
    return Statement(key=f"allforall.{key}", source=source(where), latex=latex, **fields)


def _proof(key: str, latex: str, **fields: Any) -> Statement:
    return _claim(key, _D, latex, kind="proof step", **fields)


STATEMENTS = (
    _claim("theorem6a", "Theorem 6.a", _S1 % "", family=ABSOLUTE, sides=_theorem6a(True), given=_near),
    _claim("theorem6a.repaired", "Theorem 6.a", _S1 % "N", family=ABSOLUTE, sides=_theorem6a(False),
           given=_near, form="repaired"),
    unchecked_claim("theorem6b", "theorem", "Theorem 6.b", _6B % r"\tilde{\mathcal O}(\cdot)",
                    "weighted gradient averaging", _HIDDEN),
    _claim("theorem6b.explicit", "Theorem 6.b",
           _6B % r"\tfrac{L\sigma^2}{\mu^2K}\sum_j\lambda_j^2(1+\ln\tfrac{F_\lambda^0\mu^2K}{L\sigma^2\sum\lambda_j^2})",
           family=SMOOTH, sides=_theorem6b, given=_log_positive, strict=_POSITIVE, form="explicit",
           defines=_SM, uses=("allforall.lemma4b.repaired",)),
    _claim("theorem2.1@stochastic", "Theorem 2.1", _21, family=LATTICE, over="mean", sides=_theorem2, given=_enough),
    _claim("theorem2.1@ties", "Theorem 2.1", _21, family=TIED, over="mean", sides=_theorem2, given=_enough),
    _claim("theorem7.1", "Theorem 7.1", _21, family=LATTICE, over="mean", sides=_theorem2, given=_enough),
    unchecked_claim("theorem2.2", "theorem", "Theorem 2.2", _2 % r"\frac N{\mathcal N_i^\varepsilon(2b)}",
                    "weighted gradient averaging", _HIDDEN),
    unchecked_claim("theorem7.2/any", "theorem", "Theorem 7.2", rf"\tilde{{\mathcal O}}\Bigl({_7}\Bigr)",
                    "weighted gradient averaging", _HIDDEN),
    unchecked_claim("theorem7.2/small", "theorem", "Theorem 7.2", _2 % r"\frac N{\mathcal N_i^\varepsilon(2b)}",
                    "weighted gradient averaging, m at most 1/2",
                    _HIDDEN + ", and the rule of the cited paper"),
    _claim("theorem7.2.explicit", "Theorem 7.2",
           r"T=N\max\bigl(2\kappa,\tfrac{8(m+1)\kappa^2\sigma^2}{\mu\varepsilon\mathcal N_i^\varepsilon(2b)}\bigr)\ln\tfrac{8(m+1)\kappa F_\lambda^0}\varepsilon",
           family=SMOOTH_TARGET, sides=_theorem7, given=_enough_rounds, form="explicit", defines=_SM),
    _claim("ineq.B1fromB2", "Section 4",
           r"f_i(x_j^*)-f_i(x_i^*)\le\tfrac1{2\mu}\|\nabla f_i(x_j^*)\|^2", family=SMOOTH,
           sides=_b1("pl"), kind="claim", defines=_SM, title="from gradients to values"),
    _claim("ineq.B1convex", "Section 4",
           r"f_i(x_j^*)-f_i(x_i^*)\le\|x_i^*-x_j^*\|\|\nabla f_i(x_j^*)\|", family=SMOOTH,
           sides=_b1("convex"), kind="claim", defines=_SM, title="from gradients to values"),
    _claim("claim.match", "after Theorem 2",
           r"\frac N{\mathcal N_i^\varepsilon(2b)}\le C\frac N{\mathcal N_i^\varepsilon(b/4)}",
           family=_MATCH, sides=_match, kind="claim", title="upper and lower bounds match"),
    _proof("ineq.wga2", r"\mathbb E\|g_\lambda^k(x)\|^2\le\sum_jN\lambda_j^2B^2", family=ABSOLUTE,
           sides=_second_moment),
    _proof("proof.wga_step/expansion", r"e_i^{k+1}=e_i^k-2\mathbb E\langle\cdot\rangle+\eta^2\mathbb E\|g_\lambda^k\|^2",
           family=STEPS, sides=_wga_step("printed"), relation="==", defines={"step_size": _step}),
    _proof("proof.wga_step/split", r"\ldots\le e_i^k-2\eta\langle\nabla f_i,x-x_i^*\rangle+2\eta\langle\nabla f_i-\nabla f^\lambda,x-x_i^*\rangle+\eta^2\sum_jN\lambda_j^2B^2",
           family=STEPS, sides=_wga_step("split"), defines={"step_size": _step}),
    _proof("proof.wga_step/bias", r"\langle\nabla f_i-\nabla f^\lambda,x-x_i^*\rangle\le\sum_j\lambda_jb_{ij}",
           family=STEPS, sides=_wga_step("bias"), given=_start_near, defines={"step_size": _step}),
    _proof("proof.wga_step/convex", r"-2\eta\langle\nabla f_i,x-x_i^*\rangle\le-2\eta F_i^k",
           family=STEPS, sides=_wga_step("convex"), defines={"step_size": _step}),
    _proof("proof.wga_step.repaired", r"e_i^{k+1}=e_i^k-2\eta\mathbb E\langle\cdot\rangle+\eta^2\mathbb E\|g_\lambda^k\|^2",
           family=STEPS, sides=_wga_step("expansion"), relation="==", defines={"step_size": _step},
           form="repaired"),
    _proof("ineq.wga_rec", r"\sum_{k<K}F_i^k\le\tfrac{e_i^0}{2\eta}+K\tfrac\eta2NB^2\sum_j\lambda_j^2+K\sum_j\lambda_jb_{ij}",
           family=STEPS, sides=_recursion, given=_near_any, defines={"step_size": _step}),
    _proof("eq14/mean", r"\mathbb E g_\lambda^k=\nabla f^\lambda", family=SMOOTH, sides=_mixed_mean,
           relation="==", defines=_SM),
    _proof("eq14/variance", r"\mathbb E\|g_\lambda^k-\nabla f^\lambda\|^2\le\sigma^2\sum_j\lambda_j^2",
           family=SMOOTH, sides=_mixed_variance, defines=_SM),
    unchecked_claim("proof.wga_b", "proof step", _D,
                    r"f^\lambda(x^k)-f^\lambda(x^\lambda)\le F_\lambda^0e^{-\frac k{2\kappa}}+\tilde{\mathcal O}(\cdot)",
                    "weighted gradient averaging", _HIDDEN),
    _proof("proof.wga_b.explicit", r"\ldots\le F_\lambda^0e^{-\frac k{2\kappa}}+\tfrac{L\sigma^2}{\mu^2k}\sum_j\lambda_j^2(1+\ln(\cdot))",
           family=SMOOTH, sides=_wga_b, given=_log_positive, strict=_POSITIVE, form="explicit", defines=_SM),
    *(_proof(f"ineq.gradsplit/{part}", latex, family=SMOOTH, sides=_split(part), defines=_SM)
      for part, latex in (
        ("triangle", r"\|\nabla f_i\|^2\le2\|\nabla f_i-\nabla f^\lambda\|^2+2\|\nabla f^\lambda\|^2"),
        ("bias", r"\|\nabla f_i-\nabla f^\lambda\|^2\le m\|\nabla f^\lambda\|^2+\sum_j\lambda_j\tilde b_{ij}"),
        ("smooth", r"2\|\nabla f^\lambda\|^2\le4L(f^\lambda-f^\lambda(x^\lambda))"),
        ("pl", r"f_i(x^k)-f_i(x_i^*)\le\tfrac1{2\mu}\|\nabla f_i(x^k)\|^2"),
    )),
)  # fmt: skip
