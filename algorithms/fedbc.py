r"""FedBC: local models within a tolerance of the server's, by projected dual ascent.

.. math:: x_i^{t+1} &\approx \mathrm{argmin}_x\, f_i(x) + \lambda_i^t
              (\lVert x - z^t \rVert^2 - \gamma_i) \\
          \lambda_i^{t+1} &= P_\Lambda [\lambda_i^t
              + \alpha(\lVert x_i^{t+1} - z^t \rVert^2 - \gamma_i)] \\
          z^{t+1} &= \sum_{j \in S_t} \lambda_j^{t+1} x_j^{t+1} \Big/
              \sum_{j \in S_t} \lambda_j^{t+1}

Slot ``j*N + k`` of a round is local step j of client k; exact solves draw nothing.

Differs from the authors' code in the heuristic for gamma: there it grows by the multiplier of
before the dual step (``gamma_by="old"``).

Source: fedbc.alg1, fedbc.alg2, fedbc.def.primal (9), fedbc.def.dual (11), fedbc.def.server (12),
(13); the multiplier on the right of the dual step is read with the index of the left.
"""

from __future__ import annotations

from typing import Any, ClassVar

from algorithms.engine.arrays import library, picked, spread
from algorithms.engine.server import (
    AXES,
    UNITS,
    average,
    check_participation,
    descend,
    local_slots,
    participation,
    proximal_points,
)
from algorithms.method import Hyper, Method, State, choice, followed, one_start, start_points
from bounds.numbers.validate import nonnegative, require
from synthetic.fields import every

RULES = ("argmin", "gradient")
STARTS = ("own", "server")
MULTIPLIERS = ("new", "old")


class FedBC(Method):
    """Primal-dual training with one multiplier per client.

    Hyper-parameters
    ----------------
    multipliers, shape (..., N)
        lambda^0 >= 0. Unit: loss / length squared.
    gamma, shape (..., N)
        Tolerance on the squared distance, at least 0, default 0. Unit: length squared.
    gamma_step, shape (...)
        eta of the heuristic gamma <- gamma + eta lambda^{t+1}, after the dual step, for those who
        took part; without it gamma stays. Unit: length^4 / loss.
    gamma_by : {"new", "old"}
        The multiplier in it: lambda^{t+1}, or lambda^t.
    dual_step, shape (...)
        alpha; without it the multipliers stay constant. Unit: loss / length^4.
    lambda_min, lambda_max, shape (...)
        Ends of Lambda, 0 <= lambda_min <= lambda_max. Without lambda_min it is 0, the least that
        keeps the local problem's penalty a penalty. Unit: loss / length squared.
    local : {"argmin", "gradient"}
        Exact minimiser (where the problem knows it), or ``local_steps`` gradient steps (one number,
        or K_i per client, shape (..., N)) with ``step_size`` or ``step_sizes``.
    local_start : {"own", "server"}
        Where gradient steps begin: the client's own model (Algorithm 2), or z^t (as in FedAvg).
    start, shape (..., d)
        z^0; ``starts``, shape (..., N, d), are the x_i^0, by default z^0.
    client_weights, shape (..., N)
        p_j of the sums of the server's step, p_j lambda_j; default equal.
    participation, shape (..., T, N) or (..., 1, N)
        0/1 mask of S_t; default everybody.
    virtual : bool
        Clients outside S_t keep model and multiplier (False, Algorithm 1 to the letter), or also
        compute theirs and are only left out of the average (True).
    focus : list of int
        Followed clients, default all; the others are computed too, as the server needs them.

    Notes
    -----
    Where all multipliers in the server's sum are zero, the plain mean over S_t is taken: it is
    their limit along equal multipliers, and what makes the claim on FedAvg meaningful. A round
    without anybody leaves z as it is.
    """

    name: ClassVar[str] = "fedbc"
    steady: ClassVar[bool] = True
    plain: ClassVar[bool] = True
    units: ClassVar[dict[str, tuple[int, int]]] = {
        **UNITS,
        "starts": (0, 1),
        "multipliers": (1, -2),
        "lambda_min": (1, -2),
        "lambda_max": (1, -2),
        "gamma": (0, 2),
        "dual_step": (1, -4),
        "gamma_step": (-1, 4),
    }
    axes: ClassVar[dict[str, str]] = {
        **AXES,
        "starts": "N d",
        "multipliers": "N",
        "lambda_min": "",
        "lambda_max": "",
        "gamma": "N",
        "dual_step": "",
        "gamma_step": "",
        "client_weights": "N",
    }
    settings: ClassVar[tuple[str, ...]] = (
        "local",
        "local_start",
        "local_steps",
        "gamma_by",
        "virtual",
        "focus",
    )
    states: ClassVar[dict[str, str]] = {"theta": "F d", "server": "d", "multipliers": "N"}
    traces: ClassVar[dict[str, str]] = {"local_models": "N d"}

    def slots(self, clients: int, hyper: Hyper) -> int:
        """K N gradients, none for exact solves."""
        return local_slots(clients, hyper, choice(hyper, "local", RULES))

    def start(self, problem: Any, hyper: Hyper) -> State:
        """Models, server's model and multipliers as given."""
        check_participation(hyper)
        given = hyper.get("multipliers") is not None
        require(given, "multipliers", "given", None, "pass lambda^0, shape (..., N)")
        nonnegative("multipliers", hyper["multipliers"])
        choice(hyper, "gamma_by", MULTIPLIERS)
        for name in ("gamma", "lambda_min", "lambda_max"):
            if hyper.get(name) is not None:
                nonnegative(name, hyper[name])
        low, high = hyper.get("lambda_min"), hyper.get("lambda_max")
        ordered = low is None or high is None or every(low <= high)
        require(ordered, "lambda_min", "at most lambda_max", "a larger one", "swap the ends")
        if hyper.get("client_weights") is not None:
            nonnegative("client_weights", hyper["client_weights"])
        chosen = followed(problem.clients, hyper)
        models = start_points(problem, hyper, range(problem.clients))
        return {
            "server": one_start(hyper),
            "models": models,
            "theta": picked(models, chosen),
            "multipliers": hyper["multipliers"],
            "gamma": hyper.get("gamma"),
            "chosen": chosen,
        }

    def solve(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> Any:
        """New local models of all clients, (..., N, d)."""
        server, kept, old = state["server"], state["models"], state["multipliers"]
        if choice(hyper, "local", RULES) == "argmin":
            return proximal_points(problem, 2 * old, server)
        begin = kept
        if choice(hyper, "local_start", STARTS) == "server":
            begin = spread(server[..., None, :], *server.shape[:-1], *kept.shape[-2:])
        return descend(t, problem, hyper, begin, 2 * old, server, draws)

    def step(self, t: int, state: State, problem: Any, hyper: Hyper, draws: Any) -> State:
        """Local solves, dual step, average weighted by the new multipliers."""
        server, old, kept = state["server"], state["multipliers"], state["models"]
        models = self.solve(t, state, problem, hyper, draws)  # (..., N, d)
        gamma = state["gamma"]
        multipliers = _dual_step(hyper, old, models, server, gamma)  # (..., N)
        where = library(models).where
        inside = participation(hyper, t, models[..., 0])  # (..., N)
        if not hyper.get("virtual", False):
            takes_part = inside == 1
            models = where(takes_part[..., None], models, kept)
            multipliers = where(takes_part, multipliers, old)
        if hyper.get("gamma_step") is not None:
            by = old if choice(hyper, "gamma_by", MULTIPLIERS) == "old" else multipliers
            grown = hyper["gamma_step"][..., None] * by
            heard = 1 if hyper.get("virtual", False) else inside
            gamma = heard * grown + (0 if gamma is None else gamma)
        if hyper.get("client_weights") is not None:
            inside = inside * hyper["client_weights"]
        shares = inside * multipliers
        shares = where(shares.sum(-1, keepdims=True) == 0, inside, shares)
        return {
            **state,
            "server": average(models, shares, server),
            "models": models,
            "local_models": models,
            "theta": picked(models, state["chosen"]),
            "multipliers": multipliers,
            "gamma": gamma,
        }


def _dual_step(hyper: Hyper, multipliers: Any, models: Any, server: Any, tolerance: Any) -> Any:
    """Projected ascent step on the multipliers, (..., N); none where no step is given."""
    if hyper.get("dual_step") is None:
        return multipliers
    gap = ((models - server[..., None, :]) ** 2).sum(-1)  # (..., N)
    gap = gap if tolerance is None else gap - tolerance
    moved = multipliers + hyper["dual_step"][..., None] * gap
    low, high = hyper.get("lambda_min"), hyper.get("lambda_max")
    xp = library(moved)
    moved = moved.clip(min=0) if low is None else xp.maximum(moved, low[..., None])
    return moved if high is None else xp.minimum(moved, high[..., None])
