"""Classes of operators: cocoercive, or monotone, met where a method asks for gradients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bounds.numbers.validate import require
from verify.claim.functions import NOISE_BOX, class_shapes
from verify.claim.parameters import Family, Real
from verify.claim.sums import OPERATORS, sums

__all__ = ["operators"]


def operators(
    kind: str,
    *,
    points: int | Sequence[int] | None = None,
    dimensions: int | Sequence[int] = (1, 2),
    rounds: int | Sequence[int] = 1,
    clients: int | Sequence[int] = 1,
    method: str = "local",
    noise: bool = False,
    extra: Mapping[str, Real] | None = None,
    constants: Mapping[str, Any] | None = None,
    about: str = "",
) -> Family:
    r"""Family of operators A of a class, which a method is told in place of gradients.

    Parameters
    ----------
    kind : str
        ``cocoercive``: <A x - A y, x - y> >= c |A x - A y|^2 for all x and y, with
        ``w.cocoercivity``, c, shape (B, 1, N), unit length^2 / loss, > 0. ``monotone``:
        <A x - A y, x - y> >= 0, and A is Lipschitz with ``w.beta``.
    points : int or sequence of int, optional
        Bends of the functions that the operator is made of, on either side of its zero and in each
        direction; by default rounds + 1.
    dimensions, rounds, clients : int or sequence of int
        Shapes to search, small ones first. In one dimension every operator is a gradient.
    method : str
        Of :mod:`algorithms`; ``local`` is the forward step x - h A(x). Others are written down in
        the statement, with :func:`verify.world.visited.walked`.
    noise : bool
        Two-point noise of every client, as in the family of quadratics.
    extra : mapping of str to Real
        Further parameters (step_size, ...).
    constants : mapping, optional
        Constants of the method.
    about : str
        What to say of the scope.

    Returns
    -------
    Family
        Sides read A(x) as ``w.problem.gradients(x)``, shape (B, R, N, d), unit loss / length; a
        zero of each client's A at ``w.problem.optimum``, (B, 1, N, d), which need not be the only
        one; ``w.beta``, a Lipschitz constant (1/c of cocoercive ones); ``w.start``, ``w.run()``.
        There are no losses: ``visited(w)`` has points and gradients alone.

    Raises
    ------
    InvalidInput
        Where the kind is none of :data:`OPERATORS`.

    Notes
    -----
    Cocoercive: (y + N y) / (2 c) with y = x - x_* and N a non-expansive map, orthogonal ones around
    piecewise linear functions of the coordinates; neither linear nor a gradient. Monotone: the
    gradient of a convex sum of profiles plus a multiple of a quarter turn. Definitions: Bauschke
    and Combettes, "Convex Analysis and Monotone Operator Theory in Hilbert Spaces" (2017),
    Chapters 4 and 20.

    Examples
    --------
    >>> family = operators("cocoercive", dimensions=2, extra={"step_size": Real(1 / 8, 8)})
    >>> sorted(family.box)[:4]
    ['bend', 'cocoercivity', 'lean', 'span']
    """
    require(kind in OPERATORS, "kind", f"one of {OPERATORS}", kind, "choose one")
    shapes = class_shapes(points, dimensions, rounds, clients, method, constants)
    return sums(kind, shapes, NOISE_BOX if noise else {}, extra or {}, about)
