r"""How many rounds each client needs for a precision: alone, All-for-one, all-for-all, in a group.

All are upper bounds of the rounds T after which, in at least half of the runs, the excess loss
:math:`E_i` has been at most :math:`\varepsilon`. By Markov's inequality it is enough that a bound
of its mean is :math:`\varepsilon/2`, for All-for-one that of the run stopped at
:math:`\varepsilon`, since the sufficient variance speaks only until then.

- Alone, and All-for-one: Corollary 1 of adaptive (repaired) with the steps C/(mu (gamma + t)),
  C = 2, and sigma_suf^2(eps) of the best point of every pair's trade-off curve.
- All-for-all: Theorem 4.2 of allforall (repaired) for the mean excess over the clients.
- Groups of hcct: the group's mean loss F by Corollary 1 again, then
  :math:`\sqrt{E_i} \le \sqrt{E_i(\theta_F)} + \sqrt{\kappa_i (F - F_*)}`: nothing is promised for a
  precision below the excess at the group's minimiser.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algorithms.collaboration.constants import (
    Constants,
    GroupConstants,
    federation_constants,
    group_constants,
)
from algorithms.collaboration.tables import Array, ClientTables
from algorithms.grouping.partition import Grouping, partition_clients
from bounds.adaptive_weights import step_ratio_binary_sharp, step_ratio_continuous_sharp
from bounds.allforall.rates import all_smooth_precision_step, all_smooth_rounds, close_weights
from bounds.complexity import sample_complexity_upper
from bounds.numbers.validate import positive, require
from bounds.rates import decreasing_shift
from bounds.sufficient import sufficient_cluster, sufficient_ratio, sufficient_variance

__all__ = ["FACTOR", "MISSED", "Forecast", "PhiRule", "best_point", "forecast"]

FACTOR = 2.0
"""C of the decreasing steps: smallest plateau C^2/(C - 1)."""
MISSED = 0.5
"""Part of the runs that may miss the precision."""
EIGENVALUE = 1e-9
"""Below this part of the largest one an eigenvalue of the mixing matrix counts as zero."""


@dataclass(frozen=True)
class PhiRule:
    """phi of All-for-one: ``continuous``, or ``binary`` with its threshold lambda in (0, 1]."""

    phi: str = "continuous"
    threshold: float | None = None

    def __post_init__(self) -> None:
        known = ("continuous", "binary")
        require(self.phi in known, "phi", f"one of {', '.join(known)}", self.phi, "choose one")
        if self.phi == "binary":
            ok = self.threshold is not None and 0 < self.threshold <= 1
            require(ok, "threshold", "in (0, 1]", self.threshold, "pass lambda")

    def step_ratio(self, sigma2: Array, asking: int) -> float:
        """Smallest (sigma_phi/sigma_psi)^2 over all ratios."""
        order = [asking, *(k for k in range(len(sigma2)) if k != asking)]
        if self.phi == "binary":
            return float(step_ratio_binary_sharp(sigma2[order], np.float64(self.threshold)))
        return float(step_ratio_continuous_sharp(sigma2[order]))


@dataclass(frozen=True)
class Forecast:
    """Predictions for P precisions and N clients; infinite where no number of rounds is enough.

    Attributes
    ----------
    precisions : array, (P,)
        eps; unit loss.
    bias, slope, ratio : arrays, (P, N, N)
        b_ik, c_ik and r_ik at the point of the curve that serves the precision best.
    members : array of bool, (P, N, N)
        The sufficient cluster of every asking client.
    alone, all_for_one, grouped : arrays, (P, N)
        Rounds.
    together, apart : arrays, (P,)
        Rounds of all-for-all, and of the same bound where nobody shares, for the mean excess.
    mixing : array, (P, N, N)
        Lambda of all-for-all.
    mixing_step : array, (P,)
        Its step size; length^2 / loss.
    step_ratio : array, (N,)
        q of All-for-one's steps.
    grouping : Grouping
    groups : tuple of GroupConstants
        In the order of ``grouping.groups``.
    """

    constants: Constants
    rule: PhiRule
    precisions: Array
    bias: Array
    slope: Array
    ratio: Array
    members: Array
    alone: Array
    all_for_one: Array
    grouped: Array
    together: Array
    apart: Array
    mixing: Array
    mixing_step: Array
    step_ratio: Array
    grouping: Grouping
    groups: tuple[GroupConstants, ...]

    def shift(self, i: int, ratio: float = 1.0) -> float:
        """Constant gamma of client i's own decreasing steps."""
        c = self.constants
        return float(decreasing_shift(FACTOR, c.mu[i], c.smoothness[i], ratio))


def forecast(
    tables: ClientTables,
    precisions: Array,
    *,
    batch: int = 1,
    rule: PhiRule | None = None,
    tradeoff: float | None = None,
    seed: int = 0,
) -> Forecast:
    """Predict from the clients' tables.

    Parameters
    ----------
    tables : ClientTables
    precisions : array, (P,)
        Positive; unit loss.
    batch : int
    rule : Rule, optional
        By default phi_cont.
    tradeoff : float, optional
        alpha of the groups, in rows; by default the mean number of rows of a client.
    seed : int
        Of the sampled models of the logistic loss.

    Returns
    -------
    Forecast
    """
    precisions = np.asarray(precisions, dtype=float)
    positive("precisions", precisions)
    rule = rule or PhiRule()
    constants = federation_constants(tables, batch, seed)
    n = tables.clients
    q = np.array([rule.step_ratio(constants.sigma2, i) for i in range(n)])
    points = [best_point(constants, eps) for eps in precisions]
    bias, slope, ratio = (np.stack([p[j] for p in points]) for j in range(3))
    settings: dict[str, Any] = {"phi": rule.phi, "threshold": rule.threshold}
    variance = np.stack(
        [
            [
                float(sufficient_variance(r[i], sigma2=constants.sigma2, **settings))
                for i in range(n)
            ]
            for r in ratio
        ]
    )
    grouping, groups = _groups(tables, tradeoff, seed)
    mixing, step, together, apart = _together(constants, precisions)
    return Forecast(
        constants,
        rule,
        precisions,
        bias,
        slope,
        ratio,
        np.asarray(sufficient_cluster(ratio, **settings)),
        _rounds(
            constants, precisions, np.broadcast_to(constants.sigma2, variance.shape), np.ones(n)
        ),
        _rounds(constants, precisions, variance, q),
        _grouped(constants, groups, grouping, precisions),
        together,
        apart,
        mixing,
        step,
        q,
        grouping,
        groups,
    )


def best_point(constants: Constants, precision: float) -> tuple[Array, Array, Array]:
    """b_ik, c_ik and r_ik of the slope that makes (1 - b^2/(2 mu eps) - c)_+ largest, (N, N)."""
    mu = constants.mu[:, None, None]
    level = np.float64(precision)
    # one asking client per leading entry: (N, C, N)
    bias, slope = (x.transpose(1, 0, 2) for x in (constants.squared_bias, constants.slope))
    loss = bias / (2 * mu * level) + slope
    best = loss.argmin(1)[:, None, :]
    b2, c = (np.take_along_axis(x, best, 1)[:, 0] for x in (bias, slope))
    ratio = np.asarray(sufficient_ratio(b2, c, constants.mu, level))
    return np.sqrt(b2), c, ratio


# -- private helpers ---------------------------------------------------------------------


def _rounds(constants: Constants, precisions: Array, variance: Array, q: Array) -> Array:
    """Corollary 1 for every precision and client, (P, N)."""
    mu, beta = constants.mu, constants.smoothness
    shift = decreasing_shift(FACTOR, mu, beta, q)
    needed = [
        sample_complexity_upper(constants.start_excess, mu, beta, v, MISSED * eps, FACTOR, shift)
        for eps, v in zip(precisions, variance, strict=True)
    ]
    out = np.ceil(np.stack(needed))
    return np.where(constants.start_excess <= precisions[:, None], 0.0, out)


def _groups(
    tables: ClientTables, tradeoff: float | None, seed: int
) -> tuple[Grouping, tuple[GroupConstants, ...]]:
    """Groups by the gradients at zero, and what each trains."""
    gradients = np.asarray(tables.problem().gradients(np.zeros(tables.dim)))
    alpha = float(tables.counts.mean()) if tradeoff is None else tradeoff
    found = partition_clients(gradients, tables.counts, tradeoff=alpha, names=tables.names)
    place = {name: k for k, name in enumerate(tables.names)}
    members = [tuple(place[name] for name in group) for group in found.groups]
    return found, tuple(group_constants(tables, group, seed) for group in members)


def _grouped(
    constants: Constants,
    groups: tuple[GroupConstants, ...],
    grouping: Grouping,
    precisions: Array,
) -> Array:
    """Rounds of every client's group for its own precision, (P, N)."""
    out = np.full((len(precisions), len(constants.mu)), np.inf)
    for report, i in zip(grouping.clients, range(len(constants.mu)), strict=True):
        group = groups[report.group]
        noise = float((group.shares**2 * constants.sigma2).sum())
        shift = float(decreasing_shift(FACTOR, group.mu, group.smoothness))
        for p, eps in enumerate(precisions):
            room = np.sqrt(eps) - np.sqrt(max(float(group.floor[i]), 0.0))
            if constants.start_excess[i] <= eps:
                out[p, i] = 0.0
            elif room > 0:
                out[p, i] = np.ceil(
                    sample_complexity_upper(
                        group.start_excess,
                        group.mu,
                        group.smoothness,
                        noise,
                        MISSED * room**2 / group.transfer[i],
                        FACTOR,
                        shift,
                    )
                )
    return out


def _together(constants: Constants, precisions: Array) -> tuple[Array, Array, Array, Array]:
    """Lambda, step and rounds of all-for-all, and rounds with everybody alone."""
    n = len(constants.mu)
    gap = np.float64(constants.start_excess.mean())
    mixings, steps, rounds, alone = [], [], [], []
    for eps in precisions:
        target = np.float64(MISSED * eps)
        close = np.asarray(close_weights(constants.value_bias, target))
        for mixing in (close, np.eye(n)):
            step, needed = _mixed(constants, mixing, gap, target)
            if mixing is close:
                mixings.append(mixing)
                steps.append(step)
                rounds.append(needed if gap > eps else 0.0)
            else:
                alone.append(needed if gap > eps else 0.0)
    return np.stack(mixings), np.array(steps), np.array(rounds), np.array(alone)


def _mixed(constants: Constants, mixing: Array, gap: Any, target: Any) -> tuple[float, float]:
    """Step size and rounds of Theorem 4.2 with the eigenvalues of Lambda Lambda^T."""
    n = len(constants.mu)
    spectrum = np.linalg.eigvalsh(mixing @ mixing.T)
    low = spectrum[spectrum > EIGENVALUE * spectrum[-1]][0]
    mu = constants.convexity.min()  # what a linear map of the models keeps; PL it does not
    step = all_smooth_precision_step(
        mu,
        constants.smoothness.max(),
        constants.sigma2.max(),
        n,
        (mixing**2).sum(),
        target,
        low,
        spectrum[-1],
    )
    return float(step), float(np.ceil(np.maximum(all_smooth_rounds(gap, mu, step, target, low), 0)))
