r"""Exact laws of models that absolute losses move by whole steps: many agents, long runs.

An agent f_i(x) = s_i |x - m_i| moves a model by plus or minus one length, or by a few lengths of
one unit, when it is drawn. The model stays on a lattice, and its law after k rounds takes as many
operations as there are places, whatever the number of agents.

Source: allforall, Equations 6 and 7, Algorithm 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bounds import generic as xp
from bounds.numbers.shapes import Array


@dataclass(frozen=True, eq=False)
class LatticeWalk:
    """Laws of a model on the places of a lattice.

    Attributes
    ----------
    places : array (..., P)
    chances : list of K + 1 arrays (..., P)
    """

    places: Array
    chances: list[Array]

    def mean(self, values: Array) -> Array:
        """Expectation of values at the places after each round, (..., K + 1)."""
        return xp.stack([xp.total(chance * values) for chance in self.chances], -1)


def block_walk(
    shares: Array, centres: Array, start: Array, step: Array, awake: Array, rounds: int
) -> LatticeWalk:
    """The model that agents with one row of weights share, under gradients of one size.

    In a round one of them is drawn with chance ``awake``; agent i moves the model by ``step``
    against the sign of x - m_i with chance (1 + share_i)/2, else along it.

    Parameters
    ----------
    shares, centres : arrays (..., c)
        s_i over the gradients' size, in [0, 1], and m_i.
    start, step, awake : arrays (...)
    rounds : int
    """
    places = xp.stack([start + j * step for j in range(-rounds, rounds + 1)], -1)
    down = awake[..., None] * (1 + mean_slope(shares, centres, places)) / 2
    up = awake[..., None] - down
    chance = _at(places, rounds)
    chances = [chance]
    for _ in range(rounds):
        after = (1 - awake[..., None]) * chance
        after[..., :-1] = after[..., :-1] + (down * chance)[..., 1:]
        after[..., 1:] = after[..., 1:] + (up * chance)[..., :-1]
        chance = after
        chances.append(chance)
    return LatticeWalk(places, chances)


def inward_walk(moves: Array, start: Array, unit: Array, agents: int, rounds: int) -> LatticeWalk:
    """The model of weighted averaging under exact gradients towards 0, of a few sizes.

    Each round one of the agents is drawn, number q of them; it moves the model by ``moves`` times
    the unit towards 0, and beyond.

    Parameters
    ----------
    moves : array of int (..., q), at most M
        Of the agents with a weight; the other agents - q move nothing.
    start, unit : arrays (...)
    agents, rounds : int
    """
    most = int(moves.max())
    reach = int(np.ceil(np.max(np.abs(start) / unit))) + most + 1
    lattice = np.arange(-reach, reach + 1)
    places = start[..., None] + lattice * unit[..., None]
    side = xp.indicator(places > 0, places) - xp.indicator(places < 0, places)
    counts = [xp.total(xp.indicator(moves == q, start)) for q in range(1, most + 1)]
    shares = [count[..., None] / agents for count in counts]
    rest = 1 - sum(shares) * xp.absolute(side)
    chance = _at(places, reach)
    chances = [chance]
    for _ in range(rounds):
        after = rest * chance
        for q, share in enumerate(shares, start=1):
            down, up = (share * chance * xp.indicator(sign * side > 0, side) for sign in (1, -1))
            after[..., :-q] = after[..., :-q] + down[..., q:]
            after[..., q:] = after[..., q:] + up[..., :-q]
        chance = after
        chances.append(chance)
    return LatticeWalk(places, chances)


def mean_slope(shares: Array, centres: Array, places: Array) -> Array:
    """Mean of s_i sign(x - m_i) at places (..., P)."""
    gap = places[..., None] - centres[..., None, :]
    return xp.mean(shares[..., None, :] * (xp.indicator(gap > 0, gap) - xp.indicator(gap < 0, gap)))


def mean_loss(shares: Array, centres: Array, places: Array) -> Array:
    """Mean of s_i |x - m_i| at places (..., P)."""
    return xp.mean(shares[..., None, :] * xp.absolute(places[..., None] - centres[..., None, :]))


def weighted_median(shares: Array, centres: Array) -> Array:
    """Where the mean of s_i |x - m_i| is least: the first of the m_i from below, (...)."""
    order = np.argsort(centres, axis=-1)
    centres, shares = (np.take_along_axis(x, order, -1) for x in (centres, shares))
    half = np.cumsum(shares, axis=-1) >= shares.sum(-1, keepdims=True) / 2
    return np.take_along_axis(centres, np.argmax(half, axis=-1)[..., None], -1)[..., 0]


def _at(places: Array, index: int) -> Array:
    chance = 0 * places
    chance[..., index] = chance[..., index] + 1
    return chance
