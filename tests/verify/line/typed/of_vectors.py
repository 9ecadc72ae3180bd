"""Lines about vectors: inner products and norms in the notations of papers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.verify.line.typed.meant import Typed


def _norm(x: Any) -> float:
    return float(np.sqrt((x * x).sum()))


def _inner(x: Any, y: Any) -> float:
    return float((x * y).sum())


VECTORS = (
    Typed(
        "x^T y <= ||x|| ||y|| for x, y in R^d",
        "dot(x, y) <= norm(x)*norm(y) for vectors x, y",
        lambda v: (_inner(v.x, v.y), _norm(v.x) * _norm(v.y)),
    ),
    Typed(
        "<x, y> <= norm(x) norm(y) for vectors x, y",
        "dot(x, y) <= norm(x)*norm(y) for vectors x, y",
        lambda v: (_inner(v.x, v.y), _norm(v.x) * _norm(v.y)),
    ),
    Typed(
        r"\langle x, y \rangle \le \frac{1}{2}\|x\|^2 + \frac12 \|y\|^2 for x,y \in \mathbb{R}^d",
        "dot(x, y) <= (1/2)*norm(x)**2 + (1/2)*norm(y)**2 for vectors x, y",
        lambda v: (_inner(v.x, v.y), _norm(v.x) ** 2 / 2 + _norm(v.y) ** 2 / 2),
    ),
    Typed(
        r"|\langle x, y\rangle| \le \|x\|\,\|y\| \quad \forall x, y \in \mathbb{R}^d",
        "abs(dot(x, y)) <= norm(x)*norm(y) for vectors x, y",
        lambda v: (abs(_inner(v.x, v.y)), _norm(v.x) * _norm(v.y)),
    ),
    Typed(
        r"\|x + y\|^2 \le 2\|x\|^2 + 2\|y\|^2, x, y \in \mathbb{R}^n",
        "norm(x + y)**2 <= 2*norm(x)**2 + 2*norm(y)**2 for vectors x, y",
        lambda v: (_norm(v.x + v.y) ** 2, 2 * _norm(v.x) ** 2 + 2 * _norm(v.y) ** 2),
    ),
    Typed(
        r"2x^\top y = \|x\|^2 + \|y\|^2 - \|x-y\|^2 for vectors x, y",
        "2*dot(x, y) == norm(x)**2 + norm(y)**2 - norm(x - y)**2 for vectors x, y",
        lambda v: (
            2 * _inner(v.x, v.y),
            _norm(v.x) ** 2 + _norm(v.y) ** 2 - _norm(v.x - v.y) ** 2,
        ),
    ),
    Typed(
        "2 <x,y> <= a||x||^2 + ||y||^2/a for a > 0, x, y in R^d",
        "2*dot(x, y) <= a*norm(x)**2 + norm(y)**2/a for a > 0, vectors x, y",
        lambda v: (2 * _inner(v.x, v.y), v.a * _norm(v.x) ** 2 + _norm(v.y) ** 2 / v.a),
    ),
    Typed(
        r"\|x\|_2 \le \|x\|_1 for x \in \mathbb{R}^d",
        "norm(x) <= norm1(x) for vector x",
        lambda v: (_norm(v.x), float(abs(v.x).sum())),
    ),
    Typed(
        "norm(x, 1) <= sqrt(d) norm(x) for vector x",
        "norm1(x) <= sqrt(d)*norm(x) for vector x",
        lambda v: (float(abs(v.x).sum()), len(v.x) ** 0.5 * _norm(v.x)),
    ),
    Typed(
        "norm(x, inf) <= norm(x, 2) for vector x",
        "norminf(x) <= norm(x) for vector x",
        lambda v: (float(abs(v.x).max()), _norm(v.x)),
    ),
    Typed(
        r"\left\|\frac1N\sum_{i=1}^N x_i\right\|^2 \le \frac1N\sum_{i=1}^N\|x_i\|^2"
        r" for x_i \in \mathbb{R}^d",
        "norm((1/N)*(sum_i (x[i])))**2 <= (1/N)*(sum_i (norm(x[i])**2)) for vectors x",
        lambda v: (_norm(v.x.mean(0)) ** 2, sum(_norm(x) ** 2 for x in v.x) / len(v.x)),
    ),
    Typed(
        r"\|(1-\lambda)x + \lambda y\|^2 = (1-\lambda)\|x\|^2 + \lambda\|y\|^2"
        r" - \lambda(1-\lambda)\|x-y\|^2 for \lambda \in [0,1], x,y\in\mathbb{R}^d",
        "norm((1 - lam)*x + lam*y)**2 == (1 - lam)*norm(x)**2 + lam*norm(y)**2"
        " - lam*(1 - lam)*norm(x - y)**2 for lam in [0, 1], vectors x, y",
        lambda v: (
            _norm((1 - v.lam) * v.x + v.lam * v.y) ** 2,
            (1 - v.lam) * _norm(v.x) ** 2
            + v.lam * _norm(v.y) ** 2
            - v.lam * (1 - v.lam) * _norm(v.x - v.y) ** 2,
        ),
    ),
    Typed(
        r"\|x - \eta g\|^2 = \|x\|^2 - 2\eta\langle x, g\rangle + \eta^2\|g\|^2"
        r" for \eta > 0, x, g \in \mathbb{R}^d",
        "norm(x - eta*g)**2 == norm(x)**2 - 2*eta*dot(x, g) + eta**2*norm(g)**2"
        " for eta > 0, vectors x, g",
        lambda v: (
            _norm(v.x - v.eta * v.g) ** 2,
            _norm(v.x) ** 2 - 2 * v.eta * _inner(v.x, v.g) + v.eta**2 * _norm(v.g) ** 2,
        ),
    ),
    Typed(
        "||x - y||^2 = ||x||^2 - 2 x^T y + ||y||^2 for x, y in R^d",
        "norm(x - y)**2 == norm(x)**2 - 2*dot(x, y) + norm(y)**2 for vectors x, y",
        lambda v: (
            _norm(v.x - v.y) ** 2,
            _norm(v.x) ** 2 - 2 * _inner(v.x, v.y) + _norm(v.y) ** 2,
        ),
    ),
    Typed(
        r"\|x+y\| \le \|x\| + \|y\| for x, y \in \R^d",
        "norm(x + y) <= norm(x) + norm(y) for vectors x, y",
        lambda v: (_norm(v.x + v.y), _norm(v.x) + _norm(v.y)),
    ),
    Typed(
        "‖x+y‖ ≤ ‖x‖ + ‖y‖ for vectors x, y",
        "norm(x + y) <= norm(x) + norm(y) for vectors x, y",
        lambda v: (_norm(v.x + v.y), _norm(v.x) + _norm(v.y)),
    ),
)
