"""Second judges of the all-for-all claims that fall once more when a misprint is read past."""

from __future__ import annotations

from fractions import Fraction as Q
from typing import Any

from tests.qa.second_judges.allforall.numbers import mean_path, root
from tests.qa.second_judges.allforall.record import grows, judge, more, stochastic
from tests.qa.second_judges.allforall.runs import theorem3b


def _one_round(p: Any, power: int) -> bool:
    """x^0 is not precise, so that one round, N samples, is needed; equal agents."""
    if not (p.excess > 0 and p.precision > 0 and p.condition >= 1 and p.variance > 0):
        return False
    many = -(-1 // p.precision)
    scale = (1 + p.relaxation) if power == 2 else Q(1)
    return grows(Q(many), scale * p.condition**power * p.variance / (p.mu * p.precision))


for _key in ("theorem2.2", "naive.b", "theorem7.2/small"):
    judge(f"{_key}@below", "T <= O~(kappa sigma^2 N/(mu eps N_i)), where one round is N samples")(
        lambda p: _one_round(p, 1)
    )
judge("theorem7.2/any@below", "Theorem 7.2: T <= O~((m+1) kappa^2 sigma^2 N/(mu eps N_i))")(
    lambda p: _one_round(p, 2)
)

for _scale in ("algorithm-step", "appendix-step"):

    @judge(f"theorem3b/noiseless@with-rounds+{_scale}", "Theorem 3.b with e^(-K/(2 kappa))")
    def _noiseless(p: Any, own: bool = _scale == "algorithm-step") -> bool:
        left, right, _ = theorem3b(p, own, False, p.rounds)
        return more(left, right)

    @judge(f"theorem8/rate@as-in-lemmas+{_scale}", "Theorem 8 mended, all rows of Lambda alike")
    def _theorem8(p: Any, own: bool = _scale == "algorithm-step") -> bool:
        if any(p.bias) or abs(p.offset) > 1 or not (0 < p.curvature <= 1 and 0 <= p.share <= 1):
            return False
        h, mass = p.curvature * p.smoothness, (1 + (p.N - 1) * p.share) / p.N
        long = p.N * p.distance / root(p.variance * mass * p.rounds)
        step = min(long, Q(p.N) / (2 * p.smoothness)) / (1 if own else p.N)
        start = (p.distance * p.offset) ** 2
        path = mean_path(h, start, step * mass * p.N, p.variance / p.N, p.rounds)
        right = 2 * p.smoothness * p.distance**2 / p.rounds
        right += root(2 * p.distance**2 * p.variance * mass / p.rounds)
        return more(h * sum(path[:-1]) / p.rounds / 2, right)


@judge("theorem8/samples@as-in-lemmas", "Theorem 8 mended: mean F <= eps for T samples, a star")
def _star(p: Any) -> bool:
    n = range(p.N)
    lam = stochastic([[Q(j == i or 0 in (i, j)) for j in n] for i in n])
    smooth = (p.rounds - p.fraction) * p.precision / (4 * p.distance**2)
    variance = p.part * (p.rounds - p.fraction) * p.precision**2 / (8 * p.distance**2)
    mass = sum(x * x for row in lam for x in row)
    h = p.curvature * smooth
    long = root(p.N * p.distance**2 / (p.rounds * variance * mass))
    step = min(long, 1 / (2 * smooth))
    x, total = [p.distance * p.offset] * p.N, Q(0)
    for _ in range(p.rounds):
        total += h * sum(v * v for v in x) / (2 * p.N)
        mixed = [sum(lam[i][k] * x[i] for i in n) for k in n]
        x = [v - step * h * sum(map(Q.__mul__, lam[i], mixed)) for i, v in enumerate(x)]
    return p.larger == "start" and abs(p.offset) <= 1 and more(total / p.rounds, p.precision)
