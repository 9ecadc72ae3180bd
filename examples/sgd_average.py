"""The mean of the iterates of SGD on a convex loss, without momentum: proved, and a false twin."""

from bounds import generic as xp
from verify import Real, functions, statement, visited


@statement(
    "sgd.average",
    where="Nemirovski, Juditsky, Lan and Shapiro 2009",
    over="mean",
    latex=r"E f(\bar x_T)-f_*\le\|x_0-x_*\|^2/(2\eta T(1-L\eta))+\eta\sigma^2/(2(1-L\eta))",
    family=functions(
        "smooth convex",
        rounds=(1, 2),
        noise=True,
        extra={"share": Real(1 / 16, 15 / 16, domain=(0, 1))},
    ),
    defines={"step_size": lambda w: w.share / w.beta},
)
def average(w):
    mean = visited(w).points[..., :-1, :].sum(-2) / w.rounds
    away = xp.squared_norm(w.start - w.problem.optimum[..., 0, :])
    noise, left = w.step_size * w.sigma[..., 0] ** 2, 2 * (1 - w.share)
    start = away / (w.step_size * w.rounds * left)
    return {"gap": w.problem.excess(mean)[..., 0]}, {"start": start, "noise": noise / left}


@average.like("sgd.average_noiseless", latex=r"\ldots\le\|x_0-x_*\|^2/(2\eta T(1-L\eta))")
def noiseless(w):
    left, right = average(w)
    return left, {"start": right["start"]}
