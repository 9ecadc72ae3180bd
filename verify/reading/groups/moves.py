r"""Claims about where a client is after an epoch, or two clients are, whatever brought them there.

A claim may be about the last epoch of a run of any number of epochs, of what the first two clients
i and j have then: the loss of i before and after it, its gradient and the mean gradient of its
group, its update, and its move :math:`m = w_i^{t+1} - w_i^t`; how far the models of both are apart,
and gradients of i at both.  All that is used is smoothness, on every outcome,

.. math:: J_i(w_i + m) \le J_i(w_i) + \langle\nabla J_i(w_i), m\rangle + \frac L2\|m\|^2, \qquad
          \|\nabla J_i(w_i) - \nabla J_i(w_j)\|^2 \le L^2\|w_i - w_j\|^2,

and that the move is the step along the update, where runs say so.

Or it is that the squared distance of both is the square of the sum of what their updates differ
in, which begin at one model.  Let D be the difference of their models and S the sum after some
epochs: both are zero at first, and after one more epoch they are :math:`D - \eta T` and
:math:`S + fT`, f the factor of the sum.  That :math:`(-S - \eta T)^2 = (S + fT)^2` whatever S and
T are says that :math:`f = \eta`, so that D stays the sum with its sign changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from verify.certify.prover.prove import Hypothesis
from verify.reading.groups.epochs import counts_read
from verify.reading.groups.names import UPPER
from verify.reading.groups.pairs import TURN
from verify.reading.groups.reading import AfterEpochs, GroupRuns
from verify.reading.parts.claim import Claim, ReadClaim
from verify.reading.parts.refusals import NotReadable
from verify.reading.parts.symbols import same

Expr = Any  # sympy carries no types

HERE = {
    "value_i": sympy.Symbol("value_of_i", real=True),
    "after_i": sympy.Symbol("value_of_i_after", real=True),
    "gradient_i": sympy.Symbol("gradient_of_i", real=True),
    "group_i": sympy.Symbol("group_of_i", real=True),
    "update_i": sympy.Symbol("update_of_i", real=True),
    "move_i": sympy.Symbol("move_of_i", real=True),
    "gap": sympy.Symbol("gap_of_models", real=True),
    "moved_i": sympy.Symbol("gradient_of_i_moved", real=True),
}
"""What a claim may speak of: all but the values are one coordinate of vectors."""
VECTORS = tuple(str(s) for word, s in HERE.items() if word not in ("value_i", "after_i"))
SO_FAR = sympy.Symbol("sum_of_turns", real=True)
"""The sum of what the updates of two clients differ in, with its factor."""

_ENTRY = re.compile(r"(value|gradient|group|update|model)(\d+)")

__all__ = ["HERE", "MovesRead", "move_claims", "read_moves"]


@dataclass(frozen=True)
class MovesRead:
    """What a claim says of the last epoch, or of the way there.

    Attributes
    ----------
    left, right : expressions
        In `HERE`; of the way, the left side is None and the right side the factor of the sum.
    margins : dict
    """

    left: Expr
    right: Expr
    margins: Mapping[str, Expr]

    @property
    def symbols(self) -> set[Expr]:
        """Those of `HERE` that both sides have."""
        sides = (self.left, self.right)
        return {s for e in sides if e is not None for s in e.free_symbols} & {*HERE.values()}


def read_moves(setting: GroupRuns) -> MovesRead:
    """What the statement says, the same after every number of epochs.

    Raises
    ------
    NotReadable
        Where it says something else.
    """
    counts = counts_read(setting) if setting.longest > 1 else (1,)
    found = {n: setting.whole(n) for n in counts}
    one = found[1]
    if any(dict(after.margins) != dict(one.margins) for after in found.values()):
        raise NotReadable("hypotheses that differ with the number of epochs")
    try:
        left, right = (_of_last(e, 0) for e in (one.left, one.right))
        sides = [[_of_last(e, n - 1) for e in (a.left, a.right)] for n, a in found.items()]
    except NotReadable:
        if setting.statement.relation != "==":
            raise
        return MovesRead(None, _factor(setting, found), one.margins)
    if not all(same(a, left) and same(b, right) for a, b in sides):
        raise NotReadable("sides that are not about the last epoch alone")
    return MovesRead(left, right, one.margins)


def _entries(e: Expr) -> Iterator[tuple[Expr, str, int, str]]:
    """Entries of arrays over clients: what each is, the epoch, and of whom."""
    for entry in sympy.sympify(e).atoms(sympy.Indexed):
        name = str(entry.base)
        ends = [{"i0_": "i", "i1_": "j"}.get(str(index), "") for index in entry.indices]
        place = _ENTRY.fullmatch(name)
        if place is not None and len(ends) == 1 and ends[0]:
            yield entry, place[1], int(place[2]), ends[0]
        elif re.fullmatch(r"crossed\d+", name) and ends[:1] == ["i"] and all(ends):
            yield entry, "crossed", int(name[len("crossed") :]), ends[1]
        else:
            raise NotReadable(f"a claim about {entry}, of which nothing is known")


def _of_last(e: Expr, last: int) -> Expr:
    """A side about the last epoch in `HERE`."""
    if sympy.sympify(e).has(sympy.Sum):
        raise NotReadable("a claim about all clients")
    table = {}
    model = sympy.Symbol("model_of_i", real=True)
    for entry, word, t, end in _entries(e):
        known = (word, t - last, end)
        if known == ("model", 0, "i"):
            table[entry] = model
        elif known == ("model", 0, "j"):
            table[entry] = model - HERE["gap"]
        elif known == ("model", 1, "i"):
            table[entry] = model + HERE["move_i"]
        elif known == ("value", 1, "i"):
            table[entry] = HERE["after_i"]
        elif known == ("crossed", 0, "i"):
            table[entry] = HERE["gradient_i"]
        elif known == ("crossed", 0, "j"):
            table[entry] = HERE["gradient_i"] - HERE["moved_i"]
        elif t == last and end == "i" and f"{word}_i" in HERE:
            table[entry] = HERE[f"{word}_i"]
        else:
            raise NotReadable(f"a claim about {entry}, of which nothing is known")
    found = sympy.expand(sympy.sympify(e).xreplace(table))
    if model in found.free_symbols:
        raise NotReadable("a claim about more of models than they differ in")
    return found


def _factor(setting: GroupRuns, found: Mapping[int, AfterEpochs]) -> Expr:
    """The factor of the sum in whose square a squared distance is said to be."""
    factor = None
    for n, after in found.items():
        if n == 1:
            continue  # no epoch before the last one
        gaps = [sympy.Symbol(f"gap_{t}", real=True) for t in range(n)]
        base = [sympy.Symbol(f"base_{t}", real=True) for t in range(n)]
        sides = []
        for word, e in (("model", after.left), ("update", after.right)):
            table = {}
            for entry, what, t, end in _entries(e):
                if what != word or t >= n:
                    raise NotReadable("no distance, or no square of a sum of updates")
                table[entry] = base[t] + (gaps[t] if end == "i" else 0)
            sides.append(sympy.expand(sympy.sympify(e).xreplace(table)))
        if factor is None:
            share = sympy.cancel(sides[1].coeff(gaps[0], 2) / setting.step**2)
            factor = sympy.sqrt(share) if share.is_Rational and share > 0 else None
            if factor is None or not factor.is_Rational:
                raise NotReadable("a square of a sum with another factor than steps")
        whole = (factor * setting.step * sympy.Add(*gaps[: n - 1])) ** 2
        if not same(sides[1], whole) or not same(sides[0], gaps[n - 1] ** 2):
            raise NotReadable("no distance, or no square of a sum of updates")
    if factor is None or not same(found[1].left, _gap_of_first()) or found[1].right != 0:
        raise NotReadable("a sum that does not begin at zero")
    return factor * setting.step


def _gap_of_first() -> Expr:
    base = sympy.IndexedBase("model0", real=True)
    i, j = sympy.symbols("i0_ i1_", integer=True)
    return (base[i] - base[j]) ** 2


def move_claims(
    setting: GroupRuns, read: MovesRead, along: bool
) -> Iterator[tuple[str, ReadClaim]]:
    """Claims about the last epoch, each with a name.

    Parameters
    ----------
    setting : GroupRuns
    read : MovesRead
    along : bool
        Whether all moves are the step along the update.
    """
    strict = setting.statement.strict
    given = [Hypothesis(n, e, n in strict) for n, e in read.margins.items()]
    relation = "==" if setting.statement.relation == "==" else "<="
    if read.left is None:
        yield from _of_the_way(setting, read.right, given)
        return
    own, move, gap = HERE["gradient_i"], HERE["move_i"], HERE["gap"]
    after = HERE["value_i"] + own * move + UPPER * move**2 / 2
    known = [Hypothesis("smoothness", after - HERE["after_i"])]
    left, right, used = read.left, read.right, read.symbols
    if along and HERE["update_i"] in used:
        taken = {move: -setting.step * HERE["update_i"]}
        left, right = left.xreplace(taken), right.xreplace(taken)
    if HERE["after_i"] not in used:
        known = []
    if HERE["moved_i"] in used:
        moved = UPPER**2 * gap**2 - HERE["moved_i"] ** 2
        known.append(Hypothesis("smoothness of gradients", moved))
    yield "the last epoch", _claim(left, right, relation, [*given, *known])


def _of_the_way(
    setting: GroupRuns, factor: Expr, given: list[Hypothesis]
) -> Iterator[tuple[str, ReadClaim]]:
    """By induction on the number of epochs: the distance is the sum with its sign changed."""
    moved, more = -SO_FAR - setting.step * TURN, SO_FAR + factor * TURN
    yield "one more epoch", _claim(moved**2, more**2, "==", given)


def _claim(left: Expr, right: Expr, relation: str, given: list[Hypothesis]) -> ReadClaim:
    used = {str(s) for e in (left, right, *(h.expr for h in given)) for s in e.free_symbols}
    names = (*VECTORS, *(str(s) for s in (TURN, SO_FAR)))
    return ReadClaim({}, Claim(left, right, relation, given), tuple(n for n in names if n in used))
