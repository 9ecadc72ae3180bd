"""FedAvg with one local step: N clients divide the noise by N, in any number of rounds."""

from bounds import generic as xp
from verify import Real, functions, statement, visited

STEP = {"share": Real(1 / 16, 1, domain=(0, 1))}
SIZES = {"clients": (1, 2), "rounds": (1, 2), "method": "fedavg"}
BOUND = r"\tfrac1T\sum_t E\|\nabla f(x_t)\|^2\le 2f(x_0)/(\eta T)+L\eta\sigma^2"


@statement(
    "parallel.speedup",
    where="Dekel, Gilad-Bachrach, Shamir and Xiao 2012",
    over="mean",
    latex=BOUND + "/N",
    family=functions("smooth", **SIZES, noise=True, extra=STEP),
    defines={"step_size": lambda w: w.share / w.beta},
)
def speedup(w):
    seen = visited(w)
    slopes = xp.squared_norm(xp.mean(seen.gradients[..., :-1, :, :], -2)).sum(-1) / w.rounds
    start = 2 * xp.mean(seen.values[..., 0, :]) / (w.step_size * w.rounds)
    noise = w.beta * w.step_size * xp.mean(w.sigma2) / w.problem.clients
    return {"slopes": slopes}, {"start": start, "noise": noise}
