"""Clients from a file: gradients and sizes, or every client's own table, in npz, csv or json.

A folder holds one csv file per client, with the column ``y`` and the features.

``.npz``
    ``gradients`` (N, d), ``sizes`` (N,) and optionally ``names``; or ``X_<name>`` and ``y_<name>``
    for every client, and optionally ``model``.
``.csv``
    The first line is the heading.  Below it one line per client with the columns ``size``,
    optionally ``client``, and the entries of its gradient; or one line per sample with ``client``,
    ``y`` and the features.  Commas or semicolons separate.  A first column without a name that
    counts the rows is none.
``.json``
    ``{"gradients": [[...]], "sizes": [...], "names": [...]}``, or ``{"clients": {"name":
    {"X": [[...]], "y": [...]}}, "model": [...]}``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bounds.numbers.validate import InvalidInput, require
from verify.catalogue.json_files import parse_json
from verify.cli.tables.columns import csv_columns, npz_arrays
from verify.cli.tables.row_numbers import without_row_numbers
from verify.cli.tables.table_file import FOLDER_COLUMN, read_table
from verify.limits.files import whole_text

__all__ = ["ClientsFile", "read_clients"]

FORMATS = (".npz", ".csv", ".json")


@dataclass(frozen=True)
class ClientsFile:
    """Gradients (N, d), sizes (N,), names where there are any, and a line for what was done."""

    gradients: Any
    sizes: Any
    names: list[str] | None
    notes: tuple[str, ...] = ()


def read_clients(path: Path) -> ClientsFile:
    """The clients in a file, or in the files of a folder.

    Raises
    ------
    InvalidInput
        If the file is missing, of another format, or does not hold what the format asks for.
    """
    if path.is_dir():
        return _folder(path)
    require(path.is_file(), "file", "an existing file or folder", str(path), "check the name")
    kind = path.suffix.lower()
    require(kind in FORMATS, "file", f"one of {', '.join(FORMATS)}", path.name, "convert it")
    notes: list[str] = []
    if kind == ".csv":
        columns, notes = without_row_numbers(csv_columns(path, "client", _check_heading))
        gradients, sizes, names = _csv(columns, path, notes)
    else:
        gradients, sizes, names = {".npz": _npz, ".json": _json}[kind](path)
    broken = np.flatnonzero(np.isfinite(sizes) & (sizes != np.round(sizes)))
    if broken.size:
        require(
            False,
            "sizes",
            "whole numbers of samples",
            f"{np.ravel(sizes)[broken[0]]:g}",
            "count the samples; weights of another kind go through Python",
        )
    return ClientsFile(gradients, sizes, names, tuple(notes))


def _folder(folder: Path) -> ClientsFile:
    """Every file's own rows, ``y`` the label."""
    table = read_table(str(folder))
    columns = dict(table.columns)
    require("y" in columns, "columns", "with y, the label", ", ".join(columns), "name it y")
    notes = list(table.notes)
    columns["client"] = columns.pop(FOLDER_COLUMN)
    return ClientsFile(*_csv(columns, folder, notes), tuple(notes))


def _npz(path: Path) -> tuple[Any, Any, list[str] | None]:
    arrays = npz_arrays(path)
    if "gradients" in arrays:
        return _direct(arrays, path)
    names = [name[2:] for name in arrays if name.startswith("X_")]
    _both(names, arrays, path)
    tables = [(arrays[f"X_{name}"], arrays[f"y_{name}"]) for name in names]
    return _tables(names, tables, arrays.get("model"), path)


def _json(path: Path) -> tuple[Any, Any, list[str] | None]:
    try:
        text = whole_text(path, "file", "pass fewer clients", "utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"file must be a JSON text, got {path.name}: save it again.") from error
    raw = parse_json(text, "file", path, "check it")
    require(isinstance(raw, dict), "file", "a JSON object", type(raw).__name__, "see the help")
    if "gradients" in raw:
        return _direct(raw, path)
    clients = raw.get("clients")
    ok = isinstance(clients, dict) and all(
        isinstance(c, dict) and {"X", "y"} <= set(c) for c in clients.values()
    )
    require(ok, "file", "gradients and sizes, or clients with X and y", path.name, "see the help")
    assert isinstance(clients, dict)
    tables = [(c["X"], c["y"]) for c in clients.values()]
    return _tables(list(clients), tables, raw.get("model"), path)


def _csv(
    columns: dict[str, Any], path: Path, notes: list[str]
) -> tuple[Any, Any, list[str] | None]:
    from algorithms.collaboration.prepared import one_spelling

    names = columns.pop("client", None)
    if names is not None:
        names = [str(name) for name in one_spelling("client", names, notes)]
    if "size" in columns:
        size = _numbers("size", columns.pop("size"))
        return _matrix(columns), size, names
    assert names is not None  # or the heading has a size
    labels = _numbers("y", columns.pop("y"))
    features, order = _matrix(columns), list(dict.fromkeys(names))
    rows: dict[str, list[int]] = {name: [] for name in order}
    for k, name in enumerate(names):
        rows[name].append(k)
    tables = [(features[rows[n]], labels[rows[n]]) for n in order]
    return _tables(order, tables, None, path)


def _check_heading(heading: list[str]) -> None:
    require(
        "size" in heading or {"client", "y"} <= set(heading),
        "first line",
        "a heading with size, or with client and y",
        ", ".join(heading),
        "write the names of the columns there",
    )


def _direct(raw: Any, path: Path) -> tuple[Any, Any, list[str] | None]:
    require("sizes" in raw, "file", "sizes beside the gradients", path.name, "add them")
    gradients, sizes = (_array(name, raw[name]) for name in ("gradients", "sizes"))
    names = raw.get("names")
    listed = names is None or isinstance(names, list | np.ndarray)
    require(listed, "names", "a list with one name for each client", names, "write a list")
    return gradients, sizes, None if names is None else [str(n) for n in names]


def _tables(
    names: list[str], tables: list[tuple[Any, Any]], model: Any, path: Path
) -> tuple[Any, Any, list[str]]:
    from algorithms.grouping.partition import table_gradients

    require(
        bool(names),
        "file",
        "gradients and sizes, or X_<name> and y_<name>",
        path.name,
        "see the help",
    )
    arrays = [
        (_array(f"X of {n}", x), _array(f"y of {n}", y))
        for n, (x, y) in zip(names, tables, strict=True)
    ]
    gradients, sizes = table_gradients(arrays, None if model is None else _array("model", model))
    return gradients, sizes, names


def _both(names: list[str], arrays: Any, path: Path) -> None:
    for name in names:
        require(f"y_{name}" in arrays, "file", f"y_{name} beside X_{name}", path.name, "add it")


def _array(name: str, value: Any) -> Any:
    wrong = f"{name} must be a rectangular array of numbers, got {type(value).__name__}: check it."
    try:
        raw = np.asarray(value)
        if raw.dtype.kind in "biufU":
            return raw.astype(float)
    except ValueError as error:
        raise InvalidInput(wrong) from error
    raise InvalidInput(wrong)


def _matrix(columns: dict[str, Any]) -> Any:
    require(bool(columns), "heading", "at least one column of numbers more", "none", "add them")
    return np.stack([_numbers(name, cells) for name, cells in columns.items()], axis=1)


def _numbers(name: str, cells: Any) -> Any:
    out = []
    for k, cell in enumerate(cells, 2):
        try:
            out.append(float(cell))
        except ValueError as error:
            raise InvalidInput(
                f"column {name} must hold numbers, got {cell!r} in line {k}: correct it."
            ) from error
    return np.array(out)
