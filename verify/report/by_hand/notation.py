r"""What the symbols of each paper are called in print.

A paper's package has a table ``NOTATION`` of one line for each symbol of its programs:
``name letter axes``, the letter in TeX, and ``LETTERS`` for a loss and a model, if not f and x.
Axes say what an index of an array counts: ``k`` clients, ``i`` a second client, ``t`` rounds
(written above), ``u`` rounds of which the first entry is after the first one, ``d`` coordinates
(written only where there are several).  A blank inside a letter
is written ``~``.  Symbols that stand in no table are refused: a name of the code is never printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verify.catalogue.paper import paper_package
from verify.ledger.laws.letters import COMMON, table

if TYPE_CHECKING:  # it loads sympy, which a claim of one's own need not wait for
    from verify.report.by_hand.told import Namer

__all__ = ["Notation", "notation"]

OUTCOMES = "abcdefghijklmnopqrstuvwxyz"
"""Outcomes of the noise, as they are written above a symbol."""


@dataclass(frozen=True)
class Notation:
    """Symbols of one paper.

    Parameters
    ----------
    letters : mapping of str to tuple
        Letter in TeX and axes, by the name in the programs.
    loss, model : str
        Letters of a loss and of a model.
    """

    letters: Mapping[str, tuple[str, str]]
    loss: str = "f"
    model: str = "x"

    def letter(self, name: str) -> str:
        """The letter of a symbol, without indices."""
        return self.letters[name][0]

    def has(self, name: str) -> bool:
        """Whether the symbol has a name in print."""
        return name in self.letters

    def entry(self, name: str, index: tuple[int, ...], shape: tuple[int, ...]) -> str:
        """An entry of an array in TeX.

        Parameters
        ----------
        name : str
        index, shape : tuple of int
            The first axis counts outcomes, the last ones are those that the table names.

        Raises
        ------
        LookupError
            If the symbol has no name in print, or an outcome no letter.
        """
        letter, axes = self.letters[name]
        outcome, sizes = (index[:1], shape[:1]), shape[1:]
        index = index[1:]
        own = axes.replace("-", "")
        own = own[-len(index) :] if index else ""
        own = "i" * (len(index) - len(own)) + own
        below, above = [], []
        for axis, at, size in zip(own, index, sizes, strict=True):
            if axis == "t":
                above += [str(at)] if size > 1 or len(own) > 1 else []
            elif axis == "u":
                above.append(str(at + 1))
            elif axis != "d" or size > 1:
                below.append(str(at + 1))
        above += [OUTCOMES[at] for at, size in zip(*outcome, strict=True) if size > 1]
        return _indexed(letter, below, above)


def notation(paper: str) -> Notation | None:
    """Symbols of a paper; None of one that has no table (a user's own)."""
    package = paper_package(paper)
    if package is None or not hasattr(package, "NOTATION"):
        return None
    loss, model = getattr(package, "LETTERS", ("f", "x"))
    return Notation({**table(COMMON), **table(package.NOTATION)}, loss, model)


def namer(found: Notation) -> Namer:
    """How a world names its numbers."""
    return found.entry


def _indexed(letter: str, below: list[str], above: list[str]) -> str:
    """A letter with further indices; those that it has already stay in front."""
    base, lower, upper = _parts(letter)
    lower = ",".join([lower] * bool(lower) + [" ".join(below)] * bool(below))
    upper = ",".join([upper] * bool(upper) + above)
    return base + (f"_{{{lower}}}" if lower else "") + (f"^{{{upper}}}" if upper else "")


def _parts(letter: str) -> tuple[str, str, str]:
    r"""Base, lower and upper index of a letter such as ``\sigma_{1}^{2}``."""
    base, lower, upper = letter, "", ""
    if base.endswith("}") and "^{" in base:
        base, _, upper = base[:-1].rpartition("^{")
    if base.endswith("}") and "_{" in base:
        base, _, lower = base[:-1].rpartition("_{")
    return base, lower, upper
