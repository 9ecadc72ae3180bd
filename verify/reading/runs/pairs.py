"""Claims about each ordered pair of clients after a round: how far their models are apart.

Along the line an absolute value is its argument or the opposite one: there is a claim for each.
Another absolute value is a number that is at least both.  The first of the pair is i, with a for
the multipliers and r for a largest residual; what is proved first is

.. math:: a_j(2a_i - L_i)\\,|x_i - x_j| \\le (a_i + a_j)\\,r + \\delta, \\qquad
          2a_ia_j\\,|x_i - x_j| \\le (a_i + a_j)\\,r + |a_jf_i'(x_i) - a_if_j'(x_j)| .
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy

from bounds.numbers.formal_terms import extreme_type, put
from bounds.numbers.symbolic import client_symbol
from verify.reading.clients.reading import Reading
from verify.reading.parts.refusals import NotReadable
from verify.reading.runs.parts import NUMBER, PAIR, STIFF
from verify.reading.runs.reading import RunReading

Expr = Any  # sympy carries no types

__all__ = ["PairStep", "of_pairs", "pair_steps", "with_signs_of_left"]


@dataclass(frozen=True)
class PairStep:
    """What is not negative for a pair, and the steps that it rests on; none: the hypotheses."""

    name: str
    expr: Expr
    after: tuple[PairStep, ...] = ()

    def claimed(self, reading: Reading) -> Reading:
        """The claim that it is so."""
        given = with_pair_steps(reading, self.after)
        return replace(given, left={PAIR: sympy.Integer(0)}, right={PAIR: self.expr})


def of_pairs(reading: Reading) -> Reading:
    """The reading with what is known of every client said of the two of a pair."""
    k, _ = client_symbol()
    marks = reading.axis.marks[:2]

    def parts(margin: Any) -> dict[Any, Expr]:
        if ("k",) not in margin:
            return dict(margin)
        return {(i,): put(margin["k",], k, mark) for i, mark in enumerate(marks)}

    return replace(reading, marks=marks, margins={n: parts(m) for n, m in reading.margins.items()})


def with_signs_of_left(reading: Reading) -> Iterator[tuple[str, Reading, Expr]]:
    """A claim about an absolute value as two claims, one for each sign, with that value.

    Raises
    ------
    NotReadable
        Where the left side is no multiple of one absolute value.
    """
    left, right = (part.get(PAIR) for part in (reading.left, reading.right))
    sizes = left.atoms(sympy.Abs) if left is not None else set()
    if right is None or len(sizes) != 1 or reading.relation != "<=":
        raise NotReadable("no absolute value of a pair")
    (size,) = sizes
    if not (left / size).is_polynomial() and (left / size).has(sympy.Abs):
        raise NotReadable("no multiple of an absolute value")
    every = {a for e in reading.expressions() for a in e.atoms(sympy.Abs)} - {size}
    names = {
        a: sympy.Symbol(f"size{n}", nonnegative=True) for n, a in enumerate(sorted(every, key=str))
    }
    facts = {
        f"{s} is at least {word}": {PAIR: s - sign * a.args[0]}
        for a, s in names.items()
        for word, sign in (("its argument", 1), ("the opposite", -1))
    }
    for word, sign in (("positive", 1), ("negative", -1)):
        value = sign * size.args[0]
        table = {size: value, **names}

        def said(formulas: Any, table: Any = table) -> dict[Any, Expr]:
            return {place: e.xreplace(table) for place, e in formulas.items()}

        margins = {n: said(m) for n, m in reading.margins.items()}
        margins |= {**facts, "sign": {PAIR: value}}
        turned = replace(
            reading, left=said(reading.left), right=said(reading.right), margins=margins
        )
        yield word, turned, value


def pair_steps(found: RunReading, reading: Reading, gap: Expr) -> list[PairStep]:
    """Steps towards a bound of the distance of two models; none where it is about another one.

    Parameters
    ----------
    found : RunReading
    reading : Reading
        Of one sign.
    gap : expression
        The distance.
    """
    k, _ = client_symbol()
    one, other = reading.axis.marks[:2]
    first, second = (put(found.given[found.weights], k, m) for m in (one, other))
    stiff, far = (sympy.IndexedBase(STIFF, positive=True)[m] for m in (one, other))
    right = reading.right[PAIR]
    largest = sorted(right.atoms(extreme_type()), key=str)
    numbers = [s for s in right.free_symbols if str(s).startswith(NUMBER)]
    sizes = [s for s in right.free_symbols if str(s).startswith("size")]
    roots = [x for x in largest if str(x.args[0]) == "max" and len(x.args[3]) == 2]
    if len(roots) != 1 or len(numbers) + len(sizes) != 1:
        return []
    root, high = roots[0], found.given["lambda_max"]
    mine, his = first - 1 - stiff, second - 1 - far
    a, b = 1 + stiff, 1 + far
    least = PairStep("largest residual", root)
    if numbers:
        apart = (first + second) * root + numbers[0] - second * (2 * first - stiff) * gap
        raw = PairStep("two clients", apart)
        one_more = PairStep("above one, of j", second - 1)
        above = PairStep("above, of i", mine)
        product, value = second * (2 * first - stiff), (2 + stiff) * (root - gap) + numbers[0]
        of_root = PairStep("for residuals", product - first - second, (one_more, above))
        times = PairStep("times a residual", of_root.expr * root, (of_root, least))
        of_number = PairStep("for slopes", product - 2 - stiff, (one_more, above))
        scaled = PairStep("distance, times a product", product * value, (raw, times, of_number))
        near = PairStep("their distance", value, (scaled, above))
        begun = [raw, least, one_more, above, of_root, times, of_number, scaled, near]
        upper = PairStep("upper end", stiff * (high - a) * gap)
        whole = a * root + numbers[0] - (a**2 - high * stiff) * gap
        scaled = PairStep("contracted, times a sum", (2 + stiff) * whole, (near, upper))
        return [*begun, upper, scaled, PairStep("contracted", whole, (scaled,))]
    bound = (first + second) * root + sizes[0]
    raw = PairStep("two clients", bound - 2 * first * second * gap)
    three = (
        PairStep("above, of j", first * his * root),
        PairStep("above, of i", second * mine * root),
        PairStep("above, of both", first * second - a * b),
    )
    most = (a + b) * root + sizes[0]
    both = PairStep("multipliers", first * second * most - a * b * bound, three)
    product = PairStep("product of three", first * second * root, (least,))
    positive = PairStep("product", first * second * most, (product,))
    times = PairStep("two clients, times a product", a * b * raw.expr, (raw,))
    whole = most - a * b * gap
    scaled = PairStep("whole, times a product", first * second * whole, (both, positive, times))
    return [
        raw,
        least,
        *three,
        both,
        product,
        positive,
        times,
        scaled,
        PairStep("whole", whole, (scaled,)),
    ]


def with_pair_steps(reading: Reading, steps: Any) -> Reading:
    """A claim with steps among its hypotheses; nothing else is then known of slopes."""
    if not steps:
        return reading
    kept = {
        n: m
        for n, m in reading.margins.items()
        if not any(
            str(i.base).startswith(("slope", "crossed"))
            for e in m.values()
            for i in e.atoms(sympy.Indexed)
        )
    }
    return replace(reading, margins={**kept, **{s.name: {PAIR: s.expr} for s in steps}})
