"""Open places of a paper: where its printed words allow several meanings that make sense.

A misprint that the text itself shows is such a place too, and marked as a slip: the literal option
is what is printed, the others read past it.

A paper's package declares them once as ``AXES``.  The key of a leaf names, behind ``@``, the
options that it takes (joined by ``+``); an axis that it does not name does not concern it, so that
it holds for all options of it.  An *assignment* takes one option on every axis; under it each part
of an entry has exactly one leaf.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from bounds.numbers.validate import require

__all__ = [
    "Assignment",
    "Axes",
    "Axis",
    "Option",
    "assignments",
    "count",
    "joined",
    "options_of",
    "part_of",
]

Assignment = Mapping[str, str]
"""Name of an axis -> name of the option taken on it."""


@dataclass(frozen=True)
class Option:
    """One meaning of an open place.

    Parameters
    ----------
    name : str
        What keys call it; unique within the paper.
    words : str
        The printed words that this meaning rests on, with their place.
    says : str
        The meaning, so that "stands if ..." can be completed with it.
    """

    name: str
    words: str
    says: str


@dataclass(frozen=True)
class Axis:
    """One open place with its meanings, the literal one first.

    Parameters
    ----------
    name : str
        Short name, unique within the paper.
    about : str
        What is left open.
    options : sequence of Option
        Two or more.
    slip : bool
        Whether the text itself shows that the literal option is a misprint, which the others read
        past: the proof's own display, another printed place, units.
    """

    name: str
    about: str
    options: Sequence[Option]
    slip: bool = False

    def __post_init__(self) -> None:
        names = self.names
        require(
            len(set(names)) == len(names) > 1,
            f"options of {self.name}",
            "two or more of different names",
            names,
            "name each meaning once",
        )
        bad = [name for name in names if not name or set(name) & set("+@/.")]
        require(not bad, f"options of {self.name}", "plain words without + @ / .", bad, "rename")
        mute = [o.name for o in self.options if not (o.words.strip() and o.says.strip())]
        require(
            not mute,
            f"options of {self.name}",
            "with words and a meaning",
            mute,
            "quote the printed words, and say what they are taken to mean",
        )

    @property
    def names(self) -> list[str]:
        """Names of the options, the literal one first."""
        return [option.name for option in self.options]

    @property
    def literal(self) -> str:
        """Name of the first option."""
        return self.options[0].name

    def to_json(self) -> dict[str, Any]:
        """As stored in a ledger."""
        options = [{"name": o.name, "words": o.words, "says": o.says} for o in self.options]
        marked = {"slip": True} if self.slip else {}
        return {"name": self.name, "about": self.about, "options": options, **marked}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Axis:
        """Inverse of :meth:`to_json`."""
        options = [Option(str(o["name"]), str(o["words"]), str(o["says"])) for o in raw["options"]]
        return cls(str(raw["name"]), str(raw["about"]), tuple(options), raw.get("slip") is True)


class Axes:
    """The open places of one paper together.

    Parameters
    ----------
    axes : iterable of Axis
        In the order of the paper; names of axes and of options are unique among them.
    """

    def __init__(self, axes: Iterable[Axis] = ()) -> None:
        self.axes = tuple(axes)
        for what, names in (
            ("axes", [axis.name for axis in self.axes]),
            ("options of all axes", [name for axis in self.axes for name in axis.names]),
        ):
            twice = sorted({name for name in names if names.count(name) > 1})
            require(not twice, what, "of different names", twice, "rename one of them")

    def __iter__(self) -> Iterator[Axis]:
        return iter(self.axes)

    def __len__(self) -> int:
        return len(self.axes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Axes) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def home(self) -> Mapping[str, Axis]:
        """Axis of each option, by the option's name."""
        return {name: axis for axis in self.axes for name in axis.names}

    @cached_property
    def meaning(self) -> Mapping[str, Option]:
        """Each option by its name."""
        return {option.name: option for axis in self.axes for option in axis.options}

    @property
    def literal(self) -> dict[str, str]:
        """Assignment of first options."""
        return {axis.name: axis.literal for axis in self.axes}

    def choice(self, key: str) -> dict[str, str]:
        """What the key of a leaf takes: option by axis.

        Raises
        ------
        InvalidInput
            If one of its options is none of these axes, or two are of one axis.
        """
        names = options_of(key)
        strange = [name for name in names if name not in self.home]
        require(
            not strange,
            f"options of {key}",
            f"among those of the paper's AXES ({self._listed})",
            strange,
            "correct the key, or declare the open place in the paper's AXES",
        )
        found = {self.home[name].name: name for name in names}
        require(
            len(found) == len(names),
            f"options of {key}",
            "one on each axis at most",
            names,
            "give each of them a key of its own",
        )
        return found

    def of(self, keys: Iterable[str]) -> tuple[Axis, ...]:
        """Axes that the options in some keys belong to, in their order."""
        named = {axis for key in keys for axis in self.choice(key)}
        return tuple(axis for axis in self.axes if axis.name in named)

    def under(self, keys: Iterable[str], assignment: Assignment) -> list[str]:
        """Those of some keys that hold under an assignment."""
        return [
            key
            for key in keys
            if all(assignment[axis] == name for axis, name in self.choice(key).items())
        ]

    def gaps(self, keys: Sequence[str]) -> Iterator[str]:
        """Parts that do not have exactly one leaf under each assignment, in words.

        Parameters
        ----------
        keys : sequence of str
            Leaves of one entry.
        """
        parts: dict[str, list[str]] = {}
        for key in keys:
            parts.setdefault(part_of(key), []).append(key)
        for part, leaves in parts.items():
            for assignment in assignments(self.of(leaves)):
                found = self.under(leaves, assignment)
                if len(found) != 1:
                    where = " and ".join(assignment.values()) or "the one reading"
                    yield f"{part} under {where}: {' and '.join(found) or 'no leaf'}"

    def to_json(self) -> list[dict[str, Any]]:
        """As stored in a ledger."""
        return [axis.to_json() for axis in self.axes]

    @classmethod
    def from_json(cls, raw: Iterable[Mapping[str, Any]]) -> Axes:
        """Inverse of :meth:`to_json`."""
        return cls(Axis.from_json(axis) for axis in raw)

    @property
    def _listed(self) -> str:
        return ", ".join(self.home) or "it has none"


def assignments(axes: Sequence[Axis]) -> Iterator[dict[str, str]]:
    """All assignments of some axes, the literal one first, the last axis changing fastest."""
    for names in product(*(axis.names for axis in axes)):
        yield {axis.name: name for axis, name in zip(axes, names, strict=True)}


def count(axes: Iterable[Axis]) -> int:
    """Number of assignments."""
    return prod(len(axis.options) for axis in axes)


def joined(axes: Sequence[Axis], groups: Iterable[Iterable[Axis]]) -> list[tuple[Axis, ...]]:
    """Connected components of axes, where two of one group are connected.

    Axes in no group are left out; order is kept within and among the components.
    """
    component = {axis.name: {axis.name} for axis in axes}
    named: set[str] = set()
    for group in groups:
        names = {axis.name for axis in group}
        named |= names
        union = set().union(*(component[name] for name in names))
        component.update(dict.fromkeys(union, union))
    found = dict.fromkeys(frozenset(component[axis.name]) for axis in axes if axis.name in named)
    return [tuple(axis for axis in axes if axis.name in names) for names in found]


def options_of(key: str) -> tuple[str, ...]:
    """Names of the options in the key of a leaf."""
    named = key.partition("@")[2]
    return tuple(named.split("+")) if named else ()


def part_of(key: str) -> str:
    """Key of a leaf without its options."""
    return key.partition("@")[0]
