"""SGD with a constant step on strongly convex quadratics: this floor is tight, half of it falls."""

from bounds import generic as xp
from verify import Hypothesis, Real, quadratics, statement

SIZES = tuple({"N": 1, "d": d, "rounds": t, "method": "local"} for d, t in ((1, 1), (1, 3), (2, 2)))
STEP = {"step_size": Real(1 / 64, 1, unit=(-1, 2), log=True)}


@statement(
    "sgd.floor",
    where="textbook",
    over="mean",
    family=quadratics(SIZES, STEP),
    latex=r"E\|x_T-x_*\|^2 \le (1-\eta\mu)^{2T}\|x_0-x_*\|^2 + \frac{\eta\sigma^2}{\mu(2-\eta\mu)}",
    given=[
        Hypothesis("short step", r"\eta\le 1/L", lambda w: 1 - w.step_size * w.beta, "textbook"),
        Hypothesis("mu > 0", r"\mu > 0", lambda w: w.mu, "textbook", strict=True),
    ],
)
def floor(w):
    optimum, share = w.problem.optimum[..., 0, :], w.step_size * w.mu
    start = (1 - share) ** (2 * w.rounds) * xp.squared_norm(w.start - optimum)
    noise = w.step_size * w.sigma2[..., 0] / (w.mu * (2 - share))
    error = xp.squared_norm(w.run().theta[..., -1, :] - optimum)
    return {"error": error}, {"start": start, "floor": noise}


@floor.like("sgd.half", latex=r"\ldots + \frac{\eta\sigma^2}{2\mu(2-\eta\mu)}")
def half(w):
    left, right = floor(w)
    return left, {"start": right["start"], "floor": 0.5 * right["floor"]}
