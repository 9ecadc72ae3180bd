"""False for some sizes alone, in the middle of all others."""

from bounds import generic as xp
from tests.qa.own.record import FALSE, TRUE, Table
from verify import Real, numbers, statement

own = Table("sizes")

CLIENTS = numbers({"c": Real(1 / 8, 8, log=True, per=("N",))}, {"N": 1}, {"N": 2}, {"N": 3})


def size(w):
    return w.c.shape[-1] + 0 * w.c[..., 0]


@own.false("At N = 29: (N - 28)(N - 30) = -1; at no other N.")
@statement("own.sizes.one_size", where="here", family=CLIENTS, latex=r"58N\bar c\le(N^2+840)\bar c")
def one_size(w):
    n, mean = size(w), xp.mean(w.c)
    return {"58N": 58 * n * mean}, {"N^2": (n**2 + 840) * mean}


@own.true("(N - 28)(N - 29) is not negative at whole numbers.")
@one_size.like("own.sizes.no_size", latex=r"57N\bar c\le(N^2+812)\bar c")
def no_size(w):
    n, mean = size(w), xp.mean(w.c)
    return {"57N": 57 * n * mean}, {"N^2": (n**2 + 812) * mean}


@own.false("At N = 42 equal numbers: 42^2 > 41*42; the mean square is the least there.")
@one_size.like("own.sizes.from_42", latex=r"(\sum c_i)^2\le41\sum c_i^2")
def from_42(w):
    return {"whole": xp.total(w.c) ** 2}, {"parts": 41 * xp.total(w.c**2)}


@own.false("At N = 19 and equal numbers sin(19/4) = -0.9993 < -0.99: N is 3 pi/2 times 4, 18.85.")
@one_size.like("own.sizes.wave", latex=r"-\sin(N/4)\,\bar c\le\tfrac{99}{100}\bar c")
def wave(w):
    n, mean = size(w), xp.mean(w.c)
    return {"mean": -xp.sin(n / 4) * mean}, {"share": 99 * mean / 100}


@own.false("At N = 3, 6, 9, ...: a third of the clients is a whole number.")
@one_size.like(
    "own.sizes.thirds", latex=r"\lfloor N/3\rfloor\bar c+\tfrac14\bar c\le\tfrac N3\bar c"
)
def thirds(w):
    n, mean = size(w), xp.mean(w.c)
    return {"floor": xp.floor(n / 3) * mean, "quarter": mean / 4}, {"third": n * mean / 3}


@own.true("A floor is at most the number.")
@one_size.like("own.sizes.thirds_true", latex=r"\lfloor N/3\rfloor\bar c\le\tfrac N3\bar c")
def thirds_true(w):
    n, mean = size(w), xp.mean(w.c)
    return {"floor": xp.floor(n / 3) * mean}, {"third": n * mean / 3}


PLANE = numbers({"x": Real(-2, 2, per=("d",))}, {"d": 1}, {"d": 2})


@own.false("d = 17 ones: 17 > 4 sqrt(17) = 16.49; with half as many the claim holds.")
@statement("own.sizes.norms", where="here", family=PLANE, latex=r"|x|_1^2\le16|x|^2+|x|_\infty^2")
def norms(w):
    size = xp.absolute(w.x)
    return {"sum": xp.total(size) ** 2}, {
        "square": 16 * xp.total(w.x**2),
        "largest": xp.largest(size) ** 2,
    }


@own.true("|x|_1^2 <= d |x|^2.")
@norms.like("own.sizes.norms_true", latex=r"|x|_1^2\le d|x|^2")
def norms_true(w):
    return {"sum": xp.total(xp.absolute(w.x)) ** 2}, {"square": w.x.shape[-1] * xp.total(w.x**2)}


LONG = numbers(
    {"b": Real(0, 7 / 8, domain=(0, 7 / 8)), "v": Real(-2, 2)}, {"T": 1}, {"T": 2}, {"T": 4}
)


def rolling(w):
    """How far a velocity carries in so many rounds of momentum without slopes."""
    x, v = 0 * w.v, w.v
    for _ in range(w.T):
        x, v = x + v, w.b * v
    return x


@own.false("b = 7/8: (1 - b^T)/(1 - b) is 5.2 at T = 8 and at most 8.")
@statement("own.sizes.rolling", where="here", family=LONG, latex=r"|x_T-x_0|\le5|v|")
def rolls(w):
    return {"moved": xp.absolute(rolling(w))}, {"five": 5 * xp.absolute(w.v)}


@own.true("(1 - b^T)/(1 - b) <= 8.")
@rolls.like("own.sizes.rolling_true", latex=r"|x_T-x_0|\le8|v|")
def rolls_true(w):
    return {"moved": xp.absolute(rolling(w))}, {"eight": 8 * xp.absolute(w.v)}


@own.false("b = 7/8: 7.8 at T = 28, the first above 7.8.")
@rolls.like("own.sizes.rolling_late", latex=r"|x_T-x_0|\le\tfrac{39}5|v|")
def rolls_late(w):
    return {"moved": xp.absolute(rolling(w))}, {"less": 39 * xp.absolute(w.v) / 5}


own.line(
    "power_late",
    FALSE,
    "x**a <= 1 + a*(x - 1) for x > 0, a in [0, 1001/1000]",
    "Convex for a > 1: at a = 1.001, x = 64: 64.27 > 64.06.",
)
own.line(
    "power_true",
    TRUE,
    "x**a <= 1 + a*(x - 1) for x > 0, a in [0, 1]",
    "Concave: below its tangent at 1.",
)
own.line("tail_of_e", FALSE, "x*exp(-x) <= 367879/1000000 for x >= 0", "At x = 1: 0.36787944.")
own.line("tail_of_e_true", TRUE, "x*exp(-x) <= 36788/100000 for x >= 0", "At most 1/e = 0.3678794.")
