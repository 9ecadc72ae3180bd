"""One table from a file or a folder: columns by name, or one that comes with scikit-learn.

``.npz``
    Arrays of one length under the names of the columns; one of shape (n, d) stands for the columns
    ``NAME1`` to ``NAMEd``.
``.csv``
    The first line is the heading, one line per row below it. Commas or semicolons separate. A
    first column without a name that counts the rows is none.
a folder
    One such file per client, with the same columns; its name without the ending is the client's.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bounds.numbers.validate import require
from verify.cli.tables.columns import csv_columns, npz_arrays
from verify.cli.tables.row_numbers import without_row_numbers

__all__ = ["FOLDER_COLUMN", "Table", "client_files", "read_table"]

FORMATS = (".npz", ".csv")
FOLDER_COLUMN = "client"
"""Name of the column that tells the files of a folder apart."""


@dataclass(frozen=True)
class Table:
    """Columns by name, a line for each that was left out, and whether each file was a client."""

    columns: dict[str, Any]
    notes: tuple[str, ...] = ()
    folder: bool = False


def read_table(name: str) -> Table:
    """Columns of a file or of the files of a folder, or of a table known by name.

    Raises
    ------
    InvalidInput
        If there is no such file, folder or table, or it does not hold columns of one length.
    """
    path = Path(name)
    return _folder(path) if path.is_dir() else _file(name)


def client_files(folder: Path, formats: tuple[str, ...] = FORMATS) -> list[Path]:
    """Files of a folder, one per client, by name; others are refused.

    Raises
    ------
    InvalidInput
        If there are fewer than two, of another format, or two for one client.
    """
    files = sorted(p for p in folder.iterdir() if p.is_file() and not p.name.startswith("."))
    other = [p.name for p in files if p.suffix.lower() not in formats]
    known = ", ".join(formats)
    require(not other, "folder", f"of files {known} alone", ", ".join(other), "move the others out")
    require(len(files) > 1, "folder", "with a file per client", f"{len(files)} files", "add them")
    names = [p.stem for p in files]
    twice = sorted({n for n in names if names.count(n) > 1})
    require(not twice, "folder", "of one file per client", ", ".join(twice), "rename one")
    return files


def _folder(folder: Path) -> Table:
    """The rows of all files under each other, with a column that names the file."""
    merged: dict[str, list[Any]] = {}
    notes: dict[str, list[str]] = {}
    for path in client_files(folder):
        table = _file(str(path))
        for note in table.notes:
            notes.setdefault(note, []).append(path.stem)
        taken = FOLDER_COLUMN not in table.columns
        require(taken, "columns", f"without {FOLDER_COLUMN}", path.name, "rename that column")
        length = len(next(iter(table.columns.values())))
        part = {FOLDER_COLUMN: [path.stem] * length, **table.columns}
        if merged:
            unlike = sorted(set(part) ^ set(merged))
            require(
                not unlike,
                f"columns of {path.name}",
                "those of the first file",
                f"a difference in {', '.join(unlike)}",
                "give every client's table the same columns",
            )
        for column, cells in part.items():
            merged.setdefault(column, []).extend(cells)
    lines = tuple(f"{note} (in {', '.join(who)})" for note, who in notes.items())
    return Table(dict(merged), lines, folder=True)


def _file(name: str) -> Table:
    """Columns of one file, or of a table known by name."""
    from synthetic.tables.known_tables import KNOWN_TABLES, known_table

    path = Path(name)
    if name in KNOWN_TABLES and not path.exists():
        return Table(known_table(name))
    known = ", ".join(KNOWN_TABLES)
    require(path.is_file(), "table", f"an existing file, or {known}", name, "check the name")
    kind = path.suffix.lower()
    require(kind in FORMATS, "file", f"one of {', '.join(FORMATS)}", path.name, "convert it")
    notes: list[str] = []
    if kind == ".npz":
        columns = _npz(path)
    else:
        columns, notes = without_row_numbers(csv_columns(path, "row"))
    lengths = {len(cells) for cells in columns.values()}
    require(
        len(lengths) == 1 and min(lengths) > 0,
        "columns",
        "of one length, with rows",
        sorted(lengths),
        "complete them",
    )
    return Table(columns, tuple(notes))


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
