"""scikit-learn's diabetes table, split into clients by one of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bounds.numbers.validate import InvalidInput, require
from synthetic.tables.least_squares import LeastSquares

COLUMNS = ("age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6")


def diabetes_split(
    column: str = "sex",
    *,
    clients: int = 2,
    features: Sequence[str] | None = None,
    batch: int = 1,
    half: bool = False,
) -> LeastSquares:
    """Linear regression of disease progression, one client per group of patients.

    Parameters
    ----------
    column : str
        The column that splits the 442 patients; it is left out of the features. A column
        with no more than `clients` different values gives one client per value, any other
        is cut at its quantiles.
    clients : int
        Number of groups.
    features : sequence of str, optional
        Columns to regress on, by default all others. An intercept is added in front.
    batch, half
        See `LeastSquares`.

    Returns
    -------
    LeastSquares
        Features and target standardised over the whole table, rows of the shorter groups
        padded with zeros.

    Raises
    ------
    InvalidInput
        If scikit-learn is missing, or a column is unknown.
    """
    chosen = [c for c in COLUMNS if c != column] if features is None else list(features)
    for name in (column, *chosen):
        require(name in COLUMNS, "column", f"one of {', '.join(COLUMNS)}", name, "check the name")
    require(column not in chosen, "features", f"without {column}", chosen, "drop that column")
    table, target = _load()
    table = (table - table.mean(0)) / table.std(0)
    target = (target - target.mean()) / target.std()
    group = _groups(table[:, COLUMNS.index(column)], clients)
    inputs = table[:, [COLUMNS.index(name) for name in chosen]]
    inputs = np.column_stack([np.ones(len(target)), inputs])
    counts = np.bincount(group)
    X = np.zeros((len(counts), counts.max(), inputs.shape[1]))
    y = np.zeros((len(counts), counts.max()))
    for k, n in enumerate(counts):
        X[k, :n], y[k, :n] = inputs[group == k], target[group == k]
    return LeastSquares({"X": X, "y": y, "counts": counts, "batch": batch, "half": half})


def _load() -> tuple[Any, Any]:
    try:
        from sklearn.datasets import load_diabetes
    except ImportError as error:
        raise InvalidInput(
            "scikit-learn must be installed to load the diabetes table, got no such module: "
            "pip install 'fedassay[data]'."
        ) from error
    table, target = load_diabetes(return_X_y=True, scaled=False)
    return table, target


def _groups(values: Any, clients: int) -> Any:
    distinct, group = np.unique(values, return_inverse=True)
    if len(distinct) <= clients:
        return group
    require(1 <= clients <= 20, "clients", "in [1, 20]", clients, "ask for larger groups")
    cuts = np.quantile(values, np.arange(1, clients) / clients)
    return np.searchsorted(cuts, values, side="right")
