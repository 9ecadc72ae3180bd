"""Float sums in another order, as another processor or library takes them: a switch for the tests.

``FEDASSAY_SUMS=reversed pytest tests/algorithms`` adds in the opposite order, ``shuffled`` in one
that depends on the number of terms alone.  It goes for torch's sums, means and products of
matrices, of floats, and for those of `bounds.generic` on numpy's arrays.  Two sums of as many
numbers still run in one order, as on any one processor, so that what promises equal bits keeps it.
Not reached: other processes and threads, compiled kernels, LAPACK, numpy's own operators.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from bounds import generic

VARIABLE = "FEDASSAY_SUMS"

ORDERS: dict[str, Callable[[int], list[int]]] = {
    "reversed": lambda count: list(range(count - 1, -1, -1)),
    "shuffled": lambda count: np.random.default_rng(count).permutation(count).tolist(),
}

PRODUCTS = {"mm": 0, "bmm": 0, "mv": 0, "dot": 0, "addmm": 1, "addmv": 1, "baddbmm": 1}
"""Products of matrices, and which argument is the first factor."""


class OtherOrder(TorchDispatchMode):
    """While it is entered, terms are put into that order before torch adds them."""

    def __init__(self, order: str) -> None:
        super().__init__()
        self.order, self.seen = ORDERS[order], 0

    def _ordered(self, x: torch.Tensor, axis: int) -> torch.Tensor:
        self.seen += 1
        index = torch.tensor(self.order(x.shape[axis]), device=x.device, dtype=torch.int64)
        return x.index_select(axis, index)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name, given = func.overloadpacket.__name__, list(args)
        if name in PRODUCTS and given[0].is_floating_point():
            first = PRODUCTS[name]
            one, other = given[first : first + 2]
            given[first] = self._ordered(one, one.ndim - 1)
            given[first + 1] = self._ordered(other, max(other.ndim - 2, 0))
        elif name in ("sum", "mean") and given[0].is_floating_point():
            axes = given[1] if len(given) > 1 and given[1] else range(given[0].ndim)
            for axis in [axes] if isinstance(axes, int) else axes:
                given[0] = self._ordered(given[0], axis % given[0].ndim)
        return func(*given, **(kwargs or {}))


@contextmanager
def in_order(order: str) -> Iterator[OtherOrder]:
    """Add in that order, of `ORDERS`."""
    with OtherOrder(order) as mode, _numpy(ORDERS[order]):
        yield mode


def sums() -> Any:
    """Add as the environment asks; as ever where it does not."""
    order = os.environ.get(VARIABLE, "")
    if order not in {"", *ORDERS}:
        raise ValueError(f"{VARIABLE} must be one of {', '.join(ORDERS)}, got {order}: name one")
    return in_order(order) if order else nullcontext()


@contextmanager
def _numpy(order: Callable[[int], list[int]]) -> Iterator[None]:
    """The same for `bounds.generic`, for whoever asks it by its name."""

    def plain(x: Any) -> bool:
        return isinstance(x, np.ndarray) and x.dtype.kind == "f"

    def of_one(name: str) -> Any:
        given = getattr(generic, name)

        def changed(x: Any, axis: int = -1) -> Any:
            return given(np.take(x, order(x.shape[axis]), axis) if plain(x) else x, axis)

        return changed

    def of_two(name: str, axis: int) -> Any:
        given = getattr(generic, name)

        def changed(x: Any, y: Any) -> Any:
            # both or none: an axis of length one may be meant for many, fractions stay as they are
            if plain(x) and plain(y) and y.ndim >= -axis and x.shape[-1] == y.shape[axis]:
                places = order(x.shape[-1])
                return given(np.take(x, places, -1), np.take(y, places, axis))
            return given(x, y)

        return changed

    changed = {name: of_one(name) for name in ("total", "mean")}
    changed |= {"dot": of_two("dot", -1), "matvec": of_two("matvec", -1)}
    changed["matmul"] = of_two("matmul", -2)
    before = {name: getattr(generic, name) for name in changed}
    for name, function in changed.items():
        setattr(generic, name, function)
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(generic, name, function)
