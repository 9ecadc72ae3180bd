"""Second encodings of the main results of "How to Collaborate": Theorem 1, and the rest.

(7) is a sentence about every strongly convex loss; each world names the numbers of one, and says in
words what they are. The expected loss is that of (1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import comb
from typing import Any

from bounds import generic as xp
from tests.qa.second_encodings.hcct import lemma1, training
from tests.qa.second_encodings.record import Second


def _binomial(w: Any, chance: Any) -> Any:
    """Number of successes of n draws, (1, R), its chances kept as the outcomes' weights."""
    n = int(w.n)
    weights = [comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)]
    w.outcome_weights = xp.stack([x[..., 0] for x in weights], -1)
    return w.array([list(range(n + 1))])


def _estimation(w: Any, lipschitz: Any, samples: Any) -> dict[str, Any]:
    """4 L^2 / (delta mu D)."""
    return {"estimation": 4 * lipschitz**2 / (w.level * w.convexity * samples)}


def _coins(w: Any) -> Any:
    """l(h, y) = mu (h - y)^2 / 2 with labels 0 and 1; the pooled minimiser is the share of ones."""
    model = _binomial(w, w.chance) / w.array(int(w.n))
    risk = w.convexity / 2 * ((model - w.chance) ** 2 + w.chance * (1 - w.chance))
    steep = w.lipschitz if w.has("lipschitz") else w.convexity
    return {"risk": risk}, _estimation(w, steep, int(w.n))


def _offset(w: Any) -> Any:
    """l(h, y) = c + mu (h - y)^2 / 2 with all labels 0, |h| <= radius: the minimiser is right."""
    return {"risk": w.offset}, _estimation(w, w.convexity * w.radius, int(w.n))


def _tilted(w: Any) -> Any:
    """l(h) = t s h + mu h^2 / 2 with a fair sign s and the right label 0, |h| <= radius."""
    half = (0 * w.tilt + w.array(1)) / 2
    signs = (2 * _binomial(w, half) - int(w.n)) / w.array(int(w.n))
    model = -w.tilt * signs / w.convexity
    model = xp.maximum(-w.radius, xp.minimum(w.radius, model))
    lipschitz = w.tilt + w.convexity * w.radius
    return {"risk": w.convexity * model**2 / 2}, _estimation(w, lipschitz, int(w.n))


def _labelled(w: Any) -> Any:
    """l = |h - y| of a model that errs nowhere in the group: h = f_G.

    The client's law has the given masses, the group's is a mixture of it and another one on the
    atoms that are seen; the loss rises with the model by slope |w| + mu w^2 / 2, |w| <= radius.
    """
    mine = w.mass / w.mass.sum(-1)[..., None]
    seen = w.array([1 if k < int(w.seen) else 0 for k in range(int(w.n))])
    other = w.other * seen
    other = other / other.sum(-1)[..., None]
    pooled = w.part[..., None] * mine + (1 - w.part[..., None]) * other
    apart = w.group - w.own
    rise = xp.minimum((mine * apart).sum(-1), (pooled * apart).sum(-1))
    lipschitz = w.slope + w.convexity * w.radius
    return {"risk": (mine * xp.absolute(apart)).sum(-1)}, {
        **_estimation(w, lipschitz, w.samples),
        "d_1": xp.absolute(pooled - mine).sum(-1),
        "lambda": rise,
    }


def theorem1(w: Any) -> Any:
    """(7) inside its event."""
    for name, sides in (("offset", _offset), ("tilt", _tilted), ("slope", _labelled)):
        if w.has(name):
            return sides(w)
    return _coins(w)


def _level(w: Any) -> Any:
    return w.level


def _steep(w: Any) -> Any:
    """Where L is named: the slope of the loss at a model that is 2 L/mu off its label."""
    if not w.has("lipschitz"):
        return 0 * w.level
    return w.lipschitz - w.convexity * (2 * w.lipschitz / w.convexity)


GIVEN: dict[str, Callable[[Any], Any]] = {
    "delta is positive": _level,
    "delta is below one": lambda w: 1 - w.level,
    "the loss is Lipschitz as far as one looks": _steep,
}
ENCODINGS: dict[str, Second] = {
    "hcct.theorem1": Second(
        sides=theorem1,
        given=GIVEN,
        strict=frozenset({"delta is positive", "delta is below one"}),
        over="prob",
        delta=_level,
        words="Theorem 1 (7): with probability 1 - delta, the risk of a client is at most "
        "4 L^2/(delta mu D) + d_1 + lambda, for a mu-strongly convex, L-Lipschitz loss.",
        open_places="The risk is the expected loss (1) (other: the absolute error, as (33) has "
        "it); h is the pooled minimiser (other: any). d_1 is the L1 distance of the laws, lambda "
        "is signed as printed. Clients that train alone have d_1 = lambda = 0. What loss a world's "
        "numbers stand for is read off their names; the world of three atoms is a guess.",
    ),
    **lemma1.ENCODINGS,
    **training.ENCODINGS,
}


def _absolute(w: Any) -> Any:
    """(7) for the absolute error of (33), inside its event, in the worlds that have one."""
    if w.has("tilt"):
        half = (0 * w.tilt + w.array(1)) / 2
        signs = (2 * _binomial(w, half) - int(w.n)) / w.array(int(w.n))
        error = xp.minimum(xp.absolute(w.tilt * signs / w.convexity), w.radius)
        return {"error": error}, _estimation(w, w.tilt + w.convexity * w.radius, int(w.n))
    return theorem1(w)


def _atoms(w: Any) -> Any:
    return _same_labels(w) if w.has("seen") else theorem1(w)


def _same_labels(w: Any) -> Any:
    """The world of atoms as its builder has it: the client's law lives on the atoms that are seen,
    where the group's labels are its own; nothing is random."""
    seen = w.array([1 if k < int(w.seen) else 0 for k in range(int(w.n))])
    mine = w.mass * seen / (w.mass * seen).sum(-1)[..., None]
    pooled = w.part[..., None] * mine
    pooled = pooled + (1 - w.part[..., None]) * w.other / w.other.sum(-1)[..., None]
    apart = (1 - seen) * (w.group - w.own)
    lipschitz = w.slope + w.convexity * w.radius
    return {"error": (mine * xp.absolute(apart)).sum(-1)}, {
        **_estimation(w, lipschitz, w.samples),
        "d_1": xp.absolute(pooled - mine).sum(-1),
        "lambda": xp.minimum((mine * apart).sum(-1), (pooled * apart).sum(-1)),
    }


OTHERS: dict[str, dict[str, Second]] = {
    **lemma1.OTHERS,
    **training.OTHERS,
    "hcct.theorem1": {
        "absolute error": replace(ENCODINGS["hcct.theorem1"], sides=_absolute),
        "atoms": replace(ENCODINGS["hcct.theorem1"], sides=_atoms, over="point", delta=None),
    },
}
"""The absolute error in place of the expected loss; the world of atoms as it is meant."""
