"""Theorem 3: one iteration of generalised FedAvg, and what becomes of it without heterogeneity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from verify.claim.parameters import Family, Real
from verify.claim.statement import Statement, Terms
from verify.statements.aggregation.common import (
    EVERY,
    HETEROGENEOUS,
    best,
    distance,
    heterogeneous,
    measured,
    numbers,
    runs,
    short_steps,
    size,
    source,
)
from verify.statements.aggregation.families import returning, returning_size, returning_weights
from verify.world.world import World

Rule = Callable[[World], tuple[Terms, Terms]]

RULES = ("fedavg", "fedmax", "fedsoftmax", "fixed")
ONE_STEP = tuple(size(n, 1, 1, rule) for n in (1, 2) for rule in ("fedmax", "fixed"))
TWO_STEPS = tuple(size(2, 2, 2, rule) for rule in RULES)
STEPS = runs(*ONE_STEP, *TWO_STEPS, size(3, 2, 2, "fixed", quiet=True))
"""One iteration from a common model, and the second local step of a round."""

RETURNING = returning(returning_size(2, 1))
"""One round that ends where it began: rho-bar sees its ends, the second iteration its middle. With
the same steps every later round is the same, so that an endless horizon changes nothing."""

OUTLIER = runs(*(size(2, 2, 2, rule, quiet=True) for rule in ("fedmax", "fedavg")))
"""Two clients without noise; the second local step, where a rare client has led away."""

EQUATION = runs(*(size(2, 3, 2, rule, timing="equation", quiet=True) for rule in RULES))


def _right(w: World, before: Any, refined: bool = False) -> Terms:
    eta = w.step_sizes[..., w.at]
    common = (before, eta, w.mu, w.beta, w.G2)
    tail = (w.gap, w.low, w.high, w.local_steps)
    if refined:
        return closed.one_round_refined_upper(*common, *tail)
    return closed.one_round_upper(*common, w.sigma2_max, *tail)


def _theorem(w: World) -> tuple[Terms, Terms]:
    """Both sides in mean at iteration ``at``; the virtual average has the round's weights."""
    return {"E|w+ - w*|^2": distance(w, w.at + 1)}, _right(w, distance(w, w.at))


def _shares_between(w: World) -> tuple[Terms, Terms]:
    """Eq. 4 to the letter: between aggregations the virtual average has the weights p."""

    def point(t: int) -> Any:
        run = w.run()
        if t % w.local_steps == 0:
            return run.theta[..., t, :]
        return xp.total(w.client_weights[..., None] * run.models[..., t, :, :], axis=-2)

    before, after = (xp.squared_norm(point(t) - best(w)) for t in (w.at, w.at + 1))
    return {"E|w+ - w*|^2": after}, _right(w, before)


def _repaired(w: World) -> tuple[Terms, Terms]:
    """rho-bar and rho-tilde over all iterations, virtual averages included; eta_t <= 1/(4L).

    Proof. With w_t the average under the round's weights the expansion is exact; E A_2 = 0, A_4 is
    at most eta^2 sigma^2, A_3 and the cross term of A_1 cost 2 L eta^2 sum alpha x_i(w_t^i) each
    (Lemma 1), the spread 16 eta^2 E^2 G^2 (Lemma 2). The rest, A_5, is at most
    16 eta^2 E^2 G^2 - 2 eta (1 - 2 L eta)(1 - L eta) sum alpha x_i(w_t) + 2 eta sum alpha x_i(w*);
    the sums are at least rho-bar (F(w_t) - F* + Gamma) and at most rho-tilde Gamma, and
    (1 - 2 L eta)(1 - L eta) >= max(3/8, 1 - 3 L eta) for eta <= 1/(4L).
    """
    return _theorem(w)


def refined(w: World) -> tuple[Terms, Terms]:
    """Sharp constants, steps of any size that at most halve within a round.

    Proof. F_i(w_t) <= F_i(w_t^i) + <w_t - w_t^i, grad F_i(w_t^i)> + L/2 |w_t - w_t^i|^2 and strong
    convexity between w_t^i and w* give -2 eta <w_t - w*, sum alpha grad F_i(w_t^i)> <=
    -2 eta sum alpha (x_i(w_t) - x_i(w*)) - eta mu |w_t - w*|^2 + eta L (spread); the direction has
    second moment at most G^2, the spread is at most 4 eta^2 (E-1)^2 G^2, and the sum is at most
    -eta mu rho-bar |w_t - w*|^2 + 2 eta Gamma (rho-tilde - rho-bar). Equality for one client,
    E = 1 and mu = L. At E = 1 the noise term is 32 times smaller, and no step is too long.
    """
    return {"E|w+ - w*|^2": distance(w, w.at + 1)}, _right(w, distance(w, w.at), refined=True)


def short_given(w: World) -> Terms:
    return {**heterogeneous(w), "steps at most 1/(4L)": 1 - 4 * w.beta * w.step_sizes[..., 0]}


def any_steps(w: World) -> Any:
    """Up to 8/L at the first step."""
    return 32 * short_steps(w)


# -- A4 at every point of the space ------------------------------------------------------------

SPACE = runs(
    size(1, 1, 1, "fedavg"),
    extra={
        "level": Real(1 / 8, 64, unit=(2, -2), log=True),
        "reach": Real(1 / 8, 64, unit=(0, 1), log=True),
    },
)
_EMPTY = numbers(
    {
        "mu": Real(1 / 16, 16, unit=(1, -2), log=True),
        "level": Real(1 / 16, 16, unit=(2, -2), log=True),
        "reach2": Real(1 / 16, 16, unit=(0, 2), log=True),
        "second_moment": Real(1 / 16, 16, unit=(2, -2), log=True),
    },
    about="G^2, mu and one point",
)


def _far(w: World) -> Any:
    """A point at distance ``reach`` from client 0's minimiser."""
    return w.problem.optimum[..., 0, :] + w.reach[..., None] * xp.eye(w.problem.dim, w.mu)[0]


def far_second_moment(w: World) -> Any:
    """E|g_0|^2 at the far point."""
    point = _far(w)
    slope = xp.squared_norm(w.problem.gradients(point))[..., 0]
    return slope + w.problem.gradient_variance(point)[..., 0]


def everywhere(w: World) -> Terms:
    """A4 covers every point, so one at distance 2 G/mu too."""
    return {
        "A4 at a point": w.level - far_second_moment(w),
        "the point is far": w.mu**2 * w.reach**2 - 4 * w.level,
    }


def _space(w: World) -> tuple[Terms, Terms]:
    """Theorem 3 for one client with G^2 a bound at every point of the space."""
    right = closed.one_round_upper(
        distance(w, 0), w.step_sizes[..., 0], w.mu, w.beta, w.level, xp.largest(w.sigma2), 0, 1, 1, 1
    )
    return {"E|w+ - w*|^2": distance(w, 1)}, {
        "contraction": right["contraction"], "noise": right["noise"],
    }  # fmt: skip


def _contradiction(w: World) -> Terms:
    return {
        "A2 and an unbiased gradient": w.second_moment - w.mu**2 * w.reach2,
        "A4 at a point": w.level - w.second_moment,
        "the point is far": w.mu**2 * w.reach2 - 4 * w.level,
    }


def _falsehood(w: World) -> tuple[Terms, Terms]:
    """A2 on R^d and A4 at every point of it exclude each other.

    Proof. E|g|^2 >= |grad F_i|^2 >= mu^2 r^2 at distance r from the minimiser; at r = 2 G/mu this
    is 4 G^2 > G^2.
    """
    return {"1": 1}, {"0": 0}


def far_scalars(w: World) -> dict[str, Any]:
    """Scalars of the contradiction in an instance of the theorem."""
    reach2 = xp.squared_norm(_far(w) - w.problem.optimum[..., 0, :])
    return {
        "mu": w.mu, "level": w.level, "reach2": reach2, "second_moment": far_second_moment(w)
    }  # fmt: skip


def empty(key: str, where: str, lift: Any = far_scalars) -> Statement:
    """The emptiness proof for one statement that takes A4 at every point."""
    return Statement(
        key=f"{key.split('@')[0]}.empty", source=source(where), form="empty",
        title="no strongly convex loss has bounded gradients on the whole space", latex=r"1\le0",
        family=_EMPTY, sides=_falsehood, given=_contradiction, empties=key, lift=lift,
    )  # fmt: skip


def defines(reading: str) -> dict[str, Callable[[World], Any]]:
    """Short steps and the constants measured on the run."""
    return {"step_sizes": short_steps, **measured(reading)}


_LATEX = r"\mathbb E\|w_{t+1}-w^\star\|^2\le(1-\eta_t\mu(1+\tfrac38\overline\rho))\mathbb E\|w_t-w^\star\|^2+\eta_t^2(32E^2G^2+6\overline\rho L\Gamma+\sigma^2)+2\eta_t\Gamma(\tilde\rho-\overline\rho)"
_COMMON: dict[str, Any] = {
    "source": source("Theorem 3 (eq. 9)"), "title": "one iteration", "latex": _LATEX,
    "sides": _theorem, "given": short_given, "strict": HETEROGENEOUS, "over": "mean",
}  # fmt: skip


def _reading(key: str, family: Family, reading: str, **more: Any) -> Statement:
    own = {**_COMMON, "defines": defines(reading), **more}
    return Statement(key=key, family=family, **own)


STATEMENTS = (
    empty("aggregation.theorem3@space", "Theorem 3 (eq. 9)"),
    _reading("aggregation.theorem3@rounds", OUTLIER, "rounds"),
    _reading(
        "aggregation.theorem3@final-model", RETURNING, "all",
        defines={**defines("all"), "coefficients": returning_weights},
    ),
    _reading("aggregation.theorem3@shares-between", STEPS, "rounds", sides=_shares_between),
    _reading("aggregation.theorem3@eq2-timing", EQUATION, "rounds"),
    _reading(
        "aggregation.theorem3@space", SPACE, "rounds", sides=_space, given=everywhere,
        strict=frozenset(),
    ),
    _reading(
        "aggregation.theorem3.repaired", STEPS, "every", form="repaired", sides=_repaired,
        latex=_LATEX + EVERY,
        title="one iteration, rho-bar over the virtual averages too",
        uses=("aggregation.lemma1", "aggregation.lemma2"),
    ),
    Statement(
        key="aggregation.theorem3.refined", source=source("Theorem 3 (eq. 9)"), form="refined",
        title="one iteration with steps of any size", family=STEPS, sides=refined, over="mean",
        latex=r"\ldots\le(1-\eta_t\mu(1+\overline\rho))\Delta_t+\eta_t^2G^2(1+4\eta_tL(E-1)^2)+2\eta_t\Gamma(\tilde\rho-\overline\rho)",
        given=heterogeneous, strict=HETEROGENEOUS,
        defines={**defines("every"), "step_sizes": any_steps},
    ),
)  # fmt: skip
