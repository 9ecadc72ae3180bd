"""Second encodings of allforall: the lemmas on SGD of Appendix F."""

from __future__ import annotations

import numpy as np

from tests.qa.second_encodings.record import Second
from tests.qa.second_encodings.runs import horizons, least, quadratic_averages

# -- Lemma 4: relative strong convexity and smoothness ---------------------------------------------


def _relative(w):
    """A and the relative curvatures on the axes, L, and f(x^0) - f*."""
    one = 0 * w.mu
    top = w.mu * w.condition
    metric = np.stack([1 + one, w.ratio + one][: w.d], -1)
    curvature = np.stack([top + one, w.mu + one][: w.d], -1)
    return metric, curvature, top, (metric * curvature * w.point**2).sum(-1) / 2


def _after(w, step):
    """E f(x^T), the noise on the first axis."""
    metric, curvature, _, _ = _relative(w)
    bend = metric * curvature
    keep = (1 - step[..., None] * bend) ** 2
    noise = np.zeros(w.d)
    noise[0] = 1
    square = w.point**2
    for _ in range(w.rounds):
        square = keep * square + (step**2 * w.variance)[..., None] * noise
    return (bend * square).sum(-1) / 2


def _lemma4a(w):
    _, _, top, first = _relative(w)
    step = w.step_share / (2 * top)
    return {"E f(x^T) - f*": _after(w, step)}, {
        "start": np.exp(-step * w.mu * w.rounds) * first,
        "noise": step * top * w.variance / w.mu,
    }


def _argument(w):
    _, _, top, first = _relative(w)
    return first * w.mu**2 * w.rounds / (top * w.variance)


def _step4b(w):
    _, _, top, _ = _relative(w)
    return np.minimum(1 / (2 * top), np.log(_argument(w)) / (w.mu * w.rounds))


def _lemma4b(w):
    _, _, top, first = _relative(w)
    noise = top * w.variance / (w.mu**2 * w.rounds) * np.log(_argument(w))
    return {"E f(x^T) - f*": _after(w, _step4b(w))}, {
        "start": np.exp(-w.mu / (2 * top) * w.rounds) * first,
        "noise": noise,
    }


def _step4c(w):
    return np.minimum(w.precision / (2 * w.variance), 1 / (2 * w.mu))  # L = mu


def _start4c(w):
    """x^0, by which ln(f_0/eps)/(eta mu) lacks the fraction of the number that the world names."""
    logarithm = _step4c(w) * w.mu * (w.rounds - w.fraction)
    return np.sqrt(2 * w.precision * np.exp(logarithm) / w.mu)


def _lemma4c(w):
    if w.has("every_outcome"):
        ends = _one_sided(w.mu, w.start, w.variance, _step4c(w), w.rounds)
        return {"f(mean) - f*": w.mu[..., None] * ends**2 / 2}, {"eps": w.precision[..., None]}
    _, square = quadratic_averages(w.mu, w.start, w.variance, _step4c(w), w.rounds)
    return {"E f(mean) - f*": w.mu * square / 2}, {"eps": w.precision}


def _number4c(w):
    most = np.maximum(2 * w.variance / (w.precision * w.mu), 2)  # L = mu
    first = w.mu * w.start**2 / 2
    return {"T": w.rounds + 0 * most}, {"printed": most * np.log(first / w.precision)}


def _one_sided(curvature, start, variance, step, rounds, skew=1.0):
    """Means of x^0 .. x^{T-1} where all noises push one way, the largest on both sides.

    They are +-sigma, or sigma s, rarely, and -sigma/s.
    """
    means = []
    for noise in (-np.sqrt(variance) * skew, np.sqrt(variance) / skew):
        point, summed = start, 0 * start
        for _ in range(rounds):
            summed, point = summed + point, point - step * (curvature * point + noise)
        means.append(summed / rounds)
    return np.stack(means, -1)


# -- Lemma 5: convex and smooth --------------------------------------------------------------------


def _bent(w, step, rounds):
    """f(x^T) and f(mean of x^0 .. x^{T-1}) on every outcome of noises +-sigma, (.., outcomes)."""
    point, edge = w.start[..., None], w.edge[..., None]
    bend, summed = (w.curvature * w.smoothness)[..., None], 0 * w.start[..., None]
    push, move = (step * np.sqrt(w.variance))[..., None], step[..., None]
    for _ in range(rounds):
        summed = summed + point
        point = point - move * bend * np.clip(point, -edge, edge)
        point = np.concatenate([point - push, point + push], -1)
        summed = np.concatenate([summed, summed], -1)

    def value(x):
        near = np.minimum(np.abs(x), edge)
        return bend * (near * np.abs(x) - near**2 / 2)

    return value(point), value(summed / rounds)


def _values5(w, step, rounds):
    """E f(x^T) and E f(mean)."""
    if w.has("edge"):  # the parabola goes on straight beyond it
        return tuple(found.mean(-1) for found in _bent(w, step, rounds))
    bend = w.curvature * w.smoothness
    squares = quadratic_averages(bend, w.start, w.variance, step, rounds)
    return tuple(bend * square / 2 for square in squares)


def _worst5(w, step, rounds):
    """The largest f(mean) of all outcomes."""
    if w.has("edge"):
        return _bent(w, step, rounds)[1].max(-1)
    bend, skew = w.curvature * w.smoothness, w.skew if w.has("skew") else 1.0
    ends = _one_sided(bend, w.start, w.variance, step, rounds, skew)
    return (bend[..., None] * ends**2 / 2).max(-1)


def _lemma5a(w):
    step = w.step_share / (2 * w.smoothness)
    return {"E f(mean) - f*": _values5(w, step, w.rounds)[1]}, {
        "start": w.start**2 / (step * w.rounds),
        "noise": step * w.variance,
    }


def _any5a(w):
    path, step = w.run().theta, w.step_share / (2 * w.beta)
    middle = sum(path[:, :, t] for t in range(w.rounds)) / w.rounds
    away = ((w.start - w.problem.optimum[..., 0, :]) ** 2).sum(-1)
    return {"E f(mean) - f*": w.problem.losses(middle)[..., 0]}, {
        "start": away / (step * w.rounds),
        "noise": step * w.sigma[..., 0] ** 2,
    }


def _step5b(w, rounds):
    return np.minimum(1 / (2 * w.smoothness), w.start / np.sqrt(w.variance * rounds))


def _lemma5b(w):
    return {"E f(x^T) - f*": _values5(w, _step5b(w, w.rounds), w.rounds)[0]}, {
        "noise": 2 * w.start * np.sqrt(w.variance / w.rounds),
        "start": 2 * w.smoothness * w.start**2 / w.rounds,
    }


def _lemma5c(w):
    found = []
    for rounds in horizons(w):
        step = _step5b(w, rounds)
        every = w.has("every_outcome")
        found.append(_worst5(w, step, rounds) if every else _values5(w, step, rounds)[1])
    return {"f(mean) - f*": least(found)}, {"eps": w.precision}


SIZES5 = {  # by which 4 |x^0 - x*|^2 (4 s^2/eps^2 + L/eps) is the number that the world names
    "variance": lambda w: w.part * (w.rounds + w.fraction) * w.precision**2 / (16 * w.start**2),
    "smoothness": lambda w: (1 - w.part) * (w.rounds + w.fraction) * w.precision / (4 * w.start**2),
}


# -- Lemma 6: convex, bounded gradients ------------------------------------------------------------


def _every_run(w, step):
    """f(mean of x^0 .. x^{T-1}) on every outcome (.., outcomes); 0 where it has no chance."""
    slope = (w.slope_share * w.size)[..., None]
    point = w.distance[..., None]
    chance, summed = 1 + 0 * point, 0 * point
    for _ in range(w.rounds):
        summed = summed + point
        mean = w.slope_share[..., None] * np.sign(point)
        chance = np.concatenate([chance * (1 + mean) / 2, chance * (1 - mean) / 2], -1)
        move = (step * w.size)[..., None]
        point = np.concatenate([point - move, point + move], -1)
        summed = np.concatenate([summed, summed], -1)
    return np.where(chance > 0, slope * np.abs(summed) / w.rounds, 0)


def _lemma6a(w):
    step = np.sqrt(2 * w.distance**2 / (w.size**2 * w.rounds))
    bound = np.sqrt(2 / w.rounds) * w.size * w.distance
    return {"f(mean) - f*": _every_run(w, step)}, {"bound": bound[..., None]}


def _lemma6b(w):
    step = np.sqrt(2) * w.precision / w.size**2
    return {"f(mean) - f*": _every_run(w, step)}, {"eps": w.precision[..., None]}


def _precision6b(w):
    """eps, by which 2 B^2 D^2/eps^2 lacks the fraction of the number that the world names."""
    return w.size * w.distance * np.sqrt(2 / (w.rounds - w.fraction))


# what each lemma assumes of f and of the noise
RELATIVE = {
    "L_A at most 1": lambda w: 1 - w.ratio,
    "mu <= L": lambda w: w.condition - 1,
}
SMOOTH = {"convex": lambda w: w.curvature, "L-smooth": lambda w: 1 - w.curvature}
BOUNDED = {"convex": lambda w: w.slope_share, "E|g|^2 <= B^2": lambda w: 1 - w.slope_share}
SHORT = {"eta above 0": lambda w: w.step_share, "eta <= 1/(2L)": lambda w: 1 - w.step_share}

EXPECTATION = "Printed without expectation; "
SGD = {
    "allforall.lemma4a": Second(
        _lemma4a,
        {**RELATIVE, **SHORT},
        frozenset(["eta above 0"]),
        words="E f(x^T) - f* <= exp(-eta mu T) f_0 + eta L s^2/mu for 0 < eta <= 1/(2L), L_A <= 1.",
    ),
    "allforall.lemma4b": Second(
        _lemma4b,
        {**RELATIVE, "eta above 0": _step4b},
        frozenset(["eta above 0"]),
        words="eta = min(1/(2L), ln(f_0 mu^2 T/(L s^2))/(mu T)): E f(x^T) - f* <= "
        "exp(-mu T/(2L)) f_0 + L s^2/(mu^2 T) ln(f_0 mu^2 T/(L s^2)).",
        open_places="'1/(2L) >= eta > 0' is printed for the lemma: eta > 0 is a hypothesis here.",
    ),
    "allforall.lemma4c/gap": Second(
        _lemma4c,
        defines={"start": _start4c},
        words="eta = min(mu eps/(2 L s^2), 1/(2L)), T = ceil(ln(f_0/eps)/(eta mu)): "
        "f(mean of x^t, t < T) - f* <= eps.",
        open_places=EXPECTATION + "the expectation is taken (other: every outcome).",
    ),
    "allforall.lemma4c/number": Second(
        _number4c,
        defines={"start": _start4c},
        words="T <= max(2 L s^2/(eps mu^2), 2 L/mu) ln(f_0/eps), T rounded up as in /gap.",
        open_places="Written after the first encoding had been seen.",
    ),
    "allforall.lemma5a": Second(
        _lemma5a,
        {**SMOOTH, **SHORT},
        frozenset(["eta above 0"]),
        words="E f(mean) - f* <= |x^0 - x*|^2/(eta T) + eta s^2 for 0 < eta <= 1/(2L).",
    ),
    "allforall.lemma5a/class": Second(
        _any5a,
        over="mean",
        defines={"step_size": lambda w: w.step_share / (2 * w.beta)},
        words="E f(mean) - f* <= |x^0 - x*|^2/(eta T) + eta s^2 for 0 < eta <= 1/(2L), f convex.",
        open_places="Written after the first encoding had been seen. Each minimum is 0.",
    ),
    "allforall.lemma5b": Second(
        _lemma5b,
        SMOOTH,
        words="eta = min(1/(2L), |x^0 - x*|/(s sqrt T)): E f(x^T) - f* <= 2 |x^0 - x*| s/sqrt T + "
        "2 L |x^0 - x*|^2/T; the last iterate is printed.",
    ),
    "allforall.lemma5c": Second(
        _lemma5c,
        SMOOTH,
        defines=SIZES5,
        words="f(mean of x^t, t < T) - f* <= eps with T <= 4 |x^0 - x*|^2 (4 s^2/eps^2 + L/eps).",
        open_places=EXPECTATION + "the expectation is taken. No step is printed: that of 5b. T is "
        "the largest integer within the printed number.",
    ),
    "allforall.lemma6a": Second(
        _lemma6a,
        BOUNDED,
        words="eta = sqrt(2 D^2/(B^2 T)): f(mean of x^t, t < T) - f* <= sqrt(2/T) B D.",
        open_places="Printed without expectation: taken on every outcome that has a chance (other: "
        "in expectation). X is the line, so the projection does nothing.",
    ),
    "allforall.lemma6b": Second(
        _lemma6b,
        BOUNDED,
        defines={"precision": _precision6b},
        words="T = ceil(2 B^2 D^2/eps^2), eta = sqrt 2 eps/B^2: f(mean) - f* <= eps.",
        open_places="As for 6a.",
    ),
}
