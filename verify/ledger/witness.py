"""Witnesses: reading one, and recomputing it from its instance alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.numbers import Ball, Undecided
from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.json_files import read_json
from verify.catalogue.user_file import library_of
from verify.claim.axes import Axes, Option
from verify.claim.instance import Instance
from verify.claim.statement import Statement
from verify.limits.foreign import CodeFailed, code_of_others
from verify.terms.claims import as_terms
from verify.terms.digest import statement_digest
from verify.verdict.evidence import any_length, in_figures, number_from_json
from verify.verdict.relation import same
from verify.verdict.verdict import breaks, exhibits
from verify.world.domain import outside
from verify.world.noise_plan import NoValue

if TYPE_CHECKING:
    from verify.world.world import World

SCHEMA = "fedassay-witness/1"

REPLICATES = 10**7
"""Most replicates of a simulated witness."""

LONGEST = 40
"""Characters of a fraction that is still written out."""


@dataclass(frozen=True)
class Replay:
    """A witness beside what was recomputed from its instance.

    Parameters
    ----------
    stored, recomputed : mapping
        Number, left, right and margins, as in a witness file.
    differences : tuple of str
        One sentence for each number that differs.
    confirmed : bool
        The recomputed numbers alone carry the accusation (for a claim of existence: the proof),
        and nothing differs.
    terms : tuple of mappings
        Named terms of the left and the right side, exact.
    symbols : mapping
        Values of scalar symbols that the sides read.
    axes : Axes or None
        Open places of the statement's paper.
    worlds : mapping of int to World
        Where it was recomputed, by bits, so that what tells of it need not evaluate it again; may
        be empty.
    """

    statement: Statement
    instance: Instance
    stored: Mapping[str, Any]
    recomputed: Mapping[str, Any]
    differences: tuple[str, ...]
    confirmed: bool
    terms: tuple[Mapping[str, Any], Mapping[str, Any]] = ({}, {})
    symbols: Mapping[str, Any] | None = None
    axes: Axes = field(default_factory=Axes)
    worlds: Mapping[int, World] = field(default_factory=dict, repr=False, compare=False)

    @property
    def reading(self) -> tuple[Option, ...]:
        """What the statement takes the words of its open places to mean."""
        meaning = self.axes.meaning
        return tuple(meaning[name] for name in self.statement.options if name in meaning)


def read_witness(path: Path) -> dict[str, Any]:
    """Content of a witness file; :class:`InvalidInput` if it is not one."""
    return read_json(path, SCHEMA)


def replay(path: Path, trust: bool = False) -> Replay:
    """Recompute a witness from scratch.

    Parameters
    ----------
    path : Path
    trust : bool
        Let the user's file run that the witness names.

    Returns
    -------
    Replay

    Raises
    ------
    InvalidInput
        If the file is no witness, its statement is unknown or not trusted, or its instance does
        not fit the statement.
    """
    stored = read_witness(path)
    known = library_of(stored, path.parent, trust)
    statement = known.leaf(stored["key"])
    axes = known.axes[statement.source.paper]
    return replace(recomputed(statement, stored, path), axes=axes)


def recomputed(statement: Statement, stored: Mapping[str, Any], path: Path | None = None) -> Replay:
    """Recompute a witness whose statement is at hand.

    Parameters
    ----------
    statement : Statement
    stored : mapping
        Content of the witness.
    path : Path, optional
        Where it is from; large arrays lie beside it.

    Returns
    -------
    Replay

    Raises
    ------
    InvalidInput
        If the instance does not fit the statement.
    """
    folder = None if path is None else path.parent
    try:
        with code_of_others(InvalidInput):
            instance = Instance.from_json(stored["instance"], folder)
            again = _simulated_again if stored["number"] == "simulated" else _exact_again
            return again(statement, instance, stored)
    except CodeFailed as failed:  # whatever a foreign instance does to a statement's own program
        error = failed.met
        met = error.__cause__ if isinstance(error, NoValue) else error
        raise InvalidInput(
            f"witness must hold an instance that fits {statement.key}, got {path or 'another'} "
            f"({type(met).__name__}: {' '.join(str(error).split())}): "
            "replay it with the version that wrote it."
        ) from error


def changed_code(statement: Statement, stored: Mapping[str, Any]) -> str:
    """What to say where a statement's own code is not what it was; empty where it is."""
    was, now = stored.get("code"), statement_digest(statement)
    if was is None or was == now:
        return ""
    return (
        f"the code of {statement.key} has changed since this was written (digest {was}, now {now})"
    )


def differences(stored: Mapping[str, Any], recomputed: Mapping[str, Any]) -> tuple[str, ...]:
    """Compare two sets of stored numbers, one sentence for each that differs."""
    found = [
        f"{name}: stored {stored.get(name)}, recomputed {recomputed.get(name)}"
        for name in ("relation", "quantifier")
        if stored.get(name) != recomputed.get(name)
    ]
    pairs = [(name, stored[name], recomputed[name]) for name in ("left", "right")]
    mine, theirs = stored["margins"], recomputed["margins"]
    for name in dict.fromkeys([*mine, *theirs]):
        if name not in mine or name not in theirs:
            where = "stored" if name in mine else "recomputed"
            found.append(f"margin {name}: only {where}")
        else:
            pairs.append((f"margin {name}", mine[name]["value"], theirs[name]["value"]))
    for name, old, new in pairs:
        first, second = number_from_json(old), number_from_json(new)
        if not _same(first, second):
            found.append(f"{name}: stored {show(first)}, recomputed {show(second)}")
    return tuple(found)


@any_length()
def show(number: Any) -> str:
    """Number for people: short fractions exactly and in decimals, long ones in decimals alone."""
    if isinstance(number, Ball):
        return f"{_decimal(number, 12)} +/- {_decimal(number.rad, 1)}"
    if isinstance(number, float):
        return f"{number:.12g}"
    text = str(number)
    if isinstance(number, (int, Fraction)) and len(text) > LONGEST:
        return f"{_decimal(number, 12)} (exactly a fraction of {len(text)} characters)"
    return text if "/" not in text else f"{text} = {_decimal(number, 6)}"


def _exact_again(statement: Statement, instance: Instance, stored: Mapping[str, Any]) -> Replay:
    from verify.ledger.watched import watched
    from verify.world.ray_numbers import ray_numbers
    from verify.world.referee import exact_instance, rescore

    statement = as_terms(statement)
    worlds = watched(statement, instance)
    found = rescore(statement, instance, worlds)
    numbers = found.numbers(statement.quantifier)
    grows = False
    if stored["relation"] == "<~" and "near" not in stored:
        numbers = {**numbers, "relation": "<~"}
        grows = found.assumed and breaks(numbers)
    elif stored["relation"] == "<~":
        start = Instance.from_json(stored["near"]["instance"])
        near = rescore(statement, start)
        ends = (exact_instance(start), exact_instance(instance))
        numbers = ray_numbers(statement, near, found, *ends)
        grows = near.assumed and found.assumed and breaks(numbers)
    differing = differences(stored, numbers)
    fault = outside(statement, instance)
    if fault:
        differing = (f"the instance is none of the statement's: {fault}", *differing)
    if not found.decided:
        differing = (f"undecided: {found.detail}", *differing)
    carries = found.satisfied if statement.quantifier == "some" else found.violated
    carries = grows or (carries and (breaks(numbers) or exhibits(numbers)))
    return Replay(
        statement,
        instance,
        stored,
        numbers,
        differing,
        carries and not differing,
        found.terms,
        found.symbols,
        worlds=worlds,
    )


def _simulated_again(statement: Statement, instance: Instance, stored: Mapping[str, Any]) -> Replay:
    """Run again on the stored noise key for the numbers, and on another key for the verdict."""
    from verify.world.noise_plan import Samples
    from verify.world.sampled import evaluate

    replicates = int(stored.get("replicates", 20_000))
    require(
        1 <= replicates <= REPLICATES,
        "replicates",
        f"from 1 to {REPLICATES}",
        replicates,
        "replay the file as it was written",
    )

    def run(key: int) -> dict[str, Any]:
        found = evaluate(statement, instance, Samples(key, replicates))
        return {
            "number": "simulated",
            "relation": "<=",
            "quantifier": "all",
            "left": found["left"],
            "right": found["right"],
            "margins": {},
            "e_value": found["e_value"] if found["assumed"] else 0.0,
        }

    key = int(stored.get("noise_key", 0))
    again, fresh = run(key), run((key + 1) % 2**64)
    differing = differences(stored, again)
    return Replay(
        statement,
        instance,
        stored,
        {**again, "e_value": fresh["e_value"]},
        differing,
        breaks(fresh) and not differing,
    )


def _decimal(number: Any, digits: int) -> str:
    try:
        return f"{float(number):.{digits}g}"
    except OverflowError:
        return in_figures(number)


def _same(first: Any, second: Any) -> bool:
    """Equal exact numbers, overlapping balls, or floats within rounding."""
    if isinstance(first, float) and isinstance(second, float):
        return same(first, second)
    try:
        return bool(first == second)
    except Undecided:
        return True
