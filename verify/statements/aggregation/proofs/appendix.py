"""Appendix A: the terms of the expansion, on every outcome and in the mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.aggregation import proof_expansion, proof_limit, proof_recursion
from verify.statements.aggregation.proofs.appendix_setting import (
    APPENDIX,
    EXPANSION,
    OUTCOME,
    OUTCOME_AT_END,
)
from verify.statements.aggregation.proofs.spread import halved

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline


@proof_of(proof_expansion.expand.leaf("algorithm"), EXPANSION)
def expansion(o: StatementOutline) -> None:
    """The square of a sum."""
    o.uses("rule")
    o.step("expansion", f"{o.left} == {o.right}")


@proof_of(proof_expansion.a1a, OUTCOME)
def first(o: StatementOutline) -> None:
    """Young's inequality for the cross term, and gradient domination."""
    o.uses("domination")
    o.step(
        "Young",
        "-2*eta[t]*k[t]*(w[t] - c[t]) <= (c[t] - w[t])**2 + eta[t]**2*k[t]**2",
        roots="c[t] - w[t] - eta[t]*k[t]",
    )
    o.step("bound", f"{o.left} <= {o.right}", "Young at t = A; domination at t = A times eta[A]**2")


@proof_of(proof_expansion.a1b_first.leaf("last-term"), OUTCOME)
def convexity(o: StatementOutline) -> None:
    """Strong convexity between the local models and the minimiser of F."""
    o.uses("strong")
    o.step("bound", f"{o.left} <= {o.right}", "strong at t = A times 2*eta[A]")


@proof_of(proof_expansion.a1b_second, OUTCOME)
@proof_of(proof_recursion.a4_last, OUTCOME)
def more(o: StatementOutline) -> None:
    """What is added is not negative, and weights have the sum one."""
    o.step("bound", f"{o.left} <= {o.right}")


@proof_of(proof_recursion.a3, OUTCOME)
def third(o: StatementOutline) -> None:
    """Jensen's inequality and gradient domination."""
    o.uses("domination")
    o.step("Jensen", "avg(k[t])**2 <= k[t]**2", roots="k[t]")
    o.step(
        "bound",
        f"{o.left} <= {o.right}",
        "Jensen at t = A times eta[A]**2; domination at t = A times eta[A]**2",
    )


@proof_of(proof_limit.smooth, OUTCOME_AT_END)
def smooth(o: StatementOutline) -> None:
    """F is L-smooth, and its gradient vanishes at its minimiser."""
    o.uses("smooth mean")
    o.step("bound", f"{o.left} <= {o.right}", "smooth mean at t = A + 1")


@proof_of(proof_recursion.a2.leaf("start"), APPENDIX)
def second(o: StatementOutline) -> None:
    """Noise is perpendicular to what was known before."""
    o.uses("unbiased")
    o.step("unbiased directions", f"{o.left} == {o.right}")


@proof_of(proof_recursion.a4.leaf("mean-draw", "start"), APPENDIX)
def fourth(o: StatementOutline) -> None:
    """The noise of the mean direction has no larger variance than that of a gradient."""
    o.uses("variance")
    o.step("bound", f"{o.left} <= {o.right}", "variance at t = A times eta[A]**2")


@proof_of(proof_recursion.a4_refined, APPENDIX)
def fourth_refined(o: StatementOutline) -> None:
    """The variance of a sum of independent terms."""
    o.uses("variance of independent")
    o.step("bound", f"{o.left} <= {o.right}", "variance of independent at t = A times eta[A]**2")


def inner_product(o: StatementOutline) -> None:
    """A_1 as its repaired bound has it."""
    halved(o)
    o.uses("domination", "strong")
    o.step(
        "Young",
        "-2*eta[t]*k[t]*(w[t] - c[t]) <= (c[t] - w[t])**2 + eta[t]**2*k[t]**2",
        roots="c[t] - w[t] - eta[t]*k[t]",
    )
    o.step("local steps of a round", "4*(E - 1)**2 <= 16*E**2")
    o.step(
        "A1",
        "-2*eta[t]*avg(k[t])*(w[t] - star) <= 16*eta[t]**2*E**2*G2 "
        "- eta[t]*mu*(c[t] - star)**2 + 2*L*eta[t]**2*own[t] - 2*eta[t]*(own[t] - ideal[t])",
        "Young; domination times eta[t]**2; strong times 2*eta[t]; spread of a round;"
        "local steps of a round times eta[t]**2*G2",
    )


@proof_of(proof_expansion.a1b_repaired, APPENDIX)
def first_repaired(o: StatementOutline) -> None:
    """Young, strong convexity and the spread of the clients."""
    inner_product(o)
    o.step("bound", f"{o.left} <= {o.right}", "A1 at t = A")


@proof_of(proof_recursion.pre_repaired, APPENDIX)
def before_fifth(o: StatementOutline) -> None:
    """All four terms together."""
    inner_product(o)
    o.uses("rule", "unbiased", "variance")
    o.step("Jensen", "avg(k[t])**2 <= k[t]**2", roots="k[t]")
    o.step("distances", "(w[t] - star)**2 <= (c[t] - star)**2", roots="c[t] - star")
    o.step(
        "bound",
        f"{o.left} <= {o.right}",
        "A1 at t = A; Jensen at t = A times eta[A]**2; domination at t = A times eta[A]**2;"
        "variance at t = A times eta[A]**2; distances at t = A times eta[A]*mu",
    )


@proof_of(proof_recursion.a5_repaired, APPENDIX)
def fifth(o: StatementOutline) -> None:
    """The losses at w_t by those at the local models, of which no more than 3/8 is lost."""
    halved(o)
    o.uses("smooth", "domination", "growth", "rho-bar", "rho-tilde")
    o.hypothesis("steps at most 1/(4L)", "short steps")
    kept = "(1 - 2*L*eta[t])/(1 + L*eta[t])"
    o.step(
        "Young",
        "2*eta[t]*k[t]*(w[t] - c[t]) <= (c[t] - w[t])**2 + eta[t]**2*k[t]**2",
        roots="c[t] - w[t] + eta[t]*k[t]",
    )
    o.step(
        "losses",
        "2*eta[t]*here[t] <= (1 + L*eta[t])*(2*eta[t]*own[t] + (c[t] - w[t])**2)",
        "smooth times 2*eta[t]; Young; domination times eta[t]**2",
    )
    o.step("kept", f"3/8 <= {kept}", "short steps")
    o.step("lost", f"1 - {kept} <= 3*L*eta[t]", "short steps")
    o.step("not negative", f"0 <= {kept}", "kept")
    o.step("nor with eta", f"0 <= 2*eta[t]*{kept}", "not negative times 2*eta[t]")
    o.step("nor with rho", f"0 <= 2*eta[t]*low*{kept}", "not negative times 2*eta[t]*low")
    o.step(
        "under the weights",
        f"2*eta[t]*{kept}*here[t] <= 2*eta[t]*(1 - 2*L*eta[t])*own[t] "
        "+ (1 - 2*L*eta[t])*(c[t] - w[t])**2",
        f"losses times {kept}; not negative",
    )
    o.step(
        "fifth",
        f"4*L*eta[t]**2*own[t] - 2*eta[t]*own[t] <= (c[t] - w[t])**2 - 2*eta[t]*{kept}*here[t]",
        "under the weights",
        roots="c[t] - w[t]",
    )
    o.step(
        "rho-bar of it",
        f"2*eta[t]*{kept}*low*(mu/2*(w[t] - star)**2 + gam) <= 2*eta[t]*{kept}*here[t]",
        f"rho-bar times 2*eta[t]*{kept}; growth times 2*eta[t]*low*{kept}",
    )
    o.step("far", "0 <= (w[t] - star)**2", roots="w[t] - star")
    o.step(
        "contraction",
        f"3/8*(w[t] - star)**2 <= {kept}*(w[t] - star)**2",
        "kept; far",
    )
    o.step("local steps of a round", "4*(E - 1)**2 <= 16*E**2")
    o.step(
        "bound",
        f"{o.left} <= {o.right}",
        "fifth at t = A; rho-bar of it at t = A; contraction at t = A times eta[A]*mu*low;"
        "lost at t = A times 2*eta[A]*low*gam; rho-tilde at t = A times 2*eta[A];"
        "spread of a round at t = A; local steps of a round times eta[A]**2*G2",
    )
