r"""Runs whose state is the error :math:`\theta - \theta^\star`, so that small errors keep digits.

In float32 a model next to an optimum of size 1 is known to 1e-7 and no better: its excess loss ends
at 1e-14 whatever the method does. The error itself is known to seven digits at any size.

It is asked for, never taken: the models that come back are errors, a method that compares several
clients' models has no one origin, and float64, in which everything else is computed, does not need
it: there it would only move the last digits of numbers that are written down.
"""

from __future__ import annotations

from typing import Any

import torch

from algorithms.method import Hyper, Method, followed
from bounds.numbers.validate import require

Tensor = torch.Tensor


def centred(method: Method, problem: Any, hyper: Hyper) -> tuple[Any, dict[str, Any]]:
    """Problem and hyper-parameters in coordinates whose origin is the followed optimum.

    Parameters
    ----------
    method : Method
    problem : Problem on tensors of a family that can be moved (``about``)
    hyper : mapping
        One followed client (``focus``), or clients that share one optimum; methods whose clients
        never meet (Local) take every client from its own.

    Returns
    -------
    problem, hyper : to be passed to :func:`algorithms.engine.run.run`
        Its ``theta`` is then the error theta - theta*_i, and excess losses of the returned problem
        at it have full relative precision.

    Raises
    ------
    InvalidInput
        If the family or the method cannot be moved, or the followed optima differ.
    """
    able = hasattr(problem, "about")
    require(able, "problem", "of a family that can be moved", problem.name, "run it as it is")
    fixed = [
        name
        for name, axes in method.axes.items()
        if "d" in axes.split() and name not in ("start", "starts") and hyper.get(name) is not None
    ]
    require(not fixed, "hyper", "without vectors but the start", fixed, "run it as it is")
    optimum: Tensor = problem.optimum  # (..., N, d)
    if method.name == "local":
        origin, shift = optimum, optimum
    else:
        chosen = followed(problem.clients, hyper)
        same = bool((optimum == optimum[..., chosen[:1], :]).all())
        remedy = "follow one client with focus"
        require(same or len(chosen) == 1, "focus", "clients of one optimum", chosen, remedy)
        shift = optimum[..., chosen[0], :]
        origin = shift[..., None, :]
    out = dict(hyper)
    apart = method.name == "local"
    for name in ("start", "starts"):
        if hyper.get(name) is None:
            continue
        given = torch.as_tensor(hyper[name], dtype=optimum.dtype, device=optimum.device)
        if apart and name == "start":  # one start for all is one per client, seen from its optimum
            out["starts"] = given[..., None, :] - origin
            del out["start"]
        else:
            out[name] = given - (origin if name == "starts" else shift)
    return problem.about(origin), out
