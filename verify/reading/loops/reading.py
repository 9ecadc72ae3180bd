"""What a statement says after any number of rounds that its program goes through one by one.

The program runs with symbols, for one, two, three rounds and so on, each time with the symbol K for
the number of rounds in every formula; from what it gives the formula after K rounds is read off.
It is kept only if it is what the statement gives in exact numbers, in the listed shapes and in
others (`verify.reading.clients.agreement`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import sympy

from verify.claim.statement import Statement
from verify.limits.foreign import CodeFailed, code_of_others
from verify.reading.clients.agreement import agrees_everywhere
from verify.reading.clients.groups import Group, groups_of
from verify.reading.clients.reading import Reading, axes_of, read_clients
from verify.reading.clients.sizes import all_listed
from verify.reading.loops.closed import RoundPowers, closed
from verify.reading.loops.counts import Counted
from verify.reading.loops.names import ClientNames
from verify.reading.loops.parts import Parts
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import parts_in

Expr = Any  # sympy carries no types

ROUNDS = "rounds"
K = sympy.Symbol(ROUNDS, integer=True, positive=True)
CONDITIONS = (sympy.Min, sympy.Max, sympy.Abs)
"""What compares numbers."""
WRITTEN = range(1, 5)
"""Numbers of rounds that are written out."""
RESERVED = re.compile(
    r"(least|most|log|exp|power|series|falling|all|mean|spread|sum|rest|chosen|largest|smallest)_?\d*"
    r"(_.*)?|rounds|clients|base|rate|N|k"
)
"""Names that symbols have which are no parameters."""
LONGEST, OPERATIONS = 6_000, 4
"""Operations of a formula, and of one part of it."""
FURTHER = (1, 2, 3, 13)
"""Numbers of rounds that are looked at beside the listed ones."""

__all__ = ["K", "LoopRead", "read_loops"]


@dataclass(frozen=True)
class LoopRead:
    """Both sides and the hypotheses after K rounds, in symbols.

    Attributes
    ----------
    group : Group
        Of shapes that this is read of.
    reading : Reading
        The same without symbols of sums and parts.
    left, right : expression
    margins : dict
    names : ClientNames
    parts : Parts
    powers : RoundPowers
    """

    group: Group
    reading: Reading
    left: Expr
    right: Expr
    margins: Mapping[str, Expr]
    names: ClientNames
    parts: Parts
    powers: RoundPowers


def read_loops(statement: Statement) -> Iterator[list[LoopRead]]:
    """Readings of all shapes of a statement.

    Parameters
    ----------
    statement : Statement
        On numbers.
    """
    shapes = statement.family.shapes
    box = statement.family.box
    if any(RESERVED.fullmatch(n) or ROUNDS in p.per for n, p in box.items()):
        return
    if any(len({*p.per} - {"d"}) < len(p.per) - ("d" in p.per) for p in box.values()):
        return  # a number of each pair
    if not statement.family.box or any(type(s.get(ROUNDS)) is not int for s in shapes):
        return
    if len({s[ROUNDS] for s in shapes}) < 2 or min(s[ROUNDS] for s in shapes) < 1:
        return
    spelled = any("d" in p.per for p in statement.family.box.values())
    if spelled and not all_listed(statement):
        return
    for axis in axes_of(statement):
        groups = groups_of(statement, axis, spelled) if axis != "d" else None
        if not groups:
            continue
        try:
            yield [_read(statement, group) for group in groups]
        except NotReadable:
            continue


def _read(statement: Statement, group: Group) -> LoopRead:
    """What is read of one group of shapes.

    Raises
    ------
    NotReadable
    """
    for leads in range(2 if group.axis else 1):
        try:
            found = _first_ones(statement, group, leads)
        except NotReadable:
            continue
        return _closed(statement, group, found)
    raise NotReadable("a program without such a form")


def _first_ones(statement: Statement, group: Group, leads: int) -> list[Reading]:
    """The program after one, two, three rounds and so on, while it does not get out of hand.

    Raises
    ------
    NotReadable
        Where a round has a condition that the rounds before do not have, or says more than is read.
    """
    found: list[Reading] = []
    known: set[Expr] = set()
    for rounds in WRITTEN:
        found.append(_written(statement, group, leads, rounds))
        formulas = found[-1].left.values()
        met = {c for e in formulas for c in parts_in(e) if isinstance(c, CONDITIONS)}
        if (rounds > 2 and met - known) or any(map(_too_long, formulas)):
            raise NotReadable("a program of which every round says more than the one before")
        known |= met
    return found


@lru_cache(maxsize=200)
def _too_long(e: Expr) -> bool:
    """Whether a formula has too many operations; there are a few to a part of it at most."""
    open_ones, parts = [e], 0
    while open_ones and parts * OPERATIONS < LONGEST:
        open_ones += open_ones.pop().args
        parts += 1
    return bool(open_ones) and bool(sympy.count_ops(e) > LONGEST)


def _written(statement: Statement, group: Group, leads: int, rounds: int) -> Reading:
    """The program after some rounds that are written out."""
    sizes = {n: s for n, s in group.sizes.items() if n != ROUNDS}
    counts = {**sizes, ROUNDS: Counted(rounds, K)}
    shape = group.shapes[0]
    try:
        with code_of_others(NotReadable):
            found = read_clients(statement, shape, group.axis, leads, counts, spelled=group.spelled)
    except CodeFailed as failed:
        if "NaN" not in str(failed.met):
            raise failed.met from None
        raise NotReadable("a comparison with what is no number") from failed.met
    return replace(found, sizes={**sizes, ROUNDS: K})


def _closed(statement: Statement, group: Group, found: Sequence[Reading]) -> LoopRead:
    first = found[0]
    if any(r.right != first.right or r.margins != first.margins for r in found):
        raise NotReadable("a bound or a hypothesis that goes through the rounds")
    if {*first.left} | {*first.right} != {()}:
        raise NotReadable("a claim about each client")
    raw, names = Parts(), ClientNames(first.axis)
    left, right = [raw(r.left[()]) for r in found], raw(first.right[()])
    if any(place for m in first.margins.values() for place in m):
        raise NotReadable("a hypothesis about each client")
    margins = {n: raw(m[()]) for n, m in first.margins.items()}
    names.look([*left, right, *margins.values(), *(a for p in raw.symbols for a in p.args)])
    powers = RoundPowers()
    named = [powers.within(names(e), K) for e in left]
    parts = raw.each(names)
    after = closed(named, K, powers)
    bound = powers.within(names(right), K)
    asked = {n: powers.within(names(e), K) for n, e in margins.items()}
    table = names.meanings()
    back = {**table, **parts.meanings(table)}
    back |= {symbol: e.xreplace(back) for symbol, e in powers.meanings(K).items()}
    whole = replace(
        first,
        left={(): after.xreplace(back)},
        right={(): bound.xreplace(back)},
        margins={n: {(): e.xreplace(back)} for n, e in asked.items()},
    )
    if not agrees_everywhere(statement, _varied(group), whole):
        raise NotReadable("the formulas are not what the statement gives")
    return LoopRead(group, whole, after, bound, asked, names, parts, powers)


def _varied(group: Group) -> list[Any]:
    """The listed shapes, and the first of them with other numbers of rounds."""
    more = [{**group.shapes[0], ROUNDS: n} for n in FURTHER]
    return [*group.shapes, *(s for s in more if s not in group.shapes)]
