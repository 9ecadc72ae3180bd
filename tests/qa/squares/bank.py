"""The bank of inequalities as rows, and its lines evaluated without the project's reader."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

__all__ = ["BANK", "Row", "holds_at", "premises_at", "within"]

HALF_LINE = re.compile(r"(?P<names>[\w, ]+?) (?P<sign>>=?) (?P<low>-?\d+)")
BOX = re.compile(r"(?P<names>[\w, ]+?) in (?P<open>[\[(])(?P<low>-?\d+), (?P<high>\d+)\]")
ANY = re.compile(r"(?:real|vectors) (?P<names>[\w, ]+)")
ITEM = re.compile("|".join(re.sub(r"\?P<\w+>", "?:", p.pattern) for p in (HALF_LINE, BOX)))
"""What may stand between ``for`` and ``given``."""


@dataclass(frozen=True)
class Row:
    """A true line, a false one beside it, and where that fails."""

    name: str
    true: str
    false: str
    at: Mapping[str, Fraction]


def _rows() -> Iterator[Row]:
    text = Path(__file__).with_name("bank.toml").read_text(encoding="utf-8")
    for row in tomllib.loads(text)["inequality"]:
        at = {name: Fraction(value) for name, value in row["at"].items()}
        yield Row(row["name"], row["true"], row["false"], at)


BANK = {row.name: row for row in _rows()}


def holds_at(line: str, at: Mapping[str, Fraction]) -> bool:
    """Whether the claim of a line holds at a point, vectors having one coordinate."""
    return _compared(line.partition(" for ")[0], at)


def premises_at(line: str, at: Mapping[str, Fraction]) -> bool:
    """Whether all that is given holds at a point."""
    given = line.partition(" given ")[2]
    return all(_compared(part, at) for part in _parts(given))


def within(line: str, at: Mapping[str, Fraction]) -> bool:
    """Whether a point lies in the ranges of a line, each of its symbols in one of them."""
    ranges = line.partition(" for ")[2].partition(" given ")[0]
    said: dict[str, bool] = {}
    for group in re.split(r", (?=real |vectors )", ranges):
        for item in [group] if ANY.fullmatch(group) else ITEM.findall(group):
            found = next(m for p in (ANY, HALF_LINE, BOX) if (m := p.fullmatch(item.strip(", "))))
            parts = found.groupdict()
            for name in re.findall(r"\w+", parts["names"]):
                said[name] = name in at and _in_range(at[name], parts)
    return said.keys() == at.keys() and all(said.values())


def _in_range(value: Fraction, parts: Mapping[str, str]) -> bool:
    """Whether a number lies between the ends that are written, if any are."""
    low = Fraction(parts.get("low", value))
    excluded = parts.get("sign") == ">" or parts.get("open") == "("
    return (low < value if excluded else low <= value) and value <= Fraction(
        parts.get("high", value)
    )


def _parts(text: str) -> Iterator[str]:
    """What stands between commas outside of brackets."""
    depth, start = 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and not depth:
            yield text[start:place]
            start = place + 1
    if text[start:].strip():
        yield text[start:]


def _compared(text: str, at: Mapping[str, Fraction]) -> bool:
    left, sign, right = re.split(r"(<=|>=|=)", text.strip())
    below, above = _value(left, at), _value(right, at)
    return {"<=": below <= above, ">=": below >= above, "=": below == above}[sign]


def _value(text: str, at: Mapping[str, Fraction]) -> Fraction:
    exact = re.sub(r"(\*\*\d+)|(?<!\w)(\d+)", lambda m: m[1] or f"Fraction({m[2]})", text.strip())
    names = {"Fraction": Fraction, "norm": abs, "dot": lambda a, b: a * b, **at}
    return Fraction(eval(exact, {"__builtins__": {}}, names))
