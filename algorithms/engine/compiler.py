"""Whether graphs can be compiled here, asked as torch asks it, and what is remembered of failures.

Torch reads the name of the C++ compiler once, from ``CXX`` or a default of the platform, and tries
no other: a compiler of another name is of no use to it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache

import torch
from torch._inductor import config, exc

__all__ = ["compiler_at_hand", "failed", "lacking"]

_BROKEN: dict[str, str] = {}
"""Kind of device -> how its compiler has failed in this process."""


def compiler_at_hand(device: torch.device) -> bool:
    """Whether graphs can be compiled here: a C++ compiler for a CPU, triton for a GPU."""
    return lacking(device) is None


def lacking(device: torch.device) -> str | None:
    """Why graphs cannot be compiled here; None where they can, as far as is known."""
    if device.type in _BROKEN:
        return _BROKEN[device.type]
    if device.type != "cpu":
        return None
    named = config.cpp.cxx if isinstance(config.cpp.cxx, tuple | list) else (config.cpp.cxx,)
    if any(name is None and os.environ.get("TORCH_INDUCTOR_INSTALL_GXX") for name in named):
        return None if sys.platform == "linux" else _advice(named)
    return None if any(_answers(name) for name in named if name) else _advice(named)


def failed(error: BaseException, device: torch.device) -> str:
    """One line on what failed; the compiler itself is not tried again in this process."""
    reason = (str(error).strip() or type(error).__name__).splitlines()[0]
    line = f"the compiler failed ({reason})"
    compiler = (exc.CppCompileError, exc.InvalidCxxCompiler)
    if any(isinstance(one, compiler) for one in _causes(error)):
        _BROKEN[device.type] = line
    return line


def _advice(named: tuple[str | None, ...] | list[str | None]) -> str:
    asked = " or ".join(repr(name) for name in named if name)
    return f"no C++ compiler was found (torch asks for {asked}): install g++, or set CXX to one"


@lru_cache
def _answers(name: str) -> bool:
    """Whether it runs and tells its version, which is how torch chooses."""
    try:
        done = subprocess.run([name, "--version"], capture_output=True, check=False, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, and those that it was raised from."""
    seen: set[int] = set()
    rest = [error]
    while rest:
        one = rest.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        inner = getattr(one, "inner_exception", None)
        rest += [one.__cause__, one.__context__, inner if isinstance(inner, Exception) else None]
