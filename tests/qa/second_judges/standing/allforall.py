"""Second judges of the main results of `allforall` that stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction as Q
from itertools import pairwise
from random import Random
from typing import Any

from tests.qa.second_judges.allforall.numbers import mean_path, root
from tests.qa.second_judges.standing.allforall_runs import (
    alike,
    alone,
    close,
    is_any_model,
    matrix,
    reached,
    theorem3a,
)
from tests.qa.second_judges.standing.record import Standing, between, log_between

CLOSE = Q(1, 10**12)
HALF = Q(1, 2)

# -- Lemmas 1 and 2: the functions of eq. 11 -------------------------------------------------------


def _part(sign: int, delta: Q, x: Q) -> Q:
    """A coordinate of g_alpha, times d."""
    return (HALF + sign * delta) * abs(x + HALF) + (HALF - sign * delta) * abs(x - HALF) - delta * x


def _gap(signs: list[int], delta: Q, point: list[Q]) -> Q:
    """g_alpha(x) - min g_alpha; a coordinate is piecewise linear with kinks at +-1/2."""
    parts = [
        _part(s, delta, x) - min(_part(s, delta, y) for y in (-HALF, HALF))
        for s, x in zip(signs, point, strict=True)
    ]
    return sum(parts, Q(0)) / len(parts)


def _discrepancy(one: list[int], other: list[int], delta: Q) -> Q:
    """rho(f, g) = inf_x f + g - min f - min g, coordinate by coordinate."""
    total = Q(0)
    for a, b in zip(one, other, strict=True):
        lows = [min(_part(s, delta, y) for y in (-HALF, HALF)) for s in (a, b)]
        total += min(_part(a, delta, y) + _part(b, delta, y) for y in (-HALF, HALF)) - sum(lows)
    return total / len(one)


def _point(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    d = int(sizes["d"])
    return {"point": [between(rng, -1, 1) for _ in range(d)], "delta": between(rng, 0, HALF)}


def _one_is_far(p: Any) -> tuple[Q, Q]:
    """Of two functions one is psi/3 or more above its least value at any point."""
    d, k = len(p.point), int(p.different)
    one, other = [1] * d, [-1] * k + [1] * (d - k)
    gaps = [_gap(signs, p.delta, p.point) for signs in (one, other)]
    return _discrepancy(one, other, p.delta) / 3, max(gaps)


def _answers(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    """Answers of which most are near the best point of alpha = 1, which is -1/2."""
    n = int(sizes["n"])
    near = [-HALF + between(rng, 0, Q(1, 16)) for _ in range(n - 1)]
    return {
        "answers": [*near, between(rng, -HALF, 1)],
        "mass": [Q(rng.randint(8, 16)) for _ in range(n - 1)] + [Q(rng.randint(1, 8), 8)],
        "delta": between(rng, Q(1, 64), HALF),
    }


def _chances(p: Any) -> list[tuple[Q, Q]]:
    return [(m / sum(p.mass), x) for m, x in zip(p.mass, p.answers, strict=True)]


def _near_in_mean(p: Any) -> bool:
    mean = sum(m * _gap([1], p.delta, [x]) for m, x in _chances(p))
    return p.delta > 0 and mean < _discrepancy([1], [-1], p.delta) / 9


def _test_errs(p: Any) -> tuple[Q, Q]:
    """The test takes the function that is nearer to its least value; a tie is an error."""
    wrong = [m for m, x in _chances(p) if _gap([1], p.delta, [x]) >= _gap([-1], p.delta, [x])]
    return sum(wrong, Q(0)), Q(1, 3)


# -- Lemma 3 ---------------------------------------------------------------------------------------


def _two_parabolas(rng: Random, _: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "share": between(rng, 0, 1),
        "condition": [1 + between(rng, 0, 7) for _ in range(2)],
        "mu": log_between(rng, -3, 3),
        "centre": [between(rng, -2, 2) for _ in range(2)],
        "point": between(rng, -2, 2),
    }


def _two_cones(rng: Random, _: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "share": between(rng, 0, 1),
        "centre": [between(rng, -2, 2) for _ in range(2)],
        "slope": [log_between(rng, -3, 3) for _ in range(2)],
    }


def _mixed(p: Any, losses: list[Callable[[Q], Q]], least: Q) -> tuple[Q, Q]:
    """min of the mean loss at a common model, against (1/N) sum lambda_ij b_ij."""
    row = (p.share, 1 - p.share)
    bias = sum(
        row[j] * (f(p.centre[j]) - f(p.centre[i])) for i, f in enumerate(losses) for j in (0, 1)
    )
    return least, bias / 2


def _lemma3(p: Any) -> tuple[Q, Q]:
    bends = [p.mu * c for c in p.condition]
    losses = [
        lambda x, h=h, m=m: h * (x - m) ** 2 / 2 for h, m in zip(bends, p.centre, strict=True)
    ]
    best = sum(h * m for h, m in zip(bends, p.centre, strict=True)) / sum(bends)
    return _mixed(p, losses, sum(f(best) for f in losses) / 2)


def _lemma3_cones(p: Any) -> tuple[Q, Q]:
    losses = [lambda x, s=s, m=m: s * abs(x - m) for s, m in zip(p.slope, p.centre, strict=True)]
    return _mixed(p, losses, min(sum(f(m) for f in losses) for m in p.centre) / 2)


# -- Proposition 1 ---------------------------------------------------------------------------------


def _two_laws(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    """Laws without a mean of 0, so that each has one best point."""
    n, found = int(sizes["n"]), {}
    for name in ("mass", "other"):
        masses = [Q(1), Q(1)]
        while masses[0] == masses[1]:
            masses = [log_between(rng, -6, 0) for _ in range(n)]
        found[name] = masses
    return found


def _values(p: Any) -> tuple[Q, Q]:
    """f_i(x_j^*) - f_i(x_i^*) against |x_i^* - x_j^*| times the distance of the means."""
    means = [(b - a) / (a + b) for a, b in (p.mass, p.other)]
    best = [HALF if m > 0 else -HALF for m in means]

    def loss(x: Q) -> Q:
        return abs(x + HALF) + abs(x - HALF) - means[0] * x

    apart = abs(best[0] - best[1])
    return loss(best[1]) - loss(best[0]), apart * abs(means[0] - means[1])


def _on_a_line(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    """Two laws on the same places."""
    n = int(sizes["n"])
    masses = {name: [log_between(rng, -6, 0) for _ in range(n)] for name in ("mass", "other")}
    return {**masses, "step": [log_between(rng, -3, 2) for _ in range(n)]}


def _cut_off(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    cut = {"point": between(rng, -4, 8), "clip": log_between(rng, -3, 3)}
    return {**_on_a_line(rng, sizes), **cut}


def _bent(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    bend = {"mu": log_between(rng, -3, 3), "condition": 1 + between(rng, 0, 7)}
    return {**_on_a_line(rng, sizes), **bend}


def _laws(p: Any) -> tuple[list[Q], list[list[Q]]]:
    places = [sum(p.step[: k + 1], Q(0)) for k in range(len(p.step))]
    return places, [[m / sum(mass) for m in mass] for mass in (p.mass, p.other)]


def _mean(law: list[Q], values: list[Q]) -> Q:
    return sum((m * x for m, x in zip(law, values, strict=True)), Q(0))


def _gradients(p: Any) -> tuple[Q, Q]:
    """H the 1-Lipschitz functions, of which x - xi cut off at +-c is one; d_H is the transport
    distance: on a line, mass that has to pass each gap times its length."""
    places, laws = _laws(p)
    slopes = [max(-p.clip, min(p.clip, p.point - x)) for x in places]
    apart, distance = _mean(laws[0], slopes) - _mean(laws[1], slopes), Q(0)
    for k in range(1, len(places)):
        passing = abs(sum(laws[0][:k]) - sum(laws[1][:k]))
        distance += passing * (places[k] - places[k - 1])
    return apart**2, distance**2


def _steep(p: Any) -> tuple[Q, Q]:
    """f_i is h (x - xi)^2/2 in mean, h >= mu; its gradient is h times an affine map of slope one,
    so that d_H is h times the distance of the means."""
    places, laws = _laws(p)
    bend, means = p.mu * p.condition, [_mean(law, places) for law in laws]
    here, there = (_mean(laws[0], [bend * (m - x) ** 2 / 2 for x in places]) for m in means)
    return there - here, (bend * (means[0] - means[1])) ** 2 / (2 * p.mu)


# -- Lemma 5 ---------------------------------------------------------------------------------------


def _noisy_parabola(rng: Random, _: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "curvature": between(rng, 0, 1),
        "smoothness": log_between(rng, -3, 3),
        "start": log_between(rng, -3, 3),
        "variance": log_between(rng, -6, 4),
    }


def _with_step(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    return {**_noisy_parabola(rng, sizes), "step_share": between(rng, Q(1, 16), 1)}


def _averaged(p: Any) -> tuple[Q, Q]:
    """E f of the mean of x^0 .. x^(T-1), against |x^0|^2/(eta T) + eta sigma^2."""
    h, rounds = p.curvature * p.smoothness, int(p.rounds)
    step = p.step_share / (2 * p.smoothness)
    kept = [(1 - step * h) ** t for t in range(rounds)]
    noise = sum(sum(kept[: rounds - 1 - s]) ** 2 for s in range(rounds - 1))
    square = (p.start * sum(kept)) ** 2 + step**2 * p.variance * noise
    return h * square / rounds**2 / 2, p.start**2 / (step * rounds) + step * p.variance


def _last(p: Any) -> tuple[Q, Q]:
    """E f(x^T) with the step of the lemma, against 2 |x^0| sigma/sqrt T + 2 L |x^0|^2/T."""
    h, rounds = p.curvature * p.smoothness, int(p.rounds)
    speed = p.start * root(p.variance / rounds)
    step = min(1 / (2 * p.smoothness), p.start / root(p.variance * rounds))
    square = mean_path(h, p.start**2, step, p.variance, rounds)[-1]
    return h * square / 2, 2 * speed + 2 * p.smoothness * p.start**2 / rounds


def _any_convex(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
    """A convex loss that is nowhere above some parabolas, with one minimiser."""
    assert (sizes["N"], sizes["d"]) == (1, 1)
    points = int(sizes["points"])
    return {
        "upper": [log_between(rng, -3, 3)],
        "stride": [[[between(rng, -4, 4)] for _ in range(points)]],
        "rise": [[between(rng, Q(1, 16), 3) for _ in range(points)]],
        "approach": [between(rng, -4, 4)],
        "sigma": [log_between(rng, -3, 3)],
        "noise_share": [between(rng, 0, 1)],
        "skew": [log_between(rng, -3, 3)],
        "step_share": between(rng, Q(1, 16), 1),
    }


class _Hull:
    """inf_p h(p) + L (x - p)^2/2, h the largest convex function with h(y_k) <= v_k."""

    def __init__(self, p: Any) -> None:
        assert (len(p.upper), p.lower[0]) == (1, 0)
        self.top = p.upper[0]
        pairs = sorted(zip((y[0] for y in p.vertex[0]), p.height[0], strict=True))
        corners: list[tuple[Q, Q]] = []
        for y, v in pairs:
            if corners and corners[-1][0] == y:
                continue  # of two over one place the lower counts
            while len(corners) > 1:
                (a, e), (b, f) = corners[-2:]
                if (f - e) * (y - b) < (v - f) * (b - a):
                    break
                corners.pop()
            corners.append((y, v))
        self.corners = corners

    def at(self, x: Q) -> tuple[Q, Q]:
        """Value and slope."""
        found = [(v + self.top * (x - y) ** 2 / 2, self.top * (x - y)) for y, v in self.corners]
        for (a, e), (b, f) in pairwise(self.corners):
            slope = (f - e) / (b - a)
            place = x - slope / self.top
            if a < place < b:
                value = e + slope * (place - a) + slope**2 / (2 * self.top)
                found.append((value, slope))
        return min(found)


def _any_averaged(p: Any) -> tuple[Q, Q]:
    """E f at the mean of x^0 .. x^(T-1) over all outcomes; the least value is 0, at 0."""
    loss, rounds = _Hull(p), int(p.rounds)
    assert min(loss.corners, key=lambda pair: pair[1]) == (0, 0)
    step, scale, m = p.step_share / (2 * loss.top), p.noise_scale[0], p.skew[0]
    chance = 1 / (1 + m * m)
    pairs = ((chance, scale * m), (1 - chance, -scale / m))
    runs: list[tuple[Q, list[Q]]] = [(Q(1), [p.start[0]])]
    for _ in range(rounds - 1):
        runs = [
            (c * part, [*path, path[-1] - step * (loss.at(path[-1])[1] + noise)])
            for c, path in runs
            for part, noise in pairs
        ]
    left = sum((c * loss.at(sum(path) / rounds)[0] for c, path in runs), Q(0))
    return left, p.start[0] ** 2 / (step * rounds) + step * p.sigma[0] ** 2


_SAMPLES = (("at-most", False), ("rounded-up", True))
STANDING = (
    Standing(
        ("allforall.lemma1",),
        "Lemma 1: at most one function of the family is within psi/3 of its least value",
        (0, 1, 2),
        _point,
        _one_is_far,
    ),
    Standing(
        ("allforall.lemma2",),
        "Lemma 2: a mean gap below psi/9 gives a test that errs with a chance of 1/3 at most",
        (0, 1),
        _answers,
        _test_errs,
        _near_in_mean,
    ),
    *(
        Standing(
            (f"allforall.{key}{word}",),
            f"{place}: precision eps within 4 D^2 B^2 N/(eps^2 N_i) samples",
            (0, 2),
            alike,
            reached(up, last),
            close(up, strict),
            count=40,
            slack=CLOSE,
        )
        for word, up in _SAMPLES
        for key, place, strict, last in (
            ("theorem2.1@stochastic+", "Theorem 2.1", True, False),
            ("theorem7.1@", "Theorem 7.1", False, False),
            ("naive.a@stochastic+", "Section 5, naive approach", True, True),
        )
    ),
    Standing(
        ("allforall.naive.a@as-set+at-most",),
        "Section 5, naive approach: agents at eps/2 itself are counted, and have no weight",
        (0, 1),
        alone,
        reached(False, True),
        close(False, True),
        count=40,
        slack=CLOSE,
    ),
    Standing(
        ("allforall.lemma3",),
        "Lemma 3: f^Lambda(x^Lambda) - mean f(x^*) <= (1/N) sum lambda b",
        (0,),
        _two_parabolas,
        _lemma3,
    ),
    Standing(
        ("allforall.lemma3",),
        "Lemma 3, losses s |x - m|",
        (0,),
        _two_cones,
        _lemma3_cones,
        family=1,
    ),
    Standing(
        ("allforall.theorem3a",),
        "Theorem 3.a: mean of E F^k <= sqrt(2 B^2 sum |x^0 - x^Lambda|^2 sum lambda^2/(N K)) + ..",
        (0, 1, 2),
        matrix,
        theorem3a,
        is_any_model,
        slack=CLOSE,
    ),
    Standing(
        ("allforall.prop1/values",),
        "Proposition 1: B.1 with D^* times the distance of the laws",
        (0,),
        _two_laws,
        _values,
    ),
    Standing(
        ("allforall.prop1/gradients",),
        "Proposition 1: B.2 with the square of the distance of the laws",
        (0, 1),
        _cut_off,
        _gradients,
    ),
    Standing(
        ("allforall.prop1/pl",),
        "Section 6.1: B.1 with b^2/(2 mu) under a PL condition",
        (0, 1),
        _bent,
        _steep,
    ),
    Standing(
        ("allforall.lemma5a",),
        "Lemma 5, first display",
        (0, 1, 2),
        _with_step,
        _averaged,
    ),
    Standing(
        ("allforall.lemma5a/class",),
        "Lemma 5, first display, for smooth convex losses that are no parabolas",
        (0, 1, 2),
        _any_convex,
        _any_averaged,
    ),
    Standing(
        ("allforall.lemma5b",),
        "Lemma 5, second display",
        (0, 1, 2),
        _noisy_parabola,
        _last,
        slack=CLOSE,
    ),
)
