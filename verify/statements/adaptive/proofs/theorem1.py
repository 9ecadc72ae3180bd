"""Theorem 1, (S2) and the recursion of its proof, and Theorem 2 at the running excess loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.adaptive import theorem1, theorem2
from verify.statements.adaptive.proofs.in_mean import effective_in_mean, sufficient_in_mean
from verify.statements.adaptive.proofs.lemma2 import effective_noise
from verify.statements.adaptive.proofs.place import PLACE
from verify.statements.adaptive.proofs.weighted import (
    EFFECTIVE,
    FIRST_ROUND,
    ONE_STEP,
    SUFFICIENT,
    mean,
)

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

_SUPPOSED = "F(w[t]) <= (1 - eta*mu)**t*F(w[0]) + eta**2*beta/2*D[t]"


@proof_of(theorem1.descent_of_definition1, FIRST_ROUND)
def s2(o: StatementOutline) -> None:
    """The weighted gaps cancel, and the step is short."""
    o.uses("rule", "unbiased", "gaps", "short steps", "variance")
    o.uses("smooth", at="w[0]", to="w[1]")
    effective_noise(o, PLACE)
    o.step(
        "descent",
        f"{o.left} <= {o.right}",
        "smooth; gaps at t = 0 times eta/2; short steps at t = 0 times eta**2*beta/2;"
        "variance times eta**2*beta/2; effective noise times eta**2*beta/2",
    )


@proof_of(theorem1.recursion, EFFECTIVE)
def recursion(o: StatementOutline) -> None:
    """(S2) in the mean, and the gradient bounds the loss."""
    effective_in_mean(o)
    _one_round(o, "eff", "variance; mean")
    o.step("last round", f"{o.left} <= {o.right}", "one round at t = T - 1")


@proof_of(theorem1.theorem1, EFFECTIVE)
def with_effective_variances(o: StatementOutline) -> None:
    """The recursion of every round, unrolled."""
    effective_in_mean(o)
    _one_round(o, "eff", "variance; mean")
    _unrolled(o)


@proof_of(theorem1.direction, ONE_STEP)
def with_variances_of_the_direction(o: StatementOutline) -> None:
    """The same without what Definition 1 says of the noise."""
    _one_round(o, "noise", "variance")
    _unrolled(o)


@proof_of(theorem2.running, SUFFICIENT)
def with_sufficient_variances(o: StatementOutline) -> None:
    """Lemma 2 on every path: what the rounds add is at most the sufficient variance in mean."""
    effective_in_mean(o)
    sufficient_in_mean(o)
    _one_round(o, "suf", "variance; mean; sufficient in mean")
    _unrolled(o)


def _one_round(o: StatementOutline, added: str, noise: str) -> None:
    o.uses("rule", "unbiased", "gaps", "short steps", "variance")
    o.uses("smooth", at="w[t]", to="w[t + 1]")
    o.uses("PL", at="w[t]")
    by = "; ".join(f"{name} times eta**2*beta/2" for name in noise.split("; "))
    o.step(
        "one round",
        f"F(w[t + 1]) <= (1 - eta*mu)*F(w[t]) + eta**2*beta/2*{mean(added)}",
        f"smooth; gaps times eta/2; short steps times eta**2*beta/2; PL times eta/2; {by}",
    )


def _unrolled(o: StatementOutline) -> None:
    o.uses("added", "not too long")
    o.step("factor", "0 <= 1 - eta*mu", "not too long times mu")
    after = _SUPPOSED.replace("[t]", "[t + 1]").replace("**t*", "**(t + 1)*")
    o.step("next", after, "one round; factor; added times eta**2*beta/2", supposing=_SUPPOSED)
    less, _, more = _SUPPOSED.partition(" <= ")
    o.close("all rounds", _SUPPOSED, "induction", claim=f"{more} - {less}", index="t", next="next")
    o.step("bound", f"{o.left} <= {o.right}", "all rounds at t = T")
