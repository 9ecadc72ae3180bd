"""Read a written proof and answer yes or no; this one file is all that has to be trusted.

Run it as ``python checker.py FILE``: exit status 0 if every claim that it prints is proved, else 1.
It uses the standard library, searches for nothing, and computes in fractions.  It is longer than
the other files of this project because it stands alone.

A proof names its claim, its hypotheses, the signs of its symbols, and atoms: names for sums over
clients, roots, maxima and other functions.  A fact is a polynomial in symbols and atoms that is not
negative by a rule (`Context.allowed`): a hypothesis, the meaning of an atom, a lemma (a proof of
the same shape), or the supposition that the claim is false.  Products of facts with positive
multipliers add up to zero identically although one of them is positive: a contradiction.

What is proved holds at all real points at which both sides and the hypotheses are defined, and all
that the proof speaks of is defined there; what names the client ``k`` outside a sum holds for every
client 1..N, of whom there is at least one.  Symbols that are listed as vectors stand for one
coordinate of them (`Context.degree`).

The answer is one line, made of what was checked (`_said`): no words of the file that say anything
else are taken over.  Everything is bounded (`LIMITS`), so that every file has an answer.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from copy import deepcopy
from fractions import Fraction
from functools import partial
from typing import Any

FORMAT, WORST_CASE = "fedassay-proof/1", "fedassay-gram-certificate/1"
COVER = "fedassay-cover/1"
SIGNS = (
    "positive",
    "nonnegative",
    "negative",
    "nonpositive",
    "real",
    "complex",
    "positive integer",
    "nonnegative integer",
    "integer",
)
FIRST = {"positive integer": 1, "nonnegative integer": 0}
RELATIONS = ("<=", "<", "==")
SHORT = 20
SUM = "Sum over "
FUNCTIONS = {"Abs": 1, "Indicator": 2, "exp": 1, "log": 1, "sqrt": 1, "Max": 0, "Min": 0, "Sum": 0}
"""What has a meaning, and of how many arguments; 0 is any number.

Any other function is equal to itself and nothing more is known of it.
"""
LIMITS = {
    "entries": 200_000,  # of a document
    "levels": 100,  # of a document: proofs in proofs, cases in cases
    "letters": 20_000,  # of one text
    "digits": 2_000,  # of a number, and of either part of a coefficient
    "nesting": 150,  # of an expression, a sum of many terms counting once
    "exponent": 1_000,  # and the degree of a monomial
    "terms": 5_000,  # of a polynomial
    "steps": 250_000,  # of one check: products of two terms, and what takes as long
}
"""Far beyond what proofs need, and so little that an answer takes seconds."""

Polynomial = dict[tuple[str, ...], Fraction]
"""Coefficients that are not zero, by the sorted variables of a monomial with repetition."""
Document = Mapping[str, Any]
Point = tuple["Value", "Value", "Value"]
"""Its place, and the gradient and the value of a function there."""
UNIT: Polynomial = {(): Fraction(1)}
PLAIN: Document = {"atoms": [], "sums": []}
_METER: ContextVar[list[int] | None] = ContextVar("steps of the check that runs", default=None)
_TREES: ContextVar[dict[str, Any] | None] = ContextVar("what it has parsed", default=None)

__all__ = [
    "COVER",
    "FORMAT",
    "LIMITS",
    "WORST_CASE",
    "Context",
    "Refused",
    "Value",
    "accepts",
    "check",
    "main",
    "worst_case_claim",
]


class Refused(ValueError):
    """The proof is not accepted; the message says why."""


def check(document: Document, words: bool = True) -> str:
    """The claim that a document proves, with its hypotheses; `Refused` says what is amiss.

    Without ``words`` the answer is that it is accepted, and not of what.
    """
    known = {FORMAT: _proof, COVER: _cover, WORST_CASE: _worst_case}
    before, trees = _METER.set([0]), _TREES.set({})
    try:
        _plain(document)
        if document["format"] not in known:
            raise Refused(f"the format is {document['format']}, not {' or '.join(known)}")
        said = known[document["format"]](document)
        return said() if words else "accepted"
    except Refused:
        raise
    except RecursionError:
        raise Refused("names in names are too deep to read") from None
    except (
        LookupError,
        TypeError,
        AttributeError,
        ArithmeticError,
        MemoryError,
        ValueError,
    ) as error:
        raise Refused(f"the file is malformed: {type(error).__name__} {error}") from error
    finally:
        _METER.reset(before)
        _TREES.reset(trees)


def accepts(document: Document) -> bool:
    """Whether a document is accepted, without the reason."""
    try:
        return bool(check(document, words=False))
    except Refused:
        return False


def main(argv: Sequence[str]) -> int:
    """Check one file; it may hold one proof, or a list of them under ``proofs``."""
    try:
        with open(argv[0], encoding="utf-8") as file:
            document = json.load(file)
        for proof in document.get("proofs", [document]):
            print(f"accepted: {check(proof)}")
        if not document.get("proofs", True):
            raise Refused("the file holds no proof")
    except (
        OSError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
        MemoryError,
    ) as reason:
        print(f"refused: {reason}")
        return 1
    return 0


# -- the file --------------------------------------------------------------------------------------


def _limit(name: str, value: int) -> None:
    if value > LIMITS[name]:
        raise Refused(f"the limit of {name} is {LIMITS[name]}, and the file asks for {value}")


def _spend(steps: int) -> None:
    """Count what a check has cost so far; outside of a check nothing is counted."""
    meter = _METER.get()
    if meter is not None:
        meter[0] += steps
        _limit("steps", meter[0])


def _plain(document: Any) -> None:
    """Of a file: nothing but numbers and lines of plain text, not too many and not too deep."""
    todo, entries = [(document, 1)], 0
    while todo:
        item, level = todo.pop()
        entries += 1
        _limit("entries", entries)
        _limit("levels", level)
        if isinstance(item, str):
            _limit("letters", len(item))
            if not item.isprintable():
                raise Refused(f"a text holds what cannot be printed: {item!a}")
        elif isinstance(item, dict):
            todo += [(part, level + 1) for pair in item.items() for part in pair]
        elif isinstance(item, list):
            todo += [(part, level + 1) for part in item]
        elif isinstance(item, int):
            _limit("digits", len(str(abs(item))))
        elif item is not None:
            raise Refused(f"the file holds a {type(item).__name__}, {item}")


def _keys(what: str, item: Document, needed: str, more: str = "") -> None:
    """Refuse entries that nobody reads: they might be taken for part of what is proved."""
    for name in needed.split():
        if name not in item:
            raise Refused(f"the file is malformed: {what} has no entry {name}")
    for name in sorted({*item} - {*needed.split(), *more.split()}):
        raise Refused(f"{what} has an entry {name} that is not checked")


def _rational(text: Any) -> Fraction:
    """A number: a whole one, or the text of a quotient of two."""
    if not re.fullmatch(r"-?\d+(/\d+)?", str(text), re.ASCII):
        raise Refused(f"the file is malformed: {text} is no quotient of two whole numbers")
    for part in str(text).lstrip("-").split("/"):
        _limit("digits", len(part))
    return Fraction(text)


def _statement(document: Document) -> None:
    """Of a claim and its hypotheses: nothing but what is read."""
    claim, given = document["claim"], document["given"]
    _keys("a claim", claim, "left relation right")
    if claim["relation"] not in RELATIONS:
        raise Refused(f"the relation {claim['relation']} is unknown")
    for h in given:
        _keys("a hypothesis", h, "expr strict", "name each")
        _flag(h["strict"])
        if "each" in h and not _is_name(h["each"]):
            raise Refused("the index of a hypothesis must be a name")
    if not {*document.get("vectors", [])} <= {*document["symbols"]}:
        raise Refused("a vector was not declared")


def _flag(strict: Any) -> None:
    if not isinstance(strict, bool):
        raise Refused(f"strict is true or false, not {strict}")


def _said(document: Document) -> str:
    """A claim with its hypotheses, and what its symbols stand for, in words."""
    claim, given, vectors = document["claim"], document["given"], document.get("vectors", [])
    said = f"{claim['left']} {claim['relation']} {claim['right']}"
    for word, h in zip([" if ", *["; "] * len(given)], given, strict=False):
        said += f"{word}{h['expr']} {'>' if h['strict'] else '>='} 0"
        said += f" for every {h['each']} = 0, 1, ..." if "each" in h else ""
    texts = [claim["left"], claim["right"], *(h["expr"] for h in given)]
    nodes = [node for text in texts for node in ast.walk(_parsed(text))]
    heads = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    names = {word for text in texts for word in _words(text)}
    families = {ast.unparse(node.value) for node in nodes if isinstance(node, ast.Subscript)}
    kinds: dict[str, list[str]] = {}
    for name in sorted((names & {*document["symbols"]}) - {*vectors}):
        shown = f"{name}[...]" if name in families else name
        kinds.setdefault(document["symbols"][name], []).append(shown)
    what = [f"{kind} {', '.join(kinds[kind])}" for kind in SIGNS if kind in kinds]
    if names & {"k", "N"}:
        what.append("number of clients N >= 1 and client k")
    what += [f"function {name}" for name in sorted(heads - {*FUNCTIONS})]
    if names & {*vectors}:
        named = ", ".join(sorted(names & {*vectors}))
        what.append(f"vectors {named} (products of two of them stand for their inner product)")
    return f"{said}, for every {'; '.join(what)}" if what else said


# -- claims ----------------------------------------------------------------------------------------


def _proof(document: Document) -> Callable[[], str]:
    _keys(
        "a proof",
        document,
        "format claim given symbols atoms sums proof",
        "vectors",
    )
    _statement(document)
    claim, given, context = document["claim"], document["given"], Context(document)
    if "induction" in document["proof"]:
        _by_induction(context, document)
    elif any("each" in h for h in given):
        raise Refused("a hypothesis on every round serves an induction only")
    else:
        if claim["relation"] != document["proof"]["relation"]:
            raise Refused("the relation that is proved is not the claimed one")
        for side in ("left", "right"):
            if context.read(claim[side]) != context.read(document["proof"][side]):
                raise Refused(f"the {side} side that is proved is not the claimed one")
        context.prove(document["proof"])
        for text in (claim["left"], claim["right"], *(h["expr"] for h in given)):
            context.degree(text)
    return partial(_said, document)


def _by_induction(whole: Context, document: Document) -> None:
    """Start and step are proofs of the claim at the first round and at the next one."""
    claim, rounds, symbols = document["claim"], document["proof"]["induction"], document["symbols"]
    _keys("an induction", document["proof"], "induction start step")
    if symbols.get(rounds) not in FIRST:
        raise Refused(f"{rounds} was not declared to be a number of rounds")
    if any(rounds in whole.names(value) for value in whole.undefined()):
        raise Refused("the claim may be undefined in some round")
    if document.get("vectors"):
        raise Refused("an induction is about numbers, not about vectors")
    fixed = [h for h in document["given"] if rounds not in _words(h["expr"])]
    known = [{"expr": h["expr"], "strict": h["strict"]} for h in fixed if "each" not in h]
    gap, strict = f"({claim['right']}) - ({claim['left']})", claim["relation"] == "<"
    before = [{"expr": gap, "strict": strict}]
    before += [{"expr": f"-({gap})", "strict": False}] * (claim["relation"] == "==")
    before += [
        {"expr": _put(h["expr"], h["each"], rounds), "strict": h["strict"]}
        for h in fixed
        if "each" in h
    ]
    for name, at, allowed in (
        ("start", str(FIRST[symbols[rounds]]), known),
        ("step", f"{rounds} + 1", known + before),
    ):
        part, said = document["proof"][name], f"the {name} of the induction"
        sides = {side: _put(claim[side], rounds, at) for side in ("left", "right")}
        part_of = {"claim": {**sides, "relation": claim["relation"]}, "given": allowed}
        _part(said, part, {**document, **part_of})


def _part(said: str, part: Document, whole: Document) -> None:
    """A proof of a claim, or of a falsehood, from hypotheses that may be used in its place.

    What it speaks of must be defined where the whole is: of this the part itself is not asked.
    """
    if part["format"] != FORMAT or "induction" in part["proof"]:
        raise Refused(f"{said} has another format")
    _proof(part)
    if any(whole["symbols"].get(name) != sign for name, sign in part["symbols"].items()):
        raise Refused(f"{said} declares other symbols")
    if {*part.get("vectors", [])} != {*whole.get("vectors", [])} & {*part["symbols"]}:
        raise Refused(f"{said} has other vectors")
    context = Context({**whole, "atoms": [], "sums": part["sums"]})
    known = [(context.read(h["expr"]), h["strict"]) for h in whole["given"]]
    for h in part["given"]:
        fact = context.read(h["expr"])
        if not any(strict >= h["strict"] and value == fact for value, strict in known):
            raise Refused(f"{said} assumes {h['expr']} without leave")
    if part["claim"] != {"left": "1", "right": "0", "relation": "<="} and (
        part["claim"]["relation"] != whole["claim"]["relation"]
        or any(
            context.read(part["claim"][side]) != context.read(whole["claim"][side])
            for side in ("left", "right")
        )
    ):
        raise Refused(f"{said} proves another claim")


# -- claims in cases -------------------------------------------------------------------------------


def _cover(document: Document) -> Callable[[], str]:
    """A claim with maxima, absolute values and indicators, proved in each of the listed cases.

    A case is a list of answers to conditions, and there is one for either answer to each of them.
    ``Indicator(x, 1)`` is 1 where x > 0 and else 0, ``Indicator(x, 0)`` is 1 where x >= 0.
    """
    _keys("a proof in cases", document, "format claim given symbols cases", "vectors")
    _statement(document)
    if any("each" in h for h in document["given"]):
        raise Refused("a hypothesis on every round serves an induction only")
    whole = Context({**document, **PLAIN})
    for text in (*_sides(document["claim"]), *(h["expr"] for h in document["given"])):
        whole.degree(text)

    def walk(node: Document, answers: list[Document]) -> None:
        here, known, sides = _answered(document, answers)
        if "if" not in node:
            claim = {**sides, "relation": document["claim"]["relation"]}
            _part("a case", node, {**document, "claim": claim, "given": known})
            return
        _keys("a condition", node, "if strict", "then else")
        _flag(node["strict"])
        text, strict = node["if"], node["strict"]
        if "k" in here.names(here.read(text)):  # refused, too, if it may be undefined
            raise Refused(f"{text} is about every client: its answers are more than two cases")
        here.degree(text)
        for name, sign, positive in (("then", "", strict), ("else", "-", not strict)):
            answer = {"expr": f"{sign}({text})", "strict": positive}
            if name not in node:
                raise Refused(f"the case {answer['expr']} {'>' if positive else '>='} 0 is missing")
            walk(node[name], [*answers, answer])

    walk(document["cases"], [])
    return partial(_said, document)


def _sides(claim: Document) -> tuple[str, str]:
    return claim["left"], claim["right"]


def _answered(document: Document, answers: list[Document]) -> tuple[Context, list[Document], Any]:
    """What is known, and what a claim says, where the conditions have these answers."""
    plain = {**PLAIN, "symbols": document["symbols"], "vectors": document.get("vectors", [])}
    context = Context({**plain, "claim": {"left": "0", "right": "0"}, "given": answers})
    facts = [(context.read(h["expr"]), h["strict"]) for h in answers]
    known = list(answers)
    for h in document["given"]:
        known.append({**h, "expr": _resolved(h["expr"], context, facts)})
        facts.append((context.read(known[-1]["expr"]), h["strict"]))
    left, right = (_resolved(side, context, facts) for side in _sides(document["claim"]))
    return context, known, {"left": left, "right": right}


def _resolved(text: str, context: Context, facts: Sequence[tuple[Value, bool]]) -> str:
    """An expression in which maxima, absolute values and indicators have the values that are seen.

    What stays is equal to itself.
    """
    context.grant(text)

    def positive(x: Any, strict: bool) -> bool:
        """Whether x > 0 (or x >= 0) by its form, or as a fact times what is positive."""
        try:
            value = context.value(x)
        except Refused:  # what it divides by is known once the text says so
            return False
        if context.sign(value) > strict:
            return True
        for fact, strictly in facts:
            over = _times(value.over, fact.under)
            more = _quotient(over, fact.over) if fact.over else None
            if strictly >= strict and (
                value == fact or (more and context.sign(Value(more, value.under)) == 2)
            ):
                return True
        return False

    class Resolving(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> Any:
            if any(
                isinstance(a, ast.Tuple) and [ast.unparse(e) for e in a.elts[1:]] != ["1", "N"]
                for a in node.args
            ):
                return node  # facts are about clients
            self.generic_visit(node)
            args = list(node.args)
            match node.func:
                case ast.Name(id="Abs" | "Indicator" as name):
                    sides = {True: args[0], False: ast.UnaryOp(ast.USub(), args[0])}
                    zero = ast.unparse(args[1]) if name == "Indicator" else None
                    for above, side in sides.items():
                        if positive(side, zero is not None and (zero == "1") == above):
                            return side if zero is None else ast.Constant(int(above))
                case ast.Name(id="Max" | "Min" as name):
                    for i in reversed(range(len(args))):
                        less, more = (args[i], None) if name == "Max" else (None, args[i])
                        rest = args[:i] + args[i + 1 :]
                        if any(
                            positive(ast.BinOp(more or y, ast.Sub(), less or y), False)
                            for y in rest
                        ):
                            args = rest
                    return args[0] if len(args) == 1 else ast.Call(node.func, args, [])
            return node

    return ast.unparse(ast.fix_missing_locations(Resolving().visit(deepcopy(_parsed(text)))))


# -- quotients of polynomials ----------------------------------------------------------------------


def _plus(left: Polynomial, right: Polynomial, times: Fraction | int = 1) -> Polynomial:
    sums = dict(left)
    for m, c in right.items():
        more = c if times == 1 else times * c
        sums[m] = sums[m] + more if m in sums else more
    return _bounded({m: c for m, c in sums.items() if c}, len(sums) // 8)


def _bounded(polynomial: Polynomial, work: int) -> Polynomial:
    """The same, counted as so much work; refused if it is larger than any proof needs."""
    degree = max(map(len, polynomial), default=0)
    _limit("terms", len(polynomial))
    _limit("exponent", degree)
    _spend(1 + work * (1 + degree // 16 + _longest(polynomial.values()) // 256))
    return polynomial


def _longest(numbers: Iterable[Fraction]) -> int:
    """Bits of the longest of some numbers; refused if it is longer than any proof needs."""
    bits = max([q.numerator.bit_length() + q.denominator.bit_length() for q in numbers], default=0)
    _limit("digits", bits * 3 // 20)  # on both sides, and there are 3.3 bits to a digit
    return bits


def _times(left: Polynomial, right: Polynomial) -> Polynomial:
    for one, other in ((left, right), (right, left)):
        if one == UNIT:
            return other
    pairs = len(left) * len(right)
    if pairs > 64:  # what is short is counted when it is done
        _spend(pairs * (1 + (_longest(left.values()) + _longest(right.values())) // 256))
    sums: Polynomial = {}
    for m, a in left.items():
        for n, b in right.items():
            key = tuple(sorted(m + n))
            sums[key] = sums[key] + a * b if key in sums else a * b
    return _bounded({m: c for m, c in sums.items() if c}, pairs)


def _quotient(whole: Polynomial, factor: Polynomial) -> Polynomial | None:
    """The polynomial that times ``factor`` is ``whole``, by lexicographic division, if any is.

    ``whole`` is not zero.
    """
    names = sorted({v for m in whole for v in m})
    if not {v for m in factor for v in m} <= {*names}:
        return None  # what it is divided by moves where it does not
    found, lead = {}, max(factor, key=lambda m: [m.count(v) for v in names])
    while whole:
        _spend(1 + len(whole) * len(names) // 8)
        first = max(whole, key=lambda m: [m.count(v) for v in names])
        rest = tuple(v for v in names for _ in range(first.count(v) - lead.count(v)))
        if sorted(rest + lead) != list(first):
            return None
        found[rest] = whole[first] / factor[lead]
        whole = _plus(whole, _times(factor, {rest: found[rest]}), -1)
    return found


class Value:
    """A quotient of two polynomials; equal are those whose difference has the numerator zero."""

    def __init__(self, over: Polynomial, under: Polynomial) -> None:
        self.over, self.under = over, under
        if set(under) == {()} and under != UNIT:
            self.over, self.under = _times(over, {(): 1 / under[()]}), UNIT

    def __add__(self, other: Value) -> Value:
        if self.under == other.under:
            return Value(_plus(self.over, other.over), self.under)
        for a, b in ((self, other), (other, self)):
            more = _quotient(a.under, b.under)
            if more is not None:
                return Value(_plus(a.over, _times(b.over, more)), a.under)
        over = _plus(_times(self.over, other.under), _times(other.over, self.under))
        return Value(over, _times(self.under, other.under))

    def __sub__(self, other: Value) -> Value:
        return self + number(-1) * other

    def __mul__(self, other: Value) -> Value:
        return Value(_times(self.over, other.over), _times(self.under, other.under))

    def __pow__(self, exponent: int) -> Value:
        _limit("exponent", exponent)
        found = ONE
        for _ in range(exponent):
            found *= self
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and not (self - other).over

    __hash__ = None  # type: ignore[assignment]

    def whole(self) -> Polynomial:
        """The polynomial that this is."""
        if self.under != UNIT:
            raise Refused("a fact is no polynomial")
        return self.over

    def number(self) -> Fraction | None:
        """The number that this is, or None."""
        return self.over.get((), Fraction(0)) if {*self.over, *self.under} == {()} else None

    def variables(self) -> set[str]:
        """Names of all variables."""
        return {v for m in (*self.over, *self.under) for v in m}


def number(q: Fraction | int) -> Value:
    """A number."""
    return Value({(): Fraction(q)} if q else {}, UNIT)


def variable(name: str) -> Value:
    """A variable."""
    return Value({(name,): Fraction(1)}, UNIT)


def total(values: Iterable[Value]) -> Value:
    """The sum of values."""
    return sum(values, ZERO)


ZERO, ONE, CLIENTS = number(0), number(1), variable("N")


# -- expressions -----------------------------------------------------------------------------------


class Context:
    """What symbols and atoms mean, and which hypotheses may be used."""

    def __init__(self, document: Document) -> None:
        self.signs = {**document["symbols"], **dict.fromkeys("kN", "positive integer")}
        if {*document["symbols"]} & {"k", "N", *FUNCTIONS} or not all(map(_is_name, self.signs)):
            raise Refused("a symbol must have a name, and k and N are the client and their number")
        if not set(self.signs.values()) <= set(SIGNS):
            raise Refused(f"a sign must be one of {', '.join(SIGNS)}")
        self.given, self.vectors = document["given"], set(document.get("vectors", []))
        self.atoms: dict[str, tuple[str, list[Value]]] = {}  # head and arguments by variable
        self._meanings: dict[str, Value] = {}
        self._splits: list[tuple[Any, Any]] = []
        self._divisors: list[Value] = []
        self._read: dict[str, Value] = {}
        self._complete = False
        self._alone = not document["atoms"] and not document["sums"]  # nothing to read it again for
        self._granted: set[str] | None = None  # of what claim and hypotheses alone may speak
        self._grant(document["claim"])
        self._splits = [(_edge(s["over"]), s["parts"]) for s in document["sums"]]
        for name, meaning in document["atoms"]:
            base, *indices = _words(name)
            if name in self._meanings or {name, base} & set(self.signs):
                raise Refused(f"the name {name} is borne twice")
            self._meanings[name] = self._declared(meaning, *indices)
        self._complete = True
        if self._splits:
            self._grant(document["claim"])  # again, with sums as the proof has them

    def _grant(self, claim: Document) -> None:
        """Read claim and hypotheses; where they are defined all else must be, this is not asked."""
        for text in (claim["left"], claim["right"]):
            self.grant(text)
        for h in self.given:
            each = {h["each"]: "nonnegative integer"} if "each" in h else {}
            if {*each} & {*self.signs}:
                raise Refused("the index of a hypothesis is the name of something else")
            self.signs |= each
            self.grant(h["expr"], *each)
            self.signs = {name: sign for name, sign in self.signs.items() if name not in each}

    def grant(self, text: str, *each: str) -> None:
        """Read a part of the claim: it is defined, at every client, not in every round."""
        self._granted = {*self.signs} - {*each}
        value = self._declared(text, "k")
        self._granted = None
        if self._alone and not each:
            self._read[text] = value

    def _declared(self, text: str, *also: Any) -> Value:
        """An expression, refused if it speaks of what is not known."""
        value = self.read(text)
        for name in sorted(self.names(value) - ({*self.signs} - {"k"}) - {*also}):
            raise Refused(f"{name} is neither declared nor defined before it is used")
        return value

    def names(self, value: Value) -> set[str]:
        """Symbols and free indices that a value speaks of, atoms by their meaning."""
        _spend(1)
        found: set[str] = set()
        for v in value.variables():
            head, arguments = self.atoms.get(v, (v, []))
            inside = [self.names(a) for a in arguments] or [set(_words(head))]
            inside[0] -= {head[len(SUM) :]} if head.startswith(SUM) else set()
            found = found.union(*inside)
        return found

    def read(self, text: str) -> Value:
        """An expression as a quotient of polynomials in symbols and atoms."""
        if not self._complete:  # it is read again with all names
            return self.value(_parsed(text))
        if text not in self._read:
            self._read[text] = self.value(_parsed(text))
        return self._read[text]

    def value(self, node: Any) -> Value:
        """The same, of a parsed expression."""
        _spend(1)
        match node:
            case ast.Constant():
                exact: Any = node.value
                return number(exact)
            case ast.Name() | ast.Subscript():
                name = node.id if isinstance(node, ast.Name) else ast.unparse(node)
                return self._meanings.get(name) or variable(name)
            case ast.UnaryOp(operand=inner):
                return ZERO - self.value(inner)
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                return self._terms(node)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return self.value(left) * self.value(right)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return self.value(left) * self._inverse(self.value(right))
            case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
                return self._power(self.value(base), self.value(exponent))
            case ast.Call(func=ast.Name(id="sqrt"), args=[base]):
                return self._power(self.value(base), number(Fraction(1, 2)))
            case ast.Call(func=ast.Name(id="Sum"), args=[body, ast.Tuple(elts=[i, low, high])]):
                return self._sum(body, ast.unparse(i), self.value(low), self.value(high))
            case ast.Call(func=ast.Name(id="Sum") as outer, args=[body, edge, *edges]):
                inner = ast.Call(outer, [body, edge], [])  # the innermost index stands first
                return self.value(ast.Call(outer, [inner, *edges], []))
            case ast.Call(func=ast.Name(id=name), args=args):
                return self._atom(name, *map(self.value, args))
        raise Refused(f"{ast.unparse(node)} is no expression")

    def _terms(self, node: Any) -> Value:
        """A sum of however many terms, which Python reads as sums in sums."""
        terms = []
        while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            terms.append((node.right, isinstance(node.op, ast.Add)))
            node = node.left
        found = self.value(node)
        for right, plus in reversed(terms):
            found = found + self.value(right) if plus else found - self.value(right)
        return found

    def _inverse(self, value: Value) -> Value:
        """One over a value that vanishes nowhere."""
        if not value.over:
            raise Refused("something is divided by zero")
        if set(value.over) != {()} and self._is_granted(value):
            self._divisors.append(value)
        if not self.nonzero(value):
            raise Refused(f"the proof divides by what may vanish: {_shown(value)}")
        return Value(value.under, value.over)

    def _is_granted(self, *values: Value) -> bool:
        return self._granted is not None and all(self.names(v) <= self._granted for v in values)

    def nonzero(self, value: Value) -> bool:
        """Whether a value is seen to vanish nowhere: claim or hypotheses divide by its factors."""
        rest = value.over
        if not rest:
            return False
        for known in self._divisors:
            while (less := _quotient(rest, known.over)) is not None:
                rest = less
            if _quotient(known.over, rest) is not None:
                return True
        return self._sign(rest) == 2 or self._sign(_plus({}, rest, -1)) == 2

    def undefined(self) -> list[Value]:
        """What claim and hypotheses speak of and is not defined everywhere."""
        signs = [v for v in self._divisors if 2 not in (self.sign(v), self.sign(ZERO - v))]
        return signs + [variable(v) for v in self.atoms if not self._total(*self.atoms[v])]

    def _total(self, head: str, arguments: list[Value]) -> bool:
        """Whether an atom is defined wherever its arguments are."""
        if head == "**":
            base, exponent = self.sign(arguments[0]), self.sign(arguments[1])
            return base == 2 or bool(exponent and (base or self._is_whole(arguments[1])))
        return head != "log" or self.sign(arguments[0]) == 2

    def _atom(self, head: str, *arguments: Value) -> Value:
        """The atom with this meaning; a new one, of which nothing else is known, if none is."""
        for name, form in self.atoms.items():
            if form == (head, list(arguments)):
                return variable(name)
        if not self._is_granted(*arguments) and not self._total(head, list(arguments)):
            said = ", ".join(map(_shown, arguments))
            raise Refused(f"the proof takes what may be undefined: {head} of {said}")
        self.atoms[f"<{len(self.atoms)}>"] = (head, list(arguments))
        return variable(f"<{len(self.atoms) - 1}>")

    def _power(self, base: Value, exponent: Value) -> Value:
        """Whole powers multiply; a rational one is a root to a whole power; others are atoms."""
        q, shift = exponent.number(), exponent.over.get((), Fraction(0))
        if q is not None:
            root = number(Fraction(1, q.denominator))
            power = (base if root == ONE else self._atom("**", base, root)) ** abs(q.numerator)
            return power if q >= 0 else self._inverse(power)
        rest = exponent - number(shift)
        # 0**0 is 1: a factor is split off where the base is positive or no exponent can vanish
        safe = self.sign(base) == 2 or (shift > 0 and self.sign(rest))
        if not safe or shift.denominator != 1 or exponent.under != UNIT:
            return self._atom("**", base, exponent)
        power = base ** abs(int(shift))
        return (power if shift >= 0 else self._inverse(power)) * self._atom("**", base, rest)

    def _sum(self, body: ast.expr, index: str, low: Value, high: Value) -> Value:
        """A sum: written out if it is short, else the combination that the file proposes."""
        taken = {*self.signs, *(v.partition("[")[0] for v in self._meanings)} - {"k"}
        if index in taken or not _is_name(index):
            raise Refused("the index of a sum is the name of something else")
        start, end, last = low.number(), high.number(), self._symbol(high)
        clients = [low, high] == [ONE, CLIENTS]
        if index == "k" and not clients:
            raise Refused("k is a client: a sum over anything else has another index")
        if clients and "k" not in _words(ast.unparse(body)):
            body, index = _put(body, index, "k"), "k"
        elif start is not None and start.denominator == 1:
            if end is not None and end.denominator == 1 and start - 1 <= end <= start + SHORT:
                every = range(int(start), int(end) + 1)
                return total(self.value(_put(body, index, str(i))) for i in every)
            if high != CLIENTS and 0 <= start <= self._least(last):
                ended = self.value(_put(body, index, last))
                return self._sum(body, index, low, high - ONE) + ended
        granted = self._granted
        if not clients:
            self._granted = None  # there may be no term, then nothing is said of the body
        whole = self.value(body)
        self._granted = None  # what the file proposes is no part of the claim
        parts = [(self.read(c), self.read(s)) for c, s in self.split(body, index, low, high)]
        self._granted = granted
        if not parts:
            return self._atom(SUM + index, whole, low, high)
        if any(s == ONE for _, s in parts) and not clients:
            raise Refused("a range that may be empty is counted")
        return total(
            c * (CLIENTS if s == ONE else self._atom(SUM + index, s, low, high)) for c, s in parts
        )

    def split(self, body: ast.expr, index: str, low: Value, high: Value) -> list[Any]:
        """Coefficients and summands that the file proposes for a sum; empty if there are none."""
        value = self.value(body)
        for edge, parts in self._splits:
            if edge.elts[0].id == index and [low, high] == [self.value(e) for e in edge.elts[1:]]:
                self._outside(parts, index)
                if total(self.read(c) * self.read(s) for c, s in parts) == value:
                    return list(parts)
        return []

    def _outside(self, parts: Sequence[Any], index: str) -> None:
        if any(index in self.names(self.read(c)) for c, _ in parts):
            raise Refused(f"a coefficient taken out of a sum names its index {index}")

    def _symbol(self, value: Value) -> str:
        """The one variable that a value is; empty if it is anything else."""
        return next((v for v in value.variables() if value == variable(v)), "")

    # -- signs and kinds ---------------------------------------------------------------------------

    def kind(self, name: str) -> str:
        """What was declared of a symbol; a vector's coordinate is a real number."""
        base = name.partition("[")[0]
        return "real" if base in self.vectors else self.signs.get(base, "complex")

    def _least(self, name: str) -> int:
        return FIRST.get(self.kind(name), -1)

    def sign(self, value: Value) -> int:
        """2 if the form shows a value to be positive, 1 if not negative, 0 if it does not tell."""
        return self._sign(value.over) if not value.over or self._sign(value.under) else 0

    def _sign(self, polynomial: Polynomial) -> int:
        """The same; a count is written as 1 + something, what is negative as minus something."""
        written = {v: self._written(v) for m in polynomial for v in m}
        if any(value is not None for value in written.values()):
            terms = []
            for m, c in polynomial.items():
                terms.append(number(c))
                for v in m:
                    terms[-1] *= written[v] or variable(v)
            polynomial = total(terms).over
        ranks = [
            min([2 * (c > 0), *(self._rank(v, m.count(v)) for v in m)])
            for m, c in polynomial.items()
        ]
        return max(ranks, default=1) if all(ranks) else 0

    def _written(self, name: str) -> Value | None:
        """What a variable is written as where its sign is asked for; None if as itself."""
        if self.kind(name) in ("negative", "nonpositive"):
            return ZERO - variable(name)
        return ONE + variable(name) if self._least(name) == 1 else None

    def _rank(self, name: str, exponent: int) -> int:
        """The sign of a power of a variable, or of what it was replaced by."""
        _spend(1)
        if not self._is_real(name):
            return 0
        even, kind = int(exponent % 2 == 0), self.kind(name)
        if name not in self.atoms:
            return 2 * (kind in ("positive", "negative")) or even or int(kind[:3] in ("non", "pos"))
        head, arguments = self.atoms[name]
        signs = [self.sign(a) for a in arguments]
        if head == "**":  # a root is not negative
            return signs[0] or even or int(arguments[1].number() is not None)
        if head == SUM + "k":
            return signs[0] or even
        return {"exp": 2, "Abs": 1, "Max": max(signs), "Min": min(signs)}.get(head, 0) or even

    def _is_whole(self, value: Value) -> bool:
        """Whether a value is a whole number by its form."""
        return value.under == UNIT and all(
            c.denominator == 1 and all("integer" in self.kind(v) for v in m)
            for m, c in value.over.items()
        )

    def real(self, value: Value) -> bool:
        """Whether every variable of a value is known to be real wherever it is defined."""
        return all(map(self._is_real, value.variables()))

    def _is_real(self, name: str) -> bool:
        _spend(1)
        if name not in self.atoms:
            return self.kind(name) != "complex"
        head, arguments = self.atoms[name]
        known = head in ("**", "Abs", "Max", "Min", "exp", "log") or head.startswith(SUM)
        return known and all(map(self.real, arguments))

    # -- vectors -----------------------------------------------------------------------------------

    def degree(self, text: str) -> int:
        """Degree in the vectors, 0 or 2; refused if a value is not linear in inner products.

        On polynomials whose monomials contain no vector or two, to read products of two vectors as
        inner products is linear.  So an identity goes over from the line to every dimension if each
        of its products does: one factor at most speaks of vectors, and that one is a hypothesis or
        the negated claim, a sum of such facts, or a square, which becomes a squared norm.
        """
        over, under = self._degrees(self.read(text))
        if not over <= {0, 2} or under != {0}:
            raise Refused(f"{text} is not linear in inner products")
        return max(over)

    def _degrees(self, value: Value) -> list[set[int]]:
        return [{sum(map(self._degree, m)) for m in p} or {0} for p in (value.over, value.under)]

    def _degree(self, name: str) -> int:
        """Degree of a variable in the vectors; that of a sum is the one of its terms."""
        _spend(1)
        if name not in self.atoms:
            return int(name.partition("[")[0] in self.vectors)
        head, arguments = self.atoms[name]
        first, *rest = [degrees for a in arguments for degrees in self._degrees(a)]
        free = first == {0} or (head.startswith(SUM) and len(first) == 1)
        if not free or rest.count({0}) < len(rest):
            raise Refused(f"{name} is no sum that is homogeneous in the vectors")
        return first.pop()

    # -- proofs ------------------------------------------------------------------------------------

    def prove(self, proof: Document) -> None:
        """Check a proof and its lemmas; :class:`Refused` if it does not prove what it says."""
        _keys("a proof", proof, "left right relation facts products lemmas")
        lemmas, relation = proof["lemmas"], proof["relation"]
        for lemma in lemmas:
            self.prove(lemma)
        gap = self.read(proof["left"]) - self.read(proof["right"])
        said = f"{proof['left']} {relation} {proof['right']}"
        if relation == "==":
            if not all(self.shown(lemmas, side, False) for side in (gap, ZERO - gap)):
                raise Refused(f"{said} is no identity")
            return
        if relation not in ("<=", "<"):
            raise Refused(f"the relation {relation} is unknown")
        facts = [self._fact(fact, proof, gap) for fact in proof["facts"]]
        rest, contradiction = ZERO, False
        for multiplier, factors in proof["products"]:
            used = [facts[_place(i, facts)] for i in factors]
            if _rational(multiplier) <= 0:
                raise Refused(f"a multiplier is {multiplier}, which is not positive")
            if sum(degree > 0 for _, _, degree in used) > 1:
                raise Refused("two factors of one product speak of vectors")
            term = number(_rational(multiplier))
            for value, _, _ in used:
                term *= value
            rest += term
            contradiction |= all(strict for _, strict, _ in used)
        if rest != ZERO:
            raise Refused(f"the products do not cancel in the proof of {said}")
        if not contradiction:
            raise Refused("no product is strictly positive, so nothing is contradicted")

    def _fact(self, fact: Document, proof: Document, gap: Value) -> tuple[Value, bool, int]:
        """A fact that follows by its rule, whether it is strict, and its degree in the vectors."""
        _keys("a fact", fact, "polynomial strict rule about times lemmas")
        _flag(fact["strict"])
        text, rule, strict = fact["polynomial"], fact["rule"], fact["strict"]
        lemmas = [proof["lemmas"][_place(i, proof["lemmas"])] for i in fact["lemmas"]]
        why = [
            "it is not known to be strict"
            if strict and not strictly
            else self.cleared(value, fact, lemmas)
            for value, strictly in self.allowed(rule, fact, gap, proof["relation"], lemmas)
        ]
        if "" not in why:
            raise Refused(
                f"{text} {'>' if strict else '>='} 0 does not follow by the rule {rule}: "
                f"{'; '.join(dict.fromkeys(why)) or 'a lemma is missing'}"
            )
        degree = self.degree(text)
        if any(self.degree(factor) for factor, _ in fact["times"]):
            raise Refused(f"{text} was multiplied by something that speaks of vectors")
        if degree and rule in ("declared", "definition", "power"):
            raise Refused(f"{text} speaks of vectors by the rule {rule}")
        if degree and rule in ("squares", "gram") and self._degrees(self.read(text))[0] != {2}:
            raise Refused(f"{text} is no squared norm")
        return Value(self.read(text).whole(), UNIT), strict, degree

    def cleared(self, value: Value, fact: Document, lemmas: Sequence[Document]) -> str:
        """Why a fact is not the value times factors of known sign; empty if it is."""
        times = ONE
        for text, exponent in fact["times"]:
            factor = Value(self.read(text).whole(), UNIT)
            if exponent % 2 == 0 and self.real(factor):
                if fact["strict"] and not self.nonzero(factor):
                    return f"{text} may vanish"
            elif self.shown(lemmas, ZERO - factor, True):
                factor = ZERO - factor
            elif not self.shown(lemmas, factor, True):
                return f"no lemma shows the sign of {text}"
            times *= factor ** _place(exponent, range(LIMITS["exponent"]))
        same = self.read(fact["polynomial"]) == value * times
        return "" if same else "it is another polynomial"

    def shown(self, lemmas: Sequence[Document], value: Value, strict: bool) -> bool:
        """Whether its form or a lemma says that a value is positive, or at least not negative."""
        return self.sign(value) > strict or any(
            lemma["relation"] in ("<", "<" if strict else "<=")
            and self.read(lemma["right"]) - self.read(lemma["left"]) == value
            for lemma in lemmas
        )

    def allowed(
        self, rule: str, fact: Document, gap: Value, relation: str, lemmas: Sequence[Document]
    ) -> Iterator[tuple[Value, bool]]:
        """Values that are not negative by a rule, and whether they are positive."""
        about = fact["about"]
        if rule == "claim is false":
            yield gap, relation == "<="
        elif rule == "hypothesis":
            known = self.given[_place(about, self.given)]
            yield self.read(known["expr"]), known["strict"]
        elif rule == "declared":
            value = self.read(fact["polynomial"])
            if not self.sign(value):
                raise Refused(f"no symbol was declared so that {fact['polynomial']} >= 0")
            yield value, self.sign(value) == 2
        elif rule in ("squares", "gram"):
            found = (
                _diagonal([self.read(m) for m in about["monomials"]], about["matrix"])
                if rule == "gram"
                else [(_rational(q), self.read(m)) for q, m in about]
            )
            if any(q < 0 for q, _ in found):
                raise Refused("a weight of a square is negative")
            if not all(self.real(root) for _, root in found):
                raise Refused("a square of what may not be real")
            yield total(number(q) * root**2 for q, root in found), False
        elif rule in ("definition", "power"):
            yield from self.meaning(about, lemmas)
        elif rule == "sum":
            self._outside(about, "k")
            body = total(self.read(c) * self._summand(name) for c, name in about)
            if self.shown(lemmas, body, False):
                yield (
                    total(self.read(c) * self.read(name) for c, name in about),
                    self.shown(lemmas, body, True),
                )
        elif rule == "term":
            if self.shown(lemmas, self._summand(about), False):
                yield self.read(about) - self._summand(about), False
        elif rule == "Cauchy-Schwarz":
            (a, b, c), (x, y, z) = map(self.read, about), map(self._summand, about)
            weak = self.shown(lemmas, x, False) and self.shown(lemmas, y, False)
            if weak and self.real(z) and x * y == z * z:
                yield a * b - c * c, False
        else:
            raise Refused(f"the rule {rule} is unknown")

    def _summand(self, name: str) -> Value:
        """What a sum over the clients is taken of; the number of clients sums ones."""
        head, arguments = self.atoms.get(self._symbol(self.read(name)), ("", []))
        if name != "N" and head != SUM + "k":
            raise Refused(f"{name} is no sum over the clients")
        return ONE if name == "N" else arguments[0]

    def meaning(self, name: str, lemmas: Sequence[Document]) -> Iterator[tuple[Value, bool]]:
        """What is not negative by the definition of an atom, and whether it is positive."""
        atom = self.read(name)
        head, parts = self.atoms[self._symbol(atom)]
        rest: list[Value] = []
        if head == "**" and self.real(parts[1]):
            base, exponent = parts
            q = exponent.number()
            if q is not None and self.real(base):
                rest = [atom**q.denominator - base]
            if self.shown(lemmas, base, True):
                yield atom, True
            if self.shown(lemmas, base, False):
                yield atom, False
                if self.sign(exponent) and self.shown(lemmas, ONE - base, False):
                    yield ONE - atom, False
                if self.sign(exponent) and self._is_whole(exponent):  # Bernoulli
                    yield atom - ONE - exponent * (base - ONE), False
        elif all(map(self.real, parts)):
            if head == "Abs":
                yield from ((atom - parts[0], False), (atom + parts[0], False))
                rest = [atom**2 - parts[0] ** 2]
            elif head in ("Max", "Min"):
                yield from ((atom - p if head == "Max" else p - atom, False) for p in parts)
                if len(parts) == 2:
                    yield ZERO - (atom - parts[0]) * (atom - parts[1]), False
            elif head == "exp":
                yield atom - ONE - parts[0], False
            elif head == "log":
                yield parts[0] - ONE - atom, False
                yield atom - ONE + self._inverse(parts[0]), False
        yield from ((side, False) for zero in rest for side in (zero, ZERO - zero))


def _diagonal(
    roots: Sequence[Value], entries: Sequence[Sequence[Any]]
) -> list[tuple[Fraction, Value]]:
    """Exact LDL^T of a Gram matrix: weights and roots of the squares that it stands for."""
    rest, size, found = [[_rational(q) for q in row] for row in entries], len(roots), []
    if [len(row) for row in rest] != [size] * size:
        raise Refused("a Gram matrix has another shape than its monomials")
    if any(rest[i][j] != rest[j][i] for i in range(size) for j in range(i)):
        raise Refused("a Gram matrix is not symmetric")
    for i in range(size):
        _spend(size * size * (1 + _longest(q for row in rest for q in row) // 64))
        pivot = rest[i][i]
        if pivot < 0 or (pivot == 0 and any(rest[i])):
            raise Refused(f"a Gram matrix is not positive semidefinite: pivot {i + 1} is {pivot}")
        if pivot:
            row = [q / pivot for q in rest[i]]
            found.append((pivot, total(number(c) * r for c, r in zip(row, roots, strict=True))))
            rest = [
                [q - pivot * row[a] * row[b] for b, q in enumerate(line)]
                for a, line in enumerate(rest)
            ]
    return found


def _parsed(text: Any) -> Any:
    """An expression in whole numbers, names, + - * / **, functions and sums; nothing else is read.

    So what is printed of a claim is what was read of it: no comment, no second line, no letter that
    looks like another.  Whoever changes the expression copies it first.
    """
    if not isinstance(text, str):
        raise Refused(f"{text!a} is no expression")
    _spend(1 + len(text) // 16)
    known = _TREES.get()
    if known is None:
        return _tree(text)
    if text not in known:
        known[text] = _tree(text)
    return known[text]


def _tree(text: str) -> Any:
    if not re.fullmatch(r"[\w +\-*/()\[\],]+", text, re.ASCII):
        raise Refused(f"{text!a} is no expression")
    if re.search(r"\b\d+[a-zA-Z_]", text, re.ASCII):
        raise Refused(f"{text} holds a number that is not written in digits alone")
    for digits in re.findall(r"\d+", text, re.ASCII):
        _limit("digits", len(digits))
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise Refused(f"{text} is no expression: {error.msg}") from None
    except (MemoryError, RecursionError):
        raise Refused(f"the limit of nesting is {LIMITS['nesting']}: too deep to read") from None
    todo: list[tuple[Any, int]] = [(tree, 1)]
    while todo:
        node, level = todo.pop()
        _limit("nesting", level)
        match node:
            case ast.Name():
                continue
            case ast.Constant(value=value) if type(value) is int:
                continue
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                parts = [inner]
            case ast.BinOp(
                left=ast.BinOp(op=ast.Add() | ast.Sub()) as left, op=ast.Add() | ast.Sub()
            ):
                todo.append((left, level))
                parts = [node.right]
            case ast.BinOp(
                left=left,
                op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.Pow(),
                right=right,
            ):
                parts = [left, right]
            case ast.Subscript(value=ast.Name(), slice=ast.Tuple(elts=parts)):
                pass
            case ast.Subscript(value=ast.Name(), slice=inner):
                parts = [inner]
            case ast.Call(func=ast.Name(id="Sum"), args=[body, *edges], keywords=[]) if edges:
                parts = [body]
                for edge in edges:
                    if not isinstance(edge, ast.Tuple) or len(edge.elts) != 3:
                        said = "a sum runs over (index, first, last)"
                        raise Refused(f"{text} is no expression: {said}")
                    parts += edge.elts
            case ast.Call(func=ast.Name(id=head), args=parts, keywords=[]) if (
                parts and head != "Sum" and FUNCTIONS.get(head) in (None, 0, len(parts))
            ):
                if head == "Indicator" and ast.unparse(parts[1]) not in ("0", "1"):
                    raise Refused(f"{ast.unparse(node)} is not Indicator(x, 0) or (x, 1)")
            case _:
                raise Refused(f"{text} is no expression: {type(node).__name__} is not read")
        todo += [(part, level + 1) for part in parts]
    return tree


def _edge(text: Any) -> Any:
    """Index, first and last value of a sum, as (index, first, last)."""
    edge = _parsed(f"Sum(0, {text})")
    if len(edge.args) != 2 or not isinstance(edge.args[1].elts[0], ast.Name):
        raise Refused(f"{text} is not (index, first, last)")
    return edge.args[1]


def _is_name(text: str) -> bool:
    return re.fullmatch(r"[a-zA-Z_]\w*", text, re.ASCII) is not None and text not in FUNCTIONS


def _words(text: str) -> list[str]:
    """Names in an expression, but for those of functions."""
    nodes = list(ast.walk(_parsed(text)))
    heads = [n.func for n in nodes if isinstance(n, ast.Call)]
    return [n.id for n in nodes if isinstance(n, ast.Name) and n not in heads]


def _put(expression: Any, name: str, value: str) -> Any:
    """An expression, or its text, with a symbol replaced."""

    class Putting(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> Any:
            return _parsed(value) if node.id == name else node

    if isinstance(expression, str):
        return ast.unparse(Putting().visit(deepcopy(_parsed(expression))))
    _spend(2 * sum(1 for _ in ast.walk(expression)))
    return Putting().visit(deepcopy(expression))


def _shown(value: Value) -> str:
    return " + ".join("*".join([str(c), *m]) for m, c in value.over.items())


def _place(i: Any, listed: Sequence[Any]) -> int:
    if not isinstance(i, int) or isinstance(i, bool) or not 0 <= i < len(listed):
        raise Refused(f"something is counted as number {i} of {len(listed)}")
    return i


# -- worst case of one step over a class of functions ----------------------------------------------


def _worst_case(document: Document) -> Callable[[], str]:
    """An upper bound of the own excess loss after x+ = x - eta (A g + e), over a class.

    A is the sum of the weights, e the others' weighted errors, g the own gradient at x, g + h that
    at x+.  With inner products as products, multipliers and slack not negative and S positive
    semidefinite: bound - f(x+) = sum of multiplier * premise + sum of S_ab v_a v_b + slack.
    """
    _keys(
        "a certificate",
        document,
        "format claim problem vectors objective bound premises matrix",
    )
    rules = _step(document["problem"])
    if _form(document["objective"]) != variable("f(x+)"):
        raise Refused("the objective is not the excess loss after the step")
    rest = number(_rational(document["bound"])) - variable("f(x+)")
    for place, item in enumerate(document["premises"], 1):
        _keys("a premise", item, "name terms equality rule multiplier")
        multiplier, ((kind, about),) = _rational(item["multiplier"]), item["rule"].items()
        if multiplier < 0:
            raise Refused(f"the multiplier of premise {place} is negative: {multiplier}")
        if kind not in rules:
            raise Refused(f"no rule is called {kind}")
        name, premise = rules[kind](about)
        if item["equality"] is not False or _form(item["terms"]) != premise:
            raise Refused(f"premise {place} does not follow from the problem by its rule")
        if not re.fullmatch(name, item["name"], re.ASCII):
            raise Refused(f"premise {place} has another name than its rule gives it")
        rest -= number(multiplier) * premise
    if not {*document["vectors"]} <= {*"xghe"}:
        raise Refused("a vector is none of x, g, h and e")
    for q, root in _diagonal([variable(v) for v in document["vectors"]], document["matrix"]):
        rest -= number(q) * root**2
    for monomial, q in sorted(rest.over.items(), reverse=True):
        if monomial:
            raise Refused(f"the identity fails at {' '.join(monomial)}: {q} is left")
        if q < 0:
            raise Refused(f"the constant exceeds the bound by {-q}")
    said = worst_case_claim(document["problem"], document["bound"])
    if document["claim"] != said:
        raise Refused("the words of the claim are not what the data say")
    return lambda: said


def worst_case_claim(problem: Document, bound: Any) -> str:
    """What a certificate of a worst case says of its problem, all of it, in words."""
    upper, lower, eta, start = (_rational(problem[k]) for k in ("beta", "mu", "step", "start"))
    alpha, b, c = (
        ", ".join(str(_rational(q)) for q in problem[k]) for k in ("weights", "bias", "slope")
    )
    others = f"with |g_k - g|^2 <= b_k^2 + c_k |g|^2, b = ({b}), c = ({c})" if b else "alone"
    noise = ", the noise of the gradients left out" if problem["variance"] else ""
    return (
        f"f(x+) - inf f is at most {_rational(bound)} after x+ = x - {eta} sum_k alpha_k g_k, "
        f"over all f of curvature between {lower} and {upper} with f(x) - inf f <= {start}, "
        f"alpha = ({alpha}), {others}{noise}"
    )


def _form(terms: Any) -> Value:
    """A sum of values and inner products as it stands in the file."""
    return total(Value({tuple(sorted(names)): _rational(q)}, UNIT) for names, q in terms)


def _step(problem: Document) -> Mapping[str, Any]:
    """Rules by which something is not negative at a step of weighted averaging, and their names."""
    _keys("a problem", problem, "kind beta mu step start weights bias slope variance")
    if problem["kind"] != "averaging step":
        raise Refused(f"no rules for the kind {problem['kind']}")
    upper, lower, eta, start = (_rational(problem[k]) for k in ("beta", "mu", "step", "start"))
    weights, bias, slope, variance = (
        [_rational(q) for q in problem[k]] for k in ("weights", "bias", "slope", "variance")
    )
    if not (upper > lower >= -upper and eta >= 0 and start > 0):
        raise Refused("beta > mu >= -beta, step >= 0 and start > 0 are needed")
    if min([*weights, *bias, *slope, *variance]) < 0:
        raise Refused("a weight, b or c is negative, or a variance")
    others = list(zip(weights[1:], bias, slope, strict=True))
    x, g, h, e = map(variable, "xghe")
    after = x - number(eta * sum(weights)) * g
    if any(a and (b or c) for a, b, c in others):  # else every error is zero
        after -= number(eta) * e
    points = {"x": (x, g, variable("f(x)")), "x+": (after, g + h, variable("f(x+)"))}
    if lower >= 0:  # the minimum of a convex loss is taken as attained, at the origin
        points["*"] = (ZERO, ZERO, ZERO)

    def infimum(name: str) -> tuple[str, Value]:
        if lower >= 0:
            raise Refused("the rule of the infimum is for losses that need not be convex")
        least = points[name][2] - points[name][1] ** 2 * number(1 / (2 * upper))
        return re.escape(f"f({name}) above the infimum"), least

    def between(names: Sequence[str]) -> tuple[str, Value]:
        one, other = names
        said = re.escape(f"f({one}) against f({other})")
        return said, interpolation(points[one], points[other], lower, upper)

    def error(what: Document) -> tuple[str, Value]:
        """|sum_k u_k|^2 <= sum_k |u_k|^2/w_k for w_k > 0 of sum one; terms rounded up to units."""
        _keys("a bound on the error", what, "shares units")
        shares, (unit, small) = (
            [_rational(n) for n in what["shares"]],
            map(_rational, what["units"]),
        )
        if unit <= 0 or small <= 0:
            raise Refused("each sum needs a positive unit")
        bound, rise = Fraction(0), Fraction(0)
        for (a, b, c), n in zip(others, shares, strict=True):
            if n < 0 or (n == 0 and a and (b or c)):
                raise Refused("a client that disturbs the step has no share")
            if n:
                bound -= -a * a * b * b * sum(shares) / n // unit * unit
                rise -= -a * a * c * sum(shares) / n // small * small
        return r"\|e\|\^2, bound \d+", number(bound) + number(rise) * g**2 - e**2

    def beginning(excess: Any) -> tuple[str, Value]:
        if _rational(excess) != start:
            raise Refused("the excess loss before the step is another one")
        return "start", number(start) - variable("f(x)")

    return {"start": beginning, "interpolation": between, "infimum": infimum, "error": error}


def interpolation(one: Point, other: Point, lower: Fraction, upper: Fraction) -> Value:
    """What every function of curvature between two numbers meets at two points, as left - right.

    The smaller curvature is below the larger one, which is positive.
    """
    (x, g, f), (y, slope, height) = one, other
    step, turn = x - y, g - slope
    bend = (
        turn**2 * number(1 / upper)
        + step**2 * number(lower)
        - turn * step * number(2 * lower / upper)
    )
    return f - height - slope * step - bend * number(1 / (2 * (1 - lower / upper)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
