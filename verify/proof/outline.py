"""Write a proof beside its theorem: quantities, facts by named rules, steps, a schema, the claim.

The author names what each step rests on; `verify.certify.prover` finds the multipliers;
`verify.proof.checker` accepts the document as a whole or refuses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy

from verify.certify.checker import Value
from verify.certify.prover.lifting import lifts
from verify.certify.prover.prove import Hypothesis, searched
from verify.proof.checker import FORMAT, Outlined, Refused, adds_up, check, opened
from verify.proof.facts import FACTS, FactRule

Expr = Any  # sympy carries no types

SEARCHES = ((1, 1000), (2, 3000), (3, 3000), (4, 15000))
"""Products of so many facts, and how many of them are tried, one search after the other."""

DEEPEST = 3
"""The largest of these unless a step asks for more: the last search takes minutes in vain."""

__all__ = ["NoProof", "Outline", "searched_for"]


class NoProof(ValueError):
    """A step was not proved, or the document was refused; the message says which and why."""


class Outline:
    """A proof as its author writes it.

    Parameters
    ----------
    title : str

    Examples
    --------
    >>> o = Outline("a square")
    >>> o.numbers("real", "a", "b")
    >>> o.step("mean", "2*a*b <= a**2 + b**2")
    >>> o.claim("2*a*b <= a**2 + b**2")
    >>> o.proved()["steps"][0]["name"]
    'mean'
    """

    def __init__(self, title: str) -> None:
        self.document: dict[str, Any] = {
            "format": FORMAT,
            "title": title,
            "indices": [],
            "numbers": {},
            "vectors": {},
            "functions": {},
            "draws": {},
            "mixings": [],
            "clients": {},
            "cited": {},
            "facts": [],
            "steps": [],
            "claim": {},
        }

    # -- quantities ------------------------------------------------------------------------------

    def indices(self, *letters: str) -> None:
        """Letters that run over 0, 1, ..."""
        self.document["indices"] += letters

    def numbers(self, sign: str, *patterns: str) -> None:
        """Numbers that are not random, such as ``L`` or ``eta[t]``, with their sign."""
        self.document["numbers"] |= dict.fromkeys(patterns, sign)

    def vectors(self, *patterns: str, known: str | None = None, shared: bool = True) -> None:
        """Vectors, when they are known, and whether all clients share them."""
        for pattern in patterns:
            self.document["vectors"][pattern] = {"known": known, "shared": shared}

    def function(self, name: str, *, own: bool = False, mean_of: str = "") -> None:
        """A function; one of each client, or the mean of such a one."""
        about = {"mean of": mean_of} if mean_of else {"own": own}
        self.document["functions"][name] = about

    def clients(self, number: str, weights: str = "equal") -> None:
        """How many clients there are, and whether their weights are equal."""
        self.document["clients"] = {"number": number, "weights": weights}

    def draws(self, pattern: str, *, given: str, known: str) -> None:
        """Draws of clients, made when what is known at ``given`` is known, and known then."""
        self.document["draws"][pattern] = {"given": given, "known": known}

    def mixings(self, *names: str) -> None:
        """Linear ways to mix what clients have with what their neighbours have."""
        self.document["mixings"] += names

    # -- the proof -------------------------------------------------------------------------------

    def fact(self, name: str, rule: str, **args: str) -> None:
        """Something known by a named rule; ``less`` and ``more`` may be written as one relation."""
        self.document["facts"].append({"name": name, "rule": rule, "args": args})

    def given(self, *conditions: str) -> None:
        """Conditions on numbers, each such as ``eta <= 1/L`` and called by what it says."""
        for said in conditions:
            less, relation, more = _sides(said)
            rule = {"<=": "condition", "<": "strict condition"}[relation]
            self.fact(said, rule, less=less, more=more)

    def cite(self, name: str, document: Mapping[str, Any]) -> None:
        """A theorem that was proved in a document of its own."""
        self.document["cited"][name] = document
        self.fact(name, "cite", of=name)

    def step(
        self,
        name: str,
        says: str,
        by: str = "",
        *,
        supposing: str = "",
        roots: str = "",
        degree: int = 0,
    ) -> None:
        """One inequality from facts and earlier steps, ``by`` their names between semicolons.

        ``descent at t = 0 times 2*eta`` uses what is known for every index at one of them, and
        multiplied by what is not negative.
        """
        left, relation, right = _sides(says)
        item: dict[str, Any] = {"name": name, "left": left, "relation": relation, "right": right}
        item["by"] = [_used(part) for part in by.split(";") if part.strip()]
        if supposing:
            less, _, more = _sides(supposing)
            item["supposing"] = f"({more}) - ({less})"
        self.document["steps"].append(item | {"roots": roots, "degree": degree})

    def close(self, name: str, says: str, schema: str, **args: str) -> None:
        """What a schema makes of earlier steps."""
        left, relation, right = _sides(says)
        args = {key.rstrip("_"): value for key, value in args.items()}
        self.document["steps"].append(
            {
                "name": name,
                "left": left,
                "relation": relation,
                "right": right,
                "schema": schema,
                "args": args,
            }
        )

    def claim(self, says: str) -> None:
        """What the outline proves."""
        left, relation, right = _sides(says)
        self.document["claim"] = {"left": left, "relation": relation, "right": right}

    # -- search ----------------------------------------------------------------------------------

    def proved(self) -> dict[str, Any]:
        """The document with the certificates of its steps, accepted by the checker.

        Raises
        ------
        NoProof
            With the step for which none was found, or what the checker says.
        """
        document = searched_for(self.document)
        try:
            check(document)
        except Refused as reason:
            raise NoProof(f"the document is refused: {reason}") from reason
        return document


def searched_for(
    document: Mapping[str, Any], rules: Mapping[str, FactRule] = FACTS
) -> dict[str, Any]:
    """A document with certificates of its steps; rules may be other than the named ones.

    Raises
    ------
    NoProof
        With the step for which none was found.
    """
    try:
        outlined = opened(document, rules=rules)
    except Refused as reason:
        raise NoProof(f"the facts are refused: {reason}") from reason
    steps = []
    for item in document["steps"]:
        try:
            steps.append(item if "schema" in item else _certified(outlined, item))
            gap = f"({item['right']}) - ({item['left']})"
            if "supposing" in item:
                outlined.supposed[item["name"]] = (gap, item["supposing"])
            else:
                claims = [(gap, item["relation"] == "<")]
                claims += [(f"-({gap})", False)] * (item["relation"] == "==")
                outlined.know(item["name"], claims)
        except Refused as reason:
            raise NoProof(f"{item['name']}: {reason}") from reason
    return {**document, "steps": steps}


def _certified(outlined: Outlined, item: dict[str, Any]) -> dict[str, Any]:
    """A step with its certificate; without one where it is the sum of its premises."""
    said = {k: v for k, v in item.items() if k not in ("roots", "degree")}
    if adds_up(outlined, item):
        return said
    question = outlined.question(item)
    symbols = {
        name: sympy.Symbol(name, **_assumed(sign)) for name, sign in question["symbols"].items()
    }
    posed = outlined.posed(item)
    given = [
        Hypothesis(f"{name} ({place})", _expression(outlined, value, symbols), strict)
        for place, (name, value, strict) in enumerate(posed[2:])
    ]
    left, right = (_expression(outlined, value, symbols) for _, value, _ in posed[:2])
    roots = [
        root
        for text in item["roots"].split(";")
        if text.strip()
        for root in _roots(outlined, text, symbols)
    ]
    vectors = question.get("vectors", [])
    for degree, cap in SEARCHES:
        if degree > (item["degree"] or DEEPEST):
            break
        found = searched(left, right, item["relation"], given, degree=degree, roots=roots, cap=cap)
        if found is None or not lifts(found.certificate, vectors) or not found.written:
            continue
        document = found.written[1]
        return {
            **said,
            **{k: document[k] for k in ("proof", "atoms", "sums")},
        }
    raise NoProof(f"no proof was found for the step {item['name']}")


def _assumed(sign: str) -> dict[str, bool]:
    """What sympy is told of a symbol."""
    return dict.fromkeys(sign.split(), True) if sign != "real" else {"real": True}


def _expression(outlined: Outlined, value: Value, symbols: Mapping[str, Expr]) -> Expr:
    parts = [
        sympy.Add(
            *(
                sympy.Rational(c.numerator, c.denominator)
                * sympy.Mul(*(symbols[outlined.reader.flat(v)] for v in m))
                for m, c in polynomial.items()
            )
        )
        for polynomial in (value.over, value.under)
    ]
    return parts[0] / parts[1]


def _roots(outlined: Outlined, text: str, symbols: Mapping[str, Expr]) -> list[Expr]:
    """A number or vector whose square is worth trying, its mean and its rest apart where needed."""
    reader = outlined.reader
    try:
        vector = reader.vector(text)
    except Refused:
        return [_expression(outlined, reader.scalar(text), symbols)]
    sums: dict[bool, Expr] = {}
    for v, c in vector.items():
        whole = reader.flat(reader.parts.get(v.key, v.key))
        name = whole if whole in symbols else reader.flat(v.key)
        if name in symbols and not (name == whole and v.key.startswith("off(")):
            term = _expression(outlined, c, symbols) * symbols[name]
            sums[v.shared] = sums.get(v.shared, sympy.Integer(0)) + term
    return list(sums.values())


def _sides(says: str) -> tuple[str, str, str]:
    for relation in ("<=", "==", "<"):
        left, found, right = says.partition(relation)
        if found:
            return left.strip(), relation, right.strip()
    raise NoProof(f"{says} says neither <= nor < nor ==")


def _used(part: str) -> Any:
    """Name of a premise, the index at which it is used, and what it is multiplied by."""
    name, _, times = part.partition(" times ")
    name, _, at = name.partition(" at ")
    if not at and not times:
        return name.strip()
    pairs = (pair.partition("=") for pair in at.split(",") if pair.strip())
    return [name.strip(), {k.strip(): v.strip() for k, _, v in pairs}, times.strip() or "1"]
