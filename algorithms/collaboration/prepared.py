"""A table as a spreadsheet or a data frame writes it, made ready: gaps, categories, spellings.

Rows with a gap are left out, a column of words becomes one column of zeros and ones for every word
but the most frequent one, and a number counts by its value, "1.0" as "1". Each of these is told in
one sentence; what could be meant in two ways is refused with what to write instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from bounds.numbers.asked import has_float
from bounds.numbers.validate import InvalidInput, require

__all__ = ["Prepared", "is_number", "one_spelling", "prepared"]

Cells = Sequence[str] | np.ndarray[Any, Any]

GAPS = frozenset(("", "na", "n/a", "#n/a", "nan", "null", "<na>"))
"""What stands for a missing value, in any case."""
GAPS_AMONG_NUMBERS = frozenset(("none", "nil", "?", "-", "."))
"""What does so in a column whose other cells are numbers, and may be a word elsewhere."""
CATEGORIES = 12
"""Most different words of a column that is told by zeros and ones (number)."""


@dataclass(frozen=True)
class Prepared:
    """Columns of one length without gaps, features as numbers, and what was done.

    Attributes
    ----------
    columns : dict
        With the clients' column and the target, both as texts or numbers.
    features : tuple of str
        Names of the columns of numbers to predict from.
    notes : tuple of str
        One sentence for each thing that was done.
    """

    columns: dict[str, Any]
    features: tuple[str, ...]
    notes: tuple[str, ...]


def prepared(
    columns: Mapping[str, Cells], client: str, target: str, features: Sequence[str]
) -> Prepared:
    """Leave out rows with gaps, unify spellings, and turn categories into numbers.

    Parameters
    ----------
    columns : mapping
        Column name -> n values, text or numbers.
    client, target : str
    features : sequence of str
        Columns that are used beside the two.

    Returns
    -------
    Prepared

    Raises
    ------
    InvalidInput
        Where one name is spelled in two ways, a column of words has too many of them or only one,
        or no row is left.
    """
    notes: list[str] = []
    used = dict.fromkeys((client, target, *features))
    kept = _without_gaps({name: columns[name] for name in used}, notes)
    for name in (client, target):
        kept[name] = one_spelling(name, kept[name], notes)
    made: list[str] = []
    for name in features:
        made += _as_numbers(name, kept, notes)
    return Prepared(kept, tuple(made), tuple(notes))


def is_number(cell: Any) -> bool:
    """Whether a cell is a finite number."""
    try:
        return has_float(cell) and isfinite(float(cell))
    except ValueError:
        return False


def one_spelling(name: str, cells: Cells, notes: list[str]) -> Cells:
    """Cells in which each value has one spelling; two spellings of a word are refused.

    Parameters
    ----------
    name : str
        Of the column.
    cells : sequence
        Numbers in an array pass as they are; of texts, spaces at the ends do not count.
    notes : list of str
        Takes a sentence for each number that was spelled in a second way.
    """
    if isinstance(cells, np.ndarray) and cells.dtype.kind in "biuf":
        return cells
    texts = [" ".join(str(cell).split()) for cell in cells]
    shown: dict[Any, str] = {}
    merged: dict[str, str] = {}
    for text in dict.fromkeys(texts):
        key = float(text) if is_number(text) else text.casefold()
        first = shown.setdefault(key, text)
        if first != text and not is_number(text):
            raise InvalidInput(
                f"column {name} must spell each value in one way, got {first!r} and {text!r}: "
                "write one of them everywhere, or give the two names that differ in more."
            )
        merged[text] = first
    for text, first in merged.items():
        if text != first:
            notes.append(f"column {name}: {text} is read as {first}, the same number")
    return [merged[text] for text in texts]


# -- private helpers ---------------------------------------------------------------------


def _gaps(cells: Cells) -> np.ndarray[Any, Any]:
    """Which cells stand for a missing value."""
    if isinstance(cells, np.ndarray) and cells.dtype.kind in "biuf":
        return np.asarray(np.isnan(cells.astype(float)))
    texts = ["" if cell is None else str(cell).strip().lower() for cell in cells]
    others = [text for text in texts if text not in GAPS and text not in GAPS_AMONG_NUMBERS]
    numeric = bool(others) and all(map(is_number, others))
    known = GAPS | GAPS_AMONG_NUMBERS if numeric else GAPS
    return np.array([text in known for text in texts])


def _without_gaps(columns: Mapping[str, Cells], notes: list[str]) -> dict[str, Any]:
    """The rows in which every used column has a value; a column of gaps alone is refused."""
    gaps = {name: _gaps(cells) for name, cells in columns.items()}
    empty = [name for name, gap in gaps.items() if gap.all()]
    require(not empty, "columns", "with values", ", ".join(empty), "leave them out")
    some = {name: int(gap.sum()) for name, gap in gaps.items() if gap.any()}
    if not some:
        return dict(columns)
    whole = ~np.logical_or.reduce(list(gaps.values()))
    told = ", ".join(f"{name} {count}" for name, count in some.items())
    require(bool(whole.any()), "rows", "with a value in every column", f"gaps in {told}", "fill it")
    notes.append(f"left out: {int((~whole).sum())} of {len(whole)} rows, which have gaps ({told})")
    rows: list[int] = np.flatnonzero(whole).tolist()
    return {
        name: cells[rows] if isinstance(cells, np.ndarray) else [cells[j] for j in rows]
        for name, cells in columns.items()
    }


def _as_numbers(name: str, columns: dict[str, Any], notes: list[str]) -> list[str]:
    """Names of the columns that stand for one: itself, or one for each word but the commonest."""
    cells = columns[name]
    words = [cell for cell in cells if not is_number(cell)]
    if not words:
        columns[name] = np.asarray(cells, dtype=float)
        return [name]
    if len(words) < len(cells):
        raise InvalidInput(
            f"column {name} must hold numbers, got {str(words[0])!r}: name the features, correct "
            "it, or write words alone to have them taken as categories."
        )
    texts = one_spelling(name, cells, notes)
    counts = Counter(texts)
    require(len(counts) > 1, f"column {name}", "of different words", texts[0], "leave it out")
    require(
        len(counts) <= CATEGORIES,
        f"column {name}",
        f"of numbers, or of at most {CATEGORIES} different words",
        f"{len(counts)} words",
        "leave it out (--features), or join rare ones",
    )
    (base, _), *others = counts.most_common()
    made = []
    for word, _ in sorted(others):
        column = f"{name}={word}"
        columns[column] = np.array([1.0 if text == word else 0.0 for text in texts])
        made.append(column)
    notes.append(f"column {name}: {len(counts)} categories, told from {base} by zeros and ones")
    return made
