"""Lemma 1, with its variance term as derived, and the displays of its proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.adaptive import lemma1
from verify.statements.adaptive.proofs.given_weights import GIVEN_WEIGHTS

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline


@proof_of(lemma1.smoothness, GIVEN_WEIGHTS)
def smoothness(o: StatementOutline) -> None:
    """(S1): smoothness along the step; in the mean the noise is perpendicular to the gradient."""
    o.uses("rule", "smooth", "unbiased")
    o.step("along the step", f"{o.left} <= {o.right}", "smooth")


@proof_of(lemma1.aggregate_variance, GIVEN_WEIGHTS)
def aggregate_variance(o: StatementOutline) -> None:
    """What the clients draw has mean zero, so that squares add up."""
    o.uses("rule", "unbiased", "no larger variance", "no smaller variance")
    o.step(
        "second moment",
        f"{o.left} == {o.right}",
        "no larger variance; no smaller variance",
    )


@proof_of(lemma1.exact_display, GIVEN_WEIGHTS)
def exact_display(o: StatementOutline) -> None:
    """-2 <a, b> = |a - b|^2 - |a|^2 - |b|^2 in (S1), for the gradients m and grad F."""
    o.uses("rule", "smooth", "unbiased", "variance")
    o.step("before", f"{o.left} <= {o.right}", "smooth; variance times eta**2*beta/2")


@proof_of(lemma1.lemma1_repaired, GIVEN_WEIGHTS)
@proof_of(lemma1.lemma1.leaf("old-model", "half-eta-squared"), GIVEN_WEIGHTS)
@proof_of(lemma1.last_display.leaf("half-eta-squared"), GIVEN_WEIGHTS)
def descent(o: StatementOutline) -> None:
    """That display; the step is short, and Jensen's inequality bounds |m - grad F|^2."""
    o.uses("rule", "smooth", "unbiased", "variance", "gaps")
    o.hypothesis("step below 1/(beta sum alpha)", "short")
    o.step("short steps", "eta*A*beta*m[0]**2 <= m[0]**2", "short", roots="m[0]")
    o.step(
        "descent",
        f"{o.left} <= {o.right}",
        "smooth; variance times eta**2*beta/2; short steps times eta*A/2; gaps times eta/(2*A)",
    )
