"""The subgradient method on G|x|: the best iterate keeps its bound, the last one does not."""

from bounds import generic as xp
from verify import Real, numbers, statement

BOX = {"G": Real(1 / 8, 8, log=True), "R": Real(1 / 8, 8, log=True), "h": Real(1 / 8, 8, log=True)}


@statement(
    "subgradient.best",
    where="textbook",
    latex=r"\min_{t<T}f(x_t)-f_*\le\frac{R^2+Th^2G^2}{2Th}",
    family=numbers(BOX, {"T": 1}, {"T": 2}, {"T": 4}, about="f = G|x|, x_0 = R"),
)
def best(w):
    x, seen = w.R, []
    for _ in range(w.T):
        seen.append(w.G * xp.absolute(x))
        x = x - w.h * w.G * (xp.indicator(x > 0, x) - xp.indicator(x < 0, x))
    bound = {"start": w.R**2 / (2 * w.T * w.h), "steps": w.h * w.G**2 / 2}
    return {"best": xp.smallest(xp.stack(seen, -1))}, bound


@best.like("subgradient.last", latex=r"f(x_T)-f_*\le\frac{R^2+Th^2G^2}{2Th}")
def last(w):
    x = w.R
    for _ in range(w.T):
        x = x - w.h * w.G * (xp.indicator(x > 0, x) - xp.indicator(x < 0, x))
    return {"last": w.G * xp.absolute(x)}, best(w)[1]
