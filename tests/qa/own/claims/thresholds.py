"""Floors, ceilings, indicators, absolute values, maxima."""

from bounds import generic as xp
from tests.qa.own.record import FALSE, TRUE, Table
from verify import Real, numbers, statement

own = Table("thresholds")

own.line(
    "floors",
    TRUE,
    "floor(x) + floor(y) <= floor(x + y) for real x, y",
    "floor(x) + floor(y) is a whole number of at most x + y.",
)
own.line(
    "floors_turned",
    FALSE,
    "floor(x + y) <= floor(x) + floor(y) for real x, y",
    "At x = y = 1/2: 1 > 0.",
)
own.line(
    "hermite", TRUE, "floor(x) + floor(x + 1/2) == floor(2*x) for real x", "Hermite's identity."
)
own.line(
    "hermite_off",
    FALSE,
    "floor(x) + floor(x + 51/100) == floor(2*x) for real x",
    "At x = 0.495: 1 against 0; only within a hundredth below a half.",
)
own.line("ceiling", TRUE, "ceil(x) <= x + 1 for real x", "By definition.")
own.line("ceiling_less", FALSE, "ceil(x) <= x + 999/1000 for real x", "At x = 1/2000: 1 > 0.9995.")
own.line("rounds", TRUE, "x <= ceil(x/s)*s for x >= 0, s > 0", "ceil(u) >= u.")
own.line("rounds_down", FALSE, "x <= floor(x/s)*s + 99/100*s for x >= 0, s > 0", "At x = 0.995 s.")
own.line(
    "hlawka",
    TRUE,
    "abs(x+y) + abs(y+z) + abs(z+x) <= abs(x) + abs(y) + abs(z) + abs(x+y+z) for real x, y, z",
    "Hlawka's inequality.",
)
own.line(
    "hlawka_more",
    FALSE,
    "101/100*(abs(x+y) + abs(y+z) + abs(z+x)) <= abs(x) + abs(y) + abs(z) + abs(x+y+z)"
    " for real x, y, z",
    "At x = y = z = 1: 6.06 > 6.",
)
own.line("reverse", TRUE, "abs(abs(x) - abs(y)) <= abs(x - y)", "The triangle inequality.")
own.line("reverse_sum", FALSE, "abs(abs(x) - abs(y)) <= abs(x + y)*99/100", "At y = 0: 1 > 0.99.")
own.line(
    "clip",
    TRUE,
    "abs(min(max(x, -c), c) - min(max(y, -c), c)) <= abs(x - y) for real x, y; c >= 0",
    "Clipping does not expand.",
)
own.line(
    "clip_bias",
    FALSE,
    "abs(min(max(x, -c), c) - x) <= x**2/(5*c) for real x; c > 0",
    "At c = 1, x = 2: 1 > 4/5.",
)
own.line(
    "clip_bias_true",
    TRUE,
    "abs(min(max(x, -c), c) - x) <= x**2/(4*c) for real x; c > 0",
    "|x| - c <= x^2/(4c) is (|x| - 2c)^2 >= 0.",
)
own.line(
    "two_steps",
    FALSE,
    "max(x - 1, 0) + max(y - 1, 0) <= max(x + y - 2, 0) for real x, y",
    "At x = 2, y = 0: 1 > 0.",
)
own.line(
    "two_steps_true",
    TRUE,
    "max(x + y - 2, 0) <= max(x - 1, 0) + max(y - 1, 0) for real x, y",
    "Both parts are not negative, and at least x - 1 and y - 1.",
)

LINE = numbers({"x": Real(-4, 4), "y": Real(-4, 4)})


@own.false("At x = 2, y = -1: 1 > 0.")
@statement(
    "own.thresholds.signs",
    where="here",
    family=LINE,
    latex=r"\mathrm{sign}(x+y)\le\mathrm{sign}(x)+\mathrm{sign}(y)",
)
def signs(w):
    def sign(v):
        return xp.indicator(v > 0, v) - xp.indicator(v < 0, v)

    return {"sum": sign(w.x + w.y)}, {"x": sign(w.x), "y": sign(w.y)}


@own.true("A positive sum has a positive part.")
@signs.like("own.thresholds.positive", latex=r"1\{x+y>0\}\le1\{x>0\}+1\{y>0\}")
def positive(w):
    def up(v):
        return xp.indicator(v > 0, v)

    return {"sum": up(w.x + w.y)}, {"x": up(w.x), "y": up(w.y)}


@own.false("At x = 1, y = 0, where |x - 1| < 1/100: 1 > 1/2.")
@signs.like("own.thresholds.window", latex=r"1\{|x-1|\le10^{-2}\}\le\tfrac12+|y|")
def window(w):
    inside = xp.at_least(xp.divide(1, 100), xp.absolute(w.x - 1))
    return {"inside": xp.indicator(inside, w.x)}, {"half": xp.divide(1, 2) + xp.absolute(w.y)}


@own.false("Only where 2.99 < x < 3 and y < -3.9: 1 > 0.")
@signs.like("own.thresholds.corner", latex=r"1\{2.99<x<3\}\le1\{y>-3.9\}")
def corner(w):
    inside = xp.indicator(w.x > xp.divide(299, 100), w.x) * xp.indicator(w.x < 3, w.x)
    return {"inside": inside}, {"above": xp.indicator(w.y > -xp.divide(39, 10), w.y)}
