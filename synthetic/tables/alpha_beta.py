r"""Synthetic(alpha, beta): devices with their own linear classifier and their own features.

.. math:: y = \arg\max_c\,(W_k x + b_k)_c, \quad W_k, b_k \sim \mathcal N(u_k, 1),\quad
          x \sim \mathcal N(v_k, \Sigma),\ \Sigma_{jj} = j^{-1.2},\quad
          v_{kj} \sim \mathcal N(B_k, 1),\quad u_k \sim \mathcal N(0, \alpha),\
          B_k \sim \mathcal N(0, \beta)

The published generator has three quirks that are kept: one u_k is the mean of W_k and of b_k;
labels are the arg max, without noise; sizes are 50 plus the whole part of a log-normal number with
parameters (4, 2), so that a few devices hold most of the data. It takes alpha and beta as standard
deviations, where the formula reads as variances: ``reading`` chooses.

Source: fedbc.exp.synthetic; Li et al. 2020 (FedProx) and its generator.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bounds.numbers.shapes import Array
from bounds.numbers.validate import nonnegative, require

CLASSES, DIM = 10, 60
LEAST, LOG_MEAN, LOG_SPREAD = 50, 4.0, 2.0
READINGS = ("deviation", "variance")


@dataclass(frozen=True)
class Device:
    """Rows of one device.

    Attributes
    ----------
    features : array, (n, 60)
    labels : int array, (n,)
        0 to 9.
    weights, offsets : arrays, (60, 10) and (10,)
        W_k and b_k, from which the labels follow.
    """

    features: Array
    labels: Array
    weights: Array
    offsets: Array

    def split(self, share: float = 0.8) -> tuple[slice, slice]:
        """Rows for training and for testing; rows are in random order already."""
        cut = int(share * len(self.labels))
        return slice(0, cut), slice(cut, None)


def alpha_beta(
    clients: int = 30,
    *,
    alpha: float = 0.5,
    beta: float = 0.5,
    reading: str = "deviation",
    most: int | None = None,
    seed: int,
) -> list[Device]:
    """Draw the devices.

    Parameters
    ----------
    clients : int
    alpha, beta : float
        Spread of the classifiers and of the features over devices, at least 0.
    reading : {"deviation", "variance"}
        What alpha and beta are.
    most : int, optional
        Sizes are cut at this number; the published generator does not.
    seed : int

    Returns
    -------
    list of Device

    Examples
    --------
    >>> [len(device.labels) for device in alpha_beta(3, seed=1)]
    [158, 332, 155]
    """
    require(clients >= 1, "clients", "at least 1", clients, "pass a positive int")
    require(reading in READINGS, "reading", f"one of {list(READINGS)}", reading, "choose one")
    nonnegative("alpha", alpha)
    nonnegative("beta", beta)
    rng = np.random.default_rng(seed)
    spreads = [x**0.5 if reading == "variance" else x for x in (alpha, beta)]
    sizes = LEAST + rng.lognormal(LOG_MEAN, LOG_SPREAD, clients).astype(int)
    sizes = np.minimum(sizes, most or sizes.max())
    means, centres = (rng.normal(0, s, clients) for s in spreads)
    scale = np.arange(1, DIM + 1) ** -0.6
    devices = []
    for k in range(clients):
        place = rng.normal(centres[k], 1, DIM)
        weights = rng.normal(means[k], 1, (DIM, CLASSES))
        offsets = rng.normal(means[k], 1, CLASSES)
        features = place + scale * rng.normal(size=(sizes[k], DIM))
        labels = np.argmax(features @ weights + offsets, axis=1)
        devices.append(Device(features, labels, weights, offsets))
    return devices
