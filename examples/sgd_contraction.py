"""SGD contracts up to its noise: strongly convex and PL losses, any number of rounds: proved."""

from bounds import generic as xp
from verify import Real, functions, statement, visited

STEP = {"share": Real(1 / 16, 1, domain=(0, 1))}
FAMILY = {"rounds": (1, 2), "noise": True, "extra": STEP}
RULE = {"step_size": lambda w: w.share / w.beta}


@statement(
    "sgd.distance",
    where="Needell, Ward and Srebro 2014",
    over="mean",
    latex=r"E\|x_T-x_*\|^2\le(1-\eta\mu)^T\|x_0-x_*\|^2+\eta\sigma^2/\mu",
    family=functions("smooth strongly convex", **FAMILY),
    defines=RULE,
)
def distance(w):
    away = xp.squared_norm(visited(w).points - w.problem.optimum[..., :1, :])
    kept, noise = 1 - w.step_size * w.mu, w.step_size * w.sigma[..., 0] ** 2 / w.mu
    return {"last": away[..., -1]}, {"start": kept**w.rounds * away[..., 0], "noise": noise}


@distance.like(
    "sgd.pl",
    where="Karimi, Nutini and Schmidt 2016",
    latex=r"E f(x_T)-f_*\le(1-\eta\mu)^T(f(x_0)-f_*)+\eta L\sigma^2/(2\mu)",
    family=functions("smooth PL", **FAMILY),
)
def value(w):
    gap, kept = visited(w).excess[..., 0], 1 - w.step_size * w.mu
    noise = w.step_size * w.beta * w.sigma[..., 0] ** 2 / (2 * w.mu)
    return {"last": gap[..., -1]}, {"start": kept**w.rounds * gap[..., 0], "noise": noise}
