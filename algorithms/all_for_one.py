r"""All-for-one: every client asks all others for gradients at its own model.

.. math:: \theta_i^t = \theta_i^{t-1} - \eta_i^t \sum_k \alpha_{ik}^t g_k^t(\theta_i^{t-1})

with the collaboration weights of Definition 1. Slot ``f*N + k`` of a round is the gradient that
followed client f asks of client k; estimated ratios take ``b_alpha`` more such blocks after it,
slot ``(1 + j)*F*N + f*N + k`` for extra gradient j. With shared samples client k draws one sample
for whoever asks, slot ``k``, and the extra gradients follow from slot ``N`` on. They are drawn in
every round and used when the weights are refreshed, so that a slot's address never depends on the
round.

Source: adaptive, setting, Definition 1, Definition 3 and Equation (1).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

import torch

from algorithms.arrays import in_pairs, picked, spread
from algorithms.method import (
    START_AXES,
    START_UNITS,
    Hyper,
    Method,
    State,
    choice,
    count,
    followed,
    scheduled,
    start_points,
    trail,
)
from algorithms.skipping import alive, among_zeros, lent, places
from bounds import generic
from bounds.numbers.validate import positive, require, unchecked
from bounds.similarity import (
    collaboration_weights,
    phi_binary,
    phi_continuous,
    phi_power,
    similarity_ratio,
)
from synthetic.additive import AdditiveNoise
from synthetic.moments import AffineMap, averaged_gradient_map

RULES = ("true", "fixed", "estimated")
SAMPLES = ("own", "shared")
PHIS = ("continuous", "binary", "power")


class AllForOne(Method):
    """Weighted gradient averaging at each followed client's own model.

    Hyper-parameters
    ----------------
    step_size, shape (...), or step_sizes, shape (..., T)
        eta. Unit: length squared / loss.
    start, shape (..., d), or starts, shape (..., N, d)
        theta^0.
    weights : {"true", "fixed", "estimated"}
        Exact ratios, given weights, or ratios from ``b_alpha`` extra stochastic gradients.
    weight_matrix, shape (..., N, N)
        alpha, row = who asks; for fixed weights (oracle clusters, for instance).
    phi : {"continuous", "binary", "power"} or callable
        phi of Definition 1; ``threshold``, shape (...), is the lambda of the binary one and
        ``exponent`` the whole power. A callable maps an array of ratios to an array.
    b_alpha, refresh : int
        Extra gradients per estimate; rounds between two refreshes of the weights.
    samples : {"own", "shared"}
        A sample for each who asks, as in the paper, or one per client and round, at which all
        gradients of that client are taken.
    focus : list of int
        Followed clients, default all.
    """

    name: ClassVar[str] = "all_for_one"
    plain: ClassVar[bool] = True
    collapsible: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = START_UNITS
    axes: ClassVar[dict[str, str]] = {
        **START_AXES,
        "threshold": "",
        "weight_matrix": "N N",
    }
    traces: ClassVar[dict[str, str]] = {"weights": "F N", "ratio": "F N"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """F N update gradients (N of shared samples) and b_alpha F N for the estimated ratios."""
        estimated = choice(hyper, "weights", RULES) == "estimated"
        extra = count(hyper, "b_alpha") if estimated else 0
        return self._first(clients, hyper) + extra * len(followed(clients, hyper)) * clients

    def used(self, clients: int, hyper: Hyper, kept: Collection[str]) -> list[int] | None:
        """Under fixed weights those of pairs, or of helpers, with a weight that is not zero."""
        if choice(hyper, "weights", RULES) != "fixed":
            return None
        on = alive(_fixed_weights(hyper, followed(clients, hyper)), 2)  # (F, N)
        if choice(hyper, "samples", SAMPLES) == "shared":
            return list(on.any(0).nonzero()[:, 0].tolist())
        helpers = lent(on)
        first = torch.arange(len(helpers), device=helpers.device)[:, None] * clients
        return list((first + helpers).flatten().tolist())

    def _first(self, clients: int, hyper: Hyper) -> int:
        """Draws of the update, before those of the estimates."""
        shared = choice(hyper, "samples", SAMPLES) == "shared"
        return clients if shared else len(followed(clients, hyper)) * clients

    def phase(self, t: int, hyper: Hyper) -> int | None:
        """Rounds that refresh the weights, and the others."""
        return 0 if t % count(hyper, "refresh") == 0 else 1

    def start(self, problem: Any, hyper: Hyper) -> State:
        """Starting models, and the problem with an axis of followed clients."""
        chosen = followed(problem.clients, hyper)
        state: State = {
            "theta": start_points(problem, hyper, chosen),
            "chosen": chosen,
            "wide": problem.expand(1),
        }
        rule = choice(hyper, "weights", RULES)
        if rule == "fixed":
            state["weights"] = _fixed_weights(hyper, chosen)
            return state if hyper.get("used") is None else _of_some(state, problem, hyper)
        positive("sigma", problem.noise_variance, "claim a variance bound sigma above zero")
        if not callable(hyper.get("phi")) and choice(hyper, "phi", PHIS) == "binary":
            require(hyper.get("threshold") is not None, "threshold", "given", None, "pass lambda")
            positive("threshold", hyper["threshold"], "pass a number in (0, 1]")
        if rule == "estimated":
            state["wider"] = problem.expand(2)
        return state

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """One gradient step of every followed client with weights from its present model."""
        rule = choice(hyper, "weights", RULES)
        theta = state["theta"]  # (..., F, d)
        pairs = (len(state["chosen"]), problem.clients)
        shared = choice(hyper, "samples", SAMPLES) == "shared"
        first, gradients = self._first(problem.clients, hyper), None
        state = dict(state)
        if rule != "fixed" and t % count(hyper, "refresh") == 0:
            if rule == "true":
                gradients = state["wide"].gradients(theta)  # (..., F, N, d)
            else:
                extra = draws[..., first:, :]
                extra = in_pairs(extra, -1, *pairs)  # (..., b_alpha, F, N, w)
                sampled = state["wider"].stochastic_gradients(theta[..., None, :, :], extra)
            # the mean of differences in Equation (1) is the difference of means
            seen = gradients if rule == "true" else sampled.mean(-4)
            asked = _own(seen, state["chosen"])  # (..., F, d)
            state["ratio"] = similarity_ratio(seen, asked)  # (..., F, N)
            with unchecked():  # checked once in start: a check here would wait for the device
                state["weights"] = collaboration_weights(
                    state["ratio"], _phi(hyper, state["ratio"]), state["wide"].noise_variance
                )
        update = draws[..., :first, :]
        direction = _direction(state, theta, gradients, update, shared=shared)
        state["theta"] = theta - trail(scheduled(hyper, "step_size", t), 2) * direction
        return state

    def affine_map(self, problem: Any, hyper: Hyper, t: int = 0) -> AffineMap:
        """Affine round under fixed weights on a quadratic federation."""
        fixed = choice(hyper, "weights", RULES) == "fixed"
        require(fixed, "weights", "fixed for an affine round", hyper.get("weights"), "fix them")
        alpha = _fixed_weights(hyper, followed(problem.clients, hyper))  # (..., F, N)
        eta = trail(scheduled(hyper, "step_size", t), 1)
        return averaged_gradient_map(problem.expand(1), alpha, eta)


def _fixed_weights(hyper: Hyper, chosen: list[int]) -> Any:
    matrix = hyper.get("weight_matrix")
    require(matrix is not None, "weight_matrix", "given", None, "pass an array (..., N, N)")
    return picked(matrix, chosen)


def _direction(state: State, theta: Any, gradients: Any, update: Any, shared: bool) -> Any:
    """Weighted sums of the answers, (..., F, d), with what is known of the true gradients."""
    wide = state["wide"]
    weights: Any = state.get("lent", state["weights"])  # (..., F, N)
    pairs = (theta.shape[-2], wide.clients)

    def whole(rows: Any) -> Any:
        if "place" not in state:
            return rows
        every: Any = among_zeros(rows if shared else rows.flatten(-3, -2), state["place"])
        return every if shared else every.unflatten(-2, weights.shape[-2:])

    samples = update[..., None, :, :] if shared else in_pairs(update, *pairs)
    if not isinstance(wide, AdditiveNoise):
        samples = spread(samples, *samples.shape[:-3], *pairs, samples.shape[-1])
        answers = wide.stochastic_gradients(theta, samples)  # (..., F, N, d)
        return generic.total(weights[..., None] * whole(answers), -2)
    # noise that does not depend on the point is weighed apart: shared, it is one product of
    # matrices instead of a vector per pair
    gradients = wide.gradients(theta) if gradients is None else gradients
    pulled = generic.total(weights[..., None] * whole(gradients), -2)
    if wide.law == "none":
        return pulled
    noise = whole(wide.noise_vectors(samples))  # (..., F or 1, N, d)
    if shared:
        return pulled + weights @ noise[..., 0, :, :]
    return pulled + generic.total(weights[..., None] * noise, -2)


def _of_some(state: State, problem: Any, hyper: Hyper) -> State:
    """A state whose problem holds the helpers in use alone, per asker unless samples are shared."""
    used, weights, clients = hyper["used"], state["weights"], problem.clients
    index = torch.tensor(used, device=weights.device)
    shared = choice(hyper, "samples", SAMPLES) == "shared"
    if shared:
        state |= {"wide": problem.select(used).expand(1), "lent": weights.index_select(-1, index)}
    else:
        helpers = (index % clients).reshape(weights.shape[-2], -1)  # (F, K)
        rows = helpers.expand(*weights.shape[:-2], *helpers.shape)
        state |= {"wide": problem.of_each(helpers), "lent": weights.gather(-1, rows)}
    if hyper["in_order"]:
        state["place"] = places(used, clients if shared else weights.shape[-2] * clients,
                                weights.device)  # fmt: skip
        del state["lent"]
    return state


def _own(seen: Any, chosen: list[int]) -> Any:
    """What each followed client sees of itself, (..., F, N, d) to (..., F, d)."""
    if chosen == list(range(seen.shape[-2])):
        return seen.diagonal(0, -3, -2).swapaxes(-1, -2)
    if len(chosen) == 1:
        return seen[..., chosen[0], :]  # (..., F = 1, d)
    return seen[..., range(len(chosen)), chosen, :]


def _phi(hyper: Hyper, ratio: Any) -> Any:
    """phi of the ratios, shape (..., F, N)."""
    phi = hyper.get("phi", "continuous")
    if callable(phi):
        return phi(ratio)
    if phi == "binary":
        return phi_binary(ratio, trail(hyper["threshold"], 2))
    return phi_power(ratio, count(hyper, "exponent")) if phi == "power" else phi_continuous(ratio)
