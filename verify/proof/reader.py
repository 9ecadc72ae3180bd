"""Read a formula of an outline as a polynomial in real numbers and products of two vectors.

Every scalar is a real number: a value of a function or a product of two vectors stands for its
mean over all outcomes and over the clients.  So ``v**2`` is E |v|^2, for a vector of each client
the mean of E |v_i|^2 as well, and vectors are elements of one real inner product space.  A formula
is read into `verify.certify.checker.Value`, whose variables are printed keys such as ``eta[t]``.

What is applied while reading, and is trusted: the mean over outcomes and clients is linear; a
vector of each client is its mean over the clients plus a rest, and a rest is orthogonal to what all
clients share; what was declared unbiased is orthogonal to what was known before it was drawn;
two deviations of one drawn mean have the covariance of that draw; an entry with a definition is
replaced by it.  It uses the standard library and the checker of single inequalities.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from verify.certify.checker import ONE, SIGNS, UNIT, ZERO, Context, Refused, Value, number, variable
from verify.proof.entries import Pattern, declared_as
from verify.proof.term import Env, Term, Vec, Vector, parsed, shown, shown_vector

__all__ = ["OutlineReader"]

DEPTH, SHORT, EXPONENT = 40, 8, 40
"""Deepest chain of definitions, longest sum that is written out, largest power of a number."""
RESERVED = frozenset(["k", "N", "Abs", "Indicator", "exp", "log", "sqrt", "Max", "Min", "Sum"])
WORDS = frozenset(["Sum", "Min", "Max", "avg", "off", "grad", "drawn", "mix", "Chance"])
BOUND = re.compile(r"j\d+")


class OutlineReader:
    """Declarations of an outline, and formulas read under them.

    Parameters
    ----------
    document : mapping
        ``indices`` (letters that run over 0, 1, ...), ``numbers`` (sign by pattern, ``eta[t]``),
        ``vectors`` (by pattern: ``known``, ``shared``), ``functions`` (by name: ``own`` for one of
        each client, or ``mean of`` such a one), ``draws`` (by pattern: ``given``, ``known``),
        ``mixings`` (names), ``clients`` (their number, and whether weights are equal).

    Raises
    ------
    Refused
        If a name is declared twice, or a declaration is not of this form.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.indices: set[str] = set(document.get("indices", []))
        self.numbers = dict(map(declared_as, document.get("numbers", {}).items()))
        self.vectors = dict(map(declared_as, document.get("vectors", {}).items()))
        self.draws = dict(map(declared_as, document.get("draws", {}).items()))
        self.functions: dict[str, Any] = dict(document.get("functions", {}))
        self.mixings: set[str] = set(document.get("mixings", []))
        self.definitions: dict[str, list[tuple[Pattern, ast.expr | None]]] = {}
        self.unbiased: dict[str, tuple[list[str], ast.expr]] = {}
        self.spread: dict[str, str] = {}
        self.stationary: set[str] = set()
        self.nonzero: list[Value] = []
        self.parts: dict[str, str] = {}
        self._kinds: dict[str, str] = {}
        self._flat: dict[str, str] = {}
        self._depth = self._nested = 0
        tables = (self.indices, self.numbers, self.vectors, self.draws, self.functions)
        names = [name for table in (*tables, self.mixings) for name in table]
        for name in names:
            if names.count(name) > 1 or name in WORDS or BOUND.fullmatch(name):
                raise Refused(f"the name {name} is declared twice, or has another meaning")
            if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII):
                raise Refused(f"{name} is no name")
        for name, (_, sign) in self.numbers.items():
            if sign not in SIGNS or sign == "complex":
                raise Refused(f"the sign of {name} must be one of {', '.join(SIGNS)}")

    # -- formulas --------------------------------------------------------------------------------

    def scalar(self, text: str | ast.expr, env: Env | None = None) -> Value:
        """A formula that is a number."""
        value = self._read(parsed(text) if isinstance(text, str) else text, env or {})
        if isinstance(value, dict):
            raise Refused(f"{_text(text)} is a vector where a number is needed")
        return value

    def vector(self, text: str | ast.expr, env: Env | None = None) -> Vector:
        """A formula that is a vector."""
        value = self._read(parsed(text) if isinstance(text, str) else text, env or {})
        if not isinstance(value, dict):
            raise Refused(f"{_text(text)} is a number where a vector is needed")
        return value

    def constant(self, text: str | ast.expr, env: Env | None = None) -> Value:
        """A formula in declared numbers and indices alone, so not random."""
        value = self.scalar(text, env)
        for key in value.variables():
            name = re.match(r"[A-Za-z]\w*", key)
            if not name or "(" in key or not (name[0] in self.numbers or name[0] in self.indices):
                raise Refused(f"{_text(text)} is not made of declared numbers alone")
        return value

    def whole(self, value: Value) -> bool:
        """Whether a value is a whole number that is not negative, by its form."""
        return (
            value.under == UNIT
            and all(c.denominator == 1 for c in value.over.values())
            and all("integer" in self._kinds.get(v, "") for v in value.variables())
            and self.sign(value) > 0
        )

    def sign(self, value: Value) -> int:
        """2 if the form shows that a value is positive, 1 if not negative, 0 if neither."""
        flat = {v: self.flat(v) for v in value.variables()}
        kinds = {v: self._kinds.get(v, "real") for v in flat}
        symbols = {flat[v]: "real" if kind == "vector" else kind for v, kind in kinds.items()}
        empty = {"left": "0", "right": "0"}
        plain = {"symbols": symbols, "given": [], "atoms": [], "sums": [], "claim": empty}
        return Context(plain).sign(_renamed(value, flat))

    def flat(self, key: str) -> str:
        """A name without brackets for a variable, always the same and of this variable alone."""
        if key not in self._flat:
            name = re.sub(r"\W+", "_", key.replace("-", " minus ")).strip("_")
            name += "_" if name in RESERVED or not name[0].isalpha() else ""
            name = name if name[0].isalpha() else f"q{name}"
            while name in self._flat.values():
                name += "_"
            self._flat[key] = name
        return self._flat[key]

    def kind(self, key: str) -> str:
        """What is known of a variable: a sign, ``vector``, or ``real``."""
        return self._kinds.get(key, "real")

    def inverse(self, value: Value) -> Value:
        """One over a value that is known not to vanish."""
        if not value.over:
            raise Refused("something is divided by zero")
        if self._bilinear(value):
            raise Refused("something is divided by an inner product")
        rest = Value(value.over, UNIT)
        for known in self.nonzero:
            if _multiple(rest, known):
                return Value(value.under, value.over)
        if 2 not in (self.sign(rest), self.sign(ZERO - rest)):
            raise Refused(f"something is divided by {shown(value)}, which may vanish")
        return Value(value.under, value.over)

    def pair(self, left: Vector, right: Vector) -> Value:
        """The inner product of two vectors, in the mean."""
        found = ZERO
        for u, a in left.items():
            for v, b in right.items():
                found = found + a * b * self._product(u, v)
        return found

    def _product(self, u: Vec, v: Vec) -> Value:
        if u.shared != v.shared:
            return ZERO
        if u.sample and v.sample and u.sample[0] == v.sample[0]:
            share = self.scalar(self.spread[u.sample[0].partition("[")[0]])
            return share * self._product(u.sample[1], v.sample[1])
        for one, other in ((u, v), (v, u)):
            if one.drawn is not None and self.before(other.known, one.drawn):
                return ZERO
        for w in (u, v):
            self._kinds[w.key] = "vector"
        return variable(u.key) * variable(v.key)

    def before(self, moment: Value | None, other: Value | None) -> bool:
        """Whether a moment is seen not to be after another."""
        return moment is not None and other is not None and self.sign(other - moment) > 0

    def joined(self, values: Sequence[Value]) -> list[Value]:
        """The same values with mean and rest of a vector put together where all of them allow it.

        A product with a whole vector is the sum of those with its mean and with its rest, one of
        which is zero but for a product of two such vectors: there both must come together.
        """
        join = {self.parts[k] for v in values for k in v.variables() if k in self.parts}
        while True:  # a vector that is met apart keeps apart those that it is multiplied with
            apart = {key for value in values for key in self._apart(value, join)}
            if not apart:
                break
            join -= apart
        for key in join:
            self._kinds[key] = "vector"
        found = []
        for value in values:
            over: dict[tuple[str, ...], Fraction] = {}
            for m, c in value.over.items():
                pair = self._pair(m)
                rests = [k for k in pair if k[:3] == "off" and self.parts.get(k) in join]
                if pair and len(rests) == len(pair):
                    continue  # it comes with the product of the means
                whole = tuple(sorted(self._whole(k, join) for k in m))
                over[whole] = over.get(whole, Fraction(0)) + c
            found.append(Value({m: c for m, c in over.items() if c}, value.under))
        return found

    def _pair(self, monomial: tuple[str, ...]) -> list[str]:
        return [k for k in monomial if self._kinds.get(k) == "vector"]

    def _whole(self, key: str, join: set[str]) -> str:
        return self.parts[key] if self.parts.get(key) in join else key

    def _apart(self, value: Value, join: set[str]) -> set[str]:
        """Vectors of products of means without the product of rests, or with what is apart."""
        found: set[str] = set()
        for m, c in value.over.items():
            pair = self._pair(m)
            inside = [self.parts[k] for k in pair if self.parts.get(k) in join]
            if len(inside) == 1:
                (other,) = [k for k in pair if self.parts.get(k) not in join]
                found |= set() if self._is_shared(other) else {*inside}
            elif len(inside) == 2:
                twin = {k: f"{'off' if k[:3] == 'avg' else 'avg'}{k[3:]}" for k in pair}
                if value.over.get(tuple(sorted(twin.get(k, k) for k in m))) != c:
                    found |= {*inside}
        return found

    def _is_shared(self, key: str) -> bool:
        return not key.startswith(("off(", "mix("))

    def known(self, vector: Vector) -> Value | None:
        """The moment from which on a vector is known, if its parts say one."""
        latest: Value | None = ZERO
        for part in vector:
            if self.before(latest, part.known):
                latest = part.known
            elif not self.before(part.known, latest):
                return None
        return latest

    def consistent(self) -> None:
        """Refuse definitions that contradict what was said of who knows an entry, and when."""
        for name, several in self.definitions.items():
            for pattern, body in several:
                if body is not None:
                    self._consistent(name, pattern, body)
        for name, (letters, given) in self.unbiased.items():
            env = {letter: variable(letter) for letter in letters}
            for letter in letters:
                self._kinds[letter] = "nonnegative integer"
            known = self._moment(self.vectors[name][1]["known"], env)
            if known is None or self.sign(known - self.scalar(given, env)) < 2:
                raise Refused(f"{name} is known before it is drawn")

    def _consistent(self, name: str, pattern: Pattern, body: ast.expr) -> None:
        env = {letter: variable(letter) for letter, _ in pattern if letter}
        for letter in env:
            self._kinds[letter] = "nonnegative integer"
        if name in self.numbers:
            self._has_sign(name, self.scalar(body, env))
            return
        letters, about = self.vectors[name]
        found = self.vector(body, env)
        if about["shared"] and not all(v.shared for v in found):
            raise Refused(f"{name} was said to be shared, and its definition is not")
        if about["known"] is not None:
            at = [env.get(letter, ZERO) + number(shift) for letter, shift in pattern]
            said = self._moment(about["known"], dict(zip(letters, at, strict=True)))
            if not self.before(self.known(found), said):
                raise Refused(f"{name} is defined by what is known later than it was said")

    def _has_sign(self, name: str, value: Value) -> None:
        """Refuse a definition whose value may have another sign than was declared."""
        declared_sign = self.numbers[name][1]
        shown_sign = self.sign(value)
        good = {
            "real": True,
            "nonnegative": shown_sign > 0,
            "positive": shown_sign == 2,
            "nonnegative integer": self.whole(value),
            "positive integer": self.whole(value) and shown_sign == 2,
        }.get(declared_sign, False)
        if not good:
            raise Refused(f"the definition of {name} may not be {declared_sign}")

    # -- the parts of a formula ------------------------------------------------------------------

    def _read(self, node: Any, env: Env) -> Term:
        match node:
            case ast.Constant(value=int(value)):
                return number(value)
            case ast.Name() | ast.Subscript():
                return self._entry(node, env)
            case ast.UnaryOp(operand=inner):
                return self._scaled(number(-1), self._read(inner, env))
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                sign = number(1 if isinstance(op, ast.Add) else -1)
                return _added(self._read(left, env), self._scaled(sign, self._read(right, env)))
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                one, other = self._read(left, env), self._read(right, env)
                if not isinstance(one, dict):
                    return self._scaled(one, other)
                if not isinstance(other, dict):
                    return self._scaled(other, one)
                return self.pair(one, other)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                found = self._read(left, env)
                for factor in _factors(right):
                    found = self._scaled(self.inverse(self.scalar(factor, env)), found)
                return found
            case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
                return self._power(self._read(base, env), self.scalar(exponent, env))
            case ast.Call(func=ast.Name(id="Sum" | "Min" | "Max" as head), args=[body, edge]):
                return self._over(head, body, edge, env)
            case ast.Call(func=ast.Name(id="avg"), args=[inner]):
                return {v: c for v, c in self.vector(inner, env).items() if v.shared}
            case ast.Call(func=ast.Name(id="grad"), args=[ast.Name(id=name), point]):
                return self._gradient(name, self.vector(point, env))
            case ast.Call(func=ast.Name(id="drawn"), args=[draw, inner]):
                return self._drawn(draw, self.vector(inner, env), env)
            case ast.Call(func=ast.Name(id="mix"), args=[ast.Name(id=name), inner]):
                return self._mixed(name, self.vector(inner, env))
            case ast.Call(func=ast.Name(id="Chance"), args=[inner, level]):
                return self._chance(self.vector(inner, env), self.scalar(level, env))
            case ast.Call(func=ast.Name(id=name), args=[point]) if name in self.functions:
                return self._value(name, self.vector(point, env))
        raise Refused(f"{ast.unparse(node)} is no formula under these declarations")

    def _scaled(self, factor: Value, term: Term) -> Term:
        """A term times a number; a product of two inner products is not read."""
        if isinstance(term, dict):
            if self._bilinear(factor):
                raise Refused("a vector is multiplied by an inner product")
            return {v: factor * c for v, c in term.items()}
        if self._bilinear(factor) and self._bilinear(term):
            raise Refused("two inner products are multiplied")
        return factor * term

    def _bilinear(self, value: Value) -> bool:
        """Whether a value has inner products among its terms."""
        return any(self._kinds.get(v) == "vector" for v in value.variables())

    def _entry(self, node: Any, env: Env) -> Term:
        if isinstance(node, ast.Name):
            name, at = node.id, []
        else:
            name, inside = node.value.id, node.slice
            parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            at = [self.scalar(part, env) for part in parts]
        if BOUND.fullmatch(name):  # a sum would take it for its own
            raise Refused(f"{name} is the index of a sum")
        if name in self.indices:
            if at:
                raise Refused(f"{name} is an index")
            self._kinds.setdefault(name, "nonnegative integer")
            return env.get(name, variable(name))
        table = next((t for t in (self.numbers, self.vectors) if name in t), None)
        if table is None:
            raise Refused(f"{name} was not declared")
        letters, about = table[name]
        if len(at) != len(letters) or not all(map(self.whole, at)):
            raise Refused(f"{ast.unparse(node)} has other indices than were declared")
        defined = self._defined(name, at)
        if defined is not None:
            return defined
        key = name + (f"[{', '.join(map(shown, at))}]" if at else "")
        if table is self.numbers:
            self._kinds[key] = about
            return variable(key)
        here = dict(zip(letters, at, strict=True))
        return self._vec(key, about["shared"], self._moment(about["known"], here), name, at)

    def _moment(self, text: Any, env: Env) -> Value | None:
        return None if text is None else self.scalar(str(text), env)

    def _vec(self, key: str, shared: bool, known: Value | None, name: str, at: Any) -> Vector:
        drawn = None
        if name in self.unbiased:
            letters, given = self.unbiased[name]
            drawn = self.scalar(given, dict(zip(letters, at, strict=True)))
        if shared:
            return {Vec(key, True, known, drawn): ONE}
        self.parts |= {f"avg({key})": key, f"off({key})": key}
        return {
            Vec(f"avg({key})", True, known, drawn): ONE,
            Vec(f"off({key})", False, known, drawn): ONE,
        }

    def _defined(self, name: str, at: list[Value]) -> Term | None:
        for pattern, body in self.definitions.get(name, []):
            env: dict[str, Value] = {}
            for (letter, shift), value in zip(pattern, at, strict=True):
                rest = value - number(shift)
                if not (self.whole(rest) if letter else rest == ZERO):
                    break
                env |= {letter: rest} if letter else {}
            else:
                return None if body is None else self._body(name, body, env)
        return None

    def _body(self, name: str, body: ast.expr, env: Env) -> Term:
        self._depth += 1
        try:
            if self._depth > DEPTH:
                raise Refused(f"the definition of {name} leads back to itself, or is too deep")
            return self._read(body, env)
        finally:
            self._depth -= 1

    def _power(self, base: Term, exponent: Value) -> Term:
        if isinstance(base, dict):
            if exponent != number(2):
                raise Refused("of a vector there is the square alone")
            return self.pair(base, base)
        q = exponent.number()
        if self._bilinear(base) and q != 1:
            raise Refused("of an inner product there is no power")
        if q is not None:
            if q.denominator != 1 or abs(q) > EXPONENT:
                raise Refused(f"{q} is no exponent")
            power = base ** abs(int(q))
            return power if q >= 0 else self.inverse(power)
        if not self.whole(exponent):
            raise Refused(f"{shown(exponent)} is no number of times")
        shift = max(exponent.over.get((), Fraction(0)), Fraction(0))
        key = f"({shown(base)})**({shown(exponent - number(shift))})"
        sign = self.sign(base)
        self._kinds[key] = ("real", "nonnegative", "positive")[sign]
        return variable(key) * base ** int(shift)

    def _over(self, head: str, body: Any, edge: Any, env: Env) -> Value:
        """A sum, smallest or largest value over an index."""
        if not isinstance(edge, ast.Tuple) or len(edge.elts) != 3:
            raise Refused("a sum runs over (index, first, last)")
        letter, first, last = edge.elts
        low, high = self.scalar(first, env), self.scalar(last, env)
        if not isinstance(letter, ast.Name) or letter.id not in self.indices:
            raise Refused("a sum runs over a declared index")
        count = high - low + ONE
        if not self.whole(low) or not self.whole(count):
            raise Refused(f"a sum from {shown(low)} to {shown(high)} may not be one")
        self._nested += 1
        bound = f"j{self._nested}"
        self._kinds[bound] = "nonnegative integer"
        try:
            value = self.scalar(body, {**env, letter.id: variable(bound)})
        finally:
            self._nested -= 1
        edges = f"{bound}, {shown(low)}, {shown(high)}"
        if head != "Sum":
            if self.sign(count) < 2:
                raise Refused("the smallest of no numbers")
            return self._atom(f"{head}({shown(value)}, {edges})", self.sign(value))
        q = count.number()
        if q is not None and q <= SHORT:
            start = (low + number(i) for i in range(int(q)))
            return sum((self.scalar(body, {**env, letter.id: at}) for at in start), ZERO)
        if any(_depends(v, bound) for m in value.under for v in m):
            sign = min(self.sign(value), self.sign(count))
            return self._atom(f"Sum({shown(value)}, {edges})", sign)
        found = ZERO
        for monomial, c in value.over.items():
            varies = [_depends(v, bound) for v in monomial]
            pairs = [self._kinds.get(v) == "vector" for v in monomial]
            both = any(a and b for a, b in zip(varies, pairs, strict=True))
            stays = [a or (both and b) for a, b in zip(varies, pairs, strict=True)]
            inner = tuple(v for v, stay in zip(monomial, stays, strict=True) if stay)
            rest = tuple(v for v, stay in zip(monomial, stays, strict=True) if not stay)
            outer = Value({rest: c}, value.under)
            part = Value({inner: Fraction(1)}, UNIT)
            sign = min(self.sign(part), self.sign(count))
            summed = self._atom(f"Sum({shown(part)}, {edges})", sign)
            if inner == (bound,):  # 0 + 1 + ... by Gauss
                summed = count * (low + high) * number(Fraction(1, 2))
            found = found + outer * (summed if inner else count)
        return found

    def _atom(self, key: str, sign: int) -> Value:
        self._kinds[key] = ("real", "nonnegative", "positive")[sign]
        return variable(key)

    def _function(self, name: str, point: Vector) -> tuple[str, bool, bool]:
        """The function whose values are meant, whether each client has one, and takes the mean."""
        about = self.functions.get(name)
        if about is None:
            raise Refused(f"the function {name} was not declared")
        if "mean of" not in about:
            return name, bool(about.get("own")), False
        inner = about["mean of"]
        if not self.functions.get(inner, {}).get("own"):
            raise Refused(f"{name} is the mean of {inner}, which is no function of each client")
        if not all(v.shared for v in point):
            raise Refused(f"{name} is read at points that all clients share")
        return inner, True, True

    def _value(self, name: str, point: Vector) -> Value:
        name, _, _ = self._function(name, point)
        return variable(f"{name}({shown_vector(point)})")

    def _gradient(self, name: str, point: Vector) -> Vector:
        name, own, mean = self._function(name, point)
        key = f"grad({name}, {shown_vector(point)})"
        shared = not own and all(v.shared for v in point)
        found = self._vec(key, shared, self.known(point), "", [])
        found = {v: c for v, c in found.items() if v.key not in self.stationary}
        return {v: c for v, c in found.items() if v.shared} if mean else found

    def _drawn(self, draw: Any, inner: Vector, env: Env) -> Vector:
        """The mean of a vector over the clients that are drawn."""
        name = draw.id if isinstance(draw, ast.Name) else draw.value.id
        if name not in self.draws:
            raise Refused(f"{name} is no draw")
        letters, about = self.draws[name]
        at = [] if isinstance(draw, ast.Name) else [self.scalar(draw.slice, env)]
        if len(at) != len(letters) or not all(map(self.whole, at)):
            raise Refused(f"{name} has other indices than were declared")
        here = dict(zip(letters, at, strict=True))
        key = name + (f"[{shown(at[0])}]" if at else "")
        given, known = (self._moment(about[w], here) for w in ("given", "known"))
        found: Vector = {}
        for v, c in inner.items():
            if v.shared:
                found = _sum(found, {v: c})
                continue
            if not self.before(v.known, given):
                raise Refused(f"{v.key} may depend on the draw {key}")
            whole = f"drawn({key}, {v.key})"
            if name in self.spread:
                found = _sum(found, {Vec(whole, True, known, given, (key, v)): c})
            else:
                found = _sum(found, {Vec(whole, True, known): c})
        return found

    def _mixed(self, name: str, inner: Vector) -> Vector:
        """What clients have after they have averaged with their neighbours."""
        if name not in self.mixings:
            raise Refused(f"{name} is no mixing")
        return {
            v if v.shared else Vec(f"mix({name}, {v.key})", False, v.known, v.drawn): c
            for v, c in inner.items()
        }

    def _chance(self, inner: Vector, level: Value) -> Value:
        """The probability that the squared norm of a vector is at least a level."""
        if not all(v.shared for v in inner):
            raise Refused("a probability is of what all clients share")
        return self._atom(f"Chance({shown_vector(inner)}, {shown(level)})", 1)


def _renamed(value: Value, names: Mapping[str, str]) -> Value:
    over, under = (
        {tuple(sorted(names[v] for v in m)): c for m, c in p.items()}
        for p in (value.over, value.under)
    )
    return Value(over, under)


def _multiple(value: Value, known: Value) -> bool:
    """Whether a value is a number other than zero times one that does not vanish."""
    first = next(iter(value.over))
    return first in known.over and value == number(value.over[first] / known.over[first]) * known


def _factors(node: Any) -> Iterator[Any]:
    """Factors of a denominator as it is written."""
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            yield from _factors(left)
            yield from _factors(right)
        case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int(q))) if q < EXPONENT:
            for _ in range(q):
                yield from _factors(base)
        case _:
            yield node


def _depends(key: str, letter: str) -> bool:
    return re.search(rf"\b{letter}\b", key) is not None


def _sum(one: Vector, other: Vector) -> Vector:
    found = dict(one)
    for v, c in other.items():
        found[v] = found[v] + c if v in found else c
    return {v: c for v, c in found.items() if c.over}


def _added(one: Term, other: Term) -> Term:
    if isinstance(one, dict) and isinstance(other, dict):
        return _sum(one, other)
    if isinstance(one, dict):
        return _added(other, one)
    if isinstance(other, dict):
        if one.over:
            raise Refused("a number and a vector are added")
        return other
    return one + other


def _text(text: str | ast.expr) -> str:
    return text if isinstance(text, str) else ast.unparse(text)
