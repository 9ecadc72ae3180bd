"""Numbers behind the paper's claims on FedBC's curves, from the runs of a study.

Source: fedbc, Figures 3, 4, 7 to 12.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from bounds.numbers.shapes import Array
from bounds.numbers.validate import require
from figures.studies.fedbc.setup import METHODS, SERVER, TUNED_AT
from figures.studies.fedbc.synthetic import FedBCStudy

OURS = ("fedbc", SERVER)
FEW = 300
"""Rows that part small users from large ones in the paper's text."""


@dataclass(frozen=True)
class Measures:
    """Arrays over methods, starts, numbers E, runs and noted rounds.

    Methods (M) are in the order of `METHODS`, FedBC's two starts in that of `OURS`; there are K
    numbers E, R runs and P noted rounds.

    Attributes
    ----------
    clients : array, shape ()
    epochs : array, shape (K,)
    noted : array, shape (P,)
        Rounds at which losses are noted.
    loss : array, shape (M, K, P)
        Training loss, mean over runs.
    accuracy : array, shape (M, K, R)
        Global test accuracy after the last round, per cent.
    local : array, shape (M, K, R)
        Accuracy of the devices' own last models (with FedBC x_i, else z) on their own test rows,
        mean over devices, per cent.
    variance : array, shape (M, K, R)
        Variance over devices of the last model's test accuracy, squared per cent.
    user_gap : array, shape (M, K, R)
        Mean distance of the accuracies on the min and the max user over the second half of the
        rounds, per cent.
    user_worst : array, shape (M, K, R)
        Largest such distance in the last twentieth of the rounds, per cent.
    user_zero : array, shape (M, K, R)
        Share of rounds whose model labels nothing of the min user rightly, per cent.
    share_gap, size_gap : arrays, shapes (2, K) and (K,)
        Mean distance of the coefficients of min and max user by multipliers and by sizes.
    caught : array, shape (2, K)
        Share of the last tenth of the rounds, in per cent, in which the min user's coefficient is
        at least nine tenths of the max user's.
    small_more, large_less : arrays, shape (2,)
        Per cent of the devices under `FEW` rows whose multiplier's share exceeds their share of
        rows at the end, and of the others the reverse, at E = 5.
    early : array, shape (2,)
        Per cent of the devices whose multiplier moves further in the first quarter of the rounds
        than after it, at E = 5.
    """

    clients: Array
    epochs: Array
    noted: Array
    loss: Array
    accuracy: Array
    local: Array
    variance: Array
    user_gap: Array
    user_worst: Array
    user_zero: Array
    share_gap: Array
    size_gap: Array
    caught: Array
    small_more: Array
    large_less: Array
    early: Array

    @classmethod
    def names(cls) -> list[str]:
        """Names of the arrays."""
        return [f.name for f in fields(cls)]


def measure(found: FedBCStudy) -> Measures:
    """Every number, from the runs; E = 5 must be among them."""
    epochs = found.setup.epochs
    require(TUNED_AT in epochs, "epochs", "with 5 among them", epochs, "add 5")
    gap, worst, zero = _users(found)
    share_gap, size_gap, caught = _coefficients(found)
    more, less, early = zip(*(_multipliers(found, ours) for ours in OURS), strict=True)

    def table(get: Any) -> Array:
        return np.array([[get(found.runs[m, e]) for e in epochs] for m in METHODS])

    return Measures(
        clients=np.array(found.setup.clients),
        epochs=np.array(epochs),
        noted=np.arange(0, found.setup.rounds + 1, found.setup.every),
        loss=table(lambda run: run.loss.mean(0)),
        accuracy=table(lambda run: 100 * run.accuracy[:, -1]),
        local=table(lambda run: 100 * run.local.mean(-1)),
        variance=table(lambda run: (100 * run.by_device[:, -1]).var(-1)),
        user_gap=gap,
        user_worst=worst,
        user_zero=zero,
        share_gap=share_gap,
        size_gap=size_gap,
        caught=caught,
        small_more=np.array(more),
        large_less=np.array(less),
        early=np.array(early),
    )


def errors(found: FedBCStudy) -> dict[str, Array]:
    """Standard errors over the runs of what :func:`measure` gives as a mean over them."""
    epochs = found.setup.epochs
    loss = [[standard_error(found.runs[m, e].loss) for e in epochs] for m in METHODS]
    gaps, caught = np.empty((2, len(OURS), len(epochs)))
    for i, ours in enumerate(OURS):
        for j, steps in enumerate(epochs):
            low, high = extremes(found, found.runs[ours, steps].shares)
            last = slice(-max(1, low.shape[1] // 10), None)
            gaps[i, j] = standard_error(np.abs(low - high).mean(1))
            caught[i, j] = standard_error(100 * (low >= 0.9 * high)[:, last].mean(1))
    more, less, early = np.empty((3, len(OURS)))
    small = found.sizes < FEW
    for i, ours in enumerate(OURS):
        share, size = end_shares(found, ours, TUNED_AT)
        path = found.runs[ours, TUNED_AT].multipliers
        quarter = (path.shape[1] - 1) // 4
        moved = np.abs(path[:, quarter] - path[:, 0]) > np.abs(path[:, -1] - path[:, quarter])
        more[i] = standard_error(_percent(share > size, small))
        less[i] = standard_error(_percent(share < size, ~small))
        early[i] = standard_error(100 * moved.mean(1))
    return {
        "loss_error": np.array(loss),
        "share_gap_error": gaps,
        "caught_error": caught,
        "small_more_error": more,
        "large_less_error": less,
        "early_error": early,
    }


def standard_error(values: Array) -> Array:
    """Standard error of the mean over the first axis, that of the runs."""
    return np.asarray(np.std(values, axis=0, ddof=1) / len(values) ** 0.5)


def _percent(seen: Array, among: Array) -> Array:
    """Per cent of the devices of a kind on which something is seen, run by run."""
    return 100 * (seen & among).sum(1) / np.maximum(among.sum(1), 1)


def extremes(found: FedBCStudy, values: Array) -> tuple[Array, Array]:
    """Values of the sampled devices with the least and with the most rows, (R, T) each.

    ``values`` has shape (R, T, N), one number per device and round.
    """
    inside = found.sampled > 0
    sizes = np.broadcast_to(found.sizes[:, None], inside.shape)
    least = np.where(inside, sizes, np.inf).argmin(-1)
    most = np.where(inside, sizes, -np.inf).argmax(-1)
    low, high = (np.take_along_axis(values, k[..., None], -1)[..., 0] for k in (least, most))
    return low, high


def user_paths(found: FedBCStudy, method: str, steps: int) -> tuple[Array, Array]:
    """Test accuracies in per cent of z^1, z^2, ... on the min and the max user, (R, T) each."""
    return extremes(found, 100 * found.runs[method, steps].by_device[:, 1:])


def end_shares(found: FedBCStudy, ours: str, steps: int) -> tuple[Array, Array]:
    """Multipliers and rows of all devices at the end, each divided by its sum, (R, N)."""
    multipliers = found.runs[ours, steps].multipliers[:, -1]
    share = multipliers / np.maximum(multipliers.sum(-1, keepdims=True), 1e-300)
    return share, found.sizes / found.sizes.sum(-1, keepdims=True)


def _users(found: FedBCStudy) -> tuple[Array, Array, Array]:
    gap, worst, zero = np.empty((3, len(METHODS), len(found.setup.epochs), len(found.sizes)))
    for i, method in enumerate(METHODS):
        for j, steps in enumerate(found.setup.epochs):
            low, high = user_paths(found, method, steps)
            apart, rounds = np.abs(low - high), low.shape[1]
            gap[i, j] = apart[:, rounds // 2 :].mean(1)
            worst[i, j] = apart[:, -max(1, rounds // 20) :].max(1)
            zero[i, j] = 100 * (low == 0).mean(1)
    return gap, worst, zero


def _coefficients(found: FedBCStudy) -> tuple[Array, Array, Array]:
    epochs = found.setup.epochs
    by_size = [extremes(found, found.runs["fedavg", e].shares) for e in epochs]
    size_gap = np.array([np.abs(low - high).mean() for low, high in by_size])
    share_gap, caught = np.empty((2, len(OURS), len(epochs)))
    for i, ours in enumerate(OURS):
        for j, steps in enumerate(epochs):
            low, high = extremes(found, found.runs[ours, steps].shares)
            share_gap[i, j] = np.abs(low - high).mean()
            last = slice(-max(1, low.shape[1] // 10), None)
            caught[i, j] = 100 * (low >= 0.9 * high)[:, last].mean()
    return share_gap, size_gap, caught


def _multipliers(found: FedBCStudy, ours: str) -> tuple[float, float, float]:
    share, size = end_shares(found, ours, TUNED_AT)
    small = found.sizes < FEW
    path = found.runs[ours, TUNED_AT].multipliers
    quarter = (path.shape[1] - 1) // 4
    early = np.abs(path[:, quarter] - path[:, 0]) > np.abs(path[:, -1] - path[:, quarter])
    return (
        100 * float((share > size)[small].mean()),
        100 * float((share < size)[~small].mean()),
        100 * float(early.mean()),
    )
