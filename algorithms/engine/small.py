"""Short runs of small batches, on numpy: the very rules of the methods, at less cost per call.

Where the arrays of a round hold a few hundred numbers a run costs calls, not arithmetic, and those
of numpy are cheaper.  Nothing is checked twice, and a path that nobody reads is not put together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from algorithms.engine.settings import as_alike, lengths
from algorithms.method import Hyper, Method
from bounds.numbers.validate import require

Array = np.ndarray[Any, Any]

__all__ = ["SmallPaths", "run_small"]


class SmallPaths(Mapping[str, Array]):
    """What a run has recorded, every path put together when it is first read.

    Parameters
    ----------
    noted : mapping
        Entries of the rounds, arrays (..., trailing axes).
    ranks : mapping
        How many trailing axes there are.
    """

    def __init__(self, noted: dict[str, list[Array]], ranks: Mapping[str, int]) -> None:
        self._noted, self._ranks, self._joined = noted, ranks, dict[str, Array]()
        shapes = {(name, v.shape) for name, path in noted.items() for v in path}
        leads = frozenset([shape[: len(shape) - ranks[name]] for name, shape in shapes])
        self._lead = _broadcast(leads)

    def __getitem__(self, name: str) -> Array:
        if name not in self._joined:
            path, rank = self._noted[name], self._ranks[name]
            first = path[0]
            joined = np.empty((*self._lead, len(path), *first.shape[first.ndim - rank :]))
            for t, value in enumerate(path):
                place: Any = (..., t, *(slice(None),) * rank)
                joined[place] = value
            self._joined[name] = joined
            self._noted[name].clear()
        return self._joined[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._noted)

    def __len__(self) -> int:
        return len(self._noted)


def run_small(method: Method, problem: Any, hyper: Hyper, draws: Array, rounds: int) -> SmallPaths:
    """Some rounds of a method on arrays: what :func:`algorithms.engine.run.run` does on tensors.

    Parameters
    ----------
    method : Method
        One that is ``plain``.
    problem : Problem holding float64 arrays
        Free leading axes, e.g. (B, 1) for B instances under R outcomes each.
    hyper : mapping
        As in :func:`algorithms.engine.run.run`.
    draws : array, shape (..., T, S, w)
        Of every round and slot.
    rounds : int
        T, at least 0.

    Returns
    -------
    SmallPaths
        ``theta``, shape (..., T + 1, F, d), and all other states and traces of the method.

    Raises
    ------
    InvalidInput
        On a method or a problem that is not for arrays, parameters that are not finite or of the
        wrong shape, or draws of the wrong shape.
    """
    require(method.plain, "method", "one that runs on arrays", method.name, "run it on tensors")
    like = next((v for v in problem.data.values() if isinstance(v, np.ndarray)), None)
    plain = like is not None and like.dtype == np.float64
    kind = type(problem).__name__
    require(plain, "problem", "one that holds float64 arrays", kind, "run it on tensors")
    hyper = as_alike(method, problem, hyper, like)
    wanted = (rounds, method.slots(problem.clients, hyper), problem.noise_width)
    if wanted[1] == 0:
        draws = np.zeros(wanted)
    if draws.shape[-3:] != wanted:
        require(
            False,
            "draws",
            f"of shape (..., {', '.join(map(str, wanted))})",
            draws.shape,
            "make them with the method's slots and the problem's width",
        )
    state = method.start(problem, hyper)
    noted = {name: [state[name]] for name in method.states if name in state}
    later = [*method.states, *method.traces]
    for t in range(rounds):
        state = method.step(t, state, problem, hyper, draws[..., t, :, :])
        for name in later:
            if name in state:
                noted.setdefault(name, []).append(state[name])
    return SmallPaths(noted, _ranks(method))


def _ranks(method: Method) -> dict[str, int]:
    return lengths((*method.states.items(), *method.traces.items()))


@lru_cache(maxsize=1024)
def _broadcast(leads: frozenset[tuple[int, ...]]) -> tuple[int, ...]:
    return np.broadcast_shapes(*leads)
