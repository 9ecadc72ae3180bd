"""Second judges of the lower bounds of the all-for-all paper and of their constructions."""

from __future__ import annotations

from fractions import Fraction as Q
from itertools import product
from typing import Any

from tests.qa.second_judges.allforall.numbers import e_to, entropy, fair_channel, ln, root
from tests.qa.second_judges.allforall.record import SLACK, grows, judge, more


# -- lower bounds ---------------------------------------------------------------------------------
def _one_sample(p: Any) -> bool:
    # |x_i^*| <= r and slopes up to B: at 0 the gap is at most rB <= eps, so one sample is enough
    if not (0 < p.share <= 1 and 0 < p.precision < Q(1, 16)):
        return False
    many = -(-1 // p.precision)
    return grows(p.share**2 * many, Q(1))


judge("theorem1a", "Theorem 1: at least C r^2 B^2 N/(eps^2 N_i) samples; b_ij = 5 eps, rB <= eps")(
    _one_sample
)
judge("theorem5a", "Theorem 5: at least C r^2 B^2 N/(eps^2 N_i) samples; rB <= eps")(_one_sample)


@judge("theorem1b", "Theorem 1: T_i^eps is the first T of precision eps; points of a net in turn")
def _net(p: Any) -> bool:
    if not (0 < p.precision < Q(1, 16) and p.noise > 0):
        return False
    right = p.noise / p.precision
    if p.route == "net":  # N = 1: curvature 1/r^2, cells of half-width r sqrt(2 eps) on [-r, r]
        return grows(right, 1 + 1 / root(2 * p.precision))
    many = -(-1 // p.precision)  # b_1j = 5 eps, b_j1 = 0: all agents are alike, N_1 = 1
    return grows(right * many, right / 2 + 1)


@judge("theorem5b", "Theorem 5: C' r^2 sigma^2 N/(eps N_i), d_H <= b_ij = 5 eps, r = 1/2")
def _near_laws(p: Any) -> bool:
    # one step with the mean of T gradients at 0: bias r^2 (5 eps)^2/2 <= eps/2 as 25 eps r^2 <= 1
    if not (0 < p.precision < Q(1, 16) and 25 * p.precision / 4 <= 1 and p.noise > 0):
        return False
    many = -(-1 // p.precision)
    return grows(p.noise * many / p.precision, p.noise / p.precision + 1)


@judge("eq12/convex", "Equation 12: C d N/(eps^2 N_1(4b)); two sign vectors, majority of signs")
def _majority(p: Any) -> bool:
    # d = 2, eps = psi = delta/2, b_1j = eps/2, so delta_j >= 3 delta/4; T = 12/delta^2
    delta = 2 * p.precision
    if not 0 < delta <= Q(1, 2):
        return False
    u = 2 * (3 * delta / 4) ** 2
    error = e_to(-u * 12 / delta**2 / 4)  # ((1 + e^-u)/2)^T <= e^(-uT/4), as u <= 1/2
    many = -(-1 // p.precision)
    return 3 * p.precision * error < p.precision / 9 and grows(
        2 * many / p.precision**2, 1 + 12 / delta**2
    )


@judge("eq12/quadratic", "Appendix B.3: C' d N/(eps N_1(4b)) for eps = delta^2/4")
def _majority_quadratic(p: Any) -> bool:
    # b_1j = eps = delta^2/4, so delta_j = delta/2; T = 29/delta^2; an error costs delta^2 = 4 eps
    if not 0 < 4 * p.precision <= Q(1, 4):
        return False
    error = e_to(-Q(29, 4) / 2)
    many = -(-1 // p.precision)
    return 4 * error < Q(1, 9) and grows(2 * many / p.precision, 1 + 29 / (4 * p.precision))


@judge("claim.match@of-the-bounds", "after Theorem 2: N/N_i(2b) matches N/N_i(b/4); b_1j = eps")
def _match(p: Any) -> bool:
    many = -(-1 // p.precision)
    upper = many / Q(1)  # eps <= eps/2 for no other agent
    lower = Q(many, many)  # eps/4 <= eps for all
    return p.precision > 0 and grows(upper, lower)


@judge("def.rho", "Appendix B.1: rho is a pseudo-metric; triangle inequality for h |x - m|")
def _rho(p: Any) -> bool:
    assert min(p.height) > 0

    def rho(i: int, j: int) -> Q:  # convex and piecewise linear: the infimum is at a kink
        return min(
            sum(p.height[k] * abs(x - p.centre[k]) for k in (i, j))
            for x in (p.centre[i], p.centre[j])
        )

    return rho(0, 2) > rho(0, 1) + rho(1, 2)


@judge("fano", "Equation 9: error >= 1 - (I + ln 2)/|V|; answers wrong with chance p, uniformly")
def _fano(p: Any) -> bool:
    return 0 < p.error < 1 and more(
        1 - (fair_channel(p.size, p.error) + ln(Q(2))) / p.size, p.error
    )


@judge("proof.fanochain/second", "Appendix B.1: 1/3 >= error >= 1 - (I + ln 2)/|V|")
def _chain(p: Any) -> bool:
    return p.error <= Q(1, 3) and _fano(p)


@judge("eq10", "Equation 10: T >= (2|V|/3 - ln 2)/I(phi_1); one sample, error at most 1/3")
def _eq10(p: Any) -> bool:
    if not 0 < p.error <= Q(1, 3):
        return False
    return more((Q(2 * p.size, 3) - ln(Q(2))) / fair_channel(p.size, p.error), Q(1))


@judge("packing", "Appendix B.2: |V| >= (2/sqrt e)^(d/2), -1 not in V; all packings are tried")
def _packing(p: Any) -> bool:
    d = p.d
    signs = [s for s in product((1, -1), repeat=d) if 4 * sum(x == 1 for x in s) >= d and 1 in s]
    apart = [{j for j, t in enumerate(signs) if 4 * sum(map(int.__ne__, s, t)) >= d} for s in signs]

    def most(left: set[int]) -> int:
        return max((1 + most(left & apart[i] - set(range(i + 1))) for i in left), default=0)

    return p.unit == 1 and more(root(2 / root(e_to(Q(1)))) ** d, Q(most({*range(len(signs))})))


@judge("eq.MI/samples", "Appendix B.2: I(phi_T) = T I(phi_1); d = 2, V = {(1,1), (1,-1)}, T = 2")
def _information(p: Any) -> bool:
    if not 0 < p.delta < Q(1, 2):
        return False
    p1 = Q(1, 2) + p.delta
    # sample: coordinate 1 (tells nothing) or a coin of coordinate 2, each with chance 1/2
    once = (ln(Q(2)) - entropy([p1, 1 - p1])) / 2
    pair = [p1 * p1, p1 * (1 - p1), (1 - p1) * p1, (1 - p1) ** 2]
    mixed = [(a + b) / 2 for a, b in zip(pair, pair[::-1], strict=True)]
    twice = (entropy(mixed) - entropy(pair)) / 4 + once
    return abs(twice - 2 * once) > SLACK


@judge("eq.MI/count", "Appendix B.2: sum 1{b_1i < delta} delta_i^2 = N_1(b) delta^2")
def _count(p: Any) -> bool:
    bias = [Q(0), *p.bias]
    assert min(bias) >= 0
    left = sum((p.delta - b) ** 2 for b in bias if b < p.delta)
    return 0 < p.delta <= Q(1, 2) and left != sum(b <= p.delta for b in bias) * p.delta**2


def _g(x: Q, sign: int, own: Q, delta: Q) -> Q:
    """One coordinate of the convex construction, without 1/d."""
    half = Q(1, 2)
    return (half + sign * own) * abs(x + half) + (half - sign * own) * abs(x - half) - delta * x


KINKS = (-Q(1, 2), Q(1, 2))


@judge("eq.rho_abs/value", "Appendix B.2: rho = (delta/d) sum |alpha_k - beta_k|")
def _rho_abs(p: Any) -> bool:
    both = min(sum(_g(x, s, p.delta, p.delta) for s in (1, -1)) for x in KINKS)
    apart = sum(min(_g(x, s, p.delta, p.delta) for x in KINKS) for s in (1, -1))
    rho = p.different * (both - apart) / p.d
    return 0 < p.delta <= Q(1, 2) and rho != p.delta / p.d * 2 * p.different


@judge("eq.rho_quad/value", "Appendix B.3: rho = (delta^2/d) sum |alpha_k - beta_k|")
def _rho_quad(p: Any) -> bool:
    def g(x: Q, s: int) -> Q:
        return (x * x + 1 - 2 * (Q(1, 2) + s * p.delta) * x) / 2

    both = sum(g(Q(1, 2), s) for s in (1, -1))
    apart = sum(g(Q(1, 2) + s * p.delta, s) for s in (1, -1))
    return p.delta > 0 and p.different * (both - apart) / p.d != 2 * p.different * p.delta**2 / p.d


@judge("construction.convex@drawn-coin", "Appendix B.2: E|g|^2 <= B^2 = 1, left of all kinks")
def _moment(p: Any) -> bool:
    return 0 < p.delta < Q(1, 4) and (-1 - p.delta) ** 2 > 1


@judge("construction.quadratic@loss", "Appendix B.3: l = |x - xi|^2/2 has L = 1/d")
def _curved(p: Any) -> bool:
    return p.delta > 0 and Q(1) > Q(1, p.d)


@judge("proof.f1/family@vector", "Appendix B.2: f_1 = g_alpha; slopes between the kinks, d = 4")
def _family(p: Any) -> bool:
    chance = (Q(1, 2) + p.sign * p.delta) / 4
    own = (2 * chance - 1 - p.delta) / 4
    return abs(p.point) < Q(1, 2) and own != (2 * (Q(1, 2) + p.sign * p.delta) - 1 - p.delta) / 4


@judge("proof.f1/minimum", "Appendix B.2: g(x^alpha) = (1/d) sum (1 - delta alpha_k)/2")
def _minimum(p: Any) -> bool:
    alpha = (1, p.sign)  # not -1 in all entries
    value = sum(_g(-Q(a, 2), a, p.delta, p.delta) for a in alpha) / 2
    return p.delta > 0 and value != sum((1 - p.delta * a) / 2 for a in alpha) / 2


def _side(p: Any) -> tuple[list[Q], Q, Q]:
    """delta_i and delta_j, b_ij and f_i(x_j^*) - f_i(x_i^*) for alpha = (1, ..., 1)."""
    assert p.sign == 1
    assert min(p.bias) >= 0
    assert 0 < p.delta <= Q(1, 2)
    own = [max(Q(0), p.delta - b) for b in p.bias]
    best = [-Q(1, 2) if 2 * d >= p.delta else Q(1, 2) for d in own]
    gap = _g(best[1], 1, own[0], p.delta) - _g(best[0], 1, own[0], p.delta)
    return own, abs(p.bias[0] - p.bias[1]), gap


@judge("proof.B1conv/value", "Appendix B.2: gap = (1/d) sum |alpha_k - 1|/2 (2 delta_i - delta)")
def _gap_value(p: Any) -> bool:
    own, _, gap = _side(p)
    return 2 * own[0] >= p.delta > 2 * own[1] and gap != 0


@judge("proof.B1conv/large", "Appendix B.2: delta_i >= delta/2 > delta_j: gap <= b_ij")
def _gap_large(p: Any) -> bool:
    own, b, gap = _side(p)
    return 2 * own[0] >= p.delta > 2 * own[1] and gap > b


@judge("proof.B1conv/small", "Appendix B.2: delta_i < delta/2 < delta_j: gap <= b_ij")
def _gap_small(p: Any) -> bool:
    own, b, gap = _side(p)
    return 2 * own[0] < p.delta < 2 * own[1] and gap > b


@judge("proof.B2conv/bound", "Appendix B.2: |grad f_i - grad f_j|^2 <= b_ij^2/d, all |x_k| < 1/2")
def _slopes(p: Any) -> bool:
    own = [max(Q(0), p.delta - b) for b in p.bias]
    alpha, d = (1, p.sign), 2
    square = sum((2 * (own[0] - own[1]) * Q(a, d)) ** 2 for a in alpha)
    return 0 < p.delta <= Q(1, 2) and square > (p.bias[0] - p.bias[1]) ** 2 / d


def _quadratic(p: Any, loss: bool) -> tuple[Q, Q, Q]:
    """Gap, squared distance over d, and (delta_j - delta_k)^2."""
    assert min(p.bias) >= 0
    assert 0 < p.delta <= Q(1, 2)
    own = [max(Q(0), p.delta - root(b)) for b in p.bias]
    scale, bend = (Q(1, p.d), Q(1)) if loss else (Q(1), Q(1, p.d))
    square = p.d * (scale * (own[0] - own[1])) ** 2
    return bend * square / 2, square / p.d, (own[0] - own[1]) ** 2


@judge("proof.B1quad/norm@loss", "Appendix B.3: f_j(x_k^*) - f_j(x_j^*) = |x_j^* - x_k^*|^2/d")
def _norm_loss(p: Any) -> bool:
    gap, square, _ = _quadratic(p, True)
    return abs(gap - square) > SLACK


@judge("proof.B1quad/norm@function", "Appendix B.3: the same for g_alpha")
def _norm_function(p: Any) -> bool:
    gap, square, _ = _quadratic(p, False)
    return abs(gap - square) > SLACK


@judge("proof.B1quad/value@loss", "Appendix B.3: |x_j^* - x_k^*|^2/d = (delta_j - delta_k)^2")
def _value_loss(p: Any) -> bool:
    _, square, apart = _quadratic(p, True)
    return abs(square - apart) > SLACK
