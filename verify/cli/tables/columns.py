"""Columns of a CSV text and arrays of an npz file, as they stand there."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bounds.numbers.validate import InvalidInput, require
from verify.limits.files import whole_text, within
from verify.limits.foreign import NotAsWritten, file_of_others

__all__ = ["csv_columns", "npz_arrays"]


def npz_arrays(path: Path) -> dict[str, Any]:
    """Arrays by name.

    Raises
    ------
    InvalidInput
        If the file is none, is damaged, or holds objects.
    """
    within(path, "file", "pass fewer clients, or fewer numbers of each")
    try:
        with file_of_others(), path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except (OSError, NotAsWritten) as error:
        raise InvalidInput(
            f"file must be a readable npz of plain arrays, got {path.name}: save it again."
        ) from error


def csv_columns(
    path: Path, line_per: str, check: Callable[[list[str]], None] = lambda heading: None
) -> dict[str, list[str]]:
    """Cells by the name of their column, in the order of the heading, without space around them.

    Parameters
    ----------
    path : Path
    line_per : str
        What a line stands for, in the sentence about a file without any.
    check : callable
        Raises where the first line is no heading of the kind asked for.

    Raises
    ------
    InvalidInput
        If the file is no such text, names a column twice, or has lines of different lengths.
    """
    try:
        # utf-8-sig: spreadsheets begin their CSV files with a byte order mark
        text = whole_text(path, "file", "pass fewer lines", "utf-8-sig")
        split = csv.reader(io.StringIO(text), delimiter=_separator(text), strict=True)
        lines = [line for line in split if any(cell.strip() for cell in line)]
    except (UnicodeDecodeError, csv.Error) as error:
        raise InvalidInput(f"file must be a CSV text, got {path.name}: save it again.") from error
    count = f"{len(lines)} lines"
    require(len(lines) > 1, "file", f"a heading and a line per {line_per}", count, "fill it")
    head = [cell.strip() for cell in lines[0]]
    check(head)
    require(len(set(head)) == len(head), "heading", "of different columns", head, "rename one")
    for k, line in enumerate(lines[1:], 2):
        require(len(line) == len(head), f"line {k}", f"{len(head)} cells", len(line), "complete it")
    return {name: [line[j].strip() for line in lines[1:]] for j, name in enumerate(head)}


def _separator(text: str) -> str:
    """A comma, or a semicolon where the heading has no comma; numbers have a point either way."""
    heading = next((line for line in text.splitlines() if line.strip()), "")
    return ";" if ";" in heading and "," not in heading else ","
