"""S of N clients take part, drawn evenly without replacement unless said otherwise."""

from itertools import combinations

from bounds import generic as xp
from tests.qa.own.record import Table
from verify import Real, coin, expectation, numbers, statement

own = Table("participation")

FOUR = numbers({"x": Real(-2, 2, per=("N",))}, {"N": 4}, grow=())


def drawn(w, size, of):
    """Mean over all sets of so many of four clients."""
    sets = list(combinations(range(4), size))
    return sum(of(sum(w.x[..., i] for i in chosen) / size) for chosen in sets) / len(sets)


def spread(w):
    return xp.mean((w.x - xp.mean(w.x)[..., None]) ** 2)


@own.true("Var = (N - S)/(N - 1)/S times the spread: 2/3/2.")
@statement(
    "own.participation.pairs",
    where="here",
    relation="==",
    family=FOUR,
    latex=r"E|\bar x_S-\bar x|^2=\tfrac13\sigma^2,\ S=2,N=4",
)
def pairs(w):
    middle = xp.mean(w.x)
    return {"variance": drawn(w, 2, lambda m: (m - middle) ** 2)}, {"third": spread(w) / 3}


@own.false("x = (1, 0, 0, 0): the spread is 3/16, the variance 1/16 > 3/64.")
@pairs.like(
    "own.participation.pairs_quarter",
    relation="<=",
    latex=r"E|\bar x_S-\bar x|^2\le\tfrac{1}{S}(1-\tfrac SN)\sigma^2",
)
def pairs_quarter(w):
    middle = xp.mean(w.x)
    return {"variance": drawn(w, 2, lambda m: (m - middle) ** 2)}, {"quarter": spread(w) / 4}


@own.true("(4 - 3)/(4 - 1)/3 = 1/9.")
@pairs.like(
    "own.participation.threes", relation="<=", latex=r"E|\bar x_S-\bar x|^2\le\sigma^2/9,\ S=3"
)
def threes(w):
    middle = xp.mean(w.x)
    return {"variance": drawn(w, 3, lambda m: (m - middle) ** 2)}, {"ninth": spread(w) / 9}


@own.false("x = (1, 0, 0, 0): variance 1/48 > 1/64 of the spread 3/16.")
@pairs.like(
    "own.participation.threes_less",
    relation="<=",
    latex=r"E|\bar x_S-\bar x|^2\le\sigma^2/12,\ S=3",
)
def threes_less(w):
    middle = xp.mean(w.x)
    return {"variance": drawn(w, 3, lambda m: (m - middle) ** 2)}, {"twelfth": spread(w) / 12}


@own.true("Each client is in half of the pairs.")
@pairs.like("own.participation.unbiased", latex=r"E\bar x_S=\bar x")
def unbiased(w):
    return {"mean": drawn(w, 2, lambda m: m)}, {"all": xp.mean(w.x)}


@own.false("x = (2, 0, 0, 0): the mean of squares is 1/2, the square of the mean 1/4.")
@pairs.like("own.participation.squares", latex=r"E\bar x_S^2=\bar x^2")
def squares(w):
    return {"mean": drawn(w, 2, lambda m: m**2)}, {"all": xp.mean(w.x) ** 2}


@own.true("Jensen over the drawn set.")
@pairs.like("own.participation.jensen", relation="<=", latex=r"E\bar x_S^2\le\overline{x^2}")
def jensen(w):
    return {"mean": drawn(w, 2, lambda m: m**2)}, {"all": xp.mean(w.x**2)}


@own.false("x = (1, 1, -1, -1): 1 > 1/3 + 1/2.")
@pairs.like(
    "own.participation.worst", relation="<=", latex=r"\max_S\bar x_S\le E|\bar x_S|+\tfrac12\sigma"
)
def worst(w):
    sets = [sum(w.x[..., i] for i in chosen) / 2 for chosen in combinations(range(4), 2)]
    bound = {"mean": drawn(w, 2, xp.absolute), "half": xp.sqrt(spread(w)) / 2}
    return {"max": xp.largest(xp.stack(sets, -1))}, bound


SHARED = numbers({"x": Real(-2, 2, per=("N",)), "p": Real(0, 1, domain=(0, 1))}, {"N": 2}, grow=())


@own.false(
    "Dividing by those who come, nobody's round standing still: x = (2, 2), p = 1/2: 3/2 < 2."
)
@statement(
    "own.participation.coins",
    where="here",
    relation="==",
    family=SHARED,
    latex=r"E\sum_{i\in S}x_i/\max(|S|,1)=\bar x",
)
def coins(w):
    def mean(a, b):
        return (a * w.x[..., 0] + b * w.x[..., 1]) / xp.maximum(a + b, 1)

    return {"drawn": expectation(mean, coin(w.p), coin(w.p))}, {"mean": xp.mean(w.x)}


@own.true("E of each coin over p is one; written times p.")
@coins.like("own.participation.coins_true", latex=r"E\sum_{i\in S}x_i/N=p\bar x")
def coins_true(w):
    def mean(a, b):
        return (a * w.x[..., 0] + b * w.x[..., 1]) / 2

    return {"drawn": expectation(mean, coin(w.p), coin(w.p))}, {"mean": w.p * xp.mean(w.x)}


@own.true("Independent coins: p(1-p) sum x^2/N^2.")
@coins.like(
    "own.participation.coins_variance",
    relation="<=",
    latex=r"E(\sum_{i\in S}x_i/N-p\bar x)^2\le p(1-p)\overline{x^2}/2",
)
def coins_variance(w):
    def off(a, b):
        return ((a * w.x[..., 0] + b * w.x[..., 1]) / 2 - w.p * xp.mean(w.x)) ** 2

    return {"variance": expectation(off, coin(w.p), coin(w.p))}, {
        "bound": w.p * (1 - w.p) * xp.mean(w.x**2) / 2
    }


@own.false("x = (1, 1): p(1-p)/2 > p(1-p)/4.")
@coins_variance.like(
    "own.participation.coins_variance_less",
    latex=r"E(\sum_{i\in S}x_i/N-p\bar x)^2\le p(1-p)\overline{x^2}/4",
)
def coins_variance_less(w):
    left, right = coins_variance(w)
    return left, {"bound": right["bound"] / 2}
