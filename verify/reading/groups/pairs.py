r"""Claims about two clients in groups: how far their models drift apart in any number of epochs.

A claim about clients i and j after n epochs may compare two sums over these epochs, of squares of
what the two differ in, or the squared distance of their models with n times such a sum.

Both begin at one model and move along their updates :math:`u`, the mean gradients of their groups
with the noise of the members, which has mean zero given the models.  They are in one group, and
their updates are one, or in two, whose noises are independent: then in the mean, by Jensen's
inequality in each group,

.. math:: \mathbb E\|u_i - u_j\|^2 = \|h_i - h_j\|^2 + \nu_i + \nu_j, \qquad
          \nu_i + s_i \le \sigma^2, \quad s_i \ge 0 .

Draw a member z of the group of client i: of the gradients of both at its model

.. math:: \Bigl\|\sum_za_z(\nabla J_i - \nabla J_j)(w_z)\Bigr\|^2 + s
          = \sum_za_z\|(\nabla J_i - \nabla J_j)(w_z)\|^2 \le \kappa_{ij}^2 .

The distance is the sum of the differences of the updates, times the step: by induction its square
is at most n times the sum of their squares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from bounds.numbers.symbolic import client_symbol
from verify.certify.prover.prove import Hypothesis
from verify.reading.groups.epochs import counts_read
from verify.reading.groups.reading import SIGMA, AfterEpochs, GroupRuns
from verify.reading.groups.world import SIMILAR, SIZE
from verify.reading.parts.claim import Claim, ReadClaim
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import same

Expr = Any  # sympy carries no types

WORDS = ("model", "update", "group", "crossed")
"""What two clients may differ in: of gradients at the members' models their mean."""
PAIR = sympy.Symbol("pair_similar", nonnegative=True)
"""The constant of similarity of both."""
GAPS = {word: sympy.Symbol(f"squared_gap_of_{word}", nonnegative=True) for word in WORDS}
"""Squares of what they differ in."""
NOISES = sympy.symbols("noise_of_i noise_of_j", nonnegative=True)
SPREADS = sympy.symbols("spread_of_i spread_of_j spread", nonnegative=True)
DISTANCE, TURN = sympy.symbols("distance turn", real=True)
"""The difference of two models and that of two updates, one coordinate each."""
NUMBER, SQUARES = sympy.Symbol("number", positive=True), sympy.Symbol("squares", nonnegative=True)
"""Of epochs, and the sum of squared differences of updates."""

_ENTRY = re.compile(r"(model|update|group|crossed)(\d+)_(i|j)")

__all__ = ["GAPS", "PAIR", "WORDS", "PairRead", "pair_claims", "read_pair", "same_of_pair"]


@dataclass(frozen=True)
class PairRead:
    """What a claim says of two clients.

    Attributes
    ----------
    distance : bool
        Whether the left side is about the distance of their models after the epochs, and the right
        side a sum times their number; else both are sums over the epochs.
    left, right : expressions
        Of an epoch, in `GAPS`, or the left side as it is after all.
    margins : dict
    """

    distance: bool
    left: Expr
    right: Expr
    margins: Mapping[str, Expr]


def read_pair(setting: GroupRuns) -> PairRead:
    """What the statement says, the same after every number of epochs.

    Raises
    ------
    NotReadable
        Where it says something else.
    """
    found = {n: setting.whole(n + 1) for n in counts_read(setting, 1)}
    if any(dict(after.margins) != dict(found[1].margins) for after in found.values()):
        raise NotReadable("hypotheses that differ with the number of epochs")
    sides = {n: tuple(map(_named, _both(after))) for n, after in found.items()}
    left, right = (_squares(e) for e in sides[1])
    if set(left) == {1} and set(right) <= {0}:
        if not all(
            _is_sum({n: _squares(s[1] / n)}, right) and _squares(s[0]) == {n: left[1]}
            for n, s in sides.items()
        ):
            raise NotReadable("a distance, and no sum times the number of epochs")
        return PairRead(True, left[1], right[0], found[1].margins)
    for number in (0, 1):
        one = (left, right)[number]
        if set(one) - {0} or not all(
            _is_sum({n: _squares(s[number])}, one) for n, s in sides.items()
        ):
            raise NotReadable("sides that are no sums over the epochs")
    zero = sympy.Integer(0)
    return PairRead(False, left.get(0, zero), right.get(0, zero), found[1].margins)


def same_of_pair(one: GroupRuns, other: GroupRuns) -> bool:
    """Whether a statement says the same of two clients, with other numbers of clients beside."""
    after = [setting.whole(2) for setting in (one, other)]
    sides = [tuple(map(_named, _both(found))) for found in after]
    return sides[0] == sides[1] and dict(after[0].margins) == dict(after[1].margins)


def _both(after: AfterEpochs) -> tuple[Expr, Expr]:
    return after.left, after.right


def _named(e: Expr) -> Expr:
    """A formula about the first two clients in plain symbols."""
    k, count = client_symbol()
    ends: dict[Expr, str] = {}

    def mean(p: Expr) -> Expr:
        (index, low, high), *more = p.limits
        weight = sympy.IndexedBase(SIZE, positive=True)[index]
        rest = [f for f in sympy.Mul.make_args(p.function) if f != weight]
        one = rest[0] if len(rest) == 1 and isinstance(rest[0], sympy.Indexed) else None
        if one is None or more or (low, high) != (1, count) or weight not in p.function.args:
            raise NotReadable("a mean over a group that is not of gradients at its models")
        if not str(one.base).startswith("crossed") or one.indices[1:] != (index,):
            raise NotReadable("a mean over a group that is not of gradients at its models")
        return _entry(str(one.base), one.indices[0])

    def _entry(name: str, index: Expr) -> Expr:
        end = {"i0_": "i", "i1_": "j"}.get(str(index))
        if end is None or name.rstrip("0123456789") not in WORDS:
            raise NotReadable(f"a claim about {name} of another client")
        ends[index] = end
        return sympy.Symbol(f"{name}_{end}", real=True)

    found = sympy.sympify(e).replace(lambda p: isinstance(p, sympy.Sum), mean)
    table = {}
    for entry in found.atoms(sympy.Indexed):
        if entry.base == SIMILAR and [str(i) for i in entry.indices] == ["i0_", "i1_"]:
            table[entry] = PAIR
        elif len(entry.indices) == 1 and not str(entry.base).startswith("crossed"):
            table[entry] = _entry(str(entry.base), entry.indices[0])
        else:
            raise NotReadable(f"a claim about {entry}, of which nothing is known")
    found = found.xreplace(table)
    if found.has(k, count):
        raise NotReadable("a claim about the number of clients")
    return found


def _squares(e: Expr) -> dict[int, Expr]:
    """A side by its epochs, in `GAPS`; what is about none of them has the epoch 0."""
    parts: dict[int, Expr] = {}
    names = {
        m[1] + m[2]: (m[1], int(m[2])) for s in e.free_symbols if (m := _ENTRY.fullmatch(str(s)))
    }
    gaps = {name: sympy.Symbol(f"gap_{name}", real=True) for name in names}
    own = {n: [sympy.Symbol(f"{n}_{end}", real=True) for end in "ij"] for n in names}
    found = sympy.expand(e.xreplace({own[n][0]: own[n][1] + gaps[n] for n in names}))
    if any(found.has(own[n][1]) for n in names):
        raise NotReadable("a claim about more of two clients than they differ in")
    for term in sympy.Add.make_args(found):
        here = [n for n in names if term.has(gaps[n])]
        if len(here) > 1 or (here and term.as_powers_dict().get(gaps[here[0]]) != 2):
            raise NotReadable("a claim about what two clients differ in that is not about squares")
        word, epoch = names[here[0]] if here else ("", 0)
        rest = term / gaps[here[0]] ** 2 * GAPS[word] if here else term
        parts[epoch] = parts.get(epoch, sympy.Integer(0)) + rest
    return {epoch: sympy.expand(part) for epoch, part in parts.items() if part != 0}


def _is_sum(found: Mapping[int, Mapping[int, Expr]], one: Mapping[int, Expr]) -> bool:
    """Whether a side after n epochs is the sum over them of what it is after one."""
    each = one.get(0, sympy.Integer(0))
    gaps = dict.fromkeys(GAPS.values(), sympy.Integer(0))
    level = each.xreplace(gaps)
    ((n, parts),) = found.items()
    rest = {t: part - (n * level if t == 0 else 0) for t, part in parts.items()}
    return set(rest) <= set(range(n)) and all(
        same(rest.get(t, -n * level if t == 0 else sympy.Integer(0)), each - level)
        for t in range(n)
    )


def pair_claims(setting: GroupRuns, read: PairRead) -> Iterator[tuple[str, ReadClaim]]:
    """Claims about two clients, each with a name."""
    strict = setting.statement.strict
    given = [Hypothesis(n, e, n in strict) for n, e in read.margins.items()]
    if read.distance:
        yield from _of_distance(setting, read, given)
        return
    for name, facts in (("two groups", _apart(setting)), ("one group", _together())):
        yield name, _claim(read.left, read.right, [*given, *facts, *_similar()])


def _apart(setting: GroupRuns) -> list[Hypothesis]:
    """What is known of two clients in two groups, in the mean."""
    sigma = setting.symbol(SIGMA)
    parts = GAPS["group"] + NOISES[0] + NOISES[1]
    return [
        Hypothesis("independent noise", parts - GAPS["update"]),
        Hypothesis("independent noise, from below", GAPS["update"] - parts),
        *(
            Hypothesis(f"noise {n}", sigma**2 - n - s)
            for n, s in zip(NOISES, SPREADS, strict=False)
        ),
    ]


def _together() -> list[Hypothesis]:
    """What is known of two clients in one group."""
    return [Hypothesis(f"one {word}", -GAPS[word]) for word in ("update", "group")]


def _similar() -> list[Hypothesis]:
    return [Hypothesis("similarity", PAIR - GAPS["crossed"] - SPREADS[2])]


def _of_distance(
    setting: GroupRuns, read: PairRead, given: list[Hypothesis]
) -> Iterator[tuple[str, ReadClaim]]:
    """By induction on the number of epochs."""
    model, update = GAPS["model"], GAPS["update"]
    if read.left.free_symbols & {*GAPS.values()} != {model} or not read.left.has(model):
        raise NotReadable("a left side that is not about the distance of models")
    if read.right.free_symbols & {*GAPS.values()} != {update}:
        raise NotReadable("a right side that is not about updates")
    step, after = setting.step, DISTANCE - setting.step * TURN
    zero = sympy.Integer(0)

    def left(square: Expr) -> Expr:
        return read.left.xreplace({model: square})

    def right(square: Expr) -> Expr:
        return read.right.xreplace({update: square})

    if left(zero) != 0 or right(zero) != 0:
        raise NotReadable("a distance with something beside it")
    yield "factor", _claim(zero, left(sympy.Integer(1)), given)
    yield "first", _claim(left((step * TURN) ** 2), right(TURN**2), given)
    scale = NUMBER * step
    squares = DISTANCE**2 / scale + scale * TURN**2
    yield "two squares", _claim(-2 * DISTANCE * TURN, squares, given)
    square = DISTANCE**2 + step * squares + (step * TURN) ** 2
    known = [
        Hypothesis("so far", NUMBER * right(SQUARES) - left(DISTANCE**2)),
        Hypothesis("two squares", squares + 2 * DISTANCE * TURN),
    ]
    more = (NUMBER + 1) * right(SQUARES + TURN**2)
    yield "after", _claim(after**2, square, [*given, known[1]])
    yield "one more", _claim(left(square), more, [*given, known[0]])


def _claim(left: Expr, right: Expr, given: list[Hypothesis]) -> ReadClaim:
    used = {str(s) for e in (left, right, *(h.expr for h in given)) for s in e.free_symbols}
    vectors = tuple(str(s) for s in (DISTANCE, TURN) if str(s) in used)
    return ReadClaim({}, Claim(left, right, "<=", given), vectors)
