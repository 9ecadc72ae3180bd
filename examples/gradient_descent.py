"""Gradient descent with step 1/L on smooth convex functions: L/(4N + 2) is the exact worst case."""

from bounds import generic as xp
from verify import functions, statement, visited


@statement(
    "gd.drori_teboulle",
    where="Drori and Teboulle 2014, Theorem 3.1",
    latex=r"f(x_N)-f_* \le \frac{L\|x_0-x_*\|^2}{4N+2}",
    family=functions("smooth convex", rounds=(1, 2, 3)),
    defines={"step_size": lambda w: 1 / w.beta},
)
def exact(w):
    away = xp.squared_norm(w.start - w.problem.optimum[..., 0, :])
    return {"excess": visited(w).excess[..., -1, 0]}, {"bound": w.beta * away / (4 * w.rounds + 2)}


@exact.like("gd.too_good", latex=r"f(x_N)-f_* \le \frac{L\|x_0-x_*\|^2}{4N+3}")
def too_good(w):
    away = xp.squared_norm(w.start - w.problem.optimum[..., 0, :])
    return {"excess": visited(w).excess[..., -1, 0]}, {"bound": w.beta * away / (4 * w.rounds + 3)}
