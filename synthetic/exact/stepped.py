r"""Exact moments where all rounds are one affine map under different steps, axis by axis.

.. math:: \theta' = \theta - s_t (P\theta - q - \zeta_t), \qquad E\zeta_t = 0,
          \quad \mathrm{Cov}\,\zeta_t = Q, \quad P = P^\top

Along the axes of P every entry of mean and covariance goes its own way, so that a round costs d^2
operations in place of d^3, and all federations of a batch take it together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bounds.numbers.shapes import Array
from bounds.numbers.validate import require, symmetric
from synthetic.exact.moments import AffineMap, Moments


@dataclass(frozen=True)
class Stepped:
    """Rounds t = 0, 1, ... of one affine map under steps s_t.

    Attributes
    ----------
    pull : ``(..., d, d)``
        P, symmetric; unit loss / length^2.
    push : ``(..., d)``
        q; unit loss / length.
    covariance : ``(..., d, d)``
        Q, the same at every point.
    sizes : ``(..., T)``
        s_t, or one for all rounds (T = 1); unit length^2 / loss.
    """

    pull: Array
    push: Array
    covariance: Array
    sizes: Array

    def __post_init__(self) -> None:
        symmetric("pull", self.pull)

    def size(self, t: int) -> Array:
        """s_t, ``(...)``."""
        return self.sizes[..., t if self.sizes.shape[-1] > 1 else 0]

    def __call__(self, t: int) -> AffineMap:
        """Round t by itself."""
        size = self.size(t)[..., None]
        matrix = np.eye(self.pull.shape[-1]) - size[..., None] * self.pull
        return AffineMap(matrix, size * self.push, size[..., None] ** 2 * self.covariance)


@dataclass(frozen=True)
class Turned:
    """Moments in other coordinates: the state is ``axes`` times what they speak of.

    Attributes
    ----------
    path : Moments
    axes : ``(..., d, d)``
        Orthogonal, one coordinate per column.
    """

    path: Moments
    axes: Array

    def back(self) -> Moments:
        """Moments of the state itself."""
        turn = self.axes[..., None, :, :]
        mean = (turn @ self.path.mean[..., None])[..., 0]
        return Moments(mean, turn @ self.path.covariance @ turn.swapaxes(-1, -2))


def stepped_moments(
    rounds_of: Stepped, start: Array, rounds: int, start_covariance: Array | None = None
) -> Turned:
    """Follow mean and covariance for `rounds` rounds, in floats.

    Parameters
    ----------
    rounds_of : Stepped
    start : ``(..., d)``
        Starting point, or its mean; leading axes broadcast against those of the rounds.
    rounds : int
    start_covariance : ``(..., d, d)``, optional
        Default zero.

    Returns
    -------
    Turned
        Along the axes of P.
    """
    known = rounds_of.sizes.shape[-1]
    enough = known == 1 or known >= rounds
    require(enough, "sizes", f"one or {rounds} of them", known, "pass one for each round")
    values, axes = np.linalg.eigh(rounds_of.pull)
    across = axes.swapaxes(-1, -2)
    push = (across @ rounds_of.push[..., None])[..., 0]
    noise = across @ rounds_of.covariance @ axes
    mean = (across @ start[..., None])[..., 0] + 0 * push
    spread = 0 * noise if start_covariance is None else across @ start_covariance @ axes
    spread = spread + 0 * (mean[..., :, None] * mean[..., None, :])
    lead = np.broadcast_shapes(mean.shape[:-1], spread.shape[:-2], rounds_of.sizes.shape[:-1])
    dim = mean.shape[-1]
    means, spreads = np.empty((rounds + 1, *lead, dim)), np.empty((rounds + 1, *lead, dim, dim))
    means[0], spreads[0] = mean, spread
    for t in range(rounds):
        size = rounds_of.size(t)[..., None]
        kept = 1 - size * values
        means[t + 1] = kept * means[t] + size * push
        both = kept[..., :, None] * kept[..., None, :]
        spreads[t + 1] = both * spreads[t] + (size**2)[..., None] * noise
    path = Moments(np.moveaxis(means, 0, -2), np.moveaxis(spreads, 0, -3))
    return Turned(path, np.broadcast_to(axes, (*lead, dim, dim)))
