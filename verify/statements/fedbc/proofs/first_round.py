"""The first round with one sampled set, of which the displays of the proofs speak: notation.

Client i and the server have x_i^0 and z^0 before the round, x_i^1 and z^1 after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from bounds import generic as xp
from verify.outlines.setting import Guaranteed, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.proof.entries import declared
from verify.statements.fedbc import corollary, lemma_b1, lemma_b2_pairs
from verify.statements.fedbc import lemma_b1_differences as differences
from verify.statements.fedbc import quantities as q
from verify.statements.fedbc.proofs import formulas as of
from verify.statements.fedbc.proofs.setting import FACTS, QUANTITIES, RESIDUAL, ROUND, families

__all__ = ["CHANGE", "FIRST", "GAP", "SOLVED", "SQUARED", "THERE", "now"]

GAP, CHANGE = f"({of.LATER} - {of.EARLIER})**2", "(lam[s, i, t + 1] - lam[s, i, t])"


def _size(rule: str, value: str, size: str) -> tuple[Guaranteed, Guaranteed]:
    """A number is at most its absolute value, and so is its opposite."""
    more, less = ({"less": said, "more": size} for said in (value, f"-({value})"))
    return Guaranteed(rule, more, scope=""), Guaranteed(rule, less, scope="")


_CHANGES = _size("condition", CHANGE, "turn[s, i, t]")
_EXCESSES = _size("relation", f"{GAP} - gam[i]", "over[s, i, t]")
THERE = {
    **FACTS,
    "within": Guaranteed("relation", {"less": GAP, "more": "R**2"}, scope=FACTS["diameter"].scope),
    "change": _CHANGES[0],
    "change back": _CHANGES[1],
    "excess": _EXCESSES[0],
    "excess back": _EXCESSES[1],
}
"""What is known of one client, and of absolute values."""

SIZES = {"turn[s, i, t]": CHANGE, "over[s, i, t]": f"{GAP} - gam[i]"}


def with_sizes(
    measured: Callable[[Any], tuple[ExactRun, Mapping[str, int]]], sizes: Mapping[str, str]
) -> Callable[[Any], tuple[ExactRun, Mapping[str, int]]]:
    """The same runs with absolute values of formulas, on the line, as numbers."""

    def measured_too(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
        run, ranges = measured(world)

        def size(letters: list[str], text: str) -> Callable[..., Fraction]:
            def value(*at: int) -> Fraction:
                found = run.value(text, dict(zip(letters, at, strict=True)))
                return abs(found if isinstance(found, Fraction) else found[0][0][0])

            return value

        entries = ((*declared(pattern), text) for pattern, text in sizes.items())
        more = {name: size(letters, text) for name, letters, text in entries}
        run.numbers = {**run.numbers, **more}
        return run, ranges

    return measured_too


TERMS = (
    *(term for term in ROUND.terms if "Sum" not in term.formula),
    Term("R", q.reach_of),
    Term("x[0, i, 0]", lambda w: q.first_round(w).old, per="i"),
    Term("x[0, i, 1]", lambda w: q.first_round(w).new, per="i"),
    Term("x[0, i, 1] - x[0, i, 0]", lambda w: q.first_round(w).move, per="i"),
    Term("z[0, 0]", lambda w: q.first_round(w).server),
    Term("z[0, 1]", lambda w: q.first_round(w).after),
    Term("lam[0, i, 0]", lambda w: q.first_round(w).multipliers, per="i"),
    Term("lam[0, i, 1]", lambda w: q.first_round(w).updated, per="i"),
    Term("(x[0, i, 1] - z[0, 1])**2", lambda w: q.first_round(w).spread, per="i"),
    Term("F(e[i] + x[0, i, 0])", lambda w: q.losses(w, q.first_round(w).old), per="i"),
    Term("F(e[i] + x[0, i, 1])", lambda w: q.losses(w, q.first_round(w).new), per="i"),
    Term("grad(F, e[i] + x[0, i, 0])", lambda w: q.slopes(w, q.first_round(w).old), per="i"),
    Term("grad(F, e[i] + x[0, i, 1])", lambda w: q.slopes(w, q.first_round(w).new), per="i"),
    Term(
        "turn[0, i, 0]",
        lambda w: xp.absolute(q.first_round(w).updated - q.first_round(w).multipliers),
        per="i",
    ),
    Term("over[0, i, 0]", lambda w: xp.absolute(q.first_round(w).gap - w.gamma), per="i"),
)

FIRST = replace(
    ROUND,
    name="the first round of FedBC",
    families=families(differences.eq31, differences.eq29, lemma_b2_pairs.eq55, corollary.eq92)
    + families(lemma_b1.eq39_repaired, corollary.eq93, corollary.eq94),
    quantities=(
        *QUANTITIES,
        Quantity(
            "turn[s, i, t]", "nonnegative", "absolute change", r"|\lambda_i^{t+1}-\lambda_i^t|"
        ),
        Quantity(
            "over[s, i, t]", "nonnegative", "absolute excess", r"|\|x_i^{t+1}-z^t\|^2-\gamma_i|"
        ),
    ),
    terms=(*TERMS, Term("(x[0, i, 1] - z[0, 0])**2", lambda w: q.first_round(w).gap, per="i")),
    facts=THERE,
    measured=with_sizes(ROUND.measured, SIZES),
)
"""Any participation."""

SOLVED = replace(
    FIRST,
    name="the first round of FedBC, residuals of clients that compute",
    quantities=(*FIRST.quantities, RESIDUAL),
)

SQUARED = replace(
    FIRST,
    name="the first round of FedBC, squared distances as numbers",
    terms=(*TERMS, Term("U[0, i, 0]", lambda w: q.first_round(w).gap, per="i")),
)


def now(*names: str) -> str:
    """What was said of every round and sampled set is used of the first."""
    parts = (name.partition(" times ") for name in names)
    return "; ".join(f"{name} at s = 0, t = 0{times}{factor}" for name, times, factor in parts)
