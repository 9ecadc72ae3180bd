"""Claims about a class of functions, as claims about points, gradients and values.

A statement over `verify.claim.functions.functions` is read in a world whose loss is known only
where it is met. Its hypotheses are joined by the interpolation conditions of the class, which every
function meets: what they imply holds for the class, in every dimension. A reading is kept only if
it gives, on functions of the class and in exact arithmetic, what the statement itself gives there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import sympy

from bounds.numbers.formal import listed
from bounds.numbers.symbolic import expression
from verify.certify.prover.prove import Hypothesis
from verify.claim.functions import class_of
from verify.claim.instance import Instance
from verify.claim.parameters import Real, Shape
from verify.claim.statement import Statement
from verify.reading.classes.agreement import OWN, agrees
from verify.reading.classes.apart import EachLoss
from verify.reading.classes.given import entries
from verify.reading.classes.least import least_facts
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

APART = (*AVERAGED, "smooth strongly convex")
"""Classes in which each client's loss is read by itself, and their average as one of them."""

DRAWN = 4
"""Most coins of noise with which a shape that is not listed is looked at."""

FOLLOWS = "the parabola at"
"""In the names of conditions that follow from the others."""

__all__ = [
    "Setting",
    "candidates",
    "class_claims",
    "differences_of",
    "gradients_of",
    "halves_of",
    "scalars_of",
    "settings_of",
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
    for setting in settings_of(statement):
        found = _claims_in(setting, statement)
        if found:
            return found, len({one.label.get("rounds") for one in found}) == 1
    return [], False


def _claims_in(setting: Setting, statement: Statement) -> list[ReadClaim]:
    """One claim for each shape that differs; none where one of them has no such form."""
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
            return []
        if not setting.agrees(shape, claim, loss):
            return []
        found.append(setting.about(label, claim))
    return found


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
    apart : bool
        Whether each client's loss is known by itself, or the average loss alone.
    """

    statement: Statement
    kind: str
    extra: Mapping[str, Real]
    noisy: bool
    sizes: tuple[int, ...] = (1,)
    apart: bool = False

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
        if self.apart:
            weighted = "client_weights" in self.statement.defines
            return EachLoss(UPPER, lower, pl, self.noisy, count, weighted=weighted)
        return MetLoss(UPPER, lower, pl, self.noisy, None if count == 1 else count)

    def values(self, shape: Shape) -> Mapping[str, Any]:
        """The parameters as symbols; of those of each client the ones that are written out."""
        if not self.apart:
            return symbol_values(self.extra, shape)
        axis = EachLoss(*[UPPER] * 3).axis
        return symbol_values(self.extra, {**shape, "N": axis.size}, "N", axis)

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
        data = {"sigma": loss.deviations} if self.noisy else {}
        params = {**self.values(shape), "start": array_of(start, 2), **constants, **changed}
        instance = Instance("parabolas", data, shape["method"], params)
        with asked(), listed(loss.axis) if isinstance(loss, EachLoss) else nullcontext():
            return score_world(
                self.statement, ClassWorld(instance, loss, self.statement.defines, first)
            )

    def read(self, shape: Shape, loss: MetLoss) -> Claim:
        """The claim for one shape, with all that the class and the domains say.

        Raises
        ------
        NotReadable
        """
        said = self.said(self.score(shape, loss), loss)
        return self.claim(said.left, said.right, said.relation, loss, said.hypotheses)

    def said(self, made: Score, loss: MetLoss) -> Claim:
        """What the statement itself says in one shape.

        Parameters
        ----------
        made : Score
            Of `score` in that shape.
        loss : MetLoss
            What has been met.

        Raises
        ------
        NotReadable
        """
        statement = self.statement
        sides = [self.formula(side, loss) for side in (made.left, made.right)]
        if any(e.has(sympy.sqrt(POOLED)) for e in sides):
            raise NotReadable("standard deviations of several clients' noise")
        if statement.relation == ">=":
            sides.reverse()
        relation = "==" if statement.relation == "==" else "<="
        return Claim(sides[0], sides[1], relation, self.given(made, loss))

    def given(self, made: Score, loss: MetLoss) -> list[Hypothesis]:
        """What the statement assumes."""
        return [
            Hypothesis(place, self.formula(entry, loss), name in self.statement.strict)
            for name, margin in made.margins.items()
            for place, entry in entries(name, margin)
        ]

    def formula(self, side: Any, loss: MetLoss) -> Expr:
        """The one formula of a side or a margin, in means over clients and noise.

        Raises
        ------
        NotReadable
        """
        return averaged(loss.lowered(single(side)), loss)

    def claim(
        self, left: Expr, right: Expr, relation: str, loss: MetLoss, given: Sequence[Hypothesis]
    ) -> Claim:
        """A claim with all that the class and the domains say."""
        shape = self.statement.family.shapes[0]
        values = self.values(shape)
        symbols = {n: expression(values[n].item()) for n, p in self.extra.items() if not p.per}
        said = {s for e in (left, right, *(h.expr for h in given)) for s in e.free_symbols}
        known = [
            Hypothesis(h.name, averaged(h.expr, loss), h.strict)
            for h in _conditions(self.kind, loss, said)
        ]
        used = [left, right, *(h.expr for h in known)]
        facts = list(noise_facts(used, loss)) if self.noisy else []
        facts += least_facts(self.kind, loss, said)
        if loss.count == COUNT:
            facts.append(Hypothesis("one client at least", COUNT - 1))
        domains = _domain(self.kind, self.extra, symbols)
        return Claim(left, right, relation, [*given, *domains, *known, *facts])

    def about(self, label: Mapping[str, Any], claim: Claim) -> ReadClaim:
        """A claim with what it is about, and its vectors."""
        law = {"noise": "of any law with mean zero and this variance at most"} if self.noisy else {}
        whole = {**label, "functions": self.kind, **law}
        return ReadClaim(whole, claim, vectors_of_class(claim))


def settings_of(statement: Statement) -> Iterator[Setting]:
    """How a statement about a class may be read, the plainest way first; nothing where it is not.

    With noise the means are compared: a claim on every outcome has no such form.
    """
    kind, box = class_of(statement.family), statement.family.box
    extra = {name: p for name, p in box.items() if name not in OWN}
    noisy = "sigma" in box
    if kind is None or statement.also or statement.over != ("mean" if noisy else "point"):
        return
    sizes = tuple(sorted({int(s["N"]) for s in statement.family.shapes}))
    plain = Setting(statement, kind, extra, noisy, sizes)
    if not any(p.per for p in extra.values()) and (sizes == (1,) or kind in AVERAGED):
        yield plain
    if len(sizes) > 1 and kind in APART and all(p.per in ((), ("N",)) for p in extra.values()):
        yield replace(plain, apart=True)


def vectors_of_class(claim: Claim) -> tuple[str, ...]:
    """Names of the symbols of a claim that stand for vectors."""
    names = {str(s) for e in _expressions(claim) for s in e.free_symbols}
    return tuple(sorted(n for n in names if n in ("start", "opt") or n.startswith(("g_", "xi_"))))


def gradients_of(claim: Claim) -> list[Expr]:
    """Symbols of the gradients in a claim."""
    symbols = {s for e in _expressions(claim) for s in e.free_symbols if str(s).startswith("g_")}
    return sorted(symbols, key=str)


def differences_of(claim: Claim) -> list[Expr]:
    """Gradients whose product enters a side, and the differences of such two."""
    gradients = gradients_of(claim)
    gap = sympy.expand(claim.right - claim.left)
    pairs = [
        (one, other)
        for one, other in combinations(gradients, 2)
        if gap.is_polynomial(one, other) and gap.coeff(one, 1).coeff(other, 1) != 0
    ]
    return [*gradients, *(one - other for one, other in pairs)] if pairs else []


def halves_of(claim: Claim) -> list[Expr]:
    """Of one client's gradient and the average one at a point: |a|^2 <= 2 |a - b|^2 + 2 |b|^2."""
    slopes = {str(g): g for g in gradients_of(claim)}
    pairs = ((g, slopes.get(name.partition("_of_")[0])) for name, g in slopes.items())
    return [one - 2 * mean for one, mean in pairs if mean is not None and one != mean]


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
    for name, symbol in symbols.items():
        yield from domain_facts(name, extra[name], symbol)


def _conditions(kind: str, loss: MetLoss, said: set[Expr]) -> Iterator[Hypothesis]:
    """What every function of the class satisfies at the points that were met.

    Of several clients for those of which something is `said`.
    """
    for whose, met, mean in loss.views(said):
        for h in _conditions_at(kind, loss, met):
            yield Hypothesis(h.name + whose, mean(h.expr), h.strict)


def _conditions_at(kind: str, loss: MetLoss, met: Sequence[Met]) -> Iterator[Hypothesis]:
    """The same of one loss of constants that are those of all, at its points."""
    names = ["opt", *(str(number) for number in range(len(met) - 1))]
    points = list(zip(names, met, strict=True))
    if loss.count is not None:  # all that is known of the minimum is that it is not below 0
        points = points[1:]
        for name, i in points:
            yield Hypothesis(f"f at {name} above the least", i.f - i.g**2 / (2 * loss.upper))
            if kind == "smooth strongly convex" and isinstance(loss, EachLoss):
                yield Hypothesis(f"PL at {name}", i.g**2 / 2 - loss.lower * i.f)
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
