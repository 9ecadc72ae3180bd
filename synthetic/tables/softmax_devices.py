"""Multinomial logistic regression on devices of unequal sizes, for the engine, with mini-batches.

Federations of several seeds stand side by side on a leading axis R. A point holds a (61, 10)
matrix, the last row of which are the offsets.

Source: fedbc, Appendix E (models, split of 80 to 20).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from bounds.numbers.validate import require
from synthetic.noise.philox import run_key
from synthetic.noise.places import check_dtype
from synthetic.noise.sources import Addressed
from synthetic.tables.alpha_beta import CLASSES, DIM, Device

Tensor = torch.Tensor
ROWS = 1 << 31
"""A draw is a whole number below this, uniform; a device maps it to one of its rows."""


@dataclass(frozen=True)
class Rows:
    """Rows of R federations, those of one seed one after another.

    Attributes
    ----------
    features : tensor, shape (R, M, 61)
        Last column 1; rows beyond a federation's own are zero.
    labels : tensor, shape (R, M)
        0 to 9.
    owner : tensor, shape (R, M)
        Device; N for rows that are none.
    sizes, first : tensors, shape (R, N)
        Rows of each device, and where they begin.
    """

    features: Tensor
    labels: Tensor
    owner: Tensor
    sizes: Tensor
    first: Tensor

    def means(self, values: Tensor) -> Tensor:
        """Means over each device's rows, (..., R, M) to (..., R, N)."""
        n = self.sizes.shape[-1]
        sums = values.new_zeros((*values.shape[:-1], n + 1))
        sums.scatter_add_(-1, self.owner.expand(values.shape), values)
        return sums[..., :n] / self.sizes


def rows_of(federations: Sequence[Sequence[Device]], part: int, dtype: torch.dtype) -> Rows:
    """Training rows (part 0) or test rows (part 1) of all devices."""
    counts = np.array([[len(d.labels[d.split()[part]]) for d in f] for f in federations])
    firsts = np.cumsum(counts, 1) - counts
    width, n = int(counts.sum(1).max()), counts.shape[1]
    features = np.zeros((len(federations), width, DIM + 1))
    labels = np.zeros((len(federations), width), int)
    owner = np.full((len(federations), width), n)
    for r, devices in enumerate(federations):
        for k, device in enumerate(devices):
            place = slice(firsts[r, k], firsts[r, k] + counts[r, k])
            features[r, place, :DIM] = device.features[device.split()[part]]
            features[r, place, DIM] = 1
            labels[r, place] = device.labels[device.split()[part]]
            owner[r, place] = k
    return Rows(
        torch.as_tensor(features, dtype=dtype),
        torch.as_tensor(labels),
        torch.as_tensor(owner),
        torch.as_tensor(counts),
        torch.as_tensor(firsts),
    )


class SoftmaxDevices:
    """Mean cross-entropy of each device's training rows, R federations of N devices.

    Parameters
    ----------
    federations : list of lists of Device
        R lists of equal length N.
    batch : int
        Rows per stochastic gradient, drawn with replacement; `noise_width`.
    dtype : torch dtype
    """

    def __init__(
        self,
        federations: Sequence[Sequence[Device]],
        batch: int = 10,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        numbers = {len(devices) for devices in federations}
        require(len(numbers) == 1, "federations", "of one size", sorted(numbers), "cut the longer")
        require(batch >= 1, "batch", "at least 1", batch, "pass a positive int")
        check_dtype(dtype)
        self.train, self.test = (rows_of(federations, part, dtype) for part in (0, 1))
        self.data = {"features": self.train.features}
        self.leading: tuple[int, ...] = (len(federations),)
        self.clients, self.dim = numbers.pop(), (DIM + 1) * CLASSES
        self.noise_width = batch

    def draws(self, seed: int, slots: int) -> Addressed:
        """Addressed rows of all local steps, one stream per federation."""
        return Addressed(
            "indices",
            run_key(seed),
            range(self.leading[0]),
            slots,
            self.noise_width,
            rows=[ROWS] * slots,
        )

    def losses(self, theta: Tensor) -> Tensor:
        """Every device's training loss at one point, (..., R, 610) to (..., R, N)."""
        return self.train.means(self._row_losses(self.train, theta))

    def accuracies(self, theta: Tensor, rows: Rows | None = None) -> Tensor:
        """Share of each device's rows, by default test rows, labelled rightly, (..., R, N)."""
        rows = rows or self.test
        right = self._scores(rows, theta).argmax(-1) == rows.labels
        return rows.means(right.to(theta.dtype))

    def own_accuracies(self, models: Tensor) -> Tensor:
        """Share of each device's test rows that its own model labels rightly.

        ``models`` has shape (R, N, 610); the result (R, N).
        """
        every = [self.accuracies(models[:, k])[:, k] for k in range(self.clients)]
        return torch.stack(every, -1)

    def own_losses(self, models: Tensor, rows: Rows | None = None) -> Tensor:
        """Every device's loss on its rows, by default training rows, at its own model, (R, N)."""
        every = [self._row_losses(rows or self.train, z) for z in models.unbind(1)]
        means = [(rows or self.train).means(x)[:, k] for k, x in enumerate(every)]
        return torch.stack(means, -1)

    def own_gradients(self, models: Tensor) -> Tensor:
        """Gradients of the training losses at one point per device, (R, N, 610)."""
        rows, slopes = self.train, []
        labels = torch.nn.functional.one_hot(rows.labels, CLASSES)
        for k, model in enumerate(models.unbind(1)):
            mine = (rows.owner == k)[..., None] / rows.sizes[:, k, None, None]
            residual = mine * (torch.softmax(self._scores(rows, model), -1) - labels)
            slopes.append((rows.features.mT @ residual.to(rows.features.dtype)).flatten(-2))
        return torch.stack(slopes, 1)

    def own_stochastic_gradients(self, points: Tensor, u: Tensor) -> Tensor:
        """Mini-batch gradients at one point per device, (R, N, 610).

        ``u``, shape (R, N, batch), holds whole numbers below `ROWS`: row floor(u n_k / ROWS).
        """
        rows = self.train
        at = (u.double() * rows.sizes[..., None] / ROWS).long() + rows.first[..., None]
        flat = at.flatten(-2) + torch.arange(len(at))[:, None] * rows.labels.shape[-1]
        features = rows.features.flatten(0, 1)[flat].reshape(*at.shape, DIM + 1)
        labels = rows.labels.flatten()[flat].reshape(at.shape)
        residual = torch.softmax(features @ _matrices(points), -1)  # (R, N, batch, 10)
        residual -= torch.nn.functional.one_hot(labels, CLASSES)
        slope: Tensor = features.mT @ residual / self.noise_width
        return slope.flatten(-2)

    def _scores(self, rows: Rows, theta: Tensor) -> Tensor:
        scores: Tensor = rows.features @ _matrices(theta)  # (..., R, M, 10)
        return scores

    def _row_losses(self, rows: Rows, theta: Tensor) -> Tensor:
        logs = torch.log_softmax(self._scores(rows, theta), -1)
        return -logs.gather(-1, rows.labels.expand(logs.shape[:-1])[..., None])[..., 0]


def _matrices(points: Tensor) -> Tensor:
    return points.reshape(*points.shape[:-1], DIM + 1, CLASSES)


def whole(values: Tensor, sizes: Any) -> Tensor:
    """Means over all rows from means over devices, (..., R, N) to (..., R)."""
    mean: Tensor = (values * sizes).sum(-1) / sizes.sum(-1)
    return mean
