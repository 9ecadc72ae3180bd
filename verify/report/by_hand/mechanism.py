"""One sentence on what makes the sides part, computed from the instance alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bounds.generic import to_float
from verify.ledger.witness import Replay
from verify.report.by_hand.writing import in_words
from verify.verdict.evidence import number_from_json

__all__ = ["mechanism"]


def mechanism(
    found: Replay,
    terms: tuple[Mapping[str, Any], Mapping[str, Any]],
    active: Sequence[str] = (),
) -> str:
    """What rests and binds, which terms vanish or are negative, by how much it fails.

    Parameters
    ----------
    found : Replay
    terms : tuple of mappings
        Terms of both sides, with their signs.
    active : sequence of str
        What rests and what binds in the run and in the formulas.
    """
    numbers = found.recomputed
    said = []
    tight = [
        name
        for name, margin in numbers["margins"].items()
        if not margin.get("strict") and to_float(number_from_json(margin["value"])) == 0
    ]
    if tight:
        said.append(f"with equality in {_joined(tight)}")
    said += active
    right = terms[1]
    zero = [name for name, value in right.items() if to_float(value) == 0]
    if zero and len(zero) < len(right):
        said.append(f"{_joined(zero)} on the right {'is' if len(zero) == 1 else 'are'} zero")
    elif zero:
        said.append("the right side is zero")
    negative = [name for name, value in right.items() if to_float(value) < 0]
    if negative:
        said.append(
            f"{_joined(negative)} on the right {'is' if len(negative) == 1 else 'are'} negative"
        )
    left, other = (number_from_json(numbers[side]) for side in ("left", "right"))
    relation = numbers["relation"]
    if relation in ("<=", "<~", ">=") and to_float(other) > 0 and to_float(left) > 0:
        ratio = left / other if relation != ">=" else other / left
        side = "the left side" if relation != ">=" else "the right side"
        moved = any(to_float(value) < 0 for terms_of in terms for value in terms_of.values())
        across = ", what is negative moved across," if moved else ""
        said.append(f"{side}{across} is {in_words(ratio)} times the other")
    elif relation == "==":
        said.append(f"the sides differ by {in_words(abs(left - other))}")
    text = "; ".join(said)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _joined(names: Sequence[str]) -> str:
    quoted = [f'"{_words(name)}"' for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _words(name: str) -> str:
    return name.replace("_", " ")
