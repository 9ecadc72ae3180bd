"""A cap on memory is held: by grids, by graphs, and where a `reduce` gives views."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from algorithms.engine.compiler import compiler_at_hand
from tests.algorithms.engine.memory_work import APART, CAP, WORK
from tests.patience import HANGS
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
        timeout=HANGS,
    )
    return float(done.stdout)


CAPS = {**{work: row[-1] for work, row in WORK.items()}, **dict.fromkeys(APART, CAP)}
FEW = ("grid",)
"""By default; a process of its own that loads torch takes seconds."""
COMPILED = pytest.mark.skipif(not compiler_at_hand(torch.device("cpu")), reason="no C++ compiler")


@pytest.mark.skipif(sys.platform != "linux", reason="counted in other units elsewhere")
@pytest.mark.parametrize(
    "work",
    [
        *FEW,
        *(pytest.param(w, marks=pytest.mark.slow) for w in CAPS if w not in (*FEW, "compiled")),
        pytest.param("compiled", marks=[pytest.mark.slow, COMPILED]),
    ],
)
def test_a_run_stays_below_its_cap(work: str) -> None:
    assert used(work) < CAPS[work] + MARGIN
