"""Claims about a round of a method on any smooth losses, ready for a proof.

First as they are read, with free numbers for what the method gives; where these do not suffice,
one claim for each case that the method's rule knows of (`verify.reading.runs.rules`), or a claim
about one term of the means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bounds.numbers.formal_terms import extreme_type
from bounds.numbers.symbolic import client_symbol
from verify.claim.statement import Statement
from verify.reading.clients.lowering import Lowering
from verify.reading.clients.reading import Reading
from verify.reading.parts.claim import Claim, Claims, ReadClaim
from verify.reading.parts.refusals import NotReadable
from verify.reading.runs.parts import PAIR, families, in_parts, without_zeros

if TYPE_CHECKING:
    from verify.reading.runs.reading import RunReading
    from verify.reading.runs.rules import Case

__all__ = ["SMOOTH", "run_sets"]

SMOOTH = "any smooth"
"""What the labels of claims about runs say of the losses."""

Expr = Any


def run_sets(statement: Statement) -> Iterator[Claims]:
    """Sets of claims each of which implies what a statement about runs says.

    Parameters
    ----------
    statement : Statement
        At each point.

    Yields
    ------
    Claims
        There are no vectors: all is on the line.
    """
    from verify.reading.runs.agreement import agreement
    from verify.reading.runs.forms import with_case, with_ranges
    from verify.reading.runs.reading import read_run

    try:
        found = read_run(statement)
        parted = agreement(statement, found)
        if not parted:
            return
    except NotReadable:
        return
    label = {"N": "any", "d": 1, "losses": SMOOTH}

    def by_case(how: Callable[[Reading], Reading], **more: str) -> list[ReadClaim]:
        return [
            one
            for case in _cases(found)
            for one in _claims(
                statement, how(with_case(found, case)), {**label, **more, "case": case.name}
            )
        ]

    plain = with_ranges(without_zeros(found.reading, found.met))
    free = parted == "all" or not _of_those_who_took_part(found)
    ways: tuple[Callable[[], list[ReadClaim]], ...] = (
        lambda: _termwise(statement, plain, label, lambda one: one),
        lambda: list(_claims(statement, plain, label)),
        lambda: _termwise(statement, plain, label, in_parts),
        lambda: list(_claims(statement, in_parts(plain), {**label, "form": "in parts"})),
        lambda: by_case(lambda one: one),
        lambda: by_case(in_parts, form="in parts"),
        lambda: _of_signs(statement, found, plain, label),
        lambda: _stepwise(statement, found, plain, label, parted),
    )
    for way in ways if free else ways[-4:]:
        try:
            claims = way()
        except NotReadable:
            continue
        if claims:
            yield Claims(claims)


def _cases(found: RunReading) -> list[Case]:
    """The cases of a round, as far as the claim tells them apart."""
    from verify.reading.runs.rules import Case

    said = families(found.reading.expressions())
    apart = [case for case in found.cases if not case.waits and case.names & said]
    waits = [case for case in found.cases if case.waits and case.names & said]
    return [*waits, *(apart or [Case("takes part", {})])] if waits or apart else []


def _of_those_who_took_part(found: RunReading) -> bool:
    """Whether the largest of something that a round makes enters."""
    made = {name for case in found.cases for name in case.names}
    extremes = (x for e in found.reading.expressions() for x in e.atoms(extreme_type()))
    return any(made & families([body]) for x in extremes for body in x.args[3])


def _claims(
    statement: Statement, reading: Reading, label: dict[str, Any], every: bool = False
) -> Iterator[ReadClaim]:
    """Claims at each place; `every` keeps hypotheses on numbers that stand nowhere else."""
    import sympy

    from verify.reading.runs.pairs import of_pairs

    for place in sorted({*reading.left, *reading.right}, key=str):
        if place == () and len({*reading.left, *reading.right}) > 1:
            continue  # one value beside those of every client
        left, right = (part.get(place, part.get(())) for part in (reading.left, reading.right))
        at = {**label, **({"client": "every"} if place else {})}
        if place == PAIR:
            at["client"] = "every pair"
            reading = of_pairs(reading)
        if isinstance(left, sympy.Abs) and reading.relation == "<=":
            for word, value in (("positive", left.args[0]), ("negative", -left.args[0])):
                claim, vectors = Lowering(statement, reading).claim(value, right)
                yield ReadClaim({**at, "sign": word}, _relevant(claim), vectors)
        else:
            claim, vectors = Lowering(statement, reading).claim(left, right)
            yield ReadClaim(at, claim if every else _relevant(claim), vectors)


def _termwise(
    statement: Statement,
    reading: Reading,
    label: dict[str, Any],
    form: Callable[[Reading], Reading],
    of_one: Callable[[Reading], Iterable[ReadClaim]] | None = None,
) -> list[ReadClaim]:
    """A claim about each client that the claim is the mean of, and the claim that rests on it.

    Where the square of a mean stands on the left, the mean of the squares is put there, and that
    this is more is a claim of its own.
    """
    import sympy

    if set(reading.left) != {()} or set(reading.right) != {()} or reading.relation != "<=":
        return []
    left, right = reading.left[()], reading.right[()]
    above = _squares_inside(left)
    body = _body(above, right)
    if body is None:
        return []
    one = replace(reading, left={("k",): sympy.Integer(0)}, right={("k",): body})
    rests = {n: m for n, m in reading.margins.items() if _whole(m)}
    whole = replace(reading, left={(): above}, margins={**rests, "each client": {("k",): body}})
    written = {"form": "in parts"} if form is in_parts else {}
    about = {**label, **written, "term": "one client"}
    found = [
        *(_claims(statement, form(one), about) if of_one is None else of_one(one)),
        *_claims(statement, whole, {**label, "term": "all clients"}),
    ]
    if above != left:
        mean = replace(reading, right={(): above}, margins=rests)
        found += _claims(statement, mean, {**label, "term": "square of a mean"})
    return found


def _of_signs(
    statement: Statement, found: RunReading, plain: Reading, label: dict[str, Any]
) -> list[ReadClaim]:
    """Claims about the steps for a pair of clients, and what rests on them, for each sign."""
    from verify.reading.runs.pairs import (
        of_pairs,
        pair_steps,
        with_pair_steps,
        with_signs_of_left,
    )

    if set(plain.left) | set(plain.right) != {PAIR}:
        return []
    claims: list[ReadClaim] = []
    for sign, reading, gap in with_signs_of_left(of_pairs(plain)):
        steps = pair_steps(found, reading, gap)
        used = {one.name for step in steps for one in step.after}
        last = [step for step in steps if step.name not in used]
        for step in steps:
            claims += _claims(
                statement,
                step.claimed(reading),
                {**label, "sign": sign, "step": step.name},
                every=not step.after,
            )
        said = with_pair_steps(reading, last)
        claims += _claims(statement, said, {**label, "sign": sign})
    return claims


def _stepwise(
    statement: Statement, found: RunReading, plain: Reading, label: dict[str, Any], parted: str
) -> list[ReadClaim]:
    """Claims about the steps of a round, and what rests on them about each client."""
    from verify.reading.runs.forms import with_case
    from verify.reading.runs.rules import Case
    from verify.reading.runs.steps import steps, with_steps

    def about(reading: Reading, case: Case, **more: str) -> Iterator[ReadClaim]:
        said = with_case(replace(found, reading=reading), case)
        yield from _claims(statement, said, {**label, **more, "case": case.name})

    of_round = steps(found, plain)
    used = {step.name for one in of_round for step in one.after}
    last = [step for step in of_round if step.name not in used]
    moves = [case for case in found.cases if not case.waits]
    claims: list[ReadClaim] = []
    for step in of_round:
        for case in moves if step.by_case else [Case("any", {})]:
            claims += about(step.claimed(plain), case, step=step.name)

    def rests(reading: Reading) -> Iterator[ReadClaim]:
        for case in found.cases if parted == "some" else ():
            if case.waits:
                yield from about(reading, case, term="one client")
        yield from about(with_steps(reading, last), Case("takes part", {}), term="one client")

    if set(plain.left) | set(plain.right) <= {("k",), ()} and ("k",) in plain.right:
        return [*claims, *rests(plain)]
    means = _termwise(statement, plain, label, lambda one: one, rests)
    return [*claims, *means] if means else []


def _relevant(claim: Claim) -> Claim:
    """The claim without hypotheses on a number that stands nowhere else."""
    from verify.certify.algebra.formal_sums import leaves

    left, right, relation, hypotheses = claim
    kept = list(hypotheses)
    while True:
        each = [leaves(left) | leaves(right), *(leaves(h.expr) for h in kept)]
        alone = [
            h
            for i, h in enumerate(kept, 1)
            if any(sum(s in other for other in each) == 1 for s in each[i])
        ]
        if not alone:
            return Claim(left, right, relation, kept)
        kept = [h for h in kept if h not in alone]


def _whole(margin: Mapping[Any, Expr]) -> bool:
    """Whether a margin is about no client by itself."""
    return set(margin) == {()}


def _squares_inside(e: Expr) -> Expr:
    """An expression with N sum f^2 for each (sum f)^2."""
    import sympy

    k, count = client_symbol()
    over = sympy.Tuple(k, 1, count)
    return e.replace(
        lambda p: (
            p.is_Pow and p.exp == 2 and isinstance(p.base, sympy.Sum) and p.base.limits == (over,)
        ),
        lambda p: count * sympy.Sum(p.base.function**2, over),
    )


def _body(left: Expr, right: Expr) -> Expr | None:
    """What right - left is the mean of; None if it is no mean over the clients."""
    import sympy

    k, count = client_symbol()
    sums = sorted({s for e in (left, right) for s in e.atoms(sympy.Sum)}, key=str)
    if not sums or any(s.limits != (sympy.Tuple(k, 1, count),) for s in sums):
        return None
    dummies = {s: sympy.Dummy(f"s{i}", real=True) for i, s in enumerate(sums)}
    gap = (right - left).xreplace(dummies)
    extremes = {
        x: sympy.Dummy(f"x{i}", real=True)
        for i, x in enumerate(sorted(gap.atoms(extreme_type()), key=str))
    }
    gap = sympy.expand(gap.xreplace(extremes) * count)
    rows = [*dummies.values(), count]
    if k in gap.free_symbols or not gap.is_polynomial(*rows):
        return None
    poly = sympy.Poly(gap, *rows)
    if poly.total_degree() != 1 or poly.coeff_monomial(1) != 0:
        return None
    parts = [sympy.factor_terms(poly.coeff_monomial(d)) * s.function for s, d in dummies.items()]
    body = sympy.Add(poly.coeff_monomial(count), *parts)
    return body.xreplace({dummy: x for x, dummy in extremes.items()})
