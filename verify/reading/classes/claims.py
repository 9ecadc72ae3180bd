"""Claims about a class of functions, as claims about points, gradients and values.

A statement over `verify.claim.functions.functions` is read in a world whose loss is known only
where it is met. Its hypotheses are joined by the interpolation conditions of the class, which every
function meets: what they imply holds for the class, in every dimension. A reading is kept only if
it gives, on functions of the class and in exact arithmetic, what the statement itself gives there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any

import sympy

from bounds.numbers.symbolic import expression
from verify.certify.prover.prove import Hypothesis
from verify.claim.functions import class_of
from verify.claim.instance import Instance
from verify.claim.parameters import Real, Shape
from verify.claim.statement import Statement
from verify.reading.classes.agreement import OWN, agrees
from verify.reading.classes.means import averaged, noise_facts
from verify.reading.classes.world import (
    COUNT,
    PL,
    POOLED,
    SHARE,
    START,
    UPPER,
    ClassWorld,
    Met,
    MetLoss,
    array_of,
)
from verify.reading.parts.claim import Claim, ReadClaim
from verify.reading.parts.refusals import NotReadable, asked
from verify.reading.parts.symbols import domain_facts, formula, symbol_values
from verify.world.score import Score, score_world

Expr = Any  # sympy carries no types


AVERAGED = ("smooth", "smooth convex")
"""Classes in which the average of losses, whose minimisers differ, is read as one of them."""

DRAWN = 4
"""Most coins of noise with which a shape that is not listed is looked at."""

FOLLOWS = "the parabola at"
"""In the names of conditions that follow from the others."""

__all__ = [
    "Setting",
    "candidates",
    "class_claims",
    "gradients_of",
    "scalars_of",
    "setting_of",
    "single",
    "vectors_of_class",
]


def class_claims(statement: Statement) -> tuple[list[ReadClaim], bool]:
    """Claims about data of the class, each with the shape that it is about.

    Returns
    -------
    claims : list of ReadClaim
        Empty where the statement has no such form.
    complete : bool
        Whether they are all that the statement says: a family with several numbers of rounds is
        about all of them.
    """
    setting = setting_of(statement)
    if setting is None:
        return [], False
    found: list[ReadClaim] = []
    seen = set()
    for shape in statement.family.shapes:
        label = setting.label(shape)
        if repr(label) in seen:
            continue
        seen.add(repr(label))
        try:
            loss = setting.loss()
            claim = setting.read(shape, loss)
        except NotReadable:
            return [], False
        if not setting.agrees(shape, claim, loss):
            return [], False
        found.append(setting.about(label, claim))
    return found, len({one.label.get("rounds") for one in found}) == 1


@dataclass(frozen=True)
class Setting:
    """A statement about a class, as it is read.

    Attributes
    ----------
    statement : Statement
    kind : str
        The class.
    extra : mapping
        Parameters that are not the loss's own.
    noisy : bool
    sizes : tuple of int
        Listed numbers of clients.
    """

    statement: Statement
    kind: str
    extra: Mapping[str, Real]
    noisy: bool
    sizes: tuple[int, ...] = (1,)

    def label(self, shape: Shape) -> dict[str, Any]:
        """What a claim read in a shape is about: any number of clients where several are listed."""
        found = {k: v for k, v in shape.items() if k not in ("d", "points")}
        return found if len(self.sizes) == 1 else {**found, "N": "any"}

    def agrees(self, shape: Shape, claim: Claim, loss: MetLoss) -> bool:
        """Whether what was read in a shape is what the statement gives.

        Every listed shape is looked at.  Others are where they have not too many outcomes: with any
        number of clients one more than the largest that is listed, so that a program that looks at
        the listed clients alone is refused, and more rounds than are listed.
        """
        rounds = int(shape["rounds"])
        listed = {(s["N"], s["rounds"]) for s in self.statement.family.shapes}
        more = (max(self.sizes) + 1,) if len(self.sizes) > 1 else ()
        sizes = [
            n
            for n in (*self.sizes, *more)
            if (n, rounds) in listed or n == min(self.sizes) or n * rounds <= DRAWN
        ]
        return all(agrees(self.statement, {**shape, "N": n}, claim, loss) for n in sizes)

    def loss(self) -> MetLoss:
        """Any loss of the class, of which only the minimiser has been met."""
        none = 0 * UPPER
        lower, pl = {
            "smooth": (-UPPER, none),
            "smooth convex": (none, none),
            "smooth strongly convex": (SHARE * UPPER, SHARE * UPPER),
            "smooth PL": (-UPPER, PL),
        }[self.kind]
        count = COUNT if len(self.sizes) > 1 else sympy.Integer(self.sizes[0])
        return MetLoss(UPPER, lower, pl, self.noisy, None if count == 1 else count)

    def values(self, shape: Shape) -> Mapping[str, Any]:
        """The parameters as symbols."""
        return symbol_values(self.extra, shape)

    def score(
        self, shape: Shape, loss: MetLoss, start: Expr = START, first: int = 0, **changed: Any
    ) -> Score:
        """Both sides and the hypotheses in symbols.

        Parameters
        ----------
        shape : mapping
        loss : MetLoss
            Keeps what is met.
        start : expression
            Where the run begins.
        first : int
            Number of its first round.
        **changed
            Other constants than the shape's.

        Raises
        ------
        NotReadable
        """
        constants = {k: v for k, v in shape.items() if k not in ("N", "d", "points", "method")}
        data = {"sigma": array_of(sympy.sqrt(loss.stated_variance), 2)} if self.noisy else {}
        params = {**self.values(shape), "start": array_of(start, 2), **constants, **changed}
        instance = Instance("parabolas", data, shape["method"], params)
        with asked():
            return score_world(
                self.statement, ClassWorld(instance, loss, self.statement.defines, first)
            )

    def read(self, shape: Shape, loss: MetLoss) -> Claim:
        """The claim for one shape, with all that the class and the domains say.

        Raises
        ------
        NotReadable
        """
        said = self.said(shape, loss)
        return self.claim(said.left, said.right, said.relation, loss, said.hypotheses)

    def said(self, shape: Shape, loss: MetLoss) -> Claim:
        """What the statement itself says in one shape.

        Raises
        ------
        NotReadable
        """
        statement = self.statement
        made = self.score(shape, loss)
        sides = [averaged(single(side), loss) for side in (made.left, made.right)]
        if any(e.has(sympy.sqrt(POOLED)) for e in sides):
            raise NotReadable("standard deviations of several clients' noise")
        if statement.relation == ">=":
            sides.reverse()
        relation = "==" if statement.relation == "==" else "<="
        return Claim(sides[0], sides[1], relation, self.given(made, loss))

    def given(self, made: Score, loss: MetLoss) -> list[Hypothesis]:
        """What the statement assumes."""
        return [
            Hypothesis(name, averaged(single(margin), loss), name in self.statement.strict)
            for name, margin in made.margins.items()
        ]

    def claim(
        self, left: Expr, right: Expr, relation: str, loss: MetLoss, given: Sequence[Hypothesis]
    ) -> Claim:
        """A claim with all that the class and the domains say."""
        shape = self.statement.family.shapes[0]
        symbols = {name: expression(v.item()) for name, v in self.values(shape).items()}
        known = [
            Hypothesis(h.name, averaged(h.expr, loss), h.strict)
            for h in _conditions(self.kind, loss)
        ]
        used = [left, right, *(h.expr for h in known)]
        facts = list(noise_facts(used, loss)) if self.noisy else []
        if loss.count == COUNT:
            facts.append(Hypothesis("one client at least", COUNT - 1))
        domains = _domain(self.kind, self.extra, symbols)
        return Claim(left, right, relation, [*given, *domains, *known, *facts])

    def about(self, label: Mapping[str, Any], claim: Claim) -> ReadClaim:
        """A claim with what it is about, and its vectors."""
        law = {"noise": "of any law with mean zero and this variance at most"} if self.noisy else {}
        whole = {**label, "functions": self.kind, **law}
        return ReadClaim(whole, claim, vectors_of_class(claim))


def setting_of(statement: Statement) -> Setting | None:
    """How a statement about a class is read; None where it is not one that is.

    With noise the means are compared: a claim on every outcome has no such form.
    """
    kind, box = class_of(statement.family), statement.family.box
    extra = {name: p for name, p in box.items() if name not in OWN}
    noisy = "sigma" in box
    fits = statement.over == ("mean" if noisy else "point")
    if kind is None or statement.also or not fits or any(p.per for p in extra.values()):
        return None
    sizes = tuple(sorted({int(s["N"]) for s in statement.family.shapes}))
    if sizes != (1,) and kind not in AVERAGED:
        return None
    return Setting(statement, kind, extra, noisy, sizes)


def vectors_of_class(claim: Claim) -> tuple[str, ...]:
    """Names of the symbols of a claim that stand for vectors."""
    names = {str(s) for e in _expressions(claim) for s in e.free_symbols}
    return tuple(sorted(n for n in names if n in ("start", "opt") or n.startswith(("g_", "xi_"))))


def gradients_of(claim: Claim) -> list[Expr]:
    """Symbols of the gradients in a claim."""
    symbols = {s for e in _expressions(claim) for s in e.free_symbols if str(s).startswith("g_")}
    return sorted(symbols, key=str)


def scalars_of(claim: Claim) -> tuple[list[Expr], list[Expr]]:
    """Symbols of function values, and parameters other than L."""
    symbols = sorted({s for e in _expressions(claim) for s in e.free_symbols}, key=str)
    rest = [s for s in symbols if str(s) not in vectors_of_class(claim) and s != UPPER]
    values = [s for s in rest if str(s).startswith("f_")]
    return values, [s for s in rest if s not in values]


def _expressions(claim: Claim) -> list[Expr]:
    return [claim[0], claim[1], *(h.expr for h in claim[3])]


def single(value: Any) -> Expr:
    """The one formula of a side or a margin."""
    if value.size != 1:
        raise NotReadable("a claim about several clients or rounds of a class")
    return formula(value.item())


def _domain(
    kind: str, extra: Mapping[str, Real], symbols: Mapping[str, Expr]
) -> Iterator[Hypothesis]:
    """What the domains say beyond the signs of the symbols."""
    if kind == "smooth strongly convex":
        yield Hypothesis("kappa < 1", 1 - SHARE, True)
    if kind == "smooth PL":
        yield Hypothesis("mu <= L", UPPER - PL)
    for name, p in extra.items():
        yield from domain_facts(name, p, symbols[name])


def _conditions(kind: str, loss: MetLoss) -> Iterator[Hypothesis]:
    """What every function of the class satisfies at the points that were met."""
    names = ["opt", *(str(number) for number in range(len(loss.met) - 1))]
    points = list(zip(names, loss.met, strict=True))
    if loss.count is not None:  # all that is known of the minimum is that it is not below 0
        points = points[1:]
        for name, i in points:
            yield Hypothesis(f"f at {name} above the least", i.f - i.g**2 / (2 * loss.upper))
    for (one, i), (other, j) in permutations(points, 2):
        yield Hypothesis(f"f at {one} against {other}", _between(i, j, loss))
        # these two follow, but not by a short product
        plane, square = j.f + j.g * (i.x - j.x), (i.x - j.x) ** 2
        yield Hypothesis(
            f"f at {one} below {FOLLOWS} {other}", plane + loss.upper * square / 2 - i.f
        )
        if loss.lower != 0:
            yield Hypothesis(
                f"f at {one} above {FOLLOWS} {other}", i.f - plane - loss.lower * square / 2
            )
    for name, i in points[1:] if loss.count is None else ():
        if kind == "smooth strongly convex":
            yield Hypothesis(f"PL at {name}", i.g**2 / 2 - loss.lower * i.f)
        if kind in ("smooth", "smooth PL"):
            yield Hypothesis(f"f at {name} above the minimum", i.f - i.g**2 / (2 * loss.upper))
        if kind == "smooth PL":
            yield Hypothesis(f"PL at {name}", i.g**2 / 2 - loss.pl * i.f)


def _between(i: Met, j: Met, loss: MetLoss) -> Expr:
    """The interpolation condition, see :mod:`bounds.interpolation`; one coordinate."""
    upper, lower = loss.upper, loss.lower
    step, turn = i.x - j.x, i.g - j.g
    ratio = sympy.cancel(lower / upper)
    bend = turn**2 / upper + lower * step**2 - 2 * ratio * turn * step
    return i.f - j.f - j.g * step - bend / (2 * (1 - ratio))


# -- what the exact search is helped with ----------------------------------------------------------


def candidates(claim: Claim) -> list[Expr]:
    """Squares for the proof of a claim without parameters but L, largest pivots first."""
    from verify.certify.gram.roots import square_roots

    values, parameters = scalars_of(claim)
    left, right, relation, hypotheses = claim
    if parameters or relation != "<=":
        return []
    known = {str(s): s for e in _expressions(claim) for s in e.free_symbols}
    vectors = [known[name] for name in vectors_of_class(claim)]
    for basic in (True, False):
        used = [h.expr for h in hypotheses if FOLLOWS not in h.name or not basic]
        used = [e for e in used if e.free_symbols & {*vectors, *values}]
        try:
            roots = square_roots(right - left, used, vectors, values, {UPPER: Fraction(1)})
        except sympy.PolynomialError:  # a smallest or largest value is no polynomial
            return []
        if roots:
            break
    # in units of a gradient: points times L
    scale = {v: 1 if str(v).startswith("g_") else UPPER for v in vectors}
    return [
        sympy.Add(
            *(scale[v] * v * sympy.Rational(q.numerator, q.denominator) for v, q in root.items())
        )
        for root in roots
    ]
