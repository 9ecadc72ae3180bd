"""Judges of `adaptive` that follow a run: Lemmas 1 and 2, Theorems 1 to 3."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from tests.qa.second_judges.federation import Federation, Path, number

Raw = Mapping[str, Any]


def mean(paths: list[Path], value: Callable[[Path], Fraction]) -> Fraction:
    return sum((path.chance * value(path) for path in paths), Fraction(0))


def numbers(raw: Raw) -> Any:
    """Parameters of an instance of free numbers."""
    return {name: number(value) for name, value in raw["instance"]["params"].items()}


# -- Lemma 1 ---------------------------------------------------------------------------------------


def lemma1(raw: Raw, after: bool, each_run: bool = False, half: bool = False) -> bool:
    """eta/2 sum alpha (Delta^2 - G^2) + eta beta sum sigma^2 alpha^2, G after the step or before.

    ``half``: eta^2 beta/2 in place of eta beta.
    """
    f = Federation(raw)
    alpha, whole = f.given["alpha"], sum(f.given["alpha"], Fraction(0))
    step = f.given["step_share"] / (f.beta * whole)
    fair = f.is_legal() and min(alpha) >= 0 and 0 < step * f.beta * whole < 1
    paths = f.paths(step, 1)
    gain = mean(paths, lambda p: f.excess(p.theta[1])) - f.excess(f.start)
    noise = step * f.beta * sum(a * a * s for a, s in zip(alpha, f.sigma2, strict=True))
    noise *= step / 2 if half else 1

    def right(path: Path) -> Fraction:
        own = f.own(path.theta[1] if after else f.start)
        gaps = sum(a * (f.gap(k, f.start) - own) for k, a in enumerate(alpha))
        return step / 2 * gaps + noise

    if each_run:
        return fair and any(gain > right(path) for path in paths if path.chance)
    return fair and gain > mean(paths, right)


# -- Theorems 1 and 2 ------------------------------------------------------------------------------


def constant_step(f: Federation) -> Fraction:
    """Steps of the constant rows are given as a multiple of 1/beta."""
    share: Fraction = f.given["step_share"]
    return share / f.beta


def short_steps(f: Federation, paths: list[Path], step: Fraction, strict: bool = False) -> bool:
    """eta <= (sigma_phi/sigma_psi)^2/beta in every round of every run, and a step that moves."""
    limits = [f.limit(theta) / f.beta for path in paths for theta in path.theta[:-1]]
    return step > 0 and all(step < x if strict else step <= x for x in limits)


def theorem1(raw: Raw, recursion: bool = False) -> bool:
    """The bound with (sigma_psi^t)^2 outside every expectation, on some run."""
    f = Federation(raw)
    step = constant_step(f)
    paths = f.paths(step)
    rate, end = 1 - step * f.mu, mean(paths, lambda p: f.excess(p.theta[-1]))
    before = mean(paths, lambda p: f.excess(p.theta[-2]))

    def right(path: Path) -> Fraction:
        noises = [step**2 * f.beta / 2 * f.effective(theta) for theta in path.theta[:-1]]
        if recursion:
            return rate * before + noises[-1]
        value = f.excess(f.start)
        for noise in noises:
            value = rate * value + noise
        return value

    fair = f.is_legal() and short_steps(f, paths, step, strict=True)
    return fair and any(end > right(path) for path in paths if path.chance)


def precise(f: Federation, paths: list[Path], every: bool) -> bool:
    """epsilon_i^(T-1) >= epsilon > 0, in mean or on every run."""
    level = f.given["precision"]
    excesses = [f.excess(path.theta[-2]) for path in paths if path.chance]
    average = mean(paths, lambda p: f.excess(p.theta[-2]))
    return level > 0 and (min(excesses) if every else average) >= level


def constant_row(raw: Raw, every: bool, square: bool, replaced: str = "") -> bool:
    """Constant row of Table 1, or the step of its proof that replaces sigma_eff by sigma_suf."""
    f = Federation(raw)
    step = constant_step(f)
    paths = f.paths(step)
    rate = 1 - step * f.mu
    level = step * f.beta / (2 * f.mu) * f.sufficient(f.given["precision"], square)
    fair = f.is_legal() and short_steps(f, paths, step) and precise(f, paths, every) and rate >= 0

    def noise(path: Path) -> Fraction:
        value = Fraction(0)
        for theta in path.theta[:-1]:
            value = rate * value + f.beta * step**2 / 2 * f.effective(theta)
        return value

    if replaced == "each-run":
        return fair and any(noise(path) > level for path in paths if path.chance)
    if replaced == "in-mean":
        return fair and mean(paths, noise) > level
    end = mean(paths, lambda p: f.excess(p.theta[-1]))
    return fair and end > rate**f.rounds * f.excess(f.start) + level


def log(x: Fraction) -> Fraction:
    """ln x to thirty digits: k ln 2 + ln y with y in [1, 2), each by the series of artanh."""
    k = 0
    while x >= 2:
        x, k = x / 2, k + 1
    while x < 1:
        x, k = x * 2, k - 1

    def series(y: Fraction) -> Fraction:
        z = (y - 1) / (y + 1)
        return 2 * sum((z ** (2 * j + 1) / (2 * j + 1) for j in range(40)), Fraction(0))

    return Fraction(round((k * series(Fraction(2)) + series(x)) * 10**30), 10**30)


def horizon_row(raw: Raw, every: bool, square: bool, inside: bool) -> bool:
    """Horizon-dependent row, with beta inside the logarithm of its bound or not.

    The step has thirty digits, so every condition and the claim itself are asked with a margin.
    """
    f = Federation(raw)
    small = Fraction(1, 10**9)
    variance = f.sufficient(f.given["precision"], square)
    argument = 2 * f.rounds * f.mu**2 * f.excess(f.start) / variance
    step = log(argument / f.beta) / (f.mu * f.rounds)
    paths = f.paths(step)
    short = short_steps(f, paths, step + small)
    fair = f.is_legal() and short and small < step <= 1 / f.mu - small and precise(f, paths, every)
    scale = f.beta * variance / (2 * f.mu**2 * f.rounds)
    right = scale * (log(argument / f.beta if inside else argument) + 1)
    left = mean(paths, lambda p: f.excess(p.theta[-1]))
    return fair and left > right + max(right / 100, small)


# -- Theorem 3 -------------------------------------------------------------------------------------


def average_square(f: Federation, paths: list[Path]) -> Fraction:
    squares = lambda p: sum(map(f.own, p.theta[:-1]), Fraction(0)) / f.rounds  # noqa: E731
    return mean(paths, squares)


def theorem3(raw: Raw, every: bool, square: bool) -> bool:
    """One round: the step is the second argument of the minimum, which the bound forgets.

    Squares are compared: left^2 > 8 eps0 beta sigma_suf^2/T.
    """
    f = Federation(raw)
    variance = f.sufficient(f.given["precision"], square)
    assert f.rounds == 1
    start = f.excess(f.start)
    second = f.limit(f.start) / f.beta
    first_is_larger = 2 * start > second**2 * f.rounds * f.beta * variance
    paths = f.paths(second)
    fair = f.is_legal() and short_steps(f, paths, second) and precise(f, paths, every)
    left = average_square(f, paths)
    return fair and first_is_larger and left**2 > 8 * start * f.beta * variance / f.rounds


def summed(raw: Raw, every: bool, square: bool) -> bool:
    """2 eps0/(T eta) + eta beta sigma_suf^2."""
    f = Federation(raw)
    step = constant_step(f)
    paths = f.paths(step)
    fair = f.is_legal() and short_steps(f, paths, step) and precise(f, paths, every)
    noise = step * f.beta * f.sufficient(f.given["precision"], square)
    right = 2 * f.excess(f.start) / (f.rounds * step) + noise
    return fair and average_square(f, paths) > right


# -- Lemma 2 ---------------------------------------------------------------------------------------


def lemma2(raw: Raw, realised: bool, after: bool, variance: bool, square: bool) -> bool:
    """At epsilon_i^t itself: N*(epsilon_i^t) in N_i^t, sigma_eff^t <= sigma_suf(epsilon_i^t).

    The lemma asks nothing of the step size; every run counts.
    """
    f = Federation(raw)
    paths = f.paths(constant_step(f), 1)
    average = mean(paths, lambda p: f.excess(p.theta[1]))
    found = False
    for path in paths:
        level = f.excess(path.theta[1]) if realised else average
        if not path.chance or level <= 0:
            continue
        theta = path.theta[1 if after else 0]
        if variance:
            found |= f.effective(theta) > f.sufficient(level, square)
        else:
            members = [x * f.phi(x) > 0 for x in f.sufficient_ratios(level, square)]
            chosen = [a > 0 for a in f.weights(theta)]
            found |= any(m and not c for m, c in zip(members, chosen, strict=True))
    return f.is_legal() and found


def a3_in_proof(raw: Raw) -> bool:
    """Delta^2 against b^2 + c |grad R_i(theta_k)|^2: the right side at the other client's model."""
    f = Federation(raw)
    point, other = f.given["point"][0], f.given["other"][0]
    bias, slope = f.dissimilarity(1)
    return f.own(point) > 0 and f.gap(1, point) > bias**2 + slope * f.own(other)


def pl_in_proof(raw: Raw) -> bool:
    """(b^2 + c |grad R_i(theta_k)|^2)/G^2 against b^2/(2 mu epsilon_i^t) + c."""
    f = Federation(raw)
    point, other = f.given["point"][0], f.given["other"][0]
    bias, slope = f.dissimilarity(1)
    left = (bias**2 + slope * f.own(other)) / f.own(point)
    return left > bias**2 / (2 * f.mu * f.excess(point)) + slope
