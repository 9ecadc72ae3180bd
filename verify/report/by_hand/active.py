"""What rests and what binds in a run and in the formulas of one witness, read off its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from verify.report.by_hand.shown import Shown, same
from verify.report.by_hand.told import NamedWorld
from verify.report.by_hand.writing import formula, size
from verify.report.tex.plain import unicode_text

__all__ = ["binding", "resting"]

WEIGHTS = ("weights", "alpha")
"""What the methods call the weights of their rounds; their last axis counts clients."""

ENDS = {"lambda_max": "upper", "lambda_min": "lower"}
"""Ends between which multipliers are projected."""

SHORT = 8
"""Names and numbers in a maximum that is told in a sentence."""

MOST = 2
"""Maxima and minima that are told."""


def resting(world: NamedWorld) -> Iterator[str]:
    """Clients of weight zero, models that never move, multipliers at an end of their range.

    Each is said only where it is so on every outcome of the noise.

    Parameters
    ----------
    world : NamedWorld
        After its sides were evaluated.

    Yields
    ------
    str
        Each once, however many runs the sides have asked for.
    """
    yield from dict.fromkeys(said for *_, made in world.runs_made for said in _of_run(world, made))


def _of_run(world: NamedWorld, made: Any) -> Iterator[str]:
    for name in WEIGHTS:
        path = made.extras.get(name)
        if path is None or path.ndim != 4 or not path.shape[2]:
            continue
        idle = [k for k in range(path.shape[3]) if not path[..., k].any()]
        if idle and len(idle) < path.shape[3]:
            yield f"{_clients(idle)} weight zero in every round"
    models = made.extras.get("models")
    if models is not None and models.ndim == 5 and models.shape[2] > 1:
        still = [k for k in range(models.shape[3]) if _same(models[..., k, :])]
        if still:
            yield f"{_clients(still)} a model that never moves"
    elif made.theta.shape[2] > 1 and _same(made.theta):
        yield "the model never moves"
    yield from _at_ends(world, made.extras.get("multipliers"))


def _at_ends(world: NamedWorld, multipliers: Any) -> Iterator[str]:
    if multipliers is None or multipliers.ndim != 4 or multipliers.shape[2] < 2:
        return
    moved = multipliers[:, :, 1:]
    if all(map(world.given, ENDS)) and same(*(_end(world, name) for name in ENDS)):
        return  # of one point there is nothing to say
    for name, end in ENDS.items():
        if not world.given(name):
            continue
        limit = _end(world, name)
        # what starts at an end and stays there is held by it, too
        held = [
            k for k in range(moved.shape[3]) if all(same(one, limit) for one in moved[..., k].flat)
        ]
        if held:
            yield f"{_clients(held)} a multiplier at the {end} end of its range after every round"


def _end(world: NamedWorld, name: str) -> Any:
    return np.asarray(world.names.plain(world.original(name)), dtype=object).reshape(-1)[0]


def binding(terms: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Which argument of a maximum or minimum counts, where one alone does.

    Parameters
    ----------
    terms : sequence of mappings
        Terms of both sides as formulas.
    """
    pieces = {p.key: p for side in terms for term in side.values() for p in _extremes(term)}
    for piece in list(pieces.values())[:MOST]:
        counts = [part for part in piece.parts if same(part.value, piece.value)]
        if len(counts) == 1 and size(piece, SHORT) <= SHORT:
            whole, part = (unicode_text(formula(one, False)) for one in (piece, counts[0]))
            yield f"{whole} is {part}"


def _extremes(term: Any) -> Iterator[Shown]:
    """Maxima and minima of a formula; a piece that it holds many times is looked at once."""
    open_ = [term] if isinstance(term, Shown) else []
    seen: set[int] = set()
    while open_:
        piece = open_.pop()
        if piece.key in seen:
            continue
        seen.add(piece.key)
        if piece.made in ("Max", "Min"):
            yield piece
        open_ += [part for part in piece.parts if isinstance(part, Shown)]


def _same(path: Any) -> bool:
    """Whether a path, its rounds on the third axis, stays where it begins."""
    first = np.broadcast_to(path[:, :, :1], path.shape)
    return all(map(same, path.flat, first.flat))


def _clients(which: Sequence[int]) -> str:
    listed = ", ".join(str(k + 1) for k in which)
    return f"client {listed} has" if len(which) == 1 else f"clients {listed} have"
