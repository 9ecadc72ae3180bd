r"""Whose rows help whom: models of the first halves, and their losses on the rows held out.

Every client's model is fitted to its own rows, to those of its group, of everybody, and of the
partners found for it: clients are added one by one, each time the one whose rows lower the
client's cross-validated loss the most, as long as one lowers it. Partners are found on the first
half alone; the second half then says what each model loses, with intervals, and whether the
partners help: by the mean difference of the losses on the same rows,

.. math:: \frac1m\sum_{j} \big(\ell(\theta_{alone}; j) - \ell(\theta_{partners}; j)\big).

Intervals are hulls of the percentile and the reflected interval of resampled rows. Models stay as
they were fitted, so that the intervals speak of these models, not of another first half's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.collaboration.tables import Array, ClientTables
from bounds.numbers.validate import in_interval, require

__all__ = ["Gains", "fitted", "held_out_gains", "partners_of", "row_losses"]

FOLDS = 5
"""Parts of a client's first half of which each is left out once (number)."""
SMALL_GAIN = 0.05
"""Gain that nobody needs a partner for (share of the loss alone)."""
NEWTON_STEPS, SMALL = 50, 1e-10
"""Steps at most of a logistic fit, and the length of the last one relative to the model."""


@dataclass(frozen=True)
class Gains:
    """Held-out losses of every client under four models, (N, 3) each: value, lower and upper end.

    Attributes
    ----------
    level : float
        Of every interval of a loss; those of ``gain`` hold for all clients together.
    alone, group, everybody, partners : arrays (N, 3)
        Mean losses of the held-out rows.
    gain : array (N, 3)
        Loss alone minus loss with the partners found; zero where there are none.
    found : tuple of tuples of int
        Partners of every client, without itself, in the order in which they were found.
    """

    level: float
    alone: Array
    group: Array
    everybody: Array
    partners: Array
    gain: Array
    found: tuple[tuple[int, ...], ...]

    def word(self, client: int) -> str:
        """``gains``, ``loses``, ``open``, or ``nobody``.

        The last where no partner was found, or the gain is at most `SMALL_GAIN` of the loss alone
        wherever it lies in its interval.
        """
        _, low, high = self.gain[client]
        if not self.found[client]:
            return "nobody"
        if low > 0 or high < 0:
            return "gains" if low > 0 else "loses"
        return "nobody" if high <= SMALL_GAIN * self.alone[client, 0] else "open"


def held_out_gains(
    estimate: ClientTables,
    held_out: ClientTables,
    groups: Sequence[Sequence[int]],
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Gains:
    """Fit on the first halves, compare on the second.

    Parameters
    ----------
    estimate, held_out : ClientTables
        Halves of the same clients.
    groups : sequence of sequences of int
        A partition of the clients.
    level : float
        In (0, 1).
    resamples : int
        Of the held-out rows, at least 100.
    seed : int
        Of folds and resamples.
    """
    in_interval("level", level, 0, 1, closed="neither")
    require(resamples >= 100, "resamples", "at least 100", resamples, "raise it")
    n = estimate.clients
    rng = np.random.default_rng(seed)
    together = {k: tuple(group) for group in groups for k in group}
    whole = fitted(estimate, range(n))
    made = []
    for k in range(n):
        found = partners_of(estimate, k, seed)
        models = {
            "alone": fitted(estimate, [k]),
            "group": fitted(estimate, together[k]),
            "everybody": whole,
            "partners": fitted(estimate, [k, *found]),
        }
        losses = {name: row_losses(held_out, k, model) for name, model in models.items()}
        rows = rng.integers(len(held_out.y[k]), size=(resamples, len(held_out.y[k])))
        ends = {name: _interval(loss, rows, level) for name, loss in losses.items()}
        # all clients' sentences together: the error is shared out among them
        ends["gain"] = _interval(losses["alone"] - losses["partners"], rows, 1 - (1 - level) / n)
        made.append((found, ends))
    columns = {name: np.array([ends[name] for _, ends in made]) for name in made[0][1]}
    return Gains(level=level, found=tuple(found for found, _ in made), **columns)


def partners_of(tables: ClientTables, client: int, seed: int = 0) -> tuple[int, ...]:
    """Clients whose rows lower this client's cross-validated loss, the most helpful one first."""
    order = np.random.default_rng([seed, client]).permutation(len(tables.y[client]))
    folds = np.array_split(order, FOLDS)
    found: list[int] = []
    best = _validated(tables, client, found, folds)
    while len(found) < tables.clients - 1:
        others = [k for k in range(tables.clients) if k != client and k not in found]
        losses = [_validated(tables, client, [*found, k], folds) for k in others]
        if min(losses) >= best:
            break
        best = min(losses)
        found.append(others[int(np.argmin(losses))])
    return tuple(found)


def fitted(tables: ClientTables, members: Sequence[int]) -> Array:
    """Model of the smallest mean loss over the rows of these clients, (d,)."""
    whole = tables.merged(list(members))
    return _fit(whole.X[0], whole.y[0], tables)


def row_losses(tables: ClientTables, client: int, model: Array) -> Array:
    """Loss of each of a client's rows, without the ridge, (n_k,)."""
    return _losses(tables.X[client] @ model, tables.y[client], tables.model)


# -- private helpers ---------------------------------------------------------------------


def _losses(inner: Array, labels: Array, model: str) -> Array:
    if model == "logistic":
        return np.asarray(np.logaddexp(0.0, -labels * inner))
    return np.asarray((inner - labels) ** 2 / 2)


def _validated(
    tables: ClientTables, client: int, partners: Sequence[int], folds: Sequence[Array]
) -> float:
    """Mean loss of the client's rows, each under the model of the other folds and the partners."""
    X, y = tables.X[client], tables.y[client]
    more_X = [tables.X[k] for k in partners]
    more_y = [tables.y[k] for k in partners]
    total = 0.0
    for fold in folds:
        rest = np.setdiff1d(np.arange(len(y)), fold)
        model = _fit(np.concatenate([X[rest], *more_X]), np.concatenate([y[rest], *more_y]), tables)
        total += float(_losses(X[fold] @ model, y[fold], tables.model).sum())
    return total / len(y)


def _fit(X: Array, y: Array, tables: ClientTables) -> Array:
    if tables.model != "logistic":
        return np.asarray(np.linalg.lstsq(X, y, rcond=None)[0])
    theta = np.zeros(X.shape[1])
    for _ in range(NEWTON_STEPS):
        share = 1 / (1 + np.exp(y * (X @ theta)))
        slope = -(X.T @ (y * share)) / len(y) + tables.ridge * theta
        bend = (X.T * (share * (1 - share))) @ X / len(y) + tables.ridge * np.eye(len(theta))
        step = np.linalg.solve(bend, slope)
        while _mean(X, y, theta - step, tables) > _mean(X, y, theta, tables) + SMALL:
            step = step / 2
        theta = theta - step
        if np.linalg.norm(step) <= SMALL * (1 + np.linalg.norm(theta)):
            break
    return theta


def _mean(X: Array, y: Array, theta: Array, tables: ClientTables) -> float:
    ridge = tables.ridge * float(theta @ theta) / 2
    return float(_losses(X @ theta, y, tables.model).mean()) + ridge


def _interval(losses: Array, rows: Array, level: float) -> tuple[float, float, float]:
    """Mean, and the hull of the percentile and the reflected interval of resampled means."""
    here = float(losses.mean())
    low, high = np.quantile(losses[rows].mean(1), [(1 - level) / 2, (1 + level) / 2])
    return here, float(min(low, 2 * here - high)), float(max(high, 2 * here - low))
