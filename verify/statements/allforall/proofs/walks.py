r"""Walks on the line towards a minimum, in units of their step: notation, and what they guarantee.

A walk moves by one unit with chance a, towards the minimum with chance :math:`(1 + s)/2`.  Of the
distances :math:`|z^t|` only means are spoken of, V_t, and of the squares, E_t; where a loss takes
the place of the distance no subgradient of it is longer than a unit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds import generic as xp
from verify.claim import Statement
from verify.outlines.exact import below, fractions
from verify.outlines.setting import Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.allforall import walks
from verify.world.world import World

if TYPE_CHECKING:
    from verify.outlines.written import StatementOutline

__all__ = ["drifting", "gathered", "root", "side", "walk_setting"]

QUANTITIES = (
    Quantity("t", "index", "round, from 0", "k"),
    Quantity("K", "positive integer", "rounds", "K"),
    Quantity("n", "positive", "the number of rounds as printed, which need not be whole"),
    Quantity("a", "positive", "chance to move in a round"),
    Quantity("s", "nonnegative", "drift towards the minimum, a share of a step"),
    Quantity("V[t]", "nonnegative", "mean distance from the minimum, in steps"),
    Quantity("E[t]", "nonnegative", "mean square of the distance", "e^k"),
    Quantity("top", "nonnegative", "what a step of the slope B makes of the loss"),
    Quantity("gap", "nonnegative", "mean loss that is spoken of"),
    Quantity("eps", "positive", "precision", r"\varepsilon"),
    Quantity("fill", "nonnegative", "bias, as a share of the largest that is allowed"),
    Quantity("ratio", "positive", "half the edge of the simplex over D"),
    Quantity("D", "positive", "distance at the start, at most", "D"),
    Quantity("N", "positive integer", "agents", "N"),
)
FACTS = {
    "mean": Guaranteed(
        "relation", {"less": "gap", "more": "top*s*Sum(V[t], (t, 0, K - 1))/K"}, scope=""
    ),
    "filled": Guaranteed("condition", {"less": "fill", "more": "1"}, scope=""),
}
ROUND = {"less": "E[t + 1]", "more": "E[t] - 2*a*s*V[t] + a"}
TERMS = (
    Term("fill", lambda w: w.fill),
    Term("ratio", lambda w: w.ratio),
    Term("D", lambda w: w.distance),
    Term("N", lambda w: w.N),
)
ROOM = Fraction(1, 10**22)
"""By how much the mean loss is taken to be smaller: more than all that was rounded before."""


def walk_setting(
    statement: Statement,
    terms: Mapping[str, Callable[[Any], Any]],
    numbers: Callable[[World], Mapping[str, Fraction]],
    walk: Callable[[World, Mapping[str, Fraction]], Any],
    about: str = "steps of one length, with a drift towards the minimum",
    **known: str,
) -> OutlineSetting:
    """Notation of one statement on walks.

    Parameters
    ----------
    statement : Statement
    terms : mapping
        What it asks of a world, by name; ``gap`` is a mean loss.
    numbers : callable
        ``n``, ``a``, ``s``, ``top``, ``eps`` of a world, and ``start``, all fractions.
    walk : callable
        The walk in units of its step.
    about : str
        Of which walks it is one.
    known : mapping
        What is known of these numbers: by name what ``E[0]``, ``top`` squared or ``n`` is at most.
    """
    smaller = {"start": "E[0]", "size": "top**2", "printed": "n"}
    facts = {
        name: Guaranteed("relation", {"less": smaller[name], "more": more}, scope="")
        for name, more in known.items()
    }
    facts["round"] = Guaranteed("relation", ROUND, scope=about)

    def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
        found = dict(numbers(world))
        made, rounds = walk(world, found), int(world.rounds)
        values: dict[str, Any] = {name: Fraction(1) for name in ("n", "eps", "fill", "ratio", "D")}
        for name, symbol in (("fill", "fill"), ("ratio", "ratio"), ("D", "distance")):
            if world.has(symbol):
                values[name] = fractions(world.original(symbol))[0]
        values |= found | {
            "K": Fraction(rounds),
            "N": Fraction(int(world.original("N")) if world.has("N") else 1),
            "gap": max(below(terms["gap"](world), ROOM), Fraction(0)),
            "V": [fractions(value)[0] for value in made.distances],
            "E": [fractions(value)[0] for value in made.squares],
        }
        entries = {name: _entry(value) for name, value in values.items()}
        return ExactRun([Fraction(1)], numbers=entries), {"t": rounds}

    return OutlineSetting(
        "walks on the line",
        (statement.family, *statement.also),
        QUANTITIES,
        (*(Term(name, asked) for name, asked in terms.items()), *TERMS),
        FACTS | facts,
        measured,
        {"t": "K"},
    )


def drifting(world: World, found: Mapping[str, Fraction]) -> walks.Walk:
    """A walk of unit steps, of what is found of a world."""
    share, start, awake = (np.array([found[name]], dtype=object) for name in ("s", "start", "a"))
    return walks.Walk(share, start, xp.ones_like(start), awake, int(world.rounds))


def side(statement: Statement, name: str) -> Callable[[Any], Any]:
    """A term of the statement's own sides."""
    sides: Any = statement.sides

    def asked(w: Any) -> Any:
        left, right = w.once(sides)
        return {**right, **left}[name]

    return asked


def root(square: Fraction) -> Any:
    """A root, exact or enclosed."""
    return xp.sqrt(np.array([square], dtype=object))


def gathered(o: StatementOutline, share: str) -> None:
    """The mean loss in all rounds is at most this share of ``top``."""
    o.uses("round", "mean", "start")
    total = "Sum(V[t], (t, 0, K - 1))"
    o.close(
        "all rounds",
        f"2*a*s*{total} + E[K] <= E[0] + K*a",
        "telescoped",
        step="round",
        index="t",
        rounds="K",
        of="E[t]",
    )
    o.step(
        "in the mean",
        f"s*{total}/K <= {share}",
        "all rounds times 1/(2*a*K); start times 1/(2*a*K)",
    )
    o.step("gathered", f"gap <= {share}*top", "mean; in the mean times top")


def _entry(value: Any) -> Any:
    if not isinstance(value, list):
        return lambda *_: Fraction(value)
    return lambda place: value[place] if place < len(value) else Fraction(0)
