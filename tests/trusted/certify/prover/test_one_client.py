"""A claim that is false where there is one client has no proof, and none that is true is such."""

from __future__ import annotations

from typing import Any

import pytest
import sympy

from verify.certify.algebra.formal_sums import CLIENT, CLIENTS
from verify.certify.prover.one_client import fails_for_one
from verify.certify.prover.prove import Hypothesis, certify

x = sympy.IndexedBase("x", real=True)[CLIENT]
p = sympy.IndexedBase("p", positive=True)[CLIENT]
a, b = sympy.symbols("a b", positive=True)
n = sympy.Symbol("n", integer=True, positive=True)


def total(e: Any) -> Any:
    return sympy.Sum(e, (CLIENT, 1, CLIENTS))


def chain_of_means() -> tuple[Any, ...]:
    """A mean error under one law, below that under a mixture, below another one under it.

    A share that rounds to one lets a coordinate grow to 10^14, where floats no longer tell.
    """
    model, own, group = (sympy.symbols(f"{name}:2", real=True) for name in ("m", "o", "g"))
    mass, other = (sympy.symbols(f"{name}:2", nonnegative=True) for name in ("u", "v"))
    mine, theirs = ([x / sum(law) for x in law] for law in (mass, other))
    mixture = [b * x + (1 - b) * y for x, y in zip(mine, theirs, strict=True)]
    errors = own[0] - model[0], model[1] - own[1]
    others = group[0] - model[0], model[1] - group[1]
    risk, mixed, least = (
        sum(x * y for x, y in zip(law, e, strict=True))
        for law, e in ((mine, errors), (mixture, errors), (mixture, others))
    )
    given = [("share", 1 - b, False), ("mass", sum(mass), True), ("other", sum(other), True)]
    given += [(f"error {e}", e, False) for e in (*errors, *others)]
    given += [("mixture below", least - mixed, False), ("own below", mixed - risk, False)]
    return risk, 2 * least - risk, "<=", given


PARTS = [("one", total(p) - 1, False), ("one, from above", 1 - total(p), False)]
FALSE: dict[str, tuple[Any, ...]] = {
    "a sum below half of it": (total(p), total(p) / 2, "<=", []),
    "parts of one": (1, total(p**2), "<", PARTS),
    "a mean below a value": (total(p * x), a, "<=", PARTS),
    "a quotient": (1 / total(p), 1, "<=", []),
    "a largest value": (sympy.Max(a, b), a, "<=", []),
    "hypotheses that can hold": (1, 0, "<=", [*PARTS, ("a", a - total(p * x), False)]),
    "an equality": (total(p * x), total(x), "==", []),
}
TRUE: dict[str, tuple[Any, ...]] = {
    "Cauchy-Schwarz": (total(p * x) ** 2, total(p) * total(p * x**2), "<=", []),
    "parts of one": (total(p**2), 1, "<=", PARTS),
    "a largest value": (a, sympy.Max(a, b), "<=", []),
    "a chain of means": chain_of_means(),
    "hypotheses that contradict": (1, 0, "<=", [*PARTS, ("no", -total(p), False)]),
    "for one client, not for two": (total(p) ** 2, total(p**2), "<=", []),
    "powers, which are not looked at": (2, (1 + a) ** n, "<=", []),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_claims_fail_and_have_no_proof(name: str) -> None:
    left, right, relation, given = FALSE[name]
    sides = sympy.sympify(left), sympy.sympify(right)
    assert fails_for_one(*sides, relation, given)
    hypotheses = [Hypothesis(word, e, strict) for word, e, strict in given]
    assert certify(*sides, relation, hypotheses) is None


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_for_one_client_does_not_fail(name: str) -> None:
    left, right, relation, given = TRUE[name]
    assert not fails_for_one(sympy.sympify(left), sympy.sympify(right), relation, given)
