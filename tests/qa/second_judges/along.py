"""Orders that are followed by runs or moments: three points of a ray, both sides in fractions.

Each ray has short numbers and one size that grows.  The sides are worked out from the sheet with
the runs of the second judges, without code of the package; `test_orders` compares them with the
program's.  Theorem 2 of `hcct` is in `test_hcct_length`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction as Q
from typing import Any

from tests.qa.second_judges.adaptive.runs import average_square, constant_step, log, mean
from tests.qa.second_judges.allforall.numbers import (
    after_rounds,
    e_to,
    fair_channel,
    ln,
    mean_path,
    root,
)
from tests.qa.second_judges.fedbc import rounds as fedbc
from tests.qa.second_judges.federation import Federation
from tests.qa.second_judges.rounds import Rounds

Sides = tuple[Q, Q]
ZERO, ONE = Q(0), Q(1)


@dataclass(frozen=True)
class Along:
    """A ray.

    Parameters
    ----------
    sides : callable
        What the instance says -> left and right.
    at : callable
        Size -> values of the family's symbols.
    sizes : tuple of int
        The three.
    power : float
        Least power of the size with which left/right grows; 0 where a step multiplies it by `by`.
    by : float
        Least factor by which left/right grows from each of the three to the next.
    family, shape : int
        Of the leaf: which family, and which of its listed shapes.
    named : str
        Entry of the shape that is the size; empty where a number is.
    """

    sides: Callable[[Any], Sides]
    at: Callable[[int], dict[str, Any]]
    sizes: tuple[int, int, int]
    power: float = 0.0
    by: float = 1.0
    family: int = 0
    shape: int = 0
    named: str = ""
    rest: Mapping[str, Any] = field(default_factory=dict)


# -- adaptive --------------------------------------------------------------------------------------


class _Split(Federation):
    """With the pair of A3 that the witness names, of one Hessian too: b = x |s|, c = 0."""

    def dissimilarity(self, k: int) -> tuple[Q, Q]:
        if k == 0:
            return ZERO, ZERO
        assert self.form[k] == self.form[0]
        offset = abs(2 * self.form[k] * (self.shift[k] - self.shift[0]))
        return self.given["tradeoff"] * offset, ZERO


def _constant_row(p: Any) -> Sides:
    """(1 - eta mu)^T eps_0 + eta beta/(2 mu) sigma_suf^2, with b^2."""
    f = _Split(p.raw)
    step = constant_step(f)
    left = mean(f.paths(step), lambda path: f.excess(path.theta[-1]))
    noise = step * f.beta / (2 * f.mu) * f.sufficient(f.given["precision"], True)
    return left, (1 - step * f.mu) ** f.rounds * f.excess(f.start) + noise


def _horizon_row(p: Any) -> Sides:
    """Step and bound of the horizon-dependent row, beta in the logarithm, with b^2."""
    f = _Split(p.raw)
    variance = f.sufficient(f.given["precision"], True)
    level = log(2 * f.rounds * f.mu**2 * f.excess(f.start) / (f.beta * variance))
    paths = f.paths(level / (f.mu * f.rounds))
    left = mean(paths, lambda path: f.excess(path.theta[-1]))
    return left, f.beta * variance / (2 * f.mu**2 * f.rounds) * (level + 1)


def _theorem3(p: Any) -> Sides:
    """One round: the square of the own gradient, whatever the step."""
    f = _Split(p.raw)
    variance = f.sufficient(f.given["precision"], True)
    left = average_square(f, f.paths(f.limit(f.start) / f.beta))
    return left, 2 * root(2 * f.excess(f.start) * f.beta * variance / f.rounds)


def _kicked(size: int) -> dict[str, Any]:
    """A start where the other client looks different, and a first step as long as the size."""
    rest = {"stiffness": ONE, "offset": ONE, "near": Q(1, 64), "quiet": Q(1, 64), "level": Q(1, 2)}
    rule = {"step_share": Q(1, 2), "tradeoff": Q(2), "threshold": Q(1, 2)}
    return {**rest, **rule, "kick": Q(size)}


def _loud(size: int) -> dict[str, Any]:
    """The same for the horizon-dependent step, ln(2)/4: own noise like the size."""
    two = {"curvature": [[ONE], [ONE]], "optimum": [[ZERO], [ONE]], "start": [Q(1, 64)]}
    noise = {"sigma": [Q(size), Q(1, 32)], "noise_share": [ONE, ZERO], "skew": [ONE, ONE]}
    rule = {"step_share": ONE, "tradeoff": Q(17, 16), "threshold": Q(1, 2)}
    return {**two, **noise, **rule, "precision": Q(size) ** 2 / 256}


def _twins(size: int) -> dict[str, Any]:
    """Clients that are all alike, without noise: left 64, right 16/sqrt(N)."""
    alike = {"curvature": [[ONE]] * size, "optimum": [[ZERO]] * size, "start": [Q(4)]}
    noise = {"sigma": [ONE] * size, "noise_share": [ZERO] * size, "skew": [ONE] * size}
    rule = {"step_share": ONE, "tradeoff": Q(2), "threshold": Q(1, 2)}
    return {**alike, **noise, **rule, "precision": ONE}


def _one_step(p: Any) -> Sides:
    """Lemma 1 in mean, the own gradient after the step: eta/2 sum alpha G^2 stands on the left."""
    f = _Split(p.raw)
    alpha = f.given["alpha"]
    step = f.given["step_share"] / (f.beta * sum(alpha))
    paths = f.paths(step, 1)
    own = step / 2 * sum(alpha) * mean(paths, lambda path: f.own(path.theta[1]))
    gaps = step / 2 * sum(a * f.gap(k, f.start) for k, a in enumerate(alpha))
    noise = step * f.beta * sum(a * a * s for a, s in zip(alpha, f.sigma2, strict=True))
    left = mean(paths, lambda path: f.excess(path.theta[1])) + own
    return left, f.excess(f.start) + gaps + noise


def _flat(size: int) -> dict[str, Any]:
    """One client at its minimum: eta beta sigma^2 does not see how flat the loss is."""
    one = {"curvature": [[Q(1, size)]], "optimum": [[ZERO]], "start": [ZERO]}
    noise = {"sigma": [ONE], "noise_share": [ONE], "skew": [ONE]}
    return {**one, **noise, "alpha": [Q(1, 2)], "step_share": Q(1, 2), "tradeoff": Q(2)}


def _lemma2(p: Any) -> Sides:
    """sigma_eff^2 of the model before the step against sigma_suf^2 at the mean excess after it."""
    f = _Split(p.raw)
    level = mean(f.paths(constant_step(f), 1), lambda path: f.excess(path.theta[1]))
    return f.effective(f.start), f.sufficient(level, False)


def _own_noise(size: int) -> dict[str, Any]:
    """The other client stands at its optimum: nothing of it is used, and b has no square."""
    two = {"curvature": [[ONE], [ONE]], "optimum": [[ZERO], [Q(2)]], "start": [Q(2)]}
    noise = {"sigma": [Q(size), ONE], "noise_share": [ZERO, ONE], "skew": [ONE, ONE]}
    rule = {"step_share": Q(2), "tradeoff": Q(2), "threshold": ONE, "precision": ONE}
    return {**two, **noise, **rule}


def _proof_max(p: Any) -> Sides:
    """max(K, eps_0)/T against K/T, K = beta sigma^2 C^2/(2 mu^2 (C - 1))."""
    bound = p.beta * p.variance * p.factor**2 / (2 * p.mu**2 * (p.factor - 1))
    return max(bound, p.excess) / p.rounds, bound / p.rounds


def _one(size: int, **more: Any) -> dict[str, Any]:
    return {"mu": ONE, "beta": ONE, "variance": ONE, "factor": Q(2), "excess": Q(size), **more}


# -- aggregation -----------------------------------------------------------------------------------


def _corollary4(p: Any) -> Sides:
    """(10) after one iteration of FedMax, T = 1."""
    g = Rounds(p.raw, decaying=True)
    outcomes = g.outcomes()
    low, high = g.skews(outcomes)
    mu, large, gap = g.mu, g.smoothness, g.gap()
    speed = 4 * large * (32 * g.squared_gradient(outcomes) + g.variance()) / (3 * mu**2 * low)
    speed += 8 * large**2 * gap / mu**2
    speed += large * (4 * large / mu) * (outcomes[0].model[0] - g.best) ** 2 / 2
    error = 8 * large * gap / (3 * mu) * (high / low - 1)
    left = sum((o.chance * g.averaged(o.model[1]) for o in outcomes), ZERO) - gap
    right = speed / (1 + 4 * large / mu)
    return left + max(-error, ZERO), right + max(error, ZERO)  # what is below zero moves across


def _one_iteration(p: Any) -> Sides:
    """(9) within a round: rho-bar sees the model at its begin alone."""
    g = Rounds(p.raw)
    outcomes, t, eta = g.outcomes(), g.at, g.step(g.at)
    low, high = g.skews(outcomes)
    large, gap, noises = g.smoothness, g.gap(), 32 * g.local**2 * g.squared_gradient(outcomes)

    def distance(at: int) -> Q:
        return sum((o.chance * (o.model[at] - g.best) ** 2 for o in outcomes), ZERO)

    kept = (1 - eta * g.mu * (1 + Q(3, 8) * low)) * distance(t)
    right = eta**2 * (noises + 6 * low * large * gap + max(s * s for s in p.sigma))
    bias = 2 * eta * gap * (high - low)
    below = max(-kept, ZERO) + max(-bias, ZERO)  # what is below zero moves across
    return distance(t + 1) + below, max(kept, ZERO) + right + max(bias, ZERO)


def _in_a_round(size: int) -> dict[str, Any]:
    """Equal weights though one client is rare; the round begins where the other one is best."""
    return {**_rare(size), "pace": [ONE, ONE]}


def _rare(size: int) -> dict[str, Any]:
    """The rare client is the worst one and leads: it moves the model by a quarter."""
    two = {"curvature": [[ONE], [ONE]], "optimum": [[ONE], [ZERO]], "start": [ZERO]}
    noise = {"sigma": [ONE] * 2, "noise_share": [ZERO] * 2, "skew": [ONE] * 2}
    rule = {"temperature": ONE, "raw": [[ONE] * 2] * 3}
    return {**two, **noise, **rule, "share": [Q(1, size), ONE]}


# -- allforall -------------------------------------------------------------------------------------


def _fano(p: Any) -> Sides:
    """1 - (I + ln 2)/|V| against the error of the test."""
    size = int(p.size)
    return 1 - (fair_channel(size, p.error) + ln(Q(2))) / size, p.error


ONE_WAY = [[ONE, ZERO], [Q(1, 2), Q(1, 2)]]


def _theorem6a(p: Any) -> Sides:
    """One round of f = B |x| from D: nothing has moved yet; no N stands under the root."""
    weights = [x / sum(p.row) for x in p.row]
    right = root(2 * (p.distance * p.size) ** 2 * sum(x * x for x in weights))
    return p.size * p.distance * p.offset, right


def _all_alike(size: int) -> dict[str, Any]:
    agents = {"row": [ONE] * size, "slope_share": [ONE] * size, "extra": [ZERO] * size}
    return {**agents, "centre": ZERO, "size": ONE, "offset": ONE, "distance": ONE}


def _theorem42(p: Any) -> Sides:
    """Least E F^K over the numbers of rounds within the bound, step of 3.b over N."""
    mass, many = Q(3, 2), 2
    size = max(p.variance * mass / (p.precision * p.mu), Q(many))
    gap = p.precision * e_to(many * p.rounds / (2 * size))
    error = [root(2 * gap / p.mu)] * many
    found = []
    for rounds in range(1, int(p.rounds) + 1):
        level = many * gap * p.mu * rounds / (p.variance * mass)
        step = min(1 / (2 * p.mu), ln(level) / (p.mu * rounds)) / many
        step = Q(round(step * 10**30), 10**30)
        found.append(after_rounds(ONE_WAY, [p.mu] * many, error, p.variance, step, rounds))
    return min(found), p.precision


def _equal_columns(size: int) -> dict[str, Any]:
    """Eight agents of whom all follow one: W is all ones, with the eigenvalue 8."""
    many = 8
    first = [ONE, *[Q(1, 2**40)] * (many - 1)]
    alike = {"condition": [ONE] * many, "centre": [ZERO] * many, "start": ONE}
    return {**alike, "rows": [first] * many, "mu": ONE, "variance": ONE, "step_share": ONE}


def _theorem3b(p: Any) -> Sides:
    """Without noise, step 1/(2 L): no bias; F^0 exp(-K/(2 kappa))."""
    rows = [[x / sum(row) for x in row] for row in p.rows]
    bend, many = [p.mu * c for c in p.condition], len(p.rows)
    error = [p.start - c for c in p.centre]
    step, rounds = 1 / (2 * max(bend)), int(p.rounds)
    gap = sum(h * e * e for h, e in zip(bend, error, strict=True)) / (2 * many)
    left = after_rounds(rows, bend, error, ZERO, step, rounds)
    return left, gap * e_to(-rounds * p.mu / (2 * max(bend)))


def _theorem8(p: Any) -> Sides:
    """All rows alike with |lambda|^2 = (1 + (N - 1) share)/N, so that the model moves N |lambda|^2
    times as far; mean F over the rounds, the bound with K below the step."""
    many, rounds, h = int(p.N), int(p.rounds), p.curvature * p.smoothness
    mass = (1 + (many - 1) * p.share) / many
    long = root(many**3 * p.distance**2 / (rounds * p.variance * many * mass))
    move = many * mass * min(long, many / (2 * p.smoothness))
    start = (p.distance * p.offset) ** 2
    path = mean_path(h, start, move, p.variance / many, rounds)
    noise = root(2 * p.distance**2 * p.variance * mass / rounds)
    right = 2 * p.smoothness * p.distance**2 / rounds + noise
    return h * sum(path[:-1]) / rounds / 2, right


def _one_column(size: int) -> dict[str, Any]:
    rest = {"curvature": ONE, "smoothness": ONE, "variance": Q(1, 2**40), "share": ONE}
    return {**rest, "offset": ONE, "distance": ONE, "bias": [ZERO] * 8}


def _prop3(p: Any) -> Sides:
    """One agent at D, f = B |x|, epochs of 16 D^2 B^2 4^q samples, each at most one longer.

    A step of 2 D^2/(K B^2), K = 4 D^2 B^2 4^q, moves by B times that; the printed number of samples
    ends with the epoch p, but for the first step of the next one.
    """
    left, way = 16 * (p.distance * p.size) ** 2 * 4 ** int(p.p), ZERO
    for q in range(int(p.p) + 2):
        length = 4 * (p.distance * p.size) ** 2 * 4**q
        rounds = min(4 * length, left)
        way += (rounds + 1) * 2 * p.distance**2 / (length * p.size)
        left -= rounds
    return p.size * (p.distance * p.offset - way), Q(1, 2 ** int(p.p))


def _lemma4(p: Any) -> tuple[list[Q], Q]:
    """Curvatures of the axes and L; A = diag(1, ratio)."""
    return [p.mu * p.condition, p.ratio * p.mu], p.mu * p.condition


def _moments(p: Any, step: Q) -> tuple[Q, Q]:
    """f at the start and E f after the rounds, the noise on the first axis."""
    bends, _ = _lemma4(p)
    noises = (p.variance, ZERO)
    ends = [
        mean_path(h, x * x, step, v, int(p.rounds))[-1]
        for h, x, v in zip(bends, p.point, noises, strict=True)
    ]
    start = sum(h * x * x for h, x in zip(bends, p.point, strict=True)) / 2
    return start, sum(h * e for h, e in zip(bends, ends, strict=True)) / 2


def _lemma4a(p: Any) -> Sides:
    step = p.step_share / (2 * p.mu * p.condition)
    start, left = _moments(p, step)
    right = e_to(-step * p.mu * p.rounds) * start + step * p.mu * p.condition * p.variance / p.mu
    return left, right


def _lemma4b(p: Any) -> Sides:
    _, high = _lemma4(p)
    start, _ = _moments(p, ZERO)
    level = ln(start * p.mu**2 * p.rounds / (high * p.variance))
    step = min(1 / (2 * high), level / (p.mu * p.rounds))
    right = e_to(-p.mu * p.rounds / (2 * high)) * start
    return _moments(p, step)[1], right + high * p.variance * level / (p.mu**2 * p.rounds)


def _flat_axis(variance: Q) -> dict[str, Any]:
    """All of the start on an axis of which A has little."""
    rest = {"mu": ONE, "condition": ONE, "ratio": Q(1, 1024), "point": [ZERO, Q(32)]}
    return {**rest, "variance": variance}


def _lemma4c(p: Any) -> Sides:
    """f = mu x^2/2 at the mean of x^0 .. x^(T-1), of which 2 x^0/T is left without noise."""
    rounds = int(p.rounds)
    step = min(p.precision / (2 * p.variance), 1 / (2 * p.mu))
    gap = p.precision * e_to(step * p.mu * (rounds - p.fraction))
    kept = [(1 - step * p.mu) ** t for t in range(rounds)]
    noise = sum((step * sum(kept[: rounds - 1 - s]) / rounds) ** 2 for s in range(rounds - 1))
    return gap * (sum(kept) / rounds) ** 2 + p.mu * p.variance * noise / 2, p.precision


# -- fedbc -----------------------------------------------------------------------------------------


def _lemma_b1i(p: Any) -> Sides:
    """(20) along Algorithm 1: one of N devices moves."""
    s = fedbc.Setting(p.raw)
    left = s.over_clients(lambda r, i: s.pull(i, r.old[i], r.z, r.lam[i]) ** 2)
    move = s.over_clients(lambda r, i: r.move(i) ** 2)
    return left, 2 * s.M1**2 * (move + s.epsilon)


def _waiting(size: int) -> dict[str, Any]:
    """Equal devices with L = 1 and lambda = 2: each that waits counts on the left alone."""
    alike = {"height": [ONE] * size, "centre": [[ZERO]] * size, "starts": [[Q(-2)]] * size}
    dual = {"high": ZERO, "place": [ZERO] * size, "gamma": [ONE] * size, "dual_step": ONE}
    return {**alike, **dual, "width": ONE, "start": [Q(-1)], "step_share": ONE}


def _lemma_b1ii(p: Any) -> Sides:
    """(21) with alpha G^2, where (37) has G: alone at its minimum nothing moves but lambda."""
    s = fedbc.Setting(p.raw)
    fall = s.over_clients(s.fall)
    spread = s.over_clients(lambda r, i: r.spread(i))
    right = s.epsilon / (2 * s.top) + s.alpha * s.G**2 + s.high * spread
    left = s.over_clients(lambda r, i: r.move(i) ** 2)
    return left + max(-fall, ZERO), right + max(fall, ZERO)


def _at_its_minimum(size: int) -> dict[str, Any]:
    alone = {"height": [ONE], "centre": [[ZERO]], "width": ONE, "start": [ZERO], "starts": [[ZERO]]}
    dual = {"high": ONE, "place": [ONE], "gamma": [Q(1, size)], "dual_step": ONE}
    return {**alone, **dual, "step_share": ONE}


def _lemma_b2(p: Any) -> Sides:
    """(44): the spread of both devices against epsilon + delta^2, without constants."""
    s = fedbc.Setting(p.raw)
    left = s.expected(lambda run: fedbc.mean([r.spread(i) for r in run for i in range(s.n)]))
    return left, s.epsilon + s.delta**2


def _shifted(size: int) -> dict[str, Any]:
    """L = 1, lambda = 2; the device that waits stays at 2, the wells are 1/size apart."""
    dual = {"high": ZERO, "place": [ZERO] * 2, "gamma": [ONE] * 2, "dual_step": ONE}
    rest = {"height": [ONE] * 2, "width": ONE, "start": [ZERO], "starts": [[Q(2)], [Q(2)]]}
    return {**dual, **rest, "shift": Q(1, size)}


def _corollary46(p: Any) -> Sides:
    """(15): no residual is left, and the bracket is zero; epsilon_i is what is allowed."""
    s = fedbc.Setting(p.raw)
    run = next(s.runs())
    signs = [1 if (r.new[0] - r.z) ** 2 > s.gamma[0] else -1 for r in run]
    assert 1 + sum(signs) <= 0
    left = fedbc.mean([s.losses[0].slope(r.new[0]) ** 2 for r in run])
    return left, p.slack + max(s.residual(r, 0) ** 2 for r in run)


# -- hcct ------------------------------------------------------------------------------------------


def _deviation(p: Any) -> Sides:
    """(37), b, where the gradients are taken at the mean model and named at the own ones."""
    total = sum(p.size)
    mean_model = sum(a * w for a, w in zip(p.size, p.start, strict=True)) / total
    moved = sum(
        a / total * h * (w - mean_model) for a, h, w in zip(p.size, p.bend, p.start, strict=True)
    )
    noise = sum((a / total * s * p.sigma) ** 2 for a, s in zip(p.size, p.share, strict=True))
    return moved**2 + noise, p.sigma**2


def _opposite(size: int) -> dict[str, Any]:
    """Two members on either side of their mean, one steeper: the sum moves by 1."""
    two = {"bend": [ONE, Q(3)], "optimum": [ZERO, ZERO], "start": [Q(-1), ONE], "size": [ONE] * 2}
    return {**two, "sigma": Q(1, size), "share": [ONE, ONE], "step_size": Q(1, 4)}


RAYS = {
    "adaptive.lemma1@new-model+eta+in-mean": Along(_one_step, _flat, (2**4, 2**8, 2**12), 0.99),
    "adaptive.lemma2/variance@plain-b+mean-excess+before-step": Along(
        _lemma2, _own_noise, (2**6, 2**9, 2**12), 1.9, shape=2
    ),
    "adaptive.theorem2.const@squared-b+realised-excess": Along(
        _constant_row, _kicked, (2**6, 2**9, 2**12), 1.9, family=1
    ),
    "adaptive.theorem2.horizon@squared-b+realised-excess+with-beta": Along(
        _horizon_row, _loud, (2**6, 2**9, 2**12), 1.9, shape=6, rest={"N": 2, "rounds": 2}
    ),
    "adaptive.theorem3@squared-b+realised-excess": Along(
        _theorem3, _twins, (2, 4, 8), 0.5, shape=0, named="N"
    ),
    "adaptive.corollary1/proof-max": Along(_proof_max, _one, (2**8, 2**12, 2**16), 1),
    "aggregation.theorem3@run+algorithm+loop": Along(
        _one_iteration, _in_a_round, (2**16, 2**20, 2**24), 0.99, shape=5
    ),
    "aggregation.corollary4@run+algorithm+loop+iterations": Along(
        _corollary4, _rare, (2**12, 2**16, 2**20), 0.99
    ),
    "allforall.fano": Along(
        _fano, lambda size: {"error": Q(1, size)}, (2**8, 2**12, 2**16), 0.99, shape=1
    ),
    "allforall.theorem6a@without-agents": Along(
        _theorem6a, _all_alike, (8, 32, 128), 0.49, shape=1, named="N"
    ),
    "allforall.theorem3b/noiseless@with-rounds+algorithm-step": Along(
        _theorem3b, _equal_columns, (4, 8, 16), by=2**6, named="rounds", rest={"N": 8}
    ),
    "allforall.theorem4.2@same-step+appendix-step+at-most": Along(
        _theorem42,
        lambda _: {"mu": ONE, "precision": Q(1, 4), "variance": Q(1, 2**40), "fraction": ZERO},
        (16, 32, 48),
        by=4,
        shape=5,
        named="rounds",
    ),
    "allforall.theorem8/rate@as-in-lemmas+algorithm-step": Along(
        _theorem8, _one_column, (4, 8, 16), by=2**8, shape=3, named="rounds"
    ),
    "allforall.prop3@epochs-of-T": Along(
        _prop3,
        lambda size: {"size": Q(size), "distance": Q(8), "offset": ONE},
        (2**8, 2**12, 2**16),
        1,
    ),
    "allforall.lemma4a": Along(
        _lemma4a,
        lambda size: {**_flat_axis(Q(1, size)), "step_share": ONE},
        (2**8, 2**12, 2**16),
        0.9,
        shape=3,
        rest={"rounds": 64},
    ),
    "allforall.lemma4b": Along(
        _lemma4b, lambda _: _flat_axis(Q(1, 2**200)), (16, 32, 64), by=8, shape=3, named="rounds"
    ),
    "allforall.lemma4c/gap@in-mean": Along(
        _lemma4c,
        lambda _: {"mu": ONE, "precision": ONE, "variance": Q(1, 4), "fraction": ZERO},
        (16, 32, 64),
        by=2**8,
        named="rounds",
    ),
    "fedbc.lemmaB1i@A": Along(_lemma_b1i, _waiting, (4, 8, 16), 1, shape=1, named="N"),
    "fedbc.lemmaB1ii@printed+derived": Along(_lemma_b1ii, _at_its_minimum, (2**4, 2**8, 2**12), 2),
    "fedbc.lemmaB2@A": Along(_lemma_b2, _shifted, (2**4, 2**8, 2**12), 2),
    "fedbc.corollary46@projected": Along(
        _corollary46, lambda size: {"slack": Q(1, size)}, (2**8, 2**12, 2**16), 1
    ),
    "hcct.lemma1/noise@algorithm": Along(_deviation, _opposite, (2**4, 2**8, 2**12), 1.9, shape=1),
}
