"""Hold facts and readings of an outline to an exact run, in fractions, outcome by outcome.

A world has finitely many outcomes, clients with weights, and a value for each number, vector,
function, draw and mixing.  Entries that the world does not give are computed by the outline's
definitions.  Formulas are evaluated as they are written, without any of the rewriting that
`verify.proof.term` does, so the rewriting is judged as well: each product of two vectors must be
what it is read as.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from math import lcm
from operator import mul
from typing import Any

from verify.certify.checker import Value
from verify.proof.checker import Outlined, Refused, opened
from verify.proof.entries import declared
from verify.proof.facts import FACTS, FactRule
from verify.proof.reader import OutlineReader
from verify.proof.term import Vector, parsed

Point = tuple[Fraction, ...]
Field = list[list[Point]]
"""A vector: for each outcome and each client its coordinates."""
Env = Mapping[str, int]

_tree = lru_cache(maxsize=4096)(parsed)
"""Formulas are parsed once: trees are only looked at here."""


@lru_cache(maxsize=2**16)
def _said(node: ast.expr) -> tuple[str, tuple[str, ...]]:
    """A product, power or value as it is written, and the names in it; nothing of anything else."""
    if not isinstance(node, ast.BinOp | ast.Call):
        return "", ()
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return ast.unparse(node), tuple(sorted(names))


__all__ = ["Broken", "ExactRun", "Reading", "broken", "broken_in", "evaluated"]


@dataclass(frozen=True)
class Broken:
    """What an exact run refuses.

    Attributes
    ----------
    name : str
        The fact, or the product that is read wrongly.
    at : dict
        The index.
    said, measured : Fraction
        A fact should be at least zero; a product should be what it is read as.
    """

    name: str
    at: dict[str, int]
    said: Fraction
    measured: Fraction


@dataclass
class ExactRun:
    """An instance with all of its outcomes.

    Attributes
    ----------
    chances : sequence of Fraction
        Of each outcome, of sum one.
    weights : sequence of Fraction
        Of each client, of sum one.
    numbers : mapping
        Number by name, a function of its indices.
    vectors : mapping
        Coordinates by name, or by entry such as ``w[0]``, a function of world, outcome, client and
        indices.
    functions : mapping
        Value and gradient by name, functions of client and point.
    draws : mapping
        Clients that are drawn by name, a function of outcome and indices.
    mixings : mapping
        Doubly stochastic matrices by name.
    steady : mapping
        Of an index, the value from which on nothing changes: long sums are not added up.
    chosen : sequence of sequence of Fraction
        Weights of the clients on each outcome, where they are chosen during the run; else empty.
    """

    chances: Sequence[Fraction]
    weights: Sequence[Fraction] = (Fraction(1),)
    numbers: Mapping[str, Callable[..., Fraction]] = field(default_factory=dict)
    vectors: Mapping[str, Callable[..., Point]] = field(default_factory=dict)
    functions: Mapping[str, tuple[Callable[..., Fraction], Callable[..., Point]]] = field(
        default_factory=dict
    )
    draws: Mapping[str, Callable[..., Sequence[int]]] = field(default_factory=dict)
    mixings: Mapping[str, Sequence[Sequence[Fraction]]] = field(default_factory=dict)
    steady: Mapping[str, int] = field(default_factory=dict)
    chosen: Sequence[Sequence[Fraction]] = ()
    definitions: list[tuple[str, str]] = field(default_factory=list)
    averages: dict[str, Mapping[str, str]] = field(default_factory=dict)
    _known: dict[Any, Any] = field(default_factory=dict)
    _values: dict[Any, Any] = field(default_factory=dict)
    _shares: list[int] = field(default_factory=list)
    _whole: dict[int, tuple[Field, int, list[list[int]]]] = field(default_factory=dict)

    def knows(self, document: Mapping[str, Any]) -> None:
        """Take over what the outline defines and this world does not give."""
        for fact in document["facts"]:
            args = fact["args"]
            if fact["rule"] in ("method", "definition"):
                self.definitions.append((args["entry"], args["is_"]))
            elif fact["rule"] == "average":
                self.averages[declared(args["called"])[0]] = args
        for name, about in document["functions"].items():
            if "mean of" in about:
                self.functions = {
                    **self.functions,
                    name: self._mean(self.functions[about["mean of"]]),
                }

    def _mean(self, own: Any) -> Any:
        """Value and gradient of the mean of functions of the clients."""
        value, slope = own
        if self.chosen:
            raise ValueError("a mean of functions under weights that are chosen during the run")

        def mean_value(_: int, x: Point) -> Fraction:
            return sum((p * value(i, x) for i, p in enumerate(self.weights)), Fraction(0))

        def mean_slope(_: int, x: Point) -> Point:
            parts = [(p, slope(i, x)) for i, p in enumerate(self.weights)]
            return tuple(sum((p * g[d] for p, g in parts), Fraction(0)) for d in range(len(x)))

        return mean_value, mean_slope

    def weights_on(self, outcome: int) -> Sequence[Fraction]:
        """Of each client, on an outcome."""
        return self.chosen[outcome] if self.chosen else self.weights

    # -- formulas ----------------------------------------------------------------------------------

    def scalar(self, text: str, env: Env | None = None) -> Fraction:
        """A formula that is a number, in the mean over outcomes and clients."""
        value = self._value(_tree(text), dict(env or {}))
        if not isinstance(value, Fraction):
            raise ValueError(f"{text} is a vector")
        return value

    def vector(self, text: str, env: Env | None = None) -> Field:
        """A formula that is a vector, or zero."""
        value: Field | Fraction = self._value(_tree(text), dict(env or {}))
        if isinstance(value, Fraction):
            raise ValueError(f"{text} is a number")
        return value

    def value(self, text: str, env: Env | None = None) -> Fraction | Field:
        """A formula that is a number or a vector."""
        found: Fraction | Field = self._value(_tree(text), dict(env or {}))
        return found

    def inner(self, one: Field, other: Field) -> Fraction:
        """The inner product of two vectors, in the mean."""
        (under, first), (below, second) = self._scaled_up(one), self._scaled_up(other)
        if not self._shares:
            shares = [c * w for o, c in enumerate(self.chances) for w in self.weights_on(o)]
            whole = lcm(*(share.denominator for share in shares))
            self._shares += [whole, *(int(share * whole) for share in shares)]
        whole, *shares_up = self._shares
        total = sum(
            share * sum(map(mul, u, v))
            for share, u, v in zip(shares_up, first, second, strict=True)
        )
        return Fraction(total, whole * under * below)

    def _scaled_up(self, field_: Field) -> tuple[int, list[list[int]]]:
        """A vector as whole numbers over one denominator: many small fractions take long."""
        known = self._whole.get(id(field_))
        if known is None:
            points = [x for row in field_ for x in row]
            under = lcm(*(a.denominator for x in points for a in x))
            scaled = [[a.numerator * (under // a.denominator) for a in x] for x in points]
            # the vector itself is kept, so that no other one has its identity
            known = self._whole[id(field_)] = (field_, under, scaled)
        return known[1:]

    def _value(self, node: Any, env: dict[str, int]) -> Any:
        text, names = _said(node)
        if not names:
            return self._made_of(node, env)
        at = (text, *(env.get(name) for name in names))  # many formulas say the same of one place
        if at not in self._values:
            self._values[at] = self._made_of(node, env)
        return self._values[at]

    def _made_of(self, node: Any, env: dict[str, int]) -> Any:
        match node:
            case ast.Constant(value=int(value)):
                return Fraction(value)
            case ast.Name(id=name) if name in env:
                return Fraction(env[name])
            case ast.Name(id=name):
                return self._entry(name, ())
            case ast.Subscript(value=ast.Name(id=name), slice=inside):
                parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
                return self._entry(name, tuple(int(self._value(p, env)) for p in parts))
            case ast.UnaryOp(operand=inner):
                return self._scaled(Fraction(-1), self._value(inner, env))
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                sign = Fraction(1 if isinstance(op, ast.Add) else -1)
                one, other = self._value(left, env), self._value(right, env)
                return self._added(one, self._scaled(sign, other))
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                one, other = self._value(left, env), self._value(right, env)
                if isinstance(one, list) and isinstance(other, list):
                    return self.inner(one, other)
                return (
                    self._scaled(other, one) if isinstance(one, list) else self._scaled(one, other)
                )
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return self._scaled(1 / self._value(right, env), self._value(left, env))
            case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
                value = self._value(base, env)
                if isinstance(value, list):
                    return self.inner(value, value)
                return Fraction(value ** int(self._value(exponent, env)))
            case ast.Call(func=ast.Name(id="Sum" | "Min" | "Max" as head), args=[body, edge]):
                letter, first, last = edge.elts  # type: ignore[attr-defined]
                low, high = (int(self._value(end, env)) for end in (first, last))
                stop = min(high, max(low, self.steady.get(letter.id, high)))
                values = [self._value(body, {**env, letter.id: i}) for i in range(low, stop + 1)]
                if stop < high:
                    if self._value(body, {**env, letter.id: high}) != values[-1]:
                        raise ValueError(f"{ast.unparse(body)} changes from {stop} to {high}")
                    values += [(high - stop) * values[-1]] * (head == "Sum")
                combine: dict[str, Any] = {"Sum": sum, "Min": min, "Max": max}
                return Fraction(combine[head](values))
            case ast.Call(func=ast.Name(id=name), args=args):
                return self._called(name, args, env)
        raise ValueError(f"{ast.unparse(node)} is not evaluated")

    def _called(self, name: str, args: Any, env: dict[str, int]) -> Any:
        if name == "grad":
            point = self._value(args[1], env)
            _, slope = self.functions[args[0].id]
            return [[slope(i, x) for i, x in enumerate(row)] for row in point]
        if name in ("avg", "off"):
            whole = self._value(args[0], env)
            mean = [[_mean(row, self.weights_on(o))] * len(row) for o, row in enumerate(whole)]
            return mean if name == "avg" else self._added(whole, self._scaled(Fraction(-1), mean))
        if name == "drawn":
            base: Any = args[0]
            at: tuple[int, ...] = ()
            if isinstance(base, ast.Subscript):
                at = (int(self._value(base.slice, env)),)
                base = base.value
            whole = self._value(args[1], env)
            found = []
            for outcome, row in enumerate(whole):
                chosen = self.draws[base.id](outcome, *at)
                share = [Fraction(1, len(chosen))] * len(chosen)
                found.append([_mean([row[i] for i in chosen], share)] * len(row))
            return found
        if name == "mix":
            matrix = self.mixings[args[0].id]
            whole = self._value(args[1], env)
            return [[_mean(row, weights) for weights in matrix] for row in whole]
        if name == "Chance":
            level = self._value(args[1], env)
            rows = self._value(args[0], env)
            return sum(
                (
                    chance
                    for chance, row in zip(self.chances, rows, strict=True)
                    if sum(a * a for a in row[0]) >= level
                ),
                Fraction(0),
            )
        value, _ = self.functions[name]
        return sum(
            (
                chance * weight * value(i, x)
                for o, (chance, row) in enumerate(
                    zip(self.chances, self._value(args[0], env), strict=True)
                )
                for i, (weight, x) in enumerate(zip(self.weights_on(o), row, strict=True))
            ),
            Fraction(0),
        )

    def _entry(self, name: str, at: tuple[int, ...]) -> Any:
        if (name, at) not in self._known:
            self._known[name, at] = self._made(name, at)
        return self._known[name, at]

    def _made(self, name: str, at: tuple[int, ...]) -> Any:
        if name in self.numbers:
            return Fraction(self.numbers[name](*at))
        entry = f"{name}[{', '.join(map(str, at))}]"
        rule = self.vectors.get(entry, self.vectors.get(name))
        if rule is not None:
            return [
                [
                    rule(self, outcome, client, *at)
                    for client in range(len(self.weights_on(outcome)))
                ]
                for outcome in range(len(self.chances))
            ]
        if name in self.averages:
            return self._average(self.averages[name], at)
        for entry, body in self.definitions:
            env = _matched(_tree(entry), name, at)
            if env is not None:
                return self._value(_tree(body), env)
        raise ValueError(f"nothing gives {name} at {at}")

    def _average(self, about: Mapping[str, str], at: tuple[int, ...]) -> Field:
        env = dict(zip(declared(about["called"])[1], at, strict=True))
        rounds = range(int(self.scalar(about["rounds"], env)))
        each = [{**env, about["index"]: t} for t in rounds]
        weights = [self.scalar(about["weight"], here) for here in each]
        found: Any = Fraction(0)
        for weight, here in zip(weights, each, strict=True):
            share = weight / sum(weights)
            found = self._added(found, self._scaled(share, self.vector(about["of"], here)))
        return list(found)

    def _scaled(self, factor: Fraction, value: Any) -> Any:
        if isinstance(value, list):
            return [[tuple(factor * a for a in x) for x in row] for row in value]
        return factor * value

    def _added(self, one: Any, other: Any) -> Any:
        if isinstance(one, Fraction) and isinstance(other, Fraction):
            return one + other
        if isinstance(one, Fraction) or isinstance(other, Fraction):
            return other if isinstance(one, Fraction) else one  # a number is zero here
        return [
            [tuple(a + b for a, b in zip(x, y, strict=True)) for x, y in zip(r, s, strict=True)]
            for r, s in zip(one, other, strict=True)
        ]


def broken(
    document: Mapping[str, Any],
    world: ExactRun,
    ranges: Mapping[str, int],
    rules: Mapping[str, FactRule] = FACTS,
) -> list[Broken]:
    """What an exact run refuses: facts or steps that are negative, products read wrongly.

    Parameters
    ----------
    document : mapping
        An outline, proved or not.
    world : ExactRun
    ranges : mapping
        For each index how many of its values are looked at.
    rules : mapping, optional
        Others than the named ones, for false twins.
    """
    return broken_in(Reading(document, rules), world, ranges)


class Reading:
    """An outline as it is read, once for all runs that it is held to.

    Parameters
    ----------
    document : mapping
        An outline, proved or not.
    rules : mapping, optional
        Others than the named ones, for false twins.
    """

    def __init__(self, document: Mapping[str, Any], rules: Mapping[str, FactRule] = FACTS) -> None:
        self.document, self._rules = document, rules
        self._products: dict[tuple[str, str], Value] = {}
        self._vectors: dict[str, Vector] = {}

    @cached_property
    def outlined(self) -> Outlined:
        """Declarations and facts."""
        return opened(self.document, rules=self._rules)

    def product(self, one: str, other: str) -> Value:
        """What the product of two vectors is read as."""
        if (one, other) not in self._products:
            both = (self._vector(text) for text in (one, other))
            self._products[one, other] = self.outlined.reader.pair(*both)
        return self._products[one, other]

    def _vector(self, text: str) -> Vector:
        if text not in self._vectors:
            self._vectors[text] = self.outlined.reader.vector(text)
        return self._vectors[text]


def broken_in(reading: Reading, world: ExactRun, ranges: Mapping[str, int]) -> list[Broken]:
    """What an exact run refuses of an outline that was read already; as `broken`."""
    document, outlined = reading.document, reading.outlined
    world.knows(document)
    found = []
    for name, claims in outlined.known.items():
        for text, strict in claims:
            for at in _indices(outlined, text, ranges):
                value = world.scalar(text, at)
                if value < 0 or (strict and value == 0):
                    found.append(Broken(name, at, Fraction(0), value))
    for item in document["steps"]:
        if "supposing" in item:
            continue
        gap = f"({item['right']}) - ({item['left']})"
        for at in _indices(outlined, gap, ranges):
            value = world.scalar(gap, at)
            met = {"<": value > 0, "==": value == 0}.get(item["relation"], value >= 0)
            if not met:
                found.append(Broken(item["name"], at, Fraction(0), value))
    return found + list(_misread(reading, world, ranges))


def evaluated(
    reader: OutlineReader, world: ExactRun, value: Value, keys: dict[str, Any] | None = None
) -> Fraction:
    """A reading on an exact run: each of its variables evaluated as it is written.

    Parameters
    ----------
    reader : OutlineReader
    world : ExactRun
    value : Value
    keys : dict, optional
        What is known already of variables; it is added to.
    """
    keys = {} if keys is None else keys
    parts = []
    for polynomial in (value.over, value.under):
        total = Fraction(0)
        for monomial, c in polynomial.items():
            pair = [v for v in monomial if reader.kind(v) == "vector"]
            for v in {*monomial} - {*keys}:
                keys[v] = world.vector(v) if v in pair else world.scalar(v)
            part = world.inner(keys[pair[0]], keys[pair[1]]) if pair else Fraction(1)
            for v in monomial:
                part *= Fraction(1) if v in pair else keys[v]
            total += c * part
        parts.append(total)
    return parts[0] / parts[1]


def _misread(reading: Reading, world: ExactRun, ranges: Mapping[str, int]) -> Iterator[Broken]:
    """Products of two vectors that are not what they are read as."""
    document, outlined = reading.document, reading.outlined
    texts = _vectors(document, ranges)
    texts += [text for text in _drawn(document, ranges, texts) if _is_read(outlined, text)]
    fields = {text: world.vector(text) for text in texts}
    keys: dict[str, Any] = {}
    for place, one in enumerate(texts):
        for other in texts[place:]:
            said = evaluated(outlined.reader, world, reading.product(one, other), keys)
            exact = world.inner(fields[one], fields[other])
            if said != exact:
                yield Broken(f"{one} times {other}", {}, said, exact)


def _vectors(document: Mapping[str, Any], ranges: Mapping[str, int]) -> list[str]:
    """Vectors of the outline at the indices that are looked at: entries, gradients, drawn means."""
    texts = []
    for pattern, about in document["vectors"].items():
        name, letters = declared(pattern)
        if any(
            declared(f["args"]["called"])[0] == name
            for f in document["facts"]
            if f["rule"] == "average"
        ):
            continue
        for at in product(*(range(ranges[letter] + 1) for letter in letters)):
            entry = name + (f"[{', '.join(map(str, at))}]" if letters else "")
            texts.append((entry, about["shared"]))
    noise = {declared(f["args"]["noise"])[0] for f in document["facts"] if "noise" in f["args"]}
    entries = [text for text, _ in texts]
    for f, about in document["functions"].items():
        entries += [
            f"grad({f}, {text})"
            for text, shared in texts
            if text.partition("[")[0] not in noise and (shared or "mean of" not in about)
        ]
    for fact in document["facts"]:
        if fact["rule"] == "stationary":
            f, star = fact["args"]["f"], fact["args"]["star"]
            entries += [f"grad({f}, {star})", f"grad({f}, 2*({star}))"]
    return [text for text in dict.fromkeys(entries) if _within(text, document, ranges, noise)]


def _drawn(
    document: Mapping[str, Any], ranges: Mapping[str, int], texts: Sequence[str]
) -> Iterator[str]:
    """Drawn means of vectors."""
    for pattern in document["draws"]:
        name, letters = declared(pattern)
        for at in product(*(range(ranges[letter]) for letter in letters)):
            draw = name + (f"[{', '.join(map(str, at))}]" if letters else "")
            yield from (f"drawn({draw}, {text})" for text in texts)


def _is_read(outlined: Outlined, text: str) -> bool:
    """Whether a drawn mean is one of what was known before the draw."""
    try:
        outlined.reader.vector(text)
    except Refused:
        return False
    return True


def _within(
    text: str, document: Mapping[str, Any], ranges: Mapping[str, int], noise: set[str]
) -> bool:
    """Leave out noise of the round after the last one that is looked at."""
    base, _, inside = text.partition("[")
    if base not in noise:
        return True
    letters = next(ls for p in document["vectors"] for n, ls in [declared(p)] if n == base)
    at = inside.rstrip("]").split(",") if letters else []
    return all(int(i) < ranges[letter] for i, letter in zip(at, letters, strict=True))


def _indices(outlined: Outlined, text: str, ranges: Mapping[str, int]) -> Iterator[dict[str, int]]:
    names = {n.id for n in ast.walk(_tree(text)) if isinstance(n, ast.Name)}
    letters = sorted(names & outlined.reader.indices)
    for at in product(*(range(ranges[letter]) for letter in letters)):
        yield dict(zip(letters, at, strict=True))


def _matched(pattern: Any, name: str, at: tuple[int, ...]) -> dict[str, int] | None:
    """The letters of a defined entry at an index, if it is one of those."""
    if isinstance(pattern, ast.Name):
        return {} if pattern.id == name and not at else None
    if pattern.value.id != name:
        return None
    inside = pattern.slice
    parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
    env: dict[str, int] = {}
    for part, value in zip(parts, at, strict=True):
        match part:
            case ast.Constant(value=int(fixed)):
                if fixed != value:
                    return None
            case ast.Name(id=letter):
                env[letter] = value
            case ast.BinOp(left=ast.Name(id=letter), right=ast.Constant(value=int(shift))):
                env[letter] = value - shift
    return env if min(env.values(), default=0) >= 0 else None


def _mean(points: Sequence[Point], weights: Sequence[Fraction]) -> Point:
    return tuple(
        sum((w * x[d] for w, x in zip(weights, points, strict=True)), Fraction(0))
        for d in range(len(points[0]))
    )
