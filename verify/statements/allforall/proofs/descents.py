"""Stochastic gradient descent on parabolas of known moments: notation, and what it guarantees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim import Statement
from verify.outlines.exact import fractions
from verify.outlines.setting import Guaranteed, OutlineSetting, Quantity, Term
from verify.proof.bridge import ExactRun
from verify.statements.allforall.proofs.parabolas import LOOKED_AT, descent

__all__ = ["GAP", "Run", "number", "on_parabola", "power"]

Run = tuple[dict[str, Any], list[Fraction], list[Fraction]]
"""Numbers by name, curvatures along the axes, and the start."""

QUANTITIES = (
    Quantity("t", "index", "round, from 0", "t"),
    Quantity("L", "positive", "smoothness", "L"),
    Quantity("mu", "positive", "PL constant", r"\mu\lambda_{\min}^+(A)"),
    Quantity("eta", "positive", "step size", r"\eta"),
    Quantity("spread", "nonnegative", "variance of the noise", r"\sigma^2"),
    Quantity("eps", "positive", "precision", r"\varepsilon"),
    Quantity("K", "positive integer", "rounds", "T"),
    Quantity("left", "positive", "what a round leaves, exp(-eta mu)", r"e^{-\eta\mu}"),
    Quantity("half", "positive", "what one of step 1/(2 L) leaves", r"e^{-\mu/2L}"),
    Quantity("argument", "positive", "what stands under the logarithm"),
    Quantity("log", "nonnegative", "its logarithm"),
    Quantity("x[t]", "vector", "model", "x^t", known="t"),
    Quantity("n[t]", "vector", "noise of its gradient", r"\xi^t", known="t + 1"),
    Quantity("star", "vector", "minimiser", "x^*", known="0"),
    Quantity("f", "function", "loss", "f"),
)
GAP = "(f(x[0]) - f(star))"
FACTS = {
    "rule": Guaranteed("method", {"entry": "x[t + 1]", "is_": "x[t] - eta*(grad(f, x[t]) + n[t])"}),
    "unbiased": Guaranteed("unbiased", {"noise": "n[t]", "given": "t"}),
    "variance": Guaranteed("variance", {"noise": "n[t]", "sigma2": "spread"}),
    "smooth": Guaranteed("smooth", {"f": "f", "L": "L", "at": "x[t]", "to": "x[t + 1]"}),
    "steep": Guaranteed(
        "smooth above its infimum", {"f": "f", "L": "L", "at": "x[t]", "low": "f(star)"}
    ),
    "PL": Guaranteed("PL", {"f": "f", "mu": "mu", "at": "x[t]", "low": "f(star)"}),
    "convex": Guaranteed("convex", {"f": "f", "at": "x[t]", "to": "star"}),
    "minimum": Guaranteed("minimiser", {"f": "f", "star": "star", "at": "x[0]"}, scope=""),
    "mu <= L": Guaranteed("condition", {"less": "mu", "more": "L"}, scope=""),
    "eta <= 1/(2*L)": Guaranteed("condition", {"less": "eta", "more": "1/(2*L)"}),
    "tangent": Guaranteed("exponential", {"value": "left", "of": "eta*mu"}),
}


def _relations(**said: tuple[str, str]) -> dict[str, Guaranteed]:
    """Further relations between numbers, by what is smaller and what is larger."""
    return {
        name: Guaranteed("relation", {"less": less, "more": more}, scope="")
        for name, (less, more) in said.items()
    }


def on_parabola(
    statement: Statement, terms: Sequence[Term], run: Callable[[Any], Run], **said: tuple[str, str]
) -> OutlineSetting:
    """Notation of one statement on descent on a parabola.

    Parameters
    ----------
    statement : Statement
    terms : sequence of Term
        What it asks of a world.
    run : callable
        World -> numbers, curvatures along the axes, and the start.
    said : mapping
        Further relations between numbers, by what is smaller and what is larger.
    """

    def measured(world: Any) -> tuple[ExactRun, Mapping[str, int]]:
        numbers, curves, start = run(world)
        rounds = int(world.rounds)
        unsaid = dict.fromkeys(("mu", "eps", "left", "half", "argument", "log"), Fraction(1))
        values = unsaid | {"K": Fraction(rounds)} | numbers
        nowhere = [Fraction(0)] * len(start)
        made = descent(values, [curves], [nowhere], start, [Fraction(1)], 0)
        return made, {"t": min(rounds, LOOKED_AT)}

    return OutlineSetting(
        "stochastic gradient descent on parabolas",
        (statement.family, *statement.also),
        QUANTITIES,
        terms,
        FACTS | _relations(**said),
        measured,
        {"t": "K"},
    )


def number(world: Any, name: str) -> Fraction:
    """A symbol of a world."""
    return fractions(world.original(name))[0]


def power(exponent: Fraction) -> Any:
    """The exponential of a fraction, enclosed."""
    return xp.exp(np.array([exponent], dtype=object))
