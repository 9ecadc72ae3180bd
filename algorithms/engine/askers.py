"""Gradients that followed clients ask of others at their own models, and their weighted sums.

What has weight zero need not be asked.  A state then holds the federation of those who are asked,
an axis of F askers before that of the K that each of them asks (one axis of length one where all
ask the same), and with each where its rows stand among all: ``index``, so that the weights of
others are left out, or ``place``, so that zeros are put where the others' rows would be.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import torch

from algorithms.engine.arrays import in_pairs, spread
from algorithms.engine.skipping import among_zeros, lent, places, worth
from algorithms.method import Hyper, State
from bounds import generic
from synthetic.additive import AdditiveNoise

Tensor = torch.Tensor

__all__ = ["among_all", "asked", "asked_of", "of_asked", "weighted"]


def asked(hyper: Hyper, on: Tensor, *, shared: bool) -> list[int] | None:
    """Slots in use where ``on``, (F, N), says who asks whom: k of a shared sample, else f*N + k.

    None where it would not pay to leave out the others.  Of shared samples pairs are left out too,
    but not in order: answers by pairs may lie otherwise in memory, and sums round otherwise.
    """
    helpers, some = lent(on), on.any(0).nonzero()[:, 0]
    most = len(some) if shared and hyper["in_order"] else helpers.shape[-1]
    if not worth(most, on.shape[-1]):
        return None
    return list((some if shared else _pairs(helpers, on.shape[-1])).tolist())


def of_asked(problem: Any, hyper: Hyper, asking: Callable[[], Tensor], *, shared: bool) -> State:
    """What a state holds of those who are asked: ``wide``, and what else `weighted` reads.

    Parameters
    ----------
    asking : callable
        Who asks whom, (F, N); called only where ``hyper["used"]`` says that not all are asked.
    """
    if hyper.get("used") is None:
        return {"wide": problem.expand(1)}

    def rows(index: Tensor) -> dict[str, Tensor]:
        if not hyper["in_order"]:
            return {"index": index}
        some = index if index.ndim == 1 else _pairs(index, problem.clients)
        shape = (*index.shape[:-1], problem.clients)
        return {"place": places(some.tolist(), prod(shape), index.device).reshape(shape)}

    on = asking()
    if not shared:
        helpers = lent(on)
        return {"wide": problem.of_each(helpers), "pairs": rows(helpers)}
    index = torch.tensor(hyper["used"], device=on.device)
    wide, columns = problem.select(index.tolist()).expand(1), rows(index)
    near = lent(on[:, index])  # (F, K), places among those in use
    if hyper["in_order"] or not worth(near.shape[-1], len(index)):
        return {"wide": wide, "pairs": columns, "heard": {"wide": wide, **columns}}
    return {
        "wide": problem.of_each(index[near]),
        "pairs": rows(index[near]),
        "heard": {"wide": wide, "each": near.flatten(), **columns},
    }


def weighted(
    state: State, weights: Any, theta: Any, draws: Any, *, shared: bool, gradients: Any = None
) -> Any:
    """Weighted sums of stochastic gradients at each asker's model, (..., F, d).

    Parameters
    ----------
    state : mapping
        With the entries of `of_asked`.
    weights : array, (..., F, N)
    theta : array, (..., F, d)
    draws : array, (..., S, w)
        Of the slots in use.
    gradients : array, (..., F, K, d), optional
        The true gradients there, where they are known.
    """
    wide, pairs = state["wide"], state.get("pairs", {})
    heard = state.get("heard", {"wide": wide})
    sizes = (theta.shape[-2], wide.clients)
    if not isinstance(wide, AdditiveNoise):
        if "each" in heard:
            draws, shared = draws.index_select(-2, heard["each"]), False
        samples = draws[..., None, :, :] if shared else in_pairs(draws, *sizes)
        samples = spread(samples, *samples.shape[:-3], *sizes, samples.shape[-1])
        return _total(weights, wide.stochastic_gradients(theta, samples), pairs)
    # noise that does not depend on the point is weighed apart: shared, it is one product of
    # matrices instead of a vector per pair
    pulled = _total(weights, wide.gradients(theta) if gradients is None else gradients, pairs)
    if wide.law == "none":
        return pulled
    if not shared:
        return pulled + _total(weights, wide.noise_vectors(in_pairs(draws, *sizes)), pairs)
    noise = among_all(heard["wide"].noise_vectors(draws[..., None, :, :]), heard)
    return pulled + asked_of(weights, heard) @ noise[..., 0, :, :]


def asked_of(weights: Any, rows: State) -> Any:
    """Entries (..., F, N) of those who are asked, (..., F, K), unless zeros are among these."""
    index = rows.get("index")
    if index is None:
        return weights
    if index.ndim == 1:
        return weights.index_select(-1, index)
    return weights.gather(-1, index.expand(*weights.shape[:-2], *index.shape))


def among_all(found: Any, rows: State) -> Any:
    """Rows of those who are asked, (..., F or 1, K, d), with zeros for the others if need be."""
    place = rows.get("place")
    if place is None:
        return found
    if place.ndim == 1:
        return among_zeros(found, place)
    every: Any = among_zeros(found.flatten(-3, -2), place.flatten())
    return every.unflatten(-2, place.shape)


def _total(weights: Any, found: Any, rows: State) -> Any:
    return generic.total(asked_of(weights, rows)[..., None] * among_all(found, rows), -2)


def _pairs(helpers: Tensor, clients: int) -> Tensor:
    """Slots f*N + k of helpers (F, K), flat."""
    first = torch.arange(len(helpers), device=helpers.device)[:, None] * clients
    return (first + helpers).flatten()
