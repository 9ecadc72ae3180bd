"""Theorem 3 for smooth losses: at the running squared gradient, and while gradients are large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.adaptive import theorem3
from verify.statements.adaptive.proofs.in_mean import effective_in_mean, sufficient_in_mean
from verify.statements.adaptive.proofs.lemma2 import effective_noise, smaller_variance
from verify.statements.adaptive.proofs.place import PLACE
from verify.statements.adaptive.proofs.setting import LARGE_GRADIENTS
from verify.statements.adaptive.proofs.weighted import GRADIENTS, mean

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline


@proof_of(theorem3.smooth, GRADIENTS)
@proof_of(theorem3.smooth_pl, GRADIENTS)
def at_the_running_gradient(o: StatementOutline) -> None:
    """(S2) of every round, summed; what is left of the loss is dropped."""
    effective_in_mean(o)
    sufficient_in_mean(o)
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


@proof_of(theorem3.descents_summed_repaired, LARGE_GRADIENTS)
def while_gradients_are_large(o: StatementOutline) -> None:
    """The same of a run that is stopped at the minimiser once a gradient is small."""
    effective_noise(o, PLACE)
    smaller_variance(o, PLACE)
    o.uses("rule", "stopped", "gaps", "short steps", "unbiased", "variance")
    o.uses("smooth", at="v[t]", to="w[t + 1]")
    o.uses("minimiser", at="w[T]")
    half = "eta**2*beta/2"
    o.step(
        "one round",
        f"eta/2*grad(F, v[t])**2 + F(w[t + 1]) <= F(w[t]) + {half}*suf",
        f"smooth; gaps times eta/2; short steps times {half}; variance times {half}; stopped;"
        f"effective noise times {half}; smaller variance times {half}",
    )
    slopes = "Sum(grad(F, v[t])**2, (t, 0, T - 1))"
    o.close(
        "all rounds",
        f"eta/2*{slopes} + F(w[T]) <= F(w[0]) + T*{half}*suf",
        "telescoped",
        step="one round",
        index="t",
        rounds="T",
        of="F(w[t])",
    )
    o.step(
        "average",
        f"{o.left} <= {o.right}",
        "all rounds times 2/(eta*T); minimiser times 2/(eta*T)",
    )
