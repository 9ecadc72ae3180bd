"""Exactly known learning problems behind the generalisation bound.

Labels on a few atoms, for the deterministic chain; sample means of coins, whose law of the
empirical risk minimiser is binomial, for what holds with a probability.
"""

from __future__ import annotations

from math import comb

import numpy as np

from bounds import generic as xp
from bounds.numbers.recording import recordable
from verify.claim import Array, Hypothesis, Real, hypothesis, numbers
from verify.statements.hcct.quantities.symbols import LEVEL
from verify.terms.vocabulary import quantity
from verify.world.world import World

DELTA = (
    Hypothesis("delta > 0", r"\delta>0", lambda w: w.level, "Theorem 1", strict=True),
    Hypothesis("delta < 1", r"\delta<1", lambda w: 1 - w.level, "Theorem 1", strict=True),
)

_EACH = Real(0, 1, per=("n",))
_VALUE = Real(-2, 2, per=("n",))
LABEL_SHAPES = (
    {"n": 1, "seen": 1},
    {"n": 2, "seen": 2},
    {"n": 2, "seen": 1},
    {"n": 3, "seen": 2},
)
_LAWS = {"mass": _EACH, "other": _EACH, "part": Real(1 / 16, 1, domain=(0, 1))}
LABELS = numbers(
    {**_LAWS, "own": _VALUE, "group": _VALUE, "model": _VALUE},
    *LABEL_SHAPES,
    about="laws on up to three atoms, any labels and predictions",
)
"""Masses of client i (on the first ``seen`` atoms) and of the rest of its group, the part of its
samples in the group, the values of f_i, f_G and h."""
UNIT_LABELS = numbers(
    {**_LAWS, "own": _EACH, "group": _EACH, "model": _EACH},
    *LABEL_SHAPES,
    about="laws on up to three atoms, labels and predictions in [0, 1]",
)


@hypothesis("outputs in [0, 1]", r"0\le h,f_i,f_{G_i}\le1")
def in_unit(w: World) -> Array:
    """Equation 33 bounds |h - f_i| by one; no range of outputs is printed."""
    values = xp.stack([w.own, w.group, w.model], -1)
    return xp.stack([values, 1 - values], -1)


@quantity
def seen_atoms(w: World) -> Array:
    """1 of the atoms on which client i has data, 0 of the others, (n,)."""
    n, seen = int(w.original("n")), int(w.original("seen"))
    return w.array([int(j < seen) for j in range(n)])


class Labels:
    """Laws and labels of one world; with ``exact`` f_G and f_i agree where client i has data."""

    def __init__(self, w: World, exact: bool) -> None:
        first = seen_atoms(w)
        mass = w.mass * first
        self.own_law = mass / xp.total(mass)[..., None]
        other = w.other / xp.total(w.other)[..., None]
        part = w.part[..., None]
        self.group_law = part * self.own_law + (1 - part) * other
        self.own = w.own
        self.model = w.model
        self.group = first * w.own + (1 - first) * w.group if exact else w.group

    def own_error(self) -> Array:
        """E_i|h - f_i|."""
        return xp.total(self.own_law * xp.absolute(self.model - self.own))

    def group_error(self, labels: Array | None = None) -> Array:
        """E_G|h - f|, by default of f_G."""
        gap = xp.absolute(self.model - (self.group if labels is None else labels))
        return xp.total(self.group_law * gap)

    def shifts(self) -> tuple[Array, Array]:
        """E_i[f_G - f_i] and E_G[f_G - f_i], signed as printed."""
        gap = self.group - self.own
        return xp.total(self.own_law * gap), xp.total(self.group_law * gap)

    def printed_lambda(self) -> Array:
        """The smaller of the two."""
        first, second = self.shifts()
        return (first + second - xp.absolute(first - second)) / 2

    def distance(self) -> Array:
        """d_1, the L1 distance of the laws of x."""
        return xp.total(xp.absolute(self.group_law - self.own_law))


LAWS_EXIST = (
    Hypothesis(
        "own law",
        r"\mathcal P_i=m/\textstyle\sum_{\mathbf x}m(\mathbf x),\ \sum_{\mathbf x}m(\mathbf x)>0",
        lambda w: xp.total(w.mass * seen_atoms(w)),
        strict=True,
        defining=True,
    ),
    Hypothesis(
        "other law",
        r"\mathcal P_{G_i\setminus\{i\}}=m'/\textstyle\sum_{\mathbf x}m'(\mathbf x),\ \sum_{\mathbf x}m'(\mathbf x)>0",
        lambda w: xp.total(w.other),
        strict=True,
        defining=True,
    ),
)


@hypothesis(
    "labels agree on the data of client i",
    r"f_{G_i}(\mathbf x)=f_i(\mathbf x)\ \text{wherever}\ \mathcal P_i(\mathbf x)>0",
    where="Equations 2, 29 and 30",
)
def _labels_agree(w: World) -> Array:
    known = Labels(w, True)
    return -xp.total(known.own_law * xp.absolute(known.group - known.own))


LABELS_EXACT = (*LAWS_EXIST, _labels_agree)
"""On the data of client i both labelling functions give y."""


@quantity
def sample_mean(w: World) -> Array:
    """Mean of n coins, (1, n + 1), and the binomial weights as those of the outcomes."""
    n = int(w.original("n"))
    w.outcome_weights = _binomial(w.original("chance"), n)
    w.outcome_names = [f"{k} of {n} coins are 1" for k in range(n + 1)]
    return w.array(list(range(n + 1)))[None] / n


@quantity
def fair_signs(w: World) -> Array:
    """Mean of n fair signs, (1, n + 1)."""
    n = int(w.original("n"))
    w.outcome_weights = _binomial((0 * w.original("level") + 1) / 2, n)
    w.outcome_names = [f"{k} of {n} signs are +1" for k in range(n + 1)]
    return w.array([2 * k - n for k in range(n + 1)])[None] / n


def coin_risk(model: Array, chance: Array, convexity: Array) -> Array:
    """mu/2 E(w - z)^2 = mu/2 ((w - p)^2 + p (1 - p))."""
    return convexity * ((model - chance) ** 2 + chance * (1 - chance)) / 2


SLOPE_BOX = {
    "chance": Real(0, 1, domain=(0, 1)),
    "slope": Real(-4, 4, unit=(1, -1)),
    "slope2": Real(-4, 4, unit=(1, -1)),
    "radius": Real(1 / 64, 8, unit=(0, 1), log=True),
    "convexity": Real(1 / 64, 8, unit=(1, -2), log=True),
    "level": LEVEL,
}


class Slopes:
    """Loss s w + mu w^2/2 on |w| <= r, s one of two slopes; one or two clients with their chances.

    Means of coins are the slopes -+ mu/2 with r = 1/2.  The minimiser of a sample is minus its mean
    slope over mu, cut at r; L is the larger slope plus mu r.
    """

    def __init__(self, w: World) -> None:
        self._w = w
        steepest = xp.maximum(xp.absolute(w.slope), xp.absolute(w.slope2))
        self.lipschitz = steepest + w.convexity * w.radius

    def mean(self, chance: Array) -> Array:
        """Mean slope if the first one has this chance."""
        return chance * self._w.slope + (1 - chance) * self._w.slope2

    def best(self, mean: Array) -> Array:
        """Minimiser of mean w + mu w^2/2."""
        w = self._w
        reach = w.radius + 0 * mean
        return xp.minimum(xp.maximum(-mean / w.convexity, -reach), reach)

    def risk(self, model: Array, mean: Array) -> Array:
        """Mean loss."""
        return mean * model + self._w.convexity * model**2 / 2

    def mean_excess(self, n: int) -> Array:
        """Mean over n samples of the excess risk of their minimiser, (B, 1)."""
        mean = self.mean(self._w.chance)
        share = _shares(self._w, n)
        risk = self.risk(self.best(self.mean(share)), mean)
        known = _binomial(self._w.chance, n) * (risk - self.risk(self.best(mean), mean))
        return xp.total(known)[..., None]

    def trained(self) -> Array:
        """Minimiser of every sample of one client, (1, n + 1), or of two clients pooled."""
        return self.best(self.mean(_first_slopes(self._w)))


@quantity
def _shares(w: World, n: int) -> Array:
    """0, 1/n, ..., 1, (1, n + 1)."""
    return w.array(list(range(n + 1)))[None] / n


@quantity
def _first_slopes(w: World) -> Array:
    """Share of the samples with the first slope in every outcome, (1, outcomes); their weights are
    those of the outcomes."""
    n = int(w.original("n"))
    others = int(w.original("others")) if w.has("others") else 0
    weights = _binomial(w.original("chance"), n)
    if others:
        second = _binomial(w.original("chance2"), others)
        joint = weights[..., :, None] * second[..., None, :]
        weights = joint.reshape((*joint.shape[:-2], -1))
    w.outcome_weights = weights
    pairs = [(j, k) for j in range(n + 1) for k in range(others + 1)]
    more = [f" and {k} of {others}" if others else "" for k in range(others + 1)]
    w.outcome_names = [f"{j} of {n}{more[k]} samples have the first slope" for j, k in pairs]
    return w.array([j + k for j, k in pairs])[None] / (n + others)


@recordable
def _binomial(chance: Array, n: int) -> Array:
    """Weights of k successes, (B, n + 1)."""
    columns = [comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)]
    return np.asarray(xp.stack(columns, -1))[..., 0, :]
