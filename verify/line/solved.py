"""Hypotheses that are equalities: a symbol that stands alone in one is what the others make it.

No search meets ``x + y == 1`` by chance.  So y becomes ``1 - x``, a definition, and what the line
says of its range becomes a hypothesis.  Shares, ``sum_i p[i] == 1``, are numbers over their sum.
Any other equality stays a hypothesis, ``x**2 + y**2 == 1`` for one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from verify.claim.hypothesis import Hypothesis
from verify.line.pieces import Related, refusal
from verify.line.program import Translator, terms
from verify.line.ranges import Range, Ranges
from verify.terms.direct.build import TermFunction, generic, operation, symbol, taken
from verify.terms.node import Node

__all__ = ["Solved", "solved"]


@dataclass
class Solved:
    """Definitions by name, hypotheses that are left, and helpers of shares.

    ``raw`` names the numbers that shares are made of, ``needed`` what must hold for them.
    """

    defines: dict[str, Node] = field(default_factory=dict)
    rest: list[Related] = field(default_factory=list)
    raw: dict[str, str] = field(default_factory=dict)
    raw_defines: dict[str, Node] = field(default_factory=dict)
    needed: list[Hypothesis] = field(default_factory=list)


def solved(given: Sequence[Related], program: Translator, known: Ranges) -> Solved:
    """Take the equalities out of the hypotheses.

    Raises
    ------
    InvalidInput
        If what is said of shares is not of shares.
    """
    out = Solved()
    reads: dict[str, set[str]] = {}
    for one in given:
        if one.relation != "==":
            out.rest.append(one)
            continue
        if _shares(one, out, program, known):
            continue
        found = _alone(one, program, known, reads)
        if found is None:
            out.rest.append(one)  # the search moves its points onto it
            continue
        name, value = found
        reads[name] = _names(value)
        program.indexed.setdefault(name, 0)
        out.defines[name] = program.term(value, one.piece)
    return out


def _shares(one: Related, out: Solved, program: Translator, known: Ranges) -> bool:
    """``sum_i p[i] == 1``."""
    for side, other in ((one.left, one.right), (one.right, one.left)):
        text = ast.unparse(side).replace(" ", "")
        match = re.fullmatch(r"sum_([A-Za-z])\(([A-Za-z]\w*)\[\1\]\)", text)
        if match is None or not isinstance(other, ast.Constant) or other.value != 1:
            continue
        name = match[2]
        program.kind(side, ())
        raw = f"{name}_raw"
        out.raw[name] = raw
        total = generic("total", symbol(raw))
        out.raw_defines[name] = operation("/", symbol(raw), taken(total, [False]))
        range_ = known.of.get(name, Range())
        if range_.low != 0 or range_.high not in (None, 1):
            raise refusal(
                one.piece,
                f"with shares {name} of at least 0",
                "another range",
                f"write {name} >= 0 or {name} in [0, 1] after 'for'",
            )
        known.of[name] = Range("share", range_.low, None, range_.open_low)
        out.needed.append(
            Hypothesis(
                f"some {name} above 0",
                rf"\sum_i {name}_i > 0",
                TermFunction(total),
                strict=True,
                defining=True,
            )
        )
        return True
    return False


def _alone(
    one: Related, program: Translator, known: Ranges, reads: dict[str, set[str]]
) -> tuple[str, ast.expr] | None:
    """A symbol that is one summand and stands nowhere else, the last such, and what it is."""
    summands = [(1, t) for t in terms(one.left)] + [(-1, t) for t in terms(one.right)]
    for k in reversed(range(len(summands))):
        sign, term = summands[k]
        while isinstance(term, ast.UnaryOp) and isinstance(term.op, ast.USub):
            sign, term = -sign, term.operand
        others = [s for j, s in enumerate(summands) if j != k]
        if not isinstance(term, ast.Name) or term.id in program.vectors or term.id in reads:
            continue
        name = term.id
        if known.of.get(name, Range()).kind == "integer":
            continue
        needs = set().union(*(_names(t) for _, t in others))
        while deeper := {n for used in needs for n in reads.get(used, ())} - needs:
            needs |= deeper
        if name not in needs:
            return name, _sum([(-sign * s, t) for s, t in others])
    return None


def _sum(parts: list[tuple[int, ast.expr]]) -> ast.expr:
    if not parts:
        return ast.Constant(0)
    parts = sorted(parts, key=lambda part: -part[0])
    sign, first = parts[0]
    whole = first if sign > 0 else ast.UnaryOp(ast.USub(), first)
    for sign, term in parts[1:]:
        whole = ast.BinOp(whole, ast.Add() if sign > 0 else ast.Sub(), term)
    return whole


def _names(node: ast.expr) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
