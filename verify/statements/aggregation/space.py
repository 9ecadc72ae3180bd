"""A4 at every point of the space, which no strongly convex loss meets."""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array, Hypothesis, Real, Sides, Statement, numbers, statement
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.assumptions import A4
from verify.statements.aggregation.runs import runs, size
from verify.statements.aggregation.symbols import CURVATURE
from verify.world.world import World

_LEVEL = Real(1 / 8, 64, unit=(1, -1), log=True)
SPACE = runs(
    size(1, 1, 1, "fedavg"), size(2, 2, 2, "fixed", quiet=True), paced=True, extra={"level": _LEVEL}
)
"""``level`` is G."""


def far_second_moment(w: World) -> Array:
    """E|g_0|^2 at distance 2 G/mu from client 0's minimiser."""
    step = 2 * w.level / w.mu
    point = w.problem.optimum[..., 0, :] + step[..., None] * xp.eye(w.problem.dim, w.mu)[0]
    slope = xp.squared_norm(w.problem.gradients(point))[..., 0]
    return slope + w.problem.gradient_variance(point)[..., 0]


everywhere = Hypothesis(
    "A4 at every point",
    r"\mathbb E\|g_i(w)\|^2\le G^2\text{ for all }w",
    lambda w: w.level**2 - far_second_moment(w),
    A4,
)
"""Seen at one point, at distance 2 G/mu from a minimiser, where it fails."""


@statement(
    "aggregation.A4@run",
    where=A4,
    kind="assumption",
    title="bounded second moment",
    latex=r"\mathbb E\|g_i(w_t^i)\|^2\le G^2",
    family=SPACE,
    over="path",
    quantifier="some",
    defines={"step_sizes": q.free_steps},
    note="Whether a federation meets it: some do, with G^2 a bound at the local models of the run.",
)
def along(w: World) -> Sides:
    return {"E|g|^2": q.squared_gradient(w)}, {"G^2": w.level**2}


@along.like(
    "aggregation.A4@space",
    latex=everywhere.latex,
    given=[everywhere],
    note="Whether a federation meets it: none does, see A4.empty.",
)
def at_far_points(w: World) -> Sides:
    return {"E|g|^2": far_second_moment(w)}, {"G^2": w.level**2}


@statement(
    "aggregation.A4.empty",
    where=A4,
    kind="assumption",
    latex=r"1\le0",
    title="no strongly convex loss has bounded gradients on the whole space",
    family=numbers(
        {
            "mu": CURVATURE,
            "level": _LEVEL,
            "second_moment": Real(1 / 16, 256, unit=(2, -2), log=True),
        },
        about="mu, G and the second moment at distance 2 G/mu from a minimiser",
    ),
    given=[
        Hypothesis(
            "A2 and an unbiased gradient",
            r"\mathbb E\|g_i(w)\|^2\ge\mu^2\|w-w_i^\star\|^2=4G^2",
            lambda w: w.second_moment - 4 * w.level**2,
        ),
        Hypothesis(
            "A4 at every point", everywhere.latex, lambda w: w.level**2 - w.second_moment, A4
        ),
    ],
    empties="aggregation.A4@space",
    lift=lambda w: {"mu": w.mu, "level": w.level, "second_moment": far_second_moment(w)},
    note="A2 on R^d and A4 at every point of it exclude each other.",
    proof="""E|g|^2 >= |grad F_i|^2 >= mu^2 r^2 at distance r from the minimiser; at r = 2 G/mu this
    is 4 G^2 > G^2.""",
)
def empty(w: World) -> Sides:
    return {"1": 1}, {"0": 0}


def spaced(claim: Statement) -> tuple[Statement, Statement]:
    """A claim with A4 at every point, and the proof that nothing meets it."""
    part = claim.key.partition("@")[0]
    rest = {"G2": lambda w: w.level**2}
    leaf = claim.variant(
        f"{part}@space",
        family=SPACE,
        given=[everywhere, *claim.given],
        deduction=None,
        defines={**claim.defines, **rest},
        note="With G^2 a bound at every point of the space.",
    )
    proof = empty.variant(
        f"{claim.entry}.empty", where=claim.source.where, kind=claim.kind, empties=leaf.key
    )
    return leaf, proof
