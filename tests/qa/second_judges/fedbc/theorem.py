"""Theorem 4.5 and Corollary 4.6 of `fedbc`, for its second judge."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tests.qa.second_judges.fedbc.lemmas import proofs
from tests.qa.second_judges.fedbc.rounds import Round, Setting, losses_of, mean, number

Raw = Mapping[str, Any]
ZERO = Fraction(0)


def numbers(raw: Raw) -> Any:
    """Parameters of an instance of free numbers."""
    return {name: number(value) for name, value in raw["instance"]["params"].items()}


# -- Theorem 4.5 -----------------------------------------------------------------------------------


def gradient(raw: Raw, square: bool, chain: bool) -> bool:
    """(69), (70), and the step from (68) to (69)."""
    s = Setting(raw)
    z = s.z
    gap = mean([(x - z) ** 2 for x in s.starts])
    own = mean([s.pull(i, x, z, s.lam[i]) ** 2 for i, x in enumerate(s.starts)])
    changes = [loss.slope(z) - loss.slope(x) for loss, x in zip(s.losses, s.starts, strict=True)]
    change = mean([c**2 for c in changes])
    right = 4 * (s.top**2 if square else 1) * (gap if square else change) + 8 * s.high * gap
    left = s.mean_slope(z) ** 2
    if chain:
        pulls = [2 * a * (x - z) for a, x in zip(s.lam, s.starts, strict=True)]
        mixed = mean([(c - p) ** 2 for c, p in zip(changes, pulls, strict=True)])
        left = 2 * mixed + 2 * own
    return s.is_legal() and left > right + 2 * own


def eq72(raw: Raw) -> bool:
    s = Setting(raw)
    left = s.over_clients(lambda r, i: s.pull(i, r.old[i], r.z, r.lam[i]) ** 2)
    spread = s.over_clients(lambda r, i: r.spread(i))
    right = 2 * s.M1**2 * s.over_clients(s.fall) + s.high * spread
    right += s.M1**2 * s.epsilon / s.top + s.alpha * s.M1**2 * s.G**2
    return s.is_legal() and s.meets_h1() and left > right


def average_gradient(s: Setting) -> Fraction:
    return s.expected(lambda run: mean([s.mean_slope(r.z) ** 2 for r in run]))


def summed(raw: Raw, inserted: bool) -> bool:
    """(76) divided by T, and (77)."""
    s = Setting(raw)

    def whole(run: list[Round]) -> Fraction:
        ends = [
            s.lagrangian(i, run[0].old[i], run[0].z, run[0].lam[i])
            - s.lagrangian(i, run[-1].new[i], run[-1].after, run[-1].updated[i])
            for i in range(s.n)
        ]
        return mean(ends)

    factor = 4 * (s.top**2 + 2 * s.high) + 2 * s.high
    right = 4 * s.M1**2 * s.expected(whole) / s.T
    if inserted:
        first, second = s.consensus_bound()
        right += factor * first + second
    else:
        spread = s.expected(lambda run: mean([r.spread(i) for r in run for i in range(s.n)]))
        right += factor * spread
    right += 2 * s.M1**2 * s.epsilon / s.top + 2 * s.alpha * s.M1**2 * s.G**2
    fair = proofs(s) if inserted else s.is_legal() and s.meets_h1()
    return fair and s.meets_h3() and average_gradient(s) > right


def eq90(raw: Raw) -> bool:
    """A run that stands still, so that T may be as long as one likes."""
    s = Setting(raw)
    (r,) = next(s.runs())
    T = s.given["horizon"]
    still = (r.after, r.updated) == (r.z, r.lam) and s.given["local"] == "argmin"
    flat = all(abs(f.slope(x)) <= s.G for f, x in zip(s.losses, r.new, strict=True))
    start = s.mean_loss(s.z) - s.least_loss + mean([s.G**2 / (2 * L) for L in s.L])
    first, second = s.consensus_bound()
    right = 4 * s.M1**2 * (start + s.high * mean(s.gamma)) / T
    right += (4 * (s.top**2 + 2 * s.high) + 2 * s.high) * first + second
    right += 2 * s.M1**2 * s.epsilon / s.top + 2 * s.alpha * s.M1**2 * s.G**2
    fair = proofs(s) and s.meets_h3() and flat and still and s.members == s.n
    return fair and s.mean_slope(s.z) ** 2 > right


def eq78(raw: Raw) -> bool:
    s = Setting(raw)
    return (
        s.is_legal()
        and s.meets_h3()
        and any(
            s.lagrangian(i, s.starts[i], s.z, s.lam[i]) != s.losses[i].value(s.z)
            for i in range(s.n)
        )
    )


def same_losses(raw: Raw) -> bool:
    """The term of heterogeneity where there is none: delta > 0 of equal losses."""
    s = Setting(raw)
    return s.is_legal() and all(loss == s.losses[0] for loss in s.losses) and s.delta > 0


# -- Corollary 4.6 ---------------------------------------------------------------------------------


def sign_of(gap: Fraction, gamma: Fraction) -> int:
    return 1 if gap > gamma else -1


def projected(raw: Raw) -> bool:
    """No residual and no bracket: whatever the constants, the right side is zero.

    The conditions on the multipliers that the other proofs come to are met too.
    """
    s = Setting(raw)
    run = next(s.runs())
    signs = [sign_of((r.new[0] - r.z) ** 2, s.gamma[0]) for r in run]
    left = mean([s.losses[0].slope(r.new[0]) ** 2 for r in run])
    exact = s.members == s.n and all(s.residual(r, 0) == 0 for r in run)
    fair = s.is_legal() and s.meets_h1() and s.meets_h2()
    return fair and exact and 1 + sum(signs) <= 0 < left


def relaxed(raw: Raw) -> bool:
    """The same along (95), from lambda^0 = 0; where the server step is 0/0 there is no claim."""
    g, losses = numbers(raw), losses_of(raw["instance"])
    z, x = g["start"][0], [start[0] for start in g["starts"]]
    lam, signs, left = [ZERO for _ in x], [], []
    T = int(g["relaxed"])
    fair = g["dual_step"] > 0 and min(g["gamma"]) >= 0 and g["local"] == "argmin"
    for t in range(T):
        x = [loss.solve(a, z) for loss, a in zip(losses, lam, strict=True)]
        left.append(losses[0].slope(x[0]) ** 2)
        now = [sign_of((own - z) ** 2, gamma) for own, gamma in zip(x, g["gamma"], strict=True)]
        signs.append(now[0])
        lam = [max(a + g["dual_step"] * sign, ZERO) for a, sign in zip(lam, now, strict=True)]
        if t + 1 < T:
            z = sum((a * own for a, own in zip(lam, x, strict=True)), ZERO) / sum(lam, ZERO)
    return fair and 1 + sum(signs) <= 0 < mean(left)


def signs_and_sums(g: Any) -> tuple[list[int], list[Fraction], list[int]]:
    """Signs, multipliers of (95) from 0 on, and brackets with the kindest summand k = 0."""
    signs = [sign_of(margin, ZERO) for margin in g["margin"]]
    multipliers, a = [], ZERO
    for sign in signs:
        a = max(a + g["alpha"] * sign, ZERO)
        multipliers.append(a)
    brackets = [max(1 + sum(signs[: t + 1]), 0) for t in range(len(signs))]
    return signs, multipliers, brackets


def eq97(raw: Raw) -> bool:
    g = numbers(raw)
    _, multipliers, brackets = signs_and_sums(g)
    pairs = zip(multipliers, brackets, strict=True)
    return g["alpha"] > 0 and any(a > g["alpha"] * bracket for a, bracket in pairs)


def eq99(raw: Raw) -> bool:
    g = numbers(raw)
    _, multipliers, brackets = signs_and_sums(g)
    left = mean([a**2 for a in multipliers])
    right = g["alpha"] ** 2 * mean([Fraction(b) ** 2 for b in brackets])
    return bool(g["alpha"] > 0 and left > right)


def eq100(raw: Raw) -> bool:
    g = numbers(raw)
    _, _, brackets = signs_and_sums(g)
    return g["alpha"] > 0 and mean([Fraction(b) ** 2 for b in brackets]) > brackets[-1] ** 2


def remark(raw: Raw) -> bool:
    """A larger gamma_i with a larger bracket, whichever sign the summand k = 0 has."""
    s = Setting(raw)
    more = [a + b for a, b in zip(s.gamma, s.given["more"], strict=True)]
    sums = []
    for gamma in (s.gamma, more):
        s.gamma = gamma
        run = next(s.runs())
        sums.append(sum(sign_of((r.new[0] - r.z) ** 2, gamma[0]) for r in run))
    larger = min(s.given["more"]) >= 0 and s.given["more"][0] > 0
    brackets = all(max(sums[1] + k, 0) > max(sums[0] + k, 0) for k in (1, -1))
    return bool(s.is_legal() and s.members == s.n and larger and brackets)
