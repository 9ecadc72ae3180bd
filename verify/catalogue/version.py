"""The version, and what a ledger says of the machine it was made on."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from algorithms.engine.kernels import kernels

__version__ = "0.2.0"

LIBRARIES = ("numpy", "scipy", "sympy", "python-flint", "torch")


def environment(device: str) -> dict[str, str]:
    """Versions of everything that takes part in a number, without importing any of it."""
    return {
        "python": platform.python_version(),
        **{name: _version(name) for name in LIBRARIES},
        "platform": f"{platform.system()} {platform.machine()}",
        "kernels": kernels(),
        "device": device,
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"
