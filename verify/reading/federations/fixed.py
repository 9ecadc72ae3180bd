r"""Runs of All-for-one with weights that are given: claims about one round.

With weights :math:`\alpha_k \ge 0`, not all of them zero, of which no more is known, smoothness
says what `verify.reading.federations.claims` says, and the mean over a draw of a client turns
:math:`\mathcal A(\|m\|^2 + s - 2\langle g, m\rangle)` into
:math:`\sum_k\alpha_k(\Delta_k^2 - G^2)`.  The own gradient may vanish here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from random import Random
from typing import Any, ClassVar

import numpy as np
import sympy

from bounds.numbers.formal import listed
from verify.certify.prover.prove import Hypothesis
from verify.claim.parameters import Real
from verify.reading.clients.cases import Way
from verify.reading.clients.reading import Reading
from verify.reading.federations.claims import ALONG, MEAN, NOISE, SPREAD, WEIGHTS, smoothness
from verify.reading.federations.places import BETA, STEP, own_at, places_of, value_at
from verify.reading.federations.reading import RESERVED, WeighedRuns
from verify.reading.federations.rounds import same_margins
from verify.reading.federations.rule import SETTINGS, Weighing, given_weights
from verify.reading.federations.shared_claims import shared_claims
from verify.reading.federations.weights import TERMS, WHOLE
from verify.reading.parts.claim import Claim, ReadClaim
from verify.reading.parts.exact_points import instance_of
from verify.reading.parts.refusals import NotReadable, asked

Expr = Any  # sympy carries no types

OWN = sympy.Symbol("squared_own", nonnegative=True)
"""Squared own gradient, which may be zero."""
DRIFT = sympy.Symbol("drift", real=True)
"""The sum of the weighted gaps, less the weighted own square."""

__all__ = ["FixedRuns", "fixed_claims"]


class FixedRuns(WeighedRuns):
    """A statement about one round with weights that are parameters, or formulas in them."""

    weights: ClassVar[str] = "fixed"
    names: ClassVar[tuple[str, ...]] = ()

    @cached_property
    def rows(self) -> Mapping[str, Real]:
        """The parameters of which each client has one."""
        return {n: self._domain(n, ("N",)) for n in self._arrays[1]}

    @cached_property
    def _names(self) -> list[str]:
        return self._arrays[0]

    def weighing(self, t: int = 0) -> Weighing:
        """What the weights are: the first row of the matrix that the method is given."""
        with listed(self.axis), asked():
            matrix = np.asarray(self._world(1).original("weight_matrix"), dtype=object)
        if matrix.shape[-2:] != (self.axis.size,) * 2 or matrix.size != self.axis.size**2:
            raise NotReadable("weights that are no matrix")
        return given_weights(matrix.reshape(matrix.shape[-2:])[0], self.axis, t)

    @cached_property
    def _arrays(self) -> tuple[list[str], list[str]]:
        """Names of plain parameters that all families have, and of those of each client."""
        every: list[dict[str, bool]] = []
        for family, shape in self.places:
            params = instance_of(family, shape, Random(0))[0].params
            arrays = {n: v for n, v in params.items() if isinstance(v, np.ndarray)}
            if set(params) - set(arrays) - SETTINGS or params.get("weights") != "fixed":
                raise NotReadable("another rule for the weights than given ones")
            if any(RESERVED.fullmatch(n) for n in arrays):
                raise NotReadable("a parameter with the name of something else")
            sizes = {n: v.shape[1:] for n, v in arrays.items() if n != "start"}
            if any(size not in ((), (int(shape["N"]),)) for size in sizes.values()):
                raise NotReadable("a parameter that is neither a number nor one for each client")
            every.append({n: bool(size) for n, size in sizes.items()})
        common = [n for n in every[0] if all(one.get(n) == every[0][n] for one in every)]
        return [n for n in common if not every[0][n]], [n for n in common if every[0][n]]


def fixed_claims(setting: FixedRuns, weighing: Weighing) -> Iterator[tuple[str, ReadClaim]]:
    """Claims about one round, each with a name.

    Raises
    ------
    NotReadable
        Where the statement is about more rounds, or about more than a round with given weights.
    """
    one, zero = setting.after(1), sympy.Integer(0)
    if setting.longest != 1 or setting.changing:
        raise NotReadable("given weights in more rounds than one")
    same_margins(one, one, 1)
    left, right = _plain(one.left), _plain(sympy.Add(*one.right.values()))
    for e in (left, right):
        known = e.is_polynomial(value_at(1)) and sympy.degree(e, value_at(1)) <= 1
        if not known or places_of(e) - {0, 1} or places_of(e.xreplace({value_at(1): zero})) - {0}:
            raise NotReadable("a side that is not linear in what comes after the round")
    assumed = {
        f"{n} {i}" if i else n: {(): _plain(e)}
        for n, margin in one.margins.items()
        for i, e in enumerate(margin)
    }
    total, drift, noise = (
        _plain(e) for e in (weighing.phi_sum, weighing.drift, weighing.square_sum)
    )
    short = {(): STEP * BETA * total}
    descent = value_at(0) + STEP * DRIFT / 2 + BETA * STEP**2 * NOISE / 2
    known_of_round = {
        **assumed,
        "a round": {(): descent - value_at(1)},
        "weighted gaps": {(): drift - DRIFT},
        "weighted gaps, from above": {(): DRIFT - drift},
        "variance of the weighted": {(): noise - NOISE},
    }
    made: list[tuple[str, Any, Any, str, Any, Way]] = [
        ("no weight below zero", dict.fromkeys(weighing.phi, zero), weighing.phi, "<=", {}, TERMS),
        ("some weight", {(): zero}, {(): total}, "<", assumed, WHOLE),
        ("short step", short, {(): sympy.Integer(1)}, "<=", assumed, WHOLE),
        ("one round", {(): left}, {(): right}, "<=", known_of_round, WHOLE),
    ]
    weights = [
        Hypothesis("smoothness, in mean", smoothness(STEP)),
        Hypothesis("weighted gaps", DRIFT - WEIGHTS * (MEAN + SPREAD - 2 * ALONG)),
        Hypothesis("short step", 1 - STEP * BETA * WEIGHTS),
    ]
    yield "a round", ReadClaim({"N": "any"}, Claim(value_at(1), descent, "<=", weights))
    for name, low, high, relation, margins, way in made:
        reading = Reading(setting.axis, low, high, margins, relation, {}, "N")
        for claim in shared_claims(setting, reading, way):
            yield name, claim


def _plain(e: Expr) -> Expr:
    """A formula in which the own gradient may vanish."""
    return sympy.sympify(e).xreplace({own_at(0): OWN})
