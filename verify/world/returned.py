"""What a statement's own functions gave back, or a message that names the function and the remedy.

Margins decide what may be accused, so nothing here is guessed: a yes or no is not a margin.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from bounds.numbers.ball import FloatAmongExact, floats_refused
from bounds.numbers.validate import InvalidInput
from verify.claim.hypothesis import Hypothesis
from verify.claim.literals import first_float
from verify.claim.statement import Statement, Terms
from verify.limits.clock import OutOfTime
from verify.limits.counter import OutOfEffort
from verify.limits.foreign import CodeFailed, code_of_others
from verify.world.noise_plan import NotAvailable, NoValue
from verify.world.world import World


class Inexact(InvalidInput):
    """A side has no exact value because of how it is written, whatever the instance."""


def sides_of(statement: Statement, world: World) -> tuple[Terms, Terms]:
    """Terms of the left and of the right side, by name."""
    assert statement.sides is not None  # missing ones never come here
    found: Any = _called(statement.sides, world, f"sides of {statement.key}")
    pair = isinstance(found, tuple | list) and len(found) == 2
    if not (pair and all(isinstance(side, Mapping) for side in found)):
        raise InvalidInput(
            f"sides of {statement.key} must be a pair of dicts from a term's name to its value, "
            f'got {_kind(found)}: return {{"left": ...}}, {{"right": ...}}'
        )
    for side in found:
        for name, value in side.items():
            _check_term(statement, name, value)
    if world.number != "float64":
        for name, side in zip(("left", "right"), found, strict=True):
            for term, value in side.items():
                _require_exact(f"the {name} term {term!r} of {statement.key}", value)
    return found[0], found[1]


def _check_term(statement: Statement, name: Any, value: Any) -> None:
    """Refuse what is no number: nothing, a text, or a list of uneven rows."""
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    text = isinstance(value, str | bytes | complex) or kind in ("U", "S", "c")
    if value is None or text or not isinstance(name, str):
        raise InvalidInput(
            f"terms of {statement.key} must be numbers with names, got {_kind(value)} for "
            f"{name!r}: let the function of the sides return a number for each name"
        )


def margins_of(statement: Statement, world: World) -> Mapping[str, Any]:
    """Margins of the hypotheses, by name."""
    return {item.name: _margin(statement, item, world) for item in statement.given}


def _margin(statement: Statement, item: Hypothesis, world: World) -> Any:
    """Margin of one hypothesis: a number, never a yes or no."""
    margin = _called(item.rule, world, f"the margin of {item.name!r} in {statement.key}")
    if world.number != "float64":
        _require_exact(f"the margin of {item.name!r} in {statement.key}", margin)
    if margin is None or np.asarray(margin).dtype.kind == "b":
        raise InvalidInput(
            f'rule of "{item.name}" in {statement.key} must be a number that is at least 0 where '
            f"the hypothesis holds, got {'nothing' if margin is None else 'yes or no'}: return the "
            "difference of both sides, and pass strict=True where it must be above 0"
        )
    return margin


ADVICE = (
    (
        ValueError,
        "truth value of an array",
        "if, max, min and comparisons with them decide once for all instances: take "
        "xp.where(condition, a, b), xp.maximum or xp.minimum (from bounds import generic as xp)",
    ),
    (
        TypeError,
        "arrays can be converted to Python scalars",
        "a function of math takes one number, and a symbol holds one per instance: take sqrt, log, "
        "exp and the like from bounds.generic",
    ),
    (TypeError, "'World' object is not subscriptable", "write w.x for the symbol x"),
    (TypeError, "not 'complex'", "sides are real numbers: take real and imaginary parts"),
    (
        OverflowError,
        "too large to convert to float",
        "numbers beyond 1.8e308 have no float: divide both sides by it, or compare logarithms",
    ),
    (
        OverflowError,
        "too many digits for a ball",
        "exp of a number so far from zero has too many digits: compare logarithms, or exponents",
    ),
    (ValueError, "not aligned", "reduce over the last axis: xp.dot(u, v) or xp.total(u * v)"),
)
"""What errors of Python and numpy mean in the functions of a statement, and what to do."""


def level_of(statement: Statement, world: World) -> Any:
    """Level of a high-probability claim; 0 of any other one."""
    if statement.delta is None:
        return 0
    level = _called(statement.delta, world, f"the level of {statement.key}")
    if world.number != "float64":
        _require_exact(f"the level of {statement.key}", level)
    return level


def evaluated(function: Any, world: World) -> Any:
    """``function(world)``, evaluated once in each world, however many claims are made of it.

    A mutant evaluates again only what reads its symbol, a smaller claim nothing at all. Worlds that
    record what is asked of them are asked each time.
    """
    if type(world) is not World or function.__hash__ is None:
        return function(world)
    return world.once(function)


EXACT = (
    "write literals, fractions or integers in the function itself (0.5 * w.x, w.x / 2), no "
    "float(...), math or numpy numbers, and take sqrt, log, exp and the like from bounds.generic"
)
"""What to do where an exact number is no exact one."""

NO_NUMBER = (ArithmeticError, ValueError, LookupError, RuntimeError, NotAvailable, NoValue)
"""What formulas and runs raise outside their domain, and what is raised on purpose."""


def _called(function: Any, world: World, name: str) -> Any:
    """What a function of the statement gives; this is where code of others begins."""
    try:
        with (
            floats_refused() if world.number == "exact" else nullcontext(),
            code_of_others(FloatAmongExact, *NO_NUMBER),
        ):
            return evaluated(function, world)
    except FloatAmongExact as error:
        found, *term = error.args
        name = f"{term[0]} of {name.removeprefix('sides of ')}" if term else name
        raise Inexact(f"{name} must be exact, got the float {found}: {EXACT}") from error
    except NO_NUMBER as error:
        advice = "" if isinstance(error, InvalidInput) else _advice(error, world)
        if not advice:
            raise
        raise InvalidInput(f"{_place(error)}: {advice}") from error
    except CodeFailed as failed:  # whatever a program does that was not meant for this world
        met = failed.met
        cause = met.__cause__
        if isinstance(met, SystemError) and isinstance(cause, OutOfTime | OutOfEffort):
            raise cause from None  # a limit that ran out inside a function written in C
        said = str(met)
        # numpy's functions ask exact numbers for a method of the same name
        if world.number != "float64" and "has no callable" in said:
            raise Inexact(
                "sides and hypotheses must know exact numbers too, got a function of numpy: take "
                "sqrt, log, exp, where, maximum and the like from bounds.generic"
            ) from met
        if _irrational(met):
            raise Inexact(
                f"{_place(met)}: a power whose exponent is irrational is no root: write "
                "exp(a * log(x)) for x**a"
            ) from met
        advice = _advice(met, world)
        if advice:
            raise InvalidInput(f"{_place(met)}: {advice}") from met
        raise NoValue(said) from met


def _irrational(error: BaseException) -> bool:
    """Whether an exponent had no exact value, in Python's power or in `bounds.generic.power`."""
    said = str(error)
    last = traceback.extract_tb(error.__traceback__)[-2:]
    no_fraction = "a string or a Rational" in said and any(
        Path(frame.filename).parts[-2:] == ("numbers", "powers.py") for frame in last
    )
    return ("for ** or pow()" in said and "'Ball'" in said) or no_fraction


def _advice(error: BaseException, world: World) -> str:
    """What to do about an error of Python or numpy; empty where nothing is known."""
    if world.number != "float64":
        return ""
    said = str(error)
    return next((a for kind, part, a in ADVICE if isinstance(error, kind) and part in said), "")


def _place(error: BaseException) -> str:
    """File and line of the user's own code, or of what it called."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(last.filename).name}, line {last.lineno}"


def _require_exact(name: str, value: Any) -> None:
    """Refuse a float that no literal of the function explains."""
    found = first_float(value)
    if found is not None:
        raise Inexact(f"{name} must be exact, got the float {found:.6g}: {EXACT}")


def _kind(value: Any) -> str:
    if isinstance(value, tuple | list):
        return f"a {type(value).__name__} of " + (", ".join(_kind(v) for v in value) or "nothing")
    return f"{'an' if type(value).__name__[0] in 'aeiou' else 'a'} {type(value).__name__}"
