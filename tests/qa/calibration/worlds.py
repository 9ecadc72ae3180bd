"""Small worlds in which the textbook statements of the calibration set live.

Randomness comes from methods alone: one or more clients with a quadratic loss and two-point noise,
all outcomes enumerated.  With step size eta = step_share / beta nothing else has to be chosen.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds import generic as xp
from verify.claim.families import QUADRATIC_BOX, quadratic_data
from verify.claim.instance import Instance
from verify.claim.parameters import Family, Real, Shape, plain_numbers
from verify.claim.statement import Source
from verify.world.world import World

TEXTBOOK = Source("textbook", "")
PLANTED = Source("planted", "")

STEP = {"step_share": Real(1 / 20, 1, domain=(0, 1))}
NOISE_SHARE = {"noise_share": Real(0, 1, per=("N",), domain=(0, 1))}
ONE = {"N": 1, "d": 1, "rounds": 1}
POSITIVE = Real(1 / 8, 8, log=True)
UNIT = Real(0, 1)
SHARE = Real(0, 1, domain=(0, 1))
ANY = Real(-2, 2)


def step_size(w: World) -> Any:
    """Eta = step_share / beta."""
    return w.step_share / w.beta


DEFINES = {"step_size": step_size}


def numbers(*shapes: Shape, **box: Real) -> Family:
    """Bare parameters."""
    return Family(box, shapes or ({},), plain_numbers)


def sgd(*shapes: Shape, method: str = "local", law: str = "two_point", **extra: Real) -> Family:
    """Half-quadratics (the Hessian is the matrix A) with two-point noise, trained by a method."""

    def build(values: Any, shape: Shape) -> Instance:
        data = {**quadratic_data(values, half=True), "law": law}
        own = {k: v for k, v in values.items() if k in ("start", *STEP, *extra)}
        constants = {k: v for k, v in shape.items() if k not in ("N", "d")}
        return Instance("quadratic", data, method, {**own, **constants})

    box = {**QUADRATIC_BOX, **NOISE_SHARE, **STEP, **extra}
    return Family(box, shapes or (ONE,), build, "quadratics, two-point noise, all outcomes")


def heavy(*shapes: Shape, **extra: Real) -> Family:
    """As :func:`sgd`, with the symmetric three-point law -h, 0, h of variance 1, h = 1 + tail."""

    def build(values: Any, shape: Shape) -> Instance:
        plain = {**values, "skew": values["sigma"]}
        made = family.instance(plain, shape)
        top = 1 + values["tail"]
        rare = 1 / (2 * top**2)
        data = {k: v for k, v in made.data.items() if k != "skew"}
        law = {
            "law": "finite",
            "values": xp.stack([-top, 0 * top, top], -1),
            "probabilities": xp.stack([rare, 1 - 2 * rare, rare], -1),
        }
        return Instance("quadratic", {**data, **law}, made.method, {**made.params, "top": top})

    family = sgd(*shapes, method="local", law="two_point", **extra)
    box = {k: v for k, v in family.box.items() if k != "skew"}
    tail = {"tail": Real(0, 4, per=("N",))}
    return Family({**box, **tail}, family.shapes, build, "quadratics, three-point noise")


def plain(*shapes: Shape, **extra: Real) -> Family:
    """FedAvg on quadratics without noise."""
    return sgd(*shapes, method="fedavg", law="none", **extra)


def point(clients: int = 1, dim: int = 1, **changed: Any) -> dict[str, Any]:
    """Values of a family of runs: unit curvature and noise, minimiser 0, start 1, full step."""
    usual = {
        "curvature": [[1] * dim] * clients,
        "optimum": [[0] * dim] * clients,
        "sigma": [1] * clients,
        "noise_share": [1] * clients,
        "skew": [1] * clients,
        "start": [1] * dim,
        "tradeoff": 2,
        "step_share": 1,
    }
    return {**usual, **changed}


def gaussian_run(rounds: int, noise: float) -> Instance:
    """A longer run from the minimiser with half the longest step and Gaussian noise."""
    data = {
        "A": np.ones((1, 1, 1)),
        "xi": np.zeros((1, 1)),
        "sigma": np.full(1, noise),
        "noise_scale": np.full(1, noise),
        "law": "gaussian",
        "half": True,
    }
    params = {"start": np.zeros(1), "step_share": np.array(0.5), "rounds": rounds}
    return Instance("quadratic", data, "local", params)


def last(w: World) -> Any:
    """Model of client 0 after the last round, (B, R, d)."""
    return w.run().theta[:, :, -1]


def server(w: World) -> Any:
    """The server's last model, (B, R, d)."""
    return w.run().server[:, :, -1]


def optimum(w: World) -> Any:
    """Minimiser of client 0, (B, 1, d)."""
    return -w.xi[:, :, 0]


def distance2(w: World, theta: Any) -> Any:
    """Squared distance to the minimiser of client 0, (B, R)."""
    return xp.squared_norm(theta - optimum(w))


def excess(w: World, theta: Any) -> Any:
    """Excess loss of client 0, (B, R)."""
    return w.problem.excess(theta)[..., 0]


def slope2(w: World, theta: Any) -> Any:
    """Squared gradient norm of client 0, (B, R)."""
    return xp.squared_norm(w.problem.gradients(theta)[..., 0, :])


def sigma(w: World) -> Any:
    """Claimed noise of client 0, (B, 1)."""
    return w.sigma[..., 0]


def scale(w: World) -> Any:
    """Actual noise of client 0, (B, 1)."""
    return w.noise_scale[..., 0]


def skew(w: World) -> Any:
    """The larger value of the two-point law of client 0, (B, 1)."""
    return w.skew[..., 0]


def deviation(w: World) -> Any:
    """Last model of client 0 minus its mean in one dimension, (B, R)."""
    x = last(w)[..., 0]
    return x - w.mean(x)


def curvature(w: World) -> Any:
    """Curvature of client 0 along the first axis, (B, 1)."""
    return w.A[:, :, 0, 0, 0]
