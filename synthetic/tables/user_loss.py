"""Losses written by the user for one sample, batched over samples, clients and replicates."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import torch
from torch.func import grad, vmap

from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.fields import Field, is_tensor, read_fields
from synthetic.tables.row_numbers import RowNumbers
from synthetic.tables.rows import integers, pick_rows

Tensor = torch.Tensor


class UserLoss(RowNumbers):
    r"""R_k(theta) = (1/n_k) sum_j loss(theta, s_kj), with minibatches drawn with replacement.

    Data
    ----
    samples : ``(..., N, n, p)``
        Rows of the clients, labels among them; shorter tables are padded with any finite rows.
    loss : callable
        ``loss(theta, sample)`` in plain torch: a model ``(d,)`` and one row ``(p,)`` to a number,
        differentiable and without decisions on values (``torch.where`` instead of ``if``).
    dim : int
        d.
    counts, batch
        See `RowNumbers`.
    sigma : ``(..., N)``, loss / length, > 0
        Claimed sigma_k of A2, for methods that ask for it.

    Notes
    -----
    Gradients come from ``torch.func``: ``vmap(grad(loss))``. What is not known of such a loss
    (minimisers, smoothness, heterogeneity) is not made up: asking for it is an error.

    Examples
    --------
    >>> rows = torch.tensor([[[1.0, 2.0], [3.0, 1.0]]])  # one client, two rows (x, y)
    >>> half = UserLoss({"samples": rows, "dim": 1,
    ...     "loss": lambda theta, s: (theta[0] * s[0] - s[1]) ** 2 / 2})
    >>> half.own_gradients(torch.zeros(1, 1))
    tensor([[-2.5000]])
    """

    name: ClassVar[str] = "user_loss"
    bounded_variance: ClassVar[bool] = False
    fields: ClassVar[dict[str, Field]] = {
        "samples": Field("N n p", (0, 0), required=True),
        "sigma": Field("N", (1, -1), sign="positive"),
    }
    options: ClassVar[dict[str, Any]] = {"loss": None, "dim": None}

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data, self.sizes, self.leading = read_fields(data, self.fields, self.options)
        dim = self.option("dim")
        whole = isinstance(dim, int) and dim >= 1
        require(whole, "dim", "a positive integer", dim, "pass a whole number")
        self.clients, self.dim = self.sizes["N"], int(dim)
        self.sizes = {**self.sizes, "d": self.dim}
        self.check()

    def check(self) -> None:
        """Check the rows, and that the loss is a number on one of them."""
        super().check()
        loss = self.option("loss")
        require(callable(loss), "loss", "a function of model and sample", loss, "pass one")
        if not is_tensor(self.data["samples"]):
            return  # tensors are asked for where gradients are
        row = self.data["samples"].reshape(-1, self.sizes["p"])[0]
        found = loss(row.new_zeros(self.dim), row)
        number = isinstance(found, Tensor) and found.ndim == 0
        shape = tuple(found.shape) if isinstance(found, Tensor) else type(found).__name__
        require(number, "loss", "one number per sample", shape, "sum or average what it returns")

    def sample_numbers(self, every: bool) -> int:
        """Twice the rows: they are copied, and what the loss makes of them is not known."""
        return 2 * super().sample_numbers(every)

    def per_row(self) -> Array:
        """The first entry of every row."""
        return self._table[..., 0]

    @cached_property
    def noise_variance(self) -> Array:
        """The claimed sigma_k^2, ``(..., N)``."""
        given = "sigma" in self.data
        require(given, "sigma", "given for a loss of one's own", None, "claim a variance bound")
        return self.data["sigma"] ** 2

    def own_losses(self, thetas: Array) -> Array:
        """R_k(theta_k), ``(..., N)``."""
        return (self.row_weights * self._each(self._loss, thetas, self._table)).sum(-1)

    def own_gradients(self, thetas: Array) -> Array:
        """Gradient of R_k at theta_k, ``(..., N, d)``."""
        each = self._each(grad(self._loss), thetas, self._table)  # (..., N, n, d)
        return (self.row_weights[..., None] * each).sum(-2)

    def own_stochastic_gradients(self, thetas: Array, u: Array) -> Array:
        """Minibatch gradients from row numbers ``(..., N, batch)``."""
        chosen = pick_rows(self._table, 1, integers(u))  # (..., N, batch, p)
        each = self._each(grad(self._loss), thetas, chosen)
        return each[..., 0, :] if self.batch == 1 else each.mean(-2)

    def own_gradient_variance(self, thetas: Array) -> Array:
        """(1/b) mean_j ||g_kj - grad R_k||^2."""
        each = self._each(grad(self._loss), thetas, self._table)
        gap = each - (self.row_weights[..., None] * each).sum(-2, keepdim=True)
        variance: Tensor = (self.row_weights * gap.square().sum(-1)).sum(-1) / self.batch
        return variance

    def heterogeneity(self, s: Any = 1) -> tuple[Array, Array]:
        """Not known of a loss of one's own."""
        require(False, "problem", "one that knows its heterogeneity", self.name, "use a family")
        raise AssertionError

    @property
    def _loss(self) -> Any:
        return self.option("loss")

    @property
    def _table(self) -> Tensor:
        table = self.data["samples"]
        remedy = "convert it with problem.map(torch.as_tensor)"
        require(is_tensor(table), "samples", "a tensor", type(table).__name__, remedy)
        return table  # type: ignore[no-any-return]

    def _each(self, function: Any, thetas: Tensor, samples: Tensor) -> Tensor:
        """function(theta_k, s) of every sample: ``(..., N, d), (..., N, b, p)`` to ``(..., N, b)``.

        One axis for all leading ones: a vmap over each of them costs more than it saves.
        """
        lead = np.broadcast_shapes(thetas.shape[:-1], samples.shape[:-2])
        points = thetas.expand(*lead, self.dim).reshape(-1, self.dim)
        rows = samples.expand(*lead, *samples.shape[-2:]).flatten(0, len(lead) - 1)
        found: Tensor = vmap(vmap(function, in_dims=(None, 0)))(points, rows)
        return found.reshape(*lead, *found.shape[1:])
