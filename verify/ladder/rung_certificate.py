"""Certificate rung: prove a claim with its parameters, and the number of clients, as symbols."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from bounds.numbers.symbolic import Symbolic, client_symbol, expression
from verify.certify.accepted import accepts
from verify.claim.functions import class_of
from verify.claim.statement import Real, Statement
from verify.ladder.client_parameters import domain_facts
from verify.ladder.kept_proofs import about_vectors, plain
from verify.ladder.rung_clients import prove_with_clients, recheck_with_clients
from verify.ladder.vector_reading import agrees, vectors_of
from verify.verdict.evidence import Evidence
from verify.world.noise_plan import NotAvailable
from verify.world.score import score

ROWS = ("row", "client")
"""Entries of shapes that number rows and columns of a printed table: there are no others."""

PROBLEMS = "its instances are problems or runs that stand for a class, not numbers"

DIGITS = 15
"""A float with more digits than that has been computed, not written."""


def prove(statement: Statement) -> Iterator[Evidence]:
    """Try to prove a claim; at most one piece of evidence, none where it does not apply.

    Where a solver failed and there is no proof, the evidence is the reason.

    Sizes (numbers of clients, rounds, dimensions) become symbols too. Where the claim has no form
    with symbolic sizes it is proved size by size, which is worth reporting but is no proof.
    """
    if statement.over != "point" or statement.quantifier != "all":
        return
    if statement.relation not in ("<=", ">=", "=="):
        return
    from verify.certify.solvers import complaints

    kind = class_of(statement.family)
    found: list[Evidence] = []
    with complaints() as said:
        if kind is not None or generic_axis(statement) is not None:
            found = list(_with_generic_client(statement, kind))
        if kind is None and not any(e.status == "decided" or e.link for e in found):
            found = list(prove_with_clients(statement)) or found
    yield from found
    if said and not found:
        yield Evidence("certificate", "not-applicable", f"no proof was found: {'; '.join(said)}")


def _with_generic_client(statement: Statement, kind: str | None) -> Iterator[Evidence]:
    """Try to prove a claim with one generic client, or over a class of functions."""
    claims, complete = claims_of(statement)
    found = [_certified(claim, _vectors(statement, claim), kind) for _, claim in claims]
    if claims and complete and kind is None and None in found and not vectors_of(statement):
        yield from _by_rounds(claims)
        return
    if not claims or None in found:
        return
    certificates = [
        {"shape": label, "certificate": one[0].to_json(),
         "written": _written(statement, one[0], claim)}
        for (label, claim), one in zip(claims, found, strict=True)
        if one is not None
    ]
    proof = {"certificates": certificates}
    if not complete:
        yield Evidence(
            "certificate", "reported", "proved for each size that is listed, not for all sizes",
            proof=proof, scope=statement.family.about,
        )  # fmt: skip
    elif all(one is not None and one[1] for one in found):
        yield Evidence(
            "certificate", "reported", "the hypotheses contradict each other, whatever the claim",
            proof=proof, link={"kind": "empty", "key": statement.key, "verdict": "proved"},
        )  # fmt: skip
    else:
        yield Evidence(
            "certificate", "decided", "proved with every parameter as a symbol",
            proof=proof, scope=f"all {kind} functions in every dimension, all parameters symbolic"
            if kind else "all parameters symbolic",
        )  # fmt: skip


def _by_rounds(claims: Any) -> Iterator[Evidence]:
    """A proof of every claim by induction on one of its sizes."""
    found = [(label, *_inductive(claim)) for label, claim in claims]
    if all(document is not None for _, _, document in found):
        names = ", ".join(dict.fromkeys(name for _, name, _ in found))
        yield Evidence(
            "certificate", "decided", f"proved by induction on {names}: start and step, with every "
            "parameter as a symbol",
            proof={"certificates": [{"shape": label, "written": document}
                                    for label, _, document in found]},
            scope="all parameters symbolic",
        )  # fmt: skip


def _inductive(claim: Any) -> tuple[str, dict[str, Any] | None]:
    """The size on which an induction proves a claim, and the proof; None if there is none."""
    from verify.certify.induction import by_induction

    left, right, relation, hypotheses = claim
    expressions = [left, right, *(h.expr for h in hypotheses)]
    sizes = {s for e in expressions for s in e.free_symbols if s.is_integer and s.is_positive}
    for size in sorted(sizes - set(client_symbol()), key=str):
        document = by_induction(left, right, relation, hypotheses, size)
        if document is not None:
            return str(size).removesuffix("_"), document
    return "", None


def written_proofs(statement: Statement) -> list[dict[str, Any]]:
    """Proofs of a statement, one for each claim that it consists of; empty if there is none."""
    found = [e for e in prove(statement) if e.proof is not None and e.status == "decided"]
    return [part["written"] for e in found if e.proof for part in e.proof["certificates"]]


def recheck(statement: Statement, proof: Any) -> bool:
    """Whether stored certificates prove this statement: every premise is derived again."""
    stored = proof.get("certificates", [])
    return _recheck_generic(statement, stored) or (
        class_of(statement.family) is None and recheck_with_clients(statement, stored))


def _recheck_generic(statement: Statement, stored: Any) -> bool:
    """Whether they prove it with one generic client, or over a class of functions."""
    from verify.certify.lifting import lifts
    from verify.certify.prove import Certificate, verify_certificate

    if class_of(statement.family) is None and generic_axis(statement) is None:
        return False
    claims, _ = claims_of(statement)
    if [dict(c["shape"]) for c in stored] != [label for label, _ in claims]:
        return False
    rounds = [item for item in stored if "certificate" not in item]
    if rounds:
        again = [_inductive(claim)[1] for _, claim in claims]
        return len(rounds) == len(stored) and all(
            accepts(item["written"]) and plain(item["written"]) == plain(document)
            for item, document in zip(stored, again, strict=True)
        )
    made = [Certificate.from_json(item["certificate"]) for item in stored]
    return all(
        verify_certificate(certificate, *claim)
        and lifts(certificate, _vectors(statement, claim))
        and accepts(item["written"])
        and plain(item["written"]) == plain(_written(statement, certificate, claim))
        for item, certificate, (_, claim) in zip(stored, made, claims, strict=True)
    )


def stands_alone(proof: Any) -> bool:
    """Whether the identities of stored certificates hold, whatever claim they are for."""
    from verify.certify.prove import Certificate, verify_certificate

    stored = [Certificate.from_json(c["certificate"]) for c in proof.get("certificates", [])
              if "certificate" in c]
    written = [c["written"] for c in proof.get("certificates", [])]
    return bool(written) and all(map(verify_certificate, stored)) and all(map(accepts, written))


def written(statement: Statement) -> list[tuple[Any, Any]]:
    """Both sides of each listed shape as formulas, in the form in which they are written.

    Returns
    -------
    list of (left, right)
        Before any simplification, so that ``x + x`` is not ``2 x``; empty where the claim has no
        such form.
    """
    import sympy

    if not statement.family.box or any(set(p.per) - {"N"} for p in statement.family.box.values()):
        return []  # of vectors one coordinate is no formula of the claim
    with sympy.evaluate(False):
        claims = [_symbolic(statement, shape, {}) for shape in statement.family.shapes]
    return [] if None in claims else [claim[:2] for claim in claims if claim is not None]


def claims_of(statement: Statement) -> tuple[list[tuple[dict[str, Any], Any]], bool]:
    """Claims that together make up the statement, each with a label, and whether they are all.

    Shapes that differ in sizes alone are one claim with symbolic sizes, if that agrees with every
    listed shape; otherwise each listed shape is a claim of its own and other sizes stay open.
    """
    if class_of(statement.family) is not None:
        from verify.ladder.class_claims import class_claims

        return class_claims(statement)
    groups: dict[str, list[Any]] = {}
    sizes = _sizes(statement)
    for shape in statement.family.shapes:
        options = {name: v for name, v in shape.items() if name not in sizes}
        groups.setdefault(repr(sorted(options.items())), []).append(shape)
    claims, complete = [], True
    for shapes in groups.values():
        whole = _with_sizes(statement, shapes)
        if whole is not None:
            claims.append(whole)
            continue
        if vectors_of(statement):  # the formula on the line is no claim about one dimension
            return [], False
        complete = False
        for shape in shapes:
            claim = _symbolic(statement, shape, {})
            if claim is None:
                return [], False
            claims.append((dict(shape), claim))
    return claims, complete


def generic_axis(statement: Statement) -> str | None:
    """The axis of the generic entry, ``"N"`` where no parameter has one; None if that is not all.

    Vectors are read on the line, so that their own axis has length one.
    """
    named = {axis for p in statement.family.box.values() for axis in p.per}
    once = all(len(p.per) == len(set(p.per)) for p in statement.family.box.values())
    axes = named - {"d"}
    if len(axes) > 1 or not once or ("d" in named and axes - {"N"}):
        return None
    return next(iter(axes), "N")


def _sizes(statement: Statement) -> list[str]:
    """Names of the whole numbers of the shapes that are sizes.

    What is negative somewhere is no size, nor is the number of a row of a printed table.
    """
    values: dict[str, list[Any]] = {}
    for shape in statement.family.shapes:
        for name, value in shape.items():
            values.setdefault(name, []).append(value)
    return [
        name for name, listed in values.items() if name not in ROWS
        and all(isinstance(v, int) and not isinstance(v, bool) and v >= 0 for v in listed)
    ]


def _with_sizes(statement: Statement, shapes: list[Any]) -> tuple[dict[str, Any], Any] | None:
    """The claim with its sizes as positive whole symbols, and its label; None if it has no such
    form or differs from the claim of a listed shape."""
    import sympy

    first = shapes[0]
    names = [name for name in _sizes(statement) if name in first]
    if any(shape[name] < 1 for shape in shapes for name in names):
        return None
    symbols = {n: sympy.Symbol(f"{n}_", integer=True, positive=True) for n in names}
    claim = _symbolic(statement, first, symbols)
    if claim is None:
        return None
    for shape in shapes:
        values = {symbols[name]: shape[name] for name in names}
        if not _same(_replaced(claim, values), _symbolic(statement, shape, {})):
            return None
    if vectors_of(statement) and not agrees(statement, first, claim):
        return None
    label = {name: v for name, v in first.items() if name not in names}
    axis = generic_axis(statement)
    clients = {symbols[axis]: client_symbol()[1]} if axis in symbols else {}
    return {**label, **dict.fromkeys(names, "any")}, _replaced(claim, clients)


def _replaced(claim: Any, values: Any) -> Any:
    """The claim with symbols replaced."""
    left, right, relation, hypotheses = claim
    changed = [replace(h, expr=h.expr.subs(values)) for h in hypotheses]
    return left.subs(values), right.subs(values), relation, changed


def _same(one: Any, other: Any) -> bool:
    """Whether two claims are the same, expression by expression."""
    import sympy

    if other is None or one[2] != other[2] or len(one[3]) != len(other[3]):
        return False
    pairs = [(one[0], other[0]), (one[1], other[1])]
    pairs += [(a.expr, b.expr) for a, b in zip(one[3], other[3], strict=True)]
    return all(a == b or sympy.expand(a - b) == 0 for a, b in pairs)


def _written(statement: Statement, certificate: Any, claim: Any) -> dict[str, Any]:
    """The proof for the stand-alone checker, which is told what stands for vectors."""
    from verify.certify.prove import written_out

    return about_vectors(written_out(certificate, *claim), _vectors(statement, claim))


def _vectors(statement: Statement, claim: Any) -> tuple[str, ...]:
    """Symbols of a claim that stand for one coordinate of a vector."""
    if class_of(statement.family) is None:
        return vectors_of(statement)
    from verify.ladder.class_claims import vectors_of_class

    return vectors_of_class(claim)


def _certified(claim: Any, vectors: Collection[str] = (), kind: str | None = None) -> Any:
    """Certificate, and whether it refutes the hypotheses of a claim that is no falsehood by
    itself; None if there is no proof, or one on the line that does not go further."""
    from verify.certify.lifting import lifts
    from verify.certify.prove import certify

    left, right, relation, hypotheses = claim
    if kind is None:
        found = certify(left, right, relation, hypotheses)
    else:  # many conditions: short products, and then the squares that a programme proposes
        from verify.ladder.class_claims import candidates

        found = certify(left, right, relation, hypotheses, 2)
        if found is None or not lifts(found, vectors):
            found = certify(left, right, relation, hypotheses, 1, roots=candidates(claim))
    if found is not None and not lifts(found, vectors):
        return None
    falsehood = getattr(left - right, "is_positive", False)
    return None if found is None else (found, not found.uses_claim and not falsehood)


def _symbolic(statement: Statement, shape: Any, sizes: Any) -> Any:
    """Both sides, relation and hypotheses with every parameter as a symbol; None if impossible.

    ``sizes`` gives symbols for whole numbers of the shape; the others keep their values.
    """
    try:
        return read_symbols(statement, shape, sizes)
    except (TypeError, ValueError, LookupError, NotAvailable, AttributeError, ArithmeticError):
        return None  # the claim has no form with these symbols


def read_symbols(statement: Statement, shape: Any, sizes: Any) -> Any:
    """The same, with the error that says why there is no such form.

    Raises
    ------
    TypeError, ValueError, LookupError, NotAvailable, AttributeError, ArithmeticError
        As the program of the statement, or the guards of symbolic arrays, put it.
    """
    from verify.certify.prove import Hypothesis

    vectors = vectors_of(statement)
    values = {name: _symbol(name, p, bool(vectors)) for name, p in statement.family.box.items()}
    signs = [
        Hypothesis(f"{name} >= 0", v.item().expr, False)
        for (name, p), v in zip(statement.family.box.items(), values.values(), strict=True)
        if p.sign == "nonnegative" and name not in vectors
    ]
    signs += [
        known for (name, p), v in zip(statement.family.box.items(), values.values(), strict=True)
        if name not in vectors for known in domain_facts(name, p, v.item().expr)
    ]
    instance = statement.family.instance(values, shape)
    if instance.family != "numbers":
        raise TypeError(f"{PROBLEMS} ({instance.family})")
    constants = {name: Symbolic(s) for name, s in sizes.items() if name in instance.params}
    instance = replace(instance, params={**instance.params, **constants})
    result = score(statement, instance, "symbolic")
    given = [
        Hypothesis(name, _generic(margin), name in statement.strict)
        for name, margin in result.margins.items()
    ]
    left, right = _generic(result.left), _generic(result.right)
    _all_symbols(values, instance)
    if statement.relation == ">=":
        left, right = right, left
    relation = "==" if statement.relation == "==" else "<="
    return left, right, relation, [*signs, *given]


def _symbol(name: str, parameter: Real, beside_vectors: bool = False) -> np.ndarray[Any, Any]:
    """One symbol with the leading axes of a batch of one; per client, the generic element.

    Of a vector it is one coordinate, a real number. Formulas with vectors are compared with exact
    values of the claim, so that there no client need be guarded against being picked out.
    """
    import sympy

    facts = {"positive": True} if parameter.sign == "positive" else {"real": True}
    if parameter.sign == "nonnegative":
        facts = {"nonnegative": True}
    if "d" in parameter.per:
        facts = {"real": True}
    symbol = sympy.Symbol(name, **facts)
    if set(parameter.per) - {"d"}:
        symbol = sympy.IndexedBase(name, **facts)[client_symbol()[0]]
    out = np.empty((1,) * (1 + len(parameter.per)), dtype=object)
    out[...] = Symbolic(symbol)
    return out.view(Generic) if parameter.per and not beside_vectors else out


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
        if not value.item().free_symbols <= built:
            raise TypeError(f"{name} does not reach the instance as a symbol")


def _floats(found: Any) -> set[Any]:
    """Floating point numbers in a formula."""
    import sympy

    return set(found.atoms(sympy.Float)) if found is not None else set()


def _generic(value: np.ndarray[Any, Any]) -> Any:
    """The one expression of a symbolic array.

    The generic client may stand free only in a claim about every client (a third axis): picked
    out by an index it would pass a fact about one client off as one about all.
    """
    found = expression(value.item())
    if any(len(str(float(x)).strip("-0").replace(".", "")) > DIGITS for x in _floats(found)):
        raise TypeError("a number has been rounded before it reached the claim")
    if value.ndim <= 2 and client_symbol()[0] in found.free_symbols:
        raise TypeError("a single client has been picked out of a symbolic array")
    return found
