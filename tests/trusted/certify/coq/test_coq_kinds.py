"""Coq on vectors, classes of functions and inductions: accepted as they are, refused if changed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sympy

from tests.trusted.certify.claims import total, u, x, z
from tests.trusted.certify.coq.test_coq import needs_coq, sampled
from tests.trusted.certify.prover.test_induction import RECURSIONS
from tests.trusted.certify.prover.test_induction import proof_of as induction
from tests.verify.reading.test_class_proofs import PROVED, STEPS
from tests.verify.reading.test_vectors import TRUE
from verify.catalogue.library import library
from verify.certify.checker import check
from verify.certify.coq.asked import OF_THE_REALS, axioms, coqc
from verify.certify.coq.document import NotInCoq, coq_file
from verify.certify.coq.prelude import PRELUDE
from verify.certify.prover.prove import certify, written_out
from verify.ladder.rungs.certificate import written_proofs

CLASSES: dict[str, Any] = {
    "one step of gradient descent": lambda: PROVED["gradient-1"].claim("one.step"),
    "strongly convex, values": lambda: STEPS["strongly convex, values"][0],
}


@cache
def proofs_of(kind: str, name: str) -> list[dict[str, Any]]:
    """The written proofs of one claim."""
    if kind == "rounds":
        return [induction(name)]
    found = written_proofs(TRUE[name] if kind == "vectors" else CLASSES[name]())
    assert all(proof["vectors"] for proof in found)
    return found


def text_of(kind: str, name: str) -> str:
    """The Coq file of one proof."""
    return coq_file({name: proofs_of(kind, name)})


ALL = [("vectors", name) for name in TRUE] + [("rounds", name) for name in RECURSIONS]
ALL += [("classes", name) for name in CLASSES]


@needs_coq
@pytest.mark.parametrize("names", sampled(ALL))
def test_coq_accepts_them_with_no_axioms_but_those_of_the_reals(
    names: list[tuple[str, str]], tmp_path: Path
) -> None:
    assert {kind for kind, _ in names} == {"vectors", "rounds", "classes"}
    code, said = coqc(coq_file({name: proofs_of(kind, name) for kind, name in names}), tmp_path)
    assert code == 0, said[-800:]
    assert said.count("Axioms:") == len(names)
    assert axioms(said) <= OF_THE_REALS


def _norm(text: str) -> str:
    """A stronger claim about vectors."""
    return text.replace("2 * dot d x y <= s", "3 * dot d x y <= s")


def _square(text: str) -> str:
    """Another vector that is squared."""
    return text.replace("dot d (fun i => s * (x i) - y i)", "dot d (fun i => s * (x i) + y i)")


def _weights(text: str) -> str:
    """A hypothesis on the clients' weights less."""
    return text.replace("  (0 <= 1 - Sum (fun k => a k) N) ->\n", "").replace("H1 H2 H3", "H1 H2")


def _rate(text: str) -> str:
    """A better rate over the class."""
    return text.replace("/ 6.", "/ 7.").replace("/ 6))", "/ 7))")


def _round(text: str) -> str:
    """An induction whose step is about another recursion."""
    return text.replace("0 <= (- (x (S t))) + x t - y t) ->", "0 <= (- (x (S t))) + x t) ->")


def _start(text: str) -> str:
    """An induction without its start."""
    return text.replace(
        "(0 <= K_ / 2 - x 0%nat) ->\n  (0 <= K_ - c) ->\n  (forall", "(0 <= K_ - c) ->\n  (forall"
    ).replace("intros K_ c x H1 H2 H3 H4 H5 H6.", "intros K_ c x H1 H2 H3 H5 H6.")


CHANGES: dict[str, tuple[str, str, Callable[[str], str]]] = {
    "norm": ("vectors", "Young", _norm),
    "square": ("vectors", "Young", _square),
    "weights": ("vectors", "Jensen", _weights),
    "rate": ("classes", "one step of gradient descent", _rate),
    "round": ("rounds", "telescoping sum", _round),
    "start": ("rounds", "falling like 1/(T + 2)", _start),
}


@needs_coq
@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.every(3)
def test_coq_refuses_what_was_changed(name: str, tmp_path: Path) -> None:
    kind, proof, change = CHANGES[name]
    text = text_of(kind, proof)
    assert change(text) != text
    assert coqc(change(text), tmp_path)[0] != 0


@needs_coq
def test_a_sum_of_atoms_is_not_read_as_itself_for_ever(tmp_path: Path) -> None:
    claim = (1 / (total(sympy.Max(0, z) ** 2) + 1), sympy.Integer(1), "<=")
    found = certify(*claim)
    assert found is not None
    assert coqc(coq_file({"positive.part": [written_out(found, *claim)]}), tmp_path)[0] == 0


@needs_coq
def test_coq_reads_numbers_of_pairs_of_clients(tmp_path: Path) -> None:
    (leaf,) = [
        leaf
        for entry in library()
        for leaf in entry.leaves
        if leaf.key == "allforall.biasterms/equal"
    ]
    text = coq_file({"pairs": written_proofs(leaf)})
    assert "forall (N : nat) (bias : nat -> nat -> R)," in text
    assert coqc(text, tmp_path)[0] == 0
    assert text.count(") N / ((INR N) ^ 2).") == 1  # the end of the claim
    false = text.replace(") N / ((INR N) ^ 2).", ") N / ((INR N) ^ 3).")
    code, said = coqc(false, tmp_path)
    assert code != 0
    assert "Error" in said


@needs_coq
def test_a_sum_below_a_line_inside_a_sum_is_one_condition(tmp_path: Path) -> None:
    """What names the clients of a sum of its own alone is the same for every client."""
    claim = (total(u * z / total(z)), total(u * z) / total(z), "<=")
    found = certify(*claim)
    assert found is not None
    text = coq_file({"share": [written_out(found, *claim)]})
    assert "\n  (Sum (fun k => z k) N <> 0) ->" in text
    assert coqc(text, tmp_path)[0] == 0
    without = text.replace("\n  (Sum (fun k => z k) N <> 0) ->", "").replace(" H1 H2.", " H1.")
    assert coqc(without, tmp_path)[0] != 0


@needs_coq
@pytest.mark.parametrize(("last", "code"), [("1", 0), ("2", 1)])
def test_a_divisor_cleared_of_its_own_fractions_does_not_vanish(
    last: str, code: int, tmp_path: Path
) -> None:
    """Multiplied by what lies below the line it is another polynomial, and that one alone."""
    lemma = f"""
    Lemma cleared : forall x y, 0 < x -> (- y) * x / ((x + 1) ^ 2) + 1 <> 0 ->
      y * x - x ^ 2 - 2 * x - {last} <> 0.
    Proof. intros x y X D. nz. Qed.
    """
    assert coqc(PRELUDE + lemma, tmp_path)[0] == code


def slope(more: int = 0) -> dict[str, Any]:
    """The square of a central difference of |x|^2/2, which steps aside in each coordinate."""
    aside = ((x + 1) ** 2 / 2 - (x - 1) ** 2 / 2) / 2
    claim = (aside**2 + more, x**2 + more, "<=")
    found = certify(*claim)
    assert found is not None
    return {**written_out(found, *claim), "vectors": ["x"]}


@needs_coq
def test_a_claim_about_each_coordinate_is_one_about_their_sum(tmp_path: Path) -> None:
    check(slope())
    text = coq_file({"slope": [slope()]})
    statement = text.split("Theorem claim_slope :", 1)[1].split("Proof.")[0]
    assert statement.split("\n")[1:] == [
        "  forall (d : nat) (x : nat -> R),",
        "  Sum (fun i => ((- ((x i - 1) ^ 2)) / 4 + (x i + 1) ^ 2 / 4) ^ 2) d "
        "<= Sum (fun i => (x i) ^ 2) d.",
        "",
    ]
    code, said = coqc(text, tmp_path)
    assert code == 0, said[-800:]
    assert axioms(said) <= OF_THE_REALS
    false = text.replace("<= Sum (fun i => (x i) ^ 2) d.", "<= Sum (fun i => (x i) ^ 2 / 2) d.")
    assert false != text
    assert coqc(false, tmp_path)[0] != 0


def test_what_no_coordinate_enters_would_be_counted_for_each() -> None:
    with pytest.raises(NotInCoq, match="a product of vectors that stands inside a sum of its own"):
        coq_file({"slope": [slope(1)]})


def test_statements_about_vectors_and_rounds_read_like_the_claims() -> None:
    young = text_of("vectors", "Young").split("Theorem", 1)[1].split("Proof.")[0]
    assert "forall (s : R) (d : nat) (x y : nat -> R)," in young
    assert "2 * dot d x y <= s * (dot d x x) + dot d y y / s." in young
    jensen = text_of("vectors", "Jensen")
    assert "<= Sum (fun k => a k * (dot d (x k) (x k))) N." in jensen
    rounds = text_of("rounds", "telescoping sum")
    assert "(forall t : nat, 0 <= (- (x (S t))) + x t - y t) ->" in rounds
    assert "forall T_ : nat, Sum0 (fun t => y t) T_ <= x 0%nat - x T_." in rounds
