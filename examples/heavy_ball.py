"""Heavy ball: the mean of its iterates keeps its bound; two rounds may lose to gradient descent.

Ghadimi, Feyzmahdavian, Johansson 2015, Global convergence of the heavy-ball method, Theorem 1.
"""

from bounds import generic as xp
from verify import Real, functions, statement, walked

BALL = functions("smooth convex", rounds=(1, 2), extra={"b": Real(0, 7 / 8, domain=(0, 1))})


def ball(w):
    def step(w, x, g):
        a = ((1 - w.b) / w.beta)[..., None]
        return x[-1] - a * g[-1][..., 0, :] + (w.b[..., None] * (x[-1] - x[-2]) if x[1:] else 0)

    return walked(w, step), w.beta * xp.squared_norm(w.start - w.problem.optimum[..., 0, :])


RATE = r"\frac{L\|x_0-x_*\|^2}{2(T+1)(1-\beta)}"


@statement("ball.mean", where="Theorem 1", family=BALL, latex=rf"f(\bar x_T)-f_*\le{RATE}")
def mean(w):
    seen, away = ball(w)
    average = w.problem.excess(xp.mean(seen.points, -2))[..., 0]
    return {"excess": average}, {"bound": away / (2 * (w.rounds + 1) * (1 - w.b))}


@mean.like("ball.last", where="folklore", latex=r"f(x_T)-f_*\le\frac{L\|x_0-x_*\|^2}{4T+2}")
def last(w):
    seen, away = ball(w)
    return {"excess": seen.excess[..., -1, 0]}, {"bound": away / (4 * w.rounds + 2)}
