"""Second judges of weighted averaging and all-for-all: runs of a few rounds in fractions."""

from __future__ import annotations

from fractions import Fraction as Q
from itertools import product
from typing import Any

from tests.qa.second_judges.allforall.numbers import (
    after_rounds,
    e_to,
    ln,
    mean_path,
    root,
    simplex_gap,
    walk,
)
from tests.qa.second_judges.allforall.record import SLACK, grows, judge, more, stochastic


# -- weighted gradient averaging ------------------------------------------------------------------
@judge(
    "theorem6a@without-agents",
    "Theorem 6.a: sqrt(2 D^2 B^2 sum lambda^2/K) + sum lambda b; N is missing",
)
def _theorem6a(p: Any) -> bool:
    # one minimiser, equal slopes: b = 0; K = 1: the left side is the gap at the start
    lam = [x / sum(p.row) for x in p.row]
    equal = len({*p.slope_share}) == 1 and p.slope_share[0] == 1 and p.rounds == 1
    if not equal or abs(p.offset) > 1 or any(p.extra):
        return False
    square = sum(x * x for x in lam)
    step = p.distance / root(2 * p.N * p.size**2 * square)
    start = abs(p.offset) * p.distance
    near = all(abs(start - step * p.N * x * p.size) <= p.distance for x in lam)
    return near and more(p.size * start, root(2 * p.distance**2 * p.size**2 * square))


@judge(
    "theorem6b@beside",
    "Theorem 6.b: K = N equal agents, sigma^2 = mu F/level, step ln(level)/(mu N)",
)
def _theorem6b(p: Any) -> bool:
    gap = p.mu * p.start**2 / 2
    if not (gap > 0 and 1 < p.level <= 64):
        return False
    many = -(-1 // gap) + 9
    step = ln(p.level) / many  # times mu; at most 1/2
    kept = gap * (1 - Q(3, 2) * step * 2 * many) if step * 2 * many < Q(1, 4) else gap / p.level**3
    noise = p.mu * (p.mu * gap / p.level) / (p.mu**2 * many) / many
    return step <= Q(1, 2) and grows(kept, 2 * (gap * Q(48, many**3) + noise))


def _positive_step(p: Any, right: Q) -> bool:
    """T = N K with F mu^2 K/(L sigma^2 N) > 1, F = (1 + excess) eps not yet precise."""
    if not (p.excess > 0 and p.precision > 0 and p.condition >= 1):
        return False
    many = -(-1 // p.precision)
    gap = (1 + p.excess) * p.precision
    rounds = many * p.condition * p.variance / (p.mu * gap)
    return grows(many * rounds, right)


@judge(
    "theorem2.2@beside", "Theorem 2.2: T <= O~(kappa sigma^2 N/(mu eps N_i)); all agents are close"
)
def _theorem22(p: Any) -> bool:
    return _positive_step(p, p.condition * p.variance / (p.mu * p.precision))


@judge(
    "naive.b@beside", "Section 5: T <= O~(kappa sigma^2/(mu eps) max N/N_i); all agents are close"
)
def _naive_b(p: Any) -> bool:
    return _theorem22(p)


@judge("theorem7.2/small@beside", "Theorem 7.2: m <= 1/2: T <= O~(kappa sigma^2 N/(mu eps N_i))")
def _theorem72_small(p: Any) -> bool:
    return _theorem22(p)  # equal agents: m = 0


@judge("theorem7.2/any@beside", "Theorem 7.2: T <= O~((m+1) kappa^2 sigma^2 N/(mu eps N_i))")
def _theorem72(p: Any) -> bool:
    right = (p.relaxation + 1) * p.condition**2 * p.variance / (p.mu * p.precision)
    return p.relaxation >= 0 and _positive_step(p, right)


def _tied_run(p: Any, rounds: int, last: bool) -> Q:
    """Agent i alone has a weight, 1/counted; all others have b = eps/2 and none: f_i = B s |x|."""
    close = p.counted * p.rounds / Q(p.N)
    size = p.precision * root(close) / (2 * p.distance)
    lam = Q(1, p.counted)
    step = p.distance / (size * root(2 * rounds * p.N * lam**2))
    move = step * p.N * lam * size
    return size * p.share * walk(p.distance * p.offset, move, Q(1, p.N), p.share, rounds, last, p)


@judge("theorem2.1@as-set+at-most", "Theorem 2.1: strict weights, others at b = eps/2; any K <= T")
def _ties(p: Any) -> bool:
    if p.active != 1 or p.fraction:
        return False
    return all(more(_tied_run(p, k, False), p.precision) for k in range(1, p.rounds + 1))


@judge("theorem2.1@as-set+rounded-up", "Theorem 2.1: strict weights, others at b = eps/2; K = T")
def _ties_up(p: Any) -> bool:
    return p.active == 1 and not p.fraction and more(_tied_run(p, p.rounds, False), p.precision)


@judge("naive.a@as-set+rounded-up", "Section 5: max_i E gap_i <= eps after T; ties as in 2.1")
def _naive_a(p: Any) -> bool:
    return p.active == 1 and not p.fraction and more(_tied_run(p, p.rounds, True), p.precision)


def _wga(p: Any) -> tuple[Q, Q]:
    """Start and step for one agent."""
    assert p.N == 1
    assert 0 <= p.slope_share[0] <= 1
    return p.distance * p.offset, p.step_share * p.distance / p.size


@judge(
    "proof.wga_step/expansion@eta-missing",
    "Appendix D.1: e_1 = e_0 - 2 E<.> + eta^2 E|g|^2, without eta",
)
def _expansion(p: Any) -> bool:
    start, eta = _wga(p)
    s, b = p.slope_share[0] * p.size, p.size
    up = (1 + p.slope_share[0]) / 2
    after = up * (start - eta * b) ** 2 + (1 - up) * (start + eta * b) ** 2
    return start > 0 and after != start**2 - 2 * s * start + eta**2 * b**2


@judge("ineq.wga_rec@every-outcome", "Appendix D.1: sum F <= e_0/(2 eta) + K eta N B^2/2, no E")
def _away(p: Any) -> bool:
    start, eta = _wga(p)
    if p.slope_share[0] >= 1 or any(p.extra) or start < 0:
        return False
    path = [start + k * eta * p.size for k in range(p.rounds + 1)]
    left = p.slope_share[0] * p.size * sum(path[:-1])
    right = start**2 / (2 * eta) + p.rounds * eta * p.size**2 / 2
    return path[-1] <= p.distance and left > right


# -- all-for-all ----------------------------------------------------------------------------------
def _quadratics(p: Any) -> tuple[list[list[Q]], list[Q], list[Q]]:
    return stochastic(p.rows), [p.mu * c for c in p.condition], [p.start - c for c in p.centre]


def _sum_bias(p: Any) -> Q:
    lam, bend, _ = _quadratics(p)
    pairs = product(range(p.N), repeat=2)
    return sum(lam[i][j] * bend[i] * (p.centre[i] - p.centre[j]) ** 2 / 2 for i, j in pairs) / Q(
        p.N
    )


def theorem3b(p: Any, own: bool, noise: bool, rounds: int = 0) -> tuple[Q, Q, Q]:
    """E F^K, the explicit right side, and the O~ without its constant."""
    lam, bend, error = _quadratics(p)
    high, kappa = max(bend), max(bend) / p.mu
    assert min(p.condition) >= 1
    assert min(bend) >= p.mu
    gap = sum(h * e * e for h, e in zip(bend, error, strict=True)) / (2 * p.N)
    mass = sum(x * x for row in lam for x in row)
    step = 1 / (2 * high)
    if noise:
        level = p.N * gap * p.mu**2 * p.rounds / (high * p.variance * mass)
        assert level > 1
        step = min(step, ln(level) / (p.mu * p.rounds))
    step = step if own else step / p.N
    left = after_rounds(lam, bend, error, p.variance if noise else Q(0), step, p.rounds)
    size = high * p.variance * mass / (p.rounds * p.mu**2 * p.N)
    rate = Q(rounds) / (2 * kappa) if rounds else kappa / (2 * high)
    return left, gap * e_to(-rate) + _sum_bias(p), size


for _scale in ("algorithm-step", "appendix-step"):

    @judge(
        f"theorem3b/noiseless@without-rounds+{_scale}",
        "Theorem 3.b, sigma to 0: F e^(-kappa/(2L)) + bias",
    )
    def _noiseless(p: Any, own: bool = _scale == "algorithm-step") -> bool:
        left, right, _ = theorem3b(p, own, False)
        return more(left, right)

    @judge(
        f"theorem3b/noise@without-rounds+{_scale}", "Theorem 3.b: F e^(-kappa/(2L)) + O~(.) + bias"
    )
    def _noisy(p: Any, own: bool = _scale == "algorithm-step") -> bool:
        left, right, size = theorem3b(p, own, True)
        return grows(left, right + size)

    @judge(
        f"theorem8/rate@as-displayed+{_scale}",
        "Theorem 8: last iterate, step that does not fall with K",
    )
    def _theorem8(p: Any) -> bool:
        if p.N != 1 or abs(p.offset) > 1 or not 0 < p.curvature <= 1:
            return False
        h = p.curvature * p.smoothness
        step = min(p.distance / root(p.variance), 1 / (2 * p.smoothness))
        square = mean_path(h, (p.distance * p.offset) ** 2, step, p.variance, p.rounds)[-1]
        right = 2 * p.smoothness * p.distance**2 / p.rounds
        right += root(2 * p.distance**2 * p.variance / p.rounds)
        return more(h * square / 2, right)

    for _samples in ("at-most", "rounded-up"):

        @judge(
            f"theorem4.2@same-step+{_scale}+{_samples}",
            "Theorem 4.2, step of 3.b, three agents on a path, one start",
        )
        def _theorem42(
            p: Any, own: bool = _scale == "algorithm-step", up: bool = _samples == "rounded-up"
        ) -> bool:
            if p.graph != "path" or p.N != 3 or p.fraction:
                return False
            lam = stochastic([[Q(x) for x in row] for row in ((1, 1, 0), (1, 1, 1), (0, 1, 1))])
            mass = sum(x * x for row in lam for x in row)
            size = max(p.variance * mass / (p.precision * p.mu), Q(3))
            gap = p.precision * e_to(3 * p.rounds / (2 * size))
            bend, error = [p.mu] * 3, [root(2 * gap / p.mu)] * 3
            for rounds in range(p.rounds if up else 1, p.rounds + 1):
                level = 3 * gap * p.mu * rounds / (p.variance * mass)
                step = min(1 / (2 * p.mu), ln(level) / (p.mu * rounds)) if level > 1 else Q(0)
                run = lam, bend, error, p.variance, step if own else step / 3, rounds
                if not more(after_rounds(*run), p.precision):
                    return False
            return True


for _samples in ("at-most", "rounded-up"):

    @judge(f"theorem4.2@some-step+{_samples}", "Theorem 4.2, any constant step, on a path of three")
    def _some_step(p: Any) -> bool:
        if p.graph != "path" or p.fraction or p.N != 3:
            return False
        # even plane of W: (3/4, sqrt 2/3; sqrt 2/3, 1/3), start (sqrt 2, 1); noise left out
        spread = root(Q(25, 144) + Q(8, 9))
        low, high = (Q(13, 12) - spread) / 2, (Q(13, 12) + spread) / 2
        across = Q(2, 9)
        parts = []
        for value in (low, high):
            entry = value - Q(3, 4)
            parts.append((root(2 * across) + entry) ** 2 / (across + entry**2) / 3)
        kept = min((1 - 2 * low / high) ** (2 * p.rounds) * parts[0], parts[1])
        return abs(sum(parts) - 1) < SLACK and more(kept * e_to(Q(p.rounds, 2)), Q(1))

    @judge(
        f"theorem8/samples@as-displayed+{_samples}",
        "Theorem 8: E F^K <= eps for T samples, one agent",
    )
    def _samples8(p: Any, up: bool = _samples == "rounded-up") -> bool:
        if p.N != 1 or p.larger != "noise" or p.fraction or not 0 <= p.part <= 1:
            return False
        variance = p.rounds * p.precision**2 / (8 * p.distance**2)
        smooth = p.part * p.rounds * p.precision / (4 * p.distance**2)
        h = p.curvature * smooth
        step = min(p.distance / root(variance), 1 / (2 * smooth))
        path = mean_path(h, (p.distance * p.offset) ** 2, step, variance, p.rounds)
        squares = path[-1:] if up else path[1:]
        inside = abs(p.offset) <= 1 and 0 < p.curvature <= 1
        return inside and more(h * min(squares) / 2, p.precision)


def _two_models(p: Any) -> tuple[Q, Q]:
    """F^1 and f^Lambda(y^1) - f(x^*), times 2 N, without noise, y moved by Lambda G."""
    lam, bend, error = _quadratics(p)
    step, n = p.step_share / max(bend), range(p.N)
    slope = [h * e for h, e in zip(bend, error, strict=True)]
    y = [p.start - step * sum(lam[i][j] * slope[j] for j in n) for i in n]
    model = [sum(lam[i][j] * y[j] for j in n) for i in n]
    mixed = [sum(lam[j][k] * slope[j] for j in n) for k in n]
    x = [p.start - step * sum(lam[i][k] * mixed[k] for k in n) for i in n]

    def value(models: list[Q]) -> Q:
        return sum(h * (m - c) ** 2 for h, m, c in zip(bend, models, p.centre, strict=True))

    return value(x), value(model)


@judge("ineq.biasvar/equal@plain-matrix", "Section 5: 'these two quantities are equal'")
def _equal(p: Any) -> bool:
    first, second = _two_models(p)
    return first != second


@judge("ineq.biasvar/bound@plain-matrix", "Section 5: F^k <= bias + optimisation and variance")
def _bound(p: Any) -> bool:
    first, second = _two_models(p)  # the two terms add up to f^Lambda(y) - f(x^*)
    return first > second


for _same, _up in product((True, False), (False, True)):
    _key = f"{'same' if _same else 'some'}-step+{'rounded-up' if _up else 'at-most'}"
    if _same or not _up:

        @judge(f"theorem4.1/simplex@{_key}", "Theorem 4.1: mean F <= eps, one model, exact slopes")
        def _simplex(p: Any, same: bool = _same, up: bool = _up) -> bool:
            if not (p.ratio >= 2 and 0 <= p.fill <= 1 and 0 < p.offset <= 1):
                return False
            number = p.rounds - p.fraction if up else p.rounds + p.fraction
            horizons = range(p.rounds if up else 1, p.rounds + 1)
            return all(more(simplex_gap(p, number, k, same), p.precision) for k in horizons)


for _epochs, _longer in (("T", 4), ("K", 1)):

    @judge(f"prop3@epochs-of-{_epochs}", "Proposition 3: eta(eps) is printed without a root")
    def _prop3(p: Any, longer: int = _longer) -> bool:
        if p.p != 0 or abs(p.offset) > 1:
            return False
        left, way, size = 16 * (p.distance * p.size) ** 2, Q(0), p.size
        for k in range(3):
            length = 4 * (p.distance * size) ** 2 * 4**k
            step = 2 * p.distance**2 / (length * size**2)
            way += (min(longer * length, left) + 1) * step * size
            left -= min(longer * length, left)
        return left == 0 and size * (p.distance * p.offset - way) > 1


@judge("claim.spectral", "Appendix E.2: the spectral radius of W is 1")
def _spectral(p: Any) -> bool:
    lam = stochastic(p.rows)
    a, b, c = (
        sum(x * y for x, y in zip(lam[i], lam[j], strict=True)) for i, j in ((0, 0), (0, 1), (1, 1))
    )
    return (p.N == 2 and (1 - a) * (1 - c) != b * b) or a + c > 2


def _forms(p: Any) -> tuple[Q, Q, Q]:
    """y^T Lambda^T H Lambda y, y^T W y, and the largest curvature."""
    lam, n = stochastic(p.rows), range(p.N)
    bend = [p.mu * c for c in p.condition]
    assert min(p.condition) >= 1
    assert p.mu > 0
    ahead = [sum(lam[i][j] * p.point[j] for j in n) for i in n]
    back = [sum(lam[j][i] * p.point[j] for j in n) for i in n]
    return (
        sum(h * a * a for h, a in zip(bend, ahead, strict=True)),
        sum(b * b for b in back),
        max(bend),
    )


@judge("proof.relsmooth/smooth", "Appendix E.2: f^Lambda is L/N-smooth relative to |y|_W^2/2")
def _relative_smooth(p: Any) -> bool:
    curved, size, high = _forms(p)
    return curved > high * size


@judge("proof.relsmooth/convex", "Appendix E.2: mu/N-strongly convex relative to |y|_W^2/2")
def _relative_convex(p: Any) -> bool:
    curved, size, _ = _forms(p)
    return p.mu * size > curved
