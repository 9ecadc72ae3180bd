"""Second judges of the main results of `aggregation` that stand: (6), (14), (17) and (19)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction as Q
from random import Random
from typing import Any

from tests.qa.second_judges.aggregation.runs import mean
from tests.qa.second_judges.allforall.numbers import e_to
from tests.qa.second_judges.rounds import Rounds
from tests.qa.second_judges.standing.record import Standing, between, log_between

# -- Lemma 1 ---------------------------------------------------------------------------------------


def _curve(rng: Random, _: Mapping[str, Any]) -> dict[str, Any]:
    """A smooth function at a point and a step of 1/L further: h x^2/2, a line beyond an edge."""
    top = log_between(rng, -3, 3)
    bend, edge = top * between(rng, Q(1, 64), 1), log_between(rng, -2, 2)
    least = between(rng, -8, 8)

    def value(x: Q) -> Q:
        near = abs(x) <= edge
        return least + (bend * x * x / 2 if near else bend * edge * (abs(x) - edge / 2))

    x = log_between(rng, -3, 3)
    slope = bend * min(x, edge)
    return {
        "smoothness": top,
        "value": value(x),
        "minimum": least,
        "after": value(x - slope / top),
        "squared_gradient": slope**2,
    }


def _is_smooth(p: Any) -> bool:
    """What smoothness and the minimum say of the two points."""
    falls = p.after <= p.value - p.squared_gradient / (2 * p.smoothness)
    return falls and p.minimum <= p.after


def _lemma1(p: Any) -> tuple[Q, Q]:
    return p.squared_gradient, 2 * p.smoothness * (p.value - p.minimum)


# -- Corollary 4 in the two special cases, and with bounds of rho ----------------------------------


def _run(common: bool) -> Callable[[Random, Mapping[str, Any]], dict[str, Any]]:
    def draw(rng: Random, sizes: Mapping[str, Any]) -> dict[str, Any]:
        n = int(sizes["N"])
        place = between(rng, -2, 2)
        optimum = [[place if common else between(rng, -2, 2)] for _ in range(n)]
        if not common:
            optimum[1][0] = optimum[0][0] + 1 + between(rng, 0, 1)  # Gamma > 0
        return {
            "curvature": [[log_between(rng, -2, 2)] for _ in range(n)],
            "optimum": optimum,
            "sigma": [log_between(rng, -3, 2) for _ in range(n)],
            "noise_share": [between(rng, 0, 1) for _ in range(n)],
            "skew": [rng.choice([Q(1, 2), Q(1), Q(2)]) for _ in range(n)],
            "start": [place + 3 + between(rng, 0, 1) if common else between(rng, -4, 4)],
            "share": [Q(rng.randint(1, 8)) for _ in range(n)],
            "temperature": Q(1),
            "raw": [[Q(rng.randint(1, 8)) for _ in range(n)] for _ in range(sizes["rows"])],
        }

    return draw


class _Softer(Rounds):
    """With the weights p_i exp(F_i(w)/T), all divided by the largest exponential."""

    def weights(self, t: int, w: Q, rule: str) -> list[Q]:
        if rule != "fedsoftmax":
            return super().weights(t, w, rule)
        high = max(self.loss(i, w) for i in self.clients)
        heat = self.given["temperature"]
        raw = [p * e_to((self.loss(i, w) - high) / heat) for i, p in enumerate(self.share)]
        short = [Q(round(x * 10**40), 10**40) for x in raw]
        return [x / sum(short) for x in short]


def _claimed_noise(g: Rounds, p: Any) -> Q:
    """sigma^2 of A3: the largest variance that is claimed."""
    return max((s * s for s in getattr(p, "sigma", [])), default=Q(0))


class _Sizes:
    """What (10) is made of, on a run that ends; rho over its rounds, T iterations or rounds."""

    def __init__(self, p: Any, rounds: bool) -> None:
        g = self.g = _Softer(p.raw, decaying=True)
        self.outcomes = g.outcomes()
        end, self.time = (g.rounds, g.rounds // g.local) if rounds else (g.at + 1, g.at + 1)
        self.delay = 4 * g.smoothness / g.mu
        gap = g.gap()
        self.left = mean(self.outcomes, lambda o: g.averaged(o.model[end])) - gap
        # G^2 bounds the second moment of all stochastic gradients, so their variance is claimed's
        slopes = [
            g.slope(i, w) ** 2 + g.scale[i] ** 2
            for o in self.outcomes
            for row in o.local[: len(o.alpha)]
            for i, w in enumerate(row)
        ]
        self.noise = 32 * g.local**2 * max(slopes) + _claimed_noise(g, p)
        first = (g.given["start"][0] - g.best) ** 2
        self.least = 8 * g.smoothness**2 * gap / g.mu**2 + g.smoothness * self.delay * first / 2
        self.slow = 4 * g.smoothness * self.noise / (3 * g.mu**2)
        self.error = 8 * g.smoothness * gap / (3 * g.mu)
        times = range(0, len(self.outcomes[0].alpha), g.local)
        self.low = min(
            (g.rho(o.alpha[t], o.model[t]) for o in self.outcomes for t in times)
            if all(g.averaged(w) for o in self.outcomes for w in o.model)
            else [Q(0)]
        )
        kappas = [
            a / s
            for o in self.outcomes
            for row in o.alpha
            for a, s in zip(row, g.share, strict=True)
        ]
        self.pi, self.big_pi = min(kappas), max(kappas)


def _eq14(rounds: bool) -> Callable[[Any], tuple[Q, Q]]:
    def sides(p: Any) -> tuple[Q, Q]:
        """Gamma = 0: [4L(32 E^2 G^2 + sigma^2)/(3 mu^2 rho) + L gamma d_0^2/2]/(T + gamma)."""
        s = _Sizes(p, rounds)
        return s.left, (s.slow / s.low + s.least) / (s.time + s.delay)

    return sides


def _eq17(rounds: bool) -> Callable[[Any], tuple[Q, Q]]:
    def sides(p: Any) -> tuple[Q, Q]:
        """[V_min + lambda_1/pi]/(T + gamma) + lambda_2 (Pi - pi)/pi."""
        s = _Sizes(p, rounds)
        right = (s.least + s.slow / s.pi) / (s.time + s.delay)
        return s.left, right + s.error * (s.big_pi - s.pi) / s.pi

    return sides


def _eq19(rounds: bool) -> Callable[[Any], tuple[Q, Q]]:
    def sides(p: Any) -> tuple[Q, Q]:
        """[V_min + lambda_1/pi]/(T + gamma) + lambda_2 (1/(pi min p) - N)."""
        s = _Sizes(p, rounds)
        right = (s.least + s.slow / s.pi) / (s.time + s.delay)
        return s.left, right + s.error * (1 / (s.pi * min(s.g.share)) - len(s.g.share))

    return sides


def _no_gap(p: Any) -> bool:
    """Gamma = 0, and F(w_t) is not F(w*) at any t (footnote 2)."""
    g = _Softer(p.raw, decaying=True)
    apart = all(w != g.best for o in g.outcomes() for w in o.model)
    return g.gap() == 0 and apart and g.is_legal()


def _some_gap(p: Any) -> bool:
    g = _Softer(p.raw, decaying=True)
    return g.gap() > 0 and g.is_legal()


_READINGS = [(i, h) for i in ("section2", "algorithm") for h in ("iterations", "rounds")]
STANDING = (
    Standing(
        ("aggregation.lemma1",),
        "Lemma 1 (eq. 6): |grad f|^2 <= 2 L (f - f(w*))",
        (0,),
        _curve,
        _lemma1,
        _is_smooth,
    ),
    *(
        Standing(
            (f"aggregation.eq14@run+{iterates}+loop+{horizon}",),
            "eq. 14: Corollary 4 with Gamma = 0, steps 1/(mu (t + gamma))",
            (0, 1),
            _run(True),
            _eq14(horizon == "rounds"),
            _no_gap,
            count=50,
            slack=Q(1, 10**12),
        )
        for iterates, horizon in _READINGS
    ),
    *(
        Standing(
            (f"aggregation.{name}@run+{iterates}+{horizon}",),
            words,
            (0,),
            _run(False),
            sides(horizon == "rounds"),
            _some_gap,
            count=50,
            slack=Q(1, 10**12),
        )
        for name, words, sides in (
            ("eq17", "eq. 17: rho replaced by pi, its ratio by Pi/pi", _eq17),
            ("eq19", "eq. 19: Pi replaced by what the weights allow", _eq19),
        )
        for iterates, horizon in _READINGS
    ),
)
