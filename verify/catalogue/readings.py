"""What the readings of a paper must keep, looked at when the library is loaded.

Every option that a key names is declared, every part of an entry has exactly one leaf under each
assignment of the paper's axes, and no axis is declared in vain.  An error names the key and the
remedy, so that a paper whose readings could be combined in two ways never gets a verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import ModuleType

from bounds.numbers.validate import require
from verify.catalogue.entry import LINKS, Entry, describes, is_result
from verify.claim.axes import Axes, Axis, count, joined

MOST_ASSIGNMENTS = 2**20
"""Assignments of axes that main results join; the kindest one is found by looking at all."""


def declared_axes(module: ModuleType) -> Axes | None:
    """Axes that a paper's package, or a user's file, declares; None if it declares none."""
    declared = getattr(module, "AXES", None)
    if declared is None:
        return None
    listed = isinstance(declared, Iterable) and not isinstance(declared, str)
    name = module.__name__.rpartition(".")[2]
    require(
        listed and all(isinstance(axis, Axis) for axis in declared),
        f"AXES of {name}",
        "a tuple of Axis",
        declared,
        "write AXES = (Axis(name, about, (Option(...), ...)), ...)",
    )
    return Axes(declared)


def check_readings(entries: Sequence[Entry], axes: Axes) -> None:
    """Check the leaves of one paper against its axes.

    Parameters
    ----------
    entries : sequence of Entry
        All of the paper.
    axes : Axes

    Raises
    ------
    InvalidInput
        At the first thing that is amiss.
    """
    for entry in entries:
        _check_entry(entry, axes)
    used = {axis.name for entry in entries for axis in _own(entry, axes)}
    idle = [axis.name for axis in axes if axis.name not in used]
    require(
        not idle,
        "AXES",
        "axes that some key names an option of",
        idle,
        "remove them, or name their options in the keys of the leaves that they concern",
    )
    results = [_own(entry, axes) for entry in entries if is_result(entry.kind, entry.form)]
    for component in joined(tuple(axes), results):
        names = ", ".join(axis.name for axis in component)
        require(
            count(component) <= MOST_ASSIGNMENTS,
            f"axes {names}",
            f"of {MOST_ASSIGNMENTS} assignments at most",
            count(component),
            "split an entry that joins axes which do not belong together",
        )


def _own(entry: Entry, axes: Axes) -> tuple[Axis, ...]:
    return axes.of(leaf.key for leaf in entry.leaves)


def _check_entry(entry: Entry, axes: Axes) -> None:
    named = _own(entry, axes)
    require(
        entry.form not in LINKS or not named,
        f"key of {entry.key}",
        "without options",
        [leaf.key for leaf in entry.leaves],
        "name the leaf that it is about with empties=..., and give each an entry of its own",
    )
    gap = next(axes.gaps([leaf.key for leaf in entry.leaves]), None)
    require(
        gap is None,
        f"readings of {entry.key}",
        "one leaf of each part under each assignment",
        gap,
        "write the missing leaf, or leave the axis out of the keys that hold for all its options",
    )
    silent = {leaf.part for leaf in entry.leaves if describes(leaf)}
    mixed = sorted(silent & {leaf.part for leaf in entry.claims})
    require(
        not mixed,
        f"readings of {entry.key}",
        "claims in every reading of a part, or in none",
        mixed,
        "say what each reading claims, or that it cannot be checked",
    )
