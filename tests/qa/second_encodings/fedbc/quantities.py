"""The symbols of "FedBC", from the raw data of a world of double wells on the line.

f_i(x) = a_i h((x - m_i)/l), h with slope 1 up to 1, -1 up to 3 and 1 beyond: wells at 0 and 4, a
hump at 2. Every quantity is taken from the losses and the run, nothing from the package's bounds.
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np

from bounds import generic as xp

__all__ = ["Rounds", "sampled"]

ROUNDING = 1e-9
"""Share of a well's width that floats may be off when they stand in it."""


def sampled(w: Any) -> Any:
    """Masks of every sequence of sampled sets, (1, R, T, N), all of one chance."""
    clients = w.problem.clients
    chosen = [
        [1 if i in subset else 0 for i in range(clients)]
        for subset in combinations(range(clients), int(w.S))
    ]
    return w.array([[list(rows) for rows in product(chosen, repeat=int(w.rounds))]])


class Rounds:
    """A run of Algorithm 1, with the constants of Assumptions 4.1 to 4.3.

    Parameters
    ----------
    w : World
        Of double wells; `w.participation` holds `sampled`.
    """

    def __init__(self, w: Any) -> None:
        self.w, self.problem = w, w.problem
        run = w.run()
        masks = w.participation
        count = masks.shape[1]
        if count > 1:
            w.outcome_weights = 0 * masks[..., 0, 0] + w.array(1) / count
        self.mask = masks
        self.T, self.N = int(w.rounds), w.problem.clients
        self.z = [run.server[..., t, 0] for t in range(self.T + 1)]
        self.multiplier = [run.multipliers[..., t, :] for t in range(self.T + 1)]
        after = [run.local_models[..., t, :, 0] for t in range(self.T)]
        self.x = [w.starts[..., 0] + 0 * after[0], *after]

    # -- losses at one point per device, (B, R, N) -------------------------------------------------

    def gradient(self, points: Any) -> Any:
        """f_i'(x_i)."""
        return self.problem.own_gradients(points[..., None])[..., 0]

    def loss(self, points: Any) -> Any:
        """f_i(x_i)."""
        return self.problem.own_losses(points[..., None])

    def lagrangian(self, t: int) -> Any:
        """L_i(x_i^t, z^t, lambda_i^t) of (8), (B, R, N)."""
        gap = (self.x[t] - self.z[t][..., None]) ** 2 - self.w.gamma
        return self.loss(self.x[t]) + self.multiplier[t] * gap

    def residual(self, t: int) -> Any:
        """e_i^{t+1}, the gradient of (10) after the local solve of round t."""
        away = self.x[t + 1] - self.z[t][..., None]
        return self.gradient(self.x[t + 1]) + 2 * self.multiplier[t] * away

    @cached_property
    def epsilon(self) -> Any:
        """The least epsilon of (10), over devices that solved, rounds and outcomes, (B, 1)."""
        virtual = self.w.has("virtual") and self.w.virtual
        found = []
        for t in range(self.T):
            square = self.residual(t) ** 2
            asked = square if virtual else square * self.mask[..., t, :]
            found.append(_most(asked))
        return xp.largest(xp.stack(found, -1))

    # -- constants -----------------------------------------------------------------------------

    @cached_property
    def stiffness(self) -> Any:
        """L_i = a_i / l^2, (B, 1, N): the slope of f_i' is that or its negative everywhere."""
        width = self.problem.data["width"]
        return self.problem.data["height"] / width[..., None] ** 2

    @property
    def L(self) -> Any:
        """max_i L_i, (B, 1)."""
        return xp.largest(self.stiffness)

    @property
    def C0(self) -> Any:
        """1 - lambda_max/(4L)."""
        return 1 - self.w.lambda_max / (4 * self.L)

    @cached_property
    def domain(self) -> tuple[Any, Any]:
        """Ends of X, (B, 1): the least interval with the run and a stationary point of each
        Lagrangian that was met; with `closed_domain`, of each that starts from a point of X."""
        points = [*self.x, *(z[..., None] + 0 * self.x[0] for z in self.z)]
        for t in range(self.T):
            z = self.z[t][..., None]
            points.append(self.problem.proximal(2 * self.multiplier[t], z)[..., 0])
        low = xp.smallest(xp.stack([-_most(-p) for p in points], -1))
        high = xp.largest(xp.stack([_most(p) for p in points], -1))
        return self._closed(low, high) if self.w.has("closed_domain") else (low, high)

    def _closed(self, low: Any, high: Any) -> tuple[Any, Any]:
        """The least interval around these ends at whose ends no f_i falls outwards.

        A device that pushes out at an end pushes as far as its next well; there it rests, and
        rounding must not send it on.
        """
        centre = self.problem.data["centre"][..., 0]
        width = self.problem.data["width"][..., None]
        for _ in range(2 * self.N):
            for end in (-1, 1):
                at = (low if end < 0 else high)[..., None] + 0 * centre
                place = (at - centre) / width
                inner = (place > ROUNDING) & (place < 2) if end < 0 else place < -ROUNDING
                outer = place > 4 + ROUNDING if end < 0 else (place > 2) & (place < 4 - ROUNDING)
                at = xp.where(inner, centre, xp.where(outer, centre + 4 * width, at))
                low, high = (xp.smallest(at), high) if end < 0 else (low, xp.largest(at))
        return low, high

    @property
    def diameter(self) -> Any:
        """R."""
        return self.domain[1] - self.domain[0]

    @property
    def printed_G(self) -> Any:
        """G = 16 R^4 + gamma_i^2 of (37), for the device of largest gamma."""
        return 16 * self.diameter**4 + xp.largest(self.w.gamma) ** 2

    @property
    def start_G(self) -> Any:
        """G of B_0: the same, or with `each_G` the least bound of (81), where it first appeared."""
        return self.steepest if self.w.has("each_G") else self.printed_G

    @cached_property
    def steepest(self) -> Any:
        """Largest |f_i'(x_i^T)|, (B, 1)."""
        return _most(xp.absolute(self.gradient(self.x[self.T])))

    @cached_property
    def delta(self) -> Any:
        """Largest |a f_i'(x) - b f_j'(x)| over pairs of devices, a and b in Lambda, x in X."""
        low, high = self.domain
        ends = (self.w.lambda_min, self.w.lambda_max)
        places = [low, high]
        for kink in (1, 3):
            width = self.problem.data["width"][..., None]
            for k in range(self.N):
                at = (self.problem.data["centre"][..., 0] + kink * width)[..., k]
                places.append(xp.minimum(xp.maximum(at, low), high))
        found = [0 * low]
        for place in places:
            slope = self.gradient(place[..., None] + 0 * self.stiffness)
            for i, j in combinations(range(self.N), 2):
                for a, b in product(ends, repeat=2):
                    found.append(xp.absolute(a * slope[..., i] - b * slope[..., j]))
        return xp.largest(xp.stack(found, -1))

    @cached_property
    def best(self) -> Any:
        """f(z^*), z^* the minimiser of f over X, (B, 1): stationary points of every piece."""
        low, high = self.domain
        places, width = [low, high], self.problem.data["width"][..., None]
        for pieces in product(((1, 0), (-1, 2), (1, 4)), repeat=self.N):
            signs = self.w.array([sign for sign, _ in pieces])
            shifts = self.w.array([shift for _, shift in pieces])
            pull = signs * self.stiffness
            total = pull.sum(-1)
            middle = (pull * (self.problem.data["centre"][..., 0] + shifts * width)).sum(-1)
            safe = xp.where(total == 0, 1 + 0 * total, total)
            places.append(xp.minimum(xp.maximum(middle / safe, low), high))
        values = [self.mean_loss(place) for place in places]
        return xp.smallest(xp.stack(values, -1))

    def mean_loss(self, place: Any) -> Any:
        """f = (1/N) sum_i f_i at one point."""
        return self.loss(place[..., None] + 0 * self.stiffness).sum(-1) / self.N

    def mean_gradient(self, place: Any) -> Any:
        """f' at one point."""
        return self.gradient(place[..., None] + 0 * self.stiffness).sum(-1) / self.N


def _most(values: Any) -> Any:
    """Largest over devices and outcomes, (B, R, N) to (B, 1)."""
    return np.max(xp.largest(values), axis=1, keepdims=True)
