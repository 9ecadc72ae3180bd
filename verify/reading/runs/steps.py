"""Steps of a proof about a round: what a method's rule and smoothness give for one client.

A claim about the Lagrangians of a round is long; each of these steps is short, is a claim of its
own, and stands among the hypotheses of the long one once it is proved.  With the server's model at
zero, x the client's model before the round and y after it, :math:`e = f'(y) + 2\\lambda y`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy

from bounds.numbers.symbolic import client_symbol
from verify.reading.clients.reading import Reading
from verify.reading.parts.refusals import NotReadable
from verify.reading.runs.forms import RANGE, formal_extreme
from verify.reading.runs.parts import LOSS, SLOPE, STIFF, families, in_parts, name_after
from verify.reading.runs.reading import RunReading

Expr = Any  # sympy carries no types

__all__ = ["Step", "steps", "with_steps"]


@dataclass(frozen=True)
class Step:
    """What is not negative for each client.

    Attributes
    ----------
    name : str
    expr : expression
    by_case : bool
        Whether it rests on what the rule of the method says of a round.
    after : tuple of Step
        What it rests on.
    parted : bool
        Whether it is claimed with symbols for what is squared.
    """

    name: str
    expr: Expr
    by_case: bool = False
    after: tuple[Step, ...] = ()
    parted: bool = False

    def claimed(self, reading: Reading) -> Reading:
        """The claim that it is so, with the hypotheses of a claim."""
        zero: Expr = sympy.Integer(0)
        given = with_steps(reading, self.after) if self.after else reading
        said = replace(given, left={("k",): zero}, right={("k",): self.expr}, relation="<=")
        return in_parts(said) if self.parted else said


def steps(found: RunReading, plain: Reading) -> list[Step]:
    """The steps about what a claim speaks of.

    Parameters
    ----------
    found : RunReading
        Of one round.
    plain : Reading
        Its reading with a symbol for a range.

    Raises
    ------
    NotReadable
        Where the method has none, or the claim speaks of something else.
    """
    made = next((c for c in found.cases if c.waits), None)
    if made is None:
        raise NotReadable("a method that makes no models and multipliers in one round")
    (new, old), (after, before) = made.values.items()
    said = families([*plain.left.values(), *plain.right.values()])
    at = _Round(found, old, new, before, after)
    slope = at.slopes_before() if at.speaks(SLOPE, old) & said else []
    if not (at.speaks(LOSS, old) & said and str(after.base) in said):
        if not slope:
            raise NotReadable("a claim that no step is about")
        return slope
    ranges = any(e.has(RANGE) for e in plain.expressions())
    fall = [*slope, *at.fall(ranges)]
    known = (m["k",] for m in plain.margins.values() if set(m) == {("k",)})
    return [*fall, *(at.scaled(fall[-1], known) if slope else ())]


class _Round:
    """What is known of one client in a round."""

    def __init__(self, found: RunReading, *names: Expr) -> None:
        self.given = found.given
        self.old, self.new, self.before, self.after = names
        self.k, _ = client_symbol()
        self.stiff = sympy.IndexedBase(STIFF, positive=True)[self.k]
        self.places = [sympy.expand(p - self.given["start"]) for p in found.met]

    def at(self, word: str, place: Expr) -> Expr:
        """Slope or loss at a place; raises where nobody looked."""
        if place not in self.places:
            raise NotReadable("a loss that is not looked at")
        return sympy.IndexedBase(f"{word}{self.places.index(place)}", real=True)[self.k]

    def speaks(self, word: str, place: Expr) -> set[str]:
        """Name of a slope or loss, as far as it is looked at."""
        return {str(self.at(word, place).base)} if place in self.places else set()

    @property
    def residual(self) -> Expr:
        """What the local solve has left."""
        return self.at(SLOPE, self.new) + 2 * self.before * self.new

    def slopes_before(self) -> list[Step]:
        """By the move, and by what the solve has left: with own constants, then the largest."""
        square = self.square()
        own = sympy.expand((self.stiff + 2 * self.before) ** 2)
        move = (self.new - self.old) ** 2
        slope = self.at(SLOPE, self.old) + 2 * self.before * self.old
        rest = 2 * self.residual**2 - slope**2
        near = Step("slope before the round, own constants", 2 * own * move + rest, parted=True)
        most = Step("constants", square - own)
        scaled = Step("constants, times a square", (square - own) * move, after=(most,))
        value = 2 * square * move + rest
        return [near, most, scaled, Step("slope before the round", value, after=(near, scaled))]

    def square(self) -> Expr:
        """Of the Lipschitz constant of a Lagrangian's slope, the largest of all clients."""
        top = formal_extreme("max", self.k, [self.stiff])
        return sympy.expand((top + 2 * self.given["lambda_max"]) ** 2)

    def scaled(self, whole: Step, known: Iterable[Expr]) -> Iterator[Step]:
        """The fall, and what is known of the multiplier beside the stiffness, times squares."""
        square = self.square()
        yield Step("on the whole, times a square", square * whole.expr, after=(whole,))
        for margin in known:
            if margin.free_symbols & {self.stiff} and self.before in margin.free_symbols:
                move = Step("multiplier and move", margin * (self.new - self.old) ** 2)
                yield move
                yield Step("multiplier, times squares", square * move.expr, after=(move,))
                return

    def fall(self, ranges: bool) -> Iterator[Step]:
        """Of the Lagrangian: with the models, the multiplier and the server, and on the whole."""
        old, new, before, after, given = self.old, self.new, self.before, self.after, self.given
        gamma, high, step = given["gamma"], given["lambda_max"], given["dual_step"]
        server = sympy.Symbol(name_after("server", 1, 1), real=True)
        excess, spread = new**2 - gamma, (new - server) ** 2
        rise = self.at(LOSS, new) - self.at(LOSS, old) + before * (new**2 - old**2)
        bound = self.residual**2 / (2 * self.stiff) + (self.stiff - before) * (new - old) ** 2
        models = Step("with the models", bound - rise, parted=True)
        dual = Step("with the multiplier", step * excess**2 - (after - before) * excess, True)
        ends = (
            Step("multiplier at most the upper end", high - after, True),
            Step("multiplier at least zero", after, True),
        )
        turned = after * (spread - new**2)
        moved = Step("with the server", high * spread - turned, after=ends)
        parts, square = [models, dual, moved], excess**2
        more: list[Step] = []
        if ranges:
            split = Step("square of the excess", new**4 + gamma**2 - square)
            fourth = Step("fourth powers", RANGE**4 - new**4)
            square = RANGE**4 + gamma**2
            of_square = Step("excess in a range", square - excess**2, after=(split, fourth))
            scaled = Step("times the step", step * (square - excess**2), after=(of_square,))
            more = [split, fourth, of_square, scaled]
            parts.append(scaled)
        whole = bound + step * square + high * spread
        whole -= rise + (after - before) * excess + turned
        yield from (*ends, models, dual, moved, *more)
        yield Step("on the whole", whole, after=tuple(parts))


def with_steps(reading: Reading, found: Sequence[Step]) -> Reading:
    """The claim with these steps among its hypotheses, without what was assumed of the losses."""
    slopes = {f"{word}{i}" for word in (SLOPE, LOSS) for i in range(9)}
    kept = {
        n: m
        for n, m in reading.margins.items()
        if not (families(m.values()) & slopes) or set(m) != {("k",)}
    }
    return replace(reading, margins={**kept, **{s.name: {("k",): s.expr} for s in found}})
