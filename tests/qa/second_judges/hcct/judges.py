"""Second judge of the accusations against `hcct`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb, isqrt
from typing import Any

from tests.qa.second_judges.federation import number
from tests.qa.second_judges.groups import Groups, Path
from tests.qa.second_judges.hcct.kept import merges
from tests.qa.second_judges.record import Judge

Raw = Mapping[str, Any]
HALF = Fraction(1, 2)


def _params(raw: Raw) -> dict[str, Any]:
    return {k: number(v) for k, v in raw["instance"]["params"].items()}


def _root(x: Fraction) -> Fraction:
    """Square root to fifty digits, rounded down."""
    return Fraction(isqrt(int(x * 10**100)), 10**50)


# -- generalisation --------------------------------------------------------------------------------


def _estimation(L: Fraction, p: Mapping[str, Any]) -> Fraction:
    return 4 * L**2 / (p["level"] * p["convexity"] * int(p["n"]))


def _offset(raw: Raw) -> bool:
    """One client, one label, loss c + mu (w - y)^2/2 with |w - y| <= r: the minimiser is right."""
    p = _params(raw)
    fair = 0 < p["level"] < 1 and min(p["radius"], p["convexity"]) > 0
    # every sample has the same labels, so that all of them fail together
    return fair and p["offset"] > _estimation(p["convexity"] * p["radius"], p)


def _tilted(raw: Raw) -> bool:
    """Loss mu (h - y)^2/2 +- tau (h - y), fair signs; the model is off by tau |mean sign|/mu."""
    p = _params(raw)
    n, mu, tau, r = int(p["n"]), p["convexity"], p["tilt"], p["radius"]
    bound = _estimation(mu * r + tau, p)
    fails = sum(
        (
            Fraction(comb(n, k), 2**n)
            for k in range(n + 1)
            if min(tau * abs(Fraction(2 * k - n, n)) / mu, r) > bound
        ),
        Fraction(0),
    )
    return 0 < p["level"] < 1 and min(mu, r, tau) > 0 and fails > p["level"]


class _Labels:
    """Client i, its group (a mixture of it and others), labels and a model on some atoms."""

    def __init__(self, raw: Raw, agree: bool) -> None:
        p = _params(raw)
        atoms = range(int(p["n"]))
        mass = [m if x < p["seen"] else Fraction(0) for x, m in enumerate(p["mass"])]
        self.own = [m / sum(mass) for m in mass]
        other = [m / sum(p["other"]) for m in p["other"]]
        self.group = [
            p["part"] * a + (1 - p["part"]) * b for a, b in zip(self.own, other, strict=True)
        ]
        # (2), (29), (30): on the data of client i both labelling functions give y
        f_group = [p["own"][x] if agree and x < p["seen"] else p["group"][x] for x in atoms]
        self.fair = 0 < p["part"] <= 1 and min(*mass, *other) >= 0
        self.fair &= not agree or all(self.own[x] == 0 or f_group[x] == p["own"][x] for x in atoms)
        self.miss = [abs(p["model"][x] - p["own"][x]) for x in atoms]
        self.miss_group = [abs(p["model"][x] - f_group[x]) for x in atoms]
        self.shift = [f_group[x] - p["own"][x] for x in atoms]
        self.l1 = sum(abs(a - b) for a, b in zip(self.group, self.own, strict=True))
        gaps = [
            abs(sum(self.group[k:x]) - sum(self.own[k:x]))
            for x in range(len(self.own) + 1)
            for k in (0,)
        ]
        self.h_divergence = 2 * max(gaps)

    def mean(self, law: list[Fraction], values: list[Fraction]) -> Fraction:
        return sum((a * b for a, b in zip(law, values, strict=True)), Fraction(0))

    def rise(self) -> tuple[Fraction, Fraction]:
        return self.mean(self.own, self.shift), self.mean(self.group, self.shift)


def _eq34(raw: Raw, measure: str) -> bool:
    s = _Labels(raw, True)
    right = s.mean(s.group, s.miss_group) + getattr(s, measure) + min(s.rise())
    return s.fair and s.mean(s.own, s.miss) > right


def _labels(raw: Raw) -> bool:
    s = _Labels(raw, True)
    return s.fair and abs(s.mean(s.group, s.miss) - s.mean(s.group, s.miss_group)) > s.rise()[1]


def _weighted(raw: Raw, measure: str) -> bool:
    s = _Labels(raw, False)
    apart = [abs(a - b) for a, b in zip(s.group, s.own, strict=True)]
    return s.fair and s.mean(apart, s.miss) > getattr(s, measure)


def _other(raw: Raw) -> bool:
    s = _Labels(raw, True)
    return s.fair and s.mean(s.own, s.miss) > s.mean(s.group, s.miss_group) + s.rise()[0] + s.l1


def _more_samples(raw: Raw) -> bool:
    """Mean excess of the minimiser of s w + mu w^2/2, |w| <= r, s one of two slopes."""
    p = _params(raw)
    mu, r, chance = p["convexity"], p["radius"], p["chance"]

    def best(slope: Fraction) -> Fraction:
        return min(max(-slope / mu, -r), r)

    def mean(share: Fraction) -> Fraction:
        return share * p["slope"] + (1 - share) * p["slope2"]

    def risk(w: Fraction) -> Fraction:
        return mean(chance) * w + mu * w * w / 2

    def excess(n: int) -> Fraction:
        return sum(
            (
                comb(n, k)
                * chance**k
                * (1 - chance) ** (n - k)
                * (risk(best(mean(Fraction(k, n)))) - risk(best(mean(chance))))
                for k in range(n + 1)
            ),
            Fraction(0),
        )

    fair = 0 <= chance <= 1 and min(mu, r) > 0 and 1 <= p["n"] < p["later"]
    return fair and excess(int(p["later"])) > excess(int(p["n"]))


def _closer(raw: Raw) -> bool:
    """The group whose law of x is nearer has the larger error; labels are one function of x.

    The client has one sample, others ``others`` of them; a sample of others is of the client's law
    with chance near or far, else at a place where the loss has no tilt.
    """
    p = _params(raw)
    m, mu, tau, r = int(p["others"]), p["convexity"], p["tilt"], p["radius"]

    def error(chance: Fraction) -> Fraction:
        law = {1: chance / 2, -1: chance / 2, 0: 1 - chance}
        total = Fraction(0)
        for own in (1, -1):
            for drawn in product(law, repeat=m):
                weight = HALF
                for sign in drawn:
                    weight *= law[sign]
                total += weight * min(tau * abs(Fraction(own + sum(drawn), m + 1)) / mu, r)
        return total

    def d1(chance: Fraction) -> Fraction:
        """2 m/(m + 1) (1 - chance): what the group has where the client has nothing, twice."""
        return 2 * Fraction(m, m + 1) * (1 - chance)

    near, far = p["near"], p["far"]
    fair = 0 <= far <= 1 and 0 <= near <= 1 and min(mu, tau, r) > 0 and d1(near) < d1(far)
    return fair and error(near) > error(far)


# -- one epoch, Lemma 1 ----------------------------------------------------------------------------


def _lemma1(raw: Raw, averaged: bool) -> bool:
    g = Groups(raw, averaged)
    along = g.mean(lambda p: sum(a * b for a, b in zip(g.slopes(p, 0), g.joint(p, 0), strict=True)))
    noise = g.L * g.eta**2 * g.n * g.sigma**2 / 2
    right = -g.eta * along + g.L * g.eta**2 * g.joint2(0) / 2 + noise
    return g.legal(steps=False) and g.losses(1) - g.losses(0) > right


def _first(g: Groups, p: Path) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Of client 0: own gradient, mean gradient of the group, sum_j a_j g_j, and w^1 - w^0."""
    move = p.model[1][0] - p.model[0][0]
    return g.slopes(p, 0)[0], g.joint(p, 0)[0], p.update[0][0], move


def _display37(
    raw: Raw, averaged: bool, fails: Callable[[Groups, Callable[..., Fraction]], bool]
) -> bool:
    g = Groups(raw, averaged)

    def mean(value: Callable[[Any, Any, Any, Any], Fraction]) -> Fraction:
        return g.mean(lambda p: value(*_first(g, p)))

    return g.legal(steps=False) and fails(g, mean)


def _slopes(g: Groups, mean: Callable[..., Fraction]) -> bool:
    return mean(lambda a, b, u, m: a * m) != mean(lambda a, b, u, m: -g.eta * a * b)


def _squares(g: Groups, mean: Callable[..., Fraction]) -> bool:
    return mean(lambda a, b, u, m: m * m) != g.eta**2 * mean(lambda a, b, u, m: u * u)


def _split(g: Groups, mean: Callable[..., Fraction]) -> bool:
    return mean(lambda a, b, u, m: u * u) != mean(lambda a, b, u, m: b * b + (u - b) ** 2)


def _deviation(g: Groups, mean: Callable[..., Fraction]) -> bool:
    return mean(lambda a, b, u, m: (u - b) ** 2) > g.sigma**2


# -- (38) to (41), Theorem 2, Corollary 1 ----------------------------------------------------------


def _fixed_index(raw: Raw) -> bool:
    """(38), step d, for client 0 and j = 1: |grad J_0(w_1) - sum a grad J|^2 <= sum a kappa^2."""
    g = Groups(raw, False)
    p = g.paths[0]
    left = (g.slope(0, p.model[0][1]) - g.joint(p, 0)[0]) ** 2
    right = sum(g.weights[0][0][j] * g.kappa2(0, j) for j in g.clients)
    return len(g.paths) == 1 and g.legal(steps=False, sigma=False) and left > right


class _Meeting:
    """Clients 0 and 1 in the last epoch t, the displays of (39)."""

    def __init__(self, raw: Raw, averaged: bool) -> None:
        g = self.g = Groups(raw, averaged)
        self.t, self.L2 = g.last, g.L**2
        self.fair = g.legal() and g.weights[self.t][0][1] > 0

    def moved(self, later: int) -> Fraction:
        g, t = self.g, self.t
        return g.mean(
            lambda p: (g.slope(0, p.model[t + later][0]) - g.slope(0, p.model[t][1])) ** 2
        )

    def apart(self) -> Fraction:
        return self.g.mean(lambda p: (p.model[self.t][0] - p.model[self.t][1]) ** 2)

    def updates(self) -> Fraction:
        g = self.g
        return g.eta**2 * g.mean(lambda p: sum((u[0] - u[1]) ** 2 for u in p.update[: self.t]))

    def compared(self) -> Fraction:
        """sum_s eta^2 E |sum_z a_z (grad J_0 - grad J_1)(w_z^s)|^2 over the group of client 0."""
        g = self.g

        def one(p: Path, s: int) -> Fraction:
            w, row = p.model[s], g.weights[s][0]
            return sum(
                (row[z] * (g.slope(0, w[z]) - g.slope(1, w[z])) for z in g.clients), Fraction(0)
            )

        return g.eta**2 * g.mean(lambda p: sum(one(p, s) ** 2 for s in range(self.t)))

    def noise(self) -> Fraction:
        return 2 * self.t * self.g.eta**2 * self.g.sigma**2

    def constants(self) -> Fraction:
        g = self.g
        rows = [g.weights[s][0] for s in range(self.t)]
        return g.eta**2 * sum(
            (row[z] * g.kappa2(0, z) for row in rows for z in g.clients), Fraction(0)
        )


def _eq39(raw: Raw, averaged: bool, part: str, later: int = 1) -> bool:
    s = _Meeting(raw, averaged)
    right = {
        "e": lambda: s.moved(later) > s.L2 * s.apart(),
        "f": lambda: s.apart() > s.updates(),
        "g": lambda: s.updates() > s.compared() + s.noise(),
        "h": lambda: s.compared() > s.constants(),
        "whole": lambda: s.moved(later) > s.L2 * (s.constants() + s.noise()),
    }
    return s.fair and right[part]()


def _eq40(raw: Raw, averaged: bool, line: int, later: int = 0, fixed: bool = False) -> bool:
    """The last epoch; printed, both sums of the left side are of w_i^t."""
    g = Groups(raw, averaged)
    t, eta, L = g.last, g.eta, g.L
    right = -eta / 2 * g.own2(t) - (eta / 2 - L * eta**2 / 2) * g.joint2(t) + eta * g.similar(t)
    right += L * eta**2 * g.n * g.sigma**2 / 2
    if line == 1:

        def apart(p: Path, i: int, j: int) -> Fraction:
            return (g.slope(i, p.model[t][i]) - g.slope(i, p.model[t][j])) ** 2

        def moved(p: Path) -> Fraction:
            rows = g.weights[t]
            first = [
                [int(j == next(k for k in g.clients if r[k])) for j in g.clients] for r in rows
            ]
            used: Any = first if fixed else rows
            return sum(
                (used[i][j] * apart(p, i, j) for i in g.clients for j in g.clients), Fraction(0)
            )

        right += eta * g.mean(moved)
    else:
        past = sum((eta**2 * g.similar(s) for s in range(t)), Fraction(0))
        right += eta * L**2 * (past + 2 * g.n * t * eta**2 * g.sigma**2)
    return g.legal() and g.losses(t + later) - g.losses(t) > right


def _theorem2(raw: Raw, averaged: bool, divided: bool = False) -> bool:
    """(26); ``divided`` with 1/xi_T before its last sum, as (41) gives it."""
    g = Groups(raw, averaged)
    s = g.sums()
    xi = s["xi"]
    right = (2 * (s["S1"] + s["S2"] + s["S3"]) + s["noise"]) / xi
    right += 4 * s["late"] / (xi if divided else 1)
    return g.legal() and s["left"] / xi > right


def _recalled(raw: Raw, averaged: bool) -> bool:
    """(42) to (44)."""
    g = Groups(raw, averaged)
    s = g.sums()
    return g.legal() and s["left"] > 2 * s["S1"] + s["S2"] + s["S3"] + s["noise"] + s["late"]


def _eq41(raw: Raw, averaged: bool) -> bool:
    g = Groups(raw, averaged)
    s = g.sums()
    right = s["S1"] + s["S2"] + s["S3"] + s["noise"] / 2 + 2 * s["late"]
    return g.legal() and s["left"] / 2 > right


def _limit(raw: Raw, value: Callable[[Mapping[str, Any], Fraction], Fraction]) -> bool:
    """Steps c/(t + 2) meet what is asked of them; the ratio never falls below its value at T = 2.

    sum_t eta^t A_t/xi_T with A_t that grow is a mean whose weights move to later times.
    """
    p = _params(raw)
    steps = [p["step_size"] / 2, p["step_size"] / 3]
    late = steps[1] * steps[0] ** 2 / sum(steps)
    fair = min(p["step_size"], p["similarity"], p["variance"], p["curvature"]) > 0
    return fair and steps[0] * p["curvature"] < 1 and value(p, late) > 0


def _stationary(raw: Raw) -> bool:
    """Two parabolas in one group: at no common model both gradients vanish."""
    p = _params(raw)
    m = p["optimum"]
    middle = (m[0] + m[1]) / 2
    least = sum((p["curvature"] * (middle - x)) ** 2 for x in m)
    return p["curvature"] > 0 and least > 0


# -- partition -------------------------------------------------------------------------------------


def _utility(group: tuple[int, ...], g: Any, size: Any, alpha: Fraction) -> Fraction:
    """Sum of (9) over a group, without beta."""
    total = sum(size[k] for k in group)
    mean = [sum(size[k] * g[k][x] for k in group) / total for x in range(len(g[0]))]
    value = Fraction(0)
    for k in group:
        inner = sum(a * b for a, b in zip(g[k], mean, strict=True))
        square = sum(a * a for a in g[k]) * sum(a * a for a in mean)
        assert square > 0
        value += -alpha / total + inner / _root(square)
    return value


def _two(raw: Raw) -> tuple[Any, ...]:
    p = _params(raw)
    assert p["N"] == 2
    size = [s * p.get("stretch", 1) for s in p["size"]]
    g, alpha = p["gradient"], p["tradeoff"]
    apart = _utility((0,), g, size, alpha) + _utility((1,), g, size, alpha)
    return p, size, apart, _utility((0, 1), g, size, alpha)


def _after_merge(raw: Raw) -> bool:
    """Two clients and a merge that pays nothing: Algorithm 2 makes it before it asks."""
    p, size, apart, together = _two(raw)
    return min(size) >= 1 and p["tradeoff"] > 0 and apart >= together


def _falls(raw: Raw) -> bool:
    p, size, apart, together = _two(raw)
    return min(size) >= 1 and p["tradeoff"] > 0 and apart > together


LISTED = {(4, 2): (((1, 7), (-3, -3), (-2, -1), (5, -7)), (6, 3, 8, 7), 6)}
"""Gradients, sizes and alpha of the clients that a witness names by two numbers."""


def _kept(raw: Raw) -> bool:
    """Some merge lowers the total, however indices move up and wherever the criterion is asked."""
    p = _params(raw)
    if (p["N"], p["example"]) not in LISTED:
        return False
    rows, counts, tradeoff = LISTED[(p["N"], p["example"])]
    g = [[Fraction(x) for x in row] for row in rows]
    size = [Fraction(n) for n in counts]

    def utility(group: tuple[int, ...]) -> Fraction:
        return _utility(tuple(sorted(group)), g, size, Fraction(tradeoff))

    assert all(isinstance(raw[side], dict) for side in ("left", "right"))
    told = [sum(map(Fraction, raw[side]["ball"])) / 2 for side in ("left", "right")]
    for moves_up, asks_first in product((False, True), repeat=2):
        steps = merges(len(g), utility, moves_up, asks_first)
        worst = min(steps, key=lambda step: step[1] - step[0])
        if not worst[1] < worst[0] - Fraction(1, 10**20):
            return False
        if any(abs(a - b) > Fraction(1, 10**12) for a, b in zip(worst, told, strict=True)):
            return False
    return True


def _kmeans(raw: Raw) -> bool:
    """Three clients of one size into two groups, alpha = 0: the pair of both problems."""
    p = _params(raw)
    g, size = p["gradient"], [Fraction(1)] * 3
    pairs = [((0, 1), 2), ((0, 2), 1), ((1, 2), 0)]

    def within(pair: tuple[int, int]) -> Fraction:
        a, b = (g[k] for k in pair)
        return sum(((x - y) ** 2 for x, y in zip(a, b, strict=True)), Fraction(0)) / 2

    nearest = min(pairs, key=lambda pair: within(pair[0]))
    value = {p: _utility(p, g, size, Fraction(0)) for p, _ in pairs}
    alone = sum(within(p) == within(nearest[0]) for p, _ in pairs) == 1
    return alone and max(value.values()) > value[nearest[0]] + Fraction(1, 10**20)


# -- numbers that are printed ----------------------------------------------------------------------

TABLE2 = {1: ("49.90", "49.40", "31.32", "43.05", "8.33")}
"""Global training in Table 2: three errors, mean, standard deviation."""


def _told(raw: Raw, left: Fraction, right: Fraction) -> bool:
    """The witness of what is printed has no instance but these numbers."""
    return (number(raw["left"]), number(raw["right"])) == (left, right)


def _table2(raw: Raw, of: str) -> bool:
    *clients, mean, spread = map(Fraction, TABLE2[int(_params(raw)["row"])])
    own = sum(clients) / 3
    variance = sum((x - own) ** 2 for x in clients) / 3
    left, right = variance, (spread + Fraction(2, 100)) ** 2
    if of == "mean":
        left, right = abs(own - mean), Fraction(1, 100)
    return left > right and _told(raw, left, right)


def _best(raw: Raw) -> bool:
    """In (1,2) client 2 has 25.28, alone 25.12."""
    p = _params(raw)
    left, right = Fraction("25.28"), Fraction("25.12")
    return (p["row"], p["client"]) == (0, 1) and left > right and _told(raw, left, right)


def _cifar(raw: Raw) -> bool:
    """HCCT 34.51, Independent 34.47."""
    p = _params(raw)
    left, right = Fraction("34.51"), Fraction("34.47")
    return (p["data"], p["row"]) == ("cifar", 0) and left > right and _told(raw, left, right)


# -- counts and the proxy --------------------------------------------------------------------------


def _cosines(raw: Raw) -> bool:
    """The benefit of each pair needs two cosines, of either client with their mean."""
    n = Fraction(_params(raw)["N"])
    return n > 1 and _told(raw, n * (n - 1), n * (n - 1) / 2)


def _cost(raw: Raw) -> bool:
    """A gradient at the models of the epoch, before its Q steps."""
    p = _params(raw)
    left, right = Fraction(p["N"] * (p["Q"] + 1)), Fraction(p["N"] * p["Q"])
    return left > right and _told(raw, left, right)


def _proxy(raw: Raw) -> bool:
    """Two clients of one size with gradients w - E z of one sign: the cosine is 1."""
    p = _params(raw)
    n = int(p["n"])
    places = [p["first"] + sum(p["step"][:k]) for k in range(n)]
    laws = [[m / sum(mass) for m in mass] for mass in (p["mass"], p["other"])]
    slopes = [p["model"] - sum(a * b for a, b in zip(q, places, strict=True)) for q in laws]
    apart = sum(abs((a + b) / 2 - a) for a, b in zip(*laws, strict=True))
    fair = min(*p["mass"], *p["other"], *p["step"]) > 0
    return bool(fair and slopes[0] * slopes[1] > 0 and apart > 0)


OWN, BOX = "clients keep their models, (39)", "members are averaged, Algorithm 1, line 16"
_37 = {
    "unbiased": (_slopes, "(37), a: the step has the mean direction of the gradients at w^t"),
    "split": (_split, "(37): second moment = square of the mean + deviation"),
    "noise": (_deviation, "(37), b: E|sum a (grad J - g)|^2 <= sigma^2"),
}
_39 = {
    "f": "(39), f: squares of a sum over epochs are at most the sum of the squares",
    "g": "(39), g: variance",
    "h": "(39), h: gradients of two clients at one model against kappa_iz",
}

JUDGES: tuple[Judge, ...] = (
    Judge("hcct.theorem1@bounded+loss", "(7), risks of (1)", _offset),
    Judge("hcct.theorem1@bounded+error", "(7), risks of (35)", _tilted),
    Judge("hcct.eq35@bounded+loss", "(35), risks of (3)", _offset),
    Judge("hcct.eq35@bounded+error", "(35) as printed", _tilted),
    Judge("hcct.eq34@integral", "(34), d_1 in L1", partial(_eq34, measure="l1")),
    Judge(
        "hcct.eq34@h-divergence",
        "(34), d_1 of thresholds",
        partial(_eq34, measure="h_divergence"),
    ),
    Judge("hcct.thm1.chain/c", "(33), c: signed difference of labels", _labels),
    Judge("hcct.thm1.chain/e@integral", "(33), e", partial(_weighted, measure="l1")),
    Judge(
        "hcct.thm1.chain/e@h-divergence",
        "(33), e, thresholds",
        partial(_weighted, measure="h_divergence"),
    ),
    Judge("hcct.thm1.chain/other", "text after (33): E_i in place of E_G", _other),
    Judge(
        "hcct.remark1/samples@measured",
        "Remark 1: the test error decreases with more samples",
        _more_samples,
    ),
    Judge(
        "hcct.remark1/divergence@measured",
        "Remark 1: the test error decreases with smaller d_1",
        _closer,
    ),
    Judge("hcct.lemma1/sum@own-models", f"(36), {OWN}", partial(_lemma1, averaged=False)),
    Judge("hcct.lemma1/sum@algorithm", f"(36), {BOX}", partial(_lemma1, averaged=True)),
    Judge(
        "hcct.lemma1/square@algorithm",
        f"(37): w^(t+1) - w^t is -eta sum a g; {BOX}",
        partial(_display37, averaged=True, fails=_squares),
    ),
    *(
        Judge(
            f"hcct.lemma1/{part}@{models}",
            words,
            partial(_display37, averaged=models == "algorithm", fails=fails),
        )
        for part, (fails, words) in _37.items()
        for models in ("own-models", "algorithm")
    ),
    Judge("hcct.eq38/d@fixed-j", "(38), d, with j as printed outside the sum", _fixed_index),
    *(
        Judge(
            f"hcct.eq39/{part}@{models}",
            words,
            partial(_eq39, averaged=models == "algorithm", part=part),
        )
        for part, words in _39.items()
        for models in ("own-models", "algorithm")
    ),
    *(
        Judge(
            f"hcct.eq39/{part}@{models}+{epoch}",
            f"(39), {part}, with w_i^{'(t+1)' if later else 't'} on the left",
            partial(_eq39, averaged=models == "algorithm", part=part, later=later),
        )
        for part, epoch, later in (
            ("e", "misplaced", 1),
            ("whole", "misplaced", 1),
            ("whole", "in-place", 0),
        )
        for models in ("own-models", "algorithm")
    ),
    *(
        Judge(
            f"hcct.eq40/first@{models}+{index}+{epoch}",
            f"(40), first line, J_i(w_i^{'(t+1)' if later else 't'}) on the left",
            partial(
                _eq40,
                averaged=models == "algorithm",
                line=1,
                later=later,
                fixed=index == "fixed-j",
            ),
        )
        for models, epoch, later in (
            ("own-models", "misplaced", 0),
            ("algorithm", "misplaced", 0),
            ("algorithm", "in-place", 1),
        )
        for index in ("summed-j", "fixed-j")
    ),
    *(
        Judge(
            f"hcct.eq40/second@{models}+{epoch}",
            f"(40), second line, J_i(w_i^{'(t+1)' if later else 't'}) on the left",
            partial(_eq40, averaged=models == "algorithm", line=2, later=later),
        )
        for models in ("own-models", "algorithm")
        for epoch, later in (("misplaced", 0), ("in-place", 1))
    ),
    *(
        Judge(
            f"hcct.theorem2@{models}+{last}",
            f"(26), its last sum {last}",
            partial(_theorem2, averaged=models == "algorithm", divided=last == "divided"),
        )
        for models in ("own-models", "algorithm")
        for last in ("undivided", "divided")
    ),
    Judge(
        "hcct.corollary1/recalled@own-models",
        f"(42)-(44), {OWN}",
        partial(_recalled, averaged=False),
    ),
    Judge(
        "hcct.corollary1/recalled@algorithm", f"(42)-(44), {BOX}", partial(_recalled, averaged=True)
    ),
    Judge(
        "hcct.corollary1/S2",
        "(46): S_2/xi_T tends to 0; one fixed group, the same number for all T",
        partial(_limit, value=lambda p, late: p["similarity"]),
    ),
    Judge(
        "hcct.corollary1/S3",
        "S_3/xi_T tends to 0",
        partial(_limit, value=lambda p, late: p["curvature"] ** 2 * p["similarity"] * late),
    ),
    Judge(
        "hcct.corollary1/S4",
        "S_4/xi_T tends to 0",
        partial(_limit, value=lambda p, late: p["curvature"] ** 2 * p["variance"] * late),
    ),
    Judge("hcct.corollary1/stationary", "Corollary 1: all models become stationary", _stationary),
    Judge("hcct.eq41@own-models", f"(41), {OWN}", partial(_eq41, averaged=False)),
    Judge("hcct.eq41@algorithm", f"(41), {BOX}", partial(_eq41, averaged=True)),
    Judge("hcct.claim.degInd/threshold@after-merge", "Section 5.1: K = N", _after_merge),
    Judge(
        "hcct.claim.degInd/data@after-merge", "Section 5.1: K = N with enough data", _after_merge
    ),
    Judge(
        "hcct.claim.stepincrease/increase@renewed+after-merge",
        "Section 5: a merge increases the objective",
        _falls,
    ),
    Judge(
        "hcct.claim.stepincrease/increase@kept",
        "Section 5: a merge increases the objective; Algorithm 2, line 6: what is recorded is kept",
        _kept,
    ),
    Judge("hcct.claim.kmeans/variance@given-K", "Section 4.2: alpha = 0 is k-means", _kmeans),
    Judge("hcct.claim.gradproxy/limit", "Section 4.2: a cosine of 1 means one law", _proxy),
    Judge("hcct.claim.complexity/first@cosines", "Section 5.1: N (N - 1)/2 cosines", _cosines),
    Judge("hcct.claim.servercost@current", "Section 5.1: no cost for clients", _cost),
    Judge("hcct.exp.table2/mean", "Table 2: column of means", partial(_table2, of="mean")),
    Judge("hcct.exp.table2/std", "Table 2: column of deviations", partial(_table2, of="std")),
    Judge("hcct.exp.table2/each@means", "Section 1: all clients at their best in (1,2)", _best),
    Judge("hcct.exp.abstract/better@means", "Abstract: better than the baselines", _cifar),
)
