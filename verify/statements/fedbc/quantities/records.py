"""Records that have fields in common, tables of words, and deductions over free symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verify.claim import Claims as Table
from verify.claim import Family, Hypothesis, Real, Rule, Statement, statement

Maker = Callable[..., Callable[[Rule], Statement]]
"""What :func:`statement` is to a record of its own."""


def rows(text: str) -> list[list[str]]:
    """Cells of a table of words: a line for each row, cells divided by ``::``."""
    return [[cell.strip() for cell in row.split(" :: ")] for row in text.strip().splitlines()]


def claims(**shared: Any) -> Maker:
    """:func:`statement` for records that share these fields, where they have none of their own."""

    def made(key: str, **fields: Any) -> Callable[[Rule], Statement]:
        record: Callable[[Rule], Statement] = statement(key, **{**shared, **fields})
        return record

    return made


class Claims(Table):
    """The claims of a module, see :class:`verify.claim.claims.Claims`; after ``<-`` a row names what
    its claim rests on."""

    def __init__(self, table: str) -> None:
        rows = [line.partition(" <- ") for line in table.strip().splitlines()]
        super().__init__("fedbc", "\n".join(row for row, _, _ in rows))
        self.uses = {row.split()[0]: uses.split() for row, _, uses in rows}

    def said(self, name: str) -> dict[str, Any]:
        """Place, kind, title and formula of a claim, and what it rests on."""
        uses = tuple(f"fedbc.{used}" for used in self.uses.get(name, ()))
        return {**super().said(name), "uses": uses}


# -- whether a step of a proof follows from the displays before it ---------------------------------


def deductions(where: str) -> Maker:
    """Decorator for the steps of a proof over free symbols, ``(key, names, *displays)``.

    A display that is printed as an equality is assumed as an inequality where one side suffices.
    Special cases (two clients, one of them sampled) serve to show that a step does not follow.
    """

    def follows(
        key: str, names: str, *given: Hypothesis, relation: str = "<=", note: str = "", **box: Real
    ) -> Callable[[Rule], Statement]:
        fields = {"family": free(names, **box), "given": given, "relation": relation, "note": note}
        step = claims(where=where, kind="deduction", latex="")
        return step(f"fedbc.{key}-deduced", **fields)

    return follows


def free(names: str, **others: Real) -> Family:
    """Non-negative symbols; positive ones are marked by +, those of either sign by ~."""
    kinds = {"+": Real(1 / 16, 16, log=True), "~": Real(-4, 4)}
    box = {name.rstrip("+~"): kinds.get(name[-1], Real(0, 4)) for name in names.split()}
    return Family({**box, **others}, about="free symbols")


def display(name: str, latex: str, rule: Callable[[Any], Any], where: str = "") -> Hypothesis:
    """A display before the step, by its number; ``where`` says more than that."""
    return Hypothesis(name, latex, rule, where or name)


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
