"""Appendix A in the notation of the runs: sums over the clients at one iteration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bounds import generic as xp
from verify.outlines.setting import Term
from verify.proof.bridge import ExactRun
from verify.statements.aggregation import proof_expansion as first
from verify.statements.aggregation import proof_limit, theorem
from verify.statements.aggregation import proof_recursion as second
from verify.statements.aggregation import quantities as q
from verify.statements.aggregation.proofs.run import LocalRun
from verify.statements.aggregation.proofs.setting import (
    CONSTANTS,
    FACTS,
    ITERATION,
    ONE,
    constants,
)

_SUMS = {
    "own[A]": "excess",
    "own[A] - ideal[A]": "drop",
    "k[A]*(c[A] - star)": "along",
    "(c[A] - star)**2": "distances",
}
_VECTORS = {"avg(k[A])": "slope", "avg(k[A]) + n[A]": "drawn", "w[A] - star": "error"}


def _sum(name: str) -> Any:
    return lambda w: getattr(first.sums(w), name)


def _alpha(w: Any) -> Any:
    return w.run().alpha[..., w.at, :]


TERMS = (
    *CONSTANTS,
    *ITERATION,
    *(Term(formula, _sum(name), random=True) for formula, name in _SUMS.items()),
    *(Term(formula, _sum(name), per="d", random=True) for formula, name in _VECTORS.items()),
    Term("s2", lambda w: xp.total(_alpha(w) * w.sigma2_max[..., None])),
    Term("squares[A]", lambda w: xp.total(_alpha(w) ** 2 * w.sigma2), random=True),
)
APPENDIX = replace(
    ONE,
    name="generalised FedAvg, one iteration in Appendix A",
    families=(first.a1b_repaired.family, second.a4_refined.family, theorem.repaired.family),
    terms=TERMS,
)
"""In the mean."""


def alone(world: Any) -> Sequence[tuple[ExactRun, Mapping[str, int]]]:
    """The run of a world on each outcome."""
    return LocalRun(world, int(world.at)).alone(constants(world))


def alone_at_end(world: Any) -> Sequence[tuple[ExactRun, Mapping[str, int]]]:
    """The same with the last iteration for the one that is looked at."""
    return LocalRun(world, int(world.rounds) - 1).alone(constants(world))


_EXPANDED = first.expand.leaf("algorithm")
_EXPANSION = {
    "-2*eta[A]*(w[A] - star)*avg(k[A])": "A1",
    "-2*eta[A]*(w[A] - star - eta[A]*avg(k[A]))*n[A]": "A2",
    "eta[A]**2*avg(k[A])**2": "A3",
    "eta[A]**2*n[A]**2": "A4",
}


def _expanded(name: str) -> Any:
    return lambda w: _EXPANDED(w)[1][name]


_NOISE = ("unbiased", "told", "direction", "variance", "variance of independent")
OUTCOME = replace(
    APPENDIX,
    name="generalised FedAvg, one iteration on every outcome",
    families=(first.a1a.family, second.a4_last.family),
    facts={n: f for n, f in FACTS.items() if n not in _NOISE},
    alone=alone,
)
"""Noise is what it is."""

EXPANSION = replace(
    OUTCOME,
    name="generalised FedAvg, the expansion of one iteration on every outcome",
    families=(_EXPANDED.family,),
    terms=(
        *ITERATION,
        *(Term(formula, _expanded(name), random=True) for formula, name in _EXPANSION.items()),
    ),
)
"""Where a round ends there is no noise."""

OUTCOME_AT_END = replace(
    OUTCOME,
    name="generalised FedAvg after its last iteration, on every outcome",
    families=(proof_limit.smooth.family,),
    terms=(
        Term("L", lambda w: w.beta),
        Term("w[A + 1] - star", lambda w: q.point(w, w.rounds) - q.best(w), per="d", random=True),
        Term("rise[A + 1]", lambda w: q.suboptimality(w, w.rounds), random=True),
    ),
    alone=alone_at_end,
)
