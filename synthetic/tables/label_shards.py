"""A synthetic classification task and its splits over clients: IID, or label-sorted shards.

Each of K labels is a cloud around its own direction; the target of the regression is the parity of
the label. Sorted by label and cut into contiguous shards, the data of a client come from a few
labels only.

Source: aggregation, Section 3 (data of the experiments), McMahan et al. 2017 (shards).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bounds.numbers.shapes import Array
from bounds.numbers.validate import positive, require
from synthetic.tables.logistic import RegularisedLogistic


@dataclass(frozen=True)
class LabelTask:
    """Rows with labels 0, ..., K - 1 and targets -1 or 1.

    Attributes
    ----------
    features : array, (rows, d)
        Without unit; the last column is one.
    labels : int array, (rows,)
    targets : array, (rows,)
        1 for even labels, -1 for odd ones.
    """

    features: Array
    labels: Array
    targets: Array


def label_task(
    rows: int, *, labels: int = 10, spread: float = 0.2, condition: float = 4.0, seed: int
) -> LabelTask:
    """Draw rows around K directions, equally many per label, in random order.

    Coordinate k has the scale condition^(-k/(K-1)), so that later labels are learnt more slowly.

    Parameters
    ----------
    rows : int
        A multiple of ``labels``.
    spread : float
        Standard deviation of every coordinate before scaling.
    condition : float
        Largest over smallest scale.
    """
    require(rows % labels == 0, "rows", f"a multiple of {labels}", rows, "round it")
    positive("spread", spread)
    positive("condition", condition)
    rng = np.random.default_rng(seed)
    drawn = rng.permutation(np.repeat(np.arange(labels), rows // labels))
    cloud = np.eye(labels)[drawn] + spread * rng.normal(size=(rows, labels))
    cloud *= condition ** (-np.arange(labels) / max(labels - 1, 1))
    features = np.concatenate([cloud, np.ones((rows, 1))], axis=1)
    return LabelTask(features, drawn, np.where(drawn % 2 == 0, 1.0, -1.0))


def even_split(task: LabelTask, clients: int) -> Array:
    """Row numbers (N, n) of an IID split: every client has every label equally often."""
    order = np.argsort(task.labels, kind="stable")
    kept = len(order) - len(order) % clients
    return order[:kept].reshape(-1, clients).T


def shard_split(task: LabelTask, clients: int, shard: int, *, seed: int) -> Array:
    """Row numbers (N, n) of a split by label-sorted shards of a given size.

    Rows are sorted by label and cut into contiguous shards; every client gets the same number of
    them at random. Larger shards leave a client with fewer labels.

    Parameters
    ----------
    shard : int
        Rows per shard; a client's number of rows is a multiple of it.
    """
    order = np.argsort(task.labels, kind="stable")
    count = len(order) // shard
    each = count // clients
    require(each >= 1, "shard", f"at most {len(order) // clients}", shard, "cut smaller shards")
    chosen = np.random.default_rng(seed).permutation(count)[: each * clients]
    shards = order[: count * shard].reshape(count, shard)
    return shards[chosen].reshape(clients, -1)


def split_problem(
    task: LabelTask, split: Array, *, ridge: float = 0.01, batch: int = 1
) -> RegularisedLogistic:
    """Regularised logistic regression of the targets on a split; centres at 0."""
    return RegularisedLogistic(
        {
            "X": task.features[split],
            "y": task.targets[split],
            "ridge": np.array(ridge),
            "batch": batch,
        }
    )


def accuracy(task: LabelTask, theta: Array) -> Array:
    """Share of rows on the right side, for models (..., d)."""
    return ((theta @ task.features.T) * task.targets > 0).mean(-1)


def label_imbalance(task: LabelTask, split: Array) -> float:
    """Mean total variation distance of a client's labels from those of all rows; 0 for IID."""
    count = int(task.labels.max()) + 1
    whole = np.bincount(task.labels, minlength=count) / len(task.labels)
    own = np.stack([np.bincount(task.labels[r], minlength=count) for r in split])
    share = own / own.sum(1, keepdims=True)
    return float(np.abs(share - whole).sum(1).mean() / 2)
