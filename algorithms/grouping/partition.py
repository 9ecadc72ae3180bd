r"""Who should train with whom: the greedy partition of a user's clients, and what each gains.

Clients are given by one gradient each and their numbers of samples, or by their own tables, whose
gradients of the mean squared error at a common model are then taken.

Source: hcct, Sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf
from typing import Any

import numpy as np

from algorithms.grouping.alpha_ranges import AlphaRange, alpha_ranges, range_around
from algorithms.grouping.hcct_optimum import LARGEST, best_partition, moves
from algorithms.grouping.hcct_partition import Clients, greedy_partition
from bounds.hcct.utility import independence_threshold
from bounds.numbers.validate import finite, require

__all__ = ["ClientReport", "Grouping", "NamedRange", "partition_clients", "table_gradients"]

Array = np.ndarray[Any, Any]


NAMED = 12
"""Members of a group that a wish still names one by one."""


@dataclass(frozen=True)
class ClientReport:
    """One client of a grouping.

    Attributes
    ----------
    name : str
    size : float
        Number of samples.
    group : int
        Number of its group, counted from 0.
    utility, alone : float
        In the group, and by itself.
    gain : float
        ``utility - alone``; negative if the client loses by joining.
    wish : str
        Where the client would rather be: empty if nowhere, ``alone``, the names of a group, or
        its number, counted from 1, where it has more than a dozen members.
    """

    name: str
    size: float
    group: int
    utility: float
    alone: float
    gain: float
    wish: str


@dataclass(frozen=True)
class NamedRange:
    """An interval of alpha, in samples, that gives these groups, by the clients' names."""

    low: float
    high: float
    groups: tuple[tuple[str, ...], ...]

    def holds(self, alpha: float) -> bool:
        """Whether an alpha lies in it, ends included."""
        return self.low <= alpha <= self.high


@dataclass(frozen=True)
class Grouping:
    """A partition with everything a user asks of it.

    Attributes
    ----------
    groups : tuple of tuples of str
        Names of the clients of each group.
    utility : float
        Total utility.
    optimum : float or None
        Largest total utility of any partition, None for more than twelve clients.
    optimal_groups : tuple of tuples of str, or None
    independence_threshold : float or None
        alpha up to which everybody stays alone, None for one client.
    ranges : tuple of NamedRange
        Ranges of alpha that give the same groups, from zero on; for more than twelve clients the
        one around the given alpha alone, for more than 48 none.
    benefits, cosines : int
        Evaluations of the greedy partition.
    clients : tuple of ClientReport
        In the order given.
    """

    groups: tuple[tuple[str, ...], ...]
    tradeoff: float
    offset: float
    order: str
    utility: float
    optimum: float | None
    optimal_groups: tuple[tuple[str, ...], ...] | None
    independence_threshold: float | None
    benefits: int
    cosines: int
    clients: tuple[ClientReport, ...]
    ranges: tuple[NamedRange, ...] = ()

    @property
    def stable(self) -> bool:
        """Whether no client wishes to move."""
        return not any(client.wish for client in self.clients)

    def to_json(self) -> dict[str, Any]:
        """Plain dictionary; :meth:`from_json` gives an equal grouping back."""
        out = asdict(self)
        for name in ("groups", "optimal_groups"):
            out[name] = None if out[name] is None else [list(group) for group in out[name]]
        out["clients"] = list(out["clients"])
        out["ranges"] = [
            {
                "low": one.low,
                "high": None if one.high == inf else one.high,
                "groups": [list(group) for group in one.groups],
            }
            for one in self.ranges
        ]
        return {"schema": "fedassay-grouping/1", **out}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Grouping:
        """Read what :meth:`to_json` wrote."""
        fields = {k: v for k, v in raw.items() if k != "schema"}
        for name in ("groups", "optimal_groups"):
            if fields[name] is not None:
                fields[name] = tuple(tuple(group) for group in fields[name])
        fields["clients"] = tuple(ClientReport(**client) for client in fields["clients"])
        fields["ranges"] = tuple(
            NamedRange(
                one["low"],
                inf if one["high"] is None else one["high"],
                tuple(tuple(group) for group in one["groups"]),
            )
            for one in fields.get("ranges", ())
        )
        return cls(**fields)


def partition_clients(
    gradients: Any,
    sizes: Any,
    *,
    tradeoff: float,
    offset: float = 0.0,
    order: str = "text",
    names: Sequence[str] | None = None,
) -> Grouping:
    """Group clients greedily and compare with the optimum and with everybody alone.

    Parameters
    ----------
    gradients : array, shape (N, d)
        One update per client at the models they hold. Unit: loss / length, any common scale.
    sizes : array, shape (N,)
        Numbers of samples, positive.
    tradeoff : float
        alpha >= 0, in samples: what more data is worth against similar gradients.
    offset : float
        beta, added to every utility.
    order : {"text", "box"}
        Place of the stopping rule, see :func:`algorithms.grouping.hcct_partition.greedy_partition`.
    names : sequence of str, optional
        Default 1, 2, ...

    Returns
    -------
    Grouping

    Raises
    ------
    InvalidInput
        On wrong shapes or values, or names that are not one per client and different.

    Examples
    --------
    >>> found = partition_clients([[1, 0], [1, 0], [0, 1]], [20, 80, 100], tradeoff=10)
    >>> found.groups, found.stable
    ((('1', '2'), ('3',)), True)
    """
    known = Clients(gradients, sizes, tradeoff, offset)
    called = [str(k + 1) for k in range(known.count)] if names is None else [str(n) for n in names]
    require(
        len(called) == known.count and len(set(called)) == known.count,
        "names",
        f"{known.count} different ones",
        f"{len(called)}, of which {len(set(called))} different",
        "give every client a name of its own",
    )
    found = greedy_partition(known, order=order)

    def spelled(groups: Any) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(called[k] for k in group) for group in groups)

    best = best_partition(known) if known.count <= LARGEST else None
    number = {client: j for j, group in enumerate(found.groups) for client in group}
    reports = tuple(
        ClientReport(
            called[m.client],
            float(known.sizes[m.client]),
            number[m.client],
            m.utility,
            m.alone,
            m.utility - m.alone,
            _wish(m.target, called, number),
        )
        for m in moves(known, found.groups)
    )
    threshold = None
    if 1 < known.count <= 4 * LARGEST:
        threshold = float(independence_threshold(known.gradients, known.sizes))
    return Grouping(
        spelled(found.groups),
        float(tradeoff),
        float(offset),
        order,
        found.utility,
        None if best is None else best.utility,
        None if best is None else spelled(best.groups),
        threshold,
        sum(found.benefits),
        sum(found.cosines),
        reports,
        tuple(NamedRange(r.low, r.high, spelled(r.groups)) for r in _ranges(known, order)),
    )


def table_gradients(tables: Sequence[tuple[Any, Any]], model: Any = None) -> tuple[Array, Array]:
    """Gradients of each client's mean squared error/2 at a common model, and numbers of rows.

    Parameters
    ----------
    tables : sequence of (X, y)
        X of shape (n_k, d), y of shape (n_k,).
    model : array, shape (d,), optional
        Default zeros.

    Returns
    -------
    gradients : array (N, d)
        X^T (X w - y)/n_k. Unit: loss / length.
    sizes : array (N,)
    """
    rows = []
    for k, (features, labels) in enumerate(tables):
        x, y = np.asarray(features, dtype=float), np.asarray(labels, dtype=float)
        shape = f"shapes {x.shape} and {y.shape}"
        fits = x.ndim == 2 and y.shape == (len(x),) and len(x) > 0 and x.shape[1] > 0
        require(fits, f"table {k + 1}", "rows X (n, d) and labels y (n,)", shape, "align them")
        finite(f"table {k + 1}", np.concatenate([x.ravel(), y]))
        rows.append((x, y))
    require(bool(rows), "tables", "at least one", 0, "give every client its rows")
    widths = sorted({x.shape[1] for x, _ in rows})
    require(len(widths) == 1, "tables", "of one number of columns", widths, "align the features")
    w = np.zeros(widths[0]) if model is None else np.asarray(model, dtype=float)
    require(
        w.shape == (widths[0],),
        "model",
        f"one number for each of {widths[0]} columns",
        f"shape {w.shape}",
        "trim it",
    )
    finite("model", w)
    gradients = np.stack([x.T @ (x @ w - y) / len(x) for x, y in rows])
    return gradients, np.array([float(len(x)) for x, _ in rows])


def _ranges(known: Clients, order: str) -> tuple[AlphaRange, ...]:
    """All ranges of alpha of few clients, the one around alpha of more."""
    if known.count <= LARGEST:
        return alpha_ranges(known, order=order) or ()
    around = range_around(known, order=order) if known.count <= 4 * LARGEST else None
    return () if around is None else (around,)


def _wish(target: tuple[int, ...] | None, called: Sequence[str], number: Mapping[int, int]) -> str:
    if target is None:
        return ""
    if len(target) > NAMED:
        return f"in group {number[target[0]] + 1}"
    return "with " + ", ".join(called[k] for k in target) if target else "alone"
