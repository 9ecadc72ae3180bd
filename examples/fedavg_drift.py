"""FedAvg with one local step and unlike clients: all of their gradients, any N and T: proved."""

from bounds import generic as xp
from verify import Real, functions, statement, visited

STEP = {"share": Real(1 / 16, 1, domain=(0, 1))}
SIZES = {"clients": (1, 2), "rounds": (1, 2), "method": "fedavg"}


@statement(
    "fedavg.clients",
    where="Ajalloeian and Stich 2020, biased gradients",
    over="mean",
    latex=r"\tfrac1{NT}\sum_{t,k}E\|\nabla f_k\|^2\le2\bar f(x_0)/(\eta T)"
    r"+\tfrac1{NT}\sum_{t,k}E\|\nabla f_k-\nabla\bar f\|^2+L\eta\sigma^2/N",
    family=functions("smooth", **SIZES, noise=True, extra=STEP),
    defines={"step_size": lambda w: w.share / w.beta},
)
def clients(w):
    seen = visited(w)
    slopes = seen.gradients[..., :-1, :, :]
    apart = xp.squared_norm(slopes - xp.mean(slopes, -2)[..., None, :])
    start = 2 * xp.mean(seen.values[..., 0, :]) / (w.step_size * w.rounds)
    noise = w.beta * w.step_size * xp.mean(w.sigma2) / w.problem.clients
    spread = xp.mean(apart).sum(-1) / w.rounds
    left = xp.mean(xp.squared_norm(slopes)).sum(-1) / w.rounds
    return {"slopes": left}, {"start": start, "spread": spread, "noise": noise}
