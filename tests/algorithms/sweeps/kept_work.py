"""A long run of two chunks, for a process that will be killed."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from algorithms.engine.run import Run, run_chunked
from algorithms.registry import load_method
from algorithms.sweeps.checkpoint import ResultFolder, run_kept
from synthetic.noise.sources import address_of, source_of
from synthetic.tables.streaming import two_clusters

CLIENTS, DIM, REPLICATES, LONG = 6, 3, 40, 400
HYPER = {"step_size": 0.02, "start": np.ones(DIM), "weights": "estimated"}


@dataclass
class Asked:
    """A source that writes down which rounds were drawn."""

    source: Any
    rounds: list[int] = field(default_factory=list)

    @property
    def address(self) -> Any:
        return address_of(self.source)

    def draw(self, t: int) -> torch.Tensor:
        self.rounds.append(t)
        drawn: torch.Tensor = self.source.draw(t)
        return drawn


def federation() -> Any:
    return two_clusters(DIM, CLIENTS, seed=1, sigma=np.ones(CLIENTS)).map(torch.as_tensor)


def noise(rows: range) -> Any:
    return source_of(federation(), 3, rows, load_method("all_for_one").slots(CLIENTS, HYPER))


def long_run(kept: ResultFolder, asked: list[int]) -> Run:
    return run_kept(
        kept,
        load_method("all_for_one"),
        federation(),
        HYPER,
        lambda rows: Asked(noise(rows), asked),
        REPLICATES,
        LONG,
        chunk=REPLICATES // 2,
        record=["weights"],
        seconds=0.05,
    )


def long_whole() -> Run:
    return run_chunked(
        load_method("all_for_one"),
        federation(),
        HYPER,
        noise,
        REPLICATES,
        LONG,
        chunk=REPLICATES // 2,
        record=["weights"],
    )


def stopped(folder: Path) -> bool:
    """Whether one chunk is done and the next one under way."""
    return len(list(folder.glob("*.npz"))) == 2


if __name__ == "__main__":
    torch.set_num_threads(1)
    long_run(ResultFolder(Path(sys.argv[1])), [])
