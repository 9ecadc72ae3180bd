"""The findings of the all-for-all paper in exact numbers, without the statements' own code."""

from __future__ import annotations

from fractions import Fraction as F
from math import ceil, exp, isqrt, log, sqrt

Law = dict[F, F]


def _step(law: Law, move: F, drawn: F) -> Law:
    """With chance ``drawn`` one step of that length towards 0 (none at 0)."""
    after: Law = {}
    for x, chance in law.items():
        moved = x - move * ((x > 0) - (x < 0))
        for place, part in ((moved, drawn), (x, 1 - drawn)):
            after[place] = after.get(place, F(0)) + chance * part
    return after


def test_theorem1b_a_net_is_precise_without_data() -> None:
    """r = 1, eps = 1/128: eight points serve every minimum in [-1, 1], sigma^2/eps is 128."""
    eps, net = F(1, 128), [F(2 * k - 7, 8) for k in range(8)]
    minima = [F(i, 64) for i in range(-64, 65)]
    assert all(min((x - m) ** 2 / 2 for x in net) <= eps for m in minima)


def test_theorem1b_a_triangle_inequality_need_not_be_symmetric() -> None:
    b = [[0, 5, 5], [0, 0, 0], [0, 0, 0]]
    agents = range(3)
    assert all(b[i][j] <= b[i][k] + b[k][j] for i in agents for j in agents for k in agents)
    assert sum(b[0][j] <= 4 for j in agents) == 1


def test_theorem6b_leaves_more_than_the_printed_noise_term() -> None:
    """N equal agents, K = N, sigma^2 = mu F/4: in units of F, A^-2 is left, not 1/(4 N^2)."""
    for agents in (64, 1024):
        left = (1 - log(4) / agents) ** (2 * agents)
        right = 2 * (exp(-agents / 2) + 1 / (4 * agents**2))
        assert left > agents**2 * right / 10


def test_theorem2_2_has_no_positive_step_within_the_printed_number() -> None:
    """N equal agents, mu = L = sigma = 1, F = 2 eps, T = 1/eps: the logarithm is of 2/N^2."""
    for agents, eps in ((10, F(1, 10)), (1000, F(1, 7))):
        rounds, mass = 1 / eps / agents, F(1, agents)
        assert 2 * eps * rounds * mass == F(2, agents**2) < 1


def test_theorem2_1_ties_slow_the_run_for_every_number_of_rounds() -> None:
    """Eight agents B|x|, b_1j = eps/2, lambda = (1/8, 0, ..): T <= 8, B = sqrt 2, D = eps = 1."""
    size = F(isqrt(2 * 10**12), 10**6)  # a little below sqrt 2
    for rounds in range(1, 9):
        move = F(sqrt(4 / rounds)).limit_denominator(10**6)  # D sqrt(N/(2 K))
        law, total = {F(1): F(1)}, F(0)
        for _ in range(rounds):
            assert all(abs(x) <= 1 + F(1, 10**5) for x in law)
            total += sum(abs(x) * chance for x, chance in law.items())
            law = _step(law, move, F(1, 8))
        assert size * total / rounds > F(108, 100)


def test_naive_a_ties_leave_most_runs_where_they_began() -> None:
    """64 agents, all b_ij = eps/2, K = T = 16, B = 2: model 1 rests with chance (63/64)^16."""
    assert 2 * F(63, 64) ** 16 > F(155, 100)


def test_theorem4_1_the_printed_step_is_too_long() -> None:
    """Simplex, N = 64, T <= 8 = 4 D^2 B^2/eps^2: D = eps = 1, B = sqrt 2, the edge h large."""
    agents, size, found = 64, sqrt(2), []
    tilt = 0.5 / 1024
    for rounds in range(1, 9):
        z, total, move = 1.0, 0.0, sqrt(2 / rounds) / size
        for _ in range(rounds):
            total += 0.5 * (1 - 1 / agents) - tilt * z / 8 + (size - tilt) * abs(z)
            z -= move * ((size - tilt) * (1 if z >= 0 else -1) - tilt / 8)
        found.append(total / rounds)
    assert min(found) > 1.017


def test_lemma5c_a_rare_noise_ruins_the_mean() -> None:
    """h = L = 4, D = eps = sigma = 1, T <= 32: first noise 1000 (chance 1e-6), then -1/1000."""
    assert 1 / sqrt(32) > 1 / 8  # eta = 1/(2L) for every T
    x, total, worst = F(1), F(0), []
    for t in range(32):
        total += x
        worst.append(2 * (total / (t + 1)) ** 2)
        noise = F(1000) if t == 0 else F(-1, 1000)
        x = x - F(1, 8) * (4 * x - noise)
    assert min(worst) == 2


def test_lemma6_one_wrong_gradient() -> None:
    """T = 2, s = 3 B/4: x^1 = D + eta B with chance 1/8."""
    assert F(3, 4) * (1 + 2) / 2 == F(9, 8)  # 6.a: eta B = D, bound B D
    assert 0.75 * (2 + sqrt(2)) / 2 > 1.28  # 6.b: eta B = sqrt 2 D, eps = B D


def test_wga_rec_one_wrong_gradient() -> None:
    """One agent, s = 3 B/4, x^0 = 1 = eta B, K = 2: 3 s = 9/4 against 1/2 + 1 (B = 1, D = 3)."""
    assert F(3, 4) * (1 + 2) > F(1, 2) + 2 * F(1, 2)


def test_lemma4c_rounding_and_the_share_of_the_start() -> None:
    assert ceil(2 * log(2)) > 2 * log(2)  # mu = L, sigma small, f_0 = 2 eps
    share = sum(F(1, 2) ** t for t in range(8)) / 8  # f_0 = e^4 eps: T = 8, eta = 1/(2L)
    assert exp(4) * float(share) ** 2 > 3.3


def test_match_the_factors_differ_by_the_number_of_agents() -> None:
    biases = [F(0)] + [F(1)] * 9  # eps = 1
    assert sum(b / 4 <= 1 for b in biases) == 10 * sum(2 * b <= 1 for b in biases)


def test_rho_has_no_triangle_inequality() -> None:
    """|x - 1|, |x|/8, |x + 1|: rho is the least value of the sum, at a kink."""
    f, g, h = (F(1), F(1)), (F(1, 8), F(0)), (F(1), F(-1))  # slope and minimiser
    kinks = [F(-1), F(0), F(1)]
    rho = [
        min(s * abs(x - m) + t * abs(x - n) for x in kinks)
        for (s, m), (t, n) in ((f, h), (f, g), (g, h))
    ]
    assert rho == [2, F(1, 8), F(1, 8)]


def test_packing_of_the_line() -> None:
    assert (2 / exp(0.5)) ** 0.5 > 1.1  # and {1} is all that is left


def test_quadratic_construction_has_curvature_one() -> None:
    """d = 2, xi = 0: |x|^2/2 along the first axis, second difference."""
    assert sum(s * F(x) ** 2 / 2 for s, x in ((1, 1), (-2, 0), (1, -1))) == 1 > F(1, 2)


def test_biasvar_lambda_squared_is_not_w() -> None:
    rows = [[F(1, 2), F(1, 2)], [F(0), F(1)]]
    pairs = [(i, j) for i in (0, 1) for j in (0, 1)]
    square = [sum(rows[i][k] * rows[k][j] for k in (0, 1)) for i, j in pairs]
    gram = [sum(rows[i][k] * rows[j][k] for k in (0, 1)) for i, j in pairs]
    assert square == [F(1, 4), F(3, 4), 0, 1]
    assert gram == [F(1, 2), F(1, 2), F(1, 2), 1]
