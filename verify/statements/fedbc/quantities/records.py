"""Records that have fields in common, tables of words, and deductions over free symbols."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from verify.claim import (
    Family,
    Hypothesis,
    Real,
    Rule,
    Statement,
    Wording,
    described,
    open_claim,
    statement,
)

Decorator = Callable[[Rule], Statement]
Maker = Callable[..., Decorator]
"""What :func:`statement` is to a record of its own."""
Displays = Callable[..., Hypothesis]


def rows(text: str) -> list[list[str]]:
    """Cells of a table of words: a line for each row, cells divided by ``::``."""
    return [[cell.strip() for cell in row.split(" :: ")] for row in text.strip().splitlines()]


SYNTHETIC = (
    "the number of rounds, the batch size, lambda^0, Lambda, the chosen steps and the law of the "
    "sizes; runs with choices of ours are in the figures fedbc_training, _users and _multipliers"
)


def listed(text: str) -> tuple[Statement, ...]:
    """Records without sides, a row each: kind, identifier, place, formula, title, what is missing.

    Where the last cell is not there, nothing is to be decided; SYNTHETIC is what is missing to
    repeat the runs on synthetic data.
    """
    table = rows(text.replace("SYNTHETIC", SYNTHETIC))
    cells = ((f"fedbc.{key}", kind, *more) for kind, key, *more in table)
    return tuple((described if len(row) == 5 else open_claim)(*row) for row in cells)


def claims(**shared: Any) -> Maker:
    """:func:`statement` for records that share these fields, where they have none of their own."""

    def made(key: str, **fields: Any) -> Decorator:
        record: Decorator = statement(key, **{**shared, **fields})
        return record

    return made


Claims = partial(Wording, "fedbc")
"""The words of a module's claims."""


def deductions(claim: Wording, table: str) -> tuple[Maker, Displays]:
    """Makers of the steps of a proof over free symbols, and of the displays that they assume.

    A display that is printed as an equality is assumed as an inequality where one side
    suffices. Special cases (two clients, one of them sampled) serve to show that a step does
    not follow.

    Parameters
    ----------
    claim : Wording
        The table of the module.
    table : str
        Place of the proof, then a row for each display, ``name :: formula``, the formula also
        as the name of a claim, with a third cell where the place is more than the name.

    Returns
    -------
    follows, shown : callable
        Decorator ``follows(key, names, *displays)`` of the step's two sides;
        ``shown(name, rule)``, a display.
    """
    (where,), *displays = rows(table)
    known = {name: cells for name, *cells in displays}

    def follows(key: str, names: str, *given: Hypothesis, **more: Any) -> Decorator:
        box = {name: more.pop(name) for name in [*more] if isinstance(more[name], Real)}
        more |= {"family": free(names, **box), "given": given}
        return claims(where=where, kind="deduction", latex="", **more)(f"fedbc.{key}-deduced")

    def shown(name: str, rule: Callable[[Any], Any], strict: bool = False) -> Hypothesis:
        formula, *place = known[name]
        latex = claim.latex(formula) if formula in claim.rows else formula
        return Hypothesis(name, latex, rule, place[0] if place else name, strict)

    return follows, shown


def free(names: str, **others: Real) -> Family:
    """Non-negative symbols; positive ones are marked by +, those of either sign by ~."""
    kinds = {"+": Real(1 / 16, 16, log=True), "~": Real(-4, 4)}
    box = {name.rstrip("+~"): kinds.get(name[-1], Real(0, 4)) for name in names.split()}
    return Family({**box, **others}, about="free symbols")


below_most = Hypothesis(
    "lambda <= lambda_max",
    r"\lambda_i^t\le\lambda_{\max}",
    lambda w: w.most - w.multiplier,
    "before (60)",
)
small_residual = Hypothesis(
    "(25)", r"\|e_i^{t+1}\|^2\le\epsilon", lambda w: w.epsilon - w.residual**2, "after (25)"
)
largest_stiffness = Hypothesis(
    "L >= L_i", r"L=\max_jL_j\ge L_i", lambda w: w.top - w.stiff, "after (70)"
)
