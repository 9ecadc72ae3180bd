"""Theorems 6.b, 2.2, 7.2 and the naive approach as printed, up to the constants of their O~."""

from __future__ import annotations

from functools import partial

from bounds import generic as xp
from verify.claim import Array, Real, Sides, numbers, statement
from verify.statements.allforall import box
from verify.statements.allforall.quantities import ONE as TITLE
from verify.world.world import World


def _gap(w: World) -> Array:
    return w.mu * w.start**2 / 2


@statement(
    "allforall.theorem6b",
    where="Theorem 6.b",
    title=TITLE,
    relation="<~",
    over="mean",
    latex=r"\mathbb E F_i^K\le2(m+1)\kappa\bigl(F_\lambda^0e^{-\frac K{2\kappa}}+\tilde{\mathcal O}(\tfrac{L\sigma^2}{\mu^2K}\sum_j\lambda_j^2)\bigr)+\sum_j\lambda_jb_{ij},\ \eta=\min\bigl(\tfrac1{2L},\tfrac1{\mu K}\ln(\tfrac{F_\lambda^0\mu^2K}{L\sigma^2}\sum_j\lambda_j^2)\bigr)",
    family=numbers(
        {
            "mu": box.CURVATURE,
            "start": Real(1 / 64, 1 / 4, unit=(0, 1), log=True),
            "level": Real(2, 16, log=True, domain=(1, 64)),
        },
        about="N = ceil(1/F) equal agents mu x^2/2, equal weights, K = N, sigma^2 = mu F/level",
    ),
    defines={"agents": lambda w: xp.ceil(1 / _gap(w)) + 9},
    note="""The sum of lambda^2 stands beside the fraction under the logarithm, where it has to
    divide: what stands there is N^2 times too small. With K = N it is the level, the step is
    ln(level)/(mu N), at most 1/(2 mu), and after N rounds (1 - ln(level)/N)^(2 N) of F is left, at
    least level^-3, as 1 - x >= exp(-3 x/2) for x <= 1/2. The noise only adds to that. The right
    side is 2 exp(-N/2) F + F/(level N^2) up to constants, and exp(-N/2) <= 48/N^3.""",
)
def theorem6b(w: World) -> Sides:
    many, gap = w.agents, _gap(w)
    return {"start left over": gap / w.level**3}, {
        "contraction": 2 * 48 * gap / many**3,
        "noise": 2 * gap / (w.level * many**2),
    }


_NEEDS = {
    "mu": box.CURVATURE,
    "condition": box.CONDITION,
    "excess": Real(1 / 4, 4, log=True),
    "variance": box.NOISE,
    "precision": Real(1 / 64, 1 / 4, unit=(1, 0), log=True),
    "relaxation": Real(0, 1 / 2),
}
_2 = r"\tilde{\mathcal O}\Bigl(\frac{\kappa\sigma^2}{\mu\varepsilon}%s\frac N{\mathcal N_i^\varepsilon(2b)}\Bigr)"
_7 = r"\tilde{\mathcal O}\Bigl(\frac{(m+1)\kappa^2\sigma^2}{\mu\varepsilon}\frac N{\mathcal N_i^\varepsilon(2b)}\Bigr)"


def _samples(w: World, power: int, relaxed: bool) -> Sides:
    size = w.variance / w.mu
    right = w.condition**power * size / w.precision
    if relaxed:
        right = (w.relaxation + 1) * right
    needed = w.agents**2 * w.condition * size / (w.precision * (1 + w.excess))
    return {"samples with a positive step": needed}, {"printed number": right}


hidden = tuple(
    statement(
        f"allforall.{name}",
        where=where,
        title=title,
        relation="<~",
        latex=r"T_\varepsilon\le" + latex,
        family=numbers(
            _NEEDS, about="N = ceil(1/eps) equal agents, F = (1 + excess) eps at the start"
        ),
        defines={"agents": lambda w: xp.ceil(1 / w.precision)},
        note="""All N agents are close, N_i = N. Where x^0 is not precise yet a positive step is
        needed, and the printed one, with the sum of lambda^2 = 1/N beside the fraction under the
        logarithm, is positive for K > N kappa sigma^2/(mu F) only, that is for T = N K > N^2 kappa
        sigma^2/(mu F), against kappa sigma^2/(mu eps): N^2 eps/F grows as eps falls. Besides, a
        round takes N samples even without noise: the optimisation term N kappa is missing.""",
    )(partial(_samples, power=power, relaxed=relaxed))
    for name, where, title, latex, power, relaxed in (
        ("theorem2.2", "Theorem 2.2", TITLE, _2 % "", 1, False),
        ("theorem7.2/any", "Theorem 7.2", TITLE, _7, 2, True),
        ("theorem7.2/small", "Theorem 7.2", TITLE + ", m at most 1/2", _2 % "", 1, False),
        ("naive.b", "Section 5", "naive all-for-all", _2 % r"\max_i", 1, False),
    )
)
