"""Equations 29 to 38, 54 and 92: one client in one round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.statements.fedbc import corollary, lemma_b1, lemma_b2_pairs
from verify.statements.fedbc import lemma_b1_differences as differences
from verify.statements.fedbc.proofs import formulas as of
from verify.statements.fedbc.proofs.first_round import CHANGE, FIRST, GAP, SOLVED, SQUARED, now

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

ABSOLUTE = ("change", "change back", "excess", "excess back")
PUSH = "grad(F, e[i] + x[0, i, 1]) + 4*lam[0, i, 0]*(x[0, i, 1] - z[0, 0])"
"""e_i + 2 lambda_i (x_i - z)."""


@proof_of(differences.eq29, FIRST)
@proof_of(differences.eq38_equal, FIRST)
@proof_of(lemma_b2_pairs.eq55_repaired, FIRST)
@proof_of(corollary.eq92, FIRST)
def identity(o: StatementOutline) -> None:
    """By the definitions alone."""
    o.step("identity", f"{o.left} == {o.right}")


@proof_of(differences.eq31, FIRST)
@proof_of(differences.eq33, FIRST)
def smoothness(o: StatementOutline) -> None:
    """The loss before the round lies above the parabola at the model after it."""
    o.uses("from below")
    o.step("first round", f"{o.left} <= {o.right}", now("from below"))


@proof_of(differences.eq34, FIRST)
def peter_paul(o: StatementOutline) -> None:
    """2 <e, d> <= |e|^2/L_i + L_i |d|^2."""
    o.uses("from below")
    o.step(
        "along",
        f"2*{of.OWN}*{of.MOVE} <= {of.OWN}**2/L[i] + L[i]*{of.MOVE}**2",
        roots=f"{of.OWN} - L[i]*{of.MOVE}",
    )
    o.step("first round", f"{o.left} <= {o.right}", now("from below", "along times 1/2"))


@proof_of(differences.eq35_repaired, SOLVED)
def first(o: StatementOutline) -> None:
    """The same, the residual being at most epsilon where the client moves."""
    models(o)
    o.step("first round", f"{o.left} <= {o.right}", now("models"))


@proof_of(differences.eq36, FIRST)
def product(o: StatementOutline) -> None:
    """A product is at most that of the absolute values."""
    o.uses(*ABSOLUTE)
    o.step(
        "second",
        f"{CHANGE}*({GAP} - gam[i]) <= turn[s, i, t]*over[s, i, t]",
        "; ".join(ABSOLUTE),
    )
    o.step("first round", f"{o.left} <= {o.right}", now("second"))


@proof_of(differences.eq37_projected, SQUARED)
def projected(o: StatementOutline) -> None:
    """The projection does not lengthen the dual step."""
    multiplier(o)
    o.step("first round", f"{o.left} <= {o.right}", now("multiplier"))


@proof_of(differences.eq37_split, SQUARED)
def split(o: StatementOutline) -> None:
    """The product of two squared distances is not negative."""
    o.step("split", f"{o.left} <= {o.right}")


@proof_of(differences.eq37_diameter, SQUARED)
def diameter(o: StatementOutline) -> None:
    """No two models are further apart than R."""
    o.uses("diameter")
    o.step("fourth powers", "U[s, i, t]**2 <= 16*R**4", "diameter")
    o.step("first round", f"{o.left} <= {o.right}", now("fourth powers times alpha"))


@proof_of(differences.eq38_dropped, FIRST)
def dropped(o: StatementOutline) -> None:
    """One square is dropped, and the multiplier is at most lambda_max."""
    servers(o)
    o.step("a square", f"0 <= lam[s, i, t + 1]*{GAP}", roots=f"{of.LATER} - {of.EARLIER}")
    o.step("first round", f"{o.left} <= {o.right}", now("servers", "a square"))


@proof_of(lemma_b1.eq39_repaired, SOLVED)
def three(o: StatementOutline) -> None:
    """(34), (37) and (38) add up."""
    rise(o)
    o.step("first round", f"{o.left} <= {o.right}", now("rise"))


@proof_of(corollary.eq93, FIRST)
def square_of_sum(o: StatementOutline) -> None:
    """|e - 2 lambda (x - z)|^2 <= 2 |e|^2 + 8 lambda^2 |x - z|^2."""
    o.step("sum", f"{o.left} <= {o.right}", roots=PUSH)


@proof_of(corollary.eq94, FIRST)
def within_the_diameter(o: StatementOutline) -> None:
    """The same, no two models being further apart than 2 R."""
    o.uses("within")
    o.step("wider", f"{GAP} <= 4*R**2", "within")
    o.step(
        "first round", f"{o.left} <= {o.right}", now("wider times 8*lam[s, i, t]**2"), roots=PUSH
    )


# -- the three differences of a Lagrangian ---------------------------------------------------------


def models(o: StatementOutline) -> None:
    """(35): by the local model."""
    o.uses("from below", "small", "solved or still")
    o.step(
        "along",
        f"2*res[s, i, t]*{of.MOVE} <= root**2/L[i] + L[i]*{of.MOVE}**2",
        "small times 1/L[i]",
        roots=f"res[s, i, t] - L[i]*{of.MOVE}",
    )
    now, before = (f"lam[s, i, t]*({x} - {of.EARLIER})**2" for x in (of.LATER, of.NOW))
    o.step(
        "models",
        f"F(e[i] + {of.LATER}) + {now} <= F(e[i] + {of.NOW}) + {before} + root**2/(2*L[i]) "
        f"+ (L[i] - lam[s, i, t])*{of.MOVE}**2",
        "from below; solved or still; along times 1/2",
    )


def multiplier(o: StatementOutline) -> None:
    """(37): by the multiplier."""
    excess = "(U[s, i, t] - gam[i])"
    o.uses("dual step")
    o.step(
        "multiplier",
        f"{CHANGE}*{excess} <= alpha*{excess}**2",
        "dual step",
        roots=f"alpha*{excess} - {CHANGE}",
    )


def servers(o: StatementOutline) -> None:
    """(38): by the server's model."""
    o.uses("upper end")
    o.step(
        "servers",
        f"lam[s, i, t + 1]*{of.FAR}**2 <= high*{of.FAR}**2",
        "upper end at t = t + 1",
        roots=of.FAR,
    )


def rise(o: StatementOutline) -> None:
    """(41): of a Lagrangian in a round."""
    models(o)
    multiplier(o)
    servers(o)
    o.uses("distance", "diameter")
    o.step("squares", "(U[s, i, t] - gam[i])**2 <= 16*R**4 + gam[i]**2", "diameter")
    o.step(
        "rise",
        f"{of.LAGRANGIAN_LATER} - {of.LAGRANGIAN} <= root**2/(2*L[i]) "
        f"+ (L[i] - lam[s, i, t])*{of.MOVE}**2 + alpha*(16*R**4 + gam[i]**2) + high*{of.FAR}**2",
        "models; multiplier; squares times alpha; servers; distance times lam[s, i, t]",
    )
