"""Equations 78 to 83: the Lagrangians before the first round and after the last."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from verify.outlines.registry import proof_of
from verify.outlines.setting import Guaranteed, Quantity, Term
from verify.statements.fedbc import quantities as q
from verify.statements.fedbc import theorem_fall
from verify.statements.fedbc.proofs.run import measured_with
from verify.statements.fedbc.proofs.setting import FACTS, QUANTITIES, ROUND, families

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline
    from verify.statements.fedbc.quantities.rounds import Round
    from verify.world.world import World

LAST, SERVER = "x[s, i, T]", "z[s, T]"
GAP, SLOPE = f"({LAST} - {SERVER})", f"grad(F, e[i] + {LAST})"


def _first(w: World) -> Round:
    return q.rounds_of(w)[0][0]


def _last(w: World) -> Round:
    return q.rounds_of(w)[0][-1]


ENDS = replace(
    ROUND,
    name="the first and the last round of FedBC",
    families=families(theorem_fall.eq80, theorem_fall.eq83),
    quantities=(
        *(x for x in QUANTITIES if x.name not in ("root", "R", "half", "dual")),
        Quantity("G", "nonnegative", "largest gradient at a last local model", "G"),
    ),
    terms=(
        *(term for term in ROUND.terms if term.formula in ("L[i]", "gam[i]")),
        Term("G", q.gradient_bound),
        Term("x[0, i, 0]", lambda w: _first(w).old, per="i"),
        Term("z[0, 0]", lambda w: _first(w).server),
        Term("lam[0, i, 0]", lambda w: _first(w).multipliers, per="i"),
        Term("lam[0, i, 0]", lambda w: w.multipliers, per="i"),
        Term("x[0, i, T]", lambda w: _last(w).new, per="i"),
        Term("z[0, T]", lambda w: _last(w).after),
        Term("lam[0, i, T]", lambda w: _last(w).updated, per="i"),
        Term("(x[0, i, T] - z[0, T])**2", lambda w: _last(w).spread, per="i"),
        Term("F(e[i] + x[0, i, 0])", lambda w: q.losses(w, _first(w).old), per="i"),
        Term("F(e[i] + x[0, i, T])", lambda w: q.losses(w, _last(w).new), per="i"),
        Term("grad(F, e[i] + x[0, i, T])", lambda w: q.slopes(w, _last(w).new), per="i"),
        Term(
            "F(e[i] + z[0, 0])",
            lambda w: q.losses(w, q.everywhere(_first(w).server, w.multipliers)),
            per="i",
        ),
        Term(
            "F(e[i] + z[0, T])",
            lambda w: q.losses(w, q.everywhere(_last(w).after, w.multipliers)),
            per="i",
        ),
    ),
    facts={
        "common start": Guaranteed(
            "method",
            {"entry": "x[s, i, 0]", "is_": "z[s, 0]"},
            needs=(q.common_start.name,),
            scope="a common start",
        ),
        "values": FACTS["last values"],
        "steep": Guaranteed(
            "Lipschitz",
            {"f": "F", "G": "G", "at": f"e[i] + {LAST}"},
            scope="gradients at the last local models at most G",
        ),
        "last above": Guaranteed(
            "condition",
            {"less": "L[i]", "more": "lam[s, i, T]"},
            needs=(q.last_above.name,),
            scope="lambda_i^T >= L_i",
        ),
    },
    measured=measured_with({"G": q.gradient_bound}),
)


@proof_of(theorem_fall.eq78_last, ENDS)
def at_the_end(o: StatementOutline) -> None:
    """By the definition of a Lagrangian."""
    o.step("identity", f"{o.left} == {o.right}")


@proof_of(theorem_fall.eq78_repaired, ENDS)
def at_the_start(o: StatementOutline) -> None:
    """The same where models begin at the server's."""
    o.uses("common start")
    o.step("identity", f"{o.left} == {o.right}")


@proof_of(theorem_fall.eq80, ENDS)
def smoothness(o: StatementOutline) -> None:
    """The loss at the server's last model lies below the parabola at the client's."""
    o.uses("values")
    o.step("last round", f"{o.left} <= {o.right}", "values at s = 0")


@proof_of(theorem_fall.eq81, ENDS)
def peter_paul(o: StatementOutline) -> None:
    """2 <g, d> <= |g|^2/L_i + L_i |d|^2, and no gradient is longer than G."""
    below(o)
    o.step("last round", f"{o.left} <= {o.right}", "below at s = 0")


@proof_of(theorem_fall.eq83, ENDS)
def multipliers_above(o: StatementOutline) -> None:
    """The same, as the last multiplier is at least L_i."""
    below(o)
    o.uses("last above")
    o.step("multiplier", f"L[i]*{GAP}**2 <= lam[s, i, T]*{GAP}**2", "last above", roots=GAP)
    o.step("last round", f"{o.left} <= {o.right}", "below at s = 0; multiplier at s = 0")


def below(o: StatementOutline) -> None:
    """(81): the loss at the server's last model by that at the client's."""
    o.uses("values", "steep")
    o.step(
        "along",
        f"-2*{SLOPE}*{GAP} <= G**2/L[i] + L[i]*{GAP}**2",
        "steep times 1/L[i]",
        roots=f"{SLOPE} + L[i]*{GAP}",
    )
    o.step(
        "below",
        f"F(e[i] + {SERVER}) <= F(e[i] + {LAST}) + L[i]*{GAP}**2 + G**2/(2*L[i])",
        "values; along times 1/2",
    )
