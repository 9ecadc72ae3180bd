"""Equations 26 and 27: the gradient of a Lagrangian before a round, every client computing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bounds import generic as xp
from verify.outlines.registry import proof_of
from verify.outlines.setting import Guaranteed, Quantity, Term
from verify.statements.fedbc import lemma_b1
from verify.statements.fedbc import quantities as q
from verify.statements.fedbc.proofs import formulas as of
from verify.statements.fedbc.proofs.first_round import THERE, with_sizes
from verify.statements.fedbc.proofs.lemma_b1 import slope_before
from verify.statements.fedbc.proofs.setting import COMPUTING, COMPUTING_FACTS, families

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

EQ26, EQ27 = lemma_b1.eq26.leaf("V"), lemma_b1.eq27.leaf("V")
TOP, PART = "(top + 2*high)", f"({of.BEFORE} - {of.OWN})"
_MOVE, _BEFORE = "x[s, i, 1] - x[s, i, 0]", of.slope("i", "0", "0")[1:-1]


def _same(one: str, other: str) -> Guaranteed:
    return Guaranteed("relation", {"less": one, "more": other}, scope="")


SLOPES = replace(
    COMPUTING,
    name="the first round of FedBC in which every client computes",
    families=families(EQ26, EQ27),
    quantities=(
        *COMPUTING.quantities,
        Quantity(
            "steep[s, i, t]", "nonnegative", "length of a gradient", r"\|\nabla\mathcal L_i\|"
        ),
        Quantity("far[s, i, t]", "nonnegative", "length of a move", r"\|x_i^{t+1}-x_i^t\|"),
    ),
    terms=(
        *(term for term in COMPUTING.terms if term.formula in ("top", "high", "root**2")),
        Term("root", lambda w: xp.sqrt(q.tolerance(w)[..., None])),
        Term("steep[s, i, 0]", lambda w: EQ26(w)[0]["|grad L_i|"], per="s i"),
        Term(f"{TOP}*far[s, i, 0]", lambda w: EQ26(w)[1]["(L + 2 lambda_max) |move|"], per="s i"),
        Term(f"({_BEFORE})**2", lambda w: EQ27(w)[0]["|grad L_i|^2"], per="s i"),
        Term(f"2*{TOP}**2*({_MOVE})**2", lambda w: EQ27(w)[1]["2 M_1^2 |move|^2"], per="s i"),
    ),
    facts={
        **THERE,
        "residual": COMPUTING_FACTS["residual"],
        "length": _same("steep[s, i, t]**2", f"{of.BEFORE}**2"),
        "move": _same(f"{of.MOVE}**2", "far[s, i, t]**2"),
    },
    measured=with_sizes(COMPUTING.measured, {"steep[s, i, t]": of.BEFORE, "far[s, i, t]": of.MOVE}),
)


@proof_of(EQ27, SLOPES)
def squared(o: StatementOutline) -> None:
    """The gradient turns by at most M_1 times the move, and a residual is left."""
    o.uses("residual", "largest", "upper end")
    slope_before(o)
    o.step("first round", f"{o.left} <= {o.right}", "slope before at t = 0")


@proof_of(EQ26, SLOPES)
def lengths(o: StatementOutline) -> None:
    """The same by the triangle inequality."""
    o.uses("residual", "largest", "upper end", "length", "move")
    slope_before(o)
    o.step("part", f"{PART}**2 <= ({TOP}*far[s, i, t])**2", f"turned; larger; move times {TOP}**2")
    o.close(
        "product",
        f"{PART}*{of.OWN} <= {TOP}*far[s, i, t]*root",
        "Cauchy, Schwarz",
        one=PART,
        other=of.OWN,
        size=f"{TOP}*far[s, i, t]",
        its="root",
        first="part",
        second="residual",
    )
    o.step(
        "squares",
        f"steep[s, i, t]**2 <= ({TOP}*far[s, i, t] + root)**2",
        "length; part; residual; product times 2",
    )
    o.step("sum", f"steep[s, i, t] <= {TOP}*far[s, i, t] + root", "squares")
    o.step("first round", f"{o.left} <= {o.right}", "sum at t = 0")
