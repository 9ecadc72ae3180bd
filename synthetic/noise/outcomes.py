"""All outcomes of a finitely supported noise, with their probabilities, in any number kind."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from bounds.numbers.shapes import Array
from bounds.numbers.validate import require

KEPT = 4096
"""Outcomes up to which their digits are kept: a search asks for the same ones again and again."""


def enumerate_outcomes(
    support: tuple[Array, Array],
    rounds: int,
    slots: int,
    cap: int = 1 << 20,
    *,
    width: int = 1,
) -> tuple[Array, Array]:
    """Every value that the draws of a run can take.

    Parameters
    ----------
    support : (values, probabilities)
        The law of one word. Each ``(S,)`` for one law everywhere, ``(N, S)`` with N dividing
        `slots` for one law per client (slot s takes row s mod N, the canonical order), or
        ``(B, N, S)`` for one law per instance and client.
    rounds, slots, width : int
        Draws of one run are ``(rounds, slots, width)``, all words independent.
    cap : int
        Largest number of outcomes R = S^(rounds * slots * width) allowed.

    Returns
    -------
    draws : array ``(R, rounds, slots, width)`` or ``(B, R, rounds, slots, width)``
    weights : array ``(R,)`` or ``(B, R)``
        Probability of each outcome; the sum over R is 1, exactly so for exact numbers.

    Raises
    ------
    InvalidInput
        If there are more than `cap` outcomes or the shapes disagree.

    Examples
    --------
    >>> import numpy as np
    >>> draws, weights = enumerate_outcomes((np.array([1., -1.]), np.array([.5, .5])), 1, 2)
    >>> draws[:, 0, :, 0].tolist(), weights.tolist()
    ([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]], [0.25, 0.25, 0.25, 0.25])
    """
    values, probabilities = support
    size = int(values.shape[-1])
    words = rounds * slots * width
    same = values.shape[-1] == probabilities.shape[-1]
    remedy = "give one probability per value"
    require(same, "probabilities", f"of length {size}", probabilities.shape[-1], remedy)
    _check_cap(size, words, cap)
    of = (size, rounds, slots, width)
    draws, chances = _pick(values, of), _pick(probabilities, of)  # (..., rounds, slots, width, R)
    chances = chances.reshape((*chances.shape[:-4], words, chances.shape[-1]))
    return draws.swapaxes(-1, -2).swapaxes(-2, -3).swapaxes(-3, -4), chances.prod(-2)


def _check_cap(size: int, words: int, cap: int) -> None:
    # compare through the exponent first: size**words may have thousands of digits
    fits = size == 1 or (words <= cap.bit_length() and size**words <= cap)
    remedy = "shorten the run, use fewer clients, or simulate"
    require(fits, "outcomes", f"at most {cap} in number", f"{size}^{words}", remedy)


def _digits(size: int, rounds: int, slots: int, width: int, rows: int = 1) -> Any:
    """Which value each word takes in each outcome, (rounds, slots, width, R).

    A number below ``size``, plus ``size`` times the row of the slot where there are several.
    Outcomes come last, here as in what is made of them: long rows are faster than many short ones.
    """
    words = rounds * slots * width
    powers = [[size ** (words - 1 - j)] for j in range(words)]
    digits = np.arange(size**words) // np.array(powers, dtype=np.int64).reshape(words, 1) % size
    digits = digits.reshape(rounds, slots, width, size**words)
    places = digits + (np.arange(slots) % rows * size)[:, None, None]
    places.flags.writeable = False  # it is kept
    return places


_kept_digits = lru_cache(maxsize=64)(_digits)


def _pick(table: Array, of: tuple[int, int, int, int]) -> Array:
    """Look the digits of outcomes up in a table (S,), (N, S) or (B, N, S)."""
    digits = _kept_digits if of[0] ** (of[1] * of[2] * of[3]) <= KEPT else _digits
    if table.ndim == 1:
        return table[digits(*of).copy()]
    (rows, size), slots = table.shape[-2:], of[2]
    remedy = "give one law, or one per client with the slots a multiple of the clients"
    require(slots % rows == 0, "slots", f"a multiple of {rows}", slots, remedy)
    flat = table.reshape(*table.shape[:-2], rows * size)
    places = digits(*of, rows)
    return flat.take(places, -1) if isinstance(flat, np.ndarray) else flat[..., places.copy()]
