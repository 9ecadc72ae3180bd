"""One fact of a written proof in words: the rule by which it follows, and what that rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verify.certify.explain.formulas import ToldFormulas

Entry = Mapping[str, Any]

__all__ = ["Reasons"]


class Reasons:
    """Says why facts of one document hold.

    Parameters
    ----------
    document : mapping
        A proof that the checker accepts.
    formulas : ToldFormulas
    """

    def __init__(self, document: Entry, formulas: ToldFormulas) -> None:
        self._show = formulas
        self._meanings = dict(document["atoms"])

    def of(self, fact: Entry, lemmas: Sequence[str]) -> str:
        """The reason of a fact.

        Parameters
        ----------
        fact : mapping
        lemmas : sequence of str
            Numbers of the lines that show the lemmas of the fact.
        """
        show, about = self._show, fact["about"]
        by = f", by {' and '.join(lemmas)}" if lemmas else ""
        match fact["rule"]:
            case "hypothesis":
                return f"hypothesis (H{about + 1}){self.multiplied(fact)}{by}"
            case "declared":
                return "by the signs of the symbols"
            case "squares":
                squares = " + ".join(
                    show.times([*([q] if q != "1" else []), f"{show.inside(m, 4)}{_squared(show)}"])
                    for q, m in about
                )
                said = "a square" if len(about) == 1 else "a sum of squares"
                return f"{said}, {show.math(squares)}{self.multiplied(fact)}{by}"
            case "gram":
                names = ", ".join(map(show, about["monomials"]))
                rows = "; ".join(", ".join(map(str, row)) for row in about["matrix"])
                return (
                    f"a positive semidefinite form in {names} with the matrix "
                    f"[{rows}]{self.multiplied(fact)}{by}"
                )
            case "definition" | "power":
                return f"by what {self._atom(about)} is{self.multiplied(fact)}{by}"
            case "sum":
                parts = " + ".join(
                    show.math(self._summand(coefficient, name)) for coefficient, name in about
                )
                each = by or ", by the signs of its symbols"
                return (
                    f"a sum over the clients k = 1, ..., N of {parts}, each of them not "
                    f"negative{each}{self.multiplied(fact)}"
                )
            case "term":
                return (
                    f"a sum whose terms are not negative is at least its term k: "
                    f"{self._atom(about)}{by}{self.multiplied(fact)}"
                )
            case "Cauchy-Schwarz":
                first, second, third = (self._atom(name) for name in about)
                return (
                    f"Cauchy-Schwarz inequality: {first} times {second} is at least the square of "
                    f"{third}{by}{self.multiplied(fact)}"
                )
        raise ValueError(f"the rule {fact['rule']} has no words")

    def _atom(self, name: str) -> str:
        """A name with its meaning."""
        meaning = self._meanings.get(name)
        return self._show(name) if meaning is None else self._show.relation(name, "==", meaning)

    def _summand(self, coefficient: str, name: str) -> str:
        """Coefficient times what a sum is taken of; the number of clients sums ones."""
        show = self._show
        if name == "N":
            return show.bare(coefficient)
        body = self._meanings.get(name, name)
        summand = body.removeprefix("Sum(").removesuffix(", (k, 1, N))")
        plain = summand if summand != body else name
        if coefficient == "1":
            return show.bare(plain)
        return show.times([show.inside(coefficient), show.inside(plain, 3)])

    def multiplied(self, fact: Entry) -> str:
        """By what a fact was multiplied, to have no denominators."""
        show, factors = self._show, []
        for text, exponent in fact["times"]:
            power = "" if exponent == 1 else f"^{{{exponent}}}" if show.tex else f"^{exponent}"
            factors.append(f"{show.inside(text, 4 if power else 1)}{power}")
        return f", multiplied by {show.math(show.times(factors))}" if factors else ""


def _squared(show: ToldFormulas) -> str:
    return "^{2}" if show.tex else "^2"
