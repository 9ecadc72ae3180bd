"""Two more readings of Theorem 1 and Equation 35: the absolute error as the loss, losses on R^M.

Equation 35 writes the risk of the group as E|h - f_G|, which is the mean loss of Equation 3 where
the loss is |h - y| and Equation 30 gives y = f_G(x).  The domain of the models is R^M in Equations
1 and 3, where no loss is both strongly convex and Lipschitz.
"""

from __future__ import annotations

from typing import Any

from bounds import generic as xp
from bounds import hcct_generalization as closed
from verify.claim.parameters import Real
from verify.claim.statement import Statement, Terms
from verify.statements.hcct import laws
from verify.statements.hcct.common import CURVATURE, LEVEL, numbers, source
from verify.statements.hcct.laws import EXIST, LABEL_BOX, LABEL_SHAPES, LEVELS, Labels, level_given
from verify.world.world import World

Array = Any

# -- the loss is |h - y| -----------------------------------------------------------------------

ABSOLUTE = numbers(
    {**LABEL_BOX, "slope": Real(1 / 64, 4, unit=(0, -1), log=True),
     "radius": Real(1 / 64, 1, unit=(0, 1), log=True),
     "convexity": Real(1 / 64, 8, unit=(0, -2), log=True), "level": LEVEL,
     "samples": Real(1, 4096, log=True)},
    *LABEL_SHAPES, about="loss |h - y|, outputs in [0, 1], laws on up to three atoms, labels of (29), (30)",
)  # fmt: skip


def _client_error(w: World) -> tuple[Terms, Terms]:
    """h(x; w) = f_G(x) +- (s |w| + mu w^2/2) on |w| <= r, the sign such that outputs are in [0, 1].

    |h - y| is mu-strongly convex in w and L-Lipschitz, L = s + mu r.  By (30) it vanishes at w = 0
    on every sample, so that w = 0 is the minimiser of every pooled sample and h = f_G.  The group
    holds the data of client i, on which both labelling functions give y: the left side is 0.
    d_1 is the L1 distance of the laws of x; lambda, as printed, is at least minus the mass that the
    group has elsewhere, at most half of d_1.
    """
    known = Labels(w, True)
    known.model = known.group
    lipschitz = w.slope + w.convexity * w.radius
    bound = closed.estimation_upper(lipschitz, w.convexity, w.samples, w.level)
    first, second = known.shifts()
    shift = (first + second - xp.absolute(first - second)) / 2
    distance = xp.total(xp.absolute(known.group_law - known.own_law))
    return {"E_i|h - f_i|": known.own_error()}, {
        "4 L^2/(delta mu D)": bound, "d1": distance, "lambda": shift
    }


def _absolute_given(w: World) -> Terms:
    reach = w.slope * w.radius + w.convexity * w.radius**2 / 2
    return {**laws.labels_exact(w), **level_given(w), "outputs in [0, 1]": 1 - 2 * reach}


MODELS = numbers(
    {"error": Real(0, 4), "distance": Real(0, 4, unit=(0, 1)), "level": LEVEL,
     "lipschitz": Real(1 / 8, 8, unit=(0, -1), log=True),
     "convexity": Real(1 / 8, 8, unit=(0, -2), log=True), "samples": Real(1, 512, log=True)},
    about="any loss |h - y| with labels of (30): error and distance of the trained model",
)  # fmt: skip


def _group_error(w: World) -> tuple[Terms, Terms]:
    """Exact labels leave nothing to estimate: the trained model is that of (30), the error is 0.

    Its mean loss on the samples is at least 0, which the model of (30) reaches; strong convexity
    between the two leaves no distance, and the error is at most L times the distance.
    """
    return {"E_G|h - f_G|": w.error}, {
        "4 L^2/(delta mu D)": closed.estimation_upper(
            w.lipschitz, w.convexity, w.samples, w.level
        )
    }


def _trained(w: World) -> Terms:
    """The last one holds of any numbers; it is what a proof needs."""
    scale = w.level * w.convexity * w.samples
    return {
        **level_given(w), "strongly convex samples": -w.convexity * w.distance**2 / 2,
        "L-Lipschitz": w.lipschitz * w.distance - w.error,
        "a square": (8 * w.lipschitz - scale * w.distance) ** 2,
    }  # fmt: skip


_CERTAIN: dict[str, Any] = {
    "over": "point", "delta": None, "title": "generalisation: loss |h - y|",
}  # fmt: skip
"""Nothing depends on the sample: what holds with probability 1 - delta > 0 holds."""


# -- losses on R^M -----------------------------------------------------------------------------

SPACE = numbers(
    {"chance": Real(0, 1), "convexity": CURVATURE, "level": LEVEL,
     "lipschitz": Real(1 / 64, 64, unit=(1, -1), log=True),
     "reach": Real(1 / 64, 64, unit=(0, 1), log=True)},
    {"n": 1}, {"n": 4}, about="means of coins, models on the whole line, any L",
)  # fmt: skip


def _rise(w: World) -> Array:
    """l(z + reach; z) - l(z; z) of the loss mu (w - z)^2/2."""
    return w.convexity * w.reach**2 / 2


def _everywhere(w: World) -> Terms:
    """The loss is L-Lipschitz on the whole line, so between two points 4 L/mu apart too."""
    return {
        **level_given(w), "L-Lipschitz between two points": w.lipschitz * w.reach - _rise(w),
        "the points are far": w.convexity * w.reach - 4 * w.lipschitz,
    }  # fmt: skip


def _on_the_line(w: World) -> tuple[Terms, Terms]:
    """One client; the loss mu (w - z)^2/2 at any w, L bounding its slope everywhere."""
    risk = laws.coin_risk(laws.sample_mean(w), w.chance, w.convexity)
    n = int(w.original("n")) + 0 * w.level
    return {"risk": risk}, {
        "4 L^2/(delta mu n)": closed.estimation_upper(w.lipschitz, w.convexity, n, w.level)
    }


_EMPTY = numbers(
    {"convexity": CURVATURE, "lipschitz": Real(1 / 8, 8, unit=(1, -1), log=True),
     "reach": Real(1 / 8, 8, unit=(0, 1), log=True), "rise": Real(1 / 8, 8, unit=(1, 0), log=True)},
    about="L, mu and two points",
)  # fmt: skip


def _contradiction(w: World) -> Terms:
    return {
        "strong convexity from the minimiser": w.rise - w.convexity * w.reach**2 / 2,
        "L-Lipschitz between two points": w.lipschitz * w.reach - w.rise,
        "the points are far": w.convexity * w.reach - 4 * w.lipschitz,
    }


def _falsehood(w: World) -> tuple[Terms, Terms]:
    """A loss that is mu-strongly convex and L-Lipschitz on R^M does not exist.

    Proof. At distance d = 4 L/mu from its minimiser such a loss has risen by at least
    mu d^2/2 = 8 L^2/mu, and by at most L d = 4 L^2/mu.
    """
    return {"1": 1}, {"0": 0}


def _scalars(w: World) -> dict[str, Any]:
    """Scalars of the contradiction in an instance of the theorem."""
    return {
        "convexity": w.convexity, "lipschitz": w.lipschitz, "reach": w.reach, "rise": _rise(w)
    }  # fmt: skip


def readings(name: str, common: dict[str, Any]) -> tuple[Statement, ...]:
    """The two readings of Theorem 1 or Equation 35; ``common`` is what the others share."""
    absolute: dict[str, Any] = {"family": MODELS, "given": _trained, "sides": _group_error}
    if name == "theorem1":
        absolute = {
            "family": ABSOLUTE, "given": _absolute_given, "sides": _client_error,
            "strict": LEVELS | EXIST,
        }  # fmt: skip
    return (
        Statement(key=f"hcct.{name}@absolute-loss", **{**common, **_CERTAIN, **absolute}),
        Statement(
            key=f"hcct.{name}@whole-space", family=SPACE, sides=_on_the_line, given=_everywhere,
            **{**common, "title": "generalisation: models in all of R^M"},
        ),
    )  # fmt: skip


def empty(name: str, where: str) -> Statement:
    """The emptiness proof for the reading on the whole space."""
    return Statement(
        key=f"hcct.{name}.empty", source=source(where), form="empty", latex=r"1\le0",
        title="no strongly convex loss is Lipschitz on the whole space", family=_EMPTY,
        sides=_falsehood, given=_contradiction, empties=f"hcct.{name}@whole-space", lift=_scalars,
    )  # fmt: skip


STATEMENTS = (empty("theorem1", "Theorem 1"), empty("eq35", "Equation 35"))
