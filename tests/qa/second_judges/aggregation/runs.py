"""Judges of `aggregation` that follow a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.qa.second_judges.federation import number
from tests.qa.second_judges.rounds import Outcome, Rounds

Raw = Mapping[str, Any]


def numbers(raw: Raw) -> Any:
    return {name: number(value) for name, value in raw["instance"]["params"].items()}


def mean(outcomes: Sequence[Outcome], value: Callable[[Outcome], Fraction]) -> Fraction:
    return sum((o.chance * value(o) for o in outcomes), Fraction(0))


def claimed(raw: Raw, g: Rounds) -> bool:
    """The noise that A3 names is at least that of the gradients."""
    data = raw["instance"]["data"]
    sigma = number(data.get("sigma", data.get("noise_scale", [])))
    return all(0 <= n <= s for n, s in zip(g.scale, sigma or g.scale, strict=True))


class Iteration:
    """Sums at iteration ``at`` of a run, in mean; for ever if the run repeats itself.

    A run is followed over two more rounds.  Without noise, with the last weights and the steps of
    the last round again, it repeats itself if the models that are aggregated do.
    """

    def __init__(self, raw: Raw, endless: bool = False) -> None:
        g = self.g = Rounds(raw)
        self.fair = g.is_legal() and claimed(raw, g)
        more = 2 * g.local if endless else 0
        self.outcomes = g.outcomes(rounds=g.rounds + more)
        if endless:
            o = self.outcomes[0]
            ends = [t + 1 for t in range(g.rounds - g.local, g.rounds + more)]
            joined = [
                t for t in ends if (t % g.local == 1 % g.local if g.equation else not t % g.local)
            ]
            self.fair &= g.variance() == 0 and len({o.model[t] for t in joined}) == 1
        self.eta, self.t = g.step(g.at), g.at
        self.G2, self.sigma2 = g.squared_gradient(self.outcomes), g.variance()

    def mean(self, value: Callable[[Outcome], Fraction]) -> Fraction:
        return mean(self.outcomes, value)

    def weighted(self, f: Callable[[int, Fraction], Fraction]) -> Fraction:
        """E sum alpha_t^i f(i, w_t^i)."""
        t = self.t
        return self.mean(
            lambda o: sum((a * f(i, o.local[t][i]) for i, a in enumerate(o.alpha[t])), Fraction(0))
        )

    def distance(self, more: int = 0) -> Fraction:
        return self.mean(lambda o: (o.model[self.t + more] - self.g.best) ** 2)

    def spread(self) -> Fraction:
        t = self.t
        return self.mean(
            lambda o: sum(
                (a * (o.model[t] - w) ** 2 for a, w in zip(o.alpha[t], o.local[t], strict=True)),
                Fraction(0),
            )
        )

    def first(self) -> Fraction:
        """E A_1."""
        t, g = self.t, self.g
        return self.mean(
            lambda o: (
                -2
                * self.eta
                * (o.model[t] - g.best)
                * sum(a * g.slope(i, o.local[t][i]) for i, a in enumerate(o.alpha[t]))
            )
        )

    def excess(self) -> Fraction:
        return self.weighted(self.g.loss)

    def drop(self) -> Fraction:
        return self.weighted(lambda i, w: self.g.loss(i, w) - self.g.loss(i, self.g.best))

    def distances(self) -> Fraction:
        return self.weighted(lambda i, w: (w - self.g.best) ** 2)

    def fifth(self) -> Fraction:
        """A_5."""
        return 4 * self.g.smoothness * self.eta**2 * self.excess() - 2 * self.eta * self.drop()

    def noise(self, factor: int) -> Fraction:
        return factor * self.eta**2 * self.g.local**2 * self.G2


def lemma2(raw: Raw) -> bool:
    """E sum alpha |w_t - w_t^i|^2 <= 16 eta_t^2 E^2 G^2; no step size is named."""
    s = Iteration(raw)
    return s.fair and s.spread() > s.noise(16)


def theorem3(raw: Raw, endless: bool, no_gap: bool = False) -> bool:
    """(9), for any positive steps; with Gamma = 0 (13)."""
    s = Iteration(raw, endless and not no_gap)
    g, gap = s.g, s.g.gap()
    if no_gap and endless:  # one minimiser, the same weights always: rho is the same everywhere
        s.fair &= s.sigma2 == 0 and len({alpha for o in s.outcomes for alpha in o.alpha}) == 1
    if no_gap:
        times = range(0, len(s.outcomes[0].alpha), g.local)
        low = min(g.rho(o.alpha[t], o.model[t]) for o in s.outcomes for t in times)
        high = Fraction(0)
        apart = all(w != g.best for o in s.outcomes for w in o.model)
    else:
        low, high = g.skews(s.outcomes)
        apart = gap > 0
    rate = 1 - s.eta * g.mu * (1 + Fraction(3, 8) * low)
    rest = s.eta**2 * (6 * low * g.smoothness * gap + s.sigma2) + 2 * s.eta * gap * (high - low)
    right = rate * s.distance() + s.noise(32) + rest
    return s.fair and apart and (gap == 0) == no_gap and s.distance(1) > right


def fifth(raw: Raw, endless: bool) -> bool:
    s = Iteration(raw, endless)
    low, high = s.g.skews(s.outcomes)
    gap = s.g.gap()
    right = s.noise(16) + 6 * s.eta**2 * low * s.g.smoothness * gap
    right -= Fraction(3, 8) * s.eta * s.g.mu * low * s.distance()
    return s.fair and gap > 0 and s.fifth() > right + 2 * s.eta * gap * (high - low)


def before_fifth(raw: Raw) -> bool:
    s = Iteration(raw)
    right = (1 - s.eta * s.g.mu) * s.distance() + s.noise(16) + s.eta**2 * s.sigma2
    return s.fair and s.distance(1) > right + s.fifth()


def first_bounded(raw: Raw) -> bool:
    """A_1 against -2 eta sum alpha (F_i(w_t^i) - F_i(w*) + mu/2 |w_t^i - w*|^2), on a run."""
    s = Iteration(raw)
    g, t = s.g, s.t
    found = False
    for o in s.outcomes:
        pairs = list(zip(o.alpha[t], o.local[t], strict=True))
        slope = sum(a * g.slope(i, w) for i, (a, w) in enumerate(pairs))
        right = sum(
            a * (g.loss(i, w) - g.loss(i, g.best) + g.mu / 2 * (w - g.best) ** 2)
            for i, (a, w) in enumerate(pairs)
        )
        found |= o.chance > 0 and (o.model[t] - g.best) * slope < right
    return s.fair and found


def first_whole(raw: Raw, factor: int) -> bool:
    """E A_1 against the last line of its bound, the spread with the factor 1 or 16."""
    s = Iteration(raw)
    right = s.noise(factor) - s.eta * s.g.mu * s.distances()
    right += 2 * s.g.smoothness * s.eta**2 * s.excess() - 2 * s.eta * s.drop()
    return s.fair and s.first() > right


def expanded(raw: Raw) -> bool:
    """The expansion with w_t of eq. 4 where the models are aggregated."""
    g = Rounds(raw)
    (o,) = g.outcomes()
    t, eta = g.at, g.step(g.at)
    slope = sum(a * g.slope(i, o.local[t][i]) for i, a in enumerate(o.alpha[t]))
    right = (o.model[t] - g.best - eta * slope) ** 2  # no noise: A_2 = A_4 = 0
    fair = g.is_legal() and g.equation and t % g.local == 0
    return fair and (o.model[t + 1] - g.best) ** 2 != right


def noise_seen(raw: Raw, second: bool) -> bool:
    """One step; FedMax takes the client whose new local model is worst: E A_2 = 0, or E A_4."""
    g = Rounds(raw)
    outcomes = g.outcomes(seen_at_end=True)
    start, eta = g.given["start"][0], g.step(0)

    def parts(o: Outcome) -> tuple[Fraction, Fraction]:
        slope = sum(a * g.slope(i, start) for i, a in enumerate(o.alpha[0]))
        return slope, slope - sum(a * d for a, d in zip(o.alpha[0], o.drawn[0], strict=True))

    fair = g.is_legal() and claimed(raw, g) and g.rounds == 1
    if second:
        return fair and bool(
            mean(outcomes, lambda o: (start - g.best - eta * parts(o)[0]) * parts(o)[1])
        )
    sigma = number(raw["instance"]["data"]["sigma"])
    return fair and mean(outcomes, lambda o: parts(o)[1] ** 2) > max(s * s for s in sigma)


def noise_on_a_draw(raw: Raw) -> bool:
    """A_4 of one draw against eta_t^2 sum alpha sigma^2, sigma^2 the largest variance claimed."""
    s = Iteration(raw)
    g, t = s.g, s.t
    sigma = max(x * x for x in number(raw["instance"]["data"]["sigma"]))
    found = False
    for o in s.outcomes:
        rows = zip(o.alpha[t], o.local[t], o.drawn[t], strict=True)
        off = sum(a * (g.slope(i, w) - d) for i, (a, w, d) in enumerate(rows))
        found |= o.chance > 0 and off**2 > sigma
    return s.fair and found


def corollary4(raw: Raw, rounds: bool) -> bool:
    """(10) on a run that ends; T counts iterations up to ``at``, or rounds."""
    g = Rounds(raw, decaying=True)
    outcomes = g.outcomes()
    low, high = g.skews(outcomes)
    g2, gap = g.squared_gradient(outcomes), g.gap()
    end, time = (g.rounds, g.rounds // g.local) if rounds else (g.at + 1, g.at + 1)
    return g.is_legal() and gap > 0 and low > 0 and above(g, outcomes, end, time, low, high, g2)


def above(
    g: Rounds,
    outcomes: Sequence[Outcome],
    end: int,
    time: int,
    low: Fraction,
    high: Fraction,
    g2: Fraction,
) -> bool:
    mu, large, gap = g.mu, g.smoothness, g.gap()
    delay = 4 * large / mu
    speed = 4 * large * (32 * g.local**2 * g2 + g.variance()) / (3 * mu**2 * low)
    speed += 8 * large**2 * gap / mu**2
    speed += large * delay * (outcomes[0].model[0] - g.best) ** 2 / 2
    error = 8 * large * gap / (3 * mu) * (high / low - 1)
    left = mean(outcomes, lambda o: g.averaged(o.model[end])) - gap
    return left > speed / (time + delay) + error


def returning(raw: Raw) -> bool:
    """(10) in the middle of a round of a run that returns to w* and never ends.

    Client 0 has no weight and the others, on both sides of w*, have one loss there: rho(t, w*) is
    the same for all weights between them, whatever the later rounds take to come back to w*.  On
    the way from w* towards their minimisers the gradients fall, with steps of at most 1/(4L).
    """
    g = Rounds(raw, decaying=True)
    (o,) = g.outcomes()
    others = list(g.clients)[1:]
    fair = g.is_legal() and not g.equation and g.variance() == 0
    fair = fair and all(row[0] == 0 for row in o.alpha)
    fair = fair and len({g.loss(i, g.best) for i in others}) == 1
    fair = fair and all(o.model[t] == g.best for t in range(0, g.rounds + 1, g.local))
    sides = {g.least[i] > g.best for i in others}
    low, high = g.skews([o])
    g2 = max(g.slope(i, g.best) ** 2 for i in g.clients)
    fair = fair and sides == {True, False} and low == high and g.gap() > 0
    fair = fair and g.squared_gradient([o]) <= g2
    time = g.at + 1
    return fair and above(g, [o], time, time, low, high, g2)


def returning_between(raw: Raw) -> bool:
    """(10) after one iteration of a run by (2) that returns to w* and never ends.

    Client 0 has no weight and rests at w*, its minimiser; the others, on both sides of w*, have one
    loss there.  After the rounds that are given all models are at w*; from there the others move
    towards their minimisers and not past them, with steps of at most 1/(4L), so that some weights
    bring each later round back.  Between, w_t of (4) is no farther from w* than the shares allow.
    """
    g = Rounds(raw, decaying=True)
    (o,) = g.outcomes()
    others = list(g.clients)[1:]
    away = [abs(g.least[i] - g.best) for i in others]
    fair = g.is_legal() and g.equation and g.variance() == 0
    fair = fair and all(row[0] == 0 for row in o.alpha) and g.least[0] == g.best
    fair = fair and len({g.loss(i, g.best) for i in others}) == 1
    fair = fair and {g.least[i] > g.best for i in others} == {True, False}
    fair = fair and g.rounds % g.local == 1 and o.model[0] == o.model[-1] == g.best
    high = g.loss(others[0], g.best) / g.gap()
    apart = sum(g.share[i] * far for i, far in zip(others, away, strict=True))
    fair = fair and apart < min(away)
    least = min(g.form[i] / 2 * (far - apart) ** 2 for i, far in zip(others, away, strict=True))
    most = g.gap() + sum(p * a for p, a in zip(g.share, g.form, strict=True)) / 2 * apart**2
    low = min(g.skews([o])[0], least / most)
    g2 = max(g.squared_gradient([o]), *(g.slope(i, g.best) ** 2 for i in others))
    return fair and g.gap() > 0 and above(g, [o], g.at + 1, g.at + 1, low, high, g2)


def never_falls(raw: Raw) -> bool:
    """(11): the run rests where it began, at a gap above 0, while 1/T falls without end."""
    g = Rounds(raw, decaying=True)
    start, alpha = g.given["start"][0], g.given["coefficients"][0]
    pull = sum(a * g.slope(i, start) for i, a in enumerate(alpha))
    fair = g.is_legal() and g.local == 1 and g.variance() == 0 and pull == 0
    return fair and g.gap() > 0 and g.averaged(start) > g.gap()


def low_of(raw: Raw, rule: str) -> Fraction:
    g = Rounds(raw)
    outcomes = g.outcomes(rule)
    times = range(0, g.rounds, g.local)
    return min(g.rho(o.alpha[t], o.model[t]) for o in outcomes for t in times)


def reached(raw: Raw, rule: str) -> Fraction:
    g = Rounds(raw)
    return mean(g.outcomes(rule), lambda o: g.averaged(o.model[g.rounds]))


def slower(raw: Raw) -> bool:
    """rho-bar of the run with fixed weights is larger than that of FedMax."""
    g = Rounds(raw)
    return g.is_legal() and g.gap() > 0 and low_of(raw, "fixed") > low_of(raw, "fedmax")


def fedmax_behind(raw: Raw) -> bool:
    """Gamma = 0: after the same steps FedMax is behind fixed weights; F(w_t) != F(w*)."""
    g = Rounds(raw)
    models = [w for rule in ("fixed", "fedmax") for o in g.outcomes(rule) for w in o.model]
    fair = g.is_legal() and g.gap() == 0 and all(w != g.best for w in models)
    return fair and reached(raw, "fedmax") > reached(raw, "fixed")


def fedavg_behind(raw: Raw) -> bool:
    g = Rounds(raw)
    return g.is_legal() and reached(raw, "fedavg") > reached(raw, str(g.given["rule"]))


def less_than_no_error(raw: Raw) -> bool:
    """E < 0 for weights that are not p, on a run that ends."""
    g = Rounds(raw, decaying=True)
    outcomes = g.outcomes()
    low, high = g.skews(outcomes)
    return g.is_legal() and g.gap() > 0 and low > high


def not_alike(raw: Raw) -> bool:
    """Gamma = 0 with two different losses."""
    g = Rounds(raw, decaying=True)
    point = g.given["point"][0]
    return g.is_legal() and g.gap() == 0 and g.loss(0, point) != g.loss(1, point)


def fedmax_least(raw: Raw) -> bool:
    """Gamma = 0, two axes, E = 1, no noise: rho-bar of fixed weights above that of FedMax."""
    data = {name: number(value) for name, value in raw["instance"]["data"].items()}
    n = numbers(raw)
    axes, share = (0, 1), n["client_weights"]
    forms = [[form[j][j] for j in axes] for form in data["A"]]
    least = [-x for x in data["xi"][0]]
    diagonal = all(form[0][1] == form[1][0] == 0 for form in data["A"])
    shared = all([-x for x in xi] == least for xi in data["xi"])
    top = max(max(form) for form in forms)
    clients = range(len(forms))

    def losses(w: Sequence[Fraction]) -> list[Fraction]:
        return [sum(f[j] * (w[j] - least[j]) ** 2 / 2 for j in axes) for f in forms]

    def lowest(rule: str) -> Fraction:
        w, found = list(n["start"]), []
        for t in range(int(n["rounds"])):
            x = losses(w)
            alpha = n["coefficients"][t]
            if rule == "fedmax":
                worst = [value == max(x) for value in x]
                alpha = [Fraction(int(value), sum(worst)) for value in worst]
            whole = sum(p * value for p, value in zip(share, x, strict=True))
            found.append(sum(a * value for a, value in zip(alpha, x, strict=True)) / whole)
            step = n["pace"][t] / (4 * top)
            slope = [sum(alpha[i] * forms[i][j] for i in clients) for j in axes]
            w = [w[j] - step * slope[j] * (w[j] - least[j]) for j in axes]
        return Fraction(0) if w == least else min(found)  # footnote 2: away from w*

    fair = diagonal and shared and n["local_steps"] == 1 and min(map(min, forms)) > 0
    fair = fair and all(sum(row) == 1 and min(row) >= 0 for row in [*n["coefficients"], share])
    return fair and min(n["pace"]) > 0 and lowest("fixed") > lowest("fedmax") > 0
