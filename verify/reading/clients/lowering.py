"""From a reading to a claim in symbols: indicators, extremes and what the case says of them.

What is no rational function gets a symbol, and the facts that characterise it become hypotheses: an
indicator is 0 or 1, a largest value is at least each one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from bounds.numbers.formal_terms import extreme_type, indicator_type, put
from bounds.numbers.symbolic import client_symbol
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.reading.clients.reading import Reading
from verify.reading.parts.claim import Claim
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import domain_facts, free_in

__all__ = ["Lowering"]

Expr = Any


class Parameters:
    """Symbols for the parameters of a reading, and which of them stand for vectors.

    Attributes
    ----------
    vectors : dict
        Names met so far that stand for one coordinate of a vector, in the order of their coming.
    """

    def __init__(self, statement: Statement, reading: Reading) -> None:
        self.statement, self.reading = statement, reading
        self.vectors: dict[str, None] = {}

    def vector_names(self) -> set[str]:
        """Names of the parameters of which one coordinate stands for all."""
        if self.reading.name == "d" or self.reading.spelled:
            return set()
        return {n for n, p in self.statement.family.box.items() if "d" in p.per}

    def indexed(self, e: Expr) -> Expr:
        """``x[i0]`` is the symbol ``x_0``, ``r[i0, k]`` is ``r_0_any[k]``."""
        import sympy

        marks = self.reading.axis.marks
        places = [str(marks.index(i)) if i in marks else "any" for i in e.indices]
        free = [i for i in e.indices if i not in marks]
        name = str(e.base) if len(free) == len(e.indices) else "_".join([str(e.base), *places])
        if name != str(e.base) and name in self.statement.family.box:
            raise NotReadable(f"{name} would stand for two things")
        if self._is_vector(str(e.base)):
            self.vectors.setdefault(name)
        facts = _facts(e)
        if not free:
            return sympy.Symbol(name, **facts)
        return sympy.IndexedBase(name, **facts)[tuple(free)]

    def _is_vector(self, own: str) -> bool:
        return any(own == n or own.startswith(f"{n}_") for n in self.vector_names())

    def domains(self, everything: Sequence[Expr]) -> Iterator[Any]:
        """What the stated domains say of the parameters beyond their signs."""
        import sympy

        seen: dict[Expr, Real] = {}
        k, _ = client_symbol()
        box = self.statement.family.box
        for e in everything:
            labels = {i.base.label for i in e.atoms(sympy.Indexed)}
            for s in sorted(e.atoms(sympy.Indexed, sympy.Symbol) - labels, key=str):
                own = str(s.base) if isinstance(s, sympy.Indexed) else str(s)
                name = max(
                    (n for n in box if own == n or own.startswith(f"{n}_")), key=len, default=None
                )
                if name is None or name in self.vector_names():
                    continue
                if isinstance(s, sympy.Indexed):
                    bound = [i for i in s.indices if i not in self.reading.axis.marks]
                    if len(bound) > 1:
                        continue
                    s = s.base[tuple(k if i in bound else i for i in s.indices)]
                    s = self.indexed(s)
                seen.setdefault(s, box[name])
        for symbol, parameter in seen.items():
            yield from domain_facts(str(symbol), parameter, symbol)


class Lowering:
    """Symbols for single clients, for indicators and for extremes, with what is known of them.

    A condition that no client enters is answered by what is assumed; with `whole` it stays.
    """

    def __init__(
        self,
        statement: Statement,
        reading: Reading,
        assumed: Sequence[tuple[Expr, bool, bool]] = (),
        whole: bool = False,
    ) -> None:
        self.statement, self.reading, self.whole = statement, reading, whole
        self.assumed = {(value, strict): answer for value, strict, answer in assumed}
        self.open: dict[tuple[Expr, bool], None] = {}
        self.parameters = Parameters(statement, reading)
        self.hypotheses: list[Any] = []
        self.plain: list[Any] = []
        self.table: dict[Expr, Expr] = {}
        self.used: set[str] = set()
        self.known: dict[Expr, bool] = {}
        self.chosen: dict[Expr, tuple[Expr, bool]] = {}

    def claim(self, left: Expr, right: Expr) -> tuple[Claim, tuple[str, ...]]:
        """The claim between two sides, with all hypotheses, and its vectors."""
        from verify.certify.prover.prove import Hypothesis

        given: list[Any] = []
        everything = [left, right, *(e for m in self.reading.margins.values() for e in m.values())]
        self.used = {str(s) for e in everything for s in free_in(e)}
        for item in self.parameters.domains(everything):
            given.append(item)
            self.known[item.expr] = item.strict
        sides = [self(left), self(right)]
        for name, margin in self.reading.margins.items():
            strict = name in self.statement.strict or name in self.reading.strict
            for place, e in margin.items():
                found, word = self(e), f", client {place[0]}" if place and place[0] != "k" else ""
                if not found.is_number or not bool(found >= 0):
                    given.append(Hypothesis(name + word, found, strict))
        for (value, strict), answer in self.assumed.items():
            word = (">" if strict else ">=") if answer else ("<=" if strict else "<")
            sign = 1 if answer else -1
            given.append(Hypothesis(f"case {value} {word} 0", sign * value, strict == answer))
        self.plain = given
        return (
            Claim(sides[0], sides[1], self.reading.relation, [*given, *self.hypotheses]),
            tuple(self.parameters.vectors),
        )

    def __call__(self, e: Expr) -> Expr:
        """An expression in symbols, families of symbols and formal sums."""
        import sympy

        if isinstance(e, sympy.Indexed):
            return self.parameters.indexed(e)
        if e.is_Symbol and str(e) in self.parameters.vector_names():
            self.parameters.vectors.setdefault(str(e))
        if not e.args:
            return e
        if isinstance(e, sympy.Sum):
            if len(e.limits) > 1:
                raise NotReadable("one sum over several indices")
            index, low, high = e.limits[0]
            body = self(e.function)
            moves = index in body.free_symbols
            return e.func(body, *e.limits) if moves else body * (high - low + 1)
        if isinstance(e, indicator_type()):
            return self._indicator(self(e.args[0]), bool(e.args[1]))
        if isinstance(e, extreme_type()):
            return self._extreme(e)
        if isinstance(e, sympy.exp):
            return self._exponential(self(e.args[0]))
        args = tuple(map(self, e.args))
        return self._split(e if args == e.args else _made(e.func, *args))

    def _exponential(self, exponent: Expr) -> Expr:
        """The exponential of a sum as a product, of what is negative as one over another."""
        import sympy

        total: Expr = sympy.Integer(1)
        for term in sympy.Add.make_args(sympy.expand(exponent)):
            minus = term.could_extract_minus_sign()
            total *= 1 / sympy.exp(-term) if minus else sympy.exp(term)
        return total

    def _split(self, e: Expr) -> Expr:
        """A maximum, minimum or absolute value, where the case says which it is."""
        import sympy

        if isinstance(e, sympy.Max | sympy.Min):
            one, *rest = e.args
            other = self._split(e.func(*rest)) if len(rest) > 1 else rest[0]
            first = self._decided(one - other, False)
            if first is None:
                return e if len(rest) == 1 else e.func(one, other)
            return one if first == isinstance(e, sympy.Max) else other
        if isinstance(e, sympy.Abs):
            positive = self._decided(e.args[0], False)
            return e if positive is None else e.args[0] * (1 if positive else -1)
        return e

    def _decided(self, value: Expr, strict: bool) -> bool | None:
        """Whether a value is (strictly) positive, by its form, by a domain or by the case."""
        value = _canonical(value)
        if value.is_positive or (value.is_nonnegative and not strict):
            return True
        if value.is_negative or (value.is_nonpositive and strict):
            return False
        if any(value == _canonical(fact) and (s or not strict) for fact, s in self.known.items()):
            return True
        if (value, strict) in self.assumed:
            return self.assumed[value, strict]
        if not any(self._is_client(s) for s in value.free_symbols):
            self.open.setdefault((value, strict))
        return None

    def _is_client(self, symbol: Expr) -> bool:
        return bool(symbol.is_integer and symbol.is_positive and not self._is_size(symbol))

    # -- what is no rational function --------------------------------------------------------------

    def _indicator(self, value: Expr, strict: bool) -> Expr:
        """A symbol z with z = 0 or 1, z value >= 0 and (1 - z) value <= 0."""
        import sympy

        from verify.certify.prover.prove import Hypothesis

        value = _canonical(value)
        known = self._decided(value, strict)
        if known is not None:
            return sympy.Integer(int(known))
        if self.whole and (value, strict) in self.open:
            return indicator_type()(value, sympy.Integer(int(strict)))
        meaning = sympy.Function("positive" if strict else "weak")(value)
        z, plain, new = self._atom("chosen", meaning, {"nonnegative": True})
        if new:
            at, word = new, ">" if strict else ">="
            name = f"{plain} is 1 where {at} {word} 0"
            self.hypotheses += [
                Hypothesis(f"{plain} is 0 or 1", plain**2 - plain),
                Hypothesis(f"{plain} is 0 or 1, from above", plain - plain**2),
                Hypothesis(f"{plain} is at most 1", 1 - plain),
                Hypothesis(name, plain * at),
                Hypothesis(f"{name} alone", (plain - 1) * at),
            ]
            for other, (value2, strict2) in self.chosen.items():
                rise = sympy.expand(at - value2) if strict == strict2 else sympy.nan
                if rise.is_nonnegative or rise.is_nonpositive:
                    gap = (plain - other) * (1 if rise.is_nonnegative else -1)
                    self.hypotheses.append(Hypothesis(f"{plain} and {other} in order", gap))
            self.chosen[plain] = at, strict
        return z

    def _extreme(self, e: Expr) -> Expr:
        """A symbol M that is at least (at most) each value."""
        import sympy

        from verify.certify.prover.prove import Hypothesis

        word, index, leads, bodies = e.args
        k, _ = client_symbol()
        values = [self(v) for lead in leads for v in lead]
        values += [self(put(b, index, mark)) for b in bodies for mark in self.reading.marks]
        others = [self(put(b, index, k)) for b in bodies]
        if any(
            s
            for v in (*values, *bodies)
            for s in v.free_symbols
            if s.is_integer and s.is_positive and s != index and not self._is_size(s)
        ):
            raise NotReadable("a largest value depends on a client")
        facts = {"real": True}
        if all(v.is_nonnegative for v in (*values, *others)):
            facts = {"nonnegative": True}
        if all(v.is_positive for v in (*values, *others)):
            facts = {"positive": True}
        sign, name = (1, "largest") if str(word) == "max" else (-1, "smallest")
        symbol, _, new = self._atom(name, sympy.Function(name)(*values, *others), facts)
        if new:
            side = "least" if sign == 1 else "most"
            self.hypotheses += [
                Hypothesis(f"{symbol} is at {side} {v}", sign * (symbol - v))
                for v in dict.fromkeys((*values, *others))
            ]
        return symbol

    def _is_size(self, symbol: Expr) -> bool:
        return symbol == client_symbol()[1] or symbol in self.reading.sizes.values()

    def _atom(self, letter: str, meaning: Expr, facts: dict[str, bool]) -> tuple[Expr, Expr, Any]:
        """The symbol of a meaning, the same for the generic client, and its first argument there
        if it is new."""
        import sympy

        from verify.certify.algebra.formal_sums import leaves

        k, _ = client_symbol()
        if letter == "chosen":
            free = [
                s
                for s in meaning.free_symbols
                if s.is_integer and s.is_positive and not self._is_size(s)
            ]
            if len(free) > 1:
                raise NotReadable("a condition on a pair of clients")
        else:
            free = []
        if {str(leaf).partition("[")[0] for leaf in leaves(meaning)} & set(self.parameters.vectors):
            raise NotReadable("a condition on a coordinate of a vector")
        at = put(meaning, free[0], k) if free else meaning
        new = at not in self.table
        if new:
            number = 1
            while f"{letter}{number}" in self.used:
                number += 1
            name = f"{letter}{number}"
            self.used.add(name)
            self.table[at] = (
                sympy.IndexedBase(name, **facts)[k] if free else sympy.Symbol(name, **facts)
            )
        plain = self.table[at]
        symbol = plain.base[free[0]] if free else plain
        return symbol, plain, at.args[0] if new else None


@lru_cache(4_000)
def _made(function: Any, *arguments: Expr) -> Expr:
    """A function of sympy, of which a largest value of many arguments takes long."""
    return function(*arguments)


@lru_cache(4_000)
def _canonical(value: Expr) -> Expr:
    """A value without factors and denominators that are positive."""
    import sympy

    over, under = sympy.fraction(sympy.together(value))
    if not under.is_positive:
        return value
    factors = sympy.Mul.make_args(sympy.factor_terms(over))
    kept = [f for f in factors if not f.is_positive]
    return sympy.Mul(*kept)


def _facts(e: Expr) -> dict[str, bool]:
    if e.is_positive:
        return {"positive": True}
    return {"nonnegative": True} if e.is_nonnegative else {"real": True}
