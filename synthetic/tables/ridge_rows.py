r"""Smooth losses of the rows of a table plus a quadratic pull: base of logistic and log-cosh."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any, ClassVar

from bounds import generic
from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from synthetic.fields import Field, is_exact
from synthetic.tables.row_numbers import RowNumbers
from synthetic.tables.rows import integers, pick_rows

NEWTON_STEPS, HALVINGS = 60, 40


class RidgeRows(RowNumbers):
    r"""Mean of a smooth convex loss over a client's rows plus a quadratic pull towards a centre.

    .. math:: R_k(\theta) = \frac{a_k}{n_k}\sum_j h(u_{kj}(\theta)) + \frac\mu2\|\theta - c_k\|^2

    with u affine in <x_kj, theta>, of slope 1 or -1, and a scalar loss h of slope at most 1.

    Data
    ----
    X : ``(..., N, n, d)``, 1 / length
        Rows of the clients; shorter tables are padded with any finite rows.
    y : ``(..., N, n)``
        Labels.
    ridge : ``(...)``, loss / length^2, > 0
        mu, the strong convexity of every client.
    height : ``(..., N)``, loss, > 0
        a_k; default 1.
    optimum : ``(..., N, d)``, length
        The minimisers; the centres follow, ``c_k = o_k + grad(mean of rows)(o_k)/mu``.
    centre : ``(..., N, d)``, length
        The centres; the minimisers follow by Newton's method, in floats. Default 0. Give one of
        ``optimum`` and ``centre``.
    counts, batch
        See `RowNumbers`.

    Notes
    -----
    beta_k = mu + a_k lambda_max(X^T X/n) sup h'', from above. No row's gradient is longer than
    a_k |x|, so A2 holds on all of R^d with a_k^2 mean |x|^2/b; on a ball of radius r about a
    minimiser the second moment is at most (beta_k r)^2 plus that.
    """

    fields: ClassVar[dict[str, Field]] = {
        "X": Field("N n d", (0, -1), required=True),
        "y": Field("N n", (0, 0), required=True),
        "ridge": Field("", (1, -2), sign="positive", required=True),
        "height": Field("N", (1, 0), sign="positive"),
        "optimum": Field("N d", (0, 1)),
        "centre": Field("N d", (0, 1)),
    }
    constant_ranks: ClassVar[dict[str, int]] = {"centre": 2}
    flattest: ClassVar[int]
    """1 / sup h''."""

    # The scalar loss, elementwise.

    @abstractmethod
    def row_place(self, inner: Array, labels: Array) -> Array:
        """Link u of rows with this <x, theta> and label."""

    @abstractmethod
    def row_losses(self, places: Array) -> Array:
        """h(u)."""

    @abstractmethod
    def row_slopes(self, places: Array, labels: Array) -> Array:
        """Slope of h(u) along <x, theta>, a number in [-1, 1]."""

    @abstractmethod
    def row_bends(self, places: Array) -> Array:
        """h''(u)."""

    @abstractmethod
    def row_excess(self, places: Array, change: Array) -> Array:
        """h(u + change) above its tangent at u."""

    def check(self) -> None:
        """Check the rows, and that minimisers and centres are not both given."""
        super().check()
        both = "optimum" in self.data and "centre" in self.data
        require(not both, "centre", "absent where optimum is given", "both", "give one of them")

    def per_row(self) -> Array:
        """The labels."""
        return self.data["y"]

    @cached_property
    def height(self) -> Array:
        """a_k, ``(..., N)``."""
        if "height" in self.data:
            return self.data["height"]
        return generic.ones_like(self.data["y"][..., 0])

    @cached_property
    def centre(self) -> Array:
        """The c_k, ``(..., N, d)``."""
        if "optimum" in self.data:
            pull = self._pull(self.data["optimum"])
            return self.data["optimum"] + pull / generic.trailing(self.data["ridge"], 2)
        if "centre" in self.data:
            return self.data["centre"]
        return generic.zeros_like(self.data["X"][..., 0, :])

    @cached_property
    def optimum(self) -> Array:
        """The minimisers."""
        return self.data["optimum"] if "optimum" in self.data else self._newton()

    @cached_property
    def optimal_value(self) -> Array:
        """R_k at its minimiser."""
        return self.own_losses(self.optimum)

    def own_losses(self, thetas: Array) -> Array:
        """R_k(theta_k), ``(..., N)``."""
        return self.height * self.row_mean(self.row_losses(self.places(thetas))) + self._ridge(
            thetas - self.centre
        )

    def own_excess(self, thetas: Array) -> Array:
        """R_k minus its minimum, as a sum of Bregman distances."""
        before, after = self.places(self.optimum), self.places(thetas)
        apart = self.row_excess(before, after - before)
        return self.height * self.row_mean(apart) + self._ridge(thetas - self.optimum)

    def own_gradients(self, thetas: Array) -> Array:
        """Gradient of R_k at theta_k, ``(..., N, d)``."""
        ridge = generic.trailing(self.data["ridge"], 2)
        return self._pull(thetas) + ridge * (thetas - self.centre)

    def own_hessians(self, thetas: Array) -> Array:
        """Hessian of R_k at theta_k, ``(..., N, d, d)``."""
        table, ridge = self.data["X"], generic.trailing(self.data["ridge"], 3)
        weight = self._shared(self.height[..., None] * self.row_bends(self.places(thetas)))
        form = generic.matmul((weight[..., None] * table).swapaxes(-1, -2), table)
        return form + ridge * generic.eye(self.dim, table)

    def places(self, thetas: Array) -> Array:
        """Link u of every row at theta_k, ``(..., N, d)`` to ``(..., N, n)``."""
        return self.row_place(generic.dot(self.data["X"], thetas[..., None, :]), self.data["y"])

    @cached_property
    def client_smoothness(self) -> Array:
        """Mu + a_k lambda_max(X^T X/n) sup h''."""
        table = self.data["X"]
        if "counts" in self.data:
            form = generic.matmul(self._shared(table, 1).swapaxes(-1, -2), table)
        else:
            form = generic.matmul(table.swapaxes(-1, -2), table) / int(table.shape[-2])
        steep = self.height * generic.largest_eigenvalue(form) / self.flattest
        return steep + generic.trailing(self.data["ridge"])

    @cached_property
    def client_strong_convexity(self) -> Array:
        """Mu of every client."""
        return generic.trailing(self.data["ridge"]) + 0 * self.height

    def heterogeneity(self, s: Any = 1) -> tuple[Array, Array]:
        """b_ik^2 and c_ik = 0 of A3.

        The means over rows are bounded and the pulls differ by a constant:
        b_ik = `row_gaps` + mu |c_i - c_k|.
        """
        gap = self.centre[..., :, None, :] - self.centre[..., None, :, :]
        away = generic.sqrt(generic.squared_norm(gap)) * generic.trailing(self.data["ridge"], 2)
        bias = (self.row_gaps() + away) * (1 - generic.eye(self.clients, self.height))
        return bias**2, 0 * bias

    def row_gaps(self) -> Array:
        """How far the gradients of two clients' means over rows can be apart, ``(..., N, N)``.

        a_i m_i + a_k m_k with m the mean length of a client's rows.
        """
        length = self.height * self.row_mean(generic.sqrt(generic.squared_norm(self.data["X"])))
        return length[..., :, None] + length[..., None, :]

    @cached_property
    def noise_variance(self) -> Array:
        """a_k^2 mean |x|^2/b, a bound at every point."""
        square = self.row_mean(generic.squared_norm(self.data["X"]))
        return self.height**2 * square / self.batch

    def own_stochastic_gradients(self, thetas: Array, u: Array) -> Array:
        """Mini-batch gradients from row numbers ``(..., N, batch)``."""
        chosen = integers(u)
        features = pick_rows(self.data["X"], 1, chosen)  # (..., N, batch, d)
        labels = pick_rows(self.data["y"], 0, chosen)
        inner = generic.dot(features, thetas[..., None, :])
        slope = self.row_slopes(self.row_place(inner, labels), labels)
        pulled = generic.total(slope[..., None] * features, -2) / self.batch
        ridge = generic.trailing(self.data["ridge"], 2)
        return self.height[..., None] * pulled + ridge * (thetas - self.centre)

    def own_gradient_variance(self, thetas: Array) -> Array:
        """(1/b) mean_j |g_kj - grad R_k|^2: a sum of squares."""
        each = self.row_slopes(self.places(thetas), self.data["y"])[..., None] * self.data["X"]
        gap = self.height[..., None, None] * each - self._pull(thetas)[..., None, :]
        return self.row_mean(generic.squared_norm(gap)) / self.batch

    def _pull(self, thetas: Array) -> Array:
        """Gradient of the mean over rows, ``(..., N, d)``."""
        slope = self.row_slopes(self.places(thetas), self.data["y"])
        pulled = slope[..., None] * self.data["X"]
        if "counts" in self.data:
            mean = generic.total(self._shared(pulled, 1), -2)
        else:
            mean = generic.total(pulled, -2) / self.sizes["n"]
        return self.height[..., None] * mean

    def row_mean(self, values: Array) -> Array:
        """Mean over a client's rows, ``(..., N, n)`` to ``(..., N)``."""
        return (
            generic.total(self._shared(values)) if "counts" in self.data else (generic.mean(values))
        )

    def _shared(self, values: Array, trailing: int = 0) -> Array:
        """Each row's part of the mean."""
        if "counts" not in self.data:
            return values / self.sizes["n"]
        return generic.trailing(self.row_weights, trailing) * values

    def _ridge(self, away: Array) -> Array:
        return generic.trailing(self.data["ridge"]) * generic.squared_norm(away) / 2

    def _newton(self) -> Array:
        """Minimisers by damped Newton steps; every loss is strongly convex."""
        remedy = "give the minimisers as optimum"
        require(not is_exact(self.data["X"]), "centre", "a float array", "exact", remedy)
        theta = self.centre
        for _ in range(NEWTON_STEPS):
            step = generic.solve(self.own_hessians(theta), self.own_gradients(theta))
            theta = theta - generic.trailing(self._length(theta, step)) * step
        return theta

    def _length(self, theta: Array, step: Array) -> Array:
        """Power of 1/2 at which a Newton step does not raise the loss by more than rounding."""
        before, length = self.own_losses(theta), generic.ones_like(self.height + step[..., 0])
        for _ in range(HALVINGS):
            after = self.own_losses(theta - generic.trailing(length) * step)
            worse = after > before + 1e-12 * generic.absolute(before)
            if not worse.any():
                break
            length = generic.where(worse, length / 2, length)
        return length
