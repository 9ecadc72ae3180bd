"""Equations 66 to 70: the gradient at the server by those of the Lagrangians."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.outlines.setting import Guaranteed, Quantity, Term
from verify.statements.fedbc import quantities as q
from verify.statements.fedbc import theorem_gradient
from verify.statements.fedbc.proofs import formulas as of
from verify.statements.fedbc.proofs.first_round import FIRST, now
from verify.statements.fedbc.proofs.setting import FACTS, families, smooth

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

SERVER, OWN = of.there("i", of.EARLIER), of.there("i", of.NOW)
GAP, BEND = f"({of.NOW} - {of.EARLIER})", f"({SERVER} - {OWN})"
APART = f"({SERVER} - {of.BEFORE})"

GRADIENT = replace(
    FIRST,
    name="the first round of FedBC, gradients at the server",
    families=families(theorem_gradient.eq68, theorem_gradient.eq69_traced)
    + families(theorem_gradient.eq70_traced, theorem_gradient.eq70_smooth)
    + families(theorem_gradient.eq69_chain_traced),
    quantities=(
        *FIRST.quantities,
        Quantity("mean[s, t]", "vector", "gradient of the mean loss", r"\nabla f(z^t)"),
    ),
    terms=(
        *FIRST.terms,
        Term("mean[0, 0]", lambda w: q.mean_slope(w, q.first_round(w).server)),
        Term(
            "grad(F, e[i] + z[0, 0])",
            lambda w: q.slopes(w, q.everywhere(q.first_round(w).server, w.multipliers)),
            per="i",
        ),
    ),
    facts={
        **{name: FACTS[name] for name in ("largest", "upper end")},
        "mean loss": Guaranteed(
            "average",
            {"called": "mean[s, t]", "of": SERVER, "weight": "1", "index": "i", "rounds": "N"},
        ),
        "gradients": smooth("smooth gradients", of.EARLIER, of.NOW),
    },
)


@proof_of(theorem_gradient.eq68, GRADIENT)
def by_the_lagrangians(o: StatementOutline) -> None:
    """Jensen, and (a + b)^2 <= 2 a^2 + 2 b^2."""
    split(o, f"2*{APART}**2")


@proof_of(theorem_gradient.eq69_traced, GRADIENT)
def by_the_change(o: StatementOutline) -> None:
    """The same, and the gradient of the penalty apart from that of the loss."""
    pulled(o)
    split(o, f"4*{BEND}**2 + 16*high**2*{GAP}**2", "pulled times 2")


@proof_of(theorem_gradient.eq69_chain_traced, GRADIENT)
def from_68_to_69(o: StatementOutline) -> None:
    """(a + b)^2 <= 2 a^2 + 2 b^2."""
    pulled(o)
    total(o, "pulled", f"{APART}**2", f"2*{BEND}**2 + 8*high**2*{GAP}**2")
    o.step("first round", f"{o.left} <= {o.right}", now("pulled, all clients times 2/N"))


@proof_of(theorem_gradient.eq70_smooth, GRADIENT)
def from_69_to_70(o: StatementOutline) -> None:
    """Assumption 4.2 of every client."""
    bent(o)
    total(o, "bent", f"{BEND}**2", f"top**2*{GAP}**2")
    o.step("first round", f"{o.left} <= {o.right}", now("bent, all clients times 4/N"))


@proof_of(theorem_gradient.eq70_traced, GRADIENT)
def by_the_gap(o: StatementOutline) -> None:
    """(69) with Assumption 4.2 of every client."""
    pulled(o)
    bent(o)
    split(o, f"(4*top**2 + 16*high**2)*{GAP}**2", "pulled times 2; bent times 4")


def split(o: StatementOutline, right: str, by: str = "") -> None:
    """The square of the mean gradient by a bound of each client, with its Lagrangian's."""
    o.uses("mean loss")
    o.step(
        "client",
        f"{SERVER}**2 <= {right} + 2*{of.BEFORE}**2",
        by,
        roots=f"{APART} - {of.BEFORE}",
    )
    total(o, "client", f"{SERVER}**2", f"{right} + 2*{of.BEFORE}**2")
    o.step("a square", f"0 <= ({SERVER} - mean[s, t])**2", roots=f"{SERVER} - mean[s, t]")
    total(o, "a square", "0", f"({SERVER} - mean[s, t])**2")
    o.step(
        "all clients",
        f"N*mean[s, t]**2 <= {of.each(f'{right} + 2*{of.BEFORE}**2')}",
        "client, all clients; a square, all clients; mean loss times -1",
    )
    o.step("first round", f"{o.left} <= {o.right}", now("all clients times 1/N"))


def pulled(o: StatementOutline) -> None:
    """Of a client: how far its gradient at the server is from that of its Lagrangian."""
    o.uses("upper end")
    o.step("factor", "8*lam[s, i, t]**2 <= 8*high**2", "upper end")
    o.step("larger", f"8*lam[s, i, t]**2*{GAP}**2 <= 8*high**2*{GAP}**2", "factor", roots=GAP)
    o.step(
        "pulled",
        f"{APART}**2 <= 2*{BEND}**2 + 8*high**2*{GAP}**2",
        "larger",
        roots=f"{BEND} + 2*lam[s, i, t]*{GAP}",
    )


def bent(o: StatementOutline) -> None:
    """Of a client: how far its gradients at the server and at its model are apart."""
    o.uses("gradients", "largest")
    o.step("largest squared", "L[i]**2 <= top**2", "largest")
    o.step("flat", f"L[i]**2*{GAP}**2 <= top**2*{GAP}**2", "largest squared", roots=GAP)
    o.step("bent", f"{BEND}**2 <= top**2*{GAP}**2", "gradients; flat")


def total(o: StatementOutline, name: str, left: str, right: str) -> None:
    """A step of every client, added up."""
    o.close(
        f"{name}, all clients",
        f"{of.each(left)} <= {of.each(right)}",
        "telescoped",
        step=name,
        index="i",
        rounds="N",
        of="0",
    )
