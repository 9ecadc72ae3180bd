"""What decides verdicts, and the tests that must notice a change of it."""

from __future__ import annotations

from dataclasses import dataclass

VERDICT = "tests/trusted/verdict/"
WORLD = "tests/trusted/world/"
TURNED = "tests/trusted/ladder/test_turned_round.py"
DOMAIN = "tests/trusted/world/test_domain"
TERMS = "tests/trusted/terms/"
KEPT = "tests/trusted/ladder/test_kept"
WORST = "tests/trusted/worst_case/"
LINE = "tests/trusted/line/"
PROOF = "tests/trusted/proof/"
FACTS = (
    *("below", "condition", "convex", "draw", "exponential", "growth", "lipschitz", "method"),
    *("minimum", "mixing", "noise", "pl", "projection", "prox", "relation", "smooth"),
    *("strongly_convex", "weights"),
)
SCHEMAS = (
    *("averaged", "extremes", "geometric", "harmonic", "last", "markov", "product"),
    "telescoped",
)


@dataclass(frozen=True)
class Decides:
    """A module, the beginnings of its tests' names, and of which of its places only is asked.

    Without tests it is judged by the table of the checkers.
    """

    module: str
    tests: tuple[str, ...] = ()
    only: tuple[str, ...] = ("",)


MODULES = {
    "checker": Decides("verify.certify.checker"),
    "gram_check": Decides("verify.certify.gram.check"),
    "verdict": Decides("verify.verdict.verdict", (f"{VERDICT}test_verdict",)),
    "relation": Decides("verify.verdict.relation", (f"{VERDICT}test_relation.py",)),
    "earned": Decides("verify.verdict.earned", (f"{VERDICT}test_verdict", f"{VERDICT}test_earned")),
    "evidence": Decides(
        "verify.verdict.evidence", (f"{VERDICT}test_verdict.py", f"{VERDICT}test_evidence")
    ),
    "e_values": Decides(
        "verify.verdict.e_values", (f"{VERDICT}test_e_values", "tests/verify/verdict/")
    ),
    "score": Decides(
        "verify.world.score", (f"{WORLD}test_score", "tests/verify/world/test_score.py")
    ),
    "referee": Decides("verify.world.referee", (f"{WORLD}test_referee",)),
    "domain": Decides("verify.world.domain", (DOMAIN, "tests/verify/world/test_domain.py")),
    "negation": Decides("verify.ladder.rungs.negation", (TURNED,)),
    "coins": Decides("verify.claim.laws", (TURNED,), ("binomial", "coin", "two_point")),
    "limits": Decides(
        "verify.claim.parameters",
        (DOMAIN, "tests/verify/claim/test_parameters.py"),
        ("Real.limits", "Real.inside", "Real.admits"),
    ),
    "uniform": Decides("verify.terms.uniform", (f"{TERMS}test_uniform.py",)),
    "kept": Decides("verify.ladder.leaf", (KEPT,), ("assay", "_serves", "_suffices")),
    "corpus": Decides(
        "verify.corpus.files",
        (KEPT,),
        ("Corpus.read", "Corpus.kept", "Corpus.earlier", "_lines", "_line", "_head", "_digest"),
    ),
    "recheck": Decides(
        "verify.ladder.rungs.certificate",
        ("tests/trusted/ladder/test_recheck",),
        ("recheck", "stands_alone", "_stored", "_kinds", "_proves", "_labelled"),
    ),
    "whole_checker": Decides("verify.proof.checker", (f"{PROOF}test_whole_checker",)),
    "outline_reader": Decides("verify.proof.reader", (f"{PROOF}test_outline_reader",)),
    "outline_terms": Decides("verify.proof.term", (f"{PROOF}test_outline_terms",)),
    "entries": Decides("verify.proof.entries", (f"{PROOF}test_outline_terms",)),
    **{
        f"fact_{name}": Decides(f"verify.proof.facts.{name}", (f"{PROOF}test_fact_rules",))
        for name in FACTS
    },
    **{
        f"schema_{name}": Decides(f"verify.proof.schemas.{name}", (f"{PROOF}test_outline_terms",))
        for name in SCHEMAS
    },
    "put": Decides("verify.proof.schemas.schema", (f"{PROOF}test_outline_terms",), ("put",)),
    "claim_sets": Decides("verify.reading.claim_sets", (f"{TERMS}test_claim_sets",)),
    "values": Decides("verify.terms.values", (f"{TERMS}test_values",)),
    "exact_runs": Decides(
        "verify.proof.bridge",
        (f"{PROOF}test_exact_runs", "tests/verify/proof/test_bridge"),
        (
            *("Broken", "ExactRun", "Reading", "broken", "evaluated", "_drawn", "_i", "_m"),
            *("_tree", "_vectors", "_within"),
        ),
    ),
    "exact_data": Decides("verify.worst_case.exact.data", (f"{WORST}test_exact_proof",)),
    "exact_proof": Decides("verify.worst_case.exact.exact_proof", (f"{WORST}test_exact_proof",)),
    "faces": Decides("verify.worst_case.exact.faces", (f"{WORST}test_faces",)),
    "solution": Decides("verify.worst_case.solution", (f"{WORST}test_solution",)),
    "instance": Decides("verify.worst_case.instance", (f"{WORST}test_solution",)),
    "primal": Decides(
        "verify.worst_case.exact.primal",
        (f"{WORST}test_primal",),
        ("attained", "tightened", "factorised", "_"),
    ),
    "dual": Decides("verify.worst_case.exact.dual", (f"{WORST}test_dual",)),
    "moments": Decides("verify.line.moments", (f"{LINE}test_moments",)),
    **{
        f"grammar_{name}": Decides(f"verify.line.grammar.{name}", (f"{LINE}test_grammar_parts",))
        for name in ("build", "tokens", "cursor")
    },
    "refused": Decides(
        "verify.line.grammar.refused",
        (f"{LINE}test_grammar_parts",),
        (
            "LONGEST",
            "NotRead._sentence",
            "NotRead.w",
            "NotRead.p",
            "not_read",
            "two_readings",
            "shown_in",
        ),
    ),
    "kinds": Decides("verify.line.kinds", (f"{LINE}test_kinds_by_hand",)),
    "made": Decides("verify.line.made", (f"{LINE}test_made",)),
    "ranges": Decides("verify.line.ranges", (f"{LINE}test_ranges",)),
    "node": Decides("verify.terms.node", (f"{TERMS}test_node.py",)),
    "places": Decides("verify.terms.places", (f"{TERMS}test_places",)),
    "renaming": Decides("verify.terms.renaming", (f"{TERMS}test_renaming",)),
    "named": Decides("verify.terms.named", (f"{TERMS}test_named",)),
    "tracing_world": Decides("verify.terms.world", (f"{TERMS}test_tracing_world",)),
    "traced": Decides("verify.terms.traced", (f"{TERMS}test_traced",)),
    "trace": Decides("verify.terms.trace", (f"{TERMS}test_trace.py",)),
    "claim_terms": Decides("verify.terms.claims", (f"{TERMS}test_claim_terms",)),
    "digest": Decides("verify.terms.digest", (f"{TERMS}test_digest",)),
    "bindings": Decides("verify.ledger.bindings", ("tests/trusted/ledger/test_bindings",)),
    "audit": Decides(
        "verify.ledger.audit",
        ("tests/trusted/ledger/test_audit",),
        ("audit", "_looked_at", "_told", "_doubles", "_leaf", "_named", "_witness", "_numbers"),
    ),
}
