"""One claim in all readings of the open places that it depends on.

A statement that is made with ``readings=("range", "times")`` depends on these axes of its paper.
Its sides are a function of the world and of the reading, ``sides(w, r)``, and so may be every
other function of the world in its record; any field that is no such function may be a function of
the reading alone::

    @statement(
        "mine.rate", readings=("range", "times"), latex=lambda r: RATE[r.times],
        family=lambda r: RUNS if "run" in r else POINTS, given=[some_hypothesis],
    )
    def rate(w, r):
        return {"excess": excess(w)}, {"bound": bound(w, last=r.times == "loop")}

The record becomes one leaf for each combination of options, with the key ``mine.rate@run+loop``.
An axis that matters under one option of another alone is written with a condition,
``readings=("range", "times if run")``: the leaf of the other option does not name it.  The leaves
stand in the order of the axis, or in the written one, ``readings=("times: endless, loop",)``.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING, Any

from bounds.numbers.validate import require
from verify.claim.axes import Axis
from verify.claim.hypothesis import Hypothesis

if TYPE_CHECKING:
    from verify.claim.statement import Statement

__all__ = ["Reading", "Readings", "expanded", "readings_of"]

OF_THE_WORLD = frozenset({"sides", "delta", "ceiling", "lift"})
"""Fields that are functions of the world."""


@dataclass(frozen=True)
class Reading:
    """The options that one leaf takes.

    ``r.times`` is the option on the axis ``times`` (``r.dual_domain`` that on ``dual-domain``),
    empty where the axis does not matter; ``"loop" in r`` asks whether an option is taken.

    Parameters
    ----------
    taken : tuple of (str, str)
        Axis and option, in the order of the key; the option is empty where the axis does not
        matter under the options before it.
    """

    taken: tuple[tuple[str, str], ...]

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the options, as the key has them."""
        return tuple(option for _, option in self.taken if option)

    def __contains__(self, option: object) -> bool:
        return option in self.options

    def __getattr__(self, name: str) -> str:
        if not name.startswith("_"):
            for axis, option in self.taken:
                if axis.replace("-", "_") == name:
                    return option
        known = ", ".join(axis for axis, _ in self.taken)
        raise AttributeError(f"a claim that is read along {known} has no reading {name!r}")


class Readings(tuple["Statement", ...]):
    """The leaves of one claim, a :class:`~verify.claim.statement.Statement` for each reading.

    Made by :func:`verify.claim.statement.statement`; what the leaves have in common is asked of
    one of them.
    """

    key: str
    axes: tuple[str, ...]
    fields: Mapping[str, Any]
    setting: tuple[str, ...]
    make: Callable[..., Any]

    @classmethod
    def of(cls, leaves: Iterable[Statement], **record: Any) -> Readings:
        """Leaves with the record that they were made of.

        Parameters
        ----------
        leaves : iterable of Statement
        **record
            ``key``, ``axes`` and ``fields`` of the claim, the names of those fields that make up
            its ``setting``, and ``make``, which makes another one.
        """
        made = cls(leaves)
        vars(made).update(record)
        return made

    def leaf(self, *options: str) -> Statement:
        """The one leaf that takes these options.

        Raises
        ------
        InvalidInput
            If no leaf takes them all, or several do.
        """
        found = [leaf for leaf in self if set(options) <= set(leaf.options)]
        require(
            len(found) == 1,
            f"options of {self.key}",
            f"those of one of {[leaf.reading for leaf in self]}",
            options,
            "name as many as tell it from the others",
        )
        return found[0]

    def like(
        self, key: str, *, latex: Any, readings: Any = None, **changes: Any
    ) -> Callable[[Callable[..., Any]], Readings]:
        """Decorator: another formula of the same setting, in the same readings.

        Parameters
        ----------
        key, latex
            As for :func:`verify.claim.statement.statement`.
        readings : sequence of str, optional
            Axes of the new claim, if they are others.
        **changes
            Fields that differ; each may be a function of the reading.
        """
        kept = {name: self.fields[name] for name in (*self.setting, "where") if name in self.fields}
        if "family" in changes:
            kept.pop("also", None)
        fields = {**kept, "latex": latex, **changes}
        made: Callable[..., Any] = self.make(key, readings=readings or self.axes, **fields)
        return made

    def variant(self, key: str, *, readings: Any = None, **changes: Any) -> Readings:
        """The same claim under another key, with other fields where they differ."""
        fields = {**self.fields, **changes}
        if "family" in changes and "also" not in changes:
            fields.pop("also", None)
        sides: Callable[..., Any] = fields.pop("sides")
        made: Callable[..., Readings] = self.make(key, readings=readings or self.axes, **fields)
        return made(sides)


def readings_of(axes: Sequence[str], declared: Iterable[Axis], key: str) -> Iterator[Reading]:
    """All readings of a claim along some axes, the literal one first, the last axis fastest.

    Parameters
    ----------
    axes : sequence of str
        Names of axes; ``"times if run"`` names one that matters only where ``run`` was taken on
        an axis before it, ``"times: endless, loop"`` its options in another order.
    declared : iterable of Axis
        The axes of the paper.
    key : str
        For the error message.
    """
    known = {axis.name: axis for axis in declared}
    found: list[tuple[tuple[str, str], ...]] = [()]
    for text in axes:
        words, _, condition = text.partition(" if ")
        name, _, order = words.partition(": ")
        require(
            name in known,
            f"readings of {key}",
            f"among the paper's AXES ({', '.join(known) or 'none'})",
            name,
            "declare the open place in AXES of the paper's package, or correct the name",
        )
        options = tuple(order.split(", ")) if order else known[name].names
        require(
            sorted(options) == sorted(known[name].names),
            f"readings of {key}",
            f"all options of {name}, {', '.join(known[name].names)}, each once",
            order,
            "leave the options out, or write them all in their order",
        )
        before = {option for taken in found for _, option in taken}
        require(
            not condition or condition in before,
            f"readings of {key}",
            f"with a condition on an option before {name!r}",
            text,
            "name the other axis first",
        )
        found = [
            (*taken, (name, option))
            for taken in found
            for option in (
                options if not condition or condition in [o for _, o in taken] else ("",)
            )
        ]
    return map(Reading, found)


def expanded(
    key: str, axes: Sequence[str], sides: Callable[..., Any], fields: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Key and fields of each leaf of a claim.

    Parameters
    ----------
    key : str
        ``paper.id`` or ``paper.id/part``.
    axes : sequence of str
        As for :func:`readings_of`.
    sides : callable
        Function of the world and the reading; its module's package declares the axes as ``AXES``.
    fields : mapping
        The others, each of them a value, a function of the reading, or, where it is a function of
        the world, one that may take the reading as its second argument ``r``.
    """
    for reading in readings_of(axes, _declared(sides), key):
        taken = {
            name: _resolved(name, value, reading)
            for name, value in {**fields, "sides": sides}.items()
        }
        yield f"{key}@{'+'.join(reading.options)}", taken


def _declared(sides: Callable[..., Any]) -> Sequence[Axis]:
    """Axes that the module of a function declares, or else the nearest package around it."""
    while isinstance(sides, partial):
        sides = sides.func
    home: Mapping[str, Any] = getattr(sides, "__globals__", {})
    found, package = home.get("AXES"), str(home.get("__package__") or "")
    while not found and package:
        found = getattr(sys.modules.get(package), "AXES", None)
        package = package.rpartition(".")[0]
    return tuple(found or ())


def _resolved(name: str, value: Any, reading: Reading) -> Any:
    """A field as it is under a reading."""
    if name not in OF_THE_WORLD and isinstance(value, FunctionType | partial):
        value = value(reading)
    if name == "given" and isinstance(value, Iterable):
        return [_with_rule(item, reading) for item in value]
    if name in ("defines", "trivial") and isinstance(value, Mapping):
        return {symbol: _bound(rule, reading) for symbol, rule in value.items()}
    return _bound(value, reading) if name in OF_THE_WORLD else value


def _with_rule(item: Any, reading: Reading) -> Any:
    if not isinstance(item, Hypothesis):
        return item
    rule = _bound(item.rule, reading)
    return item if rule is item.rule else replace(item, rule=rule)


def _bound(rule: Any, reading: Reading) -> Any:
    """A function of the world: the given one, with the reading where it takes one."""
    if not callable(rule):
        return rule
    takes = "r" in inspect.signature(rule).parameters
    return partial(rule, r=reading) if takes else rule
