"""An accelerator that is not there: tensors that say they are elsewhere, and compute on the CPU.

An operation that mixes them with tensors of the CPU is an error, as it would be on a card; numbers
that are read back are counted, since each of them would wait for the card.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map

AWAY = torch.device("meta")
"""A kind of device that torch knows everywhere and starts nothing for."""


class Away(torch.Tensor):
    """A tensor elsewhere; ``here`` holds its numbers."""

    here: torch.Tensor

    @staticmethod
    def __new__(cls, here: torch.Tensor) -> Away:
        made: Away = torch.Tensor._make_wrapper_subclass(  # type: ignore[attr-defined]
            cls,
            here.shape,
            strides=here.stride(),
            storage_offset=here.storage_offset(),
            dtype=here.dtype,
            device=AWAY,
        )
        made.here = here
        return made

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise RuntimeError(f"{func} outside of the pretended accelerator")


class Pretended(TorchDispatchMode):
    """Inside, tensors made on or sent to `AWAY` are there.

    Attributes
    ----------
    read : list of str
        Operations that brought numbers back.
    """

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = dict(kwargs or {})
        given = [x for x in tree_flatten((args, kwargs))[0] if isinstance(x, torch.Tensor)]
        away = [x for x in given if isinstance(x, Away)]
        mixed = [x for x in given if not isinstance(x, Away) and x.ndim > 0]
        name = str(func)
        to = kwargs.get("device")
        if "device" in kwargs and kwargs["device"] is not None:
            kwargs["device"] = torch.device("cpu")
        moves = name.startswith(("aten._to_copy", "aten.copy_", "aten.index"))
        if away and mixed and not moves:
            raise RuntimeError(f"{name} mixes tensors of two devices")
        if name.startswith(("aten._local_scalar_dense", "aten.nonzero")) and away:
            self.read.append(name)
        # an index may be of the CPU: it is sent over
        goes = to is not None and torch.device(to).type == AWAY.type
        comes = to is not None and not goes
        if away and comes:
            self.read.append(name)
        args, kwargs = tree_map(_here, (args, kwargs))
        found = func(*args, **kwargs)
        there = (goes or bool(away)) and not comes
        if not there:
            return found
        return tree_map(lambda x: Away(x) if isinstance(x, torch.Tensor) else x, found)


class Made(TorchFunctionMode):
    """Sends what is made for `AWAY`: torch itself would make it without numbers."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = dict(kwargs or {})
        on = [x for x in tree_flatten(args)[0] if isinstance(x, Away)]
        if func is torch.Tensor.tolist and on:
            return torch.Tensor.to(args[0], "cpu").tolist()
        if func in (torch.Tensor.__getitem__, torch.Tensor.__setitem__) and isinstance(
            args[0], Away
        ):
            index = args[1] if isinstance(args[1], tuple) else (args[1],)
            listed = tuple(
                Away(torch.tensor(list(i))) if isinstance(i, list | range) else i for i in index
            )
            return func(args[0], listed, *args[2:])
        wanted = kwargs.get("device")
        placed = func is torch.Tensor.to and isinstance(args[-1], torch.device | str)
        if wanted is None and placed:
            wanted, args = args[1], (args[0], *args[2:])
            kwargs["device"] = wanted
        if wanted is None or torch.device(wanted).type != AWAY.type:
            return func(*args, **kwargs)
        kwargs["device"] = torch.device("cpu")
        if on:  # a tensor that is there already, as another kind of numbers
            kwargs.pop("device")
            return func(*args, **kwargs) if len(args) > 1 or kwargs else args[0]
        return Away(func(*args, **kwargs))


def _here(x: Any) -> Any:
    return x.here if isinstance(x, Away) else x


def sent(x: torch.Tensor) -> torch.Tensor:
    """A tensor there."""
    return Away(x)


def brought(x: torch.Tensor) -> torch.Tensor:
    """Its numbers."""
    return x.here if isinstance(x, Away) else x
