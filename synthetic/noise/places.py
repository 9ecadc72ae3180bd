"""Where tensors are, and in which numbers: what a source of draws can be asked for."""

from __future__ import annotations

import torch

from bounds.numbers.validate import require

__all__ = ["check_device", "check_dtype"]


def check_device(device: torch.device | str) -> None:
    """Refuse a device that torch does not know, or that is not there.

    Raises
    ------
    InvalidInput

    Examples
    --------
    >>> check_device("gpu")
    Traceback (most recent call last):
    ...
    bounds.numbers.validate.InvalidInput: device must be one that torch has here, got gpu: pass \
"cpu", or "cuda" with a GPU.
    """
    there = isinstance(device, str | int | torch.device)
    try:
        place = torch.device(device) if there else None
        there = place is not None and (place.type == "cpu" or _answers(place))
    except (RuntimeError, AssertionError, NotImplementedError):
        there = False
    require(there, "device", "one that torch has here", device, 'pass "cpu", or "cuda" with a GPU')


def check_dtype(dtype: torch.dtype) -> None:
    """Refuse numbers in which nothing is drawn: all but single and double precision.

    Raises
    ------
    InvalidInput

    Examples
    --------
    >>> check_dtype("double")
    Traceback (most recent call last):
    ...
    bounds.numbers.validate.InvalidInput: dtype must be torch.float32 or torch.float64, got \
'double': pass torch.float64.
    """
    known = isinstance(dtype, torch.dtype)
    require(
        dtype in (torch.float32, torch.float64),
        "dtype",
        "torch.float32 or torch.float64",
        dtype if known else repr(dtype),
        "draw in one of them and convert" if known else "pass torch.float64",
    )


def _answers(place: torch.device) -> bool:
    """Whether an accelerator is there, one of that number if it has one."""
    if place.type == "cuda":
        return torch.cuda.is_available() and (place.index or 0) < torch.cuda.device_count()
    torch.empty(0, device=place)
    return True
