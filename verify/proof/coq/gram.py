"""A step in inner products as a claim in numbers: each product of two vectors gets a name.

What was a square of a combination of vectors becomes a hypothesis, which whoever applies the claim
has to show; all else is the same certificate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from verify.certify.checker import UNIT, Context, Value
from verify.certify.coq.terms import NotInCoq

Document = Mapping[str, Any]
__all__ = ["InNumbers", "in_numbers"]


@dataclass
class InNumbers:
    """A step as a claim in numbers.

    Attributes
    ----------
    document : dict
        What the checker of single inequalities reads.
    pairs : dict
        Name of the number by the two vectors.
    squares : list
        Of each added hypothesis the weights and the roots: names of vectors with coefficients.
    """

    document: dict[str, Any]
    pairs: dict[tuple[str, str], str] = field(default_factory=dict)
    squares: list[list[tuple[Fraction, dict[str, Value]]]] = field(default_factory=list)


def in_numbers(document: Document) -> InNumbers:
    """The same step without vectors.

    Raises
    ------
    NotInCoq
        If it uses atoms, or squares in a form that is not listed root by root.
    """
    vectors = set(document.get("vectors", []))
    if document["atoms"] or document["sums"]:
        raise NotInCoq("an atom in a step")
    found = InNumbers({**{k: v for k, v in document.items() if k != "vectors"}})
    context = Context({**document, "proof": None})

    def text(polynomial: str) -> str:
        return _text(context.read(polynomial), vectors, found.pairs)

    def proof(part: Document) -> dict[str, Any]:
        facts = []
        for fact in part["facts"]:
            fact = {**fact, "times": [[text(t), n] for t, n in fact["times"]]}
            if fact["rule"] == "gram":
                raise NotInCoq("a square by a Gram matrix")
            if fact["rule"] == "squares" and _speaks(context.read(fact["polynomial"]), vectors):
                roots = [(Fraction(q), _root(context.read(m), vectors)) for q, m in fact["about"]]
                found.squares.append(roots)
                said = text(fact["polynomial"])
                given.append({"name": "a square", "expr": said, "strict": False})
                fact |= {"rule": "hypothesis", "about": len(given) - 1}
            facts.append({**fact, "polynomial": text(fact["polynomial"])})
        return {
            **part,
            "left": text(part["left"]),
            "right": text(part["right"]),
            "facts": facts,
            "lemmas": [proof(lemma) for lemma in part["lemmas"]],
        }

    claim = document["claim"]
    given = [{**h, "expr": text(h["expr"])} for h in document["given"]]
    found.document["claim"] = {
        **claim,
        "left": text(claim["left"]),
        "right": text(claim["right"]),
    }
    found.document["proof"] = proof(document["proof"])
    found.document["given"] = given
    symbols = {n: s for n, s in document["symbols"].items() if n not in vectors}
    found.document["symbols"] = symbols | dict.fromkeys(found.pairs.values(), "real")
    return found


def _speaks(value: Value, vectors: set[str]) -> bool:
    return bool(value.variables() & vectors)


def _root(value: Value, vectors: set[str]) -> dict[str, Value]:
    """Coefficients of the vectors in a root."""
    found: dict[str, Value] = {}
    for monomial, c in value.over.items():
        inside = [v for v in monomial if v in vectors]
        if len(inside) != 1:
            raise NotInCoq("a root that is no combination of vectors")
        rest = list(monomial)
        rest.remove(inside[0])
        term = Value({tuple(rest): c}, value.under)
        found[inside[0]] = found[inside[0]] + term if inside[0] in found else term
    return found


def _text(value: Value, vectors: set[str], pairs: dict[tuple[str, str], str]) -> str:
    """A value with a name for each product of two vectors."""
    parts = []
    for polynomial in (value.over, value.under):
        said = ""
        for monomial, c in sorted(polynomial.items()):
            inside = sorted(v for v in monomial if v in vectors)
            factors = [v for v in monomial if v not in vectors]
            if len(inside) == 2:
                pair = (inside[0], inside[1])
                factors.append(pairs.setdefault(pair, f"ip_{pair[0]}_x_{pair[1]}"))
            elif inside:
                raise NotInCoq("a vector without another")
            number = [str(abs(c))] * (abs(c) != 1 or not factors)
            said += ("-" if c < 0 else "+") + "*".join([*number, *factors])
        parts.append(said.removeprefix("+") or "0")
    return parts[0] if value.under == UNIT else f"({parts[0]})/({parts[1]})"
