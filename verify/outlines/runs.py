"""Hold an outline, its notation and its facts, to exact runs of the statement's families.

Instances are drawn in fractions in every shape; of losses that have no values in fractions (wavy
parabolas) there are no exact runs.  Where a statement is of such losses alone, runs of the other
families of its setting stand for them; without any exact run there is no proof.  On each run that
meets the hypotheses the table of notation must measure what the statement's own functions measure,
both sides must be what they are read as, and no fact or step may be false.  A logarithm or root is
enclosed by a narrow ball, and a fraction in it or beside it stands for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np

from bounds.generic import to_float
from bounds.numbers.ball import Ball
from bounds.numbers.validate import InvalidInput, unchecked
from verify.claim.parameters import Family, Shape
from verify.claim.statement import Statement
from verify.outlines.converted import Converted, converted
from verify.outlines.exact import (
    NEAR,
    NotInFractions,
    averaged,
    enclosed,
    ends,
    means,
    on_outcome,
)
from verify.outlines.setting import OutlineSetting
from verify.proof.bridge import ExactRun, Field, Reading, broken_in
from verify.proof.entries import declared
from verify.proof.term import names_in
from verify.world.noise_plan import NotAvailable, NoValue
from verify.world.returned import margins_of, sides_of
from verify.world.world import World

Document = Mapping[str, Any]
NO_VALUE = (ArithmeticError, ValueError, LookupError, NotAvailable, NoValue, InvalidInput)

POINTS, FEWER, DRAWS, AT_ONCE, FINEST = 2, 1, 100, 10, 64
"""Instances of each shape that must meet the hypotheses; of a proof that was held to runs before;
how many are drawn for that at most, and at once; the largest denominator of their numbers."""

ROUNDED = 1e-6
"""How far below zero a margin in floats may lie that exact arithmetic is still asked about."""

__all__ = ["admitted", "exact_world", "refused"]


def refused(
    statement: Statement, setting: OutlineSetting, document: Document, again: bool = False
) -> str:
    """What exact runs say against an outline, in words; empty if nothing.

    Parameters
    ----------
    statement : Statement
    setting : OutlineSetting
    document : mapping
        Proved or not; its steps are held to the runs as well.
    again : bool
        Whether it has been held to runs before: fewer of them are made then.
    """
    about = _About(statement, setting, converted(statement, setting), Reading(document))
    own = (statement.family, *statement.also)
    fault, met, without = _held(about, own, again)
    if without:
        others = [f for f in setting.families if not any(f is one for one in own)]
        fault, met, _ = _held(about, others, again)
    return fault or ("" if met else "no instance was drawn that meets the hypotheses")


@dataclass(frozen=True)
class _About:
    """What is held to runs: a statement, its setting, what it says there, and its outline."""

    statement: Statement
    setting: OutlineSetting
    said: Converted
    reading: Reading


def _held(about: _About, families: Sequence[Family], again: bool) -> tuple[str, int, bool]:
    """What runs say against it, how many there were, whether no shape has values in fractions."""
    met, without, statement = 0, True, about.statement
    for family in families:
        for place, shape in enumerate(family.shapes):
            random = Random(f"{statement.key} {place}")
            left = FEWER if again else POINTS
            for values in _promising(statement, family, shape, random):
                world = _world(statement, family, shape, values)
                if world is None:
                    continue
                try:
                    if not admitted(statement, world):
                        continue
                    fault = _fault(about, world)
                except NotInFractions:
                    break
                if fault:
                    return f"{fault} on {family.about}, {dict(shape)}", met, False
                met, left = met + 1, left - 1
                if not left:
                    break
            else:
                without = False  # none that met the hypotheses was drawn
    return "", met, without and not met


def exact_world(statement: Statement, family: Family, shape: Shape, random: Random) -> World | None:
    """An instance at a random point, in fractions; None where there is none."""
    return _world(statement, family, shape, _drawn(family, shape, random))


Values = dict[str, Any]
"""Parameters of one instance, as a batch of one, in fractions."""


def _drawn(family: Family, shape: Shape, random: Random) -> Values:
    """Parameters at a random point, as short fractions where the domain has them."""
    values = {}
    for name, parameter in family.box.items():
        out = np.empty((1, *parameter.lengths(shape)), dtype=object)
        for index in np.ndindex(*out.shape):
            place = Fraction(float(parameter.from_unit(np.array([random.random()]))[0]))
            short = place.limit_denominator(FINEST)
            out[index] = short if parameter.inside(short) else place
        values[name] = out
    return values


def _promising(
    statement: Statement, family: Family, shape: Shape, random: Random
) -> Iterator[Values]:
    """Random points at which floats do not say that a hypothesis is missed.

    Exact arithmetic is asked about those alone, and it alone admits one.  All of them where floats
    give no answer.
    """
    for _ in range(0, DRAWS, AT_ONCE):
        drawn = [_drawn(family, shape, random) for _ in range(AT_ONCE)]
        missed = _missed(statement, family, shape, drawn)
        yield from (values for values, out in zip(drawn, missed, strict=True) if not out)


def _missed(
    statement: Statement, family: Family, shape: Shape, drawn: Sequence[Values]
) -> np.ndarray[Any, Any]:
    """Of which points floats say that a hypothesis is missed, and not by rounding."""
    missed = np.zeros(len(drawn), dtype=bool)
    batch = {name: np.concatenate([to_float(one[name]) for one in drawn]) for name in family.box}
    try:
        with unchecked(), np.errstate(all="ignore"):
            world = World(family.instance(batch, shape), "float64", None, statement.defines)
            for margin in margins_of(statement, world).values():
                least = np.asarray(to_float(margin), dtype=float).reshape(len(margin), -1)
                missed |= least.min(axis=1) < -ROUNDED
    except NO_VALUE:
        return np.zeros(len(drawn), dtype=bool)
    return missed


def _world(statement: Statement, family: Family, shape: Shape, values: Values) -> World | None:
    """The instance of these parameters; None where there is none."""
    try:
        with unchecked():
            return World(family.instance(values, shape), "exact", None, statement.defines)
    except NO_VALUE:
        return None


def admitted(statement: Statement, world: World) -> bool:
    """Whether every hypothesis holds on every outcome, and both sides have a value."""
    try:
        with unchecked():
            margins = margins_of(statement, world)
            sides_of(statement, world)
    except NO_VALUE:
        return False
    values = {name: enclosed(margin) for name, margin in margins.items()}
    return all(
        all(_holds(m, name in statement.strict) for m in margin.flat)
        for name, margin in values.items()
    )


def _holds(margin: Fraction | Ball, strict: bool) -> bool:
    least, _ = ends(margin)
    return least > 0 if strict else least >= 0


def _fault(about: _About, world: World) -> str:
    """What one run says against an outline."""
    setting = about.setting
    with unchecked():
        if setting.alone is None:
            return _fault_of(about, world, None, *setting.measured(world))
        runs = enumerate(setting.alone(world))
        faults = (_fault_of(about, world, k, *one) for k, one in runs)
        return next(filter(None, faults), "")


def _fault_of(
    about: _About,
    world: World,
    outcome: int | None,
    run: ExactRun,
    ranges: Mapping[str, int],
) -> str:
    """The same of the run of all outcomes, or of a single one."""
    document = about.reading.document
    run.knows(document)
    for fault in (
        _signs(document, run, ranges),
        _terms(about.setting, run, ranges, world, outcome),
        _sides(about, run, ranges, world, outcome),
        _definitions(document, run, ranges),
    ):
        if fault:
            return fault
    found = broken_in(about.reading, run, ranges)
    if found:
        one = found[0]
        at = ", ".join(f"{k} = {v}" for k, v in one.at.items())
        return (
            f"{one.name}{f' at {at}' * bool(at)} is false: an exact run gives "
            f"{_short(one.measured)} where at least {_short(one.said)} is said"
        )
    return ""


def _signs(document: Document, run: ExactRun, ranges: Mapping[str, int]) -> str:
    """Numbers of another sign than was declared."""
    for pattern, sign in document["numbers"].items():
        name, letters = declared(pattern)
        for at in product(*(range(ranges[letter]) for letter in letters)):
            env = dict(zip(letters, at, strict=True))
            value = run.scalar(f"{name}[{', '.join(letters)}]" if letters else name, env)
            wrong = ("positive" in sign and value <= 0) or ("nonneg" in sign and value < 0)
            if wrong or ("integer" in sign and value.denominator != 1):
                return f"{pattern} = {_short(value)} is declared {sign}"
    return ""


def _definitions(document: Document, run: ExactRun, ranges: Mapping[str, int]) -> str:
    """Entries that are measured, and are something else by the outline's rules."""
    for fact in document["facts"]:
        if fact["rule"] not in ("definition", "method"):
            continue
        entry, body = fact["args"]["entry"], fact["args"]["is_"]
        letters = sorted(names_in(entry) & {*document["indices"]})
        for at in product(*(range(ranges[letter]) for letter in letters)):
            env = dict(zip(letters, at, strict=True))
            if run.value(entry, env) != run.value(body, env):
                return f"{entry} is not {body} at {env}"
    return ""


def _terms(
    setting: OutlineSetting,
    run: ExactRun,
    ranges: Mapping[str, int],
    world: World,
    outcome: int | None,
) -> str:
    """Lines of the table of notation that are not what the statement's functions measure."""
    for term in setting.terms:
        try:
            asked = term.asked(world)
        except NO_VALUE:
            continue  # of another statement of the setting
        if len(term.axes) > 1 or "d" in term.axes:
            continue  # vectors are measured in no other way
        per = "".join(term.axes)
        values = means(on_outcome(enclosed(asked), outcome), run, per)
        if not term.random and any(_ends(v) != _ends(values[0]) for v in values):
            return f"{term.formula} is random, and the table says that it is not"
        mean = averaged(values, run)
        for env, place in _places(per, ranges):
            exact = mean[place] if isinstance(mean, list) else mean
            said = _on_the_line(run.value(term.formula, env))
            if not _is(exact, said):
                return f"{term.formula} is {_short(said)}, and what it stands for {_short(exact)}"
    return ""


def _places(per: str, ranges: Mapping[str, int]) -> Iterator[tuple[dict[str, int], int]]:
    """What the indices are at each entry of an axis."""
    letters = re.findall(r"\w+", "" if per == "clients" else per)
    every = product(*(range(ranges[letter]) for letter in letters))
    apart = (at for at in every if "!=" not in per or len({*at}) == len(at))
    for place, at in enumerate(apart):
        yield dict(zip(letters, at, strict=True)), place


def _sides(
    about: _About, run: ExactRun, ranges: Mapping[str, int], world: World, outcome: int | None
) -> str:
    """A side that is something else in a run."""
    said = about.said
    sides = dict(zip(("left", "right"), sides_of(about.statement, world), strict=True))
    texts = said.vectors if any(said.vectors) else (said.left, said.right)
    names = ("right", "left") if about.statement.relation == ">=" else ("left", "right")
    places = list(_places(said.each, ranges))
    for side, text in zip(names, texts, strict=True):
        values = [on_outcome(enclosed(value), outcome) for value in sides[side].values()]
        for env, place in places:
            parts = [_entry(value, run, said.each, place, len(places)) for value in values]
            exact, read = sum(parts, Fraction(0)), _on_the_line(run.value(text, env))
            if not _is(exact, read):
                at = f" at {env}" * bool(env)
                return f"the {side} side is {_short(exact)}{at}, and read as {_short(read)}"
    return ""


def _is(exact: Fraction | Ball, said: Fraction) -> bool:
    """Whether a number is what is said, or a narrow ball around it all but holds that."""
    low, high = ends(exact)
    aside = NEAR * max(Fraction(1), abs(low)) if low < high else Fraction(0)
    return low - aside <= said <= high + aside


def _ends(value: Any) -> Any:
    """Of a number, or of each of several."""
    return tuple(map(ends, value)) if isinstance(value, tuple) else ends(value)


def _entry(values: Any, run: ExactRun, per: str, place: int, places: int) -> Any:
    """The mean of a term of a side at one entry of its axis, or of a number for all of them."""
    if values.ndim < 3:
        return averaged(means(values, run, ""), run)
    mean = averaged(means(values, run, per), run)
    if len(mean) not in (1, places):
        raise ValueError(f"{len(mean)} entries over {per}, and {places} in the run")
    return mean[place] if len(mean) > 1 else mean[0]


def _on_the_line(value: Fraction | Field) -> Fraction:
    """A number; of a vector that all clients share its coordinate, where the world has one.

    The notation may give it further ones, which are zero.
    """
    if isinstance(value, Fraction):
        return value
    first, *others = (x for row in value for x in row)
    if any(x != first for x in others) or any(first[1:]):
        raise ValueError("a vector of several coordinates is measured on the line")
    return first[0]


def _short(value: Fraction | Ball) -> str:
    text = str(value)
    return text if len(text) <= 24 else f"{float(value):.6g}"
