"""Judges of `aggregation` that need no run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.qa.second_judges.aggregation.runs import Raw, numbers
from tests.qa.second_judges.federation import number
from tests.qa.second_judges.rounds import Rounds

# -- numbers ---------------------------------------------------------------------------------------


def normalised(x: Sequence[Fraction]) -> list[Fraction]:
    return [value / sum(x) for value in x]


def error_bound(raw: Raw) -> bool:
    """E <= 1/(pi min p) - N, without a factor; two rounds, losses at w_t and at w*."""
    n = numbers(raw)
    share = normalised(n["share"])
    alphas = [normalised(n[name]) for name in ("raw", "later")]

    def averaged(weights: Sequence[Fraction], losses: Sequence[Fraction]) -> Fraction:
        return sum((a * x for a, x in zip(weights, losses, strict=True)), Fraction(0))

    here, gap = averaged(share, n["excess"]), averaged(share, n["other"])
    low = min(averaged(alpha, n["excess"]) / here for alpha in alphas)
    high = max(averaged(alpha, n["other"]) / gap for alpha in alphas)
    least = min(a / p for alpha in alphas for a, p in zip(alpha, share, strict=True))
    fair = here >= gap > 0 and n["smoothness"] >= n["mu"] > 0 and least > 0 and low > 0
    error = 8 * n["smoothness"] * gap / (3 * n["mu"]) * (high / low - 1)
    return fair and error > 1 / (least * min(share)) - len(share)


def twentieth(raw: Raw) -> bool:
    """V at rho-bar = 1 against V_min + (4L - 32 tau^2 G^2 + sigma^2)/(3 mu^2)."""
    n = numbers(raw)
    steps = 32 * n["local_steps"] ** 2 * n["squared_gradient"]
    return n["mu"] > 0 and 4 * n["smoothness"] * (steps + n["sigma2"]) != (
        4 * n["smoothness"] - steps + n["sigma2"]
    )


def induction(raw: Raw) -> bool:
    """Delta_1 of a sequence below the recursion, above psi/(1 + gamma); mu B = mu, T = 1."""
    n = numbers(raw)
    assert n["T"] == 1
    beta, gamma = (1 + n["slack"]) / n["mu"], n["delay"]
    step = beta / gamma
    right = (1 - step * n["mu"]) * n["start"] + step**2 * n["noise"] + step * n["bias"]
    other = (beta**2 * n["noise"] + n["bias"] * beta * (1 + gamma)) / n["slack"]
    fair = min(n["slack"], gamma, n["mu"], n["noise"]) > 0 and 0 <= n["reached"][0] <= 1
    bound = max(gamma * n["start"], other) / (1 + gamma)
    return fair and right >= 0 and n["start"] >= 0 and n["reached"][0] * right > bound


def sum_for_maximum(raw: Raw) -> bool:
    """max(a, b) <= a + b for the entries of psi, beta = 1/mu; b < 0 where rho-bar is large."""
    g = Rounds(raw, decaying=True)
    outcomes = g.outcomes()
    low, high = g.skews(outcomes)
    delay, gap = 4 * g.smoothness / g.mu, g.gap()
    constant = 32 * g.local**2 * g.squared_gradient(outcomes) + g.variance()
    constant += 6 * low * g.smoothness * gap
    time = g.rounds + delay
    second = constant / g.mu**2 + 2 * gap * (high - low) * time / g.mu
    second /= Fraction(3, 8) * low
    first = delay * (outcomes[0].model[0] - g.best) ** 2
    return g.is_legal() and gap > 0 and low > 0 and max(first, second) > first + second


def cold(raw: Raw) -> bool:
    """T to 0: FedSoftMax leaves weight on the worst client alone, FedMax(k) on k, uniformly."""
    n = numbers(raw)
    losses, count = n["excess"], int(n["count"])
    worst = losses.count(max(losses)) == 1
    return worst and 1 < count <= len(losses)


def power_of_choice(raw: Raw) -> bool:
    """The k largest F_i - F_i^* against the k largest F_i."""
    n = numbers(raw)
    excess, losses = n["excess"], [x + m for x, m in zip(n["excess"], n["minimum"], strict=True)]
    assert n["count"] == 1
    clients = range(len(excess))
    taken = {i for i in clients if losses[i] == max(losses)}
    chosen = {i for i in clients if excess[i] == max(excess)}
    return min(excess) >= 0 and len(taken) == 1 and taken != chosen


def beyond_shares(raw: Raw) -> bool:
    """rho is at most 1/min p: with given shares it is not above every level."""
    n = numbers(raw)
    return 0 < n["share"] <= 1 and n["level"] > 1 / n["share"]


def printed(left: str, right: str) -> Callable[[Raw], bool]:
    a, b = Fraction(left), Fraction(right)
    return lambda raw: a > b and (number(raw["left"]), number(raw["right"])) == (a, b)


def exponential(x: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of e^x for 0 <= x <= 1 by its series."""
    term = low = Fraction(1)
    for k in range(1, 30):
        term *= x / k
        low += term
    return low, low + term


def hotter_slower(raw: Raw) -> bool:
    """rho of FedSoftMax at T against a higher T, both between 5 and 30: two clients, x = (1, 0)."""
    n = numbers(raw)
    assert n["excess"] == [1, 0]
    share, cold, hot = normalised(n["share"]), n["temperature"], n["temperature"] * n["factor"]
    low, high = exponential(1 / cold)[0], exponential(1 / hot)[1]
    here, hotter = (share[0] * e / (share[0] * e + share[1]) for e in (low, high))
    return min(n["share"]) > 0 and 5 <= cold <= hot <= 30 and here > hotter


def not_faster(raw: Raw) -> bool:
    """Table 3, IID: the middle of FedSoftMax's interval is not below that of FedAvg."""
    average = Fraction("21.527442685457743") + Fraction("24.58366842565337")
    soft = Fraction("21.607110478485172") + Fraction("24.504000632625942")
    return (number(raw["left"]), number(raw["right"])) == (3, 2) and not soft < average


def not_in_each_row(raw: Raw) -> bool:
    """Table 4: FedAvg's value is below FedSoftMax's in the first two rows, above it in the last."""
    first = Fraction("1.3686297084899968") < Fraction("2.322656907880106")
    second = Fraction("1.3404421487057407") < Fraction("1.7307167213190393")
    third = Fraction("2.8107170960158876") > Fraction("2.7724249879251603")
    so = number(raw["right"])
    return number(raw["left"]) == 3 and so in (1, 2) and first and second and third
