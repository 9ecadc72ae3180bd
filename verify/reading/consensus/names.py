"""Names of what is known of a round of a run.

In round t of run r client k solves its problem with the multiplier ``multiplier{r}_{t}[k]`` and the
server's model ``server{r}_{t}``: its model is ``model{r}_{t+1}[k]``, its gradient there
``slope{r}_{t+1}[k]``, and the server's next model ``server{r}_{t+1}``.  Runs begin alike.  What is
said of every round alike is said in the same names without a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy

Expr = Any  # sympy carries no types

WRITTEN_OUT = 5
"""Clients that are written out."""
SOLVER, AFTER = (sympy.Symbol(n, real=True) for n in ("server", "server_after"))
"""The server's model with which clients solve their problems, and the next one."""
MULTIPLIER, MODEL, SLOPE = (
    sympy.IndexedBase(n, real=True) for n in ("multiplier", "model", "slope")
)
STIFF = sympy.IndexedBase("stiff", positive=True)
"""Lipschitz constants of the clients' gradients."""
TOP = sympy.Symbol("smoothness", positive=True)
"""The largest of them."""
MOST = sympy.Symbol("largest", nonnegative=True)
"""What the program takes a largest value of, over all clients in all rounds."""
BOUND = sympy.Symbol("dissimilarity", nonnegative=True)
"""What the program takes over a set that holds all models."""

__all__ = [
    "AFTER",
    "BOUND",
    "MODEL",
    "MOST",
    "MULTIPLIER",
    "SLOPE",
    "SOLVER",
    "STIFF",
    "TOP",
    "WRITTEN_OUT",
    "NamedRound",
]


@dataclass(frozen=True)
class NamedRound:
    """A round of a run, by their numbers."""

    run: int
    round: int

    @cached_property
    def names(self) -> dict[str, str]:
        """What is known of the round, by what it is in every round."""
        now, then = (f"{self.run}_{t}" for t in (self.round, self.round + 1))
        begins = self.round == 0
        return {
            "server": "start" if begins else f"server{now}",
            "multiplier": "multipliers" if begins else f"multiplier{now}",
            "server_after": f"server{then}",
            "model": f"model{then}",
            "slope": f"slope{then}",
        }

    def symbol(self, word: str) -> Expr:
        """One number of the round."""
        return sympy.Symbol(self.names[word], real=True)

    def base(self, word: str) -> Expr:
        """A number of every client in the round."""
        return sympy.IndexedBase(self.names[word], real=True)

    def said(self, e: Expr) -> Expr:
        """A formula about this round in the names of every round."""
        back = {name: word for word, name in self.names.items()}
        table = {}
        for s in e.free_symbols:
            if isinstance(s, sympy.Indexed):
                word = back.get(str(s.base))
                if word is not None:
                    table[s] = sympy.IndexedBase(word, real=True)[s.indices]
            elif str(s) in back:
                table[s] = sympy.Symbol(back[str(s)], real=True)
        return e.xreplace(table)

    def about(self, e: Expr) -> bool:
        """Whether a formula speaks of this round's own models."""
        own = {self.names["model"], self.names["slope"]}
        return any(str(s.base) in own for s in e.atoms(sympy.Indexed))
