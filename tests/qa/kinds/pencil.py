"""Left over right of the main results whose kind is disputed, on families for a pencil.

Nothing of the package is used.  Each function takes the number along which its result is looked
at and returns left/right there; where the right side has a part that vanishes with a further
number (noise, step of the multipliers, one over the rounds), that part is at its limit zero.
"""

from __future__ import annotations

import math


def star_of_agents(agents: int) -> float:
    """All-for-all, Theorem 4.2: equal losses x^2/2, from 1, agent 1 close to all, two rounds.

    b_1j = eps/2 and b_jk = eps is a metric, so row 1 of Lambda is uniform and row j has 1/2 at 1
    and at j.  Without noise the step is 1/(2L) and K = 2 ln(F^0/eps), which is 2 at eps = F^0/e.
    """
    centre = leaf = 1.0
    for _ in range(2):
        above = centre / agents + (agents - 1) * leaf / 2
        beside = centre / agents + leaf / 2
        centre, leaf = (
            centre - (above + (agents - 1) * beside) / (2 * agents),
            leaf - (above + beside) / 4,
        )
    return math.e * (centre**2 + (agents - 1) * leaf**2) / agents


def flat_direction(rounds: int) -> float:
    """All-for-all, Lemma 4.a: A = 1/T^2 in one dimension, f = x^2/(2 T^2), so mu = L = 1."""
    step = 0.5
    return (1 - step / rounds**2) ** (2 * rounds) * math.exp(step * rounds)


def wrong_group(slowness: int) -> float:
    """HCCT, Theorem 2 with own models: clients 1, 2 have w^2/2, client 3 has (w - 1)^2/2.

    Equal sizes, w^0 = 0, no noise, eta = 1/n.  Groups {1, 3}, {2} for 2n rounds, then {1, 2}, {3}
    for n^2 - 2n more: the members of a group keep their distance, so 1 and 2 never forget.
    """
    step, before, rounds = 1 / slowness, 2 * slowness, slowness**2
    keep = 1 - step
    left = sum(
        step * ((1 - keep**t) ** 2 / 4 + (1 - (1 - keep**t) / 2) ** 2) for t in range(before)
    )
    # Clients 1 and 3 move alike; afterwards the middle of 1 and 2 decays, their gap does not.
    gap, square = (1 - keep**before) / 2, keep**2
    after = rounds - before
    decays = (1 - square**after) / (1 - square)
    left += step * (2 * (gap / 2) ** 2 * (after + decays) + (1 - gap) ** 2 * decays)
    # kappa_13 = 1, kappa_12 = 0, a = 1/2: a round counts 1 before, 0 afterwards.
    passed = before * (before - 1) / 2 + before * after
    right = 2 * 0.5 + 2 * step * before + 2 * step**3 * passed
    return left / right


def two_sampled(smoothness: float) -> float:
    """FedBC, (90): L (x -+ 1)^2/2, one of the two sampled, exact minima, lambda = 1 + L throughout.

    z' = (L c + 2 lambda z)/(L + 2 lambda) with c = +-1; the right side keeps its delta^2 term.
    """
    multiplier = 1 + smoothness
    pull = smoothness / (smoothness + 2 * multiplier)
    left = smoothness**2 * pull**2 / (1 - (1 - pull) ** 2)
    delta = 2 * smoothness * multiplier
    contraction = 1 - multiplier / (4 * smoothness)
    return left * 2 * contraction**2 * (1 + smoothness) ** 4 / delta**2


def misplaced_weights(agents: int) -> float:
    """All-for-all, Theorem 6.b: equal losses x^2/2, lambda = 1/N, K = N, logarithm of the step 1.

    F^0 K/(sigma^2 N) = e makes eta = 1/K; noise that is allowed and absent leaves (1 - 1/K)^(2K).
    """
    rounds = agents
    left = (1 - 1 / rounds) ** (2 * rounds)
    noise = (1 + 2 * math.log(agents)) / (math.e * agents**2)
    return left / (2 * (math.exp(-rounds / 2) + noise))


def printed_fano(points: int) -> tuple[float, float]:
    """All-for-all, (9), all points told apart: the right side as printed, and with ln |V| below."""
    told = math.log(points) + math.log(2)
    return 1 - told / points, 1 - told / math.log(points)


def samples_needed(precision: float, noise: float, agents: int) -> float:
    """All-for-all, Theorems 2.2 and 7.2 and the naive approach: N K over N sigma^2/(eps N_i) times
    the logarithm ln(e + 1/eps): equal losses x^2/2, F^0 = 1/2, the step as printed, fewest K.
    """

    def reached(rounds: int) -> bool:
        inside = rounds / (2 * noise * agents)
        step = min(0.5, math.log(inside) / rounds) if inside > 1 else 0.0
        shrunk = (1 - step) ** (2 * rounds)
        return shrunk / 2 + step * noise / (agents * (2 - step)) / 2 * (1 - shrunk) <= precision

    rounds = next(k for k in range(1, 200_000) if reached(k))
    return rounds * agents / (noise / precision * math.log(math.e + 1 / precision))
