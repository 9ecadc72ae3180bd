"""The model after a step of All-for-one, at each outcome: notation of Lemma 2, and what it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from verify.outlines.setting import OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.adaptive import lemma2
from verify.statements.adaptive import quantities as q
from verify.statements.adaptive.proofs.place import OUTCOME, at_most
from verify.statements.adaptive.proofs.run import Run, entry, slope

__all__ = ["AT_A_PLACE"]

QUANTITIES = (
    Quantity("o", "index", "an outcome, from 0", r"\omega"),
    Quantity("k", "index", "a client, from 0, which asks", "k"),
    Quantity("level[o]", "positive", "twice mu times the excess loss", r"2\mu\varepsilon_i^t"),
    *(x for x in OUTCOME.weights() if not x.name.startswith("noise")),
    *OUTCOME.sufficient(),
    Quantity("inside[o, k]", "nonnegative", "whether it is in the sufficient cluster", r"\mathbb 1\{k\in\mathcal N_i^\star\}"),
    Quantity("weighted[o, k]", "nonnegative", "whether it is in the effective one", r"\mathbb 1\{k\in\mathcal N_i\}"),
    Quantity("one_over[o, k]", "nonnegative", "one over psi of the sufficient ratio, or zero", r"\psi^{-1}"),
)  # fmt: skip
_CLUSTERS = "the clusters of Definitions 1 and 2"
FACTS = {
    **{n: f for n, f in OUTCOME.definition1().items() if n == "effective"},
    **OUTCOME.definition2("the Polyak-Lojasiewicz inequality (A5)"),
    "sufficient member": at_most("inside[o, k]", "one_over[o, k]*rs[o, k]*phis[o, k]", _CLUSTERS),
    "effective member": at_most("phi[o, k]*(1 - weighted[o, k])", "0", _CLUSTERS),
    "member or not": at_most("inside[o, k]", "1", ""),
    "effective or not": at_most("weighted[o, k]", "1", ""),
}


def _side(statement: Any, side: int) -> Callable[[Any], Any]:
    """The one term of a side."""
    return lambda w: next(iter(statement(w)[side].values()))


TERMS = (
    Term("eff[o]", _side(lemma2.variance_repaired, 0)),
    Term("suf[o]", _side(lemma2.variance_repaired, 1)),
    Term("inside[o, k]", _side(lemma2.cluster_repaired, 0), per="k"),
    Term("weighted[o, k]", _side(lemma2.cluster_repaired, 1), per="k"),
)


def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
    """The outcomes of a world after one round, as outlines see them."""
    run = Run(world, q.along(world, world.run().theta[..., 1:, :]))
    places = [run.place(0, o) for o in range(run.outcomes)]
    levels = [2 * run.one("mu") * excess for excess in run.excess[1]]
    found = [run.sufficient(level) for level in levels]
    psi = [[r * p for r, p in zip(*there[:2], strict=True)] for there in found]
    numbers = {
        "N": run.clients,
        "i2": [1 / s for s in run.sigma2],
        "b2": run.bias,
        "c": run.slope,
        "level": levels,
        "own": [at.own for at in places],
        "gap": [at.gap for at in places],
        "r": [at.ratio for at in places],
        "phi": [at.phi for at in places],
        "eff": [at.effective for at in places],
        "rs": [there[0] for there in found],
        "phis": [there[1] for there in found],
        "suf": [there[2] for there in found],
        "q": [
            list(map(slope, there[0], at.ratio, there[1], at.phi))
            for there, at in zip(found, places, strict=True)
        ],
        "inside": [[Fraction(x > 0) for x in row] for row in psi],
        "weighted": [[Fraction(a > 0) for a in at.weights] for at in places],
        "one_over": [[1 / x if x else Fraction(0) for x in row] for row in psi],
    }
    run_numbers = {name: entry(value) for name, value in numbers.items()}
    return ExactRun(run.chances, numbers=run_numbers), {"o": run.outcomes, "k": run.clients}


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
    outcome="o",
)
