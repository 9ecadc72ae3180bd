"""Quantifiers: one for all, for each its own, some, and exchanges of both."""

from bounds import generic as xp
from tests.qa.own.record import FALSE, TRUE, Table
from verify import Real, numbers, statement

own = Table("quantified")

own.line(
    "own_step", TRUE, "(1 - x/(2*x))**2 <= 1/2 for x > 0", "The step 1/(2x) is chosen for x: 1/4."
)
own.line(
    "one_step",
    FALSE,
    "(1 - x/2)**2 <= 1 for x > 0",
    "One step 1/2 for every x: at x = 5 it is 9/4.",
)
own.line("one_step_ranged", TRUE, "(1 - x/8)**2 <= 1 for x in [0, 16]", "|1 - x/8| <= 1.")
own.line("one_n", FALSE, "x**64 <= 1/2 for x in [0, 1)", "At x = 0.99: 0.5256.")
own.line(
    "own_n",
    TRUE,
    "x**(2*n) <= 1/(2*c) given (1 - x)*n >= c for x in [0, 1], integer n in [1, 8], c > 0",
    "x^(2n) <= exp(-2n(1-x)) <= exp(-2c) <= 1/(2c).",
)
own.line(
    "max_min",
    TRUE,
    "max_i min_j (a[i]*b[j]) <= min_j max_i (a[i]*b[j]) for real a, b",
    "Weak duality.",
)
own.line(
    "mean_of_max",
    FALSE,
    "mean_i max(x[i], 0) <= max(mean_i x[i], 0) for real x",
    "At x = (1, -1): 1/2 > 0.",
)
own.line(
    "mean_of_max_true", TRUE, "max(mean_i x[i], 0) <= mean_i max(x[i], 0) for real x", "Jensen."
)
own.line(
    "order_of_sizes",
    FALSE,
    "(sum_i x[i])**2 <= sum_i x[i]**2",
    "For each N there is a constant; for all there is none.",
    relation="<~",
)
own.line(
    "order_true", TRUE, "(mean_i x[i])**2 <= mean_i x[i]**2", "With the constant 1.", relation="<~"
)
own.line(
    "order_far",
    FALSE,
    "x**2*y <= x**2 + y**2 for x, y >= 0",
    "At x = y: x against 2.",
    relation="<~",
)
own.line("some_cube", TRUE, "x**3 >= 50*x + 100", "At x = 10: 1000 >= 600.", quantifier="some")
own.line(
    "some_none",
    FALSE,
    "x**2 + y**2 + 1 <= x + y",
    "The least of the difference is 1/2.",
    quantifier="some",
)
own.line(
    "some_root",
    TRUE,
    "(x - 1/3)*(x - 334/1000) <= 0 for x in [0, 1]",
    "At x = 1/3.",
    quantifier="some",
)
own.line(
    "some_touch",
    TRUE,
    "4*x**2 + 9*y**2 + 2 <= 4*x + 6*y",
    "At (1/2, 1/3) alone.",
    quantifier="some",
)
own.line(
    "some_no_touch",
    FALSE,
    "4*x**2 + 9*y**2 + 201/100 <= 4*x + 6*y",
    "Always 1/100 at least.",
    quantifier="some",
)
own.line(
    "some_large",
    TRUE,
    "max_i x[i] >= 20*mean_i x[i] + 1 for x >= 0",
    "One of 41, at 42: 42 >= 21.5.",
    quantifier="some",
)
own.line(
    "some_mean",
    FALSE,
    "mean_i x[i] >= max_i x[i] + 1/10 for real x",
    "A mean is at most the largest.",
    quantifier="some",
)

STEPS = numbers(
    {"l": Real(1 / 8, 8, log=True, per=("N",)), "h": Real(1 / 64, 8, log=True)}, {"N": 2}, {"N": 3}
)


@own.false("One step for two curvatures: l = (1, 4), h = 2/5 is best for both, 9/25 > 1/4.")
@statement(
    "own.quantified.for_both",
    where="here",
    quantifier="some",
    family=numbers({"h": Real(1 / 64, 8, log=True)}),
    latex=r"\exists h:\ \max((1-h)^2,(1-4h)^2)\le\tfrac14",
)
def for_both(w):
    return {"worst": xp.maximum((1 - w.h) ** 2, (1 - 4 * w.h) ** 2)}, {
        "quarter": xp.divide(1, 4) + 0 * w.h
    }


@own.true("At h = 2/5: 9/25.")
@for_both.like(
    "own.quantified.for_both_true", latex=r"\exists h:\ \max((1-h)^2,(1-4h)^2)\le\tfrac{9}{25}"
)
def for_both_true(w):
    return {"worst": xp.maximum((1 - w.h) ** 2, (1 - 4 * w.h) ** 2)}, {
        "some": xp.divide(9, 25) + 0 * w.h
    }


@own.true("Each client's own step 1/l leaves nothing: 0; written with half of it: 1/4.")
@statement(
    "own.quantified.own_each",
    where="here",
    relation="==",
    family=STEPS,
    latex=r"\tfrac1N\sum_i(1-l_i/(2l_i))^2=\tfrac14",
)
def own_each(w):
    return {"mean": xp.mean((1 - w.l / (2 * w.l)) ** 2)}, {"quarter": xp.divide(1, 4) + 0 * w.h}


@own.false("The step of the mean curvature for all: l = (1/8, 8): 0.97^2 > 1/2.")
@own_each.like(
    "own.quantified.mean_step", relation="<=", latex=r"\tfrac1N\sum_i(1-l_i/\bar l)^2\le\tfrac12"
)
def mean_step(w):
    middle = xp.mean(w.l)[..., None]
    return {"mean": xp.mean((1 - w.l / middle) ** 2)}, {"half": xp.divide(1, 2) + 0 * w.h}


@own.true("sum (1 - l_i/m)^2/N is the variance of l/m, at most N - 1.")
@own_each.like(
    "own.quantified.mean_step_true", relation="<=", latex=r"\tfrac1N\sum_i(1-l_i/\bar l)^2\le N-1"
)
def mean_step_true(w):
    middle = xp.mean(w.l)[..., None]
    return {"mean": xp.mean((1 - w.l / middle) ** 2)}, {"N-1": w.l.shape[-1] - 1 + 0 * w.h}


@own.true("The largest curvature sets the step: |1 - l_i/max| <= 1.")
@own_each.like(
    "own.quantified.largest_step",
    relation="<=",
    latex=r"\max_i(1-l_i/\max_j l_j)^2\le1-2\min_i l_i/\max_i l_i+(\min_i l_i/\max_i l_i)^2",
)
def largest_step(w):
    most, least = xp.largest(w.l), xp.smallest(w.l)
    share = least / most
    return {"worst": xp.largest((1 - w.l / most[..., None]) ** 2)}, {
        "1": 1 + share**2,
        "-share": -2 * share,
    }
