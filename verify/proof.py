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
    idle = True
    for shape in statement.family.shapes:
        found = _prove_shape(statement, shape)
        if found is None:
            return
        certificates.append({"shape": dict(shape), "certificate": found[0].to_json()})
        idle = idle and found[1]
    proof = {"certificates": certificates}
    if idle:
        yield Evidence(
            "certificate", "reported", "the hypotheses contradict each other, whatever the claim",
            proof=proof, link={"kind": "empty", "key": statement.key, "verdict": "proved"},
        )  # fmt: skip
        return
    yield Evidence(
        "certificate", "decided", "proved with every parameter as a symbol",
        proof=proof, scope="all parameters symbolic",
    )  # fmt: skip


def recheck(statement: Statement, proof: Any) -> bool:
    """Whether stored certificates prove this statement: every premise is derived again."""
    from verify.certificate import Certificate, verify_certificate

    shapes = [dict(shape) for shape in statement.family.shapes]
    stored = proof.get("certificates", [])
    if [dict(c["shape"]) for c in stored] != shapes:
        return False
    for item, shape in zip(stored, shapes, strict=True):
        claim = _symbolic(statement, shape)
        certificate = Certificate.from_json(item["certificate"])
        if claim is None or not verify_certificate(certificate, *claim):
            return False
    return True


def stands_alone(proof: Any) -> bool:
    """Whether the identities of stored certificates hold, whatever claim they are for."""
    from verify.certificate import Certificate, verify_certificate

    stored = [Certificate.from_json(c["certificate"]) for c in proof.get("certificates", [])]
    return bool(stored) and all(verify_certificate(c) for c in stored)


def _prove_shape(statement: Statement, shape: Any) -> Any:
    """Certificate for one shape, and whether it refutes the hypotheses of a claim that is no
    falsehood by itself; None if there is no proof."""
    from verify.certificate import certify

    claim = _symbolic(statement, shape)
    if claim is None:
        return None
    found = certify(*claim)
    left, right = claim[:2]
    falsehood = getattr(left - right, "is_positive", False)
    return None if found is None else (found, not found.uses_claim and not falsehood)


def _symbolic(statement: Statement, shape: Any) -> Any:
    """Both sides, relation and hypotheses with every parameter as a symbol; None if impossible."""
    import sympy

    from verify.certificate import Hypothesis

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
        left, right = sympy.sympify(_generic(result.left)), sympy.sympify(_generic(result.right))
        _all_symbols(values, instance)
    except (TypeError, ValueError, LookupError, NotAvailable, AttributeError, ArithmeticError):
        return None  # the claim has no form with these symbols
    if statement.relation == ">=":
        left, right = right, left
    relation = "==" if statement.relation == "==" else "<="
    return left, right, relation, [*signs, *given]


def _symbol(name: str, parameter: Real) -> np.ndarray[Any, Any]:
    """One symbol with the leading axes of a batch of one; per client, the generic element."""
    import sympy

    from bounds.generic import client_symbol

    facts = {"positive": True} if parameter.sign == "positive" else {"real": True}
    if parameter.sign == "nonnegative":
        facts = {"nonnegative": True}
    symbol = sympy.Symbol(name, **facts)
    if parameter.per:
        symbol = sympy.IndexedBase(name, **facts)[client_symbol()[0]]
    out = np.empty((1,) * (1 + len(parameter.per)), dtype=object)
    out[...] = symbol
    return out.view(Generic) if parameter.per else out


class Generic(np.ndarray[Any, Any]):
    """Array with one generic client; no client can be picked out of it or overwritten."""

    def __getitem__(self, key: Any) -> Any:
        """Axes may be inserted before that of the clients, entries not chosen."""
        parts = key if isinstance(key, tuple) else (key,)
        for part in parts:
            if not (part is None or part is Ellipsis or part == slice(None)):
                raise TypeError("a single client has been picked out of a symbolic array")
        whole = Ellipsis in parts or len([p for p in parts if p is not None]) == self.ndim
        named = whole and parts[-1] is None
        if named and any(_names_client(entry) for entry in np.asarray(self).flat):
            # beside another client axis the same generic client would stand for both
            raise TypeError("the axis of the clients must stay the last one of a symbolic array")
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[Any]:
        """Entries in order, for checks that look at every number."""
        return iter(np.asarray(self))

    def __setitem__(self, key: Any, value: Any) -> None:
        """Never: what holds for one client would be proved for all."""
        raise TypeError("a single client of a symbolic array has been overwritten")


def _names_client(entry: Any) -> bool:
    """Whether an entry speaks about the generic client."""
    from bounds.generic import client_symbol

    return client_symbol()[0] in getattr(entry, "free_symbols", ())


def _all_symbols(values: Any, instance: Any) -> None:
    """Every parameter must still stand in the instance that was built."""
    built = {
        symbol
        for value in instance.params.values()
        if isinstance(value, np.ndarray)
        for entry in value.flat
        for symbol in getattr(entry, "free_symbols", ())
    }
    for name, value in values.items():
        if not set(value.item().free_symbols) <= built:
            raise TypeError(f"{name} does not reach the instance as a symbol")


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
