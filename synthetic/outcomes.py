"""All outcomes of a finitely supported noise, with their probabilities, in any number kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.numbers.shapes import Array
from bounds.numbers.validate import require


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
    outcomes = size**words
    powers = [size ** (words - 1 - j) for j in range(words)]
    digits = np.arange(outcomes)[:, None] // np.array(powers, dtype=np.int64) % size
    digits = digits.reshape(outcomes, rounds, slots, width)
    draws = _pick(values, digits)
    chances = _pick(probabilities, digits)
    weights = chances.reshape((*chances.shape[:-3], words)).prod(-1)
    return draws, weights


def _check_cap(size: int, words: int, cap: int) -> None:
    # compare through the exponent first: size**words may have thousands of digits
    fits = size == 1 or (words <= cap.bit_length() and size**words <= cap)
    remedy = "shorten the run, use fewer clients, or simulate"
    require(fits, "outcomes", f"at most {cap} in number", f"{size}^{words}", remedy)


def _pick(table: Array, digits: Any) -> Array:
    """Look digits (R, rounds, slots, width) up in a table (S,), (N, S) or (B, N, S)."""
    if table.ndim == 1:
        return table[digits]
    rows, slots = int(table.shape[-2]), digits.shape[-2]
    remedy = "give one law, or one per client with the slots a multiple of the clients"
    require(slots % rows == 0, "slots", f"a multiple of {rows}", slots, remedy)
    row = (np.arange(slots) % rows)[:, None]
    return table[..., row, digits]
