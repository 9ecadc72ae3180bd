"""Eager runs with a bound of rounding beside every number, and comparisons within it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch

from algorithms.engine import run as engine
from algorithms.engine.run import Run, run
from synthetic.noise.sources import Addressed
from tests.rounding import Roundings, assert_same_but_for_rounding, of_draws

__all__ = ["agree", "bounded_run", "bounds_of", "watched"]


@contextmanager
def watched() -> Iterator[Roundings]:
    """While it is entered runs are bounded; a graph draws by other operations, hence the draws."""
    roundings, given = Roundings(), engine._draws

    def draws_of(noise: Any, t: int, *rest: Any) -> torch.Tensor:
        draws: torch.Tensor = given(noise, t, *rest)
        if isinstance(noise, Addressed):
            roundings.given(draws, of_draws(noise, t))
        return draws

    with pytest.MonkeyPatch.context() as patch, roundings:
        patch.setattr(engine, "_draws", draws_of)
        yield roundings


def bounds_of(found: Run, roundings: Roundings) -> Run:
    """How far each number of a run may be from the exact one."""
    return Run(
        roundings.of(found.theta), {name: roundings.of(x) for name, x in found.extras.items()}
    )


def bounded_run(*given: Any, **more: Any) -> tuple[Run, Run]:
    """An eager run, and its bounds."""
    with watched() as roundings:
        found = run(*given, **more)
    return found, bounds_of(found, roundings)


def agree(found: Run, wanted: Run, bounds: Run) -> None:
    """The same numbers but for rounding: two ways to compute one run, on the same data."""
    assert set(found.extras) == set(wanted.extras)
    assert_same_but_for_rounding(found.theta, wanted.theta, bounds.theta)
    for name, value in wanted.extras.items():
        assert found.extras[name].shape == value.shape
        assert_same_but_for_rounding(found.extras[name], value, bounds.extras[name])
