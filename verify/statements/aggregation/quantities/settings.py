"""What most statements assume and define, where they are tried, and A4 at every point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from bounds import aggregation as closed
from bounds import generic as xp
from verify.claim import Array, Family, Hypothesis, Reading, Statement, Wording, hypothesis
from verify.statements.aggregation.quantities import measures
from verify.statements.aggregation.quantities.free import LEVEL
from verify.statements.aggregation.quantities.runs import (
    periodic,
    quiet,
    resting,
    returning,
    runs,
    section2,
    settling,
    short,
    size,
    turned,
)
from verify.terms.vocabulary import quantity
from verify.world.world import World

claims = partial(Wording, "aggregation")
"""Table of what a module claims."""
EVERY = r",\quad\overline\rho,\tilde\rho\text{ over every iteration}"
"""What the repaired statements define differently, for their formulas."""

heterogeneous = Hypothesis("Gamma", r"\Gamma>0", lambda w: w.gap, "footnote 1, at w*", strict=True)
"""Footnote 1 at w^*, where Gamma >= 0 anyhow: without it rho(t, w^*) is not defined."""
not_at_optimum = Hypothesis(
    "away from w*",
    r"F(w_t)\ne F(w^\star)\text{ for all }t",
    lambda w: xp.squared_norm(measures.models(w) - measures.best(w)[..., None, :]),
    "footnote 2",
    strict=True,
)
"""At every iteration on every outcome (footnote 1 as well)."""
short_steps = Hypothesis(
    "steps at most 1/(4L)",
    r"\eta_t\le\frac1{4L}\text{ for all }t",
    lambda w: 1 - 4 * w.beta[..., None] * w.step_sizes,
)
"""No step size is named for Theorem 3; its proof needs this and the next."""


@hypothesis("steps halve at most", r"\eta_s\le2\eta_t\text{ for }E\lfloor t/E\rfloor\le s\le t")
def halving(w: World) -> Array:
    """No step of a round is more than twice a later one."""
    return measures.excess_of_steps(w, w.step_sizes, w.local_steps, w.rounds)


BY_PROOF = [heterogeneous, short_steps, halving]
"""What Theorem 3 needs besides rho at every iteration."""

# -- step sizes, and the constants of the theorems measured on a run ---------------------------


def free_steps(w: World) -> Array:
    """eta_t = pace_t/(4L), any positive numbers: Theorem 3 and its lemmas name no range."""
    return w.pace / (4 * w.beta[..., None])


@quantity
def paper_steps(w: World) -> Array:
    """eta_t = 1/(mu (t + 4 L/mu)) of Corollary 4."""
    rows = [closed.aggregation_step_size(w.mu, w.beta, t) for t in range(w.rounds)]
    return xp.stack(rows, -1)


def delay(w: World) -> Array:
    """gamma = 4L/mu."""
    return closed.aggregation_delay(w.mu, w.beta)


Defined = Mapping[str, Callable[[World], Array]]
STEPPED: Defined = {"step_sizes": free_steps}
FREE: Defined = {
    **STEPPED,
    "G2": measures.squared_gradient,
    "sigma2_max": lambda w: xp.largest(w.sigma2),
}
HORIZON: Defined = {"step_sizes": paper_steps, "distance0": measures.start_distance, "delay": delay}


def measured(option: str) -> Defined:
    """Free steps and the constants of the theorem, rho over times as `times` names them."""
    skews = {
        "low": lambda w: measures.skew_low(w, option),
        "high": lambda w: measures.skew_high(w, option),
    }
    return {**FREE, "gap": measures.gap, **skews}


def over_horizon(option: str) -> Defined:
    """The steps of the corollary and its constants."""
    later = {"G2": measures.gradient_for_ever} if option == "endless" else {}
    return {**measured(option), **HORIZON, **later}


def at_no_gap(option: str) -> Defined:
    """Free steps and the constants where Gamma = 0."""
    return {**FREE, "low": lambda w: measures.skew_low(w, option)}


# -- where statements are tried ----------------------------------------------------------------

RULES = ("fedavg", "fedmax", "fedsoftmax", "fixed")
ONE_STEP = tuple(size(n, 1, 1, rule) for n in (1, 2) for rule in ("fedmax", "fixed"))
TWO_STEPS = tuple(size(2, 2, 2, rule) for rule in RULES)
SHAPES = (*ONE_STEP, *TWO_STEPS, quiet(3, 2, 2))
STEPS = runs(*(shape for shape in SHAPES if shape["N"] > 1), paced=True)
"""One iteration from a common model, and the second local step of a round; Gamma > 0 takes two
clients."""
STEPS2 = runs(
    *section2(
        *(quiet(2, 3, 2, rule, at=at) for at in (1, 2) for rule in ("fedavg", "fixed")),
        size(2, 3, 2, "fixed"),
        quiet(3, 3, 2),
    ),
    paced=True,
)
"""A local step after aggregation, and the step that aggregates: w_1 and w_3 do, w_2 is between."""

_SHORT = tuple(quiet(2, t, 1, rule) for t in (1, 2) for rule in ("fedmax", "fedavg"))
RUNS = runs(*_SHORT, *short(*RULES), quiet(2, 4, 2, "fedmax"), quiet(3, 2, 2))
RUNS2 = runs(*section2(*_SHORT, quiet(2, 2, 2), quiet(2, 3, 2)))
MIDDLE = returning(quiet(3, 4, 2, at=2))
"""T = 3, in the middle of the second round; w_0, w_2 and w_4 are the minimiser of F."""
TURNED = turned(quiet(3, 1, 1))
REST = resting(*(quiet(n, 1, 1) for n in (2, 3)))
"""One local step, for which the times of eq. 2 and of Algorithm 1 are the same."""
SETTLING = settling(*(quiet(2, 2, e) for e in (1, 2)), quiet(2, 4, 2), quiet(3, 3, 3))
SETTLING2 = settling(*section2(*(quiet(2, t, 2) for t in (2, 4))))

_ITERATIONS = {
    ("section2", "loop"): (STEPS2,),
    ("section2", "endless"): (periodic(*section2(*(quiet(n, 3, 2) for n in (2, 3)))),),
    ("algorithm", "loop"): (STEPS,),
    ("algorithm", "endless"): (
        periodic(*(quiet(n, 2, 2) for n in (2, 3))),
        returning(quiet(3, 2, 2, at=1)),
    ),
}


def iterations(r: Reading) -> Sequence[Family]:
    """Where claims about single iterations are tried."""
    return _ITERATIONS[r.iterates, r.times]


# -- A4 at every point of the space, which no strongly convex loss meets -----------------------

SPACE = runs(size(1, 1, 1, "fedavg"), quiet(2, 2, 2), paced=True, extra={"level": LEVEL})
everywhere = Hypothesis(
    "A4 at every point",
    r"\mathbb E\|g_i(w)\|^2\le G^2\text{ for all }w",
    lambda w: w.level**2 - measures.far_second_moment(w),
    "Assumption A4",
)
"""Seen at one point, at distance 2 G/mu from a minimiser, where it fails."""


def on_run(*axes: str) -> tuple[str, ...]:
    """Axes of a claim that rests on A4: what it is about, and what matters about a run."""
    return ("range", *(f"{axis} if run" for axis in axes))


def under_a4(
    *,
    tried: Callable[[Reading], Sequence[Family]],
    defines: Callable[[Reading], Defined],
    given: Sequence[Hypothesis] = (),
    deduction: Statement | None = None,
    note: str,
) -> dict[str, object]:
    """Fields of a claim about a run that is read with A4 at every point of the space as well.

    Parameters
    ----------
    tried, defines : callable
        Families and definitions under a reading of the claim about the run.
    given, deduction, note
        Of the claim about the run.
    """

    def either(along: Callable[[Reading], Any], at_all: Callable[[Reading], Any]) -> Any:
        return lambda r: at_all(r) if "space" in r else along(r)

    return {
        "family": either(lambda r: tried(r)[0], lambda r: SPACE),
        "also": either(lambda r: tuple(tried(r)[1:]), lambda r: ()),
        "given": either(lambda r: given, lambda r: [everywhere, *given]),
        "defines": either(defines, lambda r: {**defines(r), "G2": lambda w: w.level**2}),
        "deduction": either(lambda r: deduction, lambda r: None),
        "note": either(lambda r: note, lambda r: "With G^2 a bound at every point of the space."),
    }
