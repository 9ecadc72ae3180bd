"""False in a window of several numbers at once, flat around it."""

from bounds import generic as xp
from tests.qa.own.record import FALSE, TRUE, Table
from verify import Real, numbers, statement

own = Table("windows")

SQUARE = numbers({"x": Real(0, 1, domain=(0, 1)), "y": Real(0, 1, domain=(0, 1))})
Q = xp.divide


def within(w, name, low, high):
    value = getattr(w, name)
    return xp.indicator(value > low, value) * xp.indicator(value < high, value)


@own.false("For 0.37 < x < 0.38 and 0.61 < y < 0.62: 1 > 0.")
@statement(
    "own.windows.two", where="here", family=SQUARE, latex=r"1\{.37<x<.38\}1\{.61<y<.62\}\le0"
)
def two(w):
    both = within(w, "x", Q(37, 100), Q(38, 100)) * within(w, "y", Q(61, 100), Q(62, 100))
    return {"both": both}, {"nothing": 0 * w.x}


@own.true("The windows for x do not meet.")
@two.like("own.windows.apart", latex=r"1\{.37<x<.38\}1\{.61<x<.62\}\le y/10^6")
def apart(w):
    both = within(w, "x", Q(37, 100), Q(38, 100)) * within(w, "x", Q(61, 100), Q(62, 100))
    return {"both": both}, {"little": w.y / 1000000}


@own.false("At x = 0.375, y = 0: 1 > 3/4.")
@two.like("own.windows.step", latex=r"1\{.37<x<.38\}\le\tfrac34+y")
def step(w):
    return {"inside": within(w, "x", Q(37, 100), Q(38, 100))}, {"three": Q(3, 4) + w.y}


@own.true("An indicator is at most 1.")
@two.like("own.windows.step_true", latex=r"1\{.37<x<.38\}\le1+y")
def step_true(w):
    return {"inside": within(w, "x", Q(37, 100), Q(38, 100))}, {"one": 1 + w.y}


@own.false("Where |x - 0.37| < 0.01 alone the step is too long: at x = 0.37, y = 1: 1.1 > 1.")
@two.like("own.windows.jump", latex=r"y+\tfrac1{10}1\{|x-.37|<.01\}\le1")
def jump(w):
    near = xp.indicator(xp.absolute(w.x - Q(37, 100)) < Q(1, 100), w.x)
    return {"y": w.y, "jump": near / 10}, {"one": 1 + 0 * w.x}


@own.false("For x in the window the bound is 2 x^2, not 3 x^2, and y = 1: at x = 0.375.")
@two.like("own.windows.branch", latex=r"\tfrac52x^2y\le\{2\text{ or }3\}x^2")
def branch(w):
    inside = within(w, "x", Q(37, 100), Q(38, 100))
    return {"five": 5 * w.x**2 * w.y / 2}, {"branch": (3 - inside) * w.x**2}


@own.true("2 x^2 y <= 2 x^2 <= the branch.")
@two.like("own.windows.branch_true", latex=r"2x^2y\le\{2\text{ or }3\}x^2")
def branch_true(w):
    inside = within(w, "x", Q(37, 100), Q(38, 100))
    return {"two": 2 * w.x**2 * w.y}, {"branch": (3 - inside) * w.x**2}


own.line(
    "digits", FALSE, "floor(10*x) + floor(10*y) <= 17 for x, y in [0, 1)", "At x = y = 0.95: 18."
)
own.line(
    "digits_true", TRUE, "floor(10*x) + floor(10*y) <= 18 for x, y in [0, 1)", "Each is at most 9."
)
own.line(
    "comb",
    FALSE,
    "floor(1000*x) - 1000*x + 999/1000 + y >= 0 for x, y in [0, 1]",
    "At x = 0.4159995, y = 0: -0.9995 + 0.999.",
)
own.line(
    "comb_true",
    TRUE,
    "floor(1000*x) - 1000*x + 1 + y >= 0 for x, y in [0, 1]",
    "x - floor(x) <= 1.",
)
own.line(
    "edges",
    FALSE,
    "max(x + y - 1999/1000, 0) <= z/1000 for x, y, z in [0, 1]",
    "At x = y = 1, z = 0: 1/1000.",
)
own.line(
    "edges_of_four",
    FALSE,
    "max(x + y + u + v - 3999/1000, 0) <= (1 - x*y)*(1 - u*v) for x, y, u, v in [0, 1]",
    "At ones: 1/1000 > 0.",
)
own.line(
    "edges_true",
    TRUE,
    "max(x + y - 1, 0) <= x*y for x, y in [0, 1]",
    "(1 - x)(1 - y) is not negative.",
)
own.line(
    "many_given",
    FALSE,
    "a <= 99/100*b for a, b, c, d in [0, 1] given a <= c, c <= d, d <= b, b <= a",
    "All equal and positive.",
)
own.line(
    "many_given_true",
    TRUE,
    "a <= b for a, b, c, d in [0, 1] given a <= c, c <= d, d <= b",
    "A chain.",
)
own.line(
    "two_means",
    FALSE,
    "max_i(x[i])**2 <= 5*sum_i p[i]*x[i]**2 for p >= 0, real x given sum_i p[i] == 1",
    "p = (0, 1), x = (1, 0).",
)
own.line(
    "two_equations",
    FALSE,
    "x**2 + y**2 <= 48/100 for x, y >= 0 given x + y == 7/10",
    "At x = 0.7, y = 0: 0.49.",
)
