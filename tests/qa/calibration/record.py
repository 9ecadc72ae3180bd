"""Pairs of a truth and the falsehood one slip away from it, with a proof and a witness.

The slip is passed to the sides as their second argument, or changes a field of the record.  Each
falsehood fails at one stated instance, exactly, with both numbers stated; each truth is derived in
a line or two.  Nothing here knows how the ladder searches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from tests.qa.calibration.worlds import DEFINES, PLANTED, TEXTBOOK
from tests.verify.cases import assume, exactly
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Shape
from verify.claim.statement import Statement

RUNS = "quadratics, two-point noise, all outcomes"


@dataclass(frozen=True)
class Planted:
    """A falsehood with the instance at which it fails and the numbers it fails with.

    ``gives`` are left and right side there (negative terms moved across), "p/q" or decimals; a
    claim up to a constant fails along the ray from ``at`` to ``far``, which takes ``doublings``.
    """

    statement: Statement
    at: Mapping[str, Any]
    gives: tuple[str, ...]
    shape: Shape
    far: Mapping[str, Any] | None = None
    doublings: int = 0

    @property
    def instance(self) -> Instance:
        """The witness."""
        return exactly(self.statement, self.at, self.shape)

    @property
    def far_instance(self) -> Instance:
        """The far end of the ray."""
        assert self.far is not None
        return exactly(self.statement, self.far, self.shape)


@dataclass(frozen=True)
class Proved:
    """A truth with its proof; ``at`` is the instance asked for by a claim that one exists."""

    statement: Statement
    proof: str
    at: Mapping[str, Any] | None = None
    shape: Shape | None = None


@dataclass(frozen=True)
class Pair:
    """A truth and the falsehood beside it."""

    kind: str
    truth: Proved
    falsehood: Planted


def record(key: str, sides: Any, family: Family, **fields: Any) -> Statement:
    """A statement of the set; ``given`` maps names to margins, ``strict`` names some of them."""
    given, strict = fields.pop("given", {}), fields.pop("strict", ())
    fields.setdefault("latex", "")
    fields.setdefault("defines", DEFINES if "step_share" in family.box else {})
    source = TEXTBOOK if key.startswith("truth") else PLANTED
    return Statement(
        key=key, source=source, sides=sides, family=family, given=assume(given, strict), **fields
    )


def true_statement(name: str, **fields: Any) -> Statement:
    """A textbook truth."""
    fields.setdefault("latex", "")
    if "sgd" in name or "fed" in name:
        fields.setdefault("defines", DEFINES)
    return Statement(key=f"truth.{name}", source=TEXTBOOK, **fields)


def false_statement(name: str, **fields: Any) -> Statement:
    """A falsehood beside the textbook."""
    fields.setdefault("latex", "")
    fields.setdefault("defines", DEFINES)
    return Statement(key=f"false.{name}", source=PLANTED, **fields)


def maker(kind: str) -> Callable[..., Pair]:
    """``pair`` for one kind of falsehoods."""
    return partial(_pair, kind)


def _pair(
    kind: str,
    name: str,
    sides: Callable[..., Any],
    family: Family,
    *,
    proof: str,
    at: Mapping[str, Any],
    gives: tuple[str, ...],
    slip: tuple[Any, Any] | None = None,
    shape: Shape | None = None,
    false: Mapping[str, Any] | None = None,
    far: Mapping[str, Any] | None = None,
    doublings: int = 0,
    **fields: Any,
) -> Pair:
    """A pair whose claims differ by ``slip`` = (true, false), or by the fields in ``false``."""
    changed = {"sides": sides, "family": family, **fields, **(false or {})}
    right, wrong = sides, changed.pop("sides")
    if slip is not None:
        right, wrong = (partial(_slipped, sides, value) for value in slip)
    truth = record(f"truth.{kind}.{name}", right, family, **fields)
    falsehood = record(f"false.{kind}.{name}", wrong, changed.pop("family"), **changed)
    place = shape if shape is not None else falsehood.family.shapes[0]
    return Pair(kind, Proved(truth, proof), Planted(falsehood, at, gives, place, far, doublings))


def _slipped(sides: Callable[..., Any], value: Any, w: Any) -> Any:
    return sides(w, value)


def truths(pairs: Iterable[Pair]) -> tuple[Proved, ...]:
    """The truths of some pairs."""
    return tuple(pair.truth for pair in pairs)


def falsehoods(pairs: Iterable[Pair]) -> tuple[Planted, ...]:
    """The falsehoods of some pairs."""
    return tuple(pair.falsehood for pair in pairs)
