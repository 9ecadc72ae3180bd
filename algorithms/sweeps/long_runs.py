"""Long runs that a caller may have kept: inside ``keeping`` they go on where they were.

Whoever starts a study decides where its runs are kept; the study names what it makes of each.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import torch

from algorithms.engine.midway import Watch
from algorithms.engine.run import Run, run
from algorithms.method import Hyper, Method
from algorithms.sweeps.checkpoint import SECONDS, ResultFolder, class_of, digest, rule_of
from bounds.numbers.validate import require
from synthetic.noise.sources import Noise, address_of

__all__ = ["keeping", "long_run"]

_kept: ContextVar[ResultFolder | None] = ContextVar("kept", default=None)


@contextmanager
def keeping(kept: ResultFolder | None) -> Iterator[None]:
    """Keep the long runs of this block; None keeps nothing."""
    token = _kept.set(kept)
    try:
        yield
    finally:
        _kept.reset(token)


def long_run(
    method: Method,
    problem: Any,
    hyper: Hyper,
    noise: Noise | None,
    rounds: int,
    reduce: Callable[[Any, Run], Mapping[str, torch.Tensor]],
    *,
    what: Any = "",
    seconds: float = SECONDS,
    **options: Any,
) -> dict[str, torch.Tensor]:
    """What ``reduce`` makes of :func:`algorithms.engine.run.run`, kept where that was asked for.

    Parameters
    ----------
    method, problem, hyper, noise, rounds
        As there.
    reduce : callable
        A function at the top of a module: takes problem and run, returns tensors by name. The
        text of its module is part of the address.
    what : number, text, array, or a list or mapping of them
        What else the run and ``reduce`` depend on, beyond the arrays of ``problem.data``.
    seconds : float
        Processor time between two states of a run under way.
    **options
        ``record``, ``last_only``, ``compile`` and ``rounds_per_launch``.
    """
    kept = _kept.get()
    if kept is None:
        return dict(reduce(problem, run(method, problem, hyper, noise, rounds, **options)))
    name = getattr(reduce, "__qualname__", "<partial>")
    top = "a function at the top of a module"
    require("<" not in name, "reduce", top, name, "define it with def, outside of other functions")
    like = next(v for v in problem.data.values() if isinstance(v, torch.Tensor))
    code = inspect.getsource(sys.modules[reduce.__module__])
    address = digest(
        "long run",
        rule_of(method),
        class_of(type(problem)),
        problem.data,
        hyper,
        rounds,
        code,
        name,
        what,
        address_of(noise),
        {option: sorted(x) if isinstance(x, set) else x for option, x in options.items()},
    )
    inside = digest(address, "under way")
    watch = Watch(
        lambda: kept.find(inside),
        lambda arrays: kept.put(inside, arrays),
        lambda: kept.drop(inside),
        seconds,
        like.device,
    )
    found = kept.find(address)
    if found is None:
        path = run(method, problem, hyper, noise, rounds, inside=watch, **options)
        made = reduce(problem, path)
        found = kept.put(address, {part: x.cpu().numpy() for part, x in made.items()})
    watch.forget()
    return {part: torch.from_numpy(x).to(like.device) for part, x in found.items()}
