"""Minibatches, and the rows of a table from which they are drawn with replacement."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any, ClassVar

from bounds import generic
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.fields import Field
from synthetic.problem import Problem
from synthetic.tables.rows import check_counts, row_counts, row_weights


class Minibatches(Problem):
    """A problem whose stochastic gradients are means over a batch.

    Data
    ----
    batch : int
        Samples per stochastic gradient; default 1.
    """

    options: ClassVar[dict[str, Any]] = {"batch": 1}

    def check(self) -> None:
        """Check the batch size."""
        valid = isinstance(self.option("batch"), int) and self.batch >= 1
        require(valid, "batch", "a positive integer", self.option("batch"), "use 1 or more")
        super().check()

    @property
    def batch(self) -> int:
        """Samples per stochastic gradient."""
        return int(self.option("batch"))


class RowNumbers(Minibatches):
    """A problem on tables: the draws are row numbers, so the noise has a finite law.

    Data
    ----
    counts : ``(..., N)``, default n
        Number n_k of true rows of each client; the first n_k rows count, shorter tables are padded
        with any finite rows.
    """

    fields: ClassVar[dict[str, Field]] = {"counts": Field("N", (0, 0), sign="positive")}
    constant_ranks: ClassVar[dict[str, int]] = {"row_weights": 2}

    @abstractmethod
    def per_row(self) -> Array:
        """Any array ``(..., N, n)`` of the problem's number kind."""

    def check(self) -> None:
        """Check the row counts."""
        super().check()
        if "counts" in self.data:
            check_counts(self.data["counts"], self.sizes["n"])

    @cached_property
    def row_weights(self) -> Array:
        """1/n_k on true rows and 0 on padding, ``(..., N, n)``."""
        return row_weights(self.per_row(), self.data.get("counts"))

    @property
    def rows(self) -> tuple[int, ...]:
        """n_k of every client, for noise sources; one instance only."""
        return row_counts(self.data.get("counts"), self.sizes["n"], self.clients)

    @property
    def law(self) -> str:
        """Row numbers."""
        return "samples"

    @property
    def noise_width(self) -> int:
        """One row number per sample of the batch."""
        return self.batch

    def sample_numbers(self, every: bool) -> int:
        """Rows of a batch, or all rows."""
        rows = max(self.batch, self.sizes["n"]) if every else self.batch
        return rows * int(self.sizes.get("p", self.dim))

    def noise_support(self) -> tuple[Array, Array]:
        """Row numbers 0, ..., n-1 and their probabilities, ``(..., N, n)``."""
        chances = self.row_weights
        return generic.ones_like(chances).cumsum(-1) - 1, chances
