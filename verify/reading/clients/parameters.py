"""Parameters as symbols: single clients, any of the others, vectors, and what domains say.

Leading clients get symbols of their own, ``x_0``; ``x[k]`` is any of the N others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from bounds.numbers.symbolic import client_symbol
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.reading.clients.reading import Reading

__all__ = ["Parameters", "domain_facts"]

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
            raise TypeError(f"{name} would stand for two things")
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


def domain_facts(name: str, parameter: Real, symbol: Expr) -> Iterator[Any]:
    """What the stated domain says of a parameter beyond its sign.

    Parameters
    ----------
    name : str
    parameter : Real
    symbol : expression
        The parameter, one entry of it or any.

    Yields
    ------
    Hypothesis
    """
    import sympy

    from verify.certify.prover.prove import Hypothesis

    if parameter.domain is None:
        return
    low, high = parameter.domain
    for end, sign, reached in ((low, 1, parameter.low <= low), (high, -1, parameter.high >= high)):
        if isfinite(end) and not (end == 0 and sign == 1):
            value = sympy.Rational(repr(end))
            word = (">" if sign == 1 else "<") + ("=" if reached else "")
            yield Hypothesis(f"{name} {word} {value}", sign * (symbol - value), not reached)


def _facts(e: Expr) -> dict[str, bool]:
    if e.is_positive:
        return {"positive": True}
    return {"nonnegative": True} if e.is_nonnegative else {"real": True}
