"""Theorem 3 and what says the same: one iteration, from the convexity of the losses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.aggregation import proof_recursion, theorem
from verify.statements.aggregation.proofs.setting import ONE
from verify.statements.aggregation.proofs.spread import halved

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

FAR = "(w[t] - star)**2"
AFTER = "(w[t + 1] - star)**2"


def iteration(o: StatementOutline, spread: str) -> None:
    """One iteration, from a bound of the spread that is known by that name."""
    o.uses("rule", "unbiased", "direction", "smooth", "strong", "growth")
    o.uses("rho-bar", "rho-tilde")
    o.step("distances", f"{FAR} <= (c[t] - star)**2", roots="c[t] - star")
    o.step(
        "along",
        f"2*(here[t] - ideal[t]) + mu*{FAR} - L*(c[t] - w[t])**2 <= 2*k[t]*(w[t] - star)",
        "smooth times 2; strong times 2; distances times mu",
    )
    o.step(
        "skew",
        f"low*mu*{FAR} - 2*gam*(high - low) <= 2*(here[t] - ideal[t])",
        "rho-bar times 2; rho-tilde times 2; growth times 2*low",
    )
    o.step(
        "one iteration",
        f"{AFTER} + eta[t]*mu*(1 + low)*{FAR} <= {FAR} + eta[t]**2*G2 "
        f"+ eta[t]*L*({spread}) + 2*eta[t]*gam*(high - low)",
        "direction times eta[t]**2; along times eta[t]; skew times eta[t];"
        "spread of a round times eta[t]*L",
    )


@proof_of(theorem.refined, ONE)
@proof_of(theorem.without_variance, ONE)
@proof_of(theorem.descent, ONE)
def refined(o: StatementOutline) -> None:
    """The direction has second moment at most G^2, which holds the variance already."""
    halved(o)
    iteration(o, "4*eta[t]**2*(E - 1)**2*G2")
    o.step("bound", f"{o.left} <= {o.right}", "one iteration at t = A")


@proof_of(theorem.repaired, ONE)
@proof_of(proof_recursion.recursion_repaired, ONE)
def repaired(o: StatementOutline) -> None:
    """The printed constants are larger where no step is above 1/(4 L)."""
    halved(o)
    iteration(o, "4*eta[t]**2*(E - 1)**2*G2")
    o.hypothesis("steps at most 1/(4L)", "short steps")
    o.step("no less than one", "(E - 1)**2 + 1 <= E**2")
    o.step("far", f"0 <= {FAR}", roots="w[t] - star")
    o.step(
        "short",
        "4*eta[t]**3*L*(E - 1)**2*G2 <= eta[t]**2*(E - 1)**2*G2",
        "short steps times eta[t]**2*(E - 1)**2*G2",
    )
    o.step(
        "bound",
        f"{o.left} <= {o.right}",
        "one iteration at t = A; short at t = A; no less than one times eta[A]**2*G2;"
        "far at t = A times 5/8*eta[A]*mu*low",
    )
