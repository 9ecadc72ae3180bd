"""What the statements of the all-for-all paper share: places and weights."""

from __future__ import annotations

from bounds import generic as xp
from verify.claim import Array
from verify.world.world import World

APPENDIX_A, APPENDIX_D, APPENDIX_E = "Appendix A", "Appendix D", "Appendix E"
HIDDEN = "the constants and logarithms of the O~"


def mixing(rows: Array) -> Array:
    """Stochastic matrix (..., N, N) or vector (..., N) with these positive rows."""
    return rows / xp.total(rows)[..., None]


def gram(mixing_matrix: Array) -> Array:
    """W = Lambda Lambda^T."""
    return xp.matmul(mixing_matrix, xp.transpose(mixing_matrix))


def mass(weights: Array) -> Array:
    """sum_j lambda_j^2 of a stochastic vector, or of each row of a matrix."""
    return xp.total(weights**2)


EXPECTATIONS = ("every-outcome", "in-mean")
SAMPLES = ("at-most", "rounded-up")
"""Options of the axes of these names."""


def number(w: World, option: str) -> Array:
    """The printed number of rounds, as far from the whole number ``rounds`` as its option allows."""
    away = w.fraction if option == "at-most" else -w.fraction
    return w.rounds + away


def horizons(w: World, option: str) -> range:
    """Whole numbers of rounds that may be run: all within the printed number, or the next."""
    return range(1 if option == "at-most" else w.rounds, w.rounds + 1)
