"""Theorem 3 for smooth losses: with the sufficient variance at the running squared gradient."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.adaptive import theorem3
from verify.statements.adaptive.proofs import lemma2 as of
from verify.statements.adaptive.proofs.weighted import GRADIENTS, mean

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline


@proof_of(theorem3.smooth, GRADIENTS)
@proof_of(theorem3.smooth_pl, GRADIENTS)
def at_the_running_gradient(o: StatementOutline) -> None:
    """(S2) of every round, summed; what is left of the loss is dropped."""
    of.effective_noise(o)
    of.smaller_noise(o)
    o.uses("rule", "unbiased", "gaps", "short steps", "variance")
    o.uses("smooth", at="w[t]", to="w[t + 1]")
    o.uses("above", at="w[T]")
    factor = "eta**2*beta/2"
    o.step(
        "one round",
        f"eta/2*grad(F, w[t])**2 + F(w[t + 1]) <= F(w[t]) + {factor}*{mean('suf')}",
        f"smooth; gaps times eta/2; short steps times {factor};"
        f"variance times {factor}; mean times {factor}; sufficient in mean times {factor}",
    )
    slopes, variances = "Sum(grad(F, w[t])**2, (t, 0, T - 1))", f"Sum({mean('suf')}, (t, 0, T - 1))"
    o.close(
        "all rounds",
        f"eta/2*{slopes} + F(w[T]) <= F(w[0]) + {factor}*{variances}",
        "telescoped",
        step="one round",
        index="t",
        rounds="T",
        of="F(w[t])",
    )
    o.step(
        "average",
        f"{o.left} <= {o.right}",
        "all rounds times 2/(eta*T); above times 2/(eta*T)",
    )
