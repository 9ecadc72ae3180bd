r"""Generalised FedAvg: weights that favour badly served clients, one local step at a time.

.. math:: w_{t+1}^i = w_t^i - \eta_t g_i(w_t^i), \qquad
          \text{at the end of a round } w_{t+1}^i = \sum_j \alpha^j (w_t^j - \eta_t g_j(w_t^j))

A round of the engine is one iteration t, so that step sizes and the virtual average
:math:`w_t = \sum_i\alpha^i w_t^i` are recorded at every local step. Slot k is client k's gradient.

Not compared with code of the authors.

Source: aggregation, Algorithm 1, eqs. 1 to 4, 15, 21, 22; Cho et al. 2022 (power of choice).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import torch

from algorithms.engine.arrays import library, ones, spread
from algorithms.method import (
    STEP_AXES,
    STEP_UNITS,
    Hyper,
    Method,
    State,
    choice,
    count,
    followed,
    one_start,
    scheduled,
    trail,
)
from bounds.aggregation_rules import aggregation_weights, ranks
from bounds.generic import indicator
from bounds.numbers.validate import nonnegative, positive, require, unchecked

Tensor = torch.Tensor

RULES = ("fedavg", "fedmax", "fedmaxk", "fedsoftmax", "power_of_choice", "fixed")
TIMINGS = ("algorithm", "equation")
SEEN = ("start", "average", "local")


class Aggregation(Method):
    """FedAvg, FedMax, FedMax(k), FedSoftMax, power of choice, or given weights.

    Hyper-parameters
    ----------------
    step_size, shape (...), or step_sizes, shape (..., T)
        eta_t of every iteration. Unit: length squared / loss.
    start, shape (..., d)
        w_0.
    local_steps : int
        E, default 1.
    client_weights, shape (..., N)
        Proportional to p; default equal.
    rule : str
        fedavg (default), fedmax, fedmaxk, fedsoftmax, power_of_choice or fixed.
    temperature, shape (...)
        T of FedSoftMax. Unit: loss.
    count : int
        k of FedMax(k), or how many of the candidates power of choice keeps.
    coefficients, shape (..., rounds, N) or (..., 1, N)
        Weights of every round for ``fixed``; sums are not checked.
    candidates, shape (..., rounds, N) or (..., 1, N)
        0/1 mask of the clients asked by power of choice (see `candidate_mask`); default all.
    timing : str
        algorithm: w_E, w_2E, ... are aggregated; equation: w_1, w_{E+1}, ... as eq. 2 reads.
    seen : str
        Where the losses that the weights see are taken: start (the virtual average when the
        weights are due, the round's first model under Algorithm 1), average (the p-average of the
        local models about to be aggregated) or local (each client's own one).
    focus : list of int
        Followed clients, default all; they share one model.
    """

    name: ClassVar[str] = "aggregation"
    plain: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = {
        **STEP_UNITS,
        "temperature": (1, 0),
    }
    axes: ClassVar[dict[str, str]] = {
        **STEP_AXES,
        "temperature": "",
        "client_weights": "N",
        "coefficients": "T N",
        "candidates": "T N",
    }
    settings: ClassVar[tuple[str, ...]] = (
        "local_steps",
        "rule",
        "count",
        "timing",
        "seen",
        "focus",
    )
    states: ClassVar[dict[str, str]] = {"theta": "F d", "models": "N d"}
    traces: ClassVar[dict[str, str]] = {"alpha": "N"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """One gradient per client and iteration."""
        return clients

    def asks_truth(self, hyper: Hyper) -> bool:
        """Losses, for the weights."""
        return True

    def start(self, problem: Any, hyper: Hyper) -> State:
        """Everybody at w_0, weights p until a rule has spoken."""
        choice(hyper, "timing", TIMINGS)
        if choice(hyper, "rule", RULES) == "fedsoftmax":
            given = hyper.get("temperature") is not None
            require(given, "temperature", "given", None, "pass one for fedsoftmax")
            positive("temperature", hyper["temperature"])
        _check_rule(problem.clients, hyper)
        point = one_start(hyper)[..., None, :]  # (..., 1, d)
        shares = _shares(problem, hyper, point)
        chosen = followed(problem.clients, hyper)
        models = spread(point, *point.shape[:-2], problem.clients, problem.dim)
        theta = spread(point, *point.shape[:-2], len(chosen), problem.dim)
        return {
            "theta": theta,
            "models": models,
            "alpha": shares,
            "shares": shares,
            "chosen": chosen,
        }

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """One local step of everybody, and the average where a round ends."""
        steps, seen = count(hyper, "local_steps"), choice(hyper, "seen", SEEN)
        due = t % steps == 0
        ends = due if hyper.get("timing") == "equation" else (t + 1) % steps == 0
        models, alpha = state["models"], state["alpha"]
        if due and seen == "start":
            excess, losses = _values(problem, _average(models, alpha)[..., None, :])
            alpha = weights_of_round(t // steps, excess, losses, state["shares"], hyper)
        eta = trail(scheduled(hyper, "step_size", t), 2)
        models = models - eta * problem.own_stochastic_gradients(models, draws)
        if ends and seen != "start":
            places = models
            if seen == "average":
                places = _average(models, state["shares"])[..., None, :]
            excess, losses = _values(problem, places)
            alpha = weights_of_round(t // steps, excess, losses, state["shares"], hyper)
        virtual = _average(models, alpha)[..., None, :]  # (..., 1, d)
        if ends:  # weights may have leading axes that no model had so far
            models = spread(virtual, *virtual.shape[:-2], *models.shape[-2:])
        theta = spread(virtual, *virtual.shape[:-2], len(state["chosen"]), problem.dim)
        return {**state, "theta": theta, "models": models, "alpha": alpha}


def weights_of_round(
    r: int, excess: Tensor, losses: Tensor, shares: Tensor, hyper: Hyper
) -> Tensor:
    """Aggregation weights of round r from the values that the server sees, (..., N)."""
    rule = choice(hyper, "rule", RULES)
    if rule == "fixed":
        return _row(hyper["coefficients"], r) + 0 * excess
    if rule == "power_of_choice":
        asked = hyper.get("candidates")
        mask = 1 + 0 * losses if asked is None else _row(asked, r) + 0 * losses
        ranked = library(losses).where(mask > 0, losses, -np.inf)
        chosen = indicator((ranks(ranked) < count(hyper, "count")) & (mask > 0), losses)
        kept: Tensor = chosen / chosen.sum(-1, keepdims=True)
        return kept
    with unchecked():  # checked once in start: a check here would wait for the device
        found: Tensor = aggregation_weights(
            rule, excess, shares, temperature=hyper.get("temperature"), count=count(hyper, "count")
        )
    return found


def candidate_mask(
    shares: Any, size: int, rounds: int, rng: np.random.Generator
) -> np.ndarray[Any, Any]:
    """Candidates of power of choice: ``size`` clients a round, without replacement, odds p.

    Parameters
    ----------
    shares : array, (N,)
        p, of sum one.

    Returns
    -------
    array, (rounds, N)
        Zeros and ones.

    Source
    ------
    Cho, Wang and Joshi 2022, Section 3.2.
    """
    clients = len(shares)
    require(1 <= size <= clients, "size", f"in 1..{clients}", size, "ask a possible number")
    mask = np.zeros((rounds, clients))
    for row in mask:
        row[rng.choice(clients, size=size, replace=False, p=shares)] = 1
    return mask


def _check_rule(clients: int, hyper: Hyper) -> None:
    """What the weights of a round take for granted."""
    rule, most = hyper.get("rule"), count(hyper, "count")
    if rule == "fedmaxk":
        require(most <= clients, "count", f"in 1..{clients}", most, "name a possible number")
    if rule == "fixed":
        given = hyper.get("coefficients") is not None
        require(given, "coefficients", "given", None, "pass an array (T, N)")
    asked = hyper.get("candidates")
    if asked is not None:
        ok = bool(((asked == 0) | (asked == 1)).all()) and bool((asked.sum(-1) > 0).all())
        mask = "made of zeros and ones, some one in every round"
        require(ok, "candidates", mask, "another mask", "ask somebody in every round")


def _values(problem: Any, places: Tensor) -> tuple[Tensor, Tensor]:
    """F_i - F_i^* and F_i at one place per client (or one for all), (..., N)."""
    excess = problem.own_excess(places)
    return excess, excess + problem.optimal_value


def _average(models: Tensor, weights: Tensor) -> Tensor:
    """Sum of weights times models, (..., N, d) to (..., d)."""
    return (weights[..., None] * models).sum(-2)


def _shares(problem: Any, hyper: Hyper, like: Tensor) -> Tensor:
    given = hyper.get("client_weights")
    if given is None:
        equal: Tensor = ones(problem.clients, like) / problem.clients
        return equal
    nonnegative("client_weights", given)
    positive("the sum of client_weights", given.sum(-1), "give some client a weight")
    shares: Tensor = given / given.sum(-1, keepdims=True)
    return shares


def _row(rows: Tensor, r: int) -> Tensor:
    """Row of round r; a single row serves every round."""
    length = rows.shape[-2]
    enough = length == 1 or r < length
    require(enough, "rows", f"longer than {r} rounds", length, "pass one row per round")
    row: Tensor = rows[..., 0 if length == 1 else r, :]
    return row
