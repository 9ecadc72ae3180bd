"""The model after a step of All-for-one, on each outcome: notation of Lemma 2, and what it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from verify.outlines.setting import OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.adaptive import lemma2
from verify.statements.adaptive import quantities as q
from verify.statements.adaptive.proofs.place import PLACE, at_most
from verify.statements.adaptive.proofs.run import MeasuredRun, entry, slope

__all__ = ["AT_A_PLACE"]

QUANTITIES = (
    Quantity("k", "index", "a client, from 0, which asks", "k"),
    Quantity("level", "positive", "twice mu times the excess loss", r"2\mu\varepsilon_i^t"),
    *(x for x in PLACE.weights() if not x.name.startswith("noise")),
    *PLACE.sufficient(),
    Quantity("inside[k]", "nonnegative", "whether it is in the sufficient cluster", r"\mathbb 1\{k\in\mathcal N_i^\star\}"),
    Quantity("weighted[k]", "nonnegative", "whether it is in the effective one", r"\mathbb 1\{k\in\mathcal N_i\}"),
    Quantity("one_over[k]", "nonnegative", "one over psi of the sufficient ratio, or zero", r"\psi^{-1}"),
)  # fmt: skip
_CLUSTERS = "the clusters of Definitions 1 and 2"
FACTS = {
    **{n: f for n, f in PLACE.definition1().items() if n == "effective"},
    **PLACE.definition2("the Polyak-Lojasiewicz inequality (A5)"),
    "sufficient member": at_most("inside[k]", "one_over[k]*rs[k]*phis[k]", _CLUSTERS),
    "effective member": at_most("phi[k]*(1 - weighted[k])", "0", _CLUSTERS),
    "member or not": at_most("inside[k]", "1", ""),
    "effective or not": at_most("weighted[k]", "1", ""),
}


def _side(statement: Any, side: int) -> Callable[[Any], Any]:
    """The one term of a side."""
    return lambda w: next(iter(statement(w)[side].values()))


TERMS = (
    Term("eff", _side(lemma2.variance_repaired, 0)),
    Term("suf", _side(lemma2.variance_repaired, 1)),
    Term("inside[k]", _side(lemma2.cluster_repaired, 0), per="k"),
    Term("weighted[k]", _side(lemma2.cluster_repaired, 1), per="k"),
)


def each(world: Any) -> list[tuple[ExactRun, Mapping[str, int]]]:
    """The outcomes of a world after one round, each by itself."""
    run = MeasuredRun(world, q.along(world, world.run().theta[..., 1:, :]))
    return [_one(run, outcome) for outcome in range(run.outcomes)]


def _one(run: MeasuredRun, outcome: int) -> tuple[ExactRun, Mapping[str, int]]:
    at = run.place(0, outcome)
    level = 2 * run.one("mu") * run.excess[1][outcome]
    rs, phis, sufficient = run.sufficient(level)
    psi = [r * p for r, p in zip(rs, phis, strict=True)]
    numbers = {
        "N": run.clients,
        "i2": [1 / s for s in run.sigma2],
        "b2": run.bias,
        "c": run.slope,
        "level": level,
        "own": at.own,
        "gap": at.gap,
        "r": at.ratio,
        "phi": at.phi,
        "eff": at.effective,
        "rs": rs,
        "phis": phis,
        "suf": sufficient,
        "q": list(map(slope, rs, at.ratio, phis, at.phi)),
        "inside": [Fraction(x > 0) for x in psi],
        "weighted": [Fraction(a > 0) for a in at.weights],
        "one_over": [1 / x if x else Fraction(0) for x in psi],
    }
    made = {name: entry(value) for name, value in numbers.items()}
    return ExactRun([Fraction(1)], numbers=made), {"k": run.clients}


def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The first outcome: which one it is makes no difference to what is guaranteed."""
    return each(world)[0]


AT_A_PLACE = OutlineSetting(
    "any model of All-for-one",
    tuple(
        family
        for one in (lemma2.variance_repaired, lemma2.cluster_repaired)
        for family in (one.family, *one.also)
    ),
    QUANTITIES,
    TERMS,
    FACTS,
    measured,
    alone=each,
)
