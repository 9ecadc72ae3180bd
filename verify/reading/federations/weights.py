r"""Claims about the weights of a round, with any number of clients: claims about it rest on them.

With :math:`\Psi = \sum_kr_k\phi(r_k)/\sigma_k^2` and the weights
:math:`\alpha_k = \phi(r_k)/(\sigma_k^2\Psi)` at a place they are, times :math:`\Psi`,

- :math:`\phi(r_k) \ge 0` and :math:`\sum_k\alpha_k \ge 1`,
- :math:`\sum_k\alpha_k(\Delta_k^2 - G^2) \le -G^2` (the weighted gaps cancel),
- :math:`\sum_k\alpha_k^2\sigma_k^2 \le 1/\Psi` (the variance),
- :math:`1 - \eta\beta\sum_k\alpha_k \ge 0` (from what the statement assumes of the step),
- :math:`\Sigma \le \Psi` and :math:`\Sigma > 0` for each other sum :math:`\Sigma` that the
  statement divides by, the sufficient one say (from similarity, the Polyak-Lojasiewicz inequality
  and the condition that is met): first what positive parts are taken of, then the sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import sympy

from bounds.numbers.symbolic import client_symbol
from verify.certify.prover.prove import Hypothesis
from verify.reading.clients.cases import Way
from verify.reading.clients.reading import Reading
from verify.reading.federations.limits import short_by_formula
from verify.reading.federations.places import (
    BETA,
    BIAS,
    MU,
    SLOPE,
    exchanged,
    gap_at,
    own_at,
    value_at,
)
from verify.reading.federations.reading import WeighedRuns
from verify.reading.federations.rounds import RoundsRead
from verify.reading.federations.rule import Weighing
from verify.reading.federations.shared_claims import shared_claims
from verify.reading.parts.claim import Claim, ReadClaim
from verify.reading.parts.refusals import NotReadable

Expr = Any  # sympy carries no types
Places = Mapping[tuple[Any, ...], Expr]
Margins = Mapping[str, Places]

TERMS, WHOLE, CASES = Way(False, True), Way(False, False), Way(True, False)

__all__ = [
    "CASES",
    "TERMS",
    "WHOLE",
    "arguments_of",
    "in_order",
    "known_of_a_place",
    "ordered",
    "own_gradient",
    "weight_claims",
    "with_arguments",
]


def weight_claims(
    setting: WeighedRuns, rounds: RoundsRead, weighing: Weighing, others: Mapping[Expr, Expr]
) -> Iterator[tuple[str, ReadClaim]]:
    """Claims about the weights at a place.

    Parameters
    ----------
    setting : WeighedRuns
    rounds : RoundsRead
    weighing : Weighing
    others : mapping
        Symbols of the sums that the statement divides by, and the sums.

    Yields
    ------
    (str, ReadClaim)
        With a name for what is claimed.

    Raises
    ------
    NotReadable
    """
    zero = sympy.Integer(0)
    own, psi = own_at(0), weighing.psi_sum
    assumed = {n: {(): e} for n, m in rounds.margins.items() for e in m}
    claims: list[tuple[str, Places, Places, str, Margins, Way]] = [
        ("no weight below zero", dict.fromkeys(weighing.phi, zero), weighing.phi, "<=", {}, TERMS),
        ("some weight", {(): zero}, {(): psi}, "<", {}, WHOLE),
        ("weights of at least one", {(): psi}, {(): weighing.phi_sum}, "<=", {}, TERMS),
        ("weighted gaps", {(): weighing.drift}, {(): -own * psi}, "<=", {}, TERMS),
        ("variance of the weighted", {(): weighing.square_sum}, {(): psi}, "<=", {}, TERMS),
    ]
    if any(e.has(sympy.Sum) for margin in assumed.values() for e in margin.values()):
        short = {(): setting.step * BETA * weighing.phi_sum}
        claims.append(("short step", short, {(): psi}, "<=", assumed, WHOLE))
    else:
        delay = None if rounds.sizes is None else rounds.sizes.delay
        for made in short_by_formula(setting, weighing, assumed, delay):
            claims.append((*made, CASES if made[-1] else TERMS))
    for symbol, total in others.items():
        if total == psi:
            continue
        claims.append((f"{symbol} above zero", {(): zero}, {(): total}, "<", {}, WHOLE))
        known_here = dict(known_of_a_place(setting))
        if rounds.condition is not None:
            known_here["condition"] = {(): rounds.condition}
        inner, claim = ordered(f"{symbol} at most that of the weights", total, psi, known_here)
        claims += [*inner, claim]
    for name, left, right, relation, margins, way in claims:
        reading = Reading(setting.axis, left, right, margins, relation, {}, "N")
        for one in shared_claims(setting, reading, way):
            yield name, one


def ordered(name: str, total: Expr, psi: Expr, known: Margins) -> tuple[list[Any], Any]:
    """That a sum is at most Psi: first of what positive parts are taken of, client by client."""
    new = arguments_of(psi, [total])
    inner, margins = in_order(name, new, known)
    left, right = (with_arguments(e, new) for e in (total, psi))
    return inner, (name, {(): left}, {(): right}, "<=", margins, TERMS)


def arguments_of(psi: Expr, others: Sequence[Expr]) -> dict[Expr, Expr]:
    """What positive parts are taken of, of any client, with symbols: that of the weights first.

    Raises
    ------
    NotReadable
        Where the weights are no function of one positive part.
    """
    k, _ = client_symbol()
    parts = _positive_parts(psi)
    if len(parts) != 1:
        raise NotReadable("weights that are no function of one positive part")
    more = [p for e in others for p in _positive_parts(e) if p not in parts]
    arguments = [*parts, *dict.fromkeys(more)]
    return {e: sympy.IndexedBase(f"argument{i}", real=True)[k] for i, e in enumerate(arguments)}


def in_order(
    name: str, new: Mapping[Expr, Expr], known: Margins
) -> tuple[list[Any], dict[str, Places]]:
    """Claims that each is at most the first, client by client, and what they say of the symbols."""
    (largest, top), *others = new.items()
    place: tuple[Any, ...] = ("k",)
    claims = [
        (f"{name}: {part}", {place: e}, {place: largest}, "<=", known, TERMS) for e, part in others
    ]
    return claims, {f"{part} in order": {place: top - part} for _, part in others}


def with_arguments(e: Expr, new: Mapping[Expr, Expr]) -> Expr:
    """A formula with symbols for what positive parts are taken of."""
    table = tuple((sympy.Max(0, old), sympy.Max(0, part)) for old, part in new.items())
    return exchanged(e, table)


def own_gradient(setting: WeighedRuns, rounds: RoundsRead) -> Claim | None:
    """That the own gradient does not vanish, without which there are no weights.

    Returns
    -------
    Claim or None
        None where a hypothesis of the statement says so of every place.

    Raises
    ------
    NotReadable
        Where nothing says so of the places that the claim is about.
    """
    strict = setting.statement.strict
    if any(own_at(0) in margin for n, margin in rounds.margins.items() if n in strict):
        return None
    if rounds.condition is None or "mu" not in setting.read:
        raise NotReadable("a claim about places at which there may be no weights")
    square = sympy.Symbol("squared_gradient", real=True)
    known = [
        Hypothesis("Polyak-Lojasiewicz", square - 2 * MU * value_at(0)),
        Hypothesis("condition", rounds.condition),
    ]
    return Claim(sympy.Integer(0), square, "<", known)


def known_of_a_place(setting: WeighedRuns) -> dict[str, Places]:
    """What the assumptions say of the first place, as far as the statement speaks of them."""
    read = frozenset({"squared_bias", "slope", "mu"} & setting.read)
    return {name: dict(places) for name, places in _known_of_a_place(read).items()}


@lru_cache(8)
def _known_of_a_place(read: frozenset[str]) -> dict[str, Places]:
    """What the assumptions with these constants say."""
    k, _ = client_symbol()
    known: dict[str, Places] = {}
    if {"squared_bias", "slope"} <= read:
        bound = BIAS[k] + SLOPE[k] * own_at(0)
        known["similarity"] = {("k",): bound - gap_at(0)[k]}
    if "mu" in read:
        known["Polyak-Lojasiewicz"] = {(): own_at(0) - 2 * MU * value_at(0)}
        known["mu at most beta"] = {(): BETA - MU}
    return known


def _positive_parts(total: Expr) -> list[Expr]:
    """What a sum takes the positive part of, of each client."""
    k, _ = client_symbol()
    found = {p for p in total.atoms(sympy.Max) if k in p.free_symbols}
    parts = [sympy.Add(*(a for a in p.args if a != 0)) for p in found if 0 in p.args]
    return sorted(set(parts), key=str)
