"""One table from a file: columns by name, in npz or csv, or one that comes with scikit-learn.

``.npz``
    Arrays of one length under the names of the columns; one of shape (n, d) stands for the columns
    ``NAME1`` to ``NAMEd``.
``.csv``
    The first line is the heading, one line per row below it. Commas or semicolons separate.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bounds.numbers.validate import require
from verify.cli.tables.columns import csv_columns, npz_arrays

__all__ = ["read_table"]

FORMATS = (".npz", ".csv")


def read_table(name: str) -> dict[str, Any]:
    """Columns of a file, or of a table known by name.

    Raises
    ------
    InvalidInput
        If there is no such file or table, or it does not hold columns of one length.
    """
    from synthetic.tables.known_tables import KNOWN_TABLES, known_table

    path = Path(name)
    if name in KNOWN_TABLES and not path.exists():
        return known_table(name)
    known = ", ".join(KNOWN_TABLES)
    require(path.is_file(), "table", f"an existing file, or {known}", name, "check the name")
    kind = path.suffix.lower()
    require(kind in FORMATS, "file", f"one of {', '.join(FORMATS)}", path.name, "convert it")
    columns = _npz(path) if kind == ".npz" else csv_columns(path, "row")
    lengths = {len(cells) for cells in columns.values()}
    require(
        len(lengths) == 1 and min(lengths) > 0,
        "columns",
        "of one length, with rows",
        sorted(lengths),
        "complete them",
    )
    return columns


def _npz(path: Path) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for name, array in npz_arrays(path).items():
        shape = f"shape {array.shape}"
        require(array.ndim in (1, 2), f"array {name}", "of one or two axes", shape, "reshape it")
        many = (
            {name: array}
            if array.ndim == 1
            else {f"{name}{j + 1}": array[:, j] for j in range(array.shape[1])}
        )
        for column, cells in many.items():
            require(column not in columns, "columns", "of different names", column, "rename one")
            columns[column] = cells
    require(bool(columns), "file", "an npz with arrays", "none", "save the columns in it")
    return columns
