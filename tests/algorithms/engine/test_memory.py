"""A cap on memory is held: by grids, by graphs, and where a `reduce` gives views."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from algorithms.engine.compiler import compiler_at_hand
from tests.algorithms.engine.memory_work import APART, CAP, WORK
from tests.places import ROOT

MARGIN = 32
"""MiB: what is returned, twice while it is put together, and what the allocator has in pieces."""


def used(work: str) -> float:
    """In a fresh process: the most that was ever held is never forgotten."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.algorithms.engine.memory_work", work],
        text=True,
        check=True,
        capture_output=True,
        cwd=ROOT,
        timeout=300,
    )
    return float(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="counted in other units elsewhere")
@pytest.mark.parametrize(
    "work",
    [
        *("grid", "grid of pairs", "trace", "view"),
        pytest.param(
            "compiled",
            marks=[
                pytest.mark.slow,
                pytest.mark.skipif(
                    not compiler_at_hand(torch.device("cpu")), reason="no C++ compiler"
                ),
            ],
        ),
    ],
)
def test_a_run_stays_below_its_cap(work: str) -> None:
    assert used(work) < WORK[work][-1] + MARGIN


@pytest.mark.skipif(sys.platform != "linux", reason="counted in other units elsewhere")
@pytest.mark.parametrize("work", APART)
def test_samples_models_and_hessians_count_for_the_cap(work: str) -> None:
    assert used(work) < CAP + MARGIN
