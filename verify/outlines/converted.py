"""What a statement says, as formulas in the notation of a setting.

A term that the table of notation has is called as it is there; sums, products, quotients, powers
and totals of what can be said are said.  All else is refused by name: nothing is guessed.

A formula stands for the mean over outcomes (and over clients), so a product or a power of what is
random, or of two things that differ from client to client, is refused unless the table has it as a
whole.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from verify.claim.statement import Statement
from verify.outlines.setting import OutlineSetting
from verify.proof.checker import Refused
from verify.proof.reader import OutlineReader
from verify.terms.asked import asked
from verify.terms.claims import ClaimTerms, terms_of, why_no_terms
from verify.terms.node import Node
from verify.terms.trace import TracedClaim

__all__ = ["Converted", "NotConverted", "converted"]

CLIENTS, VECTOR = "clients", "d"
PACKAGE = "verify."
"""Where settings are trusted, as methods and quantities are (`verify.terms.claims`)."""
TOTAL, MEAN = "bounds.numbers.reductions:total", "bounds.numbers.reductions:mean"
"""Over the last axis where no other is named."""
PRODUCTS = ("bounds.numbers.matrices:squared_norm", "bounds.numbers.matrices:dot")
LETTERS = 300
"""Of a term that is shown because the table has no name for it."""


class NotConverted(ValueError):
    """A statement says something for which its setting has no words; the message says what."""


@dataclass(frozen=True)
class Converted:
    """What a statement says, in the notation of its setting.

    Attributes
    ----------
    left, right : str
        With the letters of indices where each says something by itself: it is claimed of each.
    relation : str
        ``<=`` or ``==``.
    given : mapping
        Of each hypothesis that can be said: the formula that must not be negative.
    strict : set of str
        Names of those that must be positive.
    unsaid : mapping
        Of each other hypothesis, why it cannot be said.
    each : str
        The axis of both sides, empty where they are numbers.
    vectors : (str, str)
        The sides of an equation of vectors, which is claimed as that of their squared distance
        and zero; else empty.
    """

    left: str
    right: str
    relation: str
    given: Mapping[str, str]
    strict: frozenset[str]
    unsaid: Mapping[str, str] = field(compare=False)
    each: str = ""
    vectors: tuple[str, str] = ("", "")

    @property
    def hypotheses(self) -> set[str]:
        """Names of all hypotheses."""
        return {*self.given, *self.unsaid}


@dataclass(frozen=True)
class _Said:
    """A formula of a term: what each of its axes runs over, and whether it is random."""

    text: str
    per: tuple[str, ...] = ()
    random: bool = False


def converted(statement: Statement, setting: OutlineSetting) -> Converted:
    """What a statement says, as formulas.

    Raises
    ------
    NotConverted
        If it is of a kind that outlines do not prove, or the setting has no words for a term.
    """
    terms = _terms(statement, setting)
    found = [_one(statement, setting, terms, claim) for claim in terms.claims]
    if any(one != found[0] for one in found):
        raise NotConverted("it says something else for each of several choices")
    return found[0]


def _terms(statement: Statement, setting: OutlineSetting) -> ClaimTerms:
    """The terms of a statement that an outline may prove."""
    if statement.quantifier != "all" or statement.relation not in ("<=", ">=", "=="):
        raise NotConverted("outlines prove inequalities and equations of all instances")
    if (statement.over == "path") != (setting.alone is not None) or statement.over == "prob":
        raise NotConverted(f"it is about the {statement.over}, and {setting.name} is not")
    if not setting.measured.__module__.startswith(PACKAGE):
        raise NotConverted(
            f"the setting {setting.name} is of a file of its own: what it guarantees is tried on "
            "some runs and proved of none, so that it belongs to the package"
        )
    for family in (statement.family, *statement.also):
        if not any(family is one for one in setting.families):
            raise NotConverted(f"the setting {setting.name} says nothing of {family.about}")
    terms = terms_of(statement)
    if terms is None:
        raise NotConverted(f"it is a program, and no term: {why_no_terms(statement)}")
    why = terms.told_sizes
    why = why or (f"{terms.own_program} is a program of its own" if terms.own_program else "")
    why = why or ("its sizes are the listed ones" if terms.listed or terms.fixed else "")
    if why or terms.picks_out:
        raise NotConverted(why or "it picks entries out of an axis")
    return terms


def _one(
    statement: Statement, setting: OutlineSetting, terms: ClaimTerms, claim: TracedClaim
) -> Converted:
    functions = {str(place): term.asked for place, term in enumerate(setting.terms)}
    known = {
        node: setting.terms[int(place)]
        for place, nodes in asked(statement, terms, claim, functions).items()
        for node in nodes
    }
    words = _Words(setting, known)
    left, right = words.side(claim.left), words.side(claim.right)
    per = _together(left, right)
    if statement.over == "point" and (left.random or right.random):
        raise NotConverted("it is about each outcome, and outlines about means")
    if statement.relation == ">=":
        left, right = right, left
    given: dict[str, str] = {}
    unsaid: dict[str, str] = {}
    for name, margin in claim.margins.items():
        try:
            said = words.said(margin)
            if said.random or CLIENTS in said.per or VECTOR in said.per:
                raise NotConverted("it is about each outcome or each client")
            given[name] = said.text
        except NotConverted as reason:
            unsaid[name] = str(reason)
    relation = "==" if statement.relation == "==" else "<="
    texts, vectors = (left.text, right.text), ("", "")
    if relation == "==" and _is_vector(setting, left.text):
        texts, vectors = (f"({left.text} - {_factor(right, 2)})**2", "0"), texts
    each = "".join(per)
    return Converted(*texts, relation, given, statement.strict, unsaid, each, vectors)


def _is_vector(setting: OutlineSetting, text: str) -> bool:
    """Whether a formula of the notation is a vector."""
    try:
        OutlineReader(setting.declarations()).vector(text)
    except Refused:
        return False
    return True


class _Words:
    """Formulas of terms, each made once."""

    def __init__(self, setting: OutlineSetting, known: Mapping[Node, Any]) -> None:
        self._setting, self._known = setting, known
        self._made: dict[Node, _Said] = {}

    def side(self, terms: Mapping[str, Node]) -> _Said:
        """The sum of the named terms of a side."""
        whole = _Said("0")
        for name, term in terms.items():
            part = self.said(term)
            if len(part.per) > 1 or {CLIENTS, VECTOR} & {*part.per}:
                raise NotConverted(f"the term {name} is one number for each of several")
            text = part.text if whole.text == "0" else _sum([whole.text, part.text])
            whole = _Said(text, _together(whole, part), whole.random or part.random)
        return whole

    def said(self, term: Node) -> _Said:
        """The formula of a term."""
        if term not in self._made:
            self._made[term] = self._said(term)
        return self._made[term]

    def _said(self, term: Node) -> _Said:
        if term in self._known:
            named = self._known[term]
            return _Said(named.formula, named.axes, named.random)
        if term.op == "constant" and type(term.data) in (int, Fraction):
            return _Said(_number(Fraction(term.data)))
        if term.op == "operator" and term.data in ("+", "-", "*", "/", "**", "neg"):
            return self._operated(term.data, [self.said(one) for one in term.inputs])
        if term.op == "generic" and term.data[0] in (TOTAL, MEAN) and len(term.inputs) == 1:
            return self._total(self.said(term.inputs[0]), term.data[0] == MEAN)
        if term.op == "generic" and term.data[0] in PRODUCTS and not term.data[2]:
            return self._product([self.said(one) for one in term.inputs])
        if term.op == "index" and term.data == (Ellipsis, None):
            inner = self.said(term.inputs[0])
            return _Said(inner.text, (*inner.per, ""), inner.random)
        if term.op == "mean" and self._setting.alone is None:  # a formula is a mean already
            inner = self.said(term.inputs[0])
            return _Said(inner.text, inner.per)
        raise NotConverted(f"{self._setting.name} has no name for {_short(term)}")

    def _operated(self, sign: str, parts: list[_Said]) -> _Said:
        if sign == "neg":
            (one,) = parts
            return _Said(f"-{_factor(one, 3)}", one.per, one.random)
        one, other = parts
        per = _together(one, other)
        vectors = (VECTOR in one.per) + (VECTOR in other.per)
        if (vectors == 2 and sign == "*") or (vectors and sign == "**"):
            raise NotConverted("an operation on the coordinates of vectors")
        if sign == "/" and VECTOR in other.per:
            raise NotConverted("an operation on the coordinates of vectors")
        if sign in ("+", "-") and vectors == 1:
            raise NotConverted("a sum of a number and a vector")
        each = CLIENTS in one.per and CLIENTS in other.per
        random = one.random or other.random
        if sign == "+":
            return _Said(_sum([one.text, other.text]), per, random)
        if sign == "-":
            return _Said(f"{one.text} - {_factor(other, 2)}", per, random)
        if sign == "*" and (each or (one.random and other.random)):
            raise NotConverted("a product of two quantities that are random, or of each client")
        if sign == "/" and (other.random or CLIENTS in other.per):
            raise NotConverted("a quotient by what is random, or of each client")
        if sign == "**" and (one.random or other.random or CLIENTS in per):
            raise NotConverted("a power of what is random, or of each client")
        if sign == "**":
            return _Said(f"{_factor(one, 5)}**{_factor(other, 5)}", per)
        if sign == "*" and "0" in (one.text, other.text):
            return _Said("0", per)
        second = _factor(other, 2 if sign == "*" else 4)
        minus, first = _without_minus(one)
        text = f"{_factor(first, 2)}{sign}{second}"
        return _Said(f"-({text})" if minus else text, per, random)

    def _product(self, parts: list[_Said]) -> _Said:
        """The inner product of two vectors, or the square of one."""
        one, other = parts if len(parts) == 2 else parts * 2
        per = _together(one, other)
        if any(not part.per or part.per[-1] != VECTOR for part in parts):
            raise NotConverted("an inner product of what are no vectors")
        if CLIENTS in per:
            raise NotConverted("a product of two quantities of each client")
        square = f"{_factor(one, 5)}**2"
        text = square if len(parts) == 1 else f"{_factor(one, 2)}*{_factor(other, 4)}"
        return _Said(text, per[:-1], one.random or other.random)

    def _total(self, inner: _Said, mean: bool) -> _Said:
        """The sum over the last axis, or the mean."""
        if not inner.per or not inner.per[-1]:
            raise NotConverted("a total over an axis that the notation does not have")
        *rest, last = inner.per
        if last == VECTOR:
            raise NotConverted("a total over the coordinates of a vector")
        if last not in self._setting.lengths:
            raise NotConverted(f"a total over {last}")
        length = self._setting.lengths[last]
        text = f"Sum({inner.text}, ({last}, 0, {length} - 1))"
        if last == CLIENTS:
            text = inner.text if mean else f"{length}*{_factor(inner, 2)}"
        elif mean:
            text = f"{text}/{_factor(_Said(length))}"
        return _Said(text, tuple(rest), inner.random)


def _together(one: _Said, other: _Said) -> tuple[str, ...]:
    """What the axes of two arrays run over that are combined entry by entry."""
    if not one.per or not other.per:
        single, several = (other, one) if one.per else (one, other)
        if several.per and single.random:  # its outcomes would lie along the axis
            raise NotConverted("a random number and an array are combined")
        return several.per
    per = tuple(a or b for a, b in zip(one.per, other.per, strict=False))
    if len(one.per) != len(other.per) or any(
        a and b and a != b for a, b in zip(one.per, other.per, strict=True)
    ):
        raise NotConverted("two arrays over different axes are combined")
    return per


def _sum(texts: list[str]) -> str:
    return " + ".join(texts) if texts else "0"


RANKS: Mapping[type, int] = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 2, ast.Pow: 4}


def _factor(said: _Said, rank: int = 4) -> str:
    """A formula as a part of another one, in brackets where it binds less than that asks for."""
    tree = ast.parse(said.text, mode="eval").body
    own = 5
    if isinstance(tree, ast.BinOp):
        own = RANKS[type(tree.op)]
    elif isinstance(tree, ast.UnaryOp):
        own = 1
    return said.text if own >= rank else f"({said.text})"


def _without_minus(said: _Said) -> tuple[bool, _Said]:
    """Whether a formula is one with a minus in front, and that one: it stands before products."""
    tree = ast.parse(said.text, mode="eval").body
    if not isinstance(tree, ast.UnaryOp):
        return False, said
    return True, replace(said, text=ast.unparse(tree.operand))


def _number(q: Fraction) -> str:
    text = str(abs(q.numerator)) if q.denominator == 1 else f"{abs(q.numerator)}/{q.denominator}"
    return f"-{text}" if q < 0 else text


def _short(term: Node) -> str:
    text = repr(term)
    return text if len(text) <= LETTERS else f"{text[:LETTERS]}..."
