"""Corollary 1, down to the dissimilarity: steps c/(t + 2), groups that never change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from bounds import generic as xp
from verify.outlines.exact import ends, fractions
from verify.outlines.registry import proof_of
from verify.outlines.setting import Guaranteed, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.hcct import limits
from verify.statements.hcct.proofs.paths import numbered
from verify.statements.hcct.proofs.setting import FIXED_GROUPS, measured
from verify.statements.hcct.proofs.theorem2 import all_epochs
from verify.statements.hcct.quantities import training
from verify.statements.hcct.quantities.training import run_of

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline


def _log(epochs: int) -> Fraction:
    """A fraction for log((T + 2)/2)."""
    low, high = ends(xp.log(Fraction(epochs + 2, 2))) if epochs else (Fraction(0), Fraction(0))
    return (low + high) / 2


def _measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The run of a world, with logarithms."""
    run, ranges = measured(world)
    more = {
        "l": [_log(t) for t in range(ranges["t"] + 1)],
        "r": [Fraction(16 * t + 24, 16 * t**2 + 48 * t + 37) for t in range(ranges["t"] + 1)],
        "K0": fractions(training.dissimilarity(world))[0],
    }
    return replace(run, numbers={**run.numbers, **numbered(more)}), ranges


SUM, SQUARES = "Sum(eta[t], (t, 0, T - 1))", "Sum(eta[t]**2, (t, 0, T - 1))"
REST = "(16*t + 24)/(16*t**2 + 48*t + 37)"
"""More than the sum of 1/(s + 2)^2 over s >= t; 24/37 < 13/20 at t = 0."""

FALLING_STEPS = replace(
    FIXED_GROUPS,
    name="training in groups that never change, with steps c/(t + 2)",
    families=(limits.to_dissimilarity.family,),
    quantities=(
        *(q for q in FIXED_GROUPS.quantities if q.name != "eta0"),
        Quantity("eta0", "positive", "factor of the steps", "c"),
        Quantity("K0", "nonnegative", "dissimilarity of members", r"\sum_{i,j}a_j\kappa_{ij}^2"),
        Quantity("l[t]", "nonnegative", "logarithm", r"\ln\tfrac{t+2}2"),
        Quantity("r[t]", "positive", "squares from t on, at most", r"\tfrac{16t+24}{16t^2+48t+37}"),
    ),
    terms=(
        *(x for x in FIXED_GROUPS.terms if "K[" not in x.formula),
        Term("K0", lambda w: w.dissimilarity[..., 0]),
        Term("l[T]", lambda w: xp.log((0 * w.curvature + run_of(w).last + 3) / 2)),
    ),
    facts={
        **{n: fact for n, fact in FIXED_GROUPS.facts.items() if n != "equal steps"},
        "one group": Guaranteed("condition", {"less": "K[t]", "more": "K0"}, scope=""),
        "no shorter": Guaranteed(
            "condition", {"less": "eta0/(t + 2)", "more": "eta[t]"}, scope="steps c/(t + 2)"
        ),
        "no longer": Guaranteed(
            "condition", {"less": "eta[t]", "more": "eta0/(t + 2)"}, scope="steps c/(t + 2)"
        ),
        "tangent": Guaranteed(
            "condition", {"less": "l[t + 1]", "more": "l[t] + 1/(t + 2)"}, scope=""
        ),
        "log of 1": Guaranteed("condition", {"less": "l[0]", "more": "0"}, scope=""),
        "rest": Guaranteed("condition", {"less": "r[t]", "more": REST}, scope=""),
        "rest from below": Guaranteed("condition", {"less": REST, "more": "r[t]"}, scope=""),
        "log": Guaranteed("strict condition", {"less": "0", "more": "l[T]"}, scope=""),
    },
    measured=_measured,
)


@proof_of(limits.to_dissimilarity, FALLING_STEPS)
def corollary1(o: StatementOutline) -> None:
    """Theorem 2, a harmonic sum that is at least a logarithm, and one of squares below 13/20."""
    o.uses("together", "one group", "no shorter", "no longer", "tangent", "log of 1", "log")
    o.uses("rest", "rest from below")
    o.uses("below", called="least before", at="w[0]")
    all_epochs(o, "together", "0", short="c < 1/L")
    epochs = {"index": "t", "rounds": "T"}
    o.step("one more step", "eta0*l[t + 1] <= eta0*l[t] + eta[t]", "tangent times eta0; no shorter")
    o.close(
        "sum of steps",
        f"eta0*l[T] <= {SUM} + eta0*l[0]",
        "telescoped",
        step="one more step",
        of="eta0*l[t]",
        **epochs,
    )
    o.step(
        "one more square", "1/(t + 2)**2 + r[t + 1] <= r[t]", "rest at t = t + 1; rest from below"
    )
    o.step(
        "squared step",
        "eta[t]**2 + eta0**2*r[t + 1] <= eta0**2*r[t]",
        "no longer times eta[t]; no longer times eta0/(t + 2); one more square times eta0**2",
    )
    o.close(
        "squares",
        f"{SQUARES} + eta0**2*r[T] <= eta0**2*r[0]",
        "telescoped",
        step="squared step",
        of="eta0**2*r[t]",
        **epochs,
    )
    o.step("alike", "eta[t]*K[t] <= K0*eta[t]", "one group times eta[t]")
    o.close(
        "dissimilarity",
        f"Sum(eta[t]*K[t], (t, 0, T - 1)) <= K0*{SUM}",
        "telescoped",
        step="alike",
        of="0",
        **epochs,
    )
    o.step(
        "spent",
        "Sum(eta[t]*N*grad(J, w[t])**2, (t, 0, T - 1)) "
        f"<= 2*N*J(w[0]) + 2*K0*{SUM} + 13/20*L*N*sigma**2*eta0**2",
        "all epochs; below times 2*N; dissimilarity times 2; squares times L*N*sigma**2;"
        "rest at t = 0 times L*N*sigma**2*eta0**2",
    )
    o.step("logarithm", f"eta0*l[T] <= {SUM}", "sum of steps; log of 1 times eta0")
    o.step("mean", f"{o.left} <= {o.right}", "spent; logarithm; least before times 2*N")
