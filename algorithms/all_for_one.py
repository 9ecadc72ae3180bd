r"""All-for-one: every client asks all others for gradients at its own model.

.. math:: \theta_i^t = \theta_i^{t-1} - \eta_i^t \sum_k \alpha_{ik}^t g_k^t(\theta_i^{t-1})

with the collaboration weights of Definition 1. Slot ``f*N + k`` of a round is the gradient that
followed client f asks of client k; estimated ratios take ``b_alpha`` more such blocks after it,
slot ``(1 + j)*F*N + f*N + k`` for extra gradient j. With shared samples client k draws one sample
for whoever asks, slot ``k``, and the extra gradients follow from slot ``N`` on. They are drawn in
every round and used when the weights are refreshed, so that a slot's address never depends on the
round.

Not compared with code of the authors.

Source: adaptive, setting, Definition 1, Definition 3 and Equation (1).
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any, ClassVar

from algorithms.engine.arrays import in_pairs, picked
from algorithms.engine.askers import asked, of_asked, weighted
from algorithms.engine.skipping import alive
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
from bounds.numbers.validate import in_interval, positive, require, unchecked
from bounds.similarity import (
    collaboration_weights,
    phi_binary,
    phi_continuous,
    phi_power,
    similarity_ratio,
)
from synthetic.exact.moments import AffineMap, averaged_gradient_map

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
    settings: ClassVar[tuple[str, ...]] = (
        "weights",
        "phi",
        "exponent",
        "b_alpha",
        "refresh",
        "samples",
        "focus",
    )
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
        weights = _fixed_weights(hyper, followed(clients, hyper))
        return asked(hyper, alive(weights, 2), shared=self._shared(hyper))

    def _first(self, clients: int, hyper: Hyper) -> int:
        """Draws of the update, before those of the estimates."""
        return clients if self._shared(hyper) else len(followed(clients, hyper)) * clients

    def _shared(self, hyper: Hyper) -> bool:
        return choice(hyper, "samples", SAMPLES) == "shared"

    def phase(self, t: int, hyper: Hyper) -> int | None:
        """Rounds that refresh the weights, and the others."""
        return 0 if t % count(hyper, "refresh") == 0 else 1

    def asks_truth(self, hyper: Hyper) -> bool:
        """True gradients for exact ratios."""
        return choice(hyper, "weights", RULES) == "true"

    def start(self, problem: Any, hyper: Hyper) -> State:
        """Starting models, and the problem with an axis of followed clients."""
        chosen = followed(problem.clients, hyper)
        state: State = {
            "theta": start_points(problem, hyper, chosen),
            "chosen": chosen,
        }
        rule = choice(hyper, "weights", RULES)
        if rule == "fixed":
            state["weights"] = weights = _fixed_weights(hyper, chosen)
            asking = partial(alive, weights, 2)
            return state | of_asked(problem, hyper, asking, shared=self._shared(hyper))
        state["wide"] = problem.expand(1)
        positive("sigma", problem.noise_variance, "claim a variance bound sigma above zero")
        if not callable(hyper.get("phi")) and choice(hyper, "phi", PHIS) == "binary":
            require(hyper.get("threshold") is not None, "threshold", "given", None, "pass lambda")
            positive("threshold", hyper["threshold"], "pass a number in (0, 1]")
            in_interval("threshold", hyper["threshold"], 0, 1, closed="high")
        if rule == "estimated":
            state["wider"] = problem.expand(2)
        return state

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """One gradient step of every followed client with weights from its present model."""
        rule = choice(hyper, "weights", RULES)
        theta = state["theta"]  # (..., F, d)
        pairs = (len(state["chosen"]), problem.clients)
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
        direction = weighted(
            state, state["weights"], theta, update, shared=self._shared(hyper), gradients=gradients
        )
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


def _own(seen: Any, chosen: list[int]) -> Any:
    """What each followed client sees of itself, (..., F, N, d) to (..., F, d)."""
    if chosen == list(range(seen.shape[-2])):
        return seen.diagonal(0, -3, -2).swapaxes(-1, -2)
    if len(chosen) == 1:
        return seen[..., chosen[0], :]  # (..., F = 1, d)
    return seen[..., range(len(chosen)), chosen, :]


def _phi(hyper: Hyper, ratio: Any) -> Any:
    """The function phi of the ratios, shape (..., F, N)."""
    phi = hyper.get("phi", "continuous")
    if callable(phi):
        return phi(ratio)
    if phi == "binary":
        return phi_binary(ratio, trail(hyper["threshold"], 2))
    return phi_power(ratio, count(hyper, "exponent")) if phi == "power" else phi_continuous(ratio)
