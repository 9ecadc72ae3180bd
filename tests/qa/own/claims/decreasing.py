"""Steps like 1/(t + g), their sums, products and what a recursion with them keeps."""

from bounds import generic as xp
from tests.qa.own.record import FALSE, TRUE, Table
from verify import Real, numbers, statement

own = Table("decreasing")

own.line(
    "sum",
    TRUE,
    r"\sum_{k=1}^n 1/(k+g) <= log((n+g)/g) for integer n in [1, 20], g > 0",
    "1/(k+g) is at most the integral of 1/x from k+g-1 to k+g.",
)
own.line(
    "sum_late",
    FALSE,
    r"\sum_{k=1}^n 1/(k+g) <= log(1 + n/(g+1)) for integer n in [1, 20], g >= 0",
    "At n = 1, g = 0: 1 > log 2.",
)
own.line(
    "sum_below",
    TRUE,
    r"\sum_{k=1}^n 1/(k+g) >= log((n+g+1)/(1+g)) for integer n in [1, 20], g >= 0",
    "1/(k+g) is at least the integral of 1/x from k+g to k+g+1.",
)
own.line(
    "sum_half",
    FALSE,
    r"\sum_{k=1}^n 1/(k+g) <= log((n+g+1/2)/(g+1/2)) - 1/10000"
    " for integer n in [1, 20], g in [0, 1000]",
    "For large g both sides meet: at n = 1, g = 1000 they differ by 1e-10.",
)
own.line(
    "product",
    TRUE,
    r"\prod_{k=0}^n (1 - 1/(k+g)) == (g-1)/(n+g) for integer n in [1, 12], g > 1",
    "It telescopes.",
)
own.line(
    "product_off",
    FALSE,
    r"\prod_{k=0}^n (1 - 1/(k+g)) == g/(n+g+1) for integer n in [1, 12], g > 1",
    "At n = 1, g = 2: 1/2*2/3 = 1/3 against 1/2.",
)
own.line(
    "product_twice",
    TRUE,
    r"\prod_{k=0}^n (1 - 2/(k+g)) <= ((g-1)/(n+g))**2 for integer n in [1, 12], g >= 2",
    "1 - 2u <= (1-u)^2.",
)
own.line(
    "product_twice_more",
    FALSE,
    r"\prod_{k=0}^n (1 - 2/(k+g)) <= ((g-2)/(n+g))**2 for integer n in [1, 12], g >= 2",
    "At n = 1, g = 3: 1/3*1/2 = 1/6 > 1/16.",
)
own.line(
    "induction", TRUE, "(1 - 2/u)*c/u + c/u**2 <= c/(u+1) for c >= 0, u >= 2", "(u-1)(u+1) <= u^2."
)
own.line(
    "induction_tight",
    FALSE,
    "(1 - 2/u)*c/u + c/u**2 <= c/(u + 1001/1000) for c > 0, u >= 2",
    "(u-1)(u+1.001) = u^2 + 0.001 u - 1.001 > u^2 from u = 1001 on.",
)
own.line(
    "squares",
    TRUE,
    r"\sum_{k=1}^n 1/(k+g)**2 <= 1/g for integer n in [1, 20], g > 0",
    "1/(k+g)^2 <= 1/(k+g-1) - 1/(k+g).",
)
own.line(
    "squares_late",
    FALSE,
    r"\sum_{k=1}^n 1/(k+g)**2 <= 1/(g + 1/2) - 1/(n+g+1/4) for integer n in [1, 20], g >= 0",
    "At n = 1, g = 10: 0.00826 > 0.00635.",
)
own.line(
    "roots",
    TRUE,
    r"\sum_{k=1}^n 1/sqrt(k) <= 2*sqrt(n) for integer n in [1, 9]",
    "1/sqrt k <= 2 sqrt k - 2 sqrt(k-1).",
)
own.line(
    "roots_less",
    FALSE,
    r"\sum_{k=1}^n 1/sqrt(k) <= 2*sqrt(n) - 21/20 for integer n in [1, 30]",
    "At n = 1: 1 > 0.95; nowhere else, as 2 sqrt n - sum grows, and is 1.12 at n = 2.",
)

BOX = {"A": Real(0, 4), "s": Real(0, 4), "g": Real(2, 16, domain=(2, 1e9))}
START = numbers(BOX)


def kept(w, rounds, rate):
    """Squared error after so many steps of SGD on a parabola, steps 2/(t + g)."""
    a = w.A
    for t in range(rounds):
        h = rate / (t + w.g)
        a = (1 - h) ** 2 * a + h**2 * w.s
    return a


@own.true("With v = max(g A, 4 s): induction by (u-1)(u+1) <= u^2.")
@statement(
    "own.decreasing.rate", where="here", family=START, latex=r"A_3\le\max(\gamma A_0,4s)/(3+\gamma)"
)
def rate(w):
    return {"A3": kept(w, 3, 2)}, {"bound": xp.maximum(w.g * w.A, 4 * w.s) / (3 + w.g)}


@own.false("At A = 0, g = 2: s, 5s/9, 7s/18 > s/5.")
@rate.like("own.decreasing.rate_less", latex=r"A_3\le\max(\gamma A_0,s)/(3+\gamma)")
def rate_less(w):
    return {"A3": kept(w, 3, 2)}, {"bound": xp.maximum(w.g * w.A, w.s) / (3 + w.g)}


@own.false("Steps 1/(t+g) forget a start slowly: s = 0, A = 1, large g: 1 - 6/g against 1 - 9/g.")
@rate.like("own.decreasing.slow", latex=r"A_3(h=1/(t+\gamma))\le\max(A_0\gamma^3/(3+\gamma)^3,4s)")
def slow(w):
    bound = w.A * w.g**3 / (3 + w.g) ** 3
    return {"A3": kept(w, 3, 1)}, {"bound": xp.maximum(bound, 4 * w.s)}


@own.true("Products (1-1/(t+g))^2 telescope to ((g-1)/(g+2))^2, noise to at most 3 s/(g+2)^2.")
@rate.like(
    "own.decreasing.one",
    latex=r"A_3(h=1/(t+\gamma))=\frac{(\gamma-1)^2A_0+3s}{(\gamma+2)^2}",
    relation="==",
)
def one(w):
    return {"A3": kept(w, 3, 1)}, {"sum": ((w.g - 1) ** 2 * w.A + 3 * w.s) / (w.g + 2) ** 2}


@own.false("At A = 0, s = 1: 3/(g+2)^2, not 3/(g+3)^2.")
@rate.like(
    "own.decreasing.one_later", latex=r"A_3(h=1/(t+\gamma))\le\frac{\gamma^2A_0+3s}{(\gamma+3)^2}"
)
def one_later(w):
    return {"A3": kept(w, 3, 1)}, {"sum": (w.g**2 * w.A + 3 * w.s) / (w.g + 3) ** 2}
