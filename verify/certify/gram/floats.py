"""The semidefinite programme of a claim in floats: scaled, solved, and read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod, sqrt
from typing import Any

import numpy as np
from scipy.sparse import csc_matrix

from verify.certify.algebra.conic_solver import SolverFailed, solution
from verify.certify.gram.claim import Form, Key, Premise

Array = np.ndarray[Any, Any]

__all__ = [
    "Array",
    "NoSolution",
    "Programme",
    "Scaled",
    "answer_of",
    "clarabel_answer",
    "matrix_of",
    "scaled",
]

ATTEMPTS = ((1.0, True), (0.25, True), (4.0, True), (1.0, False))
"""Unit of the multipliers, and whether the solver scales rows and columns by itself.

One programme in seven hundred stops short of its accuracy; in another unit its rounding errors
are others. Powers of two, so that nothing is rounded on the way."""

STUCK = ("InsufficientProgress", "MaxIterations", "NumericalError")
"""Words of the solver that are about its numbers, not about the programme."""


SCS_ACCURACY, SCS_STEPS = 1e-9, 50_000
"""Accuracy asked of the second solver, and its steps, some microseconds each."""


class NoSolution(Exception):
    """Why no certificate was found."""


class Stuck(NoSolution):
    """A solver stopped short of its accuracy: another one may not."""


@dataclass(frozen=True)
class Programme:
    """Maximise `objective` under `premises`, over all Gram matrices.

    Attributes
    ----------
    objective : Form
    premises : tuple of Premise
    sizes : mapping
        Rough size of vectors and values that are far from 1, for the conditioning alone.
    """

    objective: Form
    premises: tuple[Premise, ...]
    sizes: Mapping[str, float]

    @cached_property
    def vectors(self) -> tuple[str, ...]:
        """Vectors that the matrix of a certificate is about."""
        return tuple(sorted({a for key in self._keys for a in key if (a, a) in self._keys}))

    @cached_property
    def equations(self) -> tuple[Key, ...]:
        """What must cancel: values, and inner products with a vector whose square never occurs.

        (Where a square has coefficient zero a semidefinite matrix has a row of zeros.)
        """
        inside = set(self.vectors)
        return tuple(sorted(k for k in self._keys if k and not (len(k) == 2 and inside >= set(k))))

    @cached_property
    def _keys(self) -> set[Key]:
        forms = [self.objective, *(p.form for p in self.premises)]
        return {key for form in forms for key in form.terms}


@dataclass(frozen=True)
class Scaled:
    """The programme in floats, every premise and vector brought to size one."""

    columns: Array  # (svec, premises)
    target: Array  # (svec,) of -objective
    equations: Array  # (equations, premises)
    right: Array  # (equations,) of -objective
    cost: Array  # (premises,)
    premise_size: Array
    vector_size: Array
    equation_size: Array
    unit: float
    base: float
    free: Array  # (premises,) equalities


def scaled(programme: Programme) -> Scaled:
    """The programme in floats."""
    vectors, sizes = programme.vectors, programme.sizes
    vector_size = np.array([sizes.get(a, 1.0) for a in vectors])
    equation_size = np.array([prod(sizes.get(a, 1.0) for a in k) for k in programme.equations])
    place = {a: i for i, a in enumerate(vectors)}
    line = {key: i for i, key in enumerate(programme.equations)}
    length = len(vectors) * (len(vectors) + 1) // 2

    def spread(form: Form) -> tuple[Array, Array, float]:
        svec, linear, single = np.zeros(length), np.zeros(len(line)), 0.0
        for key, q in form.terms.items():
            if not key:
                single = float(q)
            elif key in line:
                linear[line[key]] = float(q) * equation_size[line[key]]
            else:
                i, j = sorted((place[key[0]], place[key[1]]))
                scale = 1.0 if i == j else 1 / sqrt(2)
                svec[j * (j + 1) // 2 + i] = float(q) * scale * vector_size[i] * vector_size[j]
        return svec, linear, single

    parts = [spread(p.form) for p in programme.premises]
    size = np.array(
        [
            max(np.max(np.abs(s), initial=0.0), np.max(np.abs(f), initial=0.0)) or abs(c) or 1.0
            for s, f, c in parts
        ]
    )
    svec, linear, single = spread(programme.objective)
    unit = max(np.max(np.abs(svec), initial=0.0), np.max(np.abs(linear), initial=0.0)) or 1.0
    return Scaled(
        columns=np.array([s for s, _, _ in parts]).T / size,
        target=-svec / unit,
        equations=np.array([f for _, f, _ in parts]).T / size,
        right=-linear / unit,
        cost=np.array([c for _, _, c in parts]) / size,
        premise_size=size,
        vector_size=vector_size,
        equation_size=equation_size,
        unit=float(unit),
        base=single / float(unit),
        free=np.array([p.equality for p in programme.premises], dtype=bool),
    )


@dataclass(frozen=True)
class Conic:
    """Minimise cost @ x where target - matrix @ x lies in a cone.

    The cone is ``zero`` zeros, then ``free`` numbers that are not negative, then the upper triangle
    of a positive semidefinite matrix, column by column, its off-diagonal entries times sqrt(2).
    """

    cost: Array
    matrix: Array
    target: Array
    zero: int
    free: int
    width: int


def clarabel_answer(p: Scaled, level: float | None) -> tuple[Array, Array]:
    """Optimal multipliers, or with `level` those of the deepest matrix; and the dual variables."""
    return _by_clarabel(_conic(p, level), accurate=level is None)


def answer_of(p: Scaled, level: float | None) -> tuple[Array, Array]:
    """The same; what Clarabel stops at is asked of SCS.

    For programmes that have an optimum: where there may be none, stopping short is an answer, and
    the other solver would only take longer to give it. Both only propose what is checked exactly.
    """
    try:
        return clarabel_answer(p, level)
    except Stuck:
        answer = _by_scs(_conic(p, level))
        if answer is None:
            raise
        return answer


def _conic(p: Scaled, level: float | None) -> Conic:
    premises, length = p.columns.shape[1], len(p.target)
    width = int(sqrt(2 * length))
    signs = -np.eye(premises)[~p.free]
    rows, right = [p.equations, signs], [p.right, np.zeros(len(signs))]
    if level is None:
        matrix, target = np.vstack([*rows, p.columns]), np.concatenate([*right, p.target])
        return Conic(p.cost, matrix, target, len(p.right), len(signs), width)
    deep = np.array([1.0 if i == j else 0.0 for j in range(width) for i in range(j + 1)])
    rows = [np.pad(block, ((0, 0), (0, 1))) for block in rows]
    rows += [
        np.append(p.cost, 0.0)[None],
        np.append(np.zeros(premises), 1.0)[None],
        np.column_stack([p.columns, deep]),
    ]
    right += [np.array([level - p.base]), np.array([1.0]), p.target]
    cost = np.append(np.zeros(premises), -1.0)
    matrix, target = np.vstack(rows), np.concatenate(right)
    return Conic(cost, matrix, target, len(p.right), len(signs) + 2, width)


def _by_clarabel(c: Conic, accurate: bool) -> tuple[Array, Array]:
    """The answer of Clarabel, which must have reached its accuracy if that is asked for."""
    try:
        import clarabel
    except ImportError:
        raise NoSolution("the solver clarabel is not installed: install clarabel") from None
    cones: list[Any] = [clarabel.ZeroConeT(c.zero), clarabel.NonnegativeConeT(c.free)]
    if c.width:
        cones.append(clarabel.PSDTriangleConeT(c.width))
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-10
    # what the solver calls almost solved is then at least what it calls solved by default
    settings.reduced_tol_gap_abs = settings.reduced_tol_gap_rel = 1e-8
    settings.reduced_tol_feas = 1e-8
    matrix, quadratic = csc_matrix(c.matrix), csc_matrix((len(c.cost), len(c.cost)))
    for unit, settings.equilibrate_enable in ATTEMPTS:
        try:
            answer = solution(quadratic, c.cost, matrix, c.target * unit, cones, settings)
        except SolverFailed as error:
            raise Stuck(str(error)) from error
        # the second programme only proposes what is then checked exactly
        if str(answer.status) not in STUCK or not accurate:
            break
    status = str(answer.status)
    if status not in ("Solved", "AlmostSolved") and accurate:
        raise (Stuck if status in STUCK else NoSolution)(f"the solver says {status}")
    if not (np.isfinite(answer.x).all() and np.isfinite(answer.z).all()):
        raise NoSolution("the solver gives no numbers")
    return np.array(answer.x) / unit, np.array(answer.z)


def _by_scs(c: Conic) -> tuple[Array, Array] | None:
    """The answer of SCS, a method of first order; None where it has none or is not installed."""
    try:
        import scs
    except ImportError:
        return None
    triangle = [(i, j) for j in range(c.width) for i in range(j + 1)]
    lower = [triangle.index((i, j)) for i in range(c.width) for j in range(i, c.width)]
    order = [*range(c.zero + c.free), *(c.zero + c.free + place for place in lower)]
    data = {"A": csc_matrix(c.matrix[order]), "b": c.target[order], "c": c.cost}
    cone = {"z": c.zero, "l": c.free, "s": [c.width] if c.width else []}
    limits = {"eps_abs": SCS_ACCURACY, "eps_rel": SCS_ACCURACY, "max_iters": SCS_STEPS}
    answer = scs.SCS(data, cone, verbose=False, **limits).solve()
    if answer["info"]["status"] != "solved":
        return None
    dual = np.empty(len(order))
    dual[order] = answer["y"]
    return np.array(answer["x"]), dual


def matrix_of(svec: Array, width: int) -> Array:
    """The symmetric matrix of a scaled triangle."""
    out = np.zeros((width, width))
    for j in range(width):
        for i in range(j + 1):
            out[i, j] = out[j, i] = svec[j * (j + 1) // 2 + i] / (1.0 if i == j else sqrt(2))
    return out
