r"""Names for sums over clients and for largest values, so that what is left is about plain numbers.

Sums are over all clients, of weights w (what a program divides a sum by the sum of; else ones) and
of what the clients have.  With :math:`W = \sum_kw_k` such a sum is W times a mean, and

.. math:: \sum_kw_kg_k^2 = W(v + m^2),\qquad m = \tfrac1W\sum_kw_kg_k,\qquad v \ge 0 .

What holds of each client holds in the mean, under weights that are not negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import is_
from typing import Any

import sympy

from bounds.numbers.formal import Axis
from bounds.numbers.formal_terms import extreme_type, indicator_type, put
from bounds.numbers.symbolic import client_symbol
from verify.certify.prover.prove import Hypothesis
from verify.reading.parts.claim import Claim
from verify.reading.parts.factored import cancelled
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import parts_in

Expr = Any  # sympy carries no types
Monomial = tuple[tuple[Expr, int], ...]
"""What is summed: numbers of client k, each with its power."""

__all__ = ["ClientNames"]


@dataclass
class ClientNames:
    """The sums and the largest values that have been met, with symbols for them.

    Attributes
    ----------
    axis : Axis
        Its leading clients are those that are singled out.
    weights : dict
        Each family of weights, and the symbol of its sum; None stands for ones.
    means : dict
        The symbol of each mean, by its weights and what it is of.
    spreads : dict
        The same of the variances.
    extremes : dict
        The symbol of each largest or smallest value.
    conditions : dict
        The family of numbers that stands for each indicator.
    singles : dict
        The symbol of each number of a client that is singled out.
    """

    axis: Axis
    weights: dict[Expr, Expr] = field(default_factory=dict)
    means: dict[tuple[Expr, Monomial], Expr] = field(default_factory=dict)
    spreads: dict[tuple[Expr, Monomial], Expr] = field(default_factory=dict)
    extremes: dict[Expr, Expr] = field(default_factory=dict)
    conditions: dict[Expr, Expr] = field(default_factory=dict)
    singles: dict[Expr, Expr] = field(default_factory=dict)
    _known: dict[Expr, Expr] = field(default_factory=dict)

    def look(self, formulas: Sequence[Expr]) -> None:
        """See by which sums the formulas divide: those are sums of weights."""
        powers = [p for e in formulas for p in parts_in(e) if p.is_Pow]
        divided = dict.fromkeys(p.base for p in powers if p.exp.is_negative)
        for base in divided:
            for total in sorted(base.atoms(sympy.Sum), key=str):
                family = self._family(total.function)
                if family is not None and family.label.is_nonnegative:
                    self._weight(family)
        self._known.clear()  # with other weights a sum has another name

    def __call__(self, e: Expr) -> Expr:
        """A formula with symbols for its sums and its largest values."""
        e = sympy.sympify(e)
        if e not in self._known:
            self._known[e] = self._named_parts(e)
        return self._known[e]

    def _named_parts(self, e: Expr) -> Expr:
        if isinstance(e, sympy.Sum):
            return self._sum(e)
        if isinstance(e, extreme_type()):
            return self._extreme(e)
        if isinstance(e, sympy.Indexed):
            return self._entry(e)
        if isinstance(e, indicator_type()):
            return self._indicator(e)
        if e.is_Symbol and e == client_symbol()[1]:
            return self._weight(None) - self.axis.leads
        parts = [self(part) for part in e.args]
        if (e.is_Add or e.is_Mul or e.is_Pow) and all(map(is_, parts, e.args)):
            return e
        return e.func(*parts) if parts else e

    # -- what is known -----------------------------------------------------------------------------

    def meanings(self) -> dict[Expr, Expr]:
        """Each symbol and the formula that it stands for."""
        table = {symbol: e for e, symbol in (*self.extremes.items(), *self.singles.items())}
        for family, symbol in self.weights.items():
            table[symbol] = self._whole(family, ())
        for (family, monomial), symbol in self.means.items():
            table[symbol] = self._mean_of(family, monomial)
        for (family, monomial), symbol in self.spreads.items():
            ((base, _),) = monomial
            square = self._mean_of(family, ((base, 2),))
            table[symbol] = square - self._mean_of(family, ((base, 1),)) ** 2
        return table

    def facts(self, each: Sequence[Hypothesis]) -> Iterator[tuple[Hypothesis, Claim | None]]:
        """What is known of the symbols, each with a claim of which it is what is left.

        Parameters
        ----------
        each : sequence of Hypothesis
            What holds of every client k.
        """
        k, count = client_symbol()

        def total(body: Expr) -> Expr:
            return sympy.Sum(body, (k, 1, count)) if k in body.free_symbols else body * count

        for e, symbol in self.extremes.items():
            word, _, leads, _bodies = e.args
            sign = 1 if str(word) == "max" else -1
            for value in [v for lead in leads for v in lead]:
                yield Hypothesis(f"{symbol} against {value}", sign * (symbol - self(value))), None
        for (family, monomial), symbol in self.spreads.items():
            ((base, _),) = monomial
            w = sympy.Integer(1) if family is None else family[k]
            g = base[k]
            claim = Claim(total(w * g) ** 2, total(w) * total(w * g**2), "<=", [])
            yield Hypothesis(f"{symbol} is a variance", symbol), claim
        known = [*each, *self._of_each()]
        for family in self.weights:
            for h in known:
                try:
                    mean = self._sum_of(h.expr, family) / self.weights[family]
                except NotReadable:
                    continue
                mean = sympy.expand(cancelled(mean))
                if mean.is_nonnegative or not mean.free_symbols & {*self.means.values()}:
                    continue
                body = sympy.expand(h.expr * (1 if family is None else family[k]))
                claim = Claim(sympy.Integer(0), total(body), "<=", [h])
                yield Hypothesis(f"{h.name}, in the mean", mean), claim

    def _of_each(self) -> Iterator[Hypothesis]:
        """What indicators and largest values say of every client."""
        k, _ = client_symbol()
        for e, symbol in self.extremes.items():
            word, index, _, bodies = e.args
            sign = 1 if str(word) == "max" else -1
            for body in bodies:
                value = self(put(body, index, k) if index != k else body)
                yield Hypothesis(f"{symbol} against {value}", sign * (symbol - value))
        for e, family in self.conditions.items():
            value = self(e.args[0])
            yield Hypothesis(f"{family} where {value}", sympy.expand(family[k] * value))

    # -- what stands for what ----------------------------------------------------------------------

    def _family(self, body: Expr) -> Expr | None:
        """The family of numbers of which a sum is, if it is of these alone."""
        if isinstance(body, sympy.Indexed) and len(body.indices) == 1:
            return body.base
        if isinstance(body, indicator_type()):
            found = self(body)
            return found.base if isinstance(found, sympy.Indexed) else None
        return None

    def _weight(self, family: Expr | None) -> Expr:
        name = "clients" if family is None else f"all_{family}"
        return self.weights.setdefault(family, sympy.Symbol(name, positive=True))

    def _entry(self, e: Expr) -> Expr:
        """A number of a single client as a symbol; of client k as it stands."""
        leads = self.axis.marks[: self.axis.leads]
        if len(e.indices) != 1:
            raise NotReadable("a number of a pair of clients")
        if e.indices[0] not in leads:
            return e
        name = f"{e.base}_of_{leads.index(e.indices[0])}"
        return self.singles.setdefault(e, sympy.Symbol(name, **_sign(e)))

    def _indicator(self, e: Expr) -> Expr:
        k, _ = client_symbol()
        value = sympy.factor_terms(sympy.expand(e.args[0]))
        if value.is_positive or (value.is_nonnegative and not bool(e.args[1])):
            return sympy.Integer(1)
        if k not in e.free_symbols:
            raise NotReadable("a condition that no client enters")
        number = len(self.conditions)
        family = sympy.IndexedBase(f"chosen{number}_", nonnegative=True)
        return self.conditions.setdefault(e, family)[k]

    def _extreme(self, e: Expr) -> Expr:
        if any(v.has(sympy.Sum, indicator_type(), extreme_type()) for v in e.values):
            raise NotReadable("a largest value of something else than numbers of clients")
        name = "largest" if str(e.args[0]) == "max" else "smallest"
        number = sum(str(s).startswith(name) for s in self.extremes.values())
        return self.extremes.setdefault(e, sympy.Symbol(f"{name}{number}_", **_sign(e)))

    def _sum(self, e: Expr) -> Expr:
        """A sum over the others: the sums over all, less what the leading ones add."""
        k, count = client_symbol()
        index, low, high = e.limits[0]
        if len(e.limits) > 1 or (low, high) != (1, count):
            raise NotReadable("a sum over something else than clients")
        body = self(put(e.function, index, k) if index != k else e.function)
        leads = self.axis.marks[: self.axis.leads]
        return self._sum_of(body, None) - sum((self._at(body, m) for m in leads), sympy.Integer(0))

    def _at(self, body: Expr, mark: Expr) -> Expr:
        """What is said of client k, of a client that is singled out."""
        k, _ = client_symbol()
        raw = {base: e for e, base in self.conditions.items()}
        table = {}
        for s in body.atoms(sympy.Indexed):
            if k in s.free_symbols:
                e = raw.get(s.base, s)
                table[s] = self(put(e, k, mark))
        return body.xreplace(table)

    def _sum_of(self, body: Expr, times: Expr | None) -> Expr:
        """A sum over all clients of what is said of client k, times weights."""
        k, _ = client_symbol()
        if times is not None:
            body = body * times[k]
        own = sorted((s for s in body.atoms(sympy.Indexed) if k in s.free_symbols), key=str)
        try:
            terms = sympy.Poly(sympy.expand(body), *own).terms() if own else [((), body)]
        except sympy.PolynomialError as error:
            raise NotReadable(f"a sum of {body}") from error
        total = sympy.Integer(0)
        for powers, factor in terms:
            if k in factor.free_symbols:
                raise NotReadable(f"a sum of {body}")
            total += factor * self._total(
                {s.base: n for s, n in zip(own, powers, strict=True) if n}
            )
        return total

    def _total(self, powers: dict[Expr, int]) -> Expr:
        """A sum of a product: of weights as often as they stand in it, and of what is left."""
        chosen = {*self.conditions.values()}
        powers = {base: 1 if base in chosen else n for base, n in powers.items()}
        family = next((base for base in powers if base in self.weights), None)
        times = powers.pop(family, 0) if family is not None else 0
        weight = self._weight(family)
        rest: Monomial = tuple(sorted(powers.items(), key=str))
        if times > 1:
            rest = ((family, times - 1), *rest)
            return weight**times * self._mean(family, rest)
        return weight * self._mean(family, rest) if rest else weight

    def _mean(self, family: Expr | None, monomial: Monomial) -> Expr:
        if len(monomial) == 1 and monomial[0][1] == 2 and not monomial[0][0].label.is_nonnegative:
            base = monomial[0][0]
            mean, name = self._mean(family, ((base, 1),)), f"spread_of_{base}"
            symbol = sympy.Symbol(self._named(name, family), nonnegative=True)
            return self.spreads.setdefault((family, monomial), symbol) + mean**2
        words = "_".join(f"{base}{n if n > 1 else ''}" for base, n in monomial)
        signs = {_sign_of(base, n) for base, n in monomial}
        sign = next(s for s in ("real", "nonnegative", "positive") if s in signs)
        symbol = sympy.Symbol(self._named(f"mean_of_{words}", family), **{sign: True})
        return self.means.setdefault((family, monomial), symbol)

    def _named(self, name: str, family: Expr | None) -> str:
        others = [f for f in self.weights if f is not None]
        return name if len(others) < 2 or family is None else f"{name}_by_{family}"

    def _whole(self, family: Expr | None, monomial: Monomial) -> Expr:
        """A sum over all clients as a formula."""
        k, count = client_symbol()
        raw = {base: e for e, base in self.conditions.items()}
        every = monomial if family is None else ((family, 1), *monomial)
        body = sympy.Mul(*(raw.get(base, base[k]) ** n for base, n in every))
        leads = [put(body, k, mark) for mark in self.axis.marks[: self.axis.leads]]
        return sympy.Add(*leads) + (sympy.Sum(body, (k, 1, count)) if every else count)

    def _mean_of(self, family: Expr | None, monomial: Monomial) -> Expr:
        times = 1 + sum(n for base, n in monomial if base == family)
        return self._whole(family, monomial) / self._whole(family, ()) ** times


def _sign(e: Expr) -> Mapping[str, bool]:
    if e.is_positive:
        return {"positive": True}
    return {"nonnegative": True} if e.is_nonnegative else {"real": True}


def _sign_of(base: Expr, power: int) -> str:
    if base.label.is_positive:
        return "positive"
    return "nonnegative" if base.label.is_nonnegative or power % 2 == 0 else "real"
