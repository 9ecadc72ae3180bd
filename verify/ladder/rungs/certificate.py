"""Certificate rung: prove a claim with its parameters, and the number of clients, as symbols.

The statement is read as sets of claims (`verify.reading.claim_sets`), each of which is what it
says; it is proved where each claim of one set is, by `verify.certify.prover.prove` or by induction
on a size, and in the form that the stand-alone checker reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from bounds.numbers.symbolic import client_symbol
from verify.certify.prover.accepted import accepts
from verify.claim.own_class import own_class_of
from verify.claim.parameters import Family
from verify.claim.statement import Statement
from verify.ladder.rungs.constants import CONSTANT, with_constants
from verify.ladder.rungs.negation import CONTRADICTION, NEGATION, contradiction, negations
from verify.limits.counter import OutOfEffort, metered
from verify.limits.foreign import CodeFailed, code_of_others
from verify.reading.claim_sets import claim_sets
from verify.reading.parts.claim import Claim, Claims, ReadClaim, said
from verify.reading.parts.draws import DRAWN
from verify.reading.parts.free_parts import squared
from verify.reading.parts.known_before import fewer_points
from verify.reading.parts.refusals import told
from verify.reading.parts.squares import squares_met
from verify.verdict.evidence import Evidence

__all__ = ["prove", "recheck", "stands_alone", "told_again", "written_proofs"]

ROOTS = 24
"""Roots whose squares are tried where a claim about vectors is not proved without."""

SHORT, WIDE = 3000, 15000
"""Products that are tried where a claim is about a class, or about vectors: before, and after all
short tries."""

DEGREES = (1, 2, 3, 4)
"""Of products that are tried with the squares of exact certificates."""

SQUARES = 60_000
"""Effort of a leaf's search for sums of squares, in terms: about two seconds.  It is made once all
else has found nothing, so that no other search lacks what it takes."""

SPLIT = (
    "attained",
    "case",
    "never",
    "parts",
    "parts of one",
    "term",
    "functions",
    DRAWN,
)
"""In the labels of claims that are not tried by induction: they are no claims as they stand."""


def prove(statement: Statement, met: bool = True) -> Iterator[Evidence]:
    """Try to prove a claim; at most one piece of evidence, none where it does not apply.

    Where a solver failed and there is no proof, the evidence is the reason.

    Of a claim that some instance exists it is the negation that is tried, and where no instance
    was seen to meet the hypotheses, first whether they contradict each other. Of a claim up to a
    constant it is one with a number in its place.
    Sizes (numbers of clients, rounds, dimensions) become symbols too. Where the claim has no form
    with symbolic sizes it is proved size by size, which is worth reporting but is no proof.
    What no search proves is looked for in sums of squares, last of all.
    """
    some = statement.quantifier == "some"
    if statement.over not in (("point",) if some else ("point", "mean", "path")):
        return
    if some and (statement.also or statement.relation == "<~"):
        return  # what exists may lie in another family
    from verify.certify.algebra.solvers import complaints

    kinds = _kinds(statement)
    try:
        with complaints() as said, code_of_others():
            tried: list[Attempt] = []
            for attempt in _attempts(statement, kinds if met else (CONTRADICTION, *kinds)):
                tried.append(attempt)
                if attempt.proofs():
                    break
            else:
                _by_worst_cases(statement, tried)
                _by_squares(tried)
            found = next((one for one in tried if one.proved), None)
    except CodeFailed as failed:  # of a fault in a reader no leaf dies, nor is it passed over
        yield Evidence("certificate", "not-applicable", told(failed.met, statement.key))
        return
    if found is not None:
        yield _evidence(statement, found.claims.complete, found.proved, found.of)
    elif said:
        yield Evidence("certificate", "not-applicable", f"no proof was found: {'; '.join(said)}")


def written_proofs(statement: Statement) -> list[dict[str, Any]]:
    """Proofs of a statement, one for each claim that it consists of; empty if there is none."""
    found = [e for e in prove(statement) if e.proof is not None and e.status == "decided"]
    return [part["written"] for e in found if e.proof for part in e.proof["certificates"]]


def recheck(
    statement: Statement, proof: Mapping[str, Any], again: bool = False, whole: bool = False
) -> bool:
    """Whether stored proofs prove this statement: its claims are read again and must be theirs.

    Parameters
    ----------
    statement : Statement
    proof : mapping
        What `prove` has put into its evidence.
    again : bool
        Whether it is one that a search for proofs has found for this very text of the statement:
        each formula has been held to the program at more points then.
    whole : bool
        Whether it must be one of the claim itself for every size, as evidence that decides is: not
        of the listed sizes alone, nor of hypotheses that contradict each other.
    """
    stored = _stored(proof)
    of = str(proof.get("of", ""))
    if of not in (*(() if whole else (CONTRADICTION,)), *_kinds(statement)):
        return False
    labels = [item["shape"] for item in stored]
    try:
        with fewer_points() if again else nullcontext(), code_of_others():
            sets = (
                _labelled(made, labels, to_the_end)
                for to_the_end in (False, True)  # which sets follow may depend on how far one is
                for made in _sets(statement, of, every=True)
                if made.complete or not whole
            )
            return any(  # sets of several ways to say it may have the same labels
                bool(claims) and all(_proves(*pair) for pair in zip(stored, claims, strict=True))
                for claims in sets
            )
    except CodeFailed as failed:  # as above
        told(failed.met, statement.key)
        return False


def told_again(statement: Statement, proof: Mapping[str, Any], whole: bool) -> Evidence:
    """Stored proofs that `recheck` has accepted, as evidence: what is said of them is found anew.

    Parameters
    ----------
    statement, proof, whole
        As for `recheck`.
    """
    proofs = [Proof(one["shape"], one["written"], _size(one["written"])) for one in _stored(proof)]
    return _evidence(statement, whole, proofs, str(proof.get("of", "")))


def stands_alone(proof: Mapping[str, Any]) -> bool:
    """Whether stored proofs are proofs, whatever claim they are for."""
    stored = _stored(proof)
    return bool(stored) and all(accepts(item["written"]) for item in stored)


def _kinds(statement: Statement) -> tuple[str, ...]:
    """What a proof may be of: the claim, or that nothing is what it asks for."""
    return (NEGATION,) if statement.quantifier == "some" else ("",)


def _sets(statement: Statement, of: str, every: bool = False) -> Iterator[Claims]:
    """Sets of claims one of which is to be proved, by what the proof is of."""
    if of == NEGATION:
        return negations(statement)
    if of == CONTRADICTION:
        return claim_sets(contradiction(statement))
    if statement.relation == "<~":
        return with_constants(statement)
    return _read(statement, every)


def _read(statement: Statement, every: bool) -> Iterator[Claims]:
    """What the readers make of a statement; what unknown points do where that is nothing.

    Or both, with `every`.
    """
    from verify.ladder.rungs.worst_cases.symbolic import class_claim_sets

    if own_class_of(statement.family):
        yield from class_claim_sets(statement)  # the readers know nothing of its inequality
        return
    nothing = True
    for claims in claim_sets(statement):
        yield claims
        nothing = nothing and claims.broken
    if nothing or every:
        yield from class_claim_sets(statement)


def _stored(proof: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Labels and documents of stored proofs; none where anything has another form."""
    stored = proof.get("certificates")
    parts = ("shape", "written")
    whole = isinstance(stored, list) and all(
        isinstance(item, dict) and all(isinstance(item.get(part), dict) for part in parts)
        for item in stored
    )
    return stored if whole and isinstance(stored, list) else []


# -- what is said of a proof -----------------------------------------------------------------------


@dataclass(frozen=True)
class Proof:
    """A proof of one claim.

    Attributes
    ----------
    label : dict
        Of the claim.
    written : dict
        For the stand-alone checker, which is told what stands for vectors.
    size : str
        That the induction is on.
    speaks : bool
        Whether it says more than that the hypotheses contradict each other.
    """

    label: dict[str, Any]
    written: dict[str, Any]
    size: str = ""
    speaks: bool = True

    def to_json(self) -> dict[str, Any]:
        """As evidence keeps it."""
        return {"shape": self.label, "written": self.written}


def _evidence(statement: Statement, complete: bool, proofs: Sequence[Proof], of: str) -> Evidence:
    """Proofs as evidence: of the claim, of the listed sizes, or of contradicting hypotheses."""
    proof: dict[str, Any] = {"certificates": [one.to_json() for one in proofs]}
    proof |= {"of": of} if of else {}
    if not complete:
        return Evidence(
            "certificate",
            "reported",
            "proved for each size that is listed, not for all sizes",
            proof=proof,
            scope=statement.family.about,
        )
    if of == CONTRADICTION or not any(one.speaks for one in proofs):
        return Evidence(
            "certificate",
            "reported",
            "the hypotheses contradict each other, whatever the claim",
            proof=proof,
            link={"kind": "empty", "key": statement.key, "verdict": "proved"},
        )
    if of == NEGATION:
        text = f"no instance satisfies the claim: its negation is {_summary(proofs)}"
        return Evidence("certificate", "decided", text, proof=proof, scope=statement.family.about)
    kind = next((p.label["functions"] for p in proofs if "functions" in p.label), None)
    law = next((p.label["noise"] for p in proofs if "noise" in p.label), "")
    scope = f"noise {law}, all parameters symbolic" if law else "all parameters symbolic"
    return Evidence(
        "certificate",
        "decided",
        _at_listed(statement.family, len(proofs)) or _summary(proofs),
        proof=proof,
        scope=f"all {_called(kind)} in every dimension, {scope}" if kind else scope,
    )


def _at_listed(family: Family, proofs: int) -> str:
    """Of a claim on listed shapes alone, how many there are; nothing where they are not apart."""
    count = len(family.shapes)
    if not family.closed or proofs < count or count < 2:
        return ""
    symbols = ", every other parameter a symbol" if family.box else ""
    return f"proved for each of the {count} choices that are listed{symbols}"


def _called(kind: str) -> str:
    """The functions of a class, by its name or, of one's own, by its inequality; or operators."""
    if kind.endswith(" operators"):
        return kind
    return f"functions {kind}" if kind.startswith("with ") else f"{kind} functions"


def _size(written: Mapping[str, Any]) -> str:
    """The size that the induction of a written proof is on; empty where it is none."""
    proof = written.get("proof")
    return str(proof.get("induction", "")).removesuffix("_") if isinstance(proof, dict) else ""


def _summary(proofs: Sequence[Proof]) -> str:
    labels = [one.label for one in proofs]
    sizes = dict.fromkeys(one.size for one in proofs if one.size)
    how = f" by induction on {', '.join(sizes)}: start and step," if sizes else ""
    clients = _any_number(labels, "N", "clients") + _any_number(labels, "rounds", "rounds")
    known = [x["d"] for x in labels if "d" in x]
    listed = sorted({d for d in known if isinstance(d, int)})
    dims = f", in every dimension it has ({', '.join(map(str, listed))})" if listed else ""
    if listed and any(str(d).startswith("any") for d in known):
        dims = ", in any dimension"  # the listed ones are cases of that proof
    constant = next((f" with the constant {x[CONSTANT]}," for x in labels if CONSTANT in x), "")
    return f"proved{constant}{how} with every parameter as a symbol{clients}{dims}"


def _any_number(labels: Sequence[Mapping[str, Any]], name: str, words: str) -> str:
    """Of how many clients or rounds a proof is; nothing where it is of the listed ones."""
    found = {str(x[name]) for x in labels if name in x}
    beyond = sorted((x for x in found if x.startswith("any")), key=len)
    least = beyond[-1].removeprefix("any").replace(" from ", ", at least ") if beyond else ""
    return f", for any number of {words}{least}" if beyond else ""


# -- the search ------------------------------------------------------------------------------------


@dataclass
class Attempt:
    """A set of claims, and how far a search has come with it.

    Attributes
    ----------
    of : str
        What a proof of it is of.
    claims : Claims
    found : list of (claim, what the search has left of it)
        The first so many of the claims, which are proved.
    proved : list of Proof
        Of all of them, once they are written out.
    """

    of: str
    claims: Claims
    found: list[tuple[ReadClaim, Any]] = field(default_factory=list)
    proved: list[Proof] = field(default_factory=list)

    def proofs(self, squares: bool = False) -> list[Proof]:
        """A proof of each claim; none where one has none.

        All of them are found before the first is written out.

        Parameters
        ----------
        squares : bool
            Whether the first search is over: that goes on where it ended, with sums of squares.
        """
        ended = len(self.found) if squares else None
        for number, one in enumerate(self.claims):
            if number < len(self.found):
                continue
            made = None if number == ended else _found(one) or _inductive(one)
            made = _squared(one) if made is None and squares else made
            if made is None:
                return []
            self.found.append((one, made))
        proofs: list[Proof] = []
        for one, made in [] if self.claims.broken else self.found:
            proof = made if isinstance(made, Proof) else _checked(one, made)
            if proof is None:
                return []
            proofs.append(proof)
        self.proved = proofs
        return proofs


def _attempts(statement: Statement, kinds: Sequence[str]) -> Iterator[Attempt]:
    """Sets of claims one of which is to be proved."""
    return (Attempt(of, claims) for of in kinds for claims in _sets(statement, of))


def _by_worst_cases(statement: Statement, tried: list[Attempt]) -> None:
    """Try claims on a class with the squares of exact certificates of its worst cases."""
    from verify.certify.prover.lifting import lifts
    from verify.certify.prover.prove import searched
    from verify.ladder.rungs.worst_cases.squares import proof_squares
    from verify.ladder.rungs.worst_cases.symbolic import claim_shapes, class_claim_sets

    if statement.quantifier != "all":
        return
    for claims in class_claim_sets(statement):
        attempt = Attempt("", claims)
        helped = (r for shape in claim_shapes(statement) for r in proof_squares(statement, shape))
        for one, roots in zip(claims, helped, strict=False):
            found = (
                searched(*one.claim, degree=n, roots=roots, cap=WIDE) for n in DEGREES if roots
            )
            made = next((m for m in found if m and lifts(m.certificate, one.vectors)), None)
            if made is None:
                return
            attempt.found.append((one, made))
        if len(attempt.found) == len(claims.all()) and attempt.proofs():
            tried.append(attempt)


def _by_squares(tried: Sequence[Attempt]) -> None:
    """Go on with sets that are not proved, up to the first that sums of squares prove.

    Within an effort of their own: what a search without them may spend is not touched.
    """
    try:
        with metered(SQUARES):
            next((one for one in tried if one.proofs(squares=True)), None)
    except OutOfEffort:
        return


def _found(one: ReadClaim) -> Any:
    """What the search leaves of one claim; None where it finds nothing that lifts."""
    from verify.certify.prover.lifting import lifts

    for found in _searches(one):
        if found is not None and lifts(found.certificate, one.vectors):
            return found
    return None


def _squared(one: ReadClaim) -> Any:
    """What a search for sums of squares leaves of one claim; None where it finds nothing."""
    from verify.certify.prover.lifting import lifts
    from verify.certify.prover.prove import searched

    found = searched(*one.claim, degree=1, squares=True)
    lifted = found is not None and lifts(found.certificate, one.vectors)
    return found if lifted else None


def _searches(one: ReadClaim) -> Iterator[Any]:
    """Answers of the search, the cheap ones first."""
    import sympy

    from verify.certify.prover.prove import searched

    label, claim, _ = one
    if "functions" in label:  # many conditions: short products, then squares of a programme
        from verify.reading.classes.claims import (
            candidates,
            differences_of,
            gradients_of,
            halves_of,
        )

        slopes = gradients_of(claim) if label.get("rounds") == "any" else []
        tries: list[tuple[int, list[Any], int]] = [(2, [], SHORT)]
        if slopes:
            apart, halves = differences_of(claim), halves_of(claim)
            tries += [(3, [], SHORT), (3, slopes, SHORT)]
            tries += [(2, apart, SHORT)] if apart else []
            tries += [(2, halves, SHORT)] if halves else []
            tries += [(3, [], WIDE), (3, apart or slopes, WIDE)]
        for degree, roots, cap in tries:
            found = searched(*claim, degree=degree, roots=roots, cap=cap)
            yield found if found is not None and found.written is not None else None
        yield searched(*claim, degree=1, roots=candidates(claim))
        return
    roots = squared(claim) if label.get("parts") else _roots(claim)
    yield searched(*claim, roots=roots)
    if one.vectors and not any(e.has(sympy.Sum) for e in said(claim)):
        met = squares_met(one)[:ROOTS]
        if DRAWN in label:
            yield searched(*claim, degree=4, roots=met, cap=WIDE)
        elif any(e.is_Add and e not in roots for e in met):
            yield searched(*claim, roots=met, cap=WIDE)


def _roots(claim: Claim) -> list[Any]:
    """Polynomials whose squares stand in the sides of a claim without formal sums."""
    import sympy

    gap = sympy.sympify(claim.right) - sympy.sympify(claim.left)
    if gap.has(sympy.Sum):
        return []
    bases = [p.base for p in gap.atoms(sympy.Pow) if p.exp == 2 and p.base.is_Add]
    found = [sympy.fraction(sympy.cancel(base))[0] for base in bases]
    return sorted({f for f in found if f.is_polynomial() and f.is_extended_real}, key=str)


def _checked(one: ReadClaim, found: Any) -> Proof | None:
    """The proof in both forms; None where a checker refuses it."""
    if found.written is None:
        return None
    certificate, written = found.written
    about = _about_vectors(written, one.vectors)
    if about is not written and not accepts(about):
        return None
    gap = one.claim.left - one.claim.right
    false = "never" not in one.label and bool(getattr(gap, "is_positive", False))
    return Proof(one.label, about, speaks=bool(certificate.uses_claim or false))


def _inductive(one: ReadClaim) -> Proof | None:
    """A proof by induction on one of the sizes of a claim as it stands."""
    from verify.certify.prover.induction import by_induction

    label, (left, right, relation, hypotheses), vectors = one
    if vectors or any(word in label for word in SPLIT):
        return None
    expressions = [left, right, *(h.expr for h in hypotheses)]
    sizes = {s for e in expressions for s in e.free_symbols if s.is_integer and s.is_positive}
    for size in sorted(sizes - set(client_symbol()), key=str):
        document = by_induction(left, right, relation, hypotheses, size)
        if document is not None:
            return Proof(label, document, size=str(size).removesuffix("_"))
    return None


# -- stored proofs ---------------------------------------------------------------------------------


def _proves(item: Mapping[str, Any], one: ReadClaim) -> bool:
    """Whether a stored proof is one of this claim: it says the same, and the checker accepts it."""
    from verify.certify.prover.prove import heading_of

    document = item["written"]
    said = _plain(_about_vectors(heading_of(*one.claim), one.vectors))
    names = {*said, "vectors"}
    return {n: document[n] for n in names if n in document} == said and accepts(document)


def _labelled(claims: Claims, labels: Sequence[Any], to_the_end: bool) -> list[ReadClaim]:
    """The claims of a set, if they have these labels; read further than they have, or not."""
    found: list[ReadClaim] = []
    if to_the_end:
        claims.all()
    for one in claims:
        if len(found) == len(labels) or one.label != labels[len(found)]:
            return []
        found.append(one)
    return found if len(found) == len(labels) and not claims.broken else []


def _about_vectors(document: dict[str, Any], vectors: Sequence[str]) -> dict[str, Any]:
    """A proof that tells the checker which symbols stand for one coordinate of a vector."""
    return {**document, "vectors": list(vectors)} if vectors else document


def _plain(document: Any) -> Any:
    """As it comes back from a file."""
    return json.loads(json.dumps(document))
