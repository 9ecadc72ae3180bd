"""Second judges of the accusations against the all-for-all paper, from the sheet and the text.

Here are those of distances, many agents and descent lemmas.  Roots, exponentials and logarithms are
rational approximations far better than the distance of the two sides.
"""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

from tests.qa.second_judges.allforall import lower, mended, runs
from tests.qa.second_judges.allforall.numbers import e_to, ln, mean_path, root
from tests.qa.second_judges.allforall.record import JUDGES, judge, more

__all__ = ["JUDGES", "lower", "mended", "runs"]


# -- distances, many agents -----------------------------------------------------------------------
@judge("dH.4", "Appendix A.1: d_H of locally bounded maps is d_TV; two atoms more than 1 apart")
def _locally_bounded(p: Any) -> bool:
    first, other = p.mass[0] / sum(p.mass), p.other[0] / sum(p.other)
    apart = abs(p.values[1] - p.values[0])
    allowed = p.distance > 1 or apart <= 1
    return allowed and apart * abs(first - other) > abs(first - other)


@judge("dH.loss2", "Appendix A.1: the gradient lies in D H_Affine, |x| <= D/2, xi = (a^2, ba)")
def _regression(p: Any) -> bool:
    x = p.place * p.diameter / 2
    m, v = ((p.a[0] * y[0] - p.a[1] * y[1]) for y in (p.a, p.b))
    return abs(p.place) <= 1 and (m * x - v) ** 2 > p.diameter**2 * (m**2 + v**2)


@judge("dH.loss3", "Appendix A.1: the gradient is (1 + 1/e)-Lipschitz in xi")
def _logistic(p: Any) -> bool:
    there = [a + b for a, b in zip(p.data, p.shift, strict=True)]

    def gradient(xi: list[Q]) -> list[Q]:
        u = sum(a * b for a, b in zip(xi, p.model, strict=True))
        return [-a / (1 + e_to(u)) for a in xi]

    moved = sum((a - b) ** 2 for a, b in zip(gradient(p.data), gradient(there), strict=True))
    return more(moved, (1 + e_to(Q(-1))) ** 2 * sum(s * s for s in p.shift))


@judge("dH.loss4", "Appendix A.1: the gradient lies in D H_Bounded, |x| <= D/2")
def _hinge(p: Any) -> bool:
    x = p.place * p.diameter / 2
    here, there = (-xi if xi * x < 1 else Q(0) for xi in (p.data, p.other))
    return abs(p.place) <= 1 and abs(here - there) > p.diameter


@judge("proof.prop2/ball", "Appendix A.4: N_i(2b) <= number in the ball; b <= |theta - theta'|^q")
def _ball(p: Any) -> bool:
    assert all(0 <= s <= 1 for s in p.share)
    away = [abs(x) for x in p.place]
    close = sum(2 * s * a <= p.precision for s, a in zip(p.share, away, strict=True))
    return close > sum(2 * a <= p.precision for a in away)


@judge("proof.prop2/fraction", "Appendix A.4: T <= 2 B^2 D^2 eps^-2 N_i/N; below what is needed")
def _fraction(p: Any) -> bool:
    # two signs, N_i of N agents tell: T >= (15/1024) (rB/eps)^2 N/N_i for rB >= 16 eps; D = 2 r
    needed = Q(15, 1024) * p.scale**2 * p.N / p.close
    return p.scale >= 16 and needed > 2 * (2 * p.scale) ** 2 * Q(p.close, p.N)


# -- stochastic gradient descent ------------------------------------------------------------------
def _axes(p: Any) -> tuple[list[Q], list[Q], Q]:
    """Diagonals of A and of the Hessian, and L."""
    a = [Q(1), p.ratio][: p.d]
    high = p.mu * p.condition
    assert 0 < p.ratio <= 1 <= p.condition
    assert p.variance > 0
    return a, [s * h for s, h in zip(a, (high, p.mu), strict=False)], high


def _after(p: Any, step: Q, rounds: int) -> tuple[Q, Q, Q]:
    """f at the start, E f after the rounds with the noise on the first axis, and L."""
    _, bend, high = _axes(p)
    squares = [
        mean_path(h, x * x, step, p.variance if c == 0 else Q(0), rounds)[-1]
        for c, (h, x) in enumerate(zip(bend, p.point, strict=True))
    ]
    start = sum(h * x * x for h, x in zip(bend, p.point, strict=True)) / 2
    return start, sum(h * s for h, s in zip(bend, squares, strict=True)) / 2, high


@judge("lemma4a", "Lemma 4: E f(x^T) <= e^(-eta mu T) f_0 + eta L sigma^2/mu, A = diag(1, ratio)")
def _lemma4a(p: Any) -> bool:
    step = p.step_share / (2 * p.mu * p.condition)
    start, left, high = _after(p, step, p.rounds)
    right = e_to(-step * p.mu * p.rounds) * start + step * high * p.variance / p.mu
    return 0 < p.step_share <= 1 and more(left, right)


@judge("lemma4b", "Lemma 4: e^(-mu T/(2L)) f_0 + L sigma^2/(mu^2 T) ln(f_0 mu^2 T/(L sigma^2))")
def _lemma4b(p: Any) -> bool:
    start, _, high = _after(p, Q(0), 0)
    level = start * p.mu**2 * p.rounds / (high * p.variance)
    if level <= 1:
        return False
    step = min(1 / (2 * high), ln(level) / (p.mu * p.rounds))
    right = e_to(-p.mu * p.rounds / (2 * high)) * start
    right += high * p.variance * ln(level) / (p.mu**2 * p.rounds)
    return more(_after(p, step, p.rounds)[1], right)


def _lemma4c(p: Any) -> tuple[Q, Q]:
    """Step for the precision, A = 1 and L = mu, and f_0 such that T is the number of rounds."""
    assert p.mu > 0
    assert 0 <= p.fraction < 1
    step = min(p.precision / (2 * p.variance), 1 / (2 * p.mu))
    return step, p.precision * e_to(step * p.mu * (p.rounds - p.fraction))


@judge("lemma4c/gap@every-outcome", "Lemma 4: f(mean of iterates) <= eps, all noises one way")
def _lemma4c_worst(p: Any) -> bool:
    step, gap = _lemma4c(p)
    x, total = root(2 * gap / p.mu), Q(0)
    for _ in range(p.rounds):
        total, x = total + x, x * (1 - step * p.mu) + step * root(p.variance)
    return more(p.mu * (total / p.rounds) ** 2 / 2, p.precision)


@judge("lemma4c/gap@in-mean", "Lemma 4: E f(mean of iterates) <= eps; without noise already")
def _lemma4c_mean(p: Any) -> bool:
    step, gap = _lemma4c(p)
    kept = sum((1 - step * p.mu) ** t for t in range(p.rounds)) / p.rounds
    return more(gap * kept**2, p.precision)  # noise only adds to the square


@judge("lemma4c/number", "Lemma 4: T_eps, rounded up, <= max(2 L sigma^2/(eps mu^2), 2L/mu) ln")
def _lemma4c_number(p: Any) -> bool:
    step, gap = _lemma4c(p)
    return more(Q(p.rounds), ln(gap / p.precision) / (step * p.mu))


def _lemma5c(p: Any, number: Q, rounds: int) -> Q:
    """Worst f(mean): noises +sigma s with a small chance, else -sigma/s; the far one always."""
    variance = p.part * number * p.precision**2 / (16 * p.start**2)
    smooth = (1 - p.part) * number * p.precision / (4 * p.start**2)
    h = p.curvature * smooth
    step = min(1 / (2 * smooth), abs(p.start) / root(variance * rounds))
    x, total = abs(p.start), Q(0)
    for _ in range(rounds):
        total, x = total + x, x * (1 - step * h) + step * root(variance) * max(p.skew, 1 / p.skew)
    return h * (total / rounds) ** 2 / 2


@judge("lemma5c@every-outcome+at-most", "Lemma 5: f(mean) <= eps for some T within the number")
def _lemma5c_most(p: Any) -> bool:
    number = p.rounds + p.fraction
    sized = 0 < p.part < 1 and 0 < p.curvature <= 1 and p.skew > 0
    return sized and all(more(_lemma5c(p, number, k), p.precision) for k in range(1, p.rounds + 1))


@judge("lemma5c@every-outcome+rounded-up", "Lemma 5: f(mean) <= eps for the number rounded up")
def _lemma5c_up(p: Any) -> bool:
    sized = 0 < p.part < 1 and 0 < p.curvature <= 1 and p.skew > 0
    return sized and more(_lemma5c(p, p.rounds - p.fraction, p.rounds), p.precision)


def _lemma6(p: Any, step: Q) -> Q:
    """f = s |x| at the mean of the iterates from x^0 = D, all gradients -B."""
    assert 0 <= p.slope_share < 1
    path = [p.distance + k * step * p.size for k in range(p.rounds)]
    return p.slope_share * p.size * sum(path) / p.rounds


@judge("lemma6a@every-outcome", "Lemma 6: f(mean) <= sqrt(2/T) B D, no E; all gradients -B")
def _lemma6a(p: Any) -> bool:
    step = root(2 * p.distance**2 / (p.size**2 * p.rounds))
    return more(_lemma6(p, step), root(Q(2, p.rounds)) * p.size * p.distance)


@judge("lemma6b@every-outcome", "Lemma 6: f(mean) <= eps, no E; step sqrt 2 eps/B^2")
def _lemma6b(p: Any) -> bool:
    eps = p.size * p.distance * root(2 / (p.rounds - p.fraction))
    return more(_lemma6(p, root(Q(2)) * eps / p.size**2), eps)


@judge("proof.lemma4_pl/second", "Lemma 4, proof: |grad f|_A^2/L_A <= 2 mu f/L_A, A = 1")
def _pl(p: Any) -> bool:
    a, bend, _ = _axes(p)
    square = sum(s * (h * x) ** 2 for s, h, x in zip(a, bend, p.point, strict=True))
    return square > p.mu * sum(h * x * x for h, x in zip(bend, p.point, strict=True))


@judge(
    "proof.lemma4_pl/recursion", "Lemma 4, proof: f_{t+1} - f_t <= -2 eta mu f_t + noise, L_A = 1"
)
def _recursion(p: Any) -> bool:
    step = p.step_share / (2 * p.mu * p.condition)
    start, after, high = _after(p, step, 1)
    right = start - 2 * step * p.mu * start + step**2 * high * p.variance / 2
    return 0 < p.step_share <= 1 and after > right
