"""Products of powers of symbols: their values, units and words, and the mends that they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim.parameters import RUNS, SIZES, Family
from verify.ladder.price.mutants import numeric_symbols
from verify.ladder.repair.mends import (
    RIGHT,
    Mend,
    by_number,
    changed_term,
    spelled,
    spelled_in_tex,
    times,
)
from verify.ladder.rungs.units import powers_of_two
from verify.world.noise_plan import NoValue
from verify.world.score import Score
from verify.world.world import SYMBOLS, World


def monomial(w: World, powers: Mapping[str, int], ndim: int) -> Any:
    """Product of powers of a world's symbols, with at least so many axes.

    ``|x|`` is the absolute value of x.

    Raises
    ------
    NoValue
        Where a symbol has other axes than so many.
    """
    out: Any = 1
    for name, power in powers.items():
        value = w.original(name.strip("|"))
        if name.startswith("|"):
            value = xp.absolute(value)
        if isinstance(value, int) and w.number == "float64":
            value = float(value)
        if isinstance(value, np.ndarray) and value.ndim > 2 and value.ndim != ndim:
            raise NoValue(f"{name} has other axes than the term")
        if isinstance(value, np.ndarray) and value.ndim < ndim:
            value = value.reshape(value.shape + (1,) * (ndim - value.ndim))
        for _ in range(abs(power)):
            out = out * value if power > 0 else divided(out, value)
    return out


def divided(x: Any, y: Any) -> Any:
    """Quotient; of two whole numbers a fraction."""
    if isinstance(x, int) and isinstance(y, int):
        return Fraction(x, y)
    return x / y


def one_in(w: World) -> Any:
    """One, in the number type of a world."""
    return 1.0 if w.number == "float64" else Fraction(1)


def product_said(powers: Mapping[str, int]) -> str:
    """A product of powers in words: ``T^2 x/y``."""
    above = [f"{n}^{p}" if p > 1 else n for n, p in powers.items() if p > 0]
    below = [f"{n}^{-p}" if p < -1 else n for n, p in powers.items() if p < 0]
    return " ".join(above or ["1"]) + "".join(f"/{n}" for n in below)


def labels_of(family: Family) -> set[str]:
    """Entries of shapes that say which one, not how many: one of them is 0, as no size is."""
    entries = {(name, str(value)) for shape in family.shapes for name, value in shape.items()}
    return {name for name, value in entries if value == "0" and name not in (*RUNS, *SIZES)}


def known_symbols(result: Score) -> dict[str, Any]:
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


def units_of(scaled: Sequence[Score], name: str) -> tuple[float, float] | None:
    """Exponents of (loss, length) of a symbol, None where it does not scale by a power."""
    if not scaled:
        return (0.0, 0.0)
    values = [np.asarray(s.world.original(name), dtype=float) for s in scaled]
    return _exponents([v if v.ndim else np.full(1, v) for v in values])


def left_units(scaled: Sequence[Score]) -> tuple[float, float] | None:
    """Exponents of (loss, length) of the left side, None where it does not scale by a power."""
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


def times_product(
    place: str, powers: Mapping[str, int], factor: Fraction = Fraction(1), part: str = ""
) -> Mend:
    """A term, or the whole right side, times a number and a product of powers.

    ``part`` is the term, where it may be a bound by itself then.
    """

    def terms(w: World, right: dict[str, Any]) -> dict[str, Any]:
        return {
            k: times(factor, v * monomial(w, powers, np.ndim(v))) if place in ("", k) else v
            for k, v in right.items()
        }

    size = 3 + sum(abs(p) for p in powers.values())
    over = all(p < 0 for p in powers.values())
    said = product_said({k: abs(p) for k, p in powers.items()} if over else powers)
    said = f"{spelled(place)} {'over' if over else 'times'} {said}"
    plain = factor == 1
    return Mend(
        said if plain else f"{said} times {{}}",
        size if plain else size + 1,
        terms=terms,
        factor=None if plain else factor,
        part=part,
        program={RIGHT: changed_term(place, product_written("{}", powers, factor))},
        tex=f"{spelled_in_tex(place)} times ${product_in_tex(powers, factor)}$",
        recipe=("times_product", place, listed(powers), str(factor), part),
    )


def further_term(powers: Mapping[str, int], factor: Fraction) -> Mend:
    """A further term on the right side."""
    said = product_said(powers)

    def terms(w: World, right: dict[str, Any]) -> dict[str, Any]:
        return {**right, said: times(factor, monomial(w, powers, 2))}

    first, *rest = powers.items()
    start = symbol_written(first[0]) if first[1] > 0 else "Fraction(1)"
    left = {first[0]: first[1] - (first[1] > 0), **dict(rest)}
    return Mend(
        f"a further term {{}} times {said}",
        4 + sum(abs(p) for p in powers.values()),
        terms=terms,
        part=said,
        factor=factor,
        program={RIGHT: f"{{**right, {said!r}: {product_written(start, left, factor)}}}"},
        tex=f"a further term ${product_in_tex(powers, factor)}$ on the right-hand side",
        recipe=("further_term", listed(powers), str(factor)),
    )


def listed(powers: Mapping[str, int]) -> list[list[Any]]:
    """A product of powers as JSON has it."""
    return [[name, int(power)] for name, power in powers.items()]


def product_written(first: str, powers: Mapping[str, int], factor: Fraction = Fraction(1)) -> str:
    """Python of a product of powers of a world's symbols, after a first factor."""
    made = by_number(first, factor)
    for name, power in powers.items():
        made += f" {'*' if power > 0 else '/'} {symbol_written(name)}" * abs(power)
    return made


def symbol_written(name: str) -> str:
    """Python of a symbol, or of its absolute value."""
    return f"xp.absolute(w.{name.strip('|')})" if name.startswith("|") else f"w.{name}"


def product_in_tex(powers: Mapping[str, int], factor: Fraction = Fraction(1)) -> str:
    """A number and a product of powers in TeX, a symbol as ``<name>``."""
    above = [str(factor.numerator)] * (factor.numerator != 1)
    below = [str(factor.denominator)] * (factor.denominator != 1)
    for name, power in powers.items():
        size = f"^{{{abs(power)}}}" if abs(power) > 1 else ""
        letter = f"|<{name.strip('|')}>|" if name.startswith("|") else f"<{name}>"
        (above if power > 0 else below).append(f"{letter}{size}")
    top, bottom = r"\,".join(above or ["1"]), r"\,".join(below)
    return rf"\frac{{{top}}}{{{bottom}}}" if below else top
