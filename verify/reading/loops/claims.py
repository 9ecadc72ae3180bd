"""Claims that a statement about any number of rounds consists of, in each case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import sympy

from bounds.numbers.symbolic import client_symbol
from verify.certify.prover.prove import Hypothesis
from verify.claim.statement import Statement
from verify.reading.loops.bases import POSITIVE, known_of_powers
from verify.reading.loops.cases import PickCase, cases
from verify.reading.loops.ends import at_ends
from verify.reading.loops.forms import bounds_of, forms_of, gaps_by_bounds, shifted
from verify.reading.loops.points import Points
from verify.reading.loops.reading import K, LoopRead
from verify.reading.parts.claim import Claim
from verify.reading.parts.factored import cancelled, factored
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import domain_facts, same

Expr = Any  # sympy carries no types
Named = tuple[str, Claim]

__all__ = ["loop_claims"]

ZERO = sympy.Integer(0)


def loop_claims(statement: Statement, read: LoopRead) -> Iterator[Named]:
    """Claims that imply what is read of one group of shapes, each with a name.

    Raises
    ------
    NotReadable
    """
    known, beside = _known(statement, read)
    yield from beside
    margins = [Hypothesis(n, e) for n, e in read.margins.items()]
    for case in cases(read.parts, [*known, *margins]):
        for name, claim in _Situation(statement, read, case, known).claims():
            yield f"{case.name} {name}".strip(), claim


def _known(statement: Statement, read: LoopRead) -> tuple[list[Hypothesis], list[Named]]:
    """What domains, sums and largest values say, and the claims that this rests on."""
    box, k = statement.family.box, client_symbol()[0]
    plain: list[Hypothesis] = []
    each: list[Hypothesis] = []
    symbols = {s for e in _formulas(read) for s in e.free_symbols}
    singles = {symbol: str(e.base) for e, symbol in read.names.singles.items()}
    for s in sorted(symbols, key=str):
        own = singles.get(s, str(s))
        name = max((n for n in box if own == n or own.startswith(f"{n}_")), key=len, default=None)
        if name is not None and str(s) not in map(str, read.parts.symbols.values()):
            plain += domain_facts(str(s), box[name], s)
    for family in dict.fromkeys(base for _, m in read.names.means for base, _ in m):
        name = max(
            (n for n in box if str(family) == n or str(family).startswith(f"{n}_")),
            key=len,
            default=None,
        )
        if name is not None:
            each += domain_facts(str(family), box[name], family[k])
    facts, beside = list(plain), []
    for fact, claim in read.names.facts(each):
        facts.append(fact)
        if claim is not None:
            beside.append((fact.name, claim))
    return facts, beside


def _formulas(read: LoopRead) -> list[Expr]:
    found = [read.left, read.right, *read.margins.values(), *read.powers.symbols]
    return [*found, *(a for part in read.parts.symbols for a in part.args)]


class _Situation:
    """What is claimed in one case."""

    def __init__(
        self, statement: Statement, read: LoopRead, case: PickCase, known: Sequence[Hypothesis]
    ) -> None:
        self.read, self.case = read, case
        strict = statement.strict
        margins = [Hypothesis(n, e, n in strict) for n, e in read.margins.items()]
        self.logs = {
            s: part.args[0] for part, s in read.parts.symbols.items() if isinstance(part, sympy.log)
        }
        self.exps: dict[Expr, Expr] = {}
        self.rates: dict[Expr, Expr] = {}
        self.shrunk: dict[Expr, Expr] = {}
        self.alike: dict[Expr, Expr] = {}
        self._plain = len(known)
        self.full = self._full()
        self._alike()
        self._exponentials()
        self.facts = [*known, *margins, *case.given, *self._of_picks()]

    def claims(self) -> Iterator[Named]:
        full = [self._put(h, self.full) for h in self.facts]
        learned = known_of_powers(
            self.read.powers,
            self.rates,
            self.shrunk,
            self.logs,
            K,
            self._useful(full),
            self.full,
        )
        yield from learned.claims
        yield from self._forms(learned.facts)

    # -- what stands for what ----------------------------------------------------------------------

    def _full(self) -> dict[Expr, Expr]:
        """Each smallest or largest value as what it is in this case."""
        table: dict[Expr, Expr] = {}
        for symbol, value in self.case.picks.items():
            table[symbol] = value.xreplace(table)
        return table

    def _alike(self) -> None:
        """One symbol for logarithms of the same number."""
        found: dict[Expr, Expr] = {}
        for symbol, e in list(self.logs.items()):
            value = e.xreplace(self.full)
            other = next((s for s, v in found.items() if same(v, value)), None)
            if other is None:
                found[symbol] = self.logs[symbol] = value
            else:
                self.full[symbol] = other
                self.alike[symbol] = other
                del self.logs[symbol]

    def _exponentials(self) -> None:
        """Each exponential as a product of powers and quotients of ones that are at most one."""
        for part, symbol in self.read.parts.symbols.items():
            if not isinstance(part, sympy.exp):
                continue
            exponent = sympy.expand(part.args[0])
            slope = sympy.diff(exponent, K)
            if slope.has(K):
                raise NotReadable("an exponent that is not linear in the number of rounds")
            made = sympy.Integer(1)
            rest = sympy.expand(exponent - slope * K)
            for value, times in ((slope, K), (rest, None)):
                value = factored(value)
                if value == 0:
                    continue
                minus = value.could_extract_minus_sign()
                rate = -value if minus else value
                small = next((s for s, r in self.rates.items() if r == rate), None)
                if small is None or times is None:
                    small = sympy.Symbol(
                        f"falling_{len(self.exps)}_{int(times is None)}", positive=True
                    )
                if times is not None:
                    self.rates[small] = rate
                else:
                    self.shrunk[small] = rate
                made *= small if minus else 1 / small
            self.exps[symbol] = made

    def _of_picks(self) -> list[Hypothesis]:
        """That a smallest value is at most both, and a largest one at least."""
        found = []
        for part, symbol in self.read.parts.symbols.items():
            if isinstance(part, sympy.Min | sympy.Max):
                sign = 1 if isinstance(part, sympy.Min) else -1
                found += [Hypothesis(f"{symbol} and {a}", sign * (a - symbol)) for a in part.args]
        return found

    def _put(self, h: Hypothesis, table: Mapping[Expr, Expr]) -> Hypothesis:
        e = sympy.sympify(h.expr).xreplace(table).xreplace(table)
        return Hypothesis(h.name, cancelled(e) if e.has(sympy.Pow) else e, h.strict)

    def _useful(self, known: Sequence[Hypothesis]) -> list[Hypothesis]:
        """Without what says nothing."""
        found: dict[Expr, Hypothesis] = {}
        for h in known:
            if not _says_nothing(h.expr, h.strict):
                found.setdefault(h.expr, h)
        return list(found.values())

    # -- the gap -----------------------------------------------------------------------------------

    def _partial(self, inner: set[Expr]) -> dict[Expr, Expr]:
        """What is put for values and logarithms in the gap."""
        table: dict[Expr, Expr] = dict(self.alike)
        based = {
            s for b in (*self.read.powers.symbols, *self.rates.values()) for s in b.free_symbols
        }
        for symbol, value in self.case.picks.items():
            value = value.xreplace(table)
            logs = [s for s in value.free_symbols if s in self.logs]
            rest = value.free_symbols - {*logs} - inner
            if symbol not in based:
                table[symbol] = value
            elif len(logs) == 1 and not rest and sympy.diff(value, logs[0], 2) == 0:
                (log,) = logs
                table[log] = sympy.solve(value - symbol, log)[0]
            elif not logs and not rest:
                table[symbol] = value
        return table

    def _forms(self, of_powers: Sequence[Hypothesis]) -> Iterator[Named]:
        powers = self.read.powers.symbols
        inner = {
            K,
            *powers.values(),
            *self.read.powers.series.values(),
            *self.rates,
            *self.shrunk,
            *self.logs,
        }
        for b in (*powers, *self.rates.values(), *self.shrunk.values()):
            inner |= b.free_symbols
        inner |= {*self.read.parts.symbols.values()}
        reals = {
            s for e in _formulas(self.read) for s in e.free_symbols if s.is_nonnegative is None
        }
        reals -= {*self.logs}
        spreads = {*self.read.names.spreads.values()}
        for h in self.facts[: self._plain]:
            if not h.expr.free_symbols & (reals | spreads):
                inner |= h.expr.free_symbols
        table = self._partial(inner)
        both = {**table, **{s: e.xreplace(table) for s, e in self.exps.items()}}
        gap = (self.read.right - self.read.left).xreplace(both).xreplace(both)
        if self.read.reading.relation != "<=":
            raise NotReadable("an equality")
        signs = {
            h.expr: sympy.Symbol(str(h.expr), positive=True)
            for h in of_powers
            if h.name == POSITIVE
        }
        gap = gap.xreplace(signs)
        table = {s: e.xreplace(signs) for s, e in table.items()}
        known = [self._put(self._put(h, both), signs) for h in (*self.facts, *of_powers)]
        known = self._useful(known)
        means = [*self.read.names.means.values()]
        zero = shifted([gap, *(h.expr for h in known)], means)
        gap = gap.xreplace(zero)
        known = self._useful([self._put(h, zero) for h in known])
        inner |= {*signs.values()}
        outers = sorted((s for s in gap.free_symbols - inner if gap.is_polynomial(s)), key=str)
        inside = [h for h in known if not h.expr.free_symbols & {*outers}]
        outside = [h for h in known if h.expr.free_symbols & {*outers}]
        found = dict(self.read.powers.meanings(K))
        found |= {s: sympy.exp(-rate * K) for s, rate in self.rates.items()}
        found |= {s: sympy.exp(-rate) for s, rate in self.shrunk.items()}
        seen = Points(inside, {s: e.xreplace(table).xreplace(signs) for s, e in found.items()})
        more: dict[Expr, None] = {}

        def positive(e: Expr) -> bool:
            number, factors = sympy.factor_list(e)
            open_ones = [f for f, _ in factors if not f.is_positive]
            fits = number > 0 and not any(f.free_symbols & {*outers} for f in open_ones)
            if fits and all(seen.hold(f) for f in open_ones):
                more.update(dict.fromkeys(open_ones))
                return True
            return False

        bounds = bounds_of(outside, outers, positive)
        for e in more:
            yield f"{e} above zero", Claim(ZERO, e, "<", inside)
        for name, one in gaps_by_bounds(gap, bounds):
            every = sorted(
                {*outers, *(s for s in one.free_symbols if str(s).startswith("rest_of_"))}, key=str
            )
            try:
                made = forms_of(one, every)
            except NotReadable:
                continue
            if all(seen.hold(e) for _, e in made):
                for word, e in made:
                    for small in at_ends(e, self._movable(e), inside, seen, K):
                        yield f"{name} {word}".strip(), Claim(ZERO, small, "<=", inside)
                return
        raise NotReadable("a gap of which no form is seen not to be negative")

    def _movable(self, e: Expr) -> list[Expr]:
        """Symbols that a formula may be looked at the ends of: sums of powers, then numbers of
        single clients, means, logarithms, exponentials and powers."""
        names = self.read.names
        every = [
            *self.read.powers.series.values(),
            *names.singles.values(),
            *names.means.values(),
            *self.logs,
            *self.rates,
            *self.read.powers.symbols.values(),
        ]
        return [s for s in every if e.has(s)]


@lru_cache(maxsize=2_000)
def _says_nothing(e: Expr, strict: bool) -> bool:
    """Whether a formula is positive (or not negative) by the signs of its symbols, or a number."""
    return bool(e.is_number or e.is_positive or (e.is_nonnegative and not strict))
