"""What the methods with a server share: participation, averaging, local solves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from algorithms.engine.arrays import every_place, library, ones, spread
from algorithms.method import STEP_AXES, STEP_UNITS, Hyper, count, scheduled, trail
from bounds import generic
from bounds.numbers.validate import nonnegative, require
from synthetic.exact.moments import AffineMap, check_quadratic
from synthetic.fields import as_array, every, unify

Tensor = torch.Tensor

UNITS: dict[str, tuple[int, int]] = STEP_UNITS
AXES: dict[str, str] = {
    **STEP_AXES,
    "participation": "T N",
}


def participation(hyper: Hyper, t: int, like: Tensor) -> Tensor:
    """Indicator of the clients that take part in round t, shape (..., N) or (N,).

    ``hyper["participation"]`` has shape (..., T, N), or (..., 1, N) for every round alike;
    without it everybody takes part.
    """
    rows = hyper.get("participation")
    if rows is None:
        found: Tensor = ones(like.shape[-1], like)
        return found
    length = rows.shape[-2]
    enough = length == 1 or t < length
    require(enough, "participation", f"longer than {t} rounds", length, "pass one row per round")
    row: Tensor = rows[..., 0 if length == 1 else t, :]
    return row


def check_participation(hyper: Hyper) -> None:
    """Every entry of the participation mask is 0 or 1."""
    rows = hyper.get("participation")
    if rows is not None:
        ok = bool(((rows == 0) | (rows == 1)).all())
        require(ok, "participation", "made of zeros and ones", "other values", "pass a 0/1 mask")


def check_weights(hyper: Hyper) -> None:
    """``client_weights``, where given, are not negative, and somebody has one."""
    weights = hyper.get("client_weights")
    if weights is not None:
        nonnegative("client_weights", weights)
        some = every((weights > 0).any(-1))
        require(some, "client_weights", "not all zero", "zeros", "give some client a weight")


def shares_of(hyper: Hyper, t: int, like: Tensor) -> Tensor:
    """``client_weights`` of those who take part in round t, others zero, (..., N) or (N,)."""
    inside, weights = participation(hyper, t, like), hyper.get("client_weights")
    return inside if weights is None else inside * weights


def check_divisor(hyper: Hyper) -> None:
    """A method that divides by its steps takes none of length zero."""
    name = "step_size" if hyper.get("step_sizes") is None else "step_sizes"
    if hyper.get(name) is not None:
        divides = "take a positive step: this method divides by it"
        require(bool((hyper[name] != 0).all()), name, "not zero", 0, divides)


def average(models: Any, shares: Any, otherwise: Any) -> Any:
    """Weighted mean over clients, (..., N, d) to (..., d).

    Where all shares vanish nobody has sent anything that counts, and ``otherwise`` stays; the
    papers do not say.
    """
    whole = shares.sum(-1, keepdims=True)  # (..., 1)
    none, where = whole == 0, library(whole).where
    mean = ((shares / where(none, 1.0, whole))[..., None] * models).sum(-2)
    return where(none, otherwise, mean)


def average_of_all(models: Tensor, hyper: Hyper, t: int, otherwise: Tensor) -> Tensor:
    """Mean over the participants with their ``client_weights``, (..., N, d) to (..., d)."""
    weights = hyper.get("client_weights")
    if weights is None and hyper.get("participation") is None:
        mean: Tensor = generic.mean(models, -2)
        return mean
    shares = participation(hyper, t, models[..., 0])  # (..., N)
    shares = shares if weights is None else shares * weights
    found: Tensor = average(models, shares, otherwise)
    return found


def descend(
    t: int, problem: Any, hyper: Hyper, models: Tensor, pull: Any, centre: Tensor, draws: Tensor
) -> Tensor:
    """Local steps on R_k + (pull_k/2) ||. - centre||^2 from each client's model, (..., N, d).

    ``pull`` has shape (..., N) or is a number; slot ``j*N + k`` of the draws is step j of client k.
    """
    eta = trail(scheduled(hyper, "step_size", t), 2)
    own = own_counts(problem, hyper)
    for j, words in enumerate(by_step(problem, draws)):
        gradients = problem.own_stochastic_gradients(models, words)
        if not isinstance(pull, int):
            gradients = gradients + pull[..., None] * (models - centre[..., None, :])
        models = still_moving(j, own, models - eta * gradients, models)
    return models


def by_step(problem: Any, draws: Tensor) -> Sequence[Tensor]:
    """Draws of every local step, (..., N, w) each, from those of a round, (..., K N, w)."""
    steps = draws.shape[-2] // problem.clients
    if steps == 1:
        return [draws]
    words = draws.reshape(*draws.shape[:-2], steps, problem.clients, draws.shape[-1])
    return every_place(words, -3)


def local_counts(hyper: Hyper) -> tuple[int, Any]:
    """Largest number of local steps, and each client's, (..., N), where they differ.

    ``hyper["local_steps"]`` is K, or an array of whole numbers K_k, shape (..., N).
    """
    given = hyper.get("local_steps", 1)
    if not isinstance(given, np.ndarray | Tensor | list | tuple):
        return count(hyper, "local_steps"), None
    own = given if isinstance(given, np.ndarray | Tensor) else np.asarray(given)
    kind = own.dtype.kind if isinstance(own, np.ndarray) else "if"[own.is_floating_point()]
    whole = own.ndim >= 1 and kind != "f" and bool((own >= 1).all())
    require(
        whole,
        "local_steps",
        "whole numbers of at least 1, one per client",
        given,
        "pass an int or an integer array of shape (..., N)",
    )
    return int(own.max()), own


def own_counts(problem: Any, hyper: Hyper) -> Any:
    """K_k, (..., N), where the problem's arrays are, if clients take different numbers; or None."""
    _, own = local_counts(hyper)
    if own is not None:
        found = own.shape[-1]
        require(
            found == problem.clients,
            "local_steps",
            "one per client",
            f"{found} numbers",
            f"pass {problem.clients} numbers",
        )
        like = next(x for x in problem.data.values() if isinstance(x, np.ndarray | Tensor))
        plain = isinstance(like, np.ndarray)
        own = np.asarray(own) if plain else torch.as_tensor(own).to(like.device)
    return own


def still_moving(j: int, own: Any, moved: Tensor, models: Tensor) -> Tensor:
    """Models after local step j, (..., N, d): a client that has taken its K_k steps waits."""
    if own is None:
        return moved
    found: Tensor = library(moved).where((j < own)[..., None], moved, models)
    return found


def proximal_points(problem: Any, pull: Tensor, centre: Tensor, own: bool = False) -> Tensor:
    """Minimisers of R_k + (pull_k/2) ||. - centre||^2, (..., N, d).

    A family may solve them itself; for quadratics the optimality condition is
    (H_k + pull_k I) x = H_k opt_k + pull_k centre. The centre is one point, (..., d), or with
    ``own`` one per client, (..., N, d).
    """
    if hasattr(problem, "proximal") and not own:
        solved: Tensor = problem.proximal(pull, centre)
        return solved
    require(
        hasattr(problem, "hessian"),
        "local",
        "'gradient' unless minimisers are known",
        "argmin",
        "take gradient steps",
    )
    hessian, pull = problem.hessian, pull[..., None]  # (..., N, d, d), (..., N, 1)
    matrix = hessian + pull[..., None] * generic.eye(problem.dim, hessian)
    right = generic.matvec(hessian, problem.optimum) + pull * (
        centre if own else centre[..., None, :]
    )
    # solve() does not broadcast batches of vectors: give both the same leading axes
    shape = np.broadcast_shapes(matrix.shape[:-1], right.shape)
    matrix, right = spread(matrix, *shape, problem.dim), spread(right, *shape)
    solution: Tensor = library(matrix).linalg.solve(matrix, right[..., None])[..., 0]
    return solution


def descent_map(t: int, problem: Any, hyper: Hyper, mu: Any) -> AffineMap:
    """Affine map of z -> average over clients of K local steps from z with pull mu towards z.

    For quadratics and full participation; generic over number types. With S_k = I - eta (H_k + mu)
    a local model is M_j z + m_j + noise, M_{j+1} = S_k M_j + eta mu, and its noise covariance moves
    to S_k C S_k plus that of the fresh gradient at the local model.
    """
    eta = trail(scheduled(hyper, "step_size", t), 3)
    check_quadratic(problem)
    steps, n = count(hyper, "local_steps"), problem.clients
    identity = generic.eye(problem.dim, problem.optimum)
    pull = eta * trail(mu, 3) * identity  # (..., 1, d, d) or (d, d)
    shrink = identity - eta * problem.hessian - pull  # (..., N, d, d)
    drift = generic.matvec(eta * problem.hessian, problem.optimum)  # (..., N, d)
    matrices, shifts = [identity + 0 * shrink], [0 * drift]
    for _ in range(steps):
        matrices.append(generic.matmul(shrink, matrices[-1]) + pull)
        shifts.append(generic.matvec(shrink, shifts[-1]) + drift)
    shares = _shares(problem, hyper)  # (..., N)
    wide = problem.expand(1)

    def covariance(mean: Any, spread: Any) -> Any:
        mean, spread = mean[..., None, :], spread[..., None, :, :]
        noise = 0 * matrices[0]  # (..., N, d, d)
        # the first step is taken at one point by all: no client is evaluated at another's model
        first = problem.gradient_covariance(mean[..., 0, :], spread[..., 0, :, :])
        noise = noise + eta**2 * first
        for matrix, shift in zip(matrices[1:-1], shifts[1:-1], strict=True):
            here = generic.matvec(matrix, mean) + shift
            around = generic.matmul(generic.matmul(matrix, spread), matrix) + noise
            # (..., model, client, d, d); additive noise lacks the axis of models, zeros bring it
            every = wide.gradient_covariance(here, around) + 0 * noise[..., None, :, :]
            fresh = every[..., range(n), range(n), :, :]
            noise = generic.matmul(generic.matmul(shrink, noise), shrink) + eta**2 * fresh
        return generic.total(shares[..., None, None] ** 2 * noise, -3)

    return AffineMap(
        generic.total(shares[..., None, None] * matrices[-1], -3),
        generic.total(shares[..., None] * shifts[-1], -2),
        covariance,
    )


def proximal_map(problem: Any, hyper: Hyper, mu: Any) -> AffineMap:
    """Affine map of z -> average over clients of the exact proximal points at z."""
    check_quadratic(problem)
    pull = trail(mu, 3) * generic.eye(problem.dim, problem.optimum)
    inverse = generic.inverse(problem.hessian + pull)  # (..., N, d, d)
    shares = _shares(problem, hyper)
    right = generic.matvec(problem.hessian, problem.optimum)
    matrix = generic.total(
        shares[..., None, None] * generic.matmul(inverse, pull + 0 * inverse), -3
    )
    shift = generic.total(shares[..., None] * generic.matvec(inverse, right), -2)
    return AffineMap(matrix, shift, 0 * matrix)


def _shares(problem: Any, hyper: Hyper) -> Any:
    """Normalised averaging weights of all clients, (..., N)."""
    everybody = hyper.get("participation") is None
    require(everybody, "participation", "absent for an affine round", "a mask", "leave it out")
    shares = given_weights(problem, hyper)
    whole = generic.total(shares)
    some, remedy = every(whole != 0), "give some client a weight"
    require(some, "client_weights", "not all zero for an affine round", "zeros", remedy)
    return shares / trail(whole, 1)


def given_weights(problem: Any, hyper: Hyper) -> Any:
    """``client_weights`` for an affine round, (..., N), of any number kind; one number is for all.

    A run has its arrays brought into shape by the engine; a map is asked for directly.
    """
    raw, equal = hyper.get("client_weights"), generic.ones_like(problem.optimum[..., 0])
    if raw is None or not np.shape(raw):
        return equal
    if hasattr(raw, "shape"):
        found = raw
    else:
        found = unify({"": problem.optimum, "client_weights": as_array("client_weights", raw)})
        found = found["client_weights"]
    nonnegative("client_weights", found)
    length, need = found.shape[-1], f"of shape (..., {problem.clients})"
    fits = length in (1, problem.clients)
    require(fits, "client_weights", need, tuple(found.shape), "give one weight per client")
    return found if length == problem.clients else found * equal


def local_slots(clients: int, hyper: Hyper, rule: str) -> int:
    """Gradient draws of a round: none for exact local solves."""
    return 0 if rule == "argmin" else local_counts(hyper)[0] * clients
