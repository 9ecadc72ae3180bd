"""Hypotheses, some of which nothing meets."""

from tests.qa.own.record import EMPTY, FALSE, TRUE, Table
from verify import Hypothesis, Real, numbers, statement

own = Table("given")

own.line(
    "three_ends", EMPTY, "x*y <= 1 for real x, y given x + y >= 5, x <= 2, y <= 2", "x + y <= 4."
)
own.line(
    "far", EMPTY, "x <= y for real x, y given x**2 + y**2 <= 1, x + y >= 2", "x + y <= sqrt 2."
)
own.line(
    "means",
    EMPTY,
    "sum_i x[i]**2 <= 1 for x >= 0 given max_i x[i] <= 1, mean_i x[i] >= 2",
    "A mean is at most the largest.",
)
own.line(
    "short",
    EMPTY,
    "h**2 <= 1/4 for h, L, m > 0 given h*L <= 1, h*m >= 2, m <= L",
    "h m <= h L <= 1.",
)
own.line(
    "variance", EMPTY, "m <= s for real m, s given s <= m**2 - 1, s >= m**2", "m^2 <= m^2 - 1."
)
own.line(
    "just",
    TRUE,
    "x*y <= 4 for real x, y given x + y >= 4, x <= 2, y <= 2",
    "Only x = y = 2 meets it, where equality holds.",
)
own.line(
    "thin",
    FALSE,
    "x*y <= 399/100 for real x, y given x + y >= 399/100, x <= 2, y <= 2",
    "At x = y = 2: 4.",
)
own.line(
    "circle",
    FALSE,
    "x + y <= 141/100 for real x, y given x**2 + y**2 == 1",
    "At x = y = 1/sqrt 2: 1.41421; rationally near (20/29, 21/29): 1.41379.",
)
own.line(
    "circle_true",
    TRUE,
    "x + y <= 1415/1000 for real x, y given x**2 + y**2 == 1",
    "sqrt 2 = 1.41421.",
)
own.line("product_one", TRUE, "x + y >= 2 for x, y > 0 given x*y == 1", "Means.")
own.line(
    "product_one_more",
    FALSE,
    "x + y >= 2 + (x - y)**2/4 for x, y > 0 given x*y == 1",
    "At x = 2, y = 1/2: 2.5 < 2.5625.",
)
own.line(
    "chain",
    TRUE,
    "a <= 8*d for a, b, c, d >= 0 given a <= 2*b, b <= 2*c, c <= 2*d",
    "Twice two times two.",
)
own.line(
    "chain_less",
    FALSE,
    "a <= 79/10*d for a, b, c, d >= 0 given a <= 2*b, b <= 2*c, c <= 2*d",
    "At (8, 4, 2, 1).",
)
own.line(
    "wide", FALSE, "x <= 100 for x, y >= 0 given x <= y**2, y <= 101/10", "At y = 10.1: x = 102.01."
)
own.line("wide_true", TRUE, "x <= 100 for x, y >= 0 given x <= y**2, y <= 10", "x <= 100.")
own.line(
    "twelve",
    FALSE,
    "sum_i x[i]*y[i] <= 99/100 for real x, y given sum_i x[i]**2 <= 1, sum_i y[i]**2 <= 1",
    "At x = y = (1, 0): 1.",
)
own.line(
    "twelve_true",
    TRUE,
    "sum_i x[i]*y[i] <= 1 for real x, y given sum_i x[i]**2 <= 1, sum_i y[i]**2 <= 1",
    "Cauchy-Schwarz.",
)
own.line(
    "smooth_pair",
    TRUE,
    "h*g**2/2 <= f for f, g, L, h > 0 given h*L <= 1, g**2 <= 2*L*f",
    "h g^2/2 <= h L f.",
)

SMALL = numbers({"h": Real(0, 4), "L": Real(0, 4), "m": Real(0, 4), "s": Real(0, 4)})
SHORT = Hypothesis("short", r"hL\le1", lambda w: 1 - w.h * w.L, where="here")
BETWEEN = Hypothesis("m below L", r"m\le L", lambda w: w.L - w.m, where="here")


@own.true("(1-hm)^2 <= 1 - hm where 0 <= hm <= 1.")
@statement(
    "own.given.rate",
    where="here",
    family=SMALL,
    given=[SHORT, BETWEEN],
    latex=r"(1-hm)^2s+h^2\le(1-hm)s+h^2",
)
def rate(w):
    kept = 1 - w.h * w.m
    return {"kept": kept**2 * w.s, "noise": w.h**2}, {"once": kept * w.s, "noise": w.h**2}


@own.false("Without m <= L: h m = 3 has 4 > -2, with L = 1, h = 1, m = 3, s = 1.")
@rate.like("own.given.rate_without", given=[SHORT], latex=r"(1-hm)^2s+h^2\le(1-hm)s+h^2,\ hL\le1")
def rate_without(w):
    return rate(w)
