"""Walks on the line towards a minimum: mean distances from it and mean squares, round by round."""

from __future__ import annotations

from collections.abc import Iterator

from bounds import generic as xp
from synthetic.exact.runs import absolute_lattice
from verify.claim import Array
from verify.statements.allforall.quantities import added
from verify.terms.vocabulary import quantity
from verify.world.world import World

__all__ = ["Descent", "Paths", "Walk", "both", "horizons", "of_mean", "summed"]


def horizons(rounds: int, samples: str) -> list[int]:
    """Whole numbers of rounds that may be run: all within the printed number, or the next."""
    return [*(range(1, rounds) if samples == "at-most" else ()), rounds]


@quantity
def summed(w: World, share: Array, start: Array, step: Array, awake: Array, rounds: int) -> Array:
    """Sum of E |x^k| for k = 0..K of the walk that the world says."""
    return added(w.original("walk")(share, start, step, awake, rounds).distances)


@quantity
def of_mean(w: World, share: Array, start: Array, step: Array, rounds: int) -> Array:
    """E of |x^0 + ... + x^K|/(K + 1) of the walk that the world says."""
    return w.original("walk")(share, start, step, rounds).of_mean


class Walk:
    """E |x^k| and E |x^k|^2 for k = 0..K of :func:`~synthetic.exact.runs.absolute_lattice`."""

    def __init__(self, share: Array, start: Array, step: Array, awake: Array, rounds: int) -> None:
        tree = absolute_lattice(share, start, step, awake, rounds)
        places = tree.points[0][..., 0]
        self.distances = [xp.total(c * xp.absolute(places)) for c in tree.chances]
        self.squares = [xp.total(c * places**2) for c in tree.chances]


class Paths:
    """E |x^k| and E |x^k|^2 for k = 0..K, and E of |x^0 + ... + x^K|/(K + 1), on all outcomes.

    Every round the point moves by ``step`` towards 0 with chance (1 + share)/2, else away from it.
    """

    def __init__(self, share: Array, start: Array, step: Array, rounds: int) -> None:
        self._share, self._start, self._step = share[..., None], start[..., None], step[..., None]
        self._rounds = rounds

    @property
    def distances(self) -> list[Array]:
        """E |x^k|."""
        return [xp.total(c * xp.absolute(x)) for c, x, _ in self._outcomes()]

    @property
    def squares(self) -> list[Array]:
        """E |x^k|^2."""
        return [xp.total(c * x**2) for c, x, _ in self._outcomes()]

    @property
    def of_mean(self) -> Array:
        """E |x^0 + ... + x^K|/(K + 1)."""
        *_, (chance, _, added) = self._outcomes()
        return xp.total(chance * xp.absolute(added)) / (self._rounds + 1)

    def _outcomes(self) -> Iterator[tuple[Array, Array, Array]]:
        """Chances, points and sums of points after each round, one after the other."""
        drift, point = self._share, self._start
        chance, added = 0 * point + 1, point
        yield chance, point, added
        for _ in range(self._rounds):
            side = xp.indicator(point > 0, point) - xp.indicator(point < 0, point)
            chance = both(chance * (1 + drift * side) / 2, chance * (1 - drift * side) / 2)
            point = both(point - self._step, point + self._step)
            added = both(added, added) + point
            yield chance, point, added


class Descent:
    """Values v(x^k) over ``largest`` and squares of x^k, subgradient descent on v.

    v(x) = slope |x| - aside x, no subgradient g of which is larger than ``largest``; each round
    moves by the share g/largest of ``step``.  As g x = v(x), x^2 changes by -2 step v/largest and
    by step^2 at most.
    """

    def __init__(
        self, start: Array, step: Array, rounds: int, slope: Array, aside: Array, largest: Array
    ) -> None:
        point = start
        self.distances, self.squares = [], []
        for _ in range(rounds + 1):
            self.distances.append((slope * xp.absolute(point) - aside * point) / largest)
            self.squares.append(point**2)
            side = xp.indicator(point >= 0, point) - xp.indicator(point < 0, point)
            point = point - step * (slope * side - aside) / largest


def both(down: Array, up: Array) -> Array:
    """Outcomes of one more draw, those of the last one beside each other."""
    return xp.stack([down, up], -1).reshape((*down.shape[:-1], -1))
