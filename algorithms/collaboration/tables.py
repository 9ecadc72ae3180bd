"""Clients from one table: cut by a column, halved, and put into common coordinates.

One half of every client's rows is what constants and predictions are made from; the other half is
seen by the trial alone. Features are standardised and then whitened by the first half's pooled
second moment, labels not used, so that conditioning is not mistaken for heterogeneity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algorithms.collaboration.prepared import is_number, prepared
from bounds.numbers.asked import all_floats
from bounds.numbers.validate import InvalidInput, finite, positive, require
from synthetic.problem import Problem
from synthetic.tables.least_squares import LeastSquares
from synthetic.tables.logistic import RegularisedLogistic

__all__ = ["MODELS", "ClientTables", "Split", "split_table"]

Array = np.ndarray[Any, Any]

MODELS = ("least squares", "logistic")
MOST_CLIENTS = 30
DEPENDENT = 1e-8
"""Smallest eigenvalue of the pooled second moment, relative to the largest, that still counts."""


@dataclass(frozen=True)
class ClientTables:
    """Rows of every client in common coordinates.

    Attributes
    ----------
    names : tuple of str
    X : tuple of arrays, (n_k, d)
        Unit: loss^(1/2) / length for least squares, 1 / length for the logistic loss.
    y : tuple of arrays, (n_k,)
        Labels; 1 and -1 for the logistic loss.
    model : str
        One of `MODELS`.
    ridge : float
        Weight of |theta|^2/2 in every logistic loss; no part of least squares.
    """

    names: tuple[str, ...]
    X: tuple[Array, ...]
    y: tuple[Array, ...]
    model: str
    ridge: float

    @property
    def clients(self) -> int:
        """N."""
        return len(self.names)

    @property
    def dim(self) -> int:
        """Number of coordinates d."""
        return int(self.X[0].shape[1])

    @property
    def counts(self) -> Array:
        """n_k, (N,)."""
        return np.array([float(len(y)) for y in self.y])

    def problem(self, batch: int = 1, sigma2: Array | None = None) -> Problem:
        """The federation of the clients' mean losses; ``sigma2`` (N,) claims variances."""
        most = int(self.counts.max())
        X = np.zeros((self.clients, most, self.dim))
        y = np.ones((self.clients, most))
        for k, (rows, labels) in enumerate(zip(self.X, self.y, strict=True)):
            X[k, : len(rows)], y[k, : len(rows)] = rows, labels
        data: dict[str, Any] = {"X": X, "y": y, "counts": self.counts, "batch": batch}
        if self.model == "logistic":
            return RegularisedLogistic({**data, "ridge": np.array(self.ridge)})
        if sigma2 is not None:
            data["sigma"] = np.sqrt(sigma2)
        return LeastSquares({**data, "half": True})

    def merged(self, members: Sequence[int]) -> ClientTables:
        """One client that holds the rows of these: the mean of their losses by numbers of rows."""
        X = np.concatenate([self.X[k] for k in members])
        y = np.concatenate([self.y[k] for k in members])
        name = "+".join(self.names[k] for k in members)
        return ClientTables((name,), (X,), (y,), self.model, self.ridge)

    def take(self, rows: Sequence[Array]) -> ClientTables:
        """The same clients with these rows, numbers with repetition allowed."""
        pairs = list(zip(self.X, self.y, rows, strict=True))
        return ClientTables(
            self.names,
            tuple(x[r] for x, _, r in pairs),
            tuple(y[r] for _, y, r in pairs),
            self.model,
            self.ridge,
        )


@dataclass(frozen=True)
class Split:
    """Both halves of a table, and what was left out of them.

    Attributes
    ----------
    estimate, held_out : ClientTables
    features : tuple of str
        Columns behind the coordinates, in front of which stands an intercept.
    left_out : dict
        Client -> its number of rows, too small for a half of it to fix a model.
    notes : tuple of str
        What was done to the table's rows and columns, see :mod:`.prepared`.
    """

    estimate: ClientTables
    held_out: ClientTables
    features: tuple[str, ...]
    left_out: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def split_table(
    columns: Mapping[str, Sequence[str] | Array],
    client: str,
    target: str,
    *,
    features: Sequence[str] | None = None,
    model: str | None = None,
    groups: int | None = None,
    ridge: float = 0.1,
    seed: int = 0,
) -> Split:
    """Cut a table into clients and each client into halves.

    Parameters
    ----------
    columns : mapping
        Column name -> n values, text or numbers.
    client, target : str
        Column that tells clients apart, and the one to predict.
    features : sequence of str, optional
        Columns to predict from; by default all others.
    model : str, optional
        One of `MODELS`; by default logistic where the target has two values.
    groups : int, optional
        Cut a numeric client column at its quantiles into this many clients; by default every
        value is a client of its own.
    ridge : float
        See `ClientTables`.
    seed : int
        Of the halving.

    Returns
    -------
    Split

    Raises
    ------
    InvalidInput
        On unknown columns, one name in two spellings, dependent features, a target that does not
        fit the model, or fewer than two clients with enough rows.
    """
    for name in (client, target, *(features or ())):
        require(name in columns, "column", f"one of {', '.join(columns)}", name, "check the name")
    require(client != target, "target", "another column than the clients'", target, "name it")
    chosen = (
        tuple(c for c in columns if c not in (client, target))
        if not features
        else (tuple(dict.fromkeys(features)))
    )
    require(bool(chosen), "features", "at least one column", "none", "add a column")
    for name in (client, target):
        require(name not in chosen, "features", f"without {name}", ", ".join(chosen), "drop it")
    positive("ridge", ridge)
    ready = prepared(columns, client, target, chosen)
    columns, chosen = ready.columns, ready.features
    names, belongs = _clients(columns[client], client, groups)
    wanted = model or ("logistic" if len(set(map(str, columns[target]))) == 2 else MODELS[0])
    require(wanted in MODELS, "model", f"one of {', '.join(MODELS)}", wanted, "choose one")
    inputs = np.column_stack([numbers(name, columns[name]) for name in chosen])
    first = _halves(belongs, len(names), seed)
    rows = np.bincount(belongs, minlength=len(names))
    least = 2 * (len(chosen) + 1)
    kept = [k for k in range(len(names)) if rows[k] // 2 >= least]
    require(
        len(kept) >= 2,
        "clients",
        f"at least two with {2 * least} rows, twice the coefficients in each half",
        f"{len(kept)} of {len(names)}",
        "name fewer features or larger clients",
    )
    known = first & np.isin(belongs, kept)
    labels = _labels(columns[target], target, wanted, known)
    X = _coordinates(inputs, known, chosen)

    def half(mask: Array) -> ClientTables:
        chosen_rows = [mask & (belongs == k) for k in kept]
        return ClientTables(
            tuple(names[k] for k in kept),
            tuple(X[m] for m in chosen_rows),
            tuple(labels[m] for m in chosen_rows),
            wanted,
            float(ridge),
        )

    left_out = {names[k]: int(rows[k]) for k in range(len(names)) if k not in kept}
    return Split(half(first), half(~first), chosen, left_out, ready.notes)


def numbers(name: str, cells: Sequence[str] | Array) -> Array:
    """A column as floats."""
    try:
        if not all_floats(cells):
            raise ValueError("some cell is no number")
        values = np.asarray(cells, dtype=float)
    except ValueError:
        bad = next(str(cell) for cell in cells if not is_number(cell))
        raise InvalidInput(
            f"column {name} must hold numbers, got {bad!r}: name the features, or encode it."
        ) from None
    finite(f"column {name}", values, "fill the gaps or leave the column out")
    return values


# -- private helpers ---------------------------------------------------------------------


def _clients(
    cells: Sequence[str] | Array, column: str, groups: int | None
) -> tuple[list[str], Array]:
    """Names of the clients, and whose each row is."""
    if groups is None:
        texts = [str(cell) for cell in cells]
        names = sorted(set(texts), key=lambda t: (0, float(t), t) if is_number(t) else (1, 0.0, t))
        require(
            2 <= len(names) <= MOST_CLIENTS,
            f"column {column}",
            f"of 2 to {MOST_CLIENTS} different values",
            f"{len(names)}",
            "cut a numeric column into ranges (--clients N)",
        )
        place = {name: k for k, name in enumerate(names)}
        return names, np.array([place[text] for text in texts])
    require(2 <= groups <= MOST_CLIENTS, "clients", f"in [2, {MOST_CLIENTS}]", groups, "change it")
    values = numbers(column, cells)
    cuts = np.unique(np.quantile(values, np.arange(1, groups) / groups))
    belongs = np.searchsorted(cuts, values, side="right")
    used, belongs = np.unique(belongs, return_inverse=True)
    ends = ["", *(f"{cut:.4g}" for cut in cuts), ""]
    named = [f"{ends[k] or 'below'}..{ends[k + 1] or 'above'}" for k in used]
    require(len(named) >= 2, "clients", "at least two", len(named), "choose another column")
    return named, belongs


def _halves(belongs: Array, clients: int, seed: int) -> Array:
    """Which rows are in the first half: of every client one half, by chance."""
    rng = np.random.default_rng(seed)
    first = np.zeros(len(belongs), dtype=bool)
    for k in range(clients):
        rows = rng.permutation(np.flatnonzero(belongs == k))
        first[rows[: len(rows) // 2]] = True
    return first


def _labels(cells: Sequence[str] | Array, target: str, model: str, known: Array) -> Array:
    """1 and -1, or the target in standard deviations of the first half."""
    if model == "logistic":
        texts = np.array([str(cell) for cell in cells])
        values = sorted(set(texts))
        require(
            len(values) == 2,
            f"column {target}",
            "of two values for the logistic loss",
            len(values),
            "ask for least squares",
        )
        return np.where(texts == values[1], 1.0, -1.0)
    labels = numbers(target, cells)
    centre, spread = labels[known].mean(), labels[known].std()
    require(spread > 0, f"column {target}", "not constant", f"{centre:g}", "choose another")
    return np.asarray((labels - centre) / spread)


def _coordinates(inputs: Array, known: Array, names: Sequence[str]) -> Array:
    """Intercept and features, whitened by the second moment of the known rows."""
    centre, spread = inputs[known].mean(0), inputs[known].std(0)
    still = [name for name, s in zip(names, spread, strict=True) if not s > 0]
    require(not still, "features", "not constant", ", ".join(still), "leave them out")
    wide = np.column_stack([np.ones(len(inputs)), (inputs - centre) / spread])
    form = wide[known].T @ wide[known] / known.sum()
    sizes, axes = np.linalg.eigh(form)
    if sizes[0] <= DEPENDENT * sizes[-1]:
        heavy = [("intercept", *names)[j] for j in np.argsort(-np.abs(axes[:, 0]))[:3]]
        raise InvalidInput(
            "features must be linearly independent, got a combination near zero, mostly of "
            f"{', '.join(heavy)}: leave one of them out."
        )
    return np.asarray(wide @ (axes / np.sqrt(sizes)) @ axes.T)
