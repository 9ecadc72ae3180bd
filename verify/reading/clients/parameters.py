"""Symbols for the parameters of a reading, which are numbers, vectors or one for each client.

What is found of one formula is found of it in each claim of a set, and in each case of a claim: it
is kept by formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any

from bounds.numbers.symbolic import client_symbol
from verify.claim.parameters import Real
from verify.claim.statement import Statement
from verify.reading.clients.reading import Reading
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import domain_facts, free_in

__all__ = ["Parameters", "names_in", "said_of"]

Expr = Any

Marks = tuple[Expr, ...]


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

    @cached_property
    def vector_names(self) -> frozenset[str]:
        """Names of the parameters of which one coordinate stands for all."""
        if self.reading.name == "d" or self.reading.spelled:
            return frozenset()
        return frozenset(n for n, p in self.statement.family.box.items() if "d" in p.per)

    def indexed(self, e: Expr) -> Expr:
        """``x[i0]`` is the symbol ``x_0``, ``r[i0, k]`` is ``r_0_any[k]``."""
        own, name, symbol = _entry(e, self.reading.axis.marks)
        self._require_free([name] if name != own else [])
        if any(own == n or own.startswith(f"{n}_") for n in self.vector_names):
            self.vectors.setdefault(name)
        return symbol

    def settled(self, e: Expr) -> Expr | None:
        """A formula without vectors in which nothing is to be decided; None of any other."""
        found = None if self.vector_names else _settled(e, self.reading.axis.marks)
        if found is None:
            return None
        self._require_free(found[1])
        return found[0]

    def _require_free(self, names: Sequence[str]) -> None:
        """New names must not be those of parameters."""
        for name in names:
            if name in self.statement.family.box:
                raise NotReadable(f"{name} would stand for two things")

    def domains(self, everything: Sequence[Expr]) -> Iterator[Any]:
        """What the stated domains say of the parameters beyond their signs."""
        import sympy

        seen: dict[Expr, Real] = {}
        k, _ = client_symbol()
        box = self.statement.family.box
        names = tuple(box)
        for s in dict.fromkeys(s for e in everything for s in _leaves(e)):
            name = _whose(s, names)
            if name is None or name in self.vector_names:
                continue
            if isinstance(s, sympy.Indexed):
                bound = [i for i in s.indices if i not in self.reading.axis.marks]
                if len(bound) > 1:
                    continue
                s = self.indexed(_of_client(s, bound[0], k) if bound else s)
            seen.setdefault(s, box[name])
        for symbol, parameter in seen.items():
            yield from domain_facts(said_of(symbol), parameter, symbol)


@lru_cache(20_000)
def said_of(e: Expr) -> str:
    """A formula in words: sympy writes the same one anew each time."""
    return str(e)


@lru_cache(4_000)
def names_in(e: Expr) -> frozenset[str]:
    """Names of the free symbols of a formula."""
    return frozenset(map(said_of, free_in(e)))


# -- what is the same in each claim ----------------------------------------------------------------


@lru_cache(4_000)
def _leaves(e: Expr) -> tuple[Expr, ...]:
    """Symbols with and without an index, by name."""
    import sympy

    labels = {i.base.label for i in e.atoms(sympy.Indexed)}
    return tuple(sorted(e.atoms(sympy.Indexed, sympy.Symbol) - labels, key=said_of))


@lru_cache(4_000)
def _whose(s: Expr, names: tuple[str, ...]) -> str | None:
    """The parameter that a symbol is an entry of."""
    import sympy

    own = said_of(s.base) if isinstance(s, sympy.Indexed) else said_of(s)
    fits = (n for n in names if own == n or own.startswith(f"{n}_"))
    return max(fits, key=len, default=None)


@lru_cache(4_000)
def _of_client(s: Expr, index: Expr, client: Expr) -> Expr:
    """A symbol with another index in place of one."""
    return s.base[tuple(client if i == index else i for i in s.indices)]


@lru_cache(4_000)
def _entry(e: Expr, marks: Marks) -> tuple[str, str, Expr]:
    """The name of a symbol with an index, and name and symbol of what stands for it."""
    import sympy

    own = str(e.base)
    places = [str(marks.index(i)) if i in marks else "any" for i in e.indices]
    free = tuple(i for i in e.indices if i not in marks)
    name = own if len(free) == len(e.indices) else "_".join([own, *places])
    facts = _facts(e)
    return (
        own,
        name,
        sympy.IndexedBase(name, **facts)[free] if free else sympy.Symbol(name, **facts),
    )


@lru_cache(20_000)
def _settled(e: Expr, marks: Marks) -> tuple[Expr, tuple[str, ...]] | None:
    """A formula of sums, products and powers in symbols, and the new names that stand in it."""
    import sympy

    if isinstance(e, sympy.Indexed):
        own, name, symbol = _entry(e, marks)
        return symbol, (() if name == own else (name,))
    if not e.args:
        return e, ()
    if isinstance(e, sympy.Sum):
        if len(e.limits) > 1:
            return None
        body = _settled(e.function, marks)
        if body is None:
            return None
        index, low, high = e.limits[0]
        moves = index in body[0].free_symbols
        return e.func(body[0], *e.limits) if moves else body[0] * (high - low + 1), body[1]
    if not isinstance(e, sympy.Add | sympy.Mul | sympy.Pow):
        return None
    parts = [_settled(part, marks) for part in e.args]
    found = [part for part in parts if part is not None]
    if len(found) < len(parts):
        return None
    args = tuple(part for part, _ in found)
    names = dict.fromkeys(name for _, new in found for name in new)
    return e if args == e.args else e.func(*args), tuple(names)


def _facts(e: Expr) -> dict[str, bool]:
    if e.is_positive:
        return {"positive": True}
    return {"nonnegative": True} if e.is_nonnegative else {"real": True}
