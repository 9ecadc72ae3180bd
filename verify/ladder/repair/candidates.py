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
from verify.ladder.price.mutants import changes, mutants_of, numeric_symbols
from verify.ladder.repair import tuning
from verify.ladder.repair.fit import ClosedForm
from verify.ladder.repair.laws import Law
from verify.ladder.repair.mends import Mend, scaled_symbol, scaled_term, spelled, times
from verify.ladder.rungs.units import powers_of_two
from verify.world.noise_plan import NoValue
from verify.world.score import Score, came_across
from verify.world.world import SYMBOLS, World


def by_laws(laws: Sequence[Law]) -> Iterator[Mend]:
    """Factors on the right side that the laws of growth suggest."""
    for law in laws:
        for words, form in law.factors:
            yield _by_form(law.along, words.removeprefix("about "), form)


def _by_form(along: str, words: str, form: ClosedForm) -> Mend:
    name, over = along.removeprefix("1/"), along.startswith("1/")

    def terms(w: World, right: dict[str, Any]) -> dict[str, Any]:
        return {k: v * _value(w, form, name, over, np.ndim(v)) for k, v in right.items()}

    size = 1 if not form.a else 4
    return Mend(f"{words} times the right side", size, terms=terms)


def _value(w: World, form: ClosedForm, name: str, over: bool, ndim: int) -> Any:
    """A closed form in a symbol, in the number type of the world."""
    out: Any = times(form.b, _one(w))
    if form.a:
        place = _monomial(w, {name: -1 if over else 1}, ndim) + form.shift
        if form.power.denominator != 1:
            place, whole = xp.sqrt(place * _one(w)), int(2 * form.power)
        else:
            whole = int(form.power)
        power: Any = _one(w)
        for _ in range(abs(whole)):
            power = power * place if whole > 0 else _divided(power, place)
        out = out + times(form.a, power)
    if form.outer == "y^2":
        return xp.sqrt(out)
    return _divided(_one(w), out) if form.outer == "1/y" else out


def _one(w: World) -> Any:
    return 1.0 if w.number == "float64" else Fraction(1)


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
    read, known = _heard(statement, result), _known(result)
    places = ["", *(named if len(named) > 1 else ())]
    for factor in tuning.FACTORS:
        yield scaled_term("", factor)
    for name, factor in product(places[1:], tuning.FACTORS):
        yield scaled_term(name, factor)
    if statement.relation != "<=":
        yield from (_without(name) for name in places[1:])
    # a count gives the instance its shape: twice or squared, the right side may not fit in memory
    counts = {n for n, v in result.world.instance.params.items() if isinstance(v, int)}
    # one more or less of a count that no size is says nothing
    sizes = {*RUNS, *statement.family.growing}
    for name, factor in product(read, tuning.FACTORS):
        if name not in counts:
            yield scaled_symbol(name, factor)
    for name in read:
        if name in counts:
            yield from _neighbours(name) if name in sizes else ()
        else:
            yield from _powers(name)
    units = {name: _units(scaled, name) for name in known}
    for place in places:
        yield from _missing_symbols(place, known, units)
    if statement.relation != ">=":
        yield from _missing_terms(known, units, _left_units(scaled))


def _without(name: str) -> Mend:
    return Mend(
        f"{spelled(name)} left out",
        2,
        terms=lambda w, right: {k: v for k, v in right.items() if k != name},
    )


def _neighbours(name: str) -> Iterator[Mend]:
    yield Mend(f"{name} + 1 for {name}", 2, symbol=name, value=lambda x: x + 1)
    yield Mend(f"{name} - 1 for {name}", 2, symbol=name, value=lambda x: x - 1)


def _powers(name: str) -> Iterator[Mend]:
    yield Mend(f"{name}^2 for {name}", 3, symbol=name, value=lambda x: x * x)
    yield Mend(f"{name}^(1/2) for {name}", 3, symbol=name, value=_root)
    yield Mend(f"1/{name} for {name}", 3, symbol=name, value=_inverse)


def _missing_symbols(
    place: str, known: Mapping[str, Any], units: Mapping[str, Any]
) -> Iterator[Mend]:
    for name in known:
        yield _times_symbols(place, {name: 1})
        yield _times_symbols(place, {name: -1})
    for one, other in combinations(known, 2):
        alike = units[one] == units[other] and any(units[one] or ())
        if alike:  # without units every pair would be a ratio
            yield _times_symbols(place, {one: 1, other: -1})
            yield _times_symbols(place, {one: -1, other: 1})


def _times_symbols(place: str, powers: Mapping[str, int]) -> Mend:
    def terms(w: World, right: dict[str, Any]) -> dict[str, Any]:
        return {
            k: v * _monomial(w, powers, np.ndim(v)) if place in ("", k) else v
            for k, v in right.items()
        }

    over = all(p < 0 for p in powers.values())
    said = _product({k: abs(p) for k, p in powers.items()} if over else powers)
    joined = "over" if over else "times"
    return Mend(f"{spelled(place)} {joined} {said}", 3 + len(powers), terms=terms)


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
        yield _new_term(made, Fraction(factor))


def _new_term(powers: Mapping[str, int], factor: Fraction) -> Mend:
    said = _product(powers)

    def terms(w: World, right: dict[str, Any]) -> dict[str, Any]:
        return {**right, said: times(factor, _monomial(w, powers, 2))}

    size = 4 + sum(abs(p) for p in powers.values())
    return Mend(
        f"a further term {{}} times {said}",
        size,
        terms=terms,
        adds=True,
        factor=factor,
    )


def _monomial(w: World, powers: Mapping[str, int], ndim: int) -> Any:
    out: Any = 1
    for name, power in powers.items():
        value = w.original(name)
        if isinstance(value, int) and w.number == "float64":
            value = float(value)
        if isinstance(value, np.ndarray) and value.ndim > 2 and value.ndim != ndim:
            raise NoValue(f"{name} has other axes than the term")
        if isinstance(value, np.ndarray) and value.ndim < ndim:
            value = value.reshape(value.shape + (1,) * (ndim - value.ndim))
        for _ in range(abs(power)):
            out = out * value if power > 0 else _divided(out, value)
    return out


def _divided(x: Any, y: Any) -> Any:
    if isinstance(x, int) and isinstance(y, int):
        return Fraction(x, y)
    return x / y


def _root(x: Any) -> Any:
    if isinstance(x, int):
        raise NoValue("a whole number has no power of its own kind")
    return xp.sqrt(xp.absolute(x))


def _inverse(x: Any) -> Any:
    return _divided(1, x)


def _heard(statement: Statement, result: Score) -> list[str]:
    """Symbols whose change changes the right side."""
    found: dict[str, bool] = {}
    for mutant in mutants_of(statement, result):
        if mutant.symbol and not found.get(mutant.symbol):
            found[mutant.symbol] = changes(result, mutant.sides(result))
    return [name for name, heard in found.items() if heard]


def _known(result: Score) -> dict[str, Any]:
    """Symbols that hold numbers: those that are read, of the instance, and of its problem."""
    world, found = result.world, {}
    lent = SYMBOLS if world.instance.family != "numbers" else ()
    for name in dict.fromkeys([*numeric_symbols(result), *world.instance.params, *lent]):
        try:
            value = world.original(name)
        except (ArithmeticError, ValueError, LookupError):
            continue
        if isinstance(value, (int, float, np.ndarray)) and not isinstance(value, bool):
            found[name] = value
    return found


def _units(scaled: Sequence[Score], name: str) -> tuple[float, float] | None:
    """Exponents of (loss, length) of a symbol, None where it does not scale by a power."""
    if not scaled:
        return (0.0, 0.0)
    values = [np.asarray(s.world.original(name), dtype=float) for s in scaled]
    return _exponents([v if v.ndim else np.full(1, v) for v in values])


def _left_units(scaled: Sequence[Score]) -> tuple[float, float] | None:
    return _exponents([s.left for s in scaled]) if scaled else (0.0, 0.0)


def _exponents(values: Sequence[Any]) -> tuple[float, float] | None:
    found = []
    for other in values[1:]:
        powers = powers_of_two(values[0], other)
        known = set() if powers is None else set(powers[~np.isinf(powers)].tolist())
        if len(known) != 1 or np.isnan(list(known)).any():
            return None
        found.append(known.pop())
    return (found[0], found[1])


def _product(powers: Mapping[str, int]) -> str:
    above = [f"{n}^{p}" if p > 1 else n for n, p in powers.items() if p > 0]
    below = [f"{n}^{-p}" if p < -1 else n for n, p in powers.items() if p < 0]
    return " ".join(above or ["1"]) + "".join(f"/{n}" for n in below)
