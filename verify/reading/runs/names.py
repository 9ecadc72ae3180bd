"""Names of the symbols in which claims about runs are read."""

from __future__ import annotations

__all__ = ["LOSS", "PAIR", "SLOPE", "STIFF", "name_after", "own_name"]

STIFF, SLOPE, LOSS = "stiffness", "slope_at", "loss_at"
"""Names of the smallest Lipschitz constants of the gradients, of slopes and of losses."""

PAIR = ("pair",)
"""Place of a formula about each ordered pair of clients, those of the first two marks."""


def name_after(trace: str, t: int, rounds: int) -> str:
    """Name of what a trace holds after t of so many rounds."""
    return f"{trace}_at_the_end" if t == rounds else f"{trace}_after_{t}"


def own_name(name: str) -> str:
    """Name of the symbol of a hyper-parameter, which no parameter of a family has."""
    return f"given_{name}"
