"""Outcomes of small probability."""

from bounds import generic as xp
from tests.qa.own.record import FALSE, TRUE, Table
from verify import Real, coin, expectation, numbers, probability, statement, two_point

own = Table("rare")

own.line(
    "kurtosis",
    FALSE,
    "E[x**4] <= 500*E[x**2]**2 for x ~ coin(p), p in [0, 1]",
    "E x^4 = E x^2 = p, and p > 500 p^2 for p < 1/500.",
)
own.line(
    "kurtosis_ranged",
    TRUE,
    "E[x**4] <= 500*E[x**2]**2 for x ~ coin(p), p in [1/500, 1]",
    "p <= 500 p^2 there.",
)
own.line(
    "fourth",
    FALSE,
    "E[(x-p)**4] <= 1000*Var(x)**2 + 1/10000 for x ~ coin(p), p in [0, 1]",
    "At p = 1/2000: 0.000499 > 0.00035.",
)
own.line(
    "fourth_true",
    TRUE,
    "E[(x-p)**4] <= 1000*Var(x)**2 + 1/3000 for x ~ coin(p), p in [0, 1]",
    "E <= v = p(1-p), and v - 1000 v^2 <= 1/4000.",
)
own.line(
    "one_of_forty",
    FALSE,
    "P(x >= 1) <= 1/2 for x ~ binomial(40, p), p in [0, 1/50]",
    "At p = 1/50: 1 - 0.98^40 = 0.554.",
)
own.line(
    "one_of_forty_true",
    TRUE,
    "P(x >= 1) <= 1/2 for x ~ binomial(40, p), p in [0, 1/60]",
    "1 - (59/60)^40 = 0.489, and it grows with p.",
)
own.line("level", FALSE, "P(x >= 1) <= 1/1000 for x ~ coin(p), p in [0, 1/999]", "At p = 1/999.")
own.line(
    "level_true",
    TRUE,
    "P(x >= 1) <= 1/1000 for x ~ coin(p), p in [0, 1/1000]",
    "The probability is p.",
)
own.line(
    "two_moments",
    FALSE,
    "E[x]**2 >= E[x**2]/1000 for x ~ two_point(0, a, p), a >= 0, p in [0, 1]",
    "p^2 a^2 < p a^2/1000 for 0 < p < 1/1000.",
)
own.line(
    "markov",
    TRUE,
    "P(x >= 1000*m) <= 1/1000 given m == E[x] for x ~ two_point(0, a, p), a >= 0,"
    " p in [0, 1/2], m > 0",
    "Markov's inequality, m = a p > 0.",
)
own.line(
    "markov_less",
    FALSE,
    "P(x >= 100*m) <= 1/101 given m == E[x]"
    " for x ~ two_point(0, a, p), a >= 0, p in [0, 1/2], m > 0",
    "At p = 1/100, a = 1: m = 1/100, and P(x >= 1) = 1/100.",
)
own.line(
    "cantelli",
    FALSE,
    "P(x >= 30*v) <= 1/1000 given v == Var(x) for x ~ coin(p), p in [0, 1], v > 0",
    "At p = 1/100: v = 0.0099 and P(x >= 0.297) = 1/100.",
)
own.line(
    "skew",
    FALSE,
    "E[(x-p)**3]**2 <= 900*Var(x)**3 for x ~ coin(p), p in [0, 1]",
    "The ratio is (1-2p)^2/(p(1-p)): at p = 1/1000 it is 997.",
)
own.line(
    "skew_true",
    TRUE,
    "E[(x-p)**3]**2*p <= Var(x)**2 for x ~ coin(p), p in [0, 1]",
    "(1-2p)^2 (p(1-p))^2 p <= (p(1-p))^2.",
)

NEEDLE = numbers({"p": Real(0, 1, domain=(0, 1)), "a": Real(0, 10)})
THIN = numbers({"p": Real(0, 1 / 1000, domain=(0, 1 / 1000)), "a": Real(0, 10)})


@own.false("At p = 1/1000: a^3/1000 > 50 a^3/1000000.")
@statement("own.rare.third", where="here", latex=r"E x^3\le50\,E x\,E x^2", family=NEEDLE)
def third(w):
    x = two_point(0, w.a, w.p)
    first, second, cubed = (expectation(lambda v, k=k: v**k, x) for k in (1, 2, 3))
    return {"third": cubed}, {"product": 50 * first * second}


@own.true("p a^3 <= a (p a^2).")
@third.like("own.rare.third_true", latex=r"E x^3\le a\,E x^2")
def third_true(w):
    x = two_point(0, w.a, w.p)
    return {"third": expectation(lambda v: v**3, x)}, {"a": w.a * expectation(lambda v: v**2, x)}


@own.false("At p = 1/1000, a = 2: 0.001 > 0.0005 + 0.000004.")
@statement("own.rare.excess", where="here", latex=r"E\max(x-1,0)\le10^{-3}/2+(E x)^2", family=THIN)
def excess(w):
    x = two_point(0, w.a, w.p)
    above = expectation(lambda v: xp.positive_part(v - 1), x)
    mean = expectation(lambda v: v, x)
    return {"excess": above}, {"half": xp.divide(1, 2000), "mean": mean**2}


@own.true("max(x - 1, 0) <= x^2/4.")
@excess.like("own.rare.excess_true", latex=r"E\max(x-1,0)\le E x^2/4")
def excess_true(w):
    x = two_point(0, w.a, w.p)
    above = expectation(lambda v: xp.positive_part(v - 1), x)
    return {"excess": above}, {"quarter": expectation(lambda v: v**2, x) / 4}


COINS = numbers({"p": Real(0, 1, domain=(0, 1)), "q": Real(0, 1, domain=(0, 1))})


@own.false("At p = q = 1/20: 0.0975 > 0.0525.")
@statement("own.rare.both", where="here", latex=r"P(x+y\ge1)\le\max(p,q)+pq", family=COINS)
def both(w):
    some = probability(lambda x, y: xp.at_least(x + y, 1), coin(w.p), coin(w.q))
    return {"some": some}, {"max": xp.maximum(w.p, w.q), "product": w.p * w.q}


@own.true("1 - (1-p)(1-q) = p + q - pq.")
@both.like("own.rare.both_true", latex=r"P(x+y\ge1)=p+q-pq", relation="==")
def both_true(w):
    some = probability(lambda x, y: xp.at_least(x + y, 1), coin(w.p), coin(w.q))
    return {"some": some}, {"sum": w.p + w.q, "-product": -w.p * w.q}
