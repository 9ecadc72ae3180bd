r"""WGA-BC: weighted gradient averaging with fixed weights and bias correction.

.. math:: x \leftarrow x - \eta \big( (1-\alpha) g_i(x) + \alpha (\bar g(x) - c_t) \big), \quad
          c_t = (1-\beta_t) c_{t-1} + \beta_t \big( \bar g'(x) - g_i'(x) \big)

where the bar is the mean over the other clients and dashes are independent samples; c_0 = 0.
Slot ``f*N + k`` of a round is the gradient that followed client f asks of client k, slot
``(F + f)*N + k`` the independent sample of the correction.

Not compared with code of the authors.

Source: adaptive, Baselines, Wga-bc (Chayti et al. 2021).
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any, ClassVar

import torch

from algorithms.engine.askers import among_all, asked, asked_of, of_asked
from algorithms.engine.server import average, given_weights
from algorithms.engine.skipping import alive
from algorithms.method import (
    START_AXES,
    START_UNITS,
    Hyper,
    Method,
    State,
    choice,
    followed,
    scheduled,
    start_points,
    trail,
)
from bounds import generic
from bounds.numbers.validate import in_interval, nonnegative, probability, require
from synthetic.exact.moments import AffineMap, averaged_gradient_map, check_quadratic

RULES = ("running", "none")


class WGABC(Method):
    """Every followed client averages its gradient with the mean of the others' at its model.

    Hyper-parameters
    ----------------
    mixing, shape (...)
        alpha in [0, 1], the share of the others. Zero is Local.
    correction : {"running", "none"}
        Running estimate of the bias, or plain weighted gradient averaging.
    correction_rate, shape (...), or correction_rates, shape (..., T)
        beta_t in (0, 1], the weight of the newest sample; 1 forgets the past and makes the
        direction unbiased.
    client_weights, shape (..., N)
        Weights of the clients in the mean of the others; default equal.
    step_size, shape (...), or step_sizes, shape (..., T)
        eta. Unit: length squared / loss.
    start, shape (..., d), or starts, shape (..., N, d)
        x^0.
    focus : list of int
        Followed clients, default all.
    """

    name: ClassVar[str] = "wga_bc"
    steady: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = START_UNITS
    axes: ClassVar[dict[str, str]] = {
        **START_AXES,
        "mixing": "",
        "correction_rate": "",
        "correction_rates": "T",
        "client_weights": "N",
    }
    settings: ClassVar[tuple[str, ...]] = ("correction", "focus")
    states: ClassVar[dict[str, str]] = {"theta": "F d", "correction": "F d"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """F N gradients, twice with a correction."""
        blocks = 2 if choice(hyper, "correction", RULES) == "running" else 1
        return blocks * len(followed(clients, hyper)) * clients

    def used(self, clients: int, hyper: Hyper, kept: Collection[str]) -> list[int] | None:
        """Those of each followed client's own gradients, and of others of some weight."""
        if hyper.get("client_weights") is None:
            return None
        chosen = followed(clients, hyper)
        some = asked(hyper, _asking(hyper, chosen), shared=False)
        blocks = range(0, self.slots(clients, hyper), len(chosen) * clients)
        return None if some is None else [first + slot for first in blocks for slot in some]

    def start(self, problem: Any, hyper: Hyper) -> State:
        """Starting models, no correction yet."""
        require(hyper.get("mixing") is not None, "mixing", "given", None, "pass alpha")
        probability("mixing", hyper["mixing"])
        if choice(hyper, "correction", RULES) == "running":
            for name in ("correction_rate", "correction_rates"):
                if hyper.get(name) is not None:
                    in_interval(name, hyper[name], 0, 1, closed="high")
        if hyper.get("client_weights") is not None:
            nonnegative("client_weights", hyper["client_weights"])
        chosen = followed(problem.clients, hyper)
        theta = start_points(problem, hyper, chosen)
        found = of_asked(problem, hyper, partial(_asking, hyper, chosen), shared=False)
        index = found.get("pairs", {}).get("index")  # (F, K)
        return {
            "theta": theta,
            "correction": torch.zeros_like(theta),
            "own": chosen if index is None else _places_of(chosen, index),
            "others": _others(hyper, chosen, theta, problem.clients),
            **found,
        }

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """One corrected step of every followed client at its own model."""
        theta, correction = state["theta"], state["correction"]  # (..., F, d)
        words = draws.unflatten(-2, (-1, len(state["own"]), state["wide"].clients))
        own, helpers = _sampled(state, words[..., 0, :, :, :])
        if choice(hyper, "correction", RULES) == "running":
            rate = trail(scheduled(hyper, "correction_rate", t), 2)
            own2, helpers2 = _sampled(state, words[..., 1, :, :, :])
            correction = (1 - rate) * correction + rate * (helpers2 - own2)
        share = trail(hyper["mixing"], 2)
        direction = (1 - share) * own + share * (helpers - correction)
        eta = trail(scheduled(hyper, "step_size", t), 2)
        return {**state, "theta": theta - eta * direction, "correction": correction}

    def affine_map(self, problem: Any, hyper: Hyper, t: int = 0) -> AffineMap:
        """Affine round without correction on a quadratic federation."""
        plain = choice(hyper, "correction", RULES) == "none"
        have = hyper.get("correction", RULES[0])
        require(plain, "correction", "'none' for an affine round", have, "simulate it instead")
        chosen = followed(problem.clients, hyper)
        alone = generic.eye(problem.clients, problem.optimum)[chosen]  # (F, N)
        check_quadratic(problem)
        others = given_weights(problem, hyper)[..., None, :] * (1 - alone)
        whole = generic.total(others)[..., None]
        none = generic.indicator(whole == 0, whole)  # without others it is its own gradient
        others = others / (whole + none) + none * alone
        share = trail(hyper["mixing"], 2)
        eta = trail(scheduled(hyper, "step_size", t), 1)
        return averaged_gradient_map(problem.expand(1), (1 - share) * alone + share * others, eta)


def _others(hyper: Hyper, chosen: list[int], like: Any, clients: int) -> Any:
    """Weights of the other clients in each followed client's mean, (..., F, N)."""
    weights = torch.ones(clients, dtype=like.dtype, device=like.device)
    if hyper.get("client_weights") is not None:
        weights = hyper["client_weights"][..., None, :]
    apart = 1 - torch.eye(clients, dtype=like.dtype, device=like.device)[chosen]
    return weights * apart


def _asking(hyper: Hyper, chosen: list[int]) -> Any:
    """Whose gradients each followed client uses, (F, N): its own and those of some weight."""
    on = alive(hyper["client_weights"], 1)  # (N,)
    return on | torch.eye(len(on), dtype=torch.bool, device=on.device)[chosen]


def _places_of(chosen: list[int], index: Any) -> list[int]:
    """Where each followed client stands among those whom it asks."""
    return [row.index(k) for k, row in zip(chosen, index.tolist(), strict=True)]


def _sampled(state: State, words: Any) -> tuple[Any, Any]:
    """Own gradients and the means of the others', (..., F, d) each, from words (..., F, K, w)."""
    pairs = state.get("pairs", {})
    answers = among_all(state["wide"].stochastic_gradients(state["theta"], words), pairs)
    own = answers[..., range(len(state["own"])), state["own"], :]
    # a client without others has its own gradient in their place
    return own, average(answers, asked_of(state["others"], pairs), own)
