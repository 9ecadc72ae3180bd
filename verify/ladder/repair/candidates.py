"""Mends that are tried: small changes of a right side, simple ones first.

A factor on the whole right side, on one of its terms or on a symbol; an index one up or down; a
power of a symbol; a symbol that is missing in a term; a term that is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim.parameters import RUNS
from verify.claim.statement import Statement
from verify.ladder.price.mutants import changes, mutants_of
from verify.ladder.repair import tuning
from verify.ladder.repair.fit import ClosedForm
from verify.ladder.repair.laws import Law
from verify.ladder.repair.mends import (
    RIGHT,
    Mend,
    Value,
    changed_term,
    number_in_tex,
    scaled_symbol,
    scaled_term,
    spelled,
    spelled_in_tex,
    times,
)
from verify.ladder.repair.monomials import (
    divided,
    further_term,
    known_symbols,
    labels_of,
    left_units,
    monomial,
    one_in,
    times_product,
    units_of,
)
from verify.world.noise_plan import NoValue
from verify.world.score import Score, came_across
from verify.world.world import World


def _root(x: Any) -> Any:
    if isinstance(x, int):
        raise NoValue("a whole number has no power of its own kind")
    return xp.sqrt(xp.absolute(x))


SEEN: Mapping[str, tuple[str, int, Value, str, str]] = {
    "+1": ("{} + 1", 2, lambda x: x + 1, "{} + 1", "%s+1"),
    "-1": ("{} - 1", 2, lambda x: x - 1, "{} - 1", "%s-1"),
    "^2": ("{}^2", 3, lambda x: x * x, "{0} * {0}", "%s^2"),
    "^(1/2)": ("{}^(1/2)", 3, _root, "xp.sqrt(xp.absolute({}))", r"\sqrt{%s}"),
    "1/": ("1/{}", 3, lambda x: divided(1, x), "Fraction(1) / {}", "1/%s"),
}
"""Other values of a symbol: in words, what that says, the value, as Python and in TeX."""


def by_laws(laws: Sequence[Law]) -> Iterator[Mend]:
    """Factors on the right side that the laws of growth suggest."""
    for law in laws:
        for words, form in law.factors:
            yield by_form(law.along, words.removeprefix("about "), form)


def by_form(along: str, words: str, form: ClosedForm) -> Mend:
    """A closed form in a size or number as a factor on the right side."""
    name, over = along.removeprefix("1/"), along.startswith("1/")

    def terms(w: World, right: dict[str, Any]) -> dict[str, Any]:
        return {k: v * _value(w, form, name, over, np.ndim(v)) for k, v in right.items()}

    made = _written(form, f"Fraction(1) / w.{name}" if over else f"Fraction(1) * w.{name}")
    inside = rf"\frac{{1}}{{<{name}>}}" if over else f"<{name}>"
    return Mend(
        f"{words} times the right side",
        1 if not form.a else 4,
        terms=terms,
        program={RIGHT: changed_term("", f"{made} * {{}}")},
        tex=f"${_in_tex(form, inside)}$ times the right-hand side",
        recipe=("by_form", along, words, form.to_json()),
    )


def _written(form: ClosedForm, place: str) -> str:
    """Python of a closed form."""
    out = repr(form.b)
    if form.a:
        whole = form.power.denominator == 1
        place = f"({place} + {form.shift})" if form.shift else f"({place})"
        power = int(form.power if whole else 2 * form.power)
        base = place if whole else f"xp.sqrt{place}"
        above = " * ".join([base] * abs(power))
        out = f"{form.a!r} * {above} + {out}" if power > 0 else f"{form.a!r} / ({above}) + {out}"
    return {"y^2": f"xp.sqrt({out})", "1/y": f"(1 / ({out}))"}.get(form.outer, f"({out})")


def _in_tex(form: ClosedForm, place: str) -> str:
    """A closed form in TeX."""
    out = number_in_tex(form.b) if form.b or not form.a else ""
    if form.a:
        power = form.power
        inside = f"{place}+{form.shift}" if form.shift else place
        inside = rf"\left({inside}\right)^{{{power}}}" if power != 1 else inside
        number = "" if form.a == 1 else rf"{number_in_tex(form.a)}\,"
        out = f"{number}{inside}" + (f"+{out}" if out else "")
    return {"y^2": rf"\sqrt{{{out}}}", "1/y": rf"\frac{{1}}{{{out}}}"}.get(form.outer, out)


def _value(w: World, form: ClosedForm, name: str, over: bool, ndim: int) -> Any:
    """A closed form in a symbol, in the number type of the world."""
    out: Any = times(form.b, one_in(w))
    if form.a:
        place = monomial(w, {name: -1 if over else 1}, ndim) + form.shift
        if form.power.denominator != 1:
            place, whole = xp.sqrt(place * one_in(w)), int(2 * form.power)
        else:
            whole = int(form.power)
        power: Any = one_in(w)
        for _ in range(abs(whole)):
            power = power * place if whole > 0 else divided(power, place)
        out = out + times(form.a, power)
    if form.outer == "y^2":
        return xp.sqrt(out)
    return divided(one_in(w), out) if form.outer == "1/y" else out


def candidates(statement: Statement, result: Score, scaled: Sequence[Score]) -> Iterator[Mend]:
    """All mends that are tried, simple ones first.

    Parameters
    ----------
    statement : Statement
    result : Score
        A scored batch, which knows terms and symbols.
    scaled : sequence of Score
        The same instances in other units, empty where they carry none.
    """
    named = [name for name in result.terms[1] if not came_across(name)]
    labels = labels_of(statement.family)
    read = [name for name in _heard(statement, result) if name not in labels]
    known = {name: v for name, v in known_symbols(result).items() if name not in labels}
    places = ["", *(named if len(named) > 1 else ())]
    for factor in tuning.FACTORS:
        yield scaled_term("", factor)
    for name, factor in product(places[1:], tuning.FACTORS):
        yield scaled_term(name, factor)
    if statement.relation != "<=":
        yield from (without(name) for name in places[1:])
    # a count gives the instance its shape: twice or squared, the right side may not fit in memory
    counts = {n for n, v in result.world.instance.params.items() if isinstance(v, int)}
    # one more or less of a count that no size is says nothing
    sizes = {*RUNS, *statement.family.growing}
    for name, factor in product(read, tuning.FACTORS):
        if name not in counts:
            yield scaled_symbol(name, factor)
    for name in read:
        if name in counts:
            yield from (seen_as(name, how) for how in ("+1", "-1") if name in sizes)
        else:
            yield from (seen_as(name, how) for how in ("^2", "^(1/2)", "1/"))
    yield from (exchanged(*pair) for pair in combinations(read, 2) if not counts & {*pair})
    units = {name: units_of(scaled, name) for name in known}
    for place in places:
        yield from _missing_symbols(place, known, units)
    if statement.relation != ">=":
        yield from _missing_terms(known, units, left_units(scaled))


def sharp_factors(relation: str, most: float) -> Iterator[Mend]:
    """Plain factors on the right side just above what instances need, the sharpest first.

    Parameters
    ----------
    relation : {"<=", ">=", "=="}
    most : float
        Largest left/right that was seen.
    """
    if not 1 < most < tuning.LARGEST_SHARP or relation == "==":
        return
    for room in tuning.SHARP:
        made = plainest(most * (1 - tuning.SAME), most * room)
        yield scaled_term("", made if relation != ">=" else 1 / made)


def plainest(low: float | Fraction, high: float | Fraction) -> Fraction:
    """The fraction with the smallest denominator between two positive numbers."""
    start, end = Fraction(low), Fraction(high)
    whole, floor = -(-start // 1), start // 1
    if whole <= end:
        return Fraction(whole)
    return floor + 1 / plainest(1 / (end - floor), 1 / (start - floor))


def without(name: str) -> Mend:
    """A term left out."""
    return Mend(
        f"{spelled(name)} left out",
        2,
        terms=lambda w, right: {k: v for k, v in right.items() if k != name},
        program={RIGHT: f"{{k: v for k, v in right.items() if k != {name!r}}}"},
        tex=f"{spelled_in_tex(name)} left out",
        recipe=("without", name),
    )


def seen_as(name: str, how: str) -> Mend:
    """The right side sees another value of a symbol: one of `SEEN`."""
    said, size, value, made, tex = SEEN[how]
    return Mend(
        f"{said.format(name)} for {name}",
        size,
        symbol=name,
        value=value,
        program={name: made.format(f"w.{name}")},
        tex=f"${tex % f'<{name}>'}$ for $<{name}>$",
        recipe=("seen_as", name, how),
    )


def exchanged(one: str, other: str) -> Mend:
    """The right side sees each of two symbols in the place of the other."""
    return Mend(
        f"{one} and {other} exchanged",
        3,
        swapped=(one, other),
        program={one: f"w.{other}", other: f"w.{one}"},
        tex=f"$<{one}>$ and $<{other}>$ exchanged",
        recipe=("exchanged", one, other),
    )


def _missing_symbols(
    place: str, known: Mapping[str, Any], units: Mapping[str, Any]
) -> Iterator[Mend]:
    for name in known:
        yield times_product(place, {name: 1})
        yield times_product(place, {name: -1})
    for one, other in combinations(known, 2):
        alike = units[one] == units[other] and any(units[one] or ())
        if alike:  # without units every pair would be a ratio
            yield times_product(place, {one: 1, other: -1})
            yield times_product(place, {one: -1, other: 1})


def _missing_terms(
    known: Mapping[str, Any], units: Mapping[str, Any], wanted: Any
) -> Iterator[Mend]:
    if wanted is None:
        return
    names = [n for n, v in known.items() if np.ndim(v) <= 2 and units[n] is not None]
    found: list[dict[str, int]] = []
    for count, several in ((1, (1, 2)), (2, (1, 2, -1)), (3, (1, 2, -1))):
        # without units all products fit: the plain ones
        exponents = several if count == 1 or any(wanted) else (1,)
        for chosen in combinations(names, count):
            for powers in product(exponents, repeat=count):
                made = dict(zip(chosen, powers, strict=True))
                unit = np.sum([np.multiply(p, units[n]) for n, p in made.items()], axis=0)
                if tuple(unit) == wanted:
                    found.append(made)
    found.sort(key=lambda made: (sum(abs(e) + (e < 0) for e in made.values()), len(made)))
    for made, factor in product(found[: tuning.MOST_TERMS], tuning.COEFFICIENTS):
        yield further_term(made, Fraction(factor))


def _heard(statement: Statement, result: Score) -> list[str]:
    """Symbols whose change changes the right side."""
    found: dict[str, bool] = {}
    for mutant in mutants_of(statement, result):
        if mutant.symbol and not found.get(mutant.symbol):
            found[mutant.symbol] = changes(result, mutant.sides(result))
    return [name for name, heard in found.items() if heard]
