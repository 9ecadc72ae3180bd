"""Random variables of a line: ``x ~ coin(p)``, read as the law of what stands under ``E`` or ``P``.

``E((x - p)**2)`` is the mean and ``P(x >= t)`` a probability; variables are independent.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from verify.line.grammar.refused import Edit
from verify.line.pieces import Piece, expression, refusal, split_list
from verify.line.ranges import written_number

__all__ = ["LAWS", "Variable", "drawn"]

LAWS = {"coin": 1, "two_point": 3, "binomial": 2, "uniform": 2, "normal": 2}
"""Law and how many numbers it has (`verify.claim.laws`; of a normal one, mean and variance)."""

NAMES = {
    **{name.lower(): name for name in LAWS},
    "bernoulli": "coin",
    "bern": "coin",
    "ber": "coin",
    "bin": "binomial",
    "u": "uniform",
    "unif": "uniform",
    "n": "normal",
    "gaussian": "normal",
}
"""Laws by the names that papers give them, in small letters."""

CHANCE = {"coin": 0, "two_point": 2, "binomial": 1}
"""Which of them is a chance, between 0 and 1."""

_DRAWN = re.compile(
    r"\\?([A-Za-z]\w*)\s*~\s*(?:\\[A-Za-z]+\s*)?\{?\s*(\w+)\s*\}?\s*[(\[](.*)[)\]]", re.DOTALL
)
_DEVIATION = re.compile(r"\\?sigma(?:_\{?\w+\}?)?|std|sd")
"""Symbols that stand for a standard deviation."""
_BARE = re.compile(r"[A-Za-z]\w*")


@dataclass(frozen=True)
class Variable:
    """One random variable: its name, its law, and the numbers of the law."""

    name: str
    law: str
    numbers: tuple[ast.expr, ...]
    piece: Piece

    @property
    def chance(self) -> ast.expr | None:
        """The number that must be a chance."""
        place = CHANCE.get(self.law)
        return None if place is None else self.numbers[place]


def drawn(items: tuple[Piece, ...]) -> tuple[tuple[Variable, ...], tuple[Piece, ...]]:
    """Random variables of the list after ``for``, and the other items.

    Parameters
    ----------
    items : tuple of Piece

    Raises
    ------
    InvalidInput
        For a law that is not known, or one of other numbers than it has.
    """
    found: dict[str, Variable] = {}
    rest: list[Piece] = []
    for place, given in enumerate(items):
        item = given.stripped()
        mark = _DRAWN.fullmatch(item.text)
        if mark is None:
            if "~" in item.text:
                raise refusal(item, "of laws as x ~ coin(p)", item.text, "write it so")
            rest.append(given)
            continue
        name, law = mark[1], NAMES.get(mark[2].lower(), mark[2])
        before = rest[-1] if rest and rest[-1] is items[place - 1] else Piece("", 0, True)
        if not before.ends and _BARE.fullmatch(before.text.strip()):
            both = f"{before.text.strip()} ~ {law}({mark[3]}), {item.text.strip()}"
            remedy = f"write {both}, or a semicolon between them"
            raise refusal(item, "of one meaning", f"{before.text}, {item.text}", remedy)
        if law not in LAWS:
            raise refusal(item, f"of the laws {', '.join(LAWS)}", law, "choose one of them")
        if name in found:
            raise refusal(item, "of one law for each variable", f"two of {name}", "rename one")
        inside = split_list(Piece(mark[3], item.start + mark.start(3)))
        if len(inside) != LAWS[law]:
            remedy = "write coin(p), two_point(a, b, p), binomial(n, p), uniform(a, b) or N(m, v)"
            raise refusal(item, f"{law} of {LAWS[law]} numbers", str(len(inside)), remedy)
        if law == "normal" and _DEVIATION.fullmatch(inside[1].text.strip()):
            raise _deviation(item, inside[1])
        found[name] = Variable(name, law, tuple(expression(one) for one in inside), item)
        _within_its_law(found[name])
    return tuple(found.values()), tuple(rest)


def _deviation(item: Piece, second: Piece) -> Exception:
    """Refusal of ``N(m, sigma)``, whose second number is a variance here."""
    symbol = second.text.strip()
    start = second.start + len(second.text) - len(second.text.lstrip())
    return refusal(
        item,
        "of one meaning",
        f"{symbol}, the standard deviation to some and the variance to others",
        f"write N(m, {symbol}^2), or N(m, v) with a variance v",
        Edit(start, start + len(symbol), f"{symbol}^2"),
    )


def _within_its_law(one: Variable) -> None:
    """Numbers that are written out lie in the domain of the law: no symbol can mend them."""
    chance = None if one.chance is None else written_number(one.chance)
    if chance is not None and not 0 <= chance <= 1:
        raise refusal(one.piece, "of a chance in [0, 1]", str(chance), "write a number of [0, 1]")
    if one.law not in ("uniform", "normal"):
        return
    first, second = (written_number(number) for number in one.numbers)
    if one.law == "normal" and second is not None and second < 0:
        remedy = "write N(m, v) with a variance v that is at least 0"
        raise refusal(one.piece, "of a variance of at least 0", str(second), remedy)
    if one.law == "uniform" and first is not None and second is not None and first > second:
        remedy = f"write uniform({second}, {first})"
        raise refusal(one.piece, "of ends in their order", f"{first} before {second}", remedy)
