"""False for many clients, dimensions or rounds alone."""

from bounds import generic as xp
from tests.qa.own.record import FALSE, TRUE, Table
from verify import Real, functions, numbers, statement, visited

own = Table("large")

own.line("seventeen", FALSE, "norm1(x) <= 4*norm(x) for vectors x", "Seventeen ones: 17 > 16.49.")
own.line("dimension", TRUE, "norm1(x)**2 <= d*norm(x)**2 for vectors x", "Cauchy-Schwarz.")
own.line("forty", FALSE, "max_i x[i] <= 39*mean_i x[i] for x >= 0", "One of forty: 1 > 39/40.")
own.line("any", TRUE, "max_i x[i] <= N*mean_i x[i] for x >= 0", "One of N is at most the sum.")
own.line("fifty", FALSE, "sum_i x[i] <= 7*sqrt(sum_i x[i]**2) for x >= 0", "Fifty ones: 50 > 49.5.")
own.line(
    "shares",
    FALSE,
    "sum_i p[i]**2 >= 1/40 for p >= 0 given sum_i p[i] == 1",
    "Forty-one equal shares: 1/41.",
)
own.line(
    "shares_true", TRUE, "sum_i p[i]**2 >= 1/N for p >= 0 given sum_i p[i] == 1", "Cauchy-Schwarz."
)
own.line(
    "gap",
    FALSE,
    "max_i x[i] - mean_i x[i] <= 98/100*max_i x[i] for x >= 0",
    "One of 51: 50/51 > 0.98.",
)
own.line(
    "gap_true",
    TRUE,
    "max_i x[i] - mean_i x[i] <= (1 - 1/N)*max_i x[i] for x >= 0",
    "The mean is at least max/N.",
)
own.line(
    "deviation",
    FALSE,
    "(max_i x[i] - mean_i x[i])**2 <= 40*mean_i (x[i] - mean_j x[j])**2 for real x",
    "One of N: the ratio is N - 1, so N = 42.",
)
own.line(
    "deviation_true",
    TRUE,
    "(max_i x[i] - mean_i x[i])**2 <= N*mean_i (x[i] - mean_j x[j])**2 for real x",
    "One of N squares is at most their sum.",
)
own.line(
    "norms", FALSE, "norm(x)**2 <= 20*norminf(x)**2 for vectors x", "Twenty-one ones: 21 > 20."
)
own.line("infinity", TRUE, "norminf(x) <= norm(x) for vectors x", "One square of a sum of squares.")
own.line(
    "products",
    FALSE,
    "sum_i x[i]*y[i] <= 30*mean_i x[i]*max_j y[j] for x, y >= 0",
    "Ones of 31 clients: 31 > 30.",
)
own.line(
    "union",
    FALSE,
    "1 - (1 - p)**n <= 25*p for p in [0, 1], integer n in [1, 60]",
    "At n = 60, p = 1/100: 0.453 > 0.25.",
)
own.line(
    "union_true",
    TRUE,
    "1 - (1 - p)**n <= n*p for p in [0, 1], integer n in [1, 60]",
    "Bernoulli's inequality.",
)
own.line(
    "harmonic",
    FALSE,
    r"\sum_{k=1}^n 1/k <= 9/2 for integer n in [1, 60]",
    "The 50th sum is 4.4992, the 51st 4.5188.",
)
own.line(
    "harmonic_true",
    TRUE,
    r"\sum_{k=1}^n 1/k <= 1 + log(n) for integer n in [1, 60]",
    "1/k is at most the integral of 1/x before k.",
)

CLIENTS = numbers({"x": Real(-2, 2, per=("N",))}, {"N": 2}, {"N": 3})
PAIRS = numbers({"x": Real(-2, 2, per=("N", "d"))}, {"N": 2, "d": 1}, {"N": 3, "d": 2})


@own.false("x = (1, -1, 1, ...) of 46 clients: sum |x| = 46 > 45 sqrt(mean x^2).")
@statement(
    "own.large.absolute", where="here", latex=r"\sum|x_i|\le45\sqrt{\overline{x^2}}", family=CLIENTS
)
def absolute(w):
    return {"sum": xp.total(xp.absolute(w.x))}, {"root": 45 * xp.sqrt(xp.mean(w.x**2))}


@own.true("Cauchy-Schwarz: sum |x| <= sqrt(N sum x^2) = N sqrt(mean x^2).")
@absolute.like("own.large.absolute_true", latex=r"\sum|x_i|\le N\sqrt{\overline{x^2}}")
def absolute_true(w):
    return {"sum": xp.total(xp.absolute(w.x))}, {"root": w.x.shape[-1] * xp.sqrt(xp.mean(w.x**2))}


@own.false("N = 18 equal ones in one dimension: |sum|^2 = 324 > 17*18.")
@statement("own.large.vectors", where="here", latex=r"|\sum x_i|^2\le17\sum|x_i|^2", family=PAIRS)
def vectors(w):
    whole = xp.squared_norm(w.x.sum(-2))
    return {"whole": whole}, {"parts": 17 * xp.total(xp.squared_norm(w.x))}


@own.true("Cauchy-Schwarz.")
@vectors.like("own.large.vectors_true", latex=r"|\sum x_i|^2\le N\sum|x_i|^2")
def vectors_true(w):
    whole = xp.squared_norm(w.x.sum(-2))
    return {"whole": whole}, {"parts": w.x.shape[-2] * xp.total(xp.squared_norm(w.x))}


HORIZON = functions("smooth convex", rounds=(1, 2, 3))
FULL = {"step_size": lambda w: 1 / w.beta}


@own.false("The worst case is L R^2/(4T + 2), and 4T + 2 < T^2/2 + 4 from T = 8 on.")
@statement(
    "own.large.horizon",
    where="here",
    defines=FULL,
    family=HORIZON,
    latex=r"f(x_T)-f_*\le LR^2/(T^2/2+4)",
)
def horizon(w):
    away = w.beta * xp.squared_norm(w.start - w.problem.optimum[..., 0, :])
    return {"excess": visited(w).excess[..., -1, 0]}, {"bound": away / (w.rounds**2 / 2 + 4)}


@own.true("The worst case is L R^2/(4T + 2).")
@horizon.like("own.large.horizon_true", latex=r"f(x_T)-f_*\le LR^2/(4T+2)")
def horizon_true(w):
    away = w.beta * xp.squared_norm(w.start - w.problem.optimum[..., 0, :])
    return {"excess": visited(w).excess[..., -1, 0]}, {"bound": away / (4 * w.rounds + 2)}
