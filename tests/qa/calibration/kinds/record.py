"""Claims that fail in a planted way, as entries of a paper of their own, and the kind that is told.

Each case is one printed entry with what a paper's package would have beside it: the axis of a
slip, or the form with a further hypothesis.  The ledger is made of them as of any paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

from tests.qa.calibration.record import record
from verify.catalogue.entry import Entry
from verify.catalogue.library import Library
from verify.claim.axes import Axes, Axis, Option
from verify.claim.parameters import Family
from verify.claim.statement import Statement
from verify.ledger.ledger import entry_json, ledger_json
from verify.line import one_line
from verify.run.tasks import Settings, examine

SLIP, CONDITION, CONSTANT, ORDER, EMPTY = "slip", "condition", "constant", "order", "empty"

Made = Callable[[str], Statement]
"""A statement of its key."""


@dataclass(frozen=True)
class Planted:
    """One entry that fails in a known way.

    Parameters
    ----------
    name : str
    kind : str
        How it fails.
    printed : callable or mapping of str to callable
        The claim; by its readings ("a1+b0") where slips are axes.
    said : str
        The printed claim, for the table.
    why : str
        Why it fails so.
    condition : callable, optional
        The same claim with the further hypotheses under which it stands.
    """

    name: str
    kind: str
    printed: Mapping[str, Made]
    said: str
    why: str
    condition: Made | None = None
    axes: Axes = field(default_factory=Axes)

    @property
    def key(self) -> str:
        """Key of the entry."""
        return f"planted.{self.name}"

    @property
    def library(self) -> Library:
        """The paper that has this entry alone."""
        leaves = [
            made(f"{self.key}@{reading}" if reading else self.key)
            for reading, made in self.printed.items()
        ]
        if self.condition is not None:
            more = self.condition(self.key).given
            leaves.append(leaves[0].variant(f"{self.key}.repaired", given=more))
        return Library(leaves, {"planted": self.axes})


def line(said: str, **fields: Any) -> Made:
    """A claim in one line."""
    return partial(_of_line, said, tuple(fields.items()))


def built(sides: Callable[..., Any], family: Family, **fields: Any) -> Made:
    """A claim by its sides."""
    return partial(_of_sides, sides, family, tuple(fields.items()))


def fails(kind: str, name: str, said: str, why: str, **fields: Any) -> Planted:
    """A claim in one line that fails in one way."""
    return Planted(name, kind, {"": line(said, **fields)}, said, why)


def needs(name: str, said: str, further: str, why: str) -> Planted:
    """A claim in one line that stands under further hypotheses."""
    glue = ", " if " given " in said else " given "
    return Planted(name, CONDITION, {"": line(said)}, said, why, line(f"{said}{glue}{further}"))


def misprinted(
    name: str, printed: Made | str, mended: Made | str, why: str, kind: str = SLIP, said: str = ""
) -> Planted:
    """A claim with one misprint, which the text itself shows."""
    leaves = {"printed": _made(printed), "mended": _made(mended)}
    text = printed if isinstance(printed, str) else said
    return Planted(name, kind, leaves, text, why, None, Axes([_axis("slip", "printed", "mended")]))


def misprinted_twice(
    name: str, template: str, a: tuple[str, str], b: tuple[str, str], why: str
) -> Planted:
    """A claim with two misprints at places that ``template`` calls A and B: (printed, mended)."""
    leaves = {
        f"a{i}+b{j}": line(template.replace("A", a[i]).replace("B", b[j]))
        for i, j in product((0, 1), (0, 1))
    }
    axes = Axes([_axis("first", "a0", "a1"), _axis("second", "b0", "b1")])
    said = template.replace("A", a[0]).replace("B", b[0])
    return Planted(name, SLIP, leaves, said, why, None, axes)


def told(planted: Planted, profile: str = "default") -> dict[str, Any]:
    """Planted kind, kind that the ledger tells, and its words, as data."""
    source, settings = planted.library, Settings(profile)
    lines = [_line(entry, settings, source) for entry in source]
    ledger = ledger_json(lines, source, seed=0, profile=profile, device="cpu", complete=True)
    found = next(line for line in ledger["entries"] if line["key"] == planted.key)
    fall = found["fails"] or {"kind": found["verdict"], "words": found["reason"]}
    row = {"said": planted.said, "planted": planted.kind, "kind": fall["kind"]}
    return {**row, "line": fall["words"]}


def _line(entry: Entry, settings: Settings, source: Library) -> dict[str, Any]:
    found = [examine(leaf, settings) for leaf in entry.claims]
    seconds = {one.key: one.seconds for one in found}
    return entry_json(entry, [one.leaf for one in found], seconds, source.axes[entry.paper])


def _axis(name: str, printed: str, mended: str) -> Axis:
    options = (
        Option(printed, "as it is printed", "it is read as printed"),
        Option(mended, "as the proof's display has it", f"the {name} misprint is read past"),
    )
    return Axis(name, f"what is printed at the {name} misprint", options, slip=True)


def _made(claim: Made | str) -> Made:
    return line(claim) if isinstance(claim, str) else claim


def _of_line(said: str, fields: tuple[tuple[str, Any], ...], key: str) -> Statement:
    made = one_line(said, key)
    return made.variant(key, **dict(fields)) if fields else made


def _of_sides(
    sides: Callable[..., Any], family: Family, fields: tuple[tuple[str, Any], ...], key: str
) -> Statement:
    return record(key, sides, family, **dict(fields))
