"""What one rung found, as plain data that goes to the ledger and comes back equal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, field, fields
from fractions import Fraction
from math import ceil, floor, isfinite, log10
from types import NoneType
from typing import Any

from bounds.generic import to_float
from bounds.numbers import Ball
from bounds.numbers.validate import InvalidInput

RUNGS = (
    "units",
    "hypotheses",
    "exact",
    "worst case",
    "search",
    "simulation",
    "certificate",
    "power",
    "needed",
    "sides",
    "terms",
    "standing",
    "method",
    "constant",
    "best constant",
    "link",
)


@dataclass(frozen=True)
class Evidence:
    """What one rung found.

    Parameters
    ----------
    rung : str
        Which rung of the ladder.
    status : str
        ``decided``, ``undecided``, ``not-applicable``, ``missing`` or ``stopped``.
    summary : str
        One sentence for people.
    counted : int
        Instances that met every hypothesis and were decided in favour.
    tried : int
        Instances evaluated.
    worst : float or None
        Largest left/right seen on instances that met every hypothesis.
    guard : float
        Relative rounding guard under which floats were compared (0 for exact numbers).
    witness : mapping or None
        Re-scored instance: number, relation, quantifier, left, right, margins, and the e-value
        where it was simulated.
    proof : mapping or None
        A certificate, re-checkable on its own.
    power : mapping or None
        Mutants: counted, killed, survivors.
    link : mapping or None
        A linked entry: kind (empty or trivial), key, verdict.
    scope : str
        Families, shapes and noise laws that were covered.
    details : mapping
        Numbers worth keeping (unit exponents, replicates, e-values, evaluations).
    """

    rung: str
    status: str
    summary: str = ""
    counted: int = 0
    tried: int = 0
    worst: float | None = None
    guard: float = 0.0
    witness: Mapping[str, Any] | None = None
    proof: Mapping[str, Any] | None = None
    power: Mapping[str, Any] | None = None
    link: Mapping[str, Any] | None = None
    scope: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """JSON form without empty fields."""
        empty = {f.name: f.default for f in fields(self) if f.default is not MISSING}
        kept = {f.name: getattr(self, f.name) for f in fields(self)}
        return {k: v for k, v in kept.items() if v != {} and (k not in empty or v != empty[k])}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Evidence:
        """Read what :meth:`to_json` wrote."""
        if not ({"rung", "status"} <= raw.keys() <= KINDS.keys()):
            raise InvalidInput(
                f"evidence must have the fields of a rung, got {sorted(raw)}: check the ledger"
            )
        for name, value in raw.items():
            if not isinstance(value, KINDS[name]):
                raise InvalidInput(
                    f"{name} of evidence must be as a rung writes it, got {value!r}: check the "
                    "ledger"
                )
        return cls(**raw)


NUMBER, TABLE = (int, float), (Mapping, NoneType)

KINDS: Mapping[str, Any] = {
    "rung": str,
    "status": str,
    "summary": str,
    "counted": int,
    "tried": int,
    "worst": (*NUMBER, NoneType),
    "guard": NUMBER,
    "witness": TABLE,
    "proof": TABLE,
    "power": TABLE,
    "link": TABLE,
    "scope": str,
    "details": Mapping,
}
"""What each field of stored evidence may hold."""

LONGEST = 200_000
"""Characters of a fraction that is still read; a long run in fractions has thousands."""

_RATIONAL = re.compile(r"[+-]?\d+(/0*[1-9]\d*)?", re.ASCII)


def number_to_json(value: Any) -> Any:
    """Exact number as "p/q", ball as its two end points, float by repr."""
    with any_length():
        if isinstance(value, Ball):
            return _outward(value).to_json()
        if isinstance(value, (int, Fraction)):
            exact = Fraction(value)
            return f"{exact.numerator}/{exact.denominator}"
    return float(value)


def can_be_read(value: Any) -> bool:
    """Whether what `number_to_json` writes of a number is short enough to be read again."""
    ends = (value.lo, value.hi) if isinstance(value, Ball) else (value,)
    exact = [Fraction(x) for x in ends if isinstance(x, int | Fraction)]
    bits = max((x.numerator.bit_length() + x.denominator.bit_length() for x in exact), default=0)
    return bits * log10(2) < LONGEST - 64  # a ball is rounded outwards, by a few digits


def in_figures(value: Any) -> str:
    """An exact number or ball in six figures, also where it is beyond all floats.

    Examples
    --------
    >>> in_figures(Fraction(1, 3)), in_figures(Fraction(10) ** 400)
    ('0.333333', '1e+400')
    """
    exact = value.mid if isinstance(value, Ball) else value
    near = float(to_float(value))
    if isfinite(near) or not isinstance(exact, int | Fraction):
        return f"{near:.6g}"
    tens = log10(abs(int(exact)))  # of whole numbers of any size
    return f"{'-' if exact < 0 else ''}{10 ** (tens % 1):.6g}e+{int(tens)}"


@contextmanager
def any_length() -> Iterator[None]:
    """Numbers of more digits than Python converts by default: a long run in fractions has them."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


@contextmanager
def _readable(*ends: Any) -> Iterator[None]:
    """Read texts of numbers inside: a power of ten alone may be larger than any memory."""
    if any(len(str(end)) > LONGEST or not _RATIONAL.fullmatch(str(end)) for end in ends):
        raise ValueError
    with any_length():
        yield


def _outward(ball: Ball, digits: int = 18) -> Ball:
    """A slightly larger ball whose ends are short decimals, so that a person can read it."""
    size = max(abs(ball.lo), abs(ball.hi))
    if size == 0:
        return ball
    # the logarithm of a fraction that may be larger or smaller than any float
    length = log10(size.numerator) - log10(size.denominator)
    unit = Fraction(10) ** (floor(length) + 1 - digits)
    return Ball(floor(ball.lo / unit) * unit, ceil(ball.hi / unit) * unit)


def number_from_json(raw: Any) -> Fraction | Ball | float:
    """Read what :func:`number_to_json` wrote."""
    try:
        if isinstance(raw, str):
            with _readable(raw):
                return Fraction(raw)
        if isinstance(raw, (int, float)) and not isinstance(raw, bool):
            return float(raw)
        ends = raw.get("ball") if isinstance(raw, Mapping) else None
        with _readable(*(ends if isinstance(ends, list) else ())):
            return Ball.from_json(raw)
    except ValueError as error:
        shown = repr(raw) if len(repr(raw)) <= 80 else f"{repr(raw)[:80]}..."
        raise InvalidInput(
            f'number must be "p/q", a float or a ball, got {shown}: check the file'
        ) from error
