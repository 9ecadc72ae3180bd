"""From a reading to a claim in symbols: indicators, extremes and what the case says of them.

What is no rational function gets a symbol, and the facts that characterise it become hypotheses: an
indicator is 0 or 1, a largest value is at least each one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from bounds.numbers.formal_terms import extreme_type, indicator_type, put
from bounds.numbers.symbolic import client_symbol
from verify.claim.statement import Statement
from verify.reading.clients.parameters import Parameters, names_in, said_of
from verify.reading.clients.reading import Reading
from verify.reading.parts.claim import Claim
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import free_in

__all__ = ["Lowering"]

Expr = Any


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
        self.done: dict[Expr, Expr] = {}
        self.chosen: dict[Expr, tuple[Expr, bool]] = {}

    def claim(self, left: Expr, right: Expr) -> tuple[Claim, tuple[str, ...]]:
        """The claim between two sides, with all hypotheses, and its vectors."""
        from verify.certify.prover.prove import Hypothesis

        given: list[Any] = []
        everything = [left, right, *(e for m in self.reading.margins.values() for e in m.values())]
        self.used = set[str]().union(*map(names_in, everything))
        for item in self.parameters.domains(everything):
            given.append(item)
            fact = _canonical(item.expr)
            self.known[fact] = item.strict or self.known.get(fact, False)
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
            given.append(
                Hypothesis(f"case {said_of(value)} {word} 0", sign * value, strict == answer)
            )
        self.plain = given
        return (
            Claim(sides[0], sides[1], self.reading.relation, [*given, *self.hypotheses]),
            tuple(self.parameters.vectors),
        )

    def __call__(self, e: Expr) -> Expr:
        """An expression in symbols, families of symbols and formal sums."""
        if e not in self.done:
            settled = self.parameters.settled(e)
            self.done[e] = self._lowered(e) if settled is None else settled
        return self.done[e]

    def _lowered(self, e: Expr) -> Expr:
        """The same of an expression that has not been met before."""
        import sympy

        if isinstance(e, sympy.Indexed):
            return self.parameters.indexed(e)
        if e.is_Symbol and said_of(e) in self.parameters.vector_names:
            self.parameters.vectors.setdefault(said_of(e))
        if not e.args:
            return e
        if isinstance(e, sympy.Sum):
            if len(e.limits) > 1:
                raise NotReadable("one sum over several indices")
            index, low, high = e.limits[0]
            body = self(e.function)
            moves = index in free_in(body)
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
        if value in self.known and (self.known[value] or not strict):
            return True
        if (value, strict) in self.assumed:
            return self.assumed[value, strict]
        if not any(self._is_client(s) for s in free_in(value)):
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
        meaning = _function("positive" if strict else "weak")(value)
        z, plain, at = self._atom("chosen", meaning, {"nonnegative": True})
        if at:
            self.hypotheses += _of_choice(plain, at, strict)
            for other, (value2, strict2) in self.chosen.items():
                rise = sympy.expand(at - value2) if strict == strict2 else sympy.nan
                if rise.is_nonnegative or rise.is_nonpositive:
                    gap = (plain - other) * (1 if rise.is_nonnegative else -1)
                    self.hypotheses.append(
                        Hypothesis(f"{said_of(plain)} and {said_of(other)} in order", gap)
                    )
            self.chosen[plain] = at, strict
        return z

    def _extreme(self, e: Expr) -> Expr:
        """A symbol M that is at least (at most) each value."""

        word, index, leads, bodies = e.args
        k, _ = client_symbol()
        values = [self(v) for lead in leads for v in lead]
        values += [self(put(b, index, mark)) for b in bodies for mark in self.reading.marks]
        others = [self(put(b, index, k)) for b in bodies]
        if any(
            s
            for v in (*values, *bodies)
            for s in free_in(v)
            if s.is_integer and s.is_positive and s != index and not self._is_size(s)
        ):
            raise NotReadable("a largest value depends on a client")
        facts = {"real": True}
        if all(v.is_nonnegative for v in (*values, *others)):
            facts = {"nonnegative": True}
        if all(v.is_positive for v in (*values, *others)):
            facts = {"positive": True}
        sign, name = (1, "largest") if str(word) == "max" else (-1, "smallest")
        symbol, _, new = self._atom(name, _function(name)(*values, *others), facts)
        if new:
            self.hypotheses += [
                _of_extreme(symbol, v, sign) for v in dict.fromkeys((*values, *others))
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
                for s in free_in(meaning)
                if s.is_integer and s.is_positive and not self._is_size(s)
            ]
            if len(free) > 1:
                raise NotReadable("a condition on a pair of clients")
        else:
            free = []
        vectors = self.parameters.vectors
        if vectors and {said_of(s).partition("[")[0] for s in leaves(meaning)} & set(vectors):
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
def _of_choice(plain: Expr, at: Expr, strict: bool) -> tuple[Any, ...]:
    """What is known of a number that is 1 where a value is positive, and else 0."""
    from verify.certify.prover.prove import Hypothesis

    own, word = said_of(plain), ">" if strict else ">="
    name = f"{own} is 1 where {said_of(at)} {word} 0"
    return (
        Hypothesis(f"{own} is 0 or 1", plain**2 - plain),
        Hypothesis(f"{own} is 0 or 1, from above", plain - plain**2),
        Hypothesis(f"{own} is at most 1", 1 - plain),
        Hypothesis(name, plain * at),
        Hypothesis(f"{name} alone", (plain - 1) * at),
    )


@lru_cache(4_000)
def _of_extreme(symbol: Expr, value: Expr, sign: int) -> Any:
    """What is known of a largest value (`sign` 1) or of a smallest one (-1)."""
    from verify.certify.prover.prove import Hypothesis

    side = "least" if sign == 1 else "most"
    return Hypothesis(f"{symbol} is at {side} {said_of(value)}", sign * (symbol - value))


@lru_cache(16)
def _function(name: str) -> Any:
    """A function without a meaning: sympy makes a class of each."""
    import sympy

    return sympy.Function(name)


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
