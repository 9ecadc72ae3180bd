"""Federations for the rates of the paper: classes of losses, with steps in range of every row.

Each meets A1 to A3 by construction and knows its constants; which further assumption its losses
meet tells which theorems speak of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from bounds.adaptive_weights import step_ratio_binary_sharp, step_ratio_continuous_sharp
from synthetic import drawn
from synthetic.registry import make
from verify.claim import Array, Instance
from verify.rates.record import Cell

_RULES = ("continuous", "binary")
_FEW = ((1, 1, "gaussian"), (2, 2, "skewed"), (4, 3, "heavy"), (20, 10, "gaussian"))
_MORE = ((16, 1, "skewed"), (8, 4, "sphere"), (32, 8, "skewed"), (64, 16, "gaussian"))
_MANY = ((128, 64, "heavy"), (512, 8, "sphere"))
_ROWS = ((1, 1, 32), (2, 2, 32), (4, 8, 32), (20, 4, 8), (64, 16, 8), (512, 4, 4))
_RESIDUALS = (
    *((1, 1, 16, 0), (2, 3, 16, 1), (8, 1, 8, 1 / 4), (20, 8, 8, 0)),
    *((64, 4, 4, 1), (128, 64, 8, 1), (512, 2, 4, 1 / 4)),
)


def _cells(names: str, *sizes: tuple[Any, ...]) -> tuple[Cell, ...]:
    """Cells of named sizes, with both rules in turn."""
    return tuple(
        {**dict(zip(names.split(), size, strict=True)), "phi": _RULES[k % 2]}
        for k, size in enumerate(sizes)
    )


CELLS = _cells("N d law", *_FEW, *_MORE, *_MANY)
SAME: tuple[Cell, ...] = tuple({**cell, "layout": "same"} for cell in CELLS)
TABLES = _cells("N d n", *_ROWS)
SHARED = _cells("N d n residual", *_RESIDUALS)
"""One table of rows for all clients; with residuals the smoothness is known between two numbers."""


def mild(
    cells: tuple[Cell, ...], reach: float, low: float = 1.0, condition: float = 4.0
) -> tuple[Cell, ...]:
    """Well-conditioned ones that start far away, so that the horizon is long for them.

    ``low`` scales the curvature, whose unit shows where a formula has lost one.
    """
    return tuple({**cell, "condition": condition, "reach": reach, "low": low} for cell in cells)


# -- one federation; the order of what is drawn is part of its seed --------------------------------


def _number(rng: np.random.Generator, low: float, high: float) -> float:
    return float(drawn.log_uniform(rng, low, high))


def _slope(rng: np.random.Generator) -> float:
    return float(rng.choice([0, 1])) * float(rng.uniform(0, 0.75))


def _apart(rng: np.random.Generator) -> dict[str, Any]:
    """How the clients lie around client 0, and how far away."""
    return {"layout": str(rng.choice(drawn.LAYOUTS)), "bias": _number(rng, 1 / 64, 1)}


def quadratic(rng: np.random.Generator, cell: Cell) -> Instance:
    """Quadratics around client 0, a start away from its minimiser, and a step below min q/beta."""
    dim, reach = cell["d"], cell.get("reach", 8.0)
    shape: dict[str, Any] = {"condition": _number(rng, 1, cell.get("condition", 1e4))}
    shape["layout"] = cell.get("layout") or str(rng.choice(drawn.LAYOUTS))
    same = shape["layout"] == "same"
    shape["bias"] = 0.0 if same else _number(rng, 1 / 64, 4)
    shape["slope"] = 0.0 if same else _slope(rng)
    shape["low"] = float(cell.get("low", 1)) * _number(rng, 1 / 4, 4)
    data = drawn.quadratics(rng, cell["N"], dim, cell["law"], **shape)
    away = rng.normal(size=dim) * drawn.log_uniform(rng, reach / 32, reach) / np.sqrt(dim)
    initial = float(away @ data["A"][0] @ away) / 2
    curvature = np.linalg.eigvalsh(data["A"])
    sizes = curvature.min(), curvature.max(), initial
    return _with_steps(rng, cell, "quadratic", data, -data["xi"][0] + away, sizes)


def _scaled(rng: np.random.Generator, cell: Cell, name: str) -> Instance:
    """Quadratics with one level so small that no run reaches it."""
    made = quadratic(rng, cell)
    params = {**made.params, name: made.params[name] * 1e-12}
    return Instance(made.family, made.data, made.method, params)


def lasting(rng: np.random.Generator, cell: Cell) -> Instance:
    """The same with a level of the squared gradient that no run reaches, so that none is stopped."""
    return _scaled(rng, cell, "level")


def tiny(rng: np.random.Generator, cell: Cell) -> Instance:
    """Clients of one loss, for which the precision plays no part, so that any small one does."""
    return _scaled(rng, cell, "precision")


def separable(kind: str, rng: np.random.Generator, cell: Cell) -> Instance:
    """Losses of a kind, ``pl`` or ``nonconvex``, around client 0."""
    shape = {**_apart(rng), "slope": float(rng.uniform(0, 0.75))}
    data = drawn.separable(rng, cell["N"], cell["d"], cell["law"], **shape)
    away = rng.normal(size=cell["d"]) * drawn.log_uniform(rng, 1 / 4, 4)
    width = float(data["width"])
    steep = {"pl": 8, "nonconvex": 2}[kind] * data["height"] / width**2
    flat = 7 / 40 * data["height"] / width**2
    sizes = flat.min(), steep.max(), float(data["height"][0])
    return _with_steps(rng, cell, kind, data, data["centre"][0] + away, sizes)


def logistic(rng: np.random.Generator, cell: Cell) -> Instance:
    """Regularised logistic losses on tables, gradients of one row each."""
    shape = {**_apart(rng), "ridge": _number(rng, 1 / 64, 1)}
    data = drawn.logistic(rng, cell["N"], cell["d"], cell["n"], **shape)
    table, mu = data["X"], float(data["ridge"])
    away = rng.normal(size=cell["d"]) * drawn.log_uniform(rng, 1 / 2, 8)
    square = np.swapaxes(table, -1, -2) @ table / cell["n"]
    steep = mu + float(np.linalg.eigvalsh(square).max()) / 4
    sizes = mu, steep, mu * float(away @ away) / 2
    sigma2 = (table**2).sum(-1).mean(-1)
    return _with_steps(rng, cell, "logistic", data, data["optimum"][0] + away, sizes, sigma2)


def log_cosh(rng: np.random.Generator, cell: Cell) -> Instance:
    """Regularised log-cosh losses on one table, gradients of one row each."""
    shape = {**_apart(rng), "residual": float(cell["residual"]), "condition": _number(rng, 1, 1e4)}
    data = drawn.log_cosh(rng, cell["N"], cell["d"], cell["n"], **shape)
    away = rng.normal(size=cell["d"]) * drawn.log_uniform(rng, 1 / 2, 8)
    return _around(rng, cell, "log_cosh", data, data["optimum"][0] + away)


def growing(rng: np.random.Generator, cell: Cell) -> Instance:
    """Streamed least squares; the noise grows up to a ball that the run begins in or near."""
    shape: dict[str, Any] = {"layout": str(rng.choice(drawn.LAYOUTS))}
    away = rng.normal(size=cell["d"]) / np.sqrt(cell["d"]) * drawn.log_uniform(rng, 1 / 4, 8)
    shape |= {"condition": _number(rng, 1, 1e4), "bias": _number(rng, 1 / 64, 4)}
    shape |= {"slope": _slope(rng), "reach": float(np.linalg.norm(away)) * _number(rng, 1 / 2, 4)}
    shape |= {"labels": _number(rng, 1 / 16, 1), "low": _number(rng, 1 / 4, 4)}
    data = drawn.growing(rng, cell["N"], cell["d"], cell["law"], **shape)
    return _around(rng, cell, "growing", data, data["targets"][0] + away)


def _around(
    rng: np.random.Generator, cell: Cell, kind: str, data: dict[str, Any], start: Array
) -> Instance:
    """An instance by the constants that the problem knows of itself."""
    problem = make(kind, data)
    loss = float(problem.excess(start)[0])
    sizes = float(problem.pl_constant), float(problem.smoothness), loss
    return _with_steps(rng, cell, kind, data, start, sizes, problem.noise_variance)


def _with_steps(
    rng: np.random.Generator,
    cell: Cell,
    kind: str,
    data: dict[str, Any],
    start: Array,
    sizes: tuple[Any, Any, float],
    sigma2: Array | None = None,
) -> Instance:
    """Hyper-parameters inside the range of every row; ``sizes`` are mu, beta and a loss.

    ``step_share`` is relative to 1/beta for the forms that name no other step, and so below the
    smallest (sigma_phi/sigma_psi)^2; the delay lets the first of the decreasing steps be so too.
    """
    mu, beta, loss = sizes
    sigma2 = data["noise_scale"] ** 2 if sigma2 is None else sigma2
    threshold = float(rng.uniform(1 / 4, 1))
    limit = float(
        step_ratio_binary_sharp(sigma2, threshold)
        if cell["phi"] == "binary"
        else step_ratio_continuous_sharp(sigma2)
    )
    share, factor = _number(rng, 1 / 8, 1), float(rng.uniform(1.1, 4))
    patience = float(rng.uniform(0, 1))
    level = loss * _number(rng, 1e-6, 1)
    params = {
        "start": start,
        "step_share": share * limit,
        "threshold": threshold,
        "tradeoff": 1.5,
        "precision": level,
        "level": 2 * mu * level,
        "factor": factor,
        "patience": patience,
        "delay": (factor * beta / (mu * limit) - 1) * (1 + patience) * (1 + 1e-9),
        "phi": cell["phi"],
        "weights": "true",
    }
    floats = {k: np.asarray(v) if isinstance(v, float) else v for k, v in params.items()}
    return Instance(kind, data, "all_for_one", floats)


# -- classes -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Losses:
    """A class of federations.

    Attributes
    ----------
    problems : str
        The class in a few words.
    draw : callable
        ``(generator, cell) -> Instance``.
    cells : tuple of mappings
    dominated : bool
        Whether gradients dominate excess losses: A4 or A5 with mu > 0.
    """

    problems: str
    draw: Callable[[np.random.Generator, Cell], Instance]
    cells: tuple[Cell, ...]
    dominated: bool


CLASSES: tuple[Losses, ...] = (
    Losses("Polyak-Lojasiewicz", partial(separable, "pl"), CELLS, dominated=True),
    Losses("logistic losses", logistic, TABLES, dominated=True),
    Losses("log-cosh losses", log_cosh, SHARED, dominated=True),
    Losses("growing noise", growing, CELLS, dominated=True),
    Losses("saturated losses", partial(separable, "nonconvex"), CELLS, dominated=False),
)
"""Besides quadratics with additive noise, on which every theorem is measured."""
