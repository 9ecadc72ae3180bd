"""scikit-learn's handwritten digits, split into clients by halves of the labels.

Source: adaptive, Definition S1 (cluster split) and Table S1; the digits stand in for Mnist.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bounds.numbers.shapes import Array
from bounds.numbers.validate import InvalidInput, require
from synthetic.tables.logistic import RegularisedLogistic

HALF = 5
"""Labels below it are the first cluster's, the others the second's."""


@dataclass(frozen=True)
class DigitSplit:
    """Clients with rows of one half of the labels, and the rows that nobody has.

    Attributes
    ----------
    problem : RegularisedLogistic
        Parity of the label, data with leading axis (R,), one split per seed.
    clusters : int array (N,)
        0 or 1, client k's is k mod 2.
    features : array (R, 2, m, d)
        Test rows of each cluster: 64 intensities in [0, 1] and a one.
    targets : array (R, 2, m)
        1 for even labels, -1 for odd ones.
    """

    problem: RegularisedLogistic
    clusters: Array
    features: Array
    targets: Array


def digit_clusters(
    clients: int = 20,
    rows: int = 40,
    *,
    batch: int = 4,
    ridge: float = 1e-4,
    seeds: Sequence[int] = (127,),
) -> DigitSplit:
    """Deal rows to clients: even clients get labels 0 to 4, odd ones 5 to 9.

    Parameters
    ----------
    clients : int
        N, even.
    rows : int
        Rows of every client.
    batch, ridge
        See `RegularisedLogistic`; centres at 0.
    seeds : sequence of int
        One split for each.

    Returns
    -------
    DigitSplit

    Raises
    ------
    InvalidInput
        If scikit-learn is missing, or there are not enough rows for a test set.
    """
    table, labels = _load()
    require(clients >= 2 and clients % 2 == 0, "clients", "even", clients, "fill both clusters")
    features = np.column_stack([table / 16, np.ones(len(table))])
    targets = np.where(labels % 2 == 0, 1.0, -1.0)
    halves = [np.flatnonzero(labels < HALF), np.flatnonzero(labels >= HALF)]
    given = clients // 2 * rows
    left = min(len(half) for half in halves) - given
    most = (min(len(half) for half in halves) - 1) // (clients // 2)
    require(rows >= 1 and left >= 1, "rows", f"in [1, {most}]", rows, "leave rows to test on")
    clusters = np.arange(clients) % 2
    own, test = [], []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        drawn = [rng.permutation(half) for half in halves]
        dealt = np.stack([half[:given].reshape(-1, rows) for half in drawn], 1)
        own.append(dealt.reshape(clients, rows))
        test.append(np.stack([half[given : given + left] for half in drawn]))
    chosen, kept = np.stack(own), np.stack(test)
    problem = RegularisedLogistic(
        {
            "X": features[chosen],
            "y": targets[chosen],
            "ridge": np.array(ridge),
            "batch": batch,
        }
    )
    return DigitSplit(problem, clusters, features[kept], targets[kept])


def _load() -> tuple[Array, Array]:
    try:
        from sklearn.datasets import load_digits
    except ImportError as error:
        raise InvalidInput(
            "scikit-learn must be installed to load the digits, got no such module: "
            "pip install 'fedassay[data]'."
        ) from error
    table, labels = load_digits(return_X_y=True)
    return table, labels
