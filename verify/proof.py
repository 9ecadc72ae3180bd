"""Certificate rung: prove a claim with its parameters, and the number of clients, as symbols."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.evidence import Evidence
from verify.noise_plan import NotAvailable
from verify.score import score
from verify.statement import Real, Statement


def prove(statement: Statement) -> Iterator[Evidence]:
    """Try to prove a claim; at most one piece of evidence, none where it does not apply."""
    if statement.over != "point" or statement.quantifier != "all" or statement.family.box == {}:
        return
    if statement.relation not in ("<=", ">=", "=="):
        return
    if any(set(p.per) - {"N"} for p in statement.family.box.values()):
        return
    certificates = []
    for shape in statement.family.shapes:
        found = _prove_shape(statement, shape)
        if found is None:
            return
        certificates.append({"shape": dict(shape), "certificate": found})
    yield Evidence(
        "certificate", "decided", "proved with every parameter as a symbol",
        proof={"certificates": certificates}, scope="all parameters symbolic",
    )  # fmt: skip


def _prove_shape(statement: Statement, shape: Any) -> Any:
    from verify.certificate import Hypothesis, certify

    values = {name: _symbol(name, p) for name, p in statement.family.box.items()}
    signs = [
        Hypothesis(f"{name} >= 0", v.item(), False)
        for (name, p), v in zip(statement.family.box.items(), values.values(), strict=True)
        if p.sign == "nonnegative"
    ]
    try:
        instance = statement.family.instance(values, shape)
        if instance.family != "numbers":
            return None
        result = score(statement, instance, "symbolic")
        given = [
            Hypothesis(name, _generic(margin), name in statement.strict)
            for name, margin in result.margins.items()
        ]
        left, right = _generic(result.left), _generic(result.right)
    except (TypeError, ValueError, NotAvailable, AttributeError, ArithmeticError):
        return None
    if statement.relation == ">=":
        left, right = right, left
    relation = "==" if statement.relation == "==" else "<="
    found = certify(left, right, relation, [*signs, *given])
    return None if found is None else found.to_json()


def _symbol(name: str, parameter: Real) -> np.ndarray[Any, Any]:
    """One symbol with the leading axes of a batch of one; per client, the generic element."""
    import sympy

    from bounds.generic import client_symbol

    facts = {"positive": True} if parameter.sign == "positive" else {"real": True}
    if parameter.sign == "nonnegative":
        facts = {"nonnegative": True}
    symbol = sympy.IndexedBase(name, **facts)[client_symbol()[0]] if parameter.per else sympy.Symbol(name, **facts)
    out = np.empty((1,) * (1 + len(parameter.per)), dtype=object)
    out[...] = symbol
    return out


def _generic(value: np.ndarray[Any, Any]) -> Any:
    """The one expression of a symbolic array.

    The generic client may stand free only in a claim about every client (a third axis): picked
    out by an index it would pass a fact about one client off as one about all.
    """
    from bounds.generic import client_symbol

    expression = value.item()
    if value.ndim <= 2 and client_symbol()[0] in getattr(expression, "free_symbols", ()):
        raise TypeError("a single client has been picked out of a symbolic array")
    return expression
