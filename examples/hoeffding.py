"""Hoeffding's inequality for the mean of n coins: 2 in the exponent holds, 3 falls."""

from math import comb

from bounds import generic as xp
from verify import Real, numbers, statement

BOX = {"p": Real(0, 1, domain=(0, 1)), "t": Real(1 / 16, 1)}
COINS = numbers(BOX, *({"n": n} for n in (1, 2, 3, 5)), about="n coins, all outcomes enumerated")


def tail(w):
    chance = [comb(w.n, i) * w.p**i * (1 - w.p) ** (w.n - i) for i in range(w.n + 1)]
    far = [xp.at_least(xp.absolute(i - w.n * w.p), w.n * w.t) for i in range(w.n + 1)]
    return sum(c * xp.indicator(f, w.p) for c, f in zip(chance, far, strict=True))


@statement(
    "hoeffding.two", where="Theorem 1", latex=r"P(|\bar X-p|\ge t)\le 2e^{-2nt^2}", family=COINS
)
def two(w):
    return {"tail": tail(w)}, {"bound": 2 * xp.exp(-2 * w.n * w.t**2)}


@two.like("hoeffding.three", latex=r"P(|\bar X-p|\ge t)\le 2e^{-3nt^2}")
def three(w):
    return {"tail": tail(w)}, {"bound": 2 * xp.exp(-3 * w.n * w.t**2)}
