"""SGD over any number of rounds, any loss of the class and any noise: proved, and a false twin."""

from bounds import generic as xp
from verify import Real, functions, statement, visited

STEP = {"share": Real(1 / 16, 1, domain=(0, 1))}
RULE = {"step_size": lambda w: w.share / w.beta}


@statement(
    "sgd.flat",
    where="Ghadimi and Lan 2013",
    over="mean",
    latex=r"\tfrac1T\sum_t E\|\nabla f(x_t)\|^2 \le 2(f_0-f_*)/(\eta T) + L\eta\sigma^2",
    family=functions("smooth", rounds=(1, 2, 3), noise=True, extra=STEP),
    defines=RULE,
)
def flat(w):
    seen = visited(w)
    slopes = xp.squared_norm(seen.gradients[..., :-1, 0, :]).sum(-1) / w.rounds
    start = 2 * seen.excess[..., 0, 0] / (w.step_size * w.rounds)
    return {"slopes": slopes}, {"start": start, "noise": w.beta * w.step_size * w.sigma2[..., 0]}


@flat.like("sgd.noiseless", latex=r"\ldots \le 2(f_0-f_*)/(\eta T)")
def noiseless(w):
    left, right = flat(w)
    return left, {"start": right["start"]}
