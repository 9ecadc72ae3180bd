"""How a job is measured: the best of several blocks, and the peak of the process's memory."""

from __future__ import annotations

import contextlib
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

BLOCKS = 5
"""Other work on a machine only ever slows a block down, so that the fastest is nearest the truth;
blocks of all variants of a job take turns, so that their ratios are of one moment."""


@dataclass(frozen=True)
class BenchLine:
    """One line of the table.

    Attributes
    ----------
    job, variant : str
    steps_per_cpu_second : float
        Client gradients, unless the variant names another unit; per second of the clock on an
        accelerator.
    ratio_to_serial : float or None
        To the serial numpy loop of the same work in the same run.
    share_of_generator_bound : float or None
        Of the rate at which the job's own noise can be drawn, by the same means.
    peak_bytes : int or None
        Largest resident memory of the process during the job, the libraries included; on an
        accelerator its own memory.
    agrees_with_exact : bool or None
        Whether the numbers met the exact ones; None where the line holds no numbers.
    """

    job: str
    variant: str
    steps_per_cpu_second: float
    ratio_to_serial: float | None = None
    share_of_generator_bound: float | None = None
    peak_bytes: int | None = None
    agrees_with_exact: bool | None = None


def rates(
    variants: dict[str, tuple[Callable[[], object], float]], seconds: float, device: torch.device
) -> dict[str, float]:
    """Steps per second of every variant, given as ``name: (call, steps per call)``.

    ``seconds`` is the time for each of them; one call at least is made per block.
    """
    calls, best = {}, dict.fromkeys(variants, 0.0)
    for name, (call, _) in variants.items():
        call()  # compiles, and fills caches
        once = timed(call, 1, device)
        calls[name] = max(1, int(seconds / BLOCKS / max(once, 1e-6)))
    for _ in range(BLOCKS):
        for name, (call, steps) in variants.items():
            best[name] = max(best[name], steps * calls[name] / timed(call, calls[name], device))
    return best


def with_peak(job: Callable[[], Any], device: torch.device) -> tuple[Any, int | None]:
    """What a job returns, and the peak of memory in bytes while it ran."""
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
        return job(), int(torch.cuda.max_memory_allocated(device))
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # Linux: forget the peak so far
    return job(), _peak()


def _peak() -> int:
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak if sys.platform == "darwin" else peak * 1024)


def timed(call: Callable[[], object], times: int, device: torch.device) -> float:
    """Seconds: of this process's processor time, of the clock on an accelerator."""
    clock = time.process_time
    if device.type == "cuda":
        clock = time.perf_counter
        torch.cuda.synchronize(device)
    begin = clock()
    for _ in range(times):
        call()
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return max(clock() - begin, 1e-9)
