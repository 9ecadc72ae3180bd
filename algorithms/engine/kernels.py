"""The kernels of numpy and OpenBLAS: the same ones on every x86-64 processor with AVX2.

Both pick at start the fastest kernel that the processor has, and with AVX-512 they round some
values of exp, log, powers and matrix products otherwise. A search that climbs turns a last digit
into another instance, so that two processors would give two ledgers. ``pin`` asks for the AVX2
kernels before either library loads; who wants others sets the variables, and the ledger says so.
"""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PINNED = {
    "OPENBLAS_CORETYPE": "Haswell",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
}
# numpy names its groups of features so since this version
NUMPY = (2, 4)


def pin(flags: set[str] | None = None) -> None:
    """Ask for the AVX2 kernels, in this process and in those it starts.

    Does nothing where the processor lacks AVX2 or FMA, where that cannot be read, with a numpy
    older than 2.4, and once numpy is loaded. A variable that is set already stays as it is.
    """
    if "numpy" in sys.modules or not {"avx2", "fma"} <= (_flags() if flags is None else flags):
        return
    if _numpy() < NUMPY:
        return
    for name, value in PINNED.items():
        os.environ.setdefault(name, value)


def kernels() -> str:
    """Which kernels this process asked for, as a ledger's environment says it."""
    asked = {name: os.environ.get(name) for name in PINNED}
    if asked == PINNED:
        return "AVX2"
    given = ", ".join(f"{name}={value}" for name, value in asked.items() if value is not None)
    return given or "the processor's own"


def _flags() -> set[str]:
    """The processor's features as Linux lists them; none elsewhere."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return set()
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return set()
    line = next((line for line in text.splitlines() if line.startswith("flags")), "")
    return set(line.partition(":")[2].split())


def _numpy() -> tuple[int, int]:
    try:
        major, minor = version("numpy").split(".")[:2]
    except PackageNotFoundError:
        return (0, 0)
    return int(major), int(minor)
