"""Lemmas B.1 and B.2 of `fedbc`, for its second judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from tests.qa.second_judges.fedbc.rounds import Round, Setting, mean, number

Raw = Mapping[str, Any]
Right = Callable[[Setting, Round, int], Fraction]


# -- Lemma B.1 -------------------------------------------------------------------------------------


def lemma_i(raw: Raw, virtual: bool) -> bool:
    """Sampled sets in the mean; conditions of the proofs too where devices wait."""
    s = Setting(raw)
    fair = s.is_legal() and (s.virtual if virtual else s.meets_h1() and s.meets_h2())
    left = s.over_clients(lambda r, i: s.pull(i, r.old[i], r.z, r.lam[i]) ** 2)
    move = s.over_clients(lambda r, i: r.move(i) ** 2)
    return fair and left > 2 * s.M1**2 * (move + s.epsilon)


def descent(s: Setting) -> Fraction:
    """The right side of (21) without and with an expectation of its last term: the larger one."""
    fall = s.over_clients(s.fall)
    spreads = [mean([run[0].spread(i) for i in range(s.n)]) for run in s.runs()]
    return fall + s.epsilon / (2 * s.top) + s.alpha * s.G**2 + s.high * max(spreads)


def lemma_ii(raw: Raw, derived: bool = False) -> bool:
    s = Setting(raw)
    fair = s.is_legal() and s.meets_h1() and (s.meets_h2() or not derived)
    return fair and s.over_clients(lambda r, i: r.move(i) ** 2) > descent(s)


def eq42(raw: Raw) -> bool:
    """(lambda_i^t - L_i) before the sum: no i makes it true."""
    s = Setting(raw)
    move = s.over_clients(lambda r, i: r.move(i) ** 2)
    gaps = [a - L for a, L in zip(s.lam, s.L, strict=True)]
    return s.is_legal() and min(gaps) >= 0 and min(gaps) * move > descent(s)


def waiting(raw: Raw, squared: bool) -> bool:
    """(26), (27) for a device outside the sampled set of some outcome."""
    s = Setting(raw)
    broken = False
    for run in s.runs():
        r = run[0]
        for i in range(s.n):
            left, move = abs(s.pull(i, r.old[i], r.z, r.lam[i])), r.move(i)
            if squared:
                broken |= left**2 > 2 * s.M1**2 * move**2 + 2 * s.epsilon
            else:  # left > M1 move + sqrt(epsilon)
                rest = left - s.M1 * move
                broken |= rest > 0 and rest**2 > s.epsilon
    return s.is_legal() and not s.virtual and broken


def first_difference(s: Setting, r: Round, i: int) -> Fraction:
    """I of (29)."""
    before = s.lagrangian(i, r.old[i], r.z, r.lam[i])
    return s.lagrangian(i, r.new[i], r.z, r.lam[i]) - before


def eq31(s: Setting, r: Round, i: int) -> Fraction:
    step = r.new[i] - r.old[i]
    gaps = (r.new[i] - r.z) ** 2 - (r.old[i] - r.z) ** 2
    return s.losses[i].slope(r.new[i]) * step + s.L[i] / 2 * step**2 + r.lam[i] * gaps


def eq33(s: Setting, r: Round, i: int) -> Fraction:
    step = r.new[i] - r.old[i]
    return s.residual(r, i) * step + (s.L[i] / 2 - r.lam[i]) * step**2


def eq34(s: Setting, r: Round, i: int) -> Fraction:
    return s.residual(r, i) ** 2 / (2 * s.L[i]) + (s.L[i] - r.lam[i]) * r.move(i) ** 2


def eq35(s: Setting, r: Round, i: int) -> Fraction:
    return s.epsilon / (2 * s.top) - (r.lam[i] - s.L[i]) * r.move(i) ** 2


def unequal(right: Right) -> Callable[[Raw], bool]:
    """Printed with the sign =."""

    def breaks(raw: Raw) -> bool:
        s = Setting(raw)
        r = next(s.runs())[0]
        return s.is_legal() and any(first_difference(s, r, i) != right(s, r, i) for i in r.solved)

    return breaks


def eq35_breaks(raw: Raw) -> bool:
    """At a device with lambda_i >= L_i, which the text goes on to ask for."""
    s = Setting(raw)
    r = next(s.runs())[0]
    asked = [i for i in r.solved if r.lam[i] >= s.L[i]]
    return s.is_legal() and any(first_difference(s, r, i) > eq35(s, r, i) for i in asked)


def eq39(raw: Raw) -> bool:
    s = Setting(raw)
    r = next(s.runs())[0]

    def right(i: int) -> Fraction:
        return eq35(s, r, i) + s.alpha * s.G**2 + s.high * r.spread(i)

    asked = [i for i in r.solved if r.lam[i] >= s.L[i]]
    return s.is_legal() and any(-s.fall(r, i) > right(i) for i in asked)


# -- Lemma B.2 -------------------------------------------------------------------------------------


def lemma_b2(raw: Raw) -> bool:
    """Constants of size one: N = 2, S = 1, L_i = 1, Lambda = {2}, R at most 4."""
    s = Setting(raw)
    fair = s.is_legal() and not s.virtual and s.meets_h1() and s.meets_h2()
    small = s.n == 2 and s.L == [1, 1] and s.low == s.high == 2 and s.R <= 4
    left = s.expected(lambda run: mean([r.spread(i) for r in run for i in range(s.n)]))
    return fair and small and left > 10**6 * (s.epsilon + s.delta**2)


def sampled_mean(raw: Raw) -> bool:
    """(50) where models depend on the set: the right side in the mean over the sets too."""
    s = Setting(raw)
    broken = False
    for i in range(s.n):
        outcomes = [run[0] for run in s.runs()]
        left = mean([r.spread(i) for r in outcomes])
        right = mean([sum(((r.new[i] - x) ** 2 for x in r.new), Fraction(0)) for r in outcomes])
        broken |= left > Fraction(s.members, s.n) * right
    return s.is_legal() and not s.virtual and broken


def eq55(raw: Raw) -> bool:
    s = Setting(raw)
    r = next(s.runs())[0]

    def right(i: int) -> Fraction:
        return r.z + (s.residual(r, i) - s.losses[i].slope(r.new[i])) / r.lam[i]

    return s.is_legal() and any(r.lam[i] > 0 and r.new[i] != right(i) for i in r.solved)


def above_root(value: Fraction, factor: Fraction, square: Fraction) -> bool:
    """value > factor sqrt(square), factor >= 0."""
    return value > 0 and value**2 > factor**2 * square


def pairs(raw: Raw, broken: Callable[[Setting, Round, int, int], bool]) -> bool:
    s = Setting(raw)
    r = next(s.runs())[0]
    every = [(i, j) for i in range(s.n) for j in range(s.n) if i != j]
    return s.is_legal() and s.virtual and any(broken(s, r, i, j) for i, j in every)


def cross(s: Setting, r: Round, i: int, j: int, sign: int) -> Fraction:
    own, other = s.losses[i].slope(r.new[i]), s.losses[j].slope(r.new[j])
    return abs(r.lam[j] * own + sign * r.lam[i] * other)


def eq58(raw: Raw) -> bool:
    def broken(s: Setting, r: Round, i: int, j: int) -> bool:
        rest = abs(r.new[i] - r.new[j]) - cross(s, r, i, j, -1) / (1 + s.L[i]) ** 2
        return above_root(rest, 1 / (1 + s.L[i]), s.epsilon)

    return Setting(raw).meets_h1() and pairs(raw, broken)


def eq59(raw: Raw) -> bool:
    """With the plus of its head."""

    def broken(s: Setting, r: Round, i: int, j: int) -> bool:
        near = r.lam[j] * s.L[i] * abs(r.new[i] - r.new[j])
        return cross(s, r, i, j, 1) > near + s.delta

    return pairs(raw, broken)


def eq62(raw: Raw) -> bool:
    """The s of (62) left out, as in (63); s = 1 is the same."""

    def broken(s: Setting, r: Round, i: int, j: int) -> bool:
        rest = abs(r.new[i] - r.new[j]) - s.delta / (s.C0 * (1 + s.L[i]) ** 2)
        return above_root(rest, 1 / (s.C0 * (1 + s.L[i])), s.epsilon)

    s = Setting(raw)
    return s.meets_h1() and s.meets_h2() and s.C0 > 0 and pairs(raw, broken)


def proofs(s: Setting) -> bool:
    """What the proofs ask for, and what they say of C_0."""
    return s.is_legal() and s.meets_h1() and s.meets_h2() and s.C0 > 0


def traced_bounds(s: Setting) -> list[Fraction]:
    """The bound of each client with the coefficient of (61) for C_0, and 2 before both terms."""
    found = []
    for L in s.L:
        own = 1 - s.high * L / (1 + L) ** 2
        share = Fraction(2 * s.members * (s.n - 1)) / (s.n * own**2)
        found.append(share * (s.epsilon / (1 + L) ** 2 + s.delta**2 / (1 + L) ** 4))
    return found


def eq63(raw: Raw, virtual: bool) -> bool:
    """The sum over j covers both terms here, which is the larger of its two readings."""
    s = Setting(raw)
    share = Fraction(s.members * (s.n - 1)) / (s.C0**2 * s.n)

    def right(L: Fraction) -> Fraction:
        first, second = 2 * s.epsilon / (1 + L) ** 2, s.delta**2 / (1 + L) ** 4
        return (s.n - 1) * share * (first + second)

    widest = [max((a - b) ** 2 for a in run[0].new for b in run[0].new) for run in s.runs()]
    return proofs(s) and s.virtual is virtual and any(mean(widest) > right(L) for L in s.L)


def eq63_waits(raw: Raw) -> bool:
    s = Setting(raw)
    fair = s.is_legal() and s.meets_h1() and s.meets_h2() and not s.virtual
    left = [mean([run[0].spread(i) for run in s.runs()]) for i in range(s.n)]
    return fair and any(a > b for a, b in zip(left, traced_bounds(s), strict=True))


def eq65(raw: Raw, virtual: bool, traced: bool = False) -> bool:
    s = Setting(raw)
    left = s.expected(lambda run: mean([r.spread(i) for r in run for i in range(s.n)]))
    if traced:
        right = mean(traced_bounds(s))
        fair = s.is_legal() and s.meets_h1() and s.meets_h2()
    else:
        right = sum(s.consensus_bound(), Fraction(0))
        fair = proofs(s)
    return fair and s.virtual is virtual and left > right


def c0(raw: Raw) -> bool:
    g = {name: number(value) for name, value in raw["instance"]["params"].items()}
    L, high = g["L"], g["lambda_max"]
    below = min(L) > 0 and all(high < (1 + own) ** 2 / own for own in L)
    # lambda_i >= 1 + L_i for every i leaves room in Lambda
    return below and high >= 1 + max(L) and 1 - high / (4 * max(L)) <= 0
