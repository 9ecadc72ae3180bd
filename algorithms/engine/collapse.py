r"""Aggregate noises drawn as one: a run of the same law from one vector per model and round.

.. math:: \theta' = M \theta + m + \sum_k a_k u_k, \qquad u_k \sim N(0, I/d) \text{ independent}
          \quad\Longrightarrow\quad \theta' \overset{d}{=} M \theta + m + C^{1/2} z

Where a round is affine and its noise is Gaussian and the same at every point, the iterates are
equal in law to those of the map of :mod:`synthetic.exact.moments`: for N clients, 1/N of the draws
and of the work. Sums of other laws are of another law, so that they are not collapsed.
"""

from __future__ import annotations

from typing import Any, ClassVar

import torch

from algorithms.method import Hyper, Method, State, followed, names_of
from bounds import generic
from bounds.numbers.validate import require
from synthetic.additive import AdditiveNoise

Tensor = torch.Tensor


class Collapsed(Method):
    """A method with one draw per model instead of one per client, equal in law.

    Parameters
    ----------
    inner : Method
        One whose models are all that it remembers (``collapsible``).

    Notes
    -----
    Its slots are the models: f for followed client f, or 0 for the server's. Draws are normal
    words of variance 1/d, for instance
    ``Addressed("gaussian", key, replicates, method.slots(N, hyper), d)``. Runs of method and
    collapsed method on one key are not paired: they are equal in law, not path by path.
    """

    steady: ClassVar[bool] = True

    def __init__(self, inner: Method) -> None:
        require(
            inner.collapsible,
            "method",
            "one whose models are all that it remembers",
            inner.name,
            "run it as it is",
        )
        self.inner = inner
        self.axes = inner.axes  # type: ignore[misc]
        names = names_of(inner)
        self.settings = None if names is None else tuple(sorted(names))  # type: ignore
        self.name = f"collapsed {inner.name}"  # type: ignore[misc]

    def slots(self, clients: int, hyper: Hyper) -> int:
        """One per model."""
        return 1 if "server" in self.inner.states else len(followed(clients, hyper))

    def start(self, problem: Any, hyper: Hyper) -> State:
        """Starting models, and the map of a round."""
        law = problem.law if isinstance(problem, AdditiveNoise) else "of the samples"
        remedy = "run the method as it is: sums of other laws are of another law"
        gaussian = isinstance(problem, AdditiveNoise) and law == "gaussian"
        require(gaussian, "law", "additive and gaussian", law, remedy)
        apart = hyper.get("samples", "own") == "own" or self.slots(problem.clients, hyper) == 1
        require(apart, "samples", "each asker's own", "shared", "follow one client alone")
        constant = hyper.get("step_sizes") is None
        require(constant, "step_sizes", "absent", "a schedule", "pass a constant step_size")
        models = self.inner.start(problem, hyper)["theta"]  # (..., F, d)
        one = self.inner.affine_map(problem, hyper)
        matrix, offset, noise = one.matrix, one.offset, one.covariance
        if callable(noise):  # additive noise: the same at every mean and covariance
            noise = noise(0 * offset, 0 * matrix)
        if "server" in self.inner.states:
            matrix, offset, noise = (x[..., None, :, :] for x in (matrix, offset[..., None], noise))
            offset = offset[..., 0]
        return {
            "theta": models,
            "matrix": matrix,
            "offset": offset,
            "root": _root(problem.dim * noise),
        }

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """One affine map of every model."""
        root = state["root"]
        kick = generic.matvec(root, draws) if root.shape[-1] > 1 else root[..., 0] * draws
        theta = generic.matvec(state["matrix"], state["theta"]) + state["offset"] + kick
        return {**state, "theta": theta}


def _root(covariance: Tensor) -> Tensor:
    """C^{1/2}, (..., d, d), or (..., 1, 1) where every C is a multiple of the identity."""
    size = covariance[..., :1, :1]
    unit = torch.eye(covariance.shape[-1], dtype=covariance.dtype, device=covariance.device)
    if bool((covariance == size * unit).all()):
        return size.sqrt()
    values, vectors = torch.linalg.eigh(covariance)
    root: Tensor = (vectors * values.clamp(min=0).sqrt()[..., None, :]) @ vectors.mT
    return root
