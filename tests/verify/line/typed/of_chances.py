"""Lines about means, variances and probabilities."""

from __future__ import annotations

from collections.abc import Callable
from math import comb

from tests.verify.line.typed.meant import Typed

Law = list[tuple[float, float]]


def _coin(p: float) -> Law:
    return [(0.0, 1 - p), (1.0, p)]


def _two(a: float, b: float, p: float) -> Law:
    return [(a, 1 - p), (b, p)]


def _binomial(n: int, p: float) -> Law:
    return [(float(k), comb(n, k) * p**k * (1 - p) ** (n - k)) for k in range(n + 1)]


def _mean(rule: Callable[[float], float], law: Law) -> float:
    return sum(chance * rule(value) for value, chance in law)


CHANCES = (
    Typed(
        "E[x]^2 <= E[x^2] for x ~ coin(p), p in [0,1]",
        "E(x)**2 <= E(x**2) for x ~ coin(p), p in [0, 1]",
        lambda v: (v.p**2, v.p),
    ),
    Typed(
        r"\mathbb{E}[x]^2 \le \mathbb{E}[x^2] for x ~ two_point(a, b, p), p in [0,1], a, b in R",
        "E(x)**2 <= E(x**2) for x ~ two_point(a, b, p), p in [0, 1], real a, real b",
        lambda v: (
            _mean(lambda x: x, _two(v.a, v.b, v.p)) ** 2,
            _mean(lambda x: x**2, _two(v.a, v.b, v.p)),
        ),
    ),
    Typed(
        r"\E[X^2] >= (\E X)^2 for X ~ uniform(a, b), a, b in R",
        "E(X**2) >= E(X)**2 for X ~ uniform(a, b), real a, b",
        lambda v: ((v.a**2 + v.a * v.b + v.b**2) / 3, ((v.a + v.b) / 2) ** 2),
    ),
    Typed(
        "Var(x) <= 1/4 for x ~ coin(p), p in [0, 1]",
        "E(x**2) - E(x)**2 <= 1/4 for x ~ coin(p), p in [0, 1]",
        lambda v: (v.p * (1 - v.p), 0.25),
    ),
    Typed(
        "E((x-E(x))**2) <= 1/4 for x ~ coin(p), p in [0,1]",
        "E(x**2) - E(x)**2 <= 1/4 for x ~ coin(p), p in [0, 1]",
        lambda v: (v.p * (1 - v.p), 0.25),
    ),
    Typed(
        r"\mathrm{Var}(x) = \mathbb{E}[x^2] - (\mathbb{E}[x])^2 for x ~ binomial(3, p), p in [0,1]",
        "E((x - 3*p)**2) == E(x**2) - E(x)**2 for x ~ binomial(3, p), p in [0, 1]",
        lambda v: (
            3 * v.p * (1 - v.p),
            _mean(lambda x: x**2, _binomial(3, v.p)) - (3 * v.p) ** 2,
        ),
    ),
    Typed(
        "E[x^2] = mu^2 + s^2 for x ~ N(mu, s^2), s > 0, real mu",
        "mu**2 + s**2 == mu**2 + s**2 for s > 0, real mu",
        lambda v: (v.mu**2 + v.s**2, v.mu**2 + v.s**2),
    ),
    Typed(
        r"\mathbb{E}[(x-\mu)^4] \le 4\sigma^4 for x \sim \mathcal{N}(\mu, \sigma^2),"
        r" \mu \in \mathbb{R}, \sigma > 0",
        "3*sigma**4 + 0*mu <= 4*sigma**4 for sigma > 0, real mu",
        lambda v: (3 * v.sigma**4, 4 * v.sigma**4),
    ),
    Typed(
        "E[(x+y)^2] <= 2 E[x^2] + 2 E[y^2] for x ~ N(0,1), y ~ N(m, 1), m in R",
        "m**2 + 2 <= 2 + 2*(m**2 + 1) for real m",
        lambda v: (v.m**2 + 2, 2 + 2 * (v.m**2 + 1)),
    ),
    Typed(
        "P(x >= t) <= E[x]/t for x ~ two_point(a, b, p), a, b >= 0, t > 0, p in [0,1]",
        "P(x >= t) <= E(x)/t for x ~ two_point(a, b, p), a, b >= 0, t > 0, p in [0, 1]",
        lambda v: (
            _mean(lambda x: float(x >= v.t), _two(v.a, v.b, v.p)),
            _mean(lambda x: x, _two(v.a, v.b, v.p)) / v.t,
        ),
    ),
    Typed(
        r"\Pr[x \ge t] \le \frac{\mathbb{E}[x]}{t} for x ~ binomial(3,p), t > 0, p in [0,1]",
        "P(x >= t) <= E(x)/t for x ~ binomial(3, p), t > 0, p in [0, 1]",
        lambda v: (_mean(lambda x: float(x >= v.t), _binomial(3, v.p)), 3 * v.p / v.t),
    ),
    Typed(
        "E|x| <= sqrt(E[x^2]) for x ~ two_point(a,b,p), p in [0,1], real a, real b",
        "E(abs(x)) <= sqrt(E(x**2)) for x ~ two_point(a, b, p), p in [0, 1], real a, real b",
        lambda v: (
            _mean(abs, _two(v.a, v.b, v.p)),
            _mean(lambda x: x**2, _two(v.a, v.b, v.p)) ** 0.5,
        ),
    ),
    Typed(
        "Cov(x, x) <= 1/4 for x ~ coin(p), p in [0,1]",
        "E(x*x) - E(x)*E(x) <= 1/4 for x ~ coin(p), p in [0, 1]",
        lambda v: (v.p - v.p**2, 0.25),
    ),
    Typed(
        "E[xy] = E[x] E[y] for x ~ coin(p); y ~ coin(q), p, q in [0,1]",
        "E(x*y) == E(x)*E(y) for x ~ coin(p); y ~ coin(q), p, q in [0, 1]",
        lambda v: (v.p * v.q, v.p * v.q),
    ),
    Typed(
        r"\mathbb{E}\left[(x - p)^2\right] = p(1-p) for x ~ Bernoulli(p), p in [0,1]",
        "E((x - p)**2) == p*(1 - p) for x ~ coin(p), p in [0, 1]",
        lambda v: (v.p * (1 - v.p), v.p * (1 - v.p)),
    ),
)
